/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "program/program.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int program_find_variable(const struct program *program, const char *name, size_t length)
{
	size_t i;

	for (i = 0; i < program->variable_count; i++)
		if (strncmp(program->variables[i].name, name, length) == 0 &&
		    program->variables[i].name[length] == '\0')
			return (int)i;
	return -ENOENT;
}

int program_find_reference(const struct program *program, const char *text, const char **start,
			   const char **end)
{
	for (; (text = strstr(text, "${")) != NULL; text++) {
		size_t length = strcspn(text + 2, "}");
		int number = program_find_variable(program, text + 2, length);

		if (text[2 + length] != '}' || number < 0)
			continue;
		*start = text;
		*end = text + 2 + length + 1;
		return number;
	}
	return -1;
}

uint64_t program_op_size_max(const struct program *program, const struct op *op)
{
	return (op->flags & OP_SIZED) != 0 ? program->formulas[op->size].range.max : op->size;
}

double program_op_bytes(const struct program *program, const struct op *op)
{
	if ((op->flags & OP_SIZED) != 0)
		return program->formulas[op->size].range.mean;
	return (op->flags & OP_COUNTED) != 0 ? op->expect : (double)op->size;
}

struct formula_range program_rounds(const struct program *program, const struct op *op)
{
	if ((op->flags & OP_SIZED) != 0)
		return program->formulas[op->count].range;
	return formula_fixed(op->count);
}

/* Sum up the weights of the branches of a MIX. The last of them is `last`, and
 * `expect` of each is the branch before it. */
static void sum_weights(struct op *ops, uint32_t last)
{
	uint32_t sum = 0, before;

	for (; last != OP_NONE; last = before) {
		before = ops[last].expect;
		sum += (uint32_t)ops[last].weight;
		ops[last].expect = sum;
	}
}

void program_link_blocks(struct program *program)
{
	struct op *ops = program->ops;
	struct {
		size_t start;
		uint32_t branch; /* the last one so far, or OP_NONE */
	} blocks[PROGRAM_LOOP_DEPTH + 1], *block = blocks;
	size_t i;

	program->every_count = 0;
	for (i = 0; i < program->op_count; i++) {
		switch (ops[i].kind) {
		case OP_EVERY:
			ops[i].counter = program->every_count++;
			/* fall through */
		case OP_LOOP:
		case OP_PARALLEL:
		case OP_MIX:
			block++;
			block->start = i;
			block->branch = OP_NONE;
			break;
		case OP_BRANCH:
			ops[i].expect = block->branch;
			if (block->branch != OP_NONE)
				ops[block->branch].jump = i;
			block->branch = (uint32_t)i;
			break;
		case OP_ENDMIX:
			ops[block->branch].jump = i;
			sum_weights(ops, block->branch);
			/* fall through */
		case OP_ENDLOOP:
		case OP_ENDPARALLEL:
			ops[i].jump = block->start + 1;
			ops[i].variable = ops[block->start].variable;
			ops[block->start].jump = i + 1;
			block--;
			break;
		case OP_ENDEVERY:
			ops[block->start].jump = i + 1;
			block--;
			break;
		}
	}
}

void program_print_stream(const struct program *program, size_t at, unsigned lane,
			  char text[PROGRAM_STREAM_TEXT])
{
	const struct op *ops = program->ops;
	unsigned stream = program->streams > 0 ? 0 : PROGRAM_STREAMS_MAX;

	while (at > 0 && ops[at].kind != OP_STREAM && ops[at].kind != OP_PARALLEL &&
	       ops[at].kind != OP_ENDPARALLEL)
		at--;
	if (ops[at].kind == OP_STREAM)
		stream = (unsigned)ops[at].number % PROGRAM_STREAMS_MAX;
	else if (ops[at].kind == OP_PARALLEL)
		stream = lane % (PROGRAM_STREAMS_MAX + 1);
	text[0] = '\0';
	if (stream < PROGRAM_STREAMS_MAX)
		snprintf(text, PROGRAM_STREAM_TEXT, ", stream %u", stream);
}

void program_free(struct program *program)
{
	size_t i;

	if (program == NULL)
		return;
	for (i = 0; i < program->path_count; i++)
		free(program->paths[i].text);
	for (i = 0; i < program->label_count; i++)
		free(program->labels[i]);
	for (i = 0; i < program->text_count; i++)
		free(program->texts[i]);
	free(program->comment);
	free(program->paths);
	free(program->labels);
	free(program->texts);
	free(program->requests);
	free(program->phases);
	for (i = 0; i < program->variable_count; i++)
		free(program->variables[i].name);
	free(program->variables);
	free(program->formulas);
	free(program->zipfs);
	free(program->shuffles);
	free(program->leftovers);
	free(program->ops);
	free(program->due_ns);
	free(program->source);
	free(program);
}
