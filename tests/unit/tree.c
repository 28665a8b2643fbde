/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "place.h"

#include <dirent.h>
#include <errno.h>

/* The target of the current test (place.h); the slots below use it. */
static struct place place;

static int begin(void **state)
{
	open_place(&place);
	make_directory(&place, "top");
	return 0;
}

static int end(void **state)
{
	close_place(&place);
	return 0;
}

static void a_tree_is_removed_and_its_neighbours_kept(void **state)
{
	make_directory(&place, "top/a");
	make_directory(&place, "top/a/b");
	make_directory(&place, "top/empty");
	make_file(&place, "top/a/b/file", "x", 1);
	make_file(&place, "top/.hidden", "x", 1);
	make_directory(&place, "topmost");
	make_file(&place, "topmost/file", "x", 1);

	assert_int_equal(tree_empty(place.tree, "top"), 0);
	assert_true(exists(&place, "top"));
	assert_false(exists(&place, "top/a"));
	assert_false(exists(&place, "top/empty"));
	assert_false(exists(&place, "top/.hidden"));
	/* Two files and three directories were removed, one step each. */
	assert_int_equal(place.steps, 5);

	make_directory(&place, "top/a");
	assert_int_equal(tree_remove(place.tree, "top"), 0);
	assert_false(exists(&place, "top"));
	assert_true(exists(&place, "topmost/file"));
}

static void the_top_must_be_an_existing_directory(void **state)
{
	char top[PATH_MAX + 1];
	size_t i;

	make_file(&place, "file", "x", 1);
	assert_int_equal(tree_empty(place.tree, "none"), -ENOENT);
	assert_int_equal(tree_remove(place.tree, "none"), -ENOENT);
	assert_int_equal(tree_empty(place.tree, "file"), -ENOTDIR);
	assert_true(exists(&place, "file"));
	assert_int_equal(tree_remove(place.tree, "file"), 0);
	assert_false(exists(&place, "file"));

	/* A top with too little room for names below it is refused. */
	for (i = 0; i < PATH_MAX; i++)
		top[i] = "x/"[i % 2];
	top[PATH_MAX] = '\0';
	assert_int_equal(tree_unlink_matching(place.tree, top, "*"), -ENAMETOOLONG);
	top[PATH_MAX - 100] = '\0';
	assert_int_equal(tree_empty(place.tree, top), -ENAMETOOLONG);
}

/* List a directory as some servers do: don't report the kinds of the entries,
 * and follow links. */
static int list_vaguely(struct backend_session *session, const struct backend_path *path,
			backend_visit *visit, void *context)
{
	char directory[PATH_MAX];
	DIR *listed;
	struct dirent *entry;

	snprintf(directory, sizeof(directory), "%s/%s", place.root, path->text);
	listed = opendir(directory);
	if (listed == NULL)
		return -errno;
	while ((entry = readdir(listed)) != NULL && visit(context, entry->d_name, ENTRY_UNKNOWN))
		;
	closedir(listed);
	return 0;
}

/* Return EPERM for a directory, as POSIX specifies for unlink(2). (Linux
 * returns EISDIR.) */
static int unlink_by_posix(struct backend_session *session, const struct backend_path *path)
{
	int rc = place.posix->unlink(session, path);

	return rc == -EISDIR ? -EPERM : rc;
}

static void vague_backends_are_handled(void **state)
{
	char path[PATH_MAX];

	place.backend.list = list_vaguely;
	place.backend.unlink = unlink_by_posix;
	make_directory(&place, "kept");
	make_file(&place, "kept/file", "x", 1);
	snprintf(path, sizeof(path), "%s/linked", place.root);
	assert_int_equal(symlink("kept", path), 0);
	snprintf(path, sizeof(path), "%s/top/link", place.root);
	assert_int_equal(symlink("../kept", path), 0);
	make_directory(&place, "top/a");
	make_file(&place, "top/a/file", "x", 1);

	assert_int_equal(tree_empty(place.tree, "linked"), -ENOTDIR);
	assert_int_equal(tree_remove(place.tree, "top"), 0);
	assert_false(exists(&place, "top"));
	assert_true(exists(&place, "kept/file"));
}

