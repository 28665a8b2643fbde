/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Helpers for the unit tests of SMB2: bytes in hexadecimal, and buffers that
 * end at a page which cannot be read.
 */
#ifndef TESTS_UNIT_SMB2_H
#define TESTS_UNIT_SMB2_H

#include "unit.h"

/* Decode hexadecimal digits; ignore blanks. Return the number of bytes. */
static inline size_t unhex(const char *text, uint8_t *bytes, size_t max)
{
	static const char digits[] = "0123456789abcdef0123456789ABCDEF";
	size_t count = 0;

	for (; *text != '\0'; text++) {
		const char *found = strchr(digits, *text);
		uint8_t value;

		if (*text == ' ' || *text == '\n')
			continue;
		assert_non_null(found);
		assert_true(count / 2 < max);
		value = (uint8_t)((found - digits) % 16);
		if (count % 2 == 0)
			bytes[count / 2] = (uint8_t)(value << 4);
		else
			bytes[count / 2] |= value;
		count++;
	}
	assert_int_equal(count % 2, 0);
	return count / 2;
}

static inline void expect_hex(const uint8_t *bytes, const char *expected)
{
	uint8_t wanted[4096];
	size_t size = unhex(expected, wanted, sizeof(wanted));

	assert_memory_equal(bytes, wanted, size);
}

enum { GUARD_PAGE = 4096, GUARDED_MAX = 4 * GUARD_PAGE };

/* Copy bytes to the end of memory that a page without access follows, so that
 * reading past them ends the test. The next call reuses the memory. */
static inline uint8_t *guarded(const uint8_t *bytes, size_t size)
{
	static uint8_t *memory;

	if (memory == NULL) {
		memory = mmap(NULL, GUARDED_MAX + GUARD_PAGE, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		assert_true(memory != MAP_FAILED);
		assert_int_equal(mprotect(memory + GUARDED_MAX, GUARD_PAGE, PROT_NONE), 0);
	}
	assert_true(size <= GUARDED_MAX);
	return memcpy(memory + GUARDED_MAX - size, bytes, size);
}

#endif
