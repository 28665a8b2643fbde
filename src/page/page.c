/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "page/page.h"

#include "page/chart.h"
#include "report/rate.h"
#include "result/condition.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double page_value(enum figure figure, const struct record *record)
{
	const struct metric metric = {.figure = figure};
	double value;

	if (record == NULL || !metric_value_of(&metric, record, &value))
		return NAN;
	if (figures[figure].form == FORM_COUNT && value > 0)
		return record_shown(record, figure);
	return rate_value_of(metric_unit(&metric), value);
}

double page_rate(const struct page *page, const struct records *records)
{
	return page_value(page->rate, records_total(records));
}

size_t page_repeats(const struct result_point *point)
{
	size_t count = 0, i;

	for (i = 0; i < point->repeat_count; i++)
		count += result_repeat_is_valid(&point->repeats[i]);
	return count;
}

char *page_print_rate(const struct page *page, double rate, char text[PAGE_RATE])
{
	char number[MARKUP_TEXT];

	snprintf(text, PAGE_RATE, "%s %s", markup_number(rate, markup_decimals(rate), number),
		 page->unit);
	return text;
}

char *page_print_users(unsigned users, char text[PAGE_USERS])
{
	char number[MARKUP_TEXT];

	snprintf(text, PAGE_USERS, "%.14s %s", markup_number(users, 0, number),
		 users == 1 ? "user" : "users");
	return text;
}

void page_write_set(const struct page *page, char *const *set, size_t count)
{
	char text[VARIANT_TEXT];

	if (count == 0 || page->verdict == NULL)
		return;
	fputs(", ", page->stream);
	escape_markup(variant_print(set, count, text), page->stream);
}

void page_swatch(const struct page *page, size_t index)
{
	fprintf(page->stream, "<b class=\"letter s%zu\">", chart_colour(index));
	escape_markup(page->names[index], page->stream);
	fputs("</b> ", page->stream);
}

void page_counts(const struct page *page, const struct result_point *point)
{
	const struct record *total = records_total(&point->records);
	char ops[MARKUP_TEXT], bytes[MARKUP_TEXT];

	fprintf(page->stream, "%s operations and %s MB were counted",
		markup_number(record_shown(total, FIGURE_OPS), 0, ops),
		markup_number(record_shown(total, FIGURE_BYTES) / 1e6, 1, bytes));
}

/* Facts about a run. The facts in which compared runs differ more often come
 * first. */
enum fact { FACT_LOAD, FACT_TARGETS, FACT_SET, FACT_OPTIONS, FACT_MACHINE, FACTS };

static void write_fact(const struct result_run *run, enum fact fact, FILE *stream)
{
	const struct result_variant *variant = &run->variants[0];
	char set[VARIANT_TEXT];
	size_t i;

	switch (fact) {
	case FACT_LOAD:
		for (i = 0; i < variant->load_count; i++) {
			fputs(i > 0 ? ", " : "", stream);
			escape_markup(variant->loads[i].name, stream);
			if (variant->load_count > 1)
				fprintf(stream, ":%u", variant->loads[i].weight);
		}
		break;
	case FACT_TARGETS:
		for (i = 0; i < variant->target_count; i++) {
			fputs(i > 0 ? ", " : "", stream);
			escape_markup(variant->targets[i].url, stream);
		}
		break;
	case FACT_SET:
		if (run->variant_count == 1)
			escape_markup(variant_print(variant->set, variant->set_count, set), stream);
		break;
	case FACT_OPTIONS:
		for (i = 0; i < 2 * run->option_count; i++) {
			fputs(i == 0 ? "" : i % 2 > 0 ? "=" : ", ", stream);
			escape_markup(run->options[i], stream);
		}
		fputs(i == 0 ? "no options" : "", stream);
		break;
	default:
		escape_markup(run->host, stream);
		fputs(", ", stream);
		escape_markup(run->kernel, stream);
		fputs(", throng ", stream);
		escape_markup(run->version, stream);
	}
}

/* Check if a fact is the same for all results. */
static bool is_common(const struct page *page, enum fact fact)
{
	char *texts[2] = {0};
	bool is_same = true;
	size_t i, bytes;

	for (i = 0; i < page->count && is_same; i++) {
		char **text = &texts[i > 0];
		FILE *stream = open_memstream(text, &bytes);

		if (stream == NULL)
			break;
		write_fact(&page->results[i]->run, fact, stream);
		fclose(stream);
		if (i > 0) {
			is_same = strcmp(texts[0], texts[1]) == 0;
			free(texts[1]);
		}
	}
	free(texts[0]);
	return is_same;
}

void page_common_title(const struct page *page)
{
	const struct result_run *run = &page->results[0]->run;

	if (run->label[0] != '\0') {
		escape_markup(run->label, page->stream);
		fputs(": ", page->stream);
	}
	write_fact(run, FACT_LOAD, page->stream);
	if (!is_common(page, FACT_TARGETS))
		return;
	fputs(" on ", page->stream);
	write_fact(run, FACT_TARGETS, page->stream);
}

/* Check if a fact is in the titles of the results. The variants of a result
 * differ only in their values. */
static bool is_titled(const struct page *page, enum fact fact)
{
	return page->whole != NULL ? fact == FACT_SET : !is_common(page, fact);
}

void page_title(const struct page *page, size_t index)
{
	const struct result_run *run = &page->results[index]->run;
	enum fact fact;
	bool any = false;

	for (fact = FACT_LOAD; page->count > 1 && fact < FACTS; fact++) {
		if (!is_titled(page, fact))
			continue;
		fputs(any ? "; " : "", page->stream);
		write_fact(run, fact, page->stream);
		any = true;
	}
	if (page->count == 1)
		page_common_title(page);
	else if (!any)
		escape_markup(run->started, page->stream);
}

void page_subheading(const struct page *page, size_t index)
{
	if (page->count == 1)
		return;
	fputs("<h3>", page->stream);
	page_swatch(page, index);
	page_title(page, index);
	fputs("</h3>\n", page->stream);
}

void page_legend(const struct page *page, const char *kind, size_t series, const char *text)
{
	fprintf(page->stream, "<span><i class=\"%s s%zu\"></i>", kind, chart_colour(series));
	escape_markup(text, page->stream);
	fputs("</span>\n", page->stream);
}

void page_legend_results(const struct page *page)
{
	size_t i;

	for (i = 0; page->count > 1 && i < page->count; i++) {
		fprintf(page->stream, "<span><i class=\"line s%zu\"></i>", chart_colour(i));
		escape_markup(page->marks[i], page->stream);
		fputc(' ', page->stream);
		if (page->marks[i] != page->names[i]) {
			escape_markup(page->names[i], page->stream);
			fputs(": ", page->stream);
		}
		page_title(page, i);
		fputs("</span>\n", page->stream);
	}
}
