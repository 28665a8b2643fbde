/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compounds of NFSv4: their values in the columns, and the operations in them. */
#include "capture/nfs/nfs4.h"

#include "base/array.h"

#include <stdlib.h>
#include <string.h>

static const char handles[] = "current file handle (PUTFH, GETFH ...)";
static const char session[] = "sessions, leases, opens (SEQUENCE, RENEW ...)";
static const char delegation[] = "delegations";
static const char pnfs[] = "pNFS";

/* Max number of operations that the calls of a frame count beyond those that
 * tshark has decoded. */
enum { UNDECODED_MAX = 64 };

/* Number of operations of a frame for which those after them are looked at. */
enum { LOOKS_MAX = 64 };

/* The operations. They are merged or dropped by a text, or converted. */
static const struct row {
	const char *name, *call, *reply;
	const char *merged, *dropped;
	nfs4_converter *convert;
	bool asks; /* does not change what an operation before or after does */
	bool last; /* tshark does not decode it, nor those after it */
} rows[] = {
	[3] = {"ACCESS", "", "", .convert = nfs4_ask, .asks = true},
	[4] = {"CLOSE", "x", "", .convert = nfs4_close_file},
	[5] = {"COMMIT", "OC", "", .convert = nfs4_commit},
	[6] = {"CREATE", "G", "", .convert = nfs4_create},
	[7] = {"DELEGPURGE", "", "", .merged = delegation},
	[8] = {"DELEGRETURN", "x", "", .merged = delegation},
	[9] = {"GETATTR", "b", "g", .convert = nfs4_ask, .asks = true},
	[10] = {"GETFH", "", "h", .merged = handles},
	[11] = {"LINK", "p", "", .convert = nfs4_rename_or_link},
	[12] = {"LOCK", "mOLx", "x", .convert = nfs4_lock},
	[13] = {"LOCKT", "mOL", "", .convert = nfs4_lock},
	[14] = {"LOCKU", "mxOL", "x", .convert = nfs4_lock},
	[15] = {"LOOKUP", "p", "", .convert = nfs4_look_up, .asks = true},
	[16] = {"LOOKUPP", "", "", .merged = handles, .convert = nfs4_move},
	[17] = {"NVERIFY", "V", "", .dropped = "conditions (VERIFY)"},
	[18] = {"OPEN", "N", "xd", .convert = nfs4_open_file},
	[19] = {"OPENATTR", "", "", .dropped = "named attributes"},
	[20] = {"OPEN_CONFIRM", "x", "x", .merged = session},
	[21] = {"OPEN_DOWNGRADE", "xa", "x", .merged = session},
	[22] = {"PUTFH", "h", "", .merged = handles, .convert = nfs4_move},
	[23] = {"PUTPUBFH", "", "", .merged = handles, .convert = nfs4_move},
	[24] = {"PUTROOTFH", "", "", .merged = handles, .convert = nfs4_move},
	[25] = {"READ", "xOC", "R", .convert = nfs4_transfer},
	[26] = {"READDIR", "Kb", "E", .convert = nfs4_list},
	[27] = {"READLINK", "", "", .convert = nfs4_read_link},
	[28] = {"REMOVE", "p", "", .convert = nfs4_remove_name},
	[29] = {"RENAME", "pp", "", .convert = nfs4_rename_or_link},
	[30] = {"RENEW", "", "", .merged = session},
	[31] = {"RESTOREFH", "", "", .merged = handles, .convert = nfs4_move},
	[32] = {"SAVEFH", "", "", .merged = handles, .convert = nfs4_move},
	[33] = {"SECINFO", "p", "", .merged = session},
	[34] = {"SETATTR", "xZ", "", .convert = nfs4_set_attributes},
	[35] = {"SETCLIENTID", "", "", .merged = session},
	[36] = {"SETCLIENTID_CONFIRM", "", "", .merged = session},
	[37] = {"VERIFY", "V", "", .dropped = "conditions (VERIFY)"},
	[38] = {"WRITE", "xOW", "C", .convert = nfs4_transfer},
	[39] = {"RELEASE_LOCKOWNER", "", "", .merged = session},
	[40] = {"BACKCHANNEL_CTL", "", "", .merged = session},
	[41] = {"BIND_CONN_TO_SESSION", "", "", .merged = session},
	[42] = {"EXCHANGE_ID", "", "", .merged = session},
	[43] = {"CREATE_SESSION", "", "", .merged = session},
	[44] = {"DESTROY_SESSION", "", "", .merged = session},
	[45] = {"FREE_STATEID", "x", "", .merged = session},
	[46] = {"GET_DIR_DELEGATION", "", "", .merged = delegation, .last = true},
	[47] = {"GETDEVICEINFO", "", "", .dropped = pnfs},
	[48] = {"GETDEVICELIST", "K", "K", .dropped = pnfs},
	[49] = {"LAYOUTCOMMIT", "OLx*O", "*L", .dropped = pnfs},
	[50] = {"LAYOUTGET", "OLx", "*x*h*O*L", .dropped = pnfs},
	[51] = {"LAYOUTRETURN", "*O*L*x", "*x", .dropped = pnfs},
	[52] = {"SECINFO_NO_NAME", "", "", .merged = session},
	[53] = {"SEQUENCE", "", "", .merged = session},
	[54] = {"SET_SSV", "", "", .merged = session, .last = true},
	[55] = {"TEST_STATEID", "*x", "t", .merged = session},
	[56] = {"WANT_DELEGATION", "", "", .merged = delegation, .last = true},
	[57] = {"DESTROY_CLIENTID", "", "", .merged = session},
	[58] = {"RECLAIM_COMPLETE", "", "", .merged = session},
	[59] = {"ALLOCATE", "xOL", "", .convert = nfs4_allocate},
	[60] = {"COPY", "xxOOL", "*xL", .dropped = "copies on the server"},
	[61] = {"COPY_NOTIFY", "x", "x", .dropped = "copies on the server"},
	[62] = {"DEALLOCATE", "xOL", "", .convert = nfs4_allocate},
	[63] = {"IO_ADVISE", "xOL", "", .merged = "advice (IO_ADVISE)"},
	[64] = {"LAYOUTERROR", "OLx", "", .dropped = pnfs},
	[65] = {"LAYOUTSTATS", "OLx*h", "", .dropped = pnfs},
	[66] = {"OFFLOAD_CANCEL", "x", "", .dropped = "copies on the server"},
	[67] = {"OFFLOAD_STATUS", "x", "Lt", .dropped = "copies on the server"},
	[68] = {"READ_PLUS", "xOC", "*O*L*R", .convert = nfs4_transfer},
	[69] = {"SEEK", "xO", "O", .merged = "searches for holes (SEEK)"},
	[70] = {"WRITE_SAME", "?", "*xL", .dropped = "WRITE_SAME"},
	[71] = {"CLONE", "xxOOL", "", .dropped = "copies on the server"},
	[72] = {"GETXATTR", "", "", .dropped = "extended attributes"},
	[73] = {"SETXATTR", "", "", .dropped = "extended attributes"},
	[74] = {"LISTXATTRS", "", "", .dropped = "extended attributes"},
	[75] = {"REMOVEXATTR", "", "", .dropped = "extended attributes"},
};

