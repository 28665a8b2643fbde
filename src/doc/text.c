/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "doc/render.h"

#include "doc/escape.h"
#include "doc/tree.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
	LINE_COLUMNS = 80, /* where lines are folded */
	LABEL_COLUMNS = 9, /* names of facts and items, with a blank */
	RATE_COLUMNS = 8,  /* min width of a rate in DOC_FIXED tables */
};

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

/* Write the words of a text at a column, and fold it. Don't cut long words. Return the
 * column after them. */
static size_t write_words(const char *word, size_t indent, size_t column, FILE *stream)
{
	size_t length;

	for (word += strspn(word, " "); *word != '\0'; word += strspn(word, " ")) {
		length = unit_length(word);
		if (column > indent && column + 1 + length > LINE_COLUMNS) {
			fprintf(stream, "\n%*s", (int)indent, "");
			column = indent;
		} else if (column > indent) {
			fputc(' ', stream);
			column++;
		}
		escape_part(word, length, stream);
		column += length;
		word += length;
	}
	return column;
}

/* Write a text after a name. */
static void write_named(const char *name, const char *text, FILE *stream)
{
	size_t indent = (size_t)escape_column(name, LABEL_COLUMNS - 1, stream) + 1;

	fputc(' ', stream);
	if (indent < LABEL_COLUMNS)
		indent = LABEL_COLUMNS;
	write_words(text, indent, indent, stream);
}

static unsigned min_width(const struct doc_table *table, const struct doc_table_column *column)
{
	/* A time has four columns for the number, a blank, and two for the unit. */
	static const unsigned widths[] = {
		[NUMBER_MB_PER_S] = RATE_COLUMNS,
		[NUMBER_PER_S] = RATE_COLUMNS,
		[NUMBER_TIME] = 7,
		[NUMBER_SHARE] = 4,
		[NUMBER_SPREAD] = 6,
		[NUMBER_PLAIN] = 0,
	};

	if (column->width > 0 || (table->flags & DOC_FIXED) == 0)
		return column->width;
	return widths[column->form];
}

/* Print a number of a DOC_FIXED table. The other rows are not known, so it has
 * decimals of its own: of MB/s two if they fit. */
static char *print_fixed(enum number_form form, double value, char text[NUMBER_TEXT])
{
	if (form == NUMBER_MB_PER_S && value > 0 &&
	    strlen(number_print(form, value, 2, NUMBER_ASCII, text)) <= RATE_COLUMNS)
		return text;
	return number_print(form, value, -1, NUMBER_ASCII, text);
}

/* Return what a cell of a row shows, or the heading if the row is NULL. `number` is room
 * for a number. */
static const char *text_of(const struct doc_table *table, const struct doc_table_row *row,
			   size_t index, char number[NUMBER_TEXT])
{
	const struct doc_table_column *column = &table->columns[index];
	const struct doc_cell *cell;

	if (row == NULL)
		return column->heading;
	cell = &row->cells[index];
	if (index >= row->cell_count)
		return "";
	if (cell->text != NULL)
		return cell->text;
	if ((table->flags & DOC_FIXED) != 0)
		return print_fixed(cell->form, cell->value, number);
	return doc_print_number(column, cell, NUMBER_ASCII, number);
}

/* Return the number of blanks after a time, which align the numbers of a column: one
 * after a unit of one letter, and three after a dash. */
static unsigned blanks_after(const struct doc_table *table, const struct doc_table_row *row,
			     size_t index, const char *text)
{
	const struct doc_cell *cell = row != NULL ? &row->cells[index] : NULL;
	size_t length = strlen(text);

	if (row == NULL || index >= row->cell_count || cell->text != NULL ||
	    cell->form != NUMBER_TIME || table->columns[index].form != NUMBER_TIME)
		return 0;
	if (strcmp(text, "-") == 0)
		return 3;
	return length > 2 && strcmp(&text[length - 2], " s") == 0;
}

