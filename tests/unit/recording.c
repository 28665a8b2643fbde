/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "capture/model/recording.h"

#include <errno.h>

/* Print the load of a recording. The caller frees the text. */
static char *finish(struct recording *recording)
{
	struct recording_totals totals;
	struct error error = {0};
	struct program *program = recording_finish(recording, "test", &totals, &error);
	char *text;
	size_t bytes;
	FILE *stream = open_memstream(&text, &bytes);

	if (program == NULL)
		fail_msg("%s", error.text);
	program_print(program, stream);
	fclose(stream);
	program_free(program);
	recording_free(recording);
	return text;
}

static void expect_load(struct recording *recording, const char *expected)
{
	char *text = finish(recording);

	assert_string_equal(text, expected);
	free(text);
}

/* Begin a call and add an operation. */
static bool call(struct recording *recording, struct recorded recorded, struct file **file)
{
	static uint64_t line;

	recording_begin(recording, op_verb((enum op_kind)recorded.op.kind), 0, ++line);
	return recording_add(recording, &recorded, file);
}

static struct file *open_file(struct recording *recording, const char *path, uint64_t flags)
{
	struct recorded recorded = RECORDED(OP_OPEN);
	struct file *file = NULL;

	recorded.path = path;
	recorded.op.open_flags = flags;
	call(recording, recorded, &file);
	return file;
}

static bool transfer(struct recording *recording, enum op_kind kind, struct file *file,
		     uint64_t offset, uint64_t size, uint32_t count)
{
	struct recorded recorded = RECORDED(kind);

	recorded.file = file;
	recorded.op.offset = offset;
	recorded.op.size = size;
	recorded.op.expect = count;
	recorded.op.flags = OP_COUNTED;
	return call(recording, recorded, NULL);
}

static bool name(struct recording *recording, enum op_kind kind, const char *path,
		 const char *path2, int error)
{
	struct recorded recorded = RECORDED(kind);

	recorded.path = path;
	recorded.path2 = path2;
	recorded.error = error;
	return call(recording, recorded, NULL);
}

/* End the last listing, of which the source has shown `entries`. */
static void list(struct recording *recording, const char *path, uint32_t entries,
		 const char *const *names, size_t count)
{
	struct recorded recorded = RECORDED(OP_LIST);
	struct listing listing;

	recorded.path = path;
	recorded.op.expect = entries;
	recorded.names = names;
	recorded.name_count = count;
	assert_true(call(recording, recorded, NULL));
	listing = recording_listing(recording);
	recording_list_end(recording, &listing);
}

static void close_file(struct recording *recording, struct file *file)
{
	struct recorded recorded = RECORDED(OP_CLOSE);

	recorded.file = file;
	assert_true(call(recording, recorded, NULL));
}

#define HEAD "# throng loadfile, native dialect\nSETUP restore\n"
#define HOME "/clients/client1"

static void a_file_that_was_read_existed_before(void **state)
{
	struct recording *recording = recording_new(0);
	struct file *file = open_file(recording, "d/f", OPEN_READ);

	assert_non_null(file);
	assert_true(transfer(recording, OP_READ, file, 0, 100, 60));
	close_file(recording, file);
	expect_load(recording, HEAD "mkdir \"" HOME "/d\" OK\n"
				    "open \"" HOME "/d/f\" write,create,file 0 OK\n"
				    "write 0 0 60 60 OK\n"
				    "close 0 OK\n"
				    "ENDSETUP\n"
				    "open \"" HOME "/d/f\" read 0 OK\n"
				    "read 0 0 100 60 OK\n"
				    "close 0 OK\n");
}

