/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/text.h"

#include "base/clock.h"
#include "base/units.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NS_PER_MS_DOUBLE 1e6

/* Longer lines of the header are folded. */
enum { LINE_COLUMNS = 80, LABEL_COLUMNS = 9 };

/* A list of many user counts is folded. */
static void print_users(const struct result_run *run, FILE *stream)
{
	int column = fprintf(stream, "users   ");
	size_t i;

	for (i = 0; i < run->user_count_count; i++) {
		char text[16];
		int length = snprintf(text, sizeof(text), " %u%s",
				      run->user_counts[i],
				      i + 1 < run->user_count_count ? ","
								    : "");

		if (column + length > LINE_COLUMNS)
			column = fprintf(stream, "\n%8s", "") - 1;
		column += fprintf(stream, "%s", text);
	}
	if (run->repeats > 1)
		fprintf(stream, "\n         %u times each, in %s order",
			run->repeats,
			run->random_order ? "random" : "this");
	fputc('\n', stream);
}

static void print_times(const struct result_run *run, FILE *stream)
{
	char text[UNITS_TEXT];

	if (run->loops > 0) {
		fprintf(stream, "time     %" PRIu64 " %s each\n", run->loops,
			run->loops == 1 ? "loop" : "loops");
		return;
	}
	fprintf(stream, "time     %s measured, ",
		units_print_duration(run->time_ns, text));
	if (run->warmup_ns > 0)
		fprintf(stream, "after %s of warm-up",
			units_print_duration(run->warmup_ns, text));
	else
		fputs("no warm-up", stream);
	if (run->ramp_down_ns > 0)
		fprintf(stream, ", before %s of ramp-down",
			units_print_duration(run->ramp_down_ns, text));
	fprintf(stream, ",\n         from the %s on\n",
		run->from_start ? "first operation" : "end of the prologue");
}

/* How long all measurements take together; of loops it is not known. */
static void print_total(const struct result_run *run, uint64_t max_ns,
			FILE *stream)
{
	uint64_t count = (uint64_t)run->user_count_count *
			 (run->pairs > 0 ? 2 * run->pairs : run->repeats);
	uint64_t each_ns = run->warmup_ns + run->time_ns + run->ramp_down_ns;
	uint64_t total_ns, settle_ns;
	char text[UNITS_TEXT];

	if (run->loops > 0 || count < 2 || max_ns == 0)
		return;
	if (__builtin_mul_overflow(count, each_ns, &total_ns) ||
	    __builtin_mul_overflow(count - 1, run->settle_ns, &settle_ns) ||
	    __builtin_add_overflow(total_ns, settle_ns, &total_ns))
		total_ns = UINT64_MAX;
	fprintf(stream, "total    %" PRIu64 " measurements", count);
	if (run->pairs > 0)
		fprintf(stream, " in %u pairs", run->pairs);
	fprintf(stream, ": %s at most%s\n",
		units_print_duration(total_ns < max_ns ? total_ns : max_ns,
				     text),
		total_ns < max_ns ? ", plus set-up and clean-up" : "");
}

static void print_target(const char *label, const struct result_target *target,
			 FILE *stream)
{
	char space[UNITS_TEXT];

	fprintf(stream, "%-8s %s (%s", label, target->url, target->kind);
	if (target->protection[0] != '\0')
		fprintf(stream, ", %s", target->protection);
	if (target->free_bytes != UINT64_MAX)
		fprintf(stream, ", %s free",
			units_print_bytes(target->free_bytes, space));
	fputs(")\n", stream);
}

/* The operations that are not played as the load has them, with shares. */
static void print_unsupported(const struct result_run *run, enum result_how how,
			      const char *heading, FILE *stream)
{
	const char *cannot = NULL;
	int column = 0;
	size_t i;

	for (i = 0; i < run->unsupported_count; i++) {
		const struct result_unsupported *item = &run->unsupported[i];
		bool told = cannot != NULL && strcmp(item->cannot, cannot) == 0;
		char text[128];
		int length;

		if (item->how != how)
			continue;
		length =
			snprintf(text, sizeof(text), "%s (%.3g %%%s%s)",
				 item->name, 100 * item->share,
				 told ? "" : ": no ", told ? "" : item->cannot);
		if (cannot == NULL)
			column = fprintf(stream, "%s", heading);
		else if (column + 2 + length < LINE_COLUMNS)
			column += fprintf(stream, ", ");
		else
			column = fprintf(stream, ",\n%9s", "") - 2;
		column += fprintf(stream, "%s", text);
		cannot = item->cannot;
	}
	if (cannot != NULL)
		fputc('\n', stream);
}

