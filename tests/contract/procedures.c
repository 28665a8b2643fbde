/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tests of the slot `procedure`: the results of each NFSv3 and NLM call, and
 * the cache of handles. They run on the target in the environment variable
 * THRONG_NFS3_URL, if it is set, and again in a directory that sessions enter.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "target/backend.h"
#include "target/backends.h"

#include <errno.h>

static struct target target;
static struct backend_session *session;
static struct backend_facts facts;
static const char *entered; /* by all sessions; NULL: no directory */

static int open_session(unsigned user, struct backend_session **opened)
{
	int rc = target.backend->session_open(&target, user, opened);

	return rc < 0 || entered == NULL ? rc : target.backend->enter(*opened, entered);
}

static int64_t call_at(enum procedure procedure, const char *name, const char *name2,
		       struct backend_call call)
{
	struct backend_path path = {.text = name}, path2 = {.text = name2};

	call.procedure = procedure;
	call.path = &path;
	call.path2 = name2 != NULL ? &path2 : NULL;
	return target.backend->procedure(session, &call);
}

#define CALL(procedure, name, ...) \
	call_at(PROCEDURE_NFS_##procedure, name, NULL, (struct backend_call){__VA_ARGS__})
#define CALL2(procedure, name, name2) \
	call_at(PROCEDURE_NFS_##procedure, name, name2, (struct backend_call){.size = 0})
#define LOCK(procedure, name, first, bytes) \
	call_at(PROCEDURE_NLM_##procedure, name, NULL, \
		(struct backend_call){.offset = first, .size = bytes})

static void files_come_and_go(void **state)
{
	assert_int_equal(CALL(LOOKUP, "t/file"), -ENOENT);
	assert_int_equal(CALL(GETATTR, "t/file"), -ENOENT);
	assert_int_equal(CALL(CREATE, "t/file"), 0);
	assert_int_equal(CALL(CREATE, "t/file"), 0);
	assert_int_equal(CALL(LOOKUP, "t/file"), 0);
	assert_int_equal(CALL(GETATTR, "t/file"), 0);
	assert_int_equal(CALL(SETATTR, "t/file"), 0);
	assert_int_equal(CALL(ACCESS, "t/file"), 0);
	assert_int_equal(CALL(PATHCONF, "t/file"), 0);
	assert_int_equal(CALL(MKDIR, "t/file"), -EEXIST);
	assert_int_equal(CALL(RMDIR, "t/file"), -ENOTDIR);
	assert_int_equal(CALL(REMOVE, "t/file"), 0);
	assert_int_equal(CALL(REMOVE, "t/file"), -ENOENT);
	assert_int_equal(CALL(GETATTR, "t/file"), -ENOENT);
	assert_int_equal(CALL(CREATE, "none/file"), -ENOENT);
	assert_int_equal(CALL(FSSTAT, ""), 0);
	assert_int_equal(CALL(FSINFO, ""), 0);
	assert_int_equal(CALL(GETATTR, ""), 0);
	assert_int_equal(CALL(LOOKUP, ""), 0);
}

static void bytes_are_moved(void **state)
{
	static char bytes[70000], got[70000];
	unsigned stable;

	memset(bytes, 'x', sizeof(bytes));
	assert_int_equal(CALL(CREATE, "t/file"), 0);
	for (stable = 0; stable < 3; stable++)
		assert_int_equal(CALL(WRITE, "t/file", .data = bytes, .size = 65536, .offset = 10,
				      .stable = stable),
				 65536);
	assert_int_equal(CALL(COMMIT, "t/file"), 0);
	assert_int_equal(CALL(READ, "t/file", .buffer = got, .size = 65536, .offset = 10), 65536);
	assert_memory_equal(got, bytes, 65536);
	assert_int_equal(CALL(READ, "t/file", .buffer = got, .size = 70000, .offset = 0), 65546);
	assert_int_equal(CALL(READ, "t/file", .buffer = got, .size = 10, .offset = 70000), 0);
	assert_int_equal(CALL(WRITE, "t/none", .data = bytes, .size = 1), -ENOENT);
	assert_int_equal(CALL(REMOVE, "t/file"), 0);
}

static void links_are_made_and_read(void **state)
{
	assert_int_equal(CALL(CREATE, "t/file"), 0);
	assert_int_equal(CALL2(LINK, "t/second", "t/file"), 0);
	assert_int_equal(CALL2(LINK, "t/second", "t/file"), -EEXIST);
	assert_int_equal(CALL2(SYMLINK, "t/link", "t/file"), 0);
	assert_int_equal(CALL(READLINK, "t/link"), 0);
	assert_int_equal(CALL(READLINK, "t/file"), -EINVAL);
	assert_int_equal(CALL(REMOVE, "t/file"), 0);
	assert_int_equal(CALL(GETATTR, "t/second"), 0);
	assert_int_equal(CALL(REMOVE, "t/second"), 0);
	assert_int_equal(CALL(REMOVE, "t/link"), 0);
}

static void handles_follow_renamed_files(void **state)
{
	assert_int_equal(CALL(MKDIR, "t/a"), 0);
	assert_int_equal(CALL(CREATE, "t/a/file"), 0);
	assert_int_equal(CALL(GETATTR, "t/a/file"), 0);
	assert_int_equal(CALL2(RENAME, "t/a", "t/b"), 0);
	assert_int_equal(CALL(GETATTR, "t/a/file"), -ENOENT);
	assert_int_equal(CALL(GETATTR, "t/a"), -ENOENT);
	assert_int_equal(CALL(GETATTR, "t/b/file"), 0);
	assert_int_equal(CALL(RMDIR, "t/b"), -ENOTEMPTY);
	assert_int_equal(CALL(REMOVE, "t/b/file"), 0);
	assert_int_equal(CALL(RMDIR, "t/b"), 0);
	assert_int_equal(CALL(GETATTR, "t/b"), -ENOENT);
}

static void slots_and_procedures_see_the_same_files(void **state)
{
	struct backend_path path = {.text = "t/file"};

	assert_int_equal(CALL(CREATE, "t/file"), 0);
	assert_int_equal(target.backend->unlink(session, &path), 0);
	assert_int_equal(CALL(GETATTR, "t/file"), -ENOENT);
}

/* After another user removes a file, only the first call returns ESTALE,
 * because it drops the file's handle from the cache. */
static void a_stale_handle_is_dropped(void **state)
{
	struct backend_session *other;
	struct backend_path path = {.text = "t/file"};

	assert_int_equal(open_session(1, &other), 0);
	assert_int_equal(CALL(CREATE, "t/file"), 0);
	assert_int_equal(target.backend->unlink(other, &path), 0);
	assert_int_equal(CALL(GETATTR, "t/file"), -ESTALE);
	assert_int_equal(CALL(GETATTR, "t/file"), -ENOENT);
	target.backend->session_close(other);
}

/* Use more names than the cache of handles holds. Evicted names are looked up
 * again. With THRONG_BRIEF, leave this out: unit/nfs_cache tests the cache. */
static void many_names_are_found(void **state)
{
	enum { MANY = 5000 };
	char name[32];
	int i;

	if (getenv("THRONG_BRIEF") != NULL)
		skip();
	for (i = 0; i < MANY; i++) {
		snprintf(name, sizeof(name), "t/%d", i);
		assert_int_equal(CALL(CREATE, name), 0);
	}
	assert_int_equal(CALL(READDIRPLUS, "t"), 0);
	for (i = 0; i < MANY; i++) {
		snprintf(name, sizeof(name), "t/%d", i);
		assert_int_equal(CALL(GETATTR, name), 0);
		assert_int_equal(CALL(REMOVE, name), 0);
		assert_int_equal(CALL(GETATTR, name), -ENOENT);
	}
}

static void ranges_are_locked(void **state)
{
	struct backend_session *own = session, *other;

	if ((facts.capabilities & CAP_LOCK_PROCEDURES) == 0)
		skip();
	assert_int_equal(open_session(1, &other), 0);
	assert_int_equal(CALL(CREATE, "t/file"), 0);
	assert_int_equal(LOCK(TEST, "t/file", 0, 10), 0);
	assert_int_equal(LOCK(LOCK, "t/file", 0, 10), 0);
	session = other;
	assert_int_equal(LOCK(TEST, "t/file", 5, 10), -EAGAIN);
	assert_int_equal(LOCK(LOCK, "t/file", 5, 10), -EAGAIN);
	assert_int_equal(LOCK(LOCK, "t/file", 100, 10), 0);
	assert_int_equal(LOCK(UNLOCK, "t/file", 100, 10), 0);
	session = own;
	assert_int_equal(LOCK(UNLOCK, "t/file", 0, 10), 0);
	session = other;
	assert_int_equal(LOCK(LOCK, "t/file", 5, 10), 0);
	assert_int_equal(LOCK(UNLOCK, "t/file", 5, 10), 0);
	session = own;
	assert_int_equal(LOCK(TEST, "t/none", 0, 1), -ENOENT);
	assert_int_equal(CALL(REMOVE, "t/file"), 0);
	target.backend->session_close(other);
}

static int enter(void **state)
{
	if (open_session(0, &session) < 0)
		return -1;
	return CALL(MKDIR, "t") == 0 ? 0 : -1;
}

static int leave(void **state)
{
	int64_t rc = CALL(RMDIR, "t");

	target.backend->session_close(session);
	return rc == 0 ? 0 : -1;
}

/* Make a directory that has the names that the tests use beside it, too. */
static int make_entered(void **state)
{
	int64_t rc;

	if (open_session(0, &session) < 0)
		return -1;
	rc = CALL(MKDIR, "a run") == 0 ? CALL(MKDIR, "t") : -1;
	target.backend->session_close(session);
	entered = "a run";
	return rc == 0 ? 0 : -1;
}

/* Both directories are as empty as they were. */
static int remove_entered(void **state)
{
	int64_t rc;

	entered = NULL;
	if (open_session(0, &session) < 0)
		return -1;
	rc = CALL(RMDIR, "t") == 0 ? CALL(RMDIR, "a run") : -1;
	target.backend->session_close(session);
	return rc == 0 ? 0 : -1;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, enter, leave)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(files_come_and_go),
		TEST(bytes_are_moved),
		TEST(links_are_made_and_read),
		TEST(handles_follow_renamed_files),
		TEST(slots_and_procedures_see_the_same_files),
		TEST(a_stale_handle_is_dropped),
		TEST(many_names_are_found),
		TEST(ranges_are_locked),
	};
	const char *url = getenv("THRONG_NFS3_URL");
	struct error error = {0};
	int failed;

	if (url == NULL)
		return 77;
	if (target_parse(url, &target, &error) < 0 ||
	    target.backend->probe(&target, &facts, &error) < 0) {
		print_error("%s\n", error.text);
		return 1;
	}
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	failed += cmocka_run_group_tests_name("entered", tests, make_entered, remove_entered);
	target_free(&target);
	return failed > 0;
}
