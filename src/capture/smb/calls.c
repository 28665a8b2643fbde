/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "capture/smb/calls.h"

#include "base/array.h"
#include "base/utf8.h"
#include "words/nt_status.h"
#include "words/smb_request.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static uint32_t number_of(struct smb2_calls *calls, struct intern *table, const void *key,
			  size_t length)
{
	int is_new;
	int64_t number = intern(table, key, length, &is_new);

	calls->failed |= number < 0;
	return number < 0 ? SMB2_NONE : (uint32_t)number;
}

uint32_t smb2_calls_text(struct smb2_calls *calls, const char *text)
{
	if (text == NULL)
		return SMB2_NONE;
	return number_of(calls, &calls->texts, text, strlen(text));
}

const char *smb2_calls_name(const struct smb2_calls *calls, uint32_t number)
{
	return number == SMB2_NONE ? "" : calls->texts.keys[number].bytes;
}

uint32_t *smb2_map_at(struct smb2_calls *calls, struct smb2_map *map, const uint64_t *key,
		      size_t words)
{
	static uint32_t none;
	size_t known = map->keys.count;
	uint32_t number = number_of(calls, &map->keys, key, words * sizeof(*key));

	none = SMB2_NONE;
	if (number == SMB2_NONE)
		return &none;
	if (array_grow(&map->values, &map->room, map->keys.count, sizeof(*map->values)) < 0) {
		calls->failed = true;
		return &none;
	}
	if (number == known)
		map->values[number] = SMB2_NONE;
	return &map->values[number];
}

/* Set the two halves of a file ID, which tshark prints as a GUID. */
static bool parse_file_id(const char *text, uint64_t halves[2])
{
	unsigned digits = 0;

	halves[0] = halves[1] = 0;
	for (; *text != '\0'; text++) {
		unsigned char digit = (unsigned char)*text;

		if (digit == '-')
			continue;
		if (!isxdigit(digit) || digits == 32)
			return false;
		halves[digits / 16] = halves[digits / 16] << 4 |
				      (digit <= '9' ? digit - '0' : (digit | 0x20) - 'a' + 10);
		digits++;
	}
	return digits == 32;
}

uint32_t smb2_calls_file_id(struct smb2_calls *calls, uint32_t client, const char *text)
{
	uint64_t key[3] = {client};
	uint32_t *open;

	if (!parse_file_id(text, key + 1) || (uint32_t)key[1] == UINT32_MAX)
		return SMB2_NONE;
	open = smb2_map_at(calls, &calls->opens_by_id, key, 3);
	return calls->failed ? SMB2_NONE : (uint32_t)(open - calls->opens_by_id.values);
}

uint32_t smb2_calls_path(struct smb2_calls *calls, const char *text)
{
	char path[TREE_PATH_MAX] = "";
	size_t length = 0;
	const char *end = text + strlen(text), *stream = strchr(text, ':');

	if (stream != NULL && strcasecmp(stream, "::$DATA") == 0)
		end = stream;
	for (; text < end; text++) {
		bool separator = *text == '\\' || *text == '/';

		if (separator && (length == 0 || path[length - 1] == '/'))
			continue;
		if (length == sizeof(path) - 1)
			return SMB2_NONE;
		path[length++] = separator ? '/' : *text;
	}
	while (length > 0 && path[length - 1] == '/')
		length--;
	return number_of(calls, &calls->texts, path, length);
}

/* Return a number of `bytes` bytes in hexadecimal, little-endian, or -1. */
static int64_t parse_hex(const char *text, unsigned bytes)
{
	uint32_t number = 0;
	unsigned i;

	for (i = 0; i < 2 * bytes; i++) {
		unsigned char digit = (unsigned char)text[i];

		if (!isxdigit(digit))
			return -1;
		digit = (unsigned char)(digit <= '9' ? digit - '0' : (digit | 0x20) - 'a' + 10);
		number |= (uint32_t)digit << (4 * (i ^ 1));
	}
	return number;
}

/* Convert characters of UTF-16 in hexadecimal. Return false if they are none, or
 * too many. */
