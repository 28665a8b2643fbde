/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "streams/rules.h"

#include "words/smb_request.h"

#include <errno.h>
#include <stdlib.h>

/* Reads and writes of different blocks of a file don't wait for each other. */
#define BLOCK_BYTES (UINT64_C(64) << 10)

/* MS-SMB2 2.2.13, ShareAccess: others may read, write and delete. */
#define SHARE_ALL 7u

int rules_open(struct rules *rules, const struct program *program)
{
	*rules = (struct rules){
		.program = program,
		.open = calloc((size_t)program->handle_count + 1, sizeof(*rules->open)),
	};
	return name_tree_open(&rules->names, program) < 0 || rules->open == NULL ? -ENOMEM : 0;
}

void rules_close(struct rules *rules)
{
	name_tree_close(&rules->names);
	resources_free(&rules->resources);
	free(rules->open);
}

static void use_block(struct rules *rules, enum resource_type type, uint32_t number, uint64_t block,
		      enum resource_mode mode)
{
	if (rules->waits != NULL && resources_use(&rules->resources, type, number, block, mode,
						  rules->stream, rules->end, rules->waits) < 0)
		rules->failed = true;
}

static void use(struct rules *rules, enum resource_type type, uint32_t number,
		enum resource_mode mode)
{
	use_block(rules, type, number, 0, mode);
}

/* Use a name, or change it, and use the directories above it. */
static void use_name(struct rules *rules, uint32_t node, enum resource_mode mode)
{
	/* It is not known which name this is, so it may be any. */
	if (node == NAME_TREE_ROOT)
		mode = RESOURCE_CHANGE;
	use(rules, RESOURCE_NAME, node, mode);
	while (node != NAME_TREE_ROOT) {
		node = rules->names.nodes[node].parent;
		use(rules, RESOURCE_NAME, node, RESOURCE_USE);
	}
}

/* Add or remove a name, and so an entry of its directory. */
static void change_name(struct rules *rules, uint32_t node)
{
	use_name(rules, node, RESOURCE_CHANGE);
	if (node == NAME_TREE_ROOT)
		name_tree_forget_below(&rules->names, node);
	else
		use(rules, RESOURCE_ENTRIES, rules->names.nodes[node].parent, RESOURCE_PART_CHANGE);
}

/* Return the number of a file, or 0 if there is no memory. */
static uint32_t number_of(struct rules *rules, int64_t file)
{
	if (file >= 0)
		return rules->one_file ? 0 : (uint32_t)file;
	rules->failed = true;
	return 0;
}

static uint32_t file_of(struct rules *rules, uint32_t node)
{
	return number_of(rules, name_tree_file(&rules->names, node));
}

/* It is not known which file a name has got. */
static void lose_files(struct rules *rules)
{
	uint32_t i;

	file_of(rules, NAME_TREE_ROOT); /* so that there is a file number 0 */
	if (rules->failed)
		return;
	rules->one_file = true;
	rules->names.files[0] = (struct name_tree_file){.locked = true, .linked = true};
	for (i = 0; i < rules->program->handle_count; i++)
		rules->open[i].file = 0;
}

/* Note the size of a file, if it is known. */
static void note_size(struct rules *rules, uint32_t number, bool known, uint64_t bytes)
{
	struct name_tree_file *file = &rules->names.files[number];

	file->known = known && !rules->in_block && !rules->one_file;
	file->bytes = bytes;
}

static uint32_t node_of(const struct rules *rules, uint32_t path, bool follow)
{
	return name_tree_node(&rules->names, rules->program, path, follow);
}

/* Use all data of a file, and its size. */
static void use_data(struct rules *rules, uint32_t file, enum resource_mode mode)
{
	use(rules, RESOURCE_DATA, file, mode);
	use(rules, RESOURCE_SIZE, file, mode);
}

/* Use a range of the data of a file, at a constant offset. */
static void use_range(struct rules *rules, uint32_t file, uint64_t from, uint64_t size, bool writes)
{
	uint64_t block = from / BLOCK_BYTES, last = (from + size) / BLOCK_BYTES;

	use(rules, RESOURCE_DATA, file, writes ? RESOURCE_PART_CHANGE : RESOURCE_PART_USE);
	last -= size > 0 && (from + size) % BLOCK_BYTES == 0;
	for (; block <= last; block++)
		use_block(rules, RESOURCE_BLOCK, file, block,
			  writes ? RESOURCE_CHANGE : RESOURCE_USE);
}

