/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The document as the renderers see it: a list of blocks. Only this room includes
 * this header.
 */
#ifndef DOC_TREE_H
#define DOC_TREE_H

#include "doc/doc.h"

enum doc_kind {
	DOC_BLOCK_HEADING,
	DOC_BLOCK_HEADLINE,
	DOC_BLOCK_NOTE,
	DOC_BLOCK_LINE,
	DOC_BLOCK_FACT,
	DOC_BLOCK_ITEM,
	DOC_BLOCK_TILE,
	DOC_BLOCK_BADGE,
	DOC_BLOCK_FOLD,
	DOC_BLOCK_FOLD_END,
	DOC_BLOCK_TABLE,
	DOC_BLOCK_CHART,
};

struct doc_cell {
	char *text;   /* NULL: a number */
	double value; /* NAN: unknown */
	enum number_form form;
	enum doc_class class;
};

struct doc_table_row {
	enum doc_class class;
	unsigned series;
	struct doc_cell *cells; /* room for one per column */
	size_t cell_count;
	char *rest; /* instead of the cells after the labels; or NULL */
	enum doc_class rest_class;
};

struct doc_table_column {
	char *heading; /* with the unit of a rate */
	enum number_form form;
	unsigned flags;
	unsigned width; /* min width in text; 0: that of the form in DOC_FIXED tables */
	bool is_hidden; /* left out: optional without a value, or unknown */
	int decimals;   /* of all its numbers (number_decimals) */
};

struct doc_table {
	unsigned flags;
	struct doc_table_column *columns;
	size_t column_count;
	struct doc_table_row *rows;
	size_t row_count;
};

struct doc_chart {
	char *id;
	struct doc_axis axes[2];
	struct doc_mark *marks;
	size_t mark_count;
	size_t room; /* for spots of the last mark */
};

struct doc_block {
	enum doc_kind kind;
	unsigned media; /* enum doc_media: in which renderings it is */
	unsigned level; /* of a heading */
	bool open;      /* of a fold */
	enum doc_class class;
	/* The name of a fact, item or tile; the main part of a headline. */
	char *name;
	char *text;    /* the text; the value of a tile; the rest of a headline */
	char *heading; /* of an item's list or a chart; the remark of a tile */
	struct doc_table *table;
	struct doc_chart *chart;
};

struct doc {
	bool failed; /* memory was short */
	unsigned media;
	struct doc_block *blocks, spare;
	size_t count;
	/* Memory to free in the end: all but the arrays that grow. */
	void **kept;
	size_t kept_count, kept_room;
};

/* Return whether a block is part of a rendering. */
static inline bool doc_is_shown(const struct doc_block *block, enum doc_media medium)
{
	return (block->media & medium) != 0;
}

/* Return whether a column is part of a rendering. */
static inline bool doc_column_is_shown(const struct doc_table_column *column, enum doc_media medium)
{
	return !column->is_hidden && ((column->flags & DOC_WIDE) == 0 || medium == DOC_HTML);
}

/* Print the number of a cell, whose text is NULL. Return `text`. */
static inline char *doc_print_number(const struct doc_table_column *column,
				     const struct doc_cell *cell, enum number_style style,
				     char text[NUMBER_TEXT])
{
	return number_print(cell->form, cell->value,
			    cell->form == column->form ? column->decimals : -1, style, text);
}

#endif
