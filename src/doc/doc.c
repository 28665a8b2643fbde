/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "doc/doc.h"

#include "base/array.h"
#include "doc/tree.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Stands for a document for which there is no memory. Nothing can be added to it. */
static struct doc no_doc = {.failed = true};

struct doc *doc_new(void)
{
	struct doc *doc = calloc(1, sizeof(*doc));

	if (doc == NULL)
		return &no_doc;
	doc->media = DOC_ALL;
	return doc;
}

static void free_chart(struct doc_chart *chart)
{
	size_t i;

	for (i = 0; i < chart->mark_count; i++)
		free(chart->marks[i].spots);
	free(chart->marks);
}

void doc_free(struct doc *doc)
{
	size_t i;

	if (doc == NULL || doc == &no_doc)
		return;
	for (i = 0; i < doc->count; i++) {
		if (doc->blocks[i].table != NULL) {
			free(doc->blocks[i].table->columns);
			free(doc->blocks[i].table->rows);
		}
		if (doc->blocks[i].chart != NULL)
			free_chart(doc->blocks[i].chart);
	}
	for (i = 0; i < doc->kept_count; i++)
		free(doc->kept[i]);
	free(doc->kept);
	free(doc->blocks);
	free(doc);
}

void doc_fail(struct doc *doc)
{
	doc->failed = true;
}

/* Let the document own memory, and return it. NULL stands for a lack of memory; it is
 * returned, too, if memory was short before. */
static void *keep(struct doc *doc, void *memory)
{
	if (!doc->failed && memory != NULL &&
	    array_grow(&doc->kept, &doc->kept_room, doc->kept_count + 1, sizeof(*doc->kept)) == 0) {
		doc->kept[doc->kept_count++] = memory;
		return memory;
	}
	free(memory);
	doc->failed = true;
	return NULL;
}

static char *copy(struct doc *doc, const char *text)
{
	return text != NULL ? keep(doc, strdup(text)) : NULL;
}

static char *print(struct doc *doc, const char *format, va_list arguments)
{
	char *text;

	return keep(doc, vasprintf(&text, format, arguments) < 0 ? NULL : text);
}

/* Append an item to an array, if memory is not and was not short. */
static void append(struct doc *doc, void *items, size_t *count, const void *item, size_t size)
{
	if (!doc->failed && array_append(items, count, item, size) < 0)
		doc->failed = true;
}

/* Append a block. If memory is or was short, return one that is no part of the
 * document. */
static struct doc_block *add(struct doc *doc, enum doc_kind kind)
{
	doc->spare = (struct doc_block){.kind = kind, .media = doc->media};
	append(doc, &doc->blocks, &doc->count, &doc->spare, sizeof(doc->spare));
	return doc->failed ? &doc->spare : &doc->blocks[doc->count - 1];
}

/* Print into a text. */
#define PRINT(doc, text, format) \
	do { \
		va_list arguments; \
		va_start(arguments, format); \
		text = print(doc, format, arguments); \
		va_end(arguments); \
	} while (0)

/* Check if the last block, a heading of level 2, is that of the current section. */
static bool is_repeated(const struct doc *doc)
{
	const struct doc_block *blocks = doc->blocks;
	size_t last = doc->count - 1, i;

	for (i = last; i > 0; i--)
		if (blocks[i - 1].kind == DOC_BLOCK_HEADING && blocks[i - 1].level == 2)
			return strcmp(blocks[i - 1].text, blocks[last].text) == 0;
	return false;
}

void doc_heading(struct doc *doc, unsigned level, const char *format, ...)
{
	struct doc_block *block = add(doc, DOC_BLOCK_HEADING);

	block->level = level;
	PRINT(doc, block->text, format);
	if (level == 2 && !doc->failed && is_repeated(doc))
		doc->count--;
}

void doc_headline(struct doc *doc, enum doc_class class, const char *main, const char *rest)
{
	struct doc_block *block = add(doc, DOC_BLOCK_HEADLINE);

	block->class = class;
	block->name = copy(doc, main);
	block->text = copy(doc, rest);
}

void doc_note(struct doc *doc, const char *format, ...)
{
	PRINT(doc, add(doc, DOC_BLOCK_NOTE)->text, format);
}

void doc_line(struct doc *doc, const char *format, ...)
{
	PRINT(doc, add(doc, DOC_BLOCK_LINE)->text, format);
}

