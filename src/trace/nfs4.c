/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compounds of NFSv4: their values in the columns, and the operations in them. */
#include "trace/nfs4.h"

#include "trace/nfs_call.h"

#include <stdlib.h>

static const char handles[] = "current file handle (PUTFH, GETFH ...)";
static const char session[] = "sessions, leases, opens (SEQUENCE, RENEW ...)";
static const char delegation[] = "delegations";
static const char pnfs[] = "pNFS";

/* The operations. They are folded or dropped by a text, or converted. */
static const struct row {
	const char *name, *call, *reply;
	const char *folded, *dropped;
	nfs4_converter *convert;
	bool asks; /* does not change what an operation before or after does */
} rows[] = {
	[3] = {"ACCESS", "", "", .convert = nfs4_ask, .asks = true},
	[4] = {"CLOSE", "x", "", .convert = nfs4_close_file},
	[5] = {"COMMIT", "OC", "", .convert = nfs4_commit},
	[6] = {"CREATE", "G", "", .convert = nfs4_create},
	[7] = {"DELEGPURGE", "", "", .folded = delegation},
	[8] = {"DELEGRETURN", "x", "", .folded = delegation},
	[9] = {"GETATTR", "b", "g", .convert = nfs4_ask, .asks = true},
	[10] = {"GETFH", "", "h", .folded = handles},
	[11] = {"LINK", "p", "", .convert = nfs4_rename_or_link},
	[12] = {"LOCK", "mOLx", "x", .convert = nfs4_lock},
	[13] = {"LOCKT", "mOL", "", .convert = nfs4_lock},
	[14] = {"LOCKU", "mxOL", "x", .convert = nfs4_lock},
	[15] = {"LOOKUP", "p", "", .convert = nfs4_look_up, .asks = true},
	[16] = {"LOOKUPP", "", "", .folded = handles, .convert = nfs4_move},
	[17] = {"NVERIFY", "b?", "", .dropped = "conditions (VERIFY)"},
	[18] = {"OPEN", "N", "xd", .convert = nfs4_open_file},
	[19] = {"OPENATTR", "", "", .dropped = "named attributes"},
	[20] = {"OPEN_CONFIRM", "x", "x", .folded = session},
	[21] = {"OPEN_DOWNGRADE", "xa", "x", .folded = session},
	[22] = {"PUTFH", "h", "", .folded = handles, .convert = nfs4_move},
	[23] = {"PUTPUBFH", "", "", .folded = handles, .convert = nfs4_move},
	[24] = {"PUTROOTFH", "", "", .folded = handles, .convert = nfs4_move},
	[25] = {"READ", "xOC", "R", .convert = nfs4_transfer},
	[26] = {"READDIR", "Kb", "E", .convert = nfs4_list},
	[27] = {"READLINK", "", "", .convert = nfs4_read_link},
	[28] = {"REMOVE", "p", "", .convert = nfs4_remove_name},
	[29] = {"RENAME", "pp", "", .convert = nfs4_rename_or_link},
	[30] = {"RENEW", "", "", .folded = session},
	[31] = {"RESTOREFH", "", "", .folded = handles, .convert = nfs4_move},
	[32] = {"SAVEFH", "", "", .folded = handles, .convert = nfs4_move},
	[33] = {"SECINFO", "p", "", .folded = session},
	[34] = {"SETATTR", "xZ", "", .convert = nfs4_set_attributes},
	[35] = {"SETCLIENTID", "", "", .folded = session},
	[36] = {"SETCLIENTID_CONFIRM", "", "", .folded = session},
	[37] = {"VERIFY", "b?", "", .dropped = "conditions (VERIFY)"},
	[38] = {"WRITE", "xOW", "C", .convert = nfs4_transfer},
	[39] = {"RELEASE_LOCKOWNER", "", "", .folded = session},
	[40] = {"BACKCHANNEL_CTL", "", "", .folded = session},
	[41] = {"BIND_CONN_TO_SESSION", "", "", .folded = session},
	[42] = {"EXCHANGE_ID", "", "", .folded = session},
	[43] = {"CREATE_SESSION", "", "", .folded = session},
	[44] = {"DESTROY_SESSION", "", "", .folded = session},
	[45] = {"FREE_STATEID", "x", "", .folded = session},
	[46] = {"GET_DIR_DELEGATION", "?", "?", .folded = delegation},
	[47] = {"GETDEVICEINFO", "?", "?", .dropped = pnfs},
	[48] = {"GETDEVICELIST", "?", "?", .dropped = pnfs},
	[49] = {"LAYOUTCOMMIT", "?", "?", .dropped = pnfs},
	[50] = {"LAYOUTGET", "?", "?", .dropped = pnfs},
	[51] = {"LAYOUTRETURN", "?", "?", .dropped = pnfs},
	[52] = {"SECINFO_NO_NAME", "", "", .folded = session},
	[53] = {"SEQUENCE", "", "", .folded = session},
	[54] = {"SET_SSV", "", "", .folded = session},
	[55] = {"TEST_STATEID", "?", "?", .folded = session},
	[56] = {"WANT_DELEGATION", "?", "?", .folded = delegation},
	[57] = {"DESTROY_CLIENTID", "", "", .folded = session},
	[58] = {"RECLAIM_COMPLETE", "", "", .folded = session},
	[59] = {"ALLOCATE", "xOL", "", .convert = nfs4_allocate},
	[60] = {"COPY", "?", "?", .dropped = "copies on the server"},
	[61] = {"COPY_NOTIFY", "?", "?", .dropped = "copies on the server"},
	[62] = {"DEALLOCATE", "xOL", "", .convert = nfs4_allocate},
	[63] = {"IO_ADVISE", "?", "", .folded = "advice (IO_ADVISE)"},
	[64] = {"LAYOUTERROR", "?", "?", .dropped = pnfs},
	[65] = {"LAYOUTSTATS", "?", "?", .dropped = pnfs},
	[66] = {"OFFLOAD_CANCEL", "x", "", .dropped = "copies on the server"},
	[67] = {"OFFLOAD_STATUS", "x", "?", .dropped = "copies on the server"},
	[68] = {"READ_PLUS", "xOC", "?", .convert = nfs4_transfer},
	[69] = {"SEEK", "x?", "?", .folded = "searches for holes (SEEK)"},
	[70] = {"WRITE_SAME", "?", "?", .dropped = "WRITE_SAME"},
	[71] = {"CLONE", "?", "", .dropped = "copies on the server"},
	[72] = {"GETXATTR", "?", "?", .dropped = "extended attributes"},
	[73] = {"SETXATTR", "?", "?", .dropped = "extended attributes"},
	[74] = {"LISTXATTRS", "?", "?", .dropped = "extended attributes"},
	[75] = {"REMOVEXATTR", "?", "?", .dropped = "extended attributes"},
};

