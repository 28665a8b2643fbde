/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/describe.h"

#include "base/units.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void write_label(const struct result_run *run, FILE *stream)
{
	fputs(run->label, stream);
}

static void write_pairs(char *const *pairs, size_t count, FILE *stream)
{
	size_t i;

	for (i = 0; i < count; i++)
		fprintf(stream, "%s%s=%s", i > 0 ? ", " : "", pairs[2 * i],
			pairs[2 * i + 1]);
}

static void write_notes(const struct result_run *run, FILE *stream)
{
	write_pairs(run->notes, run->note_count, stream);
}

static void write_load(const struct result_run *run, FILE *stream)
{
	char ops[UNITS_TEXT], reads[UNITS_TEXT], writes[UNITS_TEXT];
	char footprint[UNITS_TEXT];

	fprintf(stream, "%s: %s operations per loop, %s%s read, %s written, "
		"footprint %s", run->loadfile.name,
		units_print_count(run->loadfile.ops, ops),
		run->loadfile.open_reads > 0 ? "at least " : "",
		units_print_bytes(run->loadfile.read_bytes, reads),
		units_print_bytes(run->loadfile.write_bytes, writes),
		units_print_bytes(run->loadfile.footprint_bytes, footprint));
}

static void write_target(const struct result_target *target, FILE *stream)
{
	char space[UNITS_TEXT];

	fprintf(stream, "%s (%s", target->url, target->kind);
	if (target->protection[0] != '\0')
		fprintf(stream, ", %s", target->protection);
	if (target->free_bytes != UINT64_MAX)
		fprintf(stream, ", %s free",
			units_print_bytes(target->free_bytes, space));
	fputc(')', stream);
}

/* Write the share of the load that is skipped, degraded or emulated (`how`), if
 * this applies to operations of several names. */
static void write_share(const struct result_run *run, enum result_how how,
			FILE *stream)
{
	double share = 0;
	size_t count = 0, i;

	for (i = 0; i < run->unsupported_count; i++) {
		if (run->unsupported[i].how != how)
			continue;
		share += run->unsupported[i].share;
		count++;
	}
	if (count > 1)
		fprintf(stream, "%.3g %% of the load: ", 100 * share);
}

/* List the operations that are skipped, degraded or emulated (`how`). */
static void write_unsupported(const struct result_run *run, enum result_how how,
			      FILE *stream)
{
	const char *cannot = NULL;
	size_t i;

	write_share(run, how, stream);
	for (i = 0; i < run->unsupported_count; i++) {
		const struct result_unsupported *item = &run->unsupported[i];

		if (item->how != how)
			continue;
		fprintf(stream, "%s%s (%.3g %%", cannot != NULL ? ", " : "",
			item->name, 100 * item->share);
		if (cannot == NULL || strcmp(item->cannot, cannot) != 0)
			fprintf(stream, ": no %s", item->cannot);
		fputc(')', stream);
		cannot = item->cannot;
	}
}

static void write_skipped(const struct result_run *run, FILE *stream)
{
	write_unsupported(run, RESULT_SKIPPED, stream);
}

static void write_degraded(const struct result_run *run, FILE *stream)
{
	write_unsupported(run, RESULT_DEGRADED, stream);
}

static void write_emulated(const struct result_run *run, FILE *stream)
{
	write_unsupported(run, RESULT_EMULATED, stream);
}

static void write_users(const struct result_run *run, FILE *stream)
{
	size_t i;

	for (i = 0; i < run->user_count_count; i++)
		fprintf(stream, "%s%u", i > 0 ? ", " : "",
			run->user_counts[i]);
	if (run->users_from > 0)
		fprintf(stream, ", numbered from %u", run->users_from);
	if (run->repeats > 1)
		fprintf(stream, "; %u times each, in %s order", run->repeats,
			run->random_order ? "random" : "this");
	if (run->resumed > 0)
		fprintf(stream, "; resumed %" PRIu64 " %s", run->resumed,
			units_plural(run->resumed, "time", "times"));
}

static void write_time(const struct result_run *run, FILE *stream)
{
	const struct phases *phases = &run->phases;
	char text[UNITS_TEXT];

	if (phases->loops > 0) {
		fprintf(stream, "%" PRIu64 " %s each", phases->loops,
			units_plural(phases->loops, "loop", "loops"));
	} else {
		fprintf(stream, "%s measured, ",
			units_print_duration(phases->time_ns, text));
		if (phases->warmup_ns > 0)
			fprintf(stream, "after %s of warm-up",
				units_print_duration(phases->warmup_ns, text));
		else
			fputs("no warm-up", stream);
		if (phases->ramp_down_ns > 0)
			fprintf(stream, ", before %s of ramp-down",
				units_print_duration(phases->ramp_down_ns,
						     text));
		if (phases->from_start)
			fputs(", from the first operation", stream);
	}
	if (phases->settle_ns > 0)
		fprintf(stream, "; %s pause between points",
			units_print_duration(phases->settle_ns, text));
}

