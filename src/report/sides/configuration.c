/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The configuration of one result, or of several: facts that all have in common
 * once, and those that differ side by side.
 */
#include "report/sections.h"

#include "base/array.h"
#include "base/units.h"
#include "report/describe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Describe pairs, a line for each: "option sync". */
static void describe_pairs(const char *kind, char *const *pairs, size_t count, describe_line *line,
			   void *context)
{
	size_t i;

	for (i = 0; i < count; i++) {
		char *name;

		if (asprintf(&name, "%s %s", kind, pairs[2 * i]) < 0)
			continue;
		line(context, name, pairs[2 * i + 1]);
		free(name);
	}
}

static void describe_notes_singly(const struct result_run *run, describe_line *line, void *context)
{
	describe_pairs("note", run->notes, run->note_count, line, context);
}

static void describe_options_singly(const struct result_run *run, describe_line *line,
				    void *context)
{
	describe_pairs("option", run->options, run->option_count, line, context);
}

static void describe_machine(const struct result_run *run, describe_line *line, void *context)
{
	char text[UNITS_TEXT];

	line(context, "host", run->host);
	line(context, "kernel", run->kernel);
	snprintf(text, sizeof(text), "%u", run->cpus);
	line(context, "cpus", text);
	if (run->memory_bytes > 0)
		line(context, "memory", units_print_bytes(run->memory_bytes, text));
}

/* Describe the only target. */
static void describe_target(const struct result_run *run, describe_line *line, void *context)
{
	const struct result_target *target = &run->variants[0].targets[0];
	char text[UNITS_TEXT];

	line(context, "target", target->url);
	line(context, "kind", target->kind);
	if (target->protection[0] != '\0')
		line(context, "protection", target->protection);
	if (target->free_bytes != UINT64_MAX)
		line(context, "free", units_print_bytes(target->free_bytes, text));
}

/* Lines with several facts. If they differ, these are compared one by one. */
static const struct {
	const char *name;
	void (*describe)(const struct result_run *run, describe_line *line, void *context);
} parts[] = {
	{"notes", describe_notes_singly},
	{"target", describe_target},
	{"options", describe_options_singly},
	{"machine", describe_machine},
};

enum { PARTS = sizeof(parts) / sizeof(parts[0]) };

/* Return the index of the lines with this name, or PARTS. */
static size_t find_part(const char *name)
{
	size_t i = 0;

	while (i < PARTS && strcmp(parts[i].name, name) != 0)
		i++;
	return i;
}

/* A fact about each side: a line of its description. */
struct fact {
	char *name;
	char **texts; /* one per side; NULL: the side has no such line */
};

struct facts {
	struct fact *list;
	size_t count;
	const struct view *view;
	size_t side, at; /* side and index of the next line to add */
	bool failed;     /* memory was short */
	bool divided[PARTS + 1];
	unsigned lines; /* the parts of the description to collect */
};

static void free_facts(struct facts *facts)
{
	size_t i, j;

	for (i = 0; i < facts->count; i++) {
		for (j = 0; j < facts->view->side_count; j++)
			free(facts->list[i].texts[j]);
		free(facts->list[i].texts);
		free(facts->list[i].name);
	}
	free(facts->list);
}

/* Insert a fact without texts at facts->at. Return NULL if memory is short. */
static struct fact *insert_fact(struct facts *facts, const char *name)
{
	struct fact fact = {
		.name = strdup(name),
		.texts = calloc(facts->view->side_count, sizeof(*fact.texts)),
	};
	struct fact *at;

	if (fact.name == NULL || fact.texts == NULL ||
	    array_append(&facts->list, &facts->count, &fact, sizeof(fact)) < 0) {
		free(fact.name);
		free(fact.texts);
		return NULL;
	}
	at = &facts->list[facts->at];
	memmove(at + 1, at, (facts->count - 1 - facts->at) * sizeof(*at));
	*at = fact;
	return at;
}

