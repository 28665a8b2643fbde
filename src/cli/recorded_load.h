/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The loadfile that record or import makes of a recording, and the report on
 * what it contains.
 */
#ifndef CLI_RECORDED_LOAD_H
#define CLI_RECORDED_LOAD_H

#include "base/error.h"
#include "capture/capture.h"

struct recorded_load {
	/* Set by the caller. */
	const struct source *source;
	struct recording *recording;
	const char *path; /* of the loadfile */
	/* Files that the load must not replace, ended by NULL; "-" is standard
	 * input; or NULL. */
	const char *const *inputs;
	const char *summary; /* the first line of its comment; the comment has
			      * no names of hosts and users */
	/* Set by recorded_load_write. */
	struct recording_totals totals;
	struct error error; /* set if the load could not be written */
};

/*
 * Finish the recording and write the loadfile. If the recording has no
 * operations, write nothing. Return 0, or -errno with load->error set.
 */
int recorded_load_write(struct recorded_load *load);

/* Print how much was recorded, for all clients together. `title` names the
 * source, `directory` the recorded directory. */
void recorded_load_print_source(const struct source *source, const char *title,
				const char *directory, FILE *stream);

/* Print the conversion report and the totals of a load. */
void recorded_load_print(const struct recorded_load *load, FILE *stream);

/* Refuse to keep both the times of operations and the pauses between them, as the times
 * contain the pauses. Return 0, or -EINVAL with `error` set. */
int recorded_load_check_times(bool times, bool pauses, struct error *error);

#endif