/* Only the part that is read is written, and the last byte. */
static void an_unread_part_is_not_laid_out(void **state)
{
	struct recording *recording = recording_new(RECORDING_COMPLETE);
	struct file *file;

	recording_before(recording, "big", NODE_FILE, 5000000000, NULL, NULL);
	recording_before(recording, "unread", NODE_FILE, 5000, NULL, NULL);
	recording_before(recording, "link", NODE_LINK, 0, "../big", NULL);
	recording_before(recording, "hard", NODE_FILE, 5000, NULL, "unread");
	file = open_file(recording, "big", OPEN_READ);
	assert_true(transfer(recording, OP_READ, file, 4096, 4096, 4096));
	assert_null(open_file(recording, "other", OPEN_READ));
	expect_load(recording, HEAD "open \"" HOME "/big\" write,create,file 0 OK\n"
				    "write 0 4096 4096 4096 OK\n"
				    "write 0 4999999999 1 1 OK\n"
				    "close 0 OK\n"
				    "open \"" HOME "/unread\" write,create,file 0 OK\n"
				    "close 0 OK\n"
				    "symlink \"" HOME "/link\" \"/big\" OK\n"
				    "link \"" HOME "/hard\" \"" HOME "/unread\" OK\n"
				    "ENDSETUP\n"
				    "open \"" HOME "/big\" read 0 OK\n"
				    "read 0 4096 4096 4096 OK\n");
}

static void names_are_followed(void **state)
{
	struct recording *recording = recording_new(0);
	struct file *file;

	assert_true(name(recording, OP_MKDIR, "new", NULL, 0));
	file = open_file(recording, "new/f", OPEN_WRITE | OPEN_CREATE | OPEN_EXCLUSIVE);
	assert_true(transfer(recording, OP_WRITE, file, 0, 10, 10));
	assert_true(name(recording, OP_RENAME, "new", "old", 0));
	assert_true(name(recording, OP_STAT, "new/f", NULL, ENOENT));
	assert_true(name(recording, OP_RMDIR, "old", NULL, ENOTEMPTY));
	assert_false(name(recording, OP_RMDIR, "old", NULL, 0));
	assert_false(name(recording, OP_UNLINK, "old/g", NULL, 0));
	assert_false(name(recording, OP_STAT, "old/f", NULL, ENOENT));
	assert_true(name(recording, OP_LINK, "g", "old/f", 0));
	assert_true(name(recording, OP_UNLINK, "old/f", NULL, 0));
	assert_true(name(recording, OP_RMDIR, "old", NULL, 0));
	assert_true(name(recording, OP_MKDIR, "was", NULL, EEXIST));
	expect_load(recording, HEAD "open \"" HOME "/was\" write,create,file 0 OK\n"
				    "close 0 OK\n"
				    "ENDSETUP\n"
				    "mkdir \"" HOME "/new\" OK\n"
				    "open \"" HOME "/new/f\" write,create,exclusive 0 OK\n"
				    "write 0 0 10 10 OK\n"
				    "rename \"" HOME "/new\" \"" HOME "/old\" replace OK\n"
				    "stat \"" HOME "/new/f\" ENOENT\n"
				    "rmdir \"" HOME "/old\" ENOTEMPTY\n"
				    "link \"" HOME "/g\" \"" HOME "/old/f\" OK\n"
				    "unlink \"" HOME "/old/f\" OK\n"
				    "rmdir \"" HOME "/old\" OK\n"
				    "mkdir \"" HOME "/was\" EEXIST\n");
}

/* Ranges that are near become one; beyond a number, the nearest ones do. */
static void ranges_are_laid_out(void **state)
{
	struct recording *recording = recording_new(0);
	struct node *node;
	uint64_t i;

	open_file(recording, "f", OPEN_READ);
	node = tree_find(recording_tree(recording), "f", false);
	assert_true(node_read(node, 1 << 20, 100, 100));
	assert_true(node_read(node, 0, 100, 100));
	assert_true(node_read(node, 1 << 21, 100, 100));
	assert_int_equal(node->range_count, 3);
	assert_int_equal(node->ranges[1].from, 1 << 20);
	assert_true(node_read(node, (1 << 20) + 5000, 100, 100));
	assert_int_equal(node->range_count, 3);
	assert_int_equal(node->ranges[1].to, (1 << 20) + 5100);
	assert_true(node_read(node, 50, (1 << 20), (1 << 20)));
	assert_int_equal(node->range_count, 2);
	assert_int_equal(node->ranges[0].from, 0);
	for (i = 0; i < 200; i++)
		assert_true(node_read(node, (i + 5) << 20, 1, 1));
	assert_int_equal(node->range_count, NODE_RANGES_MAX);
	assert_int_equal(node->ranges[NODE_RANGES_MAX - 1].to, (204 << 20) + 1);
	recording_free(recording);
}