static const struct row *row_of(unsigned operation)
{
	static const struct row unknown = {
		"operation", "", "", .dropped = "unknown operation", .last = true,
	};

	return operation < sizeof(rows) / sizeof(rows[0]) && rows[operation].name != NULL
		       ? &rows[operation]
		       : &unknown;
}

bool nfs4_converts(unsigned operation)
{
	const struct row *row = row_of(operation);

	return row->merged == NULL && !row->asks;
}

/* Has a compound no further decoded operations after the previous one (NULL: its
 * beginning)? */
static bool is_over(const struct nfs_frame *frame, const struct columns *columns,
		    const struct row *previous)
{
	uint64_t next;

	if (!frame->undecoded || previous == NULL)
		return false;
	return previous->last ||
	       !columns_parse_number(columns_peek(columns, NFS_OPERATION), &next) ||
	       next == SEQUENCE; /* begins a compound */
}

/* A walk over the operations of a frame, with columns of its own. */
struct operations {
	const struct nfs_frame *frame;
	struct columns columns;
	bool reply;
	uint64_t left;         /* operations of the compound */
	const struct row *row; /* the current one; NULL: no compound has begun */
	uint64_t status;
	bool malformed; /* a compound ends too early */
};

/* Take a status of a reply. */
static uint64_t walk_status(struct operations *walk)
{
	uint64_t status = 0;

	if (walk->reply)
		columns_take_number(&walk->columns, NFS_STATUS_4, &status);
	return status;
}

