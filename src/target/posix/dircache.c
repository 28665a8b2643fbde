/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/posix/dircache.h"

#include "base/intern.h"
#include "base/letter_case.h"
#include "words/layout.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OPEN_MAX_DIRECTORIES = 128 };

#define DIRECTORY_FLAGS (O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

/* A directory that contains a path of the load. */
struct directory {
	struct directory *parent; /* NULL for the target itself */
	int fd;                   /* -1: not open */
	bool shared;              /* looked up each time, never kept open */
	const char *text;         /* its path, a string in cache->texts */
	const char *name;         /* the last component, inside `text` */
};

/* A made path: backend_path.made points to it. */
struct made_path {
	struct directory *directory;
	struct made_path *next;
	enum { UNKNOWN, IS_NONE, IS_DIRECTORY } kind; /* see contains_directory() */
	char leaf[];
};

struct dircache {
	struct intern texts;
	/* directories[N] has the path with number N in `texts`. */
	struct directory **directories;
	struct directory *root;
	struct made_path *made_paths;
	/* A ring of the open directories: when it is full, opening another one
	 * closes the oldest. */
	struct directory *open[OPEN_MAX_DIRECTORIES];
	unsigned next_open;
	/* The directory that walk() has last opened (-1: none), and its path.
	 * Consecutive paths are often in the same directory. */
	int walked_fd;
	char walked[PATH_MAX];
	/*
	 * What was moved or removed through this cache or through those that
	 * share with it; all of them use the first one's. NULL: the cache shares
	 * with none.
	 */
	struct moves {
		uint32_t directories; /* number of times that one of `texts` was */
		uint32_t names;       /* number of times that any name was */
	} *moves, own_moves, moves_seen;
};

/* Find the directory whose path is `text`; if it is new, add it and its
 * parents. */
static struct directory *find_directory(struct dircache *cache, const char *text, size_t length)
{
	int64_t number = intern_find(&cache->texts, text, length);
	const char *slash = memrchr(text, '/', length);
	struct directory *directory, *parent = NULL, **larger;
	int is_new;

	if (number >= 0)
		return cache->directories[number];
	if (length > 0) {
		parent = find_directory(cache, text, slash != NULL ? (size_t)(slash - text) : 0);
		if (parent == NULL)
			return NULL;
	}
	larger = reallocarray(cache->directories, cache->texts.count + 1, sizeof(*larger));
	if (larger == NULL)
		return NULL;
	cache->directories = larger;
	directory = malloc(sizeof(*directory));
	if (directory != NULL)
		number = intern(&cache->texts, text, length, &is_new);
	if (number < 0) {
		free(directory);
		return NULL;
	}
	*directory = (struct directory){
		.parent = parent,
		.fd = -1,
		.text = cache->texts.keys[number].bytes,
	};
	slash = strrchr(directory->text, '/');
	directory->name = slash != NULL ? slash + 1 : directory->text;
	directory->shared = !layout_is_private(directory->text);
	cache->directories[number] = directory;
	return directory;
}

/* Make a cache for the directory `fd`, which it takes. Return NULL if there is no
 * memory. */
static struct dircache *new_cache(int fd)
{
	struct dircache *cache = calloc(1, sizeof(*cache));

	if (cache != NULL) {
		cache->walked_fd = -1;
		cache->root = find_directory(cache, "", 0);
	}
	if (cache == NULL || cache->root == NULL) {
		close(fd);
		dircache_close(cache);
		return NULL;
	}
	cache->root->fd = fd;
	return cache;
}

