/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Operations. A loadfile is compiled into a list of operations, which are
 * played on a target by its backend.
 */
#ifndef PROGRAM_OP_H
#define PROGRAM_OP_H

#include "program/outcome.h"
#include "words/capability.h"
#include "words/operation.h"
#include "words/procedure.h"

#include <stdbool.h>
#include <stdint.h>

/* op_effect(): what a successful operation does, as bits. The object is the file
 * or directory of op.path or op.handle. */
enum op_effect {
	E_NONE = 0,
	E_MAKES = 1 << 0,   /* makes op.path if it does not exist */
	E_REMOVES = 1 << 1, /* removes the object's name */
	E_MANY = 1 << 2,    /* with E_REMOVES: any number of names */
	E_MOVES = 1 << 3,   /* op.path gets the name op.path2 */
	E_SWAPS = 1 << 4,   /* op.path and op.path2 change places */
	E_ALTERS = 1 << 5,  /* changes attributes of the object */
	E_READS = 1 << 6,   /* reads data */
	E_WRITES = 1 << 7,  /* writes data */
	E_RESIZES = 1 << 8, /* changes the size or the allocated space */
	E_FLUSHES = 1 << 9, /* makes data or names durable */
	E_TO2 = 1 << 10,    /* writes to op.handle2 */
	E_DIR = 1 << 11,    /* the object is a directory */
};

/* The requests of tbench that stand for an operation (play/exchange.c). */
enum op_packet {
	P_NONE, /* no request */
	P_OPEN,
	P_CLOSE,
	P_READ,
	P_WRITE,
	P_FLUSH,
	P_RANGE,
	P_NAME,
	P_TWO_NAMES,
	P_QUERY_PATH,
	P_QUERY_FILE,
	P_SET_PATH,
	P_SET_FILE,
	P_GET_VALUE,
	P_SET_VALUE,
	P_LIST,
	P_COPY,
	P_TRANSACTION,
};

/* Turn a row of PROCEDURE_LIST into one of OP_LIST. */
#define OP_OF_PROCEDURE(procedure, word, ...) X(procedure, __VA_ARGS__)

/* clang-format off */
/*
 * X(kind, verb, class, shape, effect, needs, takes, packet): all that is known
 * about an operation. The user of a list defines the macro X. OP_FILE_LIST has
 * the operations on files, OP_LIST has all operations.
 *
 * verb:   the operation's name in the native dialect and in messages.
 * class:  DATA operations move bytes, METADATA operations do not. CONTROL
 *         operations control the user process and never reach a backend.
 * shape:  the arguments in the order of the native dialect, one letter each:
 *           p path            q second path       w path or pattern
 *           F open flags      H handle to open, or "-" for none
 *           h open handle     o offset or offset expression
 *           s size in bytes   e recorded bytes    l length of a range
 *           m max entries     n recorded entries  r how to rename
 *           t text            i number            N name of an attribute
 *           O fixed offset    k second handle     P offset in its file
 *           z size below 4 GiB                    A rights of an ACCESS
 *           M permissions     u user ID           g group ID
 *           y stable_how of a WRITE3, 0 to 2
 *           R reply in bytes                      c enum op_connection
 * effect: enum op_effect, before op_effect() looks at the operation's fields.
 * needs:  capabilities (words/capability.h) without which it is skipped. A
 *         procedure of NFS needs them where it is emulated.
 * takes:  flags of enum op_flag that a loadfile may set.
 * packet: enum op_packet.
 *
 * Optional words may follow the arguments (program/modes.h).
 *
 * play/files.c plays the operations from TRUNCATE to XATTR_REMOVE. Add a new
 * operation between the two if it is one call of a slot.
 */
