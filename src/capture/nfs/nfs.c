/* SPDX-License-Identifier: GPL-3.0-or-later */
/* RPC: messages in frames, and calls with their replies. */
#include "capture/nfs/nfs.h"

#include "base/array.h"
#include "base/units.h"
#include "capture/nfs/nfs3.h"
#include "capture/nfs/nfs4.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* RPC programs. */
enum {
	PORTMAP = 100000,
	NFS = 100003,
	MOUNT = 100005,
	QUOTA = 100011,
	NLM = 100021,
	STATUS_MONITOR = 100024,
	NFSACL = 100227,
	TRANSIENT = 0x40000000, /* and higher: callbacks */
};

/* A call whose reply has not been seen yet. */
struct pending {
	struct nfs_client *client;
	uint64_t time_ns, frame;
	uint32_t program, procedure;
	unsigned version; /* of NFS, or 0 if tshark could not decode it */
	bool cut;         /* the frame, by the snap length */
	struct nfs_part *parts;
	size_t count;
};

struct reader {
	struct source *source;
	struct capture capture;
	struct capture_frame at;
	struct nfs_frame frame;
	struct intern addresses;
	struct nfs_client **clients; /* by the number of the address */
	size_t client_room;
	struct intern keys; /* stream, address and xid of a call */
	/* By the number of the key. NULL: replied, or a call of a server. */
	struct pending **pending;
	size_t pending_room;
	uint64_t alone; /* replies without a call */
	uint64_t mixed_up, version_2;
};

/* The client in the key of a call by a server. */
#define A_SERVER UINT32_MAX

struct key {
	uint64_t stream;
	uint32_t client, xid;
};

/* Return the number of a client, or -ENOMEM. */
static int64_t find_client(struct reader *reader, const char *address)
{
	struct nfs_client *client;
	bool excluded;
	int64_t number;
	int is_new;

	if (array_grow(&reader->clients, &reader->client_room, reader->addresses.count + 1,
		       sizeof(*reader->clients)) < 0)
		return -ENOMEM;
	number = intern(&reader->addresses, address, strlen(address), &is_new);
	if (number < 0 || !is_new)
		return number;
	client = calloc(1, sizeof(*client));
	reader->clients[number] = client;
	if (client == NULL)
		return -ENOMEM;
	client->call_count = &reader->source->call_count;
	client->directory = reader->source->directory != NULL ? reader->source->directory : "";
	client->recording = source_recording(reader->source, address, &excluded);
	return client->recording == NULL && !excluded ? -ENOMEM : number;
}

static void free_parts(struct pending *call)
{
	size_t i, name;

	for (i = 0; i < call->count; i++) {
		for (name = 0; name < call->parts[i].name_count; name++)
			free((char *)call->parts[i].names[name]);
		free((char *)call->parts[i].text);
		free((char *)call->parts[i].stateid);
	}
	free(call->parts);
}

static bool keep_text(const char **text)
{
	if (*text != NULL)
		*text = strdup(*text);
	return *text != NULL;
}

/* Copy the texts of a call, which are valid only until the next line. */
static int keep_parts(struct pending *call)
{
	bool kept = true;
	size_t i, name;

	for (i = 0; i < call->count; i++) {
		struct nfs_part *part = &call->parts[i];

		for (name = 0; name < part->name_count; name++)
			kept &= keep_text(&part->names[name]);
		kept &= part->text == NULL || keep_text(&part->text);
		kept &= part->stateid == NULL || keep_text(&part->stateid);
	}
	return kept ? 0 : -ENOMEM;
}

static bool is_compound(const struct pending *call)
{
	return call->program == NFS && call->version == 4 && call->procedure == 1;
}

static const struct nfs_procedure_row *procedure_of(const struct pending *call)
{
	static const struct nfs_procedure_row unknown = {"call", "?", "?", "?"},
					      mount = {"MNT", "", "h", ""},
					      other = {"RPC", "", "", ""},
					      acl = {"NFSACL", "h", "?", "?"};
	const struct nfs_procedure_row *procedure = &other;

	if (call->program == NLM)
		procedure = nlm_procedure(call->procedure);
	else if (call->program == NFS && call->procedure != 0)
		procedure = call->version == 3 ? nfs3_procedure(call->procedure) : NULL;
	else if (call->program == MOUNT && call->procedure == 1)
		procedure = &mount;
	else if (call->program == NFSACL && call->procedure != 0)
		procedure = &acl;
	return procedure != NULL ? procedure : &unknown;
}

