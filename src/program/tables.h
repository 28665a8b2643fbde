/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tables of a program that is being built: labels, paths, texts,
 * expressions and shared names. Each entry is kept once and has a number.
 * builder.h describes the errors.
 */
#ifndef PROGRAM_TABLES_H
#define PROGRAM_TABLES_H

#include "base/error.h"
#include "base/intern.h"
#include "program/program.h"

struct tables {
	struct program *program; /* being built */
	size_t path_room;
	struct intern paths, texts, expressions, labels, shared;
	unsigned strings; /* random strings defined so far, as bits */
	unsigned whole;   /* those whose template began with a slash */
};

int tables_label(struct tables *tables, const char *name, uint8_t *label,
		 struct error *error);
int tables_path(struct tables *tables, const char *text, bool pattern,
		uint32_t line, uint32_t *path, struct error *error);
int tables_text(struct tables *tables, const char *text, uint32_t *number,
		struct error *error);
int tables_expression(struct tables *tables,
		      const struct expression *expression, uint32_t *number,
		      struct error *error);

/*
 * Note the first component of a path outside CLIENTS_NAME, and whether the
 * load changes something there.
 */
int tables_shared(struct tables *tables, const char *normal, bool pattern,
		  bool changed, struct error *error);

/* Estimate their memory use, here and in the program, in bytes. */
size_t tables_bytes(const struct tables *tables);

void tables_free(struct tables *tables);

#endif
