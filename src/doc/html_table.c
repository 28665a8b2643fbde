/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "doc/html.h"

#include "doc/escape.h"
#include "doc/svg.h"

#include <math.h>
#include <string.h>

/* The columns of a table with more than MANY are closer to each other. A table with at
 * most FEW numbers in a row is not as wide as the page, so that rows are easy to read. */
enum { FEW = 5, MANY = 9 };

/* A cell with a longer text is folded. */
enum { LONG_TEXT = 32 };

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

	fprintf(page->stream, "<th scope=\"row\"%s>",
		index > 0 && (column->flags & DOC_LEFT) != 0 ? " class=\"left\"" : "");
	if (has_colour)
		fprintf(page->stream, "<b class=\"letter s%u\">", svg_colour(row->series));
	write_value(page, column, row, cell);
	fputs(has_colour ? "</b>" : "", page->stream);
	if (is_last && row->class == DOC_WARNING && html_list(page, DOC_WARNING) != NULL)
		fputs(" <a class=\"flag warning\" href=\"#warnings\" title=\"warning\">?</a>",
		      page->stream);
	fputs("</th>", page->stream);
}

static void write_cell(const struct page *page, const struct doc_table *table,
		       const struct doc_table_row *row, size_t index)
{
	const struct doc_table_column *column = &table->columns[index];
	const struct doc_cell *cell = &row->cells[index];
	char classes[HTML_CLASSES] = "";

	if ((column->flags & DOC_LEFT) != 0)
		html_add_class(classes, "left");
	if ((column->flags & DOC_MAIN) != 0)
		html_add_class(classes, "main");
	if ((column->flags & DOC_BAR) != 0)
		html_add_class(classes, "share");
	if (cell->text != NULL && strlen(cell->text) > LONG_TEXT)
		html_add_class(classes, "long");
	html_add_class(classes, html_class(cell->class));
	html_open(page, "td", classes);
	write_value(page, column, row, cell);
	fputs("</td>", page->stream);
}

/* Write the text that fills a row. If there are reasons, it leads to them. */
static void write_rest(const struct page *page, const struct doc_table_row *row, size_t columns)
{
	const char *list = html_list(page, row->rest_class);

	fprintf(page->stream, "<td class=\"void\" colspan=\"%zu\">", columns);
	if (list != NULL)
		fprintf(page->stream, "<a class=\"%s\" href=\"#%s\">", html_class(row->rest_class),
			list);
	else
		fputs("<span>", page->stream);
	escape_markup(row->rest != NULL ? row->rest : "", page->stream);
	fputs(list != NULL ? "</a></td>" : "</span></td>", page->stream);
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
	char classes[HTML_CLASSES] = "";

	html_add_class(classes, html_class(row->class));
	html_add_class(classes, is_same_group(table, row) ? "same" : "");
	html_open(page, "tr", classes);
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
			html_element(page, "th",
				     (table->columns[i].flags & DOC_LEFT) != 0 ? "left" : "",
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

void html_table(const struct page *page, const struct doc_table *table)
{
	bool has_headings = false;
	size_t i;

	for (i = 0; i < table->column_count; i++)
		has_headings |= table->columns[i].heading != NULL &&
				table->columns[i].heading[0] != '\0';
	fputs("<div class=\"wide\" tabindex=\"0\">\n", page->stream);
	html_open(page, "table", class_of(table));
	fputc('\n', page->stream);
	if (has_headings)
		write_headings(page, table);
	fputs("<tbody>\n", page->stream);
	for (i = 0; i < table->row_count; i++)
		write_row(page, table, &table->rows[i]);
	fputs("</tbody>\n</table>\n</div>\n", page->stream);
}