static void links_are_removed_and_not_followed(void **state)
{
	char path[PATH_MAX];

	make_directory(&place, "kept");
	make_file(&place, "kept/file", "x", 1);
	snprintf(path, sizeof(path), "%s/top/link", place.root);
	assert_int_equal(symlink("../kept", path), 0);
	snprintf(path, sizeof(path), "%s/top/file", place.root);
	assert_int_equal(symlink("../kept/file", path), 0);
	snprintf(path, sizeof(path), "%s/top/nowhere", place.root);
	assert_int_equal(symlink("none", path), 0);
	snprintf(path, sizeof(path), "%s/linked", place.root);
	assert_int_equal(symlink("kept", path), 0);

	assert_int_equal(tree_empty(place.tree, "top"), 0);
	assert_false(exists(&place, "top/link"));
	assert_false(exists(&place, "top/file"));
	assert_false(exists(&place, "top/nowhere"));

	/* A top that is a link is not followed either. */
	assert_true(tree_empty(place.tree, "linked") < 0);
	assert_true(exists(&place, "kept/file"));
	assert_int_equal(tree_remove(place.tree, "linked"), 0);
	assert_false(exists(&place, "linked"));
	assert_true(exists(&place, "kept/file"));
}

static void a_tree_deeper_than_any_path_is_removed(void **state)
{
	char level[201];
	int fd, below, i;

	memset(level, 'd', sizeof(level) - 1);
	level[sizeof(level) - 1] = '\0';
	fd = open(place.root, O_RDONLY | O_DIRECTORY);
	assert_int_equal(mkdirat(fd, "top/deep", 0777), 0);
	below = openat(fd, "top/deep", O_RDONLY | O_DIRECTORY);
	close(fd);
	for (i = 0; i < 3 * PATH_MAX / 200; i++) {
		fd = below;
		assert_int_equal(mkdirat(fd, level, 0777), 0);
		below = openat(fd, level, O_RDONLY | O_DIRECTORY);
		assert_true(below >= 0);
		close(fd);
	}
	close(below);
	/* Directories too deep for a path are moved up, to names such as these.
	 * As these names are in use, other ones must be chosen. */
	make_file(&place, "top/.throng-0", "x", 1);
	make_directory(&place, "top/.throng-1");
	make_file(&place, "top/.throng-1/file", "x", 1);

	assert_int_equal(tree_remove(place.tree, "top"), 0);
	assert_false(exists(&place, "top"));
}

enum { MANY = 200 };

/* Make more files than the buffer for a listing has room for. */
static void make_many_files(void)
{
	char name[256];
	int i;

	memset(name, 'n', sizeof(name));
	memcpy(name, "top/", 4);
	for (i = 0; i < MANY; i++) {
		snprintf(name + 240, sizeof(name) - 240, "%03d", i);
		make_file(&place, name, "x", 1);
	}
}

static void more_names_than_fit_a_listing_are_removed(void **state)
{
	make_many_files();
	assert_int_equal(tree_unlink_matching(place.tree, "top", "*"), 0);
	assert_int_equal(place.steps, MANY);
	assert_int_equal(tree_unlink_matching(place.tree, "top", "*"), -ENOENT);
	make_many_files();
	assert_int_equal(tree_remove(place.tree, "top"), 0);
	assert_false(exists(&place, "top"));
}

static const char *mounted; /* the path at which something is mounted */

static int find_mount(struct backend_session *session, const struct backend_path *path,
		      uint64_t *mount)
{
	size_t length = strlen(mounted);

	*mount = strncmp(path->text, mounted, length) == 0 &&
				 (path->text[length] == '/' || path->text[length] == '\0')
			 ? 2
			 : 1;
	return 0;
}

static int fail_to_find_mount(struct backend_session *session, const struct backend_path *path,
			      uint64_t *mount)
{
	return -EIO;
}

