/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tests of the built-in SMB client for what smbtorture expects of a server in
 * smb2.lock, smb2.rename and smb2.dir (doc/smb.md). They run on the target in
 * the environment variable THRONG_SMB_URL, if it is set.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "target/account.h"
#include "target/backend.h"
#include "target/backends.h"
#include "words/operation.h"

#include <errno.h>

enum { BYTES = 200, HALF = BYTES / 2 };
enum { TRY_SHARED = LOCK_SHARED | LOCK_TRY };

static struct target target;
static struct backend_facts facts;
/* Two users. The first has opened "t/file" twice, the second once. */
static struct backend_session *session, *session2;
static int64_t one, two, other;

#define AT(name) (&(struct backend_path){.text = (name)})
#define B(slot, ...) target.backend->slot(session, __VA_ARGS__)

static int lock(int64_t handle, uint64_t offset, uint64_t length, unsigned mode)
{
	return B(lock, handle, offset, length, mode);
}

static int unlock(int64_t handle, uint64_t offset, uint64_t length)
{
	return B(unlock, handle, offset, length);
}

static int64_t opened(const char *name, uint64_t flags)
{
	int64_t handle = B(open, AT(name), flags);

	assert_true(handle >= 0);
	return handle;
}

/* valid-request, stacking */
static void locks_of_one_handle_stack(void **state)
{
	assert_int_equal(lock(one, UINT32_MAX, UINT32_MAX, LOCK_TRY), 0);
	assert_int_equal(lock(one, UINT32_MAX, UINT32_MAX, LOCK_SHARED), 0);
	assert_int_equal(lock(one, UINT32_MAX, UINT32_MAX, LOCK_SHARED), 0);
	assert_int_equal(unlock(one, UINT32_MAX, UINT32_MAX), 0);
	assert_int_equal(unlock(one, UINT32_MAX, UINT32_MAX), 0);
	assert_int_equal(unlock(one, UINT32_MAX, UINT32_MAX), 0);
	assert_int_equal(unlock(one, UINT32_MAX, UINT32_MAX), -EINVAL);
	assert_int_equal(unlock(one, 1, 1), -EINVAL);
	/* An exclusive lock does not stack on any other. */
	assert_int_equal(lock(one, 0, 10, TRY_SHARED), 0);
	assert_int_equal(lock(one, 0, 10, LOCK_TRY), -EAGAIN);
	assert_int_equal(unlock(one, 0, 10), 0);
	assert_int_equal(lock(one, 0, 10, LOCK_TRY), 0);
	assert_int_equal(lock(one, 0, 10, LOCK_TRY), -EAGAIN);
	assert_int_equal(unlock(one, 0, 10), 0);
}

/* valid-request: a range beyond the end of the numbers is refused. */
static void a_range_has_to_end(void **state)
{
	assert_true(lock(one, UINT64_MAX, UINT64_MAX, LOCK_TRY) < 0);
	assert_true(lock(one, UINT64_MAX, UINT64_MAX, LOCK_TRY) < 0);
	assert_int_equal(lock(one, 0, 1, LOCK_TRY), 0);
}

/* Expect these results of a write and a read by the handle. */
static void expect_io(int64_t handle, int64_t put, int64_t got)
{
	char bytes[HALF] = "";

	assert_int_equal(B(write, handle, bytes, HALF, HALF), put);
	assert_int_equal(B(read, handle, bytes, HALF, HALF), got);
}

/* rw-shared */
static void a_shared_lock_stops_writes(void **state)
{
	assert_int_equal(lock(one, 0, HALF, LOCK_SHARED), 0);
	assert_int_equal(lock(one, HALF, HALF, LOCK_SHARED), 0);
	expect_io(one, -EAGAIN, HALF);
	expect_io(two, -EAGAIN, HALF);
	assert_int_equal(unlock(one, HALF, HALF), 0);
	expect_io(two, HALF, HALF);
}

