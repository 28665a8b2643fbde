/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "result/rows.h"

#include "base/clock.h"
#include "base/histogram.h"
#include "result/check.h"
#include "result/lists.h"

const struct schema_row schema_pair[] = {
	{NULL, SCHEMA_TEXT, .offset = 0},
	{NULL, SCHEMA_TEXT, .offset = sizeof(char *)},
	END,
};

static const struct schema_row load_rows[] = {
	{"name", TEXT(result_load, name)},
	{"weight", NUMBER(result_load, weight), KNOWN, .min = 1},
	{"sha256", TEXT(result_load, sha256), KNOWN},
	{"dialect", TEXT(result_load, dialect)},
	{"ops", COUNT(result_load, ops)},
	{"read_bytes", COUNT(result_load, read_bytes)},
	{"write_bytes", COUNT(result_load, write_bytes)},
	{"open_reads", COUNT(result_load, open_reads), KNOWN},
	{"laid_out_bytes", COUNT(result_load, laid_out_bytes), KNOWN},
	{"time_stamps_s", TIME(result_load, paced_ns, NS_PER_S), KNOWN},
	{"footprint_bytes", COUNT(result_load, footprint_bytes)},
	{"shared_footprint_bytes", COUNT(result_load, shared_footprint_bytes), KNOWN},
	{"synced", COUNT(result_load, synced)},
	{"streams", COUNT(result_load, streams), KNOWN},
	{"one_stream", TEXT(result_load, one_stream), KNOWN},
	END,
};

static const struct schema_row facts_rows[] = {
	{"kind", TEXT(result_target, kind)},
	{"protection", TEXT(result_target, protection), KNOWN},
	{"in_memory", TRUTH(result_target, in_memory)},
	{"answers", TRUTH(result_target, answers)},
	{"remote", TRUTH(result_target, remote)},
	{"free_bytes", COUNT(result_target, free_bytes), UNLESS_MAX},
	{"directory", TEXT(result_target, directory), KNOWN},
	{"in_use", TRUTH(result_target, in_use), KNOWN},
	END,
};

static const struct schema_row requests_rows[] = {
	{"as_recorded", REAL(result_requests, as_recorded), .max = 1},
	{"nearest", REAL(result_requests, nearest), .max = 1},
	{"skipped", REAL(result_requests, skipped), .max = 1},
	{"round_trips", REAL(result_requests, round_trips)},
	END,
};

static const void *find_requests(const void *record)
{
	const struct result_client *client = record;

	return client->requests.round_trips > 0 ? &client->requests : NULL;
}

static const struct schema_row client_rows[] = {
	{"name", TEXT(result_client, name)},
	{"algorithm", TEXT(result_client, algorithm), KNOWN},
	{"requests", OBJECT(result_client, requests, requests_rows), KNOWN, .find = find_requests},
	END,
};

static const void *find_client(const void *record)
{
	const struct result_target *target = record;

	return target->client.name != NULL ? &target->client : NULL;
}

static const struct schema_row target_rows[] = {
	{"url", TEXT(result_target, url)},
	{"backend", TEXT(result_target, backend)},
	{"library", TEXT(result_target, library)},
	{"library_version", TEXT(result_target, library_version)},
	{"client", OBJECT(result_target, client, client_rows), KNOWN, .find = find_client},
	{"facts", PART(facts_rows), .check = check_facts},
	END,
};

static const struct schema_row unsupported_rows[] = {
	{"name", TEXT(result_unsupported, name)},
	{"load", TEXT(result_unsupported, load), KNOWN},
	{"cannot", TEXT(result_unsupported, cannot)},
	{"ops", COUNT(result_unsupported, ops)},
	{"share", REAL(result_unsupported, share)},
	{"how", WORD(result_unsupported, how),
	 WORDS([RESULT_SKIPPED] = "skipped", [RESULT_DEGRADED] = "degraded",
	       [RESULT_EMULATED] = "emulated")},
	END,
};

static const struct schema_row axis_rows[] = {
	{"name", TEXT(result_axis, name)},
	{"values", VALUES(result_axis, values, value_count, SCHEMA_TEXT), .min = 1},
	END,
};

static const struct schema_row sampled_rows[] = {
	{"name", TEXT(result_sampled, name)},
	{"command", TEXT(result_sampled, command)},
	END,
};

static const struct schema_row estimate_rows[] = {
	{"value", REAL(result_estimate, value), .digits = 6},
	{"low", REAL(result_estimate, low), .digits = 6},
	{"high", REAL(result_estimate, high), .digits = 6},
	END,
};

static const struct schema_row usl_rows[] = {
	{"alpha", OBJECT(result_usl, alpha, estimate_rows)},
	{"beta", OBJECT(result_usl, beta, estimate_rows)},
	{"gamma", OBJECT(result_usl, gamma, estimate_rows)},
	{"peak_users", REAL(result_usl, peak_users), KNOWN, .digits = 6},
	END,
};

static const void *find_usl(const void *record)
{
	const struct result_variant *variant = record;

	return variant->usl.fitted ? &variant->usl : NULL;
}

