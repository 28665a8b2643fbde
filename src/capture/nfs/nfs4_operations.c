/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The operations of NFSv4: each of them becomes an operation of the native
 * dialect, or is part of one. Stateids stand for open files. */
#include "capture/nfs/nfs4.h"

#include "base/array.h"

#include <errno.h>
#include <string.h>

/* Claims of an OPEN by a name, and after a restart of the server. */
enum { CLAIM_NULL, CLAIM_PREVIOUS, CLAIM_DELEGATE_CUR, CLAIM_DELEGATE_PREV };

/* Return the open that a stateid stands for, or NULL. */
static struct nfs_open *find_state(struct nfs_client *client, const char *stateid)
{
	int64_t number = stateid == NULL ? -1
					 : intern_find(&client->stateids, stateid, strlen(stateid));
	struct nfs_open *open = number < 0 || client->states[number] == NFS_NONE
					? NULL
					: &client->opens[client->states[number]];

	return open != NULL && open->file != NULL ? open : NULL;
}

/* Make a stateid stand for an open. */
static void set_state(struct nfs_client *client, const char *stateid, const struct nfs_open *open)
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

/* Return the open with this access of a stateid, or any of the current file,
 * because special stateids and those of delegations stand for all. Return NULL
 * if there is none. */
static struct nfs_open *find_open(struct compound *compound, const char *stateid, uint64_t access)
{
	struct nfs_client *client = compound->client;
	struct nfs_open *open = find_state(client, stateid);
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

/* Add an open of the current file, with the stateids of the reply to OPEN. */
static void keep_open(struct compound *compound, const struct nfs_part *reply, struct file *file,
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
	set_state(client, reply->stateid, open);
	/* A data server of pNFS has handles of its own for the file. */
	set_state(client, reply->delegation, open);
	if (open->handle == NFS_NONE)
		return;
	newest = &client->handles[open->handle].opens;
	open->older = *newest;
	if (*newest != NFS_NONE)
		client->opens[*newest].newer = number;
	*newest = number;
}

/* Add a CLOSE with this error, and forget the open. */
static void close_open(struct compound *compound, struct nfs_open *open, int error)
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

/* Find the handle that the server returns for the file that the current
 * operation has found. */
static bool find_handle(const struct compound *compound, uint32_t *handle)
{
	size_t i;

	for (i = compound->at + 1; i < compound->reply_count; i++)
		switch (compound->replies[i].number) {
		case GETFH:
			*handle = compound->replies[i].handles[0];
			return compound->replies[i].handle_count > 0;
		case CREATE:
		case LOOKUP:
		case LOOKUPP:
		case OPEN:
		case PUTFH:
		case PUTPUBFH:
		case PUTROOTFH:
		case RESTOREFH:
			return false;
		default:
			break;
		}
	return false;
}

/* Make a place the current one, and remember its handle. */
static void move_to(struct compound *compound, struct nfs_client_place place, enum node_kind kind)
{
	uint32_t handle;
	bool known = find_handle(compound, &handle);

	if (known && (place.node != NULL || place.depth > 0))
		place.handle = nfs_set_handle(compound->client, handle, place);
	else if (known)
		place = nfs_client_place(compound->client, handle, kind);
	compound->current = place;
}

/* Before the model follows an operation that has found a name. */
static void find_name(struct compound *compound, const char *name)
{
	uint32_t handle;

	if (find_handle(compound, &handle))
		nfs_client_found(compound->client, &compound->current, name, handle);
}

static void enter(struct compound *compound, const char *name, enum node_kind kind)
{
	move_to(compound, nfs_child(compound->client, &compound->current, name), kind);
}

/* Set the path of the current file, or of a name in it. */
static bool find_path(struct compound *compound, const char *name, char path[TREE_PATH_MAX])
{
	return nfs_client_path(compound->client, &compound->current, name, path);
}

/* Add an operation with the outcome of the current one. */
static bool add(struct compound *compound, struct recorded *recorded)
{
	recorded->error = compound->error;
	return recording_add(compound->client->recording, recorded, NULL);
}

/* Add an operation on the path of the current file. */
static bool add_by_path(struct compound *compound, struct recorded *recorded)
{
	char path[TREE_PATH_MAX];

	recorded->path = path;
	return find_path(compound, NULL, path) && add(compound, recorded);
}

void nfs4_move(struct compound *compound)
{
	const struct nfs_part *call = compound->call;
	char path[TREE_PATH_MAX], *slash;

	if (compound->error != 0)
		return;
	switch (call->number) {
	case PUTFH:
		compound->lost = false;
		compound->current = nfs_client_place(compound->client, call->handles[0],
						     NODE_UNKNOWN);
		break;
	case PUTROOTFH:
	case PUTPUBFH:
		compound->lost = false;
		move_to(compound, nfs_root(compound->client), NODE_DIRECTORY);
		break;
	case SAVEFH:
		compound->saved = compound->current;
		break;
	case RESTOREFH:
		compound->current = compound->saved;
		break;
	default: /* LOOKUPP */
		if (!find_path(compound, NULL, path))
			break;
		slash = strrchr(path, '/');
		*(slash != NULL ? slash : path) = '\0';
		move_to(compound,
			(struct nfs_client_place){
				.node = tree_find(recording_tree(compound->client->recording), path,
						  false),
				.handle = NFS_NONE,
			},
			NODE_DIRECTORY);
		break;
	}
}

/* GETATTR and ACCESS. */
void nfs4_ask(struct compound *compound)
{
	const struct nfs_part *call = compound->call;
	const struct nfs_part *reply = compound->reply;
	bool space = (call->attributes & NFS_ASKS_SPACE) != 0 && reply->bytes < 0 &&
		     reply->kind == NODE_UNKNOWN;
	struct recorded recorded = RECORDED(space ? OP_STATVFS : OP_STAT);

	recorded.kind = reply->kind;
	recorded.bytes = reply->bytes;
	if (compound->converts || compound->asked) {
		if (compound->current.node != NULL && compound->error == 0)
			node_report(compound->current.node, reply->kind, reply->bytes);
		nfs_merge(compound->client, "attributes asked for in passing");
		return;
	}
	compound->asked = true;
	if (add_by_path(compound, &recorded) && call->number == ACCESS)
		nfs_approximate(compound->client, "ACCESS as stat");
}

/* Teach the model a name in the current directory. */
static void learn(struct compound *compound, const char *name)
{
	struct listing listing = {.node = compound->current.node};

	if (listing.node != NULL)
		recording_list_more(compound->client->recording, &listing, 0, &name, 1);
}

/* Is a look-up a step on the way to another file, or to an operation? */
static bool is_step(const struct compound *compound)
{
	size_t i;

	for (i = compound->at + 1; i < compound->reply_count; i++)
		if (compound->calls[i].number == LOOKUP || nfs4_converts(compound->calls[i].number))
			return true;
	return false;
}

void nfs4_look_up(struct compound *compound)
{
	const struct nfs_part *call = compound->call;
	int error = compound->error;
	struct recorded recorded = RECORDED(OP_STAT);
	const char *name = call->names[0];
	char path[TREE_PATH_MAX];

	if (error == 0)
		find_name(compound, name);
	if (error == 0 && is_step(compound)) {
		nfs_merge(compound->client, "look-ups on the way");
		if (compound->current.node != NULL)
			node_report(compound->current.node, NODE_DIRECTORY, RECORDED_UNKNOWN);
		learn(compound, name);
	} else if (find_path(compound, name, path)) {
		compound->asked = true;
		recorded.path = path;
		add(compound, &recorded);
	}
	if (error == 0)
		enter(compound, name, NODE_UNKNOWN);
}

static uint64_t open_flags_of(const struct nfs_part *call)
{
	/* The other bits say which delegation the client wants. */
	static const uint64_t access[] = {0, OPEN_READ, OPEN_WRITE, OPEN_READ | OPEN_WRITE};
	uint64_t flags = access[call->access & 3] | OPEN_FILE;

	if (call->creates)
		flags |= OPEN_CREATE;
	if (call->creates && call->mode != 0)
		flags |= OPEN_EXCLUSIVE;
	if (call->creates && (call->attributes & NFS_SETS_SIZE) != 0 && call->set_size == 0)
		flags |= OPEN_TRUNCATE;
	return flags;
}

void nfs4_open_file(struct compound *compound)
{
	const struct nfs_part *call = compound->call;
	const struct nfs_part *reply = compound->reply;
	int error = compound->error;
	bool named = call->claim == CLAIM_NULL || call->claim == CLAIM_DELEGATE_CUR ||
		     call->claim == CLAIM_DELEGATE_PREV;
	const char *name = named ? call->names[0] : NULL;
	struct recorded recorded = RECORDED(OP_OPEN);
	struct nfs_open *again = error != 0 ? NULL : find_state(compound->client, reply->stateid);
	char path[TREE_PATH_MAX];
	struct file *file = NULL;
	uint64_t access;

	recorded.op.open_flags = open_flags_of(call);
	recorded.error = error;
	recorded.path = path;
	recorded.kind = error == 0 ? NODE_FILE : NODE_UNKNOWN;
	access = recorded.op.open_flags & (OPEN_READ | OPEN_WRITE);
	if (call->claim == CLAIM_PREVIOUS) {
		again = find_open(compound, NULL, access);
		if (again != NULL)
			set_state(compound->client, reply->stateid, again);
		nfs_merge(compound->client, "opens reclaimed");
		return;
	}
	if (error == 0 && name != NULL)
		find_name(compound, name);
	if (again != NULL && (access & ~again->access) == 0) {
		nfs_merge(compound->client, "opened again by the same owner");
	} else if (find_path(compound, name, path)) {
		if (again != NULL) {
			recorded.op.open_flags |= again->access;
			access |= again->access;
			close_open(compound, again, 0);
			nfs_approximate(compound->client,
					"opened again with more access, as close and open");
		}
		if (!recording_add(compound->client->recording, &recorded, &file))
			file = NULL;
	}
	if (error == 0 && name != NULL)
		enter(compound, name, NODE_FILE);
	if (file != NULL && error == 0)
		keep_open(compound, reply, file, access);
}

void nfs4_close_file(struct compound *compound)
{
	const struct nfs_part *call = compound->call;
	struct nfs_open *open = find_state(compound->client, call->stateid);
	char path[TREE_PATH_MAX];

	if (open != NULL)
		close_open(compound, open, compound->error);
	else if (compound->current.node != NULL || find_path(compound, NULL, path))
		nfs_drop(compound->client, "of a file that was opened before the capture");
}

/* Add an operation on an open file. If it has no open, open it for the
 * operation. */
static void add_on_file(struct compound *compound, const char *stateid, uint64_t access,
			struct recorded *recorded)
{
	struct nfs_open *open = find_open(compound, stateid, access);
	struct recorded opening = RECORDED(OP_OPEN);
	char path[TREE_PATH_MAX];

