/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "unit.h"

#include "adapt/transform.h"
#include "study/profile.h"

#include <errno.h>
#include <inttypes.h>

#define APPEND "open \"/client1/f\" write,create,append 1 OK\n"
#define DRAW "RANDOMSTRING 0 \"f[0123456789][0123456789]\"\n"
#define DRAWN \
	DRAW "open \"/client1/$0\" write,create 1 OK\n" \
	     "write 1 0 4096 - OK\n"
#define FILE_1 "open \"/client1/f\" read,write,create 1 OK\n"

static void take(const char *text, struct profile *profile)
{
	struct program *program = load_text(text);
	struct error error = {0};

	if (profile_make(program, profile, &error) != 0)
		fail_msg("%s", error.text);
	program_free(program);
}

static void operations_and_bytes_are_counted_as_recorded(void **state)
{
	struct profile profile;

	take(FILE_1 "write 1 0 1000 900 OK\n" /* 900 bytes were written */
		    "write 1 0 1000 - OK\n"
		    "read 1 0 500 100 OK\n"
		    "read 1 0 500 500 EIO\n" /* a failure moves nothing */
		    "SLEEP 5\n"
		    "stat \"/client1/g\" ENOENT\n"
		    "stat \"/client1/f\" *\n"
		    "close 1 OK\n",
	     &profile);
	assert_int_equal(profile.ops, 8);
	assert_int_equal(profile.write_bytes, 1900);
	assert_int_equal(profile.read_bytes, 100);
	assert_int_equal(profile.failures, 2);
	assert_int_equal(profile.paths, 2);
	assert_int_equal(profile.peak_handles, 1);
	/* Labels are in the order in which they first appear in the
	 * loadfile. */
	assert_int_equal(profile.labels[1].ops, 2);
	assert_int_equal(profile.labels[1].bytes, 1900);
	assert_int_equal(profile.labels[2].ops, 2);
	assert_int_equal(profile.labels[2].bytes, 100);
	assert_int_equal(profile.labels[2].failures, 1);
	assert_int_equal(profile.labels[3].failures, 1);
}

static void reads_of_unrecorded_size_are_counted_apart(void **state)
{
	struct profile profile;

	take(FILE_1 "LOOP 10\nread 1 0 1048576 - OK\nENDLOOP\n"
		    "read 1 0 1048576 100 OK\n"
		    "read 1 0 1048576 - ENOENT\n" /* a failure moves nothing */
		    "nfs-read \"/client1/f\" 0 500 - OK\n",
	     &profile);
	assert_int_equal(profile.read_bytes, 100);
	assert_int_equal(profile.open_reads, 11);
	assert_int_equal(profile.labels[1].bytes, 100);
	assert_int_equal(profile.labels[1].open_reads, 10);
	assert_int_equal(profile.labels[2].open_reads, 1);
}

static void numbers_that_vary_count_with_their_mean(void **state)
{
	static const struct {
		const char *text;
		uint64_t ops, read_bytes, write_bytes;
	} rows[] = {
		{FILE_1 "write 1 0 exp(1000) OK\n", 2, 0, 1000},
		{FILE_1 "write 1 0 exp(1000) - OK\n", 2, 0, 1000},
		{FILE_1 "LOOP exp(1000)\nwrite 1 0 random(0,512) OK\n"
			"ENDLOOP\n",
		 1001, 0, 255500},
		/* Without a recorded size, a read must move all its data. */
		{FILE_1 "read 1 0 random(0,1Ki,512)*2 OK\n"
			"read 1 0 random(0,1Ki) - OK\n",
		 3, 512, 0},
		/* As in the first loop of a single user */
		{FILE_1 "LOOP 1000/$users\nwrite 1 0 10 OK\nENDLOOP\n", 1001, 0, 10000},
		{FILE_1 "LOOP 10 i\nLOOP $i\nread 1 0 $i OK\nENDLOOP\n"
			"ENDLOOP\n",
		 46, 203, 0},
		{"LOOP $user\nstatvfs OK\nENDLOOP\n", 0, 0, 0},
	};
	struct profile profile;
	size_t i;

	for (i = 0; i < LENGTH(rows); i++) {
		take(rows[i].text, &profile);
		if (profile.ops != rows[i].ops || profile.read_bytes != rows[i].read_bytes ||
		    profile.write_bytes != rows[i].write_bytes)
			fail_msg("%" PRIu64 " operations, %" PRIu64 " bytes read, %" PRIu64
				 " written: %s",
				 profile.ops, profile.read_bytes, profile.write_bytes,
				 rows[i].text);
	}
}

