/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Test how the runs at a target are judged, and that only what a dead run has
 * left is removed. See rundir.c for what the removal leaves alone.
 */
#include "unit.h"

#include "place.h"
#include "workdir/survey.h"

#include <ctype.h>
#include <errno.h>
#include <sys/wait.h>

/* The target of the current test (place.h); the slots below use it. */
static struct place place;
static struct error error;

static struct identity self; /* who surveys */
static struct survey survey;

/* A run that has claimed the target. */
static struct identity run;
static struct rundir_claim claim;

static void at_target(void)
{
	struct error why = {0};

	assert_int_equal(tree_reopen(place.tree, &place.target, &why), 0);
}

static int begin(void **state)
{
	open_place(&place);
	claim.lock_fd = -1;
	assert_int_equal(identity_make(&self), 0);
	strcpy(self.machine, "machine");
	strcpy(self.host, "host");
	run = self;
	strcpy(run.id, "0123456789abcdef0123456789abcdef");
	return 0;
}

/* The process of the run ends, and with it the lock. */
static void end_run(void)
{
	if (claim.lock_fd >= 0)
		close(claim.lock_fd);
	claim.lock_fd = -1;
}

static int end(void **state)
{
	end_run();
	at_target();
	place.session = place.tree->session;
	close_place(&place);
	return 0;
}

static void begin_run(const char *workdir)
{
	const struct rundir_request request = {.run = &run, .workdir = workdir, .users = 2};
	struct error why = {0};

	at_target();
	assert_int_equal(rundir_claim(place.tree, &request, &claim, &why), 0);
	at_target();
}

static const char *file_name(void)
{
	static char path[RUN_NAME_SIZE + sizeof(RUN_FILE_ENDING)];

	run_file_path(claim.file.name, path);
	return path;
}

static int no_lock(struct backend_session *session, const struct backend_path *path)
{
	return -EOPNOTSUPP;
}

static void without_locks(void)
{
	place.backend.hold = place.backend.is_held = no_lock;
}

static pid_t dead_process(void)
{
	pid_t child = fork();

	if (child == 0)
		_exit(0);
	assert_int_equal(waitpid(child, NULL, 0), child);
	return child;
}

static int take(void)
{
	at_target();
	memset(&survey, 'x', sizeof(survey));
	return survey_take(place.tree, &self, SURVEY_NAMES_MAX, &survey);
}

/* Expect one run in this state. */
static void expect(enum survey_state state)
{
	assert_int_equal(take(), 0);
	assert_int_equal(survey.count, 1);
	assert_string_equal(survey_states[survey.entries[0].state], survey_states[state]);
	assert_string_equal(survey.entries[0].file.name, claim.file.name);
	assert_false(survey.cut);
}

static int clean(const char *name, bool force)
{
	at_target();
	error = (struct error){0};
	return survey_remove(place.tree, &place.target, name, &self, force, &error);
}

/* Expect that neither kind of removal changes anything. */
static void expect_refusal(int rc)
{
	const char *directory = run_file_directory(&claim.file);
	int force;

	for (force = 0; force <= 1; force++) {
		assert_int_equal(clean(claim.file.name, force), rc);
		assert_true(error.set);
		assert_true(exists(&place, file_name()));
		assert_true(exists(&place, directory));
	}
}

static void expect_removal(bool force)
{
	int rc = clean(claim.file.name, force);

	if (rc != 0)
		fail_msg("%d: %s", rc, error.text);
	assert_false(exists(&place, file_name()));
	assert_false(exists(&place, claim.file.name));
	assert_int_equal(take(), 0);
	assert_int_equal(survey.count, 0);
}

/* Put a file into the directory of the run. */
static void put_file(const char *name)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/%s", run_file_directory(&claim.file), name);
	make_file(&place, path, "x", 1);
}

