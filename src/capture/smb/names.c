/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Operations on names of an SMB capture: opens, those that a CREATE does together
 * with other calls, and listings.
 */
#include "capture/smb/convert.h"

#include "base/array.h"
#include "program/recorded.h"

#include <errno.h>
#include <string.h>

enum {
	SHARE_DELETE = 4,           /* MS-SMB2 2.2.13 */
	FIND_RESTART = 0x01 | 0x10, /* RESTART_SCANS, REOPEN */
	STATUS_NO_MORE_FILES = 0x80000006u,
	STATUS_NO_SUCH_FILE = 0xc000000fu,
};

const char smb2_of_another[] = "open and close of another operation";

/*
 * Set `path` to a name in the recorded directory. Return false after the call
 * has been put into a row, if it is not there or cannot be replayed.
 */
static bool find_path(const struct smb2_job *job, const struct smb2_captured *call,
		      char path[TREE_PATH_MAX])
{
	const char *name = smb2_calls_name(job->calls, call->name);
	const char *share = smb2_calls_name(job->calls, call->share);
	const char *folder = job->calls->source->directory;
	const char *below;
	bool prefixed = job->client->several_shares;
	char full[TREE_PATH_MAX];

	if (call->name == SMB2_NONE ||
	    snprintf(full, sizeof(full), "%s%s%s", prefixed ? share : "",
		     prefixed && name[0] != '\0' ? "/" : "", name) >= (int)sizeof(full)) {
		smb2_drop(job, "path is too long");
		return false;
	}
	if (strchr(name, ':') != NULL) {
		smb2_drop(job, "alternate data stream");
		return false;
	}
	below = path_below(full, folder != NULL ? folder : "", recording_tree(job->recording));
	if (below == NULL) {
		conversion_set(job->conversion, CONVERSION_ELSEWHERE, "%s", "");
		return false;
	}
	strcpy(path, below);
	return true;
}

/*
 * Replays have only the calls of this client that the capture has. If it lacks
 * the creation of a file that has been opened at `path`, create the file, as large
 * as it was.
 */
static void repair_missing(const struct smb2_job *job, const struct smb2_captured *create,
			   const char *path)
{
	struct recorded made = RECORDED(create->directory ? OP_MKDIR : OP_OPEN);
	struct recorded sized = RECORDED(OP_TRUNCATE);
	struct recorded closed = RECORDED(OP_CLOSE);
	struct place place;

	if (!smb2_call_is_ok(create) || create->action == SMB2_CREATED ||
	    tree_walk(recording_tree(job->recording), path, 0, &place) < 0 || place.node != NULL ||
	    place.unknown)
		return;
	conversion_set(job->conversion, CONVERSION_APPROXIMATED,
		       "of a file whose creation is not in the capture, creates it before");
	made.path = path;
	made.op.open_flags = OPEN_WRITE | OPEN_CREATE | OPEN_FILE;
	if (!recording_add(job->recording, &made, &closed.file) || create->directory)
		return;
	sized.file = closed.file;
	sized.op.size = create->bytes;
	if (create->bytes > 0 && create->bytes <= INT64_MAX)
		recording_add(job->recording, &sized, NULL);
	recording_add(job->recording, &closed, NULL);
}

/* Set the path of an open file. */
static bool open_path(const struct smb2_job *job, char path[TREE_PATH_MAX])
{
	struct smb2_opened *open = job->open;
	const struct smb2_captured *create = &job->calls->calls[open->create];

	if (open->file == NULL) {
		if (!find_path(job, create, path))
			return false;
		/* Later the client may have renamed or removed it. */
		if (!open->repaired)
			repair_missing(job, create, path);
		open->repaired = true;
		return true;
	}
	if (node_path(recording_node(open->file), path))
		return true;
	smb2_drop(job, "of a file that has been removed");
	return false;
}

