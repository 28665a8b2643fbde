/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "result/schema.h"

#include "base/clock.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* To so small a part is a number written; a mean has more digits than the
 * times that it is one of. */
#define REAL_STEPS 1e6
#define MEAN_STEPS 1e9

/* Above this a double has no parts any more. */
#define DOUBLE_EXACT 9e15

const char *const schema_hows[] = {
	[RESULT_SKIPPED] = "skipped",
	[RESULT_DEGRADED] = "degraded",
	[RESULT_EMULATED] = "emulated",
	NULL,
};

const char *const schema_orders[] = {"given", "random", NULL};

#define AT(structure, member) .offset = offsetof(struct structure, member)
#define LIST_END {.key = NULL}

const struct field schema_run[] = {
	{"version", FIELD_TEXT, AT(result_run, version)},
	{"command", FIELD_TEXT, AT(result_run, command)},
	{"started", FIELD_STAMP, AT(result_run, started)},
	{"host", FIELD_TEXT, AT(result_run, host)},
	{"kernel", FIELD_TEXT, AT(result_run, kernel)},
	{"cpus", FIELD_NUMBER, AT(result_run, cpus), .min = 1},
	{"memory_bytes", FIELD_COUNT, AT(result_run, memory_bytes)},
	{"seed", FIELD_COUNT, AT(result_run, seed)},
	{"busy_before", FIELD_REAL, FIELD_KNOWN, AT(result_run, busy_before)},
	LIST_END,
};

const struct field schema_loadfile[] = {
	{"name", FIELD_TEXT, AT(result_run, loadfile.name)},
	{"sha256", FIELD_TEXT, FIELD_KNOWN, AT(result_run, loadfile.sha256)},
	{"dialect", FIELD_TEXT, AT(result_run, loadfile.dialect)},
	{"ops", FIELD_COUNT, AT(result_run, loadfile.ops)},
	{"read_bytes", FIELD_COUNT, AT(result_run, loadfile.read_bytes)},
	{"write_bytes", FIELD_COUNT, AT(result_run, loadfile.write_bytes)},
	{"open_reads", FIELD_COUNT, FIELD_KNOWN,
	 AT(result_run, loadfile.open_reads)},
	{"footprint_bytes", FIELD_COUNT,
	 AT(result_run, loadfile.footprint_bytes)},
	{"synced", FIELD_COUNT, AT(result_run, loadfile.synced)},
	LIST_END,
};

const struct field schema_timed[] = {
	{"time_s", FIELD_TIME, AT(result_run, time_ns), .unit_ns = NS_PER_S},
	{"warmup_s", FIELD_TIME, AT(result_run, warmup_ns),
	 .unit_ns = NS_PER_S},
	{"ramp_down_s", FIELD_TIME, AT(result_run, ramp_down_ns),
	 .unit_ns = NS_PER_S},
	LIST_END,
};

const struct field schema_looped[] = {
	{"loops", FIELD_COUNT, AT(result_run, loops), .min = 1},
	LIST_END,
};

const struct field schema_planned[] = {
	{"from_start", FIELD_TRUTH, AT(result_run, from_start)},
	{"settle_s", FIELD_TIME, AT(result_run, settle_ns),
	 .unit_ns = NS_PER_S},
	{"users_from", FIELD_NUMBER, FIELD_KNOWN, AT(result_run, users_from)},
	{"repeats", FIELD_NUMBER, AT(result_run, repeats), .min = 1},
	{"pairs", FIELD_NUMBER, FIELD_KNOWN, AT(result_run, pairs), .min = 1},
	{"stopped_by", FIELD_TEXT, FIELD_KNOWN, AT(result_run, stopped_by)},
	{"resumed", FIELD_COUNT, AT(result_run, resumed)},
	LIST_END,
};

const struct field schema_target[] = {
	{"url", FIELD_TEXT, AT(result_target, url)},
	{"backend", FIELD_TEXT, AT(result_target, backend)},
	{"library", FIELD_TEXT, AT(result_target, library)},
	{"library_version", FIELD_TEXT, AT(result_target, library_version)},
	LIST_END,
};

const struct field schema_facts[] = {
	{"kind", FIELD_TEXT, AT(result_target, kind)},
	{"protection", FIELD_TEXT, FIELD_KNOWN, AT(result_target, protection)},
	{"in_memory", FIELD_TRUTH, AT(result_target, in_memory)},
	{"answers", FIELD_TRUTH, AT(result_target, answers)},
	{"remote", FIELD_TRUTH, AT(result_target, remote)},
	LIST_END,
};

const struct field schema_unsupported[] = {
	{"name", FIELD_TEXT, AT(result_unsupported, name)},
	{"cannot", FIELD_TEXT, AT(result_unsupported, cannot)},
	{"ops", FIELD_COUNT, AT(result_unsupported, ops)},
	{"share", FIELD_REAL, AT(result_unsupported, share)},
	LIST_END,
};

const struct field schema_repeat[] = {
	{"started", FIELD_STAMP, AT(result_repeat, started)},
	{"order", FIELD_NUMBER, AT(result_repeat, order), .min = 1},
	{"pair", FIELD_NUMBER, FIELD_KNOWN, AT(result_repeat, pair), .min = 1},
	{"began_s", FIELD_REAL, FIELD_KNOWN, AT(result_repeat, began_s)},
	LIST_END,
};