static void mounts_are_not_entered(void **state)
{
	make_directory(&place, "top/a");
	make_directory(&place, "top/a/mounted");
	make_file(&place, "top/a/mounted/file", "x", 1);
	place.backend.mount_of = find_mount;

	mounted = "top/a/mounted";
	assert_int_equal(tree_remove(place.tree, "top"), -EXDEV);
	assert_string_equal(place.tree->path, "top/a/mounted");
	assert_string_equal(tree_strerror(-EXDEV),
			    "a file system is mounted there; unmount this file system first");
	assert_true(exists(&place, "top/a/mounted/file"));

	/* Nor is the top itself entered, if something is mounted there. */
	mounted = "top";
	assert_int_equal(tree_remove(place.tree, "top"), -EXDEV);
	assert_true(exists(&place, "top/a/mounted/file"));

	/* An error of mount_of is not ignored. */
	place.backend.mount_of = fail_to_find_mount;
	assert_int_equal(tree_remove(place.tree, "top"), -EIO);
	assert_true(exists(&place, "top/a/mounted/file"));

	/* Without the slot, mounts cannot be seen and are entered. */
	place.backend.mount_of = NULL;
	assert_int_equal(tree_remove(place.tree, "top"), 0);
	assert_false(exists(&place, "top"));
}

/* A directory that cannot be listed. */
static const char *closed;

static int list_unless_closed(struct backend_session *session, const struct backend_path *path,
			      backend_visit *visit, void *context)
{
	if (strcmp(path->text, closed) == 0)
		return -EACCES;
	return place.posix->list(session, path, visit, context);
}

static void an_empty_directory_need_not_be_listed(void **state)
{
	make_directory(&place, "top/a");
	make_directory(&place, "top/a/b");
	make_file(&place, "top/file", "x", 1);
	place.backend.list = list_unless_closed;
	closed = "top/a/b";
	assert_int_equal(tree_remove(place.tree, "top"), 0);
	assert_false(exists(&place, "top"));

	make_directory(&place, "top");
	make_directory(&place, "top/a");
	make_file(&place, "top/a/file", "x", 1);
	closed = "top/a";
	assert_int_equal(tree_remove(place.tree, "top"), -EACCES);
	assert_string_equal(place.tree->path, "top/a");
	assert_true(exists(&place, "top/a/file"));
}

static bool is_theirs(const char *name)
{
	return strcmp(name, "theirs") == 0;
}

static unsigned lists_left; /* lists before another process makes its name */

static int list_late(struct backend_session *session, const struct backend_path *path,
		     backend_visit *visit, void *context)
{
	if (lists_left > 0 && --lists_left == 0)
		make_directory(&place, "top/theirs");
	return place.posix->list(session, path, visit, context);
}

static void a_removal_ends_when_others_come(void **state)
{
	unsigned i;

	/* Such a name below the top is any other. */
	make_directory(&place, "top/a");
	make_file(&place, "top/a/theirs", "x", 1);
	assert_int_equal(tree_empty_unless(place.tree, "top", is_theirs), 0);
	assert_false(exists(&place, "top/a"));
	place.backend.list = list_late;
	for (i = 1; i <= 3; i++) {
		make_directory(&place, "top/a");
		make_file(&place, "top/a/file", "x", 1);
		lists_left = i;
		assert_int_equal(tree_empty_unless(place.tree, "top", is_theirs), 1);
		assert_true(exists(&place, "top/theirs"));
		/* Nothing is removed after it was seen. */
		assert_int_equal(exists(&place, "top/a/file"), i == 1);
		assert_int_equal(tree_empty(place.tree, "top"), 0);
		assert_false(exists(&place, "top/theirs"));
	}
}

static const char *vanishing; /* another process removes this path first */

static int unlink_late(struct backend_session *session, const struct backend_path *path)
{
	if (vanishing != NULL && strcmp(path->text, vanishing) == 0)
		assert_int_equal(place.posix->unlink(session, path), 0);
	return place.posix->unlink(session, path);
}

