/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "load/parameters.h"

#include "base/array.h"
#include "compile/tables.h"
#include "compile/expression.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Max depth of IFs. */
enum { IFS_MAX = 16 };

/* Room for the digits of a number. */
enum { DIGITS = 24 };

struct parameter {
	char *name;
	char *value;                        /* decimal digits or a word */
	char *choices;                      /* "a|b|c"; NULL: the parameter is a number */
	char *help;                         /* the description in its PARAM; NULL: none */
	const struct load_setting *setting; /* that has set the value; or NULL */
	uint32_t line;
	unsigned column; /* of its name */
	bool used;
	bool counter;        /* of a REPEAT */
	unsigned ifs_before; /* counter: the IFs that began before the REPEAT */
};

/* An IF that has no ENDIF yet. */
struct condition_block {
	bool skipping;  /* the lines are left out */
	bool otherwise; /* the ELSE has been read */
	uint32_t line;
	unsigned column; /* of the IF */
};

struct parameters {
	struct builder *builder;
	const struct load_options *options;
	struct parameter *list;
	size_t count;
	struct condition_block ifs[IFS_MAX];
	unsigned depth;
	/* A parameter in the current line whose value a setting has set; or NULL. */
	const struct parameter *set_in_line;
	/* Number of ENDIFs to ignore, as an ENDREPEAT has ended their IFs. */
	unsigned ignored_ends;
	/* The words of the current line, with values for parameters. */
	char *text;
	size_t room;
};

struct parameters *parameters_new(struct builder *builder, const struct load_options *options)
{
	struct parameters *parameters = calloc(1, sizeof(*parameters));

	if (parameters == NULL)
		return NULL;
	parameters->builder = builder;
	parameters->options = options;
	return parameters;
}

void parameters_free(struct parameters *parameters)
{
	size_t i;

	if (parameters == NULL)
		return;
	for (i = 0; i < parameters->count; i++) {
		free(parameters->list[i].name);
		free(parameters->list[i].value);
		free(parameters->list[i].choices);
		free(parameters->list[i].help);
	}
	free(parameters->list);
	free(parameters->text);
	free(parameters);
}

static struct parameter *find(const struct parameters *parameters, const char *name, size_t length)
{
	size_t i;

	for (i = 0; i < parameters->count; i++)
		if (strncmp(parameters->list[i].name, name, length) == 0 &&
		    parameters->list[i].name[length] == '\0')
			return &parameters->list[i];
	return NULL;
}

const char *parameters_kind(const struct parameters *parameters, const char *name)
{
	const struct parameter *found = find(parameters, name, strlen(name));

	return found == NULL ? NULL : found->counter ? "the counter of a REPEAT" : "a PARAM";
}

/* Return the counter of the innermost REPEAT, or NULL. Since a REPEAT has no
 * PARAM, counters come last. */
static struct parameter *innermost_counter(const struct parameters *parameters)
{
	struct parameter *last;

	if (parameters->count == 0)
		return NULL;
	last = &parameters->list[parameters->count - 1];
	return last->counter ? last : NULL;
}

/* Return the number of IFs that began before the innermost REPEAT. */
static unsigned ifs_before(const struct parameters *parameters)
{
	const struct parameter *counter = innermost_counter(parameters);

	return counter != NULL ? counter->ifs_before : 0;
}

/* Return the parameter at a dollar, or NULL. Set *length to that of the
 * reference; if it is none, to that of the text to keep. */
static struct parameter *find_reference(const struct parameters *parameters, const char *dollar,
					size_t *length)
{
	bool braces = dollar[1] == '{';
	const char *name = dollar + 1 + braces;
	size_t name_length = variables_name_length(name);
	struct parameter *parameter = NULL;

	*length = dollar[1] == '$' ? 2 : 1;
	if (name_length == 0 || (braces && name[name_length] != '}'))
		return NULL;
	parameter = find(parameters, name, name_length);
	if (parameter != NULL)
		*length = 1 + name_length + (braces ? 2 : 0);
	return parameter;
}

/* Append text to parameters->text at *used. Return 0 or -ENOMEM. */
static int append(struct parameters *parameters, size_t *used, const char *text, size_t length)
{
	if (array_grow(&parameters->text, &parameters->room, *used + length + 1, 1) < 0)
		return -ENOMEM;
	memcpy(parameters->text + *used, text, length);
	*used += length;
	return 0;
}

