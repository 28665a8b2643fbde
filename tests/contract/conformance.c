/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tests of the contract in backend.h, for each backend with a row in
 * `subjects`. A subject is a URL and its local directory, in which the tests
 * make files that no load would make, and check the results.
 *
 * Each test runs eight times: at the target and in a directory that the session
 * has entered, in each of these in a directory below `clients`, where backends
 * keep directories open, and in one beside `clients`, and in each of these places
 * with paths as plain text and with paths from path_make. The tests with plain
 * paths, and those that run only once, share a session, because a server takes
 * longer for a login than for most tests.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/fibers.h"
#include "program/program.h"
#include "target/account.h"
#include "target/backend.h"
#include "target/backends.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/*
 * `directory` and `url` are names of environment variables. The tests make a
 * fresh directory in the local directory that the first variable names. The
 * subject's target is the URL in the second variable, with a slash and the
 * directory's name inserted before the options. If both are NULL, the directory
 * is made in TMPDIR and its path is the target.
 *
 * A subject is skipped if its variables are not set. The subject "a path" is
 * skipped if the variables of a server are set. PASSWD has the password of the
 * account in the URL. With THRONG_BRIEF, slow tests are left out and the others
 * run only twice, beside `clients` and with paths from path_make. This is for a
 * server that has already been tested in full.
 */
static const struct subject {
	const char *name;
	const char *directory, *url;
} subjects[] = {
	{"a path", NULL, NULL},
	{"NFSv3", "THRONG_NFS_DIRECTORY", "THRONG_NFS3_URL"},
	{"NFSv4", "THRONG_NFS_DIRECTORY", "THRONG_NFS4_URL"},
	{"an SMB share", "THRONG_SMB_DIRECTORY", "THRONG_SMB_URL"},
};

/* Where the current tests run: a directory in the target of a subject. */
struct place {
	const struct subject *subject;
	const char *inside; /* the directory below the target; "": none */
	bool made;          /* use path_make */
	/* Sessions enter `entered`. If the backend takes turns, the tests use a further
	 * session of the user. */
	bool enters;
	const char *entered;     /* a directory directly below the target; "": none */
	char root[PATH_MAX / 4]; /* the target as a local directory */
	char top[PATH_MAX / 3];  /* where paths begin, as a local directory */
	char base[PATH_MAX / 2]; /* `inside` as a local directory */
	/* The value of `base` if the sessions had not entered a directory.
	 * Nothing may change there. */
	char decoy[PATH_MAX / 2];
	struct target target;
	const struct backend *backend;
	struct backend_session *session;
	struct backend_session *first; /* that `session` shares; NULL: none */
	struct fibers *fibers;
	unsigned capabilities; /* as found by probe */
	bool droppable;        /* as found by probe */
};

static struct place place;

/* Call a slot with the session as its first argument. */
#define B(slot, ...) place.backend->slot(place.session, ##__VA_ARGS__)

/* Skip the test if the backend lacks a slot. */
#define NEEDS(slot) \
	do { \
		if (place.backend->slot == NULL) \
			skip(); \
	} while (0)

/* Skip the test if, according to probe, the target lacks a capability. */
#define NEEDS_CAPABILITY(capability) \
	do { \
		if ((place.capabilities & (capability)) == 0) \
			skip(); \
	} while (0)

static bool is_brief(void)
{
	return getenv("THRONG_BRIEF") != NULL;
}

/* Write the URL `base` with a slash and a name after its path. */
static void put_url(char *url, size_t size, const char *base, const char *name)
{
	const char *options = strchrnul(base, '?');

	snprintf(url, size, "%.*s/%s%s", (int)(options - base), base, name, options);
}

/* Parse a target and find its accounts. */
static int find_target(const char *url, struct target *target, struct error *error)
{
	int rc = target_parse(url, target, error);

	return rc < 0 ? rc : accounts_find(target, NULL, error);
}

/* Open a session of the current `place`. */
static int open_session(struct backend_session **session)
{
	int rc = place.backend->session_open(&place.target, 0, session);

	if (rc == 0 && place.enters)
		rc = place.backend->enter(*session, place.entered);
	return rc;
}

/*
 * Return the path of a name in the current `place`. The path is valid until
 * at() has been called eight more times. The session owns the results of
 * path_make.
 */
static struct backend_path *at(const char *name)
{
	static char texts[8][PATH_MAX];
	static struct backend_path paths[8];
	static unsigned next;
	unsigned i = next++ % LENGTH(paths);

	snprintf(texts[i], sizeof(texts[i]), "%s%s%s", place.inside,
		 place.inside[0] != '\0' && name[0] != '\0' ? "/" : "", name);
	paths[i] = (struct backend_path){.text = texts[i]};
	if (place.made && place.backend->path_make != NULL)
		assert_int_equal(B(path_make, &paths[i]), 0);
	return &paths[i];
}

/* Return the local path of a name in the current `place`. The path is valid
 * until local() has been called four more times. */
static const char *local(const char *name)
{
	static char texts[4][PATH_MAX];
	static unsigned next;
	unsigned i = next++ % LENGTH(texts);

	snprintf(texts[i], sizeof(texts[i]), "%s/%s", place.base, name);
	return texts[i];
}

