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
		[DOC_PLAIN] = "",    [DOC_GOOD] = "good",     [DOC_WARNING] = "warning",
		[DOC_BAD] = "bad",   [DOC_BETTER] = "better", [DOC_WORSE] = "worse",
		[DOC_BEST] = "best",
	};

	return names[class];
}

void html_add_class(char classes[HTML_CLASSES], const char *class)
{
	size_t used = strlen(classes);

	if (class[0] != '\0')
		snprintf(classes + used, HTML_CLASSES - used, "%s%s", used > 0 ? " " : "", class);
}

/* Return the id of a list of items; or NULL. */
static const char *id_of(enum doc_class class)
{
	return class == DOC_WARNING ? "warnings" : class == DOC_BAD ? "invalid" : NULL;
}

const char *html_list(const struct page *page, enum doc_class class)
{
	size_t i;

	for (i = 0; i < page->count; i++)
		if (page->blocks[i]->kind == DOC_BLOCK_ITEM && page->blocks[i]->class == class)
			return id_of(class);
	return NULL;
}

void html_open(const struct page *page, const char *tag, const char *classes)
{
	fprintf(page->stream, "<%s", tag);
	if (classes[0] != '\0')
		fprintf(page->stream, " class=\"%s\"", classes);
	fputc('>', page->stream);
}

void html_element(const struct page *page, const char *tag, const char *classes, const char *text)
{
	html_open(page, tag, classes);
	escape_markup(text, page->stream);
	fprintf(page->stream, "</%s>", tag);
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

/* A heading is a level deeper in a section. */
static const char *heading_tag(const struct page *page)
{
	return page->in_section ? "h3" : "h2";
}

static void write_heading(const struct page *page, const char *text)
{
	if (text == NULL || text[0] == '\0')
		return;
	html_element(page, heading_tag(page), "", text);
	fputc('\n', page->stream);
}

/*
 * Groups of adjacent blocks, which share an element. The functions return the index of
 * the block after the group.
 */

static size_t write_facts(const struct page *page, size_t index)
{
	const struct doc_block *block;

	fputs("<dl class=\"facts\">\n", page->stream);
	for (; is_kind(block = block_at(page, index), DOC_BLOCK_FACT); index++) {
		fputs("<div>", page->stream);
		html_element(page, "dt", "", block->name);
		html_element(page, "dd", "", block->text);
		fputs("</div>\n", page->stream);
	}
	fputs("</dl>\n", page->stream);
	return index;
}

static size_t write_tiles(const struct page *page, size_t index)
{
	const struct doc_block *block;

	fputs("<dl class=\"tiles\">\n", page->stream);
	for (; is_kind(block = block_at(page, index), DOC_BLOCK_TILE); index++) {
		fputs("<div>", page->stream);
		html_element(page, "dt", "", block->name);
		fputs("<dd>", page->stream);
		escape_markup(block->text, page->stream);
		fputc(' ', page->stream);
		html_element(page, "small", "", block->heading != NULL ? block->heading : "");
		fputs("</dd></div>\n", page->stream);
	}
	fputs("</dl>\n", page->stream);
	return index;
}

static size_t write_badges(const struct page *page, size_t index)
{
	const struct doc_block *block;

	fputs("<p class=\"verdicts\">", page->stream);
	for (; is_kind(block = block_at(page, index), DOC_BLOCK_BADGE); index++) {
		const char *list = html_list(page, block->class);

		fprintf(page->stream, "<%s class=\"verdict %s\"", list != NULL ? "a" : "span",
			html_class(block->class));
		if (list != NULL)
			fprintf(page->stream, " href=\"#%s\"", list);
		fputc('>', page->stream);
		escape_markup(block->text, page->stream);
		fputs(list != NULL ? "</a>\n" : "</span>\n", page->stream);
	}
	fputs("</p>\n", page->stream);
	return index;
}

/* Check if two items are in the same list. */
static bool is_same_list(const struct doc_block *first, const struct doc_block *other)
{
	return is_kind(other, DOC_BLOCK_ITEM) && other->class == first->class &&
	       strcmp(first->name, other->name) == 0;
}

/* Return the index of the block after the list of an item. */
static size_t end_of_list(const struct page *page, size_t index)
{
	const struct doc_block *first = page->blocks[index];

	while (is_same_list(first, block_at(page, index)))
		index++;
	return index;
}

static size_t write_list(struct page *page, size_t index)
{
	const struct doc_block *first = page->blocks[index];
	size_t end = end_of_list(page, index);
	bool is_plain = first->class == DOC_PLAIN;

	if (!is_plain) {
		fprintf(page->stream, "<section class=\"reasons %s\"", html_class(first->class));
		if (id_of(first->class) != NULL && !page->has_ids[first->class])
			fprintf(page->stream, " id=\"%s\"", id_of(first->class));
		fputs(">\n", page->stream);
		page->has_ids[first->class] = true;
	}
	write_heading(page, first->heading);
	fputs(is_plain ? "<ul class=\"answer\">\n" : "<ul>\n", page->stream);
	for (; index < end; index++) {
		html_element(page, "li", "", page->blocks[index]->text);
		fputc('\n', page->stream);
	}
	fputs(is_plain ? "</ul>\n" : "</ul>\n</section>\n", page->stream);
	return index;
}

/* Write a chart with the notes after it. */
static int write_chart(const struct page *page, size_t *index)
{
	const struct doc_block *block = page->blocks[(*index)++];
	int status;

	fputs("<figure>\n", page->stream);
	write_heading(page, block->heading);
	status = svg_write(block->chart, block->heading, page->stream);
	for (; is_text(block_at(page, *index)); (*index)++) {
		html_element(page, "p", "note", page->blocks[*index]->text);
		fputc('\n', page->stream);
	}
	fputs("</figure>\n", page->stream);
	return status;
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
	      "<link rel=\"icon\" href=\"data:,\"/>\n"
	      "<title>",
	      page->stream);
	escape_markup(title, page->stream);
	fprintf(page->stream,
		" \u2013 throng</title>\n"
		"<style>\n%s</style>\n"
		"</head>\n"
		"<body>\n",
		doc_css);
}

