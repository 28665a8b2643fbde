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

/* Write a text, or the number of a cell. page.css puts a dash into an empty cell. */
static void write_value(const struct page *page, const struct doc_table_column *column,
			const struct doc_table_row *row, const struct doc_cell *cell)
{
	bool is_zero = (column->flags & DOC_OPTIONAL) != 0 && cell->value == 0;
	char text[NUMBER_TEXT];

	if (cell->text != NULL) {
		escape_markup(cell->text, page->stream);
		return;
	}
	if (isnan(cell->value) || is_zero)
		return;
	if ((column->flags & DOC_BAR) != 0)
		fprintf(page->stream, "<i class=\"s%u\" style=\"--s:%.3f\"></i>",
			svg_colour(row->series > 0 ? row->series : 1),
			fmin(fmax(cell->value, 0), 1));
	escape_markup(doc_print_number(column, cell, NUMBER_TYPESET, text), page->stream);
}

/* Write a label. The last label of a row has its colour and its flag. */
static void write_label(const struct page *page, const struct doc_table *table,
			const struct doc_table_row *row, size_t index, bool is_last)
{
	const struct doc_table_column *column = &table->columns[index];
	bool has_colour = is_last && row->series > 0;

	fprintf(page->stream, "<th scope=\"row\"%s>",
		index > 0 && (column->flags & DOC_LEFT) != 0 ? " class=\"left\"" : "");
	if (has_colour)
		fprintf(page->stream, "<b class=\"letter s%u\">", svg_colour(row->series));
	write_value(page, column, row, &row->cells[index]);
	fputs(has_colour ? "</b>" : "", page->stream);
	if (is_last && row->class == DOC_WARNING && html_list(page, DOC_WARNING) != NULL)
		fputs(" <a class=\"flag warning\" href=\"#warnings\" title=\"warning\">?</a>",
		      page->stream);
	fputs("</th>", page->stream);
}

static void write_cell(const struct page *page, const struct doc_table_column *column,
		       const struct doc_table_row *row, const struct doc_cell *cell)
{
	bool is_long = cell->text != NULL && strlen(cell->text) > LONG_TEXT;

	html_open(page->stream, "td",
		  (const char *const[]){(column->flags & DOC_LEFT) != 0 ? "left" : "",
					(column->flags & DOC_MAIN) != 0 ? "main" : "",
					(column->flags & DOC_BAR) != 0 ? "share" : "",
					is_long ? "long" : "", html_class(cell->class), NULL});
	write_value(page, column, row, cell);
	fputs("</td>", page->stream);
}

/* Write the text that fills a row. If there are reasons, it leads to them. */
static void write_rest(const struct page *page, const struct doc_table_row *row, size_t columns)
{
	const char *list = html_list(page, row->rest_class);

	fprintf(page->stream, "<td class=\"void\" colspan=\"%zu\">", columns);
	if (list != NULL)
		escape_print(page->stream, "<a class=\"%s\" href=\"#%s\">%s</a></td>",
			     html_class(row->rest_class), list, row->rest);
	else
		escape_print(page->stream, "<span>%s</span></td>", row->rest);
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

	html_open(page->stream, "tr",
		  (const char *const[]){html_class(row->class),
					is_same_group(table, row) ? "same" : "", NULL});
	for (i = 0; i < table->column_count; i++) {
		const struct doc_table_column *column = &table->columns[i];

		if (!doc_column_is_shown(column, DOC_HTML))
			continue;
		if (i >= row->cell_count)
			rest++;
		else if ((column->flags & DOC_LABEL) != 0)
			write_label(page, table, row, i, i == last);
		else
			write_cell(page, column, row, &row->cells[i]);
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
	for (i = 0; i < table->column_count; i++) {
		const struct doc_table_column *column = &table->columns[i];

		if (!doc_column_is_shown(column, DOC_HTML))
			continue;
		html_open(
			page->stream, "th",
			(const char *const[]){(column->flags & DOC_LEFT) != 0 ? "left" : "", NULL});
		escape_print(page->stream, "%s</th>", column->heading);
	}
	fputs("</tr></thead>\n", page->stream);
}

void html_table(const struct page *page, const struct doc_table *table)
{
	bool has_headings = false, has_texts = false;
	size_t shown = 0, i;
	const char *size;

	for (i = 0; i < table->column_count; i++) {
		const struct doc_table_column *column = &table->columns[i];

		shown += doc_column_is_shown(column, DOC_HTML);
		has_texts |= (column->flags & (DOC_LEFT | DOC_LABEL)) == DOC_LEFT;
		has_headings |= column->heading[0] != '\0';
	}
	fputs("<div class=\"wide\" tabindex=\"0\">\n", page->stream);
	size = shown > MANY ? "many" : shown > FEW || has_texts ? "" : "few";
	html_open(page->stream, "table", (const char *const[]){size, NULL});
	fputc('\n', page->stream);
	if (has_headings)
		write_headings(page, table);
	fputs("<tbody>\n", page->stream);
	for (i = 0; i < table->row_count; i++)
		write_row(page, table, &table->rows[i]);
	fputs("</tbody>\n</table>\n</div>\n", page->stream);
}
