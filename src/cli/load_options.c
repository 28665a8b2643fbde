/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/load_options.h"

#include "base/units.h"
#include "program/program.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_CAP_BYTES 512

/* The words that an option takes; their order is that of its enum. */
static const char *const data_words[] = {"random", "zero", "pattern", NULL};
static const char *const write_through_words[] = {"honor", "ignore", "always",
						  NULL};

struct poptOption *load_options_rows(struct load_options *options)
{
	struct load_options *o = options;
	const struct poptOption rows[] = {
		{"loadfile", 'c', POPT_ARG_STRING, &o->loadfile, 0,
		 "What to replay; without it the built-in load", "FILE"},
		{"load-limit", '\0', POPT_ARG_STRING, &o->load_limit, 0,
		 "How much memory the load may take (1GB)", "SIZE"},
		{"max-errors", '\0', POPT_ARG_STRING, &o->max_errors, 0,
		 "How many mismatches to go on through (0)", "N"},
		{"strict", '\0', POPT_ARG_NONE, &o->strict, 0,
		 "Refuse a load that a target cannot play whole", NULL},
		{"keep", '\0', POPT_ARG_NONE, &o->keep, 0,
		 "Leave the users' files behind", NULL},
		{"use-existing", '\0', POPT_ARG_NONE, &o->use_existing, 0,
		 "The load may change what exists outside clients/", NULL},
		{"take-over", '\0', POPT_ARG_NONE, &o->take_over, 0,
		 "The run that left its files in the target has ended: remove "
		 "them", NULL},
		{"data", '\0', POPT_ARG_STRING, &o->data, 0,
		 "What is written: random, zero or pattern (random)", "KIND"},
		{"no-resolve", '\0', POPT_ARG_NONE, &o->no_resolve, 0,
		 "Do not play a file server's name look-ups", NULL},
		{"sync", 's', POPT_ARG_NONE, &o->sync, 0,
		 "Open all files with O_SYNC", NULL},
		{"sync-dirs", 'S', POPT_ARG_NONE, &o->sync_dirs, 0,
		 "Flush the directory after mkdir, rmdir, unlink and rename",
		 NULL},
		{"fsync", 'F', POPT_ARG_NONE, &o->fsync, 0,
		 "Flush the file after each write", NULL},
		{"write-through", '\0', POPT_ARG_STRING, &o->write_through, 0,
		 "Recorded write-through: honor, ignore or always (honor)",
		 "HOW"},
		{"cap-io", '\0', POPT_ARG_STRING, &o->cap_io, 0,
		 "Split larger reads and writes into parts of SIZE", "SIZE"},
		POPT_TABLEEND,
	};

	_Static_assert(sizeof(rows) <= sizeof(o->rows), "all rows have room");
	return memcpy(options->rows, rows, sizeof(rows));
}

static int parse_word(const char *text, const char *option,
		      const char *const *words, unsigned *index,
		      struct error *error)
{
	for (*index = 0; words[*index] != NULL; (*index)++)
		if (strcmp(words[*index], text) == 0)
			return 0;
	error_set(error, "%s: \"%s\" is not %s, %s or %s", option, text,
		  words[0], words[1], words[2]);
	return -EINVAL;
}

static int take_words(const struct load_options *options,
		      struct settings *settings, struct error *error)
{
	unsigned word;

	if (options->data != NULL) {
		if (parse_word(options->data, "--data", data_words, &word,
			       error) < 0)
			return -EINVAL;
		settings->data = (enum data_kind)word;
		/* Without --data a load's WRITEPATTERN lines hold. */
		settings->transform.drop_patterns =
			settings->data != DATA_PATTERN;
	}
	if (options->write_through != NULL) {
		if (parse_word(options->write_through, "--write-through",
			       write_through_words, &word, error) < 0)
			return -EINVAL;
		settings->transform.write_through = (enum write_through)word;
	}
	return 0;
}

int load_options_take(const struct load_options *options,
		      struct settings *settings, struct error *error)
{
	struct transform *transform = &settings->transform;
	int rc = take_words(options, settings, error);

	if (rc == 0 && options->max_errors != NULL)
		rc = units_parse_count(options->max_errors, "--max-errors", 0,
				       INT64_MAX,
				       &settings->mismatches_allowed, error);
	if (rc == 0 && options->cap_io != NULL)
		rc = units_parse_size(options->cap_io, "--cap-io",
				      LEAST_CAP_BYTES, PROGRAM_IO_BYTES_MAX,
				      &transform->io_bytes_max, error);
	if (rc == 0 && options->load_limit != NULL)
		rc = units_parse_size(options->load_limit, "--load-limit", 1,
				      INT64_MAX, &settings->load_bytes_max,
				      error);
	settings->loadfile = options->loadfile;
	settings->strict = options->strict != 0;
	settings->keep = options->keep != 0;
	settings->use_existing = options->use_existing != 0;
	settings->take_over = options->take_over != 0;
	transform->drop_lookups = options->no_resolve != 0;
	transform->sync_opens = options->sync != 0;
	transform->sync_parents = options->sync_dirs != 0;
	transform->flush_writes = options->fsync != 0;
	return rc;
}

void load_options_record(const struct load_options *options,
			 const struct settings *settings,
			 struct result_run *run)
{
	const struct transform *transform = &settings->transform;

	if (options->data != NULL)
		result_add_option(run, "data", "%s", options->data);
	if (transform->drop_lookups)
		result_add_option(run, "resolve", "no");
	if (transform->sync_opens)
		result_add_option(run, "sync", "yes");
	if (transform->sync_parents)
		result_add_option(run, "sync_dirs", "yes");
	if (transform->flush_writes)
		result_add_option(run, "fsync", "yes");
	if (options->write_through != NULL)
		result_add_option(run, "write_through", "%s",
				  options->write_through);
	if (transform->io_bytes_max > 0)
		result_add_option(run, "cap_io", "%llu",
				  (unsigned long long)transform->io_bytes_max);
	if (settings->mismatches_allowed > 0)
		result_add_option(run, "max_errors", "%s",
				  options->max_errors);
	if (settings->strict)
		result_add_option(run, "strict", "yes");
}

void load_options_free(struct load_options *options)
{
	free(options->loadfile);
	free(options->data);
	free(options->write_through);
	free(options->cap_io);
	free(options->max_errors);
	free(options->load_limit);
}
