/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "play/bind.h"

#include <limits.h>

/* A load bound for one user. */
struct bound {
	struct program *program;
	struct data_pool *pool;
	struct binding binding;
};

static void bind_text(struct bound *bound, const char *text, unsigned user, enum data_kind data)
{
	bound->program = load_text(text);
	bound->pool = data_pool_new(data, bound->program->io_bytes_max, 1);
	assert_non_null(bound->pool);
	assert_int_equal(bind_open(&bound->binding, bound->program, user, 20, 1, bound->pool), 0);
}

static void unbind(struct bound *bound)
{
	bind_free(&bound->binding);
	data_pool_free(bound->pool);
	program_free(bound->program);
}

static void paths_contain_the_users_own_name(void **state)
{
	static const struct {
		const char *path, *bound;
	} rows[] = {
		{"/", ""},
		{"/clients", "clients"},
		{"/client1", "clients/client17"},
		{"/clients/client1/a", "clients/client17/a"},
		{"/client1/b/client1", "clients/client17/b/client17"},
		{"/a/client1/c", "a/client17/c"},
		{"/client11/client", "client11/client"},
		{"/clients/client2/a", "clients/client2/a"},
	};
	size_t i;

	for (i = 0; i < LENGTH(rows); i++) {
		struct bound bound;
		char text[128], path[PATH_MAX];

		snprintf(text, sizeof(text), "stat \"%s\" *\n", rows[i].path);
		bind_text(&bound, text, 17, DATA_ZERO);
		assert_string_equal(bound.binding.names.paths[0].text, rows[i].bound);
		assert_int_equal(names_plain(bound.program, 0, 17, path), strlen(rows[i].bound));
		assert_string_equal(path, rows[i].bound);
		unbind(&bound);
	}
}

static void the_longest_path_of_the_last_user_fits(void **state)
{
	static char text[3 * PATH_MAX] = "stat \"";
	struct errors errors;
	struct program *program = NULL, *longer;
	char path[PATH_MAX];
	size_t length;

	/* The longest path that the loader accepts. */
	do {
		program_free(program);
		strcat(text, "/client1");
		length = strlen(text);
		strcpy(text + length, "\" *\n");
		program = load_text(text);
		strcpy(text + length, "/client1\" *\n");
		longer = try_load(text, &errors);
		program_free(longer);
		text[length] = '\0';
	} while (longer != NULL);
	/* bind_path has room for PATH_MAX, including the NUL. */
	length = names_plain(program, 0, PROGRAM_USERS_MAX - 1, path);
	assert_in_range(length, PROGRAM_PATH_MAX - 16, PATH_MAX - 1);
	assert_int_equal(strlen(path), length);
	program_free(program);
}

static void offsets_are_computed_from_left_to_right(void **state)
{
	static const struct {
		const char *offset;
		uint64_t previous, wanted;
	} rows[] = {
		{"+10", 100, 110},
		{"+10/64", 100, 64},
		{"+10%7", 100, 5},
		{"+10%7+1", 100, 6},
		{"+10+1%7", 100, 6},
		{"+0/0x1000", 8191, 4096},
		{"+child", 100, 103},
		{"+num_children", 100, 120},
		{"+child+num_children+1", 100, 124},
		{"+1", UINT64_MAX, 0},
	};
	size_t i;

	for (i = 0; i < LENGTH(rows); i++) {
		struct bound bound;
		char text[128];

		snprintf(text, sizeof(text), "open /a read 1 OK\nread 1 %s 1 1 OK\n",
			 rows[i].offset);
		bind_text(&bound, text, 3, DATA_ZERO);
		bound.binding.inputs.previous = rows[i].previous;
		if (bind_extent(&bound.binding, &bound.program->ops[1]).offset != rows[i].wanted)
			fail_msg("%s", rows[i].offset);
		unbind(&bound);
	}
}

static void random_offsets_are_aligned_within_bounds_and_differ(void **state)
{
	struct bound bound, again, other;
	bool seen[16] = {false};
	unsigned i, differ = 0;

#define RANDOM_READ "open /a read 1 OK\nread 1 *%0x100000/65536+7 1 1 OK\n"
	bind_text(&bound, RANDOM_READ, 3, DATA_ZERO);
	bind_text(&again, RANDOM_READ, 3, DATA_ZERO);
	bind_text(&other, RANDOM_READ, 4, DATA_ZERO);
	for (i = 0; i < 1000; i++) {
		const struct op *op = &bound.program->ops[1];
		uint64_t offset = bind_extent(&bound.binding, op).offset;

		assert_int_equal((offset - 7) % 65536, 0);
		assert_in_range(offset, 7, 0x100000);
		seen[offset / 65536] = true;
		/* The same user draws the same offsets again; another user
		 * draws other offsets. */
		assert_true(bind_extent(&again.binding, op).offset == offset);
		differ += bind_extent(&other.binding, op).offset != offset;
	}
	for (i = 0; i < LENGTH(seen); i++)
		assert_true(seen[i]);
	assert_true(differ > 800);
	unbind(&bound);
	unbind(&again);
	unbind(&other);
}

