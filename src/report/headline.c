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

/* With more results that cannot be told apart, they are only counted. */
enum { NAMED_MAX = 4 };

static const char *print_users(unsigned users, enum number_style style, char text[NUMBER_TEXT])
{
	char number[NUMBER_TEXT];

	snprintf(text, NUMBER_TEXT, "%.30s %s", number_print(NUMBER_COUNT, users, 0, style, number),
		 users == 1 ? "user" : "users");
	return text;
}

/* Return the throughput of a point in the unit that number_print takes. */
static double rate_of(const struct view *view, const struct result_point *point)
{
	return view_rate(view, &point->records);
}

static const char *unit_of(const struct view *view)
{
	return view->rate == FIGURE_MB_PER_S ? number_rate_unit() : "ops/s";
}

static char *print_rate(const struct view *view, double rate, double max, enum number_style style,
			char text[NUMBER_TEXT])
{
	enum number_form form = number_form_of(view->rate);

	return number_print(form, rate, number_decimals(form, max), style, text);
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
	size_t invalid = 0, warned = 0, all = result->point_count, i;
	bool any;

	for (i = 0; i < all; i++) {
		invalid += !result_is_valid(&result->points[i]);
		warned += result->points[i].warnings.count > 0;
	}
	any = add_badge(doc, DOC_BAD, "not valid", invalid, all);
	any |= add_badge(doc, DOC_WARNING, "with warnings", warned, all);
	if (!any && all > 0)
		doc_badge(doc, DOC_GOOD, "valid, no warnings");
}

static char *print_figure(const struct record *record, enum figure figure, char text[NUMBER_TEXT])
{
	return number_print(number_form_of(figure),
			    number_value_of(figure, record_value(record, figure)), -1,
			    NUMBER_TYPESET, text);
}

static void add_spread_tile(struct doc *doc, const struct view *view,
			    const struct result_point *peak)
{
	char value[NUMBER_TEXT], remark[NUMBER_TEXT];
	size_t repeats = view_repeats(peak);

	number_print(NUMBER_SPREAD, combine_range(peak, view->rate).spread, -1, NUMBER_TYPESET,
		     value);
	snprintf(remark, sizeof(remark), "over %zu repeats", repeats);
	if (repeats > 1)
		doc_tile(doc, "Spread", value, remark);
	else
		doc_tile(doc, "Spread", "unknown", "measured once");
}

static void add_rate_tiles(struct doc *doc, const struct view *view, const struct record *total)
{
	double read = record_value(total, FIGURE_READ_MB_PER_S);
	double write = record_value(total, FIGURE_WRITE_MB_PER_S);
	char texts[2][NUMBER_TEXT], both[2 * NUMBER_TEXT + 4];

	if (read > 0 && write > 0) {
		snprintf(both, sizeof(both), "%s + %s",
			 print_figure(total, FIGURE_READ_MB_PER_S, texts[0]),
			 print_figure(total, FIGURE_WRITE_MB_PER_S, texts[1]));
		doc_tile(doc, "Read + written", both, number_rate_unit());
	}
	if (view->rate == FIGURE_MB_PER_S)
		doc_tile(doc, "Operations", print_figure(total, FIGURE_OPS_PER_S, texts[0]),
			 "per second");
}