#define OP_FILE_LIST(X) \
	X(OPEN, "open", METADATA, "pFH", E_NONE, 0, OP_LOOKUP, P_OPEN) \
	X(CLOSE, "close", METADATA, "h", E_NONE, 0, 0, P_CLOSE) \
	X(READ, "read", DATA, "hose", E_READS, 0, 0, P_READ) \
	X(WRITE, "write", DATA, "hose", E_WRITES, 0, OP_FLUSH, P_WRITE) \
	X(FSYNC, "fsync", METADATA, "h", E_FLUSHES, CAP_FSYNC, 0, P_FLUSH) \
	X(LOCK, "lock", METADATA, "hol", E_NONE, CAP_LOCKS, 0, P_RANGE) \
	X(UNLOCK, "unlock", METADATA, "hol", E_NONE, CAP_LOCKS, 0, P_RANGE) \
	X(UNLINK, "unlink", METADATA, "p", E_REMOVES, 0, OP_LOOKUP | OP_SYNC_PARENT, P_NAME) \
	X(UNLINK_MATCHING, "unlink-matching", METADATA, "w", \
		E_REMOVES | E_MANY, 0, OP_LOOKUP, P_NAME) \
	X(RENAME, "rename", METADATA, "pqr", E_MOVES, 0, OP_LOOKUP | OP_SYNC_PARENT, P_TWO_NAMES) \
	X(MKDIR, "mkdir", METADATA, "p", E_MAKES | E_DIR, 0, OP_LOOKUP | OP_SYNC_PARENT, P_NAME) \
	X(RMDIR, "rmdir", METADATA, "p", E_REMOVES | E_DIR, 0, OP_LOOKUP | OP_SYNC_PARENT, P_NAME) \
	X(DELTREE, "deltree", METADATA, "p", E_REMOVES | E_MANY | E_DIR, 0, 0, P_NONE) \
	X(STAT, "stat", METADATA, "p", E_NONE, 0, OP_LOOKUP, P_QUERY_PATH) \
	X(FSTAT, "fstat", METADATA, "h", E_NONE, 0, 0, P_QUERY_FILE) \
	X(SET_TIMES, "set-times", METADATA, "h", E_ALTERS, 0, 0, P_SET_FILE) \
	X(STATVFS, "statvfs", METADATA, "", E_NONE, 0, 0, P_QUERY_FILE) \
	X(LIST, "list", METADATA, "wmn", E_NONE, 0, OP_LOOKUP, P_LIST) \
	X(LINK, "link", METADATA, "pq", E_MAKES, CAP_LINKS, OP_SYNC_PARENT, P_TWO_NAMES) \
	X(SYMLINK, "symlink", METADATA, "pq", E_MAKES, CAP_SYMLINKS, OP_SYNC_PARENT, P_TWO_NAMES) \
	X(READLINK, "readlink", METADATA, "p", E_NONE, CAP_SYMLINKS, 0, P_QUERY_PATH) \
	X(TRUNCATE, "truncate", METADATA, "hl", E_RESIZES, CAP_TRUNCATE, 0, P_SET_FILE) \
	X(ALLOCATE, "allocate", METADATA, "hol", E_RESIZES, CAP_ALLOCATE, 0, P_RANGE) \
	X(COPY, "copy", METADATA, "hOkPze", E_READS | E_WRITES | E_TO2, CAP_COPY, 0, P_COPY) \
	X(CLONE, "clone", METADATA, "hOkPz", E_READS | E_WRITES | E_TO2, CAP_CLONE, 0, P_COPY) \
	X(FDATASYNC, "fdatasync", METADATA, "h", E_FLUSHES, CAP_FSYNC, 0, P_FLUSH) \
	X(SYNC_RANGE, "sync-range", METADATA, "hol", E_NONE, CAP_SYNC_RANGE, 0, P_RANGE) \
	X(LOCK_TEST, "lock-test", METADATA, "hol", E_NONE, CAP_LOCK_TEST, 0, P_RANGE) \
	X(ACCESS, "access", METADATA, "pA", E_NONE, CAP_ACCESS, OP_LOOKUP, P_QUERY_PATH) \
	X(CHMOD, "chmod", METADATA, "pM", E_ALTERS, CAP_CHMOD, OP_LOOKUP, P_SET_PATH) \
	X(CHOWN, "chown", METADATA, "pug", E_ALTERS, CAP_CHOWN, OP_LOOKUP, P_SET_PATH) \
	X(SET_PATH_TIMES, "set-path-times", METADATA, "p", \
		E_ALTERS, CAP_PATH_TIMES, OP_LOOKUP, P_SET_PATH) \
	X(XATTR_GET, "xattr-get", METADATA, "pNse", E_NONE, CAP_XATTRS, OP_LOOKUP, P_GET_VALUE) \
	X(XATTR_SET, "xattr-set", METADATA, "pNs", E_ALTERS, CAP_XATTRS, OP_LOOKUP, P_SET_VALUE) \
	X(XATTR_LIST, "xattr-list", METADATA, "p", E_NONE, CAP_XATTRS, OP_LOOKUP, P_QUERY_PATH) \
	X(XATTR_REMOVE, "xattr-remove", METADATA, "pN", \
		E_ALTERS, CAP_XATTRS, OP_LOOKUP, P_SET_PATH) \
	X(TRANSACT, "transact", DATA, "sRc", E_NONE, CAP_TRANSACTIONS, 0, P_TRANSACTION)

