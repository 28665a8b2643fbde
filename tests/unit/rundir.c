/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "players.h"

#include <errno.h>
#include <sys/wait.h>

static void a_claim_makes_a_file_and_a_directory(void **state)
{
	struct run_file found;
	struct stat status;

	assert_int_equal(claim(&us), 0);
	assert_true(us.claim.begun);
	assert_false(us.claim.second);
	assert_true(us.claim.lock_fd >= 0);
	assert_int_equal(names_left(), 2);
	assert_memory_equal(us.claim.file.name + 7, us.run.id, 8);
	assert_int_equal(stat(at("%s", us.claim.file.name), &status), 0);
	assert_int_equal(status.st_mode & 07777, 0700);
	assert_true(status.st_ino == us.claim.file.inode);
	assert_int_equal(stat(at("%s.run", us.claim.file.name), &status), 0);
	assert_int_equal(status.st_mode & 07777, 0644);
	/* The session is in the directory. */
	assert_int_equal(
		place.posix->rmdir(place.tree->session, &(struct backend_path){.text = "clients"}),
		0);
	assert_int_equal(mkdir(at("%s/clients", us.claim.file.name), 0777), 0);
	at_target();
	assert_int_equal(run_file_read(place.tree, us.claim.file.name, &found), 0);
	assert_true(found.complete && found.locked && !found.kept);
	assert_string_equal(found.run.id, us.run.id);
	assert_int_equal(
		place.posix->is_held(place.tree->session,
				     &(struct backend_path){.text = at("%s.run", found.name) +
								    strlen(place.root) + 1}),
		1);
	play(us.claim.file.name);
	assert_int_equal(take_away(&found), 0);
	expect_nothing_left();
}

static void runs_share_nothing(void **state)
{
	assert_int_equal(claim(&us), 0);
	assert_int_equal(claim(&them), 0);
	assert_string_not_equal(us.claim.file.name, them.claim.file.name);
	play(us.claim.file.name);
	play(them.claim.file.name);
	assert_int_equal(leave(&us), 0);
	assert_int_equal(names_left(), 2);
	assert_true(is_there(at("%s/clients/client7/file", them.claim.file.name)));
	assert_true(is_there(at("%s/web/index", them.claim.file.name)));
	assert_int_equal(leave(&them), 0);
	expect_nothing_left();
}

static void names_in_use_are_left_alone(void **state)
{
	char name[RUN_NAME_SIZE];

	assert_int_equal(mkdir(at("%s", own_name(0, name)), 0777), 0);
	put(at("%s.run", own_name(1, name)));
	assert_int_equal(mkdir(at("%s.run", own_name(2, name)), 0777), 0);
	assert_int_equal(claim(&us), 0);
	assert_string_equal(us.claim.file.name, own_name(3, name));
	assert_int_equal(leave(&us), 0);
	assert_int_equal(names_left(), 3);

	/* A link to nowhere is a name, too. */
	assert_int_equal(symlink("nowhere", at("%s.run", own_name(3, name))), 0);
	assert_true(claim(&us) < 0);
	assert_true(error.set);
	assert_false(us.claim.begun);
	assert_false(us.claim.second);
	assert_int_equal(names_left(), 4);
	assert_false(is_there(at("nowhere")));
}

static void the_file_of_another_run_is_left_alone(void **state)
{
	char name[RUN_NAME_SIZE];

	/* It has the same first name, and no directory yet. */
	memcpy(them.run.id, us.run.id, 8);
	assert_int_equal(claim(&them), 0);
	assert_string_equal(them.claim.file.name, own_name(0, name));
	assert_int_equal(take_away(&(struct run_file){.name = "throng-ffffffff", .made = true}), 0);
	assert_int_equal(claim(&us), 0);
	assert_false(us.claim.second);
	assert_string_equal(us.claim.file.name, own_name(1, name));
	assert_int_equal(leave(&us), 0);
	assert_int_equal(names_left(), 2);
	/* Our claim to their name removes nothing of theirs. */
	strcpy(us.claim.file.name, name);
	memcpy(us.claim.file.name, them.claim.file.name, RUN_NAME_SIZE);
	us.claim.file.inode = 0;
	assert_int_equal(take_away(&us.claim.file), -ESTALE);
	assert_int_equal(names_left(), 2);
	assert_int_equal(leave(&them), 0);
	expect_nothing_left();
}

