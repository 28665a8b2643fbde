/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/measure/prepare.h"

#include "adapt/setup_flush.h"
#include "base/array.h"
#include "base/message.h"
#include "base/units.h"
#include "load/library.h"
#include "result/check.h"
#include "study/loads.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/utsname.h>
#include <unistd.h>

_Static_assert(CHECK_LOADS_MAX >= (int)LOADS_MAX &&
		       CHECK_PARTS_MAX >= (1 + LOADS_MAX) * (1 + (int)PROGRAM_PHASES_MAX) &&
		       CHECK_OPERATIONS_MAX >= (int)PROGRAM_LABELS_MAX,
	       "a result file can have all loads, phases and labels");

/* Append the description of a compiled load. */
static int describe_load(const struct load *load, const char *name, struct result_variant *about,
			 struct error *error)
{
	const struct profile *profile = load->profile;
	const struct result_load described = {
		.name = strdup(name),
		.dialect = strdup(load->program->dialect),
		.ops = profile->ops,
		.read_bytes = profile->read_bytes,
		.write_bytes = profile->write_bytes,
		.open_reads = profile->open_reads,
		.laid_out_bytes = profile->laid_out_bytes,
		.paced_ns = profile->paced_ns,
		.footprint_bytes = profile->footprint_bytes,
		.shared_footprint_bytes = profile->shared_footprint_bytes,
		.synced = profile->synced,
	};

	if (array_append(&about->loads, &about->load_count, &described, sizeof(described)) == 0)
		return 0;
	free(described.name);
	free(described.dialect);
	return error_no_memory(error);
}

/* Compile a loadfile, transform the program and append it to the loads. Return
 * as prepare_load does. */
static int add_load(struct loads *loads, const char *path, const char *name, unsigned weight,
		    const struct load_options *options, const struct transform *transform,
		    struct result_variant *about, struct error *error)
{
	struct errors errors = {0};
	struct program *program = load_file(path, options, &errors);
	struct profile *profile = malloc(sizeof(*profile));

	if (program == NULL)
		message_errors(&errors);
	else if (profile == NULL)
		error_no_memory(error);
	else if (transform_program(program, transform, error) == 0 &&
		 setup_flush(program, error) == 0 && profile_make(program, profile, error) == 0)
		return loads_add(loads, program, profile, weight, error) < 0
			       ? -1
			       : describe_load(&loads->list[loads->count - 1], name, about, error);
	free(profile);
	program_free(program);
	return -1;
}

int prepare_load(struct loads *loads, const char *path, const char *name,
		 const struct load_options *options, const struct transform *transform,
		 struct result_variant *about, struct error *error)
{
	if (add_load(loads, path, name, 1, options, transform, about, error) < 0)
		return -1;
	return loads_finish(loads, error);
}

static bool has_label(const struct program *program, const char *name)
{
	size_t i;

	for (i = 0; i < program->label_count; i++)
		if (strcasecmp(program->labels[i], name) == 0)
			return true;
	return false;
}

static bool has_phase(const struct program *program, const char *name)
{
	size_t i;

	for (i = 0; i < program->phase_count; i++)
		if (strcmp(program->phases[i].name, name) == 0)
			return true;
	return false;
}

/* Check if the phase with this name names its items, or all phases of the only load
 * (NULL) do. */
static bool has_items(const struct loads *loads, const char *phase)
{
	size_t without = 0, i, j;

	for (i = 0; i < loads->count; i++)
		for (j = 0; j < loads->list[i].program->phase_count; j++) {
			const struct program_phase *one = &loads->list[i].program->phases[j];

			if (phase != NULL && strcmp(one->name, phase) == 0)
				return one->items[0] != '\0';
			without += one->items[0] == '\0';
		}
	return phase == NULL && loads->count == 1 && loads->list[0].program->phase_count > 0 &&
	       without == 0;
}

/* Check that not several loads have the phase: its figures are those of one
 * load. */
static int check_phase(const struct loads *loads, const char *name, const char *option,
		       struct error *error)
{
	size_t count = 0, i;

