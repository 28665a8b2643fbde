/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/measure/run_variants.h"

#include "base/array.h"
#include "base/utf8.h"
#include "result/check.h"
#include "result/variant.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* The names of the axes whose values are targets and loads. */
#define TARGET_AXIS "target"
#define LOAD_AXIS "loadfile"
/* Its values may contain commas, as in 500/s,poisson. */
#define RATE_AXIS "rate"

/* Max bytes of an axis' name, which is a part of keys in result files. */
enum { NAME_BYTES_MAX = 200 };

/* The characters of a variable's name. */
#define NAME_CHARACTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_"

static int refuse_axis(const char *name, const char *why, struct error *error)
{
	error_set(error, "--sweep %s: %s", name, why);
	return -EINVAL;
}

/* Add a value to an axis. Refuse an empty or repeated one, and one that result
 * files cannot hold. */
static int add_value(struct result_axis *axis, const char *text, struct error *error)
{
	char *value;
	size_t i;

	if (text[0] == '\0')
		return refuse_axis(
			axis->name,
			"a value is empty; expected NAME=VALUE,VALUE,..., such as bs=4Ki,64Ki",
			error);
	if (!utf8_is_valid(text))
		return refuse_axis(axis->name, "a value is not UTF-8", error);
	for (i = 0; i < axis->value_count; i++)
		if (strcmp(axis->values[i], text) == 0)
			return refuse_axis(axis->name,
					   "a value is given twice; to measure a value several "
					   "times, use --repeat",
					   error);
	value = strdup(text);
	if (value != NULL &&
	    array_append(&axis->values, &axis->value_count, &value, sizeof(value)) == 0)
		return 0;
	free(value);
	return error_no_memory(error);
}

/* Cut the next value from a list with commas, or return NULL. With `rates`, words
 * such as poisson belong to the value before them. */
static char *cut_value(char **next, bool rates)
{
	char *value = strsep(next, ",");

	while (rates && *next != NULL && settings_is_rate_word(*next, strcspn(*next, ","))) {
		value[strlen(value)] = ',';
		(void)strsep(next, ",");
	}
	return value;
}

/* Add the axis of one text, such as "bs=4Ki,64Ki". */
static int add_axis(const char *text, struct result_run *run, struct error *error)
{
	struct result_axis empty = {0}, *axis;
	const char *sign = strchr(text, '=');
	char *copy, *next, *item;
	size_t i;
	int rc = 0;

	if (sign == NULL || sign == text) {
		error_set(error,
			  "--sweep: \"%s\" must be NAME=VALUE,VALUE,..., such as bs=4Ki,64Ki",
			  text);
		return -EINVAL;
	}
	if (array_append(&run->axes, &run->axis_count, &empty, sizeof(empty)) < 0)
		return error_no_memory(error);
	axis = &run->axes[run->axis_count - 1];
	axis->name = strndup(text, (size_t)(sign - text));
	copy = next = strdup(sign + 1);
	if (axis->name == NULL || copy == NULL)
		rc = error_no_memory(error);
	else if (strlen(axis->name) > NAME_BYTES_MAX)
		rc = refuse_axis(axis->name, "the name is too long: more than 200 bytes", error);
	for (i = 0; rc == 0 && i + 1 < run->axis_count; i++)
		if (strcmp(run->axes[i].name, axis->name) == 0)
			rc = refuse_axis(axis->name,
					 "this name is given twice; list all values "
					 "in one --sweep",
					 error);
	while (rc == 0 && (item = cut_value(&next, strcmp(axis->name, RATE_AXIS) == 0)) != NULL)
		rc = add_value(axis, item, error);
	free(copy);
	return rc;
}

