/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Locks on ranges of files. */
#include "capture/model/recording_state.h"

#include "base/array.h"

#include <errno.h>

/* Max number of locks of a file that are followed. */
enum { LOCKS_MAX = 256 };

/* Is part of a range held by a lock that a new one would replace? Locks of the
 * same kind add up on all targets. */
static bool is_replaced(const struct file *file, uint64_t from, uint64_t to, bool shared)
{
	size_t i;

	for (i = 0; i < file->lock_count; i++)
		if (file->locks[i].from < to && from < file->locks[i].to &&
		    file->locks[i].shared != shared)
			return true;
	return false;
}

/* Take a range out of the locks that are held. */
static int release(struct file *file, uint64_t from, uint64_t to)
{
	size_t i;

	for (i = 0; i < file->lock_count; i++) {
		struct held_lock *held = &file->locks[i], rest = *held;

		if (held->to <= from || to <= held->from)
			continue;
		rest.from = to;
		if (held->from < from) {
			held->to = from;
		} else {
			*held = file->locks[--file->lock_count];
			i--;
		}
		if (rest.from < rest.to && file->lock_count < LOCKS_MAX &&
		    array_append(&file->locks, &file->lock_count, &rest, sizeof(rest)) < 0)
			return -ENOMEM;
	}
	return 0;
}

/*
 * Follow a lock or an unlock that has succeeded. A lock of POSIX replaces those
 * that the process has on the range, in one step. On a file server, it would wait
 * for them: unlock them before.
 */
static bool follow(struct recording *recording, struct file *file, const struct op *op)
{
	uint64_t from = op->offset;
	uint64_t to = op->size > 0 ? op->offset + op->size : UINT64_MAX;
	struct held_lock held = {from, to, (op->mode & LOCK_SHARED) != 0};

	if (op->kind == OP_LOCK && is_replaced(file, from, to, held.shared)) {
		struct op unlock = *op;

		unlock.kind = OP_UNLOCK;
		unlock.mode = 0;
		account_set(&recording->account, ACCOUNT_NEAR,
			    "lock that replaces another as unlock, lock");
		if (!recording_append(recording, &unlock))
			return false;
	}
	if (release(file, from, to) < 0 ||
	    (op->kind == OP_LOCK && file->lock_count < LOCKS_MAX &&
	     array_append(&file->locks, &file->lock_count, &held, sizeof(held)) < 0))
		recording->failed = true;
	return true;
}

/*
 * fcntl() grants a lock only if the file is open for what the lock protects. SMB
 * and flock() do not care. A replay on SMB sends the lock as it was.
 */
static void fit_access(struct recording *recording, const struct file *file, struct op *op)
{
	bool shared = (op->mode & LOCK_SHARED) != 0;

	if (shared ? file->reads : file->writes)
		return;
	if ((recording->options & RECORDING_FREE_LOCKS) != 0) {
		op->accepts |= OUTCOME_BIT(BAD_HANDLE);
		account_set(&recording->account, ACCOUNT_NEAR,
			    shared ? "shared lock of a write-only open, which only SMB grants"
				   : "exclusive lock of a read-only open, which only SMB grants");
		return;
	}
	op->mode ^= LOCK_SHARED;
	account_set(&recording->account, ACCOUNT_NEAR,
		    shared ? "shared lock of a write-only open, as exclusive"
			   : "exclusive lock of a read-only open, as shared");
}

bool recording_add_lock(struct recording *recording, const struct recorded *recorded, struct op *op)
{
	if (recorded->error == EAGAIN || recorded->error == EACCES) {
		/* The lock was held by another process of the recording, which
		 * is the same user in a replay. */
		op->accepts = OUTCOME_BIT(OK) | OUTCOME_BIT(LOCKED);
		account_set(&recording->account, ACCOUNT_NEAR, "refused lock, may be granted");
	} else if (recorded->error != 0) {
		return recording_drop_error(recording, recorded->error);
	}
	if (op->kind == OP_LOCK)
		fit_access(recording, recorded->file, op);
	if (op->offset > INT64_MAX)
		return recording_drop(recording, "lock beyond 2^63 bytes");
	if (op->size > INT64_MAX - op->offset) {
		op->size = 0;
		account_set(&recording->account, ACCOUNT_NEAR,
			    "lock up to the end of the file instead of beyond 2^63 bytes");
	}
	if ((recording->options & RECORDING_POSIX_LOCKS) != 0 && op->kind != OP_LOCK_TEST &&
	    recorded->error == 0 && !follow(recording, recorded->file, op))
		return false;
	return recording_append(recording, op);
}
