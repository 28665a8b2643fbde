/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "doc/doc.h"

#include "base/array.h"
#include "doc/tree.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct doc *doc_new(void)
{
	struct doc *doc = calloc(1, sizeof(*doc));

	if (doc != NULL)
		doc->media = DOC_ALL;
	return doc;
}

static void free_table(struct doc_table *table)
{
	size_t i, j;

	if (table == NULL)
		return;
	for (i = 0; i < table->row_count; i++) {
		struct doc_table_row *row = &table->rows[i];

		for (j = 0; j < row->cell_count; j++)
			free(row->cells[j].text);
		free(row->cells);
		free(row->rest);
	}
	for (i = 0; i < table->column_count; i++)
		free(table->columns[i].heading);
	free(table->rows);
	free(table->columns);
	free(table);
}

static void free_axis(struct doc_axis *axis)
{
	size_t i;

	for (i = 0; axis->names != NULL && i < axis->name_count; i++)
		free((char *)axis->names[i]);
	free((void *)axis->names);
	free((char *)axis->name);
}

static void free_chart(struct doc_chart *chart)
{
	size_t i, j;

	if (chart == NULL)
		return;
	for (i = 0; i < chart->mark_count; i++) {
		struct doc_mark *mark = &chart->marks[i];

		for (j = 0; mark->spots != NULL && j < mark->count; j++)
			free((char *)mark->spots[j].title);
		free((void *)mark->spots);
		free((char *)mark->name);
		free((char *)mark->legend);
	}
	free(chart->marks);
	free_axis(&chart->axes[0]);
	free_axis(&chart->axes[1]);
	free(chart->id);
	free(chart);
}

void doc_free(struct doc *doc)
{
	size_t i;

	if (doc == NULL)
		return;
	for (i = 0; i < doc->count; i++) {
		free(doc->blocks[i].name);
		free(doc->blocks[i].text);
		free(doc->blocks[i].heading);
		free_table(doc->blocks[i].table);
		free_chart(doc->blocks[i].chart);
	}
	free(doc->blocks);
	free(doc);
}

void doc_fail(struct doc *doc)
{
	if (doc != NULL)
		doc->failed = true;
}

/* Return a copy of a text, or NULL if it is NULL or memory is short. */
static char *copy(struct doc *doc, const char *text)
{
	char *copied = text != NULL ? strdup(text) : NULL;

	doc->failed |= text != NULL && copied == NULL;
	return copied;
}

static char *print(struct doc *doc, const char *format, va_list arguments)
{
	char *text;

	if (vasprintf(&text, format, arguments) < 0)
		text = NULL;
	doc->failed |= text == NULL;
	return text;
}

/* Append a block. Return NULL if memory is or was short. */
static struct doc_block *add(struct doc *doc, enum doc_kind kind)
{
	const struct doc_block block = {
		.kind = kind,
		.media = doc != NULL ? doc->media : 0,
	};

	if (doc == NULL || doc->failed)
		return NULL;
	doc->failed = array_append(&doc->blocks, &doc->count, &block, sizeof(block)) < 0;
	return doc->failed ? NULL : &doc->blocks[doc->count - 1];
}

/* Set block->text. */
#define PRINT_TEXT(doc, block, format) \
	do { \
		va_list arguments; \
		va_start(arguments, format); \
		(block)->text = print(doc, format, arguments); \
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

	if (block == NULL)
		return;
	block->level = level;
	PRINT_TEXT(doc, block, format);
	if (level == 2 && !doc->failed && is_repeated(doc)) {
		free(block->text);
		doc->count--;
	}
}

void doc_headline(struct doc *doc, enum doc_class class, const char *main, const char *rest)
{
	struct doc_block *block = add(doc, DOC_BLOCK_HEADLINE);

	if (block == NULL)
		return;
	block->class = class;
	block->name = copy(doc, main);
	block->text = copy(doc, rest);
}