/* Take the next operation. Return false if there is none. */
static bool walk_next(struct operations *walk)
{
	uint64_t number;
	size_t i;

	if (walk->left > 0 && is_over(walk->frame, &walk->columns, walk->row)) {
		walk->malformed |= !walk->row->last;
		walk->left = 0;
	}
	for (; walk->left == 0; walk_status(walk)) {
		walk->row = NULL;
		if (!columns_take_number(&walk->columns, NFS_OPERATIONS, &walk->left))
			return false;
	}
	walk->left--;
	if (!columns_take_number(&walk->columns, NFS_OPERATION, &number)) {
		walk->malformed = true;
		return false;
	}
	walk->row = row_of(number < UINT32_MAX ? (unsigned)number : 0);
	walk->status = 0;
	if (walk->frame->undecoded && walk->row->last)
		return true;
	walk->status = walk_status(walk);
	if (walk->status == 0 && strchr(walk->row->reply, 't') != NULL)
		for (i = 0; i < walk->frame->further_statuses &&
			    columns_peek(&walk->columns, NFS_STATUS_4) != NULL;
		     i++)
			walk_status(walk);
	return true;
}

/* Add the values that an operation claims. */
static void add_claims(struct nfs_frame *frame, const char *grammar)
{
	for (; *grammar != '\0'; grammar++) {
		bool any = *grammar == '*';
		enum nfs_column column = nfs_column_of(any ? *++grammar : *grammar);

		if (*grammar == 'E') /* each name can have a handle */
			frame->claims[NFS_HANDLE] = NFS_ANY;
		else if (column != NFS_COLUMNS && any)
			frame->claims[column] = NFS_ANY;
		else if (column != NFS_COLUMNS && frame->claims[column] != NFS_ANY)
			frame->claims[column]++;
	}
}

/* Return how many of the values left in a column are one of these two. */
static size_t count_values(const struct nfs_frame *frame, enum nfs_column column, uint64_t first,
			   uint64_t second)
{
	struct columns columns = frame->columns;
	size_t count = 0;
	uint64_t value;

	while (columns_take_number(&columns, column, &value))
		count += value == first || value == second;
	return count;
}

/* Find out what the operations after the current one claim; `left` are in its
 * compound. */
static void find_claims(struct nfs_frame *frame, bool reply, uint64_t left, const struct row *row)
{
	const uint64_t program = 100003; /* NFS */
	struct operations walk = {
		.frame = frame,
		.columns = frame->columns,
		.reply = reply,
		.left = left,
		.row = row,
	};
	bool known = !frame->malformed && frame->looks++ < LOOKS_MAX;

	memset(frame->claims, known ? 0 : 0xff, sizeof(frame->claims));
	if (!known)
		return;
	while (walk_next(&walk))
		if (walk.status == 0)
			add_claims(frame, reply ? walk.row->reply : walk.row->call);
	/* Opens by a delegation, and those that return one. */
	if (frame->claims[NFS_STATEID] != NFS_ANY)
		frame->claims[NFS_STATEID] += reply ? count_values(frame, NFS_DELEGATION, 1, 2)
						    : count_values(frame, NFS_CLAIM, 2, 5);
	/* Other protocols have handles, too. */
	if (columns_left(&frame->columns, NFS_PROGRAM) !=
		    count_values(frame, NFS_PROGRAM, program, program) ||
	    columns_left(&frame->columns, NFS_PROCEDURE_3) > 0)
		frame->claims[NFS_HANDLE] = NFS_ANY;
}