/* Take the values of a call. */
static int take_call(struct reader *reader, struct pending *call)
{
	struct nfs_frame *frame = &reader->frame;
	struct nfs_part *part;

	if (is_compound(call)) {
		call->count = nfs4_take(frame, false, 0, &call->parts);
	} else {
		part = calloc(1, sizeof(*part));
		if (part == NULL)
			return -ENOMEM;
		call->parts = part;
		call->count = 1;
		part->number = call->procedure;
		nfs_take(frame, procedure_of(call)->call, part);
	}
	return frame->failed ? -ENOMEM : keep_parts(call);
}

/* Account for a call that does not become an operation. Return false if it
 * does. */
static bool explain(struct nfs_client *client, const struct pending *call)
{
	const char *merged = NULL, *dropped = NULL;

	switch (call->program) {
	case NFS:
	case NLM:
		if (call->procedure == 0)
			merged = "NULL";
		else if (call->version == 2)
			dropped = "NFSv2";
		else if (!is_compound(call) && *procedure_of(call)->call == '?')
			dropped = call->cut ? "cut off by the snap length" : "unknown procedure";
		break;
	case MOUNT:
		merged = "mount protocol";
		break;
	case PORTMAP:
		merged = "port mapper";
		break;
	case STATUS_MONITOR:
		merged = "status monitor";
		break;
	case QUOTA:
		merged = "quotas";
		break;
	case NFSACL:
		dropped = "access control lists (NFSACL)";
		break;
	default:
		dropped = "another RPC program";
		break;
	}
	if (merged != NULL)
		nfs_merge(client, merged);
	if (dropped != NULL)
		nfs_drop(client, dropped);
	return merged != NULL || dropped != NULL;
}

/* Let the client have the times of this call; `replied_ns` is 0 if it has no
 * reply. */
static void set_client(const struct pending *call, uint64_t replied_ns)
{
	call->client->time_ns = call->time_ns;
	call->client->replied_ns = replied_ns;
	call->client->frame = call->frame;
}

/* Count a call without its reply. `reason` is NULL if it was sent before. */
static void drop_call(const struct pending *call, const char *reason)
{
	set_client(call, 0);
	if (is_compound(call)) {
		nfs4_convert(call->client, call->parts, call->count, NULL, 0, NULL, reason);
		return;
	}
	nfs_begin(call->client, procedure_of(call)->name);
	if (reason == NULL)
		nfs_merge(call->client, "sent again");
	else if (!explain(call->client, call))
		nfs_drop(call->client, reason);
}

/* Convert a call that was accepted, with its reply in the frame. */
static int convert(struct reader *reader, const struct pending *call)
{
	const struct nfs_procedure_row *procedure = procedure_of(call);
	struct nfs_client *client = call->client;
	struct nfs_frame *frame = &reader->frame;
	struct nfs_part reply = {.number = call->procedure};
	uint64_t number = 0;

	set_client(call, reader->at.time_ns);
	if (is_compound(call)) {
		struct nfs_part *parts = NULL;
		size_t count = nfs4_take(frame, true, call->count, &parts);

		nfs4_convert(client, call->parts, call->count, parts, count, frame, NULL);
		free(parts);
		return frame->failed ? -ENOMEM : 0;
	}
	if (call->program == NFS && call->procedure != 0 &&
	    (frame->mixed_up || !columns_take_number(&frame->columns, NFS_STATUS_3, &number)))
		reply.incomplete = true;
	reply.status = (uint32_t)number;
	nfs_take(frame, number == 0 ? procedure->succeeds : procedure->fails, &reply);
	nfs_begin(client, procedure->name);
	if (call->program == MOUNT && reply.handle_count > 0)
		nfs_client_mount(client, reply.handles[0]);
	if (explain(client, call))
		return 0;
	if (call->parts->incomplete || reply.incomplete)
		nfs_drop(client, "could not be decoded");
	else if (call->program == NLM)
		nlm_convert(client, call->parts, &reply);
	else
		nfs3_convert(client, call->parts, &reply, frame);
	return frame->failed ? -ENOMEM : 0;
}

/* Set the version and procedure of a call of NFS. */
static void take_version(struct columns *columns, struct pending *call)
{
	uint64_t number;

	if (columns_take_number(columns, NFS_PROCEDURE_3, &number))
		call->version = 3;
	else if (columns_take_number(columns, NFS_PROCEDURE_4, &number))
		call->version = 4;
	else if (columns_take_number(columns, NFS_PROCEDURE_2, &number))
		call->version = 2;
}

static struct key key_of(const struct reader *reader, int64_t client, uint64_t xid)
{
	struct key key;

