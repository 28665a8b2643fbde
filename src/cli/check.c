/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * throng check: compile loadfiles and describe them, without replaying them.
 */
#include "cli/cli.h"

#include "cli/completion.h"
#include "base/message.h"
#include "base/units.h"
#include "cli/check_graph.h"
#include "cli/options.h"
#include "load/library.h"
#include "load/load.h"
#include "doc/escape.h"
#include "streams/streams.h"
#include "study/profile.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

/* The state of one `throng check`. */
struct check {
	struct options given;
	bool print, graph;
	struct load_options load;
	struct load_setting *settings; /* allocated; also in `load` */
};

static void print_labels(const struct program *program, const struct profile *profile)
{
	char ops[UNITS_TEXT], bytes[UNITS_TEXT], failures[UNITS_TEXT];
	size_t i;

	printf("  %-24s %12s %12s %18s\n", "operation", "count", "bytes", "recorded failures");
	for (i = 0; i < program->label_count; i++) {
		const struct profile_label *label = &profile->labels[i];

		if (label->ops == 0 && profile->setup.end > 0)
			continue; /* only in the set-up */
		fputs("  ", stdout);
		escape_column(program->labels[i], 24, stdout);
		printf(" %12s %12s %18s\n", units_print_count(label->ops, ops),
		       label->open_reads > 0 ? "unknown"
		       : label->bytes > 0    ? units_print_bytes(label->bytes, bytes)
					     : "-",
		       units_print_count(label->failures, failures));
	}
}

static void print_phases(const struct program *program)
{
	size_t i;

	for (i = 0; i < program->phase_count; i++)
		printf("%s%s%s%s%s", i == 0 ? "  phases             " : ", ",
		       program->phases[i].name,
		       program->phases[i].items[0] != '\0' ? " (items: " : "",
		       program->phases[i].items, program->phases[i].items[0] != '\0' ? ")" : "");
	if (program->phase_count > 0)
		putchar('\n');
}

static void print_streams(const struct program *program, const struct streams *streams)
{
	char text[UNITS_TEXT];

	if (program->parallel > 0)
		printf("  streams            %u at most, in PARALLEL\n", program->parallel);
	if (program->streams == 0)
		return;

	printf("  streams            %u, with at most %.1f operations in flight on average;\n"
	       "                     %s %s for another stream\n",
	       streams->count, (double)streams->ops / (double)streams->chain,
	       units_print_count(streams->waiting, text),
	       units_plural(streams->waiting, "operation waits", "operations wait"));
}

static void describe(const struct program *program, const struct profile *profile,
		     const struct streams *streams)
{
	char text[UNITS_TEXT], bytes[UNITS_TEXT];
	bool open = profile->open_reads > 0;

	escape_text(program->source, stdout);
	printf("\n  dialect            %s\n", program->dialect);
	printf("  operations/loop    %s\n", units_print_count(profile->ops, text));
	printf("  bytes read         %s%s (%s)", open ? "at least " : "",
	       units_print_count(profile->read_bytes, text),
	       units_print_bytes(profile->read_bytes, bytes));
	if (open)
		printf("; %s %s unknown size", units_print_count(profile->open_reads, text),
		       profile->open_reads == 1 ? "read has an" : "reads have an");
	putchar('\n');
	printf("  bytes written      %s (%s)\n", units_print_count(profile->write_bytes, text),
	       units_print_bytes(profile->write_bytes, bytes));
	printf("  distinct paths     %s\n", units_print_count(profile->paths, text));
	printf("  max open handles   %" PRIu32 "\n", profile->peak_handles);
	printf("  footprint          %s per user",
	       units_print_bytes(profile->footprint_bytes, text));
	if (profile->shared_footprint_bytes > 0)
		printf(", and %s per target",
		       units_print_bytes(profile->shared_footprint_bytes, text));
	putchar('\n');
	if (profile->paced_ns > 0)
		printf("  time stamps        %s per loop\n",
		       units_print_duration(profile->paced_ns, text));
	if (profile->setup.end > 0)
		printf("  set-up             %s %s, up to line %" PRIu32 "%s\n",
		       units_print_count(profile->setup_ops, text),
		       units_plural(profile->setup_ops, "operation", "operations"),
		       program->ops[profile->setup.end - 1].line,
		       profile->setup.restore ? ", restored between loops" : "");
	else if (profile->prologue_end > 0)
		printf("  prologue           up to line %" PRIu32 "\n",
		       program->ops[profile->prologue_end - 1].line);
	else
		printf("  prologue           none\n");
	print_phases(program);
	print_streams(program, streams);
	printf("  recorded failures  %s\n", units_print_count(profile->failures, text));
	print_labels(program, profile);
}