/* Check the name of an axis "env:NAME", and that a command sees its values. */
static int check_variable(const struct run_options *options, const char *axis, struct error *error)
{
	const char *name = variant_variable(axis);

	if (name[strspn(name, NAME_CHARACTERS)] != '\0' || name[0] == '\0' ||
	    isdigit((unsigned char)name[0]))
		return refuse_axis(axis,
				   "expected a name of letters, digits and _ that does not begin "
				   "with a digit, such as env:CPUS",
				   error);
	if (strncmp(name, "THRONG_", strlen("THRONG_")) == 0)
		return refuse_axis(axis,
				   "names that begin with THRONG_ are reserved for variables that "
				   "throng sets; choose another name",
				   error);
	if (options->before != NULL || options->after != NULL || options->measure.samples != NULL)
		return 0;
	error_set(error,
		  "--sweep %s needs --before, --after or --sample, because only the commands of "
		  "these options see the environment variable",
		  axis);
	return -EINVAL;
}

/* Check an axis against the other options. */
static int check_axis(const struct run_options *options, const char *name, struct error *error)
{
	const struct settings *settings = &options->measure.settings;
	const struct options *given = &options->given;
	size_t i;

	if (variant_variable(name) != NULL)
		return check_variable(options, name, error);
	if (variant_url_key(name) != NULL &&
	    (variant_url_key(name)[0] == '\0' || strpbrk(variant_url_key(name), "?&#") != NULL))
		return refuse_axis(name, "expected an option of the URL, such as url:client",
				   error);
	if (strcmp(name, TARGET_AXIS) == 0 && given->words != NULL)
		return refuse_axis(name,
				   "the values are the targets of the run, so leave out the TARGET "
				   "after the options",
				   error);
	if (strcmp(name, LOAD_AXIS) == 0 && options_texts(given, LOAD_AXIS) != NULL)
		return refuse_axis(name, "the values are the loads of the run, so leave out -c",
				   error);
	if (settings->rate_limit != NULL &&
	    (strcmp(name, RATE_AXIS) == 0 || strcmp(name, "speed") == 0))
		return refuse_axis(name,
				   "cannot be combined with --find-rate, which chooses the rates",
				   error);
	if (options_swept(given, name) && options_given(given, name))
		return refuse_axis(
			name,
			"the same option is also given without --sweep; leave one of the two out",
			error);
	for (i = 0; i < settings->load_setting_count; i++)
		if (strcmp(settings->load_settings[i].name, name) == 0)
			return refuse_axis(name,
					   "the same parameter is also given by --set; leave one "
					   "of the two out",
					   error);
	return 0;
}

/* Return the index of an axis, or run->axis_count if there is none of this name. */
static size_t find_axis(const struct result_run *run, const char *name)
{
	size_t i = 0;

	while (i < run->axis_count && strcmp(run->axes[i].name, name) != 0)
		i++;
	return i;
}

/* Refuse a run without a target. A directory after --loadfile was probably
 * meant as the target. */
static void refuse_no_target(const struct settings *settings, struct error *error)
{
	const char *const *word = settings->loadfiles;
	struct stat status;

	while (word != NULL && *word != NULL &&
	       (stat(*word, &status) < 0 || !S_ISDIR(status.st_mode)))
		word++;
	if (word != NULL && *word != NULL)
		error_set(error,
			  "run: expected a TARGET after the options; \"%s\" was taken as the "
			  "loadfile of -c",
			  *word);
	else
		error_set(error, "run: expected a TARGET (a path or a URL); see --help");
}

int run_variants_parse(const struct run_options *options, struct result_run *run,
		       struct error *error)
{
	const struct settings *settings = &options->measure.settings;
	const char *const *text = options_texts(&options->given, "sweep");
	size_t i;
	int rc = 0;

	for (; text != NULL && *text != NULL && rc == 0; text++)
		rc = add_axis(*text, run, error);
	for (i = 0; i < run->axis_count && rc == 0; i++)
		rc = check_axis(options, run->axes[i].name, error);
	if (rc < 0)
		return rc;
	if (options->given.words == NULL && find_axis(run, TARGET_AXIS) == run->axis_count)
		refuse_no_target(settings, error);
	else if (variant_count(run) > VARIANTS_MAX)
		error_set(error, "--sweep: the values have more than %d combinations",
			  VARIANTS_MAX);
	else if (variant_count(run) * settings->user_count_count > CHECK_POINTS_MAX)
		error_set(error,
			  "--sweep: the values, together with the user counts of --users, have "
			  "more than %d combinations",
			  CHECK_POINTS_MAX);
	else if (settings->keep && variant_count(run) > 1)
		error_set(error, "--keep cannot be combined with --sweep, because the files of one "
				 "combination of values are removed before the next combination is "
				 "measured");
	return error->set ? -EINVAL : 0;
}

