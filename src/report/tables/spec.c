/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/tables/spec.h"

#include "base/suggest.h"
#include "result/condition.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

enum clause { PEAK, OF, BY, WITH, CLAUSES /* their words */ };
static const char *const clauses[CLAUSES] = {"peak", "of", "by", "with"};

/* The words of a clause, by their values; NULL: none. */
static const char *const parts[] = {
	[SPEC_LOAD] = "loads", [SPEC_PHASE] = "phases", [SPEC_OPERATION] = "operations",
	[SPEC_USER] = "users", [SPEC_HOST] = "hosts",
};
static const char *const keys[] = {
	[SPEC_USERS] = "users",         [SPEC_LOAD] = "load", [SPEC_PHASE] = "phase",
	[SPEC_OPERATION] = "operation", [SPEC_USER] = "user", [SPEC_HOST] = "host",
	[SPEC_RESULT] = "result",
};
static const char *const extras[] = {
	[SPEC_CHANGE] = "change", [SPEC_STEP] = "step",     [SPEC_RATIO] = "ratio",
	[SPEC_RANK] = "rank",     [SPEC_BETTER] = "better", [SPEC_REPEATS] = "repeats",
};

static const struct {
	const char *const *words;
	size_t count;
} lists[CLAUSES + 1] = {
	[OF] = {parts, LENGTH(parts)},
	[BY] = {keys, LENGTH(keys)},
	[WITH] = {extras, LENGTH(extras)},
	[CLAUSES] = {clauses, CLAUSES},
};

/* A text that is parsed, and the word that is next in it. */
struct words {
	const char *text, *word;
	size_t length; /* 0: there is none */
	struct error *error;
};

#define REFUSE(words, format, ...) \
	error_set((words)->error, "--table \"%s\": " format, (words)->text, __VA_ARGS__)

/* Go to the next word after `at`. */
static void move_to(struct words *words, const char *at)
{
	words->word = at + strspn(at, " \t");
	words->length = strcspn(words->word, " \t");
}

static void next(struct words *words)
{
	move_to(words, words->word + words->length);
}

/* The advice at the end of a refusal: "expected one of phases, users". */
struct advice {
	struct suggestion suggestion;
	char text[400];
	size_t used;
};

/* Add a word to those that are expected. */
static void offer(struct advice *advice, const char *word)
{
	suggest_offer(&advice->suggestion, word);
	if (advice->used < sizeof(advice->text))
		advice->used += (size_t)snprintf(
			advice->text + advice->used, sizeof(advice->text) - advice->used, "%s%s",
			advice->used > 0 ? ", " : "expected one of ", word);
}

/* Return the advice; if a word is near, just that. */
static const char *give(struct advice *advice)
{
	if (advice->suggestion.nearest != NULL)
		snprintf(advice->text, sizeof(advice->text), "did you mean %s?",
			 advice->suggestion.nearest);
	return advice->text;
}

/* Refuse the word, which is not one of the list of a clause. */
static int refuse_word(const struct words *words, enum clause clause)
{
	const char *const after = clause == CLAUSES ? "the figures" : clauses[clause];
	char word[SUGGEST_WORD_MAX + 1];
	struct advice advice = {.suggestion.word = word};
	size_t i;

	snprintf(word, sizeof(word), "%.*s", (int)words->length, words->word);
	for (i = 0; i < lists[clause].count; i++)
		if (lists[clause].words[i] != NULL)
			offer(&advice, lists[clause].words[i]);
	if (words->length == 0)
		REFUSE(words, "%s after \"%s\"", advice.text, after);
	else
		REFUSE(words, "unknown word \"%s\" after \"%s\"; %s", word, after, give(&advice));
	return -EINVAL;
}

/* Refuse the name of a figure. */
static int refuse_figure(const struct words *words, const char *name, size_t length)
{
	char word[SUGGEST_WORD_MAX + 1];
	struct advice advice = {
		.suggestion.word = word,
		.text = "expected a name such as mb_per_s, p99 or elapsed_s, which "
			"throng-results(5) lists",
	};
	enum figure figure;

	snprintf(word, sizeof(word), "%.*s", (int)length, name);
	for (figure = 0; figure < FIGURES; figure++)
		suggest_offer(&advice.suggestion, figures[figure].name);
	if (length == 0)
		REFUSE(words, "expected a figure such as %s", "mb_per_s");
	else
		REFUSE(words, "unknown figure \"%s\"; %s", word, give(&advice));
	return -EINVAL;
}