static void a_name_that_vanishes_meanwhile_is_ignored(void **state)
{
	make_file(&place, "top/file", "x", 1);
	make_file(&place, "top/other", "x", 1);
	place.backend.unlink = unlink_late;
	vanishing = "top/file";
	assert_int_equal(tree_remove(place.tree, "top"), 0);
	assert_false(exists(&place, "top"));
}

/* Add an entry to the listing that can never be found. */
static int list_a_ghost(struct backend_session *session, const struct backend_path *path,
			backend_visit *visit, void *context)
{
	int rc = place.posix->list(session, path, visit, context);

	if (rc == 0 && strcmp(path->text, vanishing) == 0)
		visit(context, "ghost", ENTRY_FILE);
	return rc;
}

static void a_name_that_is_never_found_ends_the_loop(void **state)
{
	make_directory(&place, "top/a");
	place.backend.list = list_a_ghost;
	vanishing = "top/a";
	assert_int_equal(tree_remove(place.tree, "top"), -EIO);
	assert_string_equal(place.tree->path, "top/a");
	/* At the top, an entry that is listed but not found is not an error,
	 * because another process may have removed it. */
	vanishing = "top";
	assert_int_equal(tree_remove(place.tree, "top"), 0);
	assert_false(exists(&place, "top"));
}

static const char *staying; /* the end of paths that stay listed; "": of all */

static bool stays(const struct backend_path *path)
{
	size_t length = strlen(path->text), end = strlen(staying);

	return length >= end && strcmp(path->text + length - end, staying) == 0;
}

static int unlink_falsely(struct backend_session *session, const struct backend_path *path)
{
	return stays(path) ? 0 : place.posix->unlink(session, path);
}

static int rmdir_falsely(struct backend_session *session, const struct backend_path *path)
{
	return stays(path) ? 0 : place.posix->rmdir(session, path);
}

/* A target may say that it has removed a name, and list it for ever. */
static void names_that_stay_listed_end_the_loop(void **state)
{
	place.backend.unlink = unlink_falsely;
	place.backend.rmdir = rmdir_falsely;
	make_directory(&place, "top/a");
	make_file(&place, "top/a/file", "x", 1);
	make_file(&place, "top/a/other", "x", 1);
	staying = "/file";
	assert_int_equal(tree_remove(place.tree, "top"), -ENOTEMPTY);
	assert_string_equal(place.tree->path, "top/a");
	assert_false(exists(&place, "top/a/other"));
	/* A few tries, because others may make the name again. */
	assert_in_range(place.steps, 4, 20);
	assert_int_equal(tree_empty(place.tree, "top/a"), -ENOTEMPTY);
	assert_string_equal(place.tree->path, "top/a");

	staying = "/a";
	assert_int_equal(tree_remove(place.tree, "top"), -ENOTEMPTY);
	assert_string_equal(place.tree->path, "top");
	assert_false(exists(&place, "top/a/file"));
}

static void many_names_that_stay_listed_end_the_loop(void **state)
{
	make_many_files();
	place.backend.unlink = unlink_falsely;
	staying = "";
	assert_int_equal(tree_unlink_matching(place.tree, "top", "*"), -ENOTEMPTY);
	assert_int_equal(tree_remove(place.tree, "top"), -ENOTEMPTY);
	assert_string_equal(place.tree->path, "top");
}

static unsigned times_made; /* how often another process makes the file again */

static int unlink_and_make(struct backend_session *session, const struct backend_path *path)
{
	int rc = place.posix->unlink(session, path);

	if (times_made > 0)
		make_file(&place, path->text, "x", 1);
	times_made -= times_made > 0;
	return rc;
}

static void a_name_that_is_made_again_is_removed_again(void **state)
{
	make_file(&place, "top/file", "x", 1);
	place.backend.unlink = unlink_and_make;
	times_made = 3;
	assert_int_equal(tree_remove(place.tree, "top"), 0);
	assert_false(exists(&place, "top"));
}

static unsigned times_pending; /* how often a name cannot be removed yet */