static void add_tiles(struct doc *doc, const struct view *view, size_t best)
{
	const struct result_point *peak = view->sides[best].peak;
	const struct result *result = view->sides[best].result;
	const struct result_point *first = view->places[0].points[best];
	const struct record *total = records_total(&peak->records);
	char value[NUMBER_TEXT], remark[2 * NUMBER_TEXT], users[NUMBER_TEXT];
	size_t i;

	add_spread_tile(doc, view, peak);
	snprintf(remark, sizeof(remark), "p50 %s", print_figure(total, FIGURE_P50_MS, value));
	doc_tile(doc, view->paced ? "Response p99" : "p99",
		 print_figure(total, FIGURE_P99_MS, value), remark);
	add_rate_tiles(doc, view, total);
	if (first != NULL && first != peak && result_is_valid(first)) {
		snprintf(value, sizeof(value), "%.3g \u00d7",
			 rate_of(view, peak) / rate_of(view, first));
		snprintf(remark, sizeof(remark), "that of %s",
			 print_users(first->users, NUMBER_TYPESET, users));
		doc_tile(doc, "Scaling", value, remark);
	}
	for (i = 0; i < result->limit_count; i++)
		doc_tile(doc, result->limits[i].condition,
			 result->limits[i].users == 0
				 ? "not met"
				 : print_users(result->limits[i].users, NUMBER_TYPESET, users),
			 "");
}

/* Add "1,852 MB/s", "at 8 users, bs=4Ki". */
static void add_peak(struct doc *doc, const struct view *view, size_t best, enum number_style style)
{
	const struct result_point *peak = view->sides[best].peak;
	char main[2 * NUMBER_TEXT], rest[VARIANT_TEXT + 2 * NUMBER_TEXT], text[NUMBER_TEXT];
	double rate = rate_of(view, peak);

	snprintf(main, sizeof(main), "%s %s", print_rate(view, rate, rate, style, text),
		 unit_of(view));
	snprintf(rest, sizeof(rest), "%s %s%s%.*s", view->place_count > 1 ? "at" : "with",
		 print_users(peak->users, style, text), view->side_count > 1 ? ", " : "",
		 VARIANT_TEXT - 1, view->side_count > 1 ? view->sides[best].name : "");
	doc_headline(doc, DOC_PLAIN, main, rest);
}

/* Add that there are no figures. */
static void add_nothing(struct doc *doc, const struct view *view)
{
	doc_headline(doc, DOC_BAD,
		     view->place_count > 0 ? "Not valid: no figures" : "Nothing was measured", "");
}

/* Check if all variants have the same targets. */
static bool has_same_targets(const struct result_run *run)
{
	const struct result_variant *first = &run->variants[0];
	size_t i, j;

	for (i = 1; i < run->variant_count; i++) {
		const struct result_variant *other = &run->variants[i];

		for (j = 0; j < first->target_count; j++)
			if (j >= other->target_count ||
			    strcmp(first->targets[j].url, other->targets[j].url) != 0)
				return false;
	}
	return true;
}

char *headline_subject(const struct result_run *run)
{
	const struct result_variant *variant = &run->variants[0];
	char *text = NULL;
	size_t size, i;
	FILE *stream = open_memstream(&text, &size);

	if (stream == NULL)
		return NULL;
	fprintf(stream, "%s%s", run->label, run->label[0] != '\0' ? ": " : "");
	for (i = 0; i < variant->load_count; i++) {
		fprintf(stream, "%s%s", i > 0 ? ", " : "", variant->loads[i].name);
		if (variant->load_count > 1)
			fprintf(stream, ":%u", variant->loads[i].weight);
	}
	for (i = 0; has_same_targets(run) && i < variant->target_count; i++)
		fprintf(stream, "%s%s", i > 0 ? ", " : " on ", variant->targets[i].url);
	fclose(stream);
	return text;
}

/* Add what was measured, above the headline. */
static void add_subject(struct doc *doc, const struct result_run *run)
{
	char *text = headline_subject(run);

	doc_medium(doc, DOC_HTML);
	if (text != NULL)
		doc_note(doc, "%s", text);
	else
		doc_fail(doc);
	free(text);
}

/* Add the headline of one result, or of all variants of one. Text has the same in its
 * tables and conclusions. */
