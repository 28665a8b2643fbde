/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "result/progress.h"

#include <unistd.h>

enum { BAR_WIDTH = 20 };

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

static void print_bar(double elapsed_s, double left_s, FILE *stream)
{
	double all_s = elapsed_s + left_s;
	int full = all_s > 0 ? (int)(BAR_WIDTH * elapsed_s / all_s + 0.5) : 0;
	int i;

	fputc('[', stream);
	for (i = 0; i < BAR_WIDTH; i++)
		fputc(i < full ? '#' : '.', stream);
	fprintf(stream, "] %3.0f s left", left_s);
}

void progress_show(struct progress *progress, const struct progress_tick *tick)
{
	FILE *stream = progress->stream;
	uint64_t ops = tick->ops - progress->ops;
	double mean_ms = ops > 0 ? (double)(tick->sum_ns - progress->sum_ns) /
					   1e6 / (double)ops : 0;

	progress_clear(progress);
	fprintf(stream, "%6u %s  %-8s %3.0f s  now %.2f MB/s, %llu ops/s, "
		"mean %.4f ms", tick->users,
		tick->users == 1 ? "user " : "users", tick->stage,
		tick->elapsed_s,
		(double)(tick->bytes - progress->bytes) / 1e6,
		(unsigned long long)ops, mean_ms);
	if (!progress->terminal) {
		fputc('\n', stream);
	} else if (tick->left_s >= 0) {
		fputs("  ", stream);
		print_bar(tick->elapsed_s, tick->left_s, stream);
	}
	progress->drawn = progress->terminal;
	fflush(stream);
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
