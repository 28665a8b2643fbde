/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "program/path.h"

#include <errno.h>

static void paths_are_normalised(void **state)
{
	static const struct {
		const char *text, *normal;
		enum path_place place;
	} rows[] = {
		{"", "", PATH_TARGET},
		{"/", "", PATH_TARGET},
		{"\\", "", PATH_TARGET},
		{"/./", "", PATH_TARGET},
		{"/clients", "clients", PATH_CLIENTS},
		{"\\clients\\", "clients", PATH_CLIENTS},
		{"/clients/client1", "clients/client1", PATH_HOME},
		{"client1", "clients/client1", PATH_HOME},
		{"/client1", "clients/client1", PATH_HOME},
		{"\\client1\\a", "clients/client1/a", PATH_OWN},
		{"clients//client1\\.\\/a/./b", "clients/client1/a/b", PATH_OWN},
		{"/clients/client2", "clients/client2", PATH_OTHERS},
		{"/clients/client2/a", "clients/client2/a", PATH_OTHERS},
		{"/clients/client10", "clients/client10", PATH_OTHERS},
		{"/client10/a", "client10/a", PATH_SHARED},
		{"/client/a", "client/a", PATH_SHARED},
		{"/a/client1", "a/client1", PATH_SHARED},
		{"/client1/client1", "clients/client1/client1", PATH_OWN},
		{"/clientsx", "clientsx", PATH_SHARED},
		{"/a", "a", PATH_SHARED},
		{"/...", "...", PATH_SHARED},
		{"/..a", "..a", PATH_SHARED},
		{"/a b", "a b", PATH_SHARED},
		{"/.throng", ".throng", PATH_SHARED},
		{"/client1/.throng", "clients/client1/.throng", PATH_OWN},
		{"/.Throng-1", ".Throng-1", PATH_SHARED},
		{"/clients/.throng", "clients/.throng", PATH_OTHERS},
		{"/clients/.throng-1/a", "clients/.throng-1/a", PATH_OTHERS},
		{"/Clientsx/x", "Clientsx/x", PATH_SHARED},
	};
	size_t i;

	for (i = 0; i < LENGTH(rows); i++) {
		char normal[PROGRAM_PATH_MAX];
		struct error error = {0};
		int length = path_normalise(rows[i].text, normal, &error);

		if (length != (int)strlen(rows[i].normal))
			fail_msg("\"%s\": %d %s", rows[i].text, length, error.text);
		assert_string_equal(normal, rows[i].normal);
		if (path_place(normal) != rows[i].place)
			fail_msg("\"%s\" has the place %d", rows[i].text, path_place(normal));
	}
}

static void a_normalised_path_stays_the_same(void **state)
{
	static const char *const texts[] = {
		"", "client1/a", "/clients/client1", "/a\\b//c", "client1",
	};
	size_t i;

	for (i = 0; i < LENGTH(texts); i++) {
		char once[PROGRAM_PATH_MAX], twice[PROGRAM_PATH_MAX];
		struct error error = {0};

		assert_true(path_normalise(texts[i], once, &error) >= 0);
		assert_true(path_normalise(once, twice, &error) >= 0);
		assert_string_equal(once, twice);
	}
}

static void paths_that_lead_elsewhere_are_refused(void **state)
{
	static const struct {
		const char *text, *refusal;
	} rows[] = {
		{"..", "a path may not contain \"..\""},
		{"/../a", "a path may not contain \"..\""},
		{"/a/..", "a path may not contain \"..\""},
		{"/a/../b", "a path may not contain \"..\""},
		{"\\a\\..\\b", "a path may not contain \"..\""},
		{"/a\\../b", "a path may not contain \"..\""},
		{"/./../", "a path may not contain \"..\""},
		{"\\Clients\\client1\\a", "\"Clients\" is the same directory as \"clients\" on "
					  "servers that ignore case; write the name in lower case"},
	};
	size_t i;

	for (i = 0; i < LENGTH(rows); i++) {
		char normal[PROGRAM_PATH_MAX];
		struct error error = {0};

		if (path_normalise(rows[i].text, normal, &error) != -EINVAL)
			fail_msg("\"%s\" was accepted", rows[i].text);
		assert_string_equal(error.text, rows[i].refusal);
	}
}

/* Return `bytes` bytes of `part`, repeated, in a static buffer. */
static const char *repeated(const char *part, size_t bytes)
{
	static char text[3 * PROGRAM_PATH_MAX];
	size_t i;

	for (i = 0; i < bytes; i++)
		text[i] = part[i % strlen(part)];
	text[bytes] = '\0';
	return text;
}

