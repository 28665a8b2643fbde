/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "capture/nfs/client.h"

#include "base/array.h"
#include "words/procedure.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void nfs_client_free(struct nfs_client *client)
{
	if (client == NULL)
		return;
	intern_free(&client->handle_numbers);
	free(client->handles);
	intern_free(&client->stateids);
	free(client->states);
	free(client->opens);
	free(client);
}

void nfs_begin(struct nfs_client *client, const char *label)
{
	++*client->call_count;
	recording_begin(client->recording, label, client->time_ns, client->frame);
	recording_time(client->recording, client->time_ns, client->replied_ns);
}

void nfs_merge(struct nfs_client *client, const char *reason)
{
	conversion_set(recording_conversion(client->recording), CONVERSION_MERGED, "%s", reason);
}

void nfs_approximate(struct nfs_client *client, const char *reason)
{
	conversion_set(recording_conversion(client->recording), CONVERSION_APPROXIMATED, "%s",
		       reason);
}

void nfs_drop(struct nfs_client *client, const char *reason)
{
	conversion_set(recording_conversion(client->recording), CONVERSION_DROPPED, "%s", reason);
}

struct nfs_client_place nfs_root(const struct nfs_client *client)
{
	return (struct nfs_client_place){
		.node = *client->directory == '\0' ? recording_tree(client->recording)->root : NULL,
		.depth = *client->directory != '\0',
		.handle = NFS_NONE,
	};
}

/* Return the number of a handle. Add it if it is new. */
static uint32_t number_of(struct nfs_client *client, uint32_t handle, int *is_new)
{
	int64_t number = intern(&client->handle_numbers, &handle, sizeof(handle), is_new);

	if (number < 0 || array_grow(&client->handles, &client->handle_room, (size_t)number + 1,
				     sizeof(*client->handles)) < 0) {
		client->failed = true;
		return NFS_NONE;
	}
	if (*is_new)
		client->handles[number] = (struct nfs_client_handle){
			.place.handle = (uint32_t)number,
			.opens = NFS_NONE,
		};
	return (uint32_t)number;
}

uint32_t nfs_set_handle(struct nfs_client *client, uint32_t handle, struct nfs_client_place place)
{
	int is_new;
	uint32_t number = number_of(client, handle, &is_new);

	if (number == NFS_NONE)
		return NFS_NONE;
	client->handles[number].place.node = place.node;
	client->handles[number].place.depth = place.depth;
	return number;
}

void nfs_client_mount(struct nfs_client *client, uint32_t handle)
{
	if (!client->rooted && intern_find(&client->handle_numbers, &handle, sizeof(handle)) < 0)
		nfs_set_handle(client, handle, nfs_root(client));
	client->rooted = true;
}

struct nfs_client_place nfs_client_place(struct nfs_client *client, uint32_t handle,
					 enum node_kind kind)
{
	int is_new;
	uint32_t number = number_of(client, handle, &is_new);
	struct nfs_client_place *place;

	if (number == NFS_NONE)
		return (struct nfs_client_place){.handle = NFS_NONE};
	place = &client->handles[number].place;
	if (is_new && *client->directory == '\0')
		place->node = tree_nameless(recording_tree(client->recording), kind);
	if (place->node != NULL)
		node_report(place->node, kind, RECORDED_UNKNOWN);
	return *place;
}

struct nfs_client_place nfs_child(const struct nfs_client *client,
				  const struct nfs_client_place *directory, const char *name)
{
	struct tree *tree = recording_tree(client->recording);
	struct nfs_client_place child = {.handle = NFS_NONE};
	const char *wanted = client->directory;
	unsigned depth = directory->depth;
	size_t length;

	if (directory->node != NULL)
		child.node = tree_child(tree, directory->node, name);
	if (depth == 0)
		return child;
	while (--depth > 0)
		wanted = strchr(wanted, '/') + 1;
	length = strlen(name);
	if (strncmp(wanted, name, length) != 0)
		return child;
	if (wanted[length] == '\0')
		child.node = tree->root;
	else if (wanted[length] == '/')
		child.depth = directory->depth + 1;
	return child;
}

void nfs_client_found(struct nfs_client *client, const struct nfs_client_place *directory,
		      const char *name, uint32_t handle)
{
	int64_t number = intern_find(&client->handle_numbers, &handle, sizeof(handle));

	if (number >= 0 && client->handles[number].place.node != NULL && directory->node != NULL)
		tree_place(recording_tree(client->recording), client->handles[number].place.node,
			   directory->node, name);
}

void nfs_client_found_entries(struct nfs_client *client, const struct nfs_client_place *directory,
			      const struct nfs_frame *frame)
{
	size_t i;

	for (i = 0; i < frame->entry_count; i++)
		if (frame->entries[i].has_handle)
			nfs_client_found(client, directory, frame->entries[i].name,
					 frame->entries[i].handle);
}

void nfs_keep_entries(struct nfs_client *client, const struct nfs_client_place *directory,
		      const struct nfs_frame *frame)
{
	size_t i;

	for (i = 0; i < frame->entry_count; i++) {
		const struct nfs_entry *entry = &frame->entries[i];
		struct nfs_client_place child = nfs_child(client, directory, entry->name);

		if (entry->has_handle && (child.node != NULL || child.depth > 0))
			nfs_set_handle(client, entry->handle, child);
		if (child.node != NULL)
			node_report(child.node, entry->kind, entry->bytes);
	}
}

bool nfs_client_path(struct nfs_client *client, const struct nfs_client_place *place,
		     const char *name, char path[TREE_PATH_MAX])
{
	if (place->node == NULL) {
		conversion_set(recording_conversion(client->recording), CONVERSION_ELSEWHERE, "%s",
			       "");
		return false;
	}
	if (node_child_path(place->node, name, path))
		return true;
	nfs_drop(client, "of a removed file, or the path is too long");
	return false;
}

int nfs_error(struct nfs_client *client, uint32_t status)
{
	int error = procedure_nfs_errno(status);

	switch (status) {
	case 10008: /* DELAY or JUKEBOX: the client tries again later */
	case 10013: /* GRACE */
		nfs_merge(client, "put off by the server");
		return -1;
	case 10010: /* DENIED */
	case 10012: /* LOCKED */
		return EAGAIN;
	case 10029: /* SYMLINK */
		return ELOOP;
	default:
		break;
	}
	if (error < 0)
		conversion_set(recording_conversion(client->recording), CONVERSION_DROPPED,
			       "failed with NFS status %u", (unsigned)status);
	return error;
}

bool nfs_is_too_large(struct nfs_client *client, uint64_t offset, uint64_t size)
{
	if (size <= PROGRAM_IO_BYTES_MAX && offset <= INT64_MAX - size)
		return false;
	nfs_drop(client, "of over 64 MiB, or beyond 2^63 bytes");
	return true;
}
