/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operations on names: their effect on the model, and failures that the model
 * can explain. */
#include "capture/model/recording_state.h"

#include "base/array.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

/* A directory must have a child for ENOTEMPTY. */
static bool fill(struct recording *recording, struct node *directory)
{
	return directory->count > 0 || (directory->before && !directory->whole &&
					tree_invent(&recording->tree, directory, 1));
}

/* Is there a file where the path needs a directory, on the way or, for some
 * operations, at the end? */
static bool explain_not_directory(struct recording *recording, const struct op *op, int walked,
				  struct place *place)
{
	bool at_end = op->kind == OP_RMDIR || op->kind == OP_NFS_RMDIR ||
		      op->kind == OP_NFS_READDIRPLUS ||
		      (op->kind == OP_OPEN && (op->open_flags & OPEN_DIRECTORY) != 0);

	if (walked < 0 || !at_end)
		return walked == -ENOTDIR;
	if (place->node == NULL &&
	    (!place->unknown || !tree_learn(&recording->tree, place, NODE_FILE)))
		return false;
	node_report(place->node, NODE_FILE, -1);
	return place->node->kind != NODE_DIRECTORY;
}

static bool reads_link(const struct op *op)
{
	return op->kind == OP_READLINK || op->kind == OP_NFS_READLINK;
}

/* Can the model explain this error of an operation at a place? `walked`: the
 * result of tree_walk(). Learn from it. */
static bool explain_error(struct recording *recording, const struct recorded *recorded, int walked,
			  struct place *place)
{
	int error = recorded->error;

	switch (error) {
	case ENOENT:
		if (walked == 0 && place->node == NULL)
			tree_note_missing(&recording->tree, place);
		return walked == -ENOENT || walked == -EAGAIN ||
		       (walked == -ENOTDIR && recorded->cause == RECORDED_BY_PARENT) ||
		       (walked == 0 && place->node == NULL);
	case ENOTDIR:
		return explain_not_directory(recording, &recorded->op, walked, place);
	case ELOOP:
		if (walked == -ELOOP)
			return true;
		break;
	default:
		break;
	}
	if (walked < 0 || (error != EEXIST && error != ENOTEMPTY && error != EISDIR &&
			   error != ELOOP && (error != EINVAL || !reads_link(&recorded->op))))
		return false;
	if (place->node == NULL &&
	    (!place->unknown || !tree_learn(&recording->tree, place,
					    error == ELOOP                       ? NODE_LINK
					    : error == EEXIST || error == EINVAL ? NODE_UNKNOWN
										 : NODE_DIRECTORY)))
		return false;
	switch (error) {
	case EEXIST:
		return recorded->op.kind != OP_XATTR_SET;
	case EINVAL:
		return place->node->kind != NODE_LINK;
	case ENOTEMPTY:
		node_report(place->node, NODE_DIRECTORY, -1);
		return place->node->kind == NODE_DIRECTORY && fill(recording, place->node);
	case EISDIR:
		node_report(place->node, NODE_DIRECTORY, -1);
		return place->node->kind == NODE_DIRECTORY;
	case ELOOP:
		return place->node->kind == NODE_LINK;
	default:
		return false;
	}
}

/* Set the number of the path that was walked to. */
static bool walked_path(struct recording *recording, int walked, const struct place *place,
			uint32_t *number)
{
	if (walked == 0)
		return recording_place_path(recording, place, number);
	*number = recording_path(recording, place->link);
	return true;
}

/*
 * Make an operation that has met a loop of links an open of the link at op->path.
 * A load's paths do not lead through links, and its operations follow none at the
 * end, but an open of a link fails with ELOOP.
 */
static void open_link(struct recording *recording, struct op *op)
{
	if (op->kind == OP_OPEN && (op->open_flags & (OPEN_DIRECTORY | OPEN_EXCLUSIVE)) == 0)
		return;
	*op = (struct op){.kind = OP_OPEN,
			  .label = op->label,
			  .accepts = op->accepts,
			  .path = op->path,
			  .handle = OP_NONE,
			  .path2 = OP_NONE,
			  .open_flags = OPEN_READ};
	conversion_set(&recording->conversion, CONVERSION_APPROXIMATED,
		       "failed in a loop of links, as an open of the link");
}