/* Let the run have begun before this machine was booted. */
static void backdate(void)
{
	char path[PATH_MAX], text[4096];
	ssize_t size;
	char *year;
	int fd;

	snprintf(path, sizeof(path), "%s/%s", place.root, file_name());
	fd = open(path, O_RDWR | O_CLOEXEC);
	assert_true(fd >= 0);
	size = read(fd, text, sizeof(text) - 1);
	assert_true(size >= 0);
	text[size] = '\0';
	year = strstr(text, "\nbegun 2");
	/* It may have been cut before. */
	if (year != NULL)
		assert_int_equal(pwrite(fd, "1", 1, year + strlen("\nbegun ") - text), 1);
	close(fd);
}

static void the_lock_tells_the_state(void **state)
{
	assert_int_equal(take(), 0);
	assert_int_equal(survey.count, 0);
	begin_run(NULL);
	/* Not the process does: here, it is that of no run. */
	expect(SURVEY_RUNNING);
	expect_refusal(-EBUSY);
	assert_non_null(strstr(error.text, "alive"));
	put_file("file");
	end_run();
	expect(SURVEY_DEAD);
	expect_removal(false);

	run.process = dead_process();
	begin_run(NULL);
	expect(SURVEY_RUNNING);
	/* As long as a user of the run has inherited the lock. */
	strcpy(self.boot, "another");
	expect(SURVEY_RUNNING);
	expect_refusal(-EBUSY);
	end_run();
	expect_removal(false);
}

static void without_a_lock_the_process_tells_the_state(void **state)
{
	without_locks();
	begin_run(NULL);
	expect(SURVEY_RUNNING);
	expect_refusal(-EBUSY);
	/* A lock that the run does not have says nothing. */
	place.backend = *place.posix;
	expect(SURVEY_RUNNING);
	expect_refusal(-EBUSY);
	without_locks();
	self.pid_namespace++;
	expect(SURVEY_UNKNOWN);
	assert_int_equal(clean(claim.file.name, false), -EBUSY);
	assert_non_null(strstr(error.text, "--force"));
	assert_true(exists(&place, claim.file.name));
	self.pid_namespace--;
	strcpy(self.boot, "rebooted");
	/* It began after that: it was on another machine, of which ours is a clone. */
	expect(SURVEY_UNKNOWN);
	backdate();
	expect(SURVEY_DEAD);
	/* On another machine, with another boot ID. */
	strcpy(self.host, "another");
	expect(SURVEY_UNKNOWN);
	assert_int_equal(clean(claim.file.name, false), -EBUSY);
	assert_true(exists(&place, file_name()));
	expect_removal(true);

	self = run;
	run.process = dead_process();
	run.started = 0;
	begin_run(NULL);
	expect(SURVEY_DEAD);
	expect_removal(false);
}

/* Replace the run's directory by a copy, as `cp -a` of a target or the restore of
 * a backup does. */
static void copy_directory(void)
{
	char command[2 * PATH_MAX];

	snprintf(command, sizeof(command),
		 "cd '%s' && cp -a '%s' copy && mv '%s' aside && mv copy '%s'", place.root,
		 run_file_directory(&claim.file), run_file_directory(&claim.file),
		 run_file_directory(&claim.file));
	assert_int_equal(system(command), 0);
}

static void a_copy_is_only_reported(void **state)
{
	begin_run(NULL);
	put_file("file");
	end_run();
	copy_directory();
	expect(SURVEY_COPY);
	expect_refusal(-ESTALE);
	assert_true(exists(&place, "aside/file"));
}

static uint64_t device_grows, generation_grows; /* by these numbers */

static int identify_changed(struct backend_session *session, int64_t handle,
			    struct backend_file *file)
{
	int rc = place.posix->identify(session, handle, file);

	file->device += device_grows;
	file->generation += generation_grows;
	return rc;
}

/* A snapshot has the numbers of the original, but on another file system. So has a
 * file system that was mounted again, which only a person can know. */
