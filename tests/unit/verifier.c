/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The verifier, in front of a target in memory, which can refuse a call after a
 * part of it was done.
 */
#include "unit.h"

#include "base/modes.h"
#include "verify/verifier.h"

#include <errno.h>

#define HOME "clients/client0/"

enum {
	FILES = 32,
	FILE_BYTES = 64 << 10,
	HANDLES = 32,
	NOT_REFUSED = INT32_MAX,
};

/* A target with a few files. A directory is there if a name is below it. */
static struct {
	struct file {
		char path[64]; /* "": removed */
		size_t size;
		char bytes[FILE_BYTES];
	} files[FILES];
	size_t file_count;
	struct file *handles[HANDLES]; /* NULL: closed */
	int64_t handle_count;
	/* The next call that can do so changes this many bytes, and is then
	 * refused. */
	size_t refused_after;
	size_t changed; /* by the last call */
} target;

static struct verify verify;
static const struct backend *verifier;
static unsigned differences;

static struct file *find(const char *path)
{
	size_t i;

	for (i = 0; i < target.file_count; i++)
		if (strcmp(target.files[i].path, path) == 0)
			return &target.files[i];
	return NULL;
}

static struct file *create(const char *path)
{
	struct file *file = &target.files[target.file_count++];

	assert_true(target.file_count <= FILES);
	strcpy(file->path, path);
	return file;
}

/* Take the number of bytes that a call may change, at most `size`. */
static size_t take_part(size_t size)
{
	size_t part = target.refused_after < size ? target.refused_after
						  : size;

	target.changed = target.refused_after < NOT_REFUSED ? part : 0;
	return part;
}

/* Return the outcome of a call: `rc`, if it was not to be refused. */
static int64_t outcome(int64_t rc)
{
	if (target.refused_after == NOT_REFUSED)
		return rc;
	target.refused_after = NOT_REFUSED;
	return -EAGAIN;
}

static uint64_t changed_bytes(const struct backend_session *session)
{
	(void)session;
	return target.changed;
}

static int64_t open_file(struct backend_session *session,
			 const struct backend_path *path, uint64_t flags)
{
	struct file *file = find(path->text);

	(void)session;
	if (file == NULL && (flags & OPEN_CREATE) == 0)
		return -ENOENT;
	if (file != NULL && (flags & OPEN_EXCLUSIVE) != 0)
		return -EEXIST;
	if (file == NULL)
		file = create(path->text);
	if ((flags & OPEN_TRUNCATE) != 0 && take_part(1) > 0)
		file->size = 0;
	assert_true(target.handle_count < HANDLES);
	target.handles[target.handle_count] = file;
	return outcome(target.handle_count++);
}

static int close_file(struct backend_session *session, int64_t handle)
{
	(void)session;
	target.handles[handle] = NULL;
	return 0;
}

static int64_t read_file(struct backend_session *session, int64_t handle,
			 void *buffer, size_t size, uint64_t offset)
{
	const struct file *file = target.handles[handle];
	size_t left = file->size > offset ? file->size - offset : 0;

	(void)session;
	if (left > size)
		left = size;
	memcpy(buffer, file->bytes + offset, left);
	return (int64_t)left;
}

/* Put bytes into a file, or zeros. */
static void put(struct file *file, const char *data, size_t size,
		uint64_t offset)
{
	assert_true(offset + size <= FILE_BYTES);
	if (offset > file->size)
		memset(file->bytes + file->size, 0, offset - file->size);
	if (data != NULL)
		memcpy(file->bytes + offset, data, size);
	else
		memset(file->bytes + offset, 0, size);
	if (size > 0 && offset + size > file->size)
		file->size = offset + size;
}

static int64_t write_file(struct backend_session *session, int64_t handle,
			  const void *data, size_t size, uint64_t offset)
{
	(void)session;
	put(target.handles[handle], data, take_part(size), offset);
	return outcome((int64_t)size);
}

static int allocate(struct backend_session *session, int64_t handle,
		    uint64_t offset, uint64_t length, unsigned mode)
{
	(void)session;
	assert_int_equal(mode, ALLOCATE_ZERO);
	put(target.handles[handle], NULL, take_part(length), offset);
	return (int)outcome(0);
}

