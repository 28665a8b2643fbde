/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/measure/compare_sides.h"

#include "cli/measure/prepare.h"
#include "result/variant.h"

#include <stdio.h>

/* Name a side by its label or its first target: "new (/srv/new) ". A name that is too
 * long would leave no room for the error, so leave it out. */
static void name_side(const struct compare_options *options, unsigned side, char name[STEPS_NAME])
{
	const char *label = options->labels[side];
	int length;

	name[0] = '\0';
	if (options->mode == COMPARE_CALIBRATE)
		return;
	length = snprintf(name, STEPS_NAME, "%s (%s) ", side_names[side],
			  label != NULL ? label : options->targets[side][0]);
	if (length >= STEPS_NAME)
		snprintf(name, STEPS_NAME, "%s ", side_names[side]);
}

static int open_side(struct compare_sides *sides, unsigned side, struct compare_options *options,
		     bool digest, struct result *result, struct error *error)
{
	struct measure_options *measure = &options->measure;
	struct run_targets *targets = &sides->list[side].targets;
	struct loads *loads = &sides->list[side].loads;

	if (variant_make_all(&result->run) < 0)
		return error_no_memory(error);
	if (run_targets_open(targets, options->targets[side], measure, error) < 0 ||
	    (!measure->dry_run && run_targets_find_accounts(targets, measure, error) < 0) ||
	    prepare_settings_loads(loads, &measure->settings, NULL, digest, &result->run, 0,
				   error) < 0 ||
	    measure_options_suit_loads(measure, &options->given, loads, &result->run, error) < 0)
		return -1;
	sides->list[side].variant = (struct steps_variant){
		.loads = loads,
		.targets = targets->list,
		.target_count = targets->count,
	};
	sides->steps[side] = (struct steps_side){
		.variants = &sides->list[side].variant,
		.result = result,
		.before = options->before[side],
		.option = side == BASE ? "--before-base" : "--before-new",
		.name = sides->list[side].name,
	};
	name_side(options, side, sides->list[side].name);
	return 0;
}

int compare_sides_open(struct compare_sides *sides, struct compare_options *options, bool digest,
		       struct result results[SIDES], struct error *error)
{
	unsigned side;

	for (side = 0; side < SIDES; side++)
		if (open_side(sides, side, options, digest, &results[side], error) < 0)
			return -1;
	return 0;
}

void compare_sides_free(struct compare_sides *sides)
{
	unsigned side;

	for (side = 0; side < SIDES; side++) {
		run_targets_free(&sides->list[side].targets);
		loads_free(&sides->list[side].loads);
	}
}
