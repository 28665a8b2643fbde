/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Read, write and take the state of a run. */
#include "unit.h"

#include "crash/state.h"
#include "verify/catalog.h"
#include "verify/track.h"

#include <errno.h>

#define HEAD \
	"throng-state 2\n" \
	"nonce 0123456789abcdef\n" \
	"pool 1048568\n" \
	"users 4 3 2\n" \
	"target proven \"nfs://one/a b\"\n" \
	"directory \"throng-01234567\"\n" \
	"target none \"smb://two/\\x22quoted\\x22\"\n" \
	"directory \"\"\n"

#define FILE_OF_4 \
	"user 4\n" \
	"file 9000 exact\n" \
	"name must \"clients/client4/data\"\n"

static const char whole[] = HEAD "lost 5\n"
				 "user 4\n"
				 "file 9000 exact\n"
				 "name must \"clients/client4/a \\x0a\\x5c b\"\n"
				 "name may \"clients/client4/link\"\n"
				 "must 0 4096 data 17\n"
				 "must 4096 5000 zeros\n"
				 "may 5000 6000 data 20 before data 3\n"
				 "may 6000 7000 data 20 before zeros\n"
				 "may 7000 8000 zeros before unknown\n"
				 "unknown 8000 8500\n"
				 "user 6\n"
				 "file 0 uncertain\n"
				 "name may \"clients/client6/d/e\"\n"
				 "file 9223372036854775807 uncertain\n"
				 "barred\n"
				 "name sole \"clients/client6/d/f\"\n"
				 "end 3\n";

static int read_text(const char *text, size_t bytes, struct state *state, struct error *error)
{
	char name[NAME_BYTES];
	int fd = file_of(text, bytes, name);
	int rc = state_read(name, state, error);

	close(fd);
	return rc;
}

static void expect_written(const struct state *state, const char *wanted)
{
	char *text = NULL;
	size_t bytes;
	FILE *stream = open_memstream(&text, &bytes);

	assert_int_equal(state_write(state, stream), 0);
	fclose(stream);
	assert_string_equal(text, wanted);
	free(text);
}

static void a_state_is_read_and_written(void **unused)
{
	struct error error = {0};
	struct state state;

	assert_int_equal(read_text(whole, strlen(whole), &state, &error), 0);
	assert_false(error.set);
	assert_int_equal(state.nonce, 0x0123456789abcdef);
	assert_int_equal(state.first_user, 4);
	assert_int_equal(state.users, 3);
	assert_int_equal(state.target_count, 2);
	assert_string_equal(state.targets[1].url, "smb://two/\"quoted\"");
	assert_int_equal(state.targets[1].flush, STATE_FLUSH_NONE);
	assert_string_equal(state.targets[0].directory, "throng-01234567");
	assert_string_equal(state.targets[1].directory, "");
	assert_int_equal(state.lost_count, 1);
	assert_int_equal(state.lost[0], 5);
	assert_int_equal(state.file_count, 3);
	assert_int_equal(state.files[0].name_count, 2);
	assert_int_equal(state.files[0].range_count, 6);
	assert_true(state.files[0].size_exact);
	assert_string_equal(state.names[0].path, "clients/client4/a \n\\ b");
	assert_int_equal(state.names[0].kind, STATE_NAME_MUST);
	assert_int_equal(state.names[1].kind, STATE_NAME_MAY);
	assert_int_equal(state.names[3].kind, STATE_NAME_SOLE);
	assert_int_equal(state.ranges[2].before.change, 3);
	assert_int_equal(state.ranges[4].before.kind, MAP_UNKNOWN);
	assert_int_equal(state.files[2].user, 6);
	assert_false(state.files[1].barred);
	assert_true(state.files[2].barred);
	expect_written(&state, whole);
	state_free(&state);
}

/* A state file with an error: the text, the line of the error, and words of the
 * message. */
