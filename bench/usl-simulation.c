/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * usl-simulation TRIALS: simulate how often the scaling law is fitted to data
 * that follow it and to data that do not, and how good the fit is.
 * bench/estimates starts this program.
 */
#include "bench/gate-noise.h"
#include "stats/usl.h"

#include <stdio.h>
#include <stdlib.h>

enum { POINTS_MAX = 12, REPEATS_MAX = 10, SEED = 20260101 };

/* The parameters of the law that the data follow. */
static const double alpha = 0.03, beta = 0.002;

static double law(double users)
{
	return users / (1 + alpha * (users - 1) + beta * users * (users - 1));
}

/* Six processors, or six disks. */
static double six_servers(double users)
{
	return fmin(users, 6);
}

/* A cache that the files of 20 users no longer fit in. */
static double cliff(double users)
{
	return users < 20 ? law(users) : law(users) / 2;
}

/* User counts. */
static const unsigned six[] = {1, 2, 4, 8, 16, 32};
static const unsigned eight[] = {1, 2, 4, 8, 16, 24, 32, 48};
static const unsigned twelve[] = {1, 2, 4, 6, 8, 12, 16, 20, 24, 28, 32, 40};

/* The data that a law is fitted to. `noise` is the standard deviation of a
 * repeat, `shift` that of a point, which all of its repeats have in common. */
struct scene {
	const char *name;
	double (*throughput)(double users);
	const unsigned *users;
	size_t points, repeats;
	double noise, shift;
};

struct data {
	struct result result;
	struct result_point points[POINTS_MAX];
	struct result_repeat repeats[POINTS_MAX][REPEATS_MAX];
};

static void set_rate(struct records *records, double mb_per_s)
{
	const struct record_key total = {.load = NULL};

	if (records->count == 0 && records_add(records, &total) == NULL)
		abort();
	record_set(&records->list[0], FIGURE_MB_PER_S, mb_per_s);
}

static void draw(const struct scene *scene, struct noise *noise, struct data *data)
{
	size_t i, j;

	data->result = (struct result){.points = data->points, .point_count = scene->points};
	for (i = 0; i < scene->points; i++) {
		double rate = 100 * scene->throughput(scene->users[i]) *
			      exp(scene->shift * noise_bell(noise));

		data->points[i] = (struct result_point){
			.users = scene->users[i],
			.repeats = data->repeats[i],
			.repeat_count = scene->repeats,
		};
		for (j = 0; j < scene->repeats; j++)
			set_rate(&data->repeats[i][j].records,
				 rate * exp(scene->noise * noise_bell(noise)));
	}
}

static bool contains(const struct result_estimate *estimate, double value)
{
	return estimate->low <= value && value <= estimate->high;
}

static void try_scene(const struct scene *scene, unsigned trials)
{
	static struct data data;
	struct noise noise = {0};
	unsigned fitted = 0, peaks = 0, alphas = 0, betas = 0, i;
	double peak_sum = 0;

	random_start(&noise.random, SEED, 0);
	for (i = 0; i < trials; i++) {
		struct result_usl usl;

		draw(scene, &noise, &data);
		if (usl_fit(&data.result, &usl) < 0)
			abort();
		if (!usl.fitted)
			continue;
		fitted++;
		alphas += contains(&usl.alpha, alpha);
		betas += contains(&usl.beta, beta);
		if (isnan(usl.peak_users))
			continue;
		peaks++;
		peak_sum += usl.peak_users;
	}
	printf("%-12s %6zu %7zu %5.1f%% %5.1f%% %6.1f%%", scene->name, scene->points,
	       scene->repeats, 100 * scene->noise, 100 * scene->shift, 100.0 * fitted / trials);
	if (peaks > 0)
		printf(" %6.1f", peak_sum / peaks);
	else
		printf(" %6s", "-");
	if (fitted > 0 && scene->throughput == law)
		printf(" %5.0f%% %5.0f%%", 100.0 * alphas / fitted, 100.0 * betas / fitted);
	putchar('\n');
}

int main(int argc, char **argv)
{
	static const struct scene scenes[] = {
		{"law", law, six, 6, 1, 0.01, 0},
		{"law", law, six, 6, 3, 0.01, 0},
		{"law", law, six, 6, 3, 0.03, 0},
		{"law", law, twelve, 12, 1, 0.01, 0},
		{"law", law, twelve, 12, 3, 0.01, 0},
		{"law", law, twelve, 12, 3, 0.03, 0},
		{"law", law, twelve, 12, 5, 0.05, 0},
		{"law", law, twelve, 12, 3, 0.03, 0.03},
		{"law", law, twelve, 12, 10, 0.01, 0.03},
		{"six servers", six_servers, six, 6, 1, 0.01, 0},
		{"six servers", six_servers, six, 6, 3, 0.01, 0},
		{"six servers", six_servers, eight, 8, 1, 0.01, 0},
		{"six servers", six_servers, eight, 8, 3, 0.01, 0},
		{"six servers", six_servers, twelve, 12, 3, 0.05, 0},
		{"cliff", cliff, six, 6, 3, 0.01, 0},
		{"cliff", cliff, twelve, 12, 1, 0.01, 0},
		{"cliff", cliff, twelve, 12, 3, 0.03, 0},
	};
	unsigned trials = argc > 1 ? (unsigned)atoi(argv[1]) : 0;
	size_t i;

	if (trials == 0) {
		fputs("usage: usl-simulation TRIALS\n", stderr);
		return 2;
	}
	printf("%-12s %6s %7s %6s %6s %7s %6s %6s %6s\n", "data", "points", "repeats", "noise",
	       "shift", "fitted", "peak", "alpha", "beta");
	for (i = 0; i < sizeof(scenes) / sizeof(scenes[0]); i++)
		try_scene(&scenes[i], trials);
	return 0;
}
