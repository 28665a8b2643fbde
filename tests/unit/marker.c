/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "place.h"
#include "workdir/marker.h"

#include <errno.h>

#define ID "0123456789abcdef0123456789abcdef"

/* One byte more than the maximum size of a marker. */
enum { TOO_LONG = 1 << 20 };

/* The target of the current test (place.h); the slots below use it. */
static struct place place;

static int begin(void **state)
{
	open_place(&place);
	make_directory(&place, CLIENTS_NAME);
	return 0;
}

static int end(void **state)
{
	close_place(&place);
	return 0;
}

static const struct identity run = {
	.id = ID,
	.host = "host name",
	.machine = "machine",
	.boot = "boot",
	.pid_namespace = UINT64_MAX,
	.time_namespace = 4026531834,
	.process = 4242,
	.started = 123456789012,
};

/* Return a load that makes its own names in `clients` and beside it. */
static struct program *shared_load(void)
{
	return load_text("mkdir \"/clients/made\" OK\n"
			 "mkdir \"/clients/made/below\" OK\n"
			 "mkdir \"/clients/client1/own\" OK\n"
			 "mkdir \"/changed\" OK\n"
			 "mkdir \"/present\" OK\n"
			 "stat \"/looked-at\" OK\n"
			 "mkdir \"/clients/other\" OK\n");
}

/* Write a marker for the load. `absent` goes into struct marker_content. */
static int write_marker(const struct program *program, const bool *absent, int *lock_fd)
{
	struct outside names = {0};
	const struct marker_content content = {
		.run = &run,
		.users = 12,
		.made = true,
		.names = &names,
		.absent = absent,
	};
	int rc;

	assert_int_equal(outside_add(&names, program), 0);
	rc = marker_write(place.tree, MARKER_PATH, &content, lock_fd);
	outside_free(&names);
	return rc;
}

/* Read a marker that consists of these bytes. */
static int read_bytes(const void *bytes, size_t size, struct marker *marker)
{
	make_file(&place, MARKER_PATH, bytes, size);
	return marker_read(place.tree, MARKER_PATH, marker);
}

static int read_text(const char *text)
{
	struct marker marker;
	int rc = read_bytes(text, strlen(text), &marker);

	free(marker.text);
	return rc;
}

/* Return the values of all lines that begin with `word`, each followed by a
 * blank. */
static const char *values(const struct marker *marker, const char *word)
{
	static char all[1000];
	const char *value = NULL;

	all[0] = '\0';
	while ((value = marker_next(marker, word, value)) != NULL) {
		strcat(all, value);
		strcat(all, " ");
	}
	return all;
}

static void a_written_marker_can_be_read(void **state)
{
	struct program *program = shared_load();
	bool absent[3];
	struct marker marker;
	int lock_fd;
	size_t i;

	assert_int_equal(program->shared_count, LENGTH(absent));
	for (i = 0; i < LENGTH(absent); i++)
		absent[i] = strcmp(program->shared[i].name, "present") != 0;
	assert_int_equal(write_marker(program, absent, &lock_fd), 0);
	program_free(program);
	assert_int_equal(marker_read(place.tree, MARKER_PATH, &marker), 0);
	assert_string_equal(marker.run.id, run.id);
	assert_string_equal(marker.run.host, run.host);
	assert_string_equal(marker.run.machine, run.machine);
	assert_string_equal(marker.run.boot, run.boot);
	assert_true(marker.run.pid_namespace == run.pid_namespace);
	assert_true(marker.run.time_namespace == run.time_namespace);
	assert_int_equal(marker.run.process, run.process);
	assert_true(marker.run.started == run.started);
	assert_int_equal(marker.users, 12);
	assert_true(marker.made);
	assert_int_equal(marker.locked, lock_fd >= 0);
	/* The marker does not list names that existed before, names that the
	 * load only looks at, or names below a user's directory. */
	assert_string_equal(values(&marker, MARKER_SHARED), "changed ");
	assert_string_equal(values(&marker, MARKER_NAMED), "made other ");
	assert_string_equal(values(&marker, "none"), "");
	free(marker.text);
	if (lock_fd >= 0)
		close(lock_fd);
}

static int hold_none(struct backend_session *session, const struct backend_path *path)
{
	return -EOPNOTSUPP;
}

static void adoption_and_a_missing_lock_are_recorded(void **state)
{
	const struct outside names = {0};
	const struct marker_content content = {
		.run = &run,
		.users = 1,
		.names = &names,
	};
	struct marker marker;
	int lock_fd = 0;

	place.backend.hold = hold_none;
	assert_int_equal(marker_write(place.tree, MARKER_PATH, &content, &lock_fd), 0);
	assert_int_equal(lock_fd, -1);
	assert_int_equal(marker_read(place.tree, MARKER_PATH, &marker), 0);
	assert_false(marker.made);
	assert_false(marker.locked);
	assert_int_equal(marker.users, 1);
	free(marker.text);
}

