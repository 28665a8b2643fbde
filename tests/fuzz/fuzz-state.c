/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fuzz the reader of state files. If it accepts a state, writing and reading it
 * again must give the same text, and all values must be ones that a check can
 * use.
 */
#include "crash/check.h"
#include "words/layout.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void fail(const char *what)
{
	fprintf(stderr, "fuzz-state: %s\n", what);
	abort();
}

static int read_bytes(const void *bytes, size_t size, struct state *state)
{
	struct error error = {0};
	char name[32];
	int fd = memfd_create("state", MFD_CLOEXEC), rc;

	if (fd < 0 || write(fd, bytes, size) != (ssize_t)size)
		fail("memfd");
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	rc = state_read(name, state, &error);
	close(fd);
	if ((rc < 0) != error.set)
		fail("state_read failed without an error, or set one");
	return rc;
}

static char *written(const struct state *state, size_t *bytes)
{
	char *text = NULL;
	FILE *stream = open_memstream(&text, bytes);

	if (stream == NULL || state_write(state, stream) < 0)
		fail("a state cannot be written");
	fclose(stream);
	return text;
}

static void check_file(const struct state *state, const struct state_file *file)
{
	uint64_t end = 0;
	size_t i;

	if (file->user < state->first_user || file->user - state->first_user >= state->users)
		fail("a file has a wrong user");
	if (file->name_count == 0)
		fail("a file has no name");
	for (i = 0; i < file->name_count; i++) {
		const char *path = state->names[file->first_name + i].path;

		if (!layout_is_private(path) || strstr(path, "/../") != NULL)
			fail("a name leaves the user's directory");
	}
	for (i = 0; i < file->range_count; i++) {
		const struct state_range *range = state_range_of(state, file, i);

		if (range->from < end || range->to <= range->from || range->to > file->size)
			fail("a range is in a wrong place");
		if (range->kind != STATE_UNKNOWN && range->now.kind != MAP_ZERO &&
		    range->now.kind != MAP_DATA)
			fail("a range has no content");
		end = range->to;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct state state, again;
	size_t bytes, bytes_again, i;
	char *text, *text_again;

	if (read_bytes(data, size, &state) < 0) {
		state_free(&state);
		return 0;
	}
	for (i = 0; i < state.file_count; i++)
		check_file(&state, &state.files[i]);
	text = written(&state, &bytes);
	if (read_bytes(text, bytes, &again) < 0)
		fail("a state that was written is refused");
	text_again = written(&again, &bytes_again);
	if (bytes != bytes_again || memcmp(text, text_again, bytes) != 0)
		fail("a state changes when it is written again");
	free(text);
	free(text_again);
	state_free(&state);
	state_free(&again);
	return 0;
}