/* Append a word with values for its parameters, and a NUL. */
static int substitute(struct parameters *parameters, size_t *used, const char *text)
{
	while (*text != '\0') {
		size_t length = strcspn(text, "$");
		struct parameter *parameter = NULL;
		int rc;

		if (length == 0)
			parameter = find_reference(parameters, text, &length);
		if (parameter == NULL) {
			rc = append(parameters, used, text, length);
		} else {
			parameter->used = true;
			if (parameter->setting != NULL)
				parameters->set_in_line = parameter;
			rc = append(parameters, used, parameter->value, strlen(parameter->value));
		}
		if (rc < 0)
			return rc;
		text += length;
	}
	return append(parameters, used, "", 1);
}

/* Replace the parameters in all words of the line. */
static int substitute_words(struct parameters *parameters, struct line *line)
{
	size_t starts[LINE_WORDS_MAX], used = 0;
	unsigned i;

	for (i = 0; i < line->word_count; i++) {
		starts[i] = used;
		if (strchr(line->words[i].text, '$') != NULL &&
		    substitute(parameters, &used, line->words[i].text) < 0)
			return -ENOMEM;
	}
	/* The text no longer moves. */
	for (i = 0; i < line->word_count; i++)
		if (strchr(line->words[i].text, '$') != NULL)
			line->words[i].text = parameters->text + starts[i];
	return 0;
}

/* Does a line that is left out use this parameter? It must count as used. */
static void note_uses(struct parameters *parameters, const struct line *line)
{
	unsigned i;

	for (i = 0; i < line->word_count; i++) {
		const char *text = line->words[i].text;

		while ((text = strchr(text, '$')) != NULL) {
			size_t length;
			struct parameter *parameter = find_reference(parameters, text, &length);

			if (parameter != NULL)
				parameter->used = true;
			text += length;
		}
	}
}

/* Parse a number, such as a parameter's value, into decimal digits. */
static int parse_number(struct parameters *parameters, const char *text, char digits[DIGITS],
			struct error *error)
{
	struct formula formula;
	uint64_t number;
	int rc = expression_parse(parameters->builder, text, &formula, error);

	if (rc < 0)
		return rc;
	if (!expression_constant(&formula, &number)) {
		error_set(error,
			  "\"%s\" is not a constant; expected only numbers, PARAMs and counters of "
			  "REPEATs",
			  text);
		return -EINVAL;
	}
	snprintf(digits, DIGITS, "%" PRIu64, number);
	return 0;
}

/* Is `word` one of the choices "a|b|c"? */
static bool is_choice(const char *choices, const char *word)
{
	size_t length = strlen(word);

	for (;;) {
		size_t part = strcspn(choices, "|");

		if (part == length && memcmp(choices, word, part) == 0)
			return true;
		if (choices[part] == '\0')
			return false;
		choices += part + 1;
	}
}

/* Check that choices begin with a letter, and that a path may contain them. */
static bool are_choices(const char *text)
{
	bool empty = true;

	for (; *text != '\0'; text++) {
		if (empty && !isalpha((unsigned char)*text))
			return false;
		empty = *text == '|';
		if (!isalnum((unsigned char)*text) && strchr("|_-.", *text) == NULL)
			return false;
	}
	return !empty;
}

/* Replace a parameter's value by a copy of the text, or of its part before a
 * '|'. Return 0 or -ENOMEM. */
static int replace_value(struct parameter *parameter, const char *text)
{
	free(parameter->value);
	parameter->value = strndup(text, strcspn(text, "|"));
	return parameter->value == NULL ? -ENOMEM : 0;
}

static int set_number(struct parameters *parameters, struct parameter *added, const char *text,
		      struct error *error)
{
	char digits[DIGITS];
	int rc = parse_number(parameters, text, digits, error);

	if (rc == 0)
		rc = replace_value(added, digits);
	return rc;
}

/* Set the default, and the choices, from a list such as "read|write". */
static int set_choices(struct parameter *added, const char *text, struct error *error)
{
	if (!are_choices(text)) {
		error_set(error,
			  "\"%s\" is neither a number nor a list of words such as read|write",
			  text);
		return -EINVAL;
	}
	added->choices = strdup(text);
	return added->choices == NULL ? -ENOMEM : replace_value(added, text);
}

static int set_word(struct parameter *added, const char *text, struct error *error)
{
	if (is_choice(added->choices, text))
		return replace_value(added, text);
	error_set(error, "\"%s\" is not a value of $%s; expected %s", text, added->name,
		  added->choices);
	return -EINVAL;
}

/*
 * Set a number to its setting, such as 8Ki. Refuse a unit of powers of 1000 if the default
 * has one of powers of 1024: 4k is 4096 in fio and 4000 here.
 */
