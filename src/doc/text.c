/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "doc/render.h"

#include "doc/escape.h"
#include "doc/tree.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	LINE_COLUMNS = 80, /* where lines are folded */
	LABEL_COLUMNS = 9, /* names of facts and items, with a blank */
	/* Min widths in DOC_FIXED tables. A time has four columns for the number, a
	 * blank, and two for the unit. */
	RATE_COLUMNS = 8,
	TIME_COLUMNS = 7,
	SHARE_COLUMNS = 4,
	SPREAD_COLUMNS = 6,
};

/* Return the number of columns that a UTF-8 text takes, if each of its characters
 * takes one. */
static unsigned columns_of(const char *text)
{
	unsigned columns = 0;

	for (; *text != '\0'; text++)
		columns += ((unsigned char)*text & 0xc0) != 0x80;
	return columns;
}

/* Return the length of a text's first word. If this is a number, include the unit
 * after it, as a line must not end between them. */
static size_t unit_length(const char *text)
{
	size_t length = strcspn(text, " ");
	bool number = isdigit((unsigned char)text[text[0] == '(']) &&
		      isdigit((unsigned char)text[length - 1]);

	if (number && text[length] == ' ')
		length += 1 + strcspn(&text[length + 1], " ");
	return length;
}

/* Write a text that is escaped, folded, from column `indent` on. Don't cut long
 * words. */
static void write_words(const char *word, size_t indent, FILE *stream)
{
	size_t column = indent, length;

	for (word += strspn(word, " "); *word != '\0'; word += strspn(word, " ")) {
		length = unit_length(word);
		if (column > indent && column + 1 + length > LINE_COLUMNS) {
			fprintf(stream, "\n%*s", (int)indent, "");
			column = indent;
		} else if (column > indent) {
			fputc(' ', stream);
			column++;
		}
		fprintf(stream, "%.*s", (int)length, word);
		column += length;
		word += length;
	}
	fputc('\n', stream);
}

/* Write a text after a label; NULL: without any. */
static int write_folded(const char *label, const char *text, FILE *stream)
{
	char *escaped = escape_text_copy(text);
	size_t indent = 0;

	if (label != NULL) {
		indent = (size_t)escape_column(label, LABEL_COLUMNS - 1, stream) + 1;
		fputc(' ', stream);
		if (indent < LABEL_COLUMNS)
			indent = LABEL_COLUMNS;
	}
	if (escaped != NULL)
		write_words(escaped, indent, stream);
	free(escaped);
	return escaped != NULL ? 0 : -ENOMEM;
}

static int write_headline(const struct doc_block *block, FILE *stream)
{
	size_t size = strlen(block->name) + strlen(block->text) + 2;
	char *text = malloc(size);
	int status = -ENOMEM;

	if (text != NULL) {
		snprintf(text, size, "%s %s", block->name, block->text);
		status = write_folded(NULL, text, stream);
	}
	free(text);
	return status;
}

static void write_line(const char *text, FILE *stream)
{
	escape_text(text, stream);
	fputc('\n', stream);
}

static unsigned min_width(const struct doc_table *table, const struct doc_table_column *column)
{
	if (column->width > 0 || (table->flags & DOC_FIXED) == 0)
		return column->width;
	switch (column->form) {
	case NUMBER_MB_PER_S:
	case NUMBER_PER_S:
		return RATE_COLUMNS;
	case NUMBER_TIME:
		return TIME_COLUMNS;
	case NUMBER_SHARE:
		return SHARE_COLUMNS;
	case NUMBER_SPREAD:
		return SPREAD_COLUMNS;
	default:
		return 0;
	}
}

/* Print a number of a DOC_FIXED table. The other rows are not known, so it has
 * decimals of its own: of MB/s two if they fit. */
