/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "capture/smb/smb2.h"

#include "base/array.h"
#include "base/units.h"
#include "capture/smb/calls.h"

#include <errno.h>
#include <string.h>

struct reader {
	struct columns columns;
	struct capture capture;
	struct smb2_frame frame;
	struct capture_frame captured; /* facts of the current frame */
	struct smb2_calls calls;
	/* In the rest of the frame: requests that connect to shares, and names
	 * of shares. */
	size_t connects, shares;
	uint32_t last_reply; /* the call of the last reply */
	uint64_t smb1_requests, encrypted_frames;
};

enum { FILE_IS_DIRECTORY = 0x10 }; /* MS-FSCC 2.6 */

/* Session IDs and tree IDs of related requests can have all bits set. If a header
 * is cut off, there is no session. */
#define INHERITED_SESSION UINT64_MAX
#define INHERITED_TREE UINT32_MAX

/* The message ID of a break, which the server sends without a request. */
#define UNSOLICITED UINT64_MAX

/* Make room for an item at the end of an array. */
static bool has_room(struct smb2_calls *calls, void *items, size_t *room, size_t count, size_t size)
{
	if (array_grow(items, room, count + 1, size) == 0)
		return true;
	calls->failed = true;
	return false;
}

/* Return the number of the client that has this session. */
static uint32_t client_of(struct reader *reader, const char *address, uint64_t session)
{
	struct smb2_calls *calls = &reader->calls;
	uint64_t key[] = {smb2_calls_text(calls, address), session};
	uint64_t stream = reader->captured.stream;
	uint32_t *number = smb2_map_at(calls, &calls->by_session, key, 2);
	uint32_t client = *number, *first;

	if (client == SMB2_NONE) {
		if (!has_room(calls, &calls->clients, &calls->client_room, calls->client_count,
			      sizeof(*calls->clients)))
			return SMB2_NONE;
		client = (uint32_t)calls->client_count++;
		calls->clients[client] = (struct smb2_client){
			.address = (uint32_t)key[0],
			.account = SMB2_NONE,
			.session = session,
			.share = SMB2_NONE,
		};
		*number = client;
	}
	if (session != 0) {
		first = smb2_map_at(calls, &calls->by_stream, &stream, 1);
		if (*first == SMB2_NONE)
			*first = client;
	}
	return client;
}

/* Add a call. Return NULL if there is no memory. */
static struct smb2_captured *add_call(struct reader *reader, const char *client,
				      const struct smb2_frame_message *message)
{
	struct smb2_calls *calls = &reader->calls;
	struct smb2_captured *call;

	if (calls->count == SMB2_NONE - 1 ||
	    !has_room(calls, &calls->calls, &calls->room, calls->count, sizeof(*call)))
		return NULL;
	call = &calls->calls[calls->count++];
	*call = (struct smb2_captured){
		.time_ns = reader->captured.time_ns,
		.frame = (uint32_t)reader->captured.number,
		.stream = (uint32_t)reader->captured.stream,
		.client = client_of(reader, client, message->session),
		.command = message->command,
		.share = SMB2_NONE,
		.name = SMB2_NONE,
		.file_id = SMB2_NONE,
		.open = SMB2_NONE,
		.next_use = SMB2_NONE,
	};
	return call;
}

/* Keep the ranges of a LOCK, or the chunks of a copy. */
static void keep_ranges(struct reader *reader, struct smb2_captured *call, enum smb2_column offsets,
			enum smb2_column lengths, enum smb2_column others)
{
	struct smb2_calls *calls = &reader->calls;
	const struct smb2_values *values = reader->frame.values;
	const char *offset = values[offsets].first;
	const char *length = values[lengths].first;
	const char *other = values[others].first;
	size_t count = values[offsets].count, i;

	if (count != values[lengths].count || count != values[others].count)
		return;
	call->list = (uint32_t)calls->range_count;
	for (i = 0; i < count; i++) {
		struct smb2_call_range range = {0};
		uint64_t number = 0;

		if (!columns_parse_number(offset, &range.offset) ||
		    !columns_parse_number(length, &range.length) ||
		    !columns_parse_number(other, &number) ||
		    !has_room(calls, &calls->ranges, &calls->range_room, calls->range_count,
			      sizeof(range)))
			return;
		range.to = number;
		range.flags = (uint32_t)number;
		calls->ranges[calls->range_count++] = range;
		call->list_count++;
		offset += strlen(offset) + 1;
		length += strlen(length) + 1;
		other += strlen(other) + 1;
	}
}

