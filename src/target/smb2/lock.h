/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The raw SMB engine's slots for locks; see backend.h. SMB unlocks a range only
 * as it was locked, while POSIX unlocks any number of ranges in one call. So the
 * session remembers its locks, and one request unlocks all that lie in a range.
 * There is no slot for lock_test: SMB has no such request. To try a lock and
 * release it takes two requests, finds the session's own locks, too, and lets
 * other users run into a lock that the load does not have.
 */
#ifndef TARGET_SMB2_LOCK_H
#define TARGET_SMB2_LOCK_H

#include "target/smb2/user.h"

void smb2_on_wait(struct backend_session *session, backend_wait *wait, void *context);
int smb2_lock(struct backend_session *session, int64_t handle, uint64_t offset, uint64_t length,
	      unsigned mode);
/* If the session remembers no lock in the range, the server decides: it fails
 * with RANGE_NOT_LOCKED, or -EINVAL. */
int smb2_unlock(struct backend_session *session, int64_t handle, uint64_t offset, uint64_t length);

/* Forget the locks on a file that is being closed, which releases them. */
void smb2_forget_locks(struct backend_session *session, int64_t handle);

#endif
