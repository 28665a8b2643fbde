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

enum { PAIRS_MAX = 20, ROWS_MAX = 8, SEED = 20260101 };

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
 * Return the number of pairs after which the sequential test decides at a level,
 * or 0 if it does not decide within the budget. Abort if there is no memory; the
 * test needs less than a megabyte.
 */
static size_t found_after(const struct scene *scene, const double *base, const double *new,
			  double sign, double level)
{
	double distances[PAIRS_MAX];
	size_t after, i;

	for (i = 0; i < scene->budget; i++)
		distances[i] = sign * (log(new[i] / base[i]) - log1p(-scene->margin));
	if (sequential_test(distances, scene->budget, scene->budget, level, &after) < 0)
		abort();
	return after;
}

static void try_sequential(const struct scene *scene, const double *base, const double *new,
			   struct tally *tally)
{
	size_t worse = found_after(scene, base, new, 1, alpha);
	size_t better = found_after(scene, base, new, -1, alpha);

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

static int by_number(const void *a, const void *b)
{
	size_t one = *(const size_t *)a, other = *(const size_t *)b;

	return (one > other) - (one < other);
}

/* The figures of both sides of each row. */
struct rows {
	size_t count;
	double base[ROWS_MAX][PAIRS_MAX], new[ROWS_MAX][PAIRS_MAX];
};

/* Draw rows of which the first one has a loss and the others have none. Their
 * noise is independent or, if they are `alike`, the same. */
static void draw_rows(struct scene *scene, bool alike, double loss, struct rows *rows)
{
	size_t i;

	for (i = 0; i < rows->count; i++) {
		struct noise noise = scene->noise;

		noise_pairs(&noise, i == 0 ? 1 - loss : 1, scene->budget, rows->base[i],
			    rows->new[i]);
		if (!alike || i == rows->count - 1)
			scene->noise = noise;
	}
}

/* Return the number of pairs after which `wanted` rows pass at a level, or more
 * than the budget. */
static size_t passed_after(const struct scene *scene, const struct rows *rows, size_t wanted,
			   double level)
{
	size_t after[ROWS_MAX], i;

	for (i = 0; i < rows->count; i++) {
		after[i] = found_after(scene, rows->base[i], rows->new[i], -1, level);
		if (after[i] == 0)
			after[i] = scene->budget + 1;
	}
	qsort(after, rows->count, sizeof(*after), by_number);
	return after[wanted - 1];
}

/* Return the number of pairs after which all rows pass by Holm's method: one of
 * them at alpha / rows, another one at alpha / (rows - 1), and so on. */
static size_t passed_by_holm(const struct scene *scene, const struct rows *rows)
{
	size_t last = 0, i;

	for (i = 1; i <= rows->count; i++) {
		size_t after = passed_after(scene, rows, i, alpha / (double)(rows->count - i + 1));

		if (after > last)
			last = after;
	}
	return last;
}

/* How often all rows pass, and the number of pairs that this takes. */
struct passes {
	unsigned count;
	double pairs;
};

static void add_pass(const struct scene *scene, size_t after, struct passes *passes)
{
	passes->count += after <= scene->budget;
	passes->pairs += (double)(after <= scene->budget ? after : scene->budget);
}

/* Print how often all rows pass if each of them may pass at alpha and, without a
 * loss, if they share alpha by Holm's method. */
static void try_rows(struct scene scene, size_t count, bool alike, double margin, double loss)
{
	const char *noise = alike ? "alike" : "independent";
	struct passes each = {0}, holm = {0};
	struct rows rows = {.count = count};
	unsigned trial;

	scene.margin = margin;
	scene.budget = PAIRS_MAX;
	/* Holm's method is slow to simulate. */
	if (loss == 0 && scene.trials >= 10)
		scene.trials /= 10;
	random_start(&scene.noise.random, SEED, 0);
	for (trial = 0; trial < scene.trials; trial++) {
		draw_rows(&scene, alike, loss, &rows);
		add_pass(&scene, passed_after(&scene, &rows, count, alpha), &each);
		if (loss == 0)
			add_pass(&scene, passed_by_holm(&scene, &rows), &holm);
	}
	printf("%4zu %-11s %5.0f%% %4.0f%% %6.1f%% %5.1f", count, count > 1 ? noise : "",
	       100 * margin, 100 * loss, percent(each.count, &scene), each.pairs / scene.trials);
	if (loss == 0)
		printf(" %6.1f%% %5.1f", percent(holm.count, &scene), holm.pairs / scene.trials);
	putchar('\n');
}

static void try_all_rows(struct scene scene)
{
	static const double margins[] = {0.05, 0.03};
	size_t i;

	scene.noise.kind = NOISE_NORMAL;
	printf("\n%4s %-11s %6s %5s %7s %5s %7s %5s\n", "rows", "noise", "margin", "loss", "passes",
	       "pairs", "Holm:", "pairs");
	for (i = 0; i < sizeof(margins) / sizeof(margins[0]); i++) {
		try_rows(scene, 1, false, margins[i], 0);
		try_rows(scene, ROWS_MAX, false, margins[i], 0);
		try_rows(scene, ROWS_MAX, true, margins[i], 0);
	}
	try_rows(scene, ROWS_MAX, false, margins[0], margins[0]);
	try_rows(scene, ROWS_MAX, true, margins[0], margins[0]);
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
	try_all_rows(scene);
	return 0;
}
