/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "verify/track.h"

#include "base/open_flags.h"
#include "verify/catalog.h"

#include <errno.h>
#include <string.h>

bool track_is_refusal(int64_t rc)
{
	static const int refusals[] = {
		EACCES, EAGAIN, EBADF, EEXIST, EINVAL, EISDIR, ELOOP, EMFILE,
		ENAMETOOLONG, ENOENT, ENOSYS, ENOTDIR, ENOTEMPTY, EOPNOTSUPP,
		EPERM, EROFS, ETXTBSY, EXDEV,
	};
	size_t i;

	for (i = 0; i < sizeof(refusals) / sizeof(*refusals); i++)
		if (rc == -refusals[i])
			return true;
	return false;
}

/* Return whether `path` is `top` or below it. */
static bool is_within(const char *path, const char *top)
{
	size_t length = strlen(top);

	return strncmp(path, top, length) == 0 &&
	       (path[length] == '\0' || path[length] == '/');
}

/* Return whether files of this name are verified. */
static bool is_verified(const struct track *track, const char *path)
{
	const char *const *left_out = track->left_out;

	if (strncmp(path, track->home, strlen(track->home)) != 0)
		return false;
	for (; left_out != NULL && *left_out != NULL; left_out++)
		if (is_within(path, *left_out))
			return false;
	return true;
}

arena_ref track_find(const struct track *track, const char *path)
{
	arena_ref name = is_verified(track, path)
				 ? catalog_find(track->map, path) : 0;

	return name != 0 ? catalog_name(track->map, name)->file : 0;
}

/* Nothing is known of the file any more. */
static void forget(const struct track *track, arena_ref file)
{
	if (file != 0)
		map_forget(track->map, map_file(track->map, file));
}

/* Forget a file whose name differs only in case: it may be the same one. */
static bool forget_variant(const struct track *track, const char *path)
{
	arena_ref name = catalog_find_variant(track->map, path);

	if (name == 0 || !track->ignores_case)
		return false;
	forget(track, catalog_name(track->map, name)->file);
	return true;
}

/* Add a name of a new file. Return 0 if memory is short. */
static arena_ref add(const struct track *track, const char *path, bool unknown)
{
	arena_ref file = map_add_file(track->map);

	if (file == 0)
		return 0;
	if (unknown)
		forget(track, file);
	if (catalog_add(track->map, path, file))
		return file;
	map_drop_file(track->map, file);
	return 0;
}

/* Add a name of a file of which nothing is known. */
static void add_unknown(const struct track *track, const char *path)
{
	if (is_verified(track, path))
		add(track, path, true);
}

arena_ref track_open(const struct track *track, const char *path,
		     uint64_t flags)
{
	arena_ref file = track_find(track, path);

	if (!is_verified(track, path) || (flags & OPEN_DIRECTORY) != 0)
		return 0;
	/* If names were lost for lack of memory, the file may not be new. */
	if (file == 0)
		return add(track, path, (flags & OPEN_CREATE) == 0 ||
					 forget_variant(track, path) ||
					 (track->map->full &&
					  (flags & OPEN_EXCLUSIVE) == 0));
	if ((flags & OPEN_TRUNCATE) != 0)
		map_resize(track->map, map_file(track->map, file), 0);
	return file;
}

void track_failure(const struct track *track, arena_ref file, int64_t rc)
{
	if (file != 0 && !track_is_refusal(rc))
		forget(track, file);
}

void track_remove(const struct track *track, const char *path, int64_t rc)
{
	if (rc < 0)
		track_failure(track, track_find(track, path), rc);
	else if (!is_verified(track, path))
		return;
	else if (catalog_find(track->map, path) != 0)
		catalog_remove(track->map, path);
	else
		forget_variant(track, path);
}

/* After a failure, the file may be gone or not, and if it has several names, one
 * of them is gone. */
void track_deleting_close(const struct track *track, arena_ref ref, int rc)
{
	struct map_file *file = map_file(track->map, ref);

	if (rc < 0 || file->names > 1) {
		map_forget(track->map, file);
		return;
	}
	file->deleting--;
	if (file->names == 1)
		catalog_remove(track->map, catalog_name_of(track->map, ref));
}

/* Forget all files below a directory. */
static void forget_below(const struct track *track, const char *directory)
{
	arena_ref name = 0;

	while ((name = catalog_next(track->map, name)) != 0) {
		const struct catalog_name *entry =
			catalog_name(track->map, name);

		if (is_within(entry->text, directory))
			forget(track, entry->file);
	}
}

void track_rename(const struct track *track, const char *from, const char *to,
		  int64_t rc)
{
	arena_ref old = track_find(track, from);
	arena_ref replaced = track_find(track, to);

	if (rc < 0 && track_is_refusal(rc))
		return;
	if (rc < 0) {
		forget_below(track, from);
		forget_below(track, to);
		return;
	}
	/* A rename between two names of one file does nothing. */
	if (strcmp(from, to) == 0 || (old != 0 && old == replaced))
		return;
	if (is_verified(track, to))
		catalog_remove(track->map, to);
	if (is_verified(track, from) && old == 0)
		forget_variant(track, from);
	if (is_verified(track, from) && is_verified(track, to)) {
		/* An unknown name may be one of a directory. */
		bool directory = old == 0 ||
				 map_file(track->map, old)->unknown;

		if (old != 0)
			catalog_move(track->map, from, to);
		if (directory &&
		    catalog_move_below(track->map, from, to) == 0 && old == 0)
			add_unknown(track, to);
		return;
	}
	if (is_verified(track, from)) {
		catalog_remove(track->map, from);
		catalog_remove_below(track->map, from);
	}
	add_unknown(track, to);
}

void track_swap(const struct track *track, const char *one, const char *other,
		int64_t rc)
{
	if (rc == 0 && is_verified(track, one) && is_verified(track, other)) {
		catalog_swap(track->map, one, other);
	} else if (rc == 0 || !track_is_refusal(rc)) {
		forget_below(track, one);
		forget_below(track, other);
	}
}

/* A file that is not in the map has got a second name. */
static void link_unknown(const struct track *track, const char *path,
			 const char *existing)
{
	arena_ref file = 0;

	if (is_verified(track, existing))
		file = add(track, existing, true);
	if (file != 0 && is_verified(track, path))
		catalog_add(track->map, path, file);
	else
		add_unknown(track, path);
}

void track_link(const struct track *track, const char *path,
		const char *existing, int64_t rc)
{
	arena_ref file = track_find(track, existing);

	if (rc < 0)
		return;
	if (file != 0 && is_verified(track, path))
		catalog_add(track->map, path, file);
	else if (file != 0)
		forget(track, file);
	else
		link_unknown(track, path, existing);
}

void track_sync_parent(const struct track *track, const char *path, int64_t rc)
{
	arena_ref name = is_verified(track, path)
				 ? catalog_find(track->map, path) : 0;

	if (rc == 0 && name != 0)
		catalog_name(track->map, name)->change = 0;
}