/* Return the number of blanks before a column. Texts after numbers, such as an
 * answer, have more in DOC_FIXED tables, as nothing else separates them. */
static unsigned gap_before(const struct doc_table *table, const struct doc_table_column *column)
{
	bool is_text = (column->flags & (DOC_LEFT | DOC_LABEL)) == DOC_LEFT;

	return is_text && (table->flags & DOC_FIXED) != 0 ? 2 : 1;
}

/* Write a row, or the headings if it is NULL. Blanks are owed until something follows,
 * so that none are at its end. */
static void write_row(const struct doc_table *table, const unsigned *widths,
		      const struct doc_table_row *row, FILE *stream)
{
	const char *rest = row != NULL ? row->rest : NULL;
	char number[NUMBER_TEXT];
	bool is_first = true;
	unsigned owed = 0;
	size_t i;

	for (i = 0; i < table->column_count; i++) {
		const struct doc_table_column *column = &table->columns[i];
		bool is_left = (column->flags & DOC_LEFT) != 0;
		const char *text = text_of(table, row, i, number);
		unsigned after = blanks_after(table, row, i, text), blanks;

		if (!doc_column_is_shown(column, DOC_TEXT) ||
		    (rest != NULL && (column->flags & DOC_LABEL) == 0))
			continue;
		blanks = widths[i] - (unsigned)escape_length(text) - after;
		owed += (is_first ? 0 : gap_before(table, column)) + (is_left ? 0 : blanks);
		is_first = false;
		if (text[0] != '\0') {
			fprintf(stream, "%*s", (int)owed, "");
			escape_text(text, stream);
			owed = 0;
		}
		owed += after + (is_left ? blanks : 0);
	}
	if (rest != NULL) {
		fprintf(stream, "%*s", (int)owed + 1, "");
		escape_text(rest, stream);
	}
	fputc('\n', stream);
}

/* Return the width of a column: that of its widest value. In DOC_FIXED tables, headings
 * may have been printed before. */
static unsigned width_of(const struct doc_table *table, size_t index)
{
	bool has_heading = (table->flags & (DOC_HEADLESS | DOC_FIXED)) != DOC_HEADLESS;
	unsigned max = min_width(table, &table->columns[index]), width;
	char number[NUMBER_TEXT];
	size_t i;

	for (i = has_heading ? 0 : 1; i <= table->row_count; i++) {
		const struct doc_table_row *row = i > 0 ? &table->rows[i - 1] : NULL;
		const char *text = text_of(table, row, index, number);

		width = (unsigned)escape_length(text) + blanks_after(table, row, index, text);
		if (width > max)
			max = width;
	}
	return max;
}

static int write_table(const struct doc_table *table, FILE *stream)
{
	unsigned *widths = calloc(table->column_count, sizeof(*widths));
	size_t i;

	if (widths == NULL)
		return -ENOMEM;
	for (i = 0; i < table->column_count; i++)
		widths[i] = width_of(table, i);
	if ((table->flags & DOC_HEADLESS) == 0)
		write_row(table, widths, NULL, stream);
	for (i = 0; i < table->row_count; i++)
		write_row(table, widths, &table->rows[i], stream);
	free(widths);
	return 0;
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
	case DOC_BLOCK_FOLD_END:
		return false;
	default:
		return true;
	}
}

static int write_block(const struct doc_block *block, FILE *stream)
{
	switch (block->kind) {
	case DOC_BLOCK_TABLE:
		return write_table(block->table, stream);
	case DOC_BLOCK_HEADLINE:
		write_words(block->text, 0, write_words(block->name, 0, 0, stream), stream);
		break;
	case DOC_BLOCK_NOTE:
		write_words(block->text, 0, 0, stream);
		break;
	case DOC_BLOCK_FACT:
	case DOC_BLOCK_ITEM:
		write_named(block->name, block->text, stream);
		break;
	default:
		escape_text(block->text, stream);
	}
	fputc('\n', stream);
	return 0;
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