static void procedures_move_bytes_as_well(void **state)
{
	struct profile profile;

	take("nfs-write \"/client1/f\" 0 1000 0 900 OK\n"
	     "nfs-write \"/client1/f\" 0 1000 2 - OK\n"
	     "nfs-read \"/client1/f\" 0 500 - OK\n"
	     "nfs-read \"/client1/f\" 0 500 - EIO\n"
	     "nlm-lock \"/client1/f\" 0 500 OK\n"
	     "nfs-link \"/client1/g\" \"/client1/f\" OK\n"
	     "nfs-symlink \"/client1/h\" \"/client1/i\" OK\n",
	     &profile);
	assert_int_equal(profile.write_bytes, 1900);
	assert_int_equal(profile.read_bytes, 0);
	assert_int_equal(profile.open_reads, 1);
	assert_int_equal(profile.labels[0].bytes, 1900);
	/* The content of a symbolic link is not a path of the load. */
	assert_int_equal(profile.paths, 3);
}

static void loops_are_multiplied_out(void **state)
{
	struct profile profile;

	take(FILE_1 "LOOP 1000000\n"
		    "write 1 0 10 10 OK\n"
		    "LOOP 1000\n"
		    "read 1 0 3 3 OK\n"
		    "ENDLOOP\n"
		    "ENDLOOP\n"
		    "close 1 OK\n",
	     &profile);
	assert_true(profile.ops == UINT64_C(1001000002));
	assert_true(profile.write_bytes == 10000000);
	assert_true(profile.read_bytes == UINT64_C(3000000000));
}

static void overflowing_loops_are_refused(void **state)
{
	static const char *const texts[] = {
		/* More than 2^40 operations */
		"LOOP 1048576\nLOOP 1048577\nstatvfs OK\nENDLOOP\nENDLOOP\n",
		"LOOP 1048576\nLOOP 1048576\nstatvfs OK\nstatvfs OK\n"
		"ENDLOOP\nENDLOOP\n",
		"LOOP 4294967295\nLOOP 4294967295\nLOOP 4294967295\n"
		"statvfs OK\nENDLOOP\nENDLOOP\nENDLOOP\n",
		/* Not too many operations, but too many bytes */
		FILE_1 "LOOP 1000000\nLOOP 1000000\n"
		       "read 1 0 67108864 4294967295 OK\nENDLOOP\nENDLOOP\n",
		FILE_1 "LOOP 1000000\nLOOP 1000000\n"
		       "write 1 0 67108864 - OK\nENDLOOP\nENDLOOP\n",
		/* 2^65 bytes, which is 0 in 64 bits */
		FILE_1 "LOOP 1048576\nLOOP 524288\n"
		       "write 1 0 67108864 - OK\nENDLOOP\nENDLOOP\n",
	};
	struct profile *profile = malloc(sizeof(*profile));
	size_t i;

	for (i = 0; i < LENGTH(texts); i++) {
		struct program *program = load_text(texts[i]);
		struct error error = {0};

		assert_int_equal(profile_make(program, profile, &error), -EOVERFLOW);
		assert_string_equal(error.text,
				    "with all its loops, the load has more than 2^40 "
				    "operations or 2^60 bytes; give its loops smaller counts");
		program_free(program);
	}
	free(profile);
}

static void the_longest_possible_loop_is_counted(void **state)
{
	struct profile profile;

	take("LOOP 1048576\nLOOP 1048576\nstatvfs OK\nENDLOOP\nENDLOOP\n", &profile);
	assert_true(profile.ops == UINT64_C(1) << 40);
}

static void the_peak_of_open_handles_is_found(void **state)
{
	struct profile profile;

	take("open \"/a\" read 1 OK\n"
	     "open \"/b\" read 2 OK\n"
	     "close 1 OK\n"
	     "open \"/c\" read 3 OK\n"
	     "open \"/c\" read 3 OK\n" /* reuses the slot */
	     "open \"/d\" read 4 ENOENT\n"
	     "close 2 OK\n",
	     &profile);
	assert_int_equal(profile.peak_handles, 2);
}

static void operations_that_sync_are_counted(void **state)
{
	struct profile profile;

	take("open \"/a\" write,create,sync 1 OK\n"
	     "open \"/b\" write,create 2 OK\n"
	     "write 2 0 1 1 flush OK\n"
	     "write 2 0 1 1 OK\n"
	     "mkdir \"/d\" sync-parent OK\n"
	     "LOOP 10\nfsync 2 OK\nENDLOOP\n",
	     &profile);
	assert_int_equal(profile.synced, 13);
	/* The set-up opens files once, for all loops. */
	take("SETUP\n"
	     "open \"/a\" read,write,create,direct 1 OK\n"
	     "open \"/b\" read,write,create,sync 2 OK\n"
	     "open \"/c\" read,write,create 3 OK\n"
	     "ENDSETUP\n"
	     "LOOP 10\nread 1 0 1 OK\nwrite 1 0 1 OK\nENDLOOP\n"
	     "LOOP 3\nread 2 0 1 OK\nwrite 2 0 1 OK\nENDLOOP\n"
	     "read 3 0 1 OK\nwrite 3 0 1 OK\n",
	     &profile);
	assert_int_equal(profile.synced, 23);
	take("nfs-write \"/a\" 0 1 0 - OK\n"
	     "nfs-write \"/a\" 0 1 1 - OK\n"
	     "nfs-write \"/a\" 0 1 2 - OK\n"
	     "nfs-commit \"/a\" OK\n"
	     "nfs-commit \"/a\" ENOENT\n",
	     &profile);
	assert_int_equal(profile.synced, 3);
}

