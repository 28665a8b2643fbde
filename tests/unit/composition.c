/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "study/composition.h"

static struct composition compose(const char *text)
{
	struct program *program = load_text(text);
	struct profile profile;
	struct composition composition;
	struct error error = {0};

	assert_int_equal(profile_make(program, &profile, &error), 0);
	assert_int_equal(composition_make(program, &profile, &composition, &error), 0);
	program_free(program);
	return composition;
}

#define OPEN(name, handle) "open \"/client1/" name "\" read,write,create " handle " OK\n"

static void sizes_are_powers_of_two(void **state)
{
	struct composition c = compose(OPEN("f", "1") "write 1 0 0 0\nwrite 1 0 127 127\n"
						      "write 1 0 128 128\nwrite 1 0 255 255\n"
						      "write 1 0 256 256\n"
						      "write 1 0 64Mi 64Mi\n"
						      /* Reads count with what they get. */
						      "read 1 0 4Ki 200\nread 1 0 4Ki -\n"
						      "read 1 0 4Ki 0 EIO\n");

	expect_near(c.sizes[0][1], 2, 0);
	expect_near(c.sizes[1][1], 2, 0);
	expect_near(c.sizes[2][1], 1, 0);
	expect_near(c.sizes[COMPOSITION_SIZES - 1][1], 1, 0);
	expect_near(c.sizes[1][0], 1, 0);
	expect_near(c.sizes[6][0], 1, 0);
}

/* Expect the numbers of sequential, random and computed reads and writes. */
static void expect_orders(const char *text, const double (*wanted)[2])
{
	struct composition c = compose(text);
	unsigned i;

	for (i = 0; i < COMPOSITION_ORDERS * 2; i++)
		if (c.orders[i / 2][i % 2] != wanted[i / 2][i % 2])
			fail_msg("%s: %s, order %u: %g", text, i % 2 == 0 ? "reads" : "writes",
				 i / 2, c.orders[i / 2][i % 2]);
}

static void an_access_is_sequential_if_it_begins_at_the_last_end(void **state)
{
	/* From the begin; after it; again; after that, in both directions. */
	expect_orders(OPEN("f", "1") "write 1 0 10 10\nwrite 1 10 10 10\n"
				     "write 1 0 10 10\nread 1 10 5 5\nread 1 16 5 5\n",
		      (double[][2]){{1, 2}, {1, 1}, {0, 0}});
	/* Each handle has an end, and a new one begins at the file's begin. */
	expect_orders(OPEN("f", "1")
			      OPEN("g", "2") "write 1 0 10 10\nwrite 2 10 10 10\nwrite 1 10 10 10\n"
					     "close 1\n" OPEN("f", "1") "write 1 20 10 10\n",
		      (double[][2]){{0, 2}, {0, 2}, {0, 0}});
}

static void a_computed_offset_is_not_sequential(void **state)
{
	expect_orders(OPEN("f", "1") "LOOP 4\nwrite 1 random(0,40,10) 10 10\nENDLOOP\n"
				     /* The next offset may be anywhere. */
				     "write 1 10 10 10\nwrite 1 next 10 10\n",
		      (double[][2]){{0, 1}, {0, 1}, {0, 4}});
}

static void procedures_are_in_order_by_path(void **state)
{
	expect_orders("nfs-create \"/client1/f\" OK\n"
		      "nfs-write \"/client1/f\" 0 10 2 10 OK\n"
		      "nfs-write \"/client1/f\" 10 10 2 10 OK\n"
		      "nfs-read \"/client1/f\" 5 10 10 OK\n",
		      (double[][2]){{0, 2}, {1, 0}, {0, 0}});
}

static void the_tree_has_directories_and_files(void **state)
{
	struct composition c = compose(
		/* A name of the set-up, but not how often it is used. */
		"SETUP\nmkdir \"/client1/d\"\nENDSETUP\n" OPEN(
			"a/b/f", "1") "stat \"/client1/a/b/f\"\nstat \"/client1/none\" ENOENT\n"
				      "list \"/client1/e/*.c\" 10 - *\nmkdir \"/client1/a/d\"\n"
				      "rename \"/client1/a/b/f\" \"/client1/g\" replace\n"
				      "stat \"/shared\"\nstat \"/1/2/3/4/5/6/7/8\"\n");

	expect_near(c.names[0][0], 4, 0); /* a, d, e, 1 */
	expect_near(c.names[0][1], 2, 0); /* g, shared */
	expect_near(c.names[1][0], 3, 0); /* a/b, a/d, 1/2 */
	expect_near(c.names[1][1], 0, 0);
	expect_near(c.names[2][1], 1, 0);
	expect_near(c.names[5][0], 2, 0); /* the depths 6 and 7 */
	expect_near(c.names[5][1], 1, 0);
}

static void bytes_are_spread_over_the_operations(void **state)
{
	struct composition c;
	unsigned i;

	/* One operation in each part; the loop is in five of them. */
	c = compose(OPEN("f", "1") "write 1 0 10 10\n"
				   "LOOP 5\nread 1 0 10 10\nENDLOOP\n"
				   "write 1 0 10 10\nstat \"/client1/f\"\nclose 1\n");
	for (i = 0; i < COMPOSITION_PARTS; i++) {
		expect_near(c.parts[i][0], i >= 2 && i < 7 ? 10 : 0, 1e-9);
		expect_near(c.parts[i][1], i == 1 || i == 7 ? 10 : 0, 1e-9);
	}
	assert_int_equal(c.end_ns, 0);
}

static void bytes_are_spread_over_the_time(void **state)
{
	struct composition c = compose("0 " OPEN("f", "1") "0.35 write 1 0 10 10\n"
							   "0.40 write 1 0 20 20\n"
							   "1.00 write 1 0 30 30\n");

	assert_int_equal(c.end_ns, 1000000000);
	expect_near(c.parts[3][1], 10, 0);
	expect_near(c.parts[4][1], 20, 0);
	expect_near(c.parts[9][1], 30, 0);
}

int unit_composition(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes_are_powers_of_two),
		cmocka_unit_test(an_access_is_sequential_if_it_begins_at_the_last_end),
		cmocka_unit_test(a_computed_offset_is_not_sequential),
		cmocka_unit_test(procedures_are_in_order_by_path),
		cmocka_unit_test(the_tree_has_directories_and_files),
		cmocka_unit_test(bytes_are_spread_over_the_operations),
		cmocka_unit_test(bytes_are_spread_over_the_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