static void the_length_is_limited_to_the_byte(void **state)
{
	char normal[PROGRAM_PATH_MAX];
	struct error error = {0};

	assert_int_equal(path_normalise(repeated("x", PROGRAM_PATH_MAX - 1), normal, &error),
			 PROGRAM_PATH_MAX - 1);
	assert_int_equal(path_normalise(repeated("x", PROGRAM_PATH_MAX), normal, &error), -EINVAL);
	assert_string_equal(error.text, "the path is longer than 4079 bytes");
	/* The limit is on the normal form: repeated "/x///" becomes
	 * "x/x/x...". */
	error = (struct error){0};
	assert_int_equal(path_normalise(repeated("/x///", 10000), normal, &error), 2 * 2000 - 1);
}

static void the_longest_user_name_counts(void **state)
{
	char normal[PROGRAM_PATH_MAX];
	struct error error = {0};
	size_t names = (PROGRAM_PATH_MAX - 1 - strlen("clients/client99999")) /
			       strlen("/client99999") +
		       1;
	size_t bytes = names * strlen("client1/");

	assert_true(path_normalise(repeated("client1/", bytes), normal, &error) > 0);
	assert_int_equal(path_normalise(repeated("client1/", bytes + 8), normal, &error), -EINVAL);
}

static void paths_are_split(void **state)
{
	static const struct {
		const char *normal;
		size_t head, parent;
		const char *leaf;
	} rows[] = {
		{"", 0, 0, ""},
		{"a", 1, 0, "a"},
		{"ab/c", 2, 2, "c"},
		{"ab/c/def", 2, 4, "def"},
		{"clients", 7, 0, "clients"},
		{"clients/ab", 10, 7, "ab"},
		{"clients/ab/c", 10, 10, "c"},
	};
	size_t i;

	for (i = 0; i < LENGTH(rows); i++) {
		const char *normal = rows[i].normal;

		assert_int_equal(path_head(normal), rows[i].head);
		assert_int_equal(path_parent(normal), rows[i].parent);
		assert_string_equal(path_leaf(normal), rows[i].leaf);
	}
}

static void defined_random_strings_are_found(void **state)
{
	assert_int_equal(path_strings("a/$1", 0), 0);
	assert_int_equal(path_strings("a/$1", 1 << 1), 1 << 1);
	assert_int_equal(path_strings("a/$1", 1 << 2), 0);
	assert_int_equal(path_strings("$0/x$9$9", 0x3ff), 1 | 1 << 9);
	assert_int_equal(path_strings("a/$/$a/b$", 0x3ff), 0);
	assert_int_equal(path_strings("$$3", 0x3ff), 1 << 3);
}

static void random_strings_are_allowed_only_where_harmless(void **state)
{
	static const struct {
		const char *normal, *refusal; /* NULL: accepted */
	} rows[] = {
		{"a/$1", NULL},
		{"clients/client1/$1", NULL},
		{"clients/client1/$1/$2", NULL},
		{"$1", NULL},
		{"a$1/b", NULL},
		{"$2", NULL},
		{"a/$2b", NULL},
		{"a/b$2", "the template of this random string begins with a slash, so use the "
			  "string only directly after a slash"},
		{"a/$2$2", "the template of this random string begins with a slash, so use the "
			   "string only directly after a slash"},
		{"clients/$1", "the name after \"/clients/\" is the name of a user's directory, so "
			       "the name may not contain a random string; for the directory of the "
			       "user who plays the load, write /clients/client1"},
		{"clients/.$1/a", "the name after \"/clients/\" is the name of a user's directory, "
				  "so the name may not contain a random string; for the directory "
				  "of the user who plays the load, write /clients/client1"},
	};
	char normal[PROGRAM_PATH_MAX];
	struct error error;
	size_t i;

	for (i = 0; i < LENGTH(rows); i++) {
		int rc;

		error = (struct error){0};
		rc = path_check_strings(rows[i].normal, 1 << 2, &error);
		assert_int_equal(rc, rows[i].refusal != NULL ? -EINVAL : 0);
		assert_string_equal(error.text, rows[i].refusal != NULL ? rows[i].refusal : "");
	}
	/* Each random string may have 255 bytes: 15 of them fit into a path, 16
	 * do not. */
	error = (struct error){0};
	snprintf(normal, sizeof(normal), "a/%s", repeated("$1/", 15 * 3));
	assert_int_equal(path_check_strings(normal, 0, &error), 0);
	snprintf(normal, sizeof(normal), "a/%s", repeated("$1/", 16 * 3));
	assert_int_equal(path_check_strings(normal, 0, &error), -EINVAL);
	assert_string_equal(error.text,
			    "the path could become longer than 4079 bytes with the longest values "
			    "of its random strings and variables; shorten the path");
}