static const struct row *row_of(unsigned operation)
{
	static const struct row unknown = {
		"operation",
		"?",
		"?",
		.dropped = "unknown operation",
	};

	return operation < sizeof(rows) / sizeof(rows[0]) &&
			       rows[operation].name != NULL
		       ? &rows[operation]
		       : &unknown;
}

bool nfs4_converts(unsigned operation)
{
	const struct row *row = row_of(operation);

	return row->folded == NULL && !row->asks;
}

size_t nfs4_take(struct nfs_frame *frame, bool reply, struct nfs_part **parts)
{
	struct columns *columns = &frame->columns;
	uint64_t count = 0, number = 0, i;

	if (!columns_take_number(columns, NFS_OPERATIONS, &count) ||
	    count > columns_left(columns, NFS_OPERATION) ||
	    (reply && !columns_take_number(columns, NFS_STATUS_4, &number))) {
		frame->mixed_up = true;
		count = 0;
	}
	*parts = calloc(count + 1, sizeof(**parts));
	if (*parts == NULL) {
		frame->failed = true;
		return 0;
	}
	for (i = 0; i < count; i++) {
		struct nfs_part *part = &(*parts)[i];
		const struct row *row;

		part->incomplete = !columns_take_number(columns, NFS_OPERATION,
							&number);
		part->number = number < UINT32_MAX ? (unsigned)number : 0;
		row = row_of(part->number);
		number = 0;
		if (reply &&
		    !columns_take_number(columns, NFS_STATUS_4, &number))
			part->incomplete = true;
		part->status = (uint32_t)number;
		if (number == 0)
			nfs_take(frame, reply ? row->reply : row->call, part);
	}
	return count;
}

void nfs4_survey(struct nfs_frame *frame)
{
	struct columns columns = frame->columns;
	uint64_t count, operation, status;
	size_t reports = columns_left(&columns, NFS_ENTRY_4);

	while (columns_take_number(&columns, NFS_OPERATIONS, &count)) {
		columns_take(&columns, NFS_STATUS_4);
		while (count-- > 0 &&
		       columns_take_number(&columns, NFS_OPERATION,
					   &operation) &&
		       columns_take_number(&columns, NFS_STATUS_4, &status)) {
			reports += operation == GETATTR && status == 0;
			frame->listings += operation == READDIR && status == 0;
		}
	}
	frame->has_sizes = columns_left(&columns, NFS_SIZE_4) == reports;
	frame->has_types = columns_left(&columns, NFS_TYPE_4) == reports;
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
	if (row->folded != NULL)
		nfs_fold(client, row->folded);
	if (row->dropped != NULL)
		nfs_drop(client, row->dropped);
	if (row->convert == NULL)
		return;
	if (call->incomplete || reply->incomplete ||
	    reply->number != call->number) {
		compound->lost = true;
		nfs_drop(client, "could not be decoded");
		return;
	}
	if (compound->lost && call->number != PUTFH &&
	    call->number != PUTROOTFH && call->number != PUTPUBFH) {
		nfs_drop(client, "of an unknown file");
		return;
	}
	compound->error = nfs_error(client, reply->status);
	if (compound->error >= 0)
		row->convert(compound);
}

void nfs4_convert(struct nfs_client *client, const struct nfs_part *calls,
		  size_t call_count, const struct nfs_part *replies,
		  size_t reply_count, const struct nfs_frame *frame,
		  const char *reason)
{
	struct compound compound = {
		.client = client,
		.calls = calls,
		.replies = replies,
		.reply_count = reply_count < call_count ? reply_count
							: call_count,
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
			nfs_fold(client, "sent again");
		else if (frame == NULL && row->folded != NULL)
			nfs_fold(client, row->folded);
		else if (frame == NULL)
			nfs_drop(client, reason);
		else if (i < compound.reply_count)
			convert_one(&compound);
		else
			nfs_fold(client, "after a failed operation of the "
					 "compound");
	}
}
