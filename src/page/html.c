/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "page/html.h"

#include "page/page.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

static int by_number(const void *a, const void *b)
{
	unsigned one = *(const unsigned *)a, other = *(const unsigned *)b;

	return (one > other) - (one < other);
}

/* The numbers of users of all the results. */
static int collect_users(struct page *page)
{
	size_t all = 0, i, j;

	for (i = 0; i < page->count; i++)
		all += page->results[i].point_count;
	page->users = calloc(all + 1, sizeof(*page->users));
	if (page->users == NULL)
		return -ENOMEM;
	all = 0;
	for (i = 0; i < page->count; i++)
		for (j = 0; j < page->results[i].point_count; j++)
			page->users[all++] = page->results[i].points[j].users;
	qsort(page->users, all, sizeof(*page->users), by_number);
	for (i = 0; i < all; i++)
		if (i == 0 || page->users[i] != page->users[i - 1])
			page->users[page->user_count++] = page->users[i];
	return 0;
}

/* The greatest throughput of a valid repeat. */
static double greatest_rate(const struct page *page)
{
	double max = 0;
	size_t i, j;

	for (i = 0; i < page->count; i++)
		for (j = 0; j < page->results[i].point_count; j++)
			max = fmax(max,
				   page_range(page,
					      &page->results[i].points[j])
					   .max);
	return max;
}

static void find_unit(struct page *page)
{
	page->unit = "MB/s";
	page->max_rate = greatest_rate(page);
	if (page->max_rate > 0)
		return;
	page->by_operations = true;
	page->max_rate = greatest_rate(page);
	page->by_operations = page->max_rate > 0;
	if (page->by_operations)
		page->unit = "ops/s";
}

static void write_head(const struct page *page)
{
	fputs("<!DOCTYPE html>\n"
	      "<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n"
	      "<head>\n<meta charset=\"utf-8\"/>\n"
	      /* Even if something slipped in that asks for it. */
	      "<meta http-equiv=\"Content-Security-Policy\" content=\""
	      "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
	      "\"/>\n"
	      "<meta name=\"viewport\" content=\"width=device-width, "
	      "initial-scale=1\"/>\n"
	      "<meta name=\"color-scheme\" content=\"light dark\"/>\n"
	      "<meta name=\"generator\" content=\"throng\"/>\n"
	      "<link rel=\"icon\" href=\"data:,\"/>\n<title>", page->stream);
	if (page->count == 1)
		page_name(page, 0);
	else
		fprintf(page->stream, "%zu results", page->count);
	fprintf(page->stream, " \u2013 throng</title>\n<style>\n%s</style>\n"
			      "</head>\n",
		page_style);
}

static void write_body(const struct page *page)
{
	fputs("<body>\n", page->stream);
	page_headline(page);
	fputs("<main>\n", page->stream);
	page_reasons(page);
	if (page->max_rate > 0) {
		fputs("<div class=\"charts\">\n", page->stream);
		page_throughput(page);
		page_latency(page);
		page_shares(page);
		page_time(page);
		fputs("</div>\n", page->stream);
	}
	page_comparison(page);
	page_points(page);
	page_operations(page);
	page_configuration(page);
	fputs("</main>\n</body>\n</html>\n", page->stream);
}

int html_write(const struct result *results, size_t count, FILE *stream)
{
	struct page page = {
		.stream = stream,
		.results = results,
		.count = count,
	};

	if (collect_users(&page) != 0)
		return -ENOMEM;
	find_unit(&page);
	page.decimals = page.max_rate >= 10000 ? 0
			: page.max_rate >= 100 ? 1
			: page.max_rate >= 1   ? 2
					       : 4;
	write_head(&page);
	write_body(&page);
	free(page.users);
	return ferror(stream) ? -EIO : 0;
}
