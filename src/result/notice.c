/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "result/notice.h"

#include "base/array.h"
#include "result/json.h"
#include "result/json_cursor.h"
#include "result/record.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Max length of a list in a file. */
enum { LIST_MAX = 10000 };

/* Forms of numbers. */
#define WHOLE(key) {key, 1, 0, 9e15}
#define PERCENT(key) {key, 100, 0, 1e6}
#define PERCENT_1(key) {key, 100, 1, 1e6}
#define MS_1(key) {key, 1, 1, 1e12}
#define SECONDS_1(key) {key, 1, 1, 1e9}
#define SECONDS_2(key) {key, 1, 2, 1e9}

/* clang-format off */
const struct notice_row notice_rows[NOTICE_KINDS] = {
	[NOTICE_OPERATION_FAILED] = {"operation-failed", .pattern = "{detail}", .detail = "text"},
	[NOTICE_USER_KILLED] = {
		"user-killed",
		.pattern = "user {0} was killed by signal {1} ({detail})",
		.detail = "signal_name", .numbers = {WHOLE("user"), WHOLE("signal")}},
	[NOTICE_USER_EXITED] = {
		"user-exited",
		.pattern = "user {0} exited with status {1}",
		.numbers = {WHOLE("user"), WHOLE("status")}},
	[NOTICE_DEADLOCK] = {"deadlock", .pattern = "{detail}", .detail = "text"},
	[NOTICE_STUCK] = {
		"stuck",
		.pattern = "throng killed users that did not stop at the end of the measured time"},
	[NOTICE_INTERRUPTED] = {
		"interrupted",
		.pattern = "interrupted by SIG{detail}",
		.detail = "signal_name"},
	[NOTICE_NO_OPERATION] = {
		"no-operation",
		.pattern = "no operation completed in the measured time; increase --time"},
	[NOTICE_WRONG_BYTES] = {"wrong-bytes", .pattern = "{detail}", .detail = "text"},
	[NOTICE_WRONG_READS] = {
		"wrong-reads",
		.pattern = "{0} {0|read|reads} returned bytes that differ from the written "
			"bytes: the target has corrupted or lost data",
		.numbers = {WHOLE("reads")}},
	[NOTICE_NOT_STARTED] = {"not-started", .pattern = "{detail}", .detail = "text"},
	[NOTICE_HOST_LOST] = {
		"host-lost",
		.pattern = "host {subject} was lost: {detail}",
		.subject = "host", .detail = "reason"},
	[NOTICE_NO_MEMORY] = {"no-memory", .pattern = "out of memory"},
	[NOTICE_ON_HOST] = {
		"on-host",
		.pattern = "a user on host {detail} failed, so throng stopped the users on all "
			"hosts",
		.detail = "host"},

	[NOTICE_NO_OPERATION_OF_LOAD] = {
		"no-operation-of-load",
		.pattern = "no operation of this load completed in the measured time, so the "
			"load has no figures; increase --time"},
	[NOTICE_UNEVEN_USERS] = {
		"uneven-users",
		.pattern = "the slowest user completed only {0} % as many operations as the "
			"fastest user; increase --time (if the difference remains, the target "
			"serves users unequally)",
		.numbers = {PERCENT("slowest_share")}},
	[NOTICE_EARLY_END] = {
		"early-end",
		.pattern = "the users of this load finished their last loop after {0} % of the "
			"measured time, while users of other loads continued; to measure all "
			"loads for the same time, use --time instead of --loops",
		.numbers = {PERCENT_1("time_share")}},
	[NOTICE_MIX] = {
		"mix",
		.pattern = "the figures cover only a part of the load: on average, a measured "
			"operation transferred {0} bytes, but an operation of the whole load "
			"transfers {1} bytes; increase --time, or use --loops",
		.numbers = {WHOLE("measured_bytes"), WHOLE("load_bytes")}},
	[NOTICE_MIX_UNFINISHED] = {
		"mix-unfinished",
		.pattern = "no user completed a loop, so the figures cover only the first part "
			"of the load: on average, a measured operation transferred {0} bytes, "
			"but an operation of the whole load transfers {1} bytes; increase "
			"--time, or use --loops",
		.numbers = {WHOLE("measured_bytes"), WHOLE("load_bytes")}},
	[NOTICE_LAID_OUT] = {
		"laid-out",
		.pattern = "of the bytes that the load transfers, {0} % are written to files "
			"that the load reads later, and the figures include these writes; move "
			"writes that only prepare files into a SETUP block",
		.numbers = {PERCENT("bytes_share")}},
	[NOTICE_RESTORE] = {
		"restore",
		.pattern = "between loops, users spent {0} % of the measured time on restoring the "
			"set-up; this lowers MB/s and ops/s, but does not affect latencies",
		.numbers = {PERCENT("time_share")}},
	[NOTICE_DEGRADED] = {
		"degraded",
		.pattern = "{subject} was played without {detail}, which the target does not "
			"support; compare this result only with results that have the same "
			"warning",
		.subject = "operation", .detail = "capability"},

	[NOTICE_LATE_P99] = {
		"late-p99",
		.pattern = "throng itself started operations late (p99 {0} ms), and the response "
			"times include this delay; use fewer users, a lower --rate or an idle "
			"machine",
		.numbers = {MS_1("lateness_ms")}},
	[NOTICE_LATE_MAX] = {
		"late-max",
		.pattern = "throng itself started operations late (max {0} ms), and the response "
			"times include this delay; use fewer users, a lower --rate or an idle "
			"machine",
		.numbers = {MS_1("lateness_ms")}},
	[NOTICE_OVERLOAD] = {
		"overload",
		.pattern = "the target could not keep up: only {0} % of the scheduled operations "
			"completed, so response times grow with the length of the run; lower "
			"--rate, or find a rate with throng run --find-rate",
		.numbers = {PERCENT_1("completed_share")}},
	[NOTICE_SUSPENDED] = {
		"suspended",
		.pattern = "throng was stopped for {0} s (SIGSTOP), and the figures include this "
			"pause; repeat the run",
		.numbers = {SECONDS_1("suspended_s")}},
	[NOTICE_SILENT] = {
		"silent",
		.pattern = "no operation completed in {0} whole {0|second|seconds}, although "
			"users were waiting for the target; the figures include this time (look "
			"for a cause such as a long flush)",
		.numbers = {WHOLE("silent_s")}},
	[NOTICE_BLOCKED] = {
		"blocked",
		.pattern = "one operation took {0} s and held up its user, which lowers MB/s and "
			"ops/s; to see the kind of operation, look at the column max of throng "
			"run --operations",
		.numbers = {SECONDS_1("blocked_s")}},
	[NOTICE_CLIENT_BUSY] = {
		"client-busy",
		.pattern = "throng's users used {0} % of the processor time that they could use "
			"on this machine, so this machine, not the target, may limit the "
			"figures; use a faster machine, or --hosts",
		.numbers = {PERCENT("cpu_share")}},
	[NOTICE_HOST_BUSY] = {
		"host-busy",
		.pattern = "users on host {subject} used {0} % of the processor time that they "
			"could use there, so this host, not the target, may limit the figures; "
			"use more hosts",
		.subject = "host", .numbers = {PERCENT("cpu_share")}},
	[NOTICE_HOST_SLOW] = {
		"host-slow",
		.pattern = "the throughput per user on host {subject} was only {0} % of the "
			"median of all hosts; check this host and its network",
		.subject = "host", .numbers = {PERCENT("median_share")}},
	[NOTICE_HOST_CLOCK] = {
		"host-clock",
		.pattern = "users on host {subject} may have started up to {0} ms before or "
			"after users on other hosts, because the connection to this host is slow; "
			"increase --time",
		.subject = "host", .numbers = {MS_1("clock_error_ms")}},
	[NOTICE_SHORT_WINDOW] = {
		"short-window",
		.pattern = "only {0} s were measured, which is too short for stable figures; "
			"increase --time",
		.numbers = {SECONDS_2("window_s")}},
	[NOTICE_SAMPLE] = {
		"sample",
		.pattern = "the command of --sample {subject} gave no number in {0} of {1} "
			"{1|second|seconds} (first failure: the command {detail})",
		.subject = "name", .detail = "reason",
		.numbers = {WHOLE("unknown_s"), WHOLE("seconds")}},
	[NOTICE_VERIFY_MEMORY] = {
		"verify-memory",
		.pattern = "--verify: {0} {0|user|users} had too little memory to remember all "
			"writes, so some files were not compared; use fewer users or a smaller "
			"load",
		.numbers = {WHOLE("users")}},
	[NOTICE_VERIFY_UNREADABLE] = {
		"verify-unreadable",
		.pattern = "--verify: {0} {0|file|files} could not be read back for lack of "
			"permission, and {0|was|were} not compared",
		.numbers = {WHOLE("files")}},
	[NOTICE_VERIFY_NOTHING] = {
		"verify-nothing",
		.pattern = "--verify: nothing was compared, because users neither read nor kept "
			"any file that they had written; use a load that reads or keeps the files "
			"that it writes"},
	[NOTICE_CACHE_WRITES] = {
		"cache-writes",
		.pattern = "all files fit in the page cache and the load flushes nothing, so the "
			"run measures memory, not the disk; to measure the disk, use --fsync, "
			"--sync or --sync-dirs"},
	[NOTICE_CACHE_WRITES_COLD] = {
		"cache-writes-cold",
		.pattern = "with --cold, reads reach the disk, but writes stay in memory, "
			"because the files fit in the page cache and nothing is flushed; to "
			"flush, use --fsync, --sync or --sync-dirs"},
	[NOTICE_CACHE_READS] = {
		"cache-reads",
		.pattern = "all files fit in the page cache, so reads measure memory, not the "
			"disk; to measure the disk, use --cold, more users or a bigger load"},
	[NOTICE_CACHE_FIRST_LOOP] = {
		"cache-first-loop",
		.pattern = "all files fit in the page cache, so only the first loop of each user "
			"reads from the disk; use --loops 1, more users or a bigger load"},

	[NOTICE_IN_USE] = {
		"in-use",
		.pattern = "another run of throng uses {subject}, so the two runs slow each "
			"other down; repeat this run when the other run has ended", .subject = "target"},
	[NOTICE_SPREAD] = {
		"spread",
		.pattern = "repeats of one measurement differ by more than {0} %, so the figures "
			"are uncertain; look for other programs that use the machine or the "
			"target, or increase --repeat",
		.numbers = {PERCENT("limit_share")}},
	[NOTICE_SPREAD_PAIRS] = {
		"spread-pairs",
		.pattern = "measurements of one target differ by more than {0} %, so a verdict "
			"may need more pairs; look for other programs that use the machine or "
			"the target",
		.numbers = {PERCENT("limit_share")}},
	[NOTICE_BUSY_MACHINE] = {
		"busy-machine",
		.pattern = "other programs used {0} % of this machine's processor time before "
			"the first measurement, and may have slowed the run down; stop these "
			"programs and repeat the run",
		.numbers = {PERCENT("cpu_share")}},
	[NOTICE_HOST_CPUS] = {
		"host-cpus",
		.pattern = "throng can use only {0} of the {1} processors of host {subject}, "
			"perhaps because the launcher binds throng to these processors (see the "
			"launcher's options for binding)",
		.subject = "host", .numbers = {WHOLE("usable_cpus"), WHOLE("cpus")}},
	[NOTICE_HOSTS_DIFFER] = {
		"hosts-differ",
		.pattern = "the hosts have different {subject} ({detail}), so users may be "
			"slower on some hosts than on others",
		.subject = "what", .detail = "values"},
	[NOTICE_DRIFT] = {
		"drift",
		.pattern = "each repeat measured the user counts in the same order, so a machine "
			"that became slower during the run would look like an effect of the "
			"number of users; use --order random, without --stop-when"},
	[NOTICE_DRIFT_SWEEP] = {
		"drift-sweep",
		.pattern = "each repeat measured the values of --sweep in the same order, so a "
			"machine that became slower during the run would look like an effect of "
			"these values; use --order random, without --stop-when"},

	[NOTICE_NOT_PAIRED] = {
		"not-paired",
		.pattern = "base and new were measured one after the other, so a machine that "
			"became slower looks like a slower target; to measure in pairs, use "
			"compare --base TARGET --new TARGET"},
	[NOTICE_ALLOWED] = {
		"allowed",
		.pattern = "{subject} differs between base and new ({detail}), which --allow "
			"permits; this may be why the figures of base and new differ",
		.subject = "name", .detail = "values"},
	[NOTICE_HOSTS] = {
		"hosts",
		.pattern = "base and new were measured on different machines ({subject} and "
			"{detail}), which may be why their figures differ",
		.subject = "base", .detail = "new"},
	[NOTICE_KERNELS] = {
		"kernels",
		.pattern = "base and new were measured with different kernels ({subject} and "
			"{detail}), which may be why their figures differ",
		.subject = "base", .detail = "new"},
	[NOTICE_VARIABLES] = {
		"variables",
		.pattern = "base and new were measured with different environment variables "
			"({subject} and {detail}), which may be why their figures differ",
		.subject = "base", .detail = "new"},
	[NOTICE_VERSIONS] = {
		"versions",
		.pattern = "base and new were measured by different versions of throng "
			"({subject} and {detail}), which may be why their figures differ",
		.subject = "base", .detail = "new"},
};
/* clang-format on */

