/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The verifier, while operations of two lanes of a user overlap in time. The target
 * is in memory. While it plays an operation of one lane, before or after the effect,
 * it calls a function that plays operations of the other one.
 */
#include "unit.h"

#include "verify/verifier.h"
#include "words/operation.h"

#include <errno.h>

#define HOME "clients/client0/"

enum {
	FILES = 16,
	HANDLES = 16,
	FILE_BYTES = 64 << 10,
	KIB = 1 << 10,
};

static struct {
	struct file {
		char path[64]; /* "": removed */
		size_t size;
		char bytes[FILE_BYTES];
	} files[FILES];
	size_t file_count;
	struct file *handles[HANDLES]; /* NULL: closed */
	bool appends[HANDLES];
	int flushed; /* the result of a flush */
	/* Called once, by the next operation: before its effect, or after it. */
	void (*before)(void);
	void (*after)(void);
} target;

static struct verify verify;
static const struct backend *verifier;
static unsigned differences;

/* The sessions of the two lanes. */
static char lanes[2];
#define FIRST ((struct backend_session *)&lanes[0])
#define OTHER ((struct backend_session *)&lanes[1])

/* A file that both lanes use. */
static int64_t shared;

static void call(void (**meanwhile)(void))
{
	void (*function)(void) = *meanwhile;

	*meanwhile = NULL;
	if (function != NULL)
		function();
}

static struct file *find(const char *path)
{
	size_t i;

	for (i = 0; i < target.file_count; i++)
		if (strcmp(target.files[i].path, path) == 0)
			return &target.files[i];
	return NULL;
}

static int64_t open_file(struct backend_session *session, const struct backend_path *path,
			 uint64_t flags)
{
	struct file *file;
	int64_t handle = 0;

	call(&target.before);
	file = find(path->text);
	if (file == NULL && (flags & OPEN_CREATE) == 0)
		return -ENOENT;
	if (file == NULL) {
		file = &target.files[target.file_count++];
		assert_true(target.file_count <= FILES);
		strcpy(file->path, path->text);
	}
	while (target.handles[handle] != NULL)
		handle++;
	assert_true(handle < HANDLES);
	target.handles[handle] = file;
	target.appends[handle] = (flags & OPEN_APPEND) != 0;
	call(&target.after);
	return handle;
}

static int close_file(struct backend_session *session, int64_t handle)
{
	call(&target.before);
	target.handles[handle] = NULL;
	call(&target.after);
	return 0;
}

static int64_t read_file(struct backend_session *session, int64_t handle, void *buffer, size_t size,
			 uint64_t offset)
{
	const struct file *file = target.handles[handle];
	size_t left;

	call(&target.before);
	left = file->size > offset ? file->size - offset : 0;
	if (left > size)
		left = size;
	memcpy(buffer, file->bytes + offset, left);
	call(&target.after);
	return (int64_t)left;
}

static int64_t write_file(struct backend_session *session, int64_t handle, const void *data,
			  size_t size, uint64_t offset)
{
	struct file *file = target.handles[handle];

	call(&target.before);
	if (target.appends[handle])
		offset = file->size;
	assert_true(offset + size <= FILE_BYTES);
	if (offset > file->size)
		memset(file->bytes + file->size, 0, offset - file->size);
	memcpy(file->bytes + offset, data, size);
	if (offset + size > file->size)
		file->size = offset + size;
	call(&target.after);
	return (int64_t)size;
}

static int flush_file(struct backend_session *session, int64_t handle)
{
	return target.flushed;
}

static int truncate_file(struct backend_session *session, int64_t handle, uint64_t bytes)
{
	call(&target.before);
	target.handles[handle]->size = bytes;
	call(&target.after);
	return 0;
}

static int remove_file(struct backend_session *session, const struct backend_path *path)
{
	struct file *file = find(path->text);

	call(&target.before);
	if (file == NULL)
		return -ENOENT;
	file->path[0] = '\0';
	call(&target.after);
	return 0;
}