static void print_fixed(enum number_form form, double value, char text[NUMBER_TEXT])
{
	int decimals = form == NUMBER_MB_PER_S && value > 0 ? 2 : -1;

	number_print(form, value, decimals, NUMBER_ASCII, text);
	if (columns_of(text) > RATE_COLUMNS)
		number_print(form, value, -1, NUMBER_ASCII, text);
}

/* Put a blank after a unit of one letter, and three after a dash, so that the
 * numbers of a column of times are aligned. */
static void align_time(char text[NUMBER_TEXT])
{
	size_t length = strlen(text);

	if (strcmp(text, "-") == 0)
		strcpy(text, "-   ");
	else if (length > 2 && length + 1 < NUMBER_TEXT && strcmp(&text[length - 2], " s") == 0)
		strcpy(&text[length], " ");
}

/* Return what a cell shows, which the caller frees; or NULL if memory is short. */
static char *print_cell(const struct doc_table *table, const struct doc_table_row *row,
			size_t index)
{
	const struct doc_table_column *column = &table->columns[index];
	const struct doc_cell *cell = &row->cells[index];
	char text[NUMBER_TEXT];

	if (index >= row->cell_count)
		return strdup("");
	if (cell->text != NULL)
		return escape_text_copy(cell->text);
	if ((table->flags & DOC_FIXED) != 0)
		print_fixed(cell->form, cell->value, text);
	else
		doc_print_number(column, cell, NUMBER_ASCII, text);
	if (column->form == NUMBER_TIME && cell->form == NUMBER_TIME)
		align_time(text);
	return strdup(text);
}

/* Print a cell of a row, or of the headings if it is NULL. */
static char *print_any(const struct doc_table *table, const struct doc_table_row *row, size_t index)
{
	return row != NULL ? print_cell(table, row, index)
			   : escape_text_copy(table->columns[index].heading);
}

/* A line of a table. Blanks are owed until something follows, so that none are at
 * its end. */
struct line {
	FILE *stream;
	unsigned owed;
};

static void write_cell(struct line *line, const char *text, unsigned width, bool is_left)
{
	unsigned columns = columns_of(text), blanks = width > columns ? width - columns : 0;
	size_t length = strlen(text);

	if (!is_left)
		line->owed += blanks;
	while (length > 0 && text[length - 1] == ' ')
		length--;
	if (length > 0) {
		fprintf(line->stream, "%*s%.*s", (int)line->owed, "", (int)length, text);
		line->owed = 0;
	}
	line->owed += (unsigned)(strlen(text) - length) + (is_left ? blanks : 0);
}

/* Return the number of blanks before a column. Texts after numbers, such as an
 * answer, have more in DOC_FIXED tables, as nothing else separates them. */
static unsigned gap_before(const struct doc_table *table, const struct doc_table_column *column)
{
	bool is_text = (column->flags & (DOC_LEFT | DOC_LABEL)) == DOC_LEFT;

	return is_text && (table->flags & DOC_FIXED) != 0 ? 2 : 1;
}

/* Write a row, or the headings if it is NULL. */
static int write_row(const struct doc_table *table, const unsigned *widths,
		     const struct doc_table_row *row, FILE *stream)
{
	struct line line = {stream, 0};
	const char *rest = row != NULL ? row->rest : NULL;
	bool is_first = true;
	size_t i;

	for (i = 0; i < table->column_count; i++) {
		const struct doc_table_column *column = &table->columns[i];
		char *text;

		if (!doc_column_is_shown(column, DOC_TEXT) ||
		    (rest != NULL && (column->flags & DOC_LABEL) == 0))
			continue;
		text = print_any(table, row, i);
		if (text == NULL)
			return -ENOMEM;
		line.owed += is_first ? 0 : gap_before(table, column);
		write_cell(&line, text, widths[i], (column->flags & DOC_LEFT) != 0);
		free(text);
		is_first = false;
	}
	if (rest != NULL) {
		fprintf(stream, "%*s", (int)line.owed + 1, "");
		escape_text(rest, stream);
	}
	fputc('\n', stream);
	return 0;
}