#define OP_LIST(X) \
	OP_FILE_LIST(X) \
	PROCEDURE_LIST(OP_OF_PROCEDURE) \
	X(LOOP, "LOOP", CONTROL, "i", E_NONE, 0, 0, P_NONE) \
	X(ENDLOOP, "ENDLOOP", CONTROL, "", E_NONE, 0, 0, P_NONE) \
	X(PARALLEL, "PARALLEL", CONTROL, "i", E_NONE, 0, 0, P_NONE) \
	X(ENDPARALLEL, "ENDPARALLEL", CONTROL, "", E_NONE, 0, 0, P_NONE) \
	X(MIX, "MIX", CONTROL, "i", E_NONE, 0, 0, P_NONE) \
	X(BRANCH, "BEGIN", CONTROL, "i", E_NONE, 0, 0, P_NONE) /* one of the branches of a MIX */ \
	X(ENDMIX, "ENDMIX", CONTROL, "", E_NONE, 0, 0, P_NONE) \
	X(EVERY, "EVERY", CONTROL, "i", E_NONE, 0, 0, P_NONE) \
	X(ENDEVERY, "ENDEVERY", CONTROL, "", E_NONE, 0, 0, P_NONE) \
	X(LET, "LET", CONTROL, "io", E_NONE, 0, 0, P_NONE) \
	X(SLEEP, "SLEEP", CONTROL, "i", E_NONE, 0, 0, P_NONE) \
	X(SETSP, "SETSP", CONTROL, "i", E_NONE, 0, 0, P_NONE) \
	X(WAITSP, "WAITSP", CONTROL, "ii", E_NONE, 0, 0, P_NONE) \
	X(WRITEPATTERN, "WRITEPATTERN", CONTROL, "t", E_NONE, 0, 0, P_NONE) \
	X(RANDOMSTRING, "RANDOMSTRING", CONTROL, "it", E_NONE, 0, 0, P_NONE) \
	X(PHASE, "PHASE", CONTROL, "t", E_NONE, 0, 0, P_NONE) \
	X(STREAM, "STREAM", CONTROL, "i", E_NONE, 0, 0, P_NONE) \
	X(AFTER, "AFTER", CONTROL, "i", E_NONE, 0, 0, P_NONE) \
	X(SETUP, "SETUP", CONTROL, "i", E_NONE, 0, 0, P_NONE) \
	X(ENDSETUP, "ENDSETUP", CONTROL, "", E_NONE, 0, 0, P_NONE) \
	X(SKIP, "SKIP", CONTROL, "", E_NONE, 0, 0, P_NONE) /* an operation that fit.c disabled */

enum op_kind {
#define X(kind, ...) OP_##kind,
	OP_LIST(X)
#undef X
	OP_KINDS
};
/* clang-format on */

enum op_class { OP_CLASS_DATA, OP_CLASS_METADATA, OP_CLASS_CONTROL };

/* Return a column of the operation's row in OP_LIST. */
const char *op_verb(enum op_kind kind);
enum op_class op_class(enum op_kind kind);
const char *op_shape(enum op_kind kind);
unsigned op_needs(enum op_kind kind);
unsigned op_takes(enum op_kind kind);
enum op_packet op_packet(enum op_kind kind);

/* Is this a CONTROL operation? They come last in OP_LIST. */
static inline bool op_is_control(enum op_kind kind)
{
	return kind >= OP_LOOP;
}

/* Does this operation begin a block, which ends before op.jump? */
static inline bool op_begins_block(enum op_kind kind)
{
	return kind == OP_LOOP || kind == OP_PARALLEL || kind == OP_MIX || kind == OP_EVERY;
}

