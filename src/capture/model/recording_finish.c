/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Build the load of a recording: the set-up, which lays out the files that
 * existed before, and the operations. */
#include "capture/model/recording_state.h"

#include "base/wildcard.h"
#include "compile/builder.h"
#include "compile/tables.h"
#include "program/recorded.h"
#include "words/layout.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#define HOME "/" USER_NAME

enum {
	CHUNK_BYTES = 1 << 20, /* of a write in the set-up */
	/* Max length of a path below HOME. */
	PATH_LENGTH_MAX = PROGRAM_PATH_MAX - 64,
	/* A name can grow to three times its size. */
	SPELLED_MAX = 3 * 2 * TREE_PATH_MAX + sizeof(HOME),
};

struct finish {
	struct recording *recording;
	struct builder *builder;
	struct recording_totals *totals;
	struct error *error;
	uint32_t line;
	uint32_t *paths;    /* by the number of the path in the recording */
	uint32_t *patterns; /* the same for paths of a LIST */
	bool has_nameless;  /* files at the root, by tree_nameless() */
};

/* Must a component be spelled differently? USER_NAME stands for another name,
 * and so do the names of other users on file servers that ignore case. */
static bool has_meaning(const char *name, size_t length)
{
	size_t stem = strlen(USER_STEM), i;

	if (length <= stem || memcmp(name, USER_STEM, stem) != 0)
		return false;
	for (i = stem; i < length; i++)
		if (!isdigit((unsigned char)name[i]))
			return false;
	return true;
}

/* Does native have no way to write this character in a quoted name? A percent
 * sign before two digits is one that this function's user has written. */
static bool needs_percent(const char *name)
{
	return *name == '"' || *name == '\\' || *name == '\n' || *name == '\r' ||
	       (*name == '%' && isxdigit((unsigned char)name[1]) &&
		isxdigit((unsigned char)name[2]));
}

bool recording_can_spell(const char *path, bool content)
{
	size_t total = 0, i;

	if (strlen(path) >= TREE_PATH_MAX)
		return false;
	while (*path != '\0') {
		size_t length = strcspn(path, "/"), spelled = length;
		bool dots = strspn(path, ".") == length && length <= 2;

		if (dots && length > 0 && !content)
			return false;
		for (i = 0; i < length; i++)
			spelled += needs_percent(path + i) ? 2 : 0;
		spelled += length > 0 && has_meaning(path, length) ? 2 : 0;
		if (spelled > NAME_MAX)
			return false;
		total += spelled + 1;
		path += length + (path[length] == '/');
	}
	return total < PATH_LENGTH_MAX;
}

/* Append a component to a path in the native dialect. Return true if it had to
 * be changed. */
static bool spell(const char *name, size_t length, char **to)
{
	bool changed = false;
	size_t i;

	for (i = 0; i < length; i++) {
		bool percent = needs_percent(name + i) || (i == 0 && has_meaning(name, length));

		changed |= percent;
		*to += sprintf(*to, percent ? "%%%02x" : "%c", (unsigned char)name[i]);
	}
	return changed;
}

/* Write a path of the recording as the load has it. A pattern may have quotes,
 * which are wildcards there, if the path has no blanks. */
static bool spell_path(const char *path, bool pattern, char *spelled)
{
	char *to = spelled + sprintf(spelled, "%s", HOME);
	bool changed = false;

	while (*path != '\0') {
		size_t length = strcspn(path, "/");

		*to++ = '/';
		if (pattern && path[length] == '\0') {
			memcpy(to, path, length);
			to += length;
		} else {
			changed |= spell(path, length, &to);
		}
		path += length + (path[length] == '/');
	}
	*to = '\0';
	if (pattern && strpbrk(spelled, " \t") != NULL)
		while ((to = strchr(spelled, '"')) != NULL)
			*to = '.';
	return changed;
}

static int get_path(struct finish *finish, const char *path, bool pattern, uint32_t *number)
{
	char spelled[SPELLED_MAX], whole[2 * TREE_PATH_MAX];
	const char *rest;
	struct node *placed = tree_placed(&finish->recording->tree, path, &rest);

	if (placed != NULL && node_before_path(placed, whole) && strlen(rest) < TREE_PATH_MAX) {
		strcat(whole, rest);
		path = whole;
	}
	finish->totals->names_changed += spell_path(path, pattern, spelled);
	return builder_path(finish->builder, spelled, false, finish->line, number, finish->error);
}