static void add_one(struct doc *doc, const struct view *view)
{
	size_t best = view_best(view);
	bool has_peak = view->sides[best].peak != NULL;

	add_subject(doc, &view->whole->run);
	doc_medium(doc, DOC_MARKDOWN);
	if (has_peak)
		add_peak(doc, view, best, NUMBER_ASCII);
	else
		add_nothing(doc, view);
	doc_medium(doc, DOC_HTML);
	if (has_peak)
		add_peak(doc, view, best, NUMBER_TYPESET);
	else
		add_nothing(doc, view);
	add_badges(doc, view->whole);
	if (has_peak)
		add_tiles(doc, view, best);
	doc_medium(doc, DOC_ALL);
}

/*
 * Several results.
 */

/* At how many common places each side is the fastest. */
struct wins {
	size_t *of; /* by side */
	size_t all; /* number of places where all sides with a peak have a valid point */
	size_t any; /* of those that have a fastest side */
	const char *where;
};

static struct wins count_wins(struct doc *doc, const struct view *view, size_t with_peaks)
{
	struct wins wins = {
		.of = calloc(view->side_count, sizeof(*wins.of)),
		.where = "user counts",
	};
	size_t i;

	if (wins.of == NULL)
		doc_fail(doc);
	for (i = 0; wins.of != NULL && i < view->place_count; i++) {
		struct standing here = standing_make(view, &view->places[i]);

		if (view->places[i].set_count > 0)
			wins.where = "points";
		if (here.failed) {
			doc_fail(doc);
		} else if (here.count == with_peaks) {
			wins.all++;
			wins.any += here.close == 1;
			wins.of[here.ranks[0].side] += here.close == 1;
		}
		standing_free(&here);
	}
	return wins;
}

/* The statement about several results, as it is written: in one style. */
struct statement {
	const struct view *view;
	const struct standing *standing;
	const struct wins *wins;
	enum number_style style;
	FILE *stream;
};

static const char *name_of(const struct statement *statement, size_t rank)
{
	return statement->view->sides[statement->standing->ranks[rank].side].name;
}

/* Print the throughput of a rank, with the digits of the first one. */
static char *rate_text(const struct statement *statement, size_t rank, char text[NUMBER_TEXT])
{
	const struct standing *standing = statement->standing;

	return print_rate(statement->view, standing->ranks[rank].rate, standing->ranks[0].rate,
			  statement->style, text);
}

/* Write "12.3 % faster than old". */
static void write_lead(const struct statement *statement)
{
	const struct standing *standing = statement->standing;
	double lead = standing->ranks[0].rate / standing->ranks[1].rate - 1;
	char text[NUMBER_TEXT];

	fprintf(statement->stream, "%s%s faster than %s", lead < 0.001 ? "less than " : "",
		number_print(NUMBER_SPREAD, fmax(lead, 0.001), -1, statement->style, text),
		name_of(statement, 1));
}

/* Write "a, b and c": the names of the first `count` results that the fastest one is
 * not faster than. */
static void write_close(const struct statement *statement)
{
	const struct standing *standing = statement->standing;
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
	const struct standing *standing = statement->standing;
	bool are_all = standing->close == standing->count;
	FILE *stream = statement->stream;

	if (standing->close > NAMED_MAX)
		fprintf(stream, are_all ? "all %zu results" : "the fastest %zu of %zu results",
			standing->close, standing->count);
	else
		write_close(statement);
	if (standing->close <= NAMED_MAX && !are_all)
		fprintf(stream, ", the fastest of %zu results,", standing->count);
	fprintf(stream, " %s", words[standing->relation]);
}

static void write_main(const struct statement *statement)
{
	const struct standing *standing = statement->standing;
	FILE *stream = statement->stream;

	if (standing->close > 1) {
		write_draw(statement);
	} else if (standing->count == 1) {
		fprintf(stream, "only %s has a valid throughput", name_of(statement, 0));
	} else {
		fprintf(stream, "%s is ", name_of(statement, 0));
		if (standing->count > 2)
			fprintf(stream, "the fastest of %zu results, ", standing->count);
		write_lead(statement);
	}
}

