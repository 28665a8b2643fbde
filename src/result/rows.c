/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "result/rows.h"

#include "base/clock.h"
#include "base/histogram.h"
#include "result/check.h"

const struct schema_row schema_pair[] = {
	{NULL, SCHEMA_TEXT, .offset = 0},
	{NULL, SCHEMA_TEXT, .offset = sizeof(char *)},
	END,
};

/* Figures that schema_figures and schema_operation both have. */
static const struct schema_figure played = {CSV(5, "count")}, bytes = {CSV(6, "bytes")},
				  errors = {"errors", .unit = "", .heading = "errors",
					    CSV(7, "errors")},
				  mismatches = {"mismatches", .unit = "", .heading = "mismatches",
						CSV(8, "mismatches")},
				  mb_per_s = {"mb_per_s",          .unit = "MB/s",
					      .heading = "MB/s",   .more_is_better = true,
					      CSV(16, "mb_per_s"), .gobench = "MB/s"},
				  ops_per_s = {"ops_per_s",          .unit = "/s",
					       .heading = "ops/s",   .more_is_better = true,
					       CSV(17, "ops_per_s"), .gobench = "ops/s"};

static const struct schema_row cell_rows[] = {
	{"from_ns", COUNT(result_cell, from_ns),
	 .max = (double)((UINT64_C(1) << HISTOGRAM_RANGE_BITS) - 1)},
	{"count", COUNT(result_cell, count), .min = 1},
	END,
};

static const struct schema_row histogram_rows[] = {
	{"min_ns", COUNT(result_histogram, min_ns)},
	{"max_ns", COUNT(result_histogram, max_ns)},
	{"longer", COUNT(result_histogram, longer)},
	{NULL, COLUMNS(result_histogram, cells, cell_count, cell_rows), .max = HISTOGRAM_CELLS},
	END,
};

#define MEAN(unit) SCHEMA_MEAN, HELD(result_latency, mean_ns), .unit_ns = (unit), MEDIAN
#define PERCENTILE(member, unit) TIME(result_latency, member, unit), KNOWN, MEDIAN_KNOWN
#define LONGEST(unit) TIME(result_latency, max_ns, unit), KNOWN, MAX
#define HISTOGRAM \
	POINTER(result_latency, histogram, histogram_rows), KNOWN, .check = check_histogram

#define IN_MS(name, column, ...) \
	FIGURE(name, .unit = "ms", CSV(column, name "_ms"), .gobench = __VA_ARGS__)

static const struct schema_row latency_rows[] = {
	{"count", COUNT(result_latency, count), NEVER, SUM},
	{"mean", MEAN(NS_PER_MS), IN_MS("mean", 9, "ns/op")},
	{"p50", PERCENTILE(p50_ns, NS_PER_MS), IN_MS("p50", 10, "p50-ns/op")},
	{"p90", PERCENTILE(p90_ns, NS_PER_MS),
	 IN_MS("p90", 11, "p90-ns/op", .samples = SAMPLES_P90)},
	{"p95", PERCENTILE(p95_ns, NS_PER_MS),
	 IN_MS("p95", 12, "p95-ns/op", .samples = SAMPLES_P95)},
	{"p99", PERCENTILE(p99_ns, NS_PER_MS),
	 IN_MS("p99", 13, "p99-ns/op", .samples = SAMPLES_P99)},
	{"p99_9", PERCENTILE(p99_9_ns, NS_PER_MS),
	 IN_MS("p99_9", 14, "p99.9-ns/op", .also = "p99.9", .samples = SAMPLES_P99_9)},
	{"max", LONGEST(NS_PER_MS), IN_MS("max", 15, "max-ns/op")},
	{"histogram", HISTOGRAM},
	END,
};

static const struct schema_row loop_rows[] = {
	{"count", COUNT(result_latency, count), .min = 1, SUM},
	{"mean", MEAN(NS_PER_S)},
	{"p50", PERCENTILE(p50_ns, NS_PER_S), FIGURE("loop", .unit = "s")},
	{"p90", PERCENTILE(p90_ns, NS_PER_S)},
	{"p95", PERCENTILE(p95_ns, NS_PER_S)},
	{"p99", PERCENTILE(p99_ns, NS_PER_S)},
	{"p99_9", PERCENTILE(p99_9_ns, NS_PER_S)},
	{"max", LONGEST(NS_PER_S)},
	{"histogram", HISTOGRAM},
	END,
};