static void a_second_url_of_a_target_is_found(void **state)
{
	static const char *const workdirs[] = {NULL, "work", "."};
	struct player again;
	char name[RUN_NAME_SIZE];
	size_t i;

	for (i = 0; i < LENGTH(workdirs); i++) {
		be(&us, workdirs[i]);
		if (i == 1) /* the first name is taken */
			assert_int_equal(mkdir(at("%s", own_name(0, name)), 0777), 0);
		assert_int_equal(claim(&us), 0);
		again = us;
		assert_int_equal(claim(&again), 0);
		assert_true(again.claim.second);
		assert_false(again.claim.begun);
		assert_int_equal(again.claim.lock_fd, -1);
		if (i == 1)
			assert_int_equal(rmdir(at("%s", name)), 0);
		assert_int_equal(leave(&us), 0);
		rmdir(at("clients"));
		expect_nothing_left();
	}
	/* A second removal reports that the directory is gone. */
	be(&us, NULL);
	assert_int_equal(claim(&us), 0);
	assert_int_equal(leave(&us), 0);
	assert_int_equal(take_away(&us.claim.file), -ENOENT);
}

/*
 * Slots that count their calls during a claim, and fail from the n-th one on. A
 * slot that fails has done its work before if `done` is set, as when a reply is
 * lost. What the claim was at the n-th call is what the parent sees if the helper
 * is killed then.
 */
static unsigned calls, failing;
static int reason;
static bool done, killed;
static struct rundir_claim seen;

static bool fails(void)
{
	if (failing == 0 || ++calls < failing)
		return false;
	if (calls == failing)
		seen = us.claim;
	return calls == failing || killed;
}

#define SLOT(name, type, call, ...) \
	static type failing_##name(struct backend_session *session, __VA_ARGS__) \
	{ \
		if (!fails()) \
			return place.posix->name call; \
		if (done && calls == failing) \
			(void)!(place.posix->name call >= 0); \
		return reason; \
	}

SLOT(write, int64_t, (session, handle, data, size, offset), int64_t handle, const void *data,
     size_t size, uint64_t offset)
SLOT(identify, int, (session, handle, file), int64_t handle, struct backend_file *file)
SLOT(stat, int, (session, path, attributes), const struct backend_path *path,
     struct backend_attributes *attributes)
SLOT(mkdir, int, (session, path), const struct backend_path *path)
SLOT(chmod, int, (session, path, permissions), const struct backend_path *path,
     unsigned permissions)
SLOT(sync_parent, int, (session, path), const struct backend_path *path)
SLOT(enter, int, (session, name), const char *name)
SLOT(list, int, (session, path, visit, context), const struct backend_path *path,
     backend_visit *visit, void *context)
SLOT(read, int64_t, (session, handle, buffer, size, offset), int64_t handle, void *buffer,
     size_t size, uint64_t offset)

static int64_t failing_open(struct backend_session *session, const struct backend_path *path,
			    uint64_t flags)
{
	if (!fails())
		return place.posix->open(session, path, flags);
	if (done && calls == failing) {
		int64_t handle = place.posix->open(session, path, flags);

		if (handle >= 0)
			place.posix->close(session, handle);
	}
	return reason;
}

static int failing_hold(struct backend_session *session, const struct backend_path *path)
{
	return fails() ? reason : place.posix->hold(session, path);
}

static void fail_slots(void)
{
	place.backend.open = failing_open;
	place.backend.write = failing_write;
	place.backend.read = failing_read;
	place.backend.identify = failing_identify;
	place.backend.stat = failing_stat;
	place.backend.mkdir = failing_mkdir;
	place.backend.chmod = failing_chmod;
	place.backend.sync_parent = failing_sync_parent;
	place.backend.enter = failing_enter;
	place.backend.list = failing_list;
	place.backend.hold = failing_hold;
}

/* Make what others have at the target, and check that it is still there. */
static void make_foreign(void)
{
	char name[RUN_NAME_SIZE];

	assert_int_equal(mkdir(at("%s", own_name(3, name)), 0777), 0);
	put(at("%s.run", own_name(3, name)));
	put(at("file"));
	assert_int_equal(mkdir(at("empty"), 0777), 0);
	assert_int_equal(mkdir(at("named"), 0777), 0);
	assert_int_equal(mkdir(at("named/clients"), 0777), 0);
	assert_int_equal(mkdir(at("named/clients/client8"), 0777), 0);
	assert_int_equal(mkdir(at("named/clients/client2"), 0777), 0);
	assert_int_equal(mkdir(at("named/clients/other"), 0777), 0);
	assert_int_equal(mkdir(at("named/mine"), 0777), 0);
}

