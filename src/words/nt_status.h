/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * NT statuses (MS-ERREF 2.3), with which SMB servers answer: their names, as
 * loadfiles and messages have them, and their errnos.
 */
#ifndef WORDS_NT_STATUS_H
#define WORDS_NT_STATUS_H

#include <stdbool.h>
#include <stdint.h>

#define NT_STATUS_OK UINT32_C(0)
#define NT_STATUS_BUFFER_OVERFLOW UINT32_C(0x80000005)
#define NT_STATUS_NO_MORE_FILES UINT32_C(0x80000006)
#define NT_STATUS_INVALID_PARAMETER UINT32_C(0xc000000d)
#define NT_STATUS_NO_SUCH_FILE UINT32_C(0xc000000f)
/* The end of a file, which backends report as a read of 0 bytes. */
#define NT_STATUS_END_OF_FILE UINT32_C(0xc0000011)
#define NT_STATUS_MORE_PROCESSING_REQUIRED UINT32_C(0xc0000016)
#define NT_STATUS_INVALID_VIEW_SIZE UINT32_C(0xc000001f)
#define NT_STATUS_CANCELLED UINT32_C(0xc0000120)
#define NT_STATUS_CANNOT_DELETE UINT32_C(0xc0000121)

struct nt_status {
	uint32_t number;
	int error_number; /* errno, or 0 for a success */
	const char *name; /* with the prefix NT_STATUS_ */
};

/* Return the status, or NULL if it is not known. */
const struct nt_status *nt_status_find(uint32_t number);
const struct nt_status *nt_status_by_name(const char *name);

/* Is this a failure? Other statuses than NT_STATUS_OK may be neither a failure
 * nor a success; see smb2_reply_check(). */
bool nt_status_is_failure(uint32_t number);

/* Convert a status to 0 or -errno. Unknown statuses become -EIO. That a reply
 * was cut off is not a failure. */
int nt_status_errno(uint32_t number);

#endif