static void print_load(const struct result_run *run, FILE *stream)
{
	char ops[UNITS_TEXT], reads[UNITS_TEXT], writes[UNITS_TEXT];
	char footprint[UNITS_TEXT];

	fprintf(stream, "throng %s\n", run->version);
	fprintf(stream, "load     %s: %s operations a loop,\n"
		"         %s%s read, %s written, footprint %s\n",
		run->loadfile.name,
		units_print_count(run->loadfile.ops, ops),
		run->loadfile.open_reads > 0 ? "at least " : "",
		units_print_bytes(run->loadfile.read_bytes, reads),
		units_print_bytes(run->loadfile.write_bytes, writes),
		units_print_bytes(run->loadfile.footprint_bytes, footprint));
}

static void print_targets(const char *label, const struct result_run *run,
			  FILE *stream)
{
	size_t i;

	for (i = 0; i < run->target_count; i++)
		print_target(label, &run->targets[i], stream);
}

/* How it is measured. */
static void print_plan(const struct result_run *run, uint64_t max_ns,
		       FILE *stream)
{
	size_t i;

	print_unsupported(run, RESULT_SKIPPED, "skipped  ", stream);
	print_unsupported(run, RESULT_DEGRADED, "degraded ", stream);
	print_unsupported(run, RESULT_EMULATED, "emulated ", stream);
	print_users(run, stream);
	print_times(run, stream);
	print_total(run, max_ns, stream);
	if (run->option_count > 0) {
		fputs("options  ", stream);
		for (i = 0; i < run->option_count; i++)
			fprintf(stream, "%s%s=%s", i > 0 ? ", " : "",
				run->options[2 * i], run->options[2 * i + 1]);
		fputc('\n', stream);
	}
	fprintf(stream, "seed     %" PRIu64 "\n\n", run->seed);
}

void text_header(const struct result_run *run, uint64_t max_ns, FILE *stream)
{
	print_load(run, stream);
	print_targets("target", run, stream);
	print_plan(run, max_ns, stream);
}

void text_headers(const struct result_run *base, const struct result_run *new,
		  uint64_t max_ns, FILE *stream)
{
	print_load(base, stream);
	print_targets("base", base, stream);
	print_targets("new", new, stream);
	print_plan(base, max_ns, stream);
}

void text_heading(FILE *stream)
{
	fprintf(stream, "%5s %8s %8s %7s %7s %7s %8s %6s %4s %6s\n", "users",
		"MB/s", "ops/s", "p50 ms", "p95 ms", "p99 ms", "max ms",
		"errors", "CPU", "us/op");
}

/* With as many decimals as have room, four at most. */
static void print_ms(uint64_t ns, int width, FILE *stream)
{
	double ms = (double)ns / NS_PER_MS_DOUBLE, bound;
	int decimals = 4;

	if (ns == 0) {
		fprintf(stream, " %*s", width, "-");
		return;
	}
	for (bound = pow(10, width - 5); decimals > 1 && ms >= bound;
	     bound *= 10)
		decimals--;
	fprintf(stream, " %*.*f", width, decimals, ms);
}

void text_masked(const char *text, size_t bytes, FILE *stream)
{
	size_t i;

	for (i = 0; i < bytes; i++)
		fputc(iscntrl((unsigned char)text[i]) ? '?' : text[i], stream);
}

static void print_invalid(unsigned users, const struct result_reasons *invalid,
			  const struct result_figures *figures, FILE *stream)
{
	char ops[UNITS_TEXT], bytes[UNITS_TEXT];
	size_t i;

	fprintf(stream, "%5u not valid: ", users);
	for (i = 0; i < invalid->count; i++) {
		fputs(i > 0 ? "; " : "", stream);
		text_masked(invalid->texts[i], strlen(invalid->texts[i]),
			    stream);
	}
	fprintf(stream, " (%s operations, %s had been counted)\n",
		units_print_count(figures->ops, ops),
		units_print_bytes(figures->bytes, bytes));
}

static void print_figures(unsigned users, const struct result_figures *figures,
			  FILE *stream)
{
	fprintf(stream, "%5u %8.2f %8.0f", users, figures->mb_per_s,
		figures->ops_per_s);
	print_ms(figures->latency.p50_ns, 7, stream);
	print_ms(figures->latency.p95_ns, 7, stream);
	print_ms(figures->latency.p99_ns, 7, stream);
	print_ms(figures->latency.max_ns, 8, stream);
	fprintf(stream, " %6" PRIu64 " %3.0f%% %6.1f", figures->mismatches,
		100 * figures->client_cpu.utilisation,
		figures->client_cpu.per_op_us);
}