static void follow_read(struct rules *rules, const struct op *op, uint32_t file)
{
	bool whole = (op->flags & OP_COUNTED) == 0 || op->expect == op->size;

	if ((op->flags & OP_VARIES) != 0) {
		use_data(rules, file, RESOURCE_USE);
		return;
	}
	use_range(rules, file, op->offset, op->size, false);
	/* Where the read ends early, the file must not have grown. */
	use(rules, RESOURCE_SIZE, file, whole ? RESOURCE_NEED : RESOURCE_USE);
}

static void follow_write(struct rules *rules, const struct op *op, uint32_t number, bool append)
{
	struct name_tree_file *file = &rules->names.files[number];
	uint64_t end = op->offset + op->size;

	if ((op->flags & OP_VARIES) != 0 || append) {
		use_data(rules, number, RESOURCE_CHANGE);
		file->known = false;
		return;
	}
	file->known &= !rules->in_block;
	use_range(rules, number, op->offset, op->size, true);
	if (file->known && end <= file->bytes) {
		use(rules, RESOURCE_SIZE, number, RESOURCE_NEED);
		return;
	}
	use(rules, RESOURCE_SIZE, number, RESOURCE_EXTEND);
	file->bytes = end;
}

static void set_size(struct rules *rules, uint32_t number, bool known, uint64_t bytes)
{
	use_data(rules, number, RESOURCE_CHANGE);
	note_size(rules, number, known, bytes);
}

static bool is_lock(enum op_kind kind)
{
	return kind == OP_LOCK || kind == OP_UNLOCK || kind == OP_LOCK_TEST ||
	       kind == OP_NLM_LOCK || kind == OP_NLM_UNLOCK || kind == OP_NLM_TEST;
}

/* Follow an operation that has succeeded on the data, the size or the locks of a
 * file. */
static void follow_data(struct rules *rules, const struct op *op, uint32_t file, bool append)
{
	unsigned effect = op_effect(op);

	if (op_uses_two_handles(op->kind)) {
		use_data(rules, file, RESOURCE_USE);
		set_size(rules, rules->open[op->handle2].file, false, 0);
		return;
	}
	if ((effect & E_READS) != 0)
		follow_read(rules, op, file);
	if ((effect & E_WRITES) != 0)
		follow_write(rules, op, file, append);
	if ((effect & E_RESIZES) != 0)
		set_size(rules, file,
			 op->kind == OP_OPEN ||
				 (op->kind == OP_TRUNCATE && (op->flags & OP_VARIES) == 0),
			 op->kind == OP_TRUNCATE ? op->size : 0);
	if (is_lock((enum op_kind)op->kind)) {
		use(rules, RESOURCE_LOCKS, file, RESOURCE_CHANGE);
		rules->names.files[file].locked = true;
	}
}

/* Check if an open denies other opens of the file. */
static bool denies(const struct program *program, const struct op *op)
{
	const struct smb_request *request = &program->requests[op->request];

	return smb_request_has(request, SMB_SHARE) &&
	       (request->values[SMB_SHARE] & SHARE_ALL) != SHARE_ALL;
}

/* Return the number of the file that an open finds or makes. */
static uint32_t open_file(struct rules *rules, const struct op *op, uint32_t node, bool makes)
{
	enum name_tree_existence *existence = &rules->names.nodes[node].existence;
	bool missing = *existence == NAME_TREE_MISSING;
	uint32_t file;

	if (op->accepts == OUTCOME_BIT(NOT_FOUND))
		*existence = NAME_TREE_MISSING;
	if (rules->in_block)
		*existence = NAME_TREE_UNKNOWN;
	else if (outcome_in(op->accepts, OUTCOME_OK))
		*existence = NAME_TREE_EXISTS;
	if (!makes || !missing || rules->in_block)
		return file_of(rules, node);
	file = number_of(rules, name_tree_make(&rules->names, node));
	if (!rules->failed)
		note_size(rules, file, true, 0);
	return file;
}

