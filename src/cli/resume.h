/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A sweep that was interrupted, taken up again.
 */
#ifndef CLI_RESUME_H
#define CLI_RESUME_H

#include "cli/run_options.h"
#include "cli/run_targets.h"

/*
 * Puts the valid repeats of the result file that the options name into
 * `result`, whose run has been described already, and takes over its seed
 * where none was given. The file is written to again where no other output is
 * given. Returns 0, or -errno with `error` set: it cannot be read, or was
 * measured in another way.
 */
int resume_take(struct run_options *options, const struct run_targets *targets,
		struct result *result, struct error *error);

#endif
