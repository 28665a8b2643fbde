/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The procedures of NFSv3 (RFC 1813): each function makes one call and waits
 * for its answer. All return >= 0 or -errno.
 */
#ifndef TARGET_NFS_RPC_H
#define TARGET_NFS_RPC_H

#include "target/nfs/session.h"

/* The attributes of a file that throng itself needs. */
struct nfs_attributes {
	/* False if the answer did not contain the attributes: servers may leave
	 * them out of most answers. */
	bool known;
	ftype3 type;
	uint32_t uid;
	uint64_t size, file_id, device;
	nfstime3 accessed, modified;
};

/* A file that an answer describes. */
struct nfs_found {
	struct nfs_handle handle; /* length 0: the answer had no handle */
	struct nfs_attributes attributes;
};

/* The position in the listing of a directory. All zeros: its start. */
struct nfs_listing {
	cookie3 cookie;
	cookieverf3 verifier;
	bool ended;
};

/* All bits of ACCESS that RFC 1813 defines. */
enum { NFS_ALL_ACCESS = 0x3f };

/* How CREATE treats an existing file: keep it, truncate it, or fail. */
enum nfs_create { NFS_CREATE_KEEP, NFS_CREATE_TRUNCATE, NFS_CREATE_NEW };

int nfs_rpc_getattr(struct backend_session *session, const struct nfs_handle *file,
		    struct nfs_attributes *attributes);
int nfs_rpc_lookup(struct backend_session *session, const struct nfs_handle *directory,
		   const char *name, struct nfs_found *found);
/* Ask for the rights `wanted` (ACCESS3_READ ...). Return the rights that the
 * server grants. */
int nfs_rpc_access(struct backend_session *session, const struct nfs_handle *file, uint32_t wanted);
int nfs_rpc_readlink(struct backend_session *session, const struct nfs_handle *link);
/* Return the number of bytes moved: the server may move fewer than `size`. */
int nfs_rpc_read(struct backend_session *session, const struct nfs_handle *file, void *buffer,
		 size_t size, uint64_t offset, bool *at_end);
/* Return -EREMOTEIO if the server has committed the data less than `stable`
 * asks for. Set session->wrote_unstable if the data needs a COMMIT. */
int nfs_rpc_write(struct backend_session *session, const struct nfs_handle *file, const void *data,
		  size_t size, uint64_t offset, stable_how stable);
/* Commit all unstable writes of a file. Return -EIO if the server may have lost
 * data of these writes (uncommitted.h). */
int nfs_rpc_commit(struct backend_session *session, const struct nfs_handle *file);
/* In CREATE, MKDIR and SYMLINK, `found` is set to the new file; it may be
 * NULL. */
int nfs_rpc_create(struct backend_session *session, const struct nfs_handle *directory,
		   const char *name, enum nfs_create how, struct nfs_found *found);
int nfs_rpc_mkdir(struct backend_session *session, const struct nfs_handle *directory,
		  const char *name, struct nfs_found *found);
int nfs_rpc_symlink(struct backend_session *session, const struct nfs_handle *directory,
		    const char *name, const char *text, struct nfs_found *found);
int nfs_rpc_remove(struct backend_session *session, const struct nfs_handle *directory,
		   const char *name);
int nfs_rpc_rmdir(struct backend_session *session, const struct nfs_handle *directory,
		  const char *name);
int nfs_rpc_rename(struct backend_session *session, const struct nfs_handle *from,
		   const char *from_name, const struct nfs_handle *to, const char *to_name);
int nfs_rpc_link(struct backend_session *session, const struct nfs_handle *file,
		 const struct nfs_handle *directory, const char *name);
int nfs_rpc_truncate(struct backend_session *session, const struct nfs_handle *file,
		     uint64_t bytes);
int nfs_rpc_set_mode(struct backend_session *session, const struct nfs_handle *file,
		     uint32_t permissions);
/* UINT32_MAX keeps the owner or the group. */
int nfs_rpc_set_owner(struct backend_session *session, const struct nfs_handle *file, uint32_t uid,
		      uint32_t gid);
/* If `accessed` is NULL, keep the access time; if `modified` is NULL, set the
 * modification time to the server's time. */
int nfs_rpc_set_times(struct backend_session *session, const struct nfs_handle *file,
		      const nfstime3 *accessed, const nfstime3 *modified);
/* Fill session->entries with the next part of a directory, and advance
 * `listing`. */
int nfs_rpc_readdirplus(struct backend_session *session, const struct nfs_handle *directory,
			struct nfs_listing *listing);
int nfs_rpc_fsstat(struct backend_session *session, uint64_t *free_bytes);
int nfs_rpc_fsinfo(struct backend_session *session);
int nfs_rpc_pathconf(struct backend_session *session, const struct nfs_handle *file);

/*
 * Look up all components of a path but the last. Set *directory to the handle
 * of the directory that contains the file, and *leaf to the last component (""
 * for the target itself). Symbolic links in the path are not followed: the
 * server returns ENOTDIR for them.
 */
int nfs_rpc_parent(struct backend_session *session, const struct nfs_path *path,
		   struct nfs_handle *directory, const char **leaf);

/* Look up all components of a path. Set both the handle and the attributes in
 * *found. */
int nfs_rpc_find(struct backend_session *session, const struct nfs_path *path,
		 struct nfs_found *found);

/* Complete `found`, which describes `name` in `directory`: get the handle and
 * the attributes that the server's answer did not contain. */
int nfs_rpc_complete(struct backend_session *session, const struct nfs_handle *directory,
		     const char *name, struct nfs_found *found);

#endif