/* A lock of POSIX replaces those that the process has. */
static void locks_are_replaced(void **state)
{
	struct recording *recording = recording_new(RECORDING_POSIX_LOCKS);
	struct recorded recorded = RECORDED(OP_LOCK);

	recorded.file = open_file(recording, "f",
				  OPEN_READ | OPEN_WRITE | OPEN_CREATE | OPEN_EXCLUSIVE);
	recorded.op.size = 10;
	recorded.op.mode = LOCK_SHARED;
	assert_true(call(recording, recorded, NULL));
	assert_true(call(recording, recorded, NULL));
	recorded.op.offset = 5;
	recorded.op.mode = 0;
	assert_true(call(recording, recorded, NULL));
	recorded.op.kind = OP_UNLOCK;
	recorded.op.offset = 0;
	recorded.op.size = 0;
	assert_true(call(recording, recorded, NULL));
	recorded.op.kind = OP_LOCK;
	assert_true(call(recording, recorded, NULL));
	expect_load(recording, HEAD "ENDSETUP\n"
				    "open \"" HOME "/f\" read,write,create,exclusive 0 OK\n"
				    "lock 0 0 10 shared OK\n"
				    "lock 0 0 10 shared OK\n"
				    "lock:unlock 0 5 10 OK\n"
				    "lock 0 5 10 OK\n"
				    "unlock 0 0 0 OK\n"
				    "lock 0 0 0 OK\n");
}

/* Names that a listing counts, but does not show, are invented. */
static void listings_are_counted(void **state)
{
	static const char *const names[] = {"A", "b"};
	struct recording *recording = recording_new(RECORDING_FOLD_CASE);

	assert_true(name(recording, OP_STAT, "d/a", NULL, 0));
	list(recording, "d", 0, names, 2);
	list(recording, "e", 3, NULL, 0);
	assert_true(name(recording, OP_MKDIR, "f", NULL, 0));
	list(recording, "f", 2, NULL, 0);
	/* The model knows that this is wrong. */
	list(recording, "f", 5, NULL, 0);
	expect_load(recording, HEAD "mkdir \"" HOME "/d\" OK\n"
				    "open \"" HOME "/d/a\" write,create,file 0 OK\n"
				    "close 0 OK\n"
				    "open \"" HOME "/d/b\" write,create,file 0 OK\n"
				    "close 0 OK\n"
				    "mkdir \"" HOME "/e\" OK\n"
				    "open \"" HOME "/e/entry-1\" write,create,file 0 OK\n"
				    "close 0 OK\n"
				    "ENDSETUP\n"
				    "stat \"" HOME "/d/a\" OK\n"
				    "list \"" HOME "/d/*\" 1000000 4 OK\n"
				    "list \"" HOME "/e/*\" 1000000 3 OK\n"
				    "mkdir \"" HOME "/f\" OK\n"
				    "list \"" HOME "/f/*\" 1000000 2 OK\n"
				    "list \"" HOME "/f/*\" 1000000 - OK\n");
}