/* Take an operation; `left` are after it in its compound. Return its row. */
static const struct row *take_part(struct nfs_frame *frame, bool reply, uint64_t left,
				   struct nfs_part *part)
{
	struct columns *columns = &frame->columns;
	uint64_t number = 0;
	const struct row *row;
	const char *grammar;

	part->incomplete = !columns_take_number(columns, NFS_OPERATION, &number);
	part->number = number < UINT32_MAX ? (unsigned)number : 0;
	row = row_of(part->number);
	grammar = reply ? row->reply : row->call;
	number = 0;
	if (reply && !(frame->undecoded && row->last) &&
	    !columns_take_number(columns, NFS_STATUS_4, &number))
		part->incomplete = true;
	part->status = (uint32_t)number;
	if (number != 0)
		return row;
	if (strchr(grammar, '*') != NULL && !frame->mixed_up)
		find_claims(frame, reply, left, row);
	nfs_take(frame, grammar, part);
	return row;
}

/* Return the number of a compound's operations. `max`: of a reply's call. */
static uint64_t take_count(struct nfs_frame *frame, bool reply, size_t max)
{
	uint64_t count, status;

	if (!columns_take_number(&frame->columns, NFS_OPERATIONS, &count) ||
	    (reply && !columns_take_number(&frame->columns, NFS_STATUS_4, &status))) {
		frame->mixed_up = true;
		count = reply ? max : 0;
	}
	return reply && count > max ? max : count;
}

/* Limit the number of a call's operations that tshark has not decoded: the number
 * that the call has can be damaged. */
static uint64_t limit_undecoded(struct nfs_frame *frame, uint64_t count)
{
	if (count > frame->undecoded_left)
		count = frame->undecoded_left;
	frame->undecoded_left -= (unsigned)count;
	return count;
}

size_t nfs4_take(struct nfs_frame *frame, bool reply, size_t max, struct nfs_part **parts)
{
	uint64_t count = take_count(frame, reply, max), i;
	const struct row *row = NULL;
	struct nfs_part *part;
	size_t room = 0;
	bool over = false;

	*parts = NULL;
	for (i = 0; i < count; i++) {
		if (!over && row != NULL &&
		    (is_over(frame, &frame->columns, row) ||
		     columns_peek(&frame->columns, NFS_OPERATION) == NULL)) {
			over = true;
			/* The one before may lack values, too. */
			if (!row->last)
				frame->mixed_up = (*parts)[i - 1].incomplete = true;
			if (!reply)
				count = i + limit_undecoded(frame, count - i);
			if (i == count)
				break;
		}
		if (array_grow(parts, &room, i + 1, sizeof(*part)) < 0) {
			frame->failed = true;
			return 0;
		}
		part = &(*parts)[i];
		*part = (struct nfs_part){.incomplete = over};
		if (!over)
			row = take_part(frame, reply, count - i - 1, part);
	}
	/* Many calls may wait for their replies. */
	part = reply || count == 0 ? NULL : realloc(*parts, count * sizeof(*part));
	if (part != NULL)
		*parts = part;
	return count;
}

/* Find out if tshark has decoded all operations, and how many statuses there are
 * besides one for each operation and compound. */
