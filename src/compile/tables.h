/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tables of a program that is being built: labels, paths, texts,
 * formulas and recorded requests. Equal entries are stored once;
 * each entry has a number. The functions return errors as builder.h describes.
 */
#ifndef COMPILE_TABLES_H
#define COMPILE_TABLES_H

#include "base/error.h"
#include "base/intern.h"
#include "compile/variables.h"
#include "program/path.h"
#include "program/program.h"

struct tables {
	struct program *program; /* being built */
	size_t path_room, request_room;
	struct intern paths, texts, formulas, labels, requests;
	struct variables variables;
	unsigned strings; /* random strings defined so far, one bit per slot */
	unsigned whole;   /* the strings whose template began with a slash */
	struct path_spelling spelling;
};

/* Get the number of an entry, adding it if it is new. */
int tables_label(struct tables *tables, const char *name, uint8_t *label, struct error *error);
int tables_path(struct tables *tables, const char *text, bool references, uint32_t line,
		uint32_t *path, struct error *error);
int tables_text(struct tables *tables, const char *text, uint32_t *number, struct error *error);
int tables_formula(struct tables *tables, const struct formula *formula, uint32_t *number,
		   struct error *error);
int tables_request(struct tables *tables, const struct smb_request *request, uint32_t *number,
		   struct error *error);

/* Add a distribution for draws. Return its number, or -ENOMEM, or -E2BIG if
 * there would be more than PROGRAM_DRAWS_MAX. */
int64_t tables_zipf(struct tables *tables, uint64_t count, double exponent);
int64_t tables_shuffle(struct tables *tables, uint64_t count);

/*
 * Check that no random string can make CLIENTS_NAME the first component of a
 * path. Call this after the last operation was added.
 */
int tables_check_strings(const struct tables *tables, struct error *error);

/* Estimate the memory use of the tables, here and in the program, in bytes. */
size_t tables_bytes(const struct tables *tables);

void tables_free(struct tables *tables);

#endif