/* rw-exclusive */
static void an_exclusive_lock_stops_others(void **state)
{
	assert_int_equal(lock(one, 0, HALF, 0), 0);
	assert_int_equal(lock(one, HALF, HALF, 0), 0);
	expect_io(one, HALF, HALF);
	expect_io(two, -EAGAIN, -EAGAIN);
	assert_int_equal(unlock(one, HALF, HALF), 0);
	expect_io(two, HALF, HALF);
}

/* auto-unlock, errorcode: a refused lock changes nothing, and the next one is
 * refused alike. */
static void a_refused_lock_unlocks_nothing(void **state)
{
	unsigned i;

	assert_int_equal(lock(one, 0, 1, LOCK_TRY), 0);
	for (i = 0; i < 3; i++)
		assert_int_equal(lock(one, 0, 1, LOCK_TRY), -EAGAIN);
	for (i = 0; i < 3; i++)
		assert_int_equal(lock(two, 0, 1, LOCK_TRY), -EAGAIN);
	assert_int_equal(unlock(one, 0, 1), 0);
	assert_int_equal(unlock(one, 0, 1), -EINVAL);
}

/* zerobyteread */
static void nothing_can_be_read_from_a_locked_range(void **state)
{
	char byte;

	assert_int_equal(lock(one, 0, 10, LOCK_TRY), 0);
	assert_int_equal(B(read, two, &byte, 0, 5), 0);
	assert_int_equal(B(read, two, &byte, 0, 10), 0);
	assert_int_equal(B(read, two, &byte, 1, 5), -EAGAIN);
}

/* unlock, context */
static void only_the_owner_unlocks(void **state)
{
	assert_int_equal(lock(one, 0, 10, LOCK_TRY), 0);
	assert_int_equal(unlock(two, 0, 10), -EINVAL);
	assert_int_equal(target.backend->unlock(session2, other, 0, 10), -EINVAL);
	assert_int_equal(lock(two, 0, 10, LOCK_TRY), -EAGAIN);
	assert_int_equal(unlock(one, 0, 10), 0);
	assert_int_equal(unlock(one, 0, 10), -EINVAL);
}

/* contend */
static void a_shared_lock_contends_with_an_exclusive_one(void **state)
{
	int64_t third;

	third = opened("t/file", OPEN_READ | OPEN_WRITE);
	assert_int_equal(lock(third, 0, 10, LOCK_TRY), 0);
	assert_int_equal(lock(two, 0, 10, TRY_SHARED), -EAGAIN);
	/* CLOSE unlocks. */
	assert_int_equal(B(close, third), 0);
	assert_int_equal(lock(two, 0, 10, TRY_SHARED), 0);
}

/* range */
static void all_offsets_can_be_locked(void **state)
{
	enum { COUNT = 16 };
	const uint64_t step = UINT64_MAX / COUNT;
	uint64_t i;

	for (i = 1; i <= COUNT; i++) {
		assert_int_equal(lock(one, i * step - 1, 1, LOCK_TRY), 0);
		assert_int_equal(lock(two, i * step - 2, 1, LOCK_TRY), 0);
	}
	for (i = 1; i <= COUNT; i++) {
		assert_int_equal(lock(one, i * step - 1, 1, LOCK_TRY), -EAGAIN);
		assert_int_equal(lock(one, i * step - 2, 1, LOCK_TRY), -EAGAIN);
		assert_int_equal(lock(two, i * step - 1, 1, LOCK_TRY), -EAGAIN);
		assert_int_equal(lock(two, i * step - 2, 1, LOCK_TRY), -EAGAIN);
	}
	for (i = 1; i <= COUNT; i++) {
		assert_int_equal(unlock(one, i * step - 1, 1), 0);
		assert_int_equal(unlock(two, i * step - 2, 1), 0);
	}
}

/* Return the result of the second of two overlapping locks: the first by
 * handle `one`. */