/* Write "8 users, bs=4Ki". */
static void write_place(const struct statement *statement, size_t rank)
{
	const struct view_place *place = statement->standing->ranks[rank].place;
	char users[NUMBER_TEXT], set[VARIANT_TEXT];

	fprintf(statement->stream, "%s%s%s", print_users(place->users, statement->style, users),
		place->set_count > 0 ? ", " : "", variant_print(place->set, place->set_count, set));
}

/* Write "1,852 against 1,650 MB/s at 8 users" of two ranks. If they are not at the
 * same place, write both. */
static void write_two(const struct statement *statement, size_t one, size_t other,
		      const char *between)
{
	const struct standing *standing = statement->standing;
	const char *unit = unit_of(statement->view);
	FILE *stream = statement->stream;
	char text[NUMBER_TEXT];

	fputs(rate_text(statement, one, text), stream);
	if (standing->ranks[one].place != standing->ranks[other].place) {
		fprintf(stream, " %s at ", unit);
		write_place(statement, one);
	}
	fprintf(stream, " %s %s %s at ", between, rate_text(statement, other, text), unit);
	write_place(statement, other);
}

static void write_peaks(const struct statement *statement)
{
	const struct standing *standing = statement->standing;
	FILE *stream = statement->stream;
	char text[NUMBER_TEXT];

	if (standing->count == 1) {
		fprintf(stream, "(at the peak: %s %s at ", rate_text(statement, 0, text),
			unit_of(statement->view));
		write_place(statement, 0);
		fputc(')', stream);
	} else if (standing->close > 1 && standing->count > 2) {
		fputs("with peaks from ", stream);
		write_two(statement, standing->count - 1, 0, "to");
	} else {
		fputs("at the peaks: ", stream);
		write_two(statement, 0, 1, standing->close > 1 ? "and" : "against");
	}
}

/* Write "; new is faster at 3 of 4 user counts, old at 1". */
static void write_wins(const struct statement *statement)
{
	const struct standing *standing = statement->standing;
	const char *faster = standing->count == 2 ? "faster" : "the fastest";
	const struct wins *wins = statement->wins;
	size_t named = 0, i;

	if (wins->all > 1 && wins->any == 0 && standing->relation <= STANDING_WITHIN)
		fprintf(statement->stream, "; none is %s at any of %zu %s", faster, wins->all,
			wins->where);
	for (i = 0; wins->all > 1 && i < standing->count; i++) {
		size_t count = wins->of[standing->ranks[i].side];

		if (count == 0)
			continue;
		if (named++ > 0)
			fprintf(statement->stream, ", %s at %zu", name_of(statement, i), count);
		else
			fprintf(statement->stream, "; %s is %s at %zu of %zu %s",
				name_of(statement, i), faster, count, wins->all, wins->where);
	}
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

static void write_rest(const struct statement *statement)
{
	size_t count = statement->standing->count, all = statement->view->side_count;

	write_peaks(statement);
	if (count == 1)
		return;
	write_wins(statement);
	if (count < all)
		fprintf(statement->stream, "; %zu of %zu results %s no valid throughput",
			all - count, all, all - count == 1 ? "has" : "have");
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
	struct standing standing = standing_make(view, NULL);
	struct wins wins = count_wins(doc, view, standing.count);
	struct statement statement = {.view = view, .standing = &standing, .wins = &wins};

	if (standing.failed) {
		doc_fail(doc);
	} else if (standing.count == 0) {
		add_nothing(doc, view);
	} else {
		doc_medium(doc, DOC_TEXT | DOC_MARKDOWN);
		statement.style = NUMBER_ASCII;
		add_statement(doc, &statement);
		doc_medium(doc, DOC_HTML);
		statement.style = NUMBER_TYPESET;
		add_statement(doc, &statement);
		doc_medium(doc, DOC_ALL);
	}
	free(wins.of);
	standing_free(&standing);
}

void section_headline(struct doc *doc, const struct view *view)
{
	if (view_has_several(view))
		add_several(doc, view);
	else
		add_one(doc, view);
}