/* A load, and the expected max number of bytes in all files of a user. */
struct footprint {
	const char *text;
	uint64_t bytes;
};

static void expect_footprints(const struct footprint *rows, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		struct profile profile;

		take(rows[i].text, &profile);
		if (profile.footprint_bytes != rows[i].bytes)
			fail_msg("%ju instead of %ju: %s", (uintmax_t)profile.footprint_bytes,
				 (uintmax_t)rows[i].bytes, rows[i].text);
	}
}

static void the_footprint_is_the_peak_of_the_files(void **state)
{
	static const struct footprint rows[] = {
		{"statvfs OK\n", 0},
		{FILE_1 "write 1 0 1000 1000 OK\n", 1000},
		/* Holes do not count. */
		{FILE_1 "write 1 500 1000 1000 OK\nwrite 1 0 10 10 OK\n", 1010},
		{FILE_1 "write 1 5368709120 4096 4096 OK\n", 4096},
		{FILE_1 "LOOP 1000\nwrite 1 5368709120 4096 - OK\nENDLOOP\n", 4096},
		{FILE_1 "LOOP 1000\nwrite 1 *%1099511627776 4096 - OK\n"
			"ENDLOOP\n",
		 4096000},
		{FILE_1 "write 1 0 1000 1000 ENOSPC\n", 0},
		{FILE_1 "allocate 1 4096 4096 OK\n", 4096},
		{FILE_1 "allocate 1 0 4096 keep-size OK\n"
			"write 1 0 4096 4096 OK\n",
		 4096},
		{FILE_1 "allocate 1 0 4096 punch-hole OK\n", 0},
		/* Bytes that were cut off no longer count, ... */
		{FILE_1 "write 1 0 1000 1000 OK\ntruncate 1 100 OK\n"
			"write 1 5000 500 500 OK\n",
		 1000},
		{FILE_1 "write 1 0 1000 1000 OK\ntruncate 1 0 OK\n"
			"write 1 0 1200 1200 OK\n",
		 1200},
		{FILE_1 "LOOP 10\nwrite 1 +100 100 100 OK\ntruncate 1 0 OK\n"
			"ENDLOOP\n",
		 100},
		/* ... and what a truncation adds is a hole. */
		{FILE_1 "write 1 0 10 10 OK\ntruncate 1 1000 OK\n", 10},
		{FILE_1 "write 1 0 1000 1000 OK\n"
			"open \"/client1/g\" write,create 2 OK\n"
			"copy 1 0 2 0 600 600 OK\n",
		 1600},
		{FILE_1 "write 1 0 1000 1000 OK\n"
			"open \"/client1/g\" write,create 2 OK\n"
			"clone 1 0 2 0 0 OK\nclone 1 0 2 0 100 OK\n",
		 2000},
		/* A copy is no write that "+" continues, nor one that rewinds
		 * the file. */
		{FILE_1 "open \"/client1/g\" write,create 2 OK\nLOOP 10\n"
			"write 1 +100 100 100 OK\ncopy 1 0 2 0 100 100 OK\n"
			"ENDLOOP\n",
		 1100},
		{FILE_1 "open \"/client1/g\" write,create 2 OK\n"
			"write 1 0 100 100 OK\nwrite 1 0 100 100 OK\n"
			"copy 1 0 2 5000 100 100 OK\nwrite 1 +0 100 100 OK\n",
		 300},
		/* Names that were exchanged stand for the other file. */
		{FILE_1 "write 1 0 1000 1000 OK\n"
			"open \"/client1/g\" write,create 2 OK\n"
			"write 2 0 10 10 OK\nclose 2 OK\n"
			"rename \"/client1/f\" \"/client1/g\" exchange OK\n"
			"unlink \"/client1/g\" OK\n"
			"open \"/client1/h\" write,create 2 OK\n"
			"write 2 0 1005 1005 OK\n",
		 1015},
		/* The first file is removed before the next is written, ... */
		{FILE_1 "write 1 0 1000 1000 OK\nclose 1 OK\n"
			"unlink \"/client1/f\" OK\n"
			"open \"/client1/g\" write,create 1 OK\n"
			"write 1 0 700 700 OK\n",
		 1000},
		/* ... kept, as the removal fails, ... */
		{FILE_1 "write 1 0 1000 1000 OK\nclose 1 OK\n"
			"unlink \"/client1/f\" EACCES\n"
			"open \"/client1/g\" write,create 1 OK\n"
			"write 1 0 700 700 OK\n",
		 1700},
		/* ... truncated, ... */
		{FILE_1 "write 1 0 1000 1000 OK\nclose 1 OK\n"
			"open \"/client1/f\" write,truncate 1 OK\n"
			"open \"/client1/g\" write,create 2 OK\n"
			"write 2 0 700 700 OK\n",
		 1000},
		/* ... deleted on close, ... */
		{"open \"/client1/f\" write,create,delete-on-close 1 OK\n"
		 "write 1 0 1000 1000 OK\nclose 1 OK\n"
		 "open \"/client1/g\" write,create 2 OK\n"
		 "write 2 0 700 700 OK\n",
		 1000},
		/* ... replaced, ... */
		{FILE_1 "write 1 0 1000 1000 OK\n"
			"open \"/client1/g\" write,create 2 OK\n"
			"write 2 0 700 700 OK\n"
			"rename \"/client1/g\" \"/client1/f\" replace OK\n"
			"open \"/client1/h\" write,create 3 OK\n"
			"write 3 0 900 900 OK\n",
		 1700},
		/* ... or removed with its directory. */
		{FILE_1 "write 1 0 1000 1000 OK\nclose 1 OK\n"
			"deltree \"/client1\" OK\n"
			"open \"/client1/g\" write,create 1 OK\n"
			"write 1 0 700 700 OK\n",
		 1000},
		/* A file exists as long as it has a name. */
		{FILE_1 "write 1 0 1000 1000 OK\nclose 1 OK\n"
			"link \"/client1/g\" \"/client1/f\" OK\n",
		 1000},
		{FILE_1 "write 1 0 1000 1000 OK\nclose 1 OK\n"
			"link \"/client1/g\" \"/client1/f\" OK\n"
			"unlink \"/client1/f\" OK\n"
			"nfs-write \"/client1/f\" 0 300 0 - OK\n",
		 1300},
		{FILE_1 "write 1 0 1000 1000 OK\nclose 1 OK\n"
			"link \"/client1/g\" \"/client1/f\" OK\n"
			"link \"/client1/h\" \"/client1/g\" OK\n"
			"unlink \"/client1/f\" OK\nunlink \"/client1/g\" OK\n"
			"unlink \"/client1/h\" OK\n"
			"nfs-write \"/client1/f\" 0 300 0 - OK\n"
			"nfs-write \"/client1/g\" 0 300 0 - OK\n"
			"nfs-write \"/client1/h\" 0 500 0 - OK\n",
		 1100},
		/* A file grows under any of its names. */
		{"nfs-write \"/client1/f\" 0 1000 0 - OK\n"
		 "nfs-link \"/client1/g\" \"/client1/f\" OK\n"
		 "nfs-write \"/client1/g\" 1000 500 0 - OK\n"
		 "nfs-write \"/client1/f\" 0 1200 0 - OK\n",
		 1500},
		/* Renaming one name of a file to another does nothing. */
		{"nfs-write \"/client1/f\" 0 1000 0 - OK\n"
		 "nfs-link \"/client1/g\" \"/client1/f\" OK\n"
		 "nfs-rename \"/client1/g\" \"/client1/f\" OK\n"
		 "nfs-remove \"/client1/f\" OK\n"
		 "nfs-write \"/client1/f\" 0 700 0 - OK\n",
		 1700},
		/* A file replaced by a rename still has its other name. */
		{"nfs-write \"/client1/f\" 0 1000 0 - OK\n"
		 "nfs-link \"/client1/g\" \"/client1/f\" OK\n"
		 "nfs-write \"/client1/h\" 0 700 0 - OK\n"
		 "nfs-rename \"/client1/h\" \"/client1/f\" OK\n"
		 "nfs-write \"/client1/h\" 0 50 0 - OK\n",
		 1750},
		{"nfs-write \"/client1/f\" 0 1000 0 - OK\n"
		 "nfs-remove \"/client1/f\" OK\n"
		 "nfs-create \"/client1/g\" OK\n"
		 "nfs-write \"/client1/g\" 0 700 0 - OK\n",
		 1000},
		{"nfs-write \"/client1/f\" 0 1000 0 - OK\n"
		 "nfs-rename \"/client1/f\" \"/client1/g\" OK\n"
		 "nfs-write \"/client1/f\" 0 700 0 - OK\n",
		 1700},
		{"nfs-write \"/client1/f\" 0 1000 0 - ENOSPC\n", 0},
		/* Rounds of a loop that write to the same offsets, or to other
		 * offsets */
		{FILE_1 "LOOP 1000\nwrite 1 0 10 10 OK\nENDLOOP\n", 10},
		{FILE_1 "LOOP 1000\nwrite 1 +10 10 10 OK\nENDLOOP\n", 10000},
		{FILE_1 "LOOP 1000\nwrite 1 *%500 10 10 OK\nENDLOOP\n", 510},
		{FILE_1 "LOOP 100\nwrite 1 0 10 10 OK\nLOOP 15\n"
			"write 1 +10 10 10 OK\nENDLOOP\nENDLOOP\n",
		 160},
		{"LOOP 100\nopen \"/client1/f\" write,create,truncate 1 OK\n"
		 "LOOP 15\nwrite 1 *%4096 10 10 OK\nENDLOOP\nENDLOOP\n",
		 150},
		/* Writes at the position of a handle that begin anew. */
		{FILE_1 "LOOP 10\nwrite 1 next 10\nENDLOOP\nclose 1\n"
			"open \"/client1/f\" write 1\n"
			"LOOP 15\nwrite 1 next 10\nENDLOOP\n",
		 150},
		/* Appends ignore their offset. */
		{APPEND "write 1 0 256 - OK\nwrite 1 0 256 - OK\n", 512},
		{APPEND "LOOP 3200\nwrite 1 0 256 - OK\nENDLOOP\n", 819200},
		{"LOOP 10\n" APPEND "LOOP 32\nwrite 1 0 256 - OK\nENDLOOP\n"
		 "close 1 OK\nENDLOOP\n",
		 81920},
		/* Appends to a file that each round empties or removes */
		{"LOOP 10\nopen \"/client1/f\" write,append,truncate 1 OK\n"
		 "LOOP 32\nwrite 1 0 256 - OK\nENDLOOP\nENDLOOP\n",
		 8192},
		{"LOOP 10\n" APPEND "write 1 0 256 - OK\nclose 1 OK\n"
		 "unlink \"/client1/f\" OK\nENDLOOP\n",
		 256},
		/* Branches have their share of the rounds of a MIX. */
		{FILE_1 "MIX 100\n1 write 1 next 10\nENDMIX\n", 1000 + 10},
		{FILE_1 "LOOP 5\nMIX 100\n3 fsync 1\n1 write 1 next 10\nENDMIX\nENDLOOP\n",
		 5 * 260},
		/* The block of an EVERY has its share of the rounds around it. */
		{FILE_1 "EVERY 4\nwrite 1 next 10\nENDEVERY\n", 10},
		{FILE_1 "LOOP 160\nEVERY 16\nwrite 1 next 10\nENDEVERY\nENDLOOP\n", 100},
		{FILE_1 "LOOP 160\nEVERY 16\nLOOP 3\nwrite 1 next 10\nENDLOOP\nENDEVERY\nENDLOOP\n",
		 300},
		{FILE_1 "LOOP 5\nLOOP 4\nEVERY 10\nwrite 1 next 10\nENDEVERY\nENDLOOP\nENDLOOP\n",
		 20},
		{FILE_1 "LOOP 160\nEVERY 0\nwrite 1 next 10\nENDEVERY\nENDLOOP\n", 0},
		{"LOOP 100 i\nEVERY 10\nopen \"/client1/f$i\" write,create 1\nwrite 1 0 10\n"
		 "close 1\nENDEVERY\nENDLOOP\n",
		 100},
	};

	expect_footprints(rows, LENGTH(rows));
}