static void put_file(const char *name, const char *text)
{
	FILE *file = fopen(local(name), "w");

	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

static void put_directory(const char *name)
{
	assert_int_equal(mkdir(local(name), 0777), 0);
}

static void put_link(const char *text, const char *name)
{
	assert_int_equal(symlink(text, local(name)), 0);
}

/* Return the number of entries of a directory without "." and "..", or a number
 * below 0. */
static int count_entries(const char *path)
{
	struct dirent **entries;
	int count = scandir(path, &entries, NULL, NULL);
	int i;

	for (i = 0; i < count; i++)
		free(entries[i]);
	if (count >= 0)
		free(entries);
	return count - 2;
}

static bool exists(const char *name)
{
	struct stat attributes;

	return lstat(local(name), &attributes) == 0;
}

static struct stat look(const char *name)
{
	struct stat attributes;

	if (lstat(local(name), &attributes) < 0)
		fail_msg("%s: %s", local(name), strerror(errno));
	return attributes;
}

static void expect_text(const char *name, const char *expected)
{
	char text[64];
	FILE *file = fopen(local(name), "r");
	size_t got;

	if (file == NULL)
		fail_msg("%s: %s", local(name), strerror(errno));
	got = fread(text, 1, sizeof(text) - 1, file);
	text[got] = '\0';
	fclose(file);
	assert_string_equal(text, expected);
}

static int64_t opened(const char *name, uint64_t flags)
{
	int64_t handle = B(open, at(name), flags);

	if (handle < 0)
		fail_msg("open \"%s\": %s", name, strerror((int)-handle));
	return handle;
}

static void closed(int64_t handle)
{
	assert_int_equal(B(close, handle), 0);
}

/* Make a file through the backend. */
static void make_file(const char *name)
{
	closed(opened(name, OPEN_READ | OPEN_WRITE | OPEN_CREATE | OPEN_EXCLUSIVE));
}

enum { ABSENT, FILE_OF_5, DIRECTORY, KINDS_OF_NAME };

/* The expected results of opening each kind of name: 0 or -errno. */
static const struct open_row {
	uint64_t flags;
	int result[KINDS_OF_NAME];
	int64_t size; /* the size of FILE_OF_5 after the open */
} open_rows[] = {
	{OPEN_READ, {-ENOENT, 0, 0}, 5},
	{OPEN_WRITE, {-ENOENT, 0, 0}, 5},
	{OPEN_READ | OPEN_WRITE, {-ENOENT, 0, 0}, 5},
	{OPEN_READ | OPEN_WRITE | OPEN_ATTRIBUTES, {-ENOENT, 0, 0}, 5},
	{OPEN_READ | OPEN_WRITE | OPEN_SYNC, {-ENOENT, 0, 0}, 5},
	{OPEN_READ | OPEN_WRITE | OPEN_APPEND, {-ENOENT, 0, 0}, 5},
	{OPEN_READ | OPEN_WRITE | OPEN_TRUNCATE, {-ENOENT, 0, 0}, 0},
	{OPEN_READ | OPEN_WRITE | OPEN_CREATE, {0, 0, 0}, 5},
	{OPEN_READ | OPEN_WRITE | OPEN_CREATE | OPEN_TRUNCATE, {0, 0, 0}, 0},
	{OPEN_READ | OPEN_WRITE | OPEN_CREATE | OPEN_EXCLUSIVE, {0, -EEXIST, -EEXIST}, 5},
	{OPEN_READ | OPEN_WRITE | OPEN_CREATE | OPEN_EXCLUSIVE | OPEN_TRUNCATE,
	 {0, -EEXIST, -EEXIST},
	 5},
	/* OPEN_FILE: refuse a directory. */
	{OPEN_READ | OPEN_FILE, {-ENOENT, 0, -EISDIR}, 5},
	{OPEN_READ | OPEN_FILE | OPEN_ATTRIBUTES, {-ENOENT, 0, -EISDIR}, 5},
	{OPEN_READ | OPEN_WRITE | OPEN_FILE, {-ENOENT, 0, -EISDIR}, 5},
	{OPEN_READ | OPEN_WRITE | OPEN_FILE | OPEN_TRUNCATE, {-ENOENT, 0, -EISDIR}, 0},
	{OPEN_READ | OPEN_WRITE | OPEN_FILE | OPEN_CREATE, {0, 0, -EISDIR}, 5},
	{OPEN_READ | OPEN_WRITE | OPEN_FILE | OPEN_CREATE | OPEN_EXCLUSIVE,
	 {0, -EEXIST, -EEXIST},
	 5},
	/* OPEN_DIRECTORY: refuse a file. */
	{OPEN_READ | OPEN_DIRECTORY, {-ENOENT, -ENOTDIR, 0}, 5},
	{OPEN_READ | OPEN_DIRECTORY | OPEN_ATTRIBUTES, {-ENOENT, -ENOTDIR, 0}, 5},
	{OPEN_READ | OPEN_DIRECTORY | OPEN_CREATE, {0, -ENOTDIR, 0}, 5},
	{OPEN_READ | OPEN_DIRECTORY | OPEN_CREATE | OPEN_EXCLUSIVE, {0, -EEXIST, -EEXIST}, 5},
};

static const char *const kind_names[] = {"absent", "file", "directory"};

static void check_open(const struct open_row *row, int kind)
{
	char name[32];
	int64_t handle;

	snprintf(name, sizeof(name), "%s-%ju", kind_names[kind], (uintmax_t)row->flags);
	if (kind == FILE_OF_5)
		put_file(name, "12345");
	if (kind == DIRECTORY)
		put_directory(name);
	handle = B(open, at(name), row->flags);
	if ((handle < 0 ? handle : 0) != row->result[kind])
		fail_msg("open %s with flags 0x%jx gives %jd, not %d", name, (uintmax_t)row->flags,
			 (intmax_t)handle, row->result[kind]);
	if (handle >= 0)
		closed(handle);
	if (kind == FILE_OF_5)
		assert_int_equal(look(name).st_size, row->size);
	if (kind != ABSENT)
		return;
	assert_int_equal(exists(name), handle >= 0);
	if (handle >= 0)
		assert_int_equal(S_ISDIR(look(name).st_mode), (row->flags & OPEN_DIRECTORY) != 0);
}

static void open_does_what_its_flags_say(void **state)
{
	size_t i;
	int kind;

	for (i = 0; i < LENGTH(open_rows); i++)
		for (kind = 0; kind < KINDS_OF_NAME; kind++)
			check_open(&open_rows[i], kind);
}

/* Return the expected result of an open with these flags: 0 or -errno. */
static int expected_of(uint64_t flags, int kind)
{
	if (kind == ABSENT)
		return (flags & OPEN_CREATE) != 0 ? 0 : -ENOENT;
	if ((flags & OPEN_CREATE) != 0 && (flags & OPEN_EXCLUSIVE) != 0)
		return -EEXIST;
	if (kind == DIRECTORY)
		return (flags & OPEN_FILE) != 0 ? -EISDIR : 0;
	return (flags & OPEN_DIRECTORY) != 0 ? -ENOTDIR : 0;
}

/* Write, read and get attributes through a handle. The file contained "12345"
 * before it was opened. */
static void check_handle(const char *name, uint64_t flags, int64_t handle)
{
	const char *text = (flags & OPEN_TRUNCATE) != 0 ? "" : "12345";
	char byte;

	assert_int_equal(B(fstat, handle), 0);
	if ((flags & OPEN_WRITE) != 0) {
		assert_int_equal(B(write, handle, "67", 2, 0), 2);
		assert_int_equal(B(write, handle, "8", 1, 2), 1);
		text = (flags & OPEN_TRUNCATE) != 0 ? "678"
		       : (flags & OPEN_APPEND) != 0 ? "12345678"
						    : "67845";
	}
	if ((flags & (OPEN_READ | OPEN_WRITE)) == OPEN_WRITE)
		assert_true(B(read, handle, &byte, 1, 0) < 0);
	else
		assert_int_equal(B(read, handle, &byte, 1, 0), text[0] != '\0');
	assert_int_equal(B(set_times, handle), 0);
	closed(handle);
	expect_text(name, text);
}

static void check_combination(uint64_t flags, int kind)
{
	char name[32], text[OPEN_FLAGS_TEXT];
	int64_t handle;

	snprintf(name, sizeof(name), "%s-%ju", kind_names[kind], (uintmax_t)flags);
	if (kind == FILE_OF_5)
		put_file(name, "12345");
	if (kind == DIRECTORY)
		put_directory(name);
	handle = B(open, at(name), flags);
	if ((handle < 0 ? handle : 0) != expected_of(flags, kind))
		fail_msg("open %s %s gives %jd, not %d", name,
			 program_print_open_flags(flags, text), (intmax_t)handle,
			 expected_of(flags, kind));
	if (handle >= 0 && kind == FILE_OF_5)
		check_handle(name, flags, handle);
	else if (handle >= 0)
		closed(handle);
	if (kind == FILE_OF_5 && handle < 0)
		expect_text(name, "12345");
	if (kind == ABSENT)
		assert_int_equal(exists(name), handle >= 0);
}

/* Try all combinations of flags that a native load may use. There are many
 * combinations, so try them in one place only. */
static void flags_can_be_combined(void **state)
{
	const uint64_t all = OPEN_READ | OPEN_WRITE | OPEN_CREATE | OPEN_EXCLUSIVE | OPEN_TRUNCATE |
			     OPEN_DIRECTORY | OPEN_FILE | OPEN_APPEND;
	const uint64_t kinds = OPEN_FILE | OPEN_DIRECTORY;
	uint64_t flags;
	int kind;

	if (place.made || place.enters || strncmp(place.inside, "shared", 6) != 0)
		skip();
	for (flags = 0; flags <= all; flags++) {
		if ((flags & ~all) != 0 || (flags & kinds) == kinds)
			continue;
		for (kind = 0; kind < KINDS_OF_NAME; kind++)
			check_combination(flags, kind);
	}
}

static void a_path_through_a_file_is_not_found(void **state)
{
	struct backend_attributes attributes;
	int64_t rc;

	put_file("file", "12345");
	assert_int_equal(B(open, at("none/file"), OPEN_READ), -ENOENT);
	assert_int_equal(B(open, at("none/file"), OPEN_READ | OPEN_WRITE | OPEN_CREATE), -ENOENT);
	assert_int_equal(B(stat, at("none/file"), &attributes), -ENOENT);
	assert_int_equal(B(mkdir, at("none/directory")), -ENOENT);
	assert_int_equal(B(unlink, at("none/file")), -ENOENT);
	assert_int_equal(B(rmdir, at("none/directory")), -ENOENT);
	assert_false(exists("none"));
	rc = B(open, at("file/below"), OPEN_READ);
	assert_true(rc == -ENOTDIR || rc == -ENOENT);
	rc = B(mkdir, at("file/below"));
	assert_true(rc == -ENOTDIR || rc == -ENOENT);
	expect_text("file", "12345");
}

static void handles_are_independent(void **state)
{
	enum { MANY = 100 };
	int64_t handles[MANY];
	char name[16], byte, expected;
	int i;

	if (is_brief())
		skip();
	for (i = 0; i < MANY; i++) {
		snprintf(name, sizeof(name), "file%d", i);
		handles[i] = opened(name, OPEN_READ | OPEN_WRITE | OPEN_CREATE);
	}
	for (i = 0; i < MANY; i++) {
		expected = (char)i;
		assert_int_equal(B(write, handles[i], &expected, 1, 0), 1);
	}
	for (i = MANY; i-- > 0;) {
		assert_int_equal(B(read, handles[i], &byte, 1, 0), 1);
		assert_int_equal(byte, (char)i);
		closed(handles[i]);
	}
}

static void a_handle_outlives_its_name(void **state)
{
	char text[6] = "";
	int64_t handle;

	handle = opened("file", OPEN_READ | OPEN_WRITE | OPEN_CREATE);
	assert_int_equal(B(write, handle, "hello", 5, 0), 5);
	if (place.backend->pins_open_names) {
		assert_int_equal(B(rename, at("file"), at("other"), true), -EBUSY);
		assert_int_equal(B(unlink, at("file")), -EBUSY);
	} else {
		assert_int_equal(B(rename, at("file"), at("other"), true), 0);
	}
	assert_int_equal(B(read, handle, text, 5, 0), 5);
	assert_string_equal(text, "hello");
	assert_int_equal(B(fstat, handle), 0);
	closed(handle);
}

static void read_is_short_only_at_the_end(void **state)
{
	char text[16] = "................";
	int64_t handle;

	put_file("file", "0123456789");
	handle = opened("file", OPEN_READ);
	assert_int_equal(B(read, handle, text, 4, 0), 4);
	assert_memory_equal(text, "0123....", 8);
	assert_int_equal(B(read, handle, text, 4, 3), 4);
	assert_memory_equal(text, "3456....", 8);
	assert_int_equal(B(read, handle, text, 10, 0), 10);
	assert_int_equal(B(read, handle, text, 16, 6), 4);
	assert_memory_equal(text, "6789456789......", 16);
	assert_int_equal(B(read, handle, text, 16, 10), 0);
	assert_int_equal(B(read, handle, text, 16, 1000), 0);
	assert_int_equal(B(read, handle, text, 16, UINT64_C(1) << 40), 0);
	assert_int_equal(B(read, handle, text, 0, 0), 0);
	assert_memory_equal(text, "6789456789......", 16);
	closed(handle);
}

static void write_goes_to_its_offset(void **state)
{
	char text[16];
	int64_t handle;

	handle = opened("file", OPEN_READ | OPEN_WRITE | OPEN_CREATE);
	assert_int_equal(B(write, handle, "aaaaaaaa", 8, 0), 8);
	assert_int_equal(B(write, handle, "bb", 2, 3), 2);
	assert_int_equal(B(write, handle, "c", 1, 7), 1);
	assert_int_equal(B(write, handle, "dd", 2, 8), 2);
	assert_int_equal(B(write, handle, "", 0, 20), 0);
	assert_int_equal(B(read, handle, text, 16, 0), 10);
	assert_memory_equal(text, "aaabbaacdd", 10);
	closed(handle);
	expect_text("file", "aaabbaacdd");
}

static void holes_read_as_zeros(void **state)
{
	const uint64_t far = UINT64_C(5) << 30;
	char text[8] = "........";
	int64_t handle;

	handle = opened("file", OPEN_READ | OPEN_WRITE | OPEN_CREATE);
	assert_int_equal(B(write, handle, "end", 3, far), 3);
	assert_int_equal(look("file").st_size, far + 3);
	assert_int_equal(B(read, handle, text, 8, 1 << 20), 8);
	assert_memory_equal(text, "\0\0\0\0\0\0\0\0", 8);
	assert_int_equal(B(read, handle, text, 8, far - 2), 5);
	assert_memory_equal(text, "\0\0end", 5);
	closed(handle);
}

static void large_reads_and_writes_are_whole(void **state)
{
	enum { BYTES = (8 << 20) + 13 };
	unsigned char *sent = malloc(BYTES), *got = calloc(1, BYTES);
	int64_t handle;
	int i;

	assert_non_null(sent);
	assert_non_null(got);
	for (i = 0; i < BYTES; i++)
		sent[i] = (unsigned char)(i * 2654435761u >> 13);
	handle = opened("file", OPEN_READ | OPEN_WRITE | OPEN_CREATE);
	assert_int_equal(B(write, handle, sent, BYTES, 1), BYTES);
	assert_int_equal(B(read, handle, got, BYTES, 1), BYTES);
	assert_true(memcmp(sent, got, BYTES) == 0);
	assert_int_equal(look("file").st_size, BYTES + 1);
	closed(handle);
	free(sent);
	free(got);
}

static void append_writes_at_the_end(void **state)
{
	int64_t handle;

	put_file("file", "12345");
	handle = opened("file", OPEN_READ | OPEN_WRITE | OPEN_APPEND);
	assert_int_equal(B(write, handle, "678", 3, 0), 3);
	closed(handle);
	expect_text("file", "12345678");
}

static void a_handle_for_reading_does_not_write(void **state)
{
	char text[8];
	int64_t handle;

	put_file("file", "12345");
	handle = opened("file", OPEN_READ);
	assert_int_equal(B(write, handle, "x", 1, 0), -EBADF);
	closed(handle);
	expect_text("file", "12345");
	handle = opened("file", OPEN_WRITE);
	assert_int_equal(B(read, handle, text, 1, 0), -EBADF);
	closed(handle);
}

static void handles_have_fsync_and_fstat(void **state)
{
	int64_t handle;

	handle = opened("file", OPEN_READ | OPEN_WRITE | OPEN_CREATE);
	assert_int_equal(B(write, handle, "x", 1, 0), 1);
	if (place.backend->fsync != NULL)
		assert_int_equal(B(fsync, handle), 0);
	assert_int_equal(B(fstat, handle), 0);
	closed(handle);
	put_directory("directory");
	handle = opened("directory", OPEN_READ | OPEN_DIRECTORY);
	assert_int_equal(B(fstat, handle), 0);
	closed(handle);
}

static void set_times_goes_back_some_seconds(void **state)
{
	struct stat before, after;
	int64_t handle;

	put_file("file", "12345");
	before = look("file");
	handle = opened("file", OPEN_READ | OPEN_WRITE);
	assert_int_equal(B(set_times, handle), 0);
	closed(handle);
	after = look("file");
	assert_in_range(before.st_mtime - after.st_mtime, 1, 60);
	assert_in_range(before.st_atime - after.st_atime, 1, 60);
	assert_int_equal(after.st_size, 5);
}

/* The handle knows the file, even if it only reads and the text of the path has
 * changed, as that of a path with variables does. */
static void set_times_needs_no_path(void **state)
{
	char names[][2 * 200 + 8] = {"short", "", "short"};
	struct backend_attributes attributes;
	struct backend_path path;
	char text[PATH_MAX];
	struct stat before, after;
	int64_t handle;
	size_t i;

	memset(names[1], 'd', 200);
	put_directory(names[1]);
	strcat(names[1], "/");
	memset(names[1] + 201, 'f', 200);
	for (i = 0; i < LENGTH(names); i++) {
		put_file(names[i], "12345");
		before = look(names[i]);
		path = (struct backend_path){.text = text};
		strcpy(text, at(names[i])->text);
		handle = B(open, &path, OPEN_READ);
		assert_true(handle >= 0);
		memset(text, 'x', strlen(text));
		assert_int_equal(B(stat, at(""), &attributes), 0);
		assert_int_equal(B(set_times, handle), 0);
		closed(handle);
		after = look(names[i]);
		assert_in_range(before.st_mtime - after.st_mtime, 1, 60);
	}
}

/* Check if any page of a small file is in this machine's page cache. */
static bool is_cached(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	unsigned char page = 0;
	void *memory = mmap(NULL, 1, PROT_READ, MAP_SHARED, fd, 0);

	assert_true(fd >= 0 && memory != MAP_FAILED);
	assert_int_equal(mincore(memory, 1, &page), 0);
	munmap(memory, 1);
	close(fd);
	return (page & 1) != 0;
}

static void drop_cache_drops_files_and_directories(void **state)
{
	uint64_t steps = 0;
	int64_t handle;

	NEEDS(drop_cache);
	if (!place.droppable)
		skip();
	put_directory("d");
	put_file("d/one", "1");
	put_file("d/two", "2");
	put_file("other", "3");
	put_link("../other", "d/link");
	assert_true(is_cached(local("d/one")));
	assert_int_equal(B(drop_cache, at("d/one"), &steps), 0);
	assert_false(is_cached(local("d/one")));
	assert_true(is_cached(local("d/two")));
	assert_true(steps > 0);
	/* Files that the session has open are dropped, too. */
	handle = opened("d/one", OPEN_READ | OPEN_WRITE);
	assert_int_equal(B(write, handle, "x", 1, 0), 1);
	assert_true(is_cached(local("d/one")));
	assert_int_equal(B(drop_cache, at("d"), &steps), 0);
	assert_false(is_cached(local("d/one")));
	assert_false(is_cached(local("d/two")));
	assert_true(is_cached(local("other")));
	closed(handle);
	expect_text("d/one", "x");
	assert_int_equal(B(drop_cache, at("none"), &steps), -ENOENT);
}

/*
 * Act as another user: lock free bytes and write 'w' to `fd`. Then lock some of
 * the bytes that the test has locked: the call should wait until they are
 * unlocked. Then write 'l'.
 */
static void want_lock(int fd)
{
	struct backend_session *session;
	int64_t handle;

	if (open_session(&session) < 0)
		_exit(1);
	place.session = session;
	handle = B(open, at("file"), OPEN_READ | OPEN_WRITE);
	if (handle < 0 || B(lock, handle, 100, 10, 0) != 0)
		_exit(2);
	if (write(fd, "w", 1) != 1 || B(lock, handle, 5, 10, 0) != 0 || write(fd, "l", 1) != 1)
		_exit(3);
	_exit(0);
}

static bool is_smb(void)
{
	return strcmp(place.target.row->name, "smb") == 0;
}

static bool is_smb1(void)
{
	const char *dialect = target_option(&place.target, "dialect");

	return dialect != NULL && strcmp(dialect, "NT1") == 0;
}

/*
 * A process that ends releases its locks. Wait for them, but try them on SMB: in
 * captures, smbd 4.17 now and then never grants a lock for which a client begins
 * to wait between the end of the holder's connection and its removal.
 */
static void expect_free(int64_t handle, uint64_t offset, uint64_t length)
{
	enum { TRIES = 200, PAUSE_MS = 100 };
	unsigned mode = is_smb() ? LOCK_TRY : 0;
	int tries, rc = B(lock, handle, offset, length, mode);

	for (tries = 1; is_smb() && rc == -EAGAIN && tries < TRIES; tries++) {
		poll(NULL, 0, PAUSE_MS);
		rc = B(lock, handle, offset, length, mode);
	}
	assert_int_equal(rc, 0);
}

static void a_range_is_locked_by_one_at_a_time(void **state)
{
	int fds[2], status;
	struct pollfd other;
	int64_t handle;
	char byte;
	pid_t pid;

	NEEDS(lock);
	NEEDS_CAPABILITY(CAP_LOCKS);
	put_file("file", "");
	handle = opened("file", OPEN_READ | OPEN_WRITE);
	assert_int_equal(B(lock, handle, 0, 10, 0), 0);
	assert_int_equal(pipe(fds), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0)
		want_lock(fds[1]);
	close(fds[1]);
	assert_int_equal(read(fds[0], &byte, 1), 1);
	assert_int_equal(byte, 'w');
	/* The other user waits for the lock, or is refused and exits. */
	other = (struct pollfd){.fd = fds[0], .events = POLLIN};
	if (poll(&other, 1, 200) > 0)
		assert_int_equal(read(fds[0], &byte, 1), 0);
	assert_int_equal(B(unlock, handle, 0, 10), 0);
	if (read(fds[0], &byte, 1) == 1)
		assert_int_equal(byte, 'l');
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_true(WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 3);
	close(fds[0]);
	expect_free(handle, 0, 200);
	assert_int_equal(B(unlock, handle, 0, 200), 0);
	closed(handle);
}

/* Act as another user: try the locks that `a_lock_can_be_tried` expects to be
 * granted or refused, and exit with the number of the first wrong answer. */
static int try_locks(void)
{
	struct backend_session *session;
	int64_t handle;

	alarm(10); /* a call that waits for a lock would wait for ever */
	if (open_session(&session) < 0)
		return 1;
	place.session = session;
	handle = B(open, at("file"), OPEN_READ | OPEN_WRITE);
	if (handle < 0)
		return 2;
	/* The other user has a shared lock on 0 to 9 and an exclusive one on 20
	 * to 29. */
	if (B(lock, handle, 0, 10, LOCK_TRY) != -EAGAIN)
		return 3;
	if (B(lock, handle, 5, 10, LOCK_SHARED | LOCK_TRY) != 0)
		return 4;
	if (B(lock, handle, 29, 1, LOCK_SHARED | LOCK_TRY) != -EAGAIN)
		return 5;
	if (B(lock, handle, 30, 1, LOCK_TRY) != 0)
		return 6;
	if (place.backend->lock_test == NULL)
		return 0;
	if (B(lock_test, handle, 0, 10, 0) != -EAGAIN)
		return 7;
	if (B(lock_test, handle, 0, 10, LOCK_SHARED) != 0)
		return 8;
	if (B(lock_test, handle, 20, 0, LOCK_SHARED) != -EAGAIN)
		return 9;
	return B(lock_test, handle, 40, 0, 0) == 0 ? 0 : 10;
}

static void a_lock_can_be_tried(void **state)
{
	int64_t handle;
	int status;
	pid_t pid;

	NEEDS(lock);
	NEEDS_CAPABILITY(CAP_LOCKS);
	put_file("file", "");
	handle = opened("file", OPEN_READ | OPEN_WRITE);
	assert_int_equal(B(lock, handle, 0, 10, LOCK_SHARED), 0);
	assert_int_equal(B(lock, handle, 20, 10, LOCK_TRY), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0)
		_exit(try_locks());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	closed(handle);
}

/* Act as another user: try to lock 0 to 29, which should be free, and 30 to 39,
 * which should not. Exit with the number of the first wrong answer. */
static int try_freed_locks(void)
{
	struct backend_session *session;
	int64_t handle;

	if (open_session(&session) < 0)
		return 1;
	place.session = session;
	handle = B(open, at("file"), OPEN_READ | OPEN_WRITE);
	if (handle < 0)
		return 2;
	if (B(lock, handle, 0, 30, LOCK_TRY) != 0)
		return 3;
	return B(lock, handle, 30, 10, LOCK_TRY) == -EAGAIN ? 0 : 4;
}

static void several_locks_are_unlocked_at_once(void **state)
{
	int64_t handle, other;
	int status;
	pid_t pid;

	NEEDS(lock);
	NEEDS_CAPABILITY(CAP_LOCKS);
	put_file("file", "");
	put_file("other", "");
	handle = opened("file", OPEN_READ | OPEN_WRITE);
	other = opened("other", OPEN_READ | OPEN_WRITE);
	assert_int_equal(B(lock, handle, 0, 10, 0), 0);
	assert_int_equal(B(lock, other, 10, 10, 0), 0);
	assert_int_equal(B(lock, handle, 20, 10, LOCK_SHARED), 0);
	assert_int_equal(B(lock, handle, 30, 10, LOCK_TRY), 0);
	assert_int_equal(B(unlock, handle, 0, 30), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0)
		_exit(try_freed_locks());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	/* A length of 0 means up to the end of any file. */
	assert_int_equal(B(unlock, handle, 0, 0), 0);
	assert_int_equal(B(unlock, other, 10, 10), 0);
	closed(handle);
	closed(other);
}

/* Hold a file. Skip the test if others might not see its lock. */
static int held(const char *name)
{
	int fd = B(hold, at(name));

	if (fd == -EOPNOTSUPP)
		skip();
	return fd;
}

static void a_file_is_held_by_its_owner_alone(void **state)
{
	int fd;

	NEEDS(hold);
	put_file("file", "12345");
	assert_int_equal(B(hold, at("absent")), -ENOENT);
	fd = held("file");
	assert_true(fd >= 0);
	assert_int_equal(B(hold, at("file")), -EAGAIN);
	assert_int_equal(B(is_held, at("file")), 1);
	close(fd);
	assert_int_equal(B(is_held, at("file")), 0);
	if (geteuid() == 0) {
		assert_int_equal(chown(local("file"), 12345, 12345), 0);
		assert_int_equal(B(hold, at("file")), -EPERM);
		assert_int_equal(B(is_held, at("file")), 0);
	}
	expect_text("file", "12345");
}

/* Make, hold and remove a file often. Return the number of times that it had
 * been removed when it was held, or -1. */
static int hold_and_remove(void)
{
	enum { ROUNDS = 4000 };
	struct stat found;
	int i, removed = 0;

	for (i = 0; i < ROUNDS; i++) {
		int fd = open(local("file"), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);

		if (fd < 0 || close(fd) < 0)
			return -1;
		fd = B(hold, at("file"));
		if (fd < 0 && fd != -ENOENT && fd != -EAGAIN)
			return -1;
		if (fd < 0)
			continue;
		if (fstat(fd, &found) < 0)
			return -1;
		removed += found.st_nlink == 0;
		unlink(local("file"));
		close(fd);
	}
	return removed;
}

/* Two processes remove a file only while they hold it. */
static void a_removed_file_is_not_held(void **state)
{
	bool made = place.made;
	int status, removed;
	pid_t pid;

	NEEDS(hold);
	put_file("file", "");
	close(held("file"));
	place.made = false; /* each path_make takes memory */
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0)
		_exit(hold_and_remove() != 0);
	removed = hold_and_remove();
	place.made = made;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	assert_int_equal(removed, 0);
}