const struct schema_row schema_variant[] = {
	{"set", PAIRS(result_variant, set, set_count), KNOWN},
	{"loads", OBJECTS(result_variant, loads, load_count, load_rows), .min = 1,
	 .max = CHECK_LOADS_MAX},
	{"targets", OBJECTS(result_variant, targets, target_count, target_rows), .min = 1},
	{"unsupported", OBJECTS(result_variant, unsupported, unsupported_count, unsupported_rows)},
	{"stopped_by", TEXT(result_variant, stopped_by), KNOWN},
	{"usl", OBJECT(result_variant, usl, usl_rows), .find = find_usl, DERIVED},
	END,
};

static const struct schema_row timed_rows[] = {
	{"time_s", TIME(result_run, phases.time_ns, NS_PER_S)},
	{"warmup_s", TIME(result_run, phases.warmup_ns, NS_PER_S)},
	{"ramp_down_s", TIME(result_run, phases.ramp_down_ns, NS_PER_S)},
	{"whole_loops", TRUTH(result_run, phases.whole_loops), KNOWN},
	END,
};

static const void *find_timed(const void *record)
{
	const struct result_run *run = record;

	return run->phases.loops == 0 ? run : NULL;
}

static const struct schema_row plan_rows[] = {
	{"users", VALUES(result_run, user_counts, user_count_count, SCHEMA_NUMBER, .min = 1)},
	{"sweep", OBJECTS(result_run, axes, axis_count, axis_rows), KNOWN},
	{"samples", OBJECTS(result_run, samples, sample_count, sampled_rows), KNOWN,
	 .max = RESULT_SAMPLES, .check = check_samples},
	{"order", SCHEMA_EITHER, HELD(result_run, random_order), WORDS("given", "random")},
	{"loops", COUNT(result_run, phases.loops), KNOWN, .min = 1},
	{NULL, PART(timed_rows), .find = find_timed},
	{"from_start", TRUTH(result_run, phases.from_start)},
	{"open_loop", TRUTH(result_run, open_loop), KNOWN},
	{"cold", TRUTH(result_run, phases.cold), KNOWN},
	{"settle_s", TIME(result_run, phases.settle_ns, NS_PER_S)},
	{"repeats", NUMBER(result_run, repeats), .min = 1},
	{"pairs", NUMBER(result_run, pairs), KNOWN, .min = 1},
	{"resumed", COUNT(result_run, resumed)},
	END,
};

static const struct schema_row host_rows[] = {
	{"name", TEXT(result_host, name)},
	{"kernel", TEXT(result_host, kernel)},
	{"cpus", NUMBER(result_host, cpus), .min = 1, .max = CHECK_CPUS_MAX},
	{"usable_cpus", NUMBER(result_host, usable_cpus), .min = 1, .max = CHECK_CPUS_MAX},
	{"memory_bytes", COUNT(result_host, memory_bytes)},
	{"clock_error_ms", REAL(result_host, clock_error_ms)},
	END,
};

static const struct schema_row run_rows[] = {
	{"label", CHARS(result_run, label), KNOWN},
	{"notes", PAIRS(result_run, notes, note_count), KNOWN, .max = RESULT_NOTES},
	{"version", TEXT(result_run, version)},
	{"command", TEXT(result_run, command)},
	{"started", STAMP(result_run, started)},
	{"ended", STAMP(result_run, ended), KNOWN},
	{"host", TEXT(result_run, host)},
	{"kernel", TEXT(result_run, kernel)},
	{"cpus", NUMBER(result_run, cpus), .min = 1},
	{"memory_bytes", COUNT(result_run, memory_bytes)},
	{"hosts", OBJECTS(result_run, hosts, host_count, host_rows), KNOWN, .max = CHECK_HOSTS_MAX,
	 .check = check_hosts},
	{"launcher", TEXT(result_run, launcher), KNOWN},
	{"seed", COUNT(result_run, seed)},
	{"busy_before", REAL(result_run, busy_before), KNOWN},
	{"tables", VALUES(result_run, tables, table_count, SCHEMA_TEXT), KNOWN,
	 .max = RESULT_TABLES},
	{"plan", PART(plan_rows)},
	{"options", PAIRS(result_run, options, option_count)},
	END,
};

static const struct schema_row cell_rows[] = {
	{"from_ns", COUNT(result_cell, from_ns),
	 .max = (double)((UINT64_C(1) << HISTOGRAM_RANGE_BITS) - 1)},
	{"count", COUNT(result_cell, count), .min = 1},
	END,
};

const struct schema_row schema_histogram[] = {
	{"min_ns", COUNT(result_histogram, min_ns)},
	{"max_ns", COUNT(result_histogram, max_ns)},
	{"longer", COUNT(result_histogram, longer)},
	{NULL, COLUMNS(result_histogram, cells, cell_count, cell_rows), .max = HISTOGRAM_CELLS},
	END,
};

/* Write fewer digits than usual: there are many seconds, and the file would
 * become large. */