static const struct bad {
	const char *text;
	unsigned line;
	const char *message;
} bad[] = {
	{"", 1, "not a state file"},
	{"{\"schema\": 1}\n", 1, "not a state file"},
	{"throng-state 1\n", 1, "unknown version"},
	{"throng-state 2\npool 1048568\n", 2, "expected \"nonce\""},
	{"throng-state 2\nnonce 123\n", 2, "16 digits"},
	{"throng-state 2\nnonce 0123456789ABCDEF\n", 2, "hexadecimal"},
	{"throng-state 2\nnonce 0123456789abcdef\npool 5\n", 3, "pool"},
	{"throng-state 2\nnonce 0123456789abcdef\npool 1048568\n"
	 "users 0 0 1\n",
	 4, "users"},
	{"throng-state 2\nnonce 0123456789abcdef\npool 1048568\n"
	 "users 0 99999999999 1\n",
	 4, "users"},
	{"throng-state 2\nnonce 0123456789abcdef\npool 1048568\n"
	 "users 0 1 1\nend 0\n",
	 5, "expected \"target\""},
	{"throng-state 2\nnonce 0123456789abcdef\npool 1048568\n"
	 "users 0 1 1\ntarget perhaps \"x\"\n",
	 5, "perhaps"},
	{"throng-state 2\nnonce 0123456789abcdef\npool 1048568\n"
	 "users 0 1 1\ntarget none \"x\"\nend 0\n",
	 6, "expected \"directory\""},
	{"throng-state 2\nnonce 0123456789abcdef\npool 1048568\n"
	 "users 0 1 1\ntarget none \"x\"\ndirectory\n",
	 6, "1 word"},
	{"throng-state 2\nnonce 0123456789abcdef\npool 1048568\n"
	 "users 0 1 1\ntarget none \"x\"\ndirectory \"a/b\"\n",
	 6, "not the name"},
	{"throng-state 2\nnonce 0123456789abcdef\npool 1048568\n"
	 "users 0 1 1\ntarget none \"x\"\ndirectory \"..\"\n",
	 6, "not the name"},
	{"throng-state 2\nnonce 0123456789abcdef\npool 1048568\n"
	 "users 0 1 1\ntarget none \"x\"\ndirectory \".\"\n",
	 6, "not the name"},
	{HEAD, 9, "not complete"},
	{HEAD "end 1\n", 9, "\"end\" announces 1 files"},
	{HEAD "end 0\nend 0\n", 10, "no line after \"end\""},
	{HEAD "end 0", 9, "not complete"},
	{HEAD "\n", 9, "empty word"},
	{HEAD "user  4\n", 9, "empty word"},
	{HEAD "user 4 \n", 9, "empty word"},
	{HEAD "1 2 3 4 5 6 7 8 9\n", 9, "too many words"},
	{HEAD "banana\n", 9, "unknown word \"banana\""},
	{HEAD "file 0 exact\n", 9, "\"file\" must come after a \"user\""},
	{HEAD "user 3\n", 9, "user"},
	{HEAD "lost 7\n", 9, "user"},
	{HEAD "lost 5\nlost 5\n", 10, "user"},
	{HEAD "user 4\nlost 5\n", 10, "before the first \"user\""},
	{HEAD "user 7\n", 9, "user"},
	{HEAD "user 5\nuser 5\n", 10, "user"},
	{HEAD "user 4\nname must \"clients/client4/a\"\n", 10, "\"name\" must come after"},
	{HEAD "user 4\nfile 0 exact\nend 1\n", 11, "has no name"},
	{HEAD "user 4\nfile 0 exact\nfile 0 exact\n", 11, "has no name"},
	{HEAD "user 4\nfile 0 exact\nuser 5\n", 11, "has no name"},
	{HEAD "user 4\nfile -1 exact\n", 10, "size"},
	{HEAD "user 4\nfile 9223372036854775808 exact\n", 10, "size"},
	{HEAD "user 4\nfile 0 perhaps\n", 10, "perhaps"},
	{HEAD "user 4\nfile 0\n", 10, "2 words"},
	{HEAD "user 4\nbarred\n", 10, "\"barred\" must come after"},
	{HEAD "user 4\nfile 0 exact\nbarred now\n", 11, "0 words"},
	{HEAD FILE_OF_4 "barred\n", 12, "\"barred\" must come after"},
	{HEAD FILE_OF_4 "name perhaps \"clients/client4/b\"\n", 12, "perhaps"},
	{HEAD FILE_OF_4 "name must \"clients/client4/../b\"\n", 12, "not a path"},
	{HEAD FILE_OF_4 "name must \"clients/client4/..\"\n", 12, "not a path"},
	{HEAD FILE_OF_4 "name must \"clients/client4/\"\n", 12, "not a path"},
	{HEAD FILE_OF_4 "name must \"clients/client4\"\n", 12, "not a path"},
	{HEAD FILE_OF_4 "name must \"clients/client4/a//b\"\n", 12, "not a path"},
	{HEAD FILE_OF_4 "name must \"clients/client4/./b\"\n", 12, "not a path"},
	{HEAD FILE_OF_4 "name must \"clients/client5/b\"\n", 12, "not a path"},
	{HEAD FILE_OF_4 "name must \"/etc/passwd\"\n", 12, "not a path"},
	{HEAD FILE_OF_4 "name must \"clients/client4/a\n", 12, "quoted text"},
	{HEAD FILE_OF_4 "name must \"a\\x0\"\n", 12, "quoted text"},
	{HEAD FILE_OF_4 "name must \"a\\x00\"\n", 12, "quoted text"},
	{HEAD FILE_OF_4 "name must \"a\\n\"\n", 12, "quoted text"},
	{HEAD FILE_OF_4 "name must \"a\"b\n", 12, "blank after"},
	{HEAD "user 4\nfile 0 exact\nmust 0 1 zeros\n", 11, "\"must\" must come after"},
	{HEAD FILE_OF_4 "user 5\nmust 0 1 zeros\n", 13, "\"must\" must come after"},
	{HEAD FILE_OF_4 "must 0 1 zeros\nname may \"clients/client4/b\"\n", 13,
	 "\"name\" must come after"},
	{HEAD FILE_OF_4 "must 0\n", 12, "offsets"},
	{HEAD FILE_OF_4 "must x 1 zeros\n", 12, "offset"},
	{HEAD FILE_OF_4 "must 0 1\n", 12, "expected \"zeros\""},
	{HEAD FILE_OF_4 "must 0 1 ones\n", 12, "ones"},
	{HEAD FILE_OF_4 "must 0 1 unknown\n", 12, "content"},
	{HEAD FILE_OF_4 "must 0 1 data\n", 12, "number of a write"},
	{HEAD FILE_OF_4 "must 0 1 data 0\n", 12, "write"},
	{HEAD FILE_OF_4 "must 0 1 data 536870912\n", 12, "write"},
	{HEAD FILE_OF_4 "must 0 1 zeros zeros\n", 12, "unexpected"},
	{HEAD FILE_OF_4 "may 0 1 zeros\n", 12, "before"},
	{HEAD FILE_OF_4 "may 0 1 data 4 before data 5\n", 12, "larger"},
	{HEAD FILE_OF_4 "may 0 1 unknown before zeros\n", 12, "content"},
	{HEAD FILE_OF_4 "unknown 0 1 zeros\n", 12, "unexpected"},
	{HEAD FILE_OF_4 "must 0 0 zeros\n", 12, "before it begins"},
	{HEAD FILE_OF_4 "must 5 4 zeros\n", 12, "before it begins"},
	{HEAD FILE_OF_4 "must 0 9001 zeros\n", 12, "but the file ends at"},
	{HEAD FILE_OF_4 "must 0 100 zeros\nmay 99 200 zeros before zeros\n", 13,
	 "but the previous range ends at"},
};