/* Is this a procedure of NFS or NLM? They are consecutive in OP_LIST. */
static inline bool op_is_procedure(enum op_kind kind)
{
	return kind >= OP_NFS_GETATTR && kind <= OP_NLM_TEST;
}

/* Convert an operation to its procedure. op_is_procedure() must be true. */
static inline enum procedure op_procedure(enum op_kind kind)
{
	return (enum procedure)(kind - OP_NFS_GETATTR);
}

/* Does this operation access op.path2, too, such as a rename's new name? */
static inline bool op_accesses_two(enum op_kind kind)
{
	return kind == OP_RENAME || kind == OP_LINK || kind == OP_NFS_RENAME || kind == OP_NFS_LINK;
}

/* Does this operation use op.handle2, too, as the file to write to? */
static inline bool op_uses_two_handles(enum op_kind kind)
{
	return kind == OP_COPY || kind == OP_CLONE;
}

/* The handle of the file that the operation changes, if it changes one. */
#define op_changed_handle(op) (op_uses_two_handles((op)->kind) ? (op)->handle2 : (op)->handle)

/* Does this operation move the value or the names of extended attributes? */
static inline bool op_moves_attributes(enum op_kind kind)
{
	return kind >= OP_XATTR_GET && kind <= OP_XATTR_LIST;
}

/* Does this operation read, or write, a file's data? */
static inline bool op_reads(enum op_kind kind)
{
	return kind == OP_READ || kind == OP_NFS_READ;
}

static inline bool op_writes(enum op_kind kind)
{
	return kind == OP_WRITE || kind == OP_NFS_WRITE;
}

/* Return the direction in which this operation moves data. A TRANSACT sends and
 * receives. */
static inline enum direction op_direction(enum op_kind kind)
{
	if (kind == OP_TRANSACT)
		return DIRECTION_BOTH;
	return op_reads(kind) ? DIRECTION_READ : op_writes(kind) ? DIRECTION_WRITE : DIRECTION_NONE;
}

/* The connection of a TRANSACT: the user's permanent connection, or a new one
 * that is closed normally or by a reset. */
enum op_connection { OP_KEEP, OP_CLOSING, OP_RESETTING, OP_CONNECTIONS };

/* The kinds of SETUP (study/walk.h). */
enum op_setup {
	OP_SETUP_EACH,    /* each user plays it */
	OP_SETUP_SHARED,  /* one user plays it while the others wait */
	OP_SETUP_RESTORE, /* as OP_SETUP_EACH; restored between loops */
	OP_SETUPS
};

/* The value of op.handle, op.handle2, op.path and op.path2 if the operation has
 * none. */
#define OP_NONE UINT32_MAX

/* CHOWN: the value of op.user_id and op.group_id that keeps the owner. */
#define OP_UNCHANGED UINT32_MAX

/* op.flags: modifiers of the operation. */
enum op_flag {
	/* If the target is a local path, first look the name up, as a file
	 * server would. */
	OP_LOOKUP = 1 << 0,
	/* op.offset is an index into program->formulas. */
	OP_COMPUTED = 1 << 1,
	/* Flush the file after the write, or before the close. */
	OP_FLUSH = 1 << 2,
	/* Flush the parent directory after the operation. */
	OP_SYNC_PARENT = 1 << 3,
	/* RENAME fails if the new name exists. */
	OP_NO_REPLACE = 1 << 4,
	/* CLOSE removes the file, whose path is op.path. */
	OP_DELETE = 1 << 5,
	/* op.expect is valid, or the size with OP_SIZED; any other count gives
	 * the outcome SHORT. */
	OP_COUNTED = 1 << 6,
	/* CLOSE: the handle was opened as a directory. */
	OP_DIRECTORY = 1 << 7,
	/* DATA: part of a split operation; start where the previous part
	 * ended (transform.h). */
	OP_CONTINUED = 1 << 8,
	/* A mismatch is counted, but does not end the run, unless the open of
	 * the op's file had failed or the target is lost. */
	OP_FORGIVEN = 1 << 9,
	/* Leave out a DATA operation, and assume that it moved the recorded
	 * size (play/files.c). */
	OP_PRETENDED = 1 << 10,
	/*
	 * Leave out the operation if a stat shows that it would fail. An OPEN
	 * is always played, but without OPEN_CREATE if the file exists
	 * (play/files.c).
	 */
	OP_STAT_FIRST = 1 << 11,
	/* Leave out a WRITE of one byte if the file already has this byte. */
	OP_READ_FIRST = 1 << 12,
	/* op.size (LOOP and MIX: op.count) is an index into
	 * program->formulas. A read or write with OP_COUNTED expects its
	 * computed size. */
	OP_SIZED = 1 << 13,
	/* The offset is the position of the handle, as read(2) keeps it. */
	OP_NEXT = 1 << 14,
};

