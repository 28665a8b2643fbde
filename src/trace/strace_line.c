/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trace/strace_line.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Skip `prefix`. Return false if the text begins differently. */
static bool skip(char **text, const char *prefix)
{
	size_t bytes = strlen(prefix);

	if (strncmp(*text, prefix, bytes) != 0)
		return false;
	*text += bytes;
	return true;
}

static void skip_blanks(char **text)
{
	*text += strspn(*text, " \t");
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static bool take_pid(char **text, uint32_t *pid)
{
	char *end;
	unsigned long number;

	if (!is_digit(**text))
		return false;
	number = strtoul(*text, &end, 10);
	if (number > INT32_MAX)
		return false;
	*pid = (uint32_t)number;
	*text = end;
	return true;
}

/* Take seconds with a fraction of up to nine digits. */
static bool take_seconds(char **text, uint64_t *ns)
{
	uint64_t unit = 1000000000;
	char *end;
	unsigned long long seconds;

	if (!is_digit(**text))
		return false;
	seconds = strtoull(*text, &end, 10);
	if (seconds > UINT64_MAX / 1000000000 - 1 || *end != '.')
		return false;
	*ns = seconds * unit;
	for (end++; is_digit(*end); end++) {
		unit /= 10;
		*ns += (uint64_t)(*end - '0') * unit;
	}
	*text = end;
	return true;
}

/* Take the PID and the time, as far as the line has them. */
static bool take_head(char **text, struct strace_line *line)
{
	char *start = *text;

	if (skip(text, "[pid")) {
		skip_blanks(text);
		if (!take_pid(text, &line->pid) || !skip(text, "]"))
			return false;
	} else if (is_digit(*start)) {
		if (!take_pid(text, &line->pid) || **text == '.') {
			*text = start;
			line->pid = 0;
		}
	}
	skip_blanks(text);
	if (is_digit(**text) && !take_seconds(text, &line->time_ns))
		return false;
	skip_blanks(text);
	return true;
}

static bool parse_end(char *text, struct strace_line *line)
{
	line->kind = STRACE_EXITED;
	if (!skip(&text, "superseded by execve in pid "))
		return true;
	line->kind = STRACE_SUPERSEDED;
	return take_pid(&text, &line->thread);
}

/* Take the name of a call. strace prints ??? if it does not know it. */
static bool take_name(char **text, struct strace_line *line)
{
	line->name = *text;
	while (is_word(**text) || **text == '?')
		(*text)++;
	line->name_bytes = (size_t)(*text - line->name);
	return line->name_bytes > 0;
}

/* Find the note that replaces the rest of a call which does not return at
 * once. */
static char *find_unfinished(char *text, size_t bytes)
{
	char *note;

	if (bytes < 5 || memcmp(text + bytes - 5, " ...>", 5) != 0)
		return NULL;
	note = memrchr(text, '<', bytes);
	if (note == NULL || (strncmp(note, "<unfinished ", 12) != 0 &&
			     strncmp(note, "<pid changed ", 13) != 0))
		return NULL;
	return note;
}

bool strace_line_parse(char *text, size_t bytes, struct strace_line *line)
{
	char *end = text + bytes, *note;

	*line = (struct strace_line){.kind = STRACE_NOTE};
	if (strncmp(text, "strace: ", 8) == 0)
		return true;
	if (!take_head(&text, line))
		return false;
	if (skip(&text, "+++ "))
		return parse_end(text, line);
	if (skip(&text, "--- "))
		return true;
	if (skip(&text, "<... ")) {
		line->kind = STRACE_RESUMED;
		if (!take_name(&text, line) || !skip(&text, " resumed>"))
			return false;
		/* The process has been killed in this call. */
		skip(&text, " <unfinished ...>");
	} else {
		line->kind = STRACE_CALL;
		if (!take_name(&text, line) || !skip(&text, "("))
			return false;
	}
	line->rest = text;
	line->rest_bytes = (size_t)(end - text);
	note = find_unfinished(text, line->rest_bytes);
	if (note != NULL && line->kind == STRACE_CALL) {
		line->kind = STRACE_UNFINISHED;
		line->rest_bytes = (size_t)(note - text);
	}
	return true;
}

/* Return the end of a string, after its closing quote, or NULL. */
static char *string_end(char *text)
{
	for (text++; *text != '"'; text++) {
		if (*text == '\\')
			text++;
		if (*text == '\0')
			return NULL;
	}
	return text + 1;
}

/*
 * Return the end of the path of a descriptor, after its '>', or NULL. New
 * versions of strace escape this character in names. With old ones, the first
 * that could end an argument is taken.
 */
static char *annotation_end(char *text)
{
	while ((text = strchr(text, '>')) != NULL) {
		text++;
		if (strchr(",)]} ", *text) != NULL ||
		    strncmp(text, "(deleted)", 9) == 0)
			return text;
	}
	return NULL;
}

/* Return the end of the item at the beginning of `text`: a string, a path, a
 * comment, or one character. Return NULL if it does not end. */
static char *item_end(char *text, bool after_descriptor)
{
	if (*text == '"')
		return string_end(text);
	if (*text == '<' && after_descriptor && text[1] != '<')
		return annotation_end(text);
	if (text[0] == '/' && text[1] == '*') {
		text = strstr(text + 2, "*/");
		return text != NULL ? text + 2 : NULL;
	}
	return text + 1;
}

/* Return the end of an argument: a comma, the closing parenthesis, or the end of
 * the text. Return NULL if the argument is malformed. */
static char *argument_end(char *text)
{
	unsigned depth = 0;
	bool after_descriptor = false;
	char c;

	while ((c = *text) != '\0') {
		if (depth == 0 && (c == ',' || c == ')'))
			return text;
		if (strchr("([{", c) != NULL)
			depth++;
		else if (strchr(")]}", c) != NULL && depth-- == 0)
			return NULL;
		text = item_end(text, after_descriptor);
		if (text == NULL)
			return NULL;
		after_descriptor = is_digit(c) || c == 'D'; /* AT_FDCWD */
	}
	return text;
}

/* Split the arguments. Return the text after the closing parenthesis, which is
 * empty if there is none, or NULL if the text is malformed. */
static char *split_arguments(char *text, struct strace_call *call)
{
	unsigned count = 0;
	char *end, *last, c;

	for (;; text = end + 1) {
		skip_blanks(&text);
		end = argument_end(text);
		if (end == NULL)
			return NULL;
		if (end > text && count < STRACE_ARGUMENTS)
			call->arguments[count++] = text;
		c = *end;
		*end = '\0';
		/* A call that is in two lines has a blank between them. */
		for (last = end; last > text && last[-1] == ' ';)
			*--last = '\0';
		if (c != ',')
			return c == ')' ? end + 1 : end;
	}
}

/* Take the duration <0.000123> off the end of the text. */
static void take_duration(char *text, uint64_t *duration_ns)
{
	char *start = strrchr(text, '<'), *at = start;

	if (start != NULL && skip(&at, "<") && take_seconds(&at, duration_ns))
		*start = '\0';
}

/* Parse the result after the equals sign. */
static bool parse_result(char *text, struct strace_call *call)
{
	char *end, *name;
	int64_t number;

	take_duration(text, &call->duration_ns);
	if (*text == '?')
		return true;
	call->result = strtoll(text, &end, 0);
	if (end == text)
		return false;
	call->path = *end == '<' ? text : NULL;
	name = end + strspn(end, " ");
	call->failed = call->result < 0;
	if (call->failed && *name == 'E') {
		call->error = name;
		name[strcspn(name, " ")] = '\0';
	} else if (skip(&name, "/* ")) {
		number = strtoll(name, &end, 10);
		if (strncmp(end, " in strace's PID NS", 19) == 0)
			call->result = number;
	}
	return true;
}

bool strace_call_parse(char *text, bool cut, struct strace_call *call)
{
	unsigned i;

	*call = (struct strace_call){.cut = cut, .failed = true, .error = "?"};
	for (i = 0; i < STRACE_ARGUMENTS; i++)
		call->arguments[i] = "";
	text = split_arguments(text, call);
	if (cut || text == NULL)
		return cut;
	skip_blanks(&text);
	if (!skip(&text, "="))
		return false;
	skip_blanks(&text);
	return parse_result(text, call);
}

/* Decode the escape after a backslash. */
static char unescape(const char **text)
{
	static const char letters[] = "n\nt\tr\rv\vf\fa\ab\b";
	const char *letter;
	unsigned value = 0, digits;
	char c = *(*text)++;

	if (c == 'x') {
		for (digits = 0; digits < 2 && isxdigit((unsigned char)**text);
		     digits++, (*text)++)
			value = value * 16 +
				(unsigned)(is_digit(**text)
						   ? **text - '0'
						   : (**text | 32) - 'a' + 10);
		return (char)value;
	}
	if (c >= '0' && c <= '7') {
		value = (unsigned)(c - '0');
		for (digits = 1; digits < 3 && **text >= '0' && **text <= '7';
		     digits++, (*text)++)
			value = value * 8 + (unsigned)(**text - '0');
		return (char)value;
	}
	letter = strchr(letters, c);
	return letter != NULL && (letter - letters) % 2 == 0 ? letter[1] : c;
}

/* Copy and decode the text before `end`. */
static bool copy_unescaped(const char *text, const char *end, char *buffer,
			   size_t size)
{
	while (text < end) {
		char c = *text++;

		if (size-- <= 1)
			return false;
		if (c == '\\' && text < end)
			c = unescape(&text);
		*buffer++ = c;
	}
	*buffer = '\0';
	return true;
}

bool strace_string(const char *argument, char *buffer, size_t size)
{
	const char *end;

	if (argument[0] != '"')
		return false;
	end = string_end((char *)argument);
	return end != NULL && *end == '\0' &&
	       copy_unescaped(argument + 1, end - 1, buffer, size);
}

/* Is this a path as the kernel has it, without empty components and dots? */
static bool is_real(const char *path)
{
	size_t length;

	if (strcmp(path, "/") == 0)
		return true;
	for (; *path == '/'; path += length) {
		path++;
		length = strcspn(path, "/");
		if (length == 0 || (length <= 2 && path[0] == '.' &&
				    (length == 1 || path[1] == '.')))
			return false;
	}
	return true;
}

bool strace_annotation(const char *argument, char *buffer, size_t size,
		       bool *deleted)
{
	const char *start = strchr(argument, '<'), *end;

	if (start == NULL || start[1] != '/')
		return false;
	end = annotation_end((char *)start);
	if (end == NULL || !copy_unescaped(start + 1, end - 1, buffer, size) ||
	    !is_real(buffer))
		return false;
	*deleted = strncmp(end, "(deleted)", 9) == 0;
	return true;
}

int64_t strace_number(const char *argument)
{
	return strtoll(argument, NULL, 0);
}

bool strace_has(const char *argument, const char *word)
{
	size_t bytes = strlen(word);
	const char *at = argument;

	while ((at = strstr(at, word)) != NULL) {
		if ((at == argument || !is_word(at[-1])) &&
		    !is_word(at[bytes]))
			return true;
		at += bytes;
	}
	return false;
}

const char *strace_field(const char *argument, const char *field)
{
	const char *at = argument;

	if (*argument != '{')
		return NULL;
	while ((at = strstr(at, field)) != NULL) {
		if (!is_word(at[-1]))
			return at + strlen(field);
		at++;
	}
	return NULL;
}