static void truncate_sets_the_size(void **state)
{
	char text[8] = "........";
	int64_t handle;

	NEEDS(truncate);
	put_file("file", "12345");
	handle = opened("file", OPEN_READ | OPEN_WRITE);
	assert_int_equal(B(truncate, handle, 3), 0);
	assert_int_equal(look("file").st_size, 3);
	assert_int_equal(B(truncate, handle, 6), 0);
	assert_int_equal(B(read, handle, text, 8, 0), 6);
	assert_memory_equal(text, "123\0\0\0..", 8);
	assert_int_equal(B(truncate, handle, UINT64_C(5) << 30), 0);
	assert_int_equal(look("file").st_size, UINT64_C(5) << 30);
	assert_int_equal(B(truncate, handle, 0), 0);
	assert_int_equal(B(write, handle, "67", 2, 0), 2);
	closed(handle);
	expect_text("file", "67");
	handle = opened("file", OPEN_READ);
	assert_int_equal(B(truncate, handle, 0), -EINVAL);
	closed(handle);
	expect_text("file", "67");
	handle = opened("file", OPEN_READ | OPEN_WRITE | OPEN_APPEND);
	assert_int_equal(B(truncate, handle, 1), 0);
	assert_int_equal(B(write, handle, "8", 1, 0), 1);
	closed(handle);
	expect_text("file", "68");
}

static void allocate_takes_and_returns_space(void **state)
{
	enum { BYTES = 1 << 20 };
	char byte = 'x';
	int64_t handle;

	NEEDS(allocate);
	NEEDS_CAPABILITY(CAP_ALLOCATE);
	handle = opened("file", OPEN_READ | OPEN_WRITE | OPEN_CREATE);
	assert_int_equal(B(allocate, handle, 0, BYTES, ALLOCATE_KEEP_SIZE), 0);
	assert_int_equal(look("file").st_size, 0);
	assert_true(look("file").st_blocks * 512 >= BYTES);
	assert_int_equal(B(allocate, handle, BYTES, BYTES, 0), 0);
	assert_int_equal(look("file").st_size, 2 * BYTES);
	assert_int_equal(B(write, handle, &byte, 1, 0), 1);
	assert_int_equal(B(allocate, handle, 0, BYTES, ALLOCATE_PUNCH_HOLE), 0);
	assert_int_equal(look("file").st_size, 2 * BYTES);
	assert_true(look("file").st_blocks * 512 < 2 * BYTES);
	assert_int_equal(B(read, handle, &byte, 1, 0), 1);
	assert_int_equal(byte, 0);
	assert_int_equal(B(allocate, handle, 0, 0, 0), -EINVAL);
	closed(handle);
}

static void copy_moves_bytes_between_files(void **state)
{
	int64_t from, to;

	NEEDS(copy);
	put_file("from", "0123456789");
	put_file("to", "abcdefghij");
	from = opened("from", OPEN_READ);
	to = opened("to", OPEN_READ | OPEN_WRITE);
	assert_int_equal(B(copy, from, 2, to, 4, 3), 3);
	expect_text("to", "abcd234hij");
	assert_int_equal(B(copy, from, 7, to, 9, 10), 3);
	expect_text("to", "abcd234hi789");
	assert_int_equal(B(copy, from, 10, to, 0, 10), 0);
	assert_int_equal(B(copy, from, 20, to, 0, 10), 0);
	assert_int_equal(B(copy, from, 0, to, 0, 0), 0);
	assert_int_equal(B(copy, to, 0, from, 0, 5), -EBADF);
	expect_text("from", "0123456789");
	closed(from);
	closed(to);
}

static void a_copy_of_nothing_leaves_the_end(void **state)
{
	int64_t from, to, rc;

	NEEDS(copy);
	put_file("from", "0123456789");
	put_file("to", "abc");
	from = opened("from", OPEN_READ);
	to = opened("to", OPEN_READ | OPEN_WRITE | OPEN_APPEND);
	/* Local paths don't copy to a handle for appending. */
	rc = B(copy, from, 10, to, 9, 10);
	assert_true(rc == 0 || rc == -EBADF);
	assert_int_equal(B(write, to, "d", 1, 0), 1);
	expect_text("to", "abcd");
	closed(from);
	closed(to);
}

