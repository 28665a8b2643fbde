/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The top of a report. For one result: its best throughput, with tiles, and badges
 * that say if it can be trusted. For several: the fastest one, if there is one.
 *
 * The statement about several results does not depend on their order: they are
 * named from the fastest to the slowest.
 */
#include "report/sections.h"

#include "report/standing.h"
#include "result/combine.h"
#include "result/variant.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* With more results that cannot be told apart, they are only counted. */
enum { NAMED_MAX = 4 };

/* The numbers of Markdown and text, and of pages. */
static const struct {
	unsigned media;
	enum number_style style;
} styles[] = {{DOC_TEXT | DOC_MARKDOWN, NUMBER_ASCII}, {DOC_HTML, NUMBER_TYPESET}};

/* Print a rate with the digits of the largest one. */
static char *print_rate(const struct view *view, double rate, double max, enum number_style style,
			char text[NUMBER_TEXT])
{
	enum number_form form = number_form_of(view->rate);

	return number_print(form, rate, number_decimals(form, max), style, text);
}

/* Print a user count for a page: "1,000 users". */
static const char *print_users(unsigned users, char text[VIEW_PLACE_TEXT])
{
	return view_print_place(&(struct view_place){.users = users}, NUMBER_TYPESET, text);
}

/* Add that there are no figures. */
static void add_nothing(struct doc *doc, const struct view *view)
{
	doc_headline(doc, DOC_BAD,
		     view->place_count > 0 ? "Invalid: no figures" : "Nothing was measured", "");
}

/*
 * One result.
 */

/* Add a badge, if it is about any of all `all` points. */
static bool add_badge(struct doc *doc, enum doc_class class, const char *text, size_t part,
		      size_t all)
{
	if (part > 0 && all > 1)
		doc_badge(doc, class, "%s at %zu of %zu points", text, part, all);
	else if (part > 0)
		doc_badge(doc, class, "%s", text);
	return part > 0;
}

static void add_badges(struct doc *doc, const struct result *result)
{
	const struct view_state state = view_state_of(result);
	const size_t all = result->point_count;
	bool any = add_badge(doc, DOC_BAD, "invalid", state.invalid, all);

	any |= add_badge(doc, DOC_WARNING, "with warnings", state.warned, all);
	if (!any && all > 0)
		doc_badge(doc, DOC_GOOD, "valid, no warnings");
}

static char *print_figure(const struct record *record, enum figure figure, char text[NUMBER_TEXT])
{
	return number_print(number_form_of(figure),
			    number_value_of(figure, record_value(record, figure)), -1,
			    NUMBER_TYPESET, text);
}

static void add_rate_tiles(struct doc *doc, const struct view *view, const struct record *total)
{
	char text[NUMBER_TEXT], other[NUMBER_TEXT], both[2 * NUMBER_TEXT + 4];

	if (record_count(total, FIGURE_READ_MB_PER_S) > 0 &&
	    record_count(total, FIGURE_WRITE_MB_PER_S) > 0) {
		snprintf(both, sizeof(both), "%s + %s",
			 print_figure(total, FIGURE_READ_MB_PER_S, text),
			 print_figure(total, FIGURE_WRITE_MB_PER_S, other));
		doc_tile(doc, "Read + written", both, number_rate_unit());
	}
	if (view->rate == FIGURE_MB_PER_S)
		doc_tile(doc, "Operations", print_figure(total, FIGURE_OPS_PER_S, text),
			 "per second");
}