static void print_program(const void *program, FILE *stream)
{
	program_print(program, stream);
}

/* Check a loadfile or a load of the library; return the exit code. */
static int check_load(const char *word, const struct check *check)
{
	struct errors errors = {0};
	struct error error = {0};
	char path[PATH_MAX];
	struct program *program = NULL;
	struct streams streams = {0};
	struct profile *profile = malloc(sizeof(*profile));
	int rc = EXIT_VALID;

	if (library_resolve(word, path, &error) == 0)
		program = load_file(path, &check->load, &errors);
	if (error.set) {
		rc = cli_refuse(&error);
	} else if (program == NULL) {
		message_errors(&errors);
		rc = EXIT_REFUSED;
	} else if (profile == NULL) {
		error_no_memory(&error);
		rc = cli_refuse(&error);
	} else if (profile_make(program, profile, &error) < 0) {
		rc = cli_refuse(&error);
	} else if (check->graph) {
		if (check_graph(program, profile, &error) < 0)
			rc = cli_refuse(&error);
	} else if (check->print) {
		cli_print(print_program, program);
	} else if (program->streams != 0 &&
		   streams_derive(&streams, program, profile->setup.end) < 0) {
		error_no_memory(&error);
		rc = cli_refuse(&error);
	} else {
		describe(program, profile, &streams);
	}
	streams_free(&streams);
	free(profile);
	program_free(program);
	return rc;
}

#define AT(member) OPTION_AT(struct check, member)

const struct option_row check_rows[] = {
	{"print", 'p', OPTION_FLAG, NULL, "Print the load in the native dialect", AT(print),
	 .flags = OPTION_COMMON},
	{"graph", 'g', OPTION_FLAG, NULL, "Show what the load is made of, with bars", AT(graph),
	 .flags = OPTION_COMMON},
	{"load-limit", 0, OPTION_SIZE, "SIZE", "Max memory for a load", AT(load.bytes_max),
	 .min = 1, .max = INT64_MAX, .flags = OPTION_SHOWS_DEFAULT | OPTION_COMMON},
	{"set", 0, OPTION_TEXTS, "NAME=VALUE", "Set a parameter of the loads",
	 .offer = completion_offer_parameters, .flags = OPTION_ALL | OPTION_COMMON},
	{.name = NULL},
};

/* Check the files on the command line; return the exit code. */
static int check_files(struct check *check)
{
	struct error error = {0};
	int rc = EXIT_VALID;
	size_t i;

	if (options_parse(&check->given, &error) == 0 &&
	    load_settings_parse(options_texts(&check->given, "set"), &check->settings,
				&check->load.setting_count, &error) == 0 &&
	    check->given.word_count == 0)
		error_set(&error, "check: expected a LOADFILE; see --help");
	if (!error.set && check->print && check->graph)
		error_set(&error, "--print cannot be combined with --graph");
	if (error.set)
		return cli_refuse(&error);
	check->load.settings = check->settings;
	for (i = 0; i < check->given.word_count; i++)
		if (check_load(check->given.words[i], check) != EXIT_VALID)
			rc = EXIT_REFUSED;
	return rc;
}

int cli_check(int argc, const char **argv)
{
	struct check check = {.load.bytes_max = LOAD_BYTES_MAX};
	const struct option_group groups[] = {
		{.heading = "Options:", .rows = check_rows, .values = &check},
		{.rows = NULL},
	};
	int rc;

	argv[0] = "throng check"; /* for --help */
	rc = options_read(&check.given, groups, "[OPTIONS] LOADFILE...",
			  "  throng check client.txt\n"
			  "  throng check --print client.txt >native.load\n",
			  argc, argv);
	if (rc == CLI_HELP)
		rc = EXIT_VALID;
	else if (rc == EXIT_VALID)
		rc = check_files(&check);
	free(check.settings);
	options_free(&check.given);
	return rc;
}