static void a_snapshot_is_removed_only_by_force(void **state)
{
	begin_run(NULL);
	put_file("file");
	end_run();
	place.backend.identify = identify_changed;
	device_grows = 1;
	expect(SURVEY_COPY);
	assert_int_equal(clean(claim.file.name, false), -ESTALE);
	assert_true(exists(&place, claim.file.name));
	expect_removal(true);
	device_grows = 0;
}

/* A new directory may get the number of one that was removed. */
static void a_reused_number_is_noticed(void **state)
{
	begin_run("work");
	put_file("file");
	end_run();
	place.backend.identify = identify_changed;
	generation_grows = 1;
	expect(SURVEY_COPY);
	assert_int_equal(clean(claim.file.name, true), -ESTALE);
	assert_true(exists(&place, "work/file"));
	generation_grows = 0;
	expect(SURVEY_DEAD);
	expect_removal(false);
}

static void a_copy_of_a_named_directory_is_only_reported(void **state)
{
	begin_run("work");
	put_file("file");
	end_run();
	copy_directory();
	expect(SURVEY_COPY);
	expect_refusal(-ESTALE);
	assert_true(exists(&place, "work/file"));
	assert_true(exists(&place, "work/clients/client1"));
}

static void a_file_or_a_link_in_its_place_is_only_reported(void **state)
{
	char old[PATH_MAX], new[PATH_MAX];

	begin_run(NULL);
	end_run();
	snprintf(old, sizeof(old), "%s/%s", place.root, claim.file.name);
	snprintf(new, sizeof(new), "%s/aside", place.root);
	assert_int_equal(rename(old, new), 0);
	make_file(&place, claim.file.name, "x", 1);
	expect(SURVEY_COPY);
	expect_refusal(-ESTALE);
	assert_int_equal(unlink(old), 0);
	assert_int_equal(symlink("aside", old), 0);
	expect(SURVEY_COPY);
	expect_refusal(-ESTALE);
	assert_true(exists(&place, "aside/clients"));
	/* Without its directory, only the file is left to remove. */
	assert_int_equal(unlink(old), 0);
	expect(SURVEY_DEAD);
	expect_removal(false);
}

static void damaged_files_are_only_reported(void **state)
{
	begin_run(NULL);
	end_run();
	make_file(&place, file_name(), "throng run 2\n", 13);
	expect(SURVEY_DAMAGED);
	expect_refusal(-EINVAL);
	make_file(&place, file_name(), "\0", 1);
	expect(SURVEY_DAMAGED);
	expect_refusal(-EINVAL);
	assert_int_equal(clean("throng-ffffffff", true), -ENOENT);
	assert_true(error.set);
	assert_true(clean("../throng-ffff", true) < 0);
	assert_true(error.set);
}

/* Write a run file as far as a run that was killed during its claim. */
static void cut_file(size_t size)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", place.root, file_name());
	assert_int_equal(truncate(path, (off_t)size), 0);
}

static void an_unfinished_run_is_removed(void **state)
{
	struct stat whole;
	char path[PATH_MAX];
	size_t size;

	begin_run(NULL);
	snprintf(path, sizeof(path), "%s/%s", place.root, file_name());
	assert_int_equal(stat(path, &whole), 0);
	cut_file(0);
	/* It is about to write the file. */
	expect(SURVEY_RUNNING);
	expect_refusal(-EBUSY);
	end_run();
	for (size = 0; size < (size_t)whole.st_size; size += 7) {
		if (!exists(&place, claim.file.name))
			begin_run(NULL);
		end_run();
		/* Now its process counts if its line is there, but that of the
		 * lock is not. */
		strcpy(self.boot, "rebooted");
		backdate();
		cut_file(size);
		expect(SURVEY_DEAD);
		assert_false(survey.entries[0].file.complete);
		expect_removal(false);
		strcpy(self.boot, run.boot);
	}
	/* A file that the run may not have made stays. */
	begin_run(NULL);
	end_run();
	put_file("file");
	cut_file(0);
	expect_refusal(-ENOTEMPTY);
}