	for (i = 0; i < loads->count; i++)
		count += has_phase(loads->list[i].program, name);
	if (count <= 1)
		return 0;
	error_set(
		error,
		"%s: %zu loads have a phase \"%s\"; rename the phase so that only one load has it",
		option, count, name);
	return -EINVAL;
}

int prepare_check_metric(const struct loads *loads, const struct metric *metric, const char *option,
			 struct error *error)
{
	const char *phase = metric_phase(metric);
	bool is_operation = false;
	char name[METRIC_TEXT];
	size_t i;

	if (metric_is_open_loop(metric) && !program_is_paced(loads->list[0].program)) {
		error_set(error,
			  "%s: %s is measured only in an open-loop replay (with --rate, or with "
			  "time stamps in the load)",
			  option, metric_name(metric, name));
		return -EINVAL;
	}
	if ((metric->figure == FIGURE_ITEMS || metric->figure == FIGURE_ITEMS_PER_S) &&
	    !has_items(loads, phase)) {
		error_set(error,
			  phase != NULL ? "%s: %s is measured only if the PHASE names the "
					  "operations to count, as in \"PHASE create open\""
					: "%s: %s is measured only if each PHASE of the load names "
					  "the operations to count, as in \"PHASE create open\"",
			  option, metric_name(metric, name));
		return -EINVAL;
	}
	if (metric->operation[0] == '\0')
		return 0;
	if (phase != NULL && check_phase(loads, phase, option, error) < 0)
		return -EINVAL;
	for (i = 0; i < loads->count; i++) {
		const struct program *program = loads->list[i].program;

		if (phase != NULL && has_phase(program, phase))
			return 0;
		is_operation |= has_label(program, metric->operation);
	}
	if (is_operation && metric_is_of_operations(metric))
		return 0;
	if (is_operation)
		error_set(error,
			  "%s: %s is measured only for phases and for all operations together, not "
			  "for a single operation such as \"%s\"",
			  option, metric_name(metric, name), metric->operation);
	else
		error_set(error,
			  phase != NULL ? "%s: \"%s\" is not an operation of the load; `throng "
					  "check' lists the operations and phases of the load"
					: "%s: \"%s\" is not an operation of the load; `throng "
					  "check' lists the operations of the load",
			  option, metric->operation);
	return -EINVAL;
}

/* Check that the loads have the operations in the settings' conditions. */
static int check_conditions(const struct loads *loads, const struct settings *settings,
			    struct error *error)
{
	const struct {
		const struct condition *list;
		size_t count;
		const char *option;
	} all[] = {
		{settings->limits, settings->limit_count, "--limit"},
		{settings->stops, settings->stop_count, "--stop-when"},
		{settings->failures, settings->failure_count, "--fail-if"},
		{settings->rate_limit, settings->rate_limit != NULL, "--find-rate"},
	};
	size_t i, j;

	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		for (j = 0; j < all[i].count; j++)
			if (prepare_check_metric(loads, &all[i].list[j].metric, all[i].option,
						 error) < 0)
				return -EINVAL;
	return 0;
}

/* Add the digest to the last load. */
static int add_digest(const char *path, struct result_variant *about, struct error *error)
{
	char text[LOAD_DIGEST_TEXT];

	if (load_digest(path, text, error) < 0)
		return -1;
	about->loads[about->load_count - 1].sha256 = strdup(text);
	return 0;
}

static struct load_options options_of(const struct settings *settings)
{
	return (struct load_options){
		.bytes_max = settings->load_bytes_max,
		.settings = settings->load_settings,
		.setting_count = settings->load_setting_count,
	};
}

static int prepare_builtin(struct loads *loads, const struct settings *settings, bool digest,
			   struct result_variant *about, struct error *error)
{
	const struct load_options options = options_of(settings);
	char path[PATH_MAX];

	if (library_find(LIBRARY_DEFAULT, path, error) < 0 ||
	    prepare_load(loads, path, LIBRARY_DEFAULT_SHOWN, &options, &settings->transform, about,
			 error) < 0)
		return -1;
	return digest ? add_digest(path, about, error) : 0;
}