bool recording_explain(struct recording *recording, const struct recorded *recorded, unsigned how,
		       bool makes, struct op *op)
{
	int error = recorded->error, walked;
	bool by_parent = recorded->cause == RECORDED_BY_PARENT;
	struct place place;

	/* EEXIST and the like prove that the directories on the way exist. */
	if (error == ENOENT)
		how |= by_parent ? 0 : WALK_MISSING;
	else if (error != ENOTDIR || recorded->cause == RECORDED_BY_LAST)
		how |= WALK_LEARN;
	walked = recording_walk(recording, recorded->path, how, &place);
	if (error == ENOENT && makes && walked == 0 && place.unknown)
		return recording_drop(recording,
				      "could not create a file, although its directory exists");
	if (!explain_error(recording, recorded, walked, &place)) {
		if (error == EACCES || error == EPERM || error == EBUSY || error == EROFS ||
		    error == EIO || error == ENOSPC)
			return recording_drop_error(recording, error);
		return recording_drop(recording, "failed where the model expects no such failure");
	}
	if (by_parent &&
	    (walked == 0 ? place.directory->kind != NODE_DIRECTORY : walked != -ENOENT))
		op->accepts |= OUTCOME_BIT(NOT_FOUND) | OUTCOME_BIT(NOT_DIRECTORY);
	if (!walked_path(recording, walked, &place, &op->path))
		return false;
	if (error == ELOOP)
		open_link(recording, op);
	return true;
}

/* Find a name that must exist. Set *number to its path. */
static bool find_existing(struct recording *recording, const char *path, unsigned how,
			  enum node_kind kind, struct place *place, uint32_t *number)
{
	if (recording_walk(recording, path, how | WALK_LEARN, place) < 0 ||
	    (place->node == NULL &&
	     (!place->unknown || !tree_learn(&recording->tree, place, kind))))
		return recording_drop(recording, "of a file that does not exist in the model");
	node_report(place->node, kind, -1);
	if (kind == NODE_LINK && place->node->kind != NODE_LINK)
		return recording_drop(recording, "of a symbolic link that is none in the model");
	return recording_place_path(recording, place, number);
}

/* Find a name that must be missing, in an existing directory. */
static bool find_missing(struct recording *recording, const char *path, struct place *place,
			 uint32_t *number)
{
	if (recording_walk(recording, path, WALK_LEARN, place) < 0)
		return recording_drop(recording, "in a directory that does not exist");
	if (place->node != NULL || place->directory == NULL)
		return recording_drop(recording, "created a file that exists");
	tree_note_missing(&recording->tree, place);
	return recording_place_path(recording, place, number);
}

/* The kind of file that an operation needs. */
static enum node_kind needed_kind(enum op_kind kind)
{
	switch (kind) {
	case OP_RMDIR:
	case OP_MKDIR:
	case OP_NFS_RMDIR:
	case OP_NFS_MKDIR:
	case OP_NFS_READDIRPLUS:
		return NODE_DIRECTORY;
	case OP_UNLINK:
	case OP_NFS_REMOVE:
	case OP_NFS_CREATE:
	case OP_NFS_READ:
	case OP_NFS_WRITE:
	case OP_NFS_COMMIT:
		return NODE_FILE;
	case OP_READLINK:
	case OP_NFS_READLINK:
	case OP_SYMLINK:
	case OP_NFS_SYMLINK:
		return NODE_LINK;
	default:
		return NODE_UNKNOWN;
	}
}

static struct attribute *find_attribute(struct recording *recording, struct node *node,
					const char *name)
{
	char key[sizeof(node->number) + PROGRAM_ATTRIBUTE_NAME_MAX + 1];
	size_t length = strlen(name);
	int is_new;
	int64_t number;

	if (length > PROGRAM_ATTRIBUTE_NAME_MAX)
		return NULL;
	memcpy(key, &node->number, sizeof(node->number));
	memcpy(key + sizeof(node->number), name, length);
	number = intern(&recording->attribute_names, key, sizeof(node->number) + length, &is_new);
	if (number < 0 || array_grow(&recording->attributes, &recording->attribute_room,
				     (size_t)number + 1, sizeof(struct attribute)) < 0) {
		recording->failed = true;
		return NULL;
	}
	if (is_new) {
		int64_t bytes = node->before ? ATTRIBUTE_UNKNOWN : -1;

		recording->attributes[number] = (struct attribute){node, bytes, bytes};
	}
	return &recording->attributes[number];
}

/* Can native spell the name of an attribute? */
static bool can_spell_attribute(const char *name)
{
	if (name[0] == '\0')
		return false;
	for (; *name != '\0'; name++)
		if (*name == '"' || *name == '\\' || !isgraph((unsigned char)*name))
			return false;
	return true;
}

/* Only these attributes can have any value. */
static bool has_free_value(const char *name)
{
	return strncmp(name, "user.", 5) == 0 || strncmp(name, "trusted.", 8) == 0;
}

