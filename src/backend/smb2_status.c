/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "backend/smb2_status.h"

#include <errno.h>
#include <stddef.h>

/* Sorted by status. These are the outcomes of program/outcome.c, which backends
 * do not know; a unit test compares them. */
static const struct row {
	uint32_t status;
	int number;
} rows[] = {
	{0x80000006, ENOENT},     /* NO_MORE_FILES */
	{0x8000002d, ELOOP},      /* STOPPED_ON_SYMLINK */
	{0xc0000002, EOPNOTSUPP}, /* NOT_IMPLEMENTED */
	{0xc0000003, EINVAL},     /* INVALID_INFO_CLASS */
	{0xc0000008, EBADF},      /* INVALID_HANDLE */
	{0xc000000d, EINVAL},     /* INVALID_PARAMETER */
	{0xc000000f, ENOENT},     /* NO_SUCH_FILE */
	{0xc0000010, EINVAL},     /* INVALID_DEVICE_REQUEST */
	{0xc0000017, ENOMEM},     /* NO_MEMORY */
	{0xc0000022, EACCES},     /* ACCESS_DENIED */
	{0xc0000033, EINVAL},     /* OBJECT_NAME_INVALID */
	{0xc0000034, ENOENT},     /* OBJECT_NAME_NOT_FOUND */
	{0xc0000035, EEXIST},     /* OBJECT_NAME_COLLISION */
	{0xc0000039, EINVAL},     /* OBJECT_PATH_INVALID */
	{0xc000003a, ENOENT},     /* OBJECT_PATH_NOT_FOUND */
	{0xc000003b, EINVAL},     /* OBJECT_PATH_SYNTAX_BAD */
	{0xc0000043, EBUSY},      /* SHARING_VIOLATION */
	{0xc0000044, EDQUOT},     /* QUOTA_EXCEEDED */
	{0xc0000054, EAGAIN},     /* FILE_LOCK_CONFLICT */
	{0xc0000055, EAGAIN},     /* LOCK_NOT_GRANTED */
	{0xc0000056, EBUSY},      /* DELETE_PENDING */
	{0xc0000061, EPERM},      /* PRIVILEGE_NOT_HELD */
	{0xc0000064, EACCES},     /* NO_SUCH_USER */
	{0xc000006a, EACCES},     /* WRONG_PASSWORD */
	{0xc000006d, EACCES},     /* LOGON_FAILURE */
	{0xc000006e, EACCES},     /* ACCOUNT_RESTRICTION */
	{0xc0000070, EACCES},     /* INVALID_WORKSTATION */
	{0xc0000071, EACCES},     /* PASSWORD_EXPIRED */
	{0xc0000072, EACCES},     /* ACCOUNT_DISABLED */
	{0xc000007e, EINVAL},     /* RANGE_NOT_LOCKED */
	{0xc000007f, ENOSPC},     /* DISK_FULL */
	{0xc000009a, ENOSPC},     /* INSUFFICIENT_RESOURCES */
	{0xc00000a2, EROFS},      /* MEDIA_WRITE_PROTECTED */
	{0xc00000b5, ETIMEDOUT},  /* IO_TIMEOUT */
	{0xc00000ba, EISDIR},     /* FILE_IS_A_DIRECTORY */
	{0xc00000bb, EOPNOTSUPP}, /* NOT_SUPPORTED */
	{0xc00000be, ENOENT},     /* BAD_NETWORK_PATH */
	{0xc00000c9, ENOTCONN},   /* NETWORK_NAME_DELETED */
	{0xc00000cc, ENOENT},     /* BAD_NETWORK_NAME */
	{0xc00000d4, EXDEV},      /* NOT_SAME_DEVICE */
	{0xc0000101, ENOTEMPTY},  /* DIRECTORY_NOT_EMPTY */
	{0xc0000103, ENOTDIR},    /* NOT_A_DIRECTORY */
	{0xc0000106, ENAMETOOLONG}, /* NAME_TOO_LONG */
	{0xc000011f, EMFILE},     /* TOO_MANY_OPENED_FILES */
	{0xc0000120, ETIMEDOUT},  /* CANCELLED */
	{0xc0000121, EACCES},     /* CANNOT_DELETE */
	{0xc0000128, EBADF},      /* FILE_CLOSED */
	{0xc000015b, EACCES},     /* LOGON_TYPE_NOT_GRANTED */
	{0xc000019c, EOPNOTSUPP}, /* FS_DRIVER_REQUIRED */
	{0xc0000203, ENOTCONN},   /* USER_SESSION_DELETED */
	{0xc000020c, ENOTCONN},   /* CONNECTION_DISCONNECTED */
	{0xc000020d, ECONNRESET}, /* CONNECTION_RESET */
	{0xc0000224, EACCES},     /* PASSWORD_MUST_CHANGE */
	{0xc0000225, ENOENT},     /* NOT_FOUND */
	{0xc0000234, EACCES},     /* ACCOUNT_LOCKED_OUT */
	{0xc0000265, EMLINK},     /* TOO_MANY_LINKS */
	{0xc000035c, ENOTCONN},   /* NETWORK_SESSION_EXPIRED */
	{0xc0000904, EFBIG},      /* FILE_TOO_LARGE */
};

const char *smb2_loss(uint32_t status)
{
	switch (status) {
	case 0xc00000c9:
		return "the server has closed the share: "
		       "NT_STATUS_NETWORK_NAME_DELETED";
	case 0xc0000203:
		return "the server has ended the session: "
		       "NT_STATUS_USER_SESSION_DELETED";
	case 0xc000035c:
		return "the session has expired: "
		       "NT_STATUS_NETWORK_SESSION_EXPIRED";
	default:
		return NULL;
	}
}

int smb2_errno(uint32_t status)
{
	size_t low = 0, high = sizeof(rows) / sizeof(rows[0]);

	if (status == STATUS_OK)
		return 0;
	while (low < high) {
		size_t middle = (low + high) / 2;

		if (rows[middle].status == status)
			return -rows[middle].number;
		if (rows[middle].status < status)
			low = middle + 1;
		else
			high = middle;
	}
	/* The upper two bits are the severity; 3 means an error. */
	return status >> 30 == 3 ? -EIO : 0;
}