static int rename_file(struct backend_session *session, const struct backend_path *from,
		       const struct backend_path *to, bool replace)
{
	struct file *file = find(from->text), *replaced = find(to->text);

	call(&target.before);
	if (file == NULL)
		return -ENOENT;
	if (replaced != NULL)
		replaced->path[0] = '\0';
	strcpy(file->path, to->text);
	call(&target.after);
	return 0;
}

/* The NFS procedure READ. */
static int64_t read_name(struct backend_session *session, const struct backend_call *call)
{
	const size_t last = HANDLES - 1;

	assert_int_equal(call->procedure, PROCEDURE_NFS_READ);
	target.handles[last] = find(call->path->text);
	return read_file(session, (int64_t)last, call->buffer, call->size, call->offset);
}

static const struct backend backend = {
	.answers = true,
	.takes_turns = true,
	.open = open_file,
	.close = close_file,
	.read = read_file,
	.write = write_file,
	.fsync = flush_file,
	.truncate = truncate_file,
	.unlink = remove_file,
	.rename = rename_file,
	.procedure = read_name,
};

static void count(void *context, const struct verify *found, struct difference *difference)
{
	differences = verify_add(found, difference);
}

static int64_t open_at(struct backend_session *session, const char *path, uint64_t flags)
{
	const struct backend_path at = {.text = path};

	return verifier->open(session, &at, flags | OPEN_READ | OPEN_WRITE);
}

static void write_at(struct backend_session *session, int64_t handle, uint64_t from, uint64_t to)
{
	static const char data[FILE_BYTES];

	assert_int_equal(verifier->write(session, handle, data, to - from, from), to - from);
}

static int begin(void **state)
{
	const struct verify_size size = {
		.users = 1,
		.footprint_bytes = FILE_BYTES,
		.io_bytes_max = FILE_BYTES,
	};

	memset(&target, 0, sizeof(target));
	differences = 0;
	if (verify_open(&verify, &size) < 0)
		return -1;
	verifier = verifier_start(&verify, 0, &backend, count, NULL);
	if (verifier == NULL || verifier_share(OTHER, NULL) < 0)
		return -1;
	shared = open_at(FIRST, HOME "shared", OPEN_CREATE);
	return 0;
}

static int end(void **state)
{
	int64_t handle;

	for (handle = 0; handle < HANDLES; handle++)
		if (target.handles[handle] != NULL)
			verifier->close(FIRST, handle);
	verify_close(&verify);
	return 0;
}

/* Read a file from its beginning. Expect that this many bytes are compared, without a
 * difference. */
static void expect_compared(struct backend_session *session, int64_t handle, uint64_t bytes)
{
	static char buffers[2][FILE_BYTES];
	uint64_t before = verify.maps[0]->compared_bytes;

	verifier->read(session, handle, buffers[session == OTHER], FILE_BYTES, 0);
	assert_int_equal(differences, 0);
	assert_int_equal(verify.maps[0]->compared_bytes - before, bytes);
}

/* Let the target lie once about the last byte of a file, and expect that the next read
 * finds it. */
static void expect_lie_found(int64_t handle)
{
	static char buffer[FILE_BYTES];
	struct file *file = target.handles[handle];

	file->bytes[file->size - 1] ^= 1;
	verifier->read(OTHER, handle, buffer, FILE_BYTES, 0);
	assert_int_equal(differences, 1);
	file->bytes[file->size - 1] ^= 1;
	differences = 0;
}

static void read_the_end(void)
{
	expect_compared(OTHER, shared, 12 * KIB);
}

static void a_read_compares_all_but_what_is_being_written(void **state)
{
	write_at(FIRST, shared, 0, 16 * KIB);
	target.before = read_the_end;
	write_at(FIRST, shared, 0, 4 * KIB);
	target.after = read_the_end;
	write_at(FIRST, shared, 0, 4 * KIB);
	expect_compared(FIRST, shared, 16 * KIB);
	expect_lie_found(shared);
}