/* The content of a symbolic link: only its names count. */
static int get_content(struct finish *finish, const char *target, uint32_t *number)
{
	char spelled[SPELLED_MAX], *to = spelled;

	while (*target != '\0') {
		size_t length = strcspn(target, "/");

		if (length > 0 && strncmp(target, "..", length) != 0) {
			*to++ = '/';
			spell(target, length, &to);
		}
		target += length + (target[length] == '/');
	}
	if (to == spelled)
		to += sprintf(to, "/dot");
	*to = '\0';
	return builder_path(finish->builder, spelled, false, finish->line, number, finish->error);
}

static int add(struct finish *finish, struct op *op, uint64_t due_ns)
{
	op->line = finish->line++;
	return builder_add(finish->builder, op, due_ns, finish->error);
}

/* Add an operation of the set-up, counted under its verb. */
static int add_setup(struct finish *finish, struct op *op)
{
	int rc = 0;

	op->accepts = OUTCOME_BIT(OK);
	if (!op_is_control(op->kind))
		rc = builder_label(finish->builder, op_verb((enum op_kind)op->kind), &op->label,
				   finish->error);
	return rc < 0 ? rc : add(finish, op, CLOCK_NEVER);
}

/* Write a range of a file's initial data. */
static int write_range(struct finish *finish, int64_t at, int64_t end)
{
	int rc = 0;

	for (; rc == 0 && at < end; at += CHUNK_BYTES) {
		int64_t bytes = end - at < CHUNK_BYTES ? end - at : CHUNK_BYTES;
		struct op op = {
			.kind = OP_WRITE, .flags = OP_COUNTED, .path = OP_NONE, .path2 = OP_NONE};

		op.offset = (uint64_t)at;
		op.size = (uint64_t)bytes;
		op.expect = (uint32_t)bytes;
		rc = add_setup(finish, &op);
		finish->totals->setup_bytes += op.size;
	}
	return rc;
}

/* Write the bytes that the load reads, and the last byte, so that the size is
 * right. */
static int write_initial(struct finish *finish, const struct node *node)
{
	int64_t size = node->before_bytes >= 0 ? node->before_bytes : node->before_least;
	int64_t end = 0;
	size_t i;
	int rc = 0;

	if (size > 0 && node->range_count == 0) {
		finish->totals->unread_sizes++;
		return 0;
	}
	for (i = 0; rc == 0 && i < node->range_count && end < size; i++) {
		end = node->ranges[i].to < size ? node->ranges[i].to : size;
		rc = write_range(finish, node->ranges[i].from, end);
	}
	return rc == 0 && end < size ? write_range(finish, size - 1, size) : rc;
}

static int make_file(struct finish *finish, const struct node *node, uint32_t path)
{
	struct op open = {.kind = OP_OPEN,
			  .path = path,
			  .path2 = OP_NONE,
			  .open_flags = OPEN_WRITE | OPEN_CREATE | OPEN_FILE};
	struct op close = {.kind = OP_CLOSE, .path = OP_NONE, .path2 = OP_NONE};
	int rc = add_setup(finish, &open);

	if (rc == 0)
		rc = write_initial(finish, node);
	return rc < 0 ? rc : add_setup(finish, &close);
}

/* Lay out a file as it was before, after its directory and the file that it is
 * a name of. */
static int make_node(struct finish *finish, struct node *node)
{
	struct op op = {.kind = OP_MKDIR, .handle = OP_NONE, .path2 = OP_NONE};
	char path[TREE_PATH_MAX], link[TREE_PATH_MAX];
	int rc;

	node->laid_out = true;
	if (!node_before_path(node, path) || !recording_can_spell(path, false))
		return 0;
	rc = get_path(finish, path, false, &op.path);
	if (rc < 0)
		return rc;
	finish->totals->setup_directories += node->kind == NODE_DIRECTORY;
	finish->totals->setup_files += node->kind != NODE_DIRECTORY;
	if (node->kind == NODE_DIRECTORY)
		return add_setup(finish, &op);
	if (node->kind == NODE_LINK) {
		op.kind = OP_SYMLINK;
		rc = get_content(finish, node->target != NULL ? node->target : "", &op.path2);
		return rc < 0 ? rc : add_setup(finish, &op);
	}
	if (node->before_link == NULL || !node_before_path(node->before_link, link))
		return make_file(finish, node, op.path);
	op.kind = OP_LINK;
	rc = get_path(finish, link, false, &op.path2);
	return rc < 0 ? rc : add_setup(finish, &op);
}

