/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "study/loads.h"

/* Make loads from texts, with these weights, but don't finish them. */
static void add(struct loads *loads, size_t count, const char *const *texts,
		const unsigned *weights)
{
	struct error error = {0};
	size_t i;

	*loads = (struct loads){0};
	for (i = 0; i < count; i++)
		assert_int_equal(loads_add(loads, load_text(texts[i]),
					   calloc(1, sizeof(struct profile)),
					   weights != NULL ? weights[i] : 1, &error),
				 0);
}

static void make(struct loads *loads, size_t count, const char *const *texts,
		 const unsigned *weights)
{
	struct error error = {0};

	add(loads, count, texts, weights);
	assert_int_equal(loads_finish(loads, &error), 0);
}

#define STAT "stat \"/client1\" OK\n"

/* Expect the loads of users 0, 1, 2 ... to be the digits of `wanted`. */
static void expect_turns(size_t count, const unsigned *weights, const char *wanted)
{
	static const char *const texts[] = {STAT, STAT, STAT};
	struct loads loads;
	unsigned user;

	make(&loads, count, texts, weights);
	for (user = 0; wanted[user] != '\0'; user++)
		if (loads_index(&loads, user) != (size_t)(wanted[user] - '0'))
			fail_msg("user %u plays %zu, expected %s", user, loads_index(&loads, user),
				 wanted);
	loads_free(&loads);
}

static void users_take_the_loads_in_turn(void **state)
{
	expect_turns(1, NULL, "0000");
	expect_turns(2, NULL, "01010101");
	expect_turns(3, NULL, "012012");
}

static void weights_are_spread_evenly(void **state)
{
	expect_turns(2, (unsigned[]){3, 1}, "00100010");
	expect_turns(2, (unsigned[]){1, 3}, "10111011");
	expect_turns(3, (unsigned[]){5, 1, 1}, "0010200");
	expect_turns(2, (unsigned[]){4, 2}, "010010");
	expect_turns(2, (unsigned[]){1000, 1000}, "0101");
}

static void weights_lose_their_common_divisor(void **state)
{
	static const char *const texts[] = {STAT, STAT};
	struct loads loads;

	make(&loads, 2, texts, (unsigned[]){600, 400});
	assert_int_equal(loads.list[0].weight, 3);
	assert_int_equal(loads.list[1].weight, 2);
	assert_int_equal(loads.turn_count, 5);
	loads_free(&loads);
}

static void names_are_those_of_all_loads(void **state)
{
	static const char *const texts[] = {
		"stat \"/one\" OK\nstat \"/both\" OK\n"
		"mkdir \"/clients/x\" OK\n",
		"mkdir \"/both\" OK\nmkdir \"/two\" OK\n"
		"mkdir \"/clients/x\" OK\nmkdir \"/clients/y\" OK\n",
	};
	struct loads loads;
	const struct intern_key *names;

	make(&loads, 2, texts, NULL);
	names = loads.shared.names.keys;
	assert_int_equal(loads.shared.names.count, 5);
	assert_string_equal(names[0].bytes, "one");
	assert_false(loads.shared.changed[0]);
	assert_string_equal(names[1].bytes, "both");
	assert_true(loads.shared.changed[1]);
	assert_string_equal(names[2].bytes, "clients/x");
	assert_string_equal(names[3].bytes, "two");
	assert_string_equal(names[4].bytes, "clients/y");
	assert_true(loads.shared.changes);
	loads_free(&loads);
}

/* Expect the loads to be refused for these users with this message, or not to
 * be refused (NULL). */
static void expect_answer(const struct loads *loads, unsigned users, const char *wanted)
{
	struct error error = {0};
	int rc = loads_check_users(loads, users, &error);

	if (wanted == NULL && rc == 0)
		return;
	if (wanted == NULL || rc == 0 || strstr(error.text, wanted) == NULL)
		fail_msg("\"%s\" instead of \"%s\"", error.text, wanted != NULL ? wanted : "");
}

static void a_run_has_a_max_number_of_loads(void **state)
{
	struct loads loads = {0};
	struct error error = {0};
	unsigned i;

	for (i = 0; i < LOADS_MAX; i++)
		assert_int_equal(loads_add(&loads, load_text(STAT),
					   calloc(1, sizeof(struct profile)), 1, &error),
				 0);
	assert_true(loads_add(&loads, load_text(STAT), calloc(1, sizeof(struct profile)), 1,
			      &error) < 0);
	assert_non_null(strstr(error.text, "a run has at most 256 loads"));
	error = (struct error){0};
	assert_int_equal(loads_finish(&loads, &error), 0);
	assert_int_equal(loads_index(&loads, 255), 255);
	assert_int_equal(loads_index(&loads, 256), 0);
	loads_free(&loads);
}

static void each_load_needs_a_user(void **state)
{
	static const char *const texts[] = {STAT, STAT};
	struct loads loads;

	make(&loads, 2, texts, (unsigned[]){3, 1});
	expect_answer(&loads, 2, "with 2 users, no user plays load 2, ");
	expect_answer(&loads, 3, NULL);
	loads_free(&loads);
}

static void nobody_waits_for_a_point_that_is_never_reached(void **state)
{
	static const char *const texts[] = {
		"SETSP 7\n" STAT,
		"WAITSP 0 7\n" STAT,
		"WAITSP 0 8\n" STAT,
		"WAITSP 1 7\n" STAT,
	};
	const char *pair[2] = {texts[0], texts[1]};
	struct loads loads;

	make(&loads, 2, pair, NULL);
	expect_answer(&loads, 2, NULL);
	loads_free(&loads);
	pair[1] = texts[2];
	make(&loads, 2, pair, NULL);
	expect_answer(&loads, 2, "WAITSP waits for sequence point 8 of user 0, who plays");
	loads_free(&loads);
	pair[1] = texts[3];
	make(&loads, 2, pair, NULL);
	expect_answer(&loads, 2, "of user 1, who plays");
	loads_free(&loads);
	/* A single load is not checked: it may wait in vain, as ever. */
	make(&loads, 1, &texts[1], NULL);
	expect_answer(&loads, 1, NULL);
	loads_free(&loads);
	make(&loads, 1, &texts[3], NULL);
	expect_answer(&loads, 1,
		      "WAITSP waits for user 1, but with 1 user the last user is user 0");
	loads_free(&loads);
}

int unit_loads(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(users_take_the_loads_in_turn),
		cmocka_unit_test(weights_are_spread_evenly),
		cmocka_unit_test(weights_lose_their_common_divisor),
		cmocka_unit_test(names_are_those_of_all_loads),
		cmocka_unit_test(a_run_has_a_max_number_of_loads),
		cmocka_unit_test(each_load_needs_a_user),
		cmocka_unit_test(nobody_waits_for_a_point_that_is_never_reached),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