static uint32_t number_in(const struct reader *reader, enum smb2_column column)
{
	return (uint32_t)smb2_number(&reader->frame, column, 0);
}

static void keep_create(struct reader *reader, struct smb2_captured *call)
{
	const char *name = smb2_text(&reader->frame, SMB2_FILE_NAME);

	/* A share's root has no name. */
	call->cut = name == NULL && reader->captured.cut;
	call->name = smb2_calls_path(&reader->calls, name != NULL ? name : "");
	call->disposition = (uint8_t)number_in(reader, SMB2_DISPOSITION);
	call->options = number_in(reader, SMB2_OPTIONS);
	call->access = number_in(reader, SMB2_ACCESS);
	call->share_access = (uint8_t)number_in(reader, SMB2_SHARE_ACCESS);
}

static void keep_set_info(struct reader *reader, struct smb2_captured *call)
{
	const struct smb2_frame *frame = &reader->frame;
	const char *name = smb2_text(frame, SMB2_FILE_NAME);

	if (name != NULL)
		call->name = smb2_calls_path(&reader->calls, name);
	call->flags = (uint8_t)smb2_number(frame, SMB2_REPLACE,
					   smb2_number(frame, SMB2_DELETE_FLAG, 0));
	call->offset = smb2_number(frame, SMB2_NEW_END_OF_FILE,
				   smb2_number(frame, SMB2_NEW_ALLOCATION, UINT64_MAX));
	name = smb2_text(frame, SMB2_UNDECODED);
	if (call->level == SMB2_LEVEL_LINK && call->name == SMB2_NONE && name != NULL)
		call->name = smb2_calls_link(&reader->calls, name, &call->flags);
}

/* Keep the values of a request that depend on its command. */
static void keep_request(struct reader *reader, struct smb2_captured *call)
{
	const struct smb2_frame *frame = &reader->frame;

	switch (call->command) {
	case SMB2_CMD_CREATE:
		keep_create(reader, call);
		break;
	case SMB2_CMD_READ:
	case SMB2_CMD_WRITE:
		call->offset = smb2_number(frame, SMB2_OFFSET, 0);
		call->length = number_in(reader, call->command == SMB2_CMD_READ
							 ? SMB2_READ_LENGTH
							 : SMB2_WRITE_LENGTH);
		call->moved = SMB2_NONE;
		break;
	case SMB2_CMD_LOCK:
		keep_ranges(reader, call, SMB2_OFFSET, SMB2_LOCK_LENGTH, SMB2_LOCK_FLAGS);
		break;
	case SMB2_CMD_IOCTL:
		call->function = number_in(reader, SMB2_FUNCTION);
		call->key = smb2_calls_text(&reader->calls, smb2_text(frame, SMB2_COPY_KEY));
		keep_ranges(reader, call, SMB2_COPY_FROM, SMB2_COPY_LENGTH, SMB2_COPY_TO);
		break;
	case SMB2_CMD_FIND:
		call->name = smb2_calls_text(&reader->calls, smb2_text(frame, SMB2_PATTERN));
		call->cut = call->name == SMB2_NONE && reader->captured.cut;
		call->flags = (uint8_t)number_in(reader, SMB2_FIND_FLAGS);
		break;
	case SMB2_CMD_SET_INFO:
		keep_set_info(reader, call);
		break;
	default:
		break;
	}
}

/* Keep the file ID of a request or of a reply to CREATE. */
static void keep_file_id(struct reader *reader, struct smb2_captured *call)
{
	const char *id = smb2_text(&reader->frame, SMB2_FILE_ID);
	uint32_t number;

	if (id == NULL)
		return;
	number = smb2_calls_file_id(&reader->calls, call->client, id);
	if (number != SMB2_NONE)
		call->file_id = number;
}

static uint32_t *share_of(struct reader *reader, uint32_t client, uint32_t tree)
{
	const uint64_t key[] = {client, tree};

	return smb2_map_at(&reader->calls, &reader->calls.shares, key, 2);
}

/* Take the name of a share, which tshark prints for a TREE_CONNECT, and for
 * other requests on a share that it knows. */
static void take_share(struct reader *reader, struct smb2_captured *call)
{
	bool connects = call->command == SMB2_CMD_TREE_CONNECT;
	const char *share, *name;

	reader->connects -= connects;
	if (!connects && (call->share == SMB2_NONE || reader->shares <= reader->connects))
		return;
	share = columns_take(&reader->columns, SMB2_SHARE);
	if (share == NULL)
		return;
	reader->shares--;
	if (!connects)
		return;
	name = strrchr(share, '\\');
	call->share = smb2_calls_text(&reader->calls, name != NULL ? name + 1 : share);
}

