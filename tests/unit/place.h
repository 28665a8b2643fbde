/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A target of the posix backend in a fresh directory, for unit tests of code
 * that uses a backend. `backend` is a copy, so that a test can replace slots by
 * its own functions; `posix` has the real ones.
 */
#ifndef TESTS_PLACE_H
#define TESTS_PLACE_H

#include "target/backends.h"
#include "target/target.h"
#include "target/tree.h"

#include <fcntl.h>
#include <ftw.h>
#include <sys/stat.h>

struct place {
	char root[256];
	struct target target;
	const struct backend *posix;
	struct backend backend;
	struct backend_session *session;
	uint64_t steps;
	struct tree *tree;
};

/* Check if the name exists, even as a dangling link. */
static inline bool exists(const struct place *place, const char *name)
{
	char path[PATH_MAX];
	struct stat status;

	snprintf(path, sizeof(path), "%s/%s", place->root, name);
	return lstat(path, &status) == 0;
}

static inline void make_directory(const struct place *place, const char *name)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/%s", place->root, name);
	assert_int_equal(mkdir(path, 0777), 0);
}

static inline void make_file(const struct place *place, const char *name, const void *bytes,
			     size_t size)
{
	char path[PATH_MAX];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", place->root, name);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, size), size);
	close(fd);
}

static inline void open_place(struct place *place)
{
	struct error error = {0};

	*place = (struct place){0};
	snprintf(place->root, sizeof(place->root), "%s/throng-test.XXXXXX",
		 getenv("TMPDIR") != NULL ? getenv("TMPDIR") : "/tmp");
	assert_non_null(mkdtemp(place->root));
	assert_int_equal(target_parse(place->root, &place->target, &error), 0);
	place->posix = place->target.backend;
	place->backend = *place->posix;
	assert_int_equal(place->posix->session_open(&place->target, 0, &place->session), 0);
	place->tree = tree_new(&place->backend, place->session, &place->steps);
	assert_non_null(place->tree);
}

static inline int remove_one(const char *path, const struct stat *status, int type,
			     struct FTW *walk)
{
	return remove(path);
}

static inline void close_place(struct place *place)
{
	free(place->tree);
	place->posix->session_close(place->session);
	target_free(&place->target);
	assert_int_equal(nftw(place->root, remove_one, 16, FTW_DEPTH | FTW_PHYS), 0);
}

#endif