static void check_foreign(void)
{
	static const char *const names[] = {"file",
					    "empty",
					    "named/clients/client8",
					    "named/clients/client2",
					    "named/clients/other",
					    "named/mine"};
	char name[RUN_NAME_SIZE];
	size_t i;

	for (i = 0; i < LENGTH(names); i++)
		if (!is_there(at("%s", names[i])))
			fail_msg("%s is gone after call %u", names[i], failing);
	assert_true(is_there(at("%s", own_name(3, name))));
	assert_true(is_there(at("%s.run", own_name(3, name))));
	if (names_left() != 5)
		fail_msg("something is left after call %u", failing);
	assert_false(is_there(at("named/clients/client5")));
	assert_false(is_there(at("named/clients/client6")));
}

/* Claim with the n-th call failing, for all n; remove what there is then. */
static void fail_each_call(const char *workdir, unsigned first_user, bool kept)
{
	unsigned held = 0;
	int rc;

	for (failing = 1; held < 100; failing++) {
		calls = 0;
		be(&us, workdir);
		us.request.first_user = first_user;
		us.request.kept = us.request.flush = kept;
		make_foreign();
		fail_slots();
		rc = claim(&us);
		place.backend = *place.posix;
		if (rc < 0 && !error.set)
			fail_msg("no message after call %u", failing);
		/* Without the reply, it is not known that it was created. */
		if (done && calls >= failing && !us.claim.begun) {
			char name[RUN_NAME_SIZE];
			unsigned part;

			for (part = 0; part < 3; part++)
				unlink(at("%s.run", own_name(part, name)));
		}
		if (killed && calls >= failing)
			us.claim.file = seen.file;
		if (us.claim.begun && leave(&us) < 0 && error.set)
			fail_msg("after call %u: %s", failing, error.text);
		check_foreign();
		assert_int_equal(nftw(place.root, remove_one, 16, FTW_DEPTH | FTW_PHYS), 0);
		assert_int_equal(mkdir(place.root, 0777), 0);
		if (calls < failing)
			break;
		held++;
	}
	assert_true(failing > 10 && held < 100);
	failing = 0;
}

static void nothing_is_left_whatever_fails(void **state)
{
	static const struct {
		const char *workdir;
		unsigned first_user;
	} claims[] = {{NULL, 0}, {"named", 5}, {"named", 0}, {"new", 0}, {".", 0}};
	static const int reasons[] = {-ENOSPC, -EDQUOT, -EACCES, -EAGAIN, -EIO};
	size_t i, j;

	for (i = 0; i < LENGTH(claims); i++) {
		for (j = 0; j < LENGTH(reasons); j++) {
			reason = reasons[j];
			killed = done = false;
			fail_each_call(claims[i].workdir, claims[i].first_user, j == 1);
		}
		reason = -EIO;
		killed = true;
		fail_each_call(claims[i].workdir, claims[i].first_user, true);
	}
	killed = false;
	/* The directory of the run was made, but its reply was lost. */
	done = true;
	fail_each_call(NULL, 0, false);
	done = false;
}

static int64_t write_half(struct backend_session *session, int64_t handle, const void *data,
			  size_t size, uint64_t offset)
{
	if (offset < (uint64_t)reason)
		return place.posix->write(session, handle, data, size, offset);
	return place.posix->write(session, handle, data, size / 2, offset);
}

static void a_full_disk_leaves_nothing(void **state)
{
	for (reason = 0; reason <= 1; reason++) {
		be(&us, NULL);
		place.backend.write = write_half;
		assert_true(claim(&us) < 0);
		assert_true(us.claim.begun);
		place.backend = *place.posix;
		assert_int_equal(leave(&us), 0);
		expect_nothing_left();
	}
}

static unsigned refusals; /* how often a lock is still refused */

static int refuse_lock(struct backend_session *session, const struct backend_path *path)
{
	if (refusals == 0)
		return place.posix->hold(session, path);
	refusals--;
	return -EAGAIN;
}

static int is_held_by_a_cleaner(struct backend_session *session, const struct backend_path *path)
{
	return 1;
}

static int no_lock(struct backend_session *session, const struct backend_path *path)
{
	return -EOPNOTSUPP;
}