static void follow_open(struct rules *rules, const struct op *op)
{
	uint32_t node = node_of(rules, op->path, true);
	bool ok = outcome_in(op->accepts, OUTCOME_OK);
	bool makes = ok && (op->open_flags & OPEN_CREATE) != 0 &&
		     rules->names.nodes[node].existence != NAME_TREE_EXISTS;
	struct rules_file file = {
		.node = node,
		.append = (op->open_flags & OPEN_APPEND) != 0,
		.denies = denies(rules->program, op),
	};

	if (makes || (ok && (op->open_flags & OPEN_DELETE_ON_CLOSE) != 0))
		change_name(rules, node);
	else
		use_name(rules, node, RESOURCE_USE);
	file.file = open_file(rules, op, node, makes);
	if (rules->failed)
		return;
	use(rules, RESOURCE_SHARING, file.file, file.denies ? RESOURCE_CHANGE : RESOURCE_USE);
	if (ok)
		follow_data(rules, op, file.file, false);
	if (op->handle == OP_NONE)
		return;
	use(rules, RESOURCE_SLOT, op->handle, RESOURCE_CHANGE);
	rules->open[op->handle] = file;
}

static void remove_name(struct rules *rules, uint32_t node)
{
	change_name(rules, node);
	if (rules->in_block)
		rules->names.nodes[node].existence = NAME_TREE_UNKNOWN;
	else if (node != NAME_TREE_ROOT)
		name_tree_remove(&rules->names, node);
}

static void follow_close(struct rules *rules, const struct op *op)
{
	const struct rules_file *open = &rules->open[op->handle];

	use(rules, RESOURCE_SLOT, op->handle, RESOURCE_CHANGE);
	use(rules, RESOURCE_SHARING, open->file, open->denies ? RESOURCE_CHANGE : RESOURCE_USE);
	/* A close unlocks what its process has locked. */
	if (rules->names.files[open->file].locked)
		use(rules, RESOURCE_LOCKS, open->file, RESOURCE_CHANGE);
	if ((op_effect(op) & E_REMOVES) == 0) {
		use_name(rules, open->node, RESOURCE_USE);
		return;
	}
	remove_name(rules, open->node);
}

static void use_slot(struct rules *rules, const struct op *op, uint32_t handle)
{
	/* The position of the handle changes. */
	bool moves = (op->flags & OP_NEXT) != 0;

	use(rules, RESOURCE_SLOT, handle, moves ? RESOURCE_CHANGE : RESOURCE_USE);
	use_name(rules, rules->open[handle].node, RESOURCE_USE);
}

/* Give an open file the name that it has after a rename. */
static void rename_open(struct rules *rules, struct rules_file *open, uint32_t from, uint32_t to)
{
	int64_t node = name_tree_renamed(&rules->names, open->node, from, to);

	if (node < 0)
		rules->failed = true;
	else
		open->node = (uint32_t)node;
}

/* Are these two names of one file? Then a rename does nothing. */
static bool is_same_file(const struct rules *rules, uint32_t a, uint32_t b)
{
	const struct name_tree_node *nodes = rules->names.nodes;

	return !rules->one_file && nodes[a].file != NAME_TREE_NONE &&
	       nodes[a].file == nodes[b].file;
}

/* Follow a rename, or an exchange of two names. */
static void follow_move(struct rules *rules, uint32_t from, uint32_t to, bool swap)
{
	struct rules_file *open;
	uint32_t i;

	/* It is not known if the names change at all. */
	if (rules->in_block)
		use_name(rules, NAME_TREE_ROOT, RESOURCE_CHANGE);
	change_name(rules, from);
	change_name(rules, to);
	if (rules->in_block || from == NAME_TREE_ROOT || to == NAME_TREE_ROOT)
		lose_files(rules);
	if (from == NAME_TREE_ROOT || to == NAME_TREE_ROOT || is_same_file(rules, from, to))
		return;
	for (i = 0; i < rules->program->handle_count; i++) {
		open = &rules->open[i];
		if (name_tree_is_below(&rules->names, open->node, from))
			rename_open(rules, open, from, to);
		else if (swap && name_tree_is_below(&rules->names, open->node, to))
			rename_open(rules, open, to, from);
	}
	if (swap)
		name_tree_swap(&rules->names, from, to);
	else if (name_tree_move(&rules->names, from, to) < 0)
		rules->failed = true;
}

/* Follow an operation that gives a file another name. */
static void follow_link(struct rules *rules, uint32_t node, uint32_t existing)
{
	uint32_t file;

	use_name(rules, existing, RESOURCE_USE);
	if (rules->in_block || node == NAME_TREE_ROOT || existing == NAME_TREE_ROOT)
		lose_files(rules);
	file = file_of(rules, existing);
	if (rules->failed || node == NAME_TREE_ROOT)
		return;
	rules->names.files[file].linked = true;
	rules->names.nodes[node].file = file;
	rules->names.nodes[node].existence = rules->in_block ? NAME_TREE_UNKNOWN : NAME_TREE_EXISTS;
}