static void read_request(struct reader *reader, size_t number)
{
	struct smb2_calls *calls = &reader->calls;
	struct smb2_frame_message *message = &reader->frame.messages[number];
	uint64_t key[] = {reader->captured.stream, message->id};
	struct smb2_captured *call;
	uint32_t *known = NULL;
	bool inherits;

	if (message->command != SMB2_CMD_CANCEL) {
		known = smb2_map_at(calls, &calls->by_message, key, 2);
		if (*known != SMB2_NONE)
			return; /* sent again */
	}
	if (number > 0 &&
	    (message->session == INHERITED_SESSION || (message->session == 0 && message->related)))
		message->session = message[-1].session;
	inherits = number > 0 && message->tree == INHERITED_TREE;
	if (inherits)
		message->tree = message[-1].tree;
	call = add_call(reader, reader->captured.source, message);
	if (call == NULL)
		return;
	if (known != NULL)
		*known = (uint32_t)calls->count - 1;
	call->requested = true;
	call->type = message->type;
	call->level = message->level;
	if (number > 0 && message->related && calls->count > 1 && call[-1].client == call->client)
		call->related = true;
	keep_file_id(reader, call);
	keep_request(reader, call);
	if (message->command != SMB2_CMD_TREE_CONNECT)
		call->share = call->related && inherits
				      ? call[-1].share
				      : *share_of(reader, call->client, message->tree);
	take_share(reader, call);
}

/* Keep the names in a reply to FIND, without "." and "..". */
static void keep_names(struct reader *reader, struct smb2_captured *call)
{
	struct smb2_calls *calls = &reader->calls;
	const struct smb2_values *values = &reader->frame.values[SMB2_FILE_NAME];
	const char *name = values->first;
	size_t i;

	call->unsure = smb2_is_unsure(&reader->frame, SMB2_FILE_NAME);
	if (call->unsure)
		source_warn(calls->source, "the entries of directory listings are not counted if a "
					   "frame has several listings");
	call->unsure |= reader->captured.cut;
	call->list = (uint32_t)calls->name_count;
	for (i = 0; i < values->count; i++, name += strlen(name) + 1) {
		if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
			continue;
		if (*name == '\0') { /* the frame is damaged */
			call->unsure = true;
			continue;
		}
		if (!has_room(calls, &calls->names, &calls->name_room, calls->name_count,
			      sizeof(*calls->names)))
			return;
		calls->names[calls->name_count++] = smb2_calls_text(calls, name);
		call->list_count++;
	}
}

static void keep_reply(struct reader *reader, struct smb2_captured *call,
		       const struct smb2_frame_message *message)
{
	const struct smb2_frame *frame = &reader->frame;

	switch (call->command) {
	case SMB2_CMD_TREE_CONNECT:
		if (smb2_call_is_ok(call))
			*share_of(reader, call->client, message->tree) = call->share;
		break;
	case SMB2_CMD_CREATE:
		keep_file_id(reader, call);
		call->action = (uint8_t)smb2_number(frame, SMB2_ACTION, 1);
		call->directory = (number_in(reader, SMB2_ATTRIBUTES) & FILE_IS_DIRECTORY) != 0;
		call->bytes = smb2_number(frame, SMB2_END_OF_FILE, UINT64_MAX);
		break;
	case SMB2_CMD_QUERY_INFO:
		call->bytes = smb2_number(frame, SMB2_END_OF_FILE,
					  smb2_number(frame, SMB2_NEW_END_OF_FILE, UINT64_MAX));
		break;
	case SMB2_CMD_READ:
		call->moved = (uint32_t)smb2_number(frame, SMB2_DATA_LENGTH, SMB2_NONE);
		break;
	case SMB2_CMD_WRITE:
		call->moved = (uint32_t)smb2_number(frame, SMB2_WRITTEN, call->length);
		break;
	case SMB2_CMD_IOCTL:
		if (smb2_text(frame, SMB2_COPY_KEY) != NULL)
			call->key = smb2_calls_text(&reader->calls,
						    smb2_text(frame, SMB2_COPY_KEY));
		break;
	case SMB2_CMD_FIND:
		keep_names(reader, call);
		break;
	default:
		break;
	}
}

/* Return the call that a reply answers, or a new one if its request is not in
 * the capture; NULL if there is none. */