static void a_refused_lock_leaves_no_file(void **state)
{
	struct run_file found;
	char name[RUN_NAME_SIZE];

	place.backend.hold = refuse_lock;
	place.backend.is_held = is_held_by_a_cleaner;
	refusals = 2;
	assert_int_equal(claim(&us), 0);
	assert_string_equal(us.claim.file.name, own_name(2, name));
	assert_true(us.claim.lock_fd >= 0);
	assert_int_equal(names_left(), 2);
	assert_int_equal(leave(&us), 0);
	refusals = 100;
	assert_true(claim(&us) < 0);
	assert_false(us.claim.begun);
	assert_true(us.claim.lock_fd < 0);
	expect_nothing_left();

	/* Some targets have no locks; the file says so. */
	place.backend.hold = no_lock;
	assert_int_equal(claim(&us), 0);
	assert_true(us.claim.lock_fd < 0);
	at_target();
	assert_int_equal(run_file_read(place.tree, us.claim.file.name, &found), 0);
	assert_false(found.locked);
	assert_int_equal(leave(&us), 0);
	expect_nothing_left();
}

/* A cleaner takes our file for that of a killed run, just before we lock it. */
static int hold_cleaned(struct backend_session *session, const struct backend_path *path)
{
	if (refusals == 0)
		return place.posix->hold(session, path);
	refusals--;
	assert_int_equal(unlink(at("%s", path->text)), 0);
	return place.posix->hold(session, path);
}

static void a_file_that_is_cleaned_away_is_written_again(void **state)
{
	place.backend.hold = hold_cleaned;
	refusals = 1;
	assert_int_equal(claim(&us), 0);
	assert_int_equal(names_left(), 2);
	assert_int_equal(leave(&us), 0);
	expect_nothing_left();
}

/* Somebody puts this at the name of the run's directory, just before it is
 * made, or entered. */
static enum { A_DIRECTORY, A_FULL_DIRECTORY, A_FILE, A_LINK } kind;

static void put_foreign(const char *name)
{
	switch (kind) {
	case A_DIRECTORY:
	case A_FULL_DIRECTORY:
		assert_int_equal(mkdir(at("%s", name), 0777), 0);
		assert_int_equal(mkdir(at("%s/clients", name), 0777), 0);
		if (kind == A_FULL_DIRECTORY)
			put(at("%s/file", name));
		else
			assert_int_equal(rmdir(at("%s/clients", name)), 0);
		break;
	case A_FILE:
		put(at("%s", name));
		break;
	case A_LINK:
		assert_int_equal(mkdir(at("other"), 0777), 0);
		assert_int_equal(mkdir(at("other/clients"), 0777), 0);
		put(at("other/file"));
		assert_int_equal(symlink("other", at("%s", name)), 0);
		break;
	}
}

static void check_put(const char *name)
{
	assert_true(is_there(at("%s", name)));
	if (kind == A_FULL_DIRECTORY) {
		assert_true(is_there(at("%s/file", name)));
		assert_true(is_there(at("%s/clients", name)));
	}
	if (kind == A_LINK) {
		assert_true(is_there(at("other/file")));
		assert_true(is_there(at("other/clients")));
		unlink(at("other/file"));
		rmdir(at("other/clients"));
		rmdir(at("other"));
	}
	unlink(at("%s/file", name));
	rmdir(at("%s/clients", name));
	assert_int_equal(remove(at("%s", name)), 0);
}

static void put_aside(const char *name)
{
	assert_int_equal(rename(at("%s", name), at("aside")), 0);
	put_foreign(name);
}

static int mkdir_late(struct backend_session *session, const struct backend_path *path)
{
	if (strncmp(path->text, "throng-", 7) == 0)
		put_foreign(path->text);
	return place.posix->mkdir(session, path);
}

static int enter_late(struct backend_session *session, const char *name)
{
	put_aside(name);
	return place.posix->enter(session, name);
}

static void a_name_that_is_taken_meanwhile_is_left_alone(void **state)
{
	for (kind = A_DIRECTORY; kind <= A_LINK; kind++) {
		be(&us, NULL);
		place.backend.mkdir = mkdir_late;
		assert_int_equal(claim(&us), -EEXIST);
		place.backend = *place.posix;
		assert_int_equal(leave(&us), 0);
		check_put(us.claim.file.name);
		expect_nothing_left();
	}
}

/* Where others may rename our directory, another may be in its place before we
 * know its number. An empty one is as good as ours. */
static void a_directory_that_is_replaced_at_once_is_left_alone(void **state)
{
	for (kind = A_FULL_DIRECTORY; kind <= A_LINK; kind++) {
		be(&us, NULL);
		place.backend.enter = enter_late;
		assert_true(claim(&us) < 0);
		place.backend = *place.posix;
		leave(&us);
		check_put(us.claim.file.name);
		assert_int_equal(rmdir(at("aside")), 0);
		unlink(at("%s.run", us.claim.file.name));
		expect_nothing_left();
	}
}

