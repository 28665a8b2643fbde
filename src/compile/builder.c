/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "compile/builder.h"

#include "base/array.h"
#include "compile/blocks.h"
#include "compile/handles.h"
#include "compile/path_policy.h"
#include "compile/phase.h"
#include "compile/setup_block.h"
#include "compile/stream.h"
#include "compile/tables.h"
#include "program/path.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct builder {
	struct program *program;
	size_t op_room;
	struct tables tables;
	struct handles handles;
	bool any_delete_on_close;
	struct blocks blocks;
	/* There is an operation for a backend; in a load with a set-up, also
	 * after the set-up. */
	bool plays;
	bool phase_plays; /* there is one in the current phase */
	struct stream_lines streams;
	struct setup_block setup;
};

struct builder *builder_new(const char *source, const char *dialect)
{
	static const struct smb_request unrecorded = {0};
	struct builder *builder = calloc(1, sizeof(*builder));
	struct error ignored = {0};
	uint32_t first;

	if (builder == NULL)
		return NULL;
	builder->program = calloc(1, sizeof(*builder->program));
	if (builder->program != NULL) {
		builder->program->source = strdup(source);
		builder->program->dialect = dialect;
	}
	builder->tables.program = builder->program;
	builder->blocks = (struct blocks){
		.program = builder->program,
		.handles = &builder->handles,
		.variables = &builder->tables.variables,
	};
	if (builder->program == NULL || builder->program->source == NULL ||
	    variables_open(&builder->tables.variables, builder->program) < 0 ||
	    builder_request(builder, &unrecorded, &first, &ignored) < 0) {
		builder_free(builder);
		return NULL;
	}
	return builder;
}

void builder_free(struct builder *builder)
{
	if (builder == NULL)
		return;
	blocks_free(&builder->blocks);
	tables_free(&builder->tables);
	handles_free(&builder->handles);
	program_free(builder->program);
	free(builder);
}

int builder_prologue(struct builder *builder, struct error *error)
{
	if (builder->program->op_count > 0) {
		error_set(error, "PROLOGUE must come before all operations, and a load with "
				 "PROLOGUE can have neither SETUP nor PHASE");
		return -EINVAL;
	}
	builder->program->prologue = true;
	return 0;
}

int builder_label(struct builder *builder, const char *name, uint8_t *label, struct error *error)
{
	return tables_label(&builder->tables, name, label, error);
}

int builder_path(struct builder *builder, const char *text, bool references, uint32_t line,
		 uint32_t *path, struct error *error)
{
	return tables_path(&builder->tables, text, references, line, path, error);
}

unsigned builder_strings(const struct builder *builder)
{
	return builder->tables.strings;
}

enum path_place builder_place(const struct builder *builder, uint32_t path)
{
	return builder->program->paths[path].place;
}

int builder_text(struct builder *builder, const char *text, uint32_t *number, struct error *error)
{
	return tables_text(&builder->tables, text, number, error);
}

int builder_request(struct builder *builder, const struct smb_request *request, uint32_t *number,
		    struct error *error)
{
	return tables_request(&builder->tables, request, number, error);
}

bool builder_is_open(struct builder *builder, uint32_t number)
{
	const struct handle *handle = handles_find(&builder->handles, number);

	return handle != NULL && handle->open;
}

int builder_formula(struct builder *builder, const struct formula *formula, uint32_t *number,
		    struct error *error)
{
	return tables_formula(&builder->tables, formula, number, error);
}

struct tables *builder_tables(struct builder *builder)
{
	return &builder->tables;
}

int builder_declare(struct builder *builder, const char *name, bool counter,
		    const struct formula_range *range, uint32_t line, uint32_t *number,
		    struct error *error)
{
	unsigned depth = blocks_variable_depth(&builder->blocks);
	int rc = variables_declare(&builder->tables.variables, name, range, depth + counter,
				   counter, line, error);

	*number = (uint32_t)rc;
	return rc < 0 ? rc : 0;
}

enum op_kind builder_block(const struct builder *builder)
{
	return blocks_innermost(&builder->blocks);
}

unsigned builder_depth(const struct builder *builder)
{
	return builder->blocks.depth;
}

