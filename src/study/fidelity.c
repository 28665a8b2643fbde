/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "study/fidelity.h"

#include "program/recorded.h"
#include "study/walk.h"
#include "words/smb_request.h"

#include <string.h>

enum { FILE_BASIC_INFORMATION = 4 }; /* MS-FSCC 2.4.7 */

/* The rights of an open by libsmbclient (MS-SMB2 2.2.13): FILE_GENERIC_READ and
 * FILE_GENERIC_WRITE. It lets others read and write. */
enum {
	LIBRARY_READS = 0x120089,
	LIBRARY_WRITES = 0x120116,
	LIBRARY_SHARES = 3,
};

/* An operation with its recorded fields. */
struct sent {
	const struct op *op;
	const struct smb_request *request; /* without fields if it has none */
	/* The handle may be that of a directory, as its open did not exclude
	 * this. */
	bool directory;
};

/* Check if the option for write-through is sent although it was not recorded,
 * or the other way round: options of the run and the target decide about it. */
static bool changes_write_through(const struct sent *sent)
{
	uint32_t options = sent->request->values[SMB_OPTIONS];

	return smb_request_has(sent->request, SMB_OPTIONS) &&
	       ((options & SMB_WRITE_THROUGH) != 0) != ((sent->op->open_flags & OPEN_SYNC) != 0);
}

/* All options go out, except for one that would change the meaning of the
 * name. */
static bool raw_open(const struct sent *sent)
{
	uint32_t options = sent->request->values[SMB_OPTIONS];

	return (options & SMB_OPEN_BY_FILE_ID) == 0 && !changes_write_through(sent);
}

/* Check that no level was recorded, or one that is a class of SMB2. */
static bool raw_file_level(const struct sent *sent)
{
	return !smb_request_has(sent->request, SMB_LEVEL) || smb2_file_class_of(sent->request) != 0;
}

static bool raw_space_level(const struct sent *sent)
{
	return !smb_request_has(sent->request, SMB_LEVEL) ||
	       smb2_space_class_of(sent->request) != 0;
}

static bool raw_entry_level(const struct sent *sent)
{
	return !smb_request_has(sent->request, SMB_LEVEL) ||
	       smb2_entry_class_of(sent->request) != 0;
}

/* Times are set by one class, whatever the recorded request has set. */
static bool raw_set_times(const struct sent *sent)
{
	return !smb_request_has(sent->request, SMB_LEVEL) ||
	       smb2_file_class_of(sent->request) == FILE_BASIC_INFORMATION;
}

static bool any(const struct sent *sent)
{
	return true;
}

/* Check that no access rights were recorded, or those that the library asks
 * for, and the same of what it shares. */
static bool library_rights(const struct sent *sent)
{
	const struct smb_request *request = sent->request;
	uint64_t flags = sent->op->open_flags;
	uint32_t access = 0;

	if ((flags & OPEN_WRITE) != 0)
		access |= LIBRARY_WRITES;
	if ((flags & OPEN_READ) != 0 || access == 0)
		access |= LIBRARY_READS;
	return (!smb_request_has(request, SMB_ACCESS) || request->values[SMB_ACCESS] == access) &&
	       (!smb_request_has(request, SMB_SHARE) ||
		request->values[SMB_SHARE] == LIBRARY_SHARES);
}

/*
 * The library opens only files, so each open has the option
 * NON_DIRECTORY_FILE. It has no SUPERSEDE, and creates a file that must not
 * exist only with O_EXCL.
 */
static bool library_open(const struct sent *sent)
{
	const struct smb_request *request = sent->request;
	uint32_t disposition = request->values[SMB_DISPOSITION];

	if ((sent->op->open_flags & OPEN_DIRECTORY) != 0 || sent->directory ||
	    !library_rights(sent) ||
	    (smb_request_has(request, SMB_OPTIONS) &&
	     request->values[SMB_OPTIONS] != SMB_NON_DIRECTORY_FILE))
		return false;
	return !smb_request_has(request, SMB_DISPOSITION) ||
	       (disposition != SMB_SUPERSEDE &&
		(disposition != SMB_CREATE || (sent->op->open_flags & OPEN_EXCLUSIVE) != 0));
}

/* The library keeps no handle of a directory, so it has none to close. It
 * removes a file after the close. */
static bool library_close(const struct sent *sent)
{
	return !sent->directory && (sent->op->flags & OP_DELETE) == 0;
}

/*
 * How a client sends an operation. `exact`, if it is set, checks if it goes out
 * as recorded. `failing` is the number of round trips if the operation fails; 0:
 * as for a success. A kind of operation without a row does not occur in a
 * recording; it counts as a nearest call with one round trip.
 */
struct row {
	bool (*exact)(const struct sent *sent);
	unsigned round_trips, failing;
};