/* A word of --loadfile: FILE, or FILE:WEIGHT if the run has several loads. */
struct load_word {
	char file[PATH_MAX];
	unsigned weight; /* 1 if the word has none */
};

/* Return the colon before the weight, or NULL if the word has no weight. */
static const char *find_colon(const char *text)
{
	const char *colon = strrchr(text, ':');

	if (colon == NULL || colon == text || colon[1] == '\0' ||
	    colon[1 + strspn(colon + 1, "0123456789")] != '\0' || access(text, F_OK) == 0)
		return NULL;
	return colon;
}

/* Refuse "FILE:WEIGHT" with a weight that is not a whole number. Any other name
 * with a colon may be the name of a file. */
static int check_weight(const char *text, const struct load_word *word, struct error *error)
{
	const char *colon = strrchr(text, ':');
	struct error ignored = {0};
	char name[sizeof(word->file)], path[PATH_MAX];

	if (colon == NULL || colon == text || access(text, F_OK) == 0)
		return 0;
	snprintf(name, sizeof(name), "%.*s", (int)(colon - text), text);
	if (access(name, F_OK) < 0 && library_find(name, path, &ignored) < 0)
		return 0;
	error_set(
		error,
		"--loadfile: the weight in \"%s\" is not a whole number; expected for example %s:2",
		text, name);
	return -EINVAL;
}

/* Split a word. If there is a file with the whole word as its name, the word has
 * no weight. */
static int parse_word(const char *text, struct load_word *word, struct error *error)
{
	const char *colon = find_colon(text);
	size_t length = colon != NULL ? (size_t)(colon - text) : strlen(text);
	uint64_t weight = 1;
	char what[128];

	if (length >= sizeof(word->file)) {
		error_set(error, "--loadfile: \"%.60s...\" is longer than %zu bytes", text,
			  sizeof(word->file) - 1);
		return -EINVAL;
	}
	if (colon == NULL && check_weight(text, word, error) < 0)
		return -EINVAL;
	snprintf(what, sizeof(what), "--loadfile: the weight of \"%.80s\"", text);
	if (colon != NULL &&
	    units_parse_count(colon + 1, what, 1, LOADS_WEIGHT_MAX, &weight, error) < 0)
		return -EINVAL;
	memcpy(word->file, text, length);
	word->file[length] = '\0';
	word->weight = (unsigned)weight;
	return 0;
}

/* Prepare one of the loadfiles in the settings, and describe it. */
static int prepare_word(struct loads *loads, const char *text, const struct settings *settings,
			const struct load_options *options, bool digest,
			struct result_variant *about, struct error *error)
{
	struct load_word word;
	char path[PATH_MAX];

	if (parse_word(text, &word, error) < 0 || library_resolve(word.file, path, error) < 0 ||
	    add_load(loads, path, word.file, word.weight, options, &settings->transform, about,
		     error) < 0)
		return -1;
	return digest ? add_digest(path, about, error) : 0;
}

/* Refuse a load that is given twice: results tell loads apart by name. */
static int check_names(const struct result_load *list, size_t count, struct error *error)
{
	size_t i, j;

	for (i = 0; i < count; i++)
		for (j = 0; j < i; j++) {
			if (strcmp(list[i].name, list[j].name) != 0)
				continue;
			error_set(error,
				  "--loadfile: %s is given twice; to let more users play %s, give "
				  "the load a weight, as in %s:2",
				  list[i].name, list[i].name, list[i].name);
			return -EINVAL;
		}
	return 0;
}

/* Refuse a setting of a parameter that none of the loads has. */
static int check_settings(const struct load_options *options, struct error *error)
{
	size_t i;

	for (i = 0; options->found != NULL && i < options->setting_count; i++) {
		if (options->found[i])
			continue;
		error_set(error, "none of the loads has a parameter \"%s\"",
			  options->settings[i].name);
		return -EINVAL;
	}
	return 0;
}

