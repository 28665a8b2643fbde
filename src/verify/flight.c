/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "verify/flight.h"

#include "base/letter_case.h"
#include "verify/track.h"

void flights_open(struct flights *flights, struct map *map)
{
	*flights = (struct flights){
		.map = map,
		.count = 1,
		.lock = PTHREAD_MUTEX_INITIALIZER,
		.list[0].pending = &map->pending[0],
	};
}

struct flight *flights_add(struct flights *flights, const struct backend_session *session)
{
	struct flight *flight = &flights->list[flights->count];

	if (flights->count == MAP_LANES)
		return NULL;
	*flight = (struct flight){
		.session = session,
		.pending = &flights->map->pending[flights->count++],
	};
	return flight;
}

/* Check if an operation changes a name that another one uses. */
static bool changes_name_of(const struct flight *changing, const struct flight *other)
{
	unsigned i, j;

	for (i = 0; i < changing->changed; i++)
		for (j = 0; j < 2 && other->paths[j] != NULL; j++)
			if (letter_case_rest(other->paths[j], changing->paths[i]) != NULL)
				return true;
	return false;
}

void flight_use_names(struct flights *flights, struct flight *flight, const char *path,
		      const char *other, unsigned changed)
{
	unsigned i;

	if (flights->count == 1)
		return;
	flight->paths[0] = path;
	flight->paths[1] = other;
	flight->changed = changed;
	for (i = 0; i < flights->count; i++) {
		struct flight *met = &flights->list[i];

		if (met != flight && met->paths[0] != NULL &&
		    (changes_name_of(flight, met) || changes_name_of(met, flight)))
			flight->in_doubt = met->in_doubt = true;
	}
}

/* Add bytes to those that are in doubt. */
static void doubt(struct flight *flight, uint64_t from, uint64_t to)
{
	bool first = flight->doubt_from >= flight->doubt_to;

	if (first || from < flight->doubt_from)
		flight->doubt_from = from;
	if (first || to > flight->doubt_to)
		flight->doubt_to = to;
}

/* Return the first byte that an operation may touch, as a read sees it: what is
 * written after the end of a file also puts zeros before it. */
static uint64_t first_byte(const struct map *map, const struct map_pending *pending, bool seen)
{
	uint64_t size = map_file(map, pending->file)->size;

	return seen && !pending->reads && size < pending->from ? size : pending->from;
}

/* Doubt the bytes that two operations in flight have in common: those of the one that
 * the other one changes. */
static void meet(const struct map *map, struct flight *one, struct flight *other)
{
	const struct map_pending *a = one->pending, *b = other->pending;
	bool seen = a->reads || b->reads;
	uint64_t from = first_byte(map, a, seen), other_from = first_byte(map, b, seen);
	uint64_t to = a->to < b->to ? a->to : b->to;

	if (from < other_from)
		from = other_from;
	if (from < to && !b->reads)
		doubt(one, from, to);
	if (from < to && !a->reads)
		doubt(other, from, to);
}

/* Keep a file in the map, or no longer. */
static void pin(const struct map *map, arena_ref file)
{
	if (file != 0)
		map_file(map, file)->handles++;
}

static void unpin(struct map *map, arena_ref file)
{
	if (file == 0)
		return;
	map_file(map, file)->handles--;
	map_drop_file(map, file);
}

void flight_meet(struct flights *flights, struct flight *flight)
{
	const struct map_pending *pending = flight->pending;
	unsigned i;

	pin(flights->map, pending->file);
	pin(flights->map, pending->other);
	for (i = 0; i < flights->count && pending->file != 0; i++)
		if (&flights->list[i] != flight && flights->list[i].pending->file == pending->file)
			meet(flights->map, flight, &flights->list[i]);
}

uint32_t flight_begin_flush(struct flights *flights, struct flight *flight, arena_ref file)
{
	uint32_t last = map_begin_flush(flights->map, map_file(flights->map, file));
	unsigned i;

	flight_begin(flights, flight, &(struct map_pending){.file = file, .reads = true});
	for (i = 0; i < flights->count; i++) {
		const struct map_pending *pending = flights->list[i].pending;

		if (pending->file == file && pending->change > 0 && pending->change <= last)
			last = pending->change - 1;
	}
	return last;
}

void flights_doubt(struct flights *flights, arena_ref file)
{
	unsigned i;

	for (i = 0; i < flights->count; i++) {
		struct flight *flight = &flights->list[i];

		if (flight->pending->file == file && !flight->pending->reads)
			doubt(flight, flight->pending->from, flight->pending->to);
	}
}

/* Forget the bytes that are in doubt after a change. */
static void forget(struct map *map, const struct flight *flight)
{
	const struct map_pending *pending = flight->pending;

	/* Its end may be, too, if it sets the size or appends. */
	if (pending->whole || pending->to == UINT64_MAX)
		map_forget(map, map_file(map, pending->file));
	else
		track_doubt_bytes(map, pending->file, flight->doubt_from, flight->doubt_to);
}

void flight_part(struct flights *flights, struct flight *flight)
{
	const struct map_pending *pending = flight->pending;

	if (flight->doubt_from < flight->doubt_to && !pending->reads)
		forget(flights->map, flight);
	unpin(flights->map, pending->file);
	unpin(flights->map, pending->other);
	flight->doubt_from = flight->doubt_to = 0;
	flight->paths[0] = flight->paths[1] = NULL;
	flight->changed = 0;
	flight->in_doubt = false;
}