static void write_the_beginning(void)
{
	write_at(OTHER, shared, 0, 4 * KIB);
}

static void a_read_does_not_compare_what_was_written_meanwhile(void **state)
{
	write_at(FIRST, shared, 0, 16 * KIB);
	target.before = write_the_beginning;
	expect_compared(FIRST, shared, 12 * KIB);
	target.after = write_the_beginning;
	expect_compared(FIRST, shared, 12 * KIB);
	expect_compared(FIRST, shared, 16 * KIB);
}

static void bytes_of_two_writes_at_a_time_are_unknown(void **state)
{
	write_at(FIRST, shared, 0, 16 * KIB);
	target.before = write_the_beginning;
	write_at(FIRST, shared, 2 * KIB, 8 * KIB);
	expect_compared(FIRST, shared, 14 * KIB);
	expect_lie_found(shared);
	target.after = write_the_beginning;
	write_at(FIRST, shared, 0, 8 * KIB);
	expect_compared(FIRST, shared, 12 * KIB);
	/* The next write is alone. */
	write_at(OTHER, shared, 0, 4 * KIB);
	expect_compared(FIRST, shared, 16 * KIB);
}

/* The one that ends first puts zeros where the other one writes. */
static void writes_of_different_bytes_are_known(void **state)
{
	target.before = write_the_beginning;
	write_at(FIRST, shared, 8 * KIB, 12 * KIB);
	expect_compared(FIRST, shared, 12 * KIB);
	target.after = write_the_beginning;
	write_at(FIRST, shared, 4 * KIB, 8 * KIB);
	expect_compared(FIRST, shared, 12 * KIB);
	expect_lie_found(shared);
}

/* Writes of consecutive bytes share a number, but no two writes of the same bytes do. */
static void a_lost_write_is_found_although_writes_follow_each_other(void **state)
{
	char old[4 * KIB];

	write_at(FIRST, shared, 0, 4 * KIB);
	target.before = write_the_beginning;
	write_at(FIRST, shared, 4 * KIB, 8 * KIB);
	write_at(FIRST, shared, 4 * KIB, 8 * KIB);
	expect_compared(FIRST, shared, 8 * KIB);
	memcpy(old, target.handles[shared]->bytes + 4 * KIB, sizeof(old));
	write_at(FIRST, shared, 4 * KIB, 8 * KIB);
	assert_memory_not_equal(old, target.handles[shared]->bytes + 4 * KIB, sizeof(old));
}

static void write_after_the_end(void)
{
	write_at(OTHER, shared, 8 * KIB, 12 * KIB);
}

static void read_the_beginning(void)
{
	expect_compared(OTHER, shared, 4 * KIB);
}

static void the_end_of_a_file_that_grows_is_not_compared(void **state)
{
	write_at(FIRST, shared, 0, 4 * KIB);
	target.before = write_after_the_end;
	expect_compared(FIRST, shared, 4 * KIB);
	expect_compared(FIRST, shared, 12 * KIB);
	verifier->truncate(FIRST, shared, 4 * KIB);
	target.after = write_after_the_end;
	expect_compared(FIRST, shared, 4 * KIB);
	expect_compared(FIRST, shared, 12 * KIB);
	verifier->truncate(FIRST, shared, 4 * KIB);
	target.after = read_the_beginning;
	write_at(FIRST, shared, 8 * KIB, 12 * KIB);
	expect_compared(FIRST, shared, 12 * KIB);
}

static void truncate_all(void)
{
	assert_int_equal(verifier->truncate(OTHER, shared, 0), 0);
}