/* Return the number as the text shows it and as a file has it, within the bounds
 * of its form. */
static double rounded(const struct notice_number *form, double value)
{
	char text[64];

	value = fmin(fmax(value, 0), form->max);
	snprintf(text, sizeof(text), "%.*f", form->decimals, value * form->scale);
	snprintf(text, sizeof(text), "%.15g", strtod(text, NULL) / form->scale);
	return strtod(text, NULL);
}

static void free_names(struct notice *notice)
{
	free((char *)notice->place);
	free((char *)notice->load);
	free((char *)notice->subject);
	free((char *)notice->detail);
}

/* Replace a name by a copy of it, unless it is NULL. Return false if memory is
 * short. */
static bool copy_name(const char **name)
{
	const char *from = *name;

	*name = from != NULL ? strdup(from) : NULL;
	return from == NULL || *name != NULL;
}

void notice_add(struct notices *notices, const struct notice *notice)
{
	const struct notice_row *row = &notice_rows[notice->kind];
	struct notice copy = *notice;
	bool copied;
	size_t i;

	for (i = 0; i < NOTICE_NUMBERS && row->numbers[i].key != NULL; i++)
		copy.max[i] = copy.numbers[i] = rounded(&row->numbers[i], notice->numbers[i]);
	copied = copy_name(&copy.place);
	copied &= copy_name(&copy.load);
	copied &= copy_name(&copy.subject);
	copied &= copy_name(&copy.detail);
	if (!copied || array_append(&notices->list, &notices->count, &copy, sizeof(copy)) < 0)
		free_names(&copy);
}

