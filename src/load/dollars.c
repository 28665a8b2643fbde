/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "load/dollars.h"

#include "compile/tables.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

/* The text that a dollar in a path begins. */
struct dollar {
	enum { STRING, VARIABLE, LITERAL, UNKNOWN } kind;
	const char *name; /* VARIABLE, UNKNOWN */
	size_t name_length;
	size_t length; /* including the dollars */
};

static bool is_string(char digit, unsigned strings)
{
	return isdigit((unsigned char)digit) && (strings >> (digit - '0') & 1) != 0;
}

static bool is_variable(struct builder *builder, const char *name, size_t length)
{
	return length > 0 && variables_find(&builder_tables(builder)->variables, name, length) >= 0;
}

/* Find out what the dollar at `text` begins. */
static struct dollar classify(struct builder *builder, const char *text)
{
	bool braces = text[1] == '{';
	struct dollar dollar = {.kind = UNKNOWN, .name = text + 1 + braces};

	if (text[1] == '$') {
		dollar.kind = LITERAL;
		dollar.length = 2;
		return dollar;
	}
	if (is_string(text[1], builder_strings(builder))) {
		dollar.kind = STRING;
		dollar.length = 2;
		return dollar;
	}
	dollar.name_length = variables_name_length(dollar.name);
	if (is_variable(builder, dollar.name, dollar.name_length) &&
	    (!braces || dollar.name[dollar.name_length] == '}'))
		dollar.kind = VARIABLE;
	dollar.length = 1 + dollar.name_length + (braces ? 2 : 0);
	return dollar;
}

static int refuse_unknown(const struct line *line, unsigned word, const struct dollar *dollar,
			  struct error *error)
{
	if (isdigit((unsigned char)dollar->name[0]))
		line_error(
			line, word, error,
			"\"$%c\" is not defined by an earlier RANDOMSTRING; write $$ for a dollar",
			dollar->name[0]);
	else if (dollar->name_length == 0)
		line_error(line, word, error,
			   "\"$\" is not followed by a name; write $$ for a dollar");
	else
		line_error(
			line, word, error,
			"\"$%.*s\" is not defined here; expected a PARAM, the counter of a LOOP or "
			"REPEAT around this line, an earlier LET, or $user, $users or $loop; "
			"write $$ for a dollar",
			(int)dollar->name_length, dollar->name);
	return -EINVAL;
}

/* Refuse a literal dollar if the text after it makes it look like a random
 * string or, in a path with references, like a variable. */
static int check_literals(struct builder *builder, const struct line *line, unsigned word,
			  bool references, struct error *error)
{
	const char *text = line->words[word].text;

	while ((text = strchr(text, '$')) != NULL) {
		struct dollar dollar = classify(builder, text), looks;

		text += dollar.length;
		if (dollar.kind != LITERAL)
			continue;
		looks = classify(builder, text - 1);
		if (looks.kind == STRING) {
			line_error(line, word, error,
				   "\"$$%c\" cannot stand for the characters $%c, because "
				   "RANDOMSTRING %c "
				   "is defined; give the RANDOMSTRING another number",
				   text[0], text[0], text[0]);
			return -EINVAL;
		}
		if (references && looks.kind == VARIABLE && text[0] == '{') {
			line_error(line, word, error,
				   "in a path with variables, \"$$%.*s\" cannot stand for the "
				   "characters $%.*s, because the load has a variable of this "
				   "name; rename "
				   "the variable",
				   (int)looks.length - 1, text, (int)looks.length - 1, text);
			return -EINVAL;
		}
	}
	return 0;
}

int dollars_read(struct builder *builder, const struct line *line, unsigned word,
		 char path[DOLLARS_PATH_MAX], bool *references, struct error *error)
{
	const char *from = line->words[word].text;
	char *to = path;

	*references = false;
	while (*from != '\0') {
		struct dollar dollar = {.kind = LITERAL, .length = 1};

		/* Leave room for `${`, a name, `}` and a NUL. */
		if (to - path >= DOLLARS_PATH_MAX - PROGRAM_PATH_MAX / 2) {
			line_error(line, word, error, "the path is longer than %d bytes",
				   PROGRAM_PATH_MAX - 1);
			return -EINVAL;
		}
		if (*from == '$')
			dollar = classify(builder, from);
		if (dollar.kind == UNKNOWN)
			return refuse_unknown(line, word, &dollar, error);
		if (dollar.kind == VARIABLE) {
			*references = true;
			to += sprintf(to, "${%.*s}", (int)dollar.name_length, dollar.name);
		} else {
			*to++ = *from;
			if (dollar.kind == STRING)
				*to++ = from[1];
		}
		from += dollar.length;
	}
	*to = '\0';
	return check_literals(builder, line, word, *references, error);
}
