/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fuzz the reader of result files. If it accepts a result, every writer must be
 * able to write that result. The JSON must be readable, and writing it again
 * must give the same JSON.
 */
#include "report/csv.h"
#include "report/gobench.h"
#include "result/json.h"
#include "stats/summary.h"
#include "text/text.h"

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

static char *written(const struct result *result, size_t *bytes,
		     int (*write)(const struct result *, size_t, FILE *))
{
	char *text = NULL;
	FILE *stream = open_memstream(&text, bytes);

	if (stream == NULL || write(result, 1, stream) < 0)
		fail("a result cannot be written");
	fclose(stream);
	return text;
}

static int text_write(const struct result *result, size_t count, FILE *stream)
{
	size_t i;

	text_header(&result->run, UINT64_MAX, stream);
	text_heading(&result->run, stream);
	for (i = 0; i < result->point_count; i++)
		text_point(result, &result->points[i], stream);
	for (i = 0; i < result->point_count; i++)
		text_operations(result->run.paced, &result->points[i].records, stream);
	text_summary(result, stream);
	text_warnings(result, stream);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct result result, again;
	char *text, *again_text;
	size_t bytes, again_bytes;

	if (read_bytes(data, size, &result) < 0)
		return 0;
	free(written(&result, &bytes, csv_write));
	free(written(&result, &bytes, gobench_write));
	free(written(&result, &bytes, text_write));
	text = written(&result, &bytes, json_write);
	if (read_bytes(text, bytes, &again) < 0)
		fail("written JSON is refused");
	again_text = written(&again, &again_bytes, json_write);
	if (bytes != again_bytes || memcmp(text, again_text, bytes) != 0)
		fail("written JSON is written differently");
	free(text);
	free(again_text);
	result_free(&result);
	result_free(&again);
	return 0;
}
