/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "verify/track.h"

#include "base/letter_case.h"
#include "verify/catalog.h"
#include "words/operation.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

bool track_is_refusal(int64_t rc)
{
	static const int refusals[] = {
		EACCES,    EAGAIN,     EBADF,        EEXIST, EINVAL,  EISDIR,
		ELOOP,     EMFILE,     ENAMETOOLONG, ENOENT, ENOSYS,  ENOTDIR,
		ENOTEMPTY, EOPNOTSUPP, EPERM,        EROFS,  ETXTBSY, EXDEV,
	};
	size_t i;

	for (i = 0; i < sizeof(refusals) / sizeof(*refusals); i++)
		if (rc == -refusals[i])
			return true;
	return false;
}

/* Return whether `path` may be `top` or below it. */
static bool is_within(const char *path, const char *top)
{
	return letter_case_rest(path, top) != NULL;
}

/* Return whether this name is below a tree. */
static bool is_below_tree(const struct track *track, const char *path)
{
	const size_t home = strlen(track->home);
	char above[PATH_MAX];
	char *end;

	if (track->map->tree_count == 0)
		return false;
	snprintf(above, sizeof(above), "%s", path);
	while ((end = strrchr(above + home, '/')) != NULL) {
		arena_ref name;

		*end = '\0';
		name = catalog_find(track->map, above);
		if (name != 0 && catalog_name(track->map, name)->kind == CATALOG_TREE)
			return true;
	}
	return false;
}

/* Return whether files of this name are verified. Those below a tree are not: if it
 * came from outside the home, another user may have looked up its directory
 * before it was moved, and change it afterwards. */
static bool is_verified(const struct track *track, const char *path)
{
	const char *const *left_out = track->left_out;

	if (strncmp(path, track->home, strlen(track->home)) != 0)
		return false;
	for (; left_out != NULL && *left_out != NULL; left_out++)
		if (is_within(path, *left_out))
			return false;
	return !is_below_tree(track, path);
}

arena_ref track_find(const struct track *track, const char *path)
{
	arena_ref name = is_verified(track, path) ? catalog_find(track->map, path) : 0;

	return name != 0 ? catalog_name(track->map, name)->file : 0;
}

/* Nothing is known of the file any more. */
static void forget(const struct track *track, arena_ref file)
{
	if (file != 0)
		map_forget(track->map, map_file(track->map, file));
}

static enum catalog_kind kind_of(const struct track *track, arena_ref name)
{
	return catalog_name(track->map, name)->kind;
}

/* Forget the files of names that may be this one, or below it. */
static bool forget_variant(const struct track *track, const char *path)
{
	return catalog_doubt(track->map, path, true);
}

/* Add a name of a new file, which the catalog may have with another kind. Return
 * 0 if memory is short. */
static arena_ref add(const struct track *track, const char *path, enum catalog_kind kind,
		     bool unknown)
{
	arena_ref file = map_add_file(track->map);

	if (file == 0)
		return 0;
	if (unknown)
		forget(track, file);
	catalog_remove(track->map, path);
	if (catalog_add_kind(track->map, path, kind, file))
		return file;
	map_drop_file(track->map, file);
	return 0;
}

/* Nothing is known any more of a name, and of those below it. */
static void add_tree(const struct track *track, const char *path)
{
	if (!is_verified(track, path))
		return;
	catalog_remove_below(track->map, path);
	add(track, path, CATALOG_TREE, true);
}

/* Give a name that is known only by a directory above it an entry of its own, so
 * that its kind moves with it. */
static void pin(const struct track *track, const char *path)
{
	/* A directory that has this name in another case moves, too. */
	const bool variant = forget_variant(track, path);
	arena_ref name = catalog_find(track->map, path);
	arena_ref file = track_find(track, path);
	bool directory;

	/* If it was opened as a file, it may be a directory all the same. */
	if (file != 0 && map_file(track->map, file)->unknown && variant)
		catalog_set_tree(track->map, name);
	directory = name != 0 && kind_of(track, name) == CATALOG_DIRECTORY;
	if (name != 0 && !(directory && variant))
		return;
	if (name != 0 || variant || track->map->full)
		add(track, path, CATALOG_TREE, true);
	else
		catalog_add_kind(track->map, path, CATALOG_DIRECTORY, 0);
}

