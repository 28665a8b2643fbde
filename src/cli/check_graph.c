/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/check_graph.h"

#include "base/units.h"
#include "doc/escape.h"
#include "study/composition.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

/* Widths of the output. The bar of a table's largest share has all columns. */
enum { NAME_COLUMNS = 22, LEFT_COLUMNS = 26, BAR_COLUMNS = 17, TEXT = 48 };

/* More kinds of operations share the last row. */
enum { LABEL_ROWS = 9 };

/* A table. Its cells are shares of the column's total. */
struct table {
	const char *title;
	/* The words after the totals: one and more of what is counted, or the
	 * word after a number of bytes. */
	const char *words[2][2];
	void (*name)(const struct table *table, unsigned row, char text[TEXT]);
	const void *names; /* for `name` */
};

/* The last column is not padded. */
static void print_column(unsigned column, const char *text)
{
	printf("  %-*s", column == 0 ? LEFT_COLUMNS : 0, text);
}

static void print_total(const struct table *table, unsigned column, double total)
{
	const char *const *words = table->words[column];
	uint64_t whole = (uint64_t)(total + 0.5);
	char number[UNITS_TEXT], text[TEXT];

	snprintf(text, sizeof(text), "%s %s",
		 words[1] == NULL ? units_print_bytes(whole, number)
				  : units_print_count(whole, number),
		 words[1] == NULL || whole == 1 ? words[0] : words[1]);
	print_column(column, text);
}

static void print_cell(unsigned column, double cell, double total, double max)
{
	static const char bar[] = "#################";
	int length = max > 0 ? (int)(cell / max * BAR_COLUMNS + 0.5) : 0;
	char text[TEXT] = "    -";

	if (cell > 0)
		snprintf(text, sizeof(text), "%5.1f %%%s%.*s", 100 * cell / total,
			 length > 0 ? " " : "", length, bar);
	print_column(column, text);
}

/* Print the rows that have something, if there are any. */
static void print_table(const struct table *table, const double (*cells)[2], unsigned rows)
{
	double totals[2] = {0, 0}, max[2] = {0, 0};
	unsigned i, column;
	char text[TEXT];

	for (i = 0; i < 2 * rows; i++) {
		double cell = cells[i / 2][i % 2];

		totals[i % 2] += cell;
		if (cell > max[i % 2])
			max[i % 2] = cell;
	}
	if (totals[0] + totals[1] <= 0)
		return;
	printf("\n  %-*s", NAME_COLUMNS, table->title);
	for (column = 0; column < 2; column++)
		print_total(table, column, totals[column]);
	for (i = 0; i < rows; i++) {
		if (cells[i][0] + cells[i][1] <= 0)
			continue;
		table->name(table, i, text);
		text[NAME_COLUMNS] = '\0';
		fputs("\n  ", stdout);
		escape_column(text, NAME_COLUMNS, stdout);
		for (column = 0; column < 2; column++)
			print_cell(column, cells[i][column], totals[column], max[column]);
	}
	putchar('\n');
}

/* Labels of a program, the most frequent ones first. */
struct labels {
	const struct program *program;
	size_t order[PROGRAM_LABELS_MAX];
	size_t count;
};

static void name_label(const struct table *table, unsigned row, char text[TEXT])
{
	const struct labels *labels = table->names;

	if (row < LABEL_ROWS - 1 || labels->count == LABEL_ROWS)
		snprintf(text, TEXT, "%s", labels->program->labels[labels->order[row]]);
	else
		snprintf(text, TEXT, "%zu other kinds", labels->count - row);
}

static int by_ops(const void *left, const void *right, void *context)
{
	const struct profile *profile = context;
	uint64_t one = profile->labels[*(const size_t *)left].ops;
	uint64_t other = profile->labels[*(const size_t *)right].ops;

	return (one < other) - (one > other);
}

static void print_labels(const struct program *program, struct profile *profile)
{
	struct labels labels = {.program = program};
	struct table table = {
		"operation",
		{{"operation", "operations"}, {"moved"}},
		name_label,
		&labels,
	};
	double cells[LABEL_ROWS][2] = {{0}};
	size_t i;

	for (i = 0; i < program->label_count; i++)
		if (profile->labels[i].ops > 0)
			labels.order[labels.count++] = i;
	qsort_r(labels.order, labels.count, sizeof(*labels.order), by_ops, profile);
	for (i = 0; i < labels.count; i++) {
		double *cell = cells[i < LABEL_ROWS ? i : LABEL_ROWS - 1];

		cell[0] += (double)profile->labels[labels.order[i]].ops;
		cell[1] += (double)profile->labels[labels.order[i]].bytes;
	}
	print_table(&table, cells, LABEL_ROWS);
}

static void name_size(const struct table *table, unsigned row, char text[TEXT])
{
	static const char *const units[] = {"B", "KiB", "MiB"};
	unsigned power = COMPOSITION_SIZE_POWER + (row > 0 ? row - 1 : 0);

	snprintf(text, TEXT, "%s %u %s", row > 0 ? "from" : "below", 1u << power % 10,
		 units[power / 10]);
}

static void name_order(const struct table *table, unsigned row, char text[TEXT])
{
	static const char *const names[COMPOSITION_ORDERS] = {
		[ORDER_SEQUENTIAL] = "sequential",
		[ORDER_RANDOM] = "random",
		[ORDER_COMPUTED] = "computed",
	};

	snprintf(text, TEXT, "%s", names[row]);
}

static void name_depth(const struct table *table, unsigned row, char text[TEXT])
{
	snprintf(text, TEXT, "%u%s", row + 1, row + 1 < COMPOSITION_DEPTHS ? "" : " or more");
}

static void name_part(const struct table *table, unsigned row, char text[TEXT])
{
	snprintf(text, TEXT, "%u-%u %%", 100 * row / COMPOSITION_PARTS,
		 100 * (row + 1) / COMPOSITION_PARTS);
}

int check_graph(const struct program *program, struct profile *profile, struct error *error)
{
	static const struct table sizes = {
		"size",
		{{"read", "reads"}, {"write", "writes"}},
		name_size,
		NULL,
	};
	static const struct table orders = {
		"offset",
		{{"read", "reads"}, {"write", "writes"}},
		name_order,
		NULL,
	};
	static const struct table depths = {
		"depth",
		{{"directory", "directories"}, {"file", "files"}},
		name_depth,
		NULL,
	};
	char time[TEXT] = "operations", number[UNITS_TEXT];
	struct table parts = {time, {{"read"}, {"written"}}, name_part, NULL};
	struct composition c;

	if (composition_make(program, profile, &c, error) < 0)
		return -ENOMEM;
	if (c.end_ns > 0)
		snprintf(time, sizeof(time), "time of %s", units_print_duration(c.end_ns, number));
	escape_text(program->source, stdout);
	putchar('\n');
	print_labels(program, profile);
	print_table(&sizes, c.sizes, COMPOSITION_SIZES);
	print_table(&orders, c.orders, COMPOSITION_ORDERS);
	print_table(&depths, c.names, COMPOSITION_DEPTHS);
	print_table(&parts, c.parts, COMPOSITION_PARTS);
	return 0;
}