static int overlap(struct backend_session *user, int64_t handle, uint64_t offset, unsigned mode)
{
	assert_int_equal(lock(one, offset, 4, mode), 0);
	return target.backend->lock(user, handle, offset + 2, 4, mode);
}

/* overlap */
static void exclusive_locks_never_overlap(void **state)
{
	assert_int_equal(overlap(session, one, 0, LOCK_TRY), -EAGAIN);
	assert_int_equal(overlap(session, one, 10, TRY_SHARED), 0);
	assert_int_equal(overlap(session2, other, 20, LOCK_TRY), -EAGAIN);
	assert_int_equal(overlap(session2, other, 30, TRY_SHARED), 0);
	assert_int_equal(overlap(session, two, 40, LOCK_TRY), -EAGAIN);
	assert_int_equal(overlap(session, two, 50, TRY_SHARED), 0);
}

/* multiple-unlock. In overlap, a server refuses to unlock a range that no lock
 * has; throng's client unlocks all that it has locked there, in one request. */
static void a_range_of_several_locks_is_unlocked(void **state)
{
	assert_int_equal(overlap(session, one, 0, TRY_SHARED), 0);
	assert_int_equal(lock(two, 0, 6, LOCK_TRY), -EAGAIN);
	assert_int_equal(unlock(one, 0, 6), 0);
	assert_int_equal(lock(two, 0, 6, LOCK_TRY), 0);
	assert_int_equal(unlock(one, 0, 6), -EINVAL);
}

/* truncate */
static void a_locked_file_can_be_overwritten(void **state)
{
	assert_int_equal(lock(one, 0, 10, LOCK_TRY), 0);
	assert_int_equal(B(close, opened("t/file", OPEN_WRITE | OPEN_TRUNCATE)), 0);
	assert_int_equal(B(close, opened("t/file", OPEN_WRITE | OPEN_CREATE | OPEN_TRUNCATE)), 0);
	assert_int_equal(unlock(one, 0, 10), 0);
}

static int64_t size_of(const char *name)
{
	struct backend_attributes attributes = {0};
	int rc = B(stat, AT(name), &attributes);

	return rc < 0 ? rc : (int64_t)attributes.size_bytes;
}

/* rename.simple */
static void a_closed_file_is_renamed(void **state)
{
	assert_int_equal(B(close, opened("t/a", OPEN_WRITE | OPEN_CREATE)), 0);
	assert_int_equal(B(rename, AT("t/a"), AT("t/b"), false), 0);
	assert_int_equal(size_of("t/a"), -ENOENT);
	assert_int_equal(size_of("t/b"), 0);
	/* An existing name is replaced only on demand. */
	assert_int_equal(B(rename, AT("t/b"), AT("t/file"), false), -EEXIST);
	assert_int_equal(B(unlink, AT("t/b")), 0);
}

/* rename.no_sharing: our handles do not share deletion, so another handle
 * cannot rename the file. */
static void an_open_file_is_not_renamed(void **state)
{
	assert_int_equal(B(rename, AT("t/file"), AT("t/b"), false), -EBUSY);
	assert_int_equal(size_of("t/file"), BYTES);
	assert_int_equal(size_of("t/b"), -ENOENT);
}

/* rename.share_delete_no_delete_access, rename.msword: a name in an open
 * directory is changed. rename.no_share_delete_no_delete_access expects a
 * refusal, because the directory's handle does not share deletion; Samba does
 * not refuse it. */
static void a_name_in_an_open_directory_is_changed_or_kept(void **state)
{
	int64_t directory;
	int rc;

	assert_int_equal(B(close, opened("t/a", OPEN_WRITE | OPEN_CREATE)), 0);
	directory = opened("t", OPEN_READ | OPEN_DIRECTORY);
	rc = B(rename, AT("t/a"), AT("t/b"), false);
	assert_true(rc == 0 || rc == -EBUSY);
	assert_int_equal(size_of("t/a"), rc == 0 ? -ENOENT : 0);
	assert_int_equal(size_of("t/b"), rc == 0 ? 0 : -ENOENT);
	assert_int_equal(B(close, directory), 0);
	assert_int_equal(B(unlink, rc == 0 ? AT("t/b") : AT("t/a")), 0);
}