uint32_t builder_setup_line(const struct builder *builder)
{
	return builder->setup.open ? builder->setup.line : 0;
}

int builder_check_depth(struct builder *builder, unsigned depth, const char *verb,
			struct error *error)
{
	return blocks_check_depth(&builder->blocks, depth, verb, error);
}

uint32_t builder_report_block(struct builder *builder)
{
	return blocks_report(&builder->blocks);
}

void builder_begin_refused(struct builder *builder, enum op_kind kind, uint32_t line)
{
	if (kind == OP_SETUP)
		builder->blocks.ignored_ends[kind]++;
	else
		blocks_begin_refused(&builder->blocks, kind, line);
}

void builder_open_refused(struct builder *builder, uint32_t number)
{
	struct handle *handle = handles_find(&builder->handles, number);

	if (handle == NULL || handle->open)
		return;
	handles_open(&builder->handles, handle);
	handle->path = OP_NONE;
	handle->directory = false;
	handle->delete_on_close = false;
}

int builder_end_branch(struct builder *builder, struct error *error)
{
	return blocks_end(&builder->blocks, OP_BRANCH, error);
}

static int check_open(const struct handle *handle, uint32_t number, struct error *error)
{
	if (handle == NULL)
		return error_no_memory(error);
	if (handle->open)
		return 0;
	error_set(error, "handle %" PRIu32 " is not open at this line", number);
	return -EINVAL;
}

/* Replace the number of the handle to write to with its slot. */
static int assign_handle2(struct builder *builder, struct op *op, struct error *error)
{
	uint32_t number = op->handle2;
	struct handle *handle = handles_find(&builder->handles, number);
	int rc = check_open(handle, number, error);

	if (rc < 0)
		return rc;
	op->handle2 = handle->slot;
	return setup_block_check_handle(&builder->setup, builder->program, op, handle, error);
}

/* Replace the handle's number with its slot, and track opens and closes. */
static int assign_handle(struct builder *builder, struct op *op, struct error *error)
{
	uint32_t number = op->handle;
	struct handle *handle = handles_find(&builder->handles, number);
	int rc = 0;

	if (op->kind != OP_OPEN || handle == NULL)
		rc = check_open(handle, number, error);
	if (rc < 0)
		return rc;
	if (op->kind == OP_OPEN) {
		handles_open(&builder->handles, handle);
		handle->path = op->path;
		handle->directory = (op->open_flags & OPEN_DIRECTORY) != 0;
		handle->delete_on_close = (op->open_flags & OPEN_DELETE_ON_CLOSE) != 0;
		builder->any_delete_on_close |= handle->delete_on_close;
		builder->program->direct |= (op->open_flags & OPEN_DIRECT) != 0;
	}
	op->handle = handle->slot;
	if (!op_uses_two_handles(op->kind) &&
	    setup_block_check_handle(&builder->setup, builder->program, op, handle, error) < 0)
		return -EINVAL;
	if (op_uses_two_handles(op->kind))
		return assign_handle2(builder, op, error);
	if (op->kind != OP_CLOSE)
		return 0;
	if (handle->delete_on_close) {
		op->flags |= OP_DELETE;
		op->path = handle->path;
	}
	if (handle->directory)
		op->flags |= OP_DIRECTORY;
	handle->closed_line = op->line;
	if (handles_close(&builder->handles, handle) < 0)
		return error_no_memory(error);
	return 0;
}

/* Update the paths of open handles after a rename, so that delete-on-close
 * removes the file under its new name. */
static void follow_rename(struct builder *builder, const struct op *op)
{
	size_t i;

	if ((op->kind != OP_RENAME && op->kind != OP_NFS_RENAME) || !builder->any_delete_on_close)
		return;
	for (i = 0; i < builder->handles.numbers.count; i++) {
		struct handle *handle = &builder->handles.handles[i];

		if (!handle->open)
			continue;
		if (handle->path == op->path)
			handle->path = op->path2;
		else if (handle->path == op->path2 && op->kind == OP_RENAME &&
			 op->mode == RENAME_SWAP)
			handle->path = op->path;
	}
}

