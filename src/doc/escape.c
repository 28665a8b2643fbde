/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "doc/escape.h"

#include "base/utf8.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* A character of a text. */
struct character {
	const char *text; /* all of it */
	const char *bytes;
	size_t length;
	uint32_t number; /* code point; the byte if it is not UTF-8 */
	bool utf8;
	/* Neighbouring bytes; '\0' at the ends of the text. */
	char before, after;
};

typedef void write_character(const struct character *character, FILE *stream);

/* `end`: of the part that is written; NULL: that of the text. */
static void each_in_part(const char *text, const char *end, write_character *write, FILE *stream)
{
	struct character character = {.text = text, .before = '\0'};

	while (*text != '\0' && text != end) {
		size_t length = utf8_decode(text, &character.number);

		character.utf8 = length > 0;
		character.length = length > 0 ? length : 1;
		character.bytes = text;
		text += character.length;
		character.after = *text;
		write(&character, stream);
		character.before = text[-1];
	}
}

static void each_character(const char *text, write_character *write, FILE *stream)
{
	each_in_part(text, NULL, write, stream);
}

static bool is_plain(const struct character *character)
{
	return character->utf8 && utf8_is_plain(character->number);
}

static void write_bytes(const struct character *character, FILE *stream)
{
	fwrite(character->bytes, 1, character->length, stream);
}

static void write_text(const struct character *character, FILE *stream)
{
	if (is_plain(character))
		write_bytes(character, stream);
	else
		fputc('?', stream);
}

/*
 * Check if a workflow command of GitHub Actions could begin here. GitHub
 * takes `::` for the beginning of a command if only blanks of any kind precede
 * it on the line, and `##[` anywhere.
 */
static bool is_command(const struct character *character)
{
	char byte = character->bytes[0], before = character->before;

	if (byte == '[')
		return before == '#';
	return byte == ':' && character->after == ':' &&
	       (before == '\0' || before == ' ' || !isascii(before));
}

static void write_line(const struct character *character, FILE *stream)
{
	if (is_command(character))
		fputc('?', stream);
	else
		write_text(character, stream);
}

void escape_text(const char *text, FILE *stream)
{
	each_character(text, write_line, stream);
}

void escape_part(const char *text, size_t length, FILE *stream)
{
	each_in_part(text, text + length, write_line, stream);
}

static void write_lines(const struct character *character, FILE *stream)
{
	struct character here = *character;

	if (here.before == '\n')
		here.before = '\0'; /* the line begins here */
	if (here.bytes[0] == '\n')
		fputc('\n', stream);
	else
		write_line(&here, stream);
}

void escape_lines(const char *text, FILE *stream)
{
	each_character(text, write_lines, stream);
}

size_t escape_length(const char *text)
{
	size_t count, length;
	uint32_t number;

	for (count = 0; *text != '\0'; count++) {
		length = utf8_decode(text, &number);
		text += length > 0 ? length : 1;
	}
	return count;
}

int escape_column(const char *text, int columns, FILE *stream)
{
	int count = (int)escape_length(text);

	escape_text(text, stream);
	if (count < columns)
		fprintf(stream, "%*s", columns - count, "");
	return count;
}

static const char *entity_of(char byte)
{
	switch (byte) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return NULL;
	}
}

static void write_markup(const struct character *character, FILE *stream)
{
	const char *entity = entity_of(character->bytes[0]);

	if (entity != NULL)
		fputs(entity, stream);
	else if (is_plain(character))
		write_bytes(character, stream);
	else if (character->length == 1)
		fprintf(stream, "\\x%02X", (unsigned)character->number);
	else
		fprintf(stream, "\\u%04X", (unsigned)character->number);
}

void escape_markup(const char *text, FILE *stream)
{
	each_character(text, write_markup, stream);
}

void escape_print(FILE *stream, const char *format, ...)
{
	va_list arguments;
	char directive[8];
	size_t length;

	va_start(arguments, format);
	for (; *format != '\0'; format += length) {
		length = strcspn(format, "%");
		if (length > 0) {
			fwrite(format, 1, length, stream);
			continue;
		}
		length = strcspn(format, "sufg") + 1;
		snprintf(directive, sizeof(directive), "%.*s", (int)length, format);
		if (format[length - 1] == 's') {
			const char *text = va_arg(arguments, const char *);

			escape_markup(text != NULL ? text : "", stream);
		} else if (format[length - 1] == 'u') {
			fprintf(stream, directive, va_arg(arguments, unsigned));
		} else {
			fprintf(stream, directive, va_arg(arguments, double));
		}
	}
	va_end(arguments);
}

