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

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* Differences that say nothing. Text leaves them out. */
static const char *const quiet[] = {"started", "ended", "seed", "command", "free", "clocks"};

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
static const struct part {
	const char *name;
	void (*describe)(const struct result_run *run, describe_line *line, void *context);
} parts[] = {
	{"notes", describe_notes_singly},
	{"target", describe_target},
	{"options", describe_options_singly},
	{"machine", describe_machine},
};

/* A fact about each side: a line of its description. */
struct fact {
	char *name;
	char **texts; /* one per side; NULL: the side has no such line */
};

struct facts {
	struct fact *list;
	size_t count;
	struct doc *doc; /* that fails if memory is short */
	const struct view *view;
	size_t side, at; /* side and index of the next line to add */
	/* The facts that were collected before, as whole lines; NULL: these are they. */
	const struct facts *lines;
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

/* Add a line of a side to the fact with this name that has none yet: the second
 * target of one side belongs to the second one of another. A new fact is put after the
 * line before. */
static void add_fact(void *context, const char *name, const char *text)
{
	struct facts *facts = context;
	struct fact new = {NULL, NULL};
	size_t i;

	for (i = 0; i < facts->count; i++)
		if (facts->list[i].texts[facts->side] == NULL &&
		    strcmp(facts->list[i].name, name) == 0)
			break;
	if (i == facts->count) {
		i = facts->at;
		new.name = strdup(name);
		new.texts = calloc(facts->view->side_count, sizeof(*new.texts));
		if (new.name == NULL || new.texts == NULL ||
		    array_insert(&facts->list, &facts->count, i, &new, sizeof(new)) < 0) {
			free(new.name);
			free(new.texts);
			doc_fail(facts->doc);
			return;
		}
	}
	facts->list[i].texts[facts->side] = strdup(text);
	if (facts->list[i].texts[facts->side] == NULL)
		doc_fail(facts->doc);
	facts->at = i + 1;
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

/* Check if a part is to be divided: a line of it differs. Of several targets, it would
 * not be clear to which one a fact belongs. */
static bool is_divided(const struct facts *lines, const struct part *part)
{
	bool differs = false;
	size_t i;

	for (i = 0; i < lines->count; i++)
		differs |= strcmp(lines->list[i].name, part->name) == 0 &&
			   !is_common(lines, &lines->list[i]);
	for (i = 0; part->describe == describe_target && i < lines->view->side_count; i++) {
		const struct result_run *run = &lines->view->sides[i].result->run;

		differs &= run->variant_count == 1 && run->variants[0].target_count == 1;
	}
	return differs;
}

/* Add a line of a run, or the facts of a part that is divided. A label that is the name
 * of its side is known. */
static void add_line(void *context, const char *name, const char *text)
{
	struct facts *facts = context;
	const struct view_side *side = &facts->view->sides[facts->side];
	size_t i = 0;

	if (strcmp(name, "label") == 0 && strcmp(text, side->name) == 0)
		return;
	while (i < LENGTH(parts) && strcmp(name, parts[i].name) != 0)
		i++;
	if (i < LENGTH(parts) && facts->lines != NULL && is_divided(facts->lines, &parts[i]))
		parts[i].describe(&side->result->run, add_fact, facts);
	else
		add_fact(facts, name, text);
}

/* Collect the facts, each in the order of the first side that has it. */
static struct facts collect(struct doc *doc, const struct view *view, const struct facts *lines)
{
	struct facts facts = {.doc = doc, .view = view, .lines = lines};

	for (facts.side = 0; facts.side < view->side_count; facts.side++) {
		facts.at = 0;
		describe_run(&view->sides[facts.side].result->run, DESCRIBE_ALL, add_line, &facts);
	}
	return facts;
}

/* Return the text of a side, also if it has none. */
static const char *text_of(const struct fact *fact, size_t side)
{
	if (fact->texts[side] != NULL)
		return fact->texts[side];
	return strncmp(fact->name, "option ", strlen("option ")) == 0 ? "not given" : "none";
}

/* Call `add` for each text of a fact with the names of the sides that have it:
 * "old, new". */
typedef void add_text(void *context, const struct fact *fact, const char *sides, const char *text);
static void for_texts(const struct facts *facts, const struct fact *fact, add_text *add,
		      void *context)
{
	const size_t count = facts->view->side_count;
	size_t bytes, i, j;

	for (i = 0; i < count; i++) {
		const char *text = text_of(fact, i);
		char *sides = NULL;
		FILE *stream;

		for (j = 0; strcmp(text_of(fact, j), text) != 0;)
			j++;
		if (j < i)
			continue;
		stream = open_memstream(&sides, &bytes);
		for (; stream != NULL && j < count; j++)
			if (strcmp(text_of(fact, j), text) == 0)
				fprintf(stream, "%s%s", j > i ? ", " : "",
					facts->view->sides[j].name);
		if (stream != NULL && fclose(stream) == 0)
			add(context, fact, sides, text);
		else
			doc_fail(facts->doc);
		free(sides);
	}
}

/* Write a text of a fact: "old: 6.1.0; new: 6.12.1". */
static void write_text(void *stream, const struct fact *fact, const char *sides, const char *text)
{
	(void)fact;
	fprintf(stream, "%s%s: %s", ftell(stream) > 0 ? "; " : "", sides, text);
}

/* Add a fact that differs as a line. */
static void add_as_line(const struct facts *facts, const struct fact *fact)
{
	char *text = NULL;
	size_t bytes;
	FILE *stream = open_memstream(&text, &bytes);

	if (stream != NULL)
		for_texts(facts, fact, write_text, stream);
	if (stream != NULL && fclose(stream) == 0)
		doc_fact(facts->doc, fact->name, "%s", text);
	else
		doc_fail(facts->doc);
	free(text);
}

/* Add a text of it as a row of a table. */
static void add_row(void *doc, const struct fact *fact, const char *sides, const char *text)
{
	doc_row(doc, DOC_PLAIN, 0);
	doc_cell_text(doc, "%s", fact->name);
	doc_cell_text(doc, "%s", sides);
	doc_cell_text(doc, "%s", text);
}

/* Check if a fact is shown as a difference. */
static bool is_shown(const struct facts *facts, const struct fact *fact, bool is_text)
{
	size_t i;

	for (i = 0; is_text && i < LENGTH(quiet); i++)
		if (strcmp(fact->name, quiet[i]) == 0)
			return false;
	return !is_common(facts, fact);
}

/* Begin the differences: lines in text, else a table. */
static void open_differences(struct doc *doc, bool is_text)
{
	doc_heading(doc, 3, is_text ? "differences" : "Differences");
	if (is_text)
		return;
	doc_table(doc, 0);
	doc_column(doc, "fact", NUMBER_COUNT, DOC_LABEL | DOC_LEFT);
	doc_column(doc, "result", NUMBER_COUNT, DOC_LEFT);
	doc_column(doc, "value", NUMBER_COUNT, DOC_LEFT);
}

static void add_differences(const struct facts *facts, bool is_text)
{
	struct doc *doc = facts->doc;
	bool is_open = false;
	size_t i;

	for (i = 0; i < facts->count; i++) {
		const struct fact *fact = &facts->list[i];

		if (!is_shown(facts, fact, is_text))
			continue;
		if (!is_open)
			open_differences(doc, is_text);
		is_open = true;
		if (is_text)
			add_as_line(facts, fact);
		else
			for_texts(facts, fact, add_row, doc);
	}
	if (is_open && !is_text)
		doc_table_end(doc);
}

static void add_line_of_one(void *doc, const char *name, const char *text)
{
	doc_fact(doc, name, "%s", text);
}

void section_configuration(struct doc *doc, const struct view *view)
{
	struct facts lines, facts;
	size_t i;

	doc_heading(doc, 2, "Configuration");
	if (!view_has_several(view)) {
		describe_run(&view->whole->run, DESCRIBE_ALL, add_line_of_one, doc);
		return;
	}
	lines = collect(doc, view, NULL);
	facts = collect(doc, view, &lines);
	free_facts(&lines);
	for (i = 0; i < facts.count; i++)
		if (is_common(&facts, &facts.list[i]))
			doc_fact(doc, facts.list[i].name, "%s", facts.list[i].texts[0]);
	doc_medium(doc, DOC_TEXT);
	add_differences(&facts, true);
	doc_medium(doc, DOC_MARKDOWN | DOC_HTML);
	add_differences(&facts, false);
	doc_medium(doc, DOC_ALL);
	free_facts(&facts);
}