static int set_setting(struct parameters *parameters, struct parameter *added, const char *value,
		       const char *default_text, struct error *error)
{
	size_t length = strspn(value, "0123456789");
	int rc = set_number(parameters, added, value, error);

	if (rc < 0 || length == 0 || value[length] == '\0' ||
	    strchr("kMG", value[length]) == NULL || value[length + 1] != '\0' ||
	    default_text[strlen(default_text) - 1] != 'i')
		return rc;
	error_set(error,
		  "k, M and G are powers of 1000, but the default %s has a power of 1024; expected "
		  "%.*s%ci, or %s without a unit",
		  default_text, (int)length, value, toupper((unsigned char)value[length]),
		  added->value);
	return -EINVAL;
}

/*
 * Set the value of a new parameter to its default `text`, or to its setting if
 * it has one. After an error in the setting, which is set in `error`, the
 * parameter has the default. An error in the default is set in `default_error`.
 */
static int set_value(struct parameters *parameters, struct parameter *added, const char *text,
		     struct error *default_error, struct error *error)
{
	const struct load_setting *setting = load_settings_find(
		parameters->options->settings, parameters->options->setting_count, added->name);
	struct error reason = {0};
	bool number = isdigit((unsigned char)text[0]) || text[0] == '(';
	int rc = number ? set_number(parameters, added, text, default_error)
			: set_choices(added, text, default_error);

	if (rc < 0 || setting == NULL)
		return rc;
	added->setting = setting;
	rc = number ? set_setting(parameters, added, setting->value, text, &reason)
		    : set_word(added, setting->value, &reason);
	if (rc == -EINVAL)
		load_setting_refuse_value(setting, reason.text, error);
	return rc;
}

/* Check that this can be the name of a new parameter. */
static int check_name(const struct parameters *parameters, const char *name, struct error *error)
{
	const struct variables *variables = &builder_tables(parameters->builder)->variables;
	size_t length = strlen(name);

	if (variables_is_name(name, length) && find(parameters, name, length) == NULL &&
	    variables_find(variables, name, length) < 0)
		return 0;
	error_set(error,
		  "\"%s\" cannot be the name of a parameter or counter; expected an unused name of "
		  "at most %d letters, digits and underscores, and no digit at the start",
		  name, PROGRAM_VARIABLE_NAME_MAX);
	return -EINVAL;
}

/* PARAM NAME VALUE ["DESCRIPTION"] */
static int add_parameter(struct parameters *parameters, struct line *line, struct error *error)
{
	struct parameter added = {.line = line->number};
	const char *name = line->words[1].text;
	struct error reason = {0};
	int rc;

	if (line->word_count < 3 || line->word_count > 4) {
		line_error(line, 0, error,
			   "PARAM takes a name, a value and optionally a description in quotes");
		return -EINVAL;
	}
	if (builder_ops(parameters->builder) > 0) {
		line_error(line, 0, error, "PARAM must come before the first operation");
		return -EINVAL;
	}
	if (innermost_counter(parameters) != NULL)
		return line_error(line, 0, error, "PARAM must come before the first REPEAT");
	if (check_name(parameters, name, &reason) < 0)
		return line_error(line, 1, error, "%s", reason.text);
	added.column = line->words[1].column;
	added.name = strdup(name);
	if (added.name == NULL)
		return error_no_memory(error);
	rc = set_value(parameters, &added, line->words[2].text, &reason, error);
	if (reason.set)
		line_error(line, 2, error, "%s", reason.text);
	/* Keep it even after an error: other lines use it. */
	if (added.value == NULL)
		added.value = strdup("1");
	added.used = rc < 0;
	if (line->word_count == 4)
		added.help = strdup(line->words[3].text);
	if (rc == -ENOMEM || added.value == NULL ||
	    array_append(&parameters->list, &parameters->count, &added, sizeof(added)) < 0) {
		free(added.name);
		free(added.value);
		free(added.choices);
		free(added.help);
		return error_no_memory(error);
	}
	return rc;
}

void parameters_explain(const struct parameters *parameters, struct error *error)
{
	const struct parameter *parameter = parameters->set_in_line;
	const struct error reason = *error;

	if (parameter == NULL || parameter->help == NULL)
		return;
	*error = (struct error){0};
	error_set(error, "%s %s=%s: expected %s; line %u of %s does not allow this value: %s",
		  parameter->setting->option, parameter->setting->name, parameter->setting->value,
		  parameter->help, reason.line, reason.source, reason.text);
}

/* Compare two numbers or words. Return whether the comparison `operator` holds,
 * or -EINVAL if there is no such operator. */