/* Add a line of a side to the fact with this name that has none yet: the second
 * target of one side belongs to the second one of another. */
static void add_fact(void *context, const char *name, const char *text)
{
	struct facts *facts = context;
	struct fact *fact = NULL;
	size_t i;

	for (i = 0; i < facts->count && fact == NULL; i++)
		if (facts->list[i].texts[facts->side] == NULL &&
		    strcmp(facts->list[i].name, name) == 0)
			fact = &facts->list[i];
	if (fact == NULL)
		fact = insert_fact(facts, name);
	if (fact != NULL)
		fact->texts[facts->side] = strdup(text);
	if (fact == NULL || fact->texts[facts->side] == NULL)
		facts->failed = true;
	else
		facts->at = (size_t)(fact - facts->list) + 1;
}

/* Add a line of a run, or the facts of all lines with this name. */
static void add_line(void *context, const char *name, const char *text)
{
	struct facts *facts = context;
	const size_t part = find_part(name);

	if (!facts->divided[part])
		add_fact(facts, name, text);
	else
		parts[part].describe(&facts->view->sides[facts->side].result->run, add_fact, facts);
}

/* Collect the facts, each in the order of the first side that has it. */
static void collect(struct facts *facts)
{
	size_t i;

	for (i = 0; i < facts->view->side_count; i++) {
		facts->side = i;
		facts->at = 0;
		describe_run(&facts->view->sides[i].result->run, facts->lines, add_line, facts);
	}
}

/* Check if all sides have the same text. */
static bool is_common(const struct facts *facts, const struct fact *fact)
{
	size_t i;

	for (i = 0; i < facts->view->side_count; i++)
		if (fact->texts[i] == NULL || fact->texts[0] == NULL ||
		    strcmp(fact->texts[i], fact->texts[0]) != 0)
			return false;
	return true;
}

/* Check if a line that differs is to be divided. Of several targets, it would not be
 * clear to which one a fact belongs. */
static bool is_divisible(const struct view *view, size_t part)
{
	size_t i;

	for (i = 0; part < PARTS && i < view->side_count; i++) {
		const struct result_run *run = &view->sides[i].result->run;

		if (parts[part].describe == describe_target &&
		    (run->variant_count > 1 || run->variants[0].target_count != 1))
			return false;
	}
	return part < PARTS;
}

/* Check if labels are known from the names of the sides. */
static bool are_named(const struct view *view)
{
	const char *label;
	size_t i;

	for (i = 0; i < view->side_count; i++) {
		label = view->sides[i].result->run.label;
		if (label[0] != '\0' && strcmp(label, view->sides[i].name) != 0)
			return false;
	}
	return true;
}

/* Collect the facts of a view, those of its sides that differ one by one. */
static struct facts facts_of(const struct view *view)
{
	struct facts lines = {
		.view = view,
		.lines = DESCRIBE_ALL & (are_named(view) ? ~(unsigned)DESCRIBE_LABEL : ~0U),
	};
	struct facts facts = {.view = view, .lines = lines.lines};
	size_t i;

	collect(&lines);
	for (i = 0; i < lines.count; i++) {
		size_t part = find_part(lines.list[i].name);

		if (!is_common(&lines, &lines.list[i]) && is_divisible(view, part))
			facts.divided[part] = true;
	}
	facts.failed = lines.failed;
	free_facts(&lines);
	collect(&facts);
	return facts;
}

/* Return the text of a side, also if it has none. */
static const char *text_of(const struct fact *fact, size_t side)
{
	if (fact->texts[side] != NULL)
		return fact->texts[side];
	return strncmp(fact->name, "option ", strlen("option ")) == 0 ? "not given" : "none";
}

/* Return the names of the sides that have the same text as this one: "old, new".
 * Return NULL if an earlier side has it, or if memory is short. */