static int unlink_later(struct backend_session *session, const struct backend_path *path)
{
	if (times_pending == 0)
		return place.posix->unlink(session, path);
	times_pending--;
	return -EBUSY;
}

static void a_name_in_use_is_tried_again_for_a_while(void **state)
{
	make_file(&place, "top/file", "x", 1);
	place.backend.unlink = unlink_later;
	/* A local path is in use for ever. */
	place.tree->patience_ns = 3600 * NS_PER_S;
	times_pending = 1;
	assert_int_equal(tree_remove(place.tree, "top"), -EBUSY);
	place.backend.pins_open_names = true;
	times_pending = 2;
	assert_int_equal(tree_remove(place.tree, "top"), 0);
	assert_false(exists(&place, "top"));

	make_directory(&place, "top");
	make_file(&place, "top/file", "x", 1);
	place.tree->patience_ns = 1;
	times_pending = UINT_MAX;
	assert_int_equal(tree_remove(place.tree, "top"), -EBUSY);
	assert_string_equal(place.tree->path, "top/file");
	place.tree->patience_ns = 0; /* an operation of the load */
	times_pending = 1;
	assert_int_equal(tree_remove(place.tree, "top"), -EBUSY);
}

static int fail_to_unlink(struct backend_session *session, const struct backend_path *path)
{
	return strcmp(path->text, "top/a/file") == 0 ? -EACCES : place.posix->unlink(session, path);
}

static void a_failure_stops_and_names_the_path(void **state)
{
	make_directory(&place, "top/a");
	make_file(&place, "top/a/file", "x", 1);
	place.backend.unlink = fail_to_unlink;
	assert_int_equal(tree_remove(place.tree, "top"), -EACCES);
	assert_string_equal(place.tree->path, "top/a/file");
	assert_string_equal(tree_strerror(-EACCES), "Permission denied");
	assert_true(exists(&place, "top/a/file"));
}

static void matching_files_are_removed_and_directories_kept(void **state)
{
	make_file(&place, "top/a.tmp", "x", 1);
	make_file(&place, "top/b.tmp", "x", 1);
	make_file(&place, "top/c.dat", "x", 1);
	make_directory(&place, "top/d.tmp");
	make_file(&place, "top/d.tmp/e.tmp", "x", 1);

	assert_int_equal(tree_unlink_matching(place.tree, "top", "*.tmp"), 0);
	assert_false(exists(&place, "top/a.tmp"));
	assert_false(exists(&place, "top/b.tmp"));
	assert_true(exists(&place, "top/c.dat"));
	assert_true(exists(&place, "top/d.tmp/e.tmp"));
	assert_int_equal(tree_unlink_matching(place.tree, "top", "*.tmp"), -ENOENT);
	assert_int_equal(tree_unlink_matching(place.tree, "none", "*"), -ENOENT);
	/* tree_remove ignores the pattern of the calls above, and removes
	 * everything. */
	assert_int_equal(tree_remove(place.tree, "top"), 0);
	assert_false(exists(&place, "top"));
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, begin, end)

int unit_tree(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_tree_is_removed_and_its_neighbours_kept),
		TEST(the_top_must_be_an_existing_directory),
		TEST(vague_backends_are_handled),
		TEST(links_are_removed_and_not_followed),
		TEST(a_tree_deeper_than_any_path_is_removed),
		TEST(more_names_than_fit_a_listing_are_removed),
		TEST(mounts_are_not_entered),
		TEST(an_empty_directory_need_not_be_listed),
		TEST(a_removal_ends_when_others_come),
		TEST(a_name_that_vanishes_meanwhile_is_ignored),
		TEST(a_name_that_is_never_found_ends_the_loop),
		TEST(names_that_stay_listed_end_the_loop),
		TEST(many_names_that_stay_listed_end_the_loop),
		TEST(a_name_that_is_made_again_is_removed_again),
		TEST(a_name_in_use_is_tried_again_for_a_while),
		TEST(a_failure_stops_and_names_the_path),
		TEST(matching_files_are_removed_and_directories_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