static void errors_name_the_line(void **unused)
{
	size_t i;

	for (i = 0; i < LENGTH(bad); i++) {
		struct error error = {0};
		struct state state;

		if (read_text(bad[i].text, strlen(bad[i].text), &state, &error) != -EINVAL)
			fail_msg("accepted: %s", bad[i].text);
		state_free(&state);
		if (error.line != bad[i].line || strstr(error.text, bad[i].message) == NULL)
			fail_msg("line %u: %s, for: %s", error.line, error.text, bad[i].text);
	}
}

static void bytes_that_are_no_text_are_refused(void **unused)
{
	static const char with_nul[] = HEAD "end\0 0\n";
	enum { LONG = 100000 };
	struct error error = {0};
	char *text = malloc(LONG);
	struct state state;

	assert_int_equal(read_text(with_nul, sizeof(with_nul) - 1, &state, &error), -EINVAL);
	assert_int_equal(error.line, 9);
	state_free(&state);
	memset(text, 'x', LONG);
	text[LONG - 1] = '\n';
	error = (struct error){0};
	assert_int_equal(read_text(text, LONG, &state, &error), -EINVAL);
	assert_non_null(strstr(error.text, "too long"));
	state_free(&state);
	free(text);
	error = (struct error){0};
	assert_int_equal(state_read("/nonexistent", &state, &error), -ENOENT);
	state_free(&state);
}

/* A verification of one user, with helpers that change its map. */
struct scene {
	struct verify verify;
	struct map *map;
	arena_ref file;
};