/* The options, the load and the targets of one variant. */
struct choice {
	struct measure_options measure; /* with the variant's values */
	const char *target[2];          /* the value of the axis "target", then NULL */
	char **urls;                    /* the targets with the options of axes "url:KEY" */
	size_t url_count;
	const char *loadfile[2]; /* the same for "loadfile" */
	/* Room for the values from --set and for those of all axes. */
	struct load_setting *settings;
};

/* Set the option or the parameter of an axis to its value. */
static int choose(const struct run_options *options, const char *name, const char *value,
		  struct choice *choice, struct error *error)
{
	struct settings *settings = &choice->measure.settings;

	if (variant_variable(name) != NULL || variant_url_key(name) != NULL)
		return 0; /* for the commands; or for choose_urls */
	if (strcmp(name, TARGET_AXIS) == 0) {
		choice->target[0] = value;
		return 0;
	}
	if (strcmp(name, LOAD_AXIS) == 0) {
		choice->loadfile[0] = value;
		settings->loadfiles = choice->loadfile;
		return 0;
	}
	if (options_swept(&options->given, name))
		return options_set(&options->given, name, value, "--sweep", &choice->measure,
				   error);
	choice->settings[settings->load_setting_count++] = (struct load_setting){
		.name = name,
		.value = value,
		.option = "--sweep",
	};
	return 0;
}

/* Check that a URL can have the option of an axis, and that it has not. */
static int check_url(const char *url, const char *axis, const char *value, struct error *error)
{
	const char *key = variant_url_key(axis), *options = strchr(url, '?');
	size_t length = strlen(key);

	if (strstr(url, "://") == NULL || strncmp(url, "file:", 5) == 0)
		error_set(error, "--sweep %s: the target %s is not a URL that takes options", axis,
			  url);
	if (strpbrk(value, "&#") != NULL)
		error_set(error,
			  "--sweep %s: \"%s\" has the character & or #, which would end the value "
			  "in a URL",
			  axis, value);
	for (; options != NULL; options = strchr(options, '&'))
		if (strncmp(++options, key, length) == 0 && options[length] == '=')
			error_set(error,
				  "--sweep %s: the URL %s already has this option; remove %s= from "
				  "the URL",
				  axis, url, key);
	return error->set ? -EINVAL : 0;
}

/* Add the options of all axes "url:KEY" to a URL. Return an allocated text, or NULL
 * with `error` set. */
static char *extend_url(const char *url, const struct result_run *run, size_t variant,
			struct error *error)
{
	char *text = strdup(url), *longer;
	size_t i;

	for (i = 0; i < run->axis_count && text != NULL; i++) {
		const char *axis = run->axes[i].name, *value = variant_value(run, variant, i);

		if (variant_url_key(axis) == NULL)
			continue;
		if (check_url(url, axis, value, error) < 0 ||
		    asprintf(&longer, "%s%c%s=%s", text, strchr(text, '?') != NULL ? '&' : '?',
			     variant_url_key(axis), value) < 0)
			longer = NULL;
		free(text);
		text = longer;
	}
	if (text == NULL)
		error_no_memory(error);
	return text;
}

/* Fill in the URLs of a variant. */
static int choose_urls(const char *const *targets, const struct result_run *run, size_t variant,
		       struct choice *choice, struct error *error)
{
	size_t count = 0;

	while (targets[count] != NULL)
		count++;
	choice->urls = calloc(count + 1, sizeof(*choice->urls));
	if (choice->urls == NULL)
		return error_no_memory(error);
	for (; choice->url_count < count; choice->url_count++) {
		choice->urls[choice->url_count] = extend_url(targets[choice->url_count], run,
							     variant, error);
		if (choice->urls[choice->url_count] == NULL)
			return -EINVAL;
	}
	return 0;
}