void text_repeat(const struct result_repeat *repeat, FILE *stream)
{
	if (result_repeat_is_valid(repeat)) {
		print_figures(repeat->users, &repeat->figures, stream);
		fputc('\n', stream);
	} else {
		print_invalid(repeat->users, &repeat->invalid,
			      &repeat->figures, stream);
	}
}

void text_point(const struct result_point *point, FILE *stream)
{
	print_figures(point->users, &point->figures, stream);
}

static int by_time(const void *a, const void *b)
{
	const struct result_operation *one = *(void *const *)a;
	const struct result_operation *other = *(void *const *)b;

	return (one->sum_ns < other->sum_ns) - (one->sum_ns > other->sum_ns);
}

static void print_operation(const struct result_operation *operation,
			    uint64_t all_ns, FILE *stream)
{
	fprintf(stream, "%-22s %8" PRIu64 " %5.1f%%", operation->name,
		operation->count,
		all_ns > 0 ? 100 * (double)operation->sum_ns / (double)all_ns
			   : 0.0);
	fprintf(stream, " %7.4f",
		operation->latency.mean_ns / NS_PER_MS_DOUBLE);
	print_ms(operation->latency.p50_ns, 8, stream);
	print_ms(operation->latency.p99_ns, 8, stream);
	print_ms(operation->latency.max_ns, 8, stream);
	fprintf(stream, " %5" PRIu64 "\n", operation->mismatches);
}

void text_operations(const struct result_figures *figures, FILE *stream)
{
	struct result_operation **order;
	uint64_t all_ns = 0;
	size_t i;

	order = calloc(figures->operation_count + 1, sizeof(*order));
	if (order == NULL)
		return;
	for (i = 0; i < figures->operation_count; i++) {
		order[i] = &figures->operations[i];
		all_ns += order[i]->sum_ns;
	}
	qsort(order, figures->operation_count, sizeof(*order), by_time);
	fprintf(stream, "\n%-22s %8s %6s %7s %8s %8s %8s %5s\n", "operation",
		"count", "time", "mean ms", "p50 ms", "p99 ms", "max ms",
		"error");
	for (i = 0; i < figures->operation_count; i++)
		print_operation(order[i], all_ns, stream);
	fputc('\n', stream);
	free(order);
}

static bool same_reason(const struct result_point *point, const char *text)
{
	size_t i;

	for (i = 0; i < point->warnings.count; i++)
		if (strcmp(point->warnings.texts[i], text) == 0)
			return true;
	return false;
}

void text_folded(const char *label, const char *text, FILE *stream)
{
	size_t column = LABEL_COLUMNS;

	fprintf(stream, "%-*s", LABEL_COLUMNS, label);
	while (*text != '\0') {
		size_t length = strcspn(text, " ");

		if (column > LABEL_COLUMNS &&
		    column + 1 + length > LINE_COLUMNS) {
			fprintf(stream, "\n%*s", LABEL_COLUMNS, "");
			column = LABEL_COLUMNS;
		} else if (column > LABEL_COLUMNS) {
			fputc(' ', stream);
			column++;
		}
		text_masked(text, length, stream);
		column += length;
		text += length;
		text += strspn(text, " ");
	}
	fputc('\n', stream);
}

/* A warning, with the user counts that it holds for. */
static void print_warning(const struct result *result, const char *text,
			  FILE *stream)
{
	const char *comma = "";
	unsigned users = 0;
	char *clause = NULL;
	size_t bytes, i;
	FILE *words = open_memstream(&clause, &bytes);

	if (words == NULL)
		return;
	fputs("at ", words);
	for (i = 0; i < result->point_count; i++) {
		if (!same_reason(&result->points[i], text))
			continue;
		users = result->points[i].users;
		fprintf(words, "%s%u", comma, users);
		comma = ", ";
	}
	fprintf(words, " %s: %s", users == 1 ? "user" : "users", text);
	fclose(words);
	text_folded("warning", clause, stream);
	free(clause);
}

void text_reasons(const struct result *result, FILE *stream)
{
	bool any = false;
	size_t i, j, k;

	for (i = 0; i < result->point_count; i++) {
		const struct result_point *point = &result->points[i];

		for (j = 0; j < point->warnings.count; j++) {
			const char *text = point->warnings.texts[j];

			for (k = 0; k < i; k++)
				if (same_reason(&result->points[k], text))
					break;
			if (k < i)
				continue;
			if (!any)
				fputc('\n', stream);
			any = true;
			print_warning(result, text, stream);
		}
	}
}
