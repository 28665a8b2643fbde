/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * throng verify: check after a crash that targets still have what a run has
 * flushed.
 */
#include "cli/cli.h"

#include "base/message.h"
#include "base/units.h"
#include "cli/options.h"
#include "doc/escape.h"
#include "sweep/recheck.h"
#include "target/account.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TIMEOUT_MAX_S = 24 * 3600 };

/* The state of one `throng verify`. */
struct verifying {
	struct options given;
	const char *state; /* the state file */
	unsigned timeout_s;
	const char *const *auth_files;
	struct target *targets;
	unsigned target_count;
	struct recheck recheck;
};

#define AT(member) OPTION_AT(struct verifying, member)

const struct option_row verify_rows[] = {
	{"state", 0, OPTION_TEXT, "FILE", "The state that `throng run --state` has saved",
	 AT(state), .flags = OPTION_COMMON},
	{"timeout", 0, OPTION_COUNT, "N", "Max time of an operation on a network", AT(timeout_s),
	 .min = 1, .max = TIMEOUT_MAX_S, .unit = " s",
	 .flags = OPTION_SHOWS_DEFAULT | OPTION_COMMON},
	{"auth-file", 0, OPTION_TEXTS, "FILE", "User, password and domain, as for smbclient -A",
	 AT(auth_files), .flags = OPTION_COMMON},
	{.name = NULL},
};

static int open_targets(struct verifying *verifying, struct error *error)
{
	unsigned count = (unsigned)verifying->given.word_count, i;
	int rc = 0;

	verifying->targets = calloc(count, sizeof(*verifying->targets));
	if (verifying->targets == NULL)
		return error_no_memory(error);
	for (i = 0; i < count && rc == 0; i++) {
		struct target *target = &verifying->targets[i];

		verifying->target_count++;
		rc = target_parse(verifying->given.words[i], target, error);
		target->timeout_s = verifying->timeout_s;
		target->stride = count;
		if (rc == 0)
			rc = accounts_find(target, verifying->auth_files, error);
	}
	return rc;
}

static int parse(struct verifying *verifying, struct error *error)
{
	if (options_parse(&verifying->given, error) < 0)
		return -1;
	if (verifying->state == NULL)
		error_set(error, "verify: expected --state FILE; see --help");
	if (verifying->given.word_count == 0)
		error_set(error, "verify: expected a TARGET; see --help");
	return error->set ? -1 : open_targets(verifying, error);
}

static void print_bytes(uint64_t bytes)
{
	char text[UNITS_TEXT];

	printf("%s %s", units_print_count(bytes, text), units_plural(bytes, "byte", "bytes"));
}

static void print_names(uint64_t names)
{
	char text[UNITS_TEXT];

	printf("%s %s", units_print_count(names, text), units_plural(names, "name", "names"));
}

static void print_must(const struct state_report *report)
{
	fputs("must be there: ", stdout);
	if (report->must_bytes + report->must_names == 0) {
		puts("nothing");
		return;
	}
	print_bytes(report->must_bytes);
	fputs(" and ", stdout);
	print_names(report->must_names);
	if (report->finding_count == 0 && report->barred_files == 0) {
		puts(": all there");
		return;
	}
	fputs("; missing or altered: ", stdout);
	print_bytes(report->missing_bytes);
	fputs(" and ", stdout);
	print_names(report->missing_names);
	if (report->unreadable_bytes > 0) {
		fputs("; unreadable: ", stdout);
		print_bytes(report->unreadable_bytes);
	}
	putchar('\n');
}

/* Print how many of the names that may be missing are. */
static void print_may_names(const struct state_report *report)
{
	char text[UNITS_TEXT];

	if (report->may_names == 0)
		return;
	fputs("may be missing: ", stdout);
	print_names(report->may_names);
	printf("; missing: %s", units_print_count(report->absent_names, text));
	if (report->absent_bytes > 0) {
		fputs(", with ", stdout);
		print_bytes(report->absent_bytes);
		fputs(" that were flushed", stdout);
	}
	putchar('\n');
}

