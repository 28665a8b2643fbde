/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Recognise dbench's loads for block devices, whose words look like those of
 * one of throng's dialects. For such a load, one explanation is printed instead
 * of an error for each line.
 */
#ifndef LOAD_FOREIGN_H
#define LOAD_FOREIGN_H

#include "load/reader.h"

/*
 * Return why a load with this first operation cannot be played, or NULL. Word
 * `first` of the line is the name of the operation.
 */
const char *foreign_refusal(const struct line *line, unsigned first);

#endif
