/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The open files of a client, and the stateids that stand for them. */
#include "capture/nfs/nfs4.h"

#include "base/array.h"

#include <string.h>

struct nfs_open *nfs4_find_state(struct nfs_client *client, const char *stateid)
{
	int64_t number = stateid == NULL ? -1
					 : intern_find(&client->stateids, stateid, strlen(stateid));
	struct nfs_open *open = number < 0 || client->states[number] == NFS_NONE
					? NULL
					: &client->opens[client->states[number]];

	return open != NULL && open->file != NULL ? open : NULL;
}

void nfs4_set_state(struct nfs_client *client, const char *stateid, const struct nfs_open *open)
{
	int64_t number;
	int is_new;

	if (stateid == NULL)
		return;
	if (array_grow(&client->states, &client->state_room, client->stateids.count + 1,
		       sizeof(*client->states)) < 0 ||
	    (number = intern(&client->stateids, stateid, strlen(stateid), &is_new)) < 0) {
		client->failed = true;
		return;
	}
	client->states[number] = (uint32_t)(open - client->opens);
}

struct nfs_open *nfs4_find_open(struct compound *compound, const char *stateid, uint64_t access)
{
	struct nfs_client *client = compound->client;
	struct nfs_open *open = nfs4_find_state(client, stateid);
	uint32_t number;

	if (open != NULL && (access & ~open->access) == 0)
		return open;
	if (compound->current.handle == NFS_NONE)
		return NULL;
	number = client->handles[compound->current.handle].opens;
	for (; number != NFS_NONE; number = open->older) {
		open = &client->opens[number];
		if ((access & ~open->access) == 0)
			return open;
	}
	return NULL;
}

void nfs4_keep_open(struct compound *compound, const struct nfs_part *reply, struct file *file,
		    uint64_t access)
{
	struct nfs_client *client = compound->client;
	uint32_t number = (uint32_t)client->open_count, *newest;
	struct nfs_open *open;

	if (array_grow(&client->opens, &client->open_room, client->open_count + 1,
		       sizeof(*client->opens)) < 0) {
		client->failed = true;
		return;
	}
	open = &client->opens[client->open_count++];
	*open = (struct nfs_open){
		.file = file,
		.access = access,
		.handle = compound->current.handle,
		.newer = NFS_NONE,
		.older = NFS_NONE,
	};
	nfs4_set_state(client, reply->stateid, open);
	/* A data server of pNFS has handles of its own for the file. */
	nfs4_set_state(client, reply->delegation, open);
	if (open->handle == NFS_NONE)
		return;
	newest = &client->handles[open->handle].opens;
	open->older = *newest;
	if (*newest != NFS_NONE)
		client->opens[*newest].newer = number;
	*newest = number;
}

void nfs4_close_open(struct compound *compound, struct nfs_open *open, int error)
{
	struct nfs_client *client = compound->client;
	struct recorded recorded = RECORDED(OP_CLOSE);

	recorded.file = open->file;
	recorded.error = error;
	recording_add(client->recording, &recorded, NULL);
	open->file = NULL;
	if (open->older != NFS_NONE)
		client->opens[open->older].newer = open->newer;
	if (open->newer != NFS_NONE)
		client->opens[open->newer].older = open->older;
	else if (open->handle != NFS_NONE)
		client->handles[open->handle].opens = open->older;
}