static void a_file_that_is_cut_and_written_at_a_time_is_unknown(void **state)
{
	int64_t own = open_at(FIRST, HOME "own", OPEN_CREATE);

	write_at(FIRST, shared, 0, 4 * KIB);
	target.before = truncate_all;
	expect_compared(FIRST, shared, 0);
	write_at(FIRST, shared, 0, 4 * KIB);
	expect_compared(FIRST, shared, 4 * KIB);
	target.after = truncate_all;
	write_at(FIRST, shared, 4 * KIB, 8 * KIB);
	write_at(FIRST, shared, 0, 4 * KIB);
	expect_compared(FIRST, shared, 0);
	write_at(FIRST, own, 0, 4 * KIB);
	expect_compared(FIRST, own, 4 * KIB);
}

static int64_t appends[2];

static void append(void)
{
	write_at(OTHER, appends[1], 0, 1 * KIB);
}

static void two_appends_at_a_time_leave_a_file_unknown(void **state)
{
	appends[0] = open_at(FIRST, HOME "shared", OPEN_APPEND);
	appends[1] = open_at(OTHER, HOME "shared", OPEN_APPEND);
	write_at(FIRST, appends[0], 0, 2 * KIB);
	append();
	expect_compared(FIRST, shared, 3 * KIB);
	target.before = append;
	write_at(FIRST, appends[0], 0, 2 * KIB);
	expect_compared(FIRST, shared, 0);
}

static void fail_to_flush(void)
{
	target.flushed = -EIO;
	assert_int_equal(verifier->fsync(OTHER, shared), -EIO);
}

static void a_failed_flush_dooms_a_write_in_flight(void **state)
{
	target.after = fail_to_flush;
	write_at(FIRST, shared, 0, 4 * KIB);
	expect_compared(FIRST, shared, 0);
}

static void open_another(void)
{
	int64_t handle = open_at(OTHER, HOME "another", OPEN_CREATE);

	assert_int_equal(handle, shared);
	write_at(OTHER, handle, 0, 4 * KIB);
}

static void a_handle_is_of_another_file_once_it_is_closed(void **state)
{
	target.after = open_another;
	assert_int_equal(verifier->close(FIRST, shared), 0);
	expect_compared(FIRST, shared, 4 * KIB);
	expect_lie_found(shared);
}

static void remove_shared(void)
{
	const struct backend_path path = {.text = HOME "shared"};
	int64_t handle;

	verifier->close(OTHER, shared);
	assert_int_equal(verifier->unlink(OTHER, &path), 0);
	handle = open_at(OTHER, HOME "new", OPEN_CREATE);
	write_at(OTHER, handle, 0, 8 * KIB);
}

static void a_file_outlasts_an_operation_in_flight(void **state)
{
	target.after = remove_shared;
	write_at(FIRST, shared, 0, 4 * KIB);
	expect_compared(FIRST, shared, 8 * KIB);
	write_at(FIRST, open_at(FIRST, HOME "newer", OPEN_CREATE), 0, 4 * KIB);
	expect_compared(FIRST, shared, 8 * KIB);
}

static void remove_name(void)
{
	const struct backend_path path = {.text = HOME "name"};

	verifier->unlink(OTHER, &path);
}

static void rename_to_name(void)
{
	const struct backend_path from = {.text = HOME "d/other"}, to = {.text = HOME "name"};

	assert_int_equal(verifier->rename(OTHER, &from, &to, true), 0);
}

static void rename_another(void)
{
	const struct backend_path from = {.text = HOME "d/other"}, to = {.text = HOME "moved"};

	assert_int_equal(verifier->rename(OTHER, &from, &to, true), 0);
}

/* Open the name while `meanwhile` happens. Expect that this many bytes of what is
 * written to it are compared, also through another handle. */
static void expect_name_after(void (*before)(void), void (*after)(void), uint64_t compared)
{
	int64_t handle, other = open_at(FIRST, HOME "d/other", OPEN_CREATE);

	write_at(FIRST, other, 0, 2 * KIB);
	target.before = before;
	target.after = after;
	handle = open_at(FIRST, HOME "name", OPEN_CREATE);
	write_at(FIRST, handle, 0, 4 * KIB);
	expect_compared(FIRST, handle, compared);
	expect_compared(FIRST, other, compared == 0 && find(HOME "d/other") == NULL ? 0 : 2 * KIB);
	handle = open_at(FIRST, HOME "name", OPEN_CREATE);
	expect_compared(FIRST, handle, compared);
	verifier->close(FIRST, handle);
}