static struct smb2_captured *call_of(struct reader *reader,
				     const struct smb2_frame_message *message)
{
	struct smb2_calls *calls = &reader->calls;
	uint64_t key[] = {reader->captured.stream, message->id};
	uint32_t *number;

	if (message->id == UNSOLICITED)
		return NULL;
	number = smb2_map_at(calls, &calls->by_message, key, 2);
	if (*number == SMB2_NONE) {
		if (add_call(reader, reader->captured.destination, message) == NULL)
			return NULL;
		*number = (uint32_t)calls->count - 1;
	}
	return &calls->calls[*number];
}

/* Note the session of a client that logs in: the first requests have none. A
 * session that replaces another one is of the same client. */
static void read_login(struct reader *reader, const struct smb2_captured *call, uint64_t session)
{
	struct smb2_calls *calls = &reader->calls;
	const char *address = smb2_calls_name(calls, calls->clients[call->client].address);
	uint64_t key[] = {calls->clients[call->client].address, session};
	uint64_t previous[] = {key[0], call->offset};

	if (call->offset != 0) {
		uint32_t client = *smb2_map_at(calls, &calls->by_session, previous, 2);
		uint32_t *now = smb2_map_at(calls, &calls->by_session, key, 2);

		if (*now == SMB2_NONE)
			*now = client;
	}
	client_of(reader, address, session);
}

static void read_reply(struct reader *reader, size_t number)
{
	struct smb2_calls *calls = &reader->calls;
	struct smb2_frame_message *message = &reader->frame.messages[number];
	struct smb2_captured *call;

	if (message->status == SMB2_PENDING)
		return;
	if (number > 0 && message->session == INHERITED_SESSION)
		message->session = message[-1].session;
	call = call_of(reader, message);
	if (call == NULL || call->replied ||
	    !has_room(calls, &calls->order, &calls->order_room, calls->ordered,
		      sizeof(*calls->order)))
		return;
	call->replied = true;
	call->replied_ns = reader->captured.time_ns;
	call->status = message->status;
	if (call->command == SMB2_CMD_LOCK)
		call->moved = (uint32_t)calls->count;
	reader->last_reply = (uint32_t)(call - calls->calls);
	smb2_calls_order(calls, reader->last_reply);
	keep_reply(reader, call, message);
	if (call->command == SMB2_CMD_SESSION_SETUP && message->session != 0)
		read_login(reader, call, message->session);
}

/* Keep what tshark has found out about the session of a frame: its account, and
 * the session that it replaces. */
static void read_session(struct reader *reader)
{
	struct smb2_calls *calls = &reader->calls;
	const struct smb2_frame_message *message = reader->frame.messages;
	const char *account = columns_peek(&reader->columns, SMB2_ACCOUNT);
	struct smb2_captured *call = &calls->calls[calls->count - 1];
	uint64_t previous;
	uint32_t client = client_of(
		reader, message->reply ? reader->captured.destination : reader->captured.source,
		message->session);

	if (account != NULL && client != SMB2_NONE && calls->clients[client].account == SMB2_NONE)
		calls->clients[client].account = smb2_calls_text(calls, account);
	if (message->reply)
		return;
	if (call->command == SMB2_CMD_SESSION_SETUP &&
	    columns_take_number(&reader->columns, SMB2_PREVIOUS_SESSION, &previous))
		call->offset = previous;
}

/* Set the type and the level of a reply to those of its request. */
static void set_level(struct reader *reader, struct smb2_frame_message *message)
{
	struct smb2_calls *calls = &reader->calls;
	uint64_t key[] = {reader->captured.stream, message->id};
	int64_t number = intern_find(&calls->by_message.keys, key, sizeof(key));
	const struct smb2_captured *call;

	if (!message->reply || number < 0 || calls->by_message.values[number] == SMB2_NONE)
		return;
	call = &calls->calls[calls->by_message.values[number]];
	message->type = call->type;
	message->level = call->level;
}

/* A frame that is cut off can lack the last replies of a compound, after an
 * attribute or a listing. Expect that they are successes. */
static void complete_replies(struct reader *reader)
{
	struct smb2_calls *calls = &reader->calls;
	uint32_t last, next;

	if (!reader->captured.cut || calls->ordered == 0 || !reader->frame.messages[0].reply)
		return;
	last = reader->last_reply;
	for (next = last + 1; next < calls->count; next++) {
		struct smb2_captured *call = &calls->calls[next];

		if (!call->related || call->replied || !smb2_call_is_ok(&calls->calls[last]) ||
		    !has_room(calls, &calls->order, &calls->order_room, calls->ordered,
			      sizeof(*calls->order)))
			return;
		call->replied = true;
		call->replied_ns = reader->captured.time_ns;
		if (call->command != SMB2_CMD_IOCTL)
			call->bytes = UINT64_MAX;
		if (call->command == SMB2_CMD_WRITE)
			call->moved = call->length;
		calls->order[calls->ordered++] = next;
	}
}