/* The rows of service times and so on, whose p99 and max are figures. */
/* clang-format off */
#define DISTRIBUTION(name, column) { \
	{"count", COUNT(result_latency, count), .min = 1, SUM}, \
	{"mean", MEAN(NS_PER_MS)}, \
	{"p50", PERCENTILE(p50_ns, NS_PER_MS), \
	 FIGURE(name "_p50", .unit = "ms", .heading = name " p50", \
	       .paced = true, \
	       CSV(column, name "_p50_ms"))}, \
	{"p90", PERCENTILE(p90_ns, NS_PER_MS)}, \
	{"p95", PERCENTILE(p95_ns, NS_PER_MS)}, \
	{"p99", PERCENTILE(p99_ns, NS_PER_MS), \
	 FIGURE(name "_p99", .unit = "ms", .heading = name " p99", \
	       .paced = true, \
	       .samples = SAMPLES_P99, \
	       CSV(column + 1, name "_p99_ms"))}, \
	{"p99_9", PERCENTILE(p99_9_ns, NS_PER_MS)}, \
	{"max", LONGEST(NS_PER_MS), \
	 FIGURE(name "_max", .unit = "ms", .heading = name " max", \
	       .paced = true, \
	       CSV(column + 2, name "_max_ms"))}, \
	{"histogram", HISTOGRAM}, \
	END, \
}

static const struct schema_row
	service_rows[] = DISTRIBUTION("service", 29),
	lateness_rows[] = DISTRIBUTION("lateness", 32);
/* clang-format on */

static const struct schema_row unfinished_rows[] = {
	{"count", COUNT(result_latency, count), .min = 1, SUM,
	 FIGURE("unfinished", .unit = "", .paced = true)},
	{"mean", MEAN(NS_PER_MS)},
	{"max", LONGEST(NS_PER_MS)},
	{"histogram", HISTOGRAM},
	END,
};

static const struct schema_row due_rows[] = {
	{"count", COUNT(result_due, count), .min = 1, SUM},
	{"ended", COUNT(result_due, ended), SUM},
	{"per_s", REAL(result_due, per_s), MEDIAN, DERIVED,
	 FIGURE("due_per_s", .unit = "/s", .heading = "due/s", .paced = true,
		CSV(27, "due_per_s"))},
	{"ended_share", REAL(result_due, ended_share), MEDIAN, DERIVED,
	 FIGURE("ended", .unit = "%", .factor = 100, .more_is_better = true, .paced = true,
		CSV(28, "ended_share"))},
	END,
};

static const void *find_due(const void *record)
{
	const struct result_figures *figures = record;

	return figures->due.count > 0 ? &figures->due : NULL;
}

/* Return one of the distributions, or NULL if it has no samples. */
static const void *find_known(const struct result_latency *latency)
{
	return latency->count > 0 ? latency : NULL;
}

static const void *find_service(const void *record)
{
	return find_known(&((const struct result_figures *)record)->service);
}

static const void *find_lateness(const void *record)
{
	return find_known(&((const struct result_figures *)record)->lateness);
}

static const void *find_unfinished(const void *record)
{
	return find_known(&((const struct result_figures *)record)->unfinished);
}

static const void *find_loop(const void *record)
{
	return find_known(&((const struct result_figures *)record)->loop);
}

const struct schema_row schema_operation[] = {
	{"name", TEXT(result_operation, name)},
	{"count", COUNT(result_operation, count), SUM, .figure = &played},
	{"bytes", COUNT(result_operation, bytes), SUM, .figure = &bytes},
	{"errors", COUNT(result_operation, errors), SUM, .figure = &errors},
	{"mismatches", COUNT(result_operation, mismatches), SUM, .figure = &mismatches},
	{"sum_ns", COUNT(result_operation, sum_ns), SUM},
	{"direction", WORD(result_operation, direction), KNOWN, MAX,
	 WORDS([DIRECTION_NONE] = "none", [DIRECTION_READ] = "read", [DIRECTION_WRITE] = "write",
	       [DIRECTION_BOTH] = "both")},
	{"mb_per_s", REAL(result_operation, mb_per_s), IF_VALID, MEDIAN, DERIVED,
	 .figure = &mb_per_s},
	{"ops_per_s", REAL(result_operation, ops_per_s), IF_VALID, MEDIAN, DERIVED,
	 .figure = &ops_per_s},
	{"latency_ms", OBJECT(result_operation, latency, latency_rows)},
	END,
};