static void templates_that_could_lead_elsewhere_are_refused(void **state)
{
#define SLASH "a random string may contain a slash only at its start"
#define PERIODS " could become a string of periods only, such as \"..\"; add another character"
	static const struct {
		const char *template, *refusal; /* NULL: accepted */
	} rows[] = {
		{"file", NULL},
		{"file[0123456789]", NULL},
		{"[ab][cd].[ef]", NULL},
		{"..a", NULL},
		{".[.][a]", NULL},
		{"a]", NULL},
		{"[[]", NULL},
		{"", "\"\"" PERIODS},
		{".", "\".\"" PERIODS},
		{"..", "\"..\"" PERIODS},
		{"[.a]", "\"[.a]\"" PERIODS},
		{"[.a][b.]", "\"[.a][b.]\"" PERIODS},
		{".[x.]", "\".[x.]\"" PERIODS},
		{"a/b", SLASH},
		{"a[/b]", SLASH},
		{"a\\b", SLASH},
		{"a[]", "\"[]\": expected characters and ] after ["},
		{"a[bc", "\"[bc\": expected characters and ] after ["},
		{"[", "\"[\": expected characters and ] after ["},
	};
	struct error error;
	size_t i;

	for (i = 0; i < LENGTH(rows); i++) {
		int rc;

		error = (struct error){0};
		rc = path_check_template(rows[i].template, &error);
		if (rc != (rows[i].refusal != NULL ? -EINVAL : 0))
			fail_msg("\"%s\": %d", rows[i].template, rc);
		assert_string_equal(error.text, rows[i].refusal != NULL ? rows[i].refusal : "");
	}
	error = (struct error){0};
	assert_int_equal(path_check_template(repeated("[ab]", 255 * 4), &error), 0);
	assert_int_equal(path_check_template(repeated("[ab]", 256 * 4), &error), -EINVAL);
	assert_string_equal(error.text, "the random string is longer than 255 bytes");
}

/* Does the first component of "clients", spelled with these strings, become the
 * directory of the users' directories? Slot 1 has two templates. */
static void strings_that_spell_clients_are_found(void **state)
{
	static const struct {
		const char *normal, *first, *second;
		bool found;
	} rows[] = {
		{"$1", "clients", "x", true},        {"$1", "x", "clients", true},
		{"$1/a", "[c][Lx]ients", "x", true}, {"$1", "CLIENT[sS]", "x", true},
		{"$1", "client", "clientss", false}, {"$1", "[abc]", "x", false},
		{"c$1s", "lient", "x", true},        {"c$1s/a$1", "lient", "x", true},
		{"C$1", "lients", "x", true},        {"c$1", "clients", "x", false},
		{"x$1", "clients", "x", false},      {"$1x", "clients", "x", false},
		{"$1$1", "cli", "ents", true},       {"$1$1", "cli", "nts", false},
		{"$1$2", "cl[aeiou]", "x", true},    {"$2$1", "cl[aeiou]", "x", false},
		{"$1${i}", "clients", "x", false},   {"clients${i}", "x", "x", false},
		{"$3", "clients", "x", false},       {"$$1", "clients", "x", false},
		{"[c]lients$4", "x", "x", false},
	};
	size_t i;

	for (i = 0; i < LENGTH(rows); i++) {
		struct path_spelling spelling = {0};

		path_spell(&spelling, 1, rows[i].first);
		path_spell(&spelling, 1, rows[i].second);
		path_spell(&spelling, 2, "[eE]nts");
		if (path_may_be_clients(rows[i].normal, &spelling) != rows[i].found)
			fail_msg("not %d: \"%s\"", rows[i].found, rows[i].normal);
	}
}

int unit_path(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(paths_are_normalised),
		cmocka_unit_test(a_normalised_path_stays_the_same),
		cmocka_unit_test(paths_that_lead_elsewhere_are_refused),
		cmocka_unit_test(the_length_is_limited_to_the_byte),
		cmocka_unit_test(the_longest_user_name_counts),
		cmocka_unit_test(paths_are_split),
		cmocka_unit_test(defined_random_strings_are_found),
		cmocka_unit_test(random_strings_are_allowed_only_where_harmless),
		cmocka_unit_test(templates_that_could_lead_elsewhere_are_refused),
		cmocka_unit_test(strings_that_spell_clients_are_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