static void each_draw_of_a_random_name_is_a_new_file(void **state)
{
	static const struct footprint rows[] = {
		{DRAWN "close 1 OK\n", 4096},
		{DRAWN "close 1 OK\n" DRAWN "close 1 OK\n", 8192},
		{"LOOP 10\n" DRAWN "close 1 OK\nENDLOOP\n", 40960},
		/* The random string has only 100 names. */
		{"LOOP 1000\n" DRAWN "close 1 OK\nENDLOOP\n", 409600},
		{"LOOP 30\nLOOP 30\n" DRAWN "close 1 OK\nENDLOOP\nENDLOOP\n", 409600},
		/* unlink removes the file just written, or a file whose name is
		 * drawn separately. */
		{"LOOP 10\n" DRAWN "close 1 OK\nunlink \"/client1/$0\" OK\n"
		 "ENDLOOP\n",
		 4096},
		{"LOOP 10\n" DRAW "unlink \"/client1/$0\" *\n" DRAWN "close 1 OK\nENDLOOP\n",
		 40960},
		{"LOOP 10\n" DRAWN "close 1 OK\n" DRAW "unlink \"/client1/$0\" *\nENDLOOP\n",
		 40960},
		{"LOOP 10\n" DRAWN "close 1 OK\nENDLOOP\n"
		 "deltree \"/client1\" OK\n" DRAWN,
		 40960},
		/* A name drawn before the loop does not change in it. */
		{DRAW "LOOP 10\nnfs-write \"/client1/$0\" 0 4096 0 - OK\n"
		      "ENDLOOP\n",
		 4096},
		{"LOOP 10\n" DRAW "nfs-write \"/client1/$0\" 0 4096 0 - OK\nENDLOOP\n", 40960},
		/* All appends count, whichever names are drawn for them. */
		{"LOOP 10000\n" DRAW "open \"/client1/$0\" write,create,append 1 OK\nwrite 1 0 256 "
		 "- OK\nclose 1 OK\nENDLOOP\n",
		 2560000},
	};

	expect_footprints(rows, LENGTH(rows));
}