/* Define a random string. Drop the slashes at the start of the template, as a
 * path already has a slash before the string. */
static int define_string(struct builder *builder, struct op *op, struct error *error)
{
	struct tables *tables = &builder->tables;
	const char *template = builder->program->texts[op->text];
	size_t slashes = strspn(template, "/\\");
	int rc = path_check_template(template + slashes, error);

	if (rc == 0 && slashes > 0)
		rc = tables_text(tables, template + slashes, &op->text, error);
	if (rc < 0)
		return rc;
	path_spell(&tables->spelling, (unsigned)op->number, template + slashes);
	tables->strings |= 1u << op->number;
	tables->whole &= ~(1u << op->number);
	tables->whole |= (slashes > 0 ? 1u : 0u) << op->number;
	return 0;
}

static int begin_phase(struct builder *builder, struct op *op, struct error *error)
{
	int rc = phase_add(builder->program, op, builder->phase_plays, error);

	if (rc == 0)
		builder->phase_plays = false;
	return rc;
}

static int begin_setup(struct builder *builder, const struct op *op, struct error *error)
{
	int rc = setup_block_begin(&builder->setup, builder->program, op, error);

	/* If its ENDSETUP is missing, the lines belong to the new one. */
	if (rc < 0 && builder->setup.open)
		builder->setup.kind = (enum op_setup)op->number;
	builder->blocks.in_setup = builder->setup.open;
	return rc;
}

static int end_setup(struct builder *builder, struct error *error)
{
	unsigned *ignored = &builder->blocks.ignored_ends[OP_SETUP];

	if (!builder->setup.open && *ignored > 0) {
		--*ignored;
		return 0;
	}
	builder->plays = false;
	/* Later loops do not play the set-up again, and a shared one is played
	 * by one user, so its variables would have other values. */
	builder->blocks.in_setup = false;
	variables_leave(&builder->tables.variables, 0);
	return setup_block_end(&builder->setup, builder->program, &builder->handles, error);
}

/* Must all blocks before an op of this kind have ended? */
static bool is_outside_blocks(enum op_kind kind)
{
	return kind == OP_PHASE || kind == OP_STREAM || kind == OP_AFTER || kind == OP_PARALLEL ||
	       kind == OP_ENDSETUP;
}

/* Refuse an op that must be outside all blocks if one has not ended. End it. */
static int check_ended(struct builder *builder, enum op_kind kind, struct error *error)
{
	struct error ignored = {0};
	int rc;

	if (kind == OP_ENDSETUP && !builder->setup.open)
		return 0;
	rc = blocks_check_ended(&builder->blocks, kind, error);
	if (!builder->setup.open)
		return rc;
	if (kind != OP_ENDSETUP) {
		error_set(error,
			  "%s cannot be inside the SETUP of line %" PRIu32
			  "; is an ENDSETUP missing before this line?",
			  op_verb(kind), builder->setup.line);
		builder->blocks.ignored_ends[OP_SETUP]++;
		rc = -EINVAL;
	}
	if (rc < 0)
		end_setup(builder, &ignored);
	return rc;
}

static int add_control(struct builder *builder, struct op *op, struct error *error)
{
	struct program *program = builder->program;

	if (stream_check(&builder->streams, program, op, error) < 0)
		return -EINVAL;
	switch (op->kind) {
	case OP_SETUP:
		return begin_setup(builder, op, error);
	case OP_ENDSETUP:
		return end_setup(builder, error);
	case OP_LOOP:
	case OP_PARALLEL:
	case OP_MIX:
	case OP_BRANCH:
	case OP_EVERY:
		return blocks_begin(&builder->blocks, op, error);
	case OP_ENDLOOP:
		return blocks_end(&builder->blocks, OP_LOOP, error);
	case OP_ENDPARALLEL:
		return blocks_end(&builder->blocks, OP_PARALLEL, error);
	case OP_ENDMIX:
		return blocks_end(&builder->blocks, OP_MIX, error);
	case OP_ENDEVERY:
		return blocks_end(&builder->blocks, OP_EVERY, error);
	case OP_RANDOMSTRING:
		return define_string(builder, op, error);
	case OP_PHASE:
		return begin_phase(builder, op, error);
	case OP_STREAM:
		/* Files that the stream opens use slots of its own: a slot that two
		 * streams use in turn would let one wait for the other. */
		builder->handles.stream = (unsigned)op->number;
		variables_hide(&builder->tables.variables);
		return 0;
	case OP_WRITEPATTERN:
		if (program->texts[op->text][0] != '\0')
			return 0;
		error_set(error, "the pattern is empty; expected the text to write");
		return -EINVAL;
	case OP_WAITSP:
		if (op->user > program->user_awaited_max)
			program->user_awaited_max = op->user;
		return 0;
	default:
		return 0;
	}
}