/* Print how many files cannot be read. */
static void print_unreadable(const struct state_report *report)
{
	const uint64_t files = report->barred_files + report->denied_files;
	char text[UNITS_TEXT];

	if (files == 0)
		return;
	printf("no permission to read: %s %s", units_print_count(files, text),
	       units_plural(files, "file", "files"));
	if (report->barred_files > 0)
		printf("; the load itself has changed the permissions of %s",
		       units_print_count(report->barred_files, text));
	putchar('\n');
}

static void print_path(const char *path)
{
	putchar('"');
	escape_text(path, stdout);
	putchar('"');
}

/* Print the targets, and which ones of the run they stand for. */
static void print_targets(const struct recheck *recheck, const struct target *targets)
{
	size_t i;

	for (i = 0; i < recheck->state.target_count; i++) {
		fputs("target: ", stdout);
		print_path(targets[i].url);
		fputs("; in the run: ", stdout);
		print_path(recheck->state.targets[i].url);
		putchar('\n');
	}
}

/* Print how many users were checked, and why others were not. */
static void print_users(const struct recheck *recheck)
{
	const struct state *state = &recheck->state;

	printf("users checked: %" PRIu64, recheck->users);
	if (recheck->users < state->users)
		printf(" of %u", state->users);
	if (state->lost_count == 1)
		printf("; nothing is known of user %u, which was killed while it changed its map",
		       state->lost[0]);
	else if (state->lost_count > 1)
		printf("; nothing is known of user %u and %zu more, which were killed while they "
		       "changed their maps",
		       state->lost[0], state->lost_count - 1);
	putchar('\n');
}

static void print_report(const struct recheck *recheck, const struct target *targets)
{
	const struct state_report *report = &recheck->report;
	const struct {
		const char *name;
		uint64_t bytes;
	} versions[] = {
		{"newest version", report->now_bytes},
		{"version in between", report->between_bytes},
		{"flushed version", report->before_bytes},
		{"zeros or nothing", report->zero_bytes},
		{"anything else", report->other_bytes},
	};
	size_t i;

	print_targets(recheck, targets);
	print_users(recheck);
	print_must(report);
	print_may_names(report);
	print_unreadable(report);
	puts("may be there:");
	for (i = 0; i < sizeof(versions) / sizeof(*versions); i++) {
		printf("  %-18s ", versions[i].name);
		print_bytes(versions[i].bytes);
		putchar('\n');
	}
	fputs("after the known end of a file, not compared: ", stdout);
	print_bytes(report->surplus_bytes);
	fputs("\nunknown, not compared: ", stdout);
	print_bytes(report->unknown_bytes);
	putchar('\n');
}

static void print_sample(const char *name, const unsigned char *bytes, unsigned count)
{
	unsigned i;

	printf("%s", name);
	for (i = 0; i < count; i++)
		printf("%02x", bytes[i]);
}

static void print_difference(const struct difference *difference)
{
	char text[DIFFERENCE_TEXT];

	printf("%s", difference_print_kind(difference, text));
	if (difference->sample_bytes == 0)
		return;
	print_sample("; expected ", difference->expected, difference->sample_bytes);
	print_sample(", found ", difference->found, difference->sample_bytes);
}

