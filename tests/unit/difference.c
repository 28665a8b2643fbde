/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Descriptions of wrong bytes, and the places that they are from. */
#include "unit.h"

#include "verify/catalog.h"
#include "verify/difference.h"

/* The user's number in the run, and in the list of maps. */
enum { USER = 3, INDEX = 0 };

enum { FILE_BYTES = 64 << 10, WRONG_BYTES = 128 };

/* A user who has written two files, each with one write. */
struct scene {
	struct content *content;
	struct map *map;
	arena_ref file, other;
	char found[WRONG_BYTES];
};

static struct map_value write_file(struct scene *scene, arena_ref ref)
{
	struct map_file *file = map_file(scene->map, ref);
	struct map_value value = {
		.kind = MAP_DATA,
		.change = map_next_write(scene->map, file, 0, FILE_BYTES),
	};

	map_set(scene->map, file, 0, FILE_BYTES, value);
	return value;
}

static arena_ref add(struct scene *scene, const char *name)
{
	arena_ref ref = map_add_file(scene->map);

	assert_true(ref != 0);
	assert_true(catalog_add(scene->map, name, ref));
	write_file(scene, ref);
	return ref;
}

static int set_up(void **state)
{
	struct scene *scene = calloc(1, sizeof(*scene));

	scene->content = content_new(1, NULL, WRONG_BYTES);
	scene->map = map_new(1 << 20);
	assert_non_null(scene->content);
	assert_non_null(scene->map);
	scene->file = add(scene, "clients/client3/f");
	scene->other = add(scene, "clients/client3/other");
	*state = scene;
	return 0;
}

static int tear_down(void **state)
{
	struct scene *scene = *state;

	content_free(scene->content);
	map_free(scene->map);
	free(scene);
	return 0;
}

static struct map_state state_at(struct scene *scene, arena_ref ref, uint64_t offset)
{
	return map_run(scene->map, map_file(scene->map, ref), offset, FILE_BYTES).state;
}

/* Return the bytes of a file. */
static const char *bytes_at(struct scene *scene, arena_ref ref, uint64_t offset)
{
	return content_bytes(scene->content, USER, state_at(scene, ref, offset).now.change, offset);
}

/* Let these bytes be found, but others in the first `others` of them. */
static void set_found(struct scene *scene, const char *bytes, size_t others)
{
	size_t i;

	for (i = 0; i < WRONG_BYTES; i++)
		scene->found[i] = (char)(i < others ? ~bytes[i] : bytes[i]);
}

/* Examine what was found in the file, instead of what was written. */
static struct difference examine(struct scene *scene, uint64_t offset)
{
	const struct difference_maps maps = {
		.content = scene->content,
		.list = &scene->map,
		.count = 1,
		.first_user = USER - INDEX,
	};
	const struct wrong_bytes wrong = {
		.user = INDEX,
		.file = scene->file,
		.offset = offset,
		.expected = bytes_at(scene, scene->file, offset),
		.found = scene->found,
		.length = WRONG_BYTES,
		.state = state_at(scene, scene->file, offset),
	};
	struct difference difference = {0};

	difference_note(&wrong, &difference);
	difference_search(&maps, &difference);
	assert_int_equal(difference.offset, offset);
	assert_int_equal(difference.length, WRONG_BYTES);
	return difference;
}

static void flipped_bits_zeros_and_other_bytes_differ(void **state)
{
	struct scene *scene = *state;

	set_found(scene, bytes_at(scene, scene->file, 1000), 0);
	scene->found[7] ^= 0x10;
	assert_int_equal(examine(scene, 1000).kind, DIFFERENCE_BIT);
	memset(scene->found, 0, WRONG_BYTES);
	assert_int_equal(examine(scene, 1000).kind, DIFFERENCE_ZEROS);
	set_found(scene, bytes_at(scene, scene->file, 1000), WRONG_BYTES);
	assert_int_equal(examine(scene, 1000).kind, DIFFERENCE_FOREIGN);
}

/* The offset of the source is that of the first wrong byte, even if a later one
 * shows the source. */
static void data_of_another_place_is_found(void **state)
{
	static const size_t others[] = {0, 1, 20, 48};
	struct scene *scene = *state;
	struct difference difference;
	size_t i;

	for (i = 0; i < LENGTH(others); i++) {
		set_found(scene, bytes_at(scene, scene->file, 8292), others[i]);
		difference = examine(scene, 100);
		assert_int_equal(difference.kind, DIFFERENCE_OTHER_OFFSET);
		assert_int_equal(difference.source_offset, 8292);
		assert_string_equal(difference.source, "");

		set_found(scene, bytes_at(scene, scene->other, 100), others[i]);
		difference = examine(scene, 100);
		assert_int_equal(difference.kind, DIFFERENCE_OTHER_FILE);
		assert_int_equal(difference.source_offset, 100);
		assert_string_equal(difference.source, "clients/client3/other");
	}
}

static void data_of_an_earlier_write_is_found(void **state)
{
	struct scene *scene = *state;

	set_found(scene, bytes_at(scene, scene->file, 512), 0);
	map_resize(scene->map, map_file(scene->map, scene->file), 0);
	write_file(scene, scene->file);
	assert_int_equal(examine(scene, 512).kind, DIFFERENCE_EARLIER);
}

static void fixed_data_may_be_from_anywhere(void **state)
{
	const uint64_t fixed = UINT64_C(0x0102030405060708);
	struct scene *scene = *state;

	content_free(scene->content);
	scene->content = content_new(1, &fixed, WRONG_BYTES);
	assert_non_null(scene->content);
	assert_memory_equal(bytes_at(scene, scene->file, 4096), &fixed, sizeof(fixed));
	set_found(scene, bytes_at(scene, scene->file, 513), 0);
	assert_int_equal(examine(scene, 512).kind, DIFFERENCE_FOREIGN);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int unit_difference(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(flipped_bits_zeros_and_other_bytes_differ),
		TEST(data_of_another_place_is_found),
		TEST(data_of_an_earlier_write_is_found),
		TEST(fixed_data_may_be_from_anywhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