	memset(&key, 0, sizeof(key));
	key.stream = reader->at.stream;
	key.client = (uint32_t)client;
	key.xid = (uint32_t)xid;
	return key;
}

/* Return the number of a call's key, or -ENOMEM. */
static int64_t add_key(struct reader *reader, const struct key *key, int *is_new)
{
	int64_t number;

	if (array_grow(&reader->pending, &reader->pending_room, reader->keys.count + 1,
		       sizeof(*reader->pending)) < 0)
		return -ENOMEM;
	number = intern(&reader->keys, key, sizeof(*key), is_new);
	if (number >= 0 && *is_new)
		reader->pending[number] = NULL;
	return number < 0 ? -ENOMEM : number;
}

/* Keep a call until its reply comes. Return 1, 0 if it has been sent before, or
 * -ENOMEM. */
static int keep_call(struct reader *reader, const struct key *key, const struct pending *call)
{
	int is_new;
	int64_t number = add_key(reader, key, &is_new);

	if (number < 0)
		return (int)number;
	if (!is_new)
		return 0;
	reader->pending[number] = malloc(sizeof(*call));
	if (reader->pending[number] == NULL)
		return -ENOMEM;
	*reader->pending[number] = *call;
	return 1;
}

static int read_call(struct reader *reader, uint64_t xid)
{
	struct columns *columns = &reader->frame.columns;
	struct pending call = {
		.time_ns = reader->at.time_ns, .frame = reader->at.number, .cut = reader->at.cut};
	uint64_t program, procedure;
	struct key key = key_of(reader, A_SERVER, xid);
	int64_t number;
	int is_new, rc;

	if (!columns_take_number(columns, NFS_PROGRAM, &program) ||
	    !columns_take_number(columns, NFS_PROCEDURE, &procedure) || program > UINT32_MAX ||
	    procedure > UINT32_MAX) {
		reader->frame.mixed_up = true;
		return 0;
	}
	/* Servers call back, too. */
	if (program >= TRANSIENT || (program == NLM && (procedure == 5 || procedure >= 10))) {
		number = add_key(reader, &key, &is_new);
		return number < 0 ? (int)number : 0;
	}
	number = find_client(reader, reader->at.source);
	if (number < 0)
		return (int)number;
	key = key_of(reader, number, xid);
	call.client = reader->clients[number];
	call.program = (uint32_t)program;
	call.procedure = (uint32_t)procedure;
	if (program == NFS)
		take_version(columns, &call);
	rc = take_call(reader, &call);
	if (rc == 0 && call.client->recording != NULL) {
		rc = keep_call(reader, &key, &call);
		reader->version_2 += call.version == 2;
		if (rc > 0)
			return 0;
		if (rc == 0)
			drop_call(&call, NULL);
	}
	free_parts(&call);
	return rc;
}

static int read_reply(struct reader *reader, uint64_t xid)
{
	struct columns *columns = &reader->frame.columns;
	int64_t client = intern_find(&reader->addresses, reader->at.destination,
				     strlen(reader->at.destination));
	struct key key = key_of(reader, client, xid);
	int64_t number = client < 0 ? client : intern_find(&reader->keys, &key, sizeof(key));
	struct pending *call = number < 0 ? NULL : reader->pending[number];
	uint64_t denied, failed = 0;
	int rc = 0;

	if (!columns_take_number(columns, NFS_REPLY_STATE, &denied) ||
	    (denied == 0 && !columns_take_number(columns, NFS_ACCEPT_STATE, &failed)))
		denied = 1;
	if (call == NULL) {
		/* The grammar of its values is unknown. */
		reader->frame.mixed_up = true;
		key = key_of(reader, A_SERVER, xid);
		if (intern_find(&reader->keys, &key, sizeof(key)) < 0)
			reader->alone += client < 0 || reader->clients[client]->recording != NULL;
		return 0;
	}
	reader->pending[number] = NULL;
	if (denied != 0 || failed != 0)
		drop_call(call, "refused by the RPC server");
	else
		rc = convert(reader, call);
	if (call->client->failed)
		rc = -ENOMEM;
	free_parts(call);
	free(call);
	return rc;
}