static void large_copies_are_whole(void **state)
{
	enum { BYTES = (17 << 20) + 13 }; /* more than SMB servers copy at once */
	unsigned char *sent = malloc(BYTES), *got = calloc(1, BYTES);
	int64_t from, to;
	int i;

	NEEDS(copy);
	assert_non_null(sent);
	assert_non_null(got);
	for (i = 0; i < BYTES; i++)
		sent[i] = (unsigned char)(i * 2654435761u >> 13);
	from = opened("from", OPEN_READ | OPEN_WRITE | OPEN_CREATE);
	to = opened("to", OPEN_READ | OPEN_WRITE | OPEN_CREATE);
	assert_int_equal(B(write, from, sent, BYTES, 0), BYTES);
	assert_int_equal(B(copy, from, 1, to, 1, BYTES - 1), BYTES - 1);
	assert_int_equal(B(read, to, got, BYTES, 0), BYTES);
	assert_int_equal(got[0], 0);
	assert_true(memcmp(sent + 1, got + 1, BYTES - 1) == 0);
	closed(from);
	closed(to);
	free(sent);
	free(got);
}

static void clone_shares_blocks(void **state)
{
	int64_t from, to;

	NEEDS(clone);
	put_file("from", "0123456789");
	from = opened("from", OPEN_READ);
	to = opened("to", OPEN_READ | OPEN_WRITE | OPEN_CREATE);
	if ((place.capabilities & CAP_CLONE) == 0) {
		assert_int_equal(B(clone, from, 0, to, 0, 0), -EOPNOTSUPP);
	} else {
		assert_int_equal(B(clone, from, 0, to, 0, 0), 0);
		expect_text("to", "0123456789");
	}
	closed(from);
	closed(to);
}

static void handles_tell_their_files(void **state)
{
	struct backend_file one, again, other;
	int64_t handles[3];

	NEEDS(identify);
	put_file("one", "0123456789");
	put_file("other", "0123");
	handles[0] = opened("one", OPEN_READ);
	handles[1] = opened("one", OPEN_READ | OPEN_WRITE);
	handles[2] = opened("other", OPEN_WRITE);
	assert_int_equal(B(identify, handles[0], &one), 0);
	assert_int_equal(B(identify, handles[1], &again), 0);
	assert_int_equal(B(identify, handles[2], &other), 0);
	assert_int_equal(one.size_bytes, 10);
	assert_int_equal(other.size_bytes, 4);
	assert_true(one.id == again.id);
	assert_true(one.id == 0 || one.id != other.id);
	closed(handles[0]);
	closed(handles[1]);
	closed(handles[2]);
}

static struct backend_file identified(const char *name, uint64_t flags)
{
	int64_t handle = opened(name, flags);
	struct backend_file file;

	assert_int_equal(B(identify, handle, &file), 0);
	closed(handle);
	return file;
}

/* A directory has its own number, which one with the same name does not have.
 * With SMB1, libsmbclient gets no numbers. */
static void directories_are_told_apart(void **state)
{
	struct backend_file first, second, moved, file;

	assert_int_equal(B(mkdir, at("d")), 0);
	first = identified("d", OPEN_READ | OPEN_DIRECTORY);
	moved = identified("d", OPEN_READ | OPEN_DIRECTORY | OPEN_ATTRIBUTES);
	assert_true(first.id == moved.id && (first.id != 0 || is_smb1()));
	assert_int_equal(B(rename, at("d"), at("moved"), false), 0);
	assert_int_equal(B(mkdir, at("d")), 0);
	second = identified("d", OPEN_READ | OPEN_DIRECTORY);
	moved = identified("moved", OPEN_READ | OPEN_DIRECTORY);
	assert_true(moved.id == first.id);
	assert_true(second.id != first.id || first.id == 0);
	assert_true(first.device == second.device);
	make_file("d/file");
	file = identified("d/file", OPEN_READ);
	if (place.backend->remote) {
		assert_true(first.device == file.device);
	} else {
		assert_int_equal(first.id, look("moved").st_ino);
		assert_int_equal(first.device, look("moved").st_dev);
		assert_int_equal(file.device, look("d/file").st_dev);
	}
}

static void data_can_be_flushed_alone(void **state)
{
	int64_t handle;

	handle = opened("file", OPEN_READ | OPEN_WRITE | OPEN_CREATE);
	assert_int_equal(B(write, handle, "x", 1, 0), 1);
	assert_true((place.backend->fdatasync == NULL) == (place.backend->fsync == NULL));
	if (place.backend->fdatasync != NULL)
		assert_int_equal(B(fdatasync, handle), 0);
	if (place.backend->sync_range != NULL) {
		assert_int_equal(B(sync_range, handle, 0, 1, 0), 0);
		assert_int_equal(B(sync_range, handle, 0, 0, SYNC_RANGE_WAIT), 0);
	}
	closed(handle);
	expect_text("file", "x");
}

static void swap_exchanges_two_names(void **state)
{
	NEEDS(swap);
	put_file("one", "1");
	put_file("two", "2");
	put_directory("directory");
	put_file("directory/file", "3");
	assert_int_equal(B(swap, at("one"), at("two")), 0);
	expect_text("one", "2");
	expect_text("two", "1");
	assert_int_equal(B(swap, at("one"), at("directory")), 0);
	expect_text("directory", "2");
	expect_text("one/file", "3");
	assert_int_equal(B(swap, at("one"), at("absent")), -ENOENT);
	expect_text("directory", "2");
}

/* Backends that keep directories open find them under their new names. */
static void swap_exchanges_directories(void **state)
{
	NEEDS(swap);
	put_directory("one");
	put_directory("two");
	make_file("one/a");
	make_file("two/b");
	assert_int_equal(B(swap, at("one"), at("two")), 0);
	closed(opened("one/b", OPEN_READ));
	closed(opened("two/a", OPEN_READ));
	make_file("one/c");
	assert_true(exists("one/c"));
	assert_int_equal(B(unlink, at("two/a")), 0);
	assert_false(exists("two/a"));
}

static void access_checks_rights(void **state)
{
	const unsigned all = ACCESS_READ | ACCESS_WRITE;

	NEEDS(access);
	put_file("file", "");
	assert_int_equal(chmod(local("file"), 0644), 0);
	put_directory("directory");
	assert_int_equal(B(access, at("file"), 0), 0);
	assert_int_equal(B(access, at("file"), all), 0);
	assert_int_equal(B(access, at("file"), ACCESS_EXECUTE), -EACCES);
	assert_int_equal(B(access, at("file"), ACCESS_READ | ACCESS_EXECUTE), -EACCES);
	assert_int_equal(B(access, at("directory"), all | ACCESS_EXECUTE), 0);
	assert_int_equal(B(access, at("absent"), 0), -ENOENT);
	assert_int_equal(B(access, at("none/absent"), ACCESS_READ), -ENOENT);
}

/* Check if files have permissions. SMB has only the attribute READONLY. */
static bool keeps_modes(void)
{
	return !is_smb();
}

static void chmod_changes_permissions(void **state)
{
	NEEDS(chmod);
	if (!keeps_modes())
		skip();
	put_file("file", "");
	assert_int_equal(B(chmod, at("file"), 0440), 0);
	assert_int_equal(look("file").st_mode & 07777, 0440);
	assert_int_equal(B(chmod, at("file"), 01755), 0);
	assert_int_equal(look("file").st_mode & 07777, 01755);
	assert_int_equal(B(chmod, at("absent"), 0644), -ENOENT);
	assert_int_equal(B(chmod, at("none/absent"), 0644), -ENOENT);
}

/* A file without write permissions is not opened for writing, unless the server
 * lets root do so. */
static void chmod_can_make_a_file_read_only(void **state)
{
	int64_t handle;

	NEEDS(chmod);
	make_file("file");
	assert_int_equal(B(chmod, at("file"), 0444), 0);
	handle = B(open, at("file"), OPEN_READ | OPEN_WRITE);
	if (!keeps_modes() || geteuid() != 0)
		assert_int_equal(handle, -EACCES);
	if (handle >= 0)
		closed(handle);
	assert_int_equal(B(chmod, at("file"), 0644), 0);
	closed(opened("file", OPEN_READ | OPEN_WRITE));
	assert_int_equal(B(chmod, at("absent"), 0644), -ENOENT);
}

static void a_read_only_file_can_be_removed(void **state)
{
	NEEDS(chmod);
	make_file("file");
	assert_int_equal(B(chmod, at("file"), 0444), 0);
	assert_int_equal(B(unlink, at("file")), 0);
	assert_false(exists("file"));
}

static void chown_changes_owner_and_group(void **state)
{
	struct stat found;

	NEEDS(chown);
	put_file("file", "");
	found = look("file");
	assert_int_equal(B(chown, at("file"), found.st_uid, found.st_gid), 0);
	assert_int_equal(B(chown, at("file"), UINT32_MAX, UINT32_MAX), 0);
	assert_int_equal(look("file").st_uid, found.st_uid);
	assert_int_equal(B(chown, at("absent"), UINT32_MAX, 0), -ENOENT);
	if (geteuid() != 0) {
		assert_int_equal(B(chown, at("file"), found.st_uid + 1, UINT32_MAX), -EPERM);
		return;
	}
	assert_int_equal(B(chown, at("file"), 12345, UINT32_MAX), 0);
	assert_int_equal(look("file").st_uid, 12345);
	assert_int_equal(look("file").st_gid, found.st_gid);
	assert_int_equal(B(chown, at("file"), UINT32_MAX, 54321), 0);
	assert_int_equal(look("file").st_uid, 12345);
	assert_int_equal(look("file").st_gid, 54321);
	assert_int_equal(B(chown, at("file"), found.st_uid, found.st_gid), 0);
	assert_int_equal(look("file").st_uid, found.st_uid);
}

static void set_path_times_goes_back_some_seconds(void **state)
{
	static const char *const names[] = {"file", "directory"};
	struct stat before, after;
	size_t i;

	NEEDS(set_path_times);
	put_file("file", "12345");
	put_directory("directory");
	for (i = 0; i < LENGTH(names); i++) {
		before = look(names[i]);
		assert_int_equal(B(set_path_times, at(names[i])), 0);
		after = look(names[i]);
		assert_in_range(before.st_mtime - after.st_mtime, 1, 60);
		assert_in_range(before.st_atime - after.st_atime, 1, 60);
	}
	assert_int_equal(B(set_path_times, at("absent")), -ENOENT);
}

static void attributes_are_kept_by_name(void **state)
{
	char value[16] = "", names[256];

	NEEDS(xattr_get);
	NEEDS_CAPABILITY(CAP_XATTRS);
	put_file("file", "");
	assert_int_equal(B(xattr_get, at("file"), "user.a", value, 16), -ENODATA);
	assert_int_equal(B(xattr_set, at("file"), "user.a", "hello", 5), 0);
	assert_int_equal(B(xattr_get, at("file"), "user.a", value, 16), 5);
	assert_memory_equal(value, "hello", 5);
	assert_int_equal(B(xattr_get, at("file"), "user.a", value, 4), -ERANGE);
	assert_int_equal(B(xattr_set, at("file"), "user.a", "", 0), 0);
	assert_int_equal(B(xattr_get, at("file"), "user.a", value, 16), 0);
	assert_true(B(xattr_list, at("file"), names, sizeof(names)) >= 7);
	assert_int_equal(B(xattr_remove, at("file"), "user.a"), 0);
	assert_int_equal(B(xattr_remove, at("file"), "user.a"), -ENODATA);
	assert_int_equal(B(xattr_set, at("absent"), "user.a", "", 0), -ENOENT);
	assert_int_equal(B(xattr_list, at("none/file"), names, sizeof(names)), -ENOENT);
}

/* These slots do not follow a link; the rest of the links' tests is below. */
static void attributes_of_a_link_are_its_own(void **state)
{
	struct stat before, after;
	char value[16];

	NEEDS(symlink);
	put_file("file", "12345");
	assert_int_equal(chmod(local("file"), 0644), 0);
	put_link("file", "link");
	put_link("absent", "broken");
	before = look("file");
	if (place.backend->chmod != NULL)
		assert_true(B(chmod, at("link"), 0600) < 0);
	if (place.backend->chown != NULL && geteuid() == 0)
		B(chown, at("link"), 12345, UINT32_MAX);
	if (place.backend->set_path_times != NULL)
		B(set_path_times, at("link"));
	if (place.backend->access != NULL)
		assert_int_equal(B(access, at("broken"), 0), 0);
	if (place.backend->xattr_set != NULL && (place.capabilities & CAP_XATTRS) != 0) {
		assert_true(B(xattr_set, at("link"), "user.a", "x", 1) < 0);
		assert_int_equal(B(xattr_get, at("file"), "user.a", value, 16), -ENODATA);
	}
	if (place.backend->swap != NULL) {
		assert_int_equal(B(swap, at("link"), at("broken")), 0);
		assert_true(S_ISLNK(look("link").st_mode));
	}
	after = look("file");
	assert_int_equal(after.st_mode, before.st_mode);
	assert_int_equal(after.st_uid, before.st_uid);
	assert_int_equal(after.st_mtime, before.st_mtime);
}