/* Return whether the catalog has a directory of this name. */
static bool is_directory(const struct track *track, const char *path)
{
	arena_ref name = catalog_find(track->map, path);

	return name != 0 && kind_of(track, name) == CATALOG_DIRECTORY;
}

/* A directory has been opened, and perhaps made. */
static void open_directory(const struct track *track, const char *path, uint64_t flags)
{
	if ((flags & OPEN_CREATE) != 0 && ((flags & OPEN_EXCLUSIVE) != 0 || !track->map->full))
		track_make(track, path, 0);
}

arena_ref track_open(const struct track *track, const char *path, uint64_t flags)
{
	bool is_new = (flags & OPEN_CREATE) != 0 && (flags & OPEN_EXCLUSIVE) != 0;
	arena_ref file = track_find(track, path);
	bool variant;

	if (!is_verified(track, path))
		return 0;
	if ((flags & OPEN_DIRECTORY) != 0) {
		open_directory(track, path, flags);
		return 0;
	}
	/* A file that is new is known, whatever had its name before. */
	if (file != 0 && is_new && map_file(track->map, file)->unknown)
		file = 0;
	if (file == 0 && !is_new && is_directory(track, path))
		return 0;
	if (file == 0) {
		variant = forget_variant(track, path);
		return add(track, path, CATALOG_FILE,
			   variant || (flags & OPEN_CREATE) == 0 || (!is_new && track->map->full));
	}
	if ((flags & OPEN_TRUNCATE) != 0)
		map_resize(track->map, map_file(track->map, file), 0);
	return file;
}

void track_make(const struct track *track, const char *path, int64_t rc)
{
	arena_ref file = track_find(track, path);

	if (!is_verified(track, path) || (rc < 0 && track_is_refusal(rc)))
		return;
	if (file != 0 && !map_file(track->map, file)->unknown)
		return;
	/* It may have been made, or have been there before. */
	if (rc < 0 && track->map->full)
		return;
	catalog_remove(track->map, path);
	catalog_add_kind(track->map, path, CATALOG_DIRECTORY, 0);
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
	const char *name;

	if (rc < 0 || file->names > 1) {
		map_forget(track->map, file);
		return;
	}
	file->deleting--;
	name = catalog_name_of(track->map, ref);
	/* NULL: the name is one of a tree, or gone. */
	if (name != NULL)
		catalog_remove(track->map, name);
}

/* Forget all files below a directory. */
static void forget_below(const struct track *track, const char *directory)
{
	arena_ref name = 0;

	while ((name = catalog_next(track->map, name)) != 0) {
		const struct catalog_name *entry = catalog_name(track->map, name);

		if (is_within(entry->text, directory))
			forget(track, entry->file);
	}
}

void track_doubt(const struct track *track, const char *path)
{
	if (!is_verified(track, path))
		return;
	forget_below(track, path);
	catalog_remove_others_below(track->map, path);
	add(track, path, CATALOG_TREE, true);
}

/* Keep names left out after a move from `from` to `to`: those below both of them.
 * The files that had these names are unknown. */
static void carry_left_out(const struct track *track, const char *from, const char *to)
{
	const char *const *left_out = track->left_out;
	char moved[PATH_MAX];

	for (; left_out != NULL && *left_out != NULL; left_out++) {
		const char *rest = letter_case_rest(*left_out, from);

		if (rest != NULL) {
			snprintf(moved, sizeof(moved), "%s%s", to, rest);
			track_doubt(track, moved);
		}
		if (is_within(*left_out, to)) {
			forget_below(track, *left_out);
			catalog_remove(track->map, *left_out);
			catalog_remove_below(track->map, *left_out);
		}
	}
}

/* Return whether a name may be one of a file that the map does not know. */
static bool may_be_unknown(const struct track *track, const char *path)
{
	arena_ref file = track_find(track, path);

	if (!is_verified(track, path))
		return true;
	return file != 0 ? map_file(track->map, file)->unknown : track->map->full;
}

