/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "doc/render.h"

#include "doc/escape.h"
#include "doc/html.h"
#include "doc/svg.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A longer headline is smaller. */
enum { LONG_HEADLINE = 24 };

const char *html_class(enum doc_class class)
{
	static const char *const names[] = {
		[DOC_PLAIN] = "",  [DOC_GOOD] = "good",   [DOC_WARNING] = "warning",
		[DOC_BAD] = "bad", [DOC_WORSE] = "worse", [DOC_BEST] = "best",
	};

	return names[class];
}

/* Return the first item of a class, or NULL. */
static const struct doc_block *first_item(const struct page *page, enum doc_class class)
{
	size_t i;

	for (i = 0; i < page->count; i++)
		if (page->blocks[i]->kind == DOC_BLOCK_ITEM && page->blocks[i]->class == class)
			return page->blocks[i];
	return NULL;
}

const char *html_list(const struct page *page, enum doc_class class)
{
	if (first_item(page, class) == NULL)
		return NULL;
	return class == DOC_WARNING ? "warnings" : class == DOC_BAD ? "invalid" : NULL;
}

void html_open(FILE *stream, const char *tag, const char *const classes[])
{
	const char *before = " class=\"";

	fprintf(stream, "<%s", tag);
	for (; *classes != NULL; classes++) {
		if (**classes == '\0')
			continue;
		fprintf(stream, "%s%s", before, *classes);
		before = " ";
	}
	fputs(before[1] != '\0' ? ">" : "\">", stream);
}

/* Return a block, or NULL after the last one. */
static const struct doc_block *block_at(const struct page *page, size_t index)
{
	return index < page->count ? page->blocks[index] : NULL;
}

static bool is_kind(const struct doc_block *block, enum doc_kind kind)
{
	return block != NULL && block->kind == kind;
}

static bool is_text(const struct doc_block *block)
{
	return is_kind(block, DOC_BLOCK_NOTE) || is_kind(block, DOC_BLOCK_LINE);
}

/* Write a heading, which is a level deeper in a section. */
static void write_heading(const struct page *page, const char *text)
{
	const char *tag = page->in_section ? "h3" : "h2";

	if (text != NULL && text[0] != '\0')
		escape_print(page->stream, "<%s>%s</%s>\n", tag, text, tag);
}

static void write_headline(const struct page *page, const struct doc_block *block)
{
	bool is_long = strlen(block->name) > LONG_HEADLINE;

	html_open(page->stream, "h1",
		  (const char *const[]){html_class(block->class), is_long ? "long" : "", NULL});
	escape_print(page->stream, "<strong>%s</strong>", block->name);
	if (block->text != NULL && block->text[0] != '\0')
		escape_print(page->stream, " <span>%s</span>", block->text);
	fputs("</h1>\n", page->stream);
}

/* Begin a section, and end the one before it. */
static void begin_section(struct page *page, const char *heading)
{
	fputs(page->in_section ? "</section>\n<section>\n" : "<section>\n", page->stream);
	page->in_section = false;
	write_heading(page, heading);
	page->in_section = true;
}

/*
 * Groups of adjacent blocks, which share an element. The functions return the index of
 * the block after the group.
 */

static void write_fact(const struct page *page, const struct doc_block *block)
{
	escape_print(page->stream, "<div><dt>%s</dt><dd>%s</dd></div>\n", block->name, block->text);
}

static void write_tile(const struct page *page, const struct doc_block *block)
{
	escape_print(page->stream, "<div><dt>%s</dt><dd>%s <small>%s</small></dd></div>\n",
		     block->name, block->text, block->heading);
}

static void write_badge(const struct page *page, const struct doc_block *block)
{
	const char *class = html_class(block->class), *list = html_list(page, block->class);

	if (list != NULL)
		escape_print(page->stream, "<a class=\"verdict %s\" href=\"#%s\">%s</a>\n", class,
			     list, block->text);
	else
		escape_print(page->stream, "<span class=\"verdict %s\">%s</span>\n", class,
			     block->text);
}

static size_t write_group(const struct page *page, size_t index)
{
	static const struct {
		const char *begin, *end;
		void (*write)(const struct page *page, const struct doc_block *block);
	} groups[] = {
		[DOC_BLOCK_FACT] = {"<dl class=\"facts\">\n", "</dl>\n", write_fact},
		[DOC_BLOCK_TILE] = {"<dl class=\"tiles\">\n", "</dl>\n", write_tile},
		[DOC_BLOCK_BADGE] = {"<p class=\"verdicts\">", "</p>\n", write_badge},
	};
	const enum doc_kind kind = page->blocks[index]->kind;

	fputs(groups[kind].begin, page->stream);
	for (; is_kind(block_at(page, index), kind); index++)
		groups[kind].write(page, page->blocks[index]);
	fputs(groups[kind].end, page->stream);
	return index;
}

/* Return the index of the block after the list of an item. */
static size_t end_of_list(const struct page *page, size_t index)
{
	const struct doc_block *first = page->blocks[index], *block;

	do
		block = block_at(page, ++index);
	while (is_kind(block, DOC_BLOCK_ITEM) && block->class == first->class &&
	       strcmp(first->name, block->name) == 0);
	return index;
}

static size_t write_list(const struct page *page, size_t index)
{
	const struct doc_block *first = page->blocks[index];
	const char *class = html_class(first->class), *id = html_list(page, first->class);
	const bool is_plain = first->class == DOC_PLAIN;
	const size_t end = end_of_list(page, index);

	if (id != NULL && first == first_item(page, first->class))
		escape_print(page->stream, "<section class=\"reasons %s\" id=\"%s\">\n", class, id);
	else if (!is_plain)
		escape_print(page->stream, "<section class=\"reasons %s\">\n", class);
	write_heading(page, first->heading);
	fputs(is_plain ? "<ul class=\"answer\">\n" : "<ul>\n", page->stream);
	for (; index < end; index++)
		escape_print(page->stream, "<li>%s</li>\n", page->blocks[index]->text);
	fputs(is_plain ? "</ul>\n" : "</ul>\n</section>\n", page->stream);
	return index;
}

