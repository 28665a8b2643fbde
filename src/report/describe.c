/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/describe.h"

#include "base/units.h"
#include "report/naming.h"
#include "result/variant.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The subject of a line. */
struct about {
	const struct result_run *run;
	const struct naming *naming;
	const struct result_variant *variant;
	size_t index;        /* of the load or the target */
	enum result_how how; /* of unsupported operations */
};

static void write_label(const struct about *about, FILE *stream)
{
	fputs(about->run->label, stream);
}

static void write_pairs(char *const *pairs, size_t count, FILE *stream)
{
	size_t i;

	for (i = 0; i < count; i++)
		fprintf(stream, "%s%s=%s", i > 0 ? ", " : "", pairs[2 * i], pairs[2 * i + 1]);
}

static void write_notes(const struct about *about, FILE *stream)
{
	write_pairs(about->run->notes, about->run->note_count, stream);
}

/* Write the share of the users that play a load: "1 of 4 users". */
static void write_turns(const struct result_variant *variant, const struct result_load *load,
			FILE *stream)
{
	uint64_t all = 0;
	size_t i;

	for (i = 0; i < variant->load_count; i++)
		all += variant->loads[i].weight;
	if (all > 0)
		fprintf(stream, " (%u of %" PRIu64 " users)", load->weight, all);
}

static void write_load(const struct about *about, FILE *stream)
{
	const struct result_load *load = &about->variant->loads[about->index];
	char ops[UNITS_TEXT], reads[UNITS_TEXT], writes[UNITS_TEXT];
	char footprint[UNITS_TEXT], stamps[UNITS_TEXT];

	fputs(load->name, stream);
	write_turns(about->variant, load, stream);
	fprintf(stream, ": %s %s per loop, %s%s read, %s written, footprint %s per user",
		units_print_count(load->ops, ops),
		units_plural(load->ops, "operation", "operations"),
		load->open_reads > 0 ? "at least " : "", units_print_bytes(load->read_bytes, reads),
		units_print_bytes(load->write_bytes, writes),
		units_print_bytes(load->footprint_bytes, footprint));
	if (load->shared_footprint_bytes > 0)
		fprintf(stream, " and %s per target",
			units_print_bytes(load->shared_footprint_bytes, footprint));
	if (load->paced_ns > 0)
		fprintf(stream, "; its time stamps take %s",
			units_print_duration(load->paced_ns, stamps));
}

static void write_streams(const struct about *about, FILE *stream)
{
	const struct result_load *load = &about->variant->loads[about->index];

	if (load->streams == 0)
		return;
	if (about->variant->load_count > 1)
		fprintf(stream, "%s: ", load->name);
	fprintf(stream, "%" PRIu64, load->streams);
	if (load->one_stream != NULL)
		fprintf(stream, ", but one operation at a time: %s", load->one_stream);
	else
		fputs(" per user, played at the same time", stream);
}

static void write_target(const struct about *about, FILE *stream)
{
	const struct result_target *target = &about->variant->targets[about->index];
	char space[UNITS_TEXT];

	fprintf(stream, "%s (%s", target->url, target->kind);
	if (target->protection[0] != '\0')
		fprintf(stream, ", %s", target->protection);
	if (target->free_bytes != UINT64_MAX)
		fprintf(stream, ", %s free", units_print_bytes(target->free_bytes, space));
	fputc(')', stream);
}

/* Check if the same client plays on two targets. */
static bool is_same_client(const struct result_client *one, const struct result_client *other)
{
	return record_same_name(one->name, other->name) &&
	       record_same_name(one->algorithm, other->algorithm);
}

/* Write a share in per cent. A share below 1 is never written as 100 %. */
static void write_per_cent(double share, FILE *stream)
{
	double per_cent = 100 * share;

	if (per_cent > 99.9 && per_cent < 100)
		fprintf(stream, "%.2f %%", fmin(per_cent - 0.005, 99.99));
	else
		fprintf(stream, "%.3g %%", per_cent);
}

/* Shares of operations below this are not worth a line's length. */
#define SHARE_MIN 0.0005

/* Write how a client sends the load. */
static void write_requests(const struct result_requests *requests, FILE *stream)
{
	fputs(": ", stream);
	write_per_cent(requests->as_recorded, stream);
	fputs(" as recorded", stream);
	if (requests->nearest >= SHARE_MIN) {
		fputs(", ", stream);
		write_per_cent(requests->nearest, stream);
		fprintf(stream, " by the nearest calls (%.2f round trips per operation)",
			requests->round_trips);
	}
	fputs(", ", stream);
	if (requests->skipped > 0)
		write_per_cent(requests->skipped, stream);
	else
		fputc('0', stream);
	fputs(" skipped", stream);
}