static void an_unfinished_run_without_a_lock_is_unknown(void **state)
{
	without_locks();
	begin_run(NULL);
	cut_file(0);
	expect(SURVEY_UNKNOWN);
	assert_int_equal(clean(claim.file.name, false), -EBUSY);
	assert_true(exists(&place, claim.file.name));
	expect_removal(true);
}

/* Give the run file to another account. */
static void give_away(const char *name)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", place.root, name);
	assert_int_equal(chown(path, 65534, (gid_t)-1), 0);
}

static void a_run_of_another_account_is_not_removed(void **state)
{
	if (geteuid() != 0)
		skip();
	begin_run(NULL);
	end_run();
	give_away(file_name());
	expect(SURVEY_DEAD);
	expect_refusal(-EPERM);
	assert_non_null(strstr(error.text, "another account"));
	/* Nor where only its process tells that it is dead. */
	strcpy(self.boot, "rebooted");
	backdate();
	without_locks();
	assert_int_equal(clean(claim.file.name, false), -EPERM);
	assert_non_null(strstr(error.text, "another account"));
	assert_true(exists(&place, claim.file.name));
	expect_removal(true);
}

/*
 * Another account has forged a run file, which names a directory that is not the
 * run's. The file's name refers to the forged one only while it is opened.
 */
static bool swaps;

static void swap(void)
{
	char one[PATH_MAX], other[PATH_MAX];

	snprintf(one, sizeof(one), "%s/%s", place.root, file_name());
	snprintf(other, sizeof(other), "%s/forged", place.root);
	assert_int_equal(renameat2(AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE), 0);
}

static int64_t open_swapped(struct backend_session *session, const struct backend_path *path,
			    uint64_t flags)
{
	bool swapped = swaps && strcmp(path->text, file_name()) == 0;
	int64_t handle;

	if (swapped)
		swap();
	handle = place.posix->open(session, path, flags);
	if (swapped)
		swap();
	return handle;
}

static uint64_t generation_of(const char *name)
{
	struct backend_file found;
	int64_t handle = place.posix->open(place.tree->session,
					   &(struct backend_path){.text = name},
					   OPEN_READ | OPEN_DIRECTORY);

	assert_true(handle >= 0);
	assert_int_equal(place.posix->identify(place.tree->session, handle, &found), 0);
	place.posix->close(place.tree->session, handle);
	return found.generation;
}

static void a_forged_file_is_not_believed(void **state)
{
	char text[4096];
	struct stat precious;
	int length;

	if (geteuid() != 0)
		skip();
	begin_run(NULL);
	end_run();
	make_directory(&place, "precious");
	make_file(&place, "precious/file", "x", 1);
	snprintf(text, sizeof(text), "%s/precious", place.root);
	assert_int_equal(stat(text, &precious), 0);
	length = snprintf(text, sizeof(text),
			  "throng run 1\nname %s\nid %s\nbegun now\nhost host\nmachine machine\n"
			  "boot %s\npid-namespace 0\ntime-namespace 0\nprocess 1\nstarted 1\n"
			  "lock held\nkept no\nworkdir precious\nmade yes\nusers 0 1\n"
			  "directory %ju %ju %ju\nend\n",
			  claim.file.name, run.id, run.boot, (uintmax_t)precious.st_dev,
			  (uintmax_t)precious.st_ino, (uintmax_t)generation_of("precious"));
	make_file(&place, "forged", text, (size_t)length);
	give_away("forged");
	place.backend.open = open_swapped;
	swaps = true;
	expect(SURVEY_DEAD);
	assert_string_equal(survey.entries[0].file.workdir, "precious");
	expect_refusal(-EPERM);
	swaps = false;
	assert_true(exists(&place, "precious/file"));
	/* Our own account may have made any directory. */
	expect_removal(false);
}

/* Another cleaner, or the run itself, locks the file just before us. */
static int hold_late(struct backend_session *session, const struct backend_path *path)
{
	claim.lock_fd = place.posix->hold(session, path);
	assert_true(claim.lock_fd >= 0);
	return place.posix->hold(session, path);
}

