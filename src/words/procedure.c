/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "words/procedure.h"

#include <errno.h>
#include <stddef.h>

struct status {
	uint32_t number;
	int error_number;
};

static const struct status nfs_statuses[] = {
	{0, 0},
	{1, EPERM},
	{2, ENOENT},
	{5, EIO},
	{6, ENXIO},
	{13, EACCES},
	{17, EEXIST},
	{18, EXDEV},
	{19, ENXIO}, /* NODEV */
	{20, ENOTDIR},
	{21, EISDIR},
	{22, EINVAL},
	{27, EFBIG},
	{28, ENOSPC},
	{30, EROFS},
	{31, EMLINK},
	{63, ENAMETOOLONG},
	{66, ENOTEMPTY},
	{69, EDQUOT},
	{70, ESTALE},
	{71, EREMOTE},
	{10001, EBADF},      /* BADHANDLE */
	{10002, EREMCHG},    /* NOT_SYNC */
	{10003, EBADR},      /* BAD_COOKIE */
	{10004, EOPNOTSUPP}, /* NOTSUPP */
	{10005, EINVAL},     /* TOOSMALL */
	{10006, EREMOTEIO},  /* SERVERFAULT */
	{10007, EINVAL},     /* BADTYPE */
	{10008, EBUSY},      /* JUKEBOX */
};

/* The statuses of NLM 4: nlm4_stats in The Open Group's "Protocols for
 * Interworking: XNFS". */
static const struct status nlm_statuses[] = {
	{0, 0},         /* GRANTED */
	{1, EAGAIN},    /* DENIED */
	{2, ENOSPC},    /* DENIED_NOLOCKS */
	{3, EBUSY},     /* BLOCKED */
	{4, EACCES},    /* DENIED_GRACE_PERIOD */
	{5, EINVAL},    /* DEADLCK */
	{6, EROFS},     /* ROFS */
	{7, ESTALE},    /* STALE_FH */
	{8, EFBIG},     /* FBIG */
	{9, EREMOTEIO}, /* FAILED */
};

static int find(const struct status *statuses, size_t count, uint32_t number)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (statuses[i].number == number)
			return statuses[i].error_number;
	return -1;
}

int procedure_nfs_errno(uint32_t status)
{
	return find(nfs_statuses, sizeof(nfs_statuses) / sizeof(nfs_statuses[0]), status);
}

int procedure_nlm_errno(uint32_t status)
{
	return find(nlm_statuses, sizeof(nlm_statuses) / sizeof(nlm_statuses[0]), status);
}
