/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "verify/compare.h"

#include <string.h>

static const char zeros[64 << 10];

/* Return the bytes that a run must have from `at` on, and set *length to their
 * number, which may be less than the run's. */
static const char *expected_bytes(const struct compare_read *read, const struct map_run *run,
				  uint64_t at, size_t *length)
{
	const struct content *content = read->verify->content;
	size_t max = sizeof(zeros);
	const char *bytes = zeros;

	if (run->state.now.kind == MAP_DATA) {
		max = content->run_max;
		bytes = content_bytes(content, read->verify->first_user + read->user,
				      run->state.now.change, at);
	}
	*length = run->to - at < max ? run->to - at : max;
	return bytes;
}

/* Describe a difference between bytes from `at` on. */
static void describe(const struct compare_read *read, const struct map_run *run, uint64_t at,
		     const char *expected, size_t length, struct difference *difference)
{
	const char *found = read->bytes + (at - read->offset);
	struct wrong_bytes wrong = {
		.user = read->user,
		.file = read->file,
		.state = run->state,
	};
	size_t first = 0;

	while (expected[first] == found[first])
		first++;
	while (expected[length - 1] == found[length - 1])
		length--;
	wrong.offset = at + first;
	wrong.expected = expected + first;
	wrong.found = found + first;
	wrong.length = length - first;
	*difference = (struct difference){.user = 0};
	difference_note(&wrong, difference);
}

/* Compare the bytes of one run. */
static bool compare_run(const struct compare_read *read, const struct map_run *run,
			struct difference *difference)
{
	uint64_t at;
	size_t length;

	for (at = run->from; at < run->to; at += length) {
		const char *expected = expected_bytes(read, run, at, &length);

		if (memcmp(expected, read->bytes + (at - read->offset), length) == 0)
			continue;
		describe(read, run, at, expected, length, difference);
		return false;
	}
	return true;
}

/* Return the offset at which a read should end. */
static uint64_t due_end(const struct compare_read *read, uint64_t size)
{
	uint64_t due = read->offset + read->wanted;

	if (due > size)
		due = size > read->offset ? size : read->offset;
	return due;
}

/* Check that the read has ended where it should. */
static bool ends_right(const struct compare_read *read, uint64_t size,
		       struct difference *difference)
{
	uint64_t end = read->offset + read->returned;
	uint64_t due = due_end(read, size);

	if (end == due || (end < due && read->failed))
		return true;
	*difference = (struct difference){
		.kind = end < due ? DIFFERENCE_SHORT : DIFFERENCE_LONG,
		.offset = end < due ? end : due,
		.length = end < due ? due - end : end - due,
	};
	return false;
}

/* The knowledge about a read at one time. */
struct known {
	struct map_run run; /* of its bytes, from some offset on */
	uint64_t end;       /* bytes from here on are not known */
	uint64_t size;
	bool ends; /* the file ends at `size` */
};

/* Return the run that begins at `from`, at most up to `to`. Bytes in doubt are
 * unknown. */
static struct map_run run_at(const struct compare_read *read, uint64_t from, uint64_t to)
{
	const struct map *map = read->flights->map;
	const struct flight *flight = read->flight;
	struct map_run doubted = {
		.from = from,
		.to = to < flight->doubt_to ? to : flight->doubt_to,
		.state.now.kind = MAP_UNKNOWN,
	};

	if (from >= flight->doubt_from && from < flight->doubt_to)
		return doubted;
	if (from < flight->doubt_from && to > flight->doubt_from &&
	    flight->doubt_from < flight->doubt_to)
		to = flight->doubt_from;
	return map_run(map, map_file(map, read->file), from, to);
}

/* Look up the bytes from `at` on. */
static void look_up(const struct compare_read *read, uint64_t at, struct known *known)
{
	const struct flight *flight = read->flight;
	const struct map_file *file;

	flights_lock(read->flights);
	file = map_file(read->flights->map, read->file);
	known->size = file->size;
	known->end = read->offset + read->returned;
	if (known->end > file->size)
		known->end = file->size;
	if (file->unknown || flight->in_doubt)
		known->end = at;
	known->ends = !file->unknown && !file->loose_end && !flight->in_doubt &&
		      flight->doubt_from >= flight->doubt_to;
	if (at < known->end)
		known->run = run_at(read, at, known->end);
	flights_unlock(read->flights);
}

/* Return whether the file is known to have more of the bytes asked for than the
 * read has returned. */
static bool lacks_bytes(const struct compare_read *read)
{
	struct known known;

	if (read->returned >= read->wanted)
		return false;
	look_up(read, read->offset + read->returned, &known);
	return known.ends && read->offset + read->returned < due_end(read, known.size);
}

static int64_t read_from(const struct compare_reader *reader, uint64_t done,
			 const struct compare_read *read)
{
	struct backend_call rest;

	if (reader->call == NULL)
		return reader->backend->read(reader->session, reader->handle, reader->buffer + done,
					     read->wanted - done, read->offset + done);
	rest = *reader->call;
	rest.buffer = reader->buffer + done;
	rest.offset = read->offset + done;
	rest.size = read->wanted - done;
	return reader->backend->procedure(reader->session, &rest);
}

int compare_read_rest(const struct compare_reader *reader, struct compare_read *read)
{
	while (lacks_bytes(read)) {
		uint64_t done = read->returned;
		int64_t got;

		if (reader->direct)
			done = done / COMPARE_ALIGNMENT * COMPARE_ALIGNMENT;
		got = read_from(reader, done, read);
		read->failed = got < 0;
		if (got < 0)
			return (int)got;
		if (done + (uint64_t)got <= read->returned) {
			/* In the middle of a block, this is not the rest. */
			read->failed = done < read->returned;
			break;
		}
		read->returned = done + (uint64_t)got;
	}
	return 0;
}

bool compare_bytes(const struct compare_read *read, uint64_t *compared,
		   struct difference *difference)
{
	struct known known;
	uint64_t at = read->offset;

	do {
		look_up(read, at, &known);
		if (at >= known.end)
			break;
		at = known.run.to;
		if (known.run.state.now.kind == MAP_UNKNOWN)
			continue;
		*compared += known.run.to - known.run.from;
		if (!compare_run(read, &known.run, difference))
			return false;
	} while (at < known.end);
	return !known.ends || ends_right(read, known.size, difference);
}
