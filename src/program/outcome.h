/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Outcomes of operations: a common form for NT statuses, NFS statuses and
 * errnos. Each operation has a set of accepted outcomes, from the loadfile. The
 * errno that a backend returns is converted to an outcome and tested against
 * that set.
 */
#ifndef PROGRAM_OUTCOME_H
#define PROGRAM_OUTCOME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * X(outcome, errno). The name of the errno is also the outcome's name in the
 * native dialect. SHORT means that the operation succeeded, but the number of
 * bytes or entries differs from the recorded one.
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

/* clang-format off */
enum outcome {
#define X(outcome, error_number) OUTCOME_##outcome,
	OUTCOME_LIST(X)
#undef X
	OUTCOME_COUNT
};
/* clang-format on */

/* A set of outcomes, one bit each. */
typedef uint32_t outcome_set;

#define OUTCOME_BIT(outcome) (UINT32_C(1) << OUTCOME_##outcome)

/* Outcomes which mean that the target no longer answers. */
#define OUTCOME_LOSS (OUTCOME_BIT(TIMED_OUT) | OUTCOME_BIT(DISCONNECTED))

/*
 * The sets for `*` and ERROR. They do not include the loss of the target. To
 * accept that, a load must name the outcome.
 */
#define OUTCOME_ANY ((UINT32_MAX >> (32 - OUTCOME_COUNT)) & ~OUTCOME_LOSS)
#define OUTCOME_ANY_FAILURE (OUTCOME_ANY & ~OUTCOME_BIT(OK))

static inline bool outcome_in(outcome_set set, enum outcome outcome)
{
	return (set >> outcome & 1) != 0;
}

/* Return the outcome for an errno (> 0), or OK for 0, or IO if the errno is not
 * in the list. */
enum outcome outcome_from_errno(int error_number);

static inline bool outcome_is_loss(enum outcome outcome)
{
	return outcome_in(OUTCOME_LOSS, outcome);
}

/*
 * Convert an NT status to the set of outcomes that it accepts. The text is a
 * name ("NT_STATUS_NO_SUCH_FILE") or a number ("0xc000000f") of [MS-ERREF] 2.3.
 * The set has several outcomes where file systems distinguish cases that SMB
 * does not. Return 0, or -EINVAL for an unknown status.
 */
int outcome_from_nt_status(const char *text, outcome_set *set);

/*
 * Convert a status of NFSv3 (or of NLM 4, if `lock_manager`) to a set of one
 * outcome. The text is a number ("0x00000002"). Return 0 or -EINVAL.
 */
int outcome_from_nfs_status(const char *text, bool lock_manager, outcome_set *set);

/*
 * Return the set, extended so that it has both or neither of EPERM and EACCES,
 * and both or neither of EDQUOT and ENOSPC. File systems and NFS servers choose
 * differently between these, so an emulated NFS procedure must accept both.
 */
outcome_set outcome_kin(outcome_set set);

/*
 * Parse a set in the native dialect: "*", "ERROR", or errno names joined by "|"
 * ("OK|EEXIST"). Return 0 or -EINVAL.
 */
int outcome_parse_set(const char *text, outcome_set *set);

/* Print a set in the form that outcome_parse_set reads. Return `text`. */
enum { OUTCOME_TEXT = 384 };
char *outcome_print_set(outcome_set set, char text[OUTCOME_TEXT]);

#endif
