/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two runs at a target (place.h), for unit tests of what a run makes there, and
 * that its removal touches nothing else, whatever fails and whoever changes the
 * target meanwhile. A test makes such a change from within a slot of the backend,
 * just before the slot's real call.
 */
#ifndef TESTS_PLAYERS_H
#define TESTS_PLAYERS_H

#include "place.h"
#include "workdir/remove.h"
#include "workdir/rundir.h"

#include <dirent.h>

enum { USERS = 3 };

/* The target of the current test (place.h); the slots below use it. */
static struct place place;
static struct error error;

/* A run, and its claim. */
struct player {
	struct identity run;
	struct rundir_request request;
	struct rundir_claim claim;
};

static struct player us, them;

static inline void be(struct player *player, const char *workdir)
{
	*player = (struct player){.claim.lock_fd = -1};
	assert_int_equal(identity_make(&player->run), 0);
	player->request = (struct rundir_request){
		.run = &player->run,
		.workdir = workdir,
		.users = USERS,
	};
}

static inline void at_target(void)
{
	struct error why = {0};

	assert_int_equal(tree_reopen(place.tree, &place.target, &why), 0);
}

static inline int claim(struct player *player)
{
	at_target();
	error = (struct error){0};
	return rundir_claim(place.tree, &player->request, &player->claim, &error);
}

static inline int take_away(const struct run_file *file)
{
	at_target();
	error = (struct error){0};
	return rundir_remove(place.tree, &place.target, file, &error);
}

static inline void end_lock(struct player *player)
{
	if (player->claim.lock_fd >= 0)
		close(player->claim.lock_fd);
	player->claim.lock_fd = -1;
}

static inline int leave(struct player *player)
{
	int rc = take_away(&player->claim.file);

	end_lock(player);
	return rc;
}

static inline int begin(void **state)
{
	open_place(&place);
	be(&us, NULL);
	be(&them, NULL);
	return 0;
}

static inline int end(void **state)
{
	end_lock(&us);
	end_lock(&them);
	at_target();
	place.session = place.tree->session;
	close_place(&place);
	return 0;
}

/* Return a path below the target; printf's arguments. */
static inline __attribute__((format(printf, 1, 2))) const char *at(const char *format, ...)
{
	static char paths[4][PATH_MAX];
	static unsigned next;
	char *path = paths[next++ % LENGTH(paths)];
	int used = snprintf(path, PATH_MAX, "%s/", place.root);
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(path + used, (size_t)(PATH_MAX - used), format, arguments);
	va_end(arguments);
	return path;
}

static inline bool is_there(const char *path)
{
	struct stat found;

	return lstat(path, &found) == 0;
}

/* Make a file that cannot be taken for a run file, not even one that is being written. */
static inline void put(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, "notes\n", 6), 6);
	close(fd);
}

/* Return how many names the target has. */
static inline unsigned names_left(void)
{
	DIR *listed = opendir(place.root);
	unsigned count = 0;

	assert_non_null(listed);
	while (readdir(listed) != NULL)
		count++;
	closedir(listed);
	return count - 2;
}

static inline void expect_nothing_left(void)
{
	assert_int_equal(names_left(), 0);
}

/* Do what users do: make files in their directories and beside them. */
static inline void play(const char *directory)
{
	assert_int_equal(mkdir(at("%s/clients/client7", directory), 0777), 0);
	put(at("%s/clients/client7/file", directory));
	assert_int_equal(mkdir(at("%s/web", directory), 0777), 0);
	put(at("%s/web/index", directory));
	assert_int_equal(symlink("/", at("%s/link", directory)), 0);
}

/* Write the n-th name of our run, counted from 0. */
static inline const char *own_name(unsigned part, char name[RUN_NAME_SIZE])
{
	snprintf(name, RUN_NAME_SIZE, "throng-%.8s", us.run.id + 8 * part);
	return name;
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, begin, end)

#endif
