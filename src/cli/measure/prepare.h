/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Prepare a run: compile the loads, and describe the loads and this machine for
 * the result.
 */
#ifndef CLI_MEASURE_PREPARE_H
#define CLI_MEASURE_PREPARE_H

#include "adapt/transform.h"
#include "base/error.h"
#include "load/load.h"
#include "result/result.h"
#include "study/loads.h"
#include "sweep/settings.h"

/*
 * Compile the loadfile `path` as `options` say (load/load.h), transform the
 * program, and add the load to `about`, under the name `name`. Return 0;
 * or < 0, either with `error` set or after printing the errors in the loadfile.
 * Call loads_free even after an error.
 */
int prepare_load(struct loads *loads, const char *path, const char *name,
		 const struct load_options *options, const struct transform *transform,
		 struct result_variant *about, struct error *error);

/*
 * Do the same with the loadfiles in the settings or, if there are none, with
 * the built-in load, and describe them in a variant of the run. Check that the
 * loads have all operations that conditions in the settings name, such as ReadX
 * in "ReadX.p99<50ms". `found` has an element per setting of a parameter; set it
 * to true if a load has the parameter. If it is NULL, refuse a parameter that none
 * of the loads has. With `digest`, add the SHA-256 of each loadfile, which takes
 * about 20 ms for a large file.
 */
int prepare_settings_loads(struct loads *loads, const struct settings *settings, bool *found,
			   bool digest, struct result_run *run, size_t variant,
			   struct error *error);

/*
 * Check that a load has the metric's operation, if the metric names one, as
 * ReadX.p99 does, and that the replay is open-loop if the metric needs this.
 * `option` is the name of the option for the error message. Return 0, or
 * -EINVAL with `error` set.
 */
int prepare_check_metric(const struct loads *loads, const struct metric *metric, const char *option,
			 struct error *error);

/* Check that both programs or none have due times: else their latencies would be
 * response times and service times. Return 0, or -EINVAL with `error` set. */
int prepare_check_pace(const struct program *one, const struct program *other, struct error *error);

/* Return the command line as an allocated text, or NULL. */
char *prepare_command(int argc, const char **argv);

/* Fill in the time, the host and the version in `about`. */
void prepare_host(struct result_run *about);

#endif