static void survey_counts(struct nfs_frame *frame, bool cut)
{
	struct operations walk = {.frame = frame, .columns = frame->columns};
	size_t statuses = 0, further = 0, compounds;
	uint64_t count, sum = 0;

	compounds = columns_left(&walk.columns, NFS_OPERATIONS);
	while (columns_take_number(&walk.columns, NFS_OPERATIONS, &count))
		sum += count < UINT32_MAX ? count : UINT32_MAX;
	frame->undecoded = sum != columns_left(&walk.columns, NFS_OPERATION);
	frame->further_statuses = 0;
	frame->looks = 0;
	frame->undecoded_left = UNDECODED_MAX;
	walk.columns = frame->columns;
	while (walk_next(&walk)) {
		statuses += !(frame->undecoded && walk.row->last);
		further += strchr(walk.row->reply, 't') != NULL;
	}
	frame->malformed = walk.malformed;
	/* If only SEQUENCE could tell where one ends, it may be any of them. */
	count = 0;
	columns_parse_number(columns_peek(&frame->columns, NFS_OPERATION), &count);
	frame->mixed_up |= frame->malformed && !cut && compounds > 1 && count != SEQUENCE;
	count = columns_left(&frame->columns, NFS_STATUS_4);
	statuses += compounds;
	count = count > statuses ? count - statuses : 0;
	frame->further_statuses = further <= 1       ? count
				  : count == further ? 1
				  : count == 0       ? 0
						     : NFS_ANY;
}

void nfs4_survey(struct nfs_frame *frame, bool cut)
{
	struct operations walk = {
		.frame = frame,
		.columns = frame->columns,
		.reply = true,
	};
	size_t reports = columns_left(&walk.columns, NFS_ENTRY_4);

	survey_counts(frame, cut);
	while (columns_peek(&walk.columns, NFS_STATUS_4) != NULL && walk_next(&walk)) {
		if (walk.status != 0)
			continue;
		reports += strchr(walk.row->reply, 'g') != NULL;
		frame->listings += strchr(walk.row->reply, 'E') != NULL;
	}
	frame->has_sizes = columns_left(&walk.columns, NFS_SIZE_4) == reports;
	frame->has_types = columns_left(&walk.columns, NFS_TYPE_4) == reports;
}

/* Convert the current operation, which nfs_begin() has begun. */
static void convert_one(struct compound *compound)
{
	const struct nfs_part *call = &compound->calls[compound->at];
	const struct nfs_part *reply = &compound->replies[compound->at];
	const struct row *row = row_of(call->number);
	struct nfs_client *client = compound->client;

	compound->call = call;
	compound->reply = reply;
	if (row->merged != NULL)
		nfs_merge(client, row->merged);
	if (row->dropped != NULL)
		nfs_drop(client, call->number == 0 ? "could not be decoded" : row->dropped);
	if (row->convert == NULL)
		return;
	if (call->incomplete || reply->incomplete || reply->number != call->number) {
		compound->lost = true;
		nfs_drop(client, "could not be decoded");
		return;
	}
	if (compound->lost && call->number != PUTFH && call->number != PUTROOTFH &&
	    call->number != PUTPUBFH) {
		nfs_drop(client, "of an unknown file");
		return;
	}
	compound->error = nfs_error(client, reply->status);
	if (compound->error >= 0)
		row->convert(compound);
}

void nfs4_convert(struct nfs_client *client, const struct nfs_part *calls, size_t call_count,
		  const struct nfs_part *replies, size_t reply_count, const struct nfs_frame *frame,
		  const char *reason)
{
	struct compound compound = {
		.client = client,
		.calls = calls,
		.replies = replies,
		.reply_count = reply_count < call_count ? reply_count : call_count,
		.frame = frame,
		.current.handle = NFS_NONE,
		.saved.handle = NFS_NONE,
		.lost = true,
	};
	size_t i;

	for (i = 0; i < compound.reply_count; i++)
		compound.converts |= nfs4_converts(calls[i].number);
	for (i = 0; i < call_count; i++) {
		const struct row *row = row_of(calls[i].number);

		compound.at = i;
		nfs_begin(client, row->name);
		if (frame == NULL && reason == NULL)
			nfs_merge(client, "sent again");
		else if (frame == NULL && row->merged != NULL)
			nfs_merge(client, row->merged);
		else if (frame == NULL)
			nfs_drop(client, reason);
		else if (i < compound.reply_count)
			convert_one(&compound);
		else
			nfs_merge(client, "after a failed operation of the compound");
	}
}