static int compare(const char *operator, int order)
{
	/* clang-format off */
	static const struct {
		const char *operator;
		bool less, equal, greater;
	} rows[] = {
		{"==", false, true, false},
		{"!=", true, false, true},
		{"<", true, false, false},
		{"<=", true, true, false},
		{">", false, false, true},
		{">=", false, true, true},
	};
	/* clang-format on */
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (strcmp(rows[i].operator, operator) == 0)
			return order < 0   ? rows[i].less
			       : order > 0 ? rows[i].greater
					   : rows[i].equal;
	return -EINVAL;
}

/* Check a word that is compared with a parameter: it must be one of the
 * parameter's choices. `before` is the other word before the replacement. */
static int check_choice(const struct parameters *parameters, const char *before, const char *word,
			struct error *error)
{
	const struct parameter *parameter;
	size_t length;

	if (before[0] != '$')
		return 0;
	parameter = find_reference(parameters, before, &length);
	if (parameter == NULL || parameter->choices == NULL || is_choice(parameter->choices, word))
		return 0;
	error_set(error, "\"%s\" is not a value of $%s; expected %s", word, parameter->name,
		  parameter->choices);
	return -EINVAL;
}

/* Evaluate the condition of an IF. Return 0 or 1, or -EINVAL with `error` set,
 * or -ENOMEM. */
static int evaluate(struct parameters *parameters, struct line *line, struct error *error)
{
	const char *before = line->words[1].text, *left, *right;
	char left_digits[DIGITS], right_digits[DIGITS];
	struct error reason = {0};
	int order, holds;

	if (line->word_count != 4) {
		line_error(line, 0, error,
			   "IF takes three arguments: a value, one of == != < <= > >=, and another "
			   "value");
		return -EINVAL;
	}
	if (substitute_words(parameters, line) < 0)
		return error_no_memory(error);
	left = line->words[1].text;
	right = line->words[3].text;
	if (isdigit((unsigned char)*left) || strpbrk(left, "$(") != NULL) {
		int rc = parse_number(parameters, left, left_digits, &reason);

		if (rc == 0)
			rc = parse_number(parameters, right, right_digits, &reason);
		if (rc < 0) {
			line_error(line, 1, error, "%s", reason.text);
			return rc;
		}
		order = strlen(left_digits) != strlen(right_digits)
				? (strlen(left_digits) < strlen(right_digits) ? -1 : 1)
				: strcmp(left_digits, right_digits);
	} else {
		if (check_choice(parameters, before, right, &reason) < 0) {
			line_error(line, 3, error, "%s", reason.text);
			return -EINVAL;
		}
		order = strcmp(left, right);
		if (line->words[2].text[0] == '<' || line->words[2].text[0] == '>')
			line->words[2].text = (char *)"";
	}
	holds = compare(line->words[2].text, order);
	if (holds < 0)
		line_error(line, 2, error,
			   "expected == or != (between two numbers, also <, <=, > or >=)");
	return holds;
}

static bool is_skipping(const struct parameters *parameters)
{
	return parameters->depth > 0 && parameters->ifs[parameters->depth - 1].skipping;
}

/* Handle an IF. `skipping`: the IF itself is left out. */
static int begin_if(struct parameters *parameters, struct line *line, bool skipping,
		    struct error *error)
{
	struct condition_block *block;
	int holds = 0;

	if (parameters->depth == IFS_MAX) {
		line_error(line, 0, error, "IFs are nested more than %d deep", IFS_MAX);
		return -EINVAL;
	}
	if (skipping)
		note_uses(parameters, line);
	else
		holds = evaluate(parameters, line, error);
	block = &parameters->ifs[parameters->depth++];
	*block = (struct condition_block){
		.skipping = skipping || holds == 0,
		.line = line->number,
		.column = line->words[0].column,
	};
	return holds < 0 ? holds : 0;
}

static int begin_else(struct parameters *parameters, const struct line *line, struct error *error)
{
	unsigned depth = parameters->depth;
	struct condition_block *block;

	if (depth == ifs_before(parameters) || parameters->ifs[depth - 1].otherwise) {
		line_error(line, 0, error, "this ELSE has no IF; expected IF on an earlier line");
		return -EINVAL;
	}
	block = &parameters->ifs[depth - 1];
	block->otherwise = true;
	/* Both parts of an IF that is left out are left out. */
	block->skipping = !block->skipping || (depth > 1 && parameters->ifs[depth - 2].skipping);
	return 0;
}

static int end_if(struct parameters *parameters, const struct line *line, struct error *error)
{
	if (parameters->depth == ifs_before(parameters)) {
		if (parameters->ignored_ends == 0)
			return line_error(line, 0, error,
					  "this ENDIF has no IF; expected IF on an earlier line");
		parameters->ignored_ends--;
		return 0;
	}
	parameters->depth--;
	return 0;
}