/* Prepare the loadfiles in the settings; there is at least one. */
static int prepare_words(struct loads *loads, const struct settings *settings, bool *found,
			 bool digest, struct result_variant *about, struct error *error)
{
	struct load_options options = options_of(settings);
	const char *const *word = settings->loadfiles;
	size_t i;
	int rc = 0;

	/* A single load must have all parameters. */
	options.found = found;
	if (found == NULL && word[1] != NULL) {
		options.found = calloc(options.setting_count + 1, sizeof(*options.found));
		if (options.found == NULL)
			return error_no_memory(error);
	}
	for (; *word != NULL && rc == 0; word++)
		rc = prepare_word(loads, *word, settings, &options, digest, about, error);
	if (rc == 0 && found == NULL)
		rc = check_settings(&options, error);
	if (found == NULL)
		free(options.found);
	if (rc < 0 || check_names(about->loads, about->load_count, error) < 0 ||
	    loads_finish(loads, error) < 0)
		return -1;
	for (i = 0; loads->count > 1 && i < loads->count; i++)
		about->loads[i].weight = loads->list[i].weight;
	return 0;
}

int prepare_check_pace(const struct program *one, const struct program *other, struct error *error)
{
	bool paced = program_is_paced(one);

	if (program_is_paced(other) == paced)
		return 0;
	error_set(error,
		  "%s has no time stamps, but %s has time stamps; use --rate to schedule the "
		  "operations of all "
		  "loads, or --speed max to ignore the time stamps",
		  paced ? other->source : one->source, paced ? one->source : other->source);
	return -EINVAL;
}

/* Find out if operations have due times. Refuse loads of which only some have. */
static int find_pace(const struct loads *loads, bool *paced, struct error *error)
{
	size_t i;

	*paced = program_is_paced(loads->list[0].program);
	for (i = 1; i < loads->count; i++)
		if (prepare_check_pace(loads->list[0].program, loads->list[i].program, error) < 0)
			return -EINVAL;
	return 0;
}

int prepare_settings_loads(struct loads *loads, const struct settings *settings, bool *found,
			   bool digest, struct result_run *run, size_t variant, struct error *error)
{
	struct result_variant *about = &run->variants[variant];
	bool paced = false;
	int rc = settings->loadfiles == NULL
			 ? prepare_builtin(loads, settings, digest, about, error)
			 : prepare_words(loads, settings, found, digest, about, error);

	if (rc == 0)
		rc = find_pace(loads, &paced, error);
	/* Without due times, latencies are service times. Don't call those of
	 * all variants response times then. dbench's figures are service times
	 * in any case. */
	run->open_loop = paced && !settings->service_times && (variant == 0 || run->open_loop);
	return rc < 0 ? rc : check_conditions(loads, settings, error);
}

void prepare_host(struct result_run *about)
{
	struct utsname host;

	uname(&host);
	about->version = strdup(PACKAGE_VERSION);
	about->host = strdup(host.nodename);
	about->kernel = strdup(host.release);
	result_time_stamp(about->started);
	about->cpus = (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
	about->memory_bytes = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* Write an argument as a shell reads it, in quotes only if it needs them. */
static void write_argument(const char *argument, FILE *stream)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
				    "%+,-./:=@_";

	if (argument[0] != '\0' && argument[strspn(argument, plain)] == '\0') {
		fputs(argument, stream);
		return;
	}
	fputc('\'', stream);
	for (; *argument != '\0'; argument++) {
		if (*argument == '\'')
			fputs("'\\'", stream);
		fputc(*argument, stream);
	}
	fputc('\'', stream);
}

char *prepare_command(int argc, const char **argv)
{
	char *text = NULL;
	size_t bytes;
	FILE *stream = open_memstream(&text, &bytes);
	int i;

	if (stream == NULL)
		return NULL;
	/* The program with its subcommand. */
	fputs(argv[0], stream);
	for (i = 1; i < argc; i++) {
		fputc(' ', stream);
		write_argument(argv[i], stream);
	}
	fclose(stream);
	return text;
}