int dircache_open(const char *target, struct dircache **cache)
{
	/* Don't use O_NOFOLLOW: the user has named the target, so it may be a
	 * symbolic link. */
	int fd = open(target, O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return -errno;
	*cache = new_cache(fd);
	return *cache != NULL ? 0 : -ENOMEM;
}

int dircache_share(struct dircache *cache, struct dircache **other)
{
	int fd = fcntl(cache->root->fd, F_DUPFD_CLOEXEC, 0);

	if (fd < 0)
		return -errno;
	*other = new_cache(fd);
	if (*other == NULL)
		return -ENOMEM;
	cache->moves = (*other)->moves = &cache->own_moves;
	return 0;
}

void dircache_close(struct dircache *cache)
{
	size_t i;

	if (cache == NULL)
		return;
	for (i = 0; i < cache->texts.count; i++) {
		if (cache->directories[i]->fd >= 0)
			close(cache->directories[i]->fd);
		free(cache->directories[i]);
	}
	free(cache->directories);
	intern_free(&cache->texts);
	while (cache->made_paths != NULL) {
		struct made_path *made = cache->made_paths;

		cache->made_paths = made->next;
		free(made);
	}
	if (cache->walked_fd >= 0)
		close(cache->walked_fd);
	free(cache);
}

int dircache_root(const struct dircache *cache)
{
	return cache->root->fd;
}

/* Split a path: return the length of its parent's path, and set *leaf to its
 * last component. */
static size_t split(const char *text, const char **leaf)
{
	const char *slash = strrchr(text, '/');

	if (slash != NULL) {
		*leaf = slash + 1;
		return (size_t)(slash - text);
	}
	*leaf = *text != '\0' ? text : ".";
	return 0;
}

int dircache_make(struct dircache *cache, struct backend_path *path)
{
	const char *leaf;
	size_t parent = split(path->text, &leaf);
	struct made_path *made = malloc(sizeof(*made) + strlen(leaf) + 1);

	if (made == NULL)
		return -ENOMEM;
	strcpy(made->leaf, leaf);
	made->directory = find_directory(cache, path->text, parent);
	if (made->directory == NULL) {
		free(made);
		return -ENOMEM;
	}
	made->kind = UNKNOWN;
	made->next = cache->made_paths;
	cache->made_paths = made;
	path->made = made;
	return 0;
}

static void forget_walked(struct dircache *cache)
{
	if (cache->walked_fd >= 0)
		close(cache->walked_fd);
	cache->walked_fd = -1;
}

int dircache_enter(struct dircache *cache, const char *name)
{
	int fd = openat(cache->root->fd, name, DIRECTORY_FLAGS);

	if (fd < 0)
		return -errno;
	forget_walked(cache);
	close(cache->root->fd);
	cache->root->fd = fd;
	return 0;
}

/* Open the directory whose path is the first `length` bytes of `text`,
 * component by component. Return its descriptor or -errno. */
static int walk(struct dircache *cache, const char *text, size_t length)
{
	char *component;
	int fd = cache->root->fd;

	if (length == 0)
		return fd;
	if (length >= sizeof(cache->walked))
		return -ENAMETOOLONG;
	if (cache->walked_fd >= 0 && strlen(cache->walked) == length &&
	    memcmp(cache->walked, text, length) == 0 && layout_is_private(text))
		return cache->walked_fd;
	forget_walked(cache);
	memcpy(cache->walked, text, length);
	cache->walked[length] = '\0';
	for (component = cache->walked; component != NULL;) {
		char *slash = strchr(component, '/');
		int below, error_number;

		if (slash != NULL)
			*slash = '\0';
		below = openat(fd, component, DIRECTORY_FLAGS);
		error_number = errno;
		if (fd != cache->root->fd)
			close(fd);
		if (below < 0)
			return -error_number;
		fd = below;
		if (slash != NULL)
			*slash++ = '/';
		component = slash;
	}
	cache->walked_fd = fd;
	return fd;
}

static void keep_open(struct dircache *cache, struct directory *directory)
{
	struct directory **slot = &cache->open[cache->next_open];

	if (*slot != NULL && (*slot)->fd >= 0) {
		close((*slot)->fd);
		(*slot)->fd = -1;
	}
	*slot = directory;
	cache->next_open = (cache->next_open + 1) % OPEN_MAX_DIRECTORIES;
}

/* Return the directory's descriptor; open it and its parents if needed. */
static int open_directory(struct dircache *cache, struct directory *directory)
{
	int parent, fd;

	if (directory->fd >= 0)
		return directory->fd;
	parent = open_directory(cache, directory->parent);
	if (parent < 0)
		return parent;
	fd = openat(parent, directory->name, DIRECTORY_FLAGS);
	if (fd < 0)
		return -errno;
	keep_open(cache, directory);
	directory->fd = fd;
	return fd;
}

/* Check if `text` is the directory `top` or below it, also on a file system that
 * ignores the case of letters. Everything is below NULL. */
static bool is_below(const char *text, const char *top)
{
	return top == NULL || letter_case_rest(text, top) != NULL;
}

/* Close the cache's descriptors of the directory `top` and of all below it. */
static void forget_below(struct dircache *cache, const char *top)
{
	unsigned i;

	if (cache->walked_fd >= 0 && is_below(cache->walked, top))
		forget_walked(cache);
	for (i = 0; i < OPEN_MAX_DIRECTORIES; i++) {
		struct directory *directory = cache->open[i];

		if (directory != NULL && directory->fd >= 0 && is_below(directory->text, top)) {
			close(directory->fd);
			directory->fd = -1;
			cache->open[i] = NULL;
		}
	}
}

/* Forget the directories that another cache may have moved or removed. It does
 * not know which one walk() has opened here. */
static void catch_up(struct dircache *cache)
{
	uint32_t directories = __atomic_load_n(&cache->moves->directories, __ATOMIC_ACQUIRE);
	uint32_t names = __atomic_load_n(&cache->moves->names, __ATOMIC_ACQUIRE);

	if (names != cache->moves_seen.names)
		forget_walked(cache);
	if (directories != cache->moves_seen.directories)
		forget_below(cache, NULL);
	cache->moves_seen = (struct moves){directories, names};
}

int dircache_locate(struct dircache *cache, const struct backend_path *path, const char **leaf)
{
	struct made_path *made = path->made;

	if (cache->moves != NULL)
		catch_up(cache);
	if (made == NULL)
		return walk(cache, path->text, split(path->text, leaf));
	*leaf = made->leaf;
	if (made->directory->shared && made->directory != cache->root)
		return walk(cache, made->directory->text, strlen(made->directory->text));
	return open_directory(cache, made->directory);
}

int dircache_locate_two(struct dircache *cache, const struct backend_path *first,
			const char **first_leaf, const struct backend_path *second,
			const char **second_leaf, int parents[2])
{
	int located = dircache_locate(cache, first, first_leaf);

	if (located < 0)
		return located;
	/* Duplicate this descriptor, since the next dircache_locate may close
	 * it. */
	parents[0] = fcntl(located, F_DUPFD_CLOEXEC, 0);
	if (parents[0] < 0)
		return -errno;
	parents[1] = dircache_locate(cache, second, second_leaf);
	if (parents[1] >= 0)
		return 0;
	close(parents[0]);
	return parents[1];
}

/* Check if a path is that of a directory of the cache, or of one above it. */
static bool contains_directory(const struct dircache *cache, const struct backend_path *path)
{
	struct made_path *made = path->made;
	bool contains = false;
	size_t i;

	if (made != NULL && made->kind != UNKNOWN)
		return made->kind == IS_DIRECTORY;
	for (i = 0; i < cache->texts.count && !contains; i++)
		contains = is_below(cache->texts.keys[i].bytes, path->text);
	if (made != NULL)
		made->kind = contains ? IS_DIRECTORY : IS_NONE;
	return contains;
}

void dircache_forget(struct dircache *cache, const struct backend_path *path)
{
	uint32_t directories;

	forget_below(cache, path->text);
	if (cache->moves == NULL)
		return;
	__atomic_add_fetch(&cache->moves->names, 1, __ATOMIC_RELEASE);
	if (!contains_directory(cache, path))
		return;
	directories = __atomic_add_fetch(&cache->moves->directories, 1, __ATOMIC_RELEASE);
	if (directories == cache->moves_seen.directories + 1)
		cache->moves_seen.directories = directories;
}