static void the_prologue_ends_at_85_percent_outside_loops(void **state)
{
	static const struct {
		const char *text;
		size_t end;
	} rows[] = {
		{"statvfs OK\n", 0},
		{FILE_1 "write 1 0 1000 1000 OK\nstatvfs OK\n", 2},
		{FILE_1 "write 1 0 840 840 OK\nwrite 1 840 10 10 OK\n"
			"write 1 850 150 150 OK\n",
		 3},
		/* A small loop is part of the prologue as a whole, ... */
		{FILE_1 "LOOP 2\nwrite 1 0 1000 1000 OK\nENDLOOP\n"
			"statvfs OK\nstatvfs OK\nstatvfs OK\n",
		 4},
		/* ... but not a loop that is more than half of the load. */
		{FILE_1 "LOOP 2\nwrite 1 0 1000 1000 OK\nstatvfs OK\n"
			"statvfs OK\nstatvfs OK\nENDLOOP\nstatvfs OK\n",
		 1},
		/* "Half" is by operations played, not by lines. */
		{FILE_1 "LOOP 1000\nwrite 1 0 1000 1000 OK\nENDLOOP\n"
			"statvfs OK\nstatvfs OK\nstatvfs OK\n",
		 1},
	};
	size_t i;

	for (i = 0; i < LENGTH(rows); i++) {
		struct profile profile;
		char text[1000];

		snprintf(text, sizeof(text), "PROLOGUE\n%s", rows[i].text);
		take(text, &profile);
		if (profile.prologue_end != rows[i].end)
			fail_msg("%zu instead of %zu: %s", profile.prologue_end, rows[i].end,
				 rows[i].text);
		/* A native load has a prologue only if it says so. */
		take(rows[i].text, &profile);
		assert_int_equal(profile.prologue_end, 0);
	}
}