/* A name has left the area that is verified, with all below it. */
static void leave(const struct track *track, const char *path)
{
	forget_below(track, path);
	catalog_remove_below(track->map, path);
	catalog_remove(track->map, path);
}

/* A name has changed, which may be one of a directory. */
static void move(const struct track *track, const char *from, const char *to, bool with_names)
{
	catalog_remove(track->map, to);
	catalog_remove_below(track->map, to); /* it was empty */
	pin(track, from);
	catalog_move(track->map, from, to);
	if (with_names)
		catalog_move_below(track->map, from, to);
	catalog_remove(track->map, from);
	carry_left_out(track, from, to);
}

void track_rename(const struct track *track, const char *from, const char *to, int64_t rc)
{
	arena_ref old = track_find(track, from);
	arena_ref replaced = track_find(track, to);
	/* If both are names of one file, the old name remains. */
	bool may_remain = may_be_unknown(track, from) && may_be_unknown(track, to);

	if (rc < 0 && track_is_refusal(rc))
		return;
	if (rc < 0) {
		track_doubt(track, from);
		track_doubt(track, to);
		return;
	}
	/* A rename between two names of one file does nothing. */
	if (catalog_is_same(track->map, from, to) || (old != 0 && old == replaced))
		return;
	if (!is_verified(track, from)) {
		add_tree(track, to);
		return;
	}
	if (is_verified(track, to))
		move(track, from, to, old == 0 || map_file(track->map, old)->unknown);
	else
		leave(track, from);
	if (may_remain)
		add_tree(track, from);
}

void track_swap(const struct track *track, const char *one, const char *other, int64_t rc)
{
	if (rc < 0 && track_is_refusal(rc))
		return;
	if (rc < 0 || !is_verified(track, one) || !is_verified(track, other)) {
		track_doubt(track, one);
		track_doubt(track, other);
		return;
	}
	pin(track, one);
	pin(track, other);
	catalog_swap(track->map, one, other);
	carry_left_out(track, one, other);
	carry_left_out(track, other, one);
}

/* A file that is not in the map has got a second name. */
static void link_unknown(const struct track *track, const char *path, const char *existing)
{
	arena_ref file = 0;

	if (is_verified(track, existing))
		file = add(track, existing, CATALOG_FILE, true);
	if (file != 0 && is_verified(track, path))
		catalog_add(track->map, path, file);
	else if (is_verified(track, path))
		add(track, path, CATALOG_FILE, true);
}

void track_link(const struct track *track, const char *path, const char *existing, int64_t rc)
{
	arena_ref file = track_find(track, existing);

	if (rc < 0)
		return;
	if (is_verified(track, path))
		catalog_remove(track->map, path);
	if (file != 0 && is_verified(track, path))
		catalog_add(track->map, path, file);
	else if (file != 0)
		forget(track, file);
	else
		link_unknown(track, path, existing);
}

void track_permissions(const struct track *track, const char *path, bool readable, bool searchable,
		       int64_t rc)
{
	arena_ref file = track_find(track, path), name = 0;

	if (rc < 0 && track_is_refusal(rc))
		return;
	if (file != 0 && (rc >= 0 || !readable))
		map_file(track->map, file)->barred = !readable;
	if (file != 0 || searchable)
		return;
	while ((name = catalog_next(track->map, name)) != 0) {
		const struct catalog_name *entry = catalog_name(track->map, name);

		if (is_within(entry->text, path))
			map_file(track->map, entry->file)->barred = true;
	}
}

void track_sync_parent(const struct track *track, const char *path, int64_t rc)
{
	arena_ref name = is_verified(track, path) ? catalog_find(track->map, path) : 0;

	if (rc == 0 && name != 0)
		catalog_name(track->map, name)->change = 0;
}

/* Set a range to zeros, or to unknown content. */
static void set_range(struct map *map, struct map_file *file, uint64_t from, uint64_t to,
		      enum map_kind kind)
{
	file->stream = 0;
	map_set(map, file, from, to,
		(struct map_value){.kind = kind, .change = map_next_change(map)});
	file->stream = 0;
}