void doc_fact(struct doc *doc, const char *name, const char *format, ...)
{
	struct doc_block *block = add(doc, DOC_BLOCK_FACT);

	block->name = copy(doc, name);
	PRINT(doc, block->text, format);
}

void doc_item(struct doc *doc, enum doc_class class, const char *heading, const char *name,
	      const char *format, ...)
{
	struct doc_block *block = add(doc, DOC_BLOCK_ITEM);

	block->class = class;
	block->heading = copy(doc, heading);
	block->name = copy(doc, name);
	PRINT(doc, block->text, format);
}

void doc_tile(struct doc *doc, const char *name, const char *value, const char *remark)
{
	struct doc_block *block = add(doc, DOC_BLOCK_TILE);

	block->media &= DOC_HTML;
	block->name = copy(doc, name);
	block->text = copy(doc, value);
	block->heading = copy(doc, remark);
}

void doc_badge(struct doc *doc, enum doc_class class, const char *format, ...)
{
	struct doc_block *block = add(doc, DOC_BLOCK_BADGE);

	block->media &= DOC_HTML;
	block->class = class;
	PRINT(doc, block->text, format);
}

void doc_fold(struct doc *doc, bool open, const char *format, ...)
{
	struct doc_block *block = add(doc, DOC_BLOCK_FOLD);

	block->open = open;
	PRINT(doc, block->text, format);
}

void doc_fold_end(struct doc *doc)
{
	add(doc, DOC_BLOCK_FOLD_END);
}

void doc_medium(struct doc *doc, unsigned media)
{
	doc->media = media;
}

/*
 * Tables.
 */

void doc_table(struct doc *doc, unsigned flags)
{
	struct doc_block *block = add(doc, DOC_BLOCK_TABLE);

	block->table = keep(doc, calloc(1, sizeof(*block->table)));
	if (block->table != NULL)
		block->table->flags = flags;
}

/* Return the table that was begun last, or NULL if memory is or was short. */
static struct doc_table *last_table(struct doc *doc)
{
	return doc->failed ? NULL : doc->blocks[doc->count - 1].table;
}

static struct doc_table_row *last_row(struct doc *doc)
{
	struct doc_table *table = last_table(doc);

	return table != NULL ? &table->rows[table->row_count - 1] : NULL;
}

void doc_column(struct doc *doc, const char *heading, enum number_form form, unsigned flags)
{
	struct doc_table *table = last_table(doc);
	struct doc_table_column column = {.form = form, .flags = flags};

	column.heading = copy(doc, heading);
	if (table != NULL)
		append(doc, &table->columns, &table->column_count, &column, sizeof(column));
}

void doc_column_width(struct doc *doc, unsigned columns)
{
	struct doc_table *table = last_table(doc);

	if (table != NULL)
		table->columns[table->column_count - 1].width = columns;
}

void doc_row(struct doc *doc, enum doc_class class, unsigned series)
{
	struct doc_table *table = last_table(doc);
	struct doc_table_row row = {.class = class, .series = series};

	if (table == NULL)
		return;
	row.cells = keep(doc, calloc(table->column_count, sizeof(*row.cells)));
	append(doc, &table->rows, &table->row_count, &row, sizeof(row));
}

/* Return the next cell of the last row. If memory was short or the row is full, return
 * one that is no part of the document. */
static struct doc_cell *next_cell(struct doc *doc)
{
	static struct doc_cell spare;
	struct doc_table *table = last_table(doc);
	struct doc_table_row *row = last_row(doc);
	struct doc_cell *cell = &spare;

	if (row == NULL || row->cell_count == table->column_count)
		return cell;
	cell = &row->cells[row->cell_count];
	*cell = (struct doc_cell){.value = NAN, .form = table->columns[row->cell_count].form};
	row->cell_count++;
	return cell;
}

void doc_cell(struct doc *doc, double value)
{
	next_cell(doc)->value = value;
}

void doc_cell_form(struct doc *doc, enum number_form form, double value)
{
	struct doc_cell *cell = next_cell(doc);

	cell->value = value;
	cell->form = form;
}

void doc_cell_colour(struct doc *doc, double value, enum doc_class class)
{
	struct doc_cell *cell = next_cell(doc);

	cell->value = value;
	cell->class = class;
}

void doc_cell_text(struct doc *doc, const char *format, ...)
{
	PRINT(doc, next_cell(doc)->text, format);
}

void doc_rest(struct doc *doc, enum doc_class class, const char *format, ...)
{
	struct doc_table_row *row = last_row(doc);

	if (row == NULL)
		return;
	row->rest_class = class;
	PRINT(doc, row->rest, format);
}