static void free_choice(struct choice *choice)
{
	size_t i;

	for (i = 0; i < choice->url_count; i++)
		free(choice->urls[i]);
	free(choice->urls);
	free(choice->settings);
}

/* Make the options of a variant. Call free_choice even after an error. */
static int make_choice(const struct run_options *options, const struct result_run *run,
		       size_t variant, struct choice *choice, struct error *error)
{
	const struct settings *given = &options->measure.settings;
	size_t i;
	int rc = 0;

	*choice = (struct choice){
		.measure = options->measure,
		.settings = calloc(given->load_setting_count + run->axis_count + 1,
				   sizeof(*choice->settings)),
	};
	if (choice->settings == NULL)
		return error_no_memory(error);
	for (i = 0; i < given->load_setting_count; i++)
		choice->settings[i] = given->load_settings[i];
	choice->measure.settings.load_settings = choice->settings;
	for (i = 0; i < run->axis_count && rc == 0; i++)
		rc = choose(options, run->axes[i].name, variant_value(run, variant, i), choice,
			    error);
	return rc == 0 ? choose_urls(choice->target[0] != NULL ? choice->target
							       : options->given.words,
				     run, variant, choice, error)
		       : rc;
}

/* Refuse a variant whose options select another client than those of an earlier
 * one. */
static int check_clients(const struct run_variants *variants, size_t variant,
			 const struct result_run *run, struct error *error)
{
	const struct result_variant *sets = run->variants;
	char name[VARIANT_TEXT], earlier[VARIANT_TEXT];
	size_t i;
	int rc = 0;

	for (i = 0; i < variant && rc == 0; i++) {
		variant_print(sets[variant].set, sets[variant].set_count, name);
		variant_print(sets[i].set, sets[i].set_count, earlier);
		rc = run_targets_check_clients(&variants->list[i].targets, earlier,
					       &variants->list[variant].targets, name, error);
	}
	return rc;
}

/* Return the first variant with the same loadfiles. */
static size_t find_like(const struct result_run *run, size_t variant)
{
	size_t axis = find_axis(run, LOAD_AXIS), i = 0;

	while (axis < run->axis_count &&
	       variant_value(run, i, axis) != variant_value(run, variant, axis))
		i++;
	return i;
}

/* Copy the digests of another variant's loads, which are from the same loadfiles. */
static int share_digests(struct result_run *run, size_t like, size_t variant, struct error *error)
{
	const struct result_load *from = run->variants[like].loads;
	struct result_load *to = run->variants[variant].loads;
	size_t i;

	for (i = 0; variant > like && i < run->variants[like].load_count; i++) {
		if (from[i].sha256 == NULL)
			continue;
		to[i].sha256 = strdup(from[i].sha256);
		if (to[i].sha256 == NULL)
			return error_no_memory(error);
	}
	return 0;
}

/*
 * Compile the loads of a variant. If variants have different loads, a parameter
 * that --set sets may be one of some loads only, but each load must have those
 * that are varied: else it would be measured several times in the same way.
 */
static int compile(struct run_variants *variants, size_t index, const struct settings *settings,
		   size_t set_count, bool digest, struct result_run *run, struct error *error)
{
	const size_t like = find_like(run, index);
	bool *found = variants->found;
	size_t i;
	int rc;

	for (i = set_count; found != NULL && i < settings->load_setting_count; i++)
		found[i] = false;
	rc = prepare_settings_loads(&variants->list[index].loads, settings, found,
				    digest && index == like, run, index, error);
	for (i = set_count; found != NULL && rc == 0 && i < settings->load_setting_count; i++)
		if (!found[i]) {
			error_set(error, "--sweep %s: the load %s has no parameter %s",
				  settings->load_settings[i].name, settings->loadfiles[0],
				  settings->load_settings[i].name);
			rc = -EINVAL;
		}
	/* Values of the speed may give only some variants due times. */
	if (rc == 0 && found != NULL && find_axis(run, "speed") == run->axis_count)
		rc = prepare_check_pace(variants->list[0].loads.list[0].program,
					variants->list[index].loads.list[0].program, error);
	return rc == 0 ? share_digests(run, like, index, error) : rc;
}

