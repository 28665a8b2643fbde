/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Loads that look like one of throng's dialects and are none: better one
 * sentence on what they are than an error per line.
 */
#ifndef LOAD_FOREIGN_H
#define LOAD_FOREIGN_H

#include "load/reader.h"

/*
 * Why no load that has this operation first can be played, or NULL: nothing is
 * known against it. The operation is word `first` of the line.
 */
const char *foreign_refusal(const struct line *line, unsigned first);

#endif