static int set_up(void **state)
{
	const struct verify_size size = {
		.users = 1,
		.footprint_bytes = 1 << 20,
		.io_bytes_max = 1 << 16,
	};
	struct scene *scene = calloc(1, sizeof(*scene));

	*state = scene;
	if (verify_open(&scene->verify, &size) < 0)
		return -1;
	scene->map = scene->verify.maps[0];
	scene->file = map_add_file(scene->map);
	return catalog_add(scene->map, "clients/client0/f", scene->file) ? 0 : -1;
}

static int tear_down(void **state)
{
	struct scene *scene = *state;

	verify_close(&scene->verify);
	free(scene);
	return 0;
}

static struct map_file *file_of_scene(struct scene *scene)
{
	return map_file(scene->map, scene->file);
}

static void put(struct scene *scene, uint64_t from, uint64_t to, bool durable)
{
	struct map_file *file = file_of_scene(scene);
	struct map_value value = {
		.kind = MAP_DATA,
		.durable = durable,
		.change = map_next_write(scene->map, file, from, to),
	};

	map_set(scene->map, file, from, to, value);
}

/* Flush the file, and with `names` its names. */
static void flush_with(struct scene *scene, bool names)
{
	struct map_file *file = file_of_scene(scene);

	map_flushed(file, map_begin_flush(scene->map, file), names);
}

static void flush(struct scene *scene)
{
	flush_with(scene, true);
}

/* Expect these lines after the head of the state file. */
static void expect_taken(struct scene *scene, enum state_flush flush_proves, bool durable_names,
			 const char *wanted)
{
	const struct state_target target = {
		.url = "x",
		.directory = "d",
		.flush = flush_proves,
		.durable_names = durable_names,
	};
	char *text = NULL, *body, expected[1024];
	struct state state;
	size_t bytes;
	FILE *stream = open_memstream(&text, &bytes);

	assert_int_equal(state_take(&scene->verify, &target, 1, &state), 0);
	assert_int_equal(state_write(&state, stream), 0);
	fclose(stream);
	body = strstr(text, "\"x\"\n");
	assert_non_null(body);
	snprintf(expected, sizeof(expected), "directory \"d\"\n%send %zu\n", wanted,
		 state.file_count);
	assert_string_equal(body + 4, expected);
	state_free(&state);
	free(text);
}

static void flushed_bytes_must_be_there(void **state)
{
	struct scene *scene = *state;

	put(scene, 0, 65536, false);
	expect_taken(scene, STATE_FLUSH_PROVEN, true,
		     "user 0\nfile 65536 uncertain\n"
		     "name must \"clients/client0/f\"\n"
		     "may 0 65536 data 2 before zeros\n");
	flush(scene);
	expect_taken(scene, STATE_FLUSH_PROVEN, false,
		     "user 0\nfile 65536 exact\n"
		     "name must \"clients/client0/f\"\n"
		     "must 0 65536 data 2\n");
	put(scene, 50, 70000, false);
	expect_taken(scene, STATE_FLUSH_PROVEN, false,
		     "user 0\nfile 70000 uncertain\n"
		     "name must \"clients/client0/f\"\n"
		     "must 0 50 data 2\n"
		     "may 50 65536 data 3 before data 2\n"
		     "may 65536 70000 data 3 before zeros\n");
}

static void a_flush_that_proves_nothing_is_ignored(void **state)
{
	struct scene *scene = *state;

	put(scene, 0, 100, false);
	flush(scene);
	put(scene, 100, 200, true);
	expect_taken(scene, STATE_FLUSH_BLIND, true,
		     "user 0\nfile 200 uncertain\n"
		     "name must \"clients/client0/f\"\n"
		     "may 0 100 data 2 before zeros\n"
		     "must 100 200 data 3\n");
}

/* On some file systems, a flush of a file does not make its name durable. Its
 * data is known only if no other file can be found by this name. */
