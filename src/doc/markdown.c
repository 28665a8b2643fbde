/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "doc/render.h"

#include "doc/escape.h"
#include "doc/tree.h"

#include <errno.h>
#include <string.h>

/* Write text in bold, which must not be empty or end with a blank. */
static void write_bold(const char *text, FILE *stream)
{
	size_t length = strlen(text);
	const char *mark = length > 0 && strchr(" \t\n", text[length - 1]) == NULL ? "**" : "";

	fputs(mark, stream);
	escape_markdown(text, stream);
	fputs(mark, stream);
}

static void write_headline(const struct doc_block *block, FILE *stream)
{
	fputs("## ", stream);
	escape_markdown(block->name, stream);
	fputc('\n', stream);
	if (block->text[0] != '\0') {
		fputc('\n', stream);
		write_bold(block->text, stream);
		fputc('\n', stream);
	}
}

/* Write what a cell shows. A number needs no escape. */
static void write_cell(const struct doc_table *table, const struct doc_table_row *row, size_t index,
		       FILE *stream)
{
	const struct doc_cell *cell = &row->cells[index];
	bool is_bold = row->class == DOC_BEST || cell->class == DOC_WORSE;
	char number[NUMBER_TEXT];

	if (index >= row->cell_count)
		return;
	fputc(' ', stream);
	if (cell->text != NULL && is_bold)
		write_bold(cell->text, stream);
	else if (cell->text != NULL)
		escape_markdown(cell->text, stream);
	else
		fprintf(stream, is_bold ? "**%s**" : "%s",
			doc_print_number(&table->columns[index], cell, NUMBER_ASCII, number));
}

static void write_row(const struct doc_table *table, const struct doc_table_row *row, FILE *stream)
{
	const char *rest = row->rest;
	size_t i;

	fputc('|', stream);
	for (i = 0; i < table->column_count; i++) {
		if (!doc_column_is_shown(&table->columns[i], DOC_MARKDOWN))
			continue;
		if (row->rest == NULL || (table->columns[i].flags & DOC_LABEL) != 0) {
			write_cell(table, row, i, stream);
		} else if (rest != NULL) {
			fputc(' ', stream);
			escape_markdown(rest, stream);
			rest = NULL; /* the other cells are empty */
		}
		fputs(" |", stream);
	}
	fputc('\n', stream);
}

static void write_table(const struct doc_table *table, FILE *stream)
{
	size_t i;

	fputc('|', stream);
	for (i = 0; i < table->column_count; i++) {
		if (!doc_column_is_shown(&table->columns[i], DOC_MARKDOWN))
			continue;
		fputc(' ', stream);
		escape_markdown(table->columns[i].heading, stream);
		fputs(" |", stream);
	}
	fputs("\n|", stream);
	for (i = 0; i < table->column_count; i++)
		if (doc_column_is_shown(&table->columns[i], DOC_MARKDOWN))
			fputs((table->columns[i].flags & DOC_LEFT) != 0 ? ":---|" : "---:|",
			      stream);
	fputc('\n', stream);
	for (i = 0; i < table->row_count; i++)
		write_row(table, &table->rows[i], stream);
}

static void write_line(const char *before, const char *text, FILE *stream)
{
	fputs(before, stream);
	escape_markdown(text, stream);
	fputc('\n', stream);
}

static void write_block(const struct doc_block *block, FILE *stream)
{
	switch (block->kind) {
	case DOC_BLOCK_HEADING:
		write_line(block->level > 2 ? "### " : "## ", block->text, stream);
		break;
	case DOC_BLOCK_HEADLINE:
		write_headline(block, stream);
		break;
	case DOC_BLOCK_FACT:
		fputs("- ", stream);
		escape_markdown(block->name, stream);
		write_line(": ", block->text, stream);
		break;
	case DOC_BLOCK_ITEM:
		write_line("- ", block->text, stream);
		break;
	case DOC_BLOCK_FOLD:
		escape_print(stream, "<details%s><summary>%s</summary>\n",
			     block->open ? " open" : "", block->text);
		break;
	case DOC_BLOCK_FOLD_END:
		fputs("</details>\n", stream);
		break;
	case DOC_BLOCK_TABLE:
		write_table(block->table, stream);
		break;
	default:
		write_line("", block->text, stream);
	}
}

static bool is_in_list(const struct doc_block *block, const struct doc_block *previous)
{
	if (previous == NULL || block->kind != previous->kind)
		return false;
	return block->kind == DOC_BLOCK_FACT ||
	       (block->kind == DOC_BLOCK_ITEM && strcmp(block->name, previous->name) == 0);
}

/* Write what comes before a block. */
static void write_gap(const struct doc_block *block, const struct doc_block *previous, FILE *stream)
{
	if (is_in_list(block, previous))
		return;
	if (previous != NULL)
		fputc('\n', stream);
	if (block->kind == DOC_BLOCK_ITEM) {
		write_bold(block->heading, stream);
		fputs("\n\n", stream);
	} else if (block->kind == DOC_BLOCK_FACT && previous != NULL &&
		   previous->kind == DOC_BLOCK_ITEM) {
		/* A blank line alone does not end a list. */
		fputs("<!-- -->\n\n", stream);
	}
}

int doc_markdown(const struct doc *doc, FILE *stream)
{
	const struct doc_block *previous = NULL;
	size_t i;

	if (doc == NULL || doc->failed)
		return -ENOMEM;
	for (i = 0; i < doc->count; i++) {
		const struct doc_block *block = &doc->blocks[i];

		/* Blocks for pages alone are not shown in Markdown. */
		if (!doc_is_shown(block, DOC_MARKDOWN))
			continue;
		write_gap(block, previous, stream);
		write_block(block, stream);
		previous = block;
	}
	return 0;
}
