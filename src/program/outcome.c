/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "program/outcome.h"

#include "base/procedure.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *name;
	int error_number;
} outcomes[OUTCOME_COUNT] = {
#define X(outcome, number) [OUTCOME_##outcome] = {#number, number},
	OUTCOME_LIST(X)
#undef X
};

_Static_assert(OUTCOME_COUNT <= 32, "a set of outcomes has 32 bits");

/* Errnos that do not have an outcome of their own. */
static const struct {
	int error_number;
	enum outcome outcome;
} synonyms[] = {
	{ENFILE, OUTCOME_TOO_MANY_OPEN},
	{ENODEV, OUTCOME_NO_DEVICE},
	{ENOSYS, OUTCOME_UNSUPPORTED},
	{ENOTTY, OUTCOME_UNSUPPORTED},
	{ENOLCK, OUTCOME_UNSUPPORTED},
	{ETXTBSY, OUTCOME_BUSY},
	{EDEADLK, OUTCOME_LOCKED},
	{EINTR, OUTCOME_TIMED_OUT},
	{EOVERFLOW, OUTCOME_TOO_LARGE},
	{ERANGE, OUTCOME_TOO_LARGE},
	{E2BIG, OUTCOME_TOO_LARGE},
	{ECONNRESET, OUTCOME_DISCONNECTED},
	{ECONNREFUSED, OUTCOME_DISCONNECTED},
	{ECONNABORTED, OUTCOME_DISCONNECTED},
	{EPIPE, OUTCOME_DISCONNECTED},
	{EHOSTUNREACH, OUTCOME_DISCONNECTED},
	{ENETUNREACH, OUTCOME_DISCONNECTED},
	{ENETRESET, OUTCOME_DISCONNECTED},
	{EHOSTDOWN, OUTCOME_DISCONNECTED},
	{ENETDOWN, OUTCOME_DISCONNECTED},
	{ESHUTDOWN, OUTCOME_DISCONNECTED},
};

/* Errnos that mean almost the same, see outcome_kin(). */
#define ACCESS_KIN (OUTCOME_BIT(DENIED) | OUTCOME_BIT(NOT_PERMITTED))
#define SPACE_KIN (OUTCOME_BIT(NO_SPACE) | OUTCOME_BIT(QUOTA))
/* Device failures. SMB has one status for all of them. */
#define DEVICE_KIN \
	(OUTCOME_BIT(IO) | OUTCOME_BIT(NO_DEVICE) | OUTCOME_BIT(REMOTE) | \
	 OUTCOME_BIT(NOT_SYNC) | OUTCOME_BIT(BAD_COOKIE) | \
	 OUTCOME_BIT(SERVER_FAULT))

