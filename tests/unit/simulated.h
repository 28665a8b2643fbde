/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Play loads in simulated time, for unit tests of what throng makes of times.
 * The clock of these processes stands still, except while a user sleeps or an
 * operation takes time (simulated_pass). So each figure is exact, on any
 * machine.
 *
 * simulated.c replaces two functions of the C library, clock_gettime and
 * clock_nanosleep, as the code under test has no hooks. Unless time is
 * simulated, they are as usual.
 */
#ifndef TESTS_UNIT_SIMULATED_H
#define TESTS_UNIT_SIMULATED_H

#include "result/result.h"
#include "run/workers.h"

/* Begin to simulate time, for this process and those that it forks. */
void simulated_begin(uint64_t now_ns);
void simulated_end(void);

/* Let time pass. */
void simulated_pass(uint64_t took_ns);

/* Time by which each sleep ends late. simulation_open resets it. */
extern uint64_t simulated_late_ns;

/* Time that passes with each reading of the clock. simulation_open resets it. */
extern uint64_t simulated_reading_ns;

/* A run on a target without files. */
struct simulation {
	/* The table of the null target. A test replaces slots by functions that
	 * let time pass. */
	struct backend backend;
	struct target target;
	struct workers_target on;
	struct loads loads;
	struct workers_plan plan;
	/* Users of the loads also play elsewhere. This is called again and again, as
	 * by the parent, to release those of this run (play/barrier.h). NULL: all
	 * are here. */
	void (*meet)(struct simulation *simulation);
	struct stats stats;          /* mapped while the run is played */
	struct intern names;         /* the texts of the keys of `repeat` */
	struct result_repeat repeat; /* what users of throng read */
};

/* The run that is played, and the number of the user who plays in this process:
 * for slots of tests. */
extern struct simulation *simulated;
extern unsigned simulated_user;

/* Prepare a run of one user. */
void simulation_open(struct simulation *simulation);

/* Add a load; users play several loads in turn. Return its program. */
struct program *simulation_add(struct simulation *simulation, const char *text);

/*
 * Play the plan's users and phases, each user in a process of its own, and set
 * the figures. Processes run in any order, so with several users a test must let
 * time pass only where the others wait. Fail the test if a user does not end.
 */
void simulation_play(struct simulation *simulation);

void simulation_close(struct simulation *simulation);

#endif