static const struct schema_row user_ops_rows[] = {
	{"min", COUNT(result_figures, min_user_ops), MEDIAN_KNOWN},
	{"median", COUNT(result_figures, median_user_ops), MEDIAN_KNOWN},
	{"max", COUNT(result_figures, max_user_ops), MEDIAN_KNOWN},
	{"each", VALUES(result_figures, user_ops, user_ops_count, SCHEMA_COUNT), KNOWN},
	END,
};

static const struct schema_row cpu_rows[] = {
	{"user_s", REAL(result_cpu, user_s), SUM, FIGURE(CSV(21, "client_user_s"))},
	{"system_s", REAL(result_cpu, system_s), SUM, FIGURE(CSV(22, "client_system_s"))},
	{"utilisation", REAL(result_cpu, utilisation), MEDIAN,
	 FIGURE("cpu", .unit = "%", .heading = "CPU", .factor = 100,
		CSV(23, "client_utilisation"))},
	{"per_op_us", REAL(result_cpu, per_op_us), .unit_ns = NS_PER_US, MEDIAN,
	 FIGURE("cpu_per_op", .unit = "us", .heading = "CPU/op", CSV(24, "client_per_op_us"),
		.gobench = "cpu-ns/op")},
	{"waits", COUNT(result_cpu, waits), SUM},
	{"preemptions", COUNT(result_cpu, preemptions), SUM},
	END,
};

static const struct schema_row verified_rows[] = {
	{"users", COUNT(result_verified, users), MAX},
	{"read_bytes", COUNT(result_verified, read_bytes), SUM},
	{"compared_bytes", COUNT(result_verified, compared_bytes), SUM},
	{"written_bytes", COUNT(result_verified, written_bytes), SUM},
	{"read_back_bytes", COUNT(result_verified, read_back_bytes), SUM},
	{"unreadable_files", COUNT(result_verified, unreadable_files), KNOWN, SUM},
	{"unreadable_bytes", COUNT(result_verified, unreadable_bytes), KNOWN, SUM},
	{"differences", COUNT(result_verified, differences), SUM},
	{"full_maps", COUNT(result_verified, full_maps), KNOWN, SUM},
	{"map_bytes", COUNT(result_verified, map_bytes), MAX},
	END,
};

/* Only --verify counts these bytes. */
static const void *find_verified(const void *record)
{
	const struct result_figures *figures = record;
	const struct result_verified *verified = &figures->verified;

	return verified->users > 0 ? verified : NULL;
}

/* The figures of all users, or those of one load or phase. */
static const struct schema_row figures_rows[] = {
	{"seconds", REAL(result_figures, seconds), SUM, FIGURE(CSV(18, "seconds"))},
	{"mb_per_s", REAL(result_figures, mb_per_s), IF_VALID, MEDIAN, .figure = &mb_per_s},
	{"read_mb_per_s", REAL(result_figures, read_mb_per_s), IF_VALID, MEDIAN, DERIVED,
	 FIGURE("read_mb_per_s", .unit = "MB/s", .heading = "read MB/s", .more_is_better = true,
		CSV(25, "read_mb_per_s"))},
	{"write_mb_per_s", REAL(result_figures, write_mb_per_s), IF_VALID, MEDIAN, DERIVED,
	 FIGURE("write_mb_per_s", .unit = "MB/s", .heading = "write MB/s", .more_is_better = true,
		CSV(26, "write_mb_per_s"))},
	{"ops_per_s", REAL(result_figures, ops_per_s), IF_VALID, MEDIAN, .figure = &ops_per_s},
	{"ops", COUNT(result_figures, ops), SUM, .figure = &played},
	{"bytes", COUNT(result_figures, bytes), SUM, .figure = &bytes},
	{"loops", COUNT(result_figures, loops), SUM, FIGURE(CSV(20, "loops"))},
	{"errors", COUNT(result_figures, errors), SUM, .figure = &errors},
	{"mismatches", COUNT(result_figures, mismatches), SUM, .figure = &mismatches},
	{"skipped", COUNT(result_figures, skipped), SUM,
	 FIGURE("skipped", .unit = "", CSV(19, "skipped"))},
	{"due", OBJECT(result_figures, due, due_rows), KNOWN, .find = find_due},
	{"restore_share", REAL(result_figures, restore_share), KNOWN, MEDIAN},
	{"stood_still_s", REAL(result_figures, stood_still_s), KNOWN, SUM},
	{"silent_s", COUNT(result_figures, silent_s), KNOWN, SUM},
	{"held_up_s", REAL(result_figures, held_up_s), KNOWN, MAX},
	{"user_ops", PART(user_ops_rows)},
	{"client_cpu", OBJECT(result_figures, client_cpu, cpu_rows)},
	{"latency_ms", OBJECT(result_figures, latency, latency_rows)},
	{"service_ms", OBJECT(result_figures, service, service_rows), KNOWN, .find = find_service},
	{"lateness_ms", OBJECT(result_figures, lateness, lateness_rows), KNOWN,
	 .find = find_lateness},
	{"unfinished_ms", OBJECT(result_figures, unfinished, unfinished_rows), KNOWN,
	 .find = find_unfinished},
	{"loop_s", OBJECT(result_figures, loop, loop_rows), KNOWN, .find = find_loop},
	{"verified", OBJECT(result_figures, verified, verified_rows), KNOWN, .find = find_verified},
	{"operations", OBJECTS(result_figures, operations, operation_count, schema_operation),
	 .max = CHECK_OPERATIONS_MAX},
	END,
};