static void write_cold(const struct result_run *run, FILE *stream)
{
	if (run->phases.cold)
		fputs("the load's files are dropped from the page cache before "
		      "each point and each phase", stream);
}

static void write_options(const struct result_run *run, FILE *stream)
{
	write_pairs(run->options, run->option_count, stream);
}

static void write_seed(const struct result_run *run, FILE *stream)
{
	fprintf(stream, "%" PRIu64, run->seed);
}

static void write_backends(const struct result_run *run, FILE *stream)
{
	size_t i;

	for (i = 0; i < run->target_count; i++) {
		const struct result_target *target = &run->targets[i];

		/* Name a backend only once for several targets in a row. */
		if (i > 0 && strcmp(target->backend,
				    run->targets[i - 1].backend) == 0)
			continue;
		fprintf(stream, "%s%s", i > 0 ? ", " : "", target->backend);
		if (target->library != NULL && target->library[0] != '\0')
			fprintf(stream, " (%s%s%s)", target->library,
				target->library_version[0] != '\0' ? " " : "",
				target->library_version);
	}
}

static void write_client(const struct result_run *run, FILE *stream)
{
	char memory[UNITS_TEXT];

	fprintf(stream, "%s: %u %s", run->host, run->cpus,
		units_plural(run->cpus, "processor", "processors"));
	if (run->memory_bytes > 0)
		fprintf(stream, ", %s of memory",
			units_print_bytes(run->memory_bytes, memory));
	fprintf(stream, "; %s", run->kernel);
}

static void write_digest(const struct result_run *run, FILE *stream)
{
	if (run->loadfile.sha256 != NULL)
		fprintf(stream, "%s, sha256 %s", run->loadfile.dialect,
			run->loadfile.sha256);
}

static void write_started(const struct result_run *run, FILE *stream)
{
	fputs(run->started, stream);
}

static void write_version(const struct result_run *run, FILE *stream)
{
	fputs(run->version, stream);
}

static void write_command(const struct result_run *run, FILE *stream)
{
	fputs(run->command, stream);
}

/* The lines of a description. A row without `write` stands for one line per
 * target. */
static const struct row {
	enum describe_part part;
	const char *name;
	void (*write)(const struct result_run *run, FILE *stream);
} rows[] = {
	{DESCRIBE_LABEL, "label", write_label},
	{DESCRIBE_NOTES, "notes", write_notes},
	{DESCRIBE_LOAD, "load", write_load},
	{DESCRIBE_TARGETS, "target", NULL},
	{DESCRIBE_PLAN, "skipped", write_skipped},
	{DESCRIBE_PLAN, "degraded", write_degraded},
	{DESCRIBE_PLAN, "emulated", write_emulated},
	{DESCRIBE_PLAN, "users", write_users},
	{DESCRIBE_PLAN, "time", write_time},
	{DESCRIBE_PLAN, "cold", write_cold},
	{DESCRIBE_PLAN, "options", write_options},
	{DESCRIBE_PLAN, "seed", write_seed},
	{DESCRIBE_ORIGIN, "loadfile", write_digest},
	{DESCRIBE_ORIGIN, "backend", write_backends},
	{DESCRIBE_ORIGIN, "client", write_client},
	{DESCRIBE_ORIGIN, "started", write_started},
	{DESCRIBE_ORIGIN, "throng", write_version},
	{DESCRIBE_ORIGIN, "command", write_command},
};

static void describe_row(const struct result_run *run, const struct row *row,
			 const struct result_target *target,
			 describe_line *line, void *context)
{
	char *text = NULL;
	size_t bytes;
	FILE *stream = open_memstream(&text, &bytes);

	if (stream == NULL)
		return;
	if (target != NULL)
		write_target(target, stream);
	else
		row->write(run, stream);
	if (fclose(stream) == 0 && bytes > 0)
		line(context, row->name, text);
	free(text);
}

void describe_run(const struct result_run *run, unsigned parts,
		  describe_line *line, void *context)
{
	size_t i, j;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if ((rows[i].part & parts) == 0)
			continue;
		if (rows[i].write != NULL)
			describe_row(run, &rows[i], NULL, line, context);
		for (j = 0; rows[i].write == NULL && j < run->target_count; j++)
			describe_row(run, &rows[i], &run->targets[j], line,
				     context);
	}
}
