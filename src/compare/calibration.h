/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a machine's noise is, and what a gate can do with it, from a target that
 * was compared with itself.
 */
#ifndef COMPARE_CALIBRATION_H
#define COMPARE_CALIBRATION_H

#include "compare/comparison.h"

/*
 * Of each point and metric: how far apart the two of a pair are, which margin
 * 20 pairs can hold, and how many pairs it takes to find a loss of 5 %.
 */
void calibration_text(const struct comparison *comparison, FILE *stream);

#endif