static int read_frame(struct reader *reader, struct error *error)
{
	struct nfs_frame *frame = &reader->frame;
	size_t count = columns_left(&frame->columns, NFS_XID), i;
	int rc = capture_frame_take(&reader->capture, &frame->columns, &reader->at, error);

	if (rc < 0)
		return rc;
	frame->mixed_up = false;
	frame->listings = 0;
	nfs3_survey(frame);
	nfs4_survey(frame, reader->at.cut);
	for (i = 0; i < count && rc == 0; i++) {
		uint64_t type, xid;

		if (!columns_take_number(&frame->columns, NFS_MESSAGE_TYPE, &type) ||
		    !columns_take_number(&frame->columns, NFS_XID, &xid))
			break;
		frame->entry_count = 0;
		rc = type == 0 ? read_call(reader, xid) : read_reply(reader, xid);
		reader->mixed_up += frame->mixed_up && i + 1 < count;
	}
	return rc == -ENOMEM ? error_no_memory(error) : rc;
}

static void add_warnings(struct reader *reader)
{
	struct source *source = reader->source;
	char count[UNITS_TEXT];

	if (reader->alone > 0)
		source_warn(source, "%s %s no matching call in the capture",
			    units_print_count(reader->alone, count),
			    units_plural(reader->alone, "reply has", "replies have"));
	if (reader->mixed_up > 0)
		source_warn(source,
			    "the values of %s %s cannot be separated from the values of other "
			    "messages in the same frame",
			    units_print_count(reader->mixed_up, count),
			    units_plural(reader->mixed_up, "message", "messages"));
	capture_finish(&reader->capture, source);
}

/* End listings and calls that are still open. Refuse captures of NFSv2. */
static int finish(struct reader *reader, struct error *error)
{
	char count[UNITS_TEXT];
	size_t i, handle;

	for (i = 0; i < reader->keys.count; i++)
		if (reader->pending[i] != NULL)
			drop_call(reader->pending[i], "no reply in the capture");
	for (i = 0; i < reader->addresses.count; i++) {
		struct nfs_client *client = reader->clients[i];

		for (handle = 0; handle < client->handle_numbers.count; handle++)
			recording_list_end(client->recording, &client->handles[handle].listing);
		if (client->recording != NULL)
			conversion_end(recording_conversion(client->recording));
	}
	add_warnings(reader);
	reader->source->call = "NFS call";
	reader->source->calls = "NFS calls";
	if (reader->version_2 == 0)
		return 0;
	if (reader->version_2 < reader->source->call_count) {
		source_warn(reader->source, "%s %s dropped, because NFSv2 is not supported",
			    units_print_count(reader->version_2, count),
			    units_plural(reader->version_2, "request of NFSv2 was",
					 "requests of NFSv2 were"));
		return 0;
	}
	error_set(error,
		  "cannot import \"%s\": the capture has only requests of NFSv2, which is not "
		  "supported",
		  reader->source->name);
	return -EINVAL;
}

static void free_reader(struct reader *reader)
{
	size_t i;

	for (i = 0; i < reader->keys.count; i++)
		if (reader->pending[i] != NULL) {
			free_parts(reader->pending[i]);
			free(reader->pending[i]);
		}
	for (i = 0; i < reader->addresses.count; i++)
		nfs_client_free(reader->clients[i]);
	intern_free(&reader->addresses);
	intern_free(&reader->keys);
	intern_free(&reader->frame.handles);
	free(reader->clients);
	free(reader->pending);
	free(reader->frame.names);
	free(reader->frame.entries);
	columns_close(&reader->frame.columns);
}

int nfs_read_capture(struct source *source, FILE *stream, struct error *error)
{
	struct reader reader = {.source = source};
	int rc;

	source->options |= RECORDING_WINDOW;
	columns_open(&reader.frame.columns, stream, source->name, NFS_COLUMNS);
	while ((rc = columns_next(&reader.frame.columns, error)) > 0) {
		rc = read_frame(&reader, error);
		if (rc < 0)
			break;
	}
	if (rc == 0)
		rc = finish(&reader, error);
	free_reader(&reader);
	return rc;
}

static const char *const fields[] = {CAPTURE_FIELDS,
#define X(column, field) field,
				     NFS_COLUMN_LIST(X)
#undef X
};
_Static_assert(sizeof(fields) / sizeof(fields[0]) == NFS_COLUMNS, "CAPTURE_COLUMNS is wrong");
_Static_assert((int)NFS_COLUMNS <= (int)COLUMNS_MAX, "too many columns");

static const char *const preferences[] = {
	/* Clients use ports below 1024, which tshark would take for those of
	 * other protocols. */
	"tcp.try_heuristic_first:TRUE",
	/* Find messages after a gap, and at the start of a capture. */
	"rpc.find_fragment_start:TRUE",
	NULL,
};

const struct tshark_protocol nfs_protocol = {
	.fields = fields,
	.field_count = NFS_COLUMNS,
	.filter = "rpc",
	.preferences = preferences,
	.read = nfs_read_capture,
};
