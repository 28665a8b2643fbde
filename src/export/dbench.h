/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The last line of dbench 4.0, which scripts parse.
 */
#ifndef EXPORT_DBENCH_H
#define EXPORT_DBENCH_H

#include "result/record.h"

#include <stdio.h>

struct dbench_line {
	const struct record *total; /* of a point or a repeat */
	unsigned clients, procs;
	bool sync_open, sync_dirs; /* named in the line */
	bool machine_readable;     /* the form of dbench -x, without words */
};

/* Print the line. Its figures have a decimal point, and never an exponent. */
void dbench_line(const struct dbench_line *line, FILE *stream);

#endif