static void a_lock_that_is_held_meanwhile_is_respected(void **state)
{
	begin_run(NULL);
	put_file("file");
	end_run();
	place.backend.hold = hold_late;
	assert_int_equal(clean(claim.file.name, true), -EAGAIN);
	assert_non_null(strstr(error.text, "lock"));
	assert_true(exists(&place, claim.file.name));
	place.backend.hold = place.posix->hold;
	expect_refusal(-EBUSY);
	end_run();
	expect_removal(false);
}

/* A cleaner that has removed the run just before us. */
static int hold_removed(struct backend_session *session, const struct backend_path *path)
{
	char name[PATH_MAX];

	snprintf(name, sizeof(name), "%s/%s", place.root, path->text);
	assert_int_equal(unlink(name), 0);
	return place.posix->hold(session, path);
}

static void a_run_that_is_removed_meanwhile_is_left_to_the_other(void **state)
{
	begin_run(NULL);
	put_file("file");
	end_run();
	place.backend.hold = hold_removed;
	assert_int_equal(clean(claim.file.name, true), -ENOENT);
	assert_true(error.set);
	assert_true(exists(&place, claim.file.name));
}

static void a_dead_user_of_a_named_directory_is_removed(void **state)
{
	make_directory(&place, "work");
	make_directory(&place, "work/clients");
	make_directory(&place, "work/clients/client2");
	begin_run("work");
	put_file("file");
	put_file("clients/client0/file");
	end_run();
	expect(SURVEY_DEAD);
	expect_removal(false);
	assert_false(exists(&place, "work/clients/client0"));
	assert_false(exists(&place, "work/clients/client1"));
	assert_true(exists(&place, "work/clients/client2"));
	assert_true(exists(&place, "work/file"));
}

/* A list with as many other names before the real ones as `others`. */
static unsigned others;

static int list_many(struct backend_session *session, const struct backend_path *path,
		     backend_visit *visit, void *context)
{
	char name[32];
	unsigned i;

	for (i = 0; i < others; i++) {
		snprintf(name, sizeof(name), "name%u", i);
		if (!visit(context, name, ENTRY_UNKNOWN))
			return 0;
	}
	return place.posix->list(session, path, visit, context);
}

static void a_survey_has_an_end(void **state)
{
	char name[RUN_NAME_SIZE + sizeof(RUN_FILE_ENDING)];
	unsigned i;

	for (i = 0; i < SURVEY_RUNS_MAX; i++) {
		snprintf(name, sizeof(name), "throng-%08x.run", i);
		make_file(&place, name, "x", 1);
	}
	assert_int_equal(take(), 0);
	assert_int_equal(survey.count, SURVEY_RUNS_MAX);
	assert_false(survey.cut);
	/* They come in the order of their names. */
	for (i = 0; i < SURVEY_RUNS_MAX; i++) {
		snprintf(name, sizeof(name), "throng-%08x", i);
		assert_string_equal(survey.entries[i].file.name, name);
	}
	make_file(&place, "throng-ffffffff.run", "x", 1);
	assert_int_equal(take(), 0);
	assert_int_equal(survey.count, SURVEY_RUNS_MAX);
	assert_true(survey.cut);
	/* A run can be removed although the survey does not show it. */
	assert_int_equal(clean("throng-ffffffff", false), -EINVAL);
	make_file(&place, "throng-ffffffff.run", "", 0);
	assert_int_equal(clean("throng-ffffffff", false), 0);
}

static void a_list_has_an_end(void **state)
{
	begin_run(NULL);
	place.backend.list = list_many;
	others = SURVEY_NAMES_MAX - 4; /* the target has ".", ".." and two names */
	expect(SURVEY_RUNNING);
	others = SURVEY_NAMES_MAX - 3;
	assert_int_equal(take(), 0);
	assert_true(survey.cut);
	others = SURVEY_NAMES_MAX;
	assert_int_equal(take(), 0);
	assert_int_equal(survey.count, 0);
	assert_true(survey.cut);
	others = 3 * SURVEY_NAMES_MAX;
	assert_int_equal(take(), 0);
	assert_true(survey.cut);
}

