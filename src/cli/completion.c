/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * throng completion: print the script that completes command lines in a shell. Also
 * the candidates for which the scripts ask.
 */
#include "cli/completion.h"

#include "cli/cli.h"
#include "doc/escape.h"
#include "load/description.h"
#include "load/library.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The usage of `throng completion`. */
#define SHELLS "bash|zsh|fish"

static const struct shell {
	const char *name, *script;
} shells[] = {
	{"bash", completion_bash},
	{"zsh", completion_zsh},
	{"fish", completion_fish},
	{NULL, NULL},
};

void completion_offer(const struct completion *completion, const char *text, const char *end,
		      const char *help)
{
	if (strncmp(text, completion->value, strlen(completion->value)) != 0)
		return;
	printf("%.*s%s%s\t", (int)(completion->value - completion->word), completion->word, text,
	       end);
	/* It may be that of a loadfile. */
	escape_text(help, stdout);
	putchar('\n');
}

static int read_load(const char *word, struct description *description)
{
	struct error ignored = {0};
	char path[PATH_MAX];

	*description = (struct description){0};
	if (library_resolve(word, path, &ignored) < 0)
		return -1;
	return description_read(description, path, &ignored);
}

void completion_offer_loads(const struct completion *completion)
{
	struct library library = {0};
	struct error ignored = {0};
	size_t i;

	library_list(&library, &ignored);
	for (i = 0; i < library.count; i++) {
		struct description description;
		const char *summary = "";

		if (read_load(library.names[i], &description) == 0)
			summary = description.summary;
		completion_offer(completion, library.names[i], "", summary);
		description_free(&description);
	}
	library_free(&library);
}

void completion_offer_parameters(const struct completion *completion)
{
	const char *const usual[] = {
		completion->argument != NULL ? completion->argument : LIBRARY_DEFAULT, NULL};
	const char *const *load = options_texts(completion->options, "loadfile");
	size_t i;

	if (load == NULL)
		load = usual;
	for (; *load != NULL; load++) {
		struct description description;

		if (read_load(*load, &description) == 0)
			for (i = 0; i < description.parameter_count; i++)
				completion_offer(completion, description.parameters[i].name, "=",
						 description.parameters[i].text);
		description_free(&description);
	}
}

/* Return the kind of files for which the name of an argument in help stands. */
static const char *kind_of(const char *argument)
{
	static const struct {
		const char *part, *kind;
	} kinds[] = {
		{".json", "files"},      {"TARGET", "directories"}, {"FILE", "files"},
		{"RESULT", "files"},     {"PREFIX", "files"},       {"DIR", "directories"},
		{"COMMAND", "commands"},
	};
	size_t i;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strstr(argument, kinds[i].part) != NULL)
			return kinds[i].kind;
	return "words";
}

/* List the values of an option. */
static void list_values(const struct completion *completion, const struct option_row *row)
{
	const char *const *word = row->words;

	printf("%s %.*s\n", kind_of(row->argument), (int)(completion->value - completion->word),
	       completion->word);
	for (; word != NULL && *word != NULL; word++)
		completion_offer(completion, *word, "", "");
	if (row->offer != NULL)
		row->offer(completion);
}

static void list_options(const struct completion *completion)
{
	const struct option *option = completion->options->list;
	char name[64];
	size_t i;

	puts("words");
	for (i = 0; i < completion->options->count; i++, option++) {
		snprintf(name, sizeof(name), "--%s", option->row->name);
		if (!option->refused)
			completion_offer(completion, name, "", option->help);
	}
	completion_offer(completion, "--help", "", "Show the usual options and exit");
	completion_offer(completion, "--help-all", "", "Show all options and exit");
}

/* List arguments that are no options. */
static void list_arguments(const struct completion *completion, const char *usage)
{
	const struct shell *shell;

	puts(kind_of(usage));
	if (strstr(usage, "LOADFILE") != NULL || strcmp(usage, "[NAME...]") == 0)
		completion_offer_loads(completion);
	for (shell = shells; shell->name != NULL && strcmp(usage, SHELLS) == 0; shell++)
		completion_offer(completion, shell->name, "", "");
}