static const struct {
	uint32_t number;
	const char *name; /* without the prefix NT_STATUS_ */
	outcome_set accepts;
} nt_statuses[] = {
	{0x00000000, "OK", OUTCOME_BIT(OK)},
	{0x80000006, "NO_MORE_FILES", OUTCOME_BIT(NOT_FOUND)},
	/* A warning: the call succeeded and filled the buffer. */
	{0x80000005, "BUFFER_OVERFLOW", OUTCOME_BIT(OK)},
	{0xc0000002, "NOT_IMPLEMENTED", OUTCOME_BIT(UNSUPPORTED)},
	{0xc0000003, "INVALID_INFO_CLASS", OUTCOME_BIT(INVALID)},
	{0xc0000008, "INVALID_HANDLE", OUTCOME_BIT(BAD_HANDLE)},
	{0xc000000d, "INVALID_PARAMETER", OUTCOME_BIT(INVALID)},
	{0xc000000f, "NO_SUCH_FILE", OUTCOME_BIT(NOT_FOUND)},
	{0xc0000010, "INVALID_DEVICE_REQUEST", OUTCOME_BIT(INVALID)},
	/* A read at the end of the file, which backends report as 0 bytes. */
	{0xc0000011, "END_OF_FILE", OUTCOME_BIT(OK)},
	{0xc0000022, "ACCESS_DENIED", ACCESS_KIN},
	{0xc0000033, "OBJECT_NAME_INVALID", OUTCOME_BIT(INVALID)},
	{0xc0000034, "OBJECT_NAME_NOT_FOUND", OUTCOME_BIT(NOT_FOUND)},
	{0xc0000035, "OBJECT_NAME_COLLISION", OUTCOME_BIT(EXISTS)},
	{0xc0000039, "OBJECT_PATH_INVALID", OUTCOME_BIT(INVALID)},
	{0xc000003a, "OBJECT_PATH_NOT_FOUND", OUTCOME_BIT(NOT_FOUND)},
	{0xc000003b, "OBJECT_PATH_SYNTAX_BAD", OUTCOME_BIT(INVALID)},
	{0xc0000043, "SHARING_VIOLATION", OUTCOME_BIT(BUSY)},
	{0xc0000044, "QUOTA_EXCEEDED", SPACE_KIN},
	{0xc0000054, "FILE_LOCK_CONFLICT", OUTCOME_BIT(LOCKED)},
	{0xc0000055, "LOCK_NOT_GRANTED", OUTCOME_BIT(LOCKED)},
	{0xc0000056, "DELETE_PENDING", OUTCOME_BIT(BUSY)},
	{0xc0000061, "PRIVILEGE_NOT_HELD", ACCESS_KIN},
	{0xc000007e, "RANGE_NOT_LOCKED", OUTCOME_BIT(INVALID)},
	{0xc000007f, "DISK_FULL", SPACE_KIN},
	{0xc000009a, "INSUFFICIENT_RESOURCES", SPACE_KIN},
	{0xc00000a2, "MEDIA_WRITE_PROTECTED", OUTCOME_BIT(READ_ONLY)},
	{0xc00000b5, "IO_TIMEOUT", OUTCOME_BIT(TIMED_OUT)},
	{0xc00000ba, "FILE_IS_A_DIRECTORY", OUTCOME_BIT(IS_DIRECTORY)},
	{0xc00000bb, "NOT_SUPPORTED", OUTCOME_BIT(UNSUPPORTED)},
	{0xc00000cc, "BAD_NETWORK_NAME", OUTCOME_BIT(NOT_FOUND)},
	{0xc00000d4, "NOT_SAME_DEVICE", OUTCOME_BIT(CROSS_DEVICE)},
	{0xc0000101, "DIRECTORY_NOT_EMPTY", OUTCOME_BIT(NOT_EMPTY)},
	{0xc0000103, "NOT_A_DIRECTORY", OUTCOME_BIT(NOT_DIRECTORY)},
	{0xc0000106, "NAME_TOO_LONG", OUTCOME_BIT(NAME_TOO_LONG)},
	{0xc000011f, "TOO_MANY_OPENED_FILES", OUTCOME_BIT(TOO_MANY_OPEN)},
	{0xc0000120, "CANCELLED", OUTCOME_BIT(TIMED_OUT)},
	{0xc0000121, "CANNOT_DELETE", ACCESS_KIN},
	{0xc0000128, "FILE_CLOSED", OUTCOME_BIT(BAD_HANDLE)},
	{0xc0000185, "IO_DEVICE_ERROR", DEVICE_KIN},
	{0xc000019c, "FS_DRIVER_REQUIRED", OUTCOME_BIT(UNSUPPORTED)},
	{0xc0000225, "NOT_FOUND", OUTCOME_BIT(NOT_FOUND)},
	{0xc0000904, "FILE_TOO_LARGE", OUTCOME_BIT(TOO_LARGE)},
};

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

enum outcome outcome_from_errno(int error_number)
{
	size_t i;

	for (i = 0; i < OUTCOME_COUNT; i++)
		if (outcomes[i].error_number == error_number)
			return (enum outcome)i;
	for (i = 0; i < LENGTH(synonyms); i++)
		if (synonyms[i].error_number == error_number)
			return synonyms[i].outcome;
	return OUTCOME_IO;
}

