/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "compare/comparison.h"

const struct comparison_format comparison_formats[] = {
	{"text", comparison_text},   {"markdown", comparison_markdown},
	{"junit", comparison_junit}, {"github", comparison_github},
	{"json", comparison_json},   {NULL, NULL},
};