static void write_headline(const struct page *page, const struct doc_block *block)
{
	char classes[HTML_CLASSES] = "";

	html_add_class(classes, html_class(block->class));
	html_add_class(classes, strlen(block->name) > LONG_HEADLINE ? "long" : "");
	html_open(page, "h1", classes);
	html_element(page, "strong", "", block->name);
	if (block->text != NULL && block->text[0] != '\0') {
		fputc(' ', page->stream);
		html_element(page, "span", "", block->text);
	}
	fputs("</h1>\n", page->stream);
}

/* Write the header: the headline, and the blocks around it that belong to it. Return
 * the index of the block after it. */
static size_t write_header(struct page *page, const char *title)
{
	const struct doc_block *block;
	bool has_headline = false;
	size_t index = 0;

	fputs("<header>\n", page->stream);
	while ((block = block_at(page, index)) != NULL) {
		if (block->kind == DOC_BLOCK_HEADLINE && !has_headline) {
			write_headline(page, block);
			has_headline = true;
			index++;
		} else if (is_text(block)) {
			html_element(page, "p", has_headline ? "note" : "what", block->text);
			fputc('\n', page->stream);
			index++;
		} else if (block->kind == DOC_BLOCK_BADGE) {
			index = write_badges(page, index);
		} else if (block->kind == DOC_BLOCK_TILE) {
			index = write_tiles(page, index);
		} else if (block->kind == DOC_BLOCK_ITEM && block->class == DOC_PLAIN) {
			index = write_list(page, index);
		} else {
			break;
		}
	}
	if (!has_headline) {
		html_element(page, "h1", "", title);
		fputc('\n', page->stream);
	}
	fputs("</header>\n", page->stream);
	return index;
}

/* Charts next to each other, and lists of items between them, are one grid. Open or
 * close it before a block. */
static void update_charts(struct page *page, size_t index)
{
	const struct doc_block *block = block_at(page, index);
	bool is_part = is_kind(block, DOC_BLOCK_CHART);

	if (page->in_charts && is_kind(block, DOC_BLOCK_ITEM))
		is_part = is_kind(block_at(page, end_of_list(page, index)), DOC_BLOCK_CHART);
	if (is_part != page->in_charts)
		fputs(is_part ? "<div class=\"charts\">\n" : "</div>\n", page->stream);
	page->in_charts = is_part;
}

static void end_section(struct page *page)
{
	for (; page->folds > 0; page->folds--)
		fputs("</details>\n", page->stream);
	if (page->in_section)
		fputs("</section>\n", page->stream);
	page->in_section = false;
}

/* Begin a section. Without one, write_heading writes a heading of level 2. */
static void begin_section(struct page *page, const struct doc_block *block)
{
	end_section(page);
	fputs("<section>\n", page->stream);
	write_heading(page, block->text);
	page->in_section = true;
}

static void write_fold(struct page *page, const struct doc_block *block)
{
	fprintf(page->stream, "<details%s>\n", block->open ? " open=\"open\"" : "");
	html_element(page, "summary", "", block->text);
	fputc('\n', page->stream);
	page->folds++;
}

static void write_paragraph(const struct page *page, const struct doc_block *block)
{
	html_element(page, "p", "note", block->text);
	fputc('\n', page->stream);
}

/* Write a block that is no part of a group. Return 0 or -ENOMEM. */
static void write_single(struct page *page, const struct doc_block *block)
{
	switch (block->kind) {
	case DOC_BLOCK_HEADING:
		if (block->level <= 2)
			begin_section(page, block);
		else
			write_heading(page, block->text);
		break;
	case DOC_BLOCK_TABLE:
		html_table(page, block->table);
		break;
	case DOC_BLOCK_FOLD:
		write_fold(page, block);
		break;
	case DOC_BLOCK_FOLD_END:
		if (page->folds > 0) {
			fputs("</details>\n", page->stream);
			page->folds--;
		}
		break;
	default:
		write_paragraph(page, block);
	}
}

/* Write the blocks from `index` on. Return 0 or -ENOMEM. */
static int write_body(struct page *page, size_t index)
{
	const struct doc_block *block;
	int status = 0;

	for (; (block = block_at(page, index)) != NULL && status == 0;) {
		update_charts(page, index);
		if (block->kind == DOC_BLOCK_CHART)
			status = write_chart(page, &index);
		else if (block->kind == DOC_BLOCK_FACT)
			index = write_facts(page, index);
		else if (block->kind == DOC_BLOCK_TILE)
			index = write_tiles(page, index);
		else if (block->kind == DOC_BLOCK_BADGE)
			index = write_badges(page, index);
		else if (block->kind == DOC_BLOCK_ITEM)
			index = write_list(page, index);
		else
			write_single(page, page->blocks[index++]);
	}
	update_charts(page, index);
	end_section(page);
	return status;
}

int doc_html(const struct doc *doc, const char *title, FILE *stream)
{
	struct page page = {.stream = stream};
	size_t index, i;
	int status;

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
	index = write_header(&page, title);
	fputs("<main>\n", stream);
	status = write_body(&page, index);
	fputs("</main>\n</body>\n</html>\n", stream);
	free(page.blocks);
	return status;
}