void notices_free(struct notices *notices)
{
	size_t i;

	for (i = 0; i < notices->count; i++)
		free_names(&notices->list[i]);
	free(notices->list);
	*notices = (struct notices){0};
}

bool notice_is_alike(const struct notice *one, const struct notice *other)
{
	return one->kind == other->kind && one->repeat == other->repeat &&
	       record_same_name(one->load, other->load) &&
	       record_same_name(one->subject, other->subject) &&
	       record_same_name(one->detail, other->detail);
}

/* Write a number, or its range: "0.40 to 0.45". */
static void write_number(const struct notice *notice, unsigned index, FILE *stream)
{
	const struct notice_number *form = &notice_rows[notice->kind].numbers[index];
	double min = notice->numbers[index], max = notice->max[index];

	fprintf(stream, "%.*f", form->decimals, min * form->scale);
	if (max > min)
		fprintf(stream, " to %.*f", form->decimals, max * form->scale);
}

/* Write what stands for a placeholder of a pattern: "0", "0|file|files",
 * "subject" or "detail". */
static void write_part(const struct notice *notice, const char *part, size_t length, FILE *stream)
{
	unsigned index = (unsigned)(part[0] - '0');

	if (part[0] == 's') {
		fputs(notice->subject, stream);
	} else if (part[0] == 'd') {
		fputs(notice->detail, stream);
	} else if (part[1] == '|') {
		const char *plural = memchr(part + 2, '|', length - 2);

		if (notice->max[index] == 1)
			fwrite(part + 2, 1, (size_t)(plural - part - 2), stream);
		else
			fwrite(plural + 1, 1, (size_t)(part + length - plural - 1), stream);
	} else {
		write_number(notice, index, stream);
	}
}

