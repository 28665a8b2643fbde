/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/measure/progress.h"

#include "base/units.h"
#include "doc/number.h"

#include <inttypes.h>
#include <unistd.h>

/* clang-format off */
static const char *const stages[] = {
	[WORKERS_SETUP] = "set-up",
	[WORKERS_WARMUP] = "warm-up",
	[WORKERS_MEASURE] = "measure",
	[WORKERS_RAMP_DOWN] = "ramp-down",
	[WORKERS_CLEANUP] = "clean-up",
};
/* clang-format on */

/* The figures of the last second. */
struct rates {
	double mb;
	uint64_t ops;
	double mean_ns;
};

void progress_open(struct progress *progress, FILE *stream)
{
	*progress = (struct progress){
		.stream = stream,
		.terminal = isatty(fileno(stream)) == 1,
	};
}

void progress_start(struct progress *progress)
{
	progress->last = (struct workers_view){0};
}

/* Print "point 3 of 9, 1 min 4 s left". */
static void print_overall(const struct progress_run *run, const struct workers_view *view,
			  FILE *stream)
{
	uint64_t left_s = run->left_s > 0 ? (uint64_t)(run->left_s + 0.5) : 0;

	if (run->count > 1)
		fprintf(stream, "%s %" PRIu64 " of %" PRIu64 ", ", run->unit, run->index,
			run->count);
	if (run->left_s < 0)
		fprintf(stream, "%.0f s elapsed", (double)view->elapsed_ns / 1e9);
	else if (left_s >= 3600)
		fprintf(stream, "%" PRIu64 " h %" PRIu64 " min left", left_s / 3600,
			left_s % 3600 / 60);
	else if (left_s >= 60)
		fprintf(stream, "%" PRIu64 " min %" PRIu64 " s left", left_s / 60, left_s % 60);
	else
		fprintf(stream, "%" PRIu64 " s left", left_s);
}

/*
 * Draw the line. It usually has at most 79 columns, and the less important
 * figures come last: in a narrow window, the terminal cuts them off at the edge
 * instead of wrapping the line (DECAWM).
 */
static void draw(const struct progress_run *run, const struct workers_view *view,
		 const struct rates *rates, FILE *stream)
{
	char time[UNITS_TEXT];

	fputs("\033[?7l", stream);
	print_overall(run, view, stream);
	fprintf(stream, ": %u %s", view->users, units_plural(view->users, "user", "users"));
	if (view->stage != WORKERS_MEASURE)
		fprintf(stream, "  %s", stages[view->stage]);
	if (view->bytes > 0)
		fprintf(stream, "  %.2f %s", number_rate_shown(rates->mb), number_rate_unit());
	else
		fprintf(stream, "  %" PRIu64 " ops/s", rates->ops);
	fprintf(stream, "  %" PRIu64 " %s", view->mismatches,
		units_plural(view->mismatches, "mismatch", "mismatches"));
	if (view->p99_ns > 0)
		fprintf(stream, "  p99 %s", units_print_time((double)view->p99_ns, time));
	if (view->bytes > 0)
		fprintf(stream, "  %" PRIu64 " ops/s", rates->ops);
	fputs("\033[?7h", stream);
}

static void print_line(const struct progress_run *run, const struct workers_view *view,
		       const struct rates *rates, FILE *stream)
{
	char time[UNITS_TEXT];

	fprintf(stream, "%6u %-5s  %-9s %3.0f s  now %.2f %s, %" PRIu64 " ops/s, mean %s, ",
		view->users, units_plural(view->users, "user", "users"), stages[view->stage],
		(double)view->elapsed_ns / 1e9, number_rate_shown(rates->mb), number_rate_unit(),
		rates->ops, units_print_time(rates->mean_ns, time));
	if (view->p99_ns > 0)
		fprintf(stream, "p99 %s, ", units_print_time((double)view->p99_ns, time));
	fprintf(stream, "%" PRIu64 " %s; ", view->mismatches,
		units_plural(view->mismatches, "mismatch", "mismatches"));
	print_overall(run, view, stream);
	fputc('\n', stream);
}

void progress_show(struct progress *progress, const struct progress_run *run,
		   const struct workers_view *view)
{
	const struct workers_view *last = &progress->last;
	const uint64_t ops = view->ops - last->ops;
	const struct rates rates = {
		.mb = (double)(view->bytes - last->bytes) / 1e6,
		.ops = ops,
		.mean_ns = ops > 0 ? (double)(view->sum_ns - last->sum_ns) / (double)ops : 0,
	};

	progress_clear(progress);
	if (progress->terminal)
		draw(run, view, &rates, progress->stream);
	else
		print_line(run, view, &rates, progress->stream);
	progress->drawn = progress->terminal;
	progress->last = *view;
	fflush(progress->stream);
}

void progress_clear(struct progress *progress)
{
	/* Carriage return, then erase to the end of the line (ECMA-48 EL). */
	if (progress->drawn)
		fputs("\r\033[K", progress->stream);
	progress->drawn = false;
}
