/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Prepare a run: compile the load, and describe the load and this machine for
 * the result.
 */
#ifndef CLI_PREPARE_H
#define CLI_PREPARE_H

#include "base/error.h"
#include "job/settings.h"
#include "load/load.h"
#include "program/profile.h"
#include "program/transform.h"
#include "result/result.h"

struct prepared {
	struct program *program;
	struct profile *profile; /* what it does (program/profile.h) */
};

/*
 * Compile the loadfile `path` as `options` say (load/load.h), transform the
 * program, and describe the load in `about`, under the name `name`. Return 0;
 * or < 0, either with `error` set or after printing the errors in the loadfile.
 */
int prepare_load(struct prepared *prepared, const char *path, const char *name,
		 const struct load_options *options,
		 const struct transform *transform, struct result_run *about, struct error *error);

/*
 * Do the same with the loadfile in the settings or, if there is none, with the
 * built-in load. Check that the load has all operations that conditions in the
 * settings name, such as ReadX in "ReadX.p99<50ms". With `digest`, add the
 * loadfile's SHA-256 to `about`, which takes about 20 ms for a large file.
 */
int prepare_settings_load(struct prepared *prepared,
			  const struct settings *settings, bool digest,
			  struct result_run *about, struct error *error);

/*
 * Check that the load has the metric's operation, if the metric names one, as
 * ReadX.p99 does. `option` is the name of the option for the error message.
 * Return 0, or -EINVAL with `error` set.
 */
int prepare_check_metric(const struct prepared *prepared,
			 const struct metric *metric, const char *option,
			 struct error *error);

void prepare_free(struct prepared *prepared);

/* Return the command line as an allocated text, or NULL. */
char *prepare_command(int argc, const char **argv);

/* Fill in the time, the host and the version in `about`. */
void prepare_host(struct result_run *about);

#endif