static void write_text(const struct notice *notice, FILE *stream)
{
	const char *at = notice_rows[notice->kind].pattern, *end;
	size_t length;

	if (notice->place != NULL)
		fprintf(stream, "%s: ", notice->place);
	if (notice->repeat > 0)
		fprintf(stream, "repeat %u: ", notice->repeat);
	if (notice->load != NULL)
		fprintf(stream, "\"%s\": ", notice->load);
	while (*at != '\0') {
		length = strcspn(at, "{");
		fwrite(at, 1, length, stream);
		at += length;
		if (*at == '{') {
			end = strchr(at, '}');
			write_part(notice, at + 1, (size_t)(end - at - 1), stream);
			at = end + 1;
		}
	}
}

char *notice_text(const struct notice *notice)
{
	char *text = NULL;
	size_t bytes;
	FILE *stream = open_memstream(&text, &bytes);

	if (stream == NULL)
		return NULL;
	write_text(notice, stream);
	if (fclose(stream) == 0)
		return text;
	free(text);
	return NULL;
}

static json_t *number_json(const struct notice_number *form, double value)
{
	if (form->scale == 1 && form->decimals == 0)
		return json_integer((json_int_t)value);
	return json_real(value);
}

static json_t *notice_json(const struct notice *notice)
{
	const struct notice_row *row = &notice_rows[notice->kind];
	json_t *object = json_object();
	char *text = notice_text(notice);
	size_t i;

	json_object_set_new(object, "code", json_of_text(row->code));
	json_object_set_new(object, "place", json_of_text(notice->place));
	if (notice->repeat > 0)
		json_object_set_new(object, "repeat", json_integer(notice->repeat));
	json_object_set_new(object, "load", json_of_text(notice->load));
	if (row->subject != NULL)
		json_object_set_new(object, row->subject, json_of_text(notice->subject));
	if (row->detail != NULL)
		json_object_set_new(object, row->detail, json_of_text(notice->detail));
	/* A merged notice has ranges, and the points have the numbers. */
	for (i = 0; i < NOTICE_NUMBERS && row->numbers[i].key != NULL && notice->place == NULL; i++)
		json_object_set_new(object, row->numbers[i].key,
				    number_json(&row->numbers[i], notice->numbers[i]));
	json_object_set_new(object, "text", json_of_text(text));
	free(text);
	return object;
}

