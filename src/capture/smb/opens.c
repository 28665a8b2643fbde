/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The use of a file between CREATE and CLOSE, which decides on the operation
 * that the open becomes.
 */
#include "capture/smb/calls.h"

#include "base/array.h"
#include "words/nt_status.h"
#include "words/smb_request.h"

#include <errno.h>
#include <string.h>

static enum smb2_use use_by_ioctl(const struct smb2_captured *call)
{
	switch (call->function) {
	case SMB2_RESUME_KEY:
	case SMB2_SRV_COPYCHUNK:
	case SMB2_SRV_COPYCHUNK_WRITE:
		return SMB2_USE_DATA;
	case SMB2_PIPE_TRANSCEIVE: /* fails on files */
		return smb2_call_is_ok(call) ? SMB2_USE_PIPE : SMB2_USE_OTHER;
	default:
		return SMB2_USE_OTHER;
	}
}

static enum smb2_use use_by_set_info(const struct smb2_captured *call)
{
	if (call->type != SMB2_INFO_FILE)
		return SMB2_USE_OTHER;
	switch (call->level) {
	case SMB2_LEVEL_RENAME:
	case SMB2_LEVEL_LINK:
		return SMB2_USE_RENAME;
	case SMB2_LEVEL_DISPOSITION:
		return call->flags != 0 ? SMB2_USE_DELETE : SMB2_USE_DATA;
	case SMB2_LEVEL_BASIC:
	case SMB2_LEVEL_ALLOCATION:
	case SMB2_LEVEL_END_OF_FILE:
		return SMB2_USE_DATA;
	default:
		return SMB2_USE_OTHER;
	}
}

static enum smb2_use use_by(const struct smb2_captured *call)
{
	switch (call->command) {
	case SMB2_CMD_CLOSE:
		return smb2_call_is_ok(call) ? SMB2_USE_CLOSE : SMB2_USE_OTHER;
	case SMB2_CMD_FLUSH:
	case SMB2_CMD_READ:
	case SMB2_CMD_WRITE:
	case SMB2_CMD_LOCK:
		return SMB2_USE_DATA;
	case SMB2_CMD_IOCTL:
		return use_by_ioctl(call);
	case SMB2_CMD_FIND:
		return SMB2_USE_FIND;
	case SMB2_CMD_QUERY_INFO:
		return call->type == SMB2_INFO_FILE    ? SMB2_USE_STAT
		       : call->type == SMB2_INFO_SPACE ? SMB2_USE_SPACE
						       : SMB2_USE_OTHER;
	case SMB2_CMD_SET_INFO:
		return use_by_set_info(call);
	default:
		return SMB2_USE_OTHER;
	}
}

const struct smb2_captured *smb2_first_use(const struct smb2_calls *calls,
					   const struct smb2_opened *open, enum smb2_use wanted)
{
	uint32_t use;

	for (use = open->first_use; use != SMB2_NONE; use = calls->calls[use].next_use)
		if (use_by(&calls->calls[use]) == wanted)
			return &calls->calls[use];
	return NULL;
}

/* Return the meaning of an open that failed: the rest of its compound shows what
 * the client wanted to do. */
static enum smb2_idiom failed_idiom(const struct smb2_captured *create, const unsigned *uses)
{
	const struct nt_status *status = nt_status_find(create->status);
	/* A stat or a rename has no option for the kind of the file. */
	bool wrong_kind = status != NULL &&
			  (status->error_number == EISDIR || status->error_number == ENOTDIR);

	if (uses[SMB2_USE_DATA] > 0 || uses[SMB2_USE_FIND] > 0)
		return SMB2_AS_OPEN;
	if (uses[SMB2_USE_RENAME] > 0)
		return wrong_kind ? SMB2_AS_OPEN : SMB2_AS_RENAME;
	if (uses[SMB2_USE_DELETE] > 0 || (create->options & SMB_DELETE_ON_CLOSE) != 0)
		return SMB2_AS_REMOVE;
	if (create->disposition == SMB_CREATE && (create->options & SMB_DIRECTORY_FILE) != 0)
		return SMB2_AS_MKDIR;
	if (!wrong_kind && create->disposition == SMB_OPEN &&
	    (uses[SMB2_USE_STAT] > 0 || uses[SMB2_USE_SPACE] > 0 ||
	     (create->access & (SMB_READ_RIGHTS | SMB_WRITE_RIGHTS)) == 0))
		return SMB2_AS_STAT;
	return SMB2_AS_OPEN;
}