/* Parse one figure. */
static int parse_figure(const struct words *words, const char *name, size_t length,
			struct spec *spec)
{
	struct error ignored = {0};
	struct metric metric;

	if (metric_parse(name, length, "", &metric, &ignored) < 0 || length == 0)
		return refuse_figure(words, name, length);
	if (metric.operation[0] != '\0') {
		REFUSE(words,
		       "\"%.*s\" is the figure of an operation or phase; use \"of operations\" "
		       "or \"of phases\"",
		       (int)length, name);
		return -EINVAL;
	}
	if (spec->figure_count == SPEC_FIGURES) {
		REFUSE(words, "more than %d figures", SPEC_FIGURES);
		return -EINVAL;
	}
	spec->figures[spec->figure_count++] = metric.figure;
	return 0;
}

/* Parse a list of figures: a word, and those that follow a comma. */
static int parse_figures(struct words *words, struct spec *spec)
{
	const char *at = words->word;
	bool has_more = true;

	while (has_more) {
		size_t length = strcspn(at, ", \t");

		if (parse_figure(words, at, length, spec) < 0)
			return -EINVAL;
		at += length;
		at += strspn(at, " \t");
		has_more = *at == ',';
		at += has_more ? 1 + strspn(at + 1, " \t") : 0;
	}
	move_to(words, at);
	return 0;
}

/* Return the index of the word in the list of a clause, or -1 if it is not in it. */
static int find_word(const struct words *words, enum clause clause)
{
	size_t i;

	for (i = 0; i < lists[clause].count; i++) {
		const char *const word = lists[clause].words[i];

		if (word != NULL && strlen(word) == words->length &&
		    memcmp(words->word, word, words->length) == 0)
			return (int)i;
	}
	return -1;
}

/* Parse a word as the name of an axis. Whether there is one is checked later. */
static int parse_axis(const struct words *words, struct spec *spec)
{
	if (words->length == 0)
		REFUSE(words, "expected a key after \"by\", such as %s", "users or target");
	else if (words->length >= sizeof(spec->axis))
		REFUSE(words, "the key \"%.*s\" is too long", (int)words->length, words->word);
	else
		memcpy(spec->axis, words->word, words->length);
	spec->by = SPEC_AXIS;
	return words->error->set ? -EINVAL : 0;
}

/* Parse a clause, whose first word is the current one. */
static int parse_clause(struct words *words, enum clause clause, struct spec *spec)
{
	int found;

	next(words);
	if (clause == PEAK) {
		spec->is_peak = true;
		return 0;
	}
	found = find_word(words, clause);
	if (found < 0 && clause != BY)
		return refuse_word(words, clause);
	if (found < 0 && parse_axis(words, spec) < 0)
		return -EINVAL;
	if (found >= 0 && clause == WITH)
		spec->extra = (enum spec_extra)found;
	else if (found >= 0)
		*(clause == OF ? &spec->parts : &spec->by) = (enum spec_key)found;
	next(words);
	return 0;
}

/* Check if single parts of this kind, such as users, have no such figure. */
static bool lacks(enum spec_key part, enum figure figure)
{
	switch (part) {
	case SPEC_OPERATION:
		return figure >= FIGURES_OF_OPERATIONS;
	case SPEC_USER:
		if (figure >= FIGURES_OF_USERS || figures[figure].samples > 0 ||
		    figure == FIGURE_P50_MS)
			return true;
		/* fall through */
	case SPEC_HOST:
		return figure == FIGURE_ITEMS || figure == FIGURE_ITEMS_PER_S;
	default:
		return false;
	}
}

/* Refuse the first figure that the parts that the table is about do not have. Return
 * false if there is none. */
static bool refuse_missing(const struct words *words, const struct spec *spec)
{
	enum spec_key part;
	size_t i;

	for (part = SPEC_LOAD; part < SPEC_NONE; part++)
		for (i = 0; i < spec->figure_count && spec_has_part(spec, part); i++)
			if (lacks(part, spec->figures[i])) {
				REFUSE(words, "single %s have no figure %s", parts[part],
				       figures[spec->figures[i]].name);
				return true;
			}
	return false;
}

