/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Measure step by step. A plan chooses the steps, the loop takes them: it runs
 * the user's commands, claims the targets, pauses, measures and updates the
 * result. Each measurement of throng goes through here; measure.h makes a
 * single one.
 */
#ifndef SWEEP_STEPS_H
#define SWEEP_STEPS_H

#include "crash/state.h"
#include "result/result.h"
#include "sweep/venue.h"
#include "sweep/settings.h"

/* Max number of sides: those of a comparison (base and new). */
enum { STEPS_SIDES = 2 };

/* One variant of a result (result/variant.h): the loads to play, and where. */
struct steps_variant {
	struct loads *loads; /* already transformed as the options ask */
	const struct target *targets;
	unsigned target_count;
};

struct steps_side {
	/* One per variant of the result. */
	const struct steps_variant *variants;
	/* The caller has described the loads in run.variants. If it has
	 * described the targets, too, that holds until they are contacted. */
	struct result *result;
	const char *before; /* command to run before each turn; NULL: none */
	const char *option; /* the option that set it, for messages */
	/* For messages about pairs: "new (/srv/new) "; "": the only target. */
	const char *name;
};

/* A measurement. */
struct step {
	unsigned side;
	size_t variant;
	unsigned users;
	unsigned pair; /* number of its pair, from 1; 0: not part of a pair */
	/* A search measures a point several times: the number of the try, from
	 * 1, and its rate per user. 0: this is not a search. */
	unsigned try;
	double rate;
	/* The last step of a turn. After the turn, the targets are cleaned up,
	 * and the command --after is run. The next step begins another turn,
	 * with the command of its side, which may start a server or mount the
	 * file system of a target. */
	bool ends_turn;
};

/* Buffer sizes: of steps_side.name, and of steps_place. */
enum { STEPS_NAME = 160, STEPS_PLACE = STEPS_NAME + 64 };

/* Print which measurement a message is about: "new (/srv/new) at 4 users, pair 3: ", or
 * "" if it is not part of a pair (pair 0). Return `text`. */
char *steps_place(const struct steps_side *side, unsigned users, unsigned pair,
		  char text[STEPS_PLACE]);

/* Chooses the steps, by what has been measured so far. */
struct plan {
	void *context;
	/* Choose the next step, which is all zeros before. Return 1; 0 if there
	 * is none; or < 0 after an error, with a message. */
	int (*next)(void *context, struct step *step);
	/* A try of a search has been measured, valid or not; it is the last
	 * repeat of its point. Leave one repeat there. Return 1 if the search
	 * continues, 0 if it is over, or -ENOMEM. NULL: no step is a try. */
	int (*take)(void *context, const struct step *step);
};

struct event {
	enum event_type {
		/* The targets of a side have been contacted for the first time;
		 * the measurements follow. */
		EVENT_BEGIN,
		/* Called once per second during a measurement. */
		EVENT_TICK,
		/* A try of a search was valid; it is the last one in found_rate
		 * of its point, where `repeat` is the best one so far. */
		EVENT_TRY,
		/* A repeat is done, valid or not, and the result is up to
		 * date. */
		EVENT_MEASURED,
		/* With steps.saves_state: save the state of the users' files,
		 * after a repeat, and usually before its EVENT_MEASURED. */
		EVENT_STATE,
		/* A pair is done. Return 1 if no other one is needed. */
		EVENT_PAIR,
	} type;
	unsigned side;                      /* not EVENT_PAIR */
	const struct result *result;        /* of this side */
	const struct result_repeat *repeat; /* EVENT_TRY, EVENT_MEASURED */
	const struct workers_view *view;    /* EVENT_TICK */
	const struct state *state;          /* EVENT_STATE */
	/* EVENT_PAIR: the side that was measured first, and whether there is no
	 * time for another pair. */
	unsigned first;
	bool last;
};

/* Is called in the parent. Returns 0, or < 0 to stop. */
struct observer {
	void *context;
	int (*observe)(void *context, const struct event *event);
};

struct steps {
	const struct settings *settings;
	const struct steps_side *sides;
	unsigned side_count;
	const char *after;    /* command to run after each turn; NULL: none */
	uint64_t time_max_ns; /* max time of the run; CLOCK_NEVER: no limit */
	bool resumed;         /* the result is from an interrupted run */
	bool saves_state;
	const struct venue *venue;
	const struct plan *plan;
};

/* The end of a run. */
enum steps_end {
	STEPS_DONE,    /* all steps of the plan are valid */
	STEPS_INVALID, /* a step is invalid; no other one followed */
	STEPS_REFUSED, /* a side was not measured; `error` says why */
};

/*
 * Check if every point of a side can be played, as far as that is known before
 * the targets are contacted. Describe the targets in the result, unless it
 * describes them. Return 0, or < 0 with `error` set.
 */
int steps_check(const struct settings *settings, const struct steps_side *side,
		struct error *error);

/* Return a hash of all that the users of these sides play (fitting.h), as equal command
 * lines have it on all hosts. */
uint64_t steps_hash(const struct steps_side *sides, unsigned count);

/* Take the steps of the plan until one is invalid. */
enum steps_end steps_run(const struct steps *steps, const struct observer *observer,
			 struct error *error);

#endif