static void add_tiles(struct doc *doc, const struct view *view, size_t best)
{
	const struct result_point *peak = view->sides[best].peak;
	const struct result *result = view->sides[best].result;
	const struct result_point *first = view->places[0].points[best];
	const struct record *total = records_total(&peak->records);
	const struct combine_range range = combine_range(peak, view->rate);
	char value[NUMBER_TEXT], remark[VIEW_PLACE_TEXT + 16], users[VIEW_PLACE_TEXT];
	size_t i;

	number_print(NUMBER_SPREAD, range.spread, -1, NUMBER_TYPESET, value);
	snprintf(remark, sizeof(remark), "over %zu repeats", range.count);
	if (range.count > 1)
		doc_tile(doc, "Spread", value, remark);
	else
		doc_tile(doc, "Spread", "unknown", "measured once");
	snprintf(remark, sizeof(remark), "p50 %s", print_figure(total, FIGURE_P50_MS, value));
	doc_tile(doc, view->open_loop ? "Response p99" : "p99",
		 print_figure(total, FIGURE_P99_MS, value), remark);
	add_rate_tiles(doc, view, total);
	if (first != peak && view_total(first) != NULL && view_rate(view, &first->records) > 0) {
		snprintf(value, sizeof(value), "%.3g \u00d7",
			 view_rate(view, &peak->records) / view_rate(view, &first->records));
		snprintf(remark, sizeof(remark), "that of %s", print_users(first->users, users));
		doc_tile(doc, "Scaling", value, remark);
	}
	for (i = 0; i < result->limit_count; i++) {
		const struct result_limit *limit = &result->limits[i];

		doc_tile(doc, limit->condition,
			 limit->users == 0 ? "not met" : print_users(limit->users, users), "");
	}
}

/* Add "1,852 MB/s", "at 8 users, bs=4Ki". */
static void add_peak(struct doc *doc, const struct view *view, size_t best, enum number_style style)
{
	const struct view_side *side = &view->sides[best];
	double rate = view_rate(view, &side->peak->records);
	char main[2 * NUMBER_TEXT], rest[VARIANT_TEXT + VIEW_PLACE_TEXT], text[VIEW_PLACE_TEXT];
	const bool is_variant = view->side_count > 1;

	snprintf(main, sizeof(main), "%s %s", print_rate(view, rate, rate, style, text),
		 view_unit(view));
	view_print_place(view_place_of(view, best, side->peak), style, text);
	snprintf(rest, sizeof(rest), "%s %s%s%s", view->place_count > 1 ? "at" : "with", text,
		 is_variant ? ", " : "", is_variant ? side->name : "");
	doc_headline(doc, DOC_PLAIN, main, rest);
}

/* Check if all variants have the same targets. */
static bool has_same_targets(const struct result_run *run)
{
	size_t i = 0;

	while (i < run->axis_count &&
	       (run->axes[i].value_count == 1 || strcmp(run->axes[i].name, "target") != 0))
		i++;
	return i == run->axis_count;
}

char *headline_subject(const struct result_run *run)
{
	const struct result_variant *variant = &run->variants[0];
	char *text = NULL;
	size_t size, i, j;
	FILE *stream = open_memstream(&text, &size);

	if (stream == NULL)
		return NULL;
	fprintf(stream, "%s%s", run->label, run->label[0] != '\0' ? ": " : "");
	for (i = 0; i < variant->load_count; i++) {
		fprintf(stream, "%s%s", i > 0 ? ", " : "", variant->loads[i].name);
		if (variant->load_count > 1)
			fprintf(stream, ":%u", variant->loads[i].weight);
	}
	/* Variants with different loads have one each. */
	for (i = 1; i < run->variant_count; i++) {
		for (j = 0;
		     strcmp(run->variants[j].loads[0].name, run->variants[i].loads[0].name) != 0;)
			j++;
		if (j == i)
			fprintf(stream, ", %s", run->variants[i].loads[0].name);
	}
	for (i = 0; has_same_targets(run) && i < variant->target_count; i++)
		fprintf(stream, "%s%s", i > 0 ? ", " : " on ", variant->targets[i].url);
	fclose(stream);
	return text;
}

/* Add the headline of one result, or of all variants of one; in pages, below what was
 * measured. Text has the same in its tables and conclusions. */
static void add_one(struct doc *doc, const struct view *view)
{
	char *subject = headline_subject(&view->whole->run);
	const size_t best = view_best(view);
	const bool has_peak = view->sides[best].peak != NULL;
	size_t i;

	doc_medium(doc, DOC_HTML);
	if (subject != NULL)
		doc_note(doc, "%s", subject);
	else
		doc_fail(doc);
	free(subject);
	for (i = 0; i < LENGTH(styles); i++) {
		doc_medium(doc, styles[i].media & ~(unsigned)DOC_TEXT);
		if (has_peak)
			add_peak(doc, view, best, styles[i].style);
		else
			add_nothing(doc, view);
	}
	add_badges(doc, view->whole);
	if (has_peak)
		add_tiles(doc, view, best);
	doc_medium(doc, DOC_ALL);
}