/* Follow the attribute of an operation that has found the file. */
static bool follow_attribute(struct recording *recording, const struct recorded *recorded,
			     struct op *op, struct node *node)
{
	struct attribute *attribute = find_attribute(recording, node, recorded->text);
	bool missing = recorded->error == ENODATA || recorded->error == EOPNOTSUPP;

	if (missing && op->kind == OP_XATTR_SET)
		return recording_drop(recording,
				      "attribute that was to be replaced, and is missing");
	if (attribute == NULL || (!missing && !has_free_value(recorded->text)))
		return recording_drop(recording,
				      "attribute whose values have a format of their own");
	op->text = recording_text(recording, recorded->text);
	if (missing) {
		/* Whether attributes are supported depends on the target. */
		op->accepts = OUTCOME_BIT(SHORT) | OUTCOME_BIT(UNSUPPORTED);
		if (attribute->bytes >= 0)
			return recording_drop(recording, "did not find an attribute that exists");
		attribute->bytes = -1;
		if (attribute->before_bytes == ATTRIBUTE_UNKNOWN)
			attribute->before_bytes = -1;
		return true;
	}
	if (op->kind == OP_XATTR_SET) {
		attribute->bytes = (int64_t)op->size;
		return true;
	}
	if (attribute->bytes == ATTRIBUTE_UNKNOWN) {
		attribute->bytes = attribute->before_bytes = op->kind == OP_XATTR_GET
								     ? (int64_t)op->expect
								     : 1;
		node->maybe = false;
	}
	if (attribute->bytes < 0)
		return recording_drop(recording, "found an attribute that does not exist");
	if (op->kind == OP_XATTR_REMOVE)
		attribute->bytes = -1;
	else if (op->size < op->expect)
		op->size = op->expect; /* it only asked for the size */
	return true;
}

/* A loop that takes rights away from the owner of a file can be neither put back
 * nor removed, unless root plays it. */
static void keep_rights(struct recording *recording, const struct node *node, struct op *op)
{
	uint32_t needed = node->kind == NODE_DIRECTORY ? 0700 : 0600;

	if (op->kind != OP_CHMOD || (op->mode & needed) == needed)
		return;
	op->mode |= needed;
	conversion_set(&recording->conversion, CONVERSION_APPROXIMATED,
		       "chmod that leaves the owner's rights");
}

/* An operation that needs the file and does not change its name. */
static bool follow_existing(struct recording *recording, const struct recorded *recorded,
			    struct op *op)
{
	struct place place;
	struct node *node;

	if (!find_existing(recording, recorded->path, recorded->follow ? WALK_FOLLOW : 0,
			   needed_kind((enum op_kind)op->kind), &place, &op->path))
		return false;
	node = place.node;
	if (place.directory == NULL && (op->kind == OP_CHMOD || op->kind == OP_CHOWN)) {
		*op = (struct op){.kind = OP_STAT,
				  .label = op->label,
				  .accepts = op->accepts,
				  .path = op->path,
				  .handle = OP_NONE,
				  .path2 = OP_NONE};
		conversion_set(&recording->conversion, CONVERSION_APPROXIMATED,
			       "chmod or chown of the recorded directory as stat");
	}
	keep_rights(recording, node, op);
	if (recorded->text != NULL)
		return follow_attribute(recording, recorded, op, node);
	if (op->kind == OP_NFS_READ)
		recording_follow_read(recording, node, op);
	if (op->kind == OP_NFS_WRITE)
		node_write(node, op->offset, op->expect);
	if ((op->kind == OP_READLINK || op->kind == OP_NFS_READLINK) && node->target == NULL &&
	    recorded->path2 != NULL && recording_can_spell(recorded->path2, true)) {
		node->target = strdup(recorded->path2);
		recording->failed |= node->target == NULL;
	}
	node_report(node, recorded->kind, recorded->bytes);
	return true;
}

static bool follow_make(struct recording *recording, const struct recorded *recorded, struct op *op)
{
	struct place place;
	struct node *node;

	/* NFS's CREATE may find the file. */
	if (op->kind == OP_NFS_CREATE &&
	    recording_walk(recording, recorded->path, WALK_LEARN, &place) == 0 &&
	    place.node != NULL) {
		node_report(place.node, recorded->kind, recorded->bytes);
		return recording_place_path(recording, &place, &op->path);
	}
	if (!find_missing(recording, recorded->path, &place, &op->path))
		return false;
	node = tree_make(&recording->tree, &place, needed_kind((enum op_kind)op->kind));
	if (node == NULL)
		return false;
	if (recorded->path2 != NULL) {
		node->target = strdup(recorded->path2);
		op->path2 = recording_path(recording, recorded->path2);
		recording->failed |= node->target == NULL;
	}
	return true;
}

