/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "capture/strace/line.h"

#include "base/clock.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* The largest of Linux. */
enum { PID_MAX = 1 << 22 };

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
	if (number > PID_MAX)
		return false;
	*pid = (uint32_t)number;
	*text = end;
	return true;
}

/* Take a fraction of a second of up to nine digits. */
static void take_fraction(char **text, uint64_t *ns)
{
	uint64_t unit = NS_PER_S;

	for ((*text)++; is_digit(**text); (*text)++) {
		unit /= 10;
		*ns += (uint64_t)(**text - '0') * unit;
	}
}

/* Take seconds with a fraction. */
static bool take_seconds(char **text, uint64_t *ns)
{
	char *end;
	unsigned long long seconds;

	if (!is_digit(**text))
		return false;
	seconds = strtoull(*text, &end, 10);
	if (seconds > UINT64_MAX / NS_PER_S - 1 || *end != '.')
		return false;
	*ns = seconds * NS_PER_S;
	take_fraction(&end, ns);
	*text = end;
	return true;
}

/* Take two digits that are less than `limit`. */
static bool take_two_digits(char **text, unsigned limit, uint64_t *sum)
{
	unsigned number;

	if (!is_digit((*text)[0]) || !is_digit((*text)[1]))
		return false;
	number = (unsigned)((*text)[0] - '0') * 10 + (unsigned)((*text)[1] - '0');
	*sum = *sum * limit + number;
	*text += 2;
	return number < limit;
}

/* Take the time of a day, with or without a fraction. */
static bool take_time_of_day(char **text, uint64_t *ns)
{
	uint64_t seconds = 0;

	if (!take_two_digits(text, 24, &seconds) || !skip(text, ":") ||
	    !take_two_digits(text, 60, &seconds) || !skip(text, ":") ||
	    !take_two_digits(text, 60, &seconds))
		return false;
	*ns = seconds * NS_PER_S;
	if (**text == '.')
		take_fraction(text, ns);
	return true;
}

/* Take the PID, which -Y follows with the name of the program, as far as the
 * line has one. */
static bool take_process(char **text, struct strace_line *line)
{
	char *start = *text;

	line->bracketed = skip(text, "[pid");
	skip_blanks(text);
	if (!line->bracketed && !is_digit(*start))
		return true;
	if (!take_pid(text, &line->pid)) {
		line->pid = 0;
		*text = start;
		return !line->bracketed;
	}
	if (**text == '<')
		*text += strcspn(*text, ">");
	skip(text, ">");
	if (line->bracketed)
		return skip(text, "]");
	if (**text != ' ' && **text != '\t') {
		line->pid = 0;
		*text = start;
	}
	return true;
}

/* Take the time, as far as the line has one. */
static bool take_time(char **text, struct strace_line *line)
{
	if (!is_digit(**text))
		return true;
	line->timed = true;
	line->of_day = (*text)[1] != '\0' && (*text)[2] == ':';
	return line->of_day ? take_time_of_day(text, &line->time_ns)
			    : take_seconds(text, &line->time_ns);
}

/* Take the PID and the time. Skip what -r adds to a time, and the address and the
 * number of the call (-i, -n). */
static bool take_head(char **text, struct strace_line *line)
{
	size_t bytes;

	if (!take_process(text, line))
		return false;
	skip_blanks(text);
	if (!take_time(text, line))
		return false;
	skip_blanks(text);
	if (strncmp(*text, "(+", 2) == 0) {
		*text += strcspn(*text, ")");
		if (!skip(text, ")"))
			return false;
		skip_blanks(text);
	}
	while (**text == '[') {
		bytes = strspn(*text + 1, "0123456789abcdef? ");
		if ((*text)[1 + bytes] != ']')
			break;
		*text += bytes + 2;
		skip_blanks(text);
	}
	return true;
}

/* Is this a line of the summary that -C adds, or of a stack (-k)? */
static bool is_addition(const char *text)
{
	unsigned numbers = 0;

	if (strncmp(text, "% time ", 7) == 0 || strncmp(text, "------ ", 7) == 0 ||
	    strncmp(text, " > ", 3) == 0)
		return true;
	for (;; text += strspn(text, "0123456789.")) {
		text += strspn(text, " ");
		if (!is_digit(*text))
			break;
		numbers++;
	}
	/* Percent, seconds, microseconds per call and calls. */
	if (numbers < 4 || !is_word(*text))
		return false;
	while (is_word(*text))
		text++;
	return *text == '\0';
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
	if (note == NULL ||
	    (strncmp(note, "<unfinished ", 12) != 0 && strncmp(note, "<pid changed ", 13) != 0))
		return NULL;
	return note;
}