/* clang-format off */
static const struct row rows[SMB_CLIENTS][OP_KINDS] = {
	[SMB_CLIENT_BUILTIN] = {
		[OP_OPEN] = {raw_open, 1, 0},
		[OP_CLOSE] = {any, 1, 0},
		[OP_READ] = {any, 1, 0},
		[OP_WRITE] = {any, 1, 0},
		[OP_FSYNC] = {any, 1, 0},
		[OP_FDATASYNC] = {any, 1, 0},
		[OP_LOCK] = {any, 1, 0},
		[OP_UNLOCK] = {any, 1, 0},
		[OP_UNLINK] = {any, 1, 0},
		/* A listing, then a removal of each file that matches. */
		[OP_UNLINK_MATCHING] = {NULL, 2, 0},
		[OP_RENAME] = {any, 1, 0},
		[OP_MKDIR] = {any, 1, 0},
		[OP_RMDIR] = {any, 1, 0},
		[OP_DELTREE] = {NULL, 2, 0},
		[OP_STAT] = {raw_file_level, 1, 0},
		[OP_FSTAT] = {raw_file_level, 1, 0},
		[OP_SET_TIMES] = {raw_set_times, 1, 0},
		[OP_STATVFS] = {raw_space_level, 1, 0},
		[OP_LIST] = {raw_entry_level, 1, 0},
		[OP_TRUNCATE] = {any, 1, 0},
		[OP_LINK] = {any, 1, 0},
		/* Queries of the size and of the times come first. */
		[OP_ALLOCATE] = {NULL, 2, 0},
		[OP_SET_PATH_TIMES] = {NULL, 2, 0},
	},
	/* As seen on the wire with Samba 4.22. */
	[SMB_CLIENT_LIBRARY] = {
		[OP_OPEN] = {library_open, 1, 0},
		[OP_CLOSE] = {library_close, 1, 0},
		[OP_READ] = {any, 1, 0},
		[OP_WRITE] = {any, 1, 0},
		[OP_UNLINK] = {NULL, 2, 0},
		[OP_UNLINK_MATCHING] = {NULL, 6, 0},
		[OP_RENAME] = {NULL, 4, 0},
		[OP_MKDIR] = {NULL, 2, 0},
		[OP_RMDIR] = {NULL, 2, 0},
		[OP_DELTREE] = {NULL, 6, 0},
		[OP_STAT] = {NULL, 3, 1},
		[OP_FSTAT] = {NULL, 1, 0},
		[OP_SET_TIMES] = {NULL, 4, 0},
		[OP_STATVFS] = {NULL, 6, 0},
		[OP_LIST] = {NULL, 4, 0},
		[OP_TRUNCATE] = {any, 1, 0},
		[OP_CHMOD] = {NULL, 4, 0},
		[OP_SET_PATH_TIMES] = {NULL, 7, 0},
		/* Most copies fit into one read and one write. */
		[OP_COPY] = {NULL, 2, 0},
	},
};
/* clang-format on */

bool fidelity_applies(const struct program *program)
{
	static const char *const dialects[] = {"netbench", "smb"};
	/* The first request has no fields. */
	bool applies = program->request_count > 1;
	size_t i;

	for (i = 0; i < sizeof(dialects) / sizeof(dialects[0]); i++)
		applies |= strcmp(program->dialect, dialects[i]) == 0;
	return applies;
}

/* Return the number of round trips of an operation. */
static double round_trips(const struct row *row, enum smb_client client, const struct sent *sent)
{
	const struct op *op = sent->op;
	unsigned trips = row->round_trips > 0 ? row->round_trips : 1;

	if (row->failing > 0 && !outcome_in(op->accepts, OUTCOME_OK))
		trips = row->failing;
	if (op->kind == OP_CLOSE && !row->exact(sent)) {
		trips = sent->directory ? 0 : 1;
		if ((op->flags & OP_DELETE) != 0)
			trips += rows[client][OP_UNLINK].round_trips;
	}
	return trips + ((op->flags & OP_FLUSH) != 0);
}

/* Check if an open leaves it to the server whether the name may be a
 * directory. */
static bool allows_directory(const struct op *op, const struct smb_request *request)
{
	return (op->open_flags & OPEN_DIRECTORY) != 0 ||
	       (smb_request_has(request, SMB_OPTIONS) && (op->open_flags & OPEN_FILE) == 0);
}

/* Describe the current op. The mark of a file tells if it may be a directory; an
 * open sets it. */
static struct sent describe(const struct walk *walk)
{
	const struct op *op = walk->op;
	struct sent sent = {.op = op, .request = &walk->program->requests[0]};

	if (recorded_has_request(op->kind))
		sent.request = &walk->program->requests[op->request];
	if (op->kind == OP_OPEN)
		sent.directory = allows_directory(op, sent.request);
	else if (op->kind == OP_CLOSE)
		sent.directory = walk->file->mark;
	if (op->kind == OP_OPEN && walk->file != NULL)
		walk->file->mark = sent.directory;
	return sent;
}

int fidelity_add(const struct program *program, enum smb_client client, double times,
		 struct fidelity *sum)
{
	struct walk walk;
	int rc = walk_begin(&walk, program);

	while (rc == 0 && walk_next(&walk)) {
		const struct op *op = walk.op;
		const struct row *row = &rows[client][op->kind];
		double ops = times * walk.times;
		struct sent sent;

		if (op_is_control(op->kind) && op->kind != OP_SKIP)
			continue;
		sent = describe(&walk);
		if (walk.in_setup)
			continue;
		sum->ops += ops;
		if (op->kind == OP_SKIP)
			sum->skipped += ops;
		else if (row->exact != NULL && row->exact(&sent) &&
			 (op->flags & (OP_FLUSH | OP_SYNC_PARENT)) == 0)
			sum->as_recorded += ops;
		else
			sum->nearest += ops;
		if (op->kind != OP_SKIP)
			sum->round_trips += ops * round_trips(row, client, &sent);
	}
	walk_end(&walk);
	return rc;
}
