/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A document for people: headings, facts, tables and charts, in the order in which
 * they are added. It is written as text, Markdown or an HTML page (render.h).
 *
 * Texts may come from outside and need not be escaped: only the renderers escape.
 * All texts are copied. If memory is short, rendering writes nothing and returns
 * -ENOMEM; so no function here returns an error.
 */
#ifndef DOC_DOC_H
#define DOC_DOC_H

#include "doc/number.h"

#include <stdbool.h>
#include <stddef.h>

struct doc;

struct doc *doc_new(void); /* never NULL */
void doc_free(struct doc *doc);

/* Let rendering fail with -ENOMEM: the caller could not add all that it had. */
void doc_fail(struct doc *doc);

/* The meaning of an item, row or cell. Pages show it by a colour. */
enum doc_class {
	DOC_PLAIN,
	DOC_GOOD,
	DOC_WARNING,
	DOC_BAD,
	DOC_WORSE, /* of a cell: it is proven to be worse */
	DOC_BEST,  /* of a row: the peak */
};

#define DOC_FORMAT(text, arguments) __attribute__((format(printf, text, arguments)))

/*
 * Add a heading. Level 2 begins a section, unless this is the heading of the current
 * one; text leaves it out, as its tables have headings of their own. Level 3 is the
 * title of what follows; text prints it on the line above.
 */
void doc_heading(struct doc *doc, unsigned level, const char *format, ...) DOC_FORMAT(3, 4);

/* Add the main statement of the document: "1,852 MB/s", "at 8 users". `rest` may be
 * empty. */
void doc_headline(struct doc *doc, enum doc_class class, const char *main, const char *rest);

/* Add a paragraph. doc_line adds one that text prints without folding it. */
void doc_note(struct doc *doc, const char *format, ...) DOC_FORMAT(2, 3);
void doc_line(struct doc *doc, const char *format, ...) DOC_FORMAT(2, 3);

/* Add a named fact: "target", "/srv (ext4)". Text folds it at column 80. */
void doc_fact(struct doc *doc, const char *name, const char *format, ...) DOC_FORMAT(3, 4);

/* Add an item of a list: a warning, a reason, a condition that failed. `name` is
 * printed before it: "warning". Adjacent items with the same name are one list,
 * whose heading in pages and Markdown is `heading`. */
void doc_item(struct doc *doc, enum doc_class class, const char *heading, const char *name,
	      const char *format, ...) DOC_FORMAT(5, 6);

/* Only in pages: a figure with its name and a remark below the headline; and a badge
 * that says if a result can be trusted. The badges of DOC_WARNING and DOC_BAD lead to
 * the items of that class. */
void doc_tile(struct doc *doc, const char *name, const char *value, const char *remark);
void doc_badge(struct doc *doc, enum doc_class class, const char *format, ...) DOC_FORMAT(3, 4);

/* Fold what follows, up to doc_fold_end, behind this summary. Text shows it all, and
 * the summary as a heading of level 3. */
void doc_fold(struct doc *doc, bool open, const char *format, ...) DOC_FORMAT(3, 4);
void doc_fold_end(struct doc *doc);

/* Put what follows, up to doc_medium(doc, DOC_ALL), only into some renderings. */
enum doc_media { DOC_TEXT = 1, DOC_MARKDOWN = 2, DOC_HTML = 4, DOC_ALL = 7 };
void doc_medium(struct doc *doc, unsigned media);

/*
 * Tables. Begin one, add its columns, then its rows with one cell per column; end it.
 * records.h does this for figures.
 */
