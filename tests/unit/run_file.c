/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "place.h"
#include "workdir/run_file.h"

#include <errno.h>

#define NAME "throng-01234567"
#define ID "0123456789abcdef0123456789abcdef"
#define TITLE "throng run 1\n"
#define BEFORE_PROCESS \
	TITLE "name " NAME "\nid " ID "\nbegun 2026-11-26T10:31:07Z\nhost h\nmachine m\nboot b\n" \
	      "pid-namespace 1\ntime-namespace 2\n"
#define AFTER_PROCESS "started 4\nlock held\nkept no\n"
#define FIRST BEFORE_PROCESS "process 3\n" AFTER_PROCESS
#define REST "made yes\nusers 5 6\ndirectory 7 8 9\nend\n"

/* The target of the current test (place.h); the slots below use it. */
static struct place place;

static int begin(void **state)
{
	open_place(&place);
	return 0;
}

static int end(void **state)
{
	close_place(&place);
	return 0;
}

static struct run_file sample(void)
{
	return (struct run_file){
		.name = NAME,
		.run =
			{
				.id = ID,
				.host = "a host",
				.machine = "machine",
				.boot = "",
				.pid_namespace = UINT64_MAX,
				.time_namespace = 4026531834,
				.process = INT_MAX,
				.started = 123456789012,
			},
		.begun = "2026-11-26T10:31:07Z",
		.locked = true,
		.workdir = "work dir",
		.complete = true,
		.device = UINT64_MAX,
		.inode = UINT64_MAX - 1,
		.generation = UINT64_MAX - 2,
		.made = true,
		.first_user = 12,
		.users = 34,
	};
}

static int write_parts(const struct run_file *file, bool rest)
{
	uint64_t offset = 0;
	int64_t handle = place.backend.open(
		place.session, &(struct backend_path){.text = NAME RUN_FILE_ENDING},
		OPEN_READ | OPEN_WRITE | OPEN_CREATE | OPEN_TRUNCATE | OPEN_FILE);
	int rc;

	assert_true(handle >= 0);
	rc = run_file_write(place.tree, handle, file, RUN_FILE_FIRST, &offset);
	if (rc == 0 && rest)
		rc = run_file_write(place.tree, handle, file, RUN_FILE_MADE, &offset);
	if (rc == 0 && rest)
		rc = run_file_write(place.tree, handle, file, RUN_FILE_LAST, &offset);
	place.backend.close(place.session, handle);
	return rc;
}

static int read_bytes(const void *bytes, size_t size, struct run_file *file)
{
	make_file(&place, NAME RUN_FILE_ENDING, bytes, size);
	memset(file, 'x', sizeof(*file));
	return run_file_read(place.tree, NAME, file);
}

static int read_text(const char *text, struct run_file *file)
{
	return read_bytes(text, strlen(text), file);
}

/* Check that the fields of `found` are those of `wanted`, or, if the file was cut,
 * that they were not set. */
static void compare(const struct run_file *found, const struct run_file *wanted, bool cut)
{
#define SAME_TEXT(member) \
	if (!cut || found->member[0] != '\0') \
	assert_string_equal(found->member, wanted->member)
#define SAME_NUMBER(member) \
	if (!cut || found->member != 0) \
	assert_true(found->member == wanted->member)
	SAME_TEXT(name);
	SAME_TEXT(run.id);
	SAME_TEXT(run.host);
	SAME_TEXT(run.machine);
	SAME_TEXT(run.boot);
	SAME_NUMBER(run.pid_namespace);
	SAME_NUMBER(run.time_namespace);
	SAME_NUMBER(run.process);
	SAME_NUMBER(run.started);
	SAME_TEXT(begun);
	SAME_NUMBER(locked);
	SAME_NUMBER(kept);
	SAME_TEXT(workdir);
	SAME_NUMBER(complete);
	SAME_NUMBER(device);
	SAME_NUMBER(inode);
	SAME_NUMBER(generation);
	SAME_NUMBER(made);
	SAME_NUMBER(first_user);
	SAME_NUMBER(users);
}