static void print_finding(const struct state_finding *finding)
{
	const struct difference *difference = &finding->difference;

	printf("user %u: ", difference->user);
	print_path(difference->path);
	switch (finding->kind) {
	case STATE_FINDING_NAME:
		printf(" must be there: %s", strerror(finding->error));
		break;
	case STATE_FINDING_OTHER:
		fputs(" is another file than its other names", stdout);
		break;
	case STATE_FINDING_DENIED:
		printf(" cannot be read: %s", strerror(finding->error));
		break;
	case STATE_FINDING_SIZE:
		printf(" has %" PRIu64 " bytes instead of %" PRIu64, finding->found_size,
		       finding->size);
		break;
	default:
		printf(", %" PRIu64 " %s from offset %" PRIu64 ": ", difference->length,
		       units_plural(difference->length, "byte", "bytes"), difference->offset);
		break;
	}
	switch (finding->kind) {
	case STATE_FINDING_END:
		printf("the file ends before them");
		break;
	case STATE_FINDING_READ:
		printf("%s", strerror(finding->error));
		break;
	case STATE_FINDING_MAY:
		printf("no version since the last flush: ");
		/* fall through */
	case STATE_FINDING_MUST:
		print_difference(difference);
		break;
	default:
		break;
	}
	putchar('\n');
}

static void print_findings(const struct state_report *report)
{
	uint64_t i;

	for (i = 0; i < report->finding_count && i < STATE_FINDINGS; i++)
		print_finding(&report->findings[i]);
	if (report->finding_count > STATE_FINDINGS)
		printf("and %" PRIu64 " more\n", report->finding_count - STATE_FINDINGS);
}

/* Set the error for what the check has found, if anything. */
static void set_verdict(const struct recheck *recheck, struct error *error)
{
	const struct state_report *report = &recheck->report;
	const uint64_t damage = report->finding_count - report->denied_files;

	if (damage > 0)
		error_set(error,
			  "data that was flushed is missing or wrong on the target: %" PRIu64 " %s",
			  damage, units_plural(damage, "finding", "findings"));
	else if (report->must_bytes == 0 && report->absent_bytes > 0)
		error_set(error, "nothing to check: the run created or renamed all files that it "
				 "flushed, and on this file system, flushing a file need not save "
				 "the name of the file; play the load with --sync-dirs");
	else if (report->must_bytes == 0)
		error_set(error, "nothing to check: no data had to survive a crash, because %s",
			  state_explain_nothing(&recheck->state));
	else if (report->denied_files > 0)
		error_set(error,
			  "no permission to read %" PRIu64
			  " %s, so %s could not be checked; run throng verify as the user who "
			  "played the load, or as root",
			  report->denied_files, units_plural(report->denied_files, "file", "files"),
			  units_plural(report->denied_files, "it", "them"));
}

/* Check the targets; return the exit code. */
static int verify(struct verifying *verifying)
{
	struct recheck *recheck = &verifying->recheck;
	struct error error = {0};
	enum recheck_end end = recheck_run(recheck, verifying->state, verifying->targets,
					   verifying->target_count, &error);

	if (end == RECHECK_REFUSED)
		return cli_refuse(&error);
	print_report(recheck, verifying->targets);
	print_findings(&recheck->report);
	fflush(stdout);
	if (end == RECHECK_DONE)
		set_verdict(recheck, &error);
	if (!error.set)
		return EXIT_VALID;
	message_error(&error);
	return EXIT_INVALID;
}

int cli_verify(int argc, const char **argv)
{
	struct verifying verifying = {.timeout_s = TARGET_TIMEOUT_S};
	const struct option_group groups[] = {
		{.heading = "Options:", .rows = verify_rows, .values = &verifying},
		{.rows = NULL},
	};
	struct error error = {0};
	unsigned i;
	int rc;

	argv[0] = "throng verify"; /* for --help */
	rc = options_read(&verifying.given, groups, "[OPTIONS] --state FILE TARGET...",
			  "  throng run --keep --state run.state --fsync nfs://server/export\n"
			  "  throng verify --state run.state "
			  "nfs://server/export\n",
			  argc, argv);
	if (rc == CLI_HELP)
		rc = EXIT_VALID;
	else if (rc == EXIT_VALID)
		rc = parse(&verifying, &error) < 0 ? cli_refuse(&error) : verify(&verifying);
	recheck_free(&verifying.recheck);
	for (i = 0; i < verifying.target_count; i++)
		target_free(&verifying.targets[i]);
	free(verifying.targets);
	options_free(&verifying.given);
	return rc;
}