const struct field schema_figures[] = {
	{"seconds", FIELD_REAL, AT(result_figures, seconds)},
	{"mb_per_s", FIELD_REAL, FIELD_RATE, AT(result_figures, mb_per_s)},
	{"ops_per_s", FIELD_REAL, FIELD_RATE, AT(result_figures, ops_per_s)},
	{"ops", FIELD_COUNT, AT(result_figures, ops)},
	{"bytes", FIELD_COUNT, AT(result_figures, bytes)},
	{"loops", FIELD_COUNT, AT(result_figures, loops)},
	{"errors", FIELD_COUNT, AT(result_figures, errors)},
	{"mismatches", FIELD_COUNT, AT(result_figures, mismatches)},
	{"skipped", FIELD_COUNT, AT(result_figures, skipped)},
	{"late_ms", FIELD_REAL, FIELD_KNOWN, AT(result_figures, late_ms)},
	{"stood_still_s", FIELD_REAL, FIELD_KNOWN,
	 AT(result_figures, stood_still_s)},
	{"silent_s", FIELD_COUNT, FIELD_KNOWN, AT(result_figures, silent_s)},
	{"held_up_s", FIELD_REAL, FIELD_KNOWN, AT(result_figures, held_up_s)},
	LIST_END,
};

const struct field schema_progress[] = {
	{"min", FIELD_COUNT, AT(result_figures, min_user_ops)},
	{"median", FIELD_COUNT, AT(result_figures, median_user_ops)},
	{"max", FIELD_COUNT, AT(result_figures, max_user_ops)},
	LIST_END,
};

const struct field schema_cpu[] = {
	{"user_s", FIELD_REAL, AT(result_cpu, user_s)},
	{"system_s", FIELD_REAL, AT(result_cpu, system_s)},
	{"utilisation", FIELD_REAL, AT(result_cpu, utilisation)},
	{"per_op_us", FIELD_REAL, AT(result_cpu, per_op_us)},
	{"waits", FIELD_COUNT, AT(result_cpu, waits)},
	{"preemptions", FIELD_COUNT, AT(result_cpu, preemptions)},
	LIST_END,
};

#define TIME(name, member, unit) \
	{name, FIELD_TIME, FIELD_KNOWN, AT(result_latency, member), \
	 .unit_ns = (unit)}
#define LATENCIES(unit) \
	{"mean", FIELD_MEAN, AT(result_latency, mean_ns), .unit_ns = (unit)}, \
	TIME("p50", p50_ns, unit), TIME("p90", p90_ns, unit), \
	TIME("p95", p95_ns, unit), TIME("p99", p99_ns, unit), \
	TIME("p99_9", p99_9_ns, unit), TIME("max", max_ns, unit)

const struct field schema_latency[] = {
	LATENCIES(NS_PER_MS),
	LIST_END,
};

const struct field schema_loop[] = {
	{"count", FIELD_COUNT, AT(result_latency, count), .min = 1},
	LATENCIES(NS_PER_S),
	LIST_END,
};

const struct field schema_operation[] = {
	{"name", FIELD_TEXT, AT(result_operation, name)},
	{"count", FIELD_COUNT, AT(result_operation, count)},
	{"bytes", FIELD_COUNT, AT(result_operation, bytes)},
	{"errors", FIELD_COUNT, AT(result_operation, errors)},
	{"mismatches", FIELD_COUNT, AT(result_operation, mismatches)},
	{"sum_ns", FIELD_COUNT, AT(result_operation, sum_ns)},
	LIST_END,
};

double schema_shown(const struct field *field, double value)
{
	double steps = field->kind == FIELD_MEAN ? MEAN_STEPS : REAL_STEPS;
	char text[32];

	if (field->kind == FIELD_TIME || field->kind == FIELD_MEAN)
		value /= field->unit_ns;
	if (field->kind != FIELD_TIME && fabs(value) < DOUBLE_EXACT / steps)
		value = round(value * steps) / steps;
	snprintf(text, sizeof(text), "%.*g", SCHEMA_DIGITS, value);
	return strtod(text, NULL);
}

static void round_fields(const struct field *field, void *record)
{
	for (; field->key != NULL; field++) {
		void *at = (char *)record + field->offset;
		double *value = at;
		uint64_t *time_ns = at;

		if (field->kind == FIELD_REAL)
			*value = schema_shown(field, *value);
		else if (field->kind == FIELD_MEAN)
			*value = schema_shown(field, *value) * field->unit_ns;
		else if (field->kind == FIELD_TIME)
			*time_ns = (uint64_t)llround(
				schema_shown(field, (double)*time_ns) *
				field->unit_ns);
	}
}

void schema_round(struct result_repeat *repeat)
{
	struct result_figures *figures = &repeat->figures;
	size_t i;

	round_fields(schema_figures, figures);
	round_fields(schema_cpu, &figures->client_cpu);
	round_fields(schema_latency, &figures->latency);
	round_fields(schema_loop, &figures->loop);
	for (i = 0; i < figures->operation_count; i++)
		round_fields(schema_latency, &figures->operations[i].latency);
}