/* Write the client that plays on an SMB share, unless an earlier target has the
 * same client: "built-in SMB client, AES-128-GMAC: 99.99 % as recorded". */
static void write_client(const struct about *about, FILE *stream)
{
	const struct result_target *targets = about->variant->targets;
	const struct result_client *client = &targets[about->index].client;
	size_t i;

	if (client->name == NULL)
		return;
	for (i = 0; i < about->index; i++)
		if (is_same_client(client, &targets[i].client))
			return;
	fputs(strcmp(client->name, "builtin") == 0 ? "built-in SMB client" : client->name, stream);
	if (client->algorithm != NULL)
		fprintf(stream, ", %s", client->algorithm);
	if (client->requests.round_trips > 0)
		write_requests(&client->requests, stream);
}

/* Return the next operation of the load after `item`, or the first one (NULL), that is
 * played as about->how says; or NULL. */
static const struct result_unsupported *next_of(const struct about *about,
						const struct result_unsupported *item)
{
	const struct result_variant *variant = about->variant;
	size_t i = item != NULL ? (size_t)(item - variant->unsupported) + 1 : 0;

	for (; i < variant->unsupported_count; i++) {
		item = &variant->unsupported[i];
		if (item->how == about->how &&
		    (variant->load_count == 1 ||
		     record_same_name(item->load, variant->loads[about->index].name)))
			return item;
	}
	return NULL;
}

/* List the operations of a load that are skipped, degraded or emulated, after their
 * share if there are several. */
static void write_unsupported(const struct about *about, FILE *stream)
{
	const struct result_unsupported *first = next_of(about, NULL), *item;
	const char *cannot = NULL;
	double share = 0;
	size_t count = 0;

	for (item = first; item != NULL; item = next_of(about, item)) {
		share += item->share;
		count++;
	}
	if (count > 0 && about->variant->load_count > 1)
		fprintf(stream, "%s: ", about->variant->loads[about->index].name);
	if (count > 1)
		fprintf(stream, "%.3g %% of the load: ", 100 * share);
	for (item = first; item != NULL; item = next_of(about, item)) {
		fprintf(stream, "%s%s (%.3g %%", cannot != NULL ? ", " : "", item->name,
			100 * item->share);
		if (cannot == NULL || strcmp(item->cannot, cannot) != 0)
			fprintf(stream, ": no %s", item->cannot);
		fputc(')', stream);
		cannot = item->cannot;
	}
}

static void write_users(const struct about *about, FILE *stream)
{
	const struct result_run *run = about->run;
	size_t i;

	for (i = 0; i < run->user_count_count; i++)
		fprintf(stream, "%s%u", i > 0 ? ", " : "", run->user_counts[i]);
	if (run->repeats > 1)
		fprintf(stream, "; %u times each, in %s order", run->repeats,
			run->random_order ? "random" : "this");
	if (run->resumed > 0)
		fprintf(stream, "; resumed %" PRIu64 " %s", run->resumed,
			units_plural(run->resumed, "time", "times"));
}

/* If more hosts in a row have as many processors, the others are only counted. */
enum { HOSTS_NAMED_MAX = 8 };

/* Write the names of the hosts in a row that have as many processors as host `first`.
 * Return the index after the last of them. */
static size_t write_same_hosts(const struct result_run *run, size_t first, FILE *stream)
{
	const struct result_host *like = &run->hosts[first];
	size_t end = first + 1, i;

	while (end < run->host_count && run->hosts[end].cpus == like->cpus &&
	       run->hosts[end].usable_cpus == like->usable_cpus)
		end++;
	for (i = first; i < end && i < first + HOSTS_NAMED_MAX; i++)
		fprintf(stream, "%s%s", i > 0 ? ", " : "", run->hosts[i].name);
	if (i < end)
		fprintf(stream, " and %zu more", end - i);
	/* They are unknown before the hosts are contacted. */
	if (like->usable_cpus < like->cpus)
		fprintf(stream, " (%u of %u processors%s)", like->usable_cpus, like->cpus,
			end > first + 1 ? " each" : "");
	else if (like->cpus > 0)
		fprintf(stream, " (%u %s%s)", like->cpus,
			units_plural(like->cpus, "processor", "processors"),
			end > first + 1 ? " each" : "");
	return end;
}

static void write_hosts(const struct about *about, FILE *stream)
{
	const struct result_run *run = about->run;
	size_t i;

	for (i = 0; i < run->host_count;)
		i = write_same_hosts(run, i, stream);
	if (run->host_count > 0 && run->launcher != NULL)
		fprintf(stream, ", by %s", run->launcher);
}