static int read_frame(struct reader *reader, struct error *error)
{
	struct smb2_frame *frame = &reader->frame;
	uint64_t is_reply;
	size_t i;
	int rc = capture_frame_take(&reader->capture, &reader->columns, &reader->captured, error);

	if (rc < 0)
		return rc;
	if (smb2_frame_take(frame, &reader->columns) < 0)
		return error_no_memory(error);
	while (columns_take_number(&reader->columns, SMB2_SMB1_REPLY, &is_reply))
		reader->smb1_requests += !is_reply;
	if (frame->count == 0 && columns_peek(&reader->columns, SMB2_ENCRYPTED) != NULL)
		reader->encrypted_frames++;
	reader->shares = columns_left(&reader->columns, SMB2_SHARE);
	reader->connects = 0;
	for (i = 0; i < frame->count; i++) {
		set_level(reader, &frame->messages[i]);
		reader->connects += frame->messages[i].command == SMB2_CMD_TREE_CONNECT;
	}
	for (i = 0; i < frame->count; i++) {
		smb2_frame_values(frame, i);
		if (frame->messages[i].reply)
			read_reply(reader, i);
		else
			read_request(reader, i);
	}
	if (frame->count > 0 && reader->calls.count > 0) {
		complete_replies(reader);
		read_session(reader);
	}
	return reader->calls.failed ? error_no_memory(error) : 0;
}

/* Check that the capture has calls, and warn of frames that cannot be read. */
static int check_calls(struct reader *reader, struct error *error)
{
	struct source *source = reader->calls.source;
	const char *advice = source->keyed ? "no given key can decrypt them"
					   : "give the session keys (--keys)";
	char count[UNITS_TEXT];

	if (reader->calls.count == 0) {
		if (reader->smb1_requests > 0)
			error_set(error,
				  "cannot import \"%s\": the capture has requests of SMB1, which "
				  "is not supported, and no requests of SMB2 or SMB3",
				  source->name);
		else if (reader->encrypted_frames > 0)
			error_set(error, "all SMB frames of \"%s\" are encrypted; %s", source->name,
				  advice);
		else
			error_set(error, "\"%s\" has no requests of SMB2 or SMB3", source->name);
		return -EINVAL;
	}
	if (reader->encrypted_frames > 0)
		source_warn(source, "%s encrypted %s left out; %s",
			    units_print_count(reader->encrypted_frames, count),
			    units_plural(reader->encrypted_frames, "frame is", "frames are"),
			    advice);
	return 0;
}

static void free_reader(struct reader *reader)
{
	columns_close(&reader->columns);
	smb2_frame_free(&reader->frame);
	smb2_calls_free(&reader->calls);
}

int smb2_read_capture(struct source *source, FILE *stream, struct error *error)
{
	struct reader reader = {.calls.source = source};
	int rc;

	source->call = "SMB request";
	source->calls = "SMB requests";
	source->options |= RECORDING_FOLD_CASE | RECORDING_FREE_LOCKS | RECORDING_WINDOW;
	columns_open(&reader.columns, stream, source->name, SMB2_COLUMNS);
	while ((rc = columns_next(&reader.columns, error)) > 0) {
		rc = read_frame(&reader, error);
		if (rc < 0)
			break;
	}
	if (rc == 0)
		rc = check_calls(&reader, error);
	if (rc == 0) {
		capture_finish(&reader.capture, source);
		/* The recordings need the memory. */
		smb2_map_free(&reader.calls.by_message);
		intern_free(&reader.calls.opens_by_id.keys);
		smb2_convert(&reader.calls);
		if (reader.calls.failed)
			rc = error_no_memory(error);
	}
	free_reader(&reader);
	return rc;
}

static const char *const fields[] = {CAPTURE_FIELDS,
#define X(column, field) field,
				     SMB2_COLUMN_LIST(X)
#undef X
};
_Static_assert(sizeof(fields) / sizeof(fields[0]) == SMB2_COLUMNS, "CAPTURE_COLUMNS is wrong");

const struct tshark_protocol smb2_protocol = {
	.fields = fields,
	.field_count = SMB2_COLUMNS,
	.filter = "smb2 or smb or (tcp.analysis.lost_segment and tcp.port == 445)",
	.read = smb2_read_capture,
};