/* Read and write aligned blocks through a handle that bypasses the cache. */
static void direct_io_moves_aligned_blocks(void **state)
{
	enum { BLOCK = 4096 };
	char *block = aligned_alloc(BLOCK, BLOCK);
	int64_t handle;

	NEEDS_CAPABILITY(CAP_DIRECT);
	assert_non_null(block);
	memset(block, 'x', BLOCK);
	handle = opened("file", OPEN_READ | OPEN_WRITE | OPEN_CREATE | OPEN_DIRECT);
	assert_int_equal(B(write, handle, block, BLOCK, BLOCK), BLOCK);
	memset(block, 0, BLOCK);
	assert_int_equal(B(read, handle, block, BLOCK, BLOCK), BLOCK);
	assert_int_equal(block[0], 'x');
	assert_int_equal(block[BLOCK - 1], 'x');
	closed(handle);
	assert_int_equal(look("file").st_size, 2 * BLOCK);
	free(block);
}

static void noatime_keeps_the_access_time(void **state)
{
	static const struct timespec past[2] = {{.tv_sec = 1000}, {.tv_sec = 2000}};
	char byte;
	int64_t handle;

	put_file("file", "12345");
	assert_int_equal(utimensat(AT_FDCWD, local("file"), past, 0), 0);
	handle = opened("file", OPEN_READ | OPEN_NOATIME);
	assert_int_equal(B(read, handle, &byte, 1, 0), 1);
	closed(handle);
	/* A server is not told that it must keep the time. */
	if (!place.backend->remote)
		assert_int_equal(look("file").st_atime, 1000);
}

static void stat_returns_size_and_kind(void **state)
{
	struct backend_attributes attributes;

	put_file("file", "12345");
	put_directory("directory");
	assert_int_equal(B(stat, at("file"), &attributes), 0);
	assert_false(attributes.directory);
	assert_int_equal(attributes.size_bytes, 5);
	assert_int_equal(B(stat, at("directory"), &attributes), 0);
	assert_true(attributes.directory);
	assert_int_equal(B(stat, at("absent"), &attributes), -ENOENT);
	assert_int_equal(B(stat, &(struct backend_path){.text = ""}, &attributes), 0);
	assert_true(attributes.directory);
}

static void unlink_removes_only_files(void **state)
{
	struct backend_path *path;

	put_file("file", "");
	put_directory("directory");
	assert_int_equal(B(unlink, at("file")), 0);
	assert_false(exists("file"));
	assert_int_equal(B(unlink, at("file")), -ENOENT);
	assert_int_equal(B(unlink, at("directory")), -EISDIR);
	assert_true(exists("directory"));
	/* unlink does not remove a directory that has taken the name of a
	 * removed or renamed file. */
	path = at("name");
	closed(B(open, path, OPEN_READ | OPEN_WRITE | OPEN_CREATE));
	assert_int_equal(B(unlink, path), 0);
	assert_int_equal(B(mkdir, at("name")), 0);
	assert_int_equal(B(unlink, path), -EISDIR);
	assert_int_equal(B(rmdir, at("name")), 0);
	closed(B(open, path, OPEN_READ | OPEN_WRITE | OPEN_CREATE));
	assert_int_equal(B(rename, path, at("other"), true), 0);
	assert_int_equal(B(rename, at("directory"), at("name"), true), 0);
	assert_int_equal(B(unlink, path), -EISDIR);
	assert_true(exists("name"));
}

static void directories_are_made_and_removed(void **state)
{
	assert_int_equal(B(mkdir, at("directory")), 0);
	assert_true(S_ISDIR(look("directory").st_mode));
	assert_int_equal(B(mkdir, at("directory")), -EEXIST);
	put_file("file", "12345");
	assert_int_equal(B(mkdir, at("file")), -EEXIST);
	assert_int_equal(B(rmdir, at("file")), -ENOTDIR);
	expect_text("file", "12345");
	make_file("directory/file");
	assert_int_equal(B(rmdir, at("directory")), -ENOTEMPTY);
	assert_int_equal(B(unlink, at("directory/file")), 0);
	assert_int_equal(B(rmdir, at("directory")), 0);
	assert_false(exists("directory"));
	assert_int_equal(B(rmdir, at("directory")), -ENOENT);
}

static void rename_replaces_if_allowed(void **state)
{
	put_file("one", "1");
	put_file("two", "2");
	put_directory("directory");
	assert_int_equal(B(rename, at("absent"), at("new"), true), -ENOENT);
	assert_int_equal(B(rename, at("absent"), at("new"), false), -ENOENT);
	assert_int_equal(B(rename, at("one"), at("none/new"), true), -ENOENT);
	assert_int_equal(B(rename, at("one"), at("two"), false), -EEXIST);
	expect_text("one", "1");
	expect_text("two", "2");
	assert_int_equal(B(rename, at("one"), at("two"), true), 0);
	assert_false(exists("one"));
	expect_text("two", "1");
	assert_int_equal(B(rename, at("two"), at("directory/three"), false), 0);
	assert_false(exists("two"));
	expect_text("directory/three", "1");
	assert_int_equal(B(rename, at("directory/three"), at("one"), true), 0);
	expect_text("one", "1");
	assert_true(B(rename, at("one"), at("directory"), true) < 0);
	expect_text("one", "1");
	assert_true(S_ISDIR(look("directory").st_mode));
}

static void a_hard_link_is_a_second_name(void **state)
{
	NEEDS(link);
	NEEDS_CAPABILITY(CAP_LINKS);
	put_file("one", "1");
	put_file("two", "2");
	assert_int_equal(B(link, at("new"), at("one")), 0);
	expect_text("new", "1");
	assert_int_equal(look("one").st_nlink, 2);
	assert_int_equal(B(link, at("two"), at("one")), -EEXIST);
	expect_text("two", "2");
	assert_int_equal(B(link, at("other"), at("absent")), -ENOENT);
	assert_int_equal(B(unlink, at("one")), 0);
	expect_text("new", "1");
}

static void rename_moves_directories(void **state)
{
	struct backend_attributes attributes;
	int rc;

	assert_int_equal(B(mkdir, at("a")), 0);
	assert_int_equal(B(mkdir, at("a/b")), 0);
	make_file("a/b/file");
	assert_int_equal(B(rename, at("a"), at("moved"), true), 0);
	assert_int_equal(B(stat, at("a/b/file"), &attributes), -ENOENT);
	assert_int_equal(B(stat, at("moved/b/file"), &attributes), 0);
	assert_int_equal(B(mkdir, at("full")), 0);
	make_file("full/file");
	rc = B(rename, at("moved"), at("full"), true);
	assert_true(rc == -ENOTEMPTY || rc == -EEXIST);
	assert_true(exists("full/file"));
	assert_true(exists("moved/b/file"));
	assert_int_equal(B(rename, at("moved"), at("full"), false), -EEXIST);
}

static void names_are_not_changed(void **state)
{
	static const char *const names[] = {
		"with blanks  in it", "-n",          "~dmtmp",  "per%20cent",  "a#b?c=d&e",
		"quo'te\"s",          "sem;i:colon", "*",       "back\\slash", "new\nline",
		"\xc3\xa9t\xc3\xa9",  "...",         ".hidden", "trailing.",   "a+b",
	};
	size_t i;

	for (i = 0; i < LENGTH(names); i++) {
		const char *refused = place.backend->not_in_names;

		if (refused != NULL && strpbrk(names[i], refused) != NULL) {
			assert_int_equal(B(open, at(names[i]), OPEN_WRITE | OPEN_CREATE), -EINVAL);
			continue;
		}
		make_file(names[i]);
		assert_true(exists(names[i]));
		assert_int_equal(B(unlink, at(names[i])), 0);
		assert_false(exists(names[i]));
	}
}

struct listing {
	unsigned files, directories, unknown, dots, twice;
	unsigned max; /* ends the listing after this number of entries */
	char *seen;   /* seen[N] counts the name N; NULL: don't count */
};

static bool visit(void *context, const char *name, enum backend_entry entry)
{
	struct listing *listing = context;

	if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0) {
		listing->dots++;
	} else if (entry == ENTRY_FILE) {
		listing->files++;
	} else if (entry == ENTRY_DIRECTORY) {
		listing->directories++;
	} else {
		listing->unknown++;
	}
	if (listing->seen != NULL && name[0] != '.')
		listing->twice += listing->seen[atoi(name)]++ != 0;
	return listing->files + listing->directories + listing->unknown + listing->dots <
	       listing->max;
}

static void list_shows_every_entry(void **state)
{
	struct listing listing = {.max = UINT_MAX};

	assert_int_equal(B(list, at(""), visit, &listing), 0);
	assert_int_equal(listing.dots, 2);
	assert_int_equal(listing.files + listing.directories + listing.unknown, 0);
	put_file("file", "");
	put_directory("directory");
	listing = (struct listing){.max = UINT_MAX};
	assert_int_equal(B(list, at(""), visit, &listing), 0);
	assert_int_equal(listing.dots, 2);
	assert_int_equal(listing.files + listing.directories + listing.unknown, 2);
	/* The kind of an entry must be right or ENTRY_UNKNOWN. */
	assert_true(listing.files <= 1 && listing.directories <= 1);
	assert_int_equal(B(list, at("absent"), visit, &listing), -ENOENT);
	assert_int_equal(B(list, at("file"), visit, &listing), -ENOTDIR);
}

static void list_shows_many_once_each(void **state)
{
	enum { MANY = 600 }; /* names this long fill more than one buffer */
	struct listing listing = {.max = UINT_MAX};
	char name[128];
	int i;

	for (i = 0; i < MANY; i++) {
		snprintf(name, sizeof(name), "%d-%0100d", i, 0);
		put_file(name, "");
	}
	listing.seen = calloc(1, MANY);
	assert_non_null(listing.seen);
	assert_int_equal(B(list, at(""), visit, &listing), 0);
	assert_int_equal(listing.files + listing.unknown, MANY);
	assert_int_equal(listing.twice, 0);
	assert_int_equal(listing.dots, 2);
	free(listing.seen);
}

static void list_ends_when_visit_returns_false(void **state)
{
	struct listing listing = {.max = 3};
	unsigned round;

	put_file("1", "");
	put_file("2", "");
	put_file("3", "");
	for (round = 0; round < 2; round++) {
		listing = (struct listing){.max = 3};
		assert_int_equal(B(list, at(""), visit, &listing), 0);
		assert_int_equal(listing.files + listing.unknown + listing.dots, 3);
	}
}

/*
 * The tests of links run only if the backend has the slot symlink. If not, the
 * protocol has no symbolic links, and the server decides how to treat the links
 * on its disk.
 */

/* Make the directory that the links point to. It is outside of the current
 * `place`. */
static void put_outside(void)
{
	put_directory("../outside");
	put_file("../outside/file", "precious");
}

static void expect_outside_untouched(void)
{
	expect_text("../outside/file", "precious");
	assert_int_equal(count_entries(local("../outside")), 1);
}

static void a_link_is_never_opened(void **state)
{
	struct backend_attributes attributes;
	struct listing listing = {.max = UINT_MAX};
	size_t i;

	NEEDS(symlink);
	put_outside();
	put_link("../outside/file", "to-file");
	put_link("../outside", "to-directory");
	put_link("../outside/new", "to-nothing");
	put_link("loop", "loop");
	for (i = 0; i < LENGTH(open_rows); i++) {
		uint64_t flags = open_rows[i].flags;

		assert_true(B(open, at("to-file"), flags) < 0);
		assert_true(B(open, at("to-directory"), flags) < 0);
		assert_true(B(open, at("to-nothing"), flags) < 0);
		assert_true(B(open, at("loop"), flags) < 0);
	}
	if ((place.capabilities & CAP_LINK_CHECK) != 0)
		assert_true(B(list, at("to-directory"), visit, &listing) < 0);
	listing = (struct listing){.max = UINT_MAX};
	assert_true(B(mkdir, at("to-nothing")) < 0);
	assert_true(B(rmdir, at("to-directory")) < 0);
	if (B(stat, at("to-directory"), &attributes) == 0)
		assert_false(attributes.directory);
	if (place.backend->resolve != NULL)
		assert_int_equal(B(resolve, at("to-nothing")),
				 B(stat, at("to-nothing"), &attributes));
	/* A listing does not show a link as a directory. */
	assert_int_equal(B(list, at(""), visit, &listing), 0);
	assert_int_equal(listing.directories, 0);
	expect_outside_untouched();
}

