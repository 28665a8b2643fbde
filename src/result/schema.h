/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the parts of a result are called in a result file, and in which unit:
 * one list of both directions, for what writes such files and what reads them.
 */
#ifndef RESULT_SCHEMA_H
#define RESULT_SCHEMA_H

#include "result/result.h"

#define SCHEMA_SCHEMA "throng-results/1"
#define SCHEMA_COMPARISON_SCHEMA "throng-comparison/1"

/* Every decimal number of so many digits is another double. */
enum { SCHEMA_DIGITS = 15 };

enum field_kind {
	FIELD_TEXT,    /* char * */
	FIELD_STAMP,   /* char[32], ISO 8601 */
	FIELD_TRUTH,   /* bool */
	FIELD_COUNT,   /* uint64_t */
	FIELD_NUMBER,  /* unsigned */
	FIELD_REAL,    /* double */
	FIELD_TIME,    /* uint64_t, nanoseconds */
	FIELD_MEAN,    /* double, nanoseconds */
};

enum field_presence {
	FIELD_ALWAYS,
	FIELD_KNOWN, /* left out where it is 0, NULL or "" */
	FIELD_RATE,  /* left out where what it is a rate of is not valid */
};

/* One member of a structure; a list of them ends with a key that is NULL. */
struct field {
	const char *key;
	enum field_kind kind;
	enum field_presence presence;
	size_t offset;
	double unit_ns; /* of times: 1e6 is written in ms */
	double min; /* the smallest count or number that is accepted */
};

extern const struct field
	/* struct result_run; its loadfile; struct result_target and its
	 * facts; struct result_unsupported */
	schema_run[],
	schema_loadfile[], schema_target[], schema_facts[],
	schema_unsupported[],
	/* The plan in struct result_run: of a time, of loops, of both. */
	schema_timed[], schema_looped[], schema_planned[],
	/* struct result_repeat */
	schema_repeat[],
	/* struct result_figures, its client_cpu, its users' progress; struct
	 * result_latency of operations, and of loops */
	schema_figures[], schema_cpu[], schema_progress[], schema_latency[],
	schema_loop[],
	/* struct result_operation */
	schema_operation[];

/* The words for enum result_how, and for whether the order is random. */
extern const char *const schema_hows[], *const schema_orders[];

/* A real, a time or a mean as a file has it: rounded, and in its unit. */
double schema_shown(const struct field *field, double value);

/*
 * Rounds the figures of a repeat to what a file holds of them, so that a result
 * that is read again is the same, and so is what follows from it.
 */
void schema_round(struct result_repeat *repeat);

#endif