static void an_existing_marker_is_kept(void **state)
{
	struct program *program = load_text("statvfs OK\n");
	struct marker marker;
	int lock_fd = 0;

	make_file(&place, MARKER_PATH, "theirs", 6);
	assert_int_equal(write_marker(program, NULL, &lock_fd), -EEXIST);
	assert_int_equal(lock_fd, -1);
	assert_int_equal(marker_read(place.tree, MARKER_PATH, &marker), -EINVAL);
	assert_string_equal(marker.text, "theirs");
	free(marker.text);
	program_free(program);
}

static int64_t write_to_a_full_disk(struct backend_session *session, int64_t handle,
				    const void *data, size_t size, uint64_t offset)
{
	place.posix->write(session, handle, data, size / 2, offset);
	return -ENOSPC;
}

static void a_failed_write_leaves_no_marker(void **state)
{
	struct program *program = load_text("statvfs OK\n");
	char *text;
	int lock_fd = 0;
	size_t i;

	place.backend.write = write_to_a_full_disk;
	assert_int_equal(write_marker(program, NULL, &lock_fd), -ENOSPC);
	assert_int_equal(lock_fd, -1);
	assert_false(exists(&place, MARKER_PATH));
	place.backend.write = place.posix->write;
	program_free(program);

	/* If a marker would be too long to be read again, writing it fails and
	 * leaves no marker. */
	text = malloc(2 * TOO_LONG);
	text[0] = '\0';
	for (i = 0; strlen(text + i) + i < TOO_LONG + TOO_LONG / 4; i += strlen(text + i))
		sprintf(text + i, "mkdir \"/clients/%0200zu\" OK\n", i);
	program = load_text(text);
	free(text);
	assert_int_equal(write_marker(program, NULL, &lock_fd), -EFBIG);
	assert_int_equal(lock_fd, -1);
	assert_false(exists(&place, MARKER_PATH));
	program_free(program);
}

#define TITLE "throng work directory 2\n"
#define WHOLE TITLE "run " ID "\nprocess 1\nend\n"

static void an_incomplete_marker_is_refused(void **state)
{
	static const char whole[] = WHOLE;
	struct marker marker;
	size_t i;

	assert_int_equal(marker_read(place.tree, MARKER_PATH, &marker), -ENOENT);
	free(marker.text);
	/* A truncated marker may be one that is still being written. */
	for (i = 0; i < strlen(whole); i++) {
		int rc = read_bytes(whole, i, &marker);

		if (rc != -EAGAIN)
			fail_msg("%d of the first %zu bytes", rc, i);
		free(marker.text);
	}
	assert_int_equal(read_text(whole), 0);
	assert_int_equal(read_text(WHOLE "x"), -EAGAIN);
	assert_int_equal(read_text(TITLE "run " ID "\nprocess 1\nappend\n"), -EAGAIN);
}

static void foreign_files_are_refused(void **state)
{
	static const char *const texts[] = {
		"x",
		"throng work directory 1\nrun " ID "\nprocess 1\nend\n",
		"throng work directory 22\nrun " ID "\nprocess 1\nend\n",
		"\n" WHOLE,
		"#!/bin/sh\nend\n",
	};
	size_t i;

	for (i = 0; i < LENGTH(texts); i++)
		if (read_text(texts[i]) != -EINVAL)
			fail_msg("is a marker: %s", texts[i]);
}

static void damaged_markers_are_refused(void **state)
{
	static const char *const texts[] = {
		TITLE "process 1\nend\n",
		TITLE "run " ID "\nend\n",
		/* kill(2) would signal many processes with these. */
		TITLE "run " ID "\nprocess 0\nend\n",
		TITLE "run " ID "\nprocess -1\nend\n",
		TITLE "run " ID "\nprocess x\nend\n",
		TITLE "run" ID "\nprocess 1\nend\n",
		/* The id becomes part of a file name. */
		TITLE "run ../../../../../../../../../../a\nprocess 1\nend\n",
		TITLE "run " ID "0\nprocess 1\nend\n",
		TITLE "run 0123456789abcdef0123456789abcde\nprocess 1\nend\n",
		TITLE "run 0123456789ABCDEF0123456789ABCDEF\nprocess 1\nend\n",
	};
	size_t i;

	for (i = 0; i < LENGTH(texts); i++)
		if (read_text(texts[i]) != -EINVAL)
			fail_msg("is a marker: %s", texts[i]);
}

