/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "crash/line.h"

#include "base/units.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

int state_line_refuse(const struct state_line *line, const char *format, ...)
{
	char text[sizeof(line->error->text)];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	error_set_at(line->error, line->source, line->number, 0, "%s", text);
	return -EINVAL;
}

int state_line_digit(char c)
{
	static const char digits[] = "0123456789abcdef";
	const char *at = c != '\0' ? strchr(digits, c) : NULL;

	return at != NULL ? (int)(at - digits) : -1;
}

/* Take a quoted word, in place. Return the byte after the closing quote, or
 * NULL. */
static char *take_quoted(char *at)
{
	char *to = at;

	while (*at != '"') {
		int high, low;

		if (*at != '\\') {
			if (*at == '\0')
				return NULL;
			*to++ = *at++;
			continue;
		}
		if (at[1] != 'x' || (high = state_line_digit(at[2])) < 0 ||
		    (low = state_line_digit(at[3])) < 0 || high + low == 0)
			return NULL;
		*to++ = (char)(high << 4 | low);
		at += 4;
	}
	/* The closing quote is at `to` or after it. */
	*to = '\0';
	return at + 1;
}

static int split(struct state_line *line)
{
	char *at = line->text;

	for (line->word_count = 0;; at++) {
		char *word = at;

		if (line->word_count == STATE_LINE_WORDS)
			return state_line_refuse(line, "the line has too many words");
		if (*at == '"') {
			word++;
			at = take_quoted(word);
		} else {
			at += strcspn(at, " ");
		}
		if (at == NULL || at == word)
			return state_line_refuse(
				line,
				"the line has a quoted text that is not valid, or an empty word");
		line->words[line->word_count++] = word;
		if (*at == '\0')
			return 0;
		if (*at != ' ')
			return state_line_refuse(line, "expected a blank after a quoted text");
		*at = '\0';
	}
}

int state_line_next(struct state_line *line)
{
	size_t length;
	int rc;

	line->number++;
	errno = 0;
	if (fgets(line->text, sizeof(line->text), line->stream) == NULL) {
		if (!ferror(line->stream))
			return 0;
		rc = errno != 0 ? -errno : -EIO;
		error_set(line->error, "cannot read \"%s\": %s", line->source, strerror(-rc));
		return rc;
	}
	/* A NUL byte ends the text early, so that its newline is missing. */
	length = strlen(line->text);
	if (length == 0 || line->text[length - 1] != '\n')
		return state_line_refuse(
			line, "the line is too long, has a NUL byte, or is not complete");
	line->text[length - 1] = '\0';
	rc = split(line);
	return rc < 0 ? rc : 1;
}

int state_line_expect(const struct state_line *line, unsigned count)
{
	if (line->word_count == count + 1)
		return 0;
	return state_line_refuse(line, "\"%s\" must be followed by %u %s", line->words[0], count,
				 units_plural(count, "word", "words"));
}

int state_line_number(const struct state_line *line, unsigned word, const char *what, uint64_t min,
		      uint64_t max, uint64_t *value)
{
	struct error error = {0};

	if (units_parse_count(line->words[word], what, min, max, value, &error) == 0)
		return 0;
	return state_line_refuse(line, "%s", error.text);
}

void state_line_quote(const char *text, FILE *stream)
{
	putc('"', stream);
	for (; *text != '\0'; text++) {
		unsigned char c = (unsigned char)*text;

		if (c < ' ' || c == 0x7f || c == '"' || c == '\\')
			fprintf(stream, "\\x%02x", c);
		else
			putc(c, stream);
	}
	putc('"', stream);
}