static void write_clocks(const struct about *about, FILE *stream)
{
	const struct result_run *run = about->run;
	double error_ms = 0;
	size_t i;

	for (i = 0; i < run->host_count; i++)
		error_ms = fmax(error_ms, run->hosts[i].clock_error_ms);
	/* It is a bound, so round it up. */
	if (error_ms > 0)
		fprintf(stream, "agree within %.2f ms", ceil(error_ms * 100) / 100);
}

static void write_axes(const struct about *about, FILE *stream)
{
	const struct result_run *run = about->run;
	char set[VARIANT_TEXT];
	size_t i, j;

	/* A view of one variant has its values only. */
	if (run->variant_count == 1) {
		fputs(variant_print(run->variants[0].set, run->variants[0].set_count, set), stream);
		return;
	}
	for (i = 0; i < run->axis_count; i++) {
		const struct result_axis *axis = &run->axes[i];
		/* There are lines about targets and loads: elsewhere they have short
		 * names. */
		const struct naming *naming = naming_is_known(axis->name) ? about->naming : NULL;

		fprintf(stream, "%s%s=", i > 0 ? "; " : "", axis->name);
		for (j = 0; j < axis->value_count; j++)
			fprintf(stream, "%s%s", j > 0 ? ", " : "",
				naming_value(naming, axis->name, axis->values[j]));
	}
}

static void write_time(const struct about *about, FILE *stream)
{
	const struct phases *phases = &about->run->phases;
	char text[UNITS_TEXT];

	if (phases->loops > 0) {
		fprintf(stream, "%" PRIu64 " %s each", phases->loops,
			units_plural(phases->loops, "loop", "loops"));
	} else if (phases->whole_loops) {
		fprintf(stream, "whole loops, begun within %s",
			units_print_duration(phases->time_ns, text));
	} else {
		fprintf(stream, "%s measured, ", units_print_duration(phases->time_ns, text));
		if (phases->warmup_ns > 0)
			fprintf(stream, "after %s of warm-up",
				units_print_duration(phases->warmup_ns, text));
		else
			fputs("no warm-up", stream);
		if (phases->ramp_down_ns > 0)
			fprintf(stream, ", before %s of ramp-down",
				units_print_duration(phases->ramp_down_ns, text));
		if (phases->from_start)
			fputs(", from the first operation", stream);
	}
	if (phases->settle_ns > 0)
		fprintf(stream, "; %s pause between points",
			units_print_duration(phases->settle_ns, text));
}

static void write_latency(const struct about *about, FILE *stream)
{
	if (about->run->open_loop)
		fputs("response times, from the time for which an operation was scheduled to its "
		      "end",
		      stream);
}

static void write_cold(const struct about *about, FILE *stream)
{
	if (about->run->phases.cold)
		fputs("the load's files are dropped from the page cache before each point and each "
		      "phase",
		      stream);
}

static void write_samples(const struct about *about, FILE *stream)
{
	const struct result_run *run = about->run;
	size_t i;

	for (i = 0; i < run->sample_count; i++)
		fprintf(stream, "%s%s=%s", i > 0 ? "; " : "", run->samples[i].name,
			run->samples[i].command);
}

static void write_options(const struct about *about, FILE *stream)
{
	write_pairs(about->run->options, about->run->option_count, stream);
}

static void write_seed(const struct about *about, FILE *stream)
{
	fprintf(stream, "%" PRIu64, about->run->seed);
}

/* Write the backends of all targets in one line. */
static void write_backends(const struct about *about, FILE *stream)
{
	size_t i;

	for (i = 0; i < about->variant->target_count; i++) {
		const struct result_target *target = &about->variant->targets[i];

		/* Name a backend only once for several targets in a row. */
		if (i > 0 && strcmp(target->backend, target[-1].backend) == 0)
			continue;
		fprintf(stream, "%s%s", i > 0 ? ", " : "", target->backend);
		if (target->library != NULL && target->library[0] != '\0')
			fprintf(stream, " (%s%s%s)", target->library,
				target->library_version[0] != '\0' ? " " : "",
				target->library_version);
	}
}

static void write_machine(const struct about *about, FILE *stream)
{
	const struct result_run *run = about->run;
	char memory[UNITS_TEXT];

	fprintf(stream, "%s: %u %s", run->host, run->cpus,
		units_plural(run->cpus, "processor", "processors"));
	if (run->memory_bytes > 0)
		fprintf(stream, ", %s of memory", units_print_bytes(run->memory_bytes, memory));
	fprintf(stream, "; %s", run->kernel);
}