static void links_lead_to_files(void **state)
{
	struct recording *recording = recording_new(RECORDING_COMPLETE);
	struct recorded recorded = RECORDED(OP_STAT);

	recording_before(recording, "a", NODE_DIRECTORY, 0, NULL, NULL);
	recording_before(recording, "a/l", NODE_LINK, 0, "../b/./c", NULL);
	recording_before(recording, "b", NODE_DIRECTORY, 0, NULL, NULL);
	recording_before(recording, "b/c", NODE_DIRECTORY, 0, NULL, NULL);
	recording_before(recording, "b/c/f", NODE_FILE, 0, NULL, NULL);
	recording_before(recording, "loop", NODE_LINK, 0, "loop", NULL);
	recording_before(recording, "out", NODE_LINK, 0, "../x", NULL);
	recording_before(recording, "absolute", NODE_LINK, 0, "/b/c", NULL);
	recording_before(recording, "rooted", NODE_LINK, 0, "/r/b/c", NULL);
	recorded.path = "a/l/f";
	assert_true(call(recording, recorded, NULL));
	recorded.path = "a/l";
	assert_true(call(recording, recorded, NULL));
	recorded.follow = true;
	assert_true(call(recording, recorded, NULL));
	recorded.path = "loop";
	assert_false(call(recording, recorded, NULL));
	recorded.path = "out/y";
	assert_false(call(recording, recorded, NULL));
	/* Absolute content is below the recorded directory, or is not. */
	recorded.path = "absolute/f";
	recording_tree(recording)->path = "/b";
	assert_false(call(recording, recorded, NULL));
	recording_tree(recording)->path = "/";
	assert_true(call(recording, recorded, NULL));
	recording_tree(recording)->path = "/r";
	recorded.path = "rooted/f";
	assert_true(call(recording, recorded, NULL));
	expect_load(recording, HEAD "mkdir \"" HOME "/a\" OK\n"
				    "symlink \"" HOME "/a/l\" \"/b/c\" OK\n"
				    "mkdir \"" HOME "/b\" OK\n"
				    "mkdir \"" HOME "/b/c\" OK\n"
				    "open \"" HOME "/b/c/f\" write,create,file 0 OK\n"
				    "close 0 OK\n"
				    "symlink \"" HOME "/loop\" \"/loop\" OK\n"
				    "symlink \"" HOME "/out\" \"/x\" OK\n"
				    "symlink \"" HOME "/absolute\" \"/b/c\" OK\n"
				    "symlink \"" HOME "/rooted\" \"/r/b/c\" OK\n"
				    "ENDSETUP\n"
				    "stat \"" HOME "/b/c/f\" OK\n"
				    "stat \"" HOME "/a/l\" OK\n"
				    "stat \"" HOME "/b/c\" OK\n"
				    "stat \"" HOME "/b/c/f\" OK\n"
				    "stat \"" HOME "/b/c/f\" OK\n");
}

/* An open of the link fails as what led into the loop did. */
static void loops_of_links_fail(void **state)
{
	struct recording *recording = recording_new(RECORDING_COMPLETE);
	struct recorded stat = RECORDED(OP_STAT), open = RECORDED(OP_OPEN),
			rename = RECORDED(OP_RENAME);

	recording_before(recording, "s", NODE_LINK, 0, "s", NULL);
	stat.error = open.error = rename.error = ELOOP;
	stat.follow = open.follow = true;
	stat.path = "s";
	assert_true(call(recording, stat, NULL));
	stat.path = "s/x";
	assert_true(call(recording, stat, NULL));
	open.path = "s/x";
	open.op.open_flags = OPEN_WRITE | OPEN_CREATE | OPEN_FILE;
	assert_true(call(recording, open, NULL));
	open.op.open_flags = OPEN_READ | OPEN_DIRECTORY;
	assert_true(call(recording, open, NULL));
	rename.path = "s/x";
	rename.path2 = "y";
	assert_true(call(recording, rename, NULL));
	rename.path = "none";
	rename.path2 = "s/y";
	assert_true(call(recording, rename, NULL));
	rename.path2 = "y";
	assert_false(call(recording, rename, NULL));
	expect_load(recording, HEAD "symlink \"" HOME "/s\" \"/s\" OK\n"
				    "ENDSETUP\n"
				    "stat:open \"" HOME "/s\" read - ELOOP\n"
				    "stat:open \"" HOME "/s\" read - ELOOP\n"
				    "open \"" HOME "/s\" write,create,file - ELOOP\n"
				    "open \"" HOME "/s\" read - ELOOP\n"
				    "rename:open \"" HOME "/s\" read - ELOOP\n"
				    "rename:open \"" HOME "/s\" read - ELOOP\n");
}

static void handles_get_their_names_later(void **state)
{
	struct recording *recording = recording_new(0);
	struct tree *tree = recording_tree(recording);
	struct node *directory = tree_nameless(tree, NODE_DIRECTORY);
	struct node *file = tree_nameless(tree, NODE_FILE);
	char path[TREE_PATH_MAX];

	assert_true(node_path(file, path));
	assert_true(name(recording, OP_NFS_GETATTR, path, NULL, 0));
	tree_place(tree, file, directory, "f");
	tree_place(tree, directory, tree->root, "d");
	assert_true(node_path(file, path));
	assert_string_equal(path, "d/f");
	assert_true(name(recording, OP_NFS_GETATTR, path, NULL, 0));
	expect_load(recording, HEAD "mkdir \"" HOME "/d\" OK\n"
				    "open \"" HOME "/d/f\" write,create,file 0 OK\n"
				    "close 0 OK\n"
				    "ENDSETUP\n"
				    "nfs-getattr \"" HOME "/d/f\" OK\n"
				    "nfs-getattr \"" HOME "/d/f\" OK\n");
}