static int64_t copy(struct backend_session *session, int64_t from,
		    uint64_t from_offset, int64_t to, uint64_t to_offset,
		    uint64_t bytes)
{
	(void)session;
	put(target.handles[to], target.handles[from]->bytes + from_offset,
	    take_part(bytes), to_offset);
	return outcome((int64_t)bytes);
}

static int remove_file(struct backend_session *session,
		       const struct backend_path *path)
{
	struct file *file = find(path->text);

	(void)session;
	if (file == NULL)
		return -ENOENT;
	file->path[0] = '\0';
	return 0;
}

/* Rename a file, or all below a directory, to `to`. */
static void move(const char *from, const char *to)
{
	size_t length = strlen(from), i;

	for (i = 0; i < target.file_count; i++) {
		struct file *file = &target.files[i];
		char path[sizeof(file->path)];

		if (strncmp(file->path, from, length) != 0 ||
		    (file->path[length] != '\0' && file->path[length] != '/'))
			continue;
		snprintf(path, sizeof(path), "%s%s", to, file->path + length);
		strcpy(file->path, path);
	}
}

static int rename_file(struct backend_session *session,
		       const struct backend_path *from,
		       const struct backend_path *to, bool replace)
{
	assert_true(replace);
	if (target.refused_after == NOT_REFUSED || take_part(1) > 0)
		remove_file(session, to);
	if (target.refused_after == NOT_REFUSED)
		move(from->text, to->text);
	return (int)outcome(0);
}

static const struct backend backend = {
	.answers = true,
	.open = open_file,
	.close = close_file,
	.read = read_file,
	.write = write_file,
	.changed_bytes = changed_bytes,
	.allocate = allocate,
	.copy = copy,
	.unlink = remove_file,
	.rename = rename_file,
};

static void count(void *context, uint32_t number)
{
	(void)context;
	differences = number;
}

static int begin(void **state)
{
	const struct verify_size size = {
		.users = 1,
		.footprint_bytes = FILE_BYTES,
		.io_bytes_max = FILE_BYTES,
	};

	(void)state;
	memset(&target, 0, sizeof(target));
	target.refused_after = NOT_REFUSED;
	differences = 0;
	if (verify_open(&verify, &size) < 0)
		return -1;
	verifier = verifier_start(&verify, 0, &backend, count, NULL);
	return verifier == NULL ? -1 : 0;
}

static int end(void **state)
{
	int64_t handle;

	(void)state;
	for (handle = 0; handle < target.handle_count; handle++)
		if (target.handles[handle] != NULL)
			verifier->close(NULL, handle);
	verify_close(&verify);
	return 0;
}

static int64_t open_at(const char *path, uint64_t flags)
{
	const struct backend_path at = {.text = path};

	return verifier->open(NULL, &at, flags | OPEN_READ | OPEN_WRITE);
}

static int64_t rename_to(const char *from, const char *to)
{
	const struct backend_path old = {.text = from}, new = {.text = to};

	return verifier->rename(NULL, &old, &new, true);
}

static int64_t write_to(int64_t handle, size_t size, uint64_t offset)
{
	static const char data[FILE_BYTES];

	return verifier->write(NULL, handle, data, size, offset);
}

/* Read the whole file, and expect that this finds `count` differences. Also expect
 * that `compared` bytes were compared. */
static void expect_read(int64_t handle, unsigned count, uint64_t compared)
{
	static char buffer[FILE_BYTES];
	unsigned before = differences;
	uint64_t bytes = verify.maps[0]->compared_bytes;

	verifier->read(NULL, handle, buffer, sizeof(buffer), 0);
	assert_int_equal(differences - before, count);
	assert_int_equal(verify.maps[0]->compared_bytes - bytes, compared);
}

/* Read back all files, and expect the same number of differences. */
static void expect_read_back(unsigned count)
{
	char path[DIFFERENCE_PATH];
	uint64_t steps = 0;
	unsigned before = differences;

	assert_int_equal(verifier_read_back(NULL, &steps, path), 0);
	assert_int_equal(differences - before, count);
}

/* Alter a byte of a file. */
static void alter(int64_t handle, size_t offset)
{
	target.handles[handle]->bytes[offset] ^= 1;
}

