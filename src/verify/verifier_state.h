/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The state of the verifier, which its own files share: verifier.c with the slots
 * for open files, verifier_names.c with those for names, and verifier_procedures.c with the one for NFS procedures.
 *
 * A slot begins an operation with verifier_begin or verifier_begin_names, says what
 * the operation uses (verify/flight.h), calls the target between verifier_launch and
 * verifier_land, notes the outcome, and ends with verifier_finish.
 */
#ifndef VERIFY_VERIFIER_STATE_H
#define VERIFY_VERIFIER_STATE_H

#include "verify/compare.h"
#include "verify/flight.h"
#include "verify/track.h"
#include "verify/verifier.h"

enum { VERIFIER_HANDLES = 1 << 16 }; /* handles from this number on are unknown */

/* An open file. */
struct verifier_file {
	arena_ref file; /* 0: it is not verified */
	uint32_t flags; /* of the open (words/operation.h) */
	/* Where a backend that appends blindly appends; UINT64_MAX: unknown. */
	uint64_t end;
};

struct verifier {
	const struct verify *verify;
	unsigned index; /* of the user in this process */
	struct map *map;
	struct track track;
	struct flights flights;
	const struct backend *real;
	struct backend wrapped;
	verifier_report *report;
	bool reading_back;
	struct verifier_file handles[VERIFIER_HANDLES];
};

extern struct verifier verifier;

/* Begin an operation of this session's lane, which may use the map now. */
static inline struct flight *verifier_begin(const struct backend_session *session)
{
	flights_lock(&verifier.flights);
	return flights_of(&verifier.flights, session);
}

/* The target will play the operation. */
static inline void verifier_launch(void)
{
	flights_unlock(&verifier.flights);
}

/* The target has played it: begin to note the outcome. Return false if its names are
 * in doubt. Then nothing is known of them any more, and nothing else must be noted
 * of them. */
bool verifier_land(struct flight *flight);

/* The outcome has been noted. */
static inline void verifier_finish(struct flight *flight)
{
	flight_end(&verifier.flights, flight);
	map_noted(verifier.map);
	flights_unlock(&verifier.flights);
}

static inline arena_ref verifier_find(const char *path)
{
	return track_find(&verifier.track, path);
}

/* Begin an operation that uses these names (flight_use_names). */
static inline struct flight *verifier_begin_names(const struct backend_session *session,
						  const char *path, const char *other,
						  unsigned changed)
{
	struct flight *flight = verifier_begin(session);

	flight_use_names(&verifier.flights, flight, path, other, changed);
	return flight;
}

/* If the user dies in this operation, nothing is known of these files or, with `all`,
 * of any file. */
static inline void verifier_risk(struct flight *flight, arena_ref file, arena_ref other, bool all)
{
	const struct map_pending pending = {
		.file = file,
		.other = other,
		.whole = true,
		.all = all,
	};

	flight_begin(&verifier.flights, flight, &pending);
}

/* Risk the files of a rename. */
void verifier_risk_rename(struct flight *flight, const char *from, const char *to);

/* Return the result of an operation with a range, for track.h. */
struct track_result verifier_result(const struct backend_session *session, int64_t rc);

/* Return the result of an open or a rename, for track.h: one that was refused
 * after a part of it was done is like one whose outcome is unknown. */
int64_t verifier_outcome(const struct backend_session *session, int64_t rc);

/* A read. Call this before verifier_launch. */
void verifier_begin_read(struct flight *flight, const struct compare_read *read);

/* End a read that has returned `got`, and compare the bytes. Return 0, or the -errno of
 * the read of the rest. */
int verifier_end_read(struct flight *flight, const struct compare_reader *reader,
		      struct compare_read *read, int64_t got);

/* A write of bytes before `to`: return the data to write. Call this before
 * verifier_launch. */
const void *verifier_begin_write(struct flight *flight, struct track_write *write, uint64_t to);

/* Land a write that has returned `rc`, and note what it has changed. */
void verifier_land_write(struct backend_session *session, struct flight *flight,
			 struct track_write *write, int64_t rc);

/* A flush. */
struct verifier_flush {
	arena_ref file; /* 0: nothing is verified */
	uint32_t last;  /* the number of the last change that it covers */
	bool names;     /* it also makes names durable */
	/* Those of the file when it began (verify/map.h). */
	uint32_t flushed, synced;
};

/* Call this before verifier_launch. */
void verifier_begin_flush(struct flight *flight, struct verifier_flush *flush);

/* End a flush that has returned `rc`. */
void verifier_end_flush(struct flight *flight, const struct verifier_flush *flush, int64_t rc);

/* Replace a slot that the backend has. */
#define VERIFIER_WRAP(slot) \
	(verifier.wrapped.slot = verifier.real->slot != NULL ? verifier_##slot : NULL)

/* Replace the slots for names. */
void verifier_wrap_names(void);

/* The slot for NFS procedures. */
int64_t verifier_procedure(struct backend_session *session, const struct backend_call *call);

#endif