void doc_note(struct doc *doc, const char *format, ...)
{
	struct doc_block *block = add(doc, DOC_BLOCK_NOTE);

	if (block != NULL)
		PRINT_TEXT(doc, block, format);
}

void doc_line(struct doc *doc, const char *format, ...)
{
	struct doc_block *block = add(doc, DOC_BLOCK_LINE);

	if (block != NULL)
		PRINT_TEXT(doc, block, format);
}

void doc_fact(struct doc *doc, const char *name, const char *format, ...)
{
	struct doc_block *block = add(doc, DOC_BLOCK_FACT);

	if (block == NULL)
		return;
	block->name = copy(doc, name);
	PRINT_TEXT(doc, block, format);
}

void doc_item(struct doc *doc, enum doc_class class, const char *heading, const char *name,
	      const char *format, ...)
{
	struct doc_block *block = add(doc, DOC_BLOCK_ITEM);

	if (block == NULL)
		return;
	block->class = class;
	block->heading = copy(doc, heading);
	block->name = copy(doc, name);
	PRINT_TEXT(doc, block, format);
}

void doc_tile(struct doc *doc, const char *name, const char *value, const char *remark)
{
	struct doc_block *block = add(doc, DOC_BLOCK_TILE);

	if (block == NULL)
		return;
	block->media &= DOC_HTML;
	block->name = copy(doc, name);
	block->text = copy(doc, value);
	block->heading = copy(doc, remark);
}

void doc_badge(struct doc *doc, enum doc_class class, const char *format, ...)
{
	struct doc_block *block = add(doc, DOC_BLOCK_BADGE);

	if (block == NULL)
		return;
	block->media &= DOC_HTML;
	block->class = class;
	PRINT_TEXT(doc, block, format);
}

void doc_fold(struct doc *doc, bool open, const char *format, ...)
{
	struct doc_block *block = add(doc, DOC_BLOCK_FOLD);

	if (block == NULL)
		return;
	block->open = open;
	PRINT_TEXT(doc, block, format);
}

void doc_fold_end(struct doc *doc)
{
	add(doc, DOC_BLOCK_FOLD_END);
}

void doc_medium(struct doc *doc, unsigned media)
{
	if (doc != NULL)
		doc->media = media;
}

void doc_table(struct doc *doc, unsigned flags)
{
	struct doc_block *block = add(doc, DOC_BLOCK_TABLE);

	if (block == NULL)
		return;
	block->table = calloc(1, sizeof(*block->table));
	if (block->table != NULL)
		block->table->flags = flags;
	else
		doc->failed = true;
}

/* Return the table that was begun last, or NULL if memory was short. */
static struct doc_table *last_table(struct doc *doc)
{
	return doc != NULL && doc->count > 0 && !doc->failed ? doc->blocks[doc->count - 1].table
							     : NULL;
}

void doc_column(struct doc *doc, const char *heading, enum number_form form, unsigned flags)
{
	struct doc_table *table = last_table(doc);
	struct doc_table_column column = {.form = form, .flags = flags};

	if (table == NULL)
		return;
	column.heading = copy(doc, heading);
	if (array_append(&table->columns, &table->column_count, &column, sizeof(column)) == 0)
		return;
	free(column.heading);
	doc->failed = true;
}

void doc_row(struct doc *doc, enum doc_class class, unsigned series)
{
	struct doc_table *table = last_table(doc);
	struct doc_table_row row = {.class = class, .series = series};

	if (table == NULL)
		return;
	/* Without any column, calloc may return NULL. */
	row.cells = calloc(table->column_count + 1, sizeof(*row.cells));
	if (row.cells != NULL &&
	    array_append(&table->rows, &table->row_count, &row, sizeof(row)) == 0)
		return;
	free(row.cells);
	doc->failed = true;
}

void doc_column_width(struct doc *doc, unsigned columns)
{
	struct doc_table *table = last_table(doc);

	if (table != NULL && table->column_count > 0)
		table->columns[table->column_count - 1].width = columns;
}

/* Return the next cell of the last row, or NULL if memory was short or the row is
 * full. */