/* Return the topmost directory of a node's path that is not laid out, or the
 * node itself. */
static struct node *first_missing(struct node *node)
{
	struct node *up = node->before_directory;

	for (; up->number != 0; up = up->before_directory)
		if (!up->laid_out)
			node = up;
	return node;
}

static int make_attribute(struct finish *finish, const struct attribute *attribute,
			  const char *name)
{
	struct op op = {.kind = OP_XATTR_SET, .handle = OP_NONE, .path2 = OP_NONE};
	char path[TREE_PATH_MAX];
	int rc;

	if (attribute->before_bytes < 0 || !node_before_path(attribute->node, path))
		return 0;
	op.size = (uint64_t)attribute->before_bytes;
	rc = get_path(finish, path, false, &op.path);
	if (rc == 0)
		rc = builder_text(finish->builder, name, &op.text, finish->error);
	return rc < 0 ? rc : add_setup(finish, &op);
}

static int make_setup(struct finish *finish)
{
	struct recording *recording = finish->recording;
	struct op op = {.kind = OP_SETUP,
			.handle = OP_NONE,
			.path = OP_NONE,
			.path2 = OP_NONE,
			.number = OP_SETUP_RESTORE};
	size_t i;
	int rc = add_setup(finish, &op);

	for (i = 1; rc == 0 && i < recording->tree.node_count; i++) {
		struct node *node = recording->tree.nodes[i];

		while (rc == 0 && node->before && !node->maybe && !node->laid_out)
			rc = make_node(finish, first_missing(node));
	}
	for (i = 0; rc == 0 && i < recording->attribute_names.count; i++)
		rc = make_attribute(finish, &recording->attributes[i],
				    recording->attribute_names.keys[i].bytes + sizeof(uint32_t));
	op = (struct op){.kind = OP_ENDSETUP, .handle = OP_NONE, .path = OP_NONE, .path2 = OP_NONE};
	return rc < 0 ? rc : add_setup(finish, &op);
}

/* Convert the number of a path, once per path. */
static int convert_path(struct finish *finish, bool pattern, uint32_t *number)
{
	uint32_t *converted = (pattern ? finish->patterns : finish->paths) + *number;
	int rc = 0;

	if (*converted == OP_NONE)
		rc = get_path(finish, finish->recording->paths.keys[*number].bytes, pattern,
			      converted);
	*number = *converted;
	return rc;
}

static int convert(struct finish *finish, struct op *op)
{
	struct recording *recording = finish->recording;
	bool symlink = op->kind == OP_SYMLINK || op->kind == OP_NFS_SYMLINK;
	int rc = builder_label(finish->builder, recording->labels.keys[op->label].bytes, &op->label,
			       finish->error);

	/* Set-up puts nameless files into the root, where the capture's listings
	 * did not have them. */
	if (op->kind == OP_LIST && finish->has_nameless) {
		const char *path = recording->paths.keys[op->path].bytes;

		if (strchr(path, '/') == NULL && wildcard_is_pattern(path))
			op->flags &= (uint16_t)~OP_COUNTED;
	}
	if (rc == 0 && op->path != OP_NONE)
		rc = convert_path(finish, op->kind == OP_LIST, &op->path);
	if (rc == 0 && symlink)
		rc = get_content(finish, recording->paths.keys[op->path2].bytes, &op->path2);
	else if (rc == 0 && op_accesses_two((enum op_kind)op->kind))
		rc = convert_path(finish, false, &op->path2);
	if (rc == 0 && strchr(op_shape((enum op_kind)op->kind), 'N') != NULL)
		rc = builder_text(finish->builder, recording->texts.keys[op->text].bytes, &op->text,
				  finish->error);
	else if (rc == 0 && recorded_has_request((enum op_kind)op->kind) && op->request > 0)
		rc = builder_request(finish->builder,
				     (const struct smb_request *)(const void *)recording->requests
					     .keys[op->request - 1]
					     .bytes,
				     &op->request, finish->error);
	return rc;
}