/* Return the parts that records of hosts do not have, if the table is about them; or
 * SPEC_NONE. */
static enum spec_key find_other_part(const struct spec *spec)
{
	enum spec_key part;

	for (part = SPEC_LOAD; part <= SPEC_USER; part++)
		if (spec_has_part(spec, SPEC_HOST) && spec_has_part(spec, part))
			return part;
	return SPEC_NONE;
}

/* Check that the clauses fit together. */
static int check_clauses(const struct words *words, const struct spec *spec)
{
	const enum spec_key other = find_other_part(spec);

	if (spec->figure_count == 0)
		return refuse_figure(words, "", 0);
	if (refuse_missing(words, spec))
		return -EINVAL;
	if (spec_has_part(spec, SPEC_USER) &&
	    (spec_has_part(spec, SPEC_PHASE) || spec_has_part(spec, SPEC_OPERATION)))
		REFUSE(words, "a result has no figures of the %s of single users",
		       parts[spec_has_part(spec, SPEC_PHASE) ? SPEC_PHASE : SPEC_OPERATION]);
	else if (other != SPEC_NONE)
		REFUSE(words, "a result has no figures of the %s of single hosts", parts[other]);
	else if (spec->is_peak && spec->by == SPEC_USERS)
		REFUSE(words,
		       "\"peak\" shows only the best user count, so it cannot be combined with "
		       "\"by %s\"",
		       keys[spec->by]);
	else if (spec->extra == SPEC_REPEATS && spec->by != SPEC_NONE)
		REFUSE(words, "\"with %s\" has columns of its own; leave out \"by\"",
		       extras[spec->extra]);
	else if (spec->by == SPEC_NONE && spec->extra >= SPEC_CHANGE && spec->extra <= SPEC_RATIO)
		REFUSE(words, "\"with %s\" compares columns; add \"by KEY\", such as \"by target\"",
		       extras[spec->extra]);
	return words->error->set ? -EINVAL : 0;
}

int spec_parse(const char *text, struct spec *spec, struct error *error)
{
	struct words words = {.text = text, .error = error};
	bool seen[CLAUSES] = {false};

	*spec = (struct spec){.parts = SPEC_NONE, .by = SPEC_NONE};
	move_to(&words, text);
	while (words.length > 0) {
		int clause = find_word(&words, CLAUSES);

		if (clause < 0 && spec->figure_count > 0)
			return refuse_word(&words, CLAUSES);
		if (clause >= 0 && seen[clause]) {
			REFUSE(&words, "\"%s\" is given twice", clauses[clause]);
			return -EINVAL;
		}
		if (clause >= 0)
			seen[clause] = true;
		if ((clause < 0 ? parse_figures(&words, spec)
				: parse_clause(&words, (enum clause)clause, spec)) < 0)
			return -EINVAL;
	}
	return check_clauses(&words, spec);
}

static bool has_axis(const struct view *view, const char *axis)
{
	size_t i, j;

	for (i = 0; i < view->side_count; i++)
		for (j = 0; j < view->sides[i].result->run.axis_count; j++)
			if (strcmp(view->sides[i].result->run.axes[j].name, axis) == 0)
				return true;
	return false;
}

const char *spec_part_of(const struct record_key *key, enum spec_key part)
{
	const char *const names[] = {
		[SPEC_LOAD] = key->load,           [SPEC_PHASE] = key->phase,
		[SPEC_OPERATION] = key->operation, [SPEC_USER] = key->user,
		[SPEC_HOST] = key->host,           [SPEC_NONE] = NULL,
	};

	return names[part];
}

/* Check if any record is about a part of this kind, or if nothing was measured yet. */
static bool has_part(const struct view *view, enum spec_key part)
{
	bool is_empty = true;
	size_t i, j, k;

	for (i = 0; i < view->side_count; i++)
		for (j = 0; j < view->sides[i].result->point_count; j++) {
			const struct records *records = &view->sides[i].result->points[j].records;

			is_empty = false;
			for (k = 0; k < records->count; k++)
				if (spec_part_of(&records->list[k].key, part) != NULL)
					return true;
		}
	return is_empty;
}