/* Try the operations on attributes of a path that leads through a link. */
static void change_attributes_through_a_link(void)
{
	char byte;

	if (place.backend->access != NULL)
		assert_true(B(access, at("link/file"), 0) < 0);
	if (place.backend->chmod != NULL)
		assert_true(B(chmod, at("link/file"), 0600) < 0);
	if (place.backend->chown != NULL)
		assert_true(B(chown, at("link/file"), geteuid(), UINT32_MAX) < 0);
	if (place.backend->set_path_times != NULL)
		assert_true(B(set_path_times, at("link/file")) < 0);
	if (place.backend->swap != NULL)
		assert_true(B(swap, at("mine"), at("link/file")) < 0);
	if (place.backend->xattr_set == NULL)
		return;
	assert_true(B(xattr_set, at("link/file"), "user.a", "x", 1) < 0);
	assert_true(B(xattr_get, at("link/file"), "user.a", &byte, 1) < 0);
	assert_true(B(xattr_list, at("link/file"), &byte, 1) < 0);
	assert_true(B(xattr_remove, at("link/file"), "user.a") < 0);
}

static void a_link_in_a_path_is_not_followed(void **state)
{
	struct backend_attributes attributes;
	struct listing listing = {.max = UINT_MAX};

	NEEDS_CAPABILITY(CAP_LINK_CHECK);
	NEEDS(symlink);
	put_outside();
	put_directory("../outside/below");
	put_link("../outside", "link");
	make_file("mine");
	assert_true(B(open, at("link/file"), OPEN_READ) < 0);
	assert_true(B(open, at("link/file"), OPEN_READ | OPEN_WRITE | OPEN_TRUNCATE) < 0);
	assert_true(B(open, at("link/new"), OPEN_READ | OPEN_WRITE | OPEN_CREATE) < 0);
	assert_true(B(open, at("link/new"), OPEN_READ | OPEN_DIRECTORY | OPEN_CREATE) < 0);
	assert_true(B(stat, at("link/file"), &attributes) < 0);
	assert_true(B(unlink, at("link/file")) < 0);
	assert_true(B(mkdir, at("link/new")) < 0);
	assert_true(B(rmdir, at("link/below")) < 0);
	assert_true(B(rename, at("link/file"), at("taken"), true) < 0);
	assert_true(B(rename, at("mine"), at("link/new"), true) < 0);
	assert_true(B(rename, at("mine"), at("link/file"), true) < 0);
	change_attributes_through_a_link();
	if (place.backend->sync_parent != NULL)
		assert_true(B(sync_parent, at("link/file")) < 0);
	assert_true(B(list, at("link/below"), visit, &listing) < 0);
	if (place.backend->resolve != NULL)
		assert_true(B(resolve, at("link/file")) < 0);
	assert_true(B(open, at("link/below/new"), OPEN_READ | OPEN_WRITE | OPEN_CREATE) < 0);
	assert_true(exists("mine"));
	assert_int_equal(rmdir(local("../outside/below")), 0);
	expect_outside_untouched();
}

static void a_link_itself_is_moved_and_removed(void **state)
{
	struct backend_attributes attributes;

	NEEDS(symlink);
	put_outside();
	put_link("../outside/file", "to-file");
	put_link("../outside", "to-directory");
	assert_int_equal(B(rename, at("to-file"), at("moved"), true), 0);
	assert_true(S_ISLNK(look("moved").st_mode));
	put_file("file", "12345");
	assert_int_equal(B(rename, at("file"), at("moved"), true), 0);
	expect_text("moved", "12345");
	assert_int_equal(B(unlink, at("to-directory")), 0);
	assert_int_equal(B(stat, at("to-directory"), &attributes), -ENOENT);
	expect_outside_untouched();
}

/* The link gets the name of a directory that the session has used before, and
 * may have kept open. */
static void a_link_in_place_of_a_directory_is_not_followed(void **state)
{
	NEEDS_CAPABILITY(CAP_LINK_CHECK);
	NEEDS(symlink);
	put_outside();
	assert_int_equal(B(mkdir, at("d")), 0);
	make_file("d/file");
	assert_int_equal(B(unlink, at("d/file")), 0);
	assert_int_equal(B(rmdir, at("d")), 0);
	put_link("../outside", "d");
	assert_true(B(open, at("d/new"), OPEN_READ | OPEN_WRITE | OPEN_CREATE) < 0);
	assert_true(B(unlink, at("d/file")) < 0);
	expect_outside_untouched();
}

/* Make a file, and check that it is in the directory that exists under this
 * path now, not in one that had the same path before. */
static void expect_file_in(const char *name)
{
	make_file(name);
	assert_true(exists(name));
	assert_int_equal(B(unlink, at(name)), 0);
	assert_false(exists(name));
}

static void a_recreated_directory_is_the_new_one(void **state)
{
	struct backend_attributes attributes;
	int round;

	for (round = 0; round < 3; round++) {
		assert_int_equal(B(mkdir, at("d")), 0);
		assert_int_equal(B(mkdir, at("d/e")), 0);
		expect_file_in("d/e/file");
		assert_int_equal(B(rmdir, at("d/e")), 0);
		assert_int_equal(B(stat, at("d/e/file"), &attributes), -ENOENT);
		assert_int_equal(B(mkdir, at("d/e")), 0);
		expect_file_in("d/e/file");
		assert_int_equal(B(rmdir, at("d/e")), 0);
		assert_int_equal(B(rmdir, at("d")), 0);
	}
}

static void a_renamed_directory_frees_its_name(void **state)
{
	assert_int_equal(B(mkdir, at("d")), 0);
	assert_int_equal(B(mkdir, at("d/e")), 0);
	expect_file_in("d/e/file");
	assert_int_equal(B(rename, at("d"), at("old"), true), 0);
	assert_int_equal(B(open, at("d/e/file"), OPEN_READ | OPEN_WRITE | OPEN_CREATE), -ENOENT);
	assert_int_equal(B(mkdir, at("d")), 0);
	assert_int_equal(B(mkdir, at("d/e")), 0);
	expect_file_in("d/e/file");
	expect_file_in("old/e/file");
	/* A rename replaces an empty directory. */
	assert_int_equal(B(mkdir, at("empty")), 0);
	expect_file_in("empty/file");
	make_file("old/e/kept");
	assert_int_equal(B(rename, at("old/e"), at("empty"), true), 0);
	assert_true(exists("empty/kept"));
	expect_file_in("empty/file");
}

/* Outside of the users' own directories any user may move a directory, so a
 * session must not keep it open. */
static void a_shared_directory_is_looked_up_each_time(void **state)
{
	struct backend_session *own = place.session, *other;
	int round;

	if (strncmp(place.inside, "clients", 7) == 0)
		skip();
	assert_int_equal(open_session(&other), 0);
	for (round = 0; round < 3; round++) {
		assert_int_equal(B(mkdir, at("d")), 0);
		expect_file_in("d/file");
		place.session = other;
		assert_int_equal(B(rename, at("d"), at("moved"), true), 0);
		assert_int_equal(B(mkdir, at("d")), 0);
		place.session = own;
		expect_file_in("d/file");
		assert_int_equal(B(rmdir, at("d")), 0);
	}
	place.backend->session_close(other);
}

/* Return the name of directory number `i`, or of a file in it. */
static const char *numbered(const char *format, int i)
{
	static char name[32];

	snprintf(name, sizeof(name), format, i);
	return name;
}

static unsigned open_descriptors(void)
{
	DIR *directory = opendir("/proc/self/fd");
	unsigned count = 0;

	assert_non_null(directory);
	while (readdir(directory) != NULL)
		count++;
	closedir(directory);
	return count;
}

static void more_directories_than_are_kept_open(void **state)
{
	enum { MANY = 200, BOUND = 160 };
	static struct backend_path files[MANY];
	static char texts[MANY][64];
	unsigned before = open_descriptors();
	int i, round;

	if (is_brief())
		skip();
	for (i = 0; i < MANY; i++) {
		const char *text = at(numbered("d%d/file", i))->text;

		assert_int_equal(B(mkdir, at(numbered("d%d", i))), 0);
		strcpy(texts[i], text);
		files[i] = (struct backend_path){.text = texts[i]};
		if (place.made && place.backend->path_make != NULL)
			assert_int_equal(B(path_make, &files[i]), 0);
	}
	for (round = 0; round < 2; round++) {
		for (i = 0; i < MANY; i++) {
			int64_t handle = B(open, &files[i], OPEN_READ | OPEN_WRITE | OPEN_CREATE);

			assert_true(handle >= 0);
			assert_int_equal(B(write, handle, &i, sizeof(i), 0), sizeof(i));
			closed(handle);
		}
	}
	assert_true(open_descriptors() <= before + BOUND);
	for (i = 0; i < MANY; i++) {
		int number = -1;
		int64_t handle = B(open, &files[i], OPEN_READ);

		assert_int_equal(B(read, handle, &number, sizeof(number), 0), sizeof(number));
		closed(handle);
		assert_int_equal(number, i);
		assert_int_equal(B(unlink, &files[i]), 0);
		assert_int_equal(B(rmdir, at(numbered("d%d", i))), 0);
	}
	assert_true(open_descriptors() <= before + BOUND);
}

static void deep_paths_work(void **state)
{
	int depth = (place.capabilities & CAP_DEEP_PATHS) != 0 ? 200 : 40;
	char path[PATH_MAX / 2] = "";
	struct backend_attributes attributes;
	int i;

	if (is_brief())
		skip();
	for (i = 0; i < depth; i++) {
		strcat(path, i > 0 ? "/dir" : "dir");
		assert_int_equal(B(mkdir, at(path)), 0);
	}
	strcat(path, "/file");
	make_file(path);
	assert_int_equal(B(stat, at(path), &attributes), 0);
	assert_true(exists(path));
	assert_int_equal(B(rename, at("dir"), at("moved"), true), 0);
	assert_int_equal(B(stat, at(path), &attributes), -ENOENT);
	memcpy(path, "moved", 5);
	memmove(path + 5, path + 3, strlen(path + 3) + 1);
}

static void names_can_be_as_long_as_allowed(void **state)
{
	struct backend_attributes attributes;
	char name[NAME_MAX + 2];

	memset(name, 'x', sizeof(name));
	name[NAME_MAX] = '\0';
	make_file(name);
	assert_true(exists(name));
	name[NAME_MAX] = 'x';
	name[NAME_MAX + 1] = '\0';
	assert_int_equal(B(open, at(name), OPEN_READ | OPEN_WRITE | OPEN_CREATE), -ENAMETOOLONG);
	assert_int_equal(B(stat, at(name), &attributes), -ENAMETOOLONG);
}

static void resolve_returns_as_stat_does(void **state)
{
	NEEDS(resolve);
	put_file("File", "");
	put_directory("directory");
	assert_int_equal(B(resolve, at("File")), 0);
	assert_int_equal(B(resolve, at("directory")), 0);
	assert_int_equal(B(resolve, at("absent")), -ENOENT);
	/* resolve searches for a name that differs only in case, but does not
	 * accept it. */
	assert_int_equal(B(resolve, at("fILE")), -ENOENT);
	assert_int_equal(B(resolve, at("none/absent")), -ENOENT);
}

static void statvfs_and_sync_parent_work(void **state)
{
	assert_int_equal(B(statvfs), 0);
	NEEDS(sync_parent);
	put_file("file", "");
	assert_int_equal(B(sync_parent, at("file")), 0);
	assert_int_equal(B(sync_parent, at("absent")), 0);
	assert_int_equal(B(sync_parent, at("none/absent")), -ENOENT);
}

static void delete_on_close_removes_the_file(void **state)
{
	const uint64_t flags = OPEN_READ | OPEN_WRITE | OPEN_FILE | OPEN_DELETE_ON_CLOSE;
	int64_t handle;

	if (!place.backend->deletes_on_close)
		skip();
	handle = opened("file", flags | OPEN_CREATE);
	assert_true(exists("file"));
	closed(handle);
	assert_false(exists("file"));
	put_file("file", "12345");
	closed(opened("file", flags));
	assert_false(exists("file"));
}

/* Tell the backend one field of the request that the next operation was. */
static void tell(enum smb_field field, uint64_t value)
{
	static struct smb_request request;

	request = (struct smb_request){0};
	smb_request_set(&request, field, value);
	B(recorded, &request, NULL);
}

static void a_recorded_open_has_its_disposition(void **state)
{
	const uint64_t flags = OPEN_READ | OPEN_WRITE | OPEN_FILE | OPEN_CREATE;

	NEEDS(recorded);
	put_file("file", "12345");
	/* A recorded creation may be repeated. */
	tell(SMB_DISPOSITION, SMB_CREATE);
	closed(opened("file", flags));
	expect_text("file", "12345");
	tell(SMB_DISPOSITION, SMB_CREATE);
	assert_int_equal(B(open, at("file"), flags | OPEN_EXCLUSIVE), -EEXIST);
	tell(SMB_DISPOSITION, SMB_SUPERSEDE);
	closed(opened("file", flags | OPEN_TRUNCATE));
	assert_int_equal(look("file").st_size, 0);
	/* Options cannot change the meaning of the name. */
	tell(SMB_OPTIONS, SMB_NON_DIRECTORY_FILE | SMB_OPEN_BY_FILE_ID | SMB_DELETE_ON_CLOSE);
	closed(opened("file", flags));
	assert_true(exists("file"));
}

