/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "capture/smb/convert.h"

#include "base/array.h"
#include "words/nt_status.h"

#include <errno.h>
#include <string.h>

enum {
	STATUS_OBJECT_PATH_NOT_FOUND = 0xc000003au,
	STATUS_NOT_A_DIRECTORY = 0xc0000103u,
	LEVEL_OF_CLASS = 1000, /* see SMB_LEVEL */
};

static const char *const labels[SMB2_CMD_COUNT + 1] = {
	"Negotiate", "SessionSetup", "Logoff",  "TreeConnect", "TreeDisconnect", "Create",  "Close",
	"Flush",     "Read",         "Write",   "Lock",        "Ioctl",          "Cancel",  "Echo",
	"Find",      "Notify",       "GetInfo", "SetInfo",     "Break",          "Unknown",
};

void smb2_drop(const struct smb2_job *job, const char *reason)
{
	conversion_set(job->conversion, CONVERSION_DROPPED, "%s", reason);
}

void smb2_merge(const struct smb2_job *job, const char *reason)
{
	conversion_set(job->conversion, CONVERSION_MERGED, "%s", reason);
}

void smb2_note_dropped(const struct smb2_job *job)
{
	job->open->dropped = smb2_calls_text(job->calls, conversion_reason(job->conversion));
}

/* Drop a call whose failure depends on more than the files. */
void smb2_drop_status(const struct smb2_job *job)
{
	const struct nt_status *status = nt_status_find(job->call->status);

	if (status != NULL)
		conversion_set(job->conversion, CONVERSION_DROPPED, "%s: %s",
			       labels[job->call->command], status->name);
	else
		conversion_set(job->conversion, CONVERSION_DROPPED, "%s: 0x%08x",
			       labels[job->call->command], (unsigned)job->call->status);
}

bool smb2_call_is_ok(const struct smb2_captured *call)
{
	return call->replied && (call->status < 0x40000000 || call->status == SMB2_BUFFER_OVERFLOW);
}

/* Set *error to 0 or to the errno of a failure that a replay can repeat. */
bool smb2_is_repeatable(const struct smb2_captured *call, int *error)
{
	const struct nt_status *status = nt_status_find(call->status);

	*error = status != NULL ? status->error_number : EIO;
	if (smb2_call_is_ok(call))
		*error = 0;
	return *error == 0 || *error == ENOENT || *error == EEXIST || *error == ENOTEMPTY ||
	       *error == EISDIR || *error == ENOTDIR;
}

bool smb2_add(const struct smb2_job *job, const struct recorded *recorded)
{
	struct recorded added = *recorded;
	struct smb_request request = {0};

	/* The level of a SET_INFO that removes a file is not the unlink's. */
	if (job->call->level != 0 && recorded->op.kind != OP_UNLINK)
		smb_request_set(&request, SMB_LEVEL, LEVEL_OF_CLASS + job->call->level);
	if (added.request == NULL)
		added.request = &request;
	if (job->call->status == STATUS_OBJECT_PATH_NOT_FOUND)
		added.cause = RECORDED_BY_PARENT;
	if (job->call->status == STATUS_NOT_A_DIRECTORY)
		added.cause = RECORDED_BY_LAST;
	if (added.path == NULL && added.file == NULL)
		added.file = job->open->file;
	return recording_add(job->recording, &added, &job->open->file);
}

static void convert_close(const struct smb2_job *job)
{
	struct smb2_opened *open = job->open;
	struct recorded recorded = RECORDED(OP_CLOSE);
	struct recorded removal = RECORDED(OP_UNLINK);
	const struct smb2_captured *create = &job->calls->calls[open->create];
	char path[TREE_PATH_MAX];

	if (open->idiom == SMB2_AS_REMOVE && !open->done) {
		smb2_add_remove(job);
		open->done = true;
		return;
	}
	if (open->idiom != SMB2_AS_OPEN) {
		smb2_merge(job, smb2_of_another);
		return;
	}
	smb2_is_repeatable(job->call, &recorded.error);
	open->removed = open->removed && node_path(recording_node(open->file), path);
	smb2_add(job, &recorded);
	open->file = NULL;
	if (!open->removed)
		return;
	removal.path = path;
	if (create->directory)
		removal.op.kind = OP_RMDIR;
	conversion_set(job->conversion, CONVERSION_APPROXIMATED,
		       "close that removes the file, as two operations");
	recording_add(job->recording, &removal, NULL);
}

