/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A source that is being imported: the trace of a program, a capture, an
 * iolog. It has one recording per client.
 */
#ifndef CAPTURE_MODEL_SOURCE_H
#define CAPTURE_MODEL_SOURCE_H

#include "base/error.h"
#include "capture/model/recording.h"

#include <stdio.h>

struct source_client {
	char *name; /* such as an address and an account; "" if there is one */
	struct recording *recording;
};

struct source {
	/* Set by the caller. */
	const char *name;              /* of the input, for messages */
	const char *directory;         /* the recorded directory, see each reader */
	const char *working_directory; /* strace: where the program began */
	const char *only;              /* only clients whose name contains this, or NULL */
	unsigned options;              /* for the recordings: enum recording_option */
	bool no_mmap;                  /* strace: drop mappings */
	bool local;                    /* strace: the trace is of this machine, so
				* symbolic links elsewhere can be followed */
	bool keyed;                    /* keys were given to decrypt it */

	/* Set by the reader. */
	struct source_client *clients;
	size_t client_count;
	const char *call, *calls;   /* the source's words for one call and many */
	uint64_t call_count;        /* counted by the reader, for all clients */
	uint64_t first_ns, last_ns; /* when the first call began and the last
				     * one ended, on the source's clock */
	/* Texts for people about what is wrong with the source as a whole. */
	char **warnings;
	size_t warning_count;
};

/*
 * A reader of a source. It reads `stream` to its end and fills the recordings.
 * Return 0, or -errno with `error` set: -EINVAL with the place for an unreadable
 * source, -ENOMEM.
 */
typedef int source_reader(struct source *source, FILE *stream, struct error *error);

/* Return the recording of the client with this name, adding it if it is new.
 * Return NULL if there is no memory, or if `only` excludes the client (then
 * *excluded is set). */
struct recording *source_recording(struct source *source, const char *name, bool *excluded);

/* Add a warning, unless the source has the same one. */
void source_warn(struct source *source, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

void source_free(struct source *source);

#endif
