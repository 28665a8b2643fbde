/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How an operation can end: the one list on which NT statuses, NFS statuses
 * and errnos meet. Loadfiles record outcomes, backends report errnos; an operation
 * carries the set of outcomes that it accepts, and one bit test decides.
 */
#ifndef PROGRAM_OUTCOME_H
#define PROGRAM_OUTCOME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * X(outcome, errno): the errno is the outcome's name in the native dialect.
 * SHORT is an operation that succeeded with another count of bytes or entries
 * than the recorded one.
 */
#define OUTCOME_LIST(X) \
	X(OK, 0) \
	X(SHORT, ENODATA) \
	X(NOT_FOUND, ENOENT) \
	X(EXISTS, EEXIST) \
	X(NOT_EMPTY, ENOTEMPTY) \
	X(IS_DIRECTORY, EISDIR) \
	X(NOT_DIRECTORY, ENOTDIR) \
	X(DENIED, EACCES) \
	X(NOT_PERMITTED, EPERM) \
	X(BUSY, EBUSY) \
	X(BAD_HANDLE, EBADF) \
	X(LOCKED, EAGAIN) \
	X(NO_SPACE, ENOSPC) \
	X(QUOTA, EDQUOT) \
	X(READ_ONLY, EROFS) \
	X(TOO_LARGE, EFBIG) \
	X(NAME_TOO_LONG, ENAMETOOLONG) \
	X(TOO_MANY_OPEN, EMFILE) \
	X(SYMBOLIC_LINK, ELOOP) \
	X(TOO_MANY_LINKS, EMLINK) \
	X(CROSS_DEVICE, EXDEV) \
	X(INVALID, EINVAL) \
	X(UNSUPPORTED, EOPNOTSUPP) \
	X(STALE, ESTALE) \
	X(NO_DEVICE, ENXIO) \
	X(REMOTE, EREMOTE) \
	X(NOT_SYNC, EREMCHG) \
	X(BAD_COOKIE, EBADR) \
	X(SERVER_FAULT, EREMOTEIO) \
	X(TIMED_OUT, ETIMEDOUT) \
	X(DISCONNECTED, ENOTCONN) \
	X(IO, EIO)

enum outcome {
#define X(outcome, error_number) OUTCOME_##outcome,
	OUTCOME_LIST(X)
#undef X
	OUTCOME_COUNT
};

/* A set of outcomes, one bit each. */
typedef uint32_t outcome_set;

#define OUTCOME_BIT(outcome) (UINT32_C(1) << OUTCOME_##outcome)

/* The target does not answer any more. */
#define OUTCOME_LOSS (OUTCOME_BIT(TIMED_OUT) | OUTCOME_BIT(DISCONNECTED))

/*
 * The sets that `*` and ERROR stand for. A lost target is in neither, as no
 * load means that; a set that names such an outcome itself holds it.
 */
#define OUTCOME_ANY ((UINT32_MAX >> (32 - OUTCOME_COUNT)) & ~OUTCOME_LOSS)
#define OUTCOME_ANY_FAILURE (OUTCOME_ANY & ~OUTCOME_BIT(OK))

static inline bool outcome_in(outcome_set set, enum outcome outcome)
{
	return (set >> outcome & 1) != 0;
}

/* The outcome of an errno (> 0; 0 is OK). An unknown one is IO. */
enum outcome outcome_from_errno(int error_number);

static inline bool outcome_is_loss(enum outcome outcome)
{
	return outcome_in(OUTCOME_LOSS, outcome);
}

/*
 * What an NT status accepts, given by name ("NT_STATUS_NO_SUCH_FILE") or
 * number ("0xc000000f"), after [MS-ERREF] 2.3: more than one outcome where
 * file systems tell apart what SMB does not. Returns 0, or -EINVAL for one
 * that is not known.
 */
int outcome_from_nt_status(const char *text, outcome_set *set);

/*
 * The same for a status of NFSv3 or, with `lock_manager`, of NLM 4, given as
 * a number ("0x00000002"): one outcome.
 */
int outcome_from_nfs_status(const char *text, bool lock_manager,
			    outcome_set *set);

/*
 * The set with the kin of its members: EPERM of EACCES, EDQUOT of ENOSPC.
 * Where a procedure's emulation is played, a file system decides which of the
 * two it is, not the server that was recorded.
 */
outcome_set outcome_kin(outcome_set set);

/*
 * A set as the native dialect spells it: "*", "ERROR", or errno names joined
 * by "|" ("OK|EEXIST"). Returns 0, or -EINVAL.
 */
int outcome_parse_set(const char *text, outcome_set *set);

/* The same, printed: at most OUTCOME_TEXT bytes. Returns `text`. */
enum { OUTCOME_TEXT = 384 };
char *outcome_print_set(outcome_set set, char text[OUTCOME_TEXT]);

#endif