static void convert_data(const struct smb2_job *job)
{
	const struct smb2_captured *call = job->call;
	bool reads = call->command == SMB2_CMD_READ;
	struct recorded recorded = RECORDED(reads ? OP_READ : OP_WRITE);
	int64_t bytes = recording_node(job->open->file)->bytes;
	uint32_t moved = call->moved;

	if (call->status == NT_STATUS_END_OF_FILE)
		moved = 0;
	else if (!smb2_call_is_ok(call)) {
		smb2_drop_status(job);
		return;
	}
	if (call->offset > INT64_MAX || call->length > INT64_MAX - call->offset) {
		smb2_drop(job, "beyond 2^63 bytes");
		return;
	}
	/* Some captures have no data. */
	if (moved == SMB2_NONE && bytes >= 0)
		moved = (uint64_t)bytes <= call->offset ? 0
			: (uint64_t)bytes - call->offset < call->length
				? (uint32_t)((uint64_t)bytes - call->offset)
				: call->length;
	if (moved <= call->length) {
		recorded.op.expect = moved;
		recorded.op.flags = OP_COUNTED;
	} else if (!reads) {
		smb2_drop(job, "reply to a write with a wrong count");
		return;
	}
	recorded.op.offset = call->offset;
	recorded.op.size = call->length;
	smb2_add(job, &recorded);
}

/* Convert a call that needs no more than its kind. */
static void convert_plain(const struct smb2_job *job, enum op_kind kind)
{
	struct recorded recorded = RECORDED(kind);

	if (!smb2_call_is_ok(job->call))
		smb2_drop_status(job);
	else
		smb2_add(job, &recorded);
}

static void convert_flush(const struct smb2_job *job)
{
	convert_plain(job, OP_FSYNC);
}

/* A LOCK of several ranges is an operation each. */
static void convert_lock(const struct smb2_job *job)
{
	const struct nt_status *status = nt_status_find(job->call->status);
	uint32_t i;

	if (job->call->list_count == 0)
		smb2_drop(job, "lock whose ranges are not in the capture");
	if (!smb2_call_is_ok(job->call) && (status == NULL || status->error_number != EAGAIN)) {
		smb2_drop_status(job);
		return;
	}
	for (i = 0; i < job->call->list_count; i++) {
		const struct smb2_call_range *range = &job->calls->ranges[job->call->list + i];
		bool unlocks = (range->flags & SMB2_RANGE_UNLOCK) != 0;
		struct recorded recorded = RECORDED(unlocks ? OP_UNLOCK : OP_LOCK);

		if (!unlocks && (range->flags & SMB2_RANGE_SHARED) != 0)
			recorded.op.mode |= LOCK_SHARED;
		if (!unlocks && (range->flags & SMB2_RANGE_TRY) != 0)
			recorded.op.mode |= LOCK_TRY;
		recorded.op.offset = range->offset;
		recorded.op.size = range->length;
		recorded.error = smb2_call_is_ok(job->call) ? 0 : EAGAIN;
		smb2_add(job, &recorded);
	}
}

/* Copy chunks of the file that has the request's key. */
static void convert_copy(const struct smb2_job *job)
{
	const struct smb2_captured *call = job->call;
	const uint64_t key[] = {call->client, call->key};
	uint32_t source = *smb2_map_at(job->calls, &job->calls->opens_by_key, key, 2);
	uint32_t i;

	if (!smb2_call_is_ok(call)) {
		smb2_drop_status(job);
		return;
	}
	if (source == SMB2_NONE || call->list_count == 0 ||
	    job->calls->opens[source].file == NULL) {
		smb2_drop(job, "copy by the server of an unknown file or range");
		return;
	}
	for (i = 0; i < call->list_count; i++) {
		const struct smb2_call_range *chunk = &job->calls->ranges[call->list + i];
		struct recorded recorded = RECORDED(OP_COPY);

		recorded.file = job->calls->opens[source].file;
		recorded.file2 = job->open->file;
		recorded.op.offset = chunk->offset;
		recorded.op.offset2 = chunk->to;
		recorded.op.bytes = (uint32_t)chunk->length;
		recorded.op.expect = (uint32_t)chunk->length;
		recorded.op.flags = OP_COUNTED;
		smb2_add(job, &recorded);
	}
}