/* Some of a range may have been written. */
static void doubt_range(struct map *map, struct map_file *file, uint64_t from, uint64_t to)
{
	bool loose_end = file->loose_end || to > file->size;

	if (from >= to)
		return;
	/* If the file has not grown, it has no zeros before them: no flush proves that it
	 * has. */
	map_set(map, file, file->size, from,
		(struct map_value){.kind = MAP_ZERO, .change = MAP_CHANGES_MAX});
	set_range(map, file, from, to, MAP_UNKNOWN);
	file->loose_end = loose_end;
}

/* An operation that should have changed a file from `offset` on has failed. */
static void note_failure(struct map *map, struct map_file *file, uint64_t offset,
			 struct track_result result)
{
	if (!track_is_refusal(result.rc))
		map_forget(map, file);
	else
		doubt_range(map, file, offset, offset + result.changed);
}

void track_write(struct map *map, const struct track_write *write, struct track_result result)
{
	struct map_file *file = map_file(map, write->file);
	uint64_t done = result.rc > 0 ? (uint64_t)result.rc : 0;
	bool refused = result.rc < 0 && track_is_refusal(result.rc) &&
		       !(write->direct && result.rc == -EINVAL);
	uint64_t changed = refused ? result.changed : write->size;
	const struct map_value value = {
		.kind = MAP_DATA,
		.durable = write->stable,
		.change = write->change,
	};

	map->written_bytes += done;
	if (done > 0)
		map_set(map, file, write->offset, write->offset + done, value);
	doubt_range(map, file, write->offset + done, write->offset + changed);
}

void track_truncate(struct map *map, arena_ref ref, uint64_t size, int64_t rc)
{
	struct map_file *file = map_file(map, ref);

	if (rc >= 0)
		map_resize(map, file, size);
	else if (!track_is_refusal(rc))
		map_forget(map, file);
}

void track_allocate(struct map *map, arena_ref ref, uint64_t offset, uint64_t length, unsigned mode,
		    struct track_result result)
{
	const unsigned keeping = ALLOCATE_KEEP_SIZE | ALLOCATE_PUNCH_HOLE;
	struct map_file *file = map_file(map, ref);
	const bool loose_end = file->loose_end;
	uint64_t end = offset + length;

	if (result.rc < 0) {
		note_failure(map, file, offset, result);
		return;
	}
	if ((mode & keeping) != 0 && end > file->size)
		end = file->size;
	if ((mode & (ALLOCATE_PUNCH_HOLE | ALLOCATE_ZERO)) != 0)
		set_range(map, file, offset, end, MAP_ZERO);
	else if (end > file->size)
		map_resize(map, file, end);
	/* Zeros up to the size that the map has do not prove this size. */
	if ((mode & keeping) != 0)
		file->loose_end = loose_end;
}

void track_copy(struct map *map, arena_ref ref, uint64_t offset, struct track_result result)
{
	struct map_file *file = map_file(map, ref);

	if (result.rc > 0)
		set_range(map, file, offset, offset + (uint64_t)result.rc, MAP_UNKNOWN);
	if (result.rc < 0)
		note_failure(map, file, offset, result);
}

void track_clone(struct map *map, arena_ref ref, uint64_t offset, uint64_t bytes, int64_t rc)
{
	struct map_file *file = map_file(map, ref);

	if (rc >= 0 && bytes > 0)
		set_range(map, file, offset, offset + bytes, MAP_UNKNOWN);
	/* After bytes 0, its size is that of the other file. */
	else if (rc >= 0 || !track_is_refusal(rc))
		map_forget(map, file);
}

void track_doubt_bytes(struct map *map, arena_ref ref, uint64_t from, uint64_t to)
{
	struct map_file *file = map_file(map, ref);

	if (to > file->size)
		to = file->size;
	file->stream = 0;
	/* Each of them may be durable. */
	map_set(map, file, from, to,
		(struct map_value){
			.kind = MAP_UNKNOWN, .durable = true, .change = map_next_change(map)});
}