static void a_set_up_is_not_part_of_a_loop(void **state)
{
	struct profile profile;

	take("SETUP shared\n"
	     "open \"/all\" write,create 1 OK\n"
	     "LOOP 3\n"
	     "write 1 0 10 10 OK\n"
	     "ENDLOOP\n"
	     "close 1 OK\n"
	     "ENDSETUP\n"
	     "SETUP\n" FILE_1 "write 1 0 1000 1000 OK\n"
	     "fsync 1 OK\n"
	     "ENDSETUP\n"
	     "read 1 0 500 500 OK\n"
	     "stat \"/client1/g\" ENOENT\n",
	     &profile);
	assert_int_equal(profile.setup.shared_end, 7);
	assert_int_equal(profile.setup.end, 12);
	assert_int_equal(profile.prologue_end, 12);
	assert_false(profile.setup.restore);
	assert_int_equal(profile.setup_ops, 8);
	assert_int_equal(profile.ops, 2);
	assert_int_equal(profile.write_bytes, 0);
	assert_int_equal(profile.read_bytes, 500);
	assert_int_equal(profile.synced, 0);
	assert_int_equal(profile.failures, 1);
	assert_int_equal(profile.footprint_bytes, 1000);
	assert_int_equal(profile.shared_footprint_bytes, 10);
}