/* MS-FSCC 2.3, MS-SMB2 2.2.31. */
static const struct function {
	uint32_t number;
	enum conversion_row row;
	const char *name;
} functions[] = {
	{0x060194, CONVERSION_MERGED, "session"}, /* DFS_GET_REFERRALS */
	{0x140204, CONVERSION_MERGED, "session"}, /* VALIDATE_NEGOTIATE_INFO */
	{0x1401fc, CONVERSION_MERGED, "session"}, /* QUERY_NETWORK_INTERFACE */
	{0x1401d4, CONVERSION_MERGED, "session"}, /* LMR_REQUEST_RESILIENCY */
	{SMB2_RESUME_KEY, CONVERSION_MERGED, "key of a copy by the server"},
	{SMB2_PIPE_TRANSCEIVE, CONVERSION_ELSEWHERE, ""},
	{SMB2_PIPE_WAIT, CONVERSION_ELSEWHERE, ""},
	{0x090064, CONVERSION_DROPPED, "object ID"},
	{0x0900c0, CONVERSION_DROPPED, "object ID"},
	{0x09009c, CONVERSION_DROPPED, "object ID"},
	{0x0900a4, CONVERSION_DROPPED, "reparse point"},
	{0x0900a8, CONVERSION_DROPPED, "reparse point"},
	{0x0900ac, CONVERSION_DROPPED, "reparse point"},
	{0x0900c4, CONVERSION_DROPPED, "sparse file"},
	{0x0940cf, CONVERSION_DROPPED, "query of allocated ranges"},
	{0x0980c8, CONVERSION_DROPPED, "range of zeros"},
	{0x098208, CONVERSION_DROPPED, "trim"},
	{0x098344, CONVERSION_DROPPED, "clone of a range"},
	{0x094264, CONVERSION_DROPPED, "offloaded copy"},
	{0x098268, CONVERSION_DROPPED, "offloaded copy"},
	{0x144064, CONVERSION_DROPPED, "list of snapshots"},
};