static void names_are_spelled(void **state)
{
	static const char *const odd[] = {
		"a\"b", "c\\d", "new\nline", "client1", "client1x",
		"100%", "%41",  "$0",        "#h",      " lead",
	};
	struct recording *recording = recording_new(RECORDING_COMPLETE);
	size_t i;

	for (i = 0; i < LENGTH(odd); i++)
		assert_true(name(recording, OP_MKDIR, odd[i], NULL, 0));
	expect_load(recording, HEAD "ENDSETUP\n"
				    "mkdir \"" HOME "/a%22b\" OK\n"
				    "mkdir \"" HOME "/c%5cd\" OK\n"
				    "mkdir \"" HOME "/new%0aline\" OK\n"
				    "mkdir \"" HOME "/%63lient1\" OK\n"
				    "mkdir \"" HOME "/client1x\" OK\n"
				    "mkdir \"" HOME "/100%\" OK\n"
				    "mkdir \"" HOME "/%2541\" OK\n"
				    "mkdir \"" HOME "/$$0\" OK\n"
				    "mkdir \"" HOME "/#h\" OK\n"
				    "mkdir \"" HOME "/ lead\" OK\n");
}

static void attributes_are_laid_out(void **state)
{
	struct recording *recording = recording_new(0);
	struct recorded recorded = RECORDED(OP_XATTR_GET);

	recorded.path = "f";
	recorded.text = "user.a";
	recorded.op.expect = 7;
	recorded.op.flags = OP_COUNTED;
	assert_true(call(recording, recorded, NULL));
	recorded.text = "user.b";
	recorded.error = ENODATA;
	assert_true(call(recording, recorded, NULL));
	recorded.text = "security.capability";
	recorded.error = 0;
	assert_false(call(recording, recorded, NULL));
	expect_load(recording, HEAD "open \"" HOME "/f\" write,create,file 0 OK\n"
				    "close 0 OK\n"
				    "xattr-set \"" HOME "/f\" \"user.a\" 7 OK\n"
				    "ENDSETUP\n"
				    "xattr-get \"" HOME "/f\" \"user.a\" 7 7 OK\n"
				    "xattr-get \"" HOME "/f\" \"user.b\" 0 - ENODATA|EOPNOTSUPP\n");
}

static void make(struct recording *recording, uint32_t task, const char *path)
{
	recording_task(recording, task);
	assert_true(name(recording, OP_MKDIR, path, NULL, 0));
}

static void tasks_become_streams(void **state)
{
	struct recording *recording = recording_new(0);
	uint32_t first = recording_task_begin(recording, TASK_NONE), child, idle, other;

	make(recording, first, "a");
	child = recording_task_begin(recording, first);
	make(recording, first, "b");
	make(recording, child, "c");
	/* One without operations has no stream, and its child waits for what its
	 * parent did. */
	idle = recording_task_begin(recording, child);
	other = recording_task_begin(recording, idle);
	make(recording, other, "d");
	/* Waiting for the idle one means waiting for its child. */
	recording_task_end(recording, other);
	recording_task(recording, idle);
	recording_task_wait(recording, other);
	recording_task_end(recording, idle);
	recording_task(recording, first);
	recording_task_wait(recording, idle);
	make(recording, first, "e");
	expect_load(recording, HEAD "ENDSETUP\n"
				    "mkdir \"" HOME "/a\" OK\n"
				    "STREAM 1\n"
				    "AFTER 0\n"
				    "STREAM 0\n"
				    "mkdir \"" HOME "/b\" OK\n"
				    "STREAM 1\n"
				    "mkdir \"" HOME "/c\" OK\n"
				    "STREAM 2\n"
				    "AFTER 1\n"
				    "mkdir \"" HOME "/d\" OK\n"
				    "STREAM 0\n"
				    "AFTER 2\n"
				    "mkdir \"" HOME "/e\" OK\n");
}