/* Check if results have a key other than an axis. */
static bool has_key(const struct view *view, enum spec_key key)
{
	if (key == SPEC_LOAD)
		return view->sides[0].result->run.variants[0].load_count > 1;
	if (key == SPEC_RESULT)
		return view_has_several(view);
	return key == SPEC_USERS || has_part(view, key);
}

/* Refuse the key, and suggest one that is near, or list those that there are. */
static int refuse_key(const struct spec *spec, const struct words *words, const struct view *view)
{
	const struct result_run *run = &view->sides[0].result->run;
	const char *const name = spec_key_name(spec, spec->by);
	struct advice advice = {.suggestion.word = name};
	enum spec_key key;
	size_t i;

	offer(&advice, keys[SPEC_USERS]);
	for (i = 0; i < run->axis_count; i++)
		offer(&advice, run->axes[i].name);
	for (key = SPEC_LOAD; key < SPEC_NONE; key++)
		if (has_key(view, key))
			offer(&advice, keys[key]);
	REFUSE(words, "there is no key \"%s\"; %s", name, give(&advice));
	return -EINVAL;
}

/* Return the first figure that only open-loop replays have, if no result is
 * one; or FIGURES. */
static enum figure find_open_loop(const struct spec *spec, const struct view *view)
{
	size_t i;

	for (i = 0; i < view->side_count; i++)
		if (view->sides[i].result->run.open_loop)
			return FIGURES;
	for (i = 0; i < spec->figure_count; i++)
		if (figures[spec->figures[i]].open_loop)
			return spec->figures[i];
	return FIGURES;
}

int spec_check(const struct spec *spec, const char *text, const struct view *view,
	       struct error *error)
{
	static const char *const missing[] = {
		[SPEC_LOAD] = "there is only one load",
		[SPEC_PHASE] = "the load has no phases",
		[SPEC_OPERATION] = "no operation was played",
		[SPEC_USER] = "the result has no figures of users; measure with this table",
		[SPEC_HOST] = "the users did not play on other hosts (--hosts)",
	};
	const struct words words = {.text = text, .error = error};
	const enum figure of_open_loop = find_open_loop(spec, view);

	if (spec->by != SPEC_NONE &&
	    !(spec->by == SPEC_AXIS ? has_axis(view, spec->axis) : has_key(view, spec->by)))
		return refuse_key(spec, &words, view);
	if (spec->parts != SPEC_NONE && !has_key(view, spec->parts))
		REFUSE(&words, "%s", missing[spec->parts]);
	else if (of_open_loop < FIGURES)
		REFUSE(&words,
		       "%s is measured only in an open-loop replay (with --rate, or with time "
		       "stamps in the load)",
		       figures[of_open_loop].name);
	return error->set ? -EINVAL : 0;
}

const char *spec_key_name(const struct spec *spec, enum spec_key key)
{
	return key == SPEC_AXIS ? spec->axis : keys[key];
}

const char *spec_parts_name(const struct spec *spec)
{
	return parts[spec->parts];
}

int spec_set_tables(struct result_run *run, const char *const *texts, struct error *error)
{
	struct spec spec;
	size_t i;

	for (i = 0; texts != NULL && texts[i] != NULL; i++)
		if (spec_parse(texts[i], &spec, error) < 0)
			return -EINVAL;
	if (i > RESULT_TABLES) {
		error_set(error, "--table: expected at most %d tables", RESULT_TABLES);
		return -EINVAL;
	}
	return result_set_tables(run, texts, i) < 0 ? error_no_memory(error) : 0;
}

int spec_check_tables(const struct result *results, size_t count, struct error *error)
{
	const struct result_run *run = &results[0].run;
	struct view view;
	struct spec spec;
	size_t i;

	if (view_make(&view, results, count, NULL, NULL) < 0)
		error_no_memory(error);
	for (i = 0; i < run->table_count && !error->set; i++)
		if (spec_parse(run->tables[i], &spec, error) == 0)
			spec_check(&spec, run->tables[i], &view, error);
	view_free(&view);
	return error->set ? -EINVAL : 0;
}
