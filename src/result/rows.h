/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Short macros to write tables of schema rows (schema.h). Include this only in
 * a file that defines such a table. A macro follows the row's key:
 * {"users", NUMBER(result_point, users), .min = 1}.
 */
#ifndef RESULT_ROWS_H
#define RESULT_ROWS_H

#include "result/schema.h"

#define END {.kind = SCHEMA_END}

#define HELD(structure, member) .offset = offsetof(struct structure, member)
#define TEXT(structure, member) SCHEMA_TEXT, HELD(structure, member)
#define CHARS(structure, member) \
	SCHEMA_CHARS, HELD(structure, member), .size = sizeof(((struct structure *)NULL)->member)
#define STAMP(structure, member) SCHEMA_STAMP, HELD(structure, member)
#define TRUTH(structure, member) SCHEMA_TRUTH, HELD(structure, member)
#define COUNT(structure, member) SCHEMA_COUNT, HELD(structure, member)
#define SIZE(structure, member) SCHEMA_SIZE, HELD(structure, member)
#define NUMBER(structure, member) SCHEMA_NUMBER, HELD(structure, member)
#define REAL(structure, member) SCHEMA_REAL, HELD(structure, member)
#define TIME(structure, member, unit) SCHEMA_TIME, HELD(structure, member), .unit_ns = (unit)
#define WORD(structure, member) SCHEMA_WORD, HELD(structure, member)
#define NOTICES(structure, member) SCHEMA_NOTICES, HELD(structure, member)

/* Rows of kind SCHEMA_OBJECT. OBJECT: a nested structure. PART: more rows for
 * the record itself. POINTER: a structure that a member points to. */
#define OBJECT(structure, member, rows) SCHEMA_OBJECT, HELD(structure, member), .of = (rows)
#define PART(rows) SCHEMA_OBJECT, .of = (rows)
#define POINTER(structure, member, rows) \
	OBJECT(structure, member, rows), .size = sizeof(*((struct structure *)NULL)->member)

/* clang-format off */
/* Arrays. OBJECTS: of structures. VALUES: of single values. COLUMNS: of
 * structures, written as one list per member. PAIRS: of char *[2]. */
#define ARRAY(structure, member, counter) \
	HELD(structure, member), \
	.count_at = offsetof(struct structure, counter), \
	.size = sizeof(*((struct structure *)NULL)->member)
#define ELEMENT(...) \
	.of = (const struct schema_row[]){{__VA_ARGS__}, END}
#define OBJECTS(structure, member, counter, rows) \
	SCHEMA_LIST, ARRAY(structure, member, counter), \
	ELEMENT(NULL, PART(rows))
#define VALUES(structure, member, counter, ...) \
	SCHEMA_LIST, ARRAY(structure, member, counter), \
	ELEMENT(.kind = __VA_ARGS__)
#define COLUMNS(structure, member, counter, rows) \
	SCHEMA_COLUMNS, ARRAY(structure, member, counter), .of = (rows)
#define PAIRS(structure, member, counter) \
	SCHEMA_PAIRS, HELD(structure, member), \
	.count_at = offsetof(struct structure, counter), \
	.size = 2 * sizeof(char *), .of = schema_pair
#define REASONS(structure, member) \
	VALUES(structure, member.texts, member.count, SCHEMA_TEXT)

#define WORDS(...) .words = (const char *const[]){__VA_ARGS__, NULL}

#define KNOWN .presence = SCHEMA_KNOWN
#define UNLESS_MAX .presence = SCHEMA_UNLESS_MAX
#define IF_VALID .presence = SCHEMA_IF_VALID
#define DERIVED .derived = true
/* clang-format on */

#endif