void smb2_set_facts(struct recorded *recorded, const struct smb2_captured *call, bool directory)
{
	if (!smb2_call_is_ok(call))
		return;
	recorded->kind = directory ? NODE_DIRECTORY : NODE_FILE;
	if (!directory && call->bytes <= INT64_MAX)
		recorded->bytes = (int64_t)call->bytes;
}

/* Add the operation of an idiom. */
static void add_name(const struct smb2_job *job, struct recorded *recorded)
{
	char path[TREE_PATH_MAX], path2[TREE_PATH_MAX];
	int error;

	if (!smb2_is_repeatable(job->call, &error)) {
		smb2_drop_status(job);
		return;
	}
	recorded->error = error;
	if (recorded->op.kind != OP_LINK)
		recorded->op.flags |= OP_LOOKUP;
	if (!open_path(job, path))
		return;
	recorded->path = path;
	if (recorded->op.kind == OP_RENAME || recorded->op.kind == OP_LINK) {
		if (!find_path(job, job->call, path2))
			return;
		recorded->path2 = path2;
	}
	/* The new name is the first one. */
	if (recorded->op.kind == OP_LINK) {
		recorded->path = path2;
		recorded->path2 = path;
	}
	smb2_add(job, recorded);
}

static void add_stat(const struct smb2_job *job)
{
	const struct smb2_captured *query = smb2_first_use(job->calls, job->open, SMB2_USE_STAT);
	struct smb2_captured call = *job->call;
	struct smb2_job stat = *job;
	struct recorded recorded = RECORDED(OP_STAT);

	call.level = query != NULL ? query->level : 0;
	stat.call = &call;
	smb2_set_facts(&recorded, &call, call.directory);
	add_name(&stat, &recorded);
}

void smb2_add_remove(const struct smb2_job *job)
{
	const struct smb2_captured *create = &job->calls->calls[job->open->create];
	bool directory = create->directory || (create->options & SMB_DIRECTORY_FILE) != 0;
	struct recorded recorded = RECORDED(directory ? OP_RMDIR : OP_UNLINK);

	add_name(job, &recorded);
}

/* Add the rename or the hard link that a SET_INFO makes. */
void smb2_add_rename(const struct smb2_job *job, const struct smb2_captured *set)
{
	bool links = set->level == SMB2_LEVEL_LINK;
	struct recorded recorded = RECORDED(links ? OP_LINK : OP_RENAME);
	struct smb2_job renaming = *job;
	struct smb2_captured call = *set;

	if (set->name == SMB2_NONE) {
		smb2_drop(job, links ? "hard link with a name that is not in the capture"
				     : "rename to a name that is not in the capture");
		return;
	}
	/* If the open has failed, its status is that of the rename. */
	call.status = job->call->status;
	call.replied = job->call->replied;
	renaming.call = &call;
	if (set->flags == 0 && !links)
		recorded.op.flags |= OP_NO_REPLACE;
	add_name(&renaming, &recorded);
}

/* Return the flags of an open, and set what only SMB can send again. */
static uint64_t open_flags_of(const struct smb2_job *job, const struct smb2_captured *call,
			      struct smb_request *request)
{
	struct error error = {0};
	uint32_t share = call->share_access;
	uint64_t flags = recorded_access_flags(call->access);

	flags |= recorded_options_flags(call->options) | OPEN_ATTRIBUTES;
	if (call->disposition < SMB_DISPOSITIONS)
		flags |= recorded_disposition_flags((enum smb_disposition)call->disposition);
	if (call->disposition == SMB_CREATE)
		flags |= OPEN_EXCLUSIVE;
	if (call->directory || (flags & OPEN_DIRECTORY) != 0) {
		flags &= ~(uint64_t)(OPEN_WRITE | OPEN_TRUNCATE);
		flags |= OPEN_READ;
	}
	/* A replay renames or removes an open file by a second open. */
	if (smb2_first_use(job->calls, job->open, SMB2_USE_RENAME) != NULL)
		share |= SHARE_DELETE;
	smb_request_set(request, SMB_OPTIONS, call->options);
	smb_request_set(request, SMB_DISPOSITION, call->disposition);
	smb_request_set(request, SMB_SHARE, share);
	smb_request_set(request, SMB_ACCESS, call->access);
	/* A load must not say one thing to SMB and another to the rest. */
	if (recorded_check_open(request, flags, &error) < 0)
		request->recorded = 0;
	return flags;
}