/* Find an option by the first bytes of `name`. */
static struct option *find_name(const struct options *options, const char *name, size_t length)
{
	size_t i;

	for (i = 0; i < options->count; i++) {
		const char *known = options->list[i].row->name;

		if (strlen(known) == length && memcmp(known, name, length) == 0)
			return &options->list[i];
	}
	return NULL;
}

static struct option *find_letter(const struct options *options, char letter)
{
	size_t i;

	for (i = 0; i < options->count; i++)
		if (options->list[i].row->letter == letter)
			return &options->list[i];
	return NULL;
}

/*
 * Return the option that a word names and that has an argument, and set *value to its
 * text in this word, or to NULL if it is the next word. Return NULL for other words.
 */
static struct option *find_option(const struct options *options, const char *word,
				  const char **value)
{
	struct option *option;

	*value = NULL;
	if (strncmp(word, "--", 2) == 0) {
		size_t length = strcspn(word + 2, "=");

		option = find_name(options, word + 2, length);
		if (word[2 + length] == '=')
			*value = word + 2 + length + 1;
		return option != NULL && option->row->argument != NULL ? option : NULL;
	}
	/* Several letters may follow one dash. */
	for (word += *word == '-' ? 1 : strlen(word); *word != '\0'; word++) {
		option = find_letter(options, *word);
		if (option == NULL)
			return NULL;
		if (option->row->argument == NULL)
			continue;
		*value = word[1] != '\0' ? word + 1 : NULL;
		return option;
	}
	return NULL;
}

/* Read the words before the last one. Return the option of which that is the value, or
 * NULL, and set *ended if there was "--". */
static struct option *read_words(struct completion *completion, struct options *options,
				 const char *const *words, bool *ended)
{
	struct option *option = NULL;
	const char *value;

	for (; words[0] != NULL && words[1] != NULL; words++) {
		value = words[0];
		if (option == NULL && !*ended) {
			*ended = strcmp(words[0], "--") == 0;
			option = find_option(options, words[0], &value);
			if (option != NULL && value == NULL)
				continue; /* the next word is its value */
		}
		if (option != NULL)
			option_add_text(option, strdup(value));
		else if (words[0][0] != '-')
			completion->argument = words[0];
		option = NULL;
	}
	return option;
}

void completion_list(struct options *options, const char *usage, const char *const *words)
{
	struct completion completion = {.options = options, .word = ""};
	bool ended = false;
	struct option *option = read_words(&completion, options, words, &ended);

	while (words[0] != NULL)
		completion.word = *words++;
	completion.value = completion.word;
	if (option == NULL && !ended) {
		option = find_option(options, completion.word, &completion.value);
		if (completion.value == NULL || option == NULL) {
			completion.value = completion.word;
			option = NULL;
		}
	}
	if (option != NULL)
		list_values(&completion, option->row);
	else if (!ended && completion.word[0] == '-')
		list_options(&completion);
	else
		list_arguments(&completion, usage);
}

static int print_script(const struct options *given)
{
	const struct shell *shell = shells;
	struct error error = {0};

	if (given->word_count != 1) {
		error_set(&error, "completion: expected bash, zsh or fish; see --help");
		return cli_refuse(&error);
	}
	while (shell->name != NULL && strcmp(shell->name, given->words[0]) != 0)
		shell++;
	if (shell->name == NULL) {
		error_set(&error, "completion: unknown shell \"%s\"; expected bash, zsh or fish",
			  given->words[0]);
		return cli_refuse(&error);
	}
	fputs(shell->script, stdout);
	return EXIT_VALID;
}

int cli_completion(int argc, const char **argv)
{
	const struct option_row rows[] = {{.name = NULL}};
	const struct option_group groups[] = {{.rows = rows}, {.rows = NULL}};
	struct options given = {0};
	int rc;

	argv[0] = "throng completion"; /* for --help */
	rc = options_read(&given, groups, SHELLS,
			  "  source <(throng completion bash)\n"
			  "  throng completion fish >~/.config/fish/completions/throng.fish\n",
			  argc, argv);
	if (rc == CLI_HELP)
		rc = EXIT_VALID;
	else if (rc == EXIT_VALID)
		rc = print_script(&given);
	options_free(&given);
	return rc;
}
