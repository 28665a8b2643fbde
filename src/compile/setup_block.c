/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "compile/setup_block.h"

#include <errno.h>
#include <inttypes.h>

static int refuse(struct error *error, const char *reason)
{
	error_set(error, "%s", reason);
	return -EINVAL;
}

int setup_block_begin(struct setup_block *block, const struct program *program, const struct op *op,
		      struct error *error)
{
	enum op_setup kind = (enum op_setup)op->number;

	if (block->open) {
		error_set(error,
			  "SETUP cannot be inside the SETUP of line %" PRIu32
			  "; is an ENDSETUP missing before this line?",
			  block->line);
		return -EINVAL;
	}
	if (program->prologue)
		return refuse(error, "a load with a PROLOGUE cannot have a SETUP");
	if (program->op_count > block->end)
		return refuse(error, "SETUP must come before all other operations");
	if (block->end > 0 && (block->kind != OP_SETUP_SHARED || kind == OP_SETUP_SHARED))
		return refuse(error, "a load may have at most one SETUP shared, followed by at "
				     "most one other SETUP");
	*block = (struct setup_block){
		.open = true,
		.kind = kind,
		.line = op->line,
		.end = block->end,
	};
	return 0;
}

int setup_block_end(struct setup_block *block, const struct program *program,
		    struct handles *handles, struct error *error)
{
	size_t i;

	if (!block->open)
		return refuse(error,
			      "this ENDSETUP has no SETUP; expected SETUP on an earlier line");
	block->open = false;
	block->end = program->op_count + 1;
	for (i = 0; i < handles->numbers.count; i++) {
		struct handle *handle = &handles->handles[i];

		if (handle->open && block->kind == OP_SETUP_SHARED) {
			error_set(error,
				  "handle %" PRIu32
				  " is open at the end of SETUP shared; close the handle, because "
				  "only the user that plays SETUP shared could use this handle",
				  handle->number);
			return -EINVAL;
		}
		handle->kept = handle->open;
	}
	return 0;
}

static bool is_private(enum path_place place)
{
	return place == PATH_HOME || place == PATH_OWN;
}

/* Check one path of an operation in SETUP shared. */
static int check_shared(const struct program *program, uint32_t path, struct error *error)
{
	if (path == OP_NONE || !is_private(program->paths[path].place))
		return 0;
	error_set(error,
		  "\"/%s\" is in each user's own directory, but SETUP shared is played by one "
		  "user; use SETUP, or a path outside /%s/%s",
		  program->paths[path].text, CLIENTS_NAME, USER_NAME);
	return -EINVAL;
}

static int check_inside(const struct setup_block *block, const struct program *program,
			const struct op *op, uint64_t due_ns, struct error *error)
{
	if (due_ns != CLOCK_NEVER)
		return refuse(error, "an operation in SETUP cannot have a time stamp");
	if (op->kind == OP_SETSP || op->kind == OP_WAITSP) {
		error_set(error, "%s is not allowed in SETUP", op_verb(op->kind));
		return -EINVAL;
	}
	if (block->kind == OP_SETUP_SHARED &&
	    (op->kind == OP_RANDOMSTRING || op->kind == OP_WRITEPATTERN)) {
		error_set(error,
			  "%s is not allowed in SETUP shared, because only the user that plays "
			  "SETUP shared would have the %s",
			  op_verb(op->kind), op->kind == OP_RANDOMSTRING ? "string" : "pattern");
		return -EINVAL;
	}
	if (op_is_control(op->kind) || block->kind != OP_SETUP_SHARED)
		return 0;
	if (check_shared(program, op->path, error) < 0)
		return -EINVAL;
	return op_accesses_two(op->kind) ? check_shared(program, op->path2, error) : 0;
}

/* Check one path of an operation that changes it, after SETUP restore. */
static int check_restorable(const struct program *program, uint32_t path, struct error *error)
{
	if (path == OP_NONE || is_private(program->paths[path].place))
		return 0;
	error_set(error,
		  "SETUP restore cannot restore \"/%s\", which is outside the user's own "
		  "directory, /%s/%s",
		  program->paths[path].text, CLIENTS_NAME, USER_NAME);
	return -EINVAL;
}

static bool restores(const struct setup_block *block)
{
	return !block->open && block->end > 0 && block->kind == OP_SETUP_RESTORE;
}

int setup_block_check_op(const struct setup_block *block, const struct program *program,
			 const struct op *op, uint64_t due_ns, struct error *error)
{
	const uint64_t writing = OPEN_WRITE | OPEN_APPEND;

	if (block->open)
		return check_inside(block, program, op, due_ns, error);
	if (!restores(block) || op_is_control(op->kind))
		return 0;
	if ((op_changes_path(op) || (op->kind == OP_OPEN && (op->open_flags & writing) != 0)) &&
	    check_restorable(program, op->path, error) < 0)
		return -EINVAL;
	return op_accesses_two(op->kind) ? check_restorable(program, op->path2, error) : 0;
}

int setup_block_check_handle(const struct setup_block *block, const struct program *program,
			     const struct op *op, const struct handle *handle, struct error *error)
{
	if (!restores(block) || !op_changes_file(op->kind))
		return 0;
	return check_restorable(program, handle->path, error);
}

int setup_block_finish(const struct setup_block *block, const struct handles *handles,
		       const char *source, struct error *error)
{
	size_t i;

	if (block->open) {
		error_set_at(error, source, block->line, 0,
			     "this SETUP has no ENDSETUP; expected ENDSETUP on a later line");
		return -EINVAL;
	}
	for (i = 0; i < handles->numbers.count; i++) {
		const struct handle *handle = &handles->handles[i];

		if (!handle->kept || handle->open)
			continue;
		error_set_at(error, source, handle->closed_line, 0,
			     "handle %" PRIu32 ", which SETUP opens, is closed here and not opened "
			     "again; the next loop would find the handle closed",
			     handle->number);
		return -EINVAL;
	}
	return 0;
}