static void data_of_a_flush_needs_a_name_of_its_own(void **state)
{
	struct scene *scene = *state;

	put(scene, 0, 100, false);
	expect_taken(scene, STATE_FLUSH_DATA, false,
		     "user 0\nfile 100 uncertain\n"
		     "name may \"clients/client0/f\"\n"
		     "may 0 100 data 2 before unknown\n");
	flush(scene);
	expect_taken(scene, STATE_FLUSH_DATA, false,
		     "user 0\nfile 100 exact\n"
		     "name sole \"clients/client0/f\"\n"
		     "must 0 100 data 2\n");
	catalog_move(scene->map, "clients/client0/f", "clients/client0/g");
	flush(scene);
	expect_taken(scene, STATE_FLUSH_DATA, false,
		     "user 0\nfile 100 exact\n"
		     "name sole \"clients/client0/g\"\n"
		     "must 0 100 data 2\n");
	/* After a crash, "f" may be the file that is "g" now. */
	catalog_move(scene->map, "clients/client0/g", "clients/client0/f");
	flush(scene);
	expect_taken(scene, STATE_FLUSH_DATA, false,
		     "user 0\nfile 100 uncertain\n"
		     "name may \"clients/client0/f\"\n"
		     "may 0 100 data 2 before unknown\n");
	/* The directory was flushed. */
	catalog_name(scene->map, catalog_find(scene->map, "clients/client0/f"))->change = 0;
	expect_taken(scene, STATE_FLUSH_DATA, false,
		     "user 0\nfile 100 exact\n"
		     "name must \"clients/client0/f\"\n"
		     "must 0 100 data 2\n");
	put(scene, 100, 200, true);
	catalog_add(scene->map, "clients/client0/a", scene->file);
	flush(scene);
	scene->map->full = true;
	expect_taken(scene, STATE_FLUSH_DATA, false,
		     "user 0\nfile 200 exact\n"
		     "name may \"clients/client0/a\"\n"
		     "name must \"clients/client0/f\"\n"
		     "must 0 100 data 2\n"
		     "must 100 200 data 5\n");
}

/* Not even the name of a new file is durable before it is flushed. */
static void without_its_name_no_byte_must_be_there(void **state)
{
	struct scene *scene = *state;

	put(scene, 0, 100, false);
	flush_with(scene, false);
	expect_taken(scene, STATE_FLUSH_PROVEN, false,
		     "user 0\nfile 100 uncertain\n"
		     "name may \"clients/client0/f\"\n"
		     "may 0 100 data 2 before unknown\n");
	put(scene, 100, 200, true);
	expect_taken(scene, STATE_FLUSH_PROVEN, false,
		     "user 0\nfile 200 uncertain\n"
		     "name must \"clients/client0/f\"\n"
		     "must 0 100 data 2\n"
		     "must 100 200 data 3\n");
	catalog_move(scene->map, "clients/client0/f", "clients/client0/g");
	expect_taken(scene, STATE_FLUSH_PROVEN, false,
		     "user 0\nfile 200 uncertain\n"
		     "name may \"clients/client0/g\"\n"
		     "may 0 100 data 2 before unknown\n"
		     "may 100 200 data 3 before unknown\n");
}

static void a_failed_flush_covers_nothing_later(void **state)
{
	struct scene *scene = *state;

	put(scene, 0, 100, false);
	flush(scene);
	put(scene, 50, 100, false);
	map_flush_failed(scene->map, file_of_scene(scene));
	flush(scene);
	expect_taken(scene, STATE_FLUSH_PROVEN, false,
		     "user 0\nfile 100 exact\n"
		     "name must \"clients/client0/f\"\n"
		     "must 0 50 data 2\n"
		     "unknown 50 100\n");
}

/* Bytes that were cut off can come back with the old size. */
static void a_cut_is_durable_where_names_are(void **state)
{
	struct scene *scene = *state;

	put(scene, 0, 200000, false);
	flush(scene);
	map_resize(scene->map, file_of_scene(scene), 0);
	expect_taken(scene, STATE_FLUSH_PROVEN, true,
		     "user 0\nfile 0 exact\n"
		     "name must \"clients/client0/f\"\n");
	put(scene, 0, 200000, false);
	expect_taken(scene, STATE_FLUSH_PROVEN, true,
		     "user 0\nfile 200000 uncertain\n"
		     "name must \"clients/client0/f\"\n"
		     "may 0 200000 data 4 before zeros\n");
	expect_taken(scene, STATE_FLUSH_PROVEN, false,
		     "user 0\nfile 200000 uncertain\n"
		     "name must \"clients/client0/f\"\n"
		     "may 0 200000 data 4 before unknown\n");
}

/* After a write at its end that failed, a file may be shorter. */
static void a_loose_end_is_no_size(void **state)
{
	struct scene *scene = *state;

	put(scene, 0, 100, false);
	file_of_scene(scene)->loose_end = true;
	flush(scene);
	expect_taken(scene, STATE_FLUSH_PROVEN, true,
		     "user 0\nfile 100 uncertain\n"
		     "name must \"clients/client0/f\"\n"
		     "must 0 100 data 2\n");
	map_resize(scene->map, file_of_scene(scene), 100);
	flush(scene);
	expect_taken(scene, STATE_FLUSH_PROVEN, true,
		     "user 0\nfile 100 exact\n"
		     "name must \"clients/client0/f\"\n"
		     "must 0 100 data 2\n");
}

