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

static void write_label(const struct result_run *run, FILE *stream)
{
	fputs(run->label, stream);
}

static void write_pairs(char *const *pairs, size_t count, FILE *stream)
{
	size_t i;

	for (i = 0; i < count; i++)
		fprintf(stream, "%s%s=%s", i > 0 ? ", " : "", pairs[2 * i], pairs[2 * i + 1]);
}

static void write_notes(const struct result_run *run, FILE *stream)
{
	write_pairs(run->notes, run->note_count, stream);
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

static void write_load(const struct result_variant *variant, size_t index, FILE *stream)
{
	char ops[UNITS_TEXT], reads[UNITS_TEXT], writes[UNITS_TEXT];
	char footprint[UNITS_TEXT];
	char paced[UNITS_TEXT];
	const struct result_load *load = &variant->loads[index];

	fputs(load->name, stream);
	write_turns(variant, load, stream);
	fprintf(stream, ": %s %s per loop, %s%s read, %s written, footprint %s",
		units_print_count(load->ops, ops),
		units_plural(load->ops, "operation", "operations"),
		load->open_reads > 0 ? "at least " : "", units_print_bytes(load->read_bytes, reads),
		units_print_bytes(load->write_bytes, writes),
		units_print_bytes(load->footprint_bytes, footprint));
	if (load->shared_footprint_bytes > 0)
		fprintf(stream, " per user and %s per target",
			units_print_bytes(load->shared_footprint_bytes, footprint));
	if (load->paced_ns > 0)
		fprintf(stream, "; its time stamps take %s",
			units_print_duration(load->paced_ns, paced));
}

static void write_target(const struct result_variant *variant, size_t index, FILE *stream)
{
	const struct result_target *target = &variant->targets[index];
	char space[UNITS_TEXT];

	fprintf(stream, "%s (%s", target->url, target->kind);
	if (target->protection[0] != '\0')
		fprintf(stream, ", %s", target->protection);
	if (target->free_bytes != UINT64_MAX)
		fprintf(stream, ", %s free", units_print_bytes(target->free_bytes, space));
	fputc(')', stream);
}

/* Return the text if it is known, or "". */
static const char *known(const char *text)
{
	return text != NULL ? text : "";
}

/* Check if the same client plays on two targets. */
static bool is_same_client(const struct result_client *one, const struct result_client *other)
{
	return other->name != NULL && strcmp(one->name, other->name) == 0 &&
	       strcmp(known(one->algorithm), known(other->algorithm)) == 0;
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
 * same client: "raw, AES-128-GMAC: 99.99 % as recorded, 0 skipped". */
static void write_client(const struct result_variant *variant, size_t index, FILE *stream)
{
	const struct result_client *client = &variant->targets[index].client;
	size_t i;

	if (client->name == NULL)
		return;
	for (i = 0; i < index; i++)
		if (is_same_client(client, &variant->targets[i].client))
			return;
	fputs(client->name, stream);
	if (client->algorithm != NULL)
		fprintf(stream, ", %s", client->algorithm);
	if (client->requests.round_trips > 0)
		write_requests(&client->requests, stream);
}

/* Check if an operation belongs to the load `name`, or if `name` is NULL
 * because there is only one load. */
static bool is_of_load(const struct result_unsupported *item, const char *name)
{
	return name == NULL || (item->load != NULL && strcmp(item->load, name) == 0);
}

/* Write the share of a load that is skipped, degraded or emulated (`how`), if
 * this applies to operations of several names. */
static void write_share(const struct result_variant *variant, const char *load, enum result_how how,
			FILE *stream)
{
	double share = 0;
	size_t count = 0, i;

	for (i = 0; i < variant->unsupported_count; i++) {
		if (variant->unsupported[i].how != how ||
		    !is_of_load(&variant->unsupported[i], load))
			continue;
		share += variant->unsupported[i].share;
		count++;
	}
	if (count > 0 && load != NULL)
		fprintf(stream, "%s: ", load);
	if (count > 1)
		fprintf(stream, "%.3g %% of the load: ", 100 * share);
}

/* List the operations of a load that are skipped, degraded or emulated
 * (`how`). */
static void write_unsupported(const struct result_variant *variant, size_t index,
			      enum result_how how, FILE *stream)
{
	const char *load = variant->load_count > 1 ? variant->loads[index].name : NULL;
	const char *cannot = NULL;
	size_t i;

	write_share(variant, load, how, stream);
	for (i = 0; i < variant->unsupported_count; i++) {
		const struct result_unsupported *item = &variant->unsupported[i];

		if (item->how != how || !is_of_load(item, load))
			continue;
		fprintf(stream, "%s%s (%.3g %%", cannot != NULL ? ", " : "", item->name,
			100 * item->share);
		if (cannot == NULL || strcmp(item->cannot, cannot) != 0)
			fprintf(stream, ": no %s", item->cannot);
		fputc(')', stream);
		cannot = item->cannot;
	}
}

static void write_skipped(const struct result_variant *variant, size_t index, FILE *stream)
{
	write_unsupported(variant, index, RESULT_SKIPPED, stream);
}

static void write_degraded(const struct result_variant *variant, size_t index, FILE *stream)
{
	write_unsupported(variant, index, RESULT_DEGRADED, stream);
}

static void write_emulated(const struct result_variant *variant, size_t index, FILE *stream)
{
	write_unsupported(variant, index, RESULT_EMULATED, stream);
}

static void write_users(const struct result_run *run, FILE *stream)
{
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

static void write_axes(const struct result_run *run, FILE *stream)
{
	struct naming *naming;
	char set[VARIANT_TEXT];
	size_t i, j;

	/* A view of one variant has its values only. */
	if (run->variant_count == 1) {
		fputs(variant_print(run->variants[0].set, run->variants[0].set_count, set), stream);
		return;
	}
	/* There are lines about the targets: elsewhere they have short names. */
	naming = naming_of(run);
	for (i = 0; i < run->axis_count; i++) {
		const struct result_axis *axis = &run->axes[i];

		fprintf(stream, "%s%s=", i > 0 ? "; " : "", axis->name);
		for (j = 0; j < axis->value_count; j++)
			fprintf(stream, "%s%s", j > 0 ? ", " : "",
				strcmp(axis->name, "target") == 0
					? naming_value(naming, axis->name, axis->values[j])
					: axis->values[j]);
	}
	naming_free(naming);
}

static void write_time(const struct result_run *run, FILE *stream)
{
	const struct phases *phases = &run->phases;
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

static void write_latency(const struct result_run *run, FILE *stream)
{
	if (run->paced)
		fputs("response times, from the moment at which an operation was due to its end",
		      stream);
}

static void write_cold(const struct result_run *run, FILE *stream)
{
	if (run->phases.cold)
		fputs("the load's files are dropped from the page cache before each point and each "
		      "phase",
		      stream);
}

static void write_options(const struct result_run *run, FILE *stream)
{
	write_pairs(run->options, run->option_count, stream);
}

static void write_seed(const struct result_run *run, FILE *stream)
{
	fprintf(stream, "%" PRIu64, run->seed);
}

/* Write the backends of all targets in one line; `index` is 0. */
static void write_backends(const struct result_variant *variant, size_t index, FILE *stream)
{
	size_t i;

	for (i = index; i < variant->target_count; i++) {
		const struct result_target *target = &variant->targets[i];

		/* Name a backend only once for several targets in a row. */
		if (i > 0 && strcmp(target->backend, variant->targets[i - 1].backend) == 0)
			continue;
		fprintf(stream, "%s%s", i > 0 ? ", " : "", target->backend);
		if (target->library != NULL && target->library[0] != '\0')
			fprintf(stream, " (%s%s%s)", target->library,
				target->library_version[0] != '\0' ? " " : "",
				target->library_version);
	}
}

static void write_machine(const struct result_run *run, FILE *stream)
{
	char memory[UNITS_TEXT];

	fprintf(stream, "%s: %u %s", run->host, run->cpus,
		units_plural(run->cpus, "processor", "processors"));
	if (run->memory_bytes > 0)
		fprintf(stream, ", %s of memory", units_print_bytes(run->memory_bytes, memory));
	fprintf(stream, "; %s", run->kernel);
}

static void write_digest(const struct result_variant *variant, size_t index, FILE *stream)
{
	const struct result_load *load = &variant->loads[index];

	if (load->sha256 == NULL)
		return;
	if (variant->load_count > 1)
		fprintf(stream, "%s: ", load->name);
	fprintf(stream, "%s, sha256 %s", load->dialect, load->sha256);
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

static size_t count_loads(const struct result_variant *variant)
{
	return variant->load_count;
}

static size_t count_targets(const struct result_variant *variant)
{
	return variant->target_count;
}

static size_t count_one(const struct result_variant *variant)
{
	(void)variant;
	return 1;
}

/* The lines of a description. A row has either `write`, for one line that is the
 * same for all variants of a sweep; or `count` and `write_one`, for a line per
 * load or target, with its index. */
static const struct row {
	enum describe_part part;
	const char *name;
	void (*write)(const struct result_run *run, FILE *stream);
	size_t (*count)(const struct result_variant *variant);
	void (*write_one)(const struct result_variant *variant, size_t index, FILE *stream);
} rows[] = {
	{DESCRIBE_LABEL, "label", .write = write_label},
	{DESCRIBE_NOTES, "notes", .write = write_notes},
	{DESCRIBE_LOAD, "load", NULL, count_loads, write_load},
	{DESCRIBE_TARGETS, "target", NULL, count_targets, write_target},
	{DESCRIBE_TARGETS, "client", NULL, count_targets, write_client},
	{DESCRIBE_PLAN, "skipped", NULL, count_loads, write_skipped},
	{DESCRIBE_PLAN, "degraded", NULL, count_loads, write_degraded},
	{DESCRIBE_PLAN, "emulated", NULL, count_loads, write_emulated},
	{DESCRIBE_PLAN, "sweep", .write = write_axes},
	{DESCRIBE_PLAN, "users", .write = write_users},
	{DESCRIBE_PLAN, "time", .write = write_time},
	{DESCRIBE_PLAN, "latency", .write = write_latency},
	{DESCRIBE_PLAN, "cold", .write = write_cold},
	{DESCRIBE_PLAN, "options", .write = write_options},
	{DESCRIBE_PLAN, "seed", .write = write_seed},
	{DESCRIBE_ORIGIN, "loadfile", NULL, count_loads, write_digest},
	{DESCRIBE_ORIGIN, "backend", NULL, count_one, write_backends},
	{DESCRIBE_ORIGIN, "machine", .write = write_machine},
	{DESCRIBE_ORIGIN, "started", .write = write_started},
	{DESCRIBE_ORIGIN, "throng", .write = write_version},
	{DESCRIBE_ORIGIN, "command", .write = write_command},
};

/* Return the number of lines of a row. Variants may have different numbers. */
static size_t count_lines(const struct result_run *run, const struct row *row)
{
	size_t max = row->write != NULL, i;

	for (i = 0; row->write == NULL && i < run->variant_count; i++)
		if (row->count(&run->variants[i]) > max)
			max = row->count(&run->variants[i]);
	return max;
}

/* Return the text of a line of a row, "" if there is none, or NULL if memory is
 * short. `index` is for write_one. */
static char *make_text(const struct result_run *run, size_t variant, const struct row *row,
		       size_t index)
{
	char *text = NULL;
	size_t bytes;
	FILE *stream = open_memstream(&text, &bytes);

	if (stream == NULL)
		return NULL;
	if (row->write != NULL)
		row->write(run, stream);
	else if (index < row->count(&run->variants[variant]))
		row->write_one(&run->variants[variant], index, stream);
	if (fclose(stream) == 0)
		return text;
	free(text);
	return NULL;
}

/* Variants of a run that have the same text. */
struct group {
	const struct result_run *run;
	bool *members; /* one element per variant */
	size_t count;
};

/* Count the different values of an axis in a group, and set *only to the last
 * one. */
static size_t count_values(const struct group *group, size_t axis, const char **only)
{
	const struct result_axis *of = &group->run->axes[axis];
	size_t values = 0, i, j;

	for (i = 0; i < of->value_count; i++) {
		for (j = 0; j < group->run->variant_count; j++)
			if (group->members[j] &&
			    strcmp(variant_value(group->run, j, axis), of->values[i]) == 0)
				break;
		if (j == group->run->variant_count)
			continue;
		*only = of->values[i];
		values++;
	}
	return values;
}

/* Check if the group consists of all variants with some values of some axes, so
 * that these values describe it. */
static bool is_box(const struct group *group)
{
	size_t product = 1, i;
	const char *only;

	for (i = 0; i < group->run->axis_count; i++) {
		size_t all = group->run->axes[i].value_count;
		size_t values = count_values(group, i, &only);

		if (values != 1 && values != all)
			return false;
		product *= values;
	}
	return product == group->count;
}

/* Write the values that only the variants of the group have in common: "bs=4Ki,
 * sync=no: ". Leave out the targets before a line about a target. */
static void write_group(const struct group *group, const struct row *row, FILE *stream)
{
	struct naming *naming = naming_of(group->run);
	const char *between = "", *only = "";
	size_t i;

	for (i = 0; i < group->run->axis_count; i++) {
		const struct result_axis *axis = &group->run->axes[i];

		if (axis->value_count == 1 || count_values(group, i, &only) != 1 ||
		    (row->write_one == write_target && strcmp(axis->name, "target") == 0))
			continue;
		fprintf(stream, "%s%s=%s", between, axis->name,
			naming_value(naming, axis->name, only));
		between = ", ";
	}
	fputs(between[0] != '\0' ? ": " : "", stream);
	naming_free(naming);
}

/* Find the variants that have the same text as `first`, from there on. */
static void find_group(char *const *texts, size_t first, struct group *group)
{
	size_t count = group->run->variant_count, i;

	memset(group->members, 0, count * sizeof(*group->members));
	group->count = 0;
	for (i = first; i < count; i++) {
		group->members[i] = strcmp(texts[i], texts[first]) == 0;
		group->count += group->members[i];
	}
}

/* Write a line for a text, after the values to which it applies. If the group
 * is not a box, write the line for variant `first` only. */
static void describe_group(struct group *group, size_t first, const char *text,
			   const struct row *row, describe_line *line, void *context)
{
	size_t variants = group->run->variant_count, bytes;
	char *whole = NULL;
	FILE *stream = open_memstream(&whole, &bytes);

	if (stream == NULL)
		return;
	if (!is_box(group)) {
		memset(group->members, 0, variants * sizeof(*group->members));
		group->members[first] = true;
	}
	write_group(group, row, stream);
	fputs(text, stream);
	if (fclose(stream) == 0)
		line(context, row->name, whole);
	free(whole);
}

/* Describe a row of a run with several variants: write each text once. */
static void describe_variants(const struct result_run *run, const struct row *row, size_t index,
			      describe_line *line, void *context)
{
	char **texts = calloc(run->variant_count, sizeof(*texts));
	bool *done = calloc(run->variant_count, sizeof(*done));
	bool *members = calloc(run->variant_count, sizeof(*members));
	struct group group = {.run = run, .members = members};
	size_t i, j;
	bool known = texts != NULL && done != NULL && members != NULL;

	for (i = 0; known && i < run->variant_count; i++) {
		texts[i] = make_text(run, i, row, index);
		known = texts[i] != NULL;
	}
	for (i = 0; known && i < run->variant_count; i++) {
		if (done[i] || texts[i][0] == '\0')
			continue;
		find_group(texts, i, &group);
		describe_group(&group, i, texts[i], row, line, context);
		for (j = i; j < run->variant_count; j++)
			done[j] |= group.members[j];
	}
	for (i = 0; texts != NULL && i < run->variant_count; i++)
		free(texts[i]);
	free(texts);
	free(done);
	free(members);
}

static void describe_row(const struct result_run *run, const struct row *row, size_t index,
			 describe_line *line, void *context)
{
	char *text;

	if (run->variant_count > 1 && row->write == NULL) {
		describe_variants(run, row, index, line, context);
		return;
	}
	text = make_text(run, 0, row, index);
	if (text != NULL && text[0] != '\0')
		line(context, row->name, text);
	free(text);
}

void describe_run(const struct result_run *run, unsigned parts, describe_line *line, void *context)
{
	size_t i, j;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		size_t count = count_lines(run, &rows[i]);

		if ((rows[i].part & parts) == 0)
			continue;
		for (j = 0; j < count; j++)
			describe_row(run, &rows[i], j, line, context);
	}
}
