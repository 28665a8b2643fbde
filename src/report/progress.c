/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/progress.h"

#include <unistd.h>

enum { BAR_WIDTH = 10 };

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

/* "[####......]   3 s left", or as much room when the end is not known. */
static void print_bar(const struct progress_tick *tick, FILE *stream)
{
	double all_s = tick->elapsed_s + tick->left_s;
	int full, i;

	if (tick->left_s < 0) {
		fprintf(stream, "%*s %4.0f s gone", BAR_WIDTH + 2, "",
			tick->elapsed_s);
		return;
	}
	full = all_s > 0 ? (int)(BAR_WIDTH * tick->elapsed_s / all_s + 0.5)
			 : 0;
	fputc('[', stream);
	for (i = 0; i < BAR_WIDTH; i++)
		fputc(i < full ? '#' : '.', stream);
	fprintf(stream, "] %4.0f s left", tick->left_s);
}

void progress_show(struct progress *progress, const struct progress_tick *tick)
{
	const char *users = tick->users == 1 ? "user" : "users";
	double mb = (double)(tick->bytes - progress->bytes) / 1e6;
	uint64_t ops = tick->ops - progress->ops;
	uint64_t sum_ns = tick->sum_ns - progress->sum_ns;

	if (progress->terminal) {
		/* One line of at most 79 columns, drawn over by the next. */
		progress_clear(progress);
		/* Cut off at a narrow window's edge (DECAWM), not broken. */
		fputs("\033[?7l", progress->stream);
		fprintf(progress->stream, "%6u %-5s %-9s ", tick->users, users,
			tick->stage);
		print_bar(tick, progress->stream);
		fprintf(progress->stream, " %9.2f MB/s %8llu ops/s\033[?7h",
			mb, (unsigned long long)ops);
		progress->drawn = true;
	} else {
		fprintf(progress->stream, "%6u %-5s  %-9s %3.0f s  now %.2f "
			"MB/s, %llu ops/s, mean %.4f ms\n", tick->users, users,
			tick->stage, tick->elapsed_s, mb,
			(unsigned long long)ops,
			ops > 0 ? (double)sum_ns / 1e6 / (double)ops : 0);
	}
	fflush(progress->stream);
	progress->ops = tick->ops;
	progress->bytes = tick->bytes;
	progress->sum_ns = tick->sum_ns;
}

void progress_clear(struct progress *progress)
{
	/* Carriage return, then erase to the end of the line (ECMA-48 EL). */
	if (progress->drawn)
		fputs("\r\033[K", progress->stream);
	progress->drawn = false;
}
