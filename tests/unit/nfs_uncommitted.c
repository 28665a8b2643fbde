/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "target/nfs/uncommitted.h"

#include <errno.h>

static const char first[] = "boot-001", second[] = "boot-002";

/* All handles begin with the same bytes, as those of real servers do. */
static struct nfs_handle file(unsigned number)
{
	struct nfs_handle made = {.length = 32};

	memset(made.bytes, 7, sizeof(made.bytes));
	memcpy(made.bytes + 28, &number, sizeof(number));
	return made;
}

static int set_up(void **state)
{
	*state = calloc(1, sizeof(struct nfs_uncommitted));
	return *state != NULL ? 0 : -1;
}

static int tear_down(void **state)
{
	free(*state);
	return 0;
}

static void add(void **state, unsigned number, const char *verifier)
{
	struct nfs_handle handle = file(number);

	nfs_uncommitted_add(*state, &handle, verifier);
}

static int end(void **state, unsigned number, const char *verifier)
{
	struct nfs_handle handle = file(number);
	struct nfs_commit commit;

	nfs_commit_begin(*state, &commit, &handle);
	return nfs_commit_end(*state, &commit, verifier);
}

static void begin(void **state, struct nfs_commit *commit, unsigned number)
{
	struct nfs_handle handle = file(number);

	nfs_commit_begin(*state, commit, &handle);
}

static void a_commit_with_the_same_verifier_is_durable(void **state)
{
	add(state, 1, first);
	add(state, 1, first);
	assert_int_equal(end(state, 1, first), 0);
}

static void a_commit_without_writes_is_durable(void **state)
{
	assert_int_equal(end(state, 1, first), 0);
	add(state, 1, first);
	assert_int_equal(end(state, 2, second), 0);
}

static void a_commit_with_another_verifier_fails_once(void **state)
{
	add(state, 1, first);
	assert_int_equal(end(state, 1, second), -EIO);
	assert_int_equal(end(state, 1, second), 0);
	add(state, 1, second);
	assert_int_equal(end(state, 1, second), 0);
}

static void writes_that_disagree_are_lost(void **state)
{
	add(state, 1, first);
	add(state, 1, second);
	assert_int_equal(end(state, 1, second), -EIO);
	add(state, 1, first);
	add(state, 1, second);
	add(state, 1, first);
	assert_int_equal(end(state, 1, first), -EIO);
}

static void files_do_not_affect_each_other(void **state)
{
	add(state, 1, first);
	add(state, 2, first);
	add(state, 3, second);
	assert_int_equal(end(state, 2, second), -EIO);
	assert_int_equal(end(state, 3, second), 0);
	assert_int_equal(end(state, 1, first), 0);
	assert_int_equal(((struct nfs_uncommitted *)*state)->count, 0);
}

static void handles_may_have_any_length(void **state)
{
	struct nfs_handle longer = file(1), shorter = file(1);
	struct nfs_commit commits[2];

	shorter.length = 8;
	nfs_uncommitted_add(*state, &longer, first);
	nfs_uncommitted_add(*state, &shorter, second);
	nfs_commit_begin(*state, &commits[0], &longer);
	nfs_commit_begin(*state, &commits[1], &shorter);
	assert_int_equal(nfs_commit_end(*state, &commits[0], first), 0);
	assert_int_equal(nfs_commit_end(*state, &commits[1], second), 0);
}

/* A loss in one of the files that share an entry makes the COMMIT of each of
 * them fail. */
static void more_files_than_entries_miss_no_loss(void **state)
{
	enum { MANY = NFS_UNCOMMITTED_MAX + 10 };
	unsigned i;

	for (i = 0; i < MANY; i++)
		add(state, i, first);
	for (i = 0; i < MANY; i++)
		assert_int_equal(end(state, i, first), 0);
	for (i = 0; i < MANY; i++)
		add(state, i, first);
	for (i = 0; i < MANY; i++)
		assert_int_equal(end(state, i, second), -EIO);
	assert_int_equal(end(state, MANY, first), 0);
}

