/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "doc/render.h"

#include "doc/escape.h"
#include "doc/svg.h"
#include "doc/tree.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The columns of a table with more than MANY are closer to each other. A table with at
 * most FEW numbers in a row is not as wide as the page, so that rows are easy to read. */
enum { FEW = 5, MANY = 9 };

/* A cell with a longer text is folded, and a longer headline is smaller. */
enum { LONG_TEXT = 32, LONG_HEADLINE = 24 };

struct page {
	FILE *stream;
	const struct doc_block **blocks; /* those that are shown */
	size_t count;
	bool in_section, in_charts;
	unsigned folds;         /* that are open */
	bool has_ids[DOC_BEST]; /* by class: its list of items was written */
};

static const char *const class_names[] = {
	[DOC_PLAIN] = "",    [DOC_GOOD] = "good",     [DOC_WARNING] = "warning",
	[DOC_BAD] = "bad",   [DOC_BETTER] = "better", [DOC_WORSE] = "worse",
	[DOC_BEST] = "best",
};

/* Return the id of the list of items of a class; or NULL. */
static const char *id_of(enum doc_class class)
{
	return class == DOC_WARNING ? "warnings" : class == DOC_BAD ? "invalid" : NULL;
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

/* Check if a link to the list of items of this class leads anywhere. */
static bool has_list(const struct page *page, enum doc_class class)
{
	size_t i;

	for (i = 0; id_of(class) != NULL && i < page->count; i++)
		if (page->blocks[i]->kind == DOC_BLOCK_ITEM && page->blocks[i]->class == class)
			return true;
	return false;
}

/* Write an element with an escaped text; `class` may be NULL or empty. */
static void write_element(const struct page *page, const char *tag, const char *class,
			  const char *text)
{
	fprintf(page->stream, "<%s", tag);
	if (class != NULL && class[0] != '\0')
		fprintf(page->stream, " class=\"%s\"", class);
	fputc('>', page->stream);
	escape_markup(text, page->stream);
	fprintf(page->stream, "</%s>", tag);
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
	write_element(page, heading_tag(page), NULL, text);
	fputc('\n', page->stream);
}

/*
 * Tables.
 */

/* Add a class to those of a cell. */
static void add_class(char *classes, size_t size, const char *class)
{
	size_t used = strlen(classes);

	if (class[0] != '\0')
		snprintf(classes + used, size - used, "%s%s", used > 0 ? " " : "", class);
}

static void open_element(const struct page *page, const char *tag, const char *classes)
{
	fprintf(page->stream, "<%s%s", tag, strcmp(tag, "th") == 0 ? " scope=\"row\"" : "");
	if (classes[0] != '\0')
		fprintf(page->stream, " class=\"%s\"", classes);
	fputc('>', page->stream);
}

static void write_number(const struct page *page, const struct doc_table_column *column,
			 const struct doc_table_row *row, const struct doc_cell *cell)
{
	bool is_zero = (column->flags & DOC_OPTIONAL) != 0 && cell->value == 0;
	char text[NUMBER_TEXT];

	/* page.css puts a dash into an empty cell. */
	if (isnan(cell->value) || is_zero)
		return;
	if ((column->flags & DOC_BAR) != 0)
		fprintf(page->stream, "<i class=\"s%u\" style=\"--s:%.3f\"></i>",
			svg_colour(row->series > 0 ? row->series : 1),
			fmin(fmax(cell->value, 0), 1));
	escape_markup(doc_print_number(column, cell, NUMBER_TYPESET, text), page->stream);
}

/* Write a text, or the number of a cell. */
static void write_value(const struct page *page, const struct doc_table_column *column,
			const struct doc_table_row *row, const struct doc_cell *cell)
{
	if (cell->text != NULL)
		escape_markup(cell->text, page->stream);
	else
		write_number(page, column, row, cell);
}

/* Write a label. The last label of a row has its colour and its flag. */
static void write_label(const struct page *page, const struct doc_table *table,
			const struct doc_table_row *row, size_t index, bool is_last)
{
	const struct doc_table_column *column = &table->columns[index];
	const struct doc_cell *cell = &row->cells[index];
	bool has_colour = is_last && row->series > 0;

	open_element(page, "th", index > 0 && (column->flags & DOC_LEFT) != 0 ? "left" : "");
	if (has_colour)
		fprintf(page->stream, "<b class=\"letter s%u\">", svg_colour(row->series));
	write_value(page, column, row, cell);
	fputs(has_colour ? "</b>" : "", page->stream);
	if (is_last && row->class == DOC_WARNING && has_list(page, DOC_WARNING))
		fputs(" <a class=\"flag warning\" href=\"#warnings\" title=\"warning\">?</a>",
		      page->stream);
	fputs("</th>", page->stream);
}

static void write_cell(const struct page *page, const struct doc_table *table,
		       const struct doc_table_row *row, size_t index)
{
	const struct doc_table_column *column = &table->columns[index];
	const struct doc_cell *cell = &row->cells[index];
	char classes[64] = "";

	if ((column->flags & DOC_LEFT) != 0)
		add_class(classes, sizeof(classes), "left");
	if ((column->flags & DOC_MAIN) != 0)
		add_class(classes, sizeof(classes), "main");
	if ((column->flags & DOC_BAR) != 0)
		add_class(classes, sizeof(classes), "share");
	if (cell->text != NULL && strlen(cell->text) > LONG_TEXT)
		add_class(classes, sizeof(classes), "long");
	add_class(classes, sizeof(classes), class_names[cell->class]);
	open_element(page, "td", classes);
	write_value(page, column, row, cell);
	fputs("</td>", page->stream);
}

/* Write the text that fills a row. If there are reasons, it leads to them. */
static void write_rest(const struct page *page, const struct doc_table_row *row, size_t columns)
{
	bool is_link = has_list(page, row->rest_class);

	fprintf(page->stream, "<td class=\"void\" colspan=\"%zu\">", columns);
	if (is_link)
		fprintf(page->stream, "<a class=\"%s\" href=\"#%s\">", class_names[row->rest_class],
			id_of(row->rest_class));
	else
		fputs("<span>", page->stream);
	escape_markup(row->rest != NULL ? row->rest : "", page->stream);
	fputs(is_link ? "</a></td>" : "</span></td>", page->stream);
}

static bool is_same_cell(const struct doc_cell *one, const struct doc_cell *other)
{
	if (one->text != NULL && other->text != NULL)
		return strcmp(one->text, other->text) == 0;
	return one->text == other->text && one->value == other->value;
}

/* Return the index of the last label of a row. */
static size_t last_label(const struct doc_table *table, const struct doc_table_row *row)
{
	size_t last = 0, i;

	for (i = 0; i < row->cell_count; i++)
		if ((table->columns[i].flags & DOC_LABEL) != 0 &&
		    doc_column_is_shown(&table->columns[i], DOC_HTML))
			last = i;
	return last;
}

/* Check if a row belongs to the one above: all labels but the last are the same. */
static bool is_same_group(const struct doc_table *table, const struct doc_table_row *row)
{
	const struct doc_table_row *above = row - 1;
	size_t last = last_label(table, row), i;

	if (row == table->rows || last == 0 || last_label(table, above) != last)
		return false;
	for (i = 0; i < last; i++)
		if (!is_same_cell(&row->cells[i], &above->cells[i]))
			return false;
	return true;
}

static void write_row(const struct page *page, const struct doc_table *table,
		      const struct doc_table_row *row)
{
	size_t rest = 0, last = last_label(table, row), i;
	char classes[32] = "";

	add_class(classes, sizeof(classes), class_names[row->class]);
	add_class(classes, sizeof(classes), is_same_group(table, row) ? "same" : "");
	open_element(page, "tr", classes);
	for (i = 0; i < table->column_count; i++) {
		const struct doc_table_column *column = &table->columns[i];

		if (!doc_column_is_shown(column, DOC_HTML))
			continue;
		if (i >= row->cell_count)
			rest++;
		else if ((column->flags & DOC_LABEL) != 0)
			write_label(page, table, row, i, i == last);
		else
			write_cell(page, table, row, i);
	}
	if (rest > 0)
		write_rest(page, row, rest);
	fputs("</tr>\n", page->stream);
}

/* Write the headings. No scope is needed, as only headings are in their row. */
static void write_headings(const struct page *page, const struct doc_table *table)
{
	size_t i;

	fputs("<thead><tr>", page->stream);
	for (i = 0; i < table->column_count; i++)
		if (doc_column_is_shown(&table->columns[i], DOC_HTML))
			write_element(page, "th",
				      (table->columns[i].flags & DOC_LEFT) != 0 ? "left" : NULL,
				      table->columns[i].heading != NULL ? table->columns[i].heading
									: "");
	fputs("</tr></thead>\n", page->stream);
}

/* Return the class of a table; or an empty text. */
static const char *class_of(const struct doc_table *table)
{
	bool has_texts = false;
	size_t shown = 0, i;

	for (i = 0; i < table->column_count; i++) {
		unsigned flags = table->columns[i].flags;

		shown += doc_column_is_shown(&table->columns[i], DOC_HTML);
		has_texts |= (flags & DOC_LEFT) != 0 && (flags & DOC_LABEL) == 0;
	}
	return shown > MANY ? "many" : shown <= FEW && !has_texts ? "few" : "";
}

static void write_table(const struct page *page, const struct doc_table *table)
{
	bool has_headings = false;
	size_t i;

	for (i = 0; i < table->column_count; i++)
		has_headings |= table->columns[i].heading != NULL &&
				table->columns[i].heading[0] != '\0';
	fputs("<div class=\"wide\" tabindex=\"0\">\n", page->stream);
	open_element(page, "table", class_of(table));
	fputc('\n', page->stream);
	if (has_headings)
		write_headings(page, table);
	fputs("<tbody>\n", page->stream);
	for (i = 0; i < table->row_count; i++)
		write_row(page, table, &table->rows[i]);
	fputs("</tbody>\n</table>\n</div>\n", page->stream);
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
		write_element(page, "dt", NULL, block->name);
		write_element(page, "dd", NULL, block->text);
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
		write_element(page, "dt", NULL, block->name);
		fputs("<dd>", page->stream);
		escape_markup(block->text, page->stream);
		fputc(' ', page->stream);
		write_element(page, "small", NULL, block->heading != NULL ? block->heading : "");
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
		bool is_link = has_list(page, block->class);

		fprintf(page->stream, "<%s class=\"verdict %s\"", is_link ? "a" : "span",
			class_names[block->class]);
		if (is_link)
			fprintf(page->stream, " href=\"#%s\"", id_of(block->class));
		fputc('>', page->stream);
		escape_markup(block->text, page->stream);
		fputs(is_link ? "</a>\n" : "</span>\n", page->stream);
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
		fprintf(page->stream, "<section class=\"reasons %s\"", class_names[first->class]);
		if (id_of(first->class) != NULL && !page->has_ids[first->class])
			fprintf(page->stream, " id=\"%s\"", id_of(first->class));
		fputs(">\n", page->stream);
		page->has_ids[first->class] = true;
	}
	write_heading(page, first->heading);
	fputs(is_plain ? "<ul class=\"answer\">\n" : "<ul>\n", page->stream);
	for (; index < end; index++) {
		write_element(page, "li", NULL, page->blocks[index]->text);
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
		write_element(page, "p", "note", page->blocks[*index]->text);
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
	char classes[32] = "";

	add_class(classes, sizeof(classes), class_names[block->class]);
	add_class(classes, sizeof(classes), strlen(block->name) > LONG_HEADLINE ? "long" : "");
	open_element(page, "h1", classes);
	write_element(page, "strong", NULL, block->name);
	if (block->text != NULL && block->text[0] != '\0') {
		fputc(' ', page->stream);
		write_element(page, "span", NULL, block->text);
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
			write_element(page, "p", has_headline ? "note" : "what", block->text);
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
		write_element(page, "h1", NULL, title);
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
	write_element(page, "summary", NULL, block->text);
	fputc('\n', page->stream);
	page->folds++;
}

static void write_paragraph(const struct page *page, const struct doc_block *block)
{
	write_element(page, "p", "note", block->text);
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
		write_table(page, block->table);
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