static void a_written_file_can_be_read(void **state)
{
	struct run_file file = sample(), found;

	assert_int_equal(write_parts(&file, true), 0);
	assert_int_equal(run_file_read(place.tree, NAME, &found), 0);
	compare(&found, &file, false);

	/* All texts and numbers have their longest form. */
	memset(file.run.host, 'h', IDENTITY_WORD_SIZE - 1);
	memset(file.run.machine, 'm', IDENTITY_WORD_SIZE - 1);
	memset(file.run.boot, 'b', IDENTITY_WORD_SIZE - 1);
	memset(file.begun, '9', RUN_BEGUN_SIZE - 1);
	memset(file.workdir, '\x7f', NAME_MAX);
	file.run.started = file.run.time_namespace = UINT64_MAX;
	file.first_user = file.users = 1 << 20;
	file.locked = file.made = false;
	file.kept = true;
	assert_int_equal(write_parts(&file, true), 0);
	assert_int_equal(run_file_read(place.tree, NAME, &found), 0);
	compare(&found, &file, false);

	/* The first part alone, without a workdir. */
	file = sample();
	file.workdir[0] = '\0';
	assert_int_equal(write_parts(&file, false), 0);
	assert_int_equal(run_file_read(place.tree, NAME, &found), 0);
	assert_false(found.complete);
	assert_int_equal(found.users, 0);
	assert_true(found.inode == 0 && found.device == 0);
	file.complete = false;
	compare(&found, &file, true);
}

static void a_directory_is_found(void **state)
{
	struct run_file file = sample();

	assert_string_equal(run_file_directory(&file), "work dir");
	strcpy(file.workdir, ".");
	assert_string_equal(run_file_directory(&file), "");
	file.workdir[0] = '\0';
	assert_string_equal(run_file_directory(&file), NAME);
}

/* Some file systems return fewer bytes than there are. */
static int64_t read_one_byte(struct backend_session *session, int64_t handle, void *buffer,
			     size_t size, uint64_t offset)
{
	return place.posix->read(session, handle, buffer, size > 0 ? 1 : 0, offset);
}

static void a_file_that_comes_in_pieces_is_read(void **state)
{
	struct run_file file = sample(), found;

	assert_int_equal(write_parts(&file, true), 0);
	place.backend.read = read_one_byte;
	assert_int_equal(run_file_read(place.tree, NAME, &found), 0);
	compare(&found, &file, false);
}

static void a_cut_file_has_no_wrong_fields(void **state)
{
	struct run_file file = sample(), found;
	char whole[4096];
	ssize_t size, i;
	int fd;

	assert_int_equal(write_parts(&file, true), 0);
	snprintf(whole, sizeof(whole), "%s/" NAME RUN_FILE_ENDING, place.root);
	fd = open(whole, O_RDONLY);
	size = read(fd, whole, sizeof(whole));
	close(fd);
	assert_true(size > 300);
	for (i = 0; i < size; i++) {
		int rc = read_bytes(whole, (size_t)i, &found);

		if (rc != 0 && rc != -EINVAL)
			fail_msg("%d of the first %zd bytes", rc, i);
		if (found.complete)
			fail_msg("complete after the first %zd bytes", i);
		compare(&found, &file, true);
	}
	/* A page that was not written yet reads as zeros. */
	memset(whole + size / 2, 0, (size_t)(size - size / 2));
	assert_int_equal(read_bytes(whole, (size_t)size, &found), -EINVAL);
	assert_false(found.complete);
}