/*
 * Several results.
 */

/* The statement about several results, as it is written: in one style. */
struct statement {
	const struct view *view;
	struct standing standing;
	/* At how many of the places where all sides with a peak have a valid point a
	 * side is the fastest; and the number of these places. */
	size_t *wins;
	size_t place_count;
	bool is_known; /* there are enough repeats at each of these places */
	enum number_style style;
	FILE *stream;
};

static void count_wins(struct doc *doc, struct statement *statement)
{
	const struct view *view = statement->view;
	size_t i;

	for (i = 0; i < view->place_count; i++) {
		struct standing here = standing_make(doc, view, &view->places[i]);

		if (here.count == statement->standing.count) {
			statement->place_count++;
			statement->wins[here.ranks[0].side] += here.close == 1;
			statement->is_known &= here.relation <= STANDING_WITHIN;
		}
		free(here.ranks);
	}
}

static const char *name_of(const struct statement *statement, size_t rank)
{
	return statement->view->sides[statement->standing.ranks[rank].side].name;
}

/* Write "a, b and c": the names of the results that the fastest one is not faster
 * than. */
static void write_close(const struct statement *statement)
{
	const struct standing *standing = &statement->standing;
	size_t written = 0, i;

	for (i = 0; i < standing->count; i++) {
		if (i > 0 && standing->ranks[i].relation == STANDING_CLEAR)
			continue;
		if (written > 0)
			fputs(written + 1 < standing->close ? ", " : " and ", statement->stream);
		fputs(name_of(statement, i), statement->stream);
		written++;
	}
}

/* Write that the fastest results cannot be told apart. */
static void write_draw(const struct statement *statement)
{
	static const char *const words[] = {
		[STANDING_CLEAR] = "",
		[STANDING_WITHIN] = "are within the spread",
		[STANDING_ONCE] = "were measured once, so no spread is known",
		[STANDING_FEW] = "have too few repeats to tell them apart",
	};
	const size_t close = statement->standing.close, all = statement->standing.count;
	FILE *stream = statement->stream;

	if (close <= NAMED_MAX)
		write_close(statement);
	else if (close == all)
		fprintf(stream, "all %zu results", all);
	else
		fprintf(stream, "the fastest %zu of %zu results", close, all);
	if (close <= NAMED_MAX && close < all)
		fprintf(stream, ", the fastest of %zu results,", all);
	fprintf(stream, " %s", words[statement->standing.relation]);
}

/* Write "new is 12.3 % faster than old". */
static void write_lead(const struct statement *statement)
{
	const struct standing *standing = &statement->standing;
	const double lead = standing->ranks[0].rate / standing->ranks[1].rate - 1;
	char text[NUMBER_TEXT];

	fprintf(statement->stream, "%s is ", name_of(statement, 0));
	if (standing->count > 2)
		fprintf(statement->stream, "the fastest of %zu results, ", standing->count);
	fprintf(statement->stream, "%s%s faster than %s", lead < 0.001 ? "less than " : "",
		number_print(NUMBER_SPREAD, fmax(lead, 0.001), -1, statement->style, text),
		name_of(statement, 1));
}

static void write_main(const struct statement *statement)
{
	if (statement->standing.close > 1)
		write_draw(statement);
	else if (statement->standing.count > 1)
		write_lead(statement);
	else
		fprintf(statement->stream, "only %s has a valid throughput in %s",
			name_of(statement, 0), view_unit(statement->view));
}

/* Write the peak of a rank, with the digits of the first one: "1,852 MB/s at 8 users,
 * bs=4Ki"; only the rate if the place is that of another rank, which is written next. */