static const struct schema_row elapsed_rows[] = {
	{"mean", REAL(result_phase, elapsed_s), MEDIAN, FIGURE(CSV(35, "elapsed_s"))},
	{"user_min", REAL(result_phase, user_min_s), MIN, FIGURE(CSV(36, "elapsed_user_min_s"))},
	{"user_max", REAL(result_phase, user_max_s), MAX, FIGURE(CSV(37, "elapsed_user_max_s"))},
	END,
};

const struct schema_row schema_phase[] = {
	{"name", TEXT(result_phase, name)},
	{"elapsed_s", PART(elapsed_rows)},
	{NULL, OBJECT(result_phase, figures, figures_rows)},
	END,
};

/* The figures of all users, or of those that play one load. */
static const struct schema_row phased_rows[] = {
	{NULL, PART(figures_rows)},
	{"phases", OBJECTS(result_figures, phases, phase_count, schema_phase), KNOWN,
	 .max = CHECK_PHASES_MAX},
	END,
};

static const struct schema_row load_rows[] = {
	{"name", TEXT(result_load, name)},
	{"users", NUMBER(result_load, users), .min = 1},
	{NULL, OBJECT(result_load, figures, phased_rows)},
	END,
};

const struct schema_row schema_figures[] = {
	{NULL, PART(phased_rows)},
	{"loads", OBJECTS(result_figures, loads, load_count, load_rows), KNOWN,
	 .max = CHECK_LOADS_MAX},
	END,
};

const struct schema_row schema_reasons[] = {
	{NULL, VALUES(result_reasons, texts, count, SCHEMA_TEXT)},
	END,
};

/* Write fewer digits than usual: there are many seconds, and the file would
 * become large. */
static const struct schema_row second_rows[] = {
	{"at_s", REAL(result_second, at_s), .digits = 6},
	{"mb_per_s", REAL(result_second, mb_per_s), IF_VALID, .digits = 6},
	{"p99_ms", TIME(result_second, p99_ns, NS_PER_MS), KNOWN, .digits = 4},
	END,
};