/* The offset or size of such an operation is known only when it is played. */
#define OP_VARIES (OP_COMPUTED | OP_CONTINUED | OP_SIZED | OP_NEXT)

#define OP_COMPAT (OP_PRETENDED | OP_STAT_FIRST | OP_READ_FIRST)

/* One operation. It has only 48 bytes, as many users read millions of
 * operations. */
struct op {
	uint8_t kind;        /* enum op_kind */
	uint8_t label;       /* index into program->labels */
	uint16_t flags;      /* enum op_flag */
	outcome_set accepts; /* every other outcome is a mismatch */
	uint32_t handle;     /* slot in a user's table of open handles */
	uint32_t path;       /* index into program->paths */
	union {
		uint32_t path2;   /* the second path; LIST: the directory;
				   * SYMLINK: the link's content */
		uint32_t handle2; /* COPY, CLONE: slot of the file to write */
	};
	uint32_t expect; /* recorded bytes or entries;
			  * TRANSACT: size of the reply in bytes;
			  * BRANCH: sum of the weights of this branch and
			  * those after it;
			  * PHASE: its items, an index into
			  * program->texts */
	union {
		/* Offset in bytes; LET, SLEEP: the formula; see OP_COMPUTED */
		uint64_t offset;
		/* LOOP, MIX, EVERY: the op after the block; ENDLOOP, ENDMIX: the first
		 * op in it; BRANCH: the next BRANCH or the ENDMIX */
		uint64_t jump;
	};
	union {
		uint64_t size;        /* size of the data or lock, in bytes */
		uint64_t open_flags;  /* OPEN: enum open_flag */
		uint64_t max_entries; /* LIST: max number of entries */
		uint64_t count;       /* LOOP, MIX: rounds;
				       * EVERY: play the block each time
				       * that this number is reached, or
				       * never if 0 */
		uint64_t weight;      /* BRANCH */
		uint64_t sleep_ns;    /* SLEEP */
		uint64_t number;      /* SETSP, WAITSP: the sequence point;
				       * RANDOMSTRING: the slot;
				       * STREAM, AFTER: the stream;
				       * PHASE: index into
				       * program->phases;
				       * SETUP: enum op_setup */
		uint64_t offset2;     /* COPY, CLONE: offset in the file to
				       * write */
		struct {
			uint32_t user_id, group_id; /* CHOWN; OP_UNCHANGED */
		};
	};
	union {
		uint32_t text;       /* WRITEPATTERN, RANDOMSTRING, PHASE,
				      * XATTR_*: index into program->texts */
		uint32_t mode;       /* see words/operation.h */
		uint32_t bytes;      /* COPY, CLONE; CLONE: 0 means up to the
				      * end of the file */
		uint32_t user;       /* WAITSP: the user to wait for */
		uint32_t stable;     /* NFS_WRITE: stable_how (RFC 1813) */
		uint32_t connection; /* TRANSACT: enum op_connection */
		uint32_t variable;   /* LET; LOOP, ENDLOOP: the counter, or
				      * OP_NONE */
		uint32_t counter;    /* EVERY: number of its counter, from 0 to
				      * program->every_count - 1 */
		uint32_t request;    /* OPEN, STAT, FSTAT, SET_TIMES, STATVFS,
				      * LIST, UNLINK, UNLINK_MATCHING: index
				      * into program->requests */
	};
	uint32_t line; /* line number in the loadfile, from 1 */
};

/* Return the effect of this operation, as bits of enum op_effect: that in its
 * row, corrected by its flags and modes. */
unsigned op_effect(const struct op *op);

/* Does the operation create, change or remove the file at its path? Writes
 * through a handle are not included. */
bool op_changes_path(const struct op *op);

/* Does this kind of operation change a file by its handle
 * (op_changed_handle)? */
bool op_changes_file(enum op_kind kind);

#endif