enum doc_table_flags {
	/* Columns have a min width by their form, so that rows which are rendered
	 * one by one are aligned. */
	DOC_FIXED = 1,
	DOC_HEADLESS = 2, /* text prints no headings */
};
enum doc_column_flags {
	DOC_LABEL = 1,     /* names the row */
	DOC_LEFT = 2,      /* texts, aligned on the left; the others are numbers */
	DOC_OPTIONAL = 4,  /* left out if no value is above 0 */
	DOC_KNOWN = 8,     /* left out if no value is known */
	DOC_WIDE = 16,     /* only in pages */
	DOC_BAR = 32,      /* shares: pages draw a bar */
	DOC_MAIN = 64,     /* the figure that people look for */
	DOC_RESPONSE = 128 /* in an open-loop replay, "response" is put before the heading */
};
void doc_table(struct doc *doc, unsigned flags);
void doc_column(struct doc *doc, const char *heading, enum number_form form, unsigned flags);
/* Set the min width of the last column in text. */
void doc_column_width(struct doc *doc, unsigned columns);
/* `series`: the colour of the row's name, from 1; 0: none. */
void doc_row(struct doc *doc, enum doc_class class, unsigned series);
void doc_cell(struct doc *doc, double value); /* NAN: unknown */
/* A number with another form than its column. */
void doc_cell_form(struct doc *doc, enum number_form form, double value);
void doc_cell_colour(struct doc *doc, double value, enum doc_class class);
void doc_cell_text(struct doc *doc, const char *format, ...) DOC_FORMAT(2, 3);
/* Fill the rest of the row with a text instead of cells: why there are no figures. */
void doc_rest(struct doc *doc, enum doc_class class, const char *format, ...) DOC_FORMAT(3, 4);
void doc_table_end(struct doc *doc);

/* Charts. Only pages draw them. */
enum doc_scale {
	DOC_LINEAR, /* from 0 to a round number */
	DOC_UP_TO,  /* from 0 to exactly the largest value: time */
	DOC_SPAN,   /* logarithmic if the values are far apart, else linear */
	DOC_RATIOS, /* logarithmic, with 1 in it */
	DOC_STEPS,  /* ascending whole numbers: user counts, repeats */
	DOC_NAMES,  /* names[0] is at 1, names[1] at 2 ... */
};
struct doc_axis {
	const char *name; /* "users" */
	enum number_form form;
	enum doc_scale scale;
	const char *const *names; /* for DOC_NAMES */
	size_t name_count;
};
enum doc_mark_kind {
	DOC_MARK_LINE,     /* with a dot at each spot */
	DOC_MARK_FAINT,    /* the same, less important */
	DOC_MARK_TRACE,    /* without dots */
	DOC_MARK_FIT,      /* a fitted curve */
	DOC_MARK_DOTS,     /* repeats or pairs */
	DOC_MARK_WARNED,   /* rings around dots with warnings */
	DOC_MARK_CROSS,    /* invalid; y is ignored */
	DOC_MARK_INTERVAL, /* from y to `to` or, with names on the y axis, from x to `to` */
	DOC_MARK_STACK,    /* a part of a column from y to `to` */
	DOC_MARK_BAR,      /* a column from 0 to y, beside those of other marks at this x */
	DOC_MARK_BAND,     /* an area over the whole chart, from x to `to`: one spot */
};
struct doc_spot {
	double x, y; /* y is NAN: a gap in a line */
	double to;
	const char *title; /* set by doc_title */
	enum doc_class class;
};
struct doc_mark {
	enum doc_mark_kind kind;
	unsigned series;        /* its colour, from 1; 0: grey */
	const char *name;       /* at the end of the line; or NULL */
	const char *legend;     /* its entry in the legend, once per text and series; or NULL */
	struct doc_spot *spots; /* set by doc_spot, which may be called any number of times */
	size_t count;
};

/*
 * Begin a chart. Then add its marks, each with its spots. `id` is unique in the
 * document: "throughput". axes[0] is x. Notes that follow are the chart's caption. A
 * chart without any value is left out.
 */
void doc_chart(struct doc *doc, const char *id, const char *heading, const struct doc_axis axes[2]);
void doc_mark(struct doc *doc, const struct doc_mark *mark);
void doc_spot(struct doc *doc, const struct doc_spot *spot);
/* Set the text that is shown when the mouse pointer is on the last spot. */
void doc_title(struct doc *doc, const char *format, ...) DOC_FORMAT(2, 3);

#endif
