/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Notices: the reasons why a measurement is invalid, and the warnings, which are
 * reasons to distrust a valid one. A notice is a kind with names and numbers;
 * the table in notice.c has the text of each kind.
 *
 * To add a notice: add its kind here and its row in notice.c, find it in
 * warning.c (or where it is seen), and describe it in throng-results(5).
 */
#ifndef RESULT_NOTICE_H
#define RESULT_NOTICE_H

#include <stdbool.h>
#include <stddef.h>

struct json_cursor;
struct json_t;

enum notice_kind {
	/* Reasons why a repeat is invalid. */
	NOTICE_OPERATION_FAILED,
	NOTICE_USER_KILLED,
	NOTICE_USER_EXITED,
	NOTICE_DEADLOCK,
	NOTICE_STUCK,
	NOTICE_INTERRUPTED,
	NOTICE_NO_OPERATION,
	NOTICE_WRONG_BYTES,
	NOTICE_WRONG_READS,
	NOTICE_NOT_STARTED,
	NOTICE_HOST_LOST,
	NOTICE_NO_MEMORY,
	NOTICE_ON_HOST,
	/* Warnings about a load. */
	NOTICE_NO_OPERATION_OF_LOAD,
	NOTICE_UNEVEN_USERS,
	NOTICE_EARLY_END,
	NOTICE_MIX,
	NOTICE_MIX_UNFINISHED,
	NOTICE_LAID_OUT,
	NOTICE_RESTORE,
	NOTICE_DEGRADED,
	/* Warnings about a repeat or a point. */
	NOTICE_LATE_P99,
	NOTICE_LATE_MAX,
	NOTICE_OVERLOAD,
	NOTICE_SUSPENDED,
	NOTICE_SILENT,
	NOTICE_BLOCKED,
	NOTICE_CLIENT_BUSY,
	NOTICE_HOST_BUSY,
	NOTICE_HOST_SLOW,
	NOTICE_HOST_CLOCK,
	NOTICE_SHORT_WINDOW,
	NOTICE_SAMPLE,
	NOTICE_VERIFY_MEMORY,
	NOTICE_VERIFY_UNREADABLE,
	NOTICE_VERIFY_NOTHING,
	NOTICE_CACHE_WRITES,
	NOTICE_CACHE_WRITES_COLD,
	NOTICE_CACHE_READS,
	NOTICE_CACHE_FIRST_LOOP,
	/* Warnings about a point. */
	NOTICE_IN_USE,
	NOTICE_SPREAD,
	NOTICE_SPREAD_PAIRS,
	NOTICE_BUSY_MACHINE,
	NOTICE_HOST_CPUS,
	NOTICE_HOSTS_DIFFER,
	NOTICE_DRIFT,
	NOTICE_DRIFT_SWEEP,
	/* Warnings about a comparison. */
	NOTICE_NOT_PAIRED,
	NOTICE_ALLOWED,
	NOTICE_HOSTS,
	NOTICE_KERNELS,
	NOTICE_VARIABLES,
	NOTICE_VERSIONS,
	NOTICE_KINDS,
};

enum { NOTICE_NUMBERS = 2 };

struct notice {
	enum notice_kind kind;
	unsigned repeat; /* of the point, from 1; 0: of no single repeat */
	/* The points that it applies to, if it is merged; otherwise NULL. */
	const char *place;
	const char *load;    /* NULL: not about one of several loads */
	const char *subject; /* the operation, signal ...; NULL: kind has none */
	const char *detail;  /* more, or the whole text; NULL: kind has none */
	/* The numbers, and, in a merged notice, the largest of each. */
	double numbers[NOTICE_NUMBERS], max[NOTICE_NUMBERS];
};

struct notices {
	struct notice *list;
	size_t count;
};

/* Description of a kind. */
struct notice_row {
	const char *code; /* "uneven-users" */
	/* The text. {0} and {1} are the numbers, {subject} and {detail} the
	 * names; {0|file|files} is a word that depends on a number. */
	const char *pattern;
	const char *subject, *detail; /* their keys in JSON; NULL: none */
	struct notice_number {
		const char *key; /* in JSON; NULL: none */
		double scale;    /* number in the text / number in JSON */
		int decimals;    /* in the text */
		double max;      /* in JSON */
	} numbers[NOTICE_NUMBERS];
};

extern const struct notice_row notice_rows[NOTICE_KINDS];

/*
 * Append a copy of the notice. Its numbers are rounded to what the text shows
 * (`max` is ignored), so that a notice read back from a file has the same text.
 * If memory is short, nothing is appended.
 */
void notice_add(struct notices *notices, const struct notice *notice);
#define NOTICE_ADD(notices, ...) notice_add(notices, &(const struct notice){.kind = __VA_ARGS__})

/* Return the text, which the caller frees; NULL if memory is short. */
char *notice_text(const struct notice *notice);

/* Check if two notices are of the same kind, and about the same load, subject
 * and so on. Their numbers and places may differ. */
bool notice_is_alike(const struct notice *one, const struct notice *other);

/* Free the list, which becomes empty. */
void notices_free(struct notices *notices);

/* Return the list in JSON: objects with code, names, numbers and text. */
struct json_t *notices_json(const struct notices *notices);

/* Read a list, which must be empty before. The texts of the file are ignored,
 * except those that are the detail of their kind. */
void notices_read(const struct json_cursor *cursor, struct notices *notices);

#endif
