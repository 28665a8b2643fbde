/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The map of a user's files: compare it with a model that has one value per
 * byte.
 */
#include "unit.h"

#include "base/letter_case.h"
#include "base/random.h"
#include "verify/catalog.h"
#include "verify/map.h"

#include <string.h>

enum {
	MODEL_BYTES = 300 << 10,
	ROUNDS = 4000,
	GIB_BLOCKS = 1 << 18,
};

/* The value of each byte of a file. */
struct model {
	uint64_t size;
	struct map_value bytes[MODEL_BYTES];
};

static int begin(void **state)
{
	*state = map_new(MODEL_BYTES);
	return *state == NULL ? -1 : 0;
}

static int end(void **state)
{
	map_free(*state);
	return 0;
}

static void fill(struct model *model, uint64_t from, uint64_t to, struct map_value value)
{
	for (; from < to; from++)
		model->bytes[from] = value;
}

static void set(struct map *map, struct map_file *file, struct model *model, uint64_t from,
		uint64_t to, enum map_kind kind)
{
	struct map_value value = {.kind = kind};
	uint64_t old = model->size;

	value.change = kind == MAP_DATA ? map_next_write(map, file, from, to)
					: map_next_change(map);
	map_set(map, file, from, to, value);
	if (from > old)
		fill(model, old, from, (struct map_value){.kind = MAP_ZERO});
	fill(model, from, to, value);
	if (to > old)
		model->size = to;
}

static void resize(struct map *map, struct map_file *file, struct model *model, uint64_t size)
{
	map_resize(map, file, size);
	if (size > model->size)
		fill(model, model->size, size, (struct map_value){.kind = MAP_ZERO});
	model->size = size;
}

/* Compare all bytes. Return the number of bytes that are unknown only because a
 * block had too many parts. */
static uint64_t compare(const struct map *map, const struct map_file *file,
			const struct model *model)
{
	uint64_t at, byte, lost = 0;
	struct map_run run;

	assert_int_equal(file->size, model->size);
	for (at = 0; at < model->size; at = run.to) {
		run = map_run(map, file, at, model->size);
		assert_true(run.from == at && run.to > at);
		for (byte = run.from; byte < run.to; byte++) {
			struct map_value value = model->bytes[byte];

			if (run.state.now.kind == MAP_UNKNOWN && value.kind != MAP_UNKNOWN) {
				lost++;
				continue;
			}
			assert_int_equal(run.state.now.kind, value.kind);
			if (value.kind == MAP_DATA)
				assert_int_equal(run.state.now.change, value.change);
		}
	}
	return lost;
}

static void random_changes(void **state)
{
	static struct model model;
	struct map *map = *state;
	struct map_file *file = map_file(map, map_add_file(map));
	struct random random;
	uint64_t lost = 0, all = 0;
	unsigned round, rounds = getenv("THRONG_TEST_QUICK") != NULL ? ROUNDS / 8 : ROUNDS;

	random_start(&random, 1, 0);
	for (round = 0; round < rounds; round++) {
		uint64_t align = round % 3 == 0 ? 4096 : 1;
		uint64_t from = random_next(&random) % MODEL_BYTES / align * align;
		uint64_t most = round % 5 == 0 ? MODEL_BYTES : 8192;
		uint64_t to = from + 1 + random_next(&random) % most;

		if (to > MODEL_BYTES)
			to = MODEL_BYTES;
		if (round % 7 == 0)
			from = file->stream_end < to ? file->stream_end : from;
		if (round % 50 == 49)
			resize(map, file, &model, from);
		else
			set(map, file, &model, from, to, round % 11 == 0 ? MAP_ZERO : MAP_DATA);
		lost += compare(map, file, &model);
		all += model.size;
	}
	assert_true(lost < all / 10);
	assert_false(map->full);
}

static void consecutive_writes_share_a_number(void **state)
{
	struct map *map = *state;
	struct map_file *file = map_file(map, map_add_file(map));
	static struct model model;
	struct map_run run;
	uint64_t at;

	for (at = 0; at < 100000; at += 100)
		set(map, file, &model, at, at + 100, MAP_DATA);
	run = map_run(map, file, 0, file->size);
	assert_int_equal(run.to, 100000);
	/* An overwrite has a number of its own, even from the same offset. */
	set(map, file, &model, 0, 100, MAP_DATA);
	run = map_run(map, file, 0, file->size);
	assert_int_equal(run.to, 100);
	/* After a flush, the next write is another version. */
	set(map, file, &model, 100, 200, MAP_DATA);
	map_flushed(file, map_begin_flush(map, file), true);
	set(map, file, &model, 200, 300, MAP_DATA);
	run = map_run(map, file, 0, file->size);
	assert_int_equal(run.to, 200);
	assert_true(map_is_durable(file, run.state.now));
	run = map_run(map, file, 200, file->size);
	assert_false(map_is_durable(file, run.state.now));
}

