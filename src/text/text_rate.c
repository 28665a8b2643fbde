/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The search of --find-rate: its steps while it runs, and the rates that it has
 * found.
 */
#include "text/text.h"

#include "base/units.h"
#include "doc/escape.h"
#include "report/figure.h"
#include "result/variant.h"
#include "text/axes.h"

enum { RATE_COLUMNS = 11, SHARE_COLUMNS = 6 };

void text_rate_step(const struct result_run *run, const struct result_point *point, FILE *stream)
{
	static const char *const answers[] = {
		[RESULT_HOLDS] = "holds",
		[RESULT_FAILS] = "fails",
		[RESULT_UNKNOWN] = "unknown",
	};
	const struct result_found_rate *found = point->found_rate;
	const struct result_rate_step *step = &found->steps[found->step_count - 1];
	char p99[FIGURE_TEXT] = "-   ", rate[UNITS_TEXT];

	if (found->step_count == 1) {
		fputs("users", stream);
		axes_headings(run, stream);
		fprintf(stream, " %*s response p99 %*s  answer\n", RATE_COLUMNS, "rate/s/user",
			SHARE_COLUMNS, "ended");
	}
	if (step->p99_ms > 0)
		figure_print(FORM_MS, step->p99_ms, 0, p99);
	fprintf(stream, "%5u", point->users);
	axes_values(run, point->set, point->set_count, stream);
	fprintf(stream, " %*s ", RATE_COLUMNS, units_print_rate(step->per_user, rate));
	figure_write_right(p99, (int)sizeof("response p99") - 1, stream);
	fprintf(stream, " %*.1f%%  %s", SHARE_COLUMNS - 1, 100 * step->ended_share,
		answers[step->answer]);
	if (step->why != NULL) {
		fputs(": ", stream);
		escape_text(step->why, stream);
	}
	fputc('\n', stream);
}

/* Return the lowest rate that was measured, or 0. */
static double lowest(const struct result_found_rate *found)
{
	double min = found->step_count > 0 ? found->steps[0].per_user : 0;
	size_t i;

	for (i = 1; i < found->step_count; i++)
		if (found->steps[i].per_user < min)
			min = found->steps[i].per_user;
	return min;
}

void text_found_rates(const struct result *result, FILE *stream)
{
	char per_user[UNITS_TEXT], total[UNITS_TEXT];
	size_t i;

	for (i = 0; i < result->point_count; i++) {
		const struct result_point *point = &result->points[i];
		const struct result_found_rate *found = point->found_rate;
		char place[VARIANT_TEXT];

		if (found == NULL || !result_is_valid(point))
			continue;
		variant_print_point(point, place);
		if (found->per_user > 0)
			text_line(stream, "rate",
				  "%s holds up to %s/s per user, %s/s in total, at %s%s%s",
				  found->condition, units_print_rate(found->per_user, per_user),
				  units_print_rate(found->total, total), place,
				  found->gave_up != NULL ? "; higher rates are not known: " : "",
				  found->gave_up != NULL ? found->gave_up : "");
		else if (result_lacks_rate(point))
			text_line(stream, "rate", "%s: not determined with %s: %s",
				  found->condition, place, found->gave_up);
		else
			text_line(stream, "rate",
				  "%s holds at no rate with %s; the lowest measured is %s/s per "
				  "user",
				  found->condition, place,
				  units_print_rate(lowest(found), per_user));
	}
}