static const struct schema_row second_rows[] = {
	{"at_s", REAL(result_second, at_s), .digits = 6},
	{"mb_per_s", REAL(result_second, mb_per_s), IF_VALID, .digits = 6},
	{"p99_ms", REAL(result_second, p99_ms), KNOWN, .digits = 4},
	END,
};

const struct schema_row schema_series[] = {
	{NULL, COLUMNS(result_repeat, seconds, second_count, second_rows)},
	END,
};

const struct schema_row schema_difference[] = {
	{"user", NUMBER(result_difference, user)},
	{"host", TEXT(result_difference, host), KNOWN},
	{"file", TEXT(result_difference, file)},
	{"offset", COUNT(result_difference, offset)},
	{"length", COUNT(result_difference, length)},
	{"kind", TEXT(result_difference, kind)},
	{"looks_like", TEXT(result_difference, looks_like)},
	{"read_back", TRUTH(result_difference, read_back)},
	{"expected", TEXT(result_difference, expected)},
	{"found", TEXT(result_difference, found)},
	END,
};

const struct schema_row schema_reasons[] = {
	{NULL, VALUES(result_reasons, texts, count, SCHEMA_TEXT)},
	END,
};

const struct schema_row schema_measurement[] = {
	{"order", NUMBER(result_repeat, order), .min = 1},
	{"pair", NUMBER(result_repeat, pair), KNOWN, .min = 1},
	{"started", STAMP(result_repeat, started)},
	{"invalid", NOTICES(result_repeat, invalid)},
	{"warnings", NOTICES(result_repeat, warnings)},
	END,
};

const struct schema_row schema_point[] = {
	{"invalid", NOTICES(result_point, invalid)},
	{"warnings", NOTICES(result_point, warnings)},
	END,
};

const struct schema_row schema_try[] = {
	{"rate_per_user", REAL(result_rate_step, per_user)},
	{"p99_ms", REAL(result_rate_step, p99_ms), KNOWN},
	{"completed_share", REAL(result_rate_step, completed_share)},
	{"answer", WORD(result_rate_step, answer),
	 WORDS([RESULT_HOLDS] = "holds", [RESULT_FAILS] = "fails", [RESULT_UNKNOWN] = "unknown")},
	{"why", TEXT(result_rate_step, why), KNOWN},
	END,
};

const struct schema_row schema_rate[] = {
	{"condition", TEXT(result_found_rate, condition)},
	{"per_user", REAL(result_found_rate, per_user)},
	{"total", REAL(result_found_rate, total)},
	{"gave_up", TEXT(result_found_rate, gave_up), KNOWN},
	END,
};

static const struct schema_row peak_rows[] = {
	{"users", NUMBER(result_point, users)},
	{"set", PAIRS(result_point, set, set_count), KNOWN},
	END,
};

static const void *find_peak(const void *record)
{
	const struct result *result = record;

	return result->peak < result->point_count ? &result->points[result->peak] : NULL;
}

static const struct schema_row limit_rows[] = {
	{"condition", TEXT(result_limit, condition)},
	{"set", PAIRS(result_limit, set, set_count), KNOWN},
	{"users", NUMBER(result_limit, users)},
	END,
};

static const struct schema_row answer_rows[] = {
	{"peak", PART(peak_rows), .find = find_peak, DERIVED},
	{"limits", OBJECTS(result, limits, limit_count, limit_rows), .check = check_limits},
	{"rates", SCHEMA_ROWS, .print = lists_print_rates, .read = lists_read_rates},
	END,
};

/* The reader needs this order: a row refers to those before it. */
const struct schema_row schema_result[] = {
	{"schema", SCHEMA_NAME, WORDS("throng-results/2")},
	{"run", OBJECT(result, run, run_rows)},
	{"variants", OBJECTS(result, run.variants, run.variant_count, schema_variant), .min = 1,
	 .check = check_variants},
	{"figures", SCHEMA_ROWS, .print = lists_print_figures, DERIVED},
	{"measurements", SCHEMA_ROWS, .print = lists_print_measurements,
	 .read = lists_read_measurements},
	{"records", SCHEMA_ROWS, .print = lists_print_records, .read = lists_read_records},
	{"points", SCHEMA_ROWS, .print = lists_print_points, DERIVED},
	{"series", SCHEMA_ROWS, .print = lists_print_series, .read = lists_read_series},
	{"samples", SCHEMA_ROWS, HELD(result, run.sample_count), KNOWN,
	 .print = lists_print_samples, .read = lists_read_samples},
	{"sample_points", SCHEMA_ROWS, HELD(result, run.sample_count), KNOWN,
	 .print = lists_print_sample_points, DERIVED},
	{"histograms", SCHEMA_ROWS, .print = lists_print_histograms, .read = lists_read_histograms},
	{"differences", SCHEMA_ROWS, .print = lists_print_differences,
	 .read = lists_read_differences},
	{"answers", PART(answer_rows)},
	{"tries", SCHEMA_ROWS, .print = lists_print_tries, .read = lists_read_tries},
	END,
};
