/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tables of a program that is being built: labels, paths, texts,
 * formulas, recorded requests and shared names. Equal entries are stored once;
 * each entry has a number. The functions return errors as builder.h describes.
 */
#ifndef COMPILE_TABLES_H
#define COMPILE_TABLES_H

#include "base/error.h"
#include "base/intern.h"
#include "compile/variables.h"
#include "program/program.h"

struct tables {
	struct program *program; /* being built */
	size_t path_room, request_room;
	struct intern paths, texts, formulas, labels, shared, requests;
	struct variables variables;
	unsigned strings; /* random strings defined so far, one bit per slot */
	unsigned whole;   /* the strings whose template began with a slash */
};

enum tables_path_kind {
	TABLES_PATTERN = 1 << 0,    /* the last component may have wildcards */
	TABLES_REFERENCES = 1 << 1, /* `${name}` is the value of a variable */
};

/* Get the number of an entry, adding it if it is new. */
int tables_label(struct tables *tables, const char *name, uint8_t *label, struct error *error);
int tables_path(struct tables *tables, const char *text, unsigned kind, uint32_t line,
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
 * Add the first component of a path outside CLIENTS_NAME to the shared names.
 * `changed` means that the load changes something there, `pattern` that the
 * last component of the path is a pattern.
 */
int tables_shared(struct tables *tables, const char *normal, bool pattern, bool changed,
		  struct error *error);

/* Estimate the memory use of the tables, here and in the program, in bytes. */
size_t tables_bytes(const struct tables *tables);

void tables_free(struct tables *tables);

#endif