static void the_last_durable_content_is_kept(void **state)
{
	struct map *map = *state;
	struct map_file *file = map_file(map, map_add_file(map));
	static struct model model;
	struct map_value durable;
	unsigned round;
	struct map_run run;

	set(map, file, &model, 0, 8192, MAP_DATA);
	durable = model.bytes[0];
	map_flushed(file, map_begin_flush(map, file), true);
	for (round = 0; round < 3; round++)
		set(map, file, &model, 4096, 8192, MAP_DATA);
	run = map_run(map, file, 4096, 8192);
	assert_int_equal(run.state.before.change, durable.change);
	assert_int_equal(run.state.now.change, model.bytes[4096].change);
	assert_false(map_is_durable(file, run.state.now));
}

static void memory_of_random_writes(void **state)
{
	struct map *map = map_new(UINT64_C(1) << 30);
	struct map_file *file = map_file(map, map_add_file(map));
	struct random random;
	unsigned i;

	random_start(&random, 1, 0);
	for (i = 0; i < 4 * GIB_BLOCKS; i++) {
		uint64_t at = random_next(&random) % GIB_BLOCKS * 4096;

		map_set(map, file, at, at + 4096,
			(struct map_value){.kind = MAP_DATA,
					   .change = map_next_write(map, file, at, at + 4096)});
	}
	assert_false(map->full);
	assert_in_range(map_bytes_used(map), 1, 8 << 20);
	map_free(map);
}

static void memory_of_files_is_used_again(void **state)
{
	struct map *map = *state;
	uint64_t used = 0;
	unsigned round;

	for (round = 0; round < 1000; round++) {
		arena_ref file = map_add_file(map);

		assert_true(catalog_add(map, "clients/client0/f", file));
		map_set(map, map_file(map, file), 100, MODEL_BYTES,
			(struct map_value){.kind = MAP_DATA, .change = 1});
		map_set(map, map_file(map, file), 5, 5000,
			(struct map_value){.kind = MAP_DATA, .change = 2});
		catalog_remove(map, "clients/client0/f");
		if (round == 0)
			used = map_bytes_used(map);
	}
	assert_int_equal(map_bytes_used(map), used);
}

/* Return the file of a name. */
static arena_ref named(const struct map *map, const char *path)
{
	arena_ref name = catalog_find(map, path);

	return name != 0 ? catalog_name(map, name)->file : 0;
}

/* Whether a target that ignores case may take a path for another one, or for one
 * below it. */
static void paths_that_may_be_one(void **state)
{
	static const struct {
		const char *path, *top, *rest;
	} cases[] = {
		{"a/B", "A/b", ""},
		{"a/B/c", "A/b", "/c"},
		{"a/B", "A/b/c", NULL},
		{"a/bc", "a/b", NULL},
		{"a", "b", NULL},
		{"a", "ab", NULL},
		{"a/b", "a/b/c", NULL},
		{"d/b", "d/c", NULL},
		/* Letters that are not ASCII, and one that is two or none. */
		{"\u00e9", "\u00c9", ""},
		{"x\u00e9y/z", "Xe\u0301Y", "/z"},
		{"\u00c9t\u00e92", "\u00e9t\u00e92", ""},
		{"\u00c9t\u00e92", "\u00e9t\u00e93", NULL},
		{"\u00e9/a", "\u00e9/b", NULL},
		{"stra\u00dfe", "STRASSE", ""},
		{"stra\u00dfe", "strand", NULL},
		{"\u212a", "k", ""},
		{"\u200ba", "A", ""},
		{"\u00e9", "a", NULL},
	};
	size_t i;

	for (i = 0; i < LENGTH(cases); i++) {
		const char *rest = letter_case_rest(cases[i].path, cases[i].top);

		if (rest == NULL || cases[i].rest == NULL ? rest != cases[i].rest
							  : strcmp(rest, cases[i].rest) != 0)
			fail_msg("%s, %s: %s", cases[i].path, cases[i].top,
				 rest != NULL ? rest : "(none)");
	}
}

/* Make a file of one byte. */
static arena_ref make(struct map *map, const char *path)
{
	arena_ref file = map_add_file(map);

	map_set(map, map_file(map, file), 0, 1, (struct map_value){.kind = MAP_DATA, .change = 1});
	assert_true(catalog_add(map, path, file));
	return file;
}