static bool convert_utf16(const char *text, uint32_t bytes, char path[TREE_PATH_MAX])
{
	size_t length = 0;
	uint32_t i, high = 0;

	for (i = 0; i < bytes; i += 2) {
		int64_t unit = parse_hex(text + 2 * i, 2);
		bool low = (unit & 0xfc00) == 0xdc00;

		if (unit <= 0 || low != (high != 0) || length + 4 >= TREE_PATH_MAX)
			return false;
		if ((unit & 0xfc00) == 0xd800) {
			high = (uint32_t)unit;
			continue;
		}
		if (low)
			unit = 0x10000 + ((high & 0x3ff) << 10 | (unit & 0x3ff));
		high = 0;
		length += utf8_encode(path + length, (uint32_t)unit);
	}
	path[length] = '\0';
	return high == 0;
}

uint32_t smb2_calls_link(struct smb2_calls *calls, const char *text, uint8_t *replace)
{
	/* MS-FSCC 2.4, FileLinkInformation, as SMB2 has it. */
	enum { LENGTH_AT = 16, NAME_AT = 20 };
	char path[TREE_PATH_MAX];
	int64_t replaces, length;

	if (strlen(text) < 2 * NAME_AT)
		return SMB2_NONE;
	replaces = parse_hex(text, 1);
	length = parse_hex(text + 2 * LENGTH_AT, 4);
	if (replaces < 0 || replaces > 1 || length <= 0 || length % 2 != 0 ||
	    !convert_utf16(text + 2 * NAME_AT, (uint32_t)length, path))
		return SMB2_NONE;
	*replace = (uint8_t)replaces;
	return smb2_calls_path(calls, path);
}

void smb2_map_free(struct smb2_map *map)
{
	intern_free(&map->keys);
	free(map->values);
	*map = (struct smb2_map){0};
}

void smb2_calls_free(struct smb2_calls *calls)
{
	intern_free(&calls->texts);
	free(calls->calls);
	free(calls->order);
	free(calls->names);
	free(calls->ranges);
	free(calls->clients);
	free(calls->opens);
	free(calls->listings);
	free(calls->listed);
	smb2_map_free(&calls->by_message);
	smb2_map_free(&calls->by_session);
	smb2_map_free(&calls->by_stream);
	smb2_map_free(&calls->shares);
	smb2_map_free(&calls->opens_by_id);
	smb2_map_free(&calls->opens_by_key);
}

/* Max number of replies after a lock by which its release can be late. */
enum { LATE_MAX = 64 };

/* Has a call released a lock? */
static bool releases(const struct smb2_calls *calls, const struct smb2_captured *call)
{
	if (!smb2_call_is_ok(call))
		return false;
	if (call->command == SMB2_CMD_LOCK)
		return call->list_count > 0 &&
		       (calls->ranges[call->list].flags & SMB2_RANGE_UNLOCK) != 0;
	return call->command == SMB2_CMD_CLOSE;
}

/* Is one of these calls, in the order of their replies, for this file? */
static bool has_file(const struct smb2_calls *calls, size_t from, size_t to, uint32_t client,
		     uint32_t file_id)
{
	for (; from < to; from++) {
		const struct smb2_captured *call = &calls->calls[calls->order[from]];

		if (call->client == client && call->file_id == file_id)
			return true;
	}
	return false;
}

void smb2_calls_order(struct smb2_calls *calls, uint32_t number)
{
	const struct smb2_captured *call = &calls->calls[number];
	size_t at = calls->ordered++, to = at, i;
	uint32_t *order = calls->order;
	bool used = false; /* by a call that may not come after the release */

	order[at] = number;
	for (i = at; i > 0 && at - i < LATE_MAX && releases(calls, call); i--) {
		const struct smb2_captured *other = &calls->calls[order[i - 1]];
		bool waited = other->command == SMB2_CMD_LOCK && smb2_call_is_ok(other) &&
			      number < other->moved;

		if (other->client != call->client)
			continue;
		if (other->file_id == call->file_id)
			used = true;
		else if (waited && !used)
			to = i - 1;
		else if (waited && !has_file(calls, i, at, other->client, other->file_id)) {
			/* Put this lock after the release instead. */
			uint32_t lock = order[i - 1];

			memmove(order + i - 1, order + i, (at - i + 1) * sizeof(*order));
			order[at] = lock;
			return;
		}
	}
	memmove(order + to + 1, order + to, (at - to) * sizeof(*order));
	order[to] = number;
}

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