/* A write after the end that failed need not have left zeros before it. */
static void zeros_before_a_failed_write_may_be_missing(void **state)
{
	struct scene *scene = *state;
	const struct track_write write = {.file = scene->file, .offset = 300, .size = 100};

	put(scene, 0, 100, false);
	track_write(scene->map, &write, (struct track_result){.rc = -EIO});
	flush(scene);
	expect_taken(scene, STATE_FLUSH_PROVEN, true,
		     "user 0\nfile 400 uncertain\n"
		     "name must \"clients/client0/f\"\n"
		     "must 0 100 data 2\n"
		     "may 100 300 zeros before unknown\n"
		     "unknown 300 400\n");
	/* But one that succeeds does. */
	put(scene, 500, 600, false);
	flush(scene);
	expect_taken(scene, STATE_FLUSH_PROVEN, true,
		     "user 0\nfile 600 exact\n"
		     "name must \"clients/client0/f\"\n"
		     "must 0 100 data 2\n"
		     "may 100 300 zeros before unknown\n"
		     "unknown 300 400\n"
		     "must 400 500 zeros\n"
		     "must 500 600 data 4\n");
}

static void an_unfinished_write_is_unknown(void **state)
{
	struct scene *scene = *state;

	put(scene, 0, 100, false);
	flush(scene);
	scene->map->pending[0] = (struct map_pending){.file = scene->file, .from = 20, .to = 30};
	expect_taken(scene, STATE_FLUSH_PROVEN, false,
		     "user 0\nfile 100 uncertain\n"
		     "name must \"clients/client0/f\"\n"
		     "must 0 20 data 2\n"
		     "unknown 20 30\n"
		     "must 30 100 data 2\n");
	scene->map->pending[0].to = 1000;
	expect_taken(scene, STATE_FLUSH_PROVEN, false,
		     "user 0\nfile 100 uncertain\n"
		     "name must \"clients/client0/f\"\n"
		     "must 0 20 data 2\n"
		     "unknown 20 100\n");
	scene->map->pending[0] = (struct map_pending){.other = scene->file, .whole = true};
	expect_taken(scene, STATE_FLUSH_PROVEN, true,
		     "user 0\nfile 0 uncertain\n"
		     "name may \"clients/client0/f\"\n");
	scene->map->pending[0] = (struct map_pending){.whole = true, .all = true};
	expect_taken(scene, STATE_FLUSH_PROVEN, true,
		     "user 0\nfile 0 uncertain\n"
		     "name may \"clients/client0/f\"\n");
	scene->map->pending[0] = (struct map_pending){.file = 0};
	scene->map->changing = 1;
	expect_taken(scene, STATE_FLUSH_PROVEN, true, "lost 0\n");
}

static void a_file_is_written_once_with_all_its_names(void **state)
{
	struct scene *scene = *state;
	arena_ref other = map_add_file(scene->map);

	put(scene, 0, 100, false);
	flush(scene);
	catalog_add(scene->map, "clients/client0/a", scene->file);
	catalog_add(scene->map, "clients/client0/b", other);
	expect_taken(scene, STATE_FLUSH_PROVEN, false,
		     "user 0\nfile 100 exact\n"
		     "name may \"clients/client0/a\"\n"
		     "name must \"clients/client0/f\"\n"
		     "must 0 100 data 2\n"
		     "file 0 uncertain\n"
		     "name may \"clients/client0/b\"\n");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int unit_state(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_state_is_read_and_written),
		cmocka_unit_test(errors_name_the_line),
		cmocka_unit_test(bytes_that_are_no_text_are_refused),
		TEST(flushed_bytes_must_be_there),
		TEST(a_flush_that_proves_nothing_is_ignored),
		TEST(data_of_a_flush_needs_a_name_of_its_own),
		TEST(without_its_name_no_byte_must_be_there),
		TEST(a_failed_flush_covers_nothing_later),
		TEST(a_cut_is_durable_where_names_are),
		TEST(a_loose_end_is_no_size),
		TEST(zeros_before_a_failed_write_may_be_missing),
		TEST(an_unfinished_write_is_unknown),
		TEST(a_file_is_written_once_with_all_its_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