static char *sides_with(struct facts *facts, const struct fact *fact, size_t side)
{
	char *names = NULL;
	size_t bytes, i;
	FILE *stream;

	for (i = 0; i < side; i++)
		if (strcmp(text_of(fact, i), text_of(fact, side)) == 0)
			return NULL;
	stream = open_memstream(&names, &bytes);
	for (i = side; stream != NULL && i < facts->view->side_count; i++)
		if (strcmp(text_of(fact, i), text_of(fact, side)) == 0)
			fprintf(stream, "%s%s", i > side ? ", " : "", facts->view->sides[i].name);
	if (stream != NULL && fclose(stream) == 0)
		return names;
	free(names);
	facts->failed = true;
	return NULL;
}

/* Add a fact that differs as a line: "old: 6.1.0; new: 6.12.1". */
static void add_as_line(struct doc *doc, struct facts *facts, const struct fact *fact)
{
	char *text = NULL;
	size_t bytes, i;
	FILE *stream = open_memstream(&text, &bytes);

	for (i = 0; stream != NULL && i < facts->view->side_count; i++) {
		char *sides = sides_with(facts, fact, i);

		if (sides != NULL)
			fprintf(stream, "%s%s: %s", i > 0 ? "; " : "", sides, text_of(fact, i));
		free(sides);
	}
	if (stream != NULL && fclose(stream) == 0)
		doc_fact(doc, fact->name, "%s", text);
	else
		facts->failed = true;
	free(text);
}

/* Add it as rows of a table, one for each text. */
static void add_as_rows(struct doc *doc, struct facts *facts, const struct fact *fact)
{
	size_t i;

	for (i = 0; i < facts->view->side_count; i++) {
		char *sides = sides_with(facts, fact, i);

		if (sides != NULL) {
			doc_row(doc, DOC_PLAIN, 0);
			doc_cell_text(doc, "%s", fact->name);
			doc_cell_text(doc, "%s", sides);
			doc_cell_text(doc, "%s", text_of(fact, i));
		}
		free(sides);
	}
}

/* Add the facts that differ. */
static void add_differences(struct doc *doc, struct facts *facts)
{
	bool any = false;
	size_t i;

	for (i = 0; i < facts->count; i++) {
		if (is_common(facts, &facts->list[i]))
			continue;
		if (!any)
			doc_heading(doc, 3, "Differences");
		any = true;
		doc_medium(doc, DOC_TEXT);
		add_as_line(doc, facts, &facts->list[i]);
		doc_medium(doc, DOC_ALL);
	}
	if (!any)
		return;
	doc_medium(doc, DOC_MARKDOWN | DOC_HTML);
	doc_table(doc, 0);
	doc_column(doc, "fact", NUMBER_COUNT, DOC_LABEL | DOC_LEFT);
	doc_column(doc, "result", NUMBER_COUNT, DOC_LEFT);
	doc_column(doc, "value", NUMBER_COUNT, DOC_LEFT);
	for (i = 0; i < facts->count; i++)
		if (!is_common(facts, &facts->list[i]))
			add_as_rows(doc, facts, &facts->list[i]);
	doc_table_end(doc);
	doc_medium(doc, DOC_ALL);
}

static void add_line_of_one(void *context, const char *name, const char *text)
{
	doc_fact(context, name, "%s", text);
}

void section_configuration(struct doc *doc, const struct view *view)
{
	struct facts facts;
	size_t i;

	doc_heading(doc, 2, "Configuration");
	if (!view_has_several(view)) {
		describe_run(&view->whole->run, DESCRIBE_ALL, add_line_of_one, doc);
		return;
	}
	facts = facts_of(view);
	for (i = 0; i < facts.count; i++)
		if (is_common(&facts, &facts.list[i]))
			doc_fact(doc, facts.list[i].name, "%s", facts.list[i].texts[0]);
	add_differences(doc, &facts);
	if (facts.failed)
		doc_fail(doc);
	free_facts(&facts);
}
