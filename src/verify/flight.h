/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The operations that a user has in flight: one per lane, which plays a stream of
 * the load (play/lanes.h).
 *
 * The map notes operations in the order in which they end. That is the order in
 * which the target has carried them out, unless they overlap in time. If two such
 * operations concern the same bytes, or the same name, and one of them changes
 * these, then nobody knows what is there: the bytes or the names are in doubt. A
 * read does not compare bytes that are in doubt, and after a change they are
 * unknown.
 *
 * Lanes that are threads hold a lock while they use the map, but not while the
 * target plays an operation. Lanes that are fibers need none, as they take turns
 * only in calls of the target.
 */
#ifndef VERIFY_FLIGHT_H
#define VERIFY_FLIGHT_H

#include "verify/map.h"

#include <pthread.h>

struct backend_session;

/* The operation of a lane. */
struct flight {
	const struct backend_session *session; /* which names the lane */
	void *context;                         /* for a report of a difference */
	char *aligned;                         /* buffer for direct I/O */
	struct map_pending *pending;           /* in the map */
	/* The bytes that are in doubt are in this range, which may be empty. */
	uint64_t doubt_from, doubt_to;
	const char *paths[2];
	unsigned changed; /* number of paths that it changes, from the first one on */
	bool in_doubt;    /* the paths are */
};

struct flights {
	struct map *map;
	unsigned count; /* number of lanes */
	bool threads;   /* lanes are threads */
	pthread_mutex_t lock;
	struct flight list[MAP_LANES];
};

/* Begin with one lane. */
void flights_open(struct flights *flights, struct map *map);

/* Add a lane. Return NULL if there are too many. */
struct flight *flights_add(struct flights *flights, const struct backend_session *session);

static inline void flights_lock(struct flights *flights)
{
	if (flights->threads)
		pthread_mutex_lock(&flights->lock);
}

static inline void flights_unlock(struct flights *flights)
{
	if (flights->threads)
		pthread_mutex_unlock(&flights->lock);
}

/* Return the flight of a lane: the first one, unless the session was added. */
static inline struct flight *flights_of(struct flights *flights,
					const struct backend_session *session)
{
	unsigned i;

	for (i = 1; i < flights->count; i++)
		if (flights->list[i].session == session)
			return &flights->list[i];
	return &flights->list[0];
}

/* The following are called with the lock. */

/* An operation begins that uses these names, the second of which may be NULL, and
 * changes the first `changed` of them. Call this before flight_begin. The texts must
 * last until flight_end. */
void flight_use_names(struct flights *flights, struct flight *flight, const char *path,
		      const char *other, unsigned changed);

/* The part of flight_begin for several lanes. */
void flight_meet(struct flights *flights, struct flight *flight);

/* An operation begins. Its files stay in the map until flight_end. */
static inline void flight_begin(struct flights *flights, struct flight *flight,
				const struct map_pending *pending)
{
	*flight->pending = *pending;
	if (flights->count > 1)
		flight_meet(flights, flight);
}

/* A flush of a file begins. Return the number of the last change that it covers: it
 * covers no write that is in flight. */
uint32_t flight_begin_flush(struct flights *flights, struct flight *flight, arena_ref file);

/* All bytes that operations in flight change in this file are in doubt. */
void flights_doubt(struct flights *flights, arena_ref file);

/* The part of flight_end for several lanes. */
void flight_part(struct flights *flights, struct flight *flight);

/* The operation has ended, and the map has its outcome: forget what is in doubt. The
 * caller has called map_note. */
static inline void flight_end(struct flights *flights, struct flight *flight)
{
	if (flights->count > 1)
		flight_part(flights, flight);
	*flight->pending = (struct map_pending){.file = 0};
}

#endif
