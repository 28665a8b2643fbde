/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gate-simulation TRIALS [RECORDED]: simulate how often the gate (`throng
 * compare`) gives a wrong verdict, and after how many pairs it finds a loss.
 * RECORDED has one figure per line, measured in consecutive runs of the same
 * target. bench/gate starts this program.
 */
#include "bench/gate-noise.h"
#include "stats/ratio.h"
#include "stats/sequential.h"

#include <stdio.h>
#include <stdlib.h>

enum { PAIRS_MAX = 20, SEED = 20260101 };

static const double alpha = 0.025;

static const char *const kind_names[NOISE_KINDS] = {
	"normal", "drift", "outliers", "two modes", "recorded", "one side",
};

/* The parameters of a simulation. */
struct scene {
	struct noise noise;
	double ratio, margin;
	size_t budget;
	unsigned trials;
};

/* The results of a simulation. */
struct tally {
	unsigned regressions, passes;
	unsigned by[PAIRS_MAX + 1]; /* by[n]: regressions found after n pairs */
	double pairs;               /* measured in all trials */
};

/*
 * Return the number of pairs after which the sequential test decides, or 0 if
 * it does not decide within the budget. Abort if there is no memory; the test
 * needs less than a megabyte.
 */
static size_t found_after(const struct scene *scene, const double *base, const double *new,
			  double sign)
{
	double distances[PAIRS_MAX];
	size_t after, i;

	for (i = 0; i < scene->budget; i++)
		distances[i] = sign * (log(new[i] / base[i]) - log1p(-scene->margin));
	if (sequential_test(distances, scene->budget, scene->budget, alpha, &after) < 0)
		abort();
	return after;
}

static void try_sequential(const struct scene *scene, const double *base, const double *new,
			   struct tally *tally)
{
	size_t worse = found_after(scene, base, new, 1);
	size_t better = found_after(scene, base, new, -1);

	if (worse > 0 && (better == 0 || worse < better)) {
		tally->regressions++;
		tally->by[worse]++;
		tally->pairs += (double)worse;
	} else {
		tally->passes += better > 0;
		tally->pairs += (double)(better > 0 ? better : scene->budget);
	}
}

static void try_fixed(const struct scene *scene, const double *base, const double *new,
		      struct tally *tally)
{
	struct ratio_comparison comparison = {
		.samples = {base, new, scene->budget, scene->budget, true},
		.more_is_better = true,
	};

	if (ratio_compare(&comparison, 1, scene->margin, alpha) < 0)
		abort();
	tally->regressions += comparison.verdict == VERDICT_REGRESSION;
	tally->passes += comparison.verdict == VERDICT_PASS;
}

static void play(struct scene *scene, struct tally *fixed, struct tally *sequential)
{
	double base[PAIRS_MAX], new[PAIRS_MAX];
	unsigned i;

	*fixed = *sequential = (struct tally){0};
	random_start(&scene->noise.random, SEED, 0);
	for (i = 0; i < scene->trials; i++) {
		noise_pairs(&scene->noise, scene->ratio, scene->budget, base, new);
		try_fixed(scene, base, new, fixed);
		try_sequential(scene, base, new, sequential);
	}
}

static double percent(unsigned count, const struct scene *scene)
{
	return 100.0 * count / scene->trials;
}

/*
 * Simulate a loss and print a row of the table. One of its columns is the
 * percentage of trials that find a regression within the first `within` pairs.
 */
static void try_loss(struct scene scene, double loss, double margin, size_t budget, size_t within)
{
	struct tally fixed, sequential;
	unsigned by = 0;
	double pairs;
	size_t i;

	scene.ratio = 1 - loss;
	scene.margin = margin;
	scene.budget = budget;
	play(&scene, &fixed, &sequential);
	for (i = 0; i <= within; i++)
		by += sequential.by[i];
	pairs = sequential.pairs / scene.trials;
	printf("%-9s %5zu %5.0f%% %6.0f%% %6.2f%% %5.2f%%", kind_names[scene.noise.kind], budget,
	       100 * loss, 100 * margin, percent(fixed.regressions, &scene),
	       percent(sequential.regressions, &scene));
	printf(" %5.1f%%@%-2zu %5.1f%% %5.1f (%.0f%%)\n", percent(by, &scene), within,
	       percent(sequential.passes, &scene), pairs, 100 * pairs / (double)budget);
}

static size_t read_recorded(const char *name, double **values)
{
	FILE *stream = fopen(name, "r");
	size_t count = 0;
	double value;

	*values = NULL;
	while (stream != NULL && fscanf(stream, "%lf", &value) == 1) {
		*values = reallocarray(*values, count + 1, sizeof(**values));
		if (*values == NULL)
			abort();
		(*values)[count++] = value;
	}
	if (stream != NULL)
		fclose(stream);
	return count;
}

int main(int argc, char **argv)
{
	struct scene scene = {.trials = argc > 1 ? (unsigned)atoi(argv[1]) : 0};
	double *recorded = NULL;
	size_t kind, count = 0;

	if (argc > 2)
		count = read_recorded(argv[2], &recorded);
	if (scene.trials == 0 || (argc > 2 && count < 2 * PAIRS_MAX)) {
		fputs("usage: gate-simulation TRIALS [RECORDED]\n", stderr);
		return 2;
	}
	scene.noise.recorded = recorded;
	scene.noise.recorded_count = count;
	printf("%-9s %5s %6s %7s %7s %6s %8s %6s %s\n", "noise", "pairs", "loss", "margin", "fixed",
	       "seq.", "by", "passes", "pairs taken");
	setvbuf(stdout, NULL, _IOLBF, 0);
	for (kind = 0; kind < NOISE_KINDS; kind++) {
		scene.noise.kind = kind;
		if (kind == NOISE_RECORDED && count == 0)
			continue;
		/* Begin without a loss: most wrong verdicts are at margin 0. */
		try_loss(scene, 0, 0, 6, 6);
		try_loss(scene, 0, 0, 10, 10);
		try_loss(scene, 0, 0, 20, 20);
		try_loss(scene, 0.05, 0.01, 15, 15);
		try_loss(scene, 0.1, 0.05, 10, 10);
		try_loss(scene, 0.05, 0.01, 20, 15);
		try_loss(scene, 0.1, 0.05, 20, 10);
		try_loss(scene, 0, 0.05, 20, 20);
	}
	free(recorded);
	return 0;
}