/* rename.rename_dir_openfile */
static void a_directory_with_an_open_file_is_not_renamed(void **state)
{
	assert_int_equal(B(rename, AT("t"), AT("u"), false), -EACCES);
	assert_int_equal(size_of("u"), -ENOENT);
}

struct seen {
	unsigned files, large;
};

static bool visit(void *context, const char *name, enum backend_entry kind)
{
	struct seen *seen = context;

	seen->files += kind != ENTRY_DIRECTORY;
	seen->large += strcmp(name, "large") == 0;
	return true;
}

/* dir.large-files */
static void large_files_are_listed(void **state)
{
	const uint64_t size = (5ull << 30) + 1;
	struct seen seen = {0};
	int64_t handle;

	handle = opened("t/large", OPEN_WRITE | OPEN_CREATE);
	assert_int_equal(B(truncate, handle, size), 0);
	assert_int_equal(B(close, handle), 0);
	assert_int_equal(size_of("t/large"), size);
	assert_int_equal(B(list, AT("t"), visit, &seen), 0);
	assert_int_equal(seen.files, 2);
	assert_int_equal(seen.large, 1);
	assert_int_equal(B(unlink, AT("t/large")), 0);
}

static int enter(void **state)
{
	static const char bytes[BYTES];

	if (target.backend->session_open(&target, 0, &session) < 0 ||
	    target.backend->session_open(&target, 1, &session2) < 0 || B(mkdir, AT("t")) < 0)
		return -1;
	one = B(open, AT("t/file"), OPEN_READ | OPEN_WRITE | OPEN_CREATE);
	two = B(open, AT("t/file"), OPEN_READ | OPEN_WRITE);
	other = target.backend->open(session2, AT("t/file"), OPEN_READ | OPEN_WRITE);
	if (one < 0 || two < 0 || other < 0)
		return -1;
	return B(write, one, bytes, BYTES, 0) == BYTES ? 0 : -1;
}

/* Closing the sessions closes the handles, and unlocks. */
static int leave(void **state)
{
	int rc;

	target.backend->session_close(session2);
	B(close, one);
	B(close, two);
	rc = B(unlink, AT("t/file"));
	if (rc == 0)
		rc = B(rmdir, AT("t"));
	target.backend->session_close(session);
	return rc;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, enter, leave)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(locks_of_one_handle_stack),
		TEST(a_range_has_to_end),
		TEST(a_shared_lock_stops_writes),
		TEST(an_exclusive_lock_stops_others),
		TEST(a_refused_lock_unlocks_nothing),
		TEST(nothing_can_be_read_from_a_locked_range),
		TEST(only_the_owner_unlocks),
		TEST(a_shared_lock_contends_with_an_exclusive_one),
		TEST(all_offsets_can_be_locked),
		TEST(exclusive_locks_never_overlap),
		TEST(a_range_of_several_locks_is_unlocked),
		TEST(a_locked_file_can_be_overwritten),
		TEST(a_closed_file_is_renamed),
		TEST(an_open_file_is_not_renamed),
		TEST(a_name_in_an_open_directory_is_changed_or_kept),
		TEST(a_directory_with_an_open_file_is_not_renamed),
		TEST(large_files_are_listed),
	};
	const char *url = getenv("THRONG_SMB_URL");
	struct error error = {0};
	int failed;

	if (url == NULL)
		return 77;
	if (target_parse(url, &target, &error) < 0 || accounts_find(&target, NULL, &error) < 0 ||
	    target.backend->probe(&target, &facts, &error) < 0) {
		print_error("%s\n", error.text);
		return 1;
	}
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	target_free(&target);
	return failed > 0;
}
