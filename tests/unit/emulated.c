/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Test which slots of a backend are called to play an NFS procedure, on a
 * target that has NFS procedures and on a target that has none; and which are
 * called to copy or clone a file.
 */
#include "unit.h"

#include "adapt/fit.h"
#include "play/files.h"
#include "play/procedure.h"

#include <errno.h>

/* A log of the calls of the fake slots below, and the slot that fails, if
 * any. */
static char asked[512];
static const char *failing;
static struct backend_call called;

enum { HANDLE = 5 };

static int note(const char *slot, const char *format, ...)
{
	size_t length = strlen(asked);
	va_list arguments;

	length += (size_t)snprintf(asked + length, sizeof(asked) - length, "%s%s",
				   length > 0 ? "; " : "", slot);
	va_start(arguments, format);
	vsnprintf(asked + length, sizeof(asked) - length, format, arguments);
	va_end(arguments);
	return failing != NULL && strcmp(failing, slot) == 0 ? -EIO : 0;
}

static int64_t fake_open(struct backend_session *session, const struct backend_path *path,
			 uint64_t flags)
{
	char text[OPEN_FLAGS_TEXT];
	int rc = note("open", " %s %s", path->text, program_print_open_flags(flags, text));

	return rc < 0 ? rc : HANDLE;
}