static void forged_files_are_refused(void **state)
{
	static const char *const texts[] = {
		"x",
		"\n",
		"throng run 2\n",
		"throng run 11\n",
		"throng run 1 \n",
		"throng run 1\r\n",
		"\n" FIRST REST,
		"#!/bin/sh\nend\n",
		TITLE "end\n",
		TITLE "name throng-76543210\n",
		TITLE "name " NAME "0\n",
		TITLE "name ../../../etc\n",
		TITLE "name\n",
		TITLE "id " ID "\n",
		/* An id that is too long, too short, or none. */
		TITLE "name " NAME "\nid " ID "0\n",
		TITLE "name " NAME "\nid 0123456789abcdef\n",
		TITLE "name " NAME "\nid \n",
		TITLE "name " NAME "\nid 0123456789ABCDEF0123456789ABCDEF\n",
		TITLE "name " NAME "\nid ../../../../../../../../../../a\n",
		TITLE "name " NAME "\nid " ID "\nid " ID "\n",
		TITLE "name " NAME "\nid " ID "\nbegun 2026-11-26T10:31:07Z and later\n",
		/* kill(2) would signal many processes with these; others are no
		 * PIDs, or another one if cut to 32 bits. */
		BEFORE_PROCESS "process 0\n" AFTER_PROCESS REST,
		BEFORE_PROCESS "process -1\n" AFTER_PROCESS REST,
		BEFORE_PROCESS "process 4294967297\n" AFTER_PROCESS REST,
		BEFORE_PROCESS "process 2147483648\n" AFTER_PROCESS REST,
		BEFORE_PROCESS "process 99999999999999999999999\n" AFTER_PROCESS REST,
		BEFORE_PROCESS "process 1x\n" AFTER_PROCESS REST,
		BEFORE_PROCESS "process +1\n" AFTER_PROCESS REST,
		BEFORE_PROCESS "process  1\n" AFTER_PROCESS REST,
		BEFORE_PROCESS "process\n" AFTER_PROCESS REST,
		BEFORE_PROCESS "process 3\nprocess 3\n" AFTER_PROCESS REST,
		BEFORE_PROCESS AFTER_PROCESS REST,
		BEFORE_PROCESS "process 3\nstarted -4\nlock held\nkept no\n" REST,
		BEFORE_PROCESS "process 3\nstarted 18446744073709551616\nlock held\nkept no\n" REST,
		BEFORE_PROCESS "process 3\nstarted 4\nlock maybe\nkept no\n" REST,
		BEFORE_PROCESS "process 3\nstarted 4\nlock held\nkept NO\n" REST,
		/* Names that lead out of the target, or into another run. */
		FIRST "workdir ..\n" REST,
		FIRST "workdir /etc\n" REST,
		FIRST "workdir a/b\n" REST,
		FIRST "workdir ../a\n" REST,
		FIRST "workdir \n" REST,
		FIRST "workdir " NAME "\n" REST,
		FIRST "workdir throng-fedcba98\n" REST,
		FIRST "workdir throng-fedcba98.run\n" REST,
		FIRST "workdir a\nworkdir b\n" REST,
		FIRST "workdir .\nmade yes\nusers 5 6\ndirectory 7 8 9\nend\n",
		FIRST "made maybe\nusers 5 6\ndirectory 7 8 9\nend\n",
		FIRST "made yes\nusers -1 6\ndirectory 7 8 9\nend\n",
		FIRST "made yes\nusers 5 -1\ndirectory 7 8 9\nend\n",
		FIRST "made yes\nusers 5 1048577\ndirectory 7 8 9\nend\n",
		FIRST "made yes\nusers 5\ndirectory 7 8 9\nend\n",
		FIRST "made yes\nusers 5 6 7\ndirectory 7 8 9\nend\n",
		FIRST "made yes\nusers 4294967295 4294967295\ndirectory 7 8 9\nend\n",
		FIRST "made yes\nusers 5 6\ndirectory -7 8 9\nend\n",
		FIRST "made yes\nusers 5 6\ndirectory 7 x 9\nend\n",
		FIRST "made yes\nusers 5 6\ndirectory 7 8\nend\n",
		FIRST "made yes\nusers 5 6\ndirectory 7 18446744073709551616 9\nend\n",
		FIRST "made yes\nusers 5 6\nusers 5 6\ndirectory 7 8 9\nend\n",
		FIRST "made yes\nusers 5 6\nend\n",
		FIRST "unknown line\n" REST,
		FIRST "\n" REST,
		FIRST REST "made no\n",
		FIRST REST "end\n",
		FIRST REST "x",
		FIRST FIRST REST,
	};
	struct run_file found;
	const char *none = (const char *)&(struct run_file){.name = NAME};
	size_t i;

	assert_int_equal(read_text(FIRST REST, &found), 0);
	assert_true(found.complete);
	assert_int_equal(
		read_text(FIRST "workdir .\nmade no\nusers 5 6\ndirectory 7 8 9\nend\n", &found),
		0);
	assert_string_equal(found.workdir, ".");
	assert_int_equal(read_text(FIRST "workdir a\x1b[2Jb..\n" REST, &found), 0);
	assert_string_equal(found.workdir, "a\x1b[2Jb..");
	for (i = 0; i < LENGTH(texts); i++) {
		if (read_text(texts[i], &found) != -EINVAL)
			fail_msg("is a run file: %s", texts[i]);
		/* Nobody sees anything that such a file says. */
		assert_memory_equal(&found, none, sizeof(found));
	}
}

