/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The operations of each point as tables; that of the peak is open.
 */
#include "page/page.h"
#include "page/ranking.h"

#include <string.h>

static const struct result_operation *
find_operation(const struct result_figures *figures, const char *name)
{
	size_t i;

	for (i = 0; i < figures->operation_count; i++)
		if (strcmp(figures->operations[i].name, name) == 0)
			return &figures->operations[i];
	return NULL;
}

static void write_operation(const struct page *page,
			    const struct result_operation *operation,
			    double share)
{
	const struct result_latency *latency = &operation->latency;
	char text[MARKUP_TEXT];

	fputs("<tr><th scope=\"row\">", page->stream);
	escape_markup(operation->name, page->stream);
	fprintf(page->stream,
		"</th><td class=\"share\"><i style=\"width:%.1f%%\"></i>%.1f %%"
		"</td>", 100 * share, 100 * share);
	fprintf(page->stream, "<td>%s</td>",
		markup_number((double)operation->count, 0, text));
	fprintf(page->stream, "<td>%s</td>",
		operation->bytes > 0
			? markup_number((double)operation->bytes / 1e6, 1, text)
			: "\u2013");
	fprintf(page->stream, "<td>%s</td>",
		markup_latency((uint64_t)latency->mean_ns, text));
	fprintf(page->stream, "<td>%s</td>",
		markup_latency(latency->p50_ns, text));
	fprintf(page->stream, "<td>%s</td>",
		markup_latency(latency->p99_ns, text));
	fprintf(page->stream, "<td>%s</td>",
		markup_latency(latency->max_ns, text));
	fprintf(page->stream, "<td>%s</td></tr>\n",
		markup_number((double)operation->mismatches, 0, text));
}

static void write_point(const struct page *page,
			const struct result_point *point, bool open)
{
	const struct result_figures *figures = &point->figures;
	struct ranking ranking;
	char users[PAGE_USERS];
	size_t i;

	if (figures->operation_count == 0)
		return;
	fprintf(page->stream, "<details%s>\n<summary>%s%s</summary>\n",
		open ? " open=\"open\"" : "",
		page_print_users(point->users, users),
		result_is_valid(point) ? "" : ", not valid");
	page_begin_table(page, "operations");
	fputs("<thead><tr>"
	      "<th scope=\"col\">operation</th><th scope=\"col\">time</th>"
	      "<th scope=\"col\">count</th><th scope=\"col\">MB</th>"
	      "<th scope=\"col\">mean</th><th scope=\"col\">p50</th>"
	      "<th scope=\"col\">p99</th><th scope=\"col\">max</th>"
	      "<th scope=\"col\">errors</th></tr></thead>\n<tbody>\n",
	      page->stream);
	if (ranking_make(&ranking, &figures, 1) == 0)
		for (i = 0; i < ranking.count; i++)
			write_operation(page,
					find_operation(figures,
						       ranking.names[i]),
					ranking.shares[i]);
	ranking_free(&ranking);
	fputs("</tbody>\n", page->stream);
	page_end_table(page);
	fputs("</details>\n", page->stream);
}

static void write_result(const struct page *page, size_t index)
{
	const struct result *result = &page->results[index];
	const struct result_point *peak = page_peak(page, result);
	size_t others, i;

	if (page->count > 1) {
		fputs("<h3>", page->stream);
		page_swatch(page, index);
		page_name(page, index);
		fputs("</h3>\n", page->stream);
	}
	if (peak != NULL)
		write_point(page, peak, true);
	others = result->point_count - (peak != NULL);
	if (others > 1)
		fputs("<details>\n<summary>other points</summary>\n",
		      page->stream);
	for (i = 0; i < result->point_count; i++)
		if (&result->points[i] != peak)
			write_point(page, &result->points[i], false);
	if (others > 1)
		fputs("</details>\n", page->stream);
}

void page_operations(const struct page *page)
{
	size_t i;

	if (page->user_count == 0)
		return;
	fputs("<section>\n<h2>Operations</h2>\n", page->stream);
	for (i = 0; i < page->count; i++)
		write_result(page, i);
	fputs("</section>\n", page->stream);
}