json_t *notices_json(const struct notices *notices)
{
	json_t *list = json_array();
	size_t i;

	for (i = 0; i < notices->count; i++)
		json_array_append_new(list, notice_json(&notices->list[i]));
	return list;
}

/* Read a name, unless the kind does not have it (`key` is NULL). */
static const char *read_name(const struct json_cursor *object, const char *key)
{
	struct json_cursor member;

	if (key == NULL)
		return NULL;
	member = json_cursor_member(object, key);
	return json_cursor_text(&member);
}

static void read_notice(const struct json_cursor *object, struct notices *notices)
{
	const struct json_cursor code = json_cursor_member(object, "code");
	const struct json_cursor load = json_cursor_member(object, "load");
	const char *word = json_string_value(code.value);
	const struct notice_row *row = notice_rows;
	struct notice notice = {0};
	size_t i;

	while (notice.kind < NOTICE_KINDS && !record_same_name(word, row->code))
		row = &notice_rows[++notice.kind];
	if (notice.kind == NOTICE_KINDS) {
		json_cursor_refuse(&code, "a code that throng-results(5) lists");
		return;
	}
	/* If the text is free, it would get the name of the load once more. */
	if (load.value != NULL && !record_same_name(row->detail, "text"))
		notice.load = json_cursor_text(&load);
	notice.subject = read_name(object, row->subject);
	notice.detail = read_name(object, row->detail);
	for (i = 0; i < NOTICE_NUMBERS && row->numbers[i].key != NULL; i++) {
		const struct json_cursor number = json_cursor_member(object, row->numbers[i].key);

		notice.numbers[i] = json_cursor_real(&number, 0, row->numbers[i].max);
	}
	if (!object->error->set)
		notice_add(notices, &notice);
	free_names(&notice);
}

void notices_read(const struct json_cursor *cursor, struct notices *notices)
{
	size_t count = json_cursor_list(cursor, 0, LIST_MAX), i;

	for (i = 0; i < count && !cursor->error->set; i++) {
		const struct json_cursor object = json_cursor_element(cursor, i);

		read_notice(&object, notices);
		if (notices->count <= i)
			error_no_memory(cursor->error);
	}
}