/* Set path2 of a LIST or UNLINK_MATCHING to the directory of its path. */
static int add_directory(struct builder *builder, struct op *op, struct error *error)
{
	char parent[PROGRAM_PATH_MAX];
	const char *text = builder->program->paths[op->path].text;
	size_t length = path_parent(text);

	memcpy(parent, text, length);
	parent[length] = '\0';
	return builder_path(builder, parent,
			    builder->program->paths[op->path].references &&
				    strstr(parent, "${") != NULL,
			    op->line, &op->path2, error);
}

static int refuse_size(const struct builder *builder, const struct op *op, uint64_t bytes,
		       struct error *error)
{
	if ((op->flags & OP_SIZED) == 0) {
		error_set(error, "%" PRIu64 " bytes exceed the limit of %d bytes per operation",
			  bytes, PROGRAM_IO_BYTES_MAX);
		return -EINVAL;
	}
	error_set(error,
		  "the size may be %" PRIu64 " bytes, but the limit is %d bytes per operation; "
		  "limit the size with min(size,%dMi)",
		  bytes, PROGRAM_IO_BYTES_MAX, PROGRAM_IO_BYTES_MAX >> 20);
	variables_explain(&builder->tables.variables, &builder->program->formulas[op->size], error);
	return -EINVAL;
}

/* Check the size of an operation that needs a buffer, and update the program's
 * max size. */
static int note_size(struct builder *builder, struct op *op, struct error *error)
{
	uint64_t bytes;

	if (op->kind == OP_XATTR_LIST)
		op->size = PROGRAM_ATTRIBUTE_BYTES_MAX;
	bytes = program_op_size_max(builder->program, op);
	if (op_moves_attributes(op->kind) && bytes > PROGRAM_ATTRIBUTE_BYTES_MAX) {
		error_set(error, "%" PRIu64 " bytes exceed the limit of %d bytes per attribute",
			  bytes, PROGRAM_ATTRIBUTE_BYTES_MAX);
		return -EINVAL;
	}
	if (bytes > PROGRAM_IO_BYTES_MAX)
		return refuse_size(builder, op, bytes, error);
	if (bytes > builder->program->io_bytes_max)
		builder->program->io_bytes_max = (uint32_t)bytes;
	return 0;
}

/* Refuse a flag of program_flag_words that the operation does not take. */
static int check_flags(const struct op *op, struct error *error)
{
	unsigned settable = OP_LOOKUP | OP_FLUSH | OP_SYNC_PARENT;
	unsigned refused = op->flags & settable & ~op_takes(op->kind);
	const struct op_flag_word *known = program_flag_words;

	if (refused == 0)
		return 0;
	while ((refused & known->flag) == 0)
		known++;
	error_set(error, "%s does not take the flag %s", op_verb(op->kind), known->word);
	return -EINVAL;
}

static int add_played(struct builder *builder, struct op *op, struct error *error)
{
	int rc = check_flags(op, error);

	if (rc == 0 && (op->kind == OP_LIST || op->kind == OP_UNLINK_MATCHING))
		rc = add_directory(builder, op, error);
	if (rc == 0)
		rc = path_policy_check(&builder->tables, op, error);
	if (rc == 0)
		rc = stream_check_played(&builder->blocks, op, error);
	if (rc < 0)
		return rc;
	if ((op_class(op->kind) == OP_CLASS_DATA || op_moves_attributes(op->kind)) &&
	    note_size(builder, op, error) < 0)
		return -EINVAL;
	if (op->kind == OP_OPEN && !outcome_in(op->accepts, OUTCOME_OK)) {
		/*
		 * Assign no slot: an open that fails does not change the handle
		 * number, which still stands for the file of an earlier open.
		 */
		op->handle = OP_NONE;
	} else if (op->kind == OP_OPEN && op->handle == OP_NONE) {
		error_set(error, "expected a handle number, because this open may succeed");
		return -EINVAL;
	}
	if (op->handle != OP_NONE)
		rc = assign_handle(builder, op, error);
	follow_rename(builder, op);
	builder->plays = builder->phase_plays = true;
	return rc;
}

