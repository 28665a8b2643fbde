/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Records: the figures of one measurement or point as flat rows. The first
 * record is the total; after it come those of its operations, then each phase
 * of the load, followed by its operations; then, if there are several loads,
 * each load in the same order; then, if there are several, each host, in the
 * order of the run, without its operations; and last, if they are kept, the
 * users, in the order of their numbers. JSON and CSV have the same rows.
 */
#ifndef RESULT_RECORD_H
#define RESULT_RECORD_H

#include "base/intern.h"
#include "result/figures.h"
#include "words/operation.h"

#include <math.h>

/* Values of a record's keys. The texts belong to a struct intern, so equal ones
 * of a result are at the same address. NULL: all. */
struct record_key {
	const char *host; /* only if users played on other hosts */
	const char *load; /* only if a run has several */
	const char *user; /* its number */
	const char *phase, *operation;
};

struct record {
	struct record_key key;
	enum direction direction; /* of an operation's bytes */
	/* Number of records of operations that follow this one, which belong to
	 * it; 0 for an operation. */
	unsigned operations;
	unsigned repeats; /* number of repeats that it combines */
	unsigned value_count;
	double *values; /* by enum figure; NAN: unknown */
};

struct records {
	struct record *list;
	size_t count;
};

/* Return the value of a figure, or NAN if it is unknown. */
static inline double record_value(const struct record *record, enum figure figure)
{
	return figure < record->value_count ? record->values[figure] : NAN;
}

/* Return the value of a figure, or 0 if it is unknown. */
static inline double record_count(const struct record *record, enum figure figure)
{
	double value = record_value(record, figure);

	return isnan(value) ? 0 : value;
}

/* Return the value as tables show it: a count is the total of all repeats that
 * the record combines. */
double record_shown(const struct record *record, enum figure figure);

/* Round a value as a file has it. Rounded values are equal after they were
 * written and read. */
double record_round(enum figure figure, double value);

/* Set the value of a figure, rounded. A figure that the record cannot have is
 * ignored. Let an optional figure be unknown if `value` is 0. */
void record_set(struct record *record, enum figure figure, double value);

/*
 * Append a record with unknown values. Its texts must outlive it. Count it
 * among the operations of the record before, if it is an operation. Return NULL
 * if memory is short. This may move all records.
 */
struct record *records_add(struct records *records, const struct record_key *key);

void records_free(struct records *records);

/* Return the total. If there are no records, return one that knows nothing. */
const struct record *records_total(const struct records *records);

/* Check if two names are equal, or both NULL. */
bool record_same_name(const char *one, const char *other);

/* Check if two keys are equal. */
bool record_same_key(const struct record_key *one, const struct record_key *other);

/* Check if the key is that of a host or a user: its sums are known, but its operations
 * may not be. */
static inline bool record_is_apart(const struct record_key *key)
{
	return key->host != NULL || key->user != NULL;
}

/* Return the number of the user that the key is of, or -1. */
int64_t record_user(const struct record_key *key);

/* Return the record with this key, or NULL. Users must be the last records, in
 * the order of their numbers. */
const struct record *records_find(const struct records *records, const struct record_key *key);

/* Buffer size for a scope. */
enum { RECORD_SCOPE = 32 };

/*
 * Print the scope: the names of the keys that are set, "phase/operation", or
 * "total". Records of the same scope never contain each other. Return `text`.
 */
char *record_scope(const struct record_key *key, char text[RECORD_SCOPE]);

/* Return the next load after `after`, or the first one (NULL). Return NULL if
 * there is none. */
const struct record *records_next_load(const struct records *records, const struct record *after);

/* Return the next phase of the load (NULL: of the only load) after `after`, or
 * the first one (NULL). Return NULL if there is none. */
const struct record *records_next_phase(const struct records *records, const char *load,
					const struct record *after);

/* Return the next user after `after`, or the first one (NULL). Return NULL if
 * there is none. */
const struct record *records_next_user(const struct records *records, const struct record *after);

/* Return the next host after `after`, or the first one (NULL). Return NULL if
 * there is none. */
const struct record *records_next_host(const struct records *records, const struct record *after);

/* Check if the load, or one of several loads, has phases. */
bool records_have_phases(const struct records *records);

/* Return the record's operation with this name, or NULL. If no name is equal,
 * ignore case. */
const struct record *record_operation(const struct record *record, const char *name);

/* Return the mean over the loops of a figure of a phase that is a sum. */
double record_phase_mean(const struct record *phase, enum figure figure);

/* Return the copy of a text that `names` has, or NULL if memory is short or
 * `text` is NULL. */
const char *record_name(struct intern *names, const char *text);

#endif