/* A server decides what a handle may do if its rights were recorded. */
static void a_recorded_open_has_its_rights(void **state)
{
	enum { READ_DATA = 1, WRITE_DATA = 2 };
	char text[8];
	int64_t handle;

	NEEDS(recorded);
	put_file("file", "12345");
	tell(SMB_ACCESS, READ_DATA);
	handle = opened("file", OPEN_READ);
	assert_int_equal(B(write, handle, "x", 1, 0), -EACCES);
	assert_int_equal(B(truncate, handle, 0), -EACCES);
	closed(handle);
	tell(SMB_ACCESS, WRITE_DATA);
	handle = opened("file", OPEN_WRITE);
	assert_int_equal(B(read, handle, text, 1, 0), -EACCES);
	closed(handle);
	expect_text("file", "12345");
}

/* An option that a server refuses leaves no directory behind. */
static void a_refused_option_creates_nothing(void **state)
{
	NEEDS(recorded);
	tell(SMB_OPTIONS, 0xff000000);
	assert_true(B(open, at("new"), OPEN_READ | OPEN_WRITE | OPEN_CREATE | OPEN_TRUNCATE) < 0);
	assert_false(exists("new"));
}

static void a_recorded_level_is_for_one_operation(void **state)
{
	static const unsigned levels[] = {0x101, 0x102, 0x103, 0x107, 1004,
					  1005,  1034,  1035,  1,     99999};
	struct backend_attributes attributes;
	int64_t handle;
	size_t i;

	NEEDS(recorded);
	put_file("file", "12345");
	handle = opened("file", OPEN_READ);
	for (i = 0; i < LENGTH(levels); i++) {
		tell(SMB_LEVEL, levels[i]);
		assert_int_equal(B(stat, at("file"), &attributes), 0);
		tell(SMB_LEVEL, levels[i]);
		assert_int_equal(B(fstat, handle), 0);
		tell(SMB_LEVEL, levels[i]);
		assert_int_equal(B(stat, at("absent"), &attributes), -ENOENT);
		assert_int_equal(B(stat, at("file"), &attributes), 0);
		assert_int_equal(attributes.size_bytes, 5);
	}
	closed(handle);
	for (i = 0x102; i <= 0x105; i++) {
		tell(SMB_LEVEL, i);
		assert_int_equal(B(statvfs), 0);
	}
}

static bool count_entry(void *context, const char *name, enum backend_entry entry)
{
	unsigned *found = context;

	*found += name[0] == 'f';
	return true;
}

static void a_recorded_listing_has_its_pattern(void **state)
{
	static const unsigned levels[] = {0x101, 0x102, 0x103, 0x104, 0x105,
					  0x106, 260,   1003,  1,     1255};
	static const struct {
		const char *pattern;
		unsigned found;
	} rows[] = {
		{"*", 3},     {"f?", 2}, {"f2", 1},
		{"<.JNK", 1}, {"g*", 0}, {"f2\xff", 3}, /* cannot be sent */
	};
	struct smb_request request = {0};
	size_t i, j;

	NEEDS(recorded);
	make_file("f1");
	make_file("f2");
	make_file("file.jnk");
	for (i = 0; i < LENGTH(levels); i++) {
		smb_request_set(&request, SMB_LEVEL, levels[i]);
		for (j = 0; j < LENGTH(rows); j++) {
			unsigned found = 0;

			B(recorded, &request, rows[j].pattern);
			assert_int_equal(B(list, at(""), count_entry, &found), 0);
			assert_int_equal(found, rows[j].found);
		}
	}
}

/* Use a path from path_make and the same path as plain text in turn. */
static void made_and_plain_paths_are_the_same(void **state)
{
	struct backend_attributes attributes;
	struct backend_path plain, made;
	char text[256];
	int round;

	NEEDS(path_make);
	snprintf(text, sizeof(text), "%s/d/file", place.inside);
	for (round = 0; round < 3; round++) {
		plain = made = (struct backend_path){.text = text};
		assert_int_equal(B(path_make, &made), 0);
		assert_int_equal(B(stat, &made, &attributes), -ENOENT);
		assert_int_equal(B(stat, &plain, &attributes), -ENOENT);
		assert_int_equal(B(mkdir, at("d")), 0);
		closed(B(open, round % 2 == 0 ? &made : &plain,
			 OPEN_READ | OPEN_WRITE | OPEN_CREATE));
		assert_int_equal(B(stat, &plain, &attributes), 0);
		assert_int_equal(B(stat, &made, &attributes), 0);
		assert_int_equal(B(unlink, round % 2 == 0 ? &plain : &made), 0);
		assert_int_equal(B(stat, &plain, &attributes), -ENOENT);
		assert_int_equal(B(stat, &made, &attributes), -ENOENT);
		assert_int_equal(B(rmdir, at("d")), 0);
	}
}

static void probe_finds_the_facts(void **state)
{
	struct backend_facts facts = {.kind = ""};
	struct error error = {0};

	assert_int_equal(place.backend->probe(&place.target, &facts, &error), 0);
	assert_false(error.set);
	assert_string_not_equal(facts.kind, "");
	assert_true(facts.free_bytes > 0);
	assert_string_not_equal(place.backend->library_version(), "");
}

/* Expect that the URL of the place, with `name` after its path, is refused. */
static void probe_refuses(const char *name, int expected)
{
	struct backend_facts facts = {.kind = ""};
	struct backend_session *session = NULL;
	struct error error = {0};
	struct target target;
	char url[PATH_MAX];

	put_url(url, sizeof(url), place.target.url, name);
	assert_int_equal(find_target(url, &target, &error), 0);
	assert_int_equal(target.backend->probe(&target, &facts, &error), expected);
	assert_true(error.set);
	assert_non_null(strstr(error.text, name));
	assert_non_null(strstr(error.text, strerror(-expected)));
	assert_int_equal(target.backend->session_open(&target, 0, &session), expected);
	target_free(&target);
}

static void a_target_without_a_directory_is_refused(void **state)
{
	FILE *file;
	char path[PATH_MAX];

	probe_refuses("absent", -ENOENT);
	snprintf(path, sizeof(path), "%s/no-directory", place.root);
	file = fopen(path, "w");
	assert_non_null(file);
	fclose(file);
	probe_refuses("no-directory", -ENOTDIR);
}

static int remove_entry(const char *path, const struct stat *attributes, int type,
			struct FTW *at_level)
{
	return type == FTW_DP ? rmdir(path) : unlink(path);
}

/* Check if this run tests servers. If so, it skips the subject "a path",
 * because another run tests that. */
static bool is_for_servers(void)
{
	size_t i;

	for (i = 0; i < LENGTH(subjects); i++)
		if (subjects[i].url != NULL && getenv(subjects[i].url) != NULL)
			return true;
	return false;
}

/* Return the directory that holds targets, or NULL to skip the subject. */
static const char *directory_of(const struct subject *subject)
{
	const char *tmp = getenv("TMPDIR");

	if (subject->directory == NULL)
		return is_for_servers() ? NULL : tmp != NULL ? tmp : "/tmp";
	return getenv(subject->url) != NULL ? getenv(subject->directory) : NULL;
}

/* Make the directory `place.inside` below `top`, and write its path. */
static int make_inside(char path[PATH_MAX / 2], const char *top)
{
	snprintf(path, PATH_MAX / 2, "%s/clients", top);
	if (strncmp(place.inside, "clients", 7) == 0 && mkdir(path, 0777) < 0)
		return -1;
	snprintf(path, PATH_MAX / 2, "%s/%s", top, place.inside);
	return mkdir(path, 0777);
}

static int make_directories(void)
{
	place.entered = "";
	strcpy(place.top, place.root);
	if (!place.enters)
		return make_inside(place.base, place.top);
	place.entered = place.backend->not_in_names == NULL ? "a b%20c#d?e&f=g" : "a b%20c#d&e=f";
	snprintf(place.top, sizeof(place.top), "%s/%s", place.root, place.entered);
	if (mkdir(place.top, 0777) < 0 || make_inside(place.base, place.top) < 0)
		return -1;
	return make_inside(place.decoy, place.root);
}

/* Return the local path of a name directly below the target. The path is valid
 * until the next call. */
static const char *below_target(const char *name)
{
	static char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", place.root, name);
	return path;
}

/* Open the session that the tests use. */
static int open_own_session(void)
{
	struct backend_session *session;
	int rc = open_session(&session);

	place.session = session;
	place.first = NULL;
	if (rc < 0 || !place.enters || !place.backend->takes_turns)
		return rc;
	place.first = session;
	place.fibers = fibers_open(1);
	if (place.fibers == NULL)
		return -ENOMEM;
	return place.backend->session_share(session, place.fibers, &place.session);
}

/* Make the target of the place and its directory, and open a session. */
static int enter(void **state)
{
	const struct subject *subject = place.subject;
	struct error error = {0};
	char url[PATH_MAX];

	snprintf(place.root, sizeof(place.root), "%s/throng-test.XXXXXX", directory_of(subject));
	if (mkdtemp(place.root) == NULL)
		return -1;
	if (subject->url != NULL)
		put_url(url, sizeof(url), getenv(subject->url), strrchr(place.root, '/') + 1);
	else
		snprintf(url, sizeof(url), "%s", place.root);
	if (find_target(url, &place.target, &error) < 0)
		return -1;
	place.backend = place.target.backend;
	return make_directories() < 0 ? -1 : open_own_session();
}