static const struct schema_row difference_rows[] = {
	{"user", NUMBER(result_difference, user)},
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

static const struct schema_row user_rows[] = {
	{"operations", OBJECTS(result_user, operations, operation_count, schema_operation)},
	END,
};

static const struct schema_row each_loop_rows[] = {END};

const struct schema_row schema_repeat[] = {
	{"started", STAMP(result_repeat, started)},
	{"order", NUMBER(result_repeat, order), .min = 1},
	{"pair", NUMBER(result_repeat, pair), KNOWN, .min = 1},
	{"began_s", REAL(result_repeat, began_s), KNOWN},
	{"valid", VALIDITY(result_repeat, invalid)},
	{"invalid", NOTICES(result_repeat, invalid)},
	{"warnings", NOTICES(result_repeat, warnings)},
	{NULL, OBJECT(result_repeat, figures, schema_figures)},
	{"differences", OBJECTS(result_repeat, differences, difference_count, difference_rows),
	 KNOWN, .max = CHECK_DIFFERENCES_MAX},
	{"per_second", COLUMNS(result_repeat, per_second, second_count, second_rows), KNOWN},
	{"each_user", OBJECTS(result_repeat, each_user, each_user_count, user_rows), NEVER},
	{"each_loop", COLUMNS(result_repeat, each_loop, each_loop_count, each_loop_rows), NEVER},
	END,
};

static const struct schema_row started_rows[] = {
	{"started", STAMP(result_repeat, started)},
	END,
};

static const void *find_first_repeat(const void *record)
{
	const struct result_point *point = record;

	return &point->repeats[0];
}

static const struct schema_row spread_rows[] = {
	{"min", REAL(result_point, mb_per_s_min)},
	{"max", REAL(result_point, mb_per_s_max)},
	{"relative", REAL(result_point, spread)},
	END,
};

/* The values that are derived from a point's repeats. */
static const struct schema_row summary_rows[] = {
	{NULL, PART(started_rows), .find = find_first_repeat},
	{"valid", VALIDITY(result_point, invalid)},
	{"invalid", NOTICES(result_point, invalid)},
	{"warnings", NOTICES(result_point, warnings)},
	{NULL, OBJECT(result_point, figures, schema_figures)},
	{"spread", PART(spread_rows), IF_VALID},
	{"gain", REAL(result_point, gain), IF_VALID},
	END,
};

static const struct schema_row step_rows[] = {
	{"per_user", REAL(result_rate_step, per_user)},
	{"response_p99_ms", TIME(result_rate_step, p99_ns, NS_PER_MS), KNOWN},
	{"ended_share", REAL(result_rate_step, ended_share)},
	{"answer", WORD(result_rate_step, answer),
	 WORDS([RESULT_HOLDS] = "holds", [RESULT_FAILS] = "fails", [RESULT_UNKNOWN] = "unknown")},
	{"why", TEXT(result_rate_step, why), KNOWN},
	END,
};

static const struct schema_row found_rows[] = {
	{"condition", TEXT(result_found_rate, condition)},
	{"per_user", REAL(result_found_rate, per_user)},
	{"total", REAL(result_found_rate, total)},
	{"gave_up", TEXT(result_found_rate, gave_up), KNOWN},
	{"steps", OBJECTS(result_found_rate, steps, step_count, step_rows)},
	END,
};

const struct schema_row schema_point[] = {
	{"users", NUMBER(result_point, users), .min = 1},
	{"set", PAIRS(result_point, set, set_count), KNOWN},
	{"found_rate", POINTER(result_point, found_rate, found_rows), KNOWN},
	{NULL, PART(summary_rows), DERIVED},
	{"repeats", SCHEMA_LIST, ARRAY(result_point, repeats, repeat_count), .min = 1,
	 .max = CHECK_POINTS_MAX, ELEMENT(NULL, PART(schema_repeat), .check = check_repeat)},
	END,
};

static const struct schema_row peak_rows[] = {
	{"users", NUMBER(result_point, users)},
	{"set", PAIRS(result_point, set, set_count), KNOWN},
	{"mb_per_s", REAL(result_point, figures.mb_per_s)},
	END,
};

static const void *find_peak(const void *record)
{
	const struct result *result = record;

	return result->peak < result->point_count ? &result->points[result->peak] : NULL;
}

static const void *find_usl(const void *record)
{
	const struct result *result = record;

	return result->usl.fitted ? &result->usl : NULL;
}

static const struct schema_row limit_rows[] = {
	{"condition", TEXT(result_limit, condition)},
	{"set", PAIRS(result_limit, set, set_count), KNOWN},
	{"users", NUMBER(result_limit, users)},
	END,
};

const struct schema_row schema_result[] = {
	{"schema", SCHEMA_NAME, WORDS("throng-results/1")},
	{"run", OBJECT(result, run, schema_run), .check = check_run},
	{"peak", PART(peak_rows), .find = find_peak, DERIVED},
	{"usl", OBJECT(result, usl, schema_usl), .find = find_usl, DERIVED},
	{"limits", OBJECTS(result, limits, limit_count, limit_rows)},
	{"points", SCHEMA_LIST, ARRAY(result, points, point_count), .max = CHECK_POINTS_MAX,
	 ELEMENT(NULL, PART(schema_point), .check = check_point), .check = check_points},
	END,
};