#define HANDLE_SLOT(name) \
	static int fake_##name(struct backend_session *session, int64_t handle) \
	{ \
		(void)session; \
		assert_int_equal(handle, HANDLE); \
		return note(#name, ""); \
	}
HANDLE_SLOT(close)
HANDLE_SLOT(fsync)
HANDLE_SLOT(set_times)

#define RANGE_SLOT(name) \
	static int fake_##name(struct backend_session *session, int64_t handle, uint64_t offset, \
			       uint64_t length) \
	{ \
		(void)session; \
		assert_int_equal(handle, HANDLE); \
		return note(#name, " %ju %ju", (uintmax_t)offset, (uintmax_t)length); \
	}
RANGE_SLOT(unlock)

static int fake_lock(struct backend_session *session, int64_t handle, uint64_t offset,
		     uint64_t length, unsigned mode)
{
	assert_int_equal(handle, HANDLE);
	assert_int_equal(mode, 0);
	return note("lock", " %ju %ju", (uintmax_t)offset, (uintmax_t)length);
}

#define PATH_SLOT(name) \
	static int fake_##name(struct backend_session *session, const struct backend_path *path) \
	{ \
		(void)session; \
		return note(#name, " %s", path->text); \
	}
PATH_SLOT(unlink)
PATH_SLOT(mkdir)
PATH_SLOT(rmdir)
PATH_SLOT(readlink)

static int64_t fake_read(struct backend_session *session, int64_t handle, void *buffer, size_t size,
			 uint64_t offset)
{
	int rc = note("read", " %zu %ju", size, (uintmax_t)offset);

	assert_int_equal(handle, HANDLE);
	return rc < 0 ? rc : (int64_t)size - 1;
}

static int64_t fake_write(struct backend_session *session, int64_t handle, const void *data,
			  size_t size, uint64_t offset)
{
	int rc = note("write", " %zu %ju", size, (uintmax_t)offset);

	assert_int_equal(handle, HANDLE);
	return rc < 0 ? rc : (int64_t)size - 1;
}

static int fake_stat(struct backend_session *session, const struct backend_path *path,
		     struct backend_attributes *attributes)
{
	return note("stat", " %s", path->text);
}

static int fake_rename(struct backend_session *session, const struct backend_path *from,
		       const struct backend_path *to, bool replace)
{
	return note("rename", " %s %s %d", from->text, to->text, replace);
}

static int fake_statvfs(struct backend_session *session)
{
	return note("statvfs", "");
}

static int fake_link(struct backend_session *session, const struct backend_path *path,
		     const struct backend_path *existing)
{
	return note("link", " %s %s", path->text, existing->text);
}

static int fake_symlink(struct backend_session *session, const struct backend_path *path,
			const char *text)
{
	return note("symlink", " %s %s", path->text, text);
}

static int64_t fake_procedure(struct backend_session *session, const struct backend_call *call)
{
	called = *call;
	return note("procedure", "") < 0 ? -EIO : 17;
}

static int fake_list(struct backend_session *session, const struct backend_path *path,
		     backend_visit *visit, void *context)
{
	assert_true(visit(context, ".", ENTRY_DIRECTORY));
	assert_true(visit(context, "a", ENTRY_FILE));
	return note("list", " %s", path->text);
}

/* The next file that a handle is for, and the size of all. */
static struct backend_file identified = {.id = 1};
static bool one_file; /* all handles are for the same file */

static int fake_identify(struct backend_session *session, int64_t handle, struct backend_file *file)
{
	assert_int_equal(handle, HANDLE);
	*file = identified;
	if (!one_file)
		identified.id++;
	return 0;
}

static int64_t fake_copy(struct backend_session *session, int64_t from, uint64_t from_offset,
			 int64_t to, uint64_t to_offset, uint64_t bytes)
{
	assert_int_equal(from, HANDLE);
	assert_int_equal(to, HANDLE);
	note("copy", " %ju %ju %ju", (uintmax_t)from_offset, (uintmax_t)to_offset,
	     (uintmax_t)bytes);
	return (int64_t)bytes;
}

static const struct backend fake = {
	.answers = true,
	.open = fake_open,
	.close = fake_close,
	.read = fake_read,
	.write = fake_write,
	.fsync = fake_fsync,
	.lock = fake_lock,
	.unlock = fake_unlock,
	.set_times = fake_set_times,
	.stat = fake_stat,
	.unlink = fake_unlink,
	.rename = fake_rename,
	.mkdir = fake_mkdir,
	.rmdir = fake_rmdir,
	.statvfs = fake_statvfs,
	.link = fake_link,
	.symlink = fake_symlink,
	.readlink = fake_readlink,
	.procedure = fake_procedure,
	.identify = fake_identify,
	.copy = fake_copy,
	.list = fake_list,
};

/* Play the load's operations. Return the result of the last one. */
static int64_t play(const char *text, bool procedures)
{
	struct program *program = load_text(text);
	struct data_pool *pool = data_pool_new(DATA_ZERO, program->io_bytes_max, 1);
	struct replay replay = {
		.program = program,
		.backend = &fake,
		.procedures = procedures,
	};
	int64_t returned = 0;
	size_t i;

	asked[0] = '\0';
	assert_int_equal(bind_open(&replay.binding, program, 3, 4, 1, pool), 0);
	for (i = 0; i < program->op_count; i++)
		returned = procedure_play(&replay, &program->ops[i]);
	bind_free(&replay.binding);
	data_pool_free(pool);
	program_free(program);
	return returned;
}

/* A procedure, the calls that emulate it, and their result. */
static const struct {
	const char *text;
	const char *asked;
	int64_t returned;
} rows[] = {
	{"nfs-getattr \"/a\" OK\n", "stat a", 0},
	{"nfs-setattr \"/a\" OK\n", "open a read; set_times; close", 0},
	{"nfs-lookup \"/client1/a\" OK\n", "stat clients/client3/a", 0},
	{"nfs-access \"/a\" OK\n", "stat a", 0},
	{"nfs-readlink \"/a\" OK\n", "readlink a", 0},
	{"nfs-read \"/a\" 70 9 - OK\n", "open a read; read 9 70; close", 8},
	{"nfs-write \"/a\" 70 9 0 - OK\n", "open a write,file; write 9 70; close", 8},
	{"nfs-write \"/a\" 70 9 1 - OK\n", "open a write,file; write 9 70; fsync; close", 8},
	{"nfs-write \"/a\" 70 9 2 - OK\n", "open a write,file; write 9 70; fsync; close", 8},
	{"nfs-create \"/a\" OK\n", "open a read,write,create,file; close", 0},
	{"nfs-mkdir \"/a\" OK\n", "mkdir a", 0},
	{"nfs-symlink \"/a\" \"/client1/b\" OK\n", "symlink a clients/client3/b", 0},
	{"nfs-remove \"/a\" OK\n", "unlink a", 0},
	{"nfs-rmdir \"/a\" OK\n", "rmdir a", 0},
	{"nfs-rename \"/a\" \"/b\" OK\n", "rename a b 1", 0},
	{"nfs-link \"/a\" \"/b\" OK\n", "link a b", 0},
	{"nfs-readdirplus \"/a\" OK\n", "list a", 0},
	{"nfs-fsstat OK\n", "statvfs", 0},
	{"nfs-fsinfo OK\n", "statvfs", 0},
	{"nfs-pathconf \"/a\" OK\n", "stat a", 0},
	{"nfs-commit \"/a\" OK\n", "open a write,file; fsync; close", 0},
	{"nlm-lock \"/a\" 7 9 OK\n", "open a read,write,file; lock 7 9; close", 0},
	{"nlm-unlock \"/a\" 7 9 OK\n", "open a read,write,file; unlock 7 9; close", 0},
	{"nlm-test \"/a\" 7 9 OK\n", "open a read,write,file; lock 7 9; unlock 7 9; close", 0},
};

_Static_assert(LENGTH(rows) == PROCEDURES + 2, "all, WRITE3 thrice");

static void emulations_call_the_expected_slots(void **state)
{
	size_t i;

	failing = NULL;
	for (i = 0; i < LENGTH(rows); i++) {
		int64_t returned = play(rows[i].text, false);

		if (strcmp(asked, rows[i].asked) != 0 || returned != rows[i].returned)
			fail_msg("%s: \"%s\", %jd", rows[i].text, asked, (intmax_t)returned);
	}
}

static void an_opened_file_is_closed_after_any_failure(void **state)
{
	static const struct {
		const char *text, *failing, *asked;
	} failures[] = {
		{"nfs-read \"/a\" 0 9 - OK\n", "open", "open a read"},
		{"nfs-read \"/a\" 0 9 - OK\n", "read", "open a read; read 9 0; close"},
		{"nfs-read \"/a\" 0 9 - OK\n", "close", "open a read; read 9 0; close"},
		{"nfs-write \"/a\" 0 9 1 - OK\n", "write", "open a write,file; write 9 0; close"},
		{"nfs-write \"/a\" 0 9 1 - OK\n", "fsync",
		 "open a write,file; write 9 0; fsync; close"},
		{"nfs-create \"/a\" OK\n", "close", "open a read,write,create,file; close"},
		{"nfs-create \"/a\" OK\n", "open", "open a read,write,create,file"},
		{"nlm-test \"/a\" 0 9 OK\n", "lock", "open a read,write,file; lock 0 9; close"},
	};
	size_t i;

	for (i = 0; i < LENGTH(failures); i++) {
		failing = failures[i].failing;
		assert_int_equal(play(failures[i].text, false), -EIO);
		assert_string_equal(asked, failures[i].asked);
	}
}

static void a_procedure_of_the_target_is_one_call(void **state)
{
	size_t i;

	failing = NULL;
	for (i = 0; i < LENGTH(rows); i++) {
		assert_int_equal(play(rows[i].text, true), 17);
		assert_string_equal(asked, "procedure");
	}
	failing = "procedure";
	assert_int_equal(play(rows[0].text, true), -EIO);
}

static void a_call_has_what_the_procedure_needs(void **state)
{
	failing = NULL;
	play("nfs-write \"/a\" 70 9 2 - OK\n", true);
	assert_int_equal(called.procedure, PROCEDURE_NFS_WRITE);
	assert_int_equal(called.offset, 70);
	assert_int_equal(called.size, 9);
	assert_int_equal(called.stable, 2);
	assert_non_null(called.data);
	assert_non_null(called.path);
	assert_null(called.path2);

	play("nfs-read \"/a\" 70 9 - OK\n", true);
	assert_int_equal(called.procedure, PROCEDURE_NFS_READ);
	assert_int_equal(called.size, 9);
	assert_non_null(called.buffer);
	assert_null(called.data);

	play("nfs-link \"/a\" \"/b\" OK\n", true);
	assert_int_equal(called.procedure, PROCEDURE_NFS_LINK);
	assert_non_null(called.path2);

	play("nfs-fsinfo OK\n", true);
	assert_int_equal(called.procedure, PROCEDURE_NFS_FSINFO);
	assert_null(called.path);

	play("nlm-test \"/a\" 5 6 OK\n", true);
	assert_int_equal(called.procedure, PROCEDURE_NLM_TEST);
	assert_int_equal(called.offset, 5);
	assert_int_equal(called.size, 6);
}

/* `+n` is relative to the last operation that has an offset. */
static void offsets_follow_each_other(void **state)
{
	failing = NULL;
	play("nfs-read \"/a\" 100 9 - OK\nnlm-lock \"/a\" +child 9 OK\n"
	     "nfs-getattr \"/a\" OK\nnfs-read \"/a\" +1 9 - OK\n",
	     false);
	assert_non_null(strstr(asked, "lock 103 9"));
	assert_non_null(strstr(asked, "read 9 104"));
	play("nfs-read \"/a\" 100 9 - OK\nnfs-read \"/a\" +9 9 - OK\n", true);
	assert_int_equal(called.offset, 109);
}

/* Play a line on a target that copies, but does not clone. */
static int64_t play_clone(const char *line)
{
	static const char opens[] = "open \"/a\" read,write,create 0 OK\n"
				    "open \"/b\" read,write,create 1 OK\n";
	int64_t handles[] = {HANDLE, HANDLE};
	char text[256];
	struct fit_report report;
	struct program *program;
	struct replay replay;
	int64_t returned;

	snprintf(text, sizeof(text), "%s%s OK\n", opens, line);
	program = load_text(text);
	assert_int_equal(fit_program(program, CAP_ALL & ~(unsigned)CAP_CLONE, &report), 0);
	fit_free(&report);
	replay = (struct replay){
		.program = program,
		.backend = &fake,
		.handles = handles,
	};
	asked[0] = '\0';
	returned = files_play(&replay, &program->ops[2]);
	program_free(program);
	return returned;
}

/* The end of a file may be beyond 4 GiB. It is that of the time before the
 * clone, which may make the file longer. */
static void an_emulated_clone_ends_with_the_file(void **state)
{
	failing = NULL;
	identified.size_bytes = (5ULL << 30) + 7;
	one_file = false;
	assert_true(play_clone("clone 0 0 1 0 0") == (5LL << 30) + 7);
	assert_string_equal(asked, "copy 0 0 5368709127");
	assert_int_equal(play_clone("clone 0 5368709120 1 4096 0"), 7);
	assert_string_equal(asked, "copy 5368709120 4096 7");
	assert_int_equal(play_clone("clone 0 0 1 0 4096"), 4096);
	assert_string_equal(asked, "copy 0 0 4096");
	assert_int_equal(play_clone("clone 0 5368709127 1 0 0"), 0);
	assert_int_equal(play_clone("clone 0 5368709128 1 0 0"), -EINVAL);
	/* A range with an end of its own must be in the file. */
	assert_int_equal(play_clone("clone 0 5368709120 1 0 8"), -EINVAL);
	assert_int_equal(play_clone("clone 0 5368709127 1 0 1"), -EINVAL);
	assert_string_equal(asked, "");
	one_file = true;
	identified.size_bytes = 8192;
	assert_int_equal(play_clone("clone 0 0 1 8192 0"), 8192);
	assert_string_equal(asked, "copy 0 8192 8192");
}

static void ranges_of_one_file_must_not_overlap(void **state)
{
	failing = NULL;
	identified.size_bytes = 8192;
	one_file = true;
	assert_int_equal(play_clone("clone 0 0 0 0 0"), -EINVAL);
	assert_int_equal(play_clone("clone 0 0 1 8191 0"), -EINVAL);
	assert_int_equal(play_clone("clone 0 4096 1 1 4096"), -EINVAL);
	assert_string_equal(asked, "");
	assert_int_equal(play_clone("clone 0 4096 1 0 4096"), 4096);
	/* It is not known which files these are. */
	identified.id = 0;
	assert_int_equal(play_clone("clone 0 0 1 0 0"), 8192);
}

int unit_emulated(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(emulations_call_the_expected_slots),
		cmocka_unit_test(an_opened_file_is_closed_after_any_failure),
		cmocka_unit_test(a_procedure_of_the_target_is_one_call),
		cmocka_unit_test(a_call_has_what_the_procedure_needs),
		cmocka_unit_test(offsets_follow_each_other),
		cmocka_unit_test(an_emulated_clone_ends_with_the_file),
		cmocka_unit_test(ranges_of_one_file_must_not_overlap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
