/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The raw SMB engine's slots for the size and space of open files, and for
 * copies by the server; see backend.h.
 */
#ifndef TARGET_SMB2_SPACE_H
#define TARGET_SMB2_SPACE_H

#include "target/smb2/user.h"

/*
 * Allocate or free space (MS-FSCC 2.4.4, 2.3.65). SMB sets the allocated size of
 * a file, which is no less than the file's size. So a range that ends before the
 * end of the file is left as it is.
 */
int smb2_allocate(struct backend_session *session, int64_t handle, uint64_t offset, uint64_t length,
		  unsigned mode);

int smb2_identify(struct backend_session *session, int64_t handle, struct backend_file *file);

/* Copy with FSCTL_SRV_COPYCHUNK_WRITE (3.3.5.15.6). The first copy from a handle
 * takes a round trip more, and so does one that reaches the end of the file. */
int64_t smb2_copy(struct backend_session *session, int64_t from, uint64_t from_offset, int64_t to,
		  uint64_t to_offset, uint64_t bytes);

/* Does the server allocate space when it is asked to? The file must be empty,
 * and may be changed. */
bool smb2_can_allocate(struct backend_session *session, int64_t handle);

#endif