static void a_long_line_does_not_overflow(void **state)
{
	static const char *const words[] = {"name",    "id",        "begun",   "host",
					    "machine", "boot",      "process", "workdir",
					    "users",   "directory", "started"};
	struct run_file found;
	char text[4096];
	size_t i;

	for (i = 0; i < LENGTH(words); i++) {
		const char *at = strstr(FIRST "workdir w\n" REST, words[i]);
		int before = (int)(at - strstr(FIRST "workdir w\n" REST, TITLE));

		snprintf(text, sizeof(text), "%.*s%s %01500d\n", before, FIRST "workdir w\n" REST,
			 words[i], 7);
		if (read_text(text, &found) == 0 && found.run.process != 7 &&
		    found.run.started != 7)
			fail_msg("is a run file: %s", text);
	}
}

static void other_bytes_are_refused(void **state)
{
	struct run_file found;
	char text[8192];

	/* NULs, at each place. */
	memcpy(text, FIRST REST, sizeof(FIRST REST));
	assert_int_equal(read_bytes(text, sizeof(FIRST REST), &found), -EINVAL);
	text[0] = '\0';
	assert_int_equal(read_bytes(text, strlen(FIRST REST), &found), -EINVAL);
	assert_int_equal(read_bytes(text, 1, &found), -EINVAL);
	/* 4 KiB and more. */
	memset(text, 'x', sizeof(text));
	memcpy(text, TITLE, strlen(TITLE));
	assert_int_equal(read_bytes(text, 4096, &found), -EINVAL);
	assert_int_equal(read_bytes(text, sizeof(text), &found), -EINVAL);
	memset(text, '\n', sizeof(text));
	assert_int_equal(read_bytes(text, sizeof(text), &found), -EINVAL);
	memcpy(text + sizeof(text) - strlen(FIRST REST), FIRST REST, strlen(FIRST REST));
	assert_int_equal(read_bytes(text, sizeof(text), &found), -EINVAL);
}

static int64_t fail_to_read(struct backend_session *session, int64_t handle, void *buffer,
			    size_t size, uint64_t offset)
{
	return offset < 4 ? read_one_byte(session, handle, buffer, size, offset) : -EIO;
}

