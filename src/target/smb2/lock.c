/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/smb2/session.h"

#include <errno.h>

enum { UNLOCK_MAX = 64 }; /* ranges in a request; servers accept as many */

/* Return the range of a call. A length of 0 means up to the end of any file. */
static struct smb2_range range_of(uint64_t offset, uint64_t length)
{
	return (struct smb2_range){
		.offset = offset,
		.length = length > 0 ? length : INT64_MAX - offset,
	};
}

/* Begin a message that changes locks. */
static void put_locks(struct backend_session *session, int64_t handle,
		      const struct smb2_range *ranges, unsigned count, uint32_t flags)
{
	smb2_put_lock(smb2_begin(&session->smb), session->user->handles[handle].id, ranges, count,
		      flags);
}

static int unlock(struct backend_session *session, int64_t handle, const struct smb2_range *ranges,
		  unsigned count)
{
	put_locks(session, handle, ranges, count, SMB2_LOCK_UNLOCK);
	return smb2_call(&session->smb);
}

void smb2_on_wait(struct backend_session *session, backend_wait *wait, void *context)
{
	session->wait = wait;
	session->waiter = context;
}

int smb2_lock(struct backend_session *session, int64_t handle, uint64_t offset, uint64_t length,
	      unsigned mode)
{
	struct smb2_range range = range_of(offset, length);
	struct smb2_user *user = session->user;
	uint32_t flags = (mode & LOCK_SHARED) != 0 ? SMB2_LOCK_SHARED : SMB2_LOCK_EXCLUSIVE;
	bool waits = (mode & LOCK_TRY) == 0;
	int rc;

	if (user->held_count + user->asked_count == SMB2_HELD_MAX)
		return -ENOLCK;
	if (!waits)
		flags |= SMB2_LOCK_FAIL;
	user->asked_count++;
	put_locks(session, handle, &range, 1, flags);
	rc = waits ? smb2_call_waiting(&session->smb, session->wait, session->waiter)
		   : smb2_call(&session->smb);
	user->asked_count--;
	if (rc == 0)
		user->held[user->held_count++] = (struct smb2_held){
			.handle = handle,
			.range = range,
		};
	return rc;
}

static void forget(struct smb2_user *user, unsigned number)
{
	user->held[number] = user->held[--user->held_count];
}

/* Return the number of the lock with exactly this range, or -1. */
static int find_exact(const struct smb2_user *user, int64_t handle, const struct smb2_range *range)
{
	unsigned i;

	for (i = 0; i < user->held_count; i++)
		if (user->held[i].handle == handle && user->held[i].range.offset == range->offset &&
		    user->held[i].range.length == range->length)
			return (int)i;
	return -1;
}

/* Forget the lock with exactly this range, if it is known: others have been taken and
 * released while the server unlocked it. */
static void forget_exact(struct smb2_user *user, int64_t handle, const struct smb2_range *range)
{
	int found = find_exact(user, handle, range);

	if (found >= 0)
		forget(user, (unsigned)found);
}

/* Is `inner` a part of `outer`? Both end within 64 bits. */
static bool contains(const struct smb2_range *outer, const struct smb2_range *inner)
{
	return inner->offset >= outer->offset && inner->length <= outer->length &&
	       inner->offset - outer->offset <= outer->length - inner->length;
}

/* Unlock up to UNLOCK_MAX of the locks that lie in a range. Return their number
 * or -errno. */
static int unlock_some(struct backend_session *session, int64_t handle,
		       const struct smb2_range *range)
{
	struct smb2_user *user = session->user;
	struct smb2_range ranges[UNLOCK_MAX];
	unsigned count = 0, i;
	int rc;

	for (i = 0; i < user->held_count && count < UNLOCK_MAX; i++)
		if (user->held[i].handle == handle && contains(range, &user->held[i].range))
			ranges[count++] = user->held[i].range;
	if (count == 0)
		return 0;
	rc = unlock(session, handle, ranges, count);
	if (rc < 0)
		return rc;
	for (i = 0; i < count; i++)
		forget_exact(user, handle, &ranges[i]);
	return (int)count;
}

int smb2_unlock(struct backend_session *session, int64_t handle, uint64_t offset, uint64_t length)
{
	struct smb2_range range = range_of(offset, length);
	int rc, total = 0;

	/* A range that was locked more than once is unlocked once, as the
	 * request says. */
	if (find_exact(session->user, handle, &range) < 0) {
		while ((rc = unlock_some(session, handle, &range)) > 0)
			total += rc;
		if (rc < 0 || total > 0)
			return rc;
	}
	rc = unlock(session, handle, &range, 1);
	if (rc == 0)
		forget_exact(session->user, handle, &range);
	return rc;
}

void smb2_forget_locks(struct smb2_user *user, int64_t handle)
{
	unsigned i;

	for (i = user->held_count; i-- > 0;)
		if (user->held[i].handle == handle)
			forget(user, i);
}
