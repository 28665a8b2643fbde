/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A client of an NFS server: its recording, and the files that its handles and
 * stateids stand for.
 */
#ifndef CAPTURE_NFS_CLIENT_H
#define CAPTURE_NFS_CLIENT_H

#include "capture/nfs/part.h"

/* A file or directory on the server. */
struct nfs_client_place {
	struct node *node; /* NULL: not in the recorded directory */
	/* If it is above the recorded directory: 1 for the root, 2 for a
	 * directory in it, and so on; else 0. */
	unsigned depth;
	uint32_t handle; /* number of its handle, or NFS_NONE */
};

#define NFS_NONE UINT32_MAX

struct nfs_client_handle {
	struct nfs_client_place place;
	struct listing listing; /* that has not ended yet */
	uint32_t opens;         /* NFSv4: the newest open of the file, or NFS_NONE */
};

/* An open of NFSv4. */
struct nfs_open {
	struct file *file; /* NULL: closed */
	uint64_t access;   /* enum open_flag: OPEN_READ, OPEN_WRITE */
	uint32_t handle;
	uint32_t newer, older; /* opens of the same handle */
};

struct nfs_client {
	struct recording *recording; /* NULL: excluded */
	uint64_t *call_count;        /* of the source */
	/* The current call. */
	uint64_t time_ns, replied_ns, frame;
	const char *directory; /* that is recorded; "": all */
	bool failed;           /* out of memory */
	bool rooted;           /* the root's handle is known */
	struct intern handle_numbers;
	struct nfs_client_handle *handles;
	size_t handle_room;
	struct intern stateids;
	uint32_t *states; /* by the number of the stateid: its open */
	size_t state_room;
	struct nfs_open *opens;
	size_t open_count, open_room;
};

void nfs_client_free(struct nfs_client *client);

/* Begin to count a call, or an operation of a compound. */
void nfs_begin(struct nfs_client *client, const char *label);

/* Return the root of the server or export. */
struct nfs_client_place nfs_root(const struct nfs_client *client);

/* The client mounts the directory of this handle. The first one is the root,
 * unless the capture began later and the handle is known. */
void nfs_client_mount(struct nfs_client *client, uint32_t handle);

/* Make a handle stand for a place. Return the handle's number, or NFS_NONE if
 * there is no memory. */
uint32_t nfs_set_handle(struct nfs_client *client, uint32_t handle, struct nfs_client_place place);

/*
 * Return the place of a handle. An unknown one is that of a file of this kind
 * which existed before, or not in the recorded directory if there is
 * client->directory.
 */
struct nfs_client_place nfs_client_place(struct nfs_client *client, uint32_t handle,
					 enum node_kind kind);

/* Return the place of a name, whose node is NULL if the model does not know
 * it. */
struct nfs_client_place nfs_child(const struct nfs_client *client,
				  const struct nfs_client_place *directory, const char *name);

/*
 * The server has shown a name with this handle. Call this before the model
 * follows the operation, so that a file which was known by its handle only gets
 * the name.
 */
void nfs_client_found(struct nfs_client *client, const struct nfs_client_place *directory,
		      const char *name, uint32_t handle);

/* The same for the names of a listing; then, after the model has learned the
 * names, remember their handles and what was reported about the files. */
void nfs_client_found_entries(struct nfs_client *client, const struct nfs_client_place *directory,
			      const struct nfs_frame *frame);
void nfs_keep_entries(struct nfs_client *client, const struct nfs_client_place *directory,
		      const struct nfs_frame *frame);

/* Set the path of a place, or of a name in it. Return false if the call has been
 * put into another row: it is not about the recorded directory, or about a
 * removed file. */
bool nfs_client_path(struct nfs_client *client, const struct nfs_client_place *place,
		     const char *name, char path[TREE_PATH_MAX]);

/* Put the current call into a row of the conversion report. */
void nfs_merge(struct nfs_client *client, const char *reason);
void nfs_approximate(struct nfs_client *client, const char *reason);
void nfs_drop(struct nfs_client *client, const char *reason);

/* Convert a status of NFSv3 or NFSv4 to an errno. Return -1 if the current call
 * has been put into a row because there is none. */
int nfs_error(struct nfs_client *client, uint32_t status);

/* Is this range too large for an operation? Then drop the call. */
bool nfs_is_too_large(struct nfs_client *client, uint64_t offset, uint64_t size);

#endif