static void write_digest(const struct about *about, FILE *stream)
{
	const struct result_load *load = &about->variant->loads[about->index];

	if (load->sha256 == NULL)
		return;
	if (about->variant->load_count > 1)
		fprintf(stream, "%s: ", load->name);
	fprintf(stream, "%s, sha256 %s", load->dialect, load->sha256);
}

static void write_started(const struct about *about, FILE *stream)
{
	fputs(about->run->started, stream);
}

static void write_ended(const struct about *about, FILE *stream)
{
	fputs(about->run->ended, stream);
}

static void write_version(const struct about *about, FILE *stream)
{
	fputs(about->run->version, stream);
}

static void write_command(const struct about *about, FILE *stream)
{
	fputs(about->run->command, stream);
}

/* The lines of a description. A row has one line that is the same for all variants of a
 * sweep; one per variant; or one per load or target of each variant. */
static const struct row {
	enum describe_part part;
	const char *name;
	enum { OF_RUN, OF_VARIANT, OF_LOAD, OF_TARGET } scope;
	void (*write)(const struct about *about, FILE *stream);
	enum result_how how; /* of write_unsupported */
} rows[] = {
	{DESCRIBE_LABEL, "label", OF_RUN, write_label, 0},
	{DESCRIBE_NOTES, "notes", OF_RUN, write_notes, 0},
	{DESCRIBE_LOAD, "load", OF_LOAD, write_load, 0},
	{DESCRIBE_LOAD, "streams", OF_LOAD, write_streams, 0},
	{DESCRIBE_TARGETS, "target", OF_TARGET, write_target, 0},
	{DESCRIBE_TARGETS, "client", OF_TARGET, write_client, 0},
	{DESCRIBE_PLAN, "skipped", OF_LOAD, write_unsupported, RESULT_SKIPPED},
	{DESCRIBE_PLAN, "degraded", OF_LOAD, write_unsupported, RESULT_DEGRADED},
	{DESCRIBE_PLAN, "emulated", OF_LOAD, write_unsupported, RESULT_EMULATED},
	{DESCRIBE_PLAN, "sweep", OF_RUN, write_axes, 0},
	{DESCRIBE_PLAN, "users", OF_RUN, write_users, 0},
	{DESCRIBE_PLAN, "hosts", OF_RUN, write_hosts, 0},
	{DESCRIBE_PLAN, "clocks", OF_RUN, write_clocks, 0},
	{DESCRIBE_PLAN, "time", OF_RUN, write_time, 0},
	{DESCRIBE_PLAN, "latency", OF_RUN, write_latency, 0},
	{DESCRIBE_PLAN, "cold", OF_RUN, write_cold, 0},
	{DESCRIBE_PLAN, "samples", OF_RUN, write_samples, 0},
	{DESCRIBE_PLAN, "options", OF_RUN, write_options, 0},
	{DESCRIBE_PLAN, "seed", OF_RUN, write_seed, 0},
	{DESCRIBE_ORIGIN, "loadfile", OF_LOAD, write_digest, 0},
	{DESCRIBE_ORIGIN, "backend", OF_VARIANT, write_backends, 0},
	{DESCRIBE_ORIGIN, "machine", OF_RUN, write_machine, 0},
	{DESCRIBE_ORIGIN, "started", OF_RUN, write_started, 0},
	{DESCRIBE_ORIGIN, "ended", OF_RUN, write_ended, 0},
	{DESCRIBE_ORIGIN, "throng", OF_RUN, write_version, 0},
	{DESCRIBE_ORIGIN, "command", OF_RUN, write_command, 0},
};

/* A row that is being described. */
struct job {
	const struct row *row;
	const struct result_run *run;
	const struct naming *naming;
	size_t variants; /* that may have different texts */
	describe_line *line;
	void *context;
};

/* Return the number of lines that a row has for a variant. */
static size_t count_lines(const struct row *row, const struct result_variant *variant)
{
	if (row->scope == OF_LOAD)
		return variant->load_count;
	return row->scope == OF_TARGET ? variant->target_count : 1;
}

/* Return the text of a line, "" if there is none, or NULL if memory is short. */
static char *make_text(const struct job *job, size_t variant, size_t index)
{
	const struct about about = {job->run, job->naming, &job->run->variants[variant], index,
				    job->row->how};
	char *text = NULL;
	size_t bytes;
	FILE *stream = open_memstream(&text, &bytes);

	if (stream == NULL)
		return NULL;
	if (index < count_lines(job->row, about.variant))
		job->row->write(&about, stream);
	if (fclose(stream) == 0)
		return text;
	free(text);
	return NULL;
}