static void a_continued_part_begins_where_the_last_one_ended(void **state)
{
	struct op part = {.kind = OP_WRITE, .flags = OP_CONTINUED, .offset = 5};
	struct bound bound;

	bind_text(&bound, "statvfs OK\n", 0, DATA_ZERO);
	bound.binding.io_end = 12345;
	assert_int_equal(bind_extent(&bound.binding, &part).offset, 12345);
	unbind(&bound);
}

#define WRITE_4096 "open /a write,create 1 OK\nwrite 1 0 4096 4096 OK\n"

static void random_data_differs_from_block_to_block(void **state)
{
	enum { BLOCKS = 600 };
	static char blocks[BLOCKS][4096];
	struct bound bound, other;
	unsigned i, j;

	bind_text(&bound, WRITE_4096, 0, DATA_RANDOM);
	for (i = 0; i < BLOCKS; i++)
		memcpy(blocks[i], bind_data(&bound.binding, 4096), 4096);
	/* The blocks take more than one round through the pool of 1 MiB, and
	 * must differ all the same. */
	for (i = 0; i < BLOCKS; i++)
		for (j = 0; j < i; j++)
			assert_memory_not_equal(blocks[i], blocks[j], 4096);
	/* Users do not write the same bytes at the same time. */
	bind_text(&other, WRITE_4096, 1, DATA_RANDOM);
	assert_memory_not_equal(bind_data(&other.binding, 4096), blocks[0], 4096);
	unbind(&bound);
	unbind(&other);
}

static void direct_io_has_aligned_data(void **state)
{
	enum { BLOCKS = 600 };
	static char blocks[BLOCKS][4096];
	static const enum data_kind kinds[] = {DATA_RANDOM, DATA_ZERO, DATA_PATTERN, DATA_FIXED};
	struct bound bound;
	unsigned i, j, user;

#define DIRECT \
	"open /client1/a write,create,direct 1 OK\n" \
	"write 1 0 10000 10000 OK\nread 1 0 4096 - OK\n"
	for (user = 0; user < 3; user++) {
		for (i = 0; i < LENGTH(kinds); i++) {
			bind_text(&bound, DIRECT, user, kinds[i]);
			assert_int_equal((uintptr_t)bound.binding.read_buffer % BIND_ALIGNMENT, 0);
			for (j = 0; j < 300; j++)
				assert_int_equal((uintptr_t)bind_data(&bound.binding, 10000) %
							 BIND_ALIGNMENT,
						 0);
			bind_pattern(&bound.binding, "x");
			assert_int_equal(
				(uintptr_t)bind_data(&bound.binding, 10000) % BIND_ALIGNMENT, 0);
			unbind(&bound);
		}
	}
	/* Aligned blocks repeat after one round through the pool, but each gets
	 * a number of its own. */
	bind_text(&bound, DIRECT, 0, DATA_RANDOM);
	for (i = 0; i < BLOCKS; i++)
		memcpy(blocks[i], bind_data(&bound.binding, 4096), 4096);
	for (i = 0; i < BLOCKS; i++)
		for (j = 0; j < i; j++)
			assert_memory_not_equal(blocks[i], blocks[j], 4096);
	unbind(&bound);
}

static void every_write_finds_all_of_its_bytes_in_the_pool(void **state)
{
	/* If a write read outside the pool, the address sanitizer or valgrind
	 * would report it. */
	struct bound bound;
	struct random random;
	unsigned i, sum = 0;

	bind_text(&bound,
		  "open /a write,create 1 OK\n"
		  "write 1 0 100001 100001 OK\n",
		  19, DATA_RANDOM);
	random_start(&random, 1, 0);
	for (i = 0; i < 3000; i++) {
		size_t size = 1 + random_next(&random) % 100001;
		const unsigned char *data = bind_data(&bound.binding, size);

		sum += data[0] + data[size - 1];
	}
	assert_true(sum > 0);
	unbind(&bound);
}