static bool follow_remove(struct recording *recording, const struct recorded *recorded,
			  struct op *op)
{
	enum node_kind kind = needed_kind((enum op_kind)op->kind);
	struct place place;

	if (!find_existing(recording, recorded->path, 0, kind, &place, &op->path))
		return false;
	if (place.directory == NULL ||
	    (place.node->kind == NODE_DIRECTORY) != (kind == NODE_DIRECTORY))
		return recording_drop(recording, "removed a file of another kind");
	if (kind == NODE_DIRECTORY && place.node->count > 0)
		return recording_drop(recording, "removed a directory in which files are left");
	tree_unlink(&place);
	return true;
}

/* Exchange two existing names. */
static bool follow_swap(struct recording *recording, const char *to, struct place *from,
			struct op *op)
{
	struct node *first = from->node, *second;
	struct place other;

	if (!find_existing(recording, to, 0, NODE_UNKNOWN, &other, &op->path2))
		return false;
	second = other.node;
	if (from->directory == NULL || other.directory == NULL ||
	    tree_contains(first, other.directory) || tree_contains(second, from->directory))
		return recording_drop(recording, "exchange of a directory with one in it");
	tree_unlink(from);
	tree_unlink(&other);
	tree_link(&recording->tree, from, second);
	tree_link(&recording->tree, &other, first);
	return true;
}

static bool follow_rename(struct recording *recording, const struct recorded *recorded,
			  struct op *op)
{
	struct place from, to;
	struct node *node;

	if (!find_existing(recording, recorded->path, 0, recorded->kind, &from, &op->path))
		return false;
	if (op->kind == OP_RENAME && (op->mode & RENAME_SWAP) != 0)
		return follow_swap(recording, recorded->path2, &from, op);
	if (recording_walk(recording, recorded->path2, WALK_LEARN, &to) < 0 ||
	    from.directory == NULL || to.directory == NULL ||
	    tree_contains(from.node, to.directory))
		return recording_drop(recording, "renamed into a directory that does not exist");
	tree_note_missing(&recording->tree, &to);
	node = from.node;
	if (to.node == node && from.entry != to.entry)
		return recording_place_path(recording, &to, &op->path2);
	if (to.node != NULL && to.node != node &&
	    ((op->flags & OP_NO_REPLACE) != 0 || to.node->count > 0))
		return recording_drop(recording, "renamed to a name that exists");
	if (to.node != NULL && node->kind != NODE_UNKNOWN && to.node->kind != NODE_UNKNOWN &&
	    (node->kind == NODE_DIRECTORY) != (to.node->kind == NODE_DIRECTORY))
		return recording_drop(recording, "replaced a file of another kind");
	tree_unlink(&from);
	tree_unlink(&to);
	tree_link(&recording->tree, &to, node);
	return recording_place_path(recording, &to, &op->path2);
}

static bool follow_link(struct recording *recording, const struct recorded *recorded, struct op *op)
{
	struct place existing, place;

	if (!find_existing(recording, recorded->path2, recorded->follow ? WALK_FOLLOW : 0,
			   NODE_FILE, &existing, &op->path2) ||
	    !find_missing(recording, recorded->path, &place, &op->path))
		return false;
	if (existing.node->kind == NODE_DIRECTORY)
		return recording_drop(recording, "link to a directory");
	tree_link(&recording->tree, &place, existing.node);
	return true;
}

/*
 * Return the error that an operation on two names meets before it gets to the
 * second one's last component: a kernel looks up the directories of a RENAME
 * before it looks at the names in them.
 */
static int lookup_error(struct recording *recording, bool links, int first, struct place *existing,
			int second)
{
	bool missing = first == 0 && existing->node == NULL;

	if (first == 0 && missing && (links || second == 0))
		tree_note_missing(&recording->tree, existing);
	if (first < 0 || (links && missing))
		return first < 0 ? first : -ENOENT;
	return second < 0 ? second : missing ? -ENOENT : 0;
}