/* A task takes the stream of one that its parent has waited for, and no other one. */
static void streams_are_used_again(void **state)
{
	struct recording *recording = recording_new(0);
	uint32_t first = recording_task_begin(recording, TASK_NONE), awaited, lost, third;

	make(recording, first, "a");
	awaited = recording_task_begin(recording, first);
	make(recording, awaited, "b");
	lost = recording_task_begin(recording, first);
	make(recording, lost, "c");
	recording_task_end(recording, awaited);
	recording_task_end(recording, lost);
	third = recording_task_begin(recording, first);
	make(recording, third, "d");
	recording_task(recording, first);
	recording_task_wait(recording, awaited);
	make(recording, recording_task_begin(recording, first), "e");
	expect_load(recording, HEAD "ENDSETUP\n"
				    "mkdir \"" HOME "/a\" OK\n"
				    "STREAM 1\n"
				    "AFTER 0\n"
				    "mkdir \"" HOME "/b\" OK\n"
				    "STREAM 2\n"
				    "AFTER 0\n"
				    "mkdir \"" HOME "/c\" OK\n"
				    "STREAM 3\n"
				    "AFTER 0\n"
				    "mkdir \"" HOME "/d\" OK\n"
				    "STREAM 0\n"
				    "AFTER 1\n"
				    "STREAM 1\n"
				    "AFTER 0\n"
				    "mkdir \"" HOME "/e\" OK\n");
}

static void more_tasks_share_the_streams(void **state)
{
	struct recording *recording = recording_new(0);
	struct recording_totals totals;
	struct error error = {0};
	struct program *program;
	uint32_t task, last = 0;
	char path[8];
	size_t i;

	for (task = 0; task < PROGRAM_STREAMS_MAX + 6; task++) {
		snprintf(path, sizeof(path), "%u", task);
		make(recording, recording_task_begin(recording, TASK_NONE), path);
	}
	program = recording_finish(recording, "test", &totals, &error);
	assert_non_null(program);
	assert_int_equal(totals.streams, PROGRAM_STREAMS_MAX);
	assert_int_equal(totals.tasks_max, PROGRAM_STREAMS_MAX + 6);
	for (i = 0; i < program->op_count; i++)
		if (program->ops[i].kind == OP_STREAM)
			last = (uint32_t)program->ops[i].number;
	assert_int_equal(last, 5);
	program_free(program);
	recording_free(recording);
}

/* Each call is in one row. */
static void the_rows_sum_to_the_calls(void **state)
{
	struct recording *recording = recording_new(0);
	struct conversion *conversion = recording_conversion(recording);
	uint64_t line = 0;

	recording_begin(recording, "stat", 0, 1);
	assert_true(name(recording, OP_MKDIR, "d", NULL, 0));
	recording_begin(recording, "mmap", 0, 70);
	conversion_set(conversion, CONVERSION_DROPPED, "shared mapping");
	conversion_set(conversion, CONVERSION_APPROXIMATED, "read of a range");
	assert_true(conversion_is_dropped(conversion));
	recording_begin(recording, "getcwd", 0, 71);
	conversion_set(conversion, CONVERSION_MERGED, "working directory");
	conversion_end(conversion);
	assert_int_equal(conversion_calls(conversion), 4);
	assert_int_equal(conversion->counts[CONVERSION_DROPPED], 1);
	assert_int_equal(conversion->counts[CONVERSION_APPROXIMATED], 0);
	assert_int_equal(conversion->counts[CONVERSION_MERGED], 1);
	assert_int_equal(conversion->counts[CONVERSION_CONVERTED], 2);
	assert_string_equal(conversion_first_dropped(conversion, &line), "shared mapping");
	assert_int_equal(line, 70);
	recording_free(recording);
}

int unit_recording(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_that_was_read_existed_before),
		cmocka_unit_test(an_unread_part_is_not_laid_out),
		cmocka_unit_test(ranges_are_laid_out),
		cmocka_unit_test(locks_are_replaced),
		cmocka_unit_test(names_are_followed),
		cmocka_unit_test(listings_are_counted),
		cmocka_unit_test(links_lead_to_files),
		cmocka_unit_test(loops_of_links_fail),
		cmocka_unit_test(handles_get_their_names_later),
		cmocka_unit_test(names_are_spelled),
		cmocka_unit_test(attributes_are_laid_out),
		cmocka_unit_test(tasks_become_streams),
		cmocka_unit_test(streams_are_used_again),
		cmocka_unit_test(more_tasks_share_the_streams),
		cmocka_unit_test(the_rows_sum_to_the_calls),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