static void a_refused_write_may_have_done_a_part(void **state)
{
	int64_t handle = open_at(HOME "f", OPEN_CREATE);

	(void)state;
	assert_int_equal(write_to(handle, 8000, 0), 8000);
	target.refused_after = 3000;
	assert_int_equal(write_to(handle, 8000, 0), -EAGAIN);
	expect_read(handle, 0, 5000);
	expect_read_back(0);
	/* The rest is still known. */
	alter(handle, 3000);
	expect_read(handle, 1, 5000);
}

static void a_refused_write_may_have_moved_the_end(void **state)
{
	int64_t handle = open_at(HOME "f", OPEN_CREATE);

	(void)state;
	assert_int_equal(write_to(handle, 1000, 0), 1000);
	target.refused_after = 500;
	assert_int_equal(write_to(handle, 8000, 2000), -EAGAIN);
	expect_read(handle, 0, 2000);
	alter(handle, 1500);
	expect_read(handle, 1, 2000);
}

static void a_refused_write_that_did_nothing_changes_nothing(void **state)
{
	int64_t handle = open_at(HOME "f", OPEN_CREATE);

	(void)state;
	assert_int_equal(write_to(handle, 8000, 0), 8000);
	target.refused_after = 0;
	assert_int_equal(write_to(handle, 9000, 0), -EAGAIN);
	expect_read(handle, 0, 8000);
	alter(handle, 0);
	expect_read(handle, 1, 8000);
	alter(handle, 0);
	target.handles[handle]->size++;
	expect_read(handle, 1, 8000);
}

static void a_refused_copy_may_have_done_a_part(void **state)
{
	int64_t from = open_at(HOME "f", OPEN_CREATE);
	int64_t to = open_at(HOME "g", OPEN_CREATE);

	(void)state;
	write_to(from, 8000, 0);
	write_to(to, 8000, 0);
	target.refused_after = 3000;
	assert_int_equal(verifier->copy(NULL, from, 0, to, 100, 8000),
			 -EAGAIN);
	expect_read(to, 0, 5000);
	alter(to, 3100);
	expect_read(to, 1, 5000);
}

static void a_refused_allocation_may_have_put_zeros(void **state)
{
	int64_t handle = open_at(HOME "f", OPEN_CREATE);

	(void)state;
	write_to(handle, 8000, 0);
	target.refused_after = 3000;
	assert_int_equal(verifier->allocate(NULL, handle, 1000, 3000,
					    ALLOCATE_ZERO), -EAGAIN);
	expect_read(handle, 0, 5000);
	target.refused_after = 0;
	assert_int_equal(verifier->allocate(NULL, handle, 1000, 30000,
					    ALLOCATE_ZERO), -EAGAIN);
	expect_read(handle, 0, 5000);
	alter(handle, 4000);
	expect_read(handle, 1, 5000);
}

static void a_refused_open_may_have_truncated(void **state)
{
	int64_t handle = open_at(HOME "f", OPEN_CREATE);

	(void)state;
	write_to(handle, 8000, 0);
	target.refused_after = 0;
	assert_int_equal(open_at(HOME "f", OPEN_TRUNCATE), -EAGAIN);
	expect_read(handle, 0, 8000);
	target.refused_after = 1;
	assert_int_equal(open_at(HOME "f", OPEN_TRUNCATE), -EAGAIN);
	expect_read(handle, 0, 0);
}

static void a_refused_rename_may_have_removed_the_new_name(void **state)
{
	(void)state;
	write_to(open_at(HOME "f", OPEN_CREATE), 8000, 0);
	write_to(open_at(HOME "g", OPEN_CREATE), 8000, 0);
	target.refused_after = 1;
	assert_int_equal(rename_to(HOME "f", HOME "g"), -EAGAIN);
	expect_read_back(0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int unit_verifier(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(a_refused_write_may_have_done_a_part),
		TEST(a_refused_write_may_have_moved_the_end),
		TEST(a_refused_write_that_did_nothing_changes_nothing),
		TEST(a_refused_copy_may_have_done_a_part),
		TEST(a_refused_allocation_may_have_put_zeros),
		TEST(a_refused_open_may_have_truncated),
		TEST(a_refused_rename_may_have_removed_the_new_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