static void write_peak(const struct statement *statement, size_t rank, size_t next)
{
	const struct standing_rank *ranks = statement->standing.ranks;
	char text[VIEW_PLACE_TEXT];

	fputs(print_rate(statement->view, ranks[rank].rate, ranks[0].rate, statement->style, text),
	      statement->stream);
	if (rank == next || ranks[rank].place != ranks[next].place)
		fprintf(statement->stream, " %s at %s", view_unit(statement->view),
			view_print_place(ranks[rank].place, statement->style, text));
}

static void write_peaks(const struct statement *statement)
{
	const struct standing *standing = &statement->standing;
	FILE *stream = statement->stream;
	bool is_range = standing->close > 1 && standing->count > 2;
	size_t one = is_range ? standing->count - 1 : 0, other = is_range ? 0 : 1;

	if (standing->count == 1) {
		fputs("(at the peak: ", stream);
		write_peak(statement, 0, 0);
		fputc(')', stream);
		return;
	}
	fputs(is_range ? "(peaks from " : "at the peaks: ", stream);
	write_peak(statement, one, other);
	fputs(is_range ? " to " : standing->close > 1 ? " and " : " against ", stream);
	write_peak(statement, other, other);
	fputs(is_range ? ")" : "", stream);
}

/* Write "; new is faster at 3 of 4 user counts, old at 1". */
static void write_wins(const struct statement *statement)
{
	const struct standing *standing = &statement->standing;
	const char *faster = standing->count == 2 ? "faster" : "the fastest";
	const char *where = statement->view->axis_count > 0 ? "points" : "user counts";
	FILE *stream = statement->stream;
	size_t named = 0, i;

	for (i = 0; i < standing->count; i++) {
		const size_t wins = statement->wins[standing->ranks[i].side];

		if (wins > 0 && named++ > 0)
			fprintf(stream, ", %s at %zu", name_of(statement, i), wins);
		else if (wins > 0)
			fprintf(stream, "; %s is %s at %zu of %zu %s", name_of(statement, i),
				faster, wins, statement->place_count, where);
	}
	if (named == 0 && statement->is_known)
		fprintf(stream, "; none is %s at any of %zu %s", faster, statement->place_count,
			where);
}

static void write_rest(const struct statement *statement)
{
	const size_t count = statement->standing.count, all = statement->view->side_count;

	write_peaks(statement);
	if (count > 1 && statement->place_count > 1)
		write_wins(statement);
	if (count > 1 && count < all)
		fprintf(statement->stream, "; %zu of %zu results %s no valid throughput",
			all - count, all, all - count == 1 ? "has" : "have");
}

/* Return a text that `write` writes, which the caller frees; NULL if memory is
 * short. */
static char *make_text(struct statement *statement, void (*write)(const struct statement *))
{
	char *text = NULL;
	size_t size;

	statement->stream = open_memstream(&text, &size);
	if (statement->stream == NULL)
		return NULL;
	write(statement);
	fclose(statement->stream);
	return text;
}

static void add_statement(struct doc *doc, struct statement *statement)
{
	char *main = make_text(statement, write_main);
	char *rest = make_text(statement, write_rest);

	if (main != NULL && rest != NULL)
		doc_headline(doc, DOC_PLAIN, main, rest);
	else
		doc_fail(doc);
	free(main);
	free(rest);
}

static void add_several(struct doc *doc, const struct view *view)
{
	struct statement statement = {
		.view = view,
		.standing = standing_make(doc, view, NULL),
		.wins = calloc(view->side_count, sizeof(*statement.wins)),
		.is_known = true,
	};
	size_t i;

	if (statement.standing.count == 0) {
		add_nothing(doc, view);
	} else if (statement.wins == NULL) {
		doc_fail(doc);
	} else {
		count_wins(doc, &statement);
		for (i = 0; i < LENGTH(styles); i++) {
			doc_medium(doc, styles[i].media);
			statement.style = styles[i].style;
			add_statement(doc, &statement);
		}
		doc_medium(doc, DOC_ALL);
	}
	free(statement.wins);
	free(statement.standing.ranks);
}

void section_headline(struct doc *doc, const struct view *view)
{
	if (view_has_several(view))
		add_several(doc, view);
	else
		add_one(doc, view);
}