static void other_things_are_no_files(void **state)
{
	char path[PATH_MAX];
	struct run_file found;

	assert_int_equal(run_file_read(place.tree, NAME, &found), -ENOENT);
	assert_int_equal(read_text(FIRST REST, &found), 0);
	place.backend.read = fail_to_read;
	assert_int_equal(run_file_read(place.tree, NAME, &found), -EIO);
	place.backend.read = place.posix->read;
	/* Not even the name of a file is made of a name that is none of a run. */
	assert_true(run_file_read(place.tree, NAME "xxxx", &found) < 0);
	assert_true(run_file_read(place.tree, "../throng-01234567", &found) < 0);
	assert_true(run_file_read(place.tree, "", &found) < 0);

	/* Links are not followed, and nobody writes to a pipe. */
	alarm(60);
	snprintf(path, sizeof(path), "%s/throng-33333333.run", place.root);
	assert_int_equal(mkfifo(path, 0666), 0);
	assert_true(run_file_read(place.tree, "throng-33333333", &found) <= 0);
	assert_false(found.complete);
	alarm(0);
	snprintf(path, sizeof(path), "%s/throng-11111111.run", place.root);
	assert_int_equal(symlink(NAME RUN_FILE_ENDING, path), 0);
	assert_true(run_file_read(place.tree, "throng-11111111", &found) < 0);
	make_directory(&place, "throng-22222222.run");
	assert_true(run_file_read(place.tree, "throng-22222222", &found) < 0);
}

static int64_t write_half(struct backend_session *session, int64_t handle, const void *data,
			  size_t size, uint64_t offset)
{
	return place.posix->write(session, handle, data, size / 2, offset);
}

static int64_t write_nothing(struct backend_session *session, int64_t handle, const void *data,
			     size_t size, uint64_t offset)
{
	return -EDQUOT;
}

static void a_write_that_fails_is_noticed(void **state)
{
	struct run_file file = sample(), found;

	place.backend.write = write_nothing;
	assert_int_equal(write_parts(&file, true), -EDQUOT);
	place.backend.write = write_half;
	assert_int_equal(write_parts(&file, true), -ENOSPC);
	assert_int_equal(run_file_read(place.tree, NAME, &found), 0);
	assert_false(found.complete);
}

static void names_are_recognised(void **state)
{
	static const char *const others[] = {
		"",
		"throng",
		"throng-",
		".run",
		"throng-0123456",
		"throng-012345678",
		"throng-0123456g",
		"throng-012 4567",
		" throng-01234567",
		"throng-01234567 ",
		"throng-01234567/",
		"throng-01234567\n",
		"throng_01234567",
		"throng-0123\303\25167",
	};
	char name[RUN_NAME_SIZE], entry[300];
	size_t i;

	assert_true(run_name_is_valid(NAME));
	assert_true(run_name_is_valid("throng-89abcdef"));
	/* Servers may list names in capitals. */
	assert_true(run_name_is_valid("throng-89ABCDEF"));
	assert_true(run_file_is_name(NAME ".run", name));
	assert_string_equal(name, NAME);
	assert_true(run_file_is_name("THRONG-89ABCDEF.RUN", name));
	assert_string_equal(name, "throng-89abcdef");
	assert_true(run_file_is_name("Throng-89aBcDef.Run", name));
	assert_string_equal(name, "throng-89abcdef");
	assert_false(run_file_is_name(NAME, name));
	assert_false(run_file_is_name(NAME ".ru", name));
	assert_false(run_file_is_name(NAME ".run.run", name));
	assert_false(run_file_is_name(NAME ".run~", name));
	for (i = 0; i < LENGTH(others); i++) {
		snprintf(entry, sizeof(entry), "%s.run", others[i]);
		if (run_name_is_valid(others[i]) || run_file_is_name(entry, name))
			fail_msg("is the name of a run: %s", others[i]);
	}
	memset(entry, '0', sizeof(entry) - 1);
	entry[sizeof(entry) - 1] = '\0';
	memcpy(entry, "throng-", 7);
	assert_false(run_file_is_name(entry, name));
	assert_false(run_name_is_valid(entry));
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, begin, end)

int unit_run_file(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_written_file_can_be_read),
		TEST(a_directory_is_found),
		TEST(a_file_that_comes_in_pieces_is_read),
		TEST(a_cut_file_has_no_wrong_fields),
		TEST(forged_files_are_refused),
		TEST(a_long_line_does_not_overflow),
		TEST(other_bytes_are_refused),
		TEST(other_things_are_no_files),
		TEST(a_write_that_fails_is_noticed),
		TEST(names_are_recognised),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
