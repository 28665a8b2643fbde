/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/recorded_load.h"

#include "base/clock.h"
#include "base/units.h"
#include "cli/output.h"
#include "doc/escape.h"

#include <errno.h>
#include <string.h>
#include <time.h>

/* Earlier times are not on the clock of the calendar, but count from the start
 * of the recording. This is in 2001. */
#define CALENDAR_NS (UINT64_C(1000000000) * NS_PER_S)

/* Print the source's number of calls and the time that they took. */
static void print_calls(const struct source *source, FILE *stream)
{
	char text[UNITS_TEXT];

	fprintf(stream, "%s %s in ", units_print_count(source->call_count, text),
		units_plural(source->call_count, source->call, source->calls));
	fprintf(stream, "%s",
		units_print_time(source->last_ns > source->first_ns
					 ? (double)(source->last_ns - source->first_ns)
					 : 0,
				 text));
}

/* Return an allocated comment for the top of the loadfile, or NULL. */
static char *make_comment(const struct recorded_load *load)
{
	const struct source *source = load->source;
	const time_t begin = (time_t)(source->first_ns / NS_PER_S);
	char *comment = NULL, date[40] = "";
	struct tm utc;
	size_t bytes, i;
	FILE *stream = open_memstream(&comment, &bytes);

	if (stream == NULL)
		return NULL;
	if (source->first_ns > CALENDAR_NS && gmtime_r(&begin, &utc) != NULL)
		strftime(date, sizeof(date), ", recorded on %Y-%m-%d", &utc);
	fputs("# ", stream);
	escape_text(load->summary, stream);
	fprintf(stream, "%s\n#\n# Converted by throng %s: ", date, PACKAGE_VERSION);
	print_calls(source, stream);
	fputc('\n', stream);
	conversion_print(recording_conversion(load->recording), "# ", stream);
	conversion_print_flight(recording_conversion(load->recording), &load->totals, "# ", stream);
	for (i = 0; i < source->warning_count; i++) {
		fputs("# warning: ", stream);
		escape_text(source->warnings[i], stream);
		fputc('\n', stream);
	}
	fclose(stream);
	return comment;
}

static int print_program(const void *what, FILE *stream)
{
	program_print(what, stream);
	return 0;
}

/* Is the load to replace one of the files that it is made of? */
static bool replaces_input(const struct recorded_load *load)
{
	size_t i;

	for (i = 0; load->inputs != NULL && load->inputs[i] != NULL; i++)
		if (output_is_same(load->path, strcmp(load->inputs[i], "-") == 0 ? "/dev/stdin"
										 : load->inputs[i]))
			return true;
	return false;
}

int recorded_load_write(struct recorded_load *load)
{
	struct error *error = &load->error;
	struct error unfinished = {0};
	struct program *program = recording_finish(load->recording, load->path, &load->totals,
						   &unfinished);

	if (load->totals.operations > 0 && program == NULL) {
		*error = unfinished;
	} else if (load->totals.operations > 0 && replaces_input(load)) {
		error_set(error,
			  "cannot write \"%s\": it is the input; choose another name (--output)",
			  load->path);
	} else if (load->totals.operations > 0) {
		program->comment = make_comment(load);
		if (program->comment == NULL)
			error_no_memory(error);
		else
			output_replace(load->path, print_program, program, error);
	}
	program_free(program);
	return error->set ? -EIO : 0;
}

void recorded_load_print_source(const struct source *source, const char *title,
				const char *directory, FILE *stream)
{
	uint64_t elsewhere = 0, others = source->call_count;
	char text[UNITS_TEXT];
	size_t i;

	for (i = 0; i < source->client_count; i++) {
		const struct conversion *conversion = recording_conversion(
			source->clients[i].recording);

		elsewhere += conversion->counts[CONVERSION_ELSEWHERE];
		others -= conversion_calls(conversion);
	}
	fputs("recorded     ", stream);
	escape_text(title, stream);
	fputs(": ", stream);
	print_calls(source, stream);
	if (elsewhere > 0) {
		fprintf(stream, "; %s not on files%s", units_print_count(elsewhere, text),
			directory[0] != '\0' ? " below " : "");
		escape_text(directory, stream);
	}
	if (others > 0 && source->only != NULL)
		fprintf(stream, "; %s of other clients", units_print_count(others, text));
	fputc('\n', stream);
}

void recorded_load_print(const struct recorded_load *load, FILE *stream)
{
	const struct recording_totals *totals = &load->totals;
	struct conversion *conversion = recording_conversion(load->recording);
	char text[UNITS_TEXT], more[UNITS_TEXT];

	fprintf(stream, "below it     %s\n",
		units_print_count(conversion_calls(conversion) -
					  conversion->counts[CONVERSION_ELSEWHERE],
				  text));
	conversion_print(conversion, "", stream);
	conversion_print_flight(conversion, totals, "", stream);
	if (load->error.set) {
		fputs("load         none: it could not be written\n", stream);
		return;
	}
	if (totals->operations == 0) {
		fputs("load         none: no operations\n", stream);
		return;
	}
	fputs("load         ", stream);
	escape_text(load->path, stream);
	fprintf(stream, ": %s %s, ", units_print_count(totals->operations, text),
		units_plural(totals->operations, "operation", "operations"));
	fprintf(stream, "%s read, %s written; ", units_print_bytes(totals->read_bytes, text),
		units_print_bytes(totals->written_bytes, more));
	fprintf(stream, "%s %s changed\n", units_print_count(totals->names_changed, text),
		units_plural(totals->names_changed, "name", "names"));
	if (totals->pauses > 0)
		fprintf(stream, "pauses       %s, %s in all\n",
			units_print_count(totals->pauses, text),
			units_print_duration(totals->paused_ns, more));
	fprintf(stream, "set-up       %s %s, ", units_print_count(totals->setup_directories, text),
		units_plural(totals->setup_directories, "directory", "directories"));
	fprintf(stream, "%s %s of %s", units_print_count(totals->setup_files, text),
		units_plural(totals->setup_files, "file", "files"),
		units_print_bytes(totals->setup_bytes, more));
	if (totals->unread_sizes > 0)
		fprintf(stream, " (%s %s not needed)",
			units_print_count(totals->unread_sizes, text),
			units_plural(totals->unread_sizes, "size", "sizes"));
	fputc('\n', stream);
}

int recorded_load_check_times(bool times, bool pauses, struct error *error)
{
	if (!times || !pauses || error->set)
		return 0;
	error_set(error, "--times and --pauses cannot be combined: the times contain the pauses");
	return -EINVAL;
}