	if (open != NULL) {
		recorded->file = open->file;
		add(compound, recorded);
		return;
	}
	if (!find_path(compound, NULL, path))
		return;
	opening.op.open_flags = access | OPEN_FILE;
	opening.path = path;
	opening.kind = NODE_FILE;
	if (!recording_add(compound->client->recording, &opening, &recorded->file))
		return;
	opening = RECORDED(OP_CLOSE);
	opening.file = recorded->file;
	add(compound, recorded);
	recording_add(compound->client->recording, &opening, NULL);
	nfs_approximate(compound->client, "without an open, as open and close");
}

void nfs4_transfer(struct compound *compound)
{
	const struct nfs_part *call = compound->call;
	const struct nfs_part *reply = compound->reply;
	bool writes = call->number == WRITE;
	struct recorded recorded = RECORDED(writes ? OP_WRITE : OP_READ);

	recorded.op.offset = call->offset;
	recorded.op.size = call->count;
	recorded.op.expect = (uint32_t)reply->count;
	if (compound->error == 0 && call->number != READ_PLUS)
		recorded.op.flags = OP_COUNTED;
	if (reply->count > call->count)
		nfs_drop(compound->client, "could not be decoded");
	else if (!nfs_is_too_large(compound->client, call->offset, call->count))
		add_on_file(compound, call->stateid, writes ? OPEN_WRITE : OPEN_READ, &recorded);
}

void nfs4_commit(struct compound *compound)
{
	struct recorded recorded = RECORDED(OP_FSYNC);

	add_on_file(compound, NULL, OPEN_WRITE, &recorded);
}

void nfs4_lock(struct compound *compound)
{
	const struct nfs_part *call = compound->call;
	const struct nfs_part *reply = compound->reply;
	struct recorded recorded = RECORDED(call->number == LOCK    ? OP_LOCK
					    : call->number == LOCKT ? OP_LOCK_TEST
								    : OP_UNLOCK);
	bool shared = call->mode == 1 || call->mode == 3;
	struct nfs_open *open;

	recorded.op.offset = call->offset;
	/* All bits stand for the end of the file. */
	recorded.op.size = call->count == UINT64_MAX ? 0 : call->count;
	if (call->number != LOCKU)
		recorded.op.mode = shared ? LOCK_SHARED : 0;
	if (call->number == LOCK)
		recorded.op.mode |= LOCK_TRY;
	open = find_open(compound, call->stateid, 0);
	add_on_file(compound, call->stateid,
		    call->number == LOCKT ? 0
		    : shared              ? OPEN_READ
					  : OPEN_WRITE,
		    &recorded);
	/* A lock has a stateid of its own. */
	if (call->number == LOCK && compound->error == 0 && open != NULL)
		set_state(compound->client, reply->stateid, open);
}

void nfs4_allocate(struct compound *compound)
{
	const struct nfs_part *call = compound->call;
	struct recorded recorded = RECORDED(OP_ALLOCATE);

	recorded.op.offset = call->offset;
	recorded.op.size = call->count;
	if (call->number == DEALLOCATE)
		recorded.op.mode = ALLOCATE_PUNCH_HOLE | ALLOCATE_KEEP_SIZE;
	if (call->offset > INT64_MAX || call->count > INT64_MAX - call->offset)
		nfs_drop(compound->client, "beyond 2^63 bytes");
	else
		add_on_file(compound, call->stateid, OPEN_WRITE, &recorded);
}

void nfs4_list(struct compound *compound)
{
	const struct nfs_part *call = compound->call;
	const struct nfs_part *reply = compound->reply;
	struct nfs_client *client = compound->client;
	struct recorded recorded = RECORDED(OP_LIST);
	struct listing listing = {.node = NULL}, *kept = &listing;
	char path[TREE_PATH_MAX];

	if (compound->current.handle != NFS_NONE)
		kept = &client->handles[compound->current.handle].listing;
	nfs_client_found_entries(client, &compound->current, compound->frame);
	recorded.path = path;
	recorded.names = compound->frame->names;
	recorded.name_count = compound->frame->entry_count;
	if (call->cookie != 0) {
		nfs_merge(client, "further parts of listings");
		recording_list_more(client->recording, kept, 0, recorded.names,
				    recorded.name_count);
	} else if (find_path(compound, NULL, path) && add(compound, &recorded)) {
		*kept = recording_listing(client->recording);
	}
	if (reply->end)
		recording_list_end(client->recording, kept);
	nfs_keep_entries(client, &compound->current, compound->frame);
}

void nfs4_create(struct compound *compound)
{
	const struct nfs_part *call = compound->call;
	struct recorded recorded = RECORDED(call->kind == NODE_LINK ? OP_SYMLINK : OP_MKDIR);
	char path[TREE_PATH_MAX];

	recorded.path = path;
	recorded.path2 = call->text;
	if (call->kind != NODE_LINK && call->kind != NODE_DIRECTORY)
		nfs_drop(compound->client, "CREATE of a device, socket or pipe");
	else if (find_path(compound, call->names[0], path))
		add(compound, &recorded);
	if (compound->error == 0)
		enter(compound, call->names[0], call->kind);
}

void nfs4_remove_name(struct compound *compound)
{
	const struct nfs_part *call = compound->call;
	struct nfs_client_place child = nfs_child(compound->client, &compound->current,
						  call->names[0]);
	bool directory = compound->error == ENOTEMPTY ||
			 (child.node != NULL && child.node->kind == NODE_DIRECTORY);
	struct recorded recorded = RECORDED(directory ? OP_RMDIR : OP_UNLINK);
	char path[TREE_PATH_MAX];

	recorded.path = path;
	if (find_path(compound, call->names[0], path))
		add(compound, &recorded);
}

/* RENAME and LINK: from the saved to the current file handle. */
void nfs4_rename_or_link(struct compound *compound)
{
	const struct nfs_part *call = compound->call;
	bool links = call->number == LINK;
	struct recorded recorded = RECORDED(links ? OP_LINK : OP_RENAME);
	char old_path[TREE_PATH_MAX], new_path[TREE_PATH_MAX];

	recorded.path = links ? new_path : old_path;
	recorded.path2 = links ? old_path : new_path;
	if ((compound->saved.node == NULL) != (compound->current.node == NULL))
		nfs_drop(compound->client, "between the recorded directory and others");
	else if (nfs_client_path(compound->client, &compound->saved, links ? NULL : call->names[0],
				 old_path) &&
		 find_path(compound, call->names[!links], new_path))
		add(compound, &recorded);
}

void nfs4_read_link(struct compound *compound)
{
	struct recorded recorded = RECORDED(OP_READLINK);

	add_by_path(compound, &recorded);
}

void nfs4_set_attributes(struct compound *compound)
{
	const struct nfs_part *call = compound->call;
	struct recorded recorded = RECORDED(OP_TRUNCATE);

	if ((call->attributes & NFS_SETS_SIZE) != 0) {
		recorded.op.size = call->set_size;
		if (call->set_size > INT64_MAX)
			nfs_drop(compound->client, "beyond 2^63 bytes");
		else
			add_on_file(compound, call->stateid, OPEN_WRITE, &recorded);
	}
	if ((call->attributes & NFS_SETS_MODE) != 0) {
		recorded = RECORDED(OP_CHMOD);
		recorded.op.mode = call->mode & PERMISSIONS_MAX;
		add_by_path(compound, &recorded);
	}
	if ((call->attributes & NFS_SETS_OWNER) != 0) {
		recorded = RECORDED(OP_CHOWN);
		recorded.op.user_id = recorded.op.group_id = OP_UNCHANGED;
		if (add_by_path(compound, &recorded))
			nfs_approximate(compound->client, "new owner as the same owner");
	}
	if ((call->attributes & NFS_SETS_TIMES) != 0 || call->attributes == 0) {
		recorded = RECORDED(OP_SET_PATH_TIMES);
		if (add_by_path(compound, &recorded) && call->attributes == 0)
			nfs_approximate(compound->client, "other attributes as times");
	}
}
