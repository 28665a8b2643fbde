/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fuzz the reader of result files. If it accepts a result, every writer must be
 * able to write that result. The JSON must be readable, and writing it again
 * must give the same JSON.
 */
#include "export/formats.h"
#include "stats/summary.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void fail(const char *what)
{
	fprintf(stderr, "fuzz-result: %s\n", what);
	abort();
}

static int read_bytes(const void *bytes, size_t size, struct result *result)
{
	struct error error = {0};
	char name[32];
	int fd = memfd_create("result", MFD_CLOEXEC), rc;

	if (fd < 0 || write(fd, bytes, size) != (ssize_t)size)
		fail("memfd");
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	rc = summary_read(name, result, &error);
	close(fd);
	if ((rc < 0) != error.set)
		fail("summary_read failed without an error, or set one");
	return rc;
}

static char *written(const struct result *result, size_t *bytes, const struct format *format)
{
	const struct export export = {
		.results = result,
		.count = 1,
		.shows_operations = true,
	};
	char *text = NULL;
	FILE *stream = open_memstream(&text, bytes);

	if (stream == NULL || format->write(&export, stream) < 0)
		fail("a result cannot be written");
	fclose(stream);
	return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct format *json = format_named("json", strlen("json")), *format;
	struct result result, again;
	char *text, *again_text;
	size_t bytes, again_bytes;

	if (read_bytes(data, size, &result) < 0)
		return 0;
	for (format = formats; format->name != NULL; format++)
		if (format->write != NULL)
			free(written(&result, &bytes, format));
	text = written(&result, &bytes, json);
	if (read_bytes(text, bytes, &again) < 0)
		fail("written JSON is refused");
	again_text = written(&again, &again_bytes, json);
	if (bytes != again_bytes || memcmp(text, again_text, bytes) != 0)
		fail("written JSON is written differently");
	free(text);
	free(again_text);
	result_free(&result);
	result_free(&again);
	return 0;
}
