/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A library for LD_PRELOAD that makes each operation of a user's process take
 * THRONG_SLOWER per cent longer, if the file THRONG_SLOWER_FLAG exists when the
 * process is forked. throng reads the clock once after each operation, and this
 * library delays that call. It is used by bench/gate-targets only.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static int (*true_clock_gettime)(clockid_t, struct timespec *);
static pid_t (*true_fork)(void);
static double share; /* added to the time of an operation; 0: nothing */
static double before_ns;

static double now_ns(void)
{
	struct timespec now;

	true_clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

__attribute__((constructor)) static void find(void)
{
	true_clock_gettime = dlsym(RTLD_NEXT, "clock_gettime");
	true_fork = dlsym(RTLD_NEXT, "fork");
}

pid_t fork(void)
{
	const char *flag = getenv("THRONG_SLOWER_FLAG");
	const char *percent = getenv("THRONG_SLOWER");
	pid_t child = true_fork();

	if (child == 0 && flag != NULL && percent != NULL && access(flag, F_OK) == 0) {
		share = atof(percent) / 100;
		before_ns = now_ns();
	}
	return child;
}

int clock_gettime(clockid_t clock, struct timespec *time)
{
	if (share > 0 && clock == CLOCK_MONOTONIC) {
		double until_ns = now_ns();

		until_ns += (until_ns - before_ns) * share;
		while (now_ns() < until_ns)
			;
		before_ns = until_ns;
	}
	return true_clock_gettime(clock, time);
}