static int open_variant(struct run_variants *variants, size_t index,
			const struct run_options *options, bool digest, struct result_run *run,
			struct error *error)
{
	struct run_variant *variant = &variants->list[index];
	const struct run_targets *targets = &variant->targets;
	struct choice choice;
	int rc = make_choice(options, run, index, &choice, error);
	size_t i;

	if (rc == 0)
		rc = run_targets_open(&variant->targets, (const char *const *)choice.urls,
				      &choice.measure, error);
	if (rc == 0)
		rc = check_clients(variants, index, run, error);
	/* The targets of another variant may have the account already: don't
	 * ask for the password again. */
	for (i = 0; i < index && rc == 0 && !options->measure.dry_run; i++)
		rc = run_targets_share_accounts(&variants->list[i].targets, &variant->targets,
						error);
	if (rc == 0 && !options->measure.dry_run)
		rc = run_targets_find_accounts(&variant->targets, &choice.measure, error);
	if (rc == 0)
		rc = compile(variants, index, &choice.measure.settings,
			     options->measure.settings.load_setting_count, digest, run, error);
	variants->steps[index] = (struct steps_variant){
		.loads = &variant->loads,
		.targets = targets->list,
		.target_count = targets->count,
	};
	free_choice(&choice);
	return rc;
}

/* Refuse a parameter of --set that none of the variants' loads has. */
static int check_found(const struct run_variants *variants, const struct settings *settings,
		       struct error *error)
{
	size_t i;

	for (i = 0; variants->found != NULL && i < settings->load_setting_count; i++)
		if (!variants->found[i])
			error_set(error, "--set %s: none of the loads has this parameter",
				  settings->load_settings[i].name);
	return error->set ? -EINVAL : 0;
}

int run_variants_open(struct run_variants *variants, const struct run_options *options, bool digest,
		      struct result_run *run, struct error *error)
{
	const struct settings *settings = &options->measure.settings;
	size_t settable = settings->load_setting_count + run->axis_count, i;
	int rc = 0;

	if (variant_make_all(run) < 0)
		return error_no_memory(error);
	variants->count = run->variant_count;
	variants->list = calloc(variants->count, sizeof(*variants->list));
	variants->steps = calloc(variants->count, sizeof(*variants->steps));
	if (find_axis(run, LOAD_AXIS) < run->axis_count) {
		variants->found = calloc(settable, sizeof(*variants->found));
		rc = variants->found != NULL ? 0 : -ENOMEM;
	}
	if (variants->list == NULL || variants->steps == NULL || rc < 0)
		return error_no_memory(error);
	for (i = 0; i < variants->count && rc == 0; i++)
		rc = open_variant(variants, i, options, digest, run, error);
	return rc == 0 ? check_found(variants, settings, error) : rc;
}

int run_variants_suit(const struct run_variants *variants, struct run_options *options,
		      struct result_run *run, struct error *error)
{
	size_t i, j;
	int rc = 0;

	for (i = 0; i < variants->count && rc == 0; i++) {
		const struct loads *loads = &variants->list[i].loads;

		rc = measure_options_suit_loads(&options->measure, &options->given, loads, run,
						error);
		for (j = 0; j < options->figure_count && rc == 0; j++)
			rc = prepare_check_metric(loads, &options->figures[j], "--figures", error);
	}
	return rc;
}

void run_variants_free(struct run_variants *variants)
{
	size_t i;

	for (i = 0; variants->list != NULL && i < variants->count; i++) {
		run_targets_free(&variants->list[i].targets);
		loads_free(&variants->list[i].loads);
	}
	free(variants->list);
	free(variants->steps);
	free(variants->found);
}
