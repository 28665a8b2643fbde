/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/measure/progress.h"

#include "base/units.h"
#include "doc/number.h"

#include <inttypes.h>
#include <unistd.h>

/* The figures of the last second, since the previous tick. */
struct second {
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
	progress->ops = progress->bytes = progress->sum_ns = 0;
}

static struct second take_second(struct progress *progress, const struct progress_tick *tick)
{
	uint64_t ops = tick->ops - progress->ops;
	uint64_t sum_ns = tick->sum_ns - progress->sum_ns;
	struct second second = {
		.mb = (double)(tick->bytes - progress->bytes) / 1e6,
		.ops = ops,
		.mean_ns = ops > 0 ? (double)sum_ns / (double)ops : 0,
	};

	progress->ops = tick->ops;
	progress->bytes = tick->bytes;
	progress->sum_ns = tick->sum_ns;
	return second;
}

static const char *plural(uint64_t count, const char *one, const char *more)
{
	return count == 1 ? one : more;
}

/* Print "point 3 of 9, 1 min 4 s left". */
static void print_overall(const struct progress_tick *tick, FILE *stream)
{
	uint64_t left_s = tick->left_s > 0 ? (uint64_t)(tick->left_s + 0.5) : 0;

	if (tick->count > 1)
		fprintf(stream, "%s %" PRIu64 " of %" PRIu64 ", ", tick->unit, tick->index,
			tick->count);
	if (tick->left_s < 0)
		fprintf(stream, "%.0f s elapsed", tick->elapsed_s);
	else if (left_s >= 3600)
		fprintf(stream, "%" PRIu64 " h %" PRIu64 " min left", left_s / 3600,
			left_s % 3600 / 60);
	else if (left_s >= 60)
		fprintf(stream, "%" PRIu64 " min %" PRIu64 " s left", left_s / 60, left_s % 60);
	else
		fprintf(stream, "%" PRIu64 " s left", left_s);
}

/*
 * Overwrite the last line. A line usually has at most 79 columns, and the less
 * important figures come last: in a narrow window, the terminal cuts them off
 * at the edge instead of wrapping the line (DECAWM).
 */
static void draw(struct progress *progress, const struct progress_tick *tick,
		 const struct second *second)
{
	FILE *stream = progress->stream;
	char time[UNITS_TEXT];

	progress_clear(progress);
	fputs("\033[?7l", stream);
	print_overall(tick, stream);
	fprintf(stream, ": %u %s", tick->users, plural(tick->users, "user", "users"));
	if (!tick->measures)
		fprintf(stream, "  %s", tick->stage);
	if (tick->bytes > 0)
		fprintf(stream, "  %.2f %s", number_rate_shown(second->mb), number_rate_unit());
	else
		fprintf(stream, "  %" PRIu64 " ops/s", second->ops);
	fprintf(stream, "  %" PRIu64 " %s", tick->mismatches,
		plural(tick->mismatches, "mismatch", "mismatches"));
	if (tick->p99_ns > 0)
		fprintf(stream, "  p99 %s", units_print_time((double)tick->p99_ns, time));
	if (tick->bytes > 0)
		fprintf(stream, "  %" PRIu64 " ops/s", second->ops);
	fputs("\033[?7h", stream);
	progress->drawn = true;
}

static void print_line(const struct progress_tick *tick, const struct second *second, FILE *stream)
{
	char time[UNITS_TEXT];

	fprintf(stream, "%6u %-5s  %-9s %3.0f s  now %.2f %s, %" PRIu64 " ops/s, mean %s, ",
		tick->users, plural(tick->users, "user", "users"), tick->stage, tick->elapsed_s,
		number_rate_shown(second->mb), number_rate_unit(), second->ops,
		units_print_time(second->mean_ns, time));
	if (tick->p99_ns > 0)
		fprintf(stream, "p99 %s, ", units_print_time((double)tick->p99_ns, time));
	fprintf(stream, "%" PRIu64 " %s; ", tick->mismatches,
		plural(tick->mismatches, "mismatch", "mismatches"));
	print_overall(tick, stream);
	fputc('\n', stream);
}

void progress_show(struct progress *progress, const struct progress_tick *tick)
{
	struct second second = take_second(progress, tick);

	if (progress->terminal)
		draw(progress, tick, &second);
	else
		print_line(tick, &second, progress->stream);
	fflush(progress->stream);
}

void progress_clear(struct progress *progress)
{
	/* Carriage return, then erase to the end of the line (ECMA-48 EL). */
	if (progress->drawn)
		fputs("\r\033[K", progress->stream);
	progress->drawn = false;
}
