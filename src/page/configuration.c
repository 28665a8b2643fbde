/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What was measured, how and where: enough to do it again.
 */
#include "page/page.h"

#include "base/units.h"

#include <inttypes.h>

static void begin(const struct page *page, const char *name)
{
	fprintf(page->stream, "<div><dt>%s</dt><dd>", name);
}

static void end(const struct page *page)
{
	fputs("</dd></div>\n", page->stream);
}

static void fact(const struct page *page, const char *name, const char *text)
{
	if (text == NULL || text[0] == '\0')
		return;
	begin(page, name);
	escape_markup(text, page->stream);
	end(page);
}

static void write_load(const struct page *page, const struct result_run *run)
{
	char ops[UNITS_TEXT], reads[UNITS_TEXT], writes[UNITS_TEXT];
	char footprint[UNITS_TEXT];

	begin(page, "Load");
	escape_markup(run->loadfile.name, page->stream);
	fputs(" <small>(", page->stream);
	escape_markup(run->loadfile.dialect, page->stream);
	fprintf(page->stream,
		")</small><br/>%s operations a loop; %s%s read, %s written; "
		"footprint %s a user",
		units_print_count(run->loadfile.ops, ops),
		run->loadfile.open_reads > 0 ? "at least " : "",
		units_print_bytes(run->loadfile.read_bytes, reads),
		units_print_bytes(run->loadfile.write_bytes, writes),
		units_print_bytes(run->loadfile.footprint_bytes, footprint));
	if (run->loadfile.sha256 != NULL) {
		fputs("<br/><code>sha256 ", page->stream);
		escape_markup(run->loadfile.sha256, page->stream);
		fputs("</code>", page->stream);
	}
	end(page);
}

static void write_target(const struct page *page,
			 const struct result_target *target)
{
	char space[UNITS_TEXT];

	begin(page, "Target");
	escape_markup(target->url, page->stream);
	fputs("<br/>", page->stream);
	escape_markup(target->kind, page->stream);
	if (target->protection[0] != '\0') {
		fputs(", ", page->stream);
		escape_markup(target->protection, page->stream);
	}
	if (target->free_bytes != UINT64_MAX)
		fprintf(page->stream, ", %s free",
			units_print_bytes(target->free_bytes, space));
	fputs("; backend ", page->stream);
	escape_markup(target->backend, page->stream);
	if (target->library != NULL && target->library[0] != '\0') {
		fputs(", ", page->stream);
		escape_markup(target->library, page->stream);
		if (target->library_version != NULL) {
			fputc(' ', page->stream);
			escape_markup(target->library_version, page->stream);
		}
	}
	end(page);
}

/* The operations that are not played as the load has them. */
static void write_unsupported(const struct page *page,
			      const struct result_run *run, enum result_how how,
			      const char *name)
{
	bool any = false;
	size_t i;

	for (i = 0; i < run->unsupported_count; i++) {
		const struct result_unsupported *item = &run->unsupported[i];

		if (item->how != how)
			continue;
		if (!any)
			begin(page, name);
		else
			fputs("<br/>", page->stream);
		any = true;
		escape_markup(item->name, page->stream);
		fprintf(page->stream, " (%.3g %%): no ", 100 * item->share);
		escape_markup(item->cannot, page->stream);
	}
	if (any)
		end(page);
}

static void write_users(const struct page *page, const struct result_run *run)
{
	size_t i;

	if (run->user_count_count == 0)
		return;
	begin(page, "Users");
	for (i = 0; i < run->user_count_count; i++)
		fprintf(page->stream, "%s%u", i > 0 ? ", " : "",
			run->user_counts[i]);
	end(page);
}

static void write_plan(const struct page *page, const struct result_run *run)
{
	char text[UNITS_TEXT];

	begin(page, "Each point");
	if (run->loops > 0)
		fprintf(page->stream, "%s %s",
			units_print_count(run->loops, text),
			run->loops == 1 ? "loop" : "loops");
	else
		fprintf(page->stream, "%s measured",
			units_print_duration(run->time_ns, text));
	if (run->loops == 0 && run->warmup_ns > 0)
		fprintf(page->stream, " after %s of warm-up",
			units_print_duration(run->warmup_ns, text));
	if (run->ramp_down_ns > 0)
		fprintf(page->stream, ", %s of ramp-down",
			units_print_duration(run->ramp_down_ns, text));
	if (run->settle_ns > 0)
		fprintf(page->stream, ", a pause of %s before",
			units_print_duration(run->settle_ns, text));
	fprintf(page->stream, ", from the %s on",
		run->from_start || run->loops > 0 ? "first operation"
						  : "end of the prologue");
	if (run->repeats > 1)
		fprintf(page->stream, "; %u repeats, in %s order",
			run->repeats, run->random_order ? "random" : "given");
	if (run->resumed > 0)
		fprintf(page->stream, "; resumed %" PRIu64 " %s", run->resumed,
			run->resumed == 1 ? "time" : "times");
	end(page);
}

static void write_options(const struct page *page,
			  const struct result_run *run)
{
	size_t i;

	if (run->option_count == 0)
		return;
	begin(page, "Options");
	for (i = 0; i < run->option_count; i++) {
		if (i > 0)
			fputs(", ", page->stream);
		escape_markup(run->options[2 * i], page->stream);
		fputc('=', page->stream);
		escape_markup(run->options[2 * i + 1], page->stream);
	}
	end(page);
}

static void write_machine(const struct page *page,
			  const struct result_run *run)
{
	char memory[UNITS_TEXT];

	begin(page, "Client");
	escape_markup(run->host, page->stream);
	fprintf(page->stream, ": %u %s", run->cpus,
		run->cpus == 1 ? "processor" : "processors");
	if (run->memory_bytes > 0)
		fprintf(page->stream, ", %s of memory",
			units_print_bytes(run->memory_bytes, memory));
	fputs("; ", page->stream);
	escape_markup(run->kernel, page->stream);
	end(page);
}

static void write_run(const struct page *page, const struct result_run *run)
{
	size_t i;

	fputs("<dl class=\"facts\">\n", page->stream);
	write_load(page, run);
	for (i = 0; i < run->target_count; i++)
		write_target(page, &run->targets[i]);
	write_unsupported(page, run, RESULT_SKIPPED, "Skipped");
	write_unsupported(page, run, RESULT_DEGRADED, "Degraded");
	write_unsupported(page, run, RESULT_EMULATED, "Emulated");
	write_users(page, run);
	write_plan(page, run);
	write_options(page, run);
	write_machine(page, run);
	fact(page, "Started", run->started);
	fact(page, "throng", run->version);
	begin(page, "Seed");
	fprintf(page->stream, "%" PRIu64, run->seed);
	end(page);
	begin(page, "Command");
	fputs("<code>", page->stream);
	escape_markup(run->command, page->stream);
	fputs("</code>", page->stream);
	end(page);
	fputs("</dl>\n", page->stream);
}

void page_configuration(const struct page *page)
{
	size_t i;

	fputs("<section>\n<h2>Configuration</h2>\n", page->stream);
	for (i = 0; i < page->count; i++) {
		if (page->count > 1) {
			fputs("<h3>", page->stream);
			page_swatch(page, i);
			page_name(page, i);
			fputs("</h3>\n", page->stream);
		}
		write_run(page, &page->results[i].run);
	}
	fputs("</section>\n", page->stream);
}