static void names_in_another_case(void **state)
{
	struct map *map = *state;
	arena_ref one, other, accents[3], below;

	map->letter_case = LETTER_CASE_KEPT;
	one = make(map, "d/a");
	other = make(map, "D/A");
	make(map, "\u00e9");
	make(map, "\u00c9");
	assert_int_equal(named(map, "d/a"), one);
	assert_int_equal(named(map, "D/A"), other);
	assert_false(catalog_doubt(map, "D", true));
	assert_false(map_file(map, one)->unknown);
	assert_false(map_file(map, named(map, "\u00e9"))->unknown);

	/* It is not known whether the names are one. */
	map->letter_case = LETTER_CASE_UNKNOWN;
	one = make(map, "e/a");
	assert_int_equal(named(map, "E/a"), 0);
	assert_false(catalog_doubt(map, "e", true));
	assert_false(catalog_doubt(map, "E", false));
	assert_false(map_file(map, one)->unknown);
	assert_true(catalog_doubt(map, "E", true));
	assert_true(map_file(map, one)->unknown);
	one = make(map, "f/a");
	other = make(map, "f/A");
	assert_true(map_file(map, one)->unknown);
	assert_true(map_file(map, other)->unknown);

	/* They are one, if the letters are ASCII. */
	map->letter_case = LETTER_CASE_IGNORED;
	one = make(map, "g/Data");
	other = make(map, "g/x");
	assert_int_equal(named(map, "G/DATA"), one);
	catalog_move(map, "G/DATA", "g/y");
	assert_int_equal(named(map, "g/data"), 0);
	assert_int_equal(catalog_move_below(map, "G", "h"), 2);
	assert_int_equal(named(map, "H/Y"), one);
	assert_false(map_file(map, one)->unknown);
	accents[0] = make(map, "h/\u00e91");
	accents[1] = make(map, "h/\u00e92");
	assert_false(map_file(map, accents[0])->unknown);
	accents[2] = make(map, "H/\u00c91");
	assert_true(map_file(map, accents[0])->unknown);
	assert_false(map_file(map, accents[1])->unknown);
	assert_true(map_file(map, accents[2])->unknown);
	assert_false(map_file(map, other)->unknown);
	assert_true(catalog_name(map, catalog_find(map, "h/\u00e92"))->reused);
	assert_false(catalog_name(map, catalog_find(map, "h/x"))->reused);
	below = make(map, "\u00e0/b");
	assert_true(catalog_doubt(map, "\u00c0", true));
	assert_true(map_file(map, below)->unknown);
	assert_false(map_file(map, one)->unknown);

	/* A tree may have anything, in any case. */
	assert_false(catalog_doubt(map, "7\u00d6", false));
	catalog_add_kind(map, "7\u00f6", CATALOG_TREE, map_add_file(map));
	assert_true(catalog_doubt(map, "7\u00d6", false));
	assert_true(catalog_doubt(map, "7\u00d6/b", false));
	assert_false(catalog_doubt(map, "7\u00f6/b", false));
}

static void names(void **state)
{
	struct map *map = *state;
	arena_ref files[200];
	char name[32];
	unsigned i;

	for (i = 0; i < 200; i++) {
		files[i] = map_add_file(map);
		snprintf(name, sizeof(name), "d%u/f%u", i % 2, i);
		assert_true(catalog_add(map, name, files[i]));
	}
	assert_int_equal(named(map, "d1/f7"), files[7]);
	assert_int_equal(named(map, "d1/F7"), 0);
	assert_int_equal(catalog_move_below(map, "d1", "e"), 100);
	assert_int_equal(named(map, "d1/f7"), 0);
	assert_int_equal(named(map, "e/f7"), files[7]);
	/* A second name keeps the file when the first one goes. */
	assert_true(catalog_add(map, "link", files[7]));
	catalog_remove_below(map, "e");
	assert_int_equal(named(map, "link"), files[7]);
	assert_string_equal(catalog_name_of(map, files[7]), "link");
	catalog_swap(map, "link", "d0/f8");
	assert_int_equal(named(map, "link"), files[8]);
	assert_int_equal(named(map, "d0/f8"), files[7]);
	catalog_swap(map, "d0", "e");
	assert_int_equal(named(map, "e/f8"), files[7]);
	assert_int_equal(map->name_count, 101);
}

int unit_map(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(random_changes, begin, end),
		cmocka_unit_test_setup_teardown(consecutive_writes_share_a_number, begin, end),
		cmocka_unit_test_setup_teardown(the_last_durable_content_is_kept, begin, end),
		cmocka_unit_test_setup_teardown(memory_of_random_writes, begin, end),
		cmocka_unit_test_setup_teardown(memory_of_files_is_used_again, begin, end),
		cmocka_unit_test_setup_teardown(names, begin, end),
		cmocka_unit_test(paths_that_may_be_one),
		cmocka_unit_test_setup_teardown(names_in_another_case, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