static void zeros_and_patterns_are_written(void **state)
{
	static const char zeros[4096];
	struct bound bound;
	const char *data;
	uint64_t word;

	bind_text(&bound, WRITE_4096, 0, DATA_ZERO);
	assert_memory_equal(bind_data(&bound.binding, 4096), zeros, 4096);
	unbind(&bound);

	bind_text(&bound, WRITE_4096, 0, DATA_PATTERN);
	data = bind_data(&bound.binding, 4096);
	assert_memory_equal(data, "throng writes this text over and over; throng writes", 52);
	unbind(&bound);

	/* The pool's value is 1. */
	bind_text(&bound, WRITE_4096, 0, DATA_FIXED);
	data = bind_data_at(&bound.binding, 4096, 4096);
	memcpy(&word, data + 4088, sizeof(word));
	assert_true(word == 1);
	assert_ptr_equal(bind_data_at(&bound.binding, 4096, 8191), data + 7);
	memcpy(&word, data + 4096, sizeof(word));
	assert_true(word == 1);
	bind_pattern(&bound.binding, "abc");
	assert_memory_equal(bind_data_at(&bound.binding, 4096, 5), "abcabca", 7);
	unbind(&bound);

	bind_text(&bound, WRITE_4096, 0, DATA_RANDOM);
	bind_pattern(&bound.binding, "abc");
	data = bind_data(&bound.binding, 4096);
	assert_memory_equal(data, "abcabca", 7);
	assert_int_equal(data[4095], 'a'); /* 4,095 is a multiple of 3 */
	bind_pattern(&bound.binding, "x");
	assert_memory_equal(bind_data(&bound.binding, 4096), "xxxx", 4);
	unbind(&bound);
}

static void random_strings_expand_in_paths(void **state)
{
	struct bound bound;
	const struct backend_path *paths;
	bool seen[3] = {false};
	unsigned i;

	bind_text(&bound,
		  "stat /client1/$$1 *\n"
		  "RANDOMSTRING 1 \"f[xyz].\"\n"
		  "RANDOMSTRING 2 \"two\"\n"
		  "stat /client1/$1/a$2b$2/$$3 *\n"
		  "stat /client1/plain *\n"
		  "stat /client1/$1 *\n",
		  5, DATA_ZERO);
	paths = bound.binding.names.paths;
	/* A string that has not been drawn yet is not expanded. */
	assert_string_equal(paths[0].text, "clients/client5/$1");
	bind_string(&bound.binding, 1, "f[xyz].");
	bind_string(&bound.binding, 2, "two");
	for (i = 0; i < 100; i++) {
		char wanted[64], letter;

		bind_string(&bound.binding, 1, "f[xyz].");
		letter = paths[0].text[strlen("clients/client5/f")];
		assert_in_range(letter, 'x', 'z');
		seen[letter - 'x'] = true;
		snprintf(wanted, sizeof(wanted), "clients/client5/f%c.", letter);
		assert_string_equal(paths[0].text, wanted);
		snprintf(wanted, sizeof(wanted), "clients/client5/f%c./atwobtwo/$3", letter);
		assert_string_equal(paths[1].text, wanted);
		assert_string_equal(paths[2].text, "clients/client5/plain");
	}
	assert_true(seen[0] && seen[1] && seen[2]);
	unbind(&bound);
}

static void the_longest_strings_are_never_cut(void **state)
{
	char text[2000] = "RANDOMSTRING 1 \"", string[256], *expected;
	struct bound bound;
	unsigned i;

	memset(string, 'x', 255);
	string[255] = '\0';
	strcat(strcat(text, string), "\"\nstat /a");
	for (i = 0; i < 15; i++)
		strcat(text, "/$1");
	strcat(text, " *\n");
	bind_text(&bound, text, 0, DATA_ZERO);
	bind_string(&bound.binding, 1, string);
	expected = malloc(PATH_MAX);
	strcpy(expected, "a");
	for (i = 0; i < 15; i++)
		strcat(strcat(expected, "/"), string);
	assert_string_equal(bound.binding.names.paths[0].text, expected);
	free(expected);
	unbind(&bound);
}

static void unused_strings_are_ignored(void **state)
{
	struct bound bound;

	bind_text(&bound, "RANDOMSTRING 1 a\nstat /a *\n", 0, DATA_ZERO);
	bind_string(&bound.binding, 1, "a");
	assert_string_equal(bound.binding.names.paths[0].text, "a");
	unbind(&bound);
}

int unit_bind(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(paths_contain_the_users_own_name),
		cmocka_unit_test(the_longest_path_of_the_last_user_fits),
		cmocka_unit_test(offsets_are_computed_from_left_to_right),
		cmocka_unit_test(random_offsets_are_aligned_within_bounds_and_differ),
		cmocka_unit_test(a_continued_part_begins_where_the_last_one_ended),
		cmocka_unit_test(random_data_differs_from_block_to_block),
		cmocka_unit_test(direct_io_has_aligned_data),
		cmocka_unit_test(every_write_finds_all_of_its_bytes_in_the_pool),
		cmocka_unit_test(zeros_and_patterns_are_written),
		cmocka_unit_test(random_strings_expand_in_paths),
		cmocka_unit_test(the_longest_strings_are_never_cut),
		cmocka_unit_test(unused_strings_are_ignored),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