static void shared_files_have_a_footprint_of_their_own(void **state)
{
#define SHARED \
	"SETUP shared\nopen \"/all\" write,create 1 OK\n" \
	"write 1 0 1000 OK\nclose 1 OK\nopen \"/more\" write,create 1 OK\n" \
	"write 1 0 500 OK\nclose 1 OK\nunlink \"/more\" OK\nENDSETUP\n"
	static const struct {
		const char *text;
		uint64_t shared, own;
	} rows[] = {
		{SHARED "open \"/all\" read 1 OK\nread 1 0 10 10 OK\n", 1500, 0},
		{SHARED FILE_1 "write 1 0 700 OK\n", 1500, 700},
		/* A user that writes in place needs no more room; ... */
		{SHARED "open \"/all\" write 1 OK\nLOOP 100\n"
			"write 1 random(0,901) 100 OK\nENDLOOP\n",
		 1500, 0},
		/* ... one that makes the file longer does, even if it has
		 * removed something before. */
		{SHARED "open \"/all\" write,append 1 OK\nLOOP 10\n"
			"write 1 0 100 OK\nENDLOOP\n",
		 1500, 1000},
		{SHARED "open \"/all\" write,truncate 1 OK\n"
			"write 1 0 1200 OK\n",
		 1500, 200},
	};
	struct profile profile;
	size_t i;

	for (i = 0; i < LENGTH(rows); i++) {
		take(rows[i].text, &profile);
		if (profile.shared_footprint_bytes != rows[i].shared ||
		    profile.footprint_bytes != rows[i].own)
			fail_msg("%" PRIu64 " and %" PRIu64 " bytes: %s",
				 profile.shared_footprint_bytes, profile.footprint_bytes,
				 rows[i].text);
	}
}

static void bytes_that_are_read_later_are_laid_out(void **state)
{
	static const struct {
		const char *text;
		uint64_t bytes;
	} rows[] = {
		{FILE_1 "LOOP 3\nLOOP 2\nwrite 1 +100 100 100 OK\nENDLOOP\n"
			"write 1 +100 100 - OK\nENDLOOP\n"
			"LOOP 10\nread 1 *%900 10 10 OK\nENDLOOP\n",
		 900},
		/* Written again after it was read */
		{FILE_1 "write 1 0 100 100 OK\nread 1 0 100 100 OK\n"
			"write 1 0 50 50 OK\nread 1 0 1 1 OK\n",
		 150},
		/* Another handle, another name */
		{FILE_1 "write 1 0 100 100 OK\nclose 1 OK\n"
			"rename \"/client1/f\" \"/client1/g\" replace OK\n"
			"open \"/client1/g\" read 2 OK\nread 2 0 1 1 OK\n",
		 100},
		{"nfs-write \"/client1/f\" 0 100 0 100 OK\n"
		 "nfs-read \"/client1/f\" 0 100 100 OK\n",
		 100},
		/* Not read, or not successfully, or before the write */
		{FILE_1 "read 1 0 1 0 OK\nwrite 1 0 100 100 OK\n"
			"read 1 0 1 1 EIO\n",
		 0},
		{FILE_1 "open \"/client1/g\" read,create 2 OK\n"
			"write 1 0 100 100 OK\nread 2 0 1 0 OK\n",
		 0},
		/* With a set-up or a prologue */
		{"SETUP\nENDSETUP\n" FILE_1 "write 1 0 100 100 OK\n"
		 "read 1 0 100 100 OK\n",
		 0},
		{"PROLOGUE\n" FILE_1 "write 1 0 100 100 OK\n"
		 "read 1 0 100 100 OK\n",
		 0},
	};
	struct profile profile;
	size_t i;

	for (i = 0; i < LENGTH(rows); i++) {
		take(rows[i].text, &profile);
		if (profile.laid_out_bytes != rows[i].bytes)
			fail_msg("%" PRIu64 " bytes instead of %" PRIu64 ": %s",
				 profile.laid_out_bytes, rows[i].bytes, rows[i].text);
	}
}

static void time_stamps_take_their_time(void **state)
{
	static const struct {
		const char *text;
		uint64_t ms;
	} rows[] = {
		{"stat \"/a\" OK\n", 0},
		{"0 stat \"/a\" OK\n", 0},
		{"0.5 stat \"/a\" OK\n64800 stat \"/a\" OK\n", 64800000},
		{"stat \"/a\" OK\n1.5 stat \"/a\" OK\nstat \"/a\" OK\n", 1500},
		{"SETUP\nstat \"/a\" OK\nENDSETUP\n0.25 stat \"/a\" OK\n", 250},
		/* Those of a prologue are not waited for, and the next one is
		 * the time of the start line. */
		{"PROLOGUE\n0.1 " FILE_1 "0.2 write 1 0 1000 1000 OK\n"
		 "0.3 stat \"/a\" OK\n0.75 stat \"/a\" OK\n",
		 450},
	};
	struct profile profile;
	size_t i;

	for (i = 0; i < LENGTH(rows); i++) {
		take(rows[i].text, &profile);
		if (profile.paced_ns != rows[i].ms * NS_PER_MS)
			fail_msg("%" PRIu64 " ns instead of %" PRIu64 " ms: %s", profile.paced_ns,
				 rows[i].ms, rows[i].text);
	}
}

