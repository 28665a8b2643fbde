/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Test which results a sweep may be resumed from, and what is taken over. */
#include "records.h"

#include "cli/measure/resume.h"
#include "result/json.h"
#include "target/backends.h"

#include <errno.h>

/* A run on an SMB share; the texts are on the heap, as result_free frees
 * them. */
static struct result make(const char *url, const char *client)
{
	struct result result = {
		.run =
			{
				.version = strdup("1"),
				.command = strdup("throng run"),
				.host = strdup("a"),
				.kernel = strdup("6.1"),
				.started = "2026-01-31T23:59:59Z",
				.cpus = 2,
				.memory_bytes = 1 << 30,
				.user_counts = malloc(sizeof(unsigned)),
				.user_count_count = 1,
				.repeats = 3,
				.seed = 7,
				.phases.time_ns = 2 * NS_PER_S,
			},
	};
	struct result_variant *variant;

	result.run.user_counts[0] = 1;
	assert_int_equal(variant_make_all(&result.run), 0);
	variant = &result.run.variants[0];
	variant->load_count = variant->target_count = 1;
	variant->loads = calloc(1, sizeof(*variant->loads));
	variant->loads[0].name = strdup("load");
	variant->loads[0].dialect = strdup("native");
	variant->loads[0].ops = 2;
	variant->targets = calloc(1, sizeof(*variant->targets));
	variant->targets[0] = (struct result_target){
		.url = strdup(url),
		.backend = strdup("smb"),
		.library = strdup("a library"),
		.library_version = strdup("1"),
		.kind = strdup("SMB3_11"),
		.protection = strdup(""),
		.client.name = client != NULL ? strdup(client) : NULL,
		.free_bytes = UINT64_MAX,
		.answers = true,
		.remote = true,
	};
	return result;
}

static char share[] = "smb://me@host/share", other[] = "smb://me@host/other";

/* A command line that resumes the result in a file. */
struct scene {
	char name[NAME_BYTES];
	int fd;
	struct run_options options;
	struct target target;
	struct run_targets targets;
	struct result result;
	struct error error;
};

/* Let the file have a result of this client, and let the command line select
 * another one. */
static void open_scene(struct scene *scene, const char *was, const char *now)
{
	struct result old = make(share, was);
	char *text = NULL;
	size_t bytes;
	FILE *stream = open_memstream(&text, &bytes);
	unsigned order;

	strcpy(old.run.label, "old");
	for (order = 1; order <= 2; order++) {
		struct result_repeat *repeat = result_add_repeat(&old, 0, 1);

		assert_non_null(repeat);
		repeat->order = order;
		strcpy(repeat->started, "2026-01-31T23:59:59Z");
		SET(&repeat->records, TOTAL, {FIGURE_SECONDS, 2});
	}
	/* An interrupted measurement. */
	NOTICE_ADD(&old.points[0].repeats[1].invalid, NOTICE_INTERRUPTED, .detail = "INT");
	assert_int_equal(json_write(&old, 1, stream), 0);
	fclose(stream);
	*scene = (struct scene){
		.target.url = share,
		.target.row = backends_find("smb", now),
		.result = make(share, now),
	};
	assert_non_null(scene->target.row);
	/* The targets have not been contacted yet. */
	variant_forget_targets(&scene->result.run.variants[0]);
	scene->fd = file_of(text, bytes, scene->name);
	scene->options.resume = scene->name;
	scene->targets = (struct run_targets){&scene->target, 1};
	free(text);
	result_free(&old);
}

static void close_scene(struct scene *scene)
{
	result_free(&scene->result);
	close(scene->fd);
}

static int load(struct scene *scene)
{
	return resume_load(&scene->options, &scene->targets, &scene->result, &scene->error);
}

static void a_valid_measurement_is_kept(void **state)
{
	struct scene scene;

	open_scene(&scene, "builtin", "builtin");
	scene.result.run.seed = 1;
	if (load(&scene) < 0)
		fail_msg("%s", scene.error.text);
	assert_int_equal(scene.result.point_count, 1);
	assert_int_equal(scene.result.points[0].repeat_count, 1);
	assert_int_equal(scene.result.points[0].repeats[0].order, 1);
	assert_int_equal(scene.result.run.measured, 1);
	/* The seed, which decides on the order, is that of the file. */
	assert_int_equal(scene.result.run.seed, 7);
	assert_int_equal(scene.options.measure.settings.seed, 7);
	close_scene(&scene);
}

static void the_client_must_be_the_same(void **state)
{
	static const struct {
		const char *was, *now, *refused;
	} rows[] = {
		{"builtin", "builtin", NULL},
		{"libsmbclient", "libsmbclient", NULL},
		{"builtin", "libsmbclient",
		 "the SMB client builtin, but the default client here is libsmbclient; choose the "
		 "client with client= in the URL"},
		{"libsmbclient", "builtin",
		 "the SMB client libsmbclient, but the default client here is builtin; choose the "
		 "client with client= in the URL"},
	};
	char wanted[200];
	size_t i;

	for (i = 0; i < LENGTH(rows); i++) {
		struct scene scene;

		open_scene(&scene, rows[i].was, rows[i].now);
		if (rows[i].refused == NULL) {
			assert_int_equal(load(&scene), 0);
		} else {
			assert_int_equal(load(&scene), -EINVAL);
			snprintf(wanted, sizeof(wanted), "--resume: %s was measured with %s",
				 scene.name, rows[i].refused);
			assert_string_equal(scene.error.text, wanted);
			assert_int_equal(scene.result.point_count, 0);
		}
		close_scene(&scene);
	}
}

static void the_targets_must_be_the_same(void **state)
{
	struct target twice[2];
	struct scene scene;

	open_scene(&scene, "builtin", "builtin");
	scene.target.url = other;
	assert_int_equal(load(&scene), -EINVAL);
	assert_non_null(strstr(scene.error.text,
			       " was measured on smb://me@host/share, not on "
			       "smb://me@host/other; give all targets of the run that wrote "));
	close_scene(&scene);
	open_scene(&scene, "builtin", "builtin");
	twice[0] = twice[1] = scene.target;
	scene.targets = (struct run_targets){twice, 2};
	assert_int_equal(load(&scene), -EINVAL);
	assert_non_null(strstr(scene.error.text, "--resume: 2 targets are given, but "));
	close_scene(&scene);
}

static void the_plan_must_be_the_same(void **state)
{
	struct scene scene;

	open_scene(&scene, "builtin", "builtin");
	scene.result.run.repeats = 4;
	assert_int_equal(load(&scene), -EINVAL);
	assert_int_equal(scene.result.point_count, 0);
	close_scene(&scene);
}

static void a_label_is_kept(void **state)
{
	struct scene scene;

	open_scene(&scene, "builtin", "builtin");
	assert_int_equal(load(&scene), 0);
	assert_string_equal(scene.result.run.label, "old");
	close_scene(&scene);
	/* A label on the command line replaces it. */
	open_scene(&scene, "builtin", "builtin");
	strcpy(scene.result.run.label, "new");
	assert_int_equal(load(&scene), 0);
	assert_string_equal(scene.result.run.label, "new");
	close_scene(&scene);
}

int unit_resume(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_valid_measurement_is_kept),
		cmocka_unit_test(the_client_must_be_the_same),
		cmocka_unit_test(the_targets_must_be_the_same),
		cmocka_unit_test(the_plan_must_be_the_same),
		cmocka_unit_test(a_label_is_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