/* A failed operation with two names: either of them explains it. */
static bool explain_two(struct recording *recording, const struct recorded *recorded, struct op *op)
{
	bool links = op->kind == OP_LINK || op->kind == OP_NFS_LINK;
	bool lookup = recorded->error == ENOENT || recorded->error == ENOTDIR;
	bool by_parent = recorded->cause == RECORDED_BY_PARENT;
	unsigned how = lookup ? 0 : WALK_LEARN;
	struct place existing, made;
	int first = recording_walk(recording, links ? recorded->path2 : recorded->path, how,
				   &existing);
	int second, met;
	bool explained;

	/* The second walk may lead through the first name. */
	if (!lookup && first == 0 && existing.unknown)
		tree_learn(&recording->tree, &existing, NODE_UNKNOWN);
	second = recording_walk(recording, links ? recorded->path : recorded->path2, how, &made);
	if (recorded->error == ELOOP && (first == -ELOOP || second == -ELOOP)) {
		open_link(recording, op);
		return walked_path(recording, -ELOOP, first == -ELOOP ? &existing : &made,
				   &op->path);
	}
	met = lookup_error(recording, links, first, &existing, second);
	if (met == 0 && recorded->error == ENOTEMPTY)
		node_report(existing.node, NODE_DIRECTORY, -1);
	if (met == 0 && recorded->error == ENOTDIR)
		explained = existing.node->kind == NODE_DIRECTORY && made.node != NULL &&
			    made.node->kind != NODE_DIRECTORY;
	else if (met == 0 && recorded->error == EINVAL)
		explained = tree_contains(existing.node, made.directory);
	else if (met == 0)
		explained = recorded->error != ENOENT &&
			    explain_error(recording, recorded, second, &made);
	else
		explained = lookup && (met == -recorded->error ||
				       (met == -EAGAIN && recorded->error == ENOENT) ||
				       (met == -ENOTDIR && by_parent));
	/* Systems differ in the order of their look-ups. */
	if (lookup && met < 0 && (first != second || first == -EAGAIN || by_parent))
		op->accepts |= OUTCOME_BIT(NOT_FOUND) | OUTCOME_BIT(NOT_DIRECTORY);
	if (!explained)
		return recording_drop(recording, "failed where the model expects no such failure");
	return walked_path(recording, first, &existing, links ? &op->path2 : &op->path) &&
	       walked_path(recording, second, &made, links ? &op->path : &op->path2);
}

static bool explain_names(struct recording *recording, const struct recorded *recorded,
			  struct op *op, bool makes)
{
	if (recorded->error == ENODATA || recorded->error == EOPNOTSUPP) {
		op->accepts = OUTCOME_BIT(SHORT) | OUTCOME_BIT(UNSUPPORTED);
		return recorded->text != NULL ? follow_existing(recording, recorded, op)
					      : recording_drop_error(recording, recorded->error);
	}
	if (recorded->text != NULL)
		op->text = recording_text(recording, recorded->text);
	if (op_accesses_two((enum op_kind)op->kind))
		return explain_two(recording, recorded, op);
	if (op->kind == OP_SYMLINK || op->kind == OP_NFS_SYMLINK)
		op->path2 = recording_path(recording, recorded->path2);
	return recording_explain(recording, recorded, recorded->follow ? WALK_FOLLOW : 0, makes,
				 op);
}

bool recording_add_names(struct recording *recording, const struct recorded *recorded,
			 struct op *op)
{
	bool makes = false, followed;

	if ((recorded->text != NULL && !can_spell_attribute(recorded->text)) ||
	    ((op->kind == OP_SYMLINK || op->kind == OP_NFS_SYMLINK) &&
	     !recording_can_spell(recorded->path2, true)))
		return recording_drop(recording, RECORDING_UNSPELLABLE);
	switch (op->kind) {
	case OP_STATVFS:
	case OP_NFS_FSSTAT:
	case OP_NFS_FSINFO:
		if (recorded->error != 0)
			return recording_drop_error(recording, recorded->error);
		return recording_append(recording, op);
	case OP_MKDIR:
	case OP_SYMLINK:
	case OP_NFS_CREATE:
	case OP_NFS_MKDIR:
	case OP_NFS_SYMLINK:
		makes = true;
		break;
	default:
		break;
	}
	if (recorded->error != 0)
		followed = explain_names(recording, recorded, op, makes);
	else if (makes)
		followed = follow_make(recording, recorded, op);
	else if (op->kind == OP_RENAME || op->kind == OP_NFS_RENAME)
		followed = follow_rename(recording, recorded, op);
	else if (op->kind == OP_LINK || op->kind == OP_NFS_LINK)
		followed = follow_link(recording, recorded, op);
	else if (op->kind == OP_UNLINK || op->kind == OP_RMDIR || op->kind == OP_NFS_REMOVE ||
		 op->kind == OP_NFS_RMDIR)
		followed = follow_remove(recording, recorded, op);
	else
		followed = follow_existing(recording, recorded, op);
	return followed && recording_append(recording, op);
}