int parameters_line(struct parameters *parameters, struct line *line, struct error *error)
{
	const char *word = line->words[0].text;
	bool skipping = is_skipping(parameters);
	int rc;

	parameters->set_in_line = NULL;
	if (strcmp(word, "IF") == 0) {
		rc = begin_if(parameters, line, skipping, error);
	} else if (strcmp(word, "ELSE") == 0 && line->word_count == 1) {
		rc = begin_else(parameters, line, error);
	} else if (strcmp(word, "ENDIF") == 0 && line->word_count == 1) {
		rc = end_if(parameters, line, error);
	} else if (skipping) {
		note_uses(parameters, line);
		rc = 0;
	} else if (strcmp(word, "WRITEPATTERN") == 0) {
		return 0;
	} else if (substitute_words(parameters, line) < 0) {
		return error_no_memory(error);
	} else if (strcmp(word, "PARAM") == 0) {
		rc = add_parameter(parameters, line, error);
	} else {
		return 0;
	}
	return rc < 0 ? rc : 1;
}

int parameters_begin_repeat(struct parameters *parameters, const char *name, uint64_t value,
			    struct error *error)
{
	struct parameter added = {.used = true, .counter = true, .ifs_before = parameters->depth};

	if (check_name(parameters, name, error) < 0)
		return -EINVAL;
	added.name = strdup(name);
	added.value = malloc(DIGITS);
	if (added.name == NULL || added.value == NULL ||
	    array_append(&parameters->list, &parameters->count, &added, sizeof(added)) < 0) {
		free(added.name);
		free(added.value);
		return error_no_memory(error);
	}
	parameters_count_repeat(parameters, value);
	return 0;
}

void parameters_count_repeat(struct parameters *parameters, uint64_t value)
{
	snprintf(innermost_counter(parameters)->value, DIGITS, "%" PRIu64, value);
}

int parameters_check_repeat(struct parameters *parameters, struct error *error)
{
	unsigned before = ifs_before(parameters);
	const struct condition_block *block = &parameters->ifs[before];

	if (parameters->depth <= before)
		return 0;
	parameters->ignored_ends += parameters->depth - before;
	parameters->depth = before;
	error_set(error,
		  "expected ENDIF before this ENDREPEAT, because the IF of line %" PRIu32
		  " has not ended",
		  block->line);
	return -EINVAL;
}

void parameters_end_repeat(struct parameters *parameters)
{
	struct parameter *counter = innermost_counter(parameters);

	free(counter->name);
	free(counter->value);
	parameters->count--;
}

void parameters_suggest(struct suggestion *suggestion)
{
	static const char *const words[] = {"PARAM", "IF", "ELSE", "ENDIF"};
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		suggest_offer(suggestion, words[i]);
}

/* Report a setting of a parameter that the load does not have. */
static void refuse_name(const struct parameters *parameters, const struct load_setting *setting,
			const char *source, struct errors *errors)
{
	struct error error = {0};
	char names[512] = "";
	size_t used = 0, i;

	for (i = 0; i < parameters->count && used < sizeof(names); i++)
		used += (size_t)snprintf(names + used, sizeof(names) - used, "%s%s",
					 i > 0 ? ", " : "", parameters->list[i].name);
	load_setting_refuse_name(setting, source, names, &error);
	errors_add(errors, &error);
}

void parameters_end(const struct parameters *parameters, const char *source, struct errors *errors)
{
	const struct load_options *options = parameters->options;
	size_t i;

	if (parameters->depth > 0) {
		const struct condition_block *block = &parameters->ifs[parameters->depth - 1];
		struct error error = {0};

		error_set_at(&error, source, block->line, block->column,
			     "this IF has no ENDIF; expected ENDIF on a later line");
		errors_add(errors, &error);
	}
	for (i = 0; i < parameters->count; i++) {
		const struct parameter *parameter = &parameters->list[i];
		struct error error = {0};

		if (parameter->used)
			continue;
		error_set_at(&error, source, parameter->line, parameter->column,
			     "no line uses the parameter %s", parameter->name);
		errors_add(errors, &error);
	}
	for (i = 0; i < options->setting_count; i++) {
		const char *name = options->settings[i].name;

		if (find(parameters, name, strlen(name)) != NULL) {
			if (options->found != NULL)
				options->found[i] = true;
			continue;
		}
		if (options->found == NULL)
			refuse_name(parameters, &options->settings[i], source, errors);
	}
}