/* Only copies by the server become operations. */
static void convert_ioctl(const struct smb2_job *job)
{
	const struct smb2_captured *call = job->call;
	const uint64_t key[] = {call->client, call->key};
	size_t i;

	if (call->function == SMB2_RESUME_KEY && call->key != SMB2_NONE)
		*smb2_map_at(job->calls, &job->calls->opens_by_key, key, 2) = call->open;
	if ((call->function == SMB2_SRV_COPYCHUNK || call->function == SMB2_SRV_COPYCHUNK_WRITE) &&
	    job->open != NULL && job->open->file != NULL) {
		convert_copy(job);
		return;
	}
	for (i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
		if (functions[i].number == call->function) {
			conversion_set(job->conversion, functions[i].row, "%s", functions[i].name);
			return;
		}
	conversion_set(job->conversion, CONVERSION_DROPPED, "ioctl 0x%06x",
		       (unsigned)call->function);
}

static void convert_query(const struct smb2_job *job)
{
	const struct smb2_captured *call = job->call;
	struct smb2_opened *open = job->open;
	struct recorded recorded = RECORDED(OP_FSTAT);

	if (call->type == SMB2_INFO_SPACE && !open->done) {
		open->done = open->idiom == SMB2_AS_STATVFS;
		convert_plain(job, OP_STATVFS);
	} else if (call->type != SMB2_INFO_FILE && call->type != SMB2_INFO_SPACE) {
		smb2_drop(job, call->type == SMB2_INFO_SECURITY ? "security descriptor" : "quota");
	} else if (!smb2_call_is_ok(call)) {
		smb2_drop_status(job);
	} else if (open->idiom != SMB2_AS_OPEN) {
		smb2_merge(job, "attributes of another operation's file");
	} else {
		smb2_set_facts(&recorded, call, job->calls->calls[open->create].directory);
		smb2_add(job, &recorded);
	}
}

/* Set the size of a file, or of the space that it takes: an allocation of less
 * than the size truncates the file. */
static void add_size(const struct smb2_job *job)
{
	const struct smb2_captured *call = job->call;
	int64_t bytes = recording_node(job->open->file)->bytes;
	bool allocates = call->level == SMB2_LEVEL_ALLOCATION &&
			 (bytes < 0 || (uint64_t)bytes <= call->offset);
	struct recorded recorded = RECORDED(allocates ? OP_ALLOCATE : OP_TRUNCATE);

	if (call->offset > INT64_MAX) {
		smb2_drop(job, "size that is not in the capture");
		return;
	}
	if (allocates && call->offset == 0) {
		smb2_merge(job, "allocation of nothing");
		return;
	}
	if (allocates)
		recorded.op.mode = ALLOCATE_KEEP_SIZE;
	recorded.op.size = call->offset;
	smb2_add(job, &recorded);
}

/* Note whether the close will remove the file. */
static void set_disposition(const struct smb2_job *job)
{
	struct smb2_opened *open = job->open;

	if (open->idiom == SMB2_AS_REMOVE) {
		smb2_add_remove(job);
		open->done = true;
	} else {
		open->removed = job->call->flags != 0;
		smb2_merge(job, "removal by a close");
	}
}

static void convert_set_info(const struct smb2_job *job)
{
	const struct smb2_captured *call = job->call;
	uint8_t level = call->type == SMB2_INFO_FILE ? call->level : 0;

	if (level == SMB2_LEVEL_RENAME || level == SMB2_LEVEL_LINK) {
		if (job->open->idiom == SMB2_AS_OPEN)
			conversion_set(job->conversion, CONVERSION_APPROXIMATED,
				       "%s of an open file, by its name",
				       level == SMB2_LEVEL_LINK ? "hard link" : "rename");
		smb2_add_rename(job, call);
	} else if (level == SMB2_LEVEL_DISPOSITION &&
		   (smb2_call_is_ok(call) || job->open->idiom == SMB2_AS_REMOVE)) {
		set_disposition(job);
	} else if (level == 0) {
		conversion_set(job->conversion, CONVERSION_DROPPED, "%s",
			       call->type == SMB2_INFO_SECURITY ? "security descriptor"
								: "change of a volume or a quota");
	} else if (!smb2_call_is_ok(call)) {
		smb2_drop_status(job);
	} else if (level == SMB2_LEVEL_END_OF_FILE || level == SMB2_LEVEL_ALLOCATION) {
		add_size(job);
	} else if (level == SMB2_LEVEL_BASIC) {
		convert_plain(job, OP_SET_TIMES);
	} else {
		conversion_set(job->conversion, CONVERSION_DROPPED, "SetInfo of class %u", level);
	}
}

/* Is a call about the share, whatever file it names? With a directory to record,
 * the file matters. */
static bool asks_for_space(const struct smb2_job *job)
{
	const char *folder = job->calls->source->directory;

	return job->call->command == SMB2_CMD_QUERY_INFO && job->call->type == SMB2_INFO_SPACE &&
	       (folder == NULL || folder[0] == '\0');
}

/* Convert a call on an open file. */
static void convert_use(const struct smb2_job *job)
{
	/* clang-format off */
	static void (*const converters[SMB2_CMD_COUNT])(
		const struct smb2_job *) = {
		[SMB2_CMD_CLOSE] = convert_close,
		[SMB2_CMD_FLUSH] = convert_flush,
		[SMB2_CMD_READ] = convert_data,
		[SMB2_CMD_WRITE] = convert_data,
		[SMB2_CMD_LOCK] = convert_lock,
		[SMB2_CMD_IOCTL] = convert_ioctl,
		[SMB2_CMD_FIND] = smb2_convert_find,
		[SMB2_CMD_QUERY_INFO] = convert_query,
		[SMB2_CMD_SET_INFO] = convert_set_info,
	};
	/* clang-format on */
	const struct smb2_opened *open = job->open;

	if (open == NULL)
		smb2_drop(job, "of a file whose open is not in the capture");
	else if (!smb2_call_is_ok(&job->calls->calls[open->create]))
		smb2_merge(job, "rest of a compound that failed");
	else if (open->dropped != SMB2_NONE)
		conversion_set(job->conversion, CONVERSION_DROPPED, "of a dropped open (%s)",
			       smb2_calls_name(job->calls, open->dropped));
	else if (open->elsewhere)
		conversion_set(job->conversion, CONVERSION_ELSEWHERE, "%s", "");
	else if (open->idiom == SMB2_AS_OPEN && open->file == NULL &&
		 (open->create != job->calls->count ||
		  (!asks_for_space(job) && !smb2_open_unknown(job))))
		smb2_drop(job, "of a file whose open is not in the capture");
	else
		converters[job->call->command](job);
}

static bool has_files(const struct smb2_calls *calls, const struct smb2_captured *call)
{
	return strcasecmp(smb2_calls_name(calls, call->share), "IPC$") != 0;
}

/* Was the call made on a pipe, or on the share for pipes? */
static bool is_pipe(const struct smb2_job *job)
{
	return !has_files(job->calls, job->call) || (job->open != NULL && job->open->pipe);
}

/* Note if the client uses several shares. */
static void note_share(struct smb2_calls *calls, const struct smb2_captured *call)
{
	struct smb2_client *client = &calls->clients[call->client];

	if (call->command != SMB2_CMD_CREATE || !has_files(calls, call) || call->share == SMB2_NONE)
		return;
	if (client->share == SMB2_NONE)
		client->share = call->share;
	else if (strcasecmp(smb2_calls_name(calls, client->share),
			    smb2_calls_name(calls, call->share)) != 0)
		client->several_shares = true;
}

/* Put a call that is not about the files into its row. Return false if it is. */
static bool convert_other(const struct smb2_job *job)
{
	const struct smb2_captured *call = job->call;

	switch (call->command) {
	case SMB2_CMD_NEGOTIATE:
	case SMB2_CMD_SESSION_SETUP:
	case SMB2_CMD_LOGOFF:
	case SMB2_CMD_TREE_CONNECT:
	case SMB2_CMD_TREE_DISCONNECT:
	case SMB2_CMD_ECHO:
		smb2_merge(job, "session");
		return true;
	case SMB2_CMD_CANCEL:
		smb2_merge(job, "cancel of another call");
		return true;
	case SMB2_CMD_BREAK:
		smb2_merge(job, "oplock or lease break");
		return true;
	case SMB2_CMD_NOTIFY:
		smb2_merge(job, "wait for changes");
		return true;
	case SMB2_CMD_COUNT:
		smb2_drop(job, "unknown command");
		return true;
	default:
		break;
	}
	if (is_pipe(job)) {
		conversion_set(job->conversion, CONVERSION_ELSEWHERE, "%s", "");
	} else if (!call->requested) {
		smb2_drop(job, "no request in the capture");
		if (job->open != NULL && call->command == SMB2_CMD_CREATE)
			smb2_note_dropped(job);
	} else if (!call->replied)
		smb2_drop(job, "no reply in the capture");
	else if (call->command == SMB2_CMD_IOCTL && job->open == NULL)
		convert_ioctl(job);
	else
		return false;
	return true;
}

/* Return the recording of a client, or NULL. Two sessions of an account have
 * names of their own. */
static struct recording *recording_of(struct smb2_calls *calls, struct smb2_client *client)
{
	char name[512];
	const char *address = smb2_calls_name(calls, client->address);
	const char *account = smb2_calls_name(calls, client->account);
	size_t i;

	if (client->found)
		return client->recording;
	snprintf(name, sizeof(name), "%s %s", address, account);
	for (i = 0; i < calls->source->client_count; i++)
		if (strcmp(calls->source->clients[i].name, name) == 0)
			break;
	if (account[0] == '\0' || i < calls->source->client_count)
		snprintf(name, sizeof(name), "%s%s%s 0x%016llx", address,
			 account[0] != '\0' ? " " : "", account,
			 (unsigned long long)client->session);
	client->found = true;
	client->recording = source_recording(calls->source, name, &client->excluded);
	calls->failed |= client->recording == NULL && !client->excluded;
	return client->recording;
}

static void convert_call(struct smb2_calls *calls, struct smb2_captured *call)
{
	uint64_t stream = call->stream;
	uint32_t first = *smb2_map_at(calls, &calls->by_stream, &stream, 1);
	struct smb2_job job = {.calls = calls, .call = call};
	struct smb2_client *client = &calls->clients[call->client];

	/* The first calls of a connection have no session yet. */
	if (client->session == 0 && first != SMB2_NONE)
		client = &calls->clients[first];
	job.client = client;
	job.recording = recording_of(calls, client);
	if (job.recording == NULL)
		return;
	job.conversion = recording_conversion(job.recording);
	if (call->open != SMB2_NONE)
		job.open = &calls->opens[call->open];
	calls->source->call_count++;
	recording_begin(job.recording, labels[call->command], call->time_ns, call->frame);
	/* A CHANGE_NOTIFY waits for another client. */
	if (call->command != SMB2_CMD_NOTIFY)
		recording_time(job.recording, call->time_ns, call->replied_ns);
	if (convert_other(&job))
		return;
	if (call->command == SMB2_CMD_CREATE)
		smb2_convert_create(&job);
	else
		convert_use(&job);
}

void smb2_convert(struct smb2_calls *calls)
{
	size_t i;

	if (array_grow(&calls->calls, &calls->room, calls->count + 1, sizeof(*calls->calls)) < 0) {
		calls->failed = true;
		return;
	}
	calls->calls[calls->count] = (struct smb2_captured){
		.replied = true,
		.name = SMB2_NONE,
		.share = SMB2_NONE,
		.action = SMB2_OPENED,
	};
	for (i = 0; i < calls->count; i++) {
		if (calls->calls[i].client == SMB2_NONE)
			return; /* no memory */
		note_share(calls, &calls->calls[i]);
	}
	smb2_link_calls(calls);
	for (i = 0; i < calls->ordered && !calls->failed; i++)
		convert_call(calls, &calls->calls[calls->order[i]]);
	for (i = 0; i < calls->count && !calls->failed; i++)
		if (!calls->calls[i].replied)
			convert_call(calls, &calls->calls[i]);
}
