/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * NT statuses (MS-ERREF 2.3) in replies of SMB2.
 */
#ifndef SMB2CLIENT_STATUS_H
#define SMB2CLIENT_STATUS_H

#include <stdbool.h>
#include <stdint.h>

#define STATUS_OK UINT32_C(0)
#define STATUS_BUFFER_OVERFLOW UINT32_C(0x80000005)
#define STATUS_NO_MORE_FILES UINT32_C(0x80000006)
#define STATUS_END_OF_FILE UINT32_C(0xc0000011)
#define STATUS_MORE_PROCESSING_REQUIRED UINT32_C(0xc0000016)
#define STATUS_NO_SUCH_FILE UINT32_C(0xc000000f)
#define STATUS_CANCELLED UINT32_C(0xc0000120)
#define STATUS_CANNOT_DELETE UINT32_C(0xc0000121)
#define STATUS_INVALID_PARAMETER UINT32_C(0xc000000d)
#define STATUS_INVALID_VIEW_SIZE UINT32_C(0xc000001f)

/* Is this a failure? Other statuses than STATUS_OK may be neither a failure nor
 * a success; see smb2_reply_check(). */
bool smb2_is_failure(uint32_t status);

/* Convert a status to 0 or -errno. Unknown statuses become -EIO. That a reply
 * was cut off is not a failure. */
int smb2_errno(uint32_t status);

/* Return a description of a status after which a session or its share cannot be
 * used any more, or NULL for all others (MS-SMB2 3.3.5.2.9, 3.3.5.2.11). */
const char *smb2_loss(uint32_t status);

#endif