/* Follow an operation that makes the name `node`. */
static void follow_make(struct rules *rules, const struct op *op, uint32_t node)
{
	struct name_tree_node *made;

	change_name(rules, node);
	if (op->kind == OP_LINK || op->kind == OP_NFS_LINK) {
		follow_link(rules, node, node_of(rules, op->path2, false));
		return;
	}
	if (node == NAME_TREE_ROOT || rules->in_block ||
	    (op->kind == OP_NFS_CREATE && rules->names.nodes[node].existence == NAME_TREE_EXISTS))
		return;
	number_of(rules, name_tree_make(&rules->names, node));
	made = &rules->names.nodes[node];
	made->symlink = op->kind == OP_SYMLINK || op->kind == OP_NFS_SYMLINK;
}

/* Does the failure of this operation depend on what is in the directory? */
static bool looks_into(const struct op *op)
{
	return (op_effect(op) & (E_MOVES | E_REMOVES)) != 0 || op->kind == OP_LIST;
}

/* Follow an operation that has failed: it has used its names. */
static void follow_failure(struct rules *rules, const struct op *op)
{
	uint32_t paths[] = {op->path, op_accesses_two(op->kind) ? op->path2 : OP_NONE};
	size_t i;

	for (i = 0; i < 2; i++) {
		uint32_t node;

		if (paths[i] == OP_NONE)
			continue;
		node = node_of(rules, paths[i], true);
		use_name(rules, node, RESOURCE_USE);
		if (looks_into(op))
			use(rules, RESOURCE_ENTRIES, node, RESOURCE_USE);
	}
	if (op->handle != OP_NONE)
		use(rules, RESOURCE_DATA, rules->open[op->handle].file, RESOURCE_USE);
}

/* May the file of this name have other names? */
static bool is_linked(struct rules *rules, uint32_t node)
{
	uint32_t file = file_of(rules, node);

	return !rules->failed && rules->names.files[file].linked;
}

/* Follow an operation that has succeeded on a path. */
static void follow_path(struct rules *rules, const struct op *op)
{
	unsigned effect = op_effect(op);
	/* These act on the link itself. */
	bool follow = (effect & (E_REMOVES | E_MOVES | E_SWAPS)) == 0 && op->kind != OP_READLINK &&
		      op->kind != OP_NFS_READLINK;
	bool lists = op->kind == OP_LIST || op->kind == OP_UNLINK_MATCHING;
	uint32_t node = node_of(rules, lists ? op->path2 : op->path, follow);

	if ((effect & (E_MOVES | E_SWAPS)) != 0) {
		follow_move(rules, node, node_of(rules, op->path2, false), (effect & E_SWAPS) != 0);
		return;
	}
	if (op->kind == OP_UNLINK_MATCHING) {
		use_name(rules, node, RESOURCE_CHANGE);
		name_tree_forget_below(&rules->names, node);
		return;
	}
	if ((effect & E_REMOVES) != 0) {
		remove_name(rules, node);
		return;
	}
	if ((effect & E_MAKES) != 0) {
		follow_make(rules, op, node);
		return;
	}
	/* The attributes are those of all names of a file. */
	if ((effect & E_ALTERS) != 0)
		use_name(rules, is_linked(rules, node) ? NAME_TREE_ROOT : node, RESOURCE_CHANGE);
	else
		use_name(rules, node, RESOURCE_USE);
	if (op->kind == OP_LIST || op->kind == OP_NFS_READDIRPLUS)
		use(rules, RESOURCE_ENTRIES, node, RESOURCE_USE);
	else
		follow_data(rules, op, file_of(rules, node), false);
}

void rules_follow(struct rules *rules, const struct op *op)
{
	const struct rules_file *open;

	if (op_is_control(op->kind))
		return;
	if (op->kind == OP_OPEN) {
		follow_open(rules, op);
		return;
	}
	if (op->kind == OP_CLOSE) {
		follow_close(rules, op);
		return;
	}
	if (op->handle != OP_NONE)
		use_slot(rules, op, op->handle);
	if (op_uses_two_handles(op->kind))
		use_slot(rules, op, op->handle2);
	if (!outcome_in(op->accepts, OUTCOME_OK) && !is_lock((enum op_kind)op->kind)) {
		follow_failure(rules, op);
		return;
	}
	if (op->handle != OP_NONE) {
		open = &rules->open[op->handle];
		follow_data(rules, op, open->file, open->append);
	} else if (op->path != OP_NONE) {
		follow_path(rules, op);
	}
}