/* Return the meaning of an open. A file that is read, written or changed, or
 * that stays open, is opened; else one operation on the path does the same. */
static enum smb2_idiom idiom_of(const struct smb2_captured *create, const unsigned *uses)
{
	bool delete_on_close = (create->options & SMB_DELETE_ON_CLOSE) != 0;
	unsigned changes = uses[SMB2_USE_RENAME] + uses[SMB2_USE_DELETE] + delete_on_close;

	if (!smb2_call_is_ok(create))
		return failed_idiom(create, uses);
	if (uses[SMB2_USE_DATA] > 0 || uses[SMB2_USE_CLOSE] == 0 || changes > 1)
		return SMB2_AS_OPEN;
	if (create->action != SMB2_OPENED)
		return create->directory && changes == 0 ? SMB2_AS_MKDIR : SMB2_AS_OPEN;
	if (uses[SMB2_USE_RENAME] > 0)
		return SMB2_AS_RENAME;
	if (changes > 0)
		return SMB2_AS_REMOVE;
	if (uses[SMB2_USE_FIND] > 0)
		return SMB2_AS_LIST;
	return uses[SMB2_USE_SPACE] > 0 ? SMB2_AS_STATVFS : SMB2_AS_STAT;
}

/* Add an open file. Return its number, or SMB2_NONE without memory. */
static uint32_t add_opened(struct smb2_calls *calls, uint32_t create)
{
	if (array_grow(&calls->opens, &calls->open_room, calls->open_count + 1,
		       sizeof(*calls->opens)) < 0) {
		calls->failed = true;
		return SMB2_NONE;
	}
	calls->opens[calls->open_count] = (struct smb2_opened){
		.create = create,
		.first_use = SMB2_NONE,
		.last_use = SMB2_NONE,
		.dropped = SMB2_NONE,
		.listing = SMB2_NONE,
	};
	return (uint32_t)calls->open_count++;
}

/* Find the open file that a call is about, and link the call to its other uses.
 * A file that was opened before the capture began has the additional call after
 * all others as its CREATE. Call this in the order of the replies. */
static void link_call(struct smb2_calls *calls, uint32_t number)
{
	struct smb2_captured *call = &calls->calls[number];
	uint32_t *by_id = call->file_id != SMB2_NONE ? &calls->opens_by_id.values[call->file_id]
						     : NULL;
	struct smb2_opened *open;

	if (call->command == SMB2_CMD_CREATE) {
		call->open = add_opened(calls, number);
		if (smb2_call_is_ok(call) && by_id != NULL)
			*by_id = call->open;
		return;
	}
	if (by_id != NULL && *by_id == SMB2_NONE && smb2_call_is_ok(call))
		*by_id = add_opened(calls, (uint32_t)calls->count);
	if (by_id != NULL)
		call->open = *by_id;
	else if (call->related)
		call->open = call[-1].open;
	if (call->open == SMB2_NONE)
		return;
	open = &calls->opens[call->open];
	*(open->first_use == SMB2_NONE ? &open->first_use
				       : &calls->calls[open->last_use].next_use) = number;
	open->last_use = number;
}

void smb2_link_calls(struct smb2_calls *calls)
{
	unsigned uses[SMB2_USES];
	uint32_t use;
	size_t i;

	for (i = 0; i < calls->ordered && !calls->failed; i++)
		link_call(calls, calls->order[i]);
	for (i = 0; i < calls->open_count; i++) {
		struct smb2_opened *open = &calls->opens[i];

		memset(uses, 0, sizeof(uses));
		for (use = open->first_use; use != SMB2_NONE; use = calls->calls[use].next_use)
			uses[use_by(&calls->calls[use])]++;
		open->pipe = uses[SMB2_USE_PIPE] > 0;
		open->lists = uses[SMB2_USE_FIND] > 0;
		open->has_data = uses[SMB2_USE_DATA] > 0;
		open->idiom = open->create == calls->count
				      ? SMB2_AS_OPEN
				      : idiom_of(&calls->calls[open->create], uses);
	}
}