/* Add a pause, if it can be told from none. */
static int add_pause(struct finish *finish, uint64_t pause_ns)
{
	struct op op = {.kind = OP_SLEEP,
			.handle = OP_NONE,
			.path = OP_NONE,
			.path2 = OP_NONE,
			.sleep_ns = pause_ns / NS_PER_US * NS_PER_US};

	if (op.sleep_ns == 0)
		return 0;
	if (op.sleep_ns > UINT32_MAX * NS_PER_US)
		op.sleep_ns = UINT32_MAX * NS_PER_US;
	finish->totals->pauses++;
	finish->totals->paused_ns += op.sleep_ns;
	return add(finish, &op, CLOCK_NEVER);
}

/* Add a line between the operations. */
static int add_stream_line(struct finish *finish, const struct stream_line *line)
{
	struct op op = {.kind = (uint8_t)line->kind,
			.handle = OP_NONE,
			.path = OP_NONE,
			.path2 = OP_NONE,
			.number = line->stream};

	if (line->kind == OP_SLEEP)
		return add_pause(finish, line->pause_ns);
	return add(finish, &op, CLOCK_NEVER);
}

/* Add the lines between the operations before the one with the index `at`. */
static int add_stream_lines(struct finish *finish, size_t at, size_t *line)
{
	const struct tasks *tasks = &finish->recording->tasks;
	int rc = 0;

	for (; rc == 0 && *line < tasks->line_count && tasks->lines[*line].at <= at; ++*line)
		rc = add_stream_line(finish, &tasks->lines[*line]);
	return rc;
}

/* Add the lines after the last operation, if they are not without effect. */
static int add_last_lines(struct finish *finish, size_t line)
{
	const struct tasks *tasks = &finish->recording->tasks;
	size_t end = tasks->line_count;
	int rc = 0;

	while (end > line && tasks->lines[end - 1].kind != OP_SLEEP)
		end--;
	for (; rc == 0 && line < end; line++)
		rc = add_stream_line(finish, &tasks->lines[line]);
	return rc;
}

static int add_operations(struct finish *finish)
{
	struct recording *recording = finish->recording;
	uint64_t start_ns = recording->dues != NULL && recording->count > 0 ? recording->dues[0]
									    : 0;
	size_t line = 0, i;
	int rc = 0;

	for (i = 0; rc == 0 && i < recording->count; i++) {
		struct op op = recording->ops[i];

		rc = add_stream_lines(finish, i, &line);
		if (rc == 0 && recording->pauses != NULL)
			rc = add_pause(finish, recording->pauses[i]);
		if (rc == 0)
			rc = convert(finish, &op);
		if (rc == 0)
			rc = add(finish, &op,
				 recording->dues != NULL ? recording->dues[i] - start_ns
							 : CLOCK_NEVER);
	}
	return rc < 0 ? rc : add_last_lines(finish, line);
}

static int build(struct finish *finish)
{
	struct recording *recording = finish->recording;
	size_t paths = recording->paths.count;
	int rc;

	finish->paths = malloc(2 * paths * sizeof(*finish->paths) + 1);
	if (finish->paths == NULL)
		return error_no_memory(finish->error);
	finish->patterns = finish->paths + paths;
	finish->has_nameless = tree_has_nameless(&recording->tree);
	memset(finish->paths, 0xff, 2 * paths * sizeof(*finish->paths));
	rc = make_setup(finish);
	if (rc == 0)
		rc = add_operations(finish);
	free(finish->paths);
	return rc;
}

struct program *recording_finish(struct recording *recording, const char *source,
				 struct recording_totals *totals, struct error *error)
{
	struct finish finish = {
		.recording = recording, .totals = totals, .error = error, .line = 1};

	conversion_end(&recording->conversion);
	if ((recording->options & RECORDING_PAUSES) != 0)
		tasks_pause_at_end(&recording->tasks, recording->count);
	*totals = (struct recording_totals){
		.operations = recording->count,
		.read_bytes = recording->read_bytes,
		.written_bytes = recording->written_bytes,
	};
	tasks_plan(&recording->tasks, totals);
	if (recording->failed || recording->tree.failed || recording->conversion.failed ||
	    recording->tasks.failed) {
		error_no_memory(error);
		return NULL;
	}
	finish.builder = builder_new(source, "native");
	if (finish.builder == NULL) {
		error_no_memory(error);
		return NULL;
	}
	if (build(&finish) == 0)
		return builder_finish(finish.builder, error);
	builder_free(finish.builder);
	return NULL;
}