/* Choose the decimals of a column, and hide it if it shows nothing. */
static void complete_column(struct doc_table *table, size_t index)
{
	struct doc_table_column *column = &table->columns[index];
	bool is_known = false, is_positive = false;
	double max = 0;
	size_t i;

	for (i = 0; i < table->row_count; i++) {
		const struct doc_table_row *row = &table->rows[i];
		const struct doc_cell *cell = &row->cells[index];

		if (index >= row->cell_count)
			continue;
		is_known |= cell->text != NULL || !isnan(cell->value);
		is_positive |= cell->text != NULL || cell->value > 0;
		if (cell->form == column->form && fabs(cell->value) > max)
			max = fabs(cell->value);
	}
	column->decimals = number_decimals(column->form, max);
	column->is_hidden = ((column->flags & DOC_OPTIONAL) != 0 && !is_positive) ||
			    ((column->flags & DOC_KNOWN) != 0 && !is_known);
}

/* Show a column that is not a label in all renderings, for the texts of doc_rest. */
static void make_room(struct doc_table *table)
{
	struct doc_table_column *first = NULL;
	size_t i;

	for (i = table->column_count; i-- > 0;) {
		struct doc_table_column *column = &table->columns[i];

		if ((column->flags & DOC_LABEL) != 0)
			continue;
		if (doc_column_is_shown(column, DOC_TEXT))
			return;
		first = column;
	}
	if (first != NULL) {
		first->is_hidden = false;
		first->flags &= ~(unsigned)DOC_WIDE;
	}
}

void doc_table_end(struct doc *doc)
{
	struct doc_table *table = last_table(doc);
	bool has_rest = false;
	size_t i;

	if (table == NULL)
		return;
	for (i = 0; i < table->column_count; i++)
		complete_column(table, i);
	for (i = 0; i < table->row_count; i++)
		has_rest |= table->rows[i].rest != NULL;
	if (has_rest)
		make_room(table);
}

/*
 * Charts.
 */

static void copy_axis(struct doc *doc, struct doc_axis *to, const struct doc_axis *from)
{
	char **names = keep(doc, calloc(from->name_count + 1, sizeof(*names)));
	size_t i;

	*to = *from;
	to->name = copy(doc, from->name);
	for (i = 0; names != NULL && i < from->name_count; i++)
		names[i] = copy(doc, from->names[i]);
	to->names = (const char *const *)names;
}

void doc_chart(struct doc *doc, const char *id, const char *heading, const struct doc_axis axes[2])
{
	struct doc_block *block = add(doc, DOC_BLOCK_CHART);
	struct doc_chart *chart = keep(doc, calloc(1, sizeof(*chart)));

	if (chart == NULL)
		return;
	block->media &= DOC_HTML;
	block->heading = copy(doc, heading);
	block->chart = chart;
	chart->id = copy(doc, id);
	copy_axis(doc, &chart->axes[0], &axes[0]);
	copy_axis(doc, &chart->axes[1], &axes[1]);
}

/* Return the chart that was begun last, or NULL if memory is or was short. */
static struct doc_chart *last_chart(struct doc *doc)
{
	return doc->failed ? NULL : doc->blocks[doc->count - 1].chart;
}

void doc_mark(struct doc *doc, const struct doc_mark *mark)
{
	struct doc_chart *chart = last_chart(doc);
	struct doc_mark copied = {.kind = mark->kind, .series = mark->series};

	if (chart == NULL)
		return;
	copied.name = copy(doc, mark->name);
	copied.legend = copy(doc, mark->legend);
	chart->room = 0;
	append(doc, &chart->marks, &chart->mark_count, &copied, sizeof(copied));
}

void doc_spot(struct doc *doc, const struct doc_spot *spot)
{
	struct doc_chart *chart = last_chart(doc);
	struct doc_mark *mark;

	if (chart == NULL)
		return;
	mark = &chart->marks[chart->mark_count - 1];
	if (array_grow(&mark->spots, &chart->room, mark->count + 1, sizeof(*spot)) == 0)
		mark->spots[mark->count++] = *spot;
	else
		doc->failed = true;
}

void doc_title(struct doc *doc, const char *format, ...)
{
	struct doc_chart *chart = last_chart(doc);
	struct doc_mark *mark;

	if (chart == NULL)
		return;
	mark = &chart->marks[chart->mark_count - 1];
	PRINT(doc, mark->spots[mark->count - 1].title, format);
}