/* Set a column's width to that of its widest value. In DOC_FIXED tables, headings may
 * have been printed before. */
static int set_width(const struct doc_table *table, size_t index, unsigned *width)
{
	bool has_heading = (table->flags & (DOC_HEADLESS | DOC_FIXED)) != DOC_HEADLESS;
	size_t i;

	*width = min_width(table, &table->columns[index]);
	for (i = has_heading ? 0 : 1; i <= table->row_count; i++) {
		char *text = print_any(table, i > 0 ? &table->rows[i - 1] : NULL, index);

		if (text == NULL)
			return -ENOMEM;
		if (columns_of(text) > *width)
			*width = columns_of(text);
		free(text);
	}
	return 0;
}

static int write_table(const struct doc_table *table, FILE *stream)
{
	unsigned *widths = calloc(table->column_count + 1, sizeof(*widths));
	int status = widths != NULL ? 0 : -ENOMEM;
	size_t i;

	for (i = 0; status == 0 && i < table->column_count; i++)
		status = set_width(table, i, &widths[i]);
	if (status == 0 && (table->flags & DOC_HEADLESS) == 0)
		status = write_row(table, widths, NULL, stream);
	for (i = 0; status == 0 && i < table->row_count; i++)
		status = write_row(table, widths, &table->rows[i], stream);
	free(widths);
	return status;
}

static bool is_title(const struct doc_block *block)
{
	return block->kind == DOC_BLOCK_HEADING || block->kind == DOC_BLOCK_FOLD;
}

/* Check if a block is separated from others by blank lines. */
static bool is_apart(const struct doc_block *block)
{
	return block->kind == DOC_BLOCK_TABLE || block->kind == DOC_BLOCK_ITEM ||
	       block->kind == DOC_BLOCK_HEADLINE;
}

static bool needs_blank(const struct doc_block *block, const struct doc_block *previous)
{
	if (is_title(block) || previous == NULL)
		return is_title(block) || is_apart(block);
	if (is_title(previous))
		return false;
	if (block->kind == DOC_BLOCK_ITEM && previous->kind == DOC_BLOCK_ITEM &&
	    strcmp(block->name, previous->name) == 0)
		return false;
	return is_apart(block) || is_apart(previous);
}

static bool is_printed(const struct doc_block *block)
{
	if (!doc_is_shown(block, DOC_TEXT))
		return false;
	switch (block->kind) {
	case DOC_BLOCK_HEADING:
		return block->level > 2;
	case DOC_BLOCK_TABLE:
		return block->table->row_count > 0 || (block->table->flags & DOC_HEADLESS) == 0;
	case DOC_BLOCK_TILE:
	case DOC_BLOCK_BADGE:
	case DOC_BLOCK_FOLD_END:
	case DOC_BLOCK_CHART:
		return false;
	default:
		return true;
	}
}

static int write_block(const struct doc_block *block, FILE *stream)
{
	switch (block->kind) {
	case DOC_BLOCK_HEADLINE:
		return write_headline(block, stream);
	case DOC_BLOCK_NOTE:
		return write_folded(NULL, block->text, stream);
	case DOC_BLOCK_FACT:
	case DOC_BLOCK_ITEM:
		return write_folded(block->name, block->text, stream);
	case DOC_BLOCK_TABLE:
		return write_table(block->table, stream);
	default:
		write_line(block->text, stream);
		return 0;
	}
}

int doc_text(const struct doc *doc, bool follows, FILE *stream)
{
	const struct doc_block *previous = NULL;
	int status = doc != NULL && !doc->failed ? 0 : -ENOMEM;
	size_t i;

	for (i = 0; status == 0 && i < doc->count; i++) {
		const struct doc_block *block = &doc->blocks[i];

		if (!is_printed(block))
			continue;
		if ((follows || previous != NULL) && needs_blank(block, previous))
			fputc('\n', stream);
		status = write_block(block, stream);
		previous = block;
	}
	return status;
}