static void a_directory_that_is_replaced_is_left_alone(void **state)
{
	for (kind = A_DIRECTORY; kind <= A_LINK; kind++) {
		be(&us, NULL);
		assert_int_equal(claim(&us), 0);
		play(us.claim.file.name);
		put_aside(us.claim.file.name);
		assert_int_equal(take_away(&us.claim.file), -ESTALE);
		assert_non_null(strstr(error.text, "not the directory that the run made"));
		assert_true(is_there(at("%s.run", us.claim.file.name)));
		assert_true(is_there(at("aside/web/index")));
		check_put(us.claim.file.name);
		assert_int_equal(rename(at("aside"), at("%s", us.claim.file.name)), 0);
		assert_int_equal(leave(&us), 0);
		expect_nothing_left();
	}
}

/* The directory is replaced during the removal, before its n-th step. */
static unsigned steps_left;

static void step(void)
{
	/* After the directory, its file is removed. */
	if (is_there(at("%s", us.claim.file.name)) && steps_left > 0 && --steps_left == 0)
		put_aside(us.claim.file.name);
}

static int unlink_replaced(struct backend_session *session, const struct backend_path *path)
{
	step();
	return place.posix->unlink(session, path);
}

static int rmdir_replaced(struct backend_session *session, const struct backend_path *path)
{
	/* For an empty directory, the last moment is before it is checked. */
	if (strcmp(path->text, us.claim.file.name) != 0)
		step();
	return place.posix->rmdir(session, path);
}

static int list_replaced(struct backend_session *session, const struct backend_path *path,
			 backend_visit *visit, void *context)
{
	step();
	return place.posix->list(session, path, visit, context);
}

static void a_directory_that_is_replaced_during_the_removal_is_left_alone(void **state)
{
	bool replaced;
	unsigned i;

	for (kind = A_DIRECTORY; kind <= A_LINK; kind++) {
		for (i = 1, replaced = true; replaced; i++) {
			be(&us, NULL);
			assert_int_equal(claim(&us), 0);
			play(us.claim.file.name);
			place.backend.unlink = unlink_replaced;
			place.backend.rmdir = rmdir_replaced;
			place.backend.list = list_replaced;
			steps_left = i;
			leave(&us);
			place.backend = *place.posix;
			replaced = steps_left == 0 && is_there(at("aside"));
			if (replaced) {
				check_put(us.claim.file.name);
				/* All that is ours was removed. */
				assert_int_equal(rmdir(at("aside")), 0);
			}
			unlink(at("%s.run", us.claim.file.name));
			expect_nothing_left();
		}
		assert_true(i > 5);
	}
}

static void a_directory_that_was_renamed_is_reported(void **state)
{
	assert_int_equal(claim(&us), 0);
	play(us.claim.file.name);
	assert_int_equal(rename(at("%s", us.claim.file.name), at("aside")), 0);
	assert_int_equal(leave(&us), -ENOENT);
	assert_false(error.set);
	assert_int_equal(names_left(), 1);
	assert_true(is_there(at("aside/web/index")));
}

/* Somebody removes the run file of a live run. */
static void a_run_file_that_is_gone_keeps_no_directory(void **state)
{
	assert_int_equal(claim(&us), 0);
	play(us.claim.file.name);
	assert_int_equal(unlink(at("%s.run", us.claim.file.name)), 0);
	assert_int_equal(leave(&us), 0);
	expect_nothing_left();
}

int unit_rundir(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_claim_makes_a_file_and_a_directory),
		TEST(runs_share_nothing),
		TEST(names_in_use_are_left_alone),
		TEST(the_file_of_another_run_is_left_alone),
		TEST(a_second_url_of_a_target_is_found),
		TEST(nothing_is_left_whatever_fails),
		TEST(a_full_disk_leaves_nothing),
		TEST(a_refused_lock_leaves_no_file),
		TEST(a_file_that_is_cleaned_away_is_written_again),
		TEST(a_name_that_is_taken_meanwhile_is_left_alone),
		TEST(a_directory_that_is_replaced_at_once_is_left_alone),
		TEST(a_directory_that_is_replaced_is_left_alone),
		TEST(a_directory_that_is_replaced_during_the_removal_is_left_alone),
		TEST(a_directory_that_was_renamed_is_reported),
		TEST(a_run_file_that_is_gone_keeps_no_directory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