bool strace_line_parse(char *text, size_t bytes, struct strace_line *line)
{
	char *end = text + bytes, *note;

	*line = (struct strace_line){.kind = STRACE_NOTE};
	if (strncmp(text, "strace: ", 8) == 0 || is_addition(text))
		return true;
	if (!take_head(&text, line))
		return false;
	if (skip(&text, "+++ "))
		return parse_end(text, line);
	if (skip(&text, "--- ") || skip(&text, "[ Process PID="))
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
		if (strchr(",)]} ", *text) != NULL || strncmp(text, "(deleted)", 9) == 0)
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

/* Return the end of an argument, or of an element of a list: a comma, the
 * closing character, or the end of the text. Return NULL if it is malformed. */
static char *argument_end(char *text, char closing)
{
	unsigned depth = 0;
	bool after_descriptor = false;
	char c;

	while ((c = *text) != '\0') {
		if (depth == 0 && (c == ',' || c == closing))
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
		end = argument_end(text, ')');
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

/* Find the duration <0.000123> at the end of the text. Return its start, or
 * NULL. */
static char *find_duration(char *text, uint64_t *duration_ns)
{
	char *start = strrchr(text, '<'), *at = start;

	return start != NULL && skip(&at, "<") && take_seconds(&at, duration_ns) ? start : NULL;
}

bool strace_call_end(char *text, char **end, uint64_t *duration_ns)
{
	do {
		skip_blanks(&text);
		*end = argument_end(text, ')');
		if (*end == NULL || **end == '\0')
			return false;
		text = *end + 1;
	} while (**end == ',');
	return find_duration(text, duration_ns) != NULL && *duration_ns > 0;
}

/* Parse the result after the equals sign. */
static bool parse_result(char *text, struct strace_call *call)
{
	char *end, *name;
	int64_t number;

	end = find_duration(text, &call->duration_ns);
	if (end != NULL)
		*end = '\0';
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
		for (digits = 0; digits < 2 && isxdigit((unsigned char)**text); digits++, (*text)++)
			value = value * 16 + (unsigned)(is_digit(**text)
								? **text - '0'
								: (**text | 32) - 'a' + 10);
		return (char)value;
	}
	if (c >= '0' && c <= '7') {
		value = (unsigned)(c - '0');
		for (digits = 1; digits < 3 && **text >= '0' && **text <= '7'; digits++, (*text)++)
			value = value * 8 + (unsigned)(**text - '0');
		return (char)value;
	}
	letter = strchr(letters, c);
	return letter != NULL && (letter - letters) % 2 == 0 ? letter[1] : c;
}

/* Copy and decode the text before `end`. */
static bool copy_unescaped(const char *text, const char *end, char *buffer, size_t size)
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
	return end != NULL && *end == '\0' && copy_unescaped(argument + 1, end - 1, buffer, size);
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
		if (length == 0 ||
		    (length <= 2 && path[0] == '.' && (length == 1 || path[1] == '.')))
			return false;
	}
	return true;
}

/* Return the text after the '<' before a path, or NULL. With -xx, strace prints
 * the bytes of all texts as numbers. */
static const char *annotation_start(const char *argument)
{
	const char *start = strchr(argument, '<');

	if (start == NULL)
		return NULL;
	start++;
	return *start == '/' || strncmp(start, "\\x2f", 4) == 0 ? start : NULL;
}

bool strace_is_other(const char *argument)
{
	return strchr(argument, '<') != NULL && annotation_start(argument) == NULL;
}

bool strace_annotation(const char *argument, char *buffer, size_t size, bool *deleted)
{
	const char *start = annotation_start(argument), *end;

	if (start == NULL)
		return false;
	end = annotation_end((char *)start);
	if (end == NULL || !copy_unescaped(start, end - 1, buffer, size) || !is_real(buffer))
		return false;
	*deleted = strncmp(end, "(deleted)", 9) == 0;
	return true;
}

const char *strace_next_element(char **list)
{
	char *start = *list, *end;
	bool last;

	skip_blanks(&start);
	end = argument_end(start, ']');
	if (end == NULL || end == start || *end == '\0')
		return NULL;
	last = *end == ']';
	*end = '\0';
	*list = end + !last;
	return start;
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
		if ((at == argument || !is_word(at[-1])) && !is_word(at[bytes]))
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

enum {
	DAY_S = 24 * 60 * 60,
	FIRST_EPOCH_S = 1000000000, /* 2001; earlier times are not since 1970 */
};

bool strace_time_is_relative(const struct strace_line *line)
{
	return !line->of_day && line->time_ns < FIRST_EPOCH_S * NS_PER_S;
}

uint64_t strace_clock_read(struct strace_clock *clock, const struct strace_line *line)
{
	uint64_t time_ns = line->time_ns;

	if (!line->timed)
		return 0;
	if (line->of_day) {
		time_ns += clock->day_ns;
		if (time_ns + DAY_S * NS_PER_S / 2 < clock->now_ns) {
			clock->day_ns += DAY_S * NS_PER_S;
			time_ns += DAY_S * NS_PER_S;
		}
	} else if (strace_time_is_relative(line)) {
		time_ns += clock->now_ns;
	}
	clock->now_ns = time_ns > 0 ? time_ns : 1;
	return clock->now_ns;
}