/* Characters that mean something in Markdown. */
static const char markdown_marks[] = "\\`*_[]<>|&~#";

static bool comes_after(const struct character *character, const char *word)
{
	size_t length = strlen(word);

	return (size_t)(character->bytes - character->text) >= length &&
	       strncasecmp(character->bytes - length, word, length) == 0;
}

/* Check if GitHub would make a link here of a word in which characters must be
 * escaped: it would show the escapes. */
static bool is_spoilt_link(const struct character *character)
{
	const char *bytes = character->bytes;
	bool is_link = bytes[0] == '.' && comes_after(character, "www");

	if (bytes[0] == ':')
		is_link = comes_after(character, "http") || comes_after(character, "https") ||
			  comes_after(character, "ftp");
	return is_link && strcspn(bytes, markdown_marks) < strcspn(bytes, " \t\n");
}

static void write_markdown(const struct character *character, FILE *stream)
{
	char byte = character->bytes[0];
	/* An underscore within a word needs no escape. */
	bool harmless = byte == '_' && isalnum((unsigned char)character->before) &&
			isalnum((unsigned char)character->after);

	if (byte == '\n' || byte == '\t') {
		fputc(' ', stream);
		return;
	}
	if ((strchr(markdown_marks, byte) != NULL && !harmless) || is_spoilt_link(character))
		fputc('\\', stream);
	write_text(character, stream);
}

/* Check if a text would begin a list with the marker after its digits, or be a line
 * across the page. */
static bool is_list(const char *text, size_t digits)
{
	static const char blanks[] = " \t\n";
	char marker = text[digits], after = marker != '\0' ? text[digits + 1] : '\0';
	bool is_rule = text[strspn(text, "- \t\n")] == '\0';

	if (marker == '\0' || strchr(digits > 0 ? ".)" : "-+", marker) == NULL)
		return false;
	return strchr(blanks, after) != NULL || is_rule;
}

void escape_markdown(const char *text, FILE *stream)
{
	size_t digits;

	/* Four blanks would begin a block of code. */
	text += strspn(text, " \t\n");
	digits = strspn(text, "0123456789");
	if (is_list(text, digits)) {
		fprintf(stream, "%.*s\\", (int)digits, text);
		text += digits;
	}
	each_character(text, write_markdown, stream);
}

/* Encode as GitHub decodes: %25, %0D and %0A stand for %, CR and LF. */
static void write_workflow(const struct character *character, FILE *stream)
{
	if (strchr("%\r\n", character->bytes[0]) != NULL)
		fprintf(stream, "%%%02X", (unsigned)character->number);
	else
		write_text(character, stream);
}

void escape_workflow(const char *text, FILE *stream)
{
	each_character(text, write_workflow, stream);
}

static void write_property(const struct character *character, FILE *stream)
{
	if (strchr(":,", character->bytes[0]) != NULL)
		fprintf(stream, "%%%02X", (unsigned)character->number);
	else
		write_workflow(character, stream);
}

void escape_workflow_property(const char *text, FILE *stream)
{
	each_character(text, write_property, stream);
}

static void write_csv(const struct character *character, FILE *stream)
{
	if (character->bytes[0] == '"')
		fputc('"', stream);
	write_text(character, stream);
}

void escape_csv(const char *text, FILE *stream)
{
	const char *quote = strpbrk(text, ",\"") != NULL ? "\"" : "";

	fputs(quote, stream);
	if (text[0] != '\0' && strchr("=+-@", text[0]) != NULL)
		fputc('\'', stream);
	each_character(text, write_csv, stream);
	fputs(quote, stream);
}

static void write_benchmark(const struct character *character, FILE *stream)
{
	if (strchr("`|", character->bytes[0]) != NULL)
		fputc('_', stream);
	else
		write_line(character, stream);
}

void escape_benchmark(const char *text, FILE *stream)
{
	each_character(text, write_benchmark, stream);
}

static void write_label(const struct character *character, FILE *stream)
{
	if (strchr("\\\"", character->bytes[0]) != NULL)
		fprintf(stream, "\\%c", character->bytes[0]);
	else if (character->bytes[0] == '\n')
		fputs("\\n", stream);
	else if (is_plain(character))
		write_bytes(character, stream);
	else
		fprintf(stream, character->utf8 ? "\\\\u%04X" : "\\\\x%02X",
			(unsigned)character->number);
}

void escape_label(const char *text, FILE *stream)
{
	fputc('"', stream);
	each_character(text, write_label, stream);
	fputc('"', stream);
}