/* Return the variant that has the first value of an axis, and else the values of this
 * one. */
static size_t first_of(const struct result_run *run, size_t variant, size_t axis)
{
	size_t step = 1, i;

	for (i = axis + 1; i < run->axis_count; i++)
		step *= run->axes[i].value_count;
	return variant - variant / step % run->axes[axis].value_count * step;
}

/* Check if a variant has the values to which axes are fixed. NULL: any value. */
static bool is_in(const struct result_run *run, const char *const *fixed, size_t variant)
{
	size_t i;

	for (i = 0; i < run->axis_count; i++)
		if (fixed[i] != NULL && variant_value(run, variant, i) != fixed[i])
			return false;
	return true;
}

/* Return the first axis on whose value the text depends among these variants; or the
 * number of axes. */
static size_t find_axis(const struct job *job, char *const *texts, const char *const *fixed)
{
	size_t axis, i;

	for (axis = 0; axis < job->run->axis_count; axis++)
		for (i = 0; fixed[axis] == NULL && i < job->variants; i++)
			if (is_in(job->run, fixed, i) &&
			    strcmp(texts[i], texts[first_of(job->run, i, axis)]) != 0)
				return axis;
	return axis;
}

/* Check if the lines of a row have the values of this axis themselves. */
static bool has_values(const struct row *row, const char *axis)
{
	return (row->write == write_target && strcmp(axis, "target") == 0) ||
	       (row->write == write_load && strcmp(axis, "loadfile") == 0);
}

/* Write a text after the values to which axes are fixed: "bs=4Ki, sync=no: ". */
static void write_text(const struct job *job, const char *const *fixed, const char *text)
{
	const char *between = "";
	char *whole = NULL;
	size_t bytes, i;
	FILE *stream = open_memstream(&whole, &bytes);

	if (stream == NULL)
		return;
	for (i = 0; i < job->run->axis_count; i++) {
		const char *axis = job->run->axes[i].name;

		if (fixed[i] == NULL || has_values(job->row, axis))
			continue;
		fprintf(stream, "%s%s=%s", between, axis,
			naming_value(job->naming, axis, fixed[i]));
		between = ", ";
	}
	fprintf(stream, "%s%s", between[0] != '\0' ? ": " : "", text);
	if (fclose(stream) == 0)
		job->line(job->context, job->row->name, whole);
	free(whole);
}

/* Write the text of these variants: a line, if it is the same for all, or else those of
 * each value of the first axis that it depends on. */
static void write_texts(const struct job *job, char *const *texts, const char **fixed)
{
	const size_t axis = find_axis(job, texts, fixed);
	size_t i = 0;

	if (axis == job->run->axis_count) {
		while (!is_in(job->run, fixed, i))
			i++;
		if (texts[i][0] != '\0')
			write_text(job, fixed, texts[i]);
		return;
	}
	for (i = 0; i < job->run->axes[axis].value_count; i++) {
		fixed[axis] = job->run->axes[axis].values[i];
		write_texts(job, texts, fixed);
	}
	fixed[axis] = NULL;
}

/* Write the lines with this index. */
static void write_lines(const struct job *job, size_t index)
{
	char **texts = calloc(job->variants, sizeof(*texts));
	const char **fixed = calloc(job->run->axis_count + 1, sizeof(*fixed));
	bool known = texts != NULL && fixed != NULL;
	size_t i;

	for (i = 0; known && i < job->variants; i++) {
		texts[i] = make_text(job, i, index);
		known = texts[i] != NULL;
	}
	if (known)
		write_texts(job, texts, fixed);
	for (i = 0; texts != NULL && i < job->variants; i++)
		free(texts[i]);
	free(texts);
	free(fixed);
}

void describe_run(const struct result_run *run, unsigned parts, describe_line *line, void *context)
{
	struct naming *naming = naming_of(run);
	struct job job = {.run = run, .naming = naming, .line = line, .context = context};
	size_t i, j;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		size_t max = 0;

		if ((rows[i].part & parts) == 0)
			continue;
		job.row = &rows[i];
		job.variants = rows[i].scope == OF_RUN ? 1 : run->variant_count;
		/* Variants may have different numbers of loads or targets. */
		for (j = 0; j < job.variants; j++) {
			size_t count = count_lines(&rows[i], &run->variants[j]);

			max = count > max ? count : max;
		}
		for (j = 0; j < max; j++)
			write_lines(&job, j);
	}
	naming_free(naming);
}