/* Parse "0x" and hexadecimal digits. Return 0 or -EINVAL. */
static int parse_status(const char *text, uint32_t *number)
{
	unsigned long parsed;
	char *end;

	if (strncmp(text, "0x", 2) != 0 || !isxdigit((unsigned char)text[2]))
		return -EINVAL;
	errno = 0;
	parsed = strtoul(text, &end, 16);
	if (*end != '\0' || errno != 0 || parsed > UINT32_MAX)
		return -EINVAL;
	*number = (uint32_t)parsed;
	return 0;
}

static int nt_status_by_number(const char *text, outcome_set *set)
{
	uint32_t number;
	size_t i;

	if (parse_status(text, &number) < 0)
		return -EINVAL;
	for (i = 0; i < LENGTH(nt_statuses); i++) {
		if (nt_statuses[i].number == number) {
			*set = nt_statuses[i].accepts;
			return 0;
		}
	}
	return -EINVAL;
}

int outcome_from_nt_status(const char *text, outcome_set *set)
{
	static const char prefix[] = "NT_STATUS_";
	size_t i;

	if (strncmp(text, prefix, sizeof(prefix) - 1) != 0)
		return nt_status_by_number(text, set);
	text += sizeof(prefix) - 1;
	for (i = 0; i < LENGTH(nt_statuses); i++) {
		if (strcmp(nt_statuses[i].name, text) == 0) {
			*set = nt_statuses[i].accepts;
			return 0;
		}
	}
	return -EINVAL;
}

int outcome_from_nfs_status(const char *text, bool lock_manager,
			    outcome_set *set)
{
	uint32_t number;
	int error_number;

	if (parse_status(text, &number) < 0)
		return -EINVAL;
	error_number = lock_manager ? procedure_nlm_errno(number)
				    : procedure_nfs_errno(number);
	if (error_number < 0)
		return -EINVAL;
	*set = UINT32_C(1) << outcome_from_errno(error_number);
	return 0;
}

outcome_set outcome_kin(outcome_set set)
{
	if ((set & ACCESS_KIN) != 0)
		set |= ACCESS_KIN;
	if ((set & SPACE_KIN) != 0)
		set |= SPACE_KIN;
	return set;
}

static const char *outcome_name(enum outcome outcome)
{
	return outcome == OUTCOME_OK ? "OK" : outcomes[outcome].name;
}

static int outcome_by_name(const char *name, size_t length,
			   enum outcome *outcome)
{
	unsigned i;

	for (i = 0; i < OUTCOME_COUNT; i++) {
		const char *known = outcome_name(i);

		if (strlen(known) == length &&
		    memcmp(known, name, length) == 0) {
			*outcome = i;
			return 0;
		}
	}
	return -EINVAL;
}

int outcome_parse_set(const char *text, outcome_set *set)
{
	enum outcome outcome;

	if (strcmp(text, "*") == 0) {
		*set = OUTCOME_ANY;
		return 0;
	}
	if (strcmp(text, "ERROR") == 0) {
		*set = OUTCOME_ANY_FAILURE;
		return 0;
	}
	*set = 0;
	for (;;) {
		size_t length = strcspn(text, "|");

		if (outcome_by_name(text, length, &outcome) < 0)
			return -EINVAL;
		*set |= UINT32_C(1) << outcome;
		if (text[length] == '\0')
			return 0;
		text += length + 1;
	}
}

char *outcome_print_set(outcome_set set, char text[OUTCOME_TEXT])
{
	size_t length = 0;
	unsigned i;

	if (set == OUTCOME_ANY)
		return strcpy(text, "*");
	if (set == OUTCOME_ANY_FAILURE)
		return strcpy(text, "ERROR");
	text[0] = '\0';
	for (i = 0; i < OUTCOME_COUNT; i++)
		if (outcome_in(set, i))
			length += (size_t)snprintf(
				text + length, OUTCOME_TEXT - length, "%s%s",
				length > 0 ? "|" : "", outcome_name(i));
	return text;
}