static void write_note(const struct page *page, const struct doc_block *block)
{
	escape_print(page->stream, "<p class=\"%s\">%s</p>\n", page->has_title ? "note" : "what",
		     block->text);
}

/* Write a chart with the notes after it. */
static size_t write_chart(struct page *page, size_t index)
{
	const struct doc_block *chart = page->blocks[index++];

	fputs("<figure>\n", page->stream);
	write_heading(page, chart->heading);
	page->failed |= svg_write(chart->chart, chart->heading, page->stream) < 0;
	for (; is_text(block_at(page, index)); index++)
		write_note(page, page->blocks[index]);
	fputs("</figure>\n", page->stream);
	return index;
}

/* Write the group of a block or, if it is no part of one, the block alone. */
static size_t write_block(struct page *page, size_t index)
{
	const struct doc_block *block = page->blocks[index];

	switch (block->kind) {
	case DOC_BLOCK_FACT:
	case DOC_BLOCK_TILE:
	case DOC_BLOCK_BADGE:
		return write_group(page, index);
	case DOC_BLOCK_ITEM:
		return write_list(page, index);
	case DOC_BLOCK_CHART:
		return write_chart(page, index);
	case DOC_BLOCK_HEADLINE:
		write_headline(page, block);
		page->has_title = true;
		break;
	case DOC_BLOCK_HEADING:
		if (block->level <= 2)
			begin_section(page, block->text);
		else
			write_heading(page, block->text);
		break;
	case DOC_BLOCK_TABLE:
		html_table(page, block->table);
		break;
	case DOC_BLOCK_FOLD:
		fputs(block->open ? "<details open=\"open\">\n" : "<details>\n", page->stream);
		escape_print(page->stream, "<summary>%s</summary>\n", block->text);
		break;
	case DOC_BLOCK_FOLD_END:
		fputs("</details>\n", page->stream);
		break;
	case DOC_BLOCK_NOTE:
	case DOC_BLOCK_LINE:
		write_note(page, block);
		break;
	}
	return index + 1;
}

/*
 * The frame of the page.
 */

static void write_head(const struct page *page, const char *title)
{
	fputs("<!DOCTYPE html>\n"
	      "<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n"
	      "<head>\n"
	      "<meta charset=\"utf-8\"/>\n"
	      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
	      "style-src 'unsafe-inline'; img-src data:\"/>\n"
	      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
	      "<meta name=\"color-scheme\" content=\"light dark\"/>\n"
	      "<meta name=\"generator\" content=\"throng\"/>\n"
	      "<link rel=\"icon\" href=\"data:,\"/>\n",
	      page->stream);
	escape_print(page->stream, "<title>%s \u2013 throng</title>\n<style>\n", title);
	fprintf(page->stream, "%s</style>\n</head>\n<body>\n", doc_css);
}

static bool is_of_header(const struct doc_block *block)
{
	return is_text(block) || is_kind(block, DOC_BLOCK_HEADLINE) ||
	       is_kind(block, DOC_BLOCK_BADGE) || is_kind(block, DOC_BLOCK_TILE) ||
	       (is_kind(block, DOC_BLOCK_ITEM) && block->class == DOC_PLAIN);
}

/* Write the headline, and the blocks around it that belong to it. Return the index of
 * the block after them. */
static size_t write_header(struct page *page, const char *title)
{
	size_t index = 0;

	fputs("<header>\n", page->stream);
	while (is_of_header(block_at(page, index)))
		index = write_block(page, index);
	if (!page->has_title)
		escape_print(page->stream, "<h1>%s</h1>\n", title);
	page->has_title = true;
	fputs("</header>\n", page->stream);
	return index;
}

/* Charts next to each other, and lists of items between them, are one grid. Open or
 * close it before a block. */
static void update_charts(struct page *page, size_t index)
{
	const struct doc_block *block = block_at(page, index);

	if (page->in_charts && is_kind(block, DOC_BLOCK_ITEM))
		block = block_at(page, end_of_list(page, index));
	if (is_kind(block, DOC_BLOCK_CHART) == page->in_charts)
		return;
	fputs(page->in_charts ? "</div>\n" : "<div class=\"charts\">\n", page->stream);
	page->in_charts = !page->in_charts;
}

static void write_body(struct page *page, size_t index)
{
	fputs("<main>\n", page->stream);
	for (; index < page->count; index = write_block(page, index))
		update_charts(page, index);
	update_charts(page, index);
	fputs(page->in_section ? "</section>\n</main>\n</body>\n</html>\n"
			       : "</main>\n</body>\n</html>\n",
	      page->stream);
}

int doc_html(const struct doc *doc, const char *title, FILE *stream)
{
	struct page page = {.stream = stream};
	size_t i;

	if (doc == NULL || doc->failed)
		return -ENOMEM;
	page.blocks = calloc(doc->count + 1, sizeof(*page.blocks));
	if (page.blocks == NULL)
		return -ENOMEM;
	for (i = 0; i < doc->count; i++) {
		const struct doc_block *block = &doc->blocks[i];

		if (doc_is_shown(block, DOC_HTML) &&
		    (block->kind != DOC_BLOCK_CHART || svg_has_values(block->chart)))
			page.blocks[page.count++] = block;
	}
	write_head(&page, title);
	write_body(&page, write_header(&page, title));
	free(page.blocks);
	return page.failed ? -ENOMEM : 0;
}