/* List all names in capitals, and the usual ones as well. */
struct twice {
	backend_visit *visit;
	void *context;
};

static bool visit_twice(void *context, const char *name, enum backend_entry entry)
{
	const struct twice *twice = context;
	char capitals[NAME_MAX + 1];
	size_t i;

	for (i = 0; i <= strlen(name); i++)
		capitals[i] = (char)toupper((unsigned char)name[i]);
	return twice->visit(twice->context, capitals, entry) &&
	       twice->visit(twice->context, name, entry);
}

static int list_twice(struct backend_session *session, const struct backend_path *path,
		      backend_visit *visit, void *context)
{
	struct twice twice = {visit, context};

	return place.posix->list(session, path, visit_twice, &twice);
}

static void names_in_capitals_are_found(void **state)
{
	begin_run(NULL);
	place.backend.list = list_twice;
	expect(SURVEY_RUNNING);
	assert_true(survey.entries[0].file.complete);
}

/* The run ends just before its file is read. */
static int64_t open_late(struct backend_session *session, const struct backend_path *path,
			 uint64_t flags)
{
	char name[PATH_MAX];

	snprintf(name, sizeof(name), "%s/%s", place.root, path->text);
	unlink(name);
	return place.posix->open(session, path, flags);
}

static void a_run_that_ends_meanwhile_is_not_listed(void **state)
{
	begin_run(NULL);
	place.backend.open = open_late;
	assert_int_equal(take(), 0);
	assert_int_equal(survey.count, 0);
}

static int fail_to_list(struct backend_session *session, const struct backend_path *path,
			backend_visit *visit, void *context)
{
	return -EACCES;
}

static int64_t open_to_read(struct backend_session *session, const struct backend_path *path,
			    uint64_t flags)
{
	assert_true((flags & (OPEN_WRITE | OPEN_CREATE | OPEN_TRUNCATE)) == 0);
	return place.posix->open(session, path, flags);
}

static void a_survey_changes_nothing(void **state)
{
	begin_run(NULL);
	place.backend.open = open_to_read;
	place.backend.write = NULL;
	place.backend.mkdir = NULL;
	place.backend.rmdir = NULL;
	place.backend.unlink = NULL;
	place.backend.rename = NULL;
	place.backend.chmod = NULL;
	place.backend.hold = NULL;
	expect(SURVEY_RUNNING);
	end_run();
	expect(SURVEY_DEAD);
	place.backend.list = fail_to_list;
	assert_int_equal(take(), -EACCES);
	assert_int_equal(survey.count, 0);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, begin, end)

int unit_survey(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_lock_tells_the_state),
		TEST(without_a_lock_the_process_tells_the_state),
		TEST(a_copy_is_only_reported),
		TEST(a_snapshot_is_removed_only_by_force),
		TEST(a_reused_number_is_noticed),
		TEST(a_copy_of_a_named_directory_is_only_reported),
		TEST(a_file_or_a_link_in_its_place_is_only_reported),
		TEST(damaged_files_are_only_reported),
		TEST(an_unfinished_run_is_removed),
		TEST(an_unfinished_run_without_a_lock_is_unknown),
		TEST(a_run_of_another_account_is_not_removed),
		TEST(a_forged_file_is_not_believed),
		TEST(a_lock_that_is_held_meanwhile_is_respected),
		TEST(a_run_that_is_removed_meanwhile_is_left_to_the_other),
		TEST(a_dead_user_of_a_named_directory_is_removed),
		TEST(a_survey_has_an_end),
		TEST(a_list_has_an_end),
		TEST(names_in_capitals_are_found),
		TEST(a_run_that_ends_meanwhile_is_not_listed),
		TEST(a_survey_changes_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