static struct doc_cell *next_cell(struct doc *doc)
{
	struct doc_table *table = last_table(doc);
	struct doc_table_row *row;
	struct doc_cell *cell;

	if (table == NULL)
		return NULL;
	row = &table->rows[table->row_count - 1];
	if (row->cell_count == table->column_count)
		return NULL;
	cell = &row->cells[row->cell_count];
	*cell = (struct doc_cell){.value = NAN, .form = table->columns[row->cell_count].form};
	row->cell_count++;
	return cell;
}

void doc_cell_colour(struct doc *doc, double value, enum doc_class class)
{
	struct doc_cell *cell = next_cell(doc);

	if (cell == NULL)
		return;
	cell->value = value;
	cell->class = class;
}

void doc_cell(struct doc *doc, double value)
{
	doc_cell_colour(doc, value, DOC_PLAIN);
}

void doc_cell_form(struct doc *doc, enum number_form form, double value)
{
	struct doc_cell *cell = next_cell(doc);

	if (cell == NULL)
		return;
	cell->value = value;
	cell->form = form;
}

void doc_cell_text(struct doc *doc, const char *format, ...)
{
	struct doc_cell *cell = next_cell(doc);

	if (cell != NULL)
		PRINT_TEXT(doc, cell, format);
}

void doc_rest(struct doc *doc, enum doc_class class, const char *format, ...)
{
	struct doc_table *table = last_table(doc);
	struct doc_table_row *row;
	va_list arguments;

	if (table == NULL)
		return;
	row = &table->rows[table->row_count - 1];
	row->rest_class = class;
	va_start(arguments, format);
	row->rest = print(doc, format, arguments);
	va_end(arguments);
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

void doc_table_end(struct doc *doc)
{
	struct doc_table *table = last_table(doc);
	size_t i;

	for (i = 0; table != NULL && i < table->column_count; i++)
		complete_column(table, i);
}

static void copy_axis(struct doc *doc, struct doc_axis *to, const struct doc_axis *from)
{
	char **names = NULL;
	size_t i;

	*to = *from;
	to->name = copy(doc, from->name);
	if (from->names != NULL)
		names = calloc(from->name_count + 1, sizeof(*names));
	doc->failed |= from->names != NULL && names == NULL;
	for (i = 0; names != NULL && i < from->name_count; i++)
		names[i] = copy(doc, from->names[i]);
	to->names = (const char *const *)names;
}

static void copy_mark(struct doc *doc, struct doc_mark *to, const struct doc_mark *from)
{
	struct doc_spot *spots = calloc(from->count + 1, sizeof(*spots));
	size_t i;

	*to = *from;
	to->name = copy(doc, from->name);
	to->legend = copy(doc, from->legend);
	to->spots = spots;
	doc->failed |= spots == NULL;
	for (i = 0; spots != NULL && i < from->count; i++) {
		spots[i] = from->spots[i];
		spots[i].title = copy(doc, from->spots[i].title);
	}
}

void doc_chart(struct doc *doc, const char *id, const char *heading, const struct doc_axis axes[2],
	       const struct doc_mark *marks, size_t count)
{
	struct doc_block *block = add(doc, DOC_BLOCK_CHART);
	struct doc_chart *chart = calloc(1, sizeof(*chart));

	if (block == NULL || chart == NULL) {
		free(chart);
		if (doc != NULL)
			doc->failed = true;
		return;
	}
	block->media &= DOC_HTML;
	block->heading = copy(doc, heading);
	block->chart = chart;
	chart->id = copy(doc, id);
	copy_axis(doc, &chart->axes[0], &axes[0]);
	copy_axis(doc, &chart->axes[1], &axes[1]);
	chart->marks = calloc(count + 1, sizeof(*chart->marks));
	doc->failed |= chart->marks == NULL;
	for (; chart->marks != NULL && chart->mark_count < count; chart->mark_count++)
		copy_mark(doc, &chart->marks[chart->mark_count], &marks[chart->mark_count]);
}
