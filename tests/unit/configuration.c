/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Test how a report shows the configuration of several results: what they have in
 * common once, and what differs side by side.
 */
#include "doc.h"
#include "records.h"

#include "report/sections.h"

enum { SIDES_MAX = 3 };

#define STRING(text) ((char *)(text))

/* Results that are all the same. */
struct scene {
	struct result results[SIDES_MAX];
	struct result_variant variants[SIDES_MAX];
	struct result_load loads[SIDES_MAX];
	struct result_target targets[SIDES_MAX][2];
	unsigned user_counts[2];
};

static void set_up(struct scene *scene)
{
	size_t i, j;

	*scene = (struct scene){.user_counts = {1, 2}};
	for (i = 0; i < SIDES_MAX; i++) {
		scene->loads[i] = (struct result_load){
			.name = STRING("a.load"),
			.dialect = STRING("native"),
			.ops = 3,
		};
		for (j = 0; j < 2; j++)
			scene->targets[i][j] = (struct result_target){
				.url = j > 0 ? STRING("/mnt/b") : STRING("/mnt/a"),
				.backend = STRING("posix"),
				.kind = STRING("ext4"),
				.protection = STRING(""),
				.free_bytes = 10 << 20,
			};
		scene->variants[i] = (struct result_variant){
			.loads = &scene->loads[i],
			.load_count = 1,
			.targets = scene->targets[i],
			.target_count = 2,
		};
		scene->results[i].run = (struct result_run){
			.version = STRING("1.0"),
			.command = STRING("throng"),
			.host = STRING("client"),
			.kernel = STRING("6.1.0"),
			.started = "2026-01-01T00:00:00Z",
			.cpus = 8,
			.user_counts = scene->user_counts,
			.user_count_count = 2,
			.variants = &scene->variants[i],
			.variant_count = 1,
			.phases.loops = 1,
		};
		snprintf(scene->results[i].run.label, RESULT_LABEL, "r%zu", i);
	}
}

/* Return the section for these results, with these names of sides. */
static struct doc *section(const struct scene *scene, size_t count, const char *const *names)
{
	struct doc *doc = doc_new();
	struct view view;

	assert_int_equal(view_make(&view, scene->results, count, NULL, names), 0);
	section_configuration(doc, &view);
	view_free(&view);
	return doc;
}

/* Check a section as text from "Differences" on; "" if nothing differs. */
static void expect_differences(const struct scene *scene, size_t count, const char *wanted)
{
	struct doc *doc = section(scene, count, NULL);
	char *text = NULL;
	const char *found;
	size_t bytes;
	FILE *stream = open_memstream(&text, &bytes);

	assert_non_null(stream);
	assert_int_equal(doc_text(doc, false, stream), 0);
	fclose(stream);
	doc_free(doc);
	found = strstr(text, "differences\n");
	assert_string_equal(found != NULL ? found + strlen("differences\n") : "", wanted);
	free(text);
}

#define COMMON \
	"load     a.load: 3 operations per loop, 0 B read, 0 B written, footprint 0 B per\n" \
	"         user\n" \
	"target   /mnt/a (ext4, 10.49 MB free)\n" \
	"target   /mnt/b (ext4, 10.49 MB free)\n" \
	"users    1, 2\n" \
	"time     1 loop each\n" \
	"seed     0\n" \
	"backend  posix\n"

static void one_result_is_described(void **state)
{
	struct scene scene;
	struct doc *doc;

	set_up(&scene);
	doc = section(&scene, 1, NULL);
	expect_text(doc, "label    r0\n" COMMON "machine  client: 8 processors; 6.1.0\n"
			 "started  2026-01-01T00:00:00Z\n"
			 "throng   1.0\n"
			 "command  throng\n");
	doc_free(doc);
}

static void common_facts_are_written_once(void **state)
{
	struct scene scene;
	struct doc *doc;

	set_up(&scene);
	doc = section(&scene, 3, NULL);
	expect_text(doc, COMMON "machine  client: 8 processors; 6.1.0\n"
				"started  2026-01-01T00:00:00Z\n"
				"throng   1.0\n"
				"command  throng\n");
	doc_free(doc);
}

/* If a line has several facts, only those that differ are written side by side. */
static void facts_that_differ_are_side_by_side(void **state)
{
	struct scene scene;
	struct doc *doc;

	set_up(&scene);
	scene.results[1].run.kernel = STRING("6.12.1");
	scene.targets[1][0].kind = STRING("xfs");
	scene.variants[0].target_count = scene.variants[1].target_count = 1;
	strcpy(scene.results[1].run.started, "2026-01-02T00:00:00Z");
	doc = section(&scene, 2, NULL);
	expect_text(doc, "load     a.load: 3 operations per loop, 0 B read, 0 B written, "
			 "footprint 0 B per\n"
			 "         user\n"
			 "target   /mnt/a\n"
			 "free     10.49 MB\n"
			 "users    1, 2\n"
			 "time     1 loop each\n"
			 "seed     0\n"
			 "backend  posix\n"
			 "host     client\n"
			 "cpus     8\n"
			 "throng   1.0\n"
			 "command  throng\n"
			 "\n"
			 "differences\n"
			 "kind     r0: ext4; r1: xfs\n"
			 "kernel   r0: 6.1.0; r1: 6.12.1\n");
	doc_free(doc);
}