static int add_due(struct builder *builder, uint64_t due_ns, struct error *error)
{
	struct program *program = builder->program;
	size_t i;

	if (program->due_ns == NULL) {
		if (due_ns == CLOCK_NEVER)
			return 0;
		program->due_ns = reallocarray(NULL, builder->op_room, sizeof(*program->due_ns));
		if (program->due_ns == NULL)
			return error_no_memory(error);
		for (i = 0; i < program->op_count; i++)
			program->due_ns[i] = CLOCK_NEVER;
	}
	program->due_ns[program->op_count] = due_ns;
	return 0;
}

int builder_add(struct builder *builder, const struct op *op, uint64_t due_ns, struct error *error)
{
	struct program *program = builder->program;
	struct op added = *op;
	size_t due_room = builder->op_room;
	int rc = 0;

	if (is_outside_blocks((enum op_kind)op->kind))
		rc = check_ended(builder, (enum op_kind)op->kind, error);
	if (rc == 0)
		rc = setup_block_check_op(&builder->setup, program, op, due_ns, error);
	if (rc == 0)
		rc = blocks_check(&builder->blocks, (enum op_kind)op->kind, error);
	if (rc < 0)
		return rc;
	if (array_grow(&program->ops, &builder->op_room, program->op_count + 1,
		       sizeof(*program->ops)) < 0 ||
	    (program->due_ns != NULL &&
	     array_grow(&program->due_ns, &due_room, program->op_count + 1,
			sizeof(*program->due_ns)) < 0))
		return error_no_memory(error);
	if (op_class(op->kind) == OP_CLASS_CONTROL)
		rc = add_control(builder, &added, error);
	else
		rc = add_played(builder, &added, error);
	if (rc == 0)
		rc = add_due(builder, due_ns, error);
	if (rc == 0)
		program->ops[program->op_count++] = added;
	return rc;
}

size_t builder_ops(const struct builder *builder)
{
	return builder->program->op_count;
}

uint64_t builder_bytes(const struct builder *builder)
{
	const struct program *program = builder->program;
	size_t each = sizeof(*program->ops) +
		      (program->due_ns != NULL ? sizeof(*program->due_ns) : 0);

	return program->op_count * each + tables_bytes(&builder->tables) +
	       handles_bytes(&builder->handles);
}

/* Check the load as a whole. The error includes the line. */
static int check_end(const struct builder *builder, struct error *error)
{
	const struct program *program = builder->program;
	const struct program_phase *phase = phase_last(program);
	int rc = blocks_finish(&builder->blocks, error);

	if (rc < 0)
		return rc;
	if (!builder->plays && !builder->setup.open) {
		error_set_at(error, program->source, 0, 0, "the loadfile has no operation%s",
			     builder->setup.end > 0 ? " after its SETUP" : "");
		return -EINVAL;
	}
	if (phase != NULL && !builder->phase_plays) {
		error_set_at(error, program->source, phase->line, 0,
			     "the PHASE %s has no operation; expected at least one after this line",
			     phase->name);
		return -EINVAL;
	}
	return setup_block_finish(&builder->setup, &builder->handles, program->source, error);
}

struct program *builder_finish(struct builder *builder, struct error *error)
{
	struct program *program = NULL;

	if (check_end(builder, error) == 0 && phase_find_items(builder->program, error) == 0 &&
	    handles_finish(&builder->handles, builder->program, error) == 0 &&
	    tables_check_strings(&builder->tables, error) == 0) {
		program = builder->program;
		builder->program = NULL;
		program_link_blocks(program);
	}
	builder_free(builder);
	return program;
}