/* If the capture lacks the removal of a file that has been created at `path`, let
 * the open truncate it: the file then is as new as in the capture. */
static void repair_existing(const struct smb2_job *job, const char *path,
			    struct smb2_captured *call)
{
	const struct node *node = tree_find(recording_tree(job->recording), path, false);

	if (!smb2_call_is_ok(call) || call->action != SMB2_CREATED || call->directory ||
	    node == NULL || node->kind != NODE_FILE)
		return;
	call->disposition = SMB_OVERWRITE_IF;
	call->action = SMB2_OPENED;
	conversion_set(job->conversion, CONVERSION_APPROXIMATED,
		       "creation of a file whose removal is not in the capture, truncates it");
}

static void add_open(const struct smb2_job *job)
{
	struct smb2_captured call = *job->call;
	struct smb_request request = {0};
	struct recorded recorded = RECORDED(OP_OPEN);
	char path[TREE_PATH_MAX];

	if (call.disposition >= SMB_DISPOSITIONS) {
		smb2_drop(job, "open with an unknown disposition");
		return;
	}
	if (!smb2_is_repeatable(&call, &recorded.error)) {
		smb2_drop_status(job);
		return;
	}
	if (!find_path(job, &call, path))
		return;
	repair_missing(job, &call, path);
	repair_existing(job, path, &call);
	recorded.path = path;
	recorded.op.flags = OP_LOOKUP;
	recorded.op.open_flags = open_flags_of(job, &call, &request);
	recorded.request = &request;
	recorded.created = call.action == SMB2_CREATED;
	smb2_set_facts(&recorded, &call, call.directory);
	if ((recorded.op.open_flags & OPEN_TRUNCATE) != 0)
		recorded.bytes = 0;
	smb2_add(job, &recorded);
}

/* Convert a CREATE by the meaning of the open. */
void smb2_convert_create(const struct smb2_job *job)
{
	struct smb2_opened *open = job->open;
	struct recorded mkdir = RECORDED(OP_MKDIR);
	bool failed = !smb2_call_is_ok(job->call);
	char path[TREE_PATH_MAX];

	if (job->call->cut)
		smb2_drop(job, "name is cut off by the snap length");
	else if (!failed && job->call->file_id == SMB2_NONE)
		smb2_drop(job, "reply to an open without a file ID");
	else if (open->idiom == SMB2_AS_OPEN)
		add_open(job);
	else if (open->idiom == SMB2_AS_STAT)
		add_stat(job);
	else if (open->idiom == SMB2_AS_MKDIR)
		add_name(job, &mkdir);
	else if (!failed)
		open->elsewhere = !find_path(job, job->call, path);
	else if (open->idiom == SMB2_AS_REMOVE)
		smb2_add_remove(job);
	else
		smb2_add_rename(job, smb2_first_use(job->calls, open, SMB2_USE_RENAME));
	if (open->idiom == SMB2_AS_OPEN && open->file == NULL)
		open->elsewhere = !failed;
	if (conversion_is_dropped(job->conversion))
		smb2_note_dropped(job);
	else if (!failed && open->idiom != SMB2_AS_OPEN && open->idiom != SMB2_AS_STAT &&
		 open->idiom != SMB2_AS_MKDIR && !open->elsewhere)
		smb2_merge(job, smb2_of_another);
}