static void an_open_that_meets_a_removal_is_unknown(void **state)
{
	expect_name_after(NULL, NULL, 4 * KIB);
	expect_name_after(remove_name, NULL, 0);
}

static void an_open_that_is_met_by_a_removal_is_unknown(void **state)
{
	expect_name_after(NULL, remove_name, 0);
}

static void an_open_that_meets_a_rename_is_unknown(void **state)
{
	expect_name_after(rename_to_name, NULL, 0);
}

static void an_open_that_is_met_by_a_rename_is_unknown(void **state)
{
	expect_name_after(NULL, rename_to_name, 0);
}

static void call_name(void)
{
	static char buffer[FILE_BYTES];
	const struct backend_path path = {.text = HOME "name"};
	const struct backend_call read = {
		.procedure = PROCEDURE_NFS_READ,
		.path = &path,
		.buffer = buffer,
		.size = FILE_BYTES,
	};

	assert_int_equal(verifier->procedure(OTHER, &read), 2 * KIB);
	assert_int_equal(differences, 0);
}

static void a_read_by_a_name_in_doubt_is_not_compared(void **state)
{
	const struct backend_path from = {.text = HOME "other"}, to = {.text = HOME "name"};

	write_at(FIRST, open_at(FIRST, to.text, OPEN_CREATE), 0, 4 * KIB);
	write_at(FIRST, open_at(FIRST, from.text, OPEN_CREATE), 0, 2 * KIB);
	target.after = call_name;
	assert_int_equal(verifier->rename(FIRST, &from, &to, true), 0);
}

static int64_t opened;

static void open_name(void)
{
	opened = open_at(OTHER, HOME "name", 0);
}

static void an_open_that_meets_a_removal_in_flight_is_unknown(void **state)
{
	const struct backend_path path = {.text = HOME "name"};

	write_at(FIRST, open_at(FIRST, path.text, OPEN_CREATE), 0, 4 * KIB);
	open_name();
	expect_compared(FIRST, opened, 4 * KIB);
	target.before = open_name;
	assert_int_equal(verifier->unlink(FIRST, &path), 0);
	expect_compared(FIRST, opened, 0);
}

static void an_open_that_meets_another_name_is_known(void **state)
{
	expect_name_after(rename_another, NULL, 4 * KIB);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int unit_overlap(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(a_read_compares_all_but_what_is_being_written),
		TEST(a_read_does_not_compare_what_was_written_meanwhile),
		TEST(bytes_of_two_writes_at_a_time_are_unknown),
		TEST(writes_of_different_bytes_are_known),
		TEST(a_lost_write_is_found_although_writes_follow_each_other),
		TEST(the_end_of_a_file_that_grows_is_not_compared),
		TEST(a_file_that_is_cut_and_written_at_a_time_is_unknown),
		TEST(two_appends_at_a_time_leave_a_file_unknown),
		TEST(a_failed_flush_dooms_a_write_in_flight),
		TEST(a_handle_is_of_another_file_once_it_is_closed),
		TEST(a_file_outlasts_an_operation_in_flight),
		TEST(an_open_that_meets_a_removal_is_unknown),
		TEST(an_open_that_is_met_by_a_removal_is_unknown),
		TEST(an_open_that_meets_a_rename_is_unknown),
		TEST(an_open_that_is_met_by_a_rename_is_unknown),
		TEST(an_open_that_meets_a_removal_in_flight_is_unknown),
		TEST(an_open_that_meets_another_name_is_known),
		TEST(a_read_by_a_name_in_doubt_is_not_compared),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