static int leave(void **state)
{
	place.backend->session_close(place.session);
	if (place.first != NULL) {
		fibers_close(place.fibers);
		place.backend->session_close(place.first);
	}
	target_free(&place.target);
	return nftw(place.root, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

/* Check if the tests in the current `place` share a session. */
static bool is_session_shared(void)
{
	return is_brief() || !place.made;
}

/* Let a test use the session of the one before it, in a new directory, which no
 * client or server can have cached. */
static int enter_another_directory(void)
{
	static char inside[32];
	static unsigned number;

	snprintf(inside, sizeof(inside), "%s%u",
		 strncmp(place.inside, "clients", 7) == 0 ? "clients/client" : "shared", ++number);
	place.inside = inside;
	snprintf(place.base, sizeof(place.base), "%s/%s", place.top, inside);
	return mkdir(place.base, 0777);
}

static int enter_test(void **state)
{
	return is_session_shared() ? enter_another_directory() : enter(state);
}

static int leave_test(void **state)
{
	if (place.enters && count_entries(place.decoy) != 0) {
		print_error("\"%s\" has changed\n", place.decoy);
		return -1;
	}
	if (!is_session_shared())
		return leave(state);
	/* Remove what some tests make beside their directory. */
	nftw(local("../outside"), remove_entry, 16, FTW_DEPTH | FTW_PHYS);
	return 0;
}

/* Get the target's capabilities, in a separate directory. */
static int find_capabilities(void)
{
	struct backend_facts facts = {.kind = ""};
	struct error error = {0};
	char text[1024];
	int rc = enter(NULL);

	if (rc < 0)
		return rc;
	rc = place.backend->probe(&place.target, &facts, &error);
	if (rc < 0)
		print_error("%s\n", error_print(&error, text, sizeof(text)));
	leave(NULL);
	place.capabilities = facts.capabilities;
	place.droppable = facts.droppable;
	return rc;
}

/* Open a session at the target itself. */
static struct backend_session *opened_at_target(void)
{
	struct backend_session *session;

	assert_int_equal(place.backend->session_open(&place.target, 0, &session), 0);
	return session;
}

static bool is_not_entered(struct backend_session *session, const char *name)
{
	int rc = place.backend->enter(session, name);

	return rc == -ENOTDIR || rc == -ELOOP;
}

/* A link is refused where the protocol has links. */
static void only_a_directory_is_entered(void **state)
{
	struct backend_session *session = opened_at_target();
	const struct backend_path file = {.text = "a-file"}, below = {.text = "below"};
	struct backend_attributes attributes;

	assert_int_equal(mkdir(below_target("a-directory"), 0777), 0);
	assert_int_equal(mkdir(below_target("a-directory/below"), 0777), 0);
	assert_int_equal(close(creat(below_target("a-file"), 0666)), 0);
	assert_int_equal(symlink("a-directory", below_target("a-link")), 0);
	assert_int_equal(symlink("nothing", below_target("a-broken-link")), 0);
	assert_int_equal(place.backend->enter(session, "absent"), -ENOENT);
	assert_true(is_not_entered(session, "a-file"));
	if (place.backend->symlink != NULL) {
		assert_true(is_not_entered(session, "a-link"));
		assert_true(is_not_entered(session, "a-broken-link"));
	}
	/* All this has changed nothing. */
	assert_int_equal(place.backend->stat(session, &file, &attributes), 0);
	assert_int_equal(place.backend->stat(session, &below, &attributes), -ENOENT);
	assert_int_equal(place.backend->enter(session, "a-directory"), 0);
	assert_int_equal(place.backend->stat(session, &file, &attributes), -ENOENT);
	assert_int_equal(place.backend->stat(session, &below, &attributes), 0);
	place.backend->session_close(session);
}

/* The name of the directory is as long as allowed, with characters that have a
 * meaning in URLs or are not ASCII. */
static void any_name_is_entered(void **state)
{
	static const char odd[] = "%41 %2e#\xc3\xa9\xe2\x82\xac+;";
	struct backend_session *session = opened_at_target();
	const struct backend_path path = {.text = "file"};
	char name[NAME_MAX + 1], file[NAME_MAX + 6];
	int64_t handle;

	memset(name, 'x', NAME_MAX);
	name[NAME_MAX] = '\0';
	memcpy(name, odd, sizeof(odd) - 1);
	assert_int_equal(mkdir(below_target(name), 0777), 0);
	assert_int_equal(place.backend->enter(session, name), 0);
	handle = place.backend->open(session, &path, OPEN_WRITE | OPEN_CREATE);
	assert_true(handle >= 0);
	assert_int_equal(place.backend->close(session, handle), 0);
	snprintf(file, sizeof(file), "%s/file", name);
	assert_int_equal(access(below_target(file), F_OK), 0);
	place.backend->session_close(session);
}

/* Make all directories in a path, or remove them, the deepest first. */
static void change_directories(const char *path, bool make)
{
	char text[PATH_MAX];
	const struct backend_path directory = {.text = text};
	size_t length = strlen(path), i;

	for (i = 1; i < length; i++) {
		size_t end = make ? i : length - i;

		if (path[end] != '/')
			continue;
		memcpy(text, path, end);
		text[end] = '\0';
		if (make)
			assert_int_equal(B(mkdir, &directory), 0);
		else
			assert_int_equal(B(rmdir, &directory), 0);
	}
}

/* Use a path of as many bytes as a load may have, below a directory with a name
 * as long as that of a run. On SMB, the target's directory counts, too. */
static void paths_can_be_as_long_as_allowed(void **state)
{
	enum { LENGTH_MAX = PROGRAM_PATH_MAX - 1, EVERY = 200 };
	struct backend_session *own = place.session;
	char text[LENGTH_MAX + 1], other[LENGTH_MAX + 1];
	const struct backend_path file = {.text = text}, renamed = {.text = other};
	struct backend_attributes attributes;
	struct listing listing = {.max = UINT_MAX};
	size_t length = LENGTH_MAX - (is_smb() ? strlen(strrchr(place.root, '/')) : 0), i;
	int64_t handle;

	if (is_brief() || (place.capabilities & CAP_DEEP_PATHS) == 0)
		skip();
	for (i = 0; i < length; i++)
		text[i] = i % EVERY == EVERY - 1 ? '/' : 'd';
	text[length] = '\0';
	strcpy(other, text);
	other[length - 1] = 'o';
	assert_int_equal(mkdir(below_target("throng-7f3a9c2e"), 0777), 0);
	place.session = opened_at_target();
	assert_int_equal(B(enter, "throng-7f3a9c2e"), 0);
	change_directories(text, true);
	handle = B(open, &file, OPEN_READ | OPEN_WRITE | OPEN_CREATE);
	assert_true(handle >= 0);
	closed(handle);
	assert_int_equal(B(rename, &file, &renamed, true), 0);
	assert_int_equal(B(stat, &renamed, &attributes), 0);
	assert_int_equal(B(unlink, &renamed), 0);
	assert_int_equal(B(stat, &file, &attributes), -ENOENT);
	change_directories(text, false);
	assert_int_equal(B(list, &(struct backend_path){.text = ""}, visit, &listing), 0);
	assert_int_equal(listing.files + listing.directories + listing.unknown, 0);
	place.backend->session_close(place.session);
	place.session = own;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, enter_test, leave_test)

static const struct CMUnitTest tests[] = {
	TEST(open_does_what_its_flags_say),
	TEST(flags_can_be_combined),
	TEST(a_path_through_a_file_is_not_found),
	TEST(handles_are_independent),
	TEST(a_handle_outlives_its_name),
	TEST(read_is_short_only_at_the_end),
	TEST(write_goes_to_its_offset),
	TEST(holes_read_as_zeros),
	TEST(large_reads_and_writes_are_whole),
	TEST(append_writes_at_the_end),
	TEST(a_handle_for_reading_does_not_write),
	TEST(handles_have_fsync_and_fstat),
	TEST(set_times_goes_back_some_seconds),
	TEST(set_times_needs_no_path),
	TEST(a_range_is_locked_by_one_at_a_time),
	TEST(a_lock_can_be_tried),
	TEST(several_locks_are_unlocked_at_once),
	TEST(a_file_is_held_by_its_owner_alone),
	TEST(a_removed_file_is_not_held),
	TEST(truncate_sets_the_size),
	TEST(allocate_takes_and_returns_space),
	TEST(copy_moves_bytes_between_files),
	TEST(a_copy_of_nothing_leaves_the_end),
	TEST(large_copies_are_whole),
	TEST(clone_shares_blocks),
	TEST(handles_tell_their_files),
	TEST(directories_are_told_apart),
	TEST(data_can_be_flushed_alone),
	TEST(swap_exchanges_two_names),
	TEST(swap_exchanges_directories),
	TEST(access_checks_rights),
	TEST(chmod_changes_permissions),
	TEST(chmod_can_make_a_file_read_only),
	TEST(a_read_only_file_can_be_removed),
	TEST(chown_changes_owner_and_group),
	TEST(set_path_times_goes_back_some_seconds),
	TEST(attributes_are_kept_by_name),
	TEST(attributes_of_a_link_are_its_own),
	TEST(direct_io_moves_aligned_blocks),
	TEST(noatime_keeps_the_access_time),
	TEST(stat_returns_size_and_kind),
	TEST(unlink_removes_only_files),
	TEST(directories_are_made_and_removed),
	TEST(rename_replaces_if_allowed),
	TEST(a_hard_link_is_a_second_name),
	TEST(rename_moves_directories),
	TEST(names_are_not_changed),
	TEST(list_shows_every_entry),
	TEST(list_shows_many_once_each),
	TEST(list_ends_when_visit_returns_false),
	TEST(a_link_is_never_opened),
	TEST(a_link_in_a_path_is_not_followed),
	TEST(a_link_itself_is_moved_and_removed),
	TEST(drop_cache_drops_files_and_directories),
	TEST(a_link_in_place_of_a_directory_is_not_followed),
	TEST(a_recreated_directory_is_the_new_one),
	TEST(a_renamed_directory_frees_its_name),
	TEST(a_shared_directory_is_looked_up_each_time),
	TEST(more_directories_than_are_kept_open),
	TEST(deep_paths_work),
	TEST(names_can_be_as_long_as_allowed),
	TEST(resolve_returns_as_stat_does),
	TEST(statvfs_and_sync_parent_work),
	TEST(delete_on_close_removes_the_file),
	TEST(a_recorded_open_has_its_disposition),
	TEST(a_recorded_open_has_its_rights),
	TEST(a_refused_option_creates_nothing),
	TEST(a_recorded_level_is_for_one_operation),
	TEST(a_recorded_listing_has_its_pattern),
	TEST(made_and_plain_paths_are_the_same),
	TEST(probe_finds_the_facts),
	TEST(a_target_without_a_directory_is_refused),
	TEST(only_a_directory_is_entered),
	TEST(any_name_is_entered),
	TEST(paths_can_be_as_long_as_allowed),
};

static int enter_null(void **state)
{
	struct error error = {0};

	if (target_parse("null:", &place.target, &error) < 0)
		return -1;
	place.backend = place.target.backend;
	return place.backend->session_open(&place.target, 0, &place.session);
}

static int leave_null(void **state)
{
	place.backend->session_close(place.session);
	target_free(&place.target);
	return 0;
}

static void null_reports_that_it_does_not_answer(void **state)
{
	struct backend_facts facts = {.kind = ""};
	struct error error = {0};

	assert_false(place.backend->answers);
	assert_int_equal(place.backend->probe(&place.target, &facts, &error), 0);
	assert_string_not_equal(facts.kind, "");
	assert_true(facts.free_bytes == UINT64_MAX);
	assert_true(facts.in_memory);
}

static void null_does_nothing(void **state)
{
	struct backend_path path = {.text = "a/b"}, other = {.text = "c"};
	struct backend_attributes attributes;
	struct listing listing = {.max = UINT_MAX};
	char byte = 'x';
	int64_t handle;

	if (place.backend->path_make != NULL)
		assert_int_equal(B(path_make, &path), 0);
	handle = B(open, &path, OPEN_READ | OPEN_WRITE | OPEN_CREATE);
	assert_true(handle >= 0);
	assert_int_equal(B(read, handle, &byte, 1, 0), 1);
	assert_int_equal(byte, 'x');
	assert_int_equal(B(write, handle, &byte, 1, 0), 1);
	assert_int_equal(B(fsync, handle), 0);
	assert_int_equal(B(lock, handle, 0, 1, 0), 0);
	assert_int_equal(B(unlock, handle, 0, 1), 0);
	assert_int_equal(B(lock_test, handle, 0, 1, 0), 0);
	assert_int_equal(B(fdatasync, handle), 0);
	assert_int_equal(B(truncate, handle, 1), 0);
	assert_int_equal(B(allocate, handle, 0, 1, 0), 0);
	assert_int_equal(B(sync_range, handle, 0, 1, 0), 0);
	assert_int_equal(B(copy, handle, 0, handle, 1, 1), 1);
	assert_int_equal(B(clone, handle, 0, handle, 1, 1), 0);
	assert_int_equal(B(fstat, handle), 0);
	assert_int_equal(B(set_times, handle), 0);
	assert_int_equal(B(close, handle), 0);
	assert_int_equal(B(swap, &path, &other), 0);
	assert_int_equal(B(access, &path, ACCESS_READ), 0);
	assert_int_equal(B(chmod, &path, 0644), 0);
	assert_int_equal(B(chown, &path, 0, 0), 0);
	assert_int_equal(B(set_path_times, &path), 0);
	assert_int_equal(B(xattr_set, &path, "user.a", &byte, 1), 0);
	assert_int_equal(B(xattr_get, &path, "user.a", &byte, 1), 1);
	assert_int_equal(B(xattr_list, &path, &byte, 1), 0);
	assert_int_equal(B(xattr_remove, &path, "user.a"), 0);
	assert_int_equal(B(stat, &path, &attributes), 0);
	assert_int_equal(B(mkdir, &path), 0);
	assert_int_equal(B(mkdir, &path), 0);
	assert_int_equal(B(rename, &path, &other, false), 0);
	assert_int_equal(B(unlink, &path), 0);
	assert_int_equal(B(rmdir, &path), 0);
	assert_int_equal(B(sync_parent, &path), 0);
	assert_int_equal(B(statvfs), 0);
	assert_int_equal(B(list, &path, visit, &listing), 0);
	/* Without files, there is nothing to enter. */
	assert_null(place.backend->enter);
}

static const struct CMUnitTest null_tests[] = {
	cmocka_unit_test_setup_teardown(null_reports_that_it_does_not_answer, enter_null,
					leave_null),
	cmocka_unit_test_setup_teardown(null_does_nothing, enter_null, leave_null),
};

/* Run all tests in the current `place`. */
static int test_place(void)
{
	bool shared = is_session_shared();
	char name[128];

	if (find_capabilities() < 0) {
		print_error("%s cannot be reached\n", place.subject->name);
		return 1;
	}
	snprintf(name, sizeof(name), "%s%s, in %s, %s paths", place.subject->name,
		 place.enters ? ", entered" : "", place.inside, place.made ? "made" : "plain");
	print_message("%s\n", name);
	return cmocka_run_group_tests_name(name, tests, shared ? enter : NULL,
					   shared ? leave : NULL);
}

static int test_subject(const struct subject *subject)
{
	static const char *const inside[] = {"clients/client0", "shared"};
	const bool brief = is_brief();
	int failed = 0, enters, made;
	size_t i;

	if (directory_of(subject) == NULL) {
		print_message("%s: skipped\n", subject->name);
		return 0;
	}
	for (enters = 0; enters < 2; enters++) {
		for (i = brief; i < LENGTH(inside); i++) {
			for (made = brief; made < 2; made++) {
				place = (struct place){
					.subject = subject,
					.inside = inside[i],
					.made = made != 0,
					.enters = enters != 0,
				};
				failed += test_place();
			}
		}
	}
	return failed;
}

int main(void)
{
	size_t i;
	int failed;

	failed = cmocka_run_group_tests_name("null:", null_tests, NULL, NULL);
	for (i = 0; i < LENGTH(subjects); i++)
		failed += test_subject(&subjects[i]);
	return failed > 0;
}
