/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Recognise loads that look like one of throng's dialects but are not, to print
 * one explanation instead of an error per line.
 */
#ifndef LOAD_FOREIGN_H
#define LOAD_FOREIGN_H

#include "load/reader.h"

/*
 * Return why a load that begins with this operation cannot be played, or NULL.
 * The operation is word `first` of the line.
 */
const char *foreign_refusal(const struct line *line, unsigned first);

#endif
