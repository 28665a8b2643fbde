/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "program/program.h"

#include <stdlib.h>

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
	for (i = 0; i < program->shared_count; i++)
		free(program->shared[i].name);
	free(program->paths);
	free(program->labels);
	free(program->texts);
	free(program->shared);
	free(program->expressions);
	free(program->phases);
	free(program->leftovers);
	free(program->ops);
	free(program->due_ns);
	free(program->source);
	free(program);
}
