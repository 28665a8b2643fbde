/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fuzz a reader of sources that loads are imported from. If it accepts a source,
 * the rows must sum to the calls, and each load must be one that throng reads, and
 * prints as it was.
 *
 * Compiled with SOURCE_READER, the reader; SOURCE_HEADER, which declares it;
 * SOURCE_DIRECTORY, the recorded directory; and SOURCE_OPTIONS.
 */
#include SOURCE_HEADER
#include "load/load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void fail(const char *what)
{
	fprintf(stderr, "fuzz-source: %s\n", what);
	abort();
}

static char *print(const struct program *program, size_t *bytes)
{
	char *text = NULL;
	FILE *stream = open_memstream(&text, bytes);

	if (stream == NULL)
		fail("open_memstream");
	program_print(program, stream);
	fclose(stream);
	return text;
}

/* Check that the text is a load, which is printed with the same text. */
static void check_text(const char *text, size_t bytes)
{
	const struct load_options options = {.bytes_max = LOAD_BYTES_MAX};
	struct errors errors = {0};
	struct program *program;
	char name[32], *again;
	size_t again_bytes;
	int fd = memfd_create("load", MFD_CLOEXEC);

	if (fd < 0 || write(fd, text, bytes) != (ssize_t)bytes)
		fail("memfd");
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	program = load_file(name, &options, &errors);
	close(fd);
	if (program == NULL) {
		fprintf(stderr, "%s", text);
		fail(errors.kept[0].text);
	}
	again = print(program, &again_bytes);
	if (again_bytes != bytes || memcmp(text, again, bytes) != 0)
		fail("the load changes when it is read and printed");
	free(again);
	program_free(program);
}

static void check_recording(struct recording *recording)
{
	struct recording_totals totals;
	struct error error = {0};
	struct program *program = recording_finish(recording, "fuzz", &totals, &error);
	char *text;
	size_t bytes;

	if (program == NULL && totals.operations > 0)
		fail(error.text);
	if (program != NULL && totals.operations > 0) {
		text = print(program, &bytes);
		check_text(text, bytes);
		free(text);
	}
	program_free(program);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct source source = {
		.name = "fuzz",
		.directory = SOURCE_DIRECTORY,
		.options = SOURCE_OPTIONS,
	};
	struct error error = {0};
	uint64_t calls = 0;
	FILE *stream = fmemopen((void *)data, size, "r");
	size_t i;
	int rc;

	if (size == 0 || stream == NULL)
		return 0;
	rc = SOURCE_READER(&source, stream, &error);
	if ((rc < 0) != error.set)
		fail("the reader failed without an error, or set one");
	for (i = 0; rc == 0 && i < source.client_count; i++) {
		check_recording(source.clients[i].recording);
		calls += conversion_calls(recording_conversion(source.clients[i].recording));
	}
	if (rc == 0 && calls != source.call_count)
		fail("the rows do not sum to the calls");
	fclose(stream);
	source_free(&source);
	return 0;
}