static void a_shared_entry_notices_that_writes_disagree(void **state)
{
	unsigned i;

	for (i = 0; i <= NFS_UNCOMMITTED_MAX; i++)
		add(state, i, first);
	add(state, NFS_UNCOMMITTED_MAX + 1, second);
	assert_int_equal(end(state, NFS_UNCOMMITTED_MAX, first), -EIO);
	assert_int_equal(end(state, NFS_UNCOMMITTED_MAX + 1, second), -EIO);
}

/* A write whose answer comes while a COMMIT is in flight is not covered by it. */
static void a_commit_is_for_earlier_writes_only(void **state)
{
	struct nfs_commit commit;

	add(state, 1, first);
	begin(state, &commit, 1);
	add(state, 1, second);
	assert_int_equal(nfs_commit_end(*state, &commit, first), 0);
	assert_int_equal(end(state, 1, first), -EIO);

	add(state, 1, first);
	begin(state, &commit, 1);
	add(state, 1, second);
	assert_int_equal(nfs_commit_end(*state, &commit, second), -EIO);
	assert_int_equal(end(state, 1, second), 0);
}

static void a_failed_commit_keeps_the_writes(void **state)
{
	struct nfs_commit commit;

	add(state, 1, first);
	begin(state, &commit, 1);
	nfs_commit_fail(*state, &commit);
	assert_int_equal(end(state, 1, second), -EIO);

	/* together with later ones, which agree or not */
	add(state, 1, first);
	begin(state, &commit, 1);
	add(state, 1, first);
	nfs_commit_fail(*state, &commit);
	assert_int_equal(end(state, 1, first), 0);
	add(state, 1, first);
	begin(state, &commit, 1);
	add(state, 1, second);
	nfs_commit_fail(*state, &commit);
	assert_int_equal(end(state, 1, second), -EIO);

	/* also if they did not agree before it */
	add(state, 1, first);
	add(state, 1, second);
	begin(state, &commit, 1);
	add(state, 1, first);
	nfs_commit_fail(*state, &commit);
	assert_int_equal(end(state, 1, first), -EIO);

	begin(state, &commit, 1);
	nfs_commit_fail(*state, &commit);
	assert_int_equal(((struct nfs_uncommitted *)*state)->count, 0);
}

/* Each COMMIT is for all writes before it, although another one is in flight. */
static void commits_in_flight_are_for_the_same_writes(void **state)
{
	struct nfs_commit commits[3];

	add(state, 1, first);
	begin(state, &commits[0], 1);
	begin(state, &commits[1], 1);
	begin(state, &commits[2], 2);
	assert_int_equal(nfs_commit_end(*state, &commits[0], first), 0);
	assert_int_equal(nfs_commit_end(*state, &commits[1], second), -EIO);
	assert_int_equal(nfs_commit_end(*state, &commits[2], second), 0);

	add(state, 1, first);
	begin(state, &commits[0], 1);
	add(state, 1, second);
	begin(state, &commits[1], 1);
	assert_int_equal(nfs_commit_end(*state, &commits[1], second), -EIO);
	assert_int_equal(nfs_commit_end(*state, &commits[0], first), 0);
	assert_int_equal(end(state, 1, second), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int unit_nfs_uncommitted(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(a_commit_with_the_same_verifier_is_durable),
		TEST(a_commit_without_writes_is_durable),
		TEST(a_commit_with_another_verifier_fails_once),
		TEST(writes_that_disagree_are_lost),
		TEST(files_do_not_affect_each_other),
		TEST(handles_may_have_any_length),
		TEST(more_files_than_entries_miss_no_loss),
		TEST(a_shared_entry_notices_that_writes_disagree),
		TEST(a_commit_is_for_earlier_writes_only),
		TEST(a_failed_commit_keeps_the_writes),
		TEST(commits_in_flight_are_for_the_same_writes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