/* Return the names in a reply to FIND. */
static const char *const *names_of(const struct smb2_job *job)
{
	struct smb2_calls *calls = job->calls;
	uint32_t count = job->call->list_count, i;

	if (array_grow(&calls->listed, &calls->listed_room, (size_t)count + 1,
		       sizeof(*calls->listed)) < 0) {
		calls->failed = true;
		return NULL;
	}
	for (i = 0; i < count; i++)
		calls->listed[i] = smb2_calls_name(calls, calls->names[job->call->list + i]);
	return calls->listed;
}

/* Begin a listing. */
static void add_list(const struct smb2_job *job)
{
	struct smb2_calls *calls = job->calls;
	const char *pattern = smb2_calls_name(calls, job->call->name);
	struct smb2_opened *open = job->open;
	struct recorded recorded = RECORDED(OP_LIST);
	char path[TREE_PATH_MAX];

	if (!open_path(job, path))
		return;
	recorded.path = path;
	recorded.op.flags = OP_LOOKUP;
	recorded.text = pattern[0] != '\0' ? pattern : NULL;
	recorded.names = names_of(job);
	recorded.name_count = job->call->list_count;
	if (!smb2_call_is_ok(job->call))
		recorded.error = ENOENT;
	open->listing = SMB2_NONE;
	if (!smb2_add(job, &recorded) || recorded.error != 0)
		return;
	if (array_grow(&calls->listings, &calls->listing_room, calls->listing_count + 1,
		       sizeof(struct listing)) < 0) {
		calls->failed = true;
		return;
	}
	open->listing = (uint32_t)calls->listing_count++;
	calls->listings[open->listing] = recording_listing(job->recording);
	if (job->call->unsure)
		calls->listings[open->listing] = (struct listing){0};
}

void smb2_convert_find(const struct smb2_job *job)
{
	const struct smb2_captured *call = job->call;
	const struct smb2_opened *open = job->open;
	bool listed = open->listing != SMB2_NONE;
	bool begins = !listed || (call->flags & FIND_RESTART) != 0;
	struct listing *listing = listed ? &job->calls->listings[open->listing] : NULL;

	if (call->cut) {
		smb2_drop(job, "name is cut off by the snap length");
		return;
	}
	if (call->status == STATUS_NO_MORE_FILES) {
		if (listed)
			recording_list_end(job->recording, listing);
		smb2_merge(job, "end of a listing");
	} else if (!smb2_call_is_ok(call) && call->status != STATUS_NO_SUCH_FILE) {
		smb2_drop_status(job);
	} else if (begins) {
		add_list(job);
	} else {
		if (call->unsure)
			*listing = (struct listing){0};
		recording_list_more(job->recording, listing, 0, names_of(job), call->list_count);
		smb2_merge(job, "further part of a listing");
	}
}

/* Open a file that was opened before the capture began. It has a name of its
 * own. Return false after the call has been dropped. */
bool smb2_open_unknown(const struct smb2_job *job)
{
	const char *folder = job->calls->source->directory;
	bool lists = job->open->lists;
	struct recorded recorded = RECORDED(OP_OPEN);
	static const struct smb_request none;
	char path[TREE_PATH_MAX];
	struct node *node;

	if ((!lists && !job->open->has_data) || job->call->command == SMB2_CMD_CLOSE ||
	    (folder != NULL && folder[0] != '\0'))
		return false;
	node = tree_nameless(recording_tree(job->recording), lists ? NODE_DIRECTORY : NODE_FILE);
	if (node == NULL || !node_path(node, path))
		return false;
	recorded.path = path;
	recorded.request = &none;
	recorded.op.open_flags = lists ? OPEN_READ | OPEN_DIRECTORY
				       : OPEN_READ | OPEN_WRITE | OPEN_FILE;
	conversion_set(job->conversion, CONVERSION_APPROXIMATED,
		       "of a file that was open before, under another name");
	return smb2_add(job, &recorded);
}