static void long_words_are_truncated(void **state)
{
	char text[2000];
	struct marker marker;

	snprintf(text, sizeof(text),
		 TITLE "run " ID "\nprocess 1\n"
		       "host %01000d\nunknown line\n\nname a b\nnames c\nend\n",
		 7);
	assert_int_equal(read_bytes(text, strlen(text), &marker), 0);
	assert_int_equal(strlen(marker.run.host), IDENTITY_WORD_SIZE - 1);
	assert_string_equal(values(&marker, MARKER_NAMED), "a b ");
	free(marker.text);
}

static void a_marker_that_is_too_long_is_refused(void **state)
{
	static const char head[] = TITLE "run " ID "\nprocess 1\n";
	char *text = malloc(TOO_LONG);
	struct marker marker;

	memset(text, 'x', TOO_LONG);
	memcpy(text, head, strlen(head));
	memcpy(text + TOO_LONG - strlen("\nend\n"), "\nend\n", 5);
	assert_int_equal(read_bytes(text, TOO_LONG, &marker), -EINVAL);
	free(marker.text);
	memcpy(text + TOO_LONG - strlen("\nend\n") - 1, "\nend\n", 5);
	assert_int_equal(read_bytes(text, TOO_LONG - 1, &marker), 0);
	free(marker.text);
	free(text);
}

static int64_t fail_to_read(struct backend_session *session, int64_t handle, void *buffer,
			    size_t size, uint64_t offset)
{
	return -EIO;
}

static void an_unreadable_file_is_refused(void **state)
{
	struct marker marker;
	char path[PATH_MAX];

	make_file(&place, MARKER_PATH, WHOLE, strlen(WHOLE));
	place.backend.read = fail_to_read;
	assert_int_equal(marker_read(place.tree, MARKER_PATH, &marker), -EIO);
	free(marker.text);
	place.backend.read = place.posix->read;
	/* A link to a marker is not followed. */
	snprintf(path, sizeof(path), "%s/" CLIENTS_NAME "/link", place.root);
	assert_int_equal(symlink(MARKER_NAME, path), 0);
	assert_true(marker_read(place.tree, CLIENTS_NAME "/link", &marker) < 0);
	free(marker.text);
	assert_int_equal(marker_read(place.tree, MARKER_PATH, &marker), 0);
	free(marker.text);
}

static void names_of_markers_are_recognised(void **state)
{
	assert_true(marker_is_own(".throng"));
	assert_true(marker_is_own(".throng-" ID));
	assert_false(marker_is_own(""));
	assert_false(marker_is_own("throng"));
	assert_false(marker_is_own(".throngs"));
	assert_false(marker_is_own(".throng-"));
	assert_false(marker_is_own(".throng-0"));
	assert_false(marker_is_own(".throng-" ID "0"));
	assert_false(marker_is_own(".throng-0123456789ABCDEF0123456789ABCDEF"));
	assert_false(marker_is_own(".throng-" ID "x"));
}

static int held; /* what is_held returns for the marker */

static int is_held(struct backend_session *session, const struct backend_path *path)
{
	return strcmp(path->text, MARKER_PATH) == 0 ? held : -ENOENT;
}

static void the_lock_overrides_the_process(void **state)
{
	struct identity self;
	struct marker marker = {.locked = true};

	assert_int_equal(identity_make(&self), 0);
	marker.run = self;
	place.backend.is_held = is_held;
	held = 0;
	assert_int_equal(marker_state(place.tree, MARKER_PATH, &marker, &self), IDENTITY_DEAD);
	/* If the run has no lock on its marker, "not held" means nothing. */
	marker.locked = false;
	assert_int_equal(marker_state(place.tree, MARKER_PATH, &marker, &self), IDENTITY_ALIVE);
	marker.locked = true;
	marker.run.started++;
	assert_int_equal(identity_state(&marker.run, &self), IDENTITY_DEAD);
	held = 1;
	assert_int_equal(marker_state(place.tree, MARKER_PATH, &marker, &self), IDENTITY_ALIVE);
	/* If the lock cannot be tested, the run is alive if its process is. */
	held = -EOPNOTSUPP;
	assert_int_equal(marker_state(place.tree, MARKER_PATH, &marker, &self), IDENTITY_DEAD);
	place.backend.is_held = NULL;
	assert_int_equal(marker_state(place.tree, MARKER_PATH, &marker, &self), IDENTITY_DEAD);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, begin, end)

int unit_marker(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_written_marker_can_be_read),
		TEST(adoption_and_a_missing_lock_are_recorded),
		TEST(an_existing_marker_is_kept),
		TEST(a_failed_write_leaves_no_marker),
		TEST(an_incomplete_marker_is_refused),
		TEST(foreign_files_are_refused),
		TEST(damaged_markers_are_refused),
		TEST(long_words_are_truncated),
		TEST(a_marker_that_is_too_long_is_refused),
		TEST(an_unreadable_file_is_refused),
		TEST(names_of_markers_are_recognised),
		TEST(the_lock_overrides_the_process),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
