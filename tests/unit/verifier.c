/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The verifier, in front of a target in memory, which can refuse a call after a
 * part of it was done, and return fewer bytes than it has.
 */
#include "unit.h"

#include "base/letter_case.h"
#include "verify/verifier.h"
#include "words/operation.h"

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
	/* Where handles for appending append, and that they do. */
	uint64_t ends[HANDLES];
	bool appends[HANDLES];
	/* The next call that can do so changes this many bytes, and is then
	 * refused. */
	size_t refused_after;
	bool keeps_silent; /* then it returns EINVAL, and does not tell what it has changed */
	bool keeps_names;  /* renames do nothing */
	size_t read_max;   /* max number of bytes that a read returns */
	size_t read_align; /* offsets of reads must be multiples of it */
	uint64_t readable; /* bytes before this offset can be read */
	size_t changed;    /* by the last call */
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
	size_t part = target.refused_after < size ? target.refused_after : size;

	target.changed = target.refused_after < NOT_REFUSED && !target.keeps_silent ? part : 0;
	return part;
}

/* Return the outcome of a call: `rc`, if it was not to be refused. */
static int64_t outcome(int64_t rc)
{
	if (target.refused_after == NOT_REFUSED)
		return rc;
	target.refused_after = NOT_REFUSED;
	return target.keeps_silent ? -EINVAL : -EAGAIN;
}

static uint64_t changed_bytes(const struct backend_session *session)
{
	return target.changed;
}

static int64_t open_file(struct backend_session *session, const struct backend_path *path,
			 uint64_t flags)
{
	struct file *file = find(path->text);

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
	target.ends[target.handle_count] = file->size;
	target.appends[target.handle_count] = (flags & OPEN_APPEND) != 0;
	return outcome(target.handle_count++);
}

static int close_file(struct backend_session *session, int64_t handle)
{
	target.handles[handle] = NULL;
	return 0;
}

static int64_t read_file(struct backend_session *session, int64_t handle, void *buffer, size_t size,
			 uint64_t offset)
{
	const struct file *file = target.handles[handle];
	size_t left = file->size > offset ? file->size - offset : 0;

	if (offset % target.read_align != 0)
		return -EINVAL;
	if (offset >= target.readable && left > 0)
		return -EIO;
	if (left > size)
		left = size;
	if (left > target.read_max)
		left = target.read_max;
	memcpy(buffer, file->bytes + offset, left);
	return (int64_t)left;
}

/* Put bytes into a file, or zeros. */
static void put(struct file *file, const char *data, size_t size, uint64_t offset)
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

static int64_t write_file(struct backend_session *session, int64_t handle, const void *data,
			  size_t size, uint64_t offset)
{
	if (target.appends[handle])
		offset = target.ends[handle];
	put(target.handles[handle], data, take_part(size), offset);
	target.ends[handle] = offset + size;
	return outcome((int64_t)size);
}

static int truncate_file(struct backend_session *session, int64_t handle, uint64_t bytes)
{
	struct file *file = target.handles[handle];

	put(file, NULL, bytes > file->size ? bytes - file->size : 0, file->size);
	target.ends[handle] = file->size = bytes;
	return 0;
}

static int allocate(struct backend_session *session, int64_t handle, uint64_t offset,
		    uint64_t length, unsigned mode)
{
	assert_int_equal(mode, ALLOCATE_ZERO);
	put(target.handles[handle], NULL, take_part(length), offset);
	return (int)outcome(0);
}

static int64_t copy(struct backend_session *session, int64_t from, uint64_t from_offset, int64_t to,
		    uint64_t to_offset, uint64_t bytes)
{
	put(target.handles[to], target.handles[from]->bytes + from_offset, take_part(bytes),
	    to_offset);
	return outcome((int64_t)bytes);
}

