/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Preparation of a run: the load, as it will be played, and the host.
 */
#ifndef CLI_PREPARE_H
#define CLI_PREPARE_H

#include "base/error.h"
#include "job/settings.h"
#include "program/profile.h"
#include "program/transform.h"
#include "result/result.h"

struct prepared {
	struct program *program;
	struct profile *profile; /* what the program amounts to */
};

/*
 * Compiles the loadfile `path`, which may take `bytes_max` bytes of memory (0:
 * load/load.h's limit), rewrites it, and notes in `about` what it is, under
 * the name `name`. Returns 0; or < 0, with `error` set or after all that
 * is wrong with the loadfile has been told.
 */
int prepare_load(struct prepared *prepared, const char *path, const char *name,
		 uint64_t bytes_max, const struct transform *transform,
		 struct result_run *about, struct error *error);

/*
 * The same of the load that the settings name, or of the built-in one. With
 * `digest` its SHA-256 is noted, which takes some 20 ms of a large file.
 */
int prepare_settings_load(struct prepared *prepared,
			  const struct settings *settings, bool digest,
			  struct result_run *about, struct error *error);

/*
 * Has the load the operation that a metric is of? `option` is whose metric it
 * is. Returns 0, or -EINVAL with `error` set.
 */
int prepare_check_metric(const struct prepared *prepared,
			 const struct metric *metric, const char *option,
			 struct error *error);

void prepare_free(struct prepared *prepared);

/* The command line as it was typed, blanks between the words; to be freed. */
char *prepare_command(int argc, const char **argv);

/* Notes in `about` when and where the run is. */
void prepare_host(struct result_run *about);

#endif