/* Markdown and pages have a table, a row per value. */
static void equal_sides_share_a_value(void **state)
{
	struct scene scene;
	struct doc *doc;
	char *text = NULL;
	size_t bytes;
	FILE *stream = open_memstream(&text, &bytes);

	set_up(&scene);
	scene.results[1].run.kernel = STRING("6.12.1");
	scene.results[1].run.version = STRING("2.0");
	scene.results[2].run.version = STRING("2.0");
	expect_differences(&scene, 3,
			   "kernel   r0, r2: 6.1.0; r1: 6.12.1\n"
			   "throng   r0: 1.0; r1, r2: 2.0\n");
	doc = section(&scene, 3, NULL);
	assert_non_null(stream);
	assert_int_equal(doc_markdown(doc, stream), 0);
	fclose(stream);
	assert_non_null(strstr(text, "### Differences\n\n"
				     "| fact | result | value |\n"
				     "|:---|:---|:---|\n"
				     "| kernel | r0, r2 | 6.1.0 |\n"
				     "| kernel | r1 | 6.12.1 |\n"
				     "| throng | r0 | 1.0 |\n"
				     "| throng | r1, r2 | 2.0 |\n"));
	assert_null(strstr(text, "r0: 1.0"));
	free(text);
	doc_free(doc);
}

/* Runs always differ in some facts. Text would be long, and say little. */
static void facts_of_each_run_are_not_in_text(void **state)
{
	struct scene scene;
	struct doc *doc;
	char *text = NULL;
	size_t bytes;
	FILE *stream = open_memstream(&text, &bytes);

	set_up(&scene);
	scene.variants[0].target_count = scene.variants[1].target_count = 1;
	scene.targets[1][0].free_bytes = 10 << 10;
	scene.results[1].run.command = STRING("throng -v");
	scene.results[1].run.seed = 1;
	strcpy(scene.results[1].run.started, "2026-01-02T00:00:00Z");
	expect_differences(&scene, 2, "");
	doc = section(&scene, 2, NULL);
	assert_non_null(stream);
	assert_int_equal(doc_markdown(doc, stream), 0);
	fclose(stream);
	assert_non_null(strstr(text, "### Differences\n\n"
				     "| fact | result | value |\n"
				     "|:---|:---|:---|\n"
				     "| free | r0 | 10.49 MB |\n"
				     "| free | r1 | 10.24 kB |\n"
				     "| seed | r0 | 0 |\n"
				     "| seed | r1 | 1 |\n"
				     "| started | r0 | 2026-01-01T00:00:00Z |\n"
				     "| started | r1 | 2026-01-02T00:00:00Z |\n"
				     "| command | r0 | throng |\n"
				     "| command | r1 | throng -v |\n"));
	free(text);
	doc_free(doc);
}

static void options_and_notes_are_compared_one_by_one(void **state)
{
	struct scene scene;
	size_t i;

	set_up(&scene);
	for (i = 0; i < 3; i++) {
		result_add_option(&scene.results[i].run, "fsync", "%s", i == 1 ? "no" : "yes");
		result_add_option(&scene.results[i].run, "cold", "yes");
		result_add_note(&scene.results[i].run, "branch", "main");
		if (i > 0)
			result_add_note(&scene.results[i].run, "commit", i == 1 ? "a" : "b");
	}
	result_add_option(&scene.results[1].run, "mode", "fast");
	expect_differences(&scene, 3,
			   "note commit r0: none; r1: a; r2: b\n"
			   "option fsync r0, r2: yes; r1: no\n"
			   "option mode r0, r2: not given; r1: fast\n");
	for (i = 0; i < 3; i++) {
		struct result_run *run = &scene.results[i].run;
		size_t j;

		for (j = 0; j < 2 * run->option_count; j++)
			free(run->options[j]);
		for (j = 0; j < 2 * run->note_count; j++)
			free(run->notes[j]);
		free(run->options);
		free(run->notes);
	}
}

/* Several targets are compared in their order, each as a whole. A side may have
 * fewer. */
static void missing_lines_are_differences(void **state)
{
	struct scene scene;

	set_up(&scene);
	scene.variants[0].target_count = 1;
	scene.targets[2][0].free_bytes = UINT64_MAX;
	scene.results[2].run.open_loop = true;
	expect_differences(&scene, 3,
			   "target   r0, r1: /mnt/a (ext4, 10.49 MB free); r2: /mnt/a (ext4)\n"
			   "target   r0: none; r1, r2: /mnt/b (ext4, 10.49 MB free)\n"
			   "latency  r0, r1: none; r2: response times, from the time for which an "
			   "operation\n"
			   "         was scheduled to its end\n");
}

/* Labels differ, but they are the names already. */
static void labels_are_written_if_they_are_not_names(void **state)
{
	static const char *const names[] = {"base", "new"};
	struct scene scene;
	struct doc *doc;
	char *text = NULL;
	size_t bytes;
	FILE *stream = open_memstream(&text, &bytes);

	set_up(&scene);
	expect_differences(&scene, 3, "");
	doc = section(&scene, 2, names);
	assert_non_null(stream);
	assert_int_equal(doc_text(doc, false, stream), 0);
	fclose(stream);
	assert_non_null(strstr(text, "differences\nlabel    base: r0; new: r1\n"));
	free(text);
	doc_free(doc);
}

int unit_configuration(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_result_is_described),
		cmocka_unit_test(common_facts_are_written_once),
		cmocka_unit_test(facts_that_differ_are_side_by_side),
		cmocka_unit_test(equal_sides_share_a_value),
		cmocka_unit_test(facts_of_each_run_are_not_in_text),
		cmocka_unit_test(options_and_notes_are_compared_one_by_one),
		cmocka_unit_test(missing_lines_are_differences),
		cmocka_unit_test(labels_are_written_if_they_are_not_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