static int remove_file(struct backend_session *session, const struct backend_path *path)
{
	struct file *file = find(path->text);

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

static int rename_file(struct backend_session *session, const struct backend_path *from,
		       const struct backend_path *to, bool replace)
{
	enum { REMOVED = 1, MOVED };
	size_t part = take_part(MOVED);

	assert_true(replace);
	if (target.keeps_names)
		return 0;
	if (part >= REMOVED)
		remove_file(session, to);
	if (part >= MOVED)
		move(from->text, to->text);
	return (int)outcome(0);
}

static int swap(struct backend_session *session, const struct backend_path *one,
		const struct backend_path *other)
{
	move(one->text, "aside");
	move(other->text, one->text);
	move("aside", other->text);
	return 0;
}

static int make_directory(struct backend_session *session, const struct backend_path *path)
{
	assert_null(find(path->text));
	return 0;
}

/* The NFS procedure READ. */
static int64_t call(struct backend_session *session, const struct backend_call *call)
{
	const size_t last = HANDLES - 1;

	assert_int_equal(call->procedure, PROCEDURE_NFS_READ);
	target.handles[last] = find(call->path->text);
	return read_file(session, (int64_t)last, call->buffer, call->size, call->offset);
}

static const struct backend backend = {
	.answers = true,
	.appends_blindly = true,
	.open = open_file,
	.close = close_file,
	.read = read_file,
	.write = write_file,
	.changed_bytes = changed_bytes,
	.truncate = truncate_file,
	.allocate = allocate,
	.copy = copy,
	.unlink = remove_file,
	.rename = rename_file,
	.swap = swap,
	.mkdir = make_directory,
	.procedure = call,
};

static void count(void *context, const struct verify *found, struct difference *difference)
{
	differences = verify_add(found, difference);
}

static int begin(void **state)
{
	const struct verify_size size = {
		.users = 1,
		.footprint_bytes = FILE_BYTES,
		.io_bytes_max = FILE_BYTES,
	};

	memset(&target, 0, sizeof(target));
	target.refused_after = NOT_REFUSED;
	target.read_max = target.readable = FILE_BYTES;
	target.read_align = 1;
	differences = 0;
	if (verify_open(&verify, &size) < 0)
		return -1;
	verifier = verifier_start(&verify, 0, &backend, count, NULL);
	return verifier == NULL ? -1 : 0;
}

static int end(void **state)
{
	int64_t handle;

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

/* The same as expect_read, by the NFS procedure READ. */
static void expect_call(const char *path, unsigned count, uint64_t compared)
{
	static char buffer[FILE_BYTES];
	const struct backend_path at = {.text = path};
	const struct backend_call read = {
		.procedure = PROCEDURE_NFS_READ,
		.path = &at,
		.buffer = buffer,
		.size = sizeof(buffer),
	};
	unsigned before = differences;
	uint64_t bytes = verify.maps[0]->compared_bytes;

	verifier->procedure(NULL, &read);
	assert_int_equal(differences - before, count);
	assert_int_equal(verify.maps[0]->compared_bytes - bytes, compared);
}

/* Alter a byte of a file. */
static void alter(int64_t handle, size_t offset)
{
	target.handles[handle]->bytes[offset] ^= 1;
}

static void a_refused_write_may_have_done_a_part(void **state)
{
	int64_t handle = open_at(HOME "f", OPEN_CREATE);

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

static void a_refused_direct_write_may_have_done_a_part(void **state)
{
	int64_t handle = open_at(HOME "f", OPEN_CREATE);
	int64_t direct = open_at(HOME "f", OPEN_DIRECT);

	assert_int_equal(write_to(handle, 12000, 0), 12000);
	target.refused_after = 4096;
	target.keeps_silent = true;
	assert_int_equal(write_to(direct, 5000, 0), -EINVAL);
	expect_read(handle, 0, 7000);
	/* Others are refused as a whole. */
	target.refused_after = 0;
	assert_int_equal(write_to(handle, 12000, 0), -EINVAL);
	expect_read(handle, 0, 7000);
	alter(handle, 5000);
	expect_read(handle, 1, 7000);
}

static void a_refused_copy_may_have_done_a_part(void **state)
{
	int64_t from = open_at(HOME "f", OPEN_CREATE);
	int64_t to = open_at(HOME "g", OPEN_CREATE);

	write_to(from, 8000, 0);
	write_to(to, 8000, 0);
	target.refused_after = 3000;
	assert_int_equal(verifier->copy(NULL, from, 0, to, 100, 8000), -EAGAIN);
	expect_read(to, 0, 5000);
	alter(to, 3100);
	expect_read(to, 1, 5000);
}

static void a_refused_allocation_may_have_put_zeros(void **state)
{
	int64_t handle = open_at(HOME "f", OPEN_CREATE);

	write_to(handle, 8000, 0);
	target.refused_after = 3000;
	assert_int_equal(verifier->allocate(NULL, handle, 1000, 3000, ALLOCATE_ZERO), -EAGAIN);
	expect_read(handle, 0, 5000);
	target.refused_after = 0;
	assert_int_equal(verifier->allocate(NULL, handle, 1000, 30000, ALLOCATE_ZERO), -EAGAIN);
	expect_read(handle, 0, 5000);
	alter(handle, 4000);
	expect_read(handle, 1, 5000);
}

static void a_refused_open_may_have_truncated(void **state)
{
	int64_t handle = open_at(HOME "f", OPEN_CREATE);

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
	write_to(open_at(HOME "f", OPEN_CREATE), 8000, 0);
	write_to(open_at(HOME "g", OPEN_CREATE), 8000, 0);
	target.refused_after = 1;
	assert_int_equal(rename_to(HOME "f", HOME "g"), -EAGAIN);
	expect_read_back(0);
}

static void a_refused_rename_may_have_been_made(void **state)
{
	int64_t handle = open_at(HOME "d/x", OPEN_CREATE);

	write_to(handle, 8000, 0);
	target.refused_after = 2;
	assert_int_equal(rename_to(HOME "d", HOME "e"), -EAGAIN);
	expect_read(open_at(HOME "e/x", OPEN_CREATE), 0, 0);
	expect_read_back(0);
}

static void rename_in(const char *from, const char *to)
{
	assert_int_equal(rename_to(from, to), 0);
}

static void exchange(const char *one, const char *other)
{
	const struct backend_path path = {.text = one}, with = {.text = other};

	assert_int_equal(verifier->swap(NULL, &path, &with), 0);
}

static void make(const char *text)
{
	const struct backend_path path = {.text = text};

	assert_int_equal(verifier->mkdir(NULL, &path), 0);
}

static void remove_name(const char *text)
{
	const struct backend_path path = {.text = text};

	assert_int_equal(verifier->unlink(NULL, &path), 0);
}

/* Remove a name without the verifier's knowledge. */
static void remove_at_target(const char *text)
{
	find(text)->path[0] = '\0';
}

/* Fill a file with bytes, if it is new. Expect that this is compared, or that it
 * is unknown. */
static void expect_known(const char *path, uint64_t flags, bool known)
{
	int64_t handle = open_at(path, flags | OPEN_CREATE);

	assert_true(handle >= 0);
	if (target.handles[handle]->size == 0)
		write_to(handle, 100, 0);
	expect_read(handle, 0, known ? 100 : 0);
	verifier->close(NULL, handle);
}

static void what_is_below_an_unknown_directory_is_unknown(void **state)
{
	expect_known("pool/d/x", 0, false);
	expect_known("pool/d/y", 0, false);
	rename_in("pool/d", HOME "d");
	expect_known(HOME "d/x", 0, false);
	/* It may have been there, or not. */
	expect_known(HOME "d/new", 0, false);
	expect_known(HOME "other", 0, true);
	expect_known(HOME "d2", 0, true);
	/* The same after it is moved. */
	rename_in(HOME "d", HOME "e");
	expect_known(HOME "e/y", 0, false);
	expect_known(HOME "e/new2", 0, false);
	expect_known(HOME "d/x", 0, true);
	/* And of what is taken from it, also if it was opened. */
	expect_known("pool/h/g/x", 0, false);
	rename_in("pool/h", HOME "h");
	open_at(HOME "h/g", OPEN_CREATE);
	remove_at_target(HOME "h/g");
	rename_in(HOME "h/g", HOME "i");
	expect_known(HOME "i/x", 0, false);
	expect_known("pool/f/g/x", 0, false);
	rename_in("pool/f", HOME "f");
	rename_in(HOME "f/g", HOME "g");
	expect_known(HOME "g/x", 0, false);
	expect_known(HOME "f/g/x", 0, false);
	expect_read_back(0);
}

static void what_is_new_below_an_unknown_directory_is_unknown(void **state)
{
	expect_known("pool/d/x", 0, false);
	expect_known("pool/d/y", 0, false);
	rename_in("pool/d", HOME "d");
	expect_known(HOME "d/new", OPEN_EXCLUSIVE, false);
	expect_known(HOME "d/x", 0, false);
	remove_name(HOME "d/x");
	expect_known(HOME "d/x", 0, false);
	make(HOME "d/made");
	expect_known(HOME "d/made/y", 0, false);
	make(HOME "k");
	expect_known(HOME "k/x", 0, true);
	rename_in(HOME "k", HOME "d/k");
	expect_known(HOME "d/k/x", 0, false);
	expect_known(HOME "k/x", 0, true);
	/* A file goes there and comes back: others may have changed it. */
	expect_known(HOME "f", 0, true);
	rename_in(HOME "f", HOME "d/f");
	rename_in(HOME "d/f", HOME "f");
	expect_known(HOME "f", 0, false);
	/* A user who had looked up pool/d before it was moved. */
	open_at(HOME "d/late", OPEN_CREATE | OPEN_EXCLUSIVE);
	remove_at_target(HOME "d/late");
	create(HOME "d/late/y")->size = 100;
	rename_in(HOME "d", HOME "e");
	expect_known(HOME "e/late/y", 0, false);
	expect_read_back(0);
}

static void a_directory_that_is_replaced_leaves_nothing(void **state)
{
	expect_known("pool/d/x", 0, false);
	rename_in("pool/d", HOME "d");
	remove_name(HOME "d/x");
	expect_known("pool/e/x", 0, false);
	expect_known("pool/e/y", 0, false);
	rename_in("pool/e", HOME "d");
	expect_known(HOME "d/x", 0, false);
	expect_known(HOME "d/y", 0, false);
	remove_at_target(HOME "d/x");
	remove_at_target(HOME "d/y");
	expect_known(HOME "f/y", 0, true);
	rename_in(HOME "f", HOME "d");
	expect_known(HOME "d/x", 0, true);
	remove_name(HOME "d/y");
	expect_known(HOME "d/y", 0, true);
	expect_read_back(0);
}

static void an_exchange_takes_along_what_is_unknown(void **state)
{
	/* With a directory outside. */
	expect_known("pool/d/x", 0, false);
	expect_known("pool/d/e/x", 0, false);
	make(HOME "e");
	make(HOME "e/e");
	expect_known(HOME "e/y", 0, true);
	exchange("pool/d", HOME "e");
	expect_known(HOME "e/x", 0, false);
	expect_known(HOME "e/e/x", 0, false);
	expect_known(HOME "e/y", 0, false);
	/* An unknown directory with a known one, and a file with both. */
	make(HOME "k");
	expect_known(HOME "k/y", 0, true);
	exchange(HOME "k", HOME "e");
	expect_known(HOME "k/x", 0, false);
	expect_known(HOME "e/y", 0, true);
	expect_known(HOME "e/x", 0, true);
	expect_known(HOME "f", 0, true);
	exchange(HOME "f", HOME "k");
	expect_known(HOME "k", 0, true);
	expect_known(HOME "f/x", 0, false);
	exchange(HOME "k", HOME "e");
	expect_known(HOME "e", 0, true);
	expect_known(HOME "k/y", 0, true);
	expect_known(HOME "k/z", 0, true);
	/* Something of an unknown directory that has no name in the map. */
	expect_known("pool/u/v/x", 0, false);
	rename_in("pool/u", HOME "u");
	exchange(HOME "u/v", HOME "k");
	expect_known(HOME "k/x", 0, false);
	expect_known(HOME "u/v/y", 0, false);
	expect_read_back(0);
}

/* A name may be one of a directory that the map has in another case. The target
 * here keeps the case: move() does what another would do by itself. */
static void a_directory_in_another_case_takes_its_files_along(void **state)
{
	verify.maps[0]->letter_case = LETTER_CASE_IGNORED;
	make(HOME "1\303\266");
	expect_known(HOME "1\303\226/x", 0, true);
	rename_in(HOME "1\303\266", HOME "a");
	move(HOME "1\303\226", HOME "a");
	expect_read_back(0);
	expect_known(HOME "a/x", 0, false);
	/* Also if the map has a file of the name in this case. */
	expect_known(HOME "2\303\244", 0, true);
	expect_known(HOME "d/x", 0, true);
	exchange(HOME "d", HOME "2\303\204");
	move(HOME "2\303\244", HOME "d");
	expect_known(HOME "c", 0, true);
	exchange(HOME "c", HOME "2\303\244");
	move(HOME "2\303\204", HOME "c");
	expect_read_back(0);
	expect_known(HOME "c/x", 0, false);
}

static void a_file_that_others_can_write_is_unknown(void **state)
{
	int64_t handle = open_at(HOME "f", OPEN_CREATE);
	int64_t other = open_at(HOME "d/f", OPEN_CREATE);

	write_to(handle, 8000, 0);
	write_to(other, 8000, 0);
	expect_read(handle, 0, 8000);
	rename_in(HOME "f", "pool/f");
	rename_in(HOME "d", "pool/d");
	expect_read(handle, 0, 0);
	expect_read(other, 0, 0);
	expect_known(HOME "f", 0, true);
	expect_known(HOME "d/f", 0, true);
	rename_in("pool/f", HOME "f");
	verifier->close(NULL, handle);
	handle = open_at(HOME "f", OPEN_TRUNCATE);
	write_to(handle, 8000, 0);
	expect_read(handle, 0, 0);
}

static void a_file_of_an_unknown_name_can_be_deleted(void **state)
{
	int64_t handle;

	expect_known("pool/d/x", 0, false);
	rename_in("pool/d", HOME "d");
	handle = open_at(HOME "d/x", OPEN_CREATE | OPEN_DELETE_ON_CLOSE);
	rename_in(HOME "d/x", HOME "y");
	remove_at_target(HOME "y");
	assert_int_equal(verifier->close(NULL, handle), 0);
	expect_read_back(0);
}

/* A target that appends blindly writes at the end that a handle knows. */
static void appends_follow_the_end_of_the_handle(void **state)
{
	int64_t appends = open_at(HOME "f", OPEN_CREATE | OPEN_APPEND);
	int64_t other = open_at(HOME "f", 0);

	write_to(appends, 1000, 0);
	expect_read(other, 0, 1000);
	/* The handle follows its own truncates, but not the writes of others. */
	verifier->truncate(NULL, appends, 3000);
	write_to(appends, 1000, 0);
	expect_read(other, 0, 4000);
	write_to(appends, 100, 0);
	verifier->truncate(NULL, appends, 2000);
	write_to(other, 2000, 2100);
	write_to(appends, 100, 0);
	expect_read(other, 0, 0);
	/* Nothing is known of the end that it has in a file that was unknown. */
	verifier->truncate(NULL, other, 0);
	write_to(appends, 100, 0);
	expect_read(other, 0, 0);
	expect_read_back(0);
}

static void what_is_left_out_stays_so(void **state)
{
	static const char *const left_out[] = {HOME "d/x", HOME "e/y", NULL};

	verify.left_out = left_out;
	verifier = verifier_start(&verify, 0, &backend, count, NULL);
	make(HOME "d");
	expect_known(HOME "d/x", 0, false);
	expect_known(HOME "d/y", 0, true);
	expect_known(HOME "d/z", 0, true);
	rename_in(HOME "d", HOME "e");
	expect_known(HOME "e/x", 0, false);
	expect_known(HOME "e/y", 0, false);
	expect_known(HOME "e/z", 0, true);
	/* By another user. */
	remove_at_target(HOME "e/y");
	expect_read_back(0);
}

static void a_rename_between_two_names_of_a_file_does_nothing(void **state)
{
	expect_known("pool/d/x", 0, false);
	expect_known("pool/d/y", 0, false);
	rename_in("pool/d", HOME "d");
	target.keeps_names = true;
	rename_in(HOME "d/x", HOME "d/y");
	expect_known(HOME "d/x", 0, false);
	rename_in(HOME "d/y", "pool/x");
	expect_known(HOME "d/y", 0, false);
}

static void an_opened_directory_is_no_file(void **state)
{
	make(HOME "d");
	open_at(HOME "d", OPEN_CREATE);
	/* A directory cannot be read. */
	remove_at_target(HOME "d");
	expect_read_back(0);
}

static void a_short_read_is_not_the_end(void **state)
{
	int64_t other = open_at(HOME "g", OPEN_CREATE);
	int64_t handle = open_at(HOME "f", OPEN_CREATE);

	write_to(other, 10000, 0);
	write_to(handle, 8000, 0);
	target.read_max = 700;
	expect_read(handle, 0, 8000);
	expect_call(HOME "f", 0, 8000);
	assert_int_equal(verify.maps[0]->read_bytes, 16000);
	expect_read_back(0);
	alter(handle, 7999);
	expect_read(handle, 1, 8000);
	expect_call(HOME "f", 1, 8000);
	alter(handle, 7999);
	target.handles[handle]->size--;
	expect_read(handle, 1, 7999);
	expect_call(HOME "f", 1, 7999);
}

static void the_rest_of_a_direct_read_is_aligned(void **state)
{
	int64_t handle = open_at(HOME "f", OPEN_CREATE | OPEN_DIRECT);

	write_to(handle, 12288, 0);
	target.read_align = 4096;
	target.read_max = 5000;
	expect_read(handle, 0, 12288);
	/* The end of the file, and of all reads, looks alike in a block. */
	target.read_max = 4000;
	expect_read(handle, 0, 4000);
	target.read_max = 5000;
	target.handles[handle]->size = 10000;
	expect_read(handle, 0, 10000);
	target.read_align = 1;
	expect_read_back(1);
	target.handles[handle]->size = 8192;
	expect_read(handle, 1, 8192);
}

static void a_rest_that_cannot_be_read_proves_nothing(void **state)
{
	int64_t handle = open_at(HOME "f", OPEN_CREATE);
	char path[DIFFERENCE_PATH];
	uint64_t steps = 0;

	write_to(handle, 8000, 0);
	target.read_max = 700;
	target.readable = 4000;
	expect_read(handle, 0, 4200);
	alter(handle, 0);
	expect_read(handle, 1, 4200);
	alter(handle, 0);
	assert_int_equal(verifier_read_back(NULL, &steps, path), -EIO);
	assert_string_equal(path, HOME "f");
	assert_int_equal(differences, 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int unit_verifier(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(a_refused_write_may_have_done_a_part),
		TEST(a_refused_write_may_have_moved_the_end),
		TEST(a_refused_write_that_did_nothing_changes_nothing),
		TEST(a_refused_direct_write_may_have_done_a_part),
		TEST(a_refused_copy_may_have_done_a_part),
		TEST(a_refused_allocation_may_have_put_zeros),
		TEST(a_refused_open_may_have_truncated),
		TEST(a_refused_rename_may_have_removed_the_new_name),
		TEST(a_refused_rename_may_have_been_made),
		TEST(what_is_below_an_unknown_directory_is_unknown),
		TEST(what_is_new_below_an_unknown_directory_is_unknown),
		TEST(a_directory_that_is_replaced_leaves_nothing),
		TEST(an_exchange_takes_along_what_is_unknown),
		TEST(a_directory_in_another_case_takes_its_files_along),
		TEST(a_file_that_others_can_write_is_unknown),
		TEST(a_file_of_an_unknown_name_can_be_deleted),
		TEST(appends_follow_the_end_of_the_handle),
		TEST(what_is_left_out_stays_so),
		TEST(a_rename_between_two_names_of_a_file_does_nothing),
		TEST(an_opened_directory_is_no_file),
		TEST(a_short_read_is_not_the_end),
		TEST(the_rest_of_a_direct_read_is_aligned),
		TEST(a_rest_that_cannot_be_read_proves_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