static void a_fixed_name_may_be_one_of_many(void **state)
{
#define FOUR \
	"SETUP\nLOOP 4 f\nopen \"/client1/f$f\" write,create 1 OK\n" \
	"write 1 0 1000\nclose 1 OK\nENDLOOP\nENDSETUP\n"
#define WRITE "write 1 0 1000 OK\n"
	static const struct {
		const char *text;
		uint64_t bytes;
	} rows[] = {
		{FOUR "open \"/client1/f0\" write 1 OK\n" WRITE, 4000},
		{FOUR "open \"/client1/f0\" write 1 OK\nclose 1 OK\n"
		      "open \"/client1/f3\" write 1 OK\n" WRITE,
		 4000},
		{FOUR "open \"/client1/f1\" write 1 OK\n"
		      "write 1 500 1000 OK\n",
		 4500},
		{FOUR "open \"/client1/f1\" write,append 1 OK\n" WRITE, 5000},
		{FOUR "unlink \"/client1/f2\" OK\n"
		      "open \"/client1/g\" write,create 1 OK\n" WRITE,
		 4000},
		{FOUR "open \"/client1/f2\" write,truncate 1 OK\n"
		      "write 1 0 3000 OK\n",
		 6000},
		{FOUR "link \"/client1/g\" \"/client1/f3\" OK\n"
		      "open \"/client1/g\" write 1 OK\n" WRITE,
		 4000},
		{FOUR "rename \"/client1/f3\" \"/client1/g\" replace OK\n"
		      "open \"/client1/g\" write 1 OK\n" WRITE,
		 4000},
		{FOUR "open \"/client1/g\" write,create 1 OK\n"
		      "write 1 0 500 OK\nclose 1 OK\n"
		      "rename \"/client1/g\" \"/client1/f1\" exchange OK\n"
		      "open \"/client1/f1\" write 1 OK\nwrite 1 0 600 OK\n",
		 4600},
		/* All again */
		{FOUR "open \"/client1/f0\" write 1 OK\nclose 1 OK\n"
		      "LOOP 4 f\nopen \"/client1/f$f\" write 1 OK\n" WRITE "close 1 OK\nENDLOOP\n",
		 4000},
		/* Others */
		{FOUR "open \"/client1/f4\" write,create 1 OK\n" WRITE, 5000},
		{FOUR "open \"/client1/f00\" write,create 1 OK\n" WRITE, 5000},
		{FOUR "open \"/client1/f\" write,create 1 OK\n" WRITE, 5000},
		{FOUR "open \"/client1/f1x\" write,create 1 OK\n" WRITE, 5000},
		{FOUR "open \"/f1\" write,create 1 OK\n" WRITE, 5000},
	};
	struct profile profile;
	size_t i;

	for (i = 0; i < LENGTH(rows); i++) {
		take(rows[i].text, &profile);
		if (profile.footprint_bytes != rows[i].bytes)
			fail_msg("%" PRIu64 " bytes instead of %" PRIu64 ": %s",
				 profile.footprint_bytes, rows[i].bytes, rows[i].text);
	}
}

static void split_writes_leave_the_footprint_unchanged(void **state)
{
	struct program *program = load_text(FILE_1 "write 1 1000 10000 10000 OK\n"
						   "write 1 *%100 10000 10000 OK\n"
						   "close 1 OK\n");
	struct transform transform = {.io_bytes_max = 4096};
	struct error error = {0};
	struct profile profile;

	assert_int_equal(transform_program(program, &transform, &error), 0);
	assert_int_equal(profile_make(program, &profile, &error), 0);
	assert_int_equal(profile.footprint_bytes, 11000);
	program_free(program);
}

int unit_profile(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(operations_and_bytes_are_counted_as_recorded),
		cmocka_unit_test(reads_of_unrecorded_size_are_counted_apart),
		cmocka_unit_test(numbers_that_vary_count_with_their_mean),
		cmocka_unit_test(procedures_move_bytes_as_well),
		cmocka_unit_test(loops_are_multiplied_out),
		cmocka_unit_test(split_writes_leave_the_footprint_unchanged),
		cmocka_unit_test(overflowing_loops_are_refused),
		cmocka_unit_test(the_longest_possible_loop_is_counted),
		cmocka_unit_test(the_peak_of_open_handles_is_found),
		cmocka_unit_test(operations_that_sync_are_counted),
		cmocka_unit_test(the_footprint_is_the_peak_of_the_files),
		cmocka_unit_test(each_draw_of_a_random_name_is_a_new_file),
		cmocka_unit_test(the_prologue_ends_at_85_percent_outside_loops),
		cmocka_unit_test(a_set_up_is_not_part_of_a_loop),
		cmocka_unit_test(shared_files_have_a_footprint_of_their_own),
		cmocka_unit_test(bytes_that_are_read_later_are_laid_out),
		cmocka_unit_test(time_stamps_take_their_time),
		cmocka_unit_test(a_fixed_name_may_be_one_of_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
