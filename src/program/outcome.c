/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "program/outcome.h"

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

/* Errnos that share an outcome with the one that names it. */
static const struct {
	int error_number;
	enum outcome outcome;
} synonyms[] = {
	{EPERM, OUTCOME_DENIED},
	{EDQUOT, OUTCOME_NO_SPACE},
	{ENFILE, OUTCOME_TOO_MANY_OPEN},
	{EMLINK, OUTCOME_TOO_MANY_LINKS},
	{ENOSYS, OUTCOME_UNSUPPORTED},
	{ENOTTY, OUTCOME_UNSUPPORTED},
	{ENOLCK, OUTCOME_UNSUPPORTED},
	{ETXTBSY, OUTCOME_BUSY},
	{EDEADLK, OUTCOME_LOCKED},
	{EINTR, OUTCOME_TIMED_OUT},
	{EOVERFLOW, OUTCOME_TOO_LARGE},
	{ECONNRESET, OUTCOME_DISCONNECTED},
	{ECONNREFUSED, OUTCOME_DISCONNECTED},
	{ECONNABORTED, OUTCOME_DISCONNECTED},
	{EPIPE, OUTCOME_DISCONNECTED},
	{EHOSTUNREACH, OUTCOME_DISCONNECTED},
	{ENETUNREACH, OUTCOME_DISCONNECTED},
};

static const struct {
	uint32_t number;
	const char *name; /* without its NT_STATUS_ */
	enum outcome outcome;
} nt_statuses[] = {
	{0x00000000, "OK", OUTCOME_OK},
	{0x80000006, "NO_MORE_FILES", OUTCOME_NOT_FOUND},
	/* A warning: it succeeded, and gave as much as was asked for. */
	{0x80000005, "BUFFER_OVERFLOW", OUTCOME_OK},
	{0xc0000002, "NOT_IMPLEMENTED", OUTCOME_UNSUPPORTED},
	{0xc0000003, "INVALID_INFO_CLASS", OUTCOME_INVALID},
	{0xc0000008, "INVALID_HANDLE", OUTCOME_BAD_HANDLE},
	{0xc000000d, "INVALID_PARAMETER", OUTCOME_INVALID},
	{0xc000000f, "NO_SUCH_FILE", OUTCOME_NOT_FOUND},
	{0xc0000010, "INVALID_DEVICE_REQUEST", OUTCOME_INVALID},
	/* A read that begins at the end: it succeeds with no bytes. */
	{0xc0000011, "END_OF_FILE", OUTCOME_OK},
	{0xc0000022, "ACCESS_DENIED", OUTCOME_DENIED},
	{0xc0000033, "OBJECT_NAME_INVALID", OUTCOME_INVALID},
	{0xc0000034, "OBJECT_NAME_NOT_FOUND", OUTCOME_NOT_FOUND},
	{0xc0000035, "OBJECT_NAME_COLLISION", OUTCOME_EXISTS},
	{0xc0000039, "OBJECT_PATH_INVALID", OUTCOME_INVALID},
	{0xc000003a, "OBJECT_PATH_NOT_FOUND", OUTCOME_NOT_FOUND},
	{0xc000003b, "OBJECT_PATH_SYNTAX_BAD", OUTCOME_INVALID},
	{0xc0000043, "SHARING_VIOLATION", OUTCOME_BUSY},
	{0xc0000044, "QUOTA_EXCEEDED", OUTCOME_NO_SPACE},
	{0xc0000054, "FILE_LOCK_CONFLICT", OUTCOME_LOCKED},
	{0xc0000055, "LOCK_NOT_GRANTED", OUTCOME_LOCKED},
	{0xc0000056, "DELETE_PENDING", OUTCOME_BUSY},
	{0xc0000061, "PRIVILEGE_NOT_HELD", OUTCOME_DENIED},
	{0xc000007e, "RANGE_NOT_LOCKED", OUTCOME_INVALID},
	{0xc000007f, "DISK_FULL", OUTCOME_NO_SPACE},
	{0xc000009a, "INSUFFICIENT_RESOURCES", OUTCOME_NO_SPACE},
	{0xc00000a2, "MEDIA_WRITE_PROTECTED", OUTCOME_READ_ONLY},
	{0xc00000b5, "IO_TIMEOUT", OUTCOME_TIMED_OUT},
	{0xc00000ba, "FILE_IS_A_DIRECTORY", OUTCOME_IS_DIRECTORY},
	{0xc00000bb, "NOT_SUPPORTED", OUTCOME_UNSUPPORTED},
	{0xc00000cc, "BAD_NETWORK_NAME", OUTCOME_NOT_FOUND},
	{0xc00000d4, "NOT_SAME_DEVICE", OUTCOME_CROSS_DEVICE},
	{0xc0000101, "DIRECTORY_NOT_EMPTY", OUTCOME_NOT_EMPTY},
	{0xc0000103, "NOT_A_DIRECTORY", OUTCOME_NOT_DIRECTORY},
	{0xc0000106, "NAME_TOO_LONG", OUTCOME_NAME_TOO_LONG},
	{0xc000011f, "TOO_MANY_OPENED_FILES", OUTCOME_TOO_MANY_OPEN},
	{0xc0000120, "CANCELLED", OUTCOME_TIMED_OUT},
	{0xc0000121, "CANNOT_DELETE", OUTCOME_DENIED},
	{0xc0000128, "FILE_CLOSED", OUTCOME_BAD_HANDLE},
	{0xc0000185, "IO_DEVICE_ERROR", OUTCOME_IO},
	{0xc000019c, "FS_DRIVER_REQUIRED", OUTCOME_UNSUPPORTED},
	{0xc0000225, "NOT_FOUND", OUTCOME_NOT_FOUND},
	{0xc0000904, "FILE_TOO_LARGE", OUTCOME_TOO_LARGE},
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

static int nt_status_by_number(const char *text, enum outcome *outcome)
{
	unsigned long number;
	char *end;
	size_t i;

	errno = 0;
	number = strtoul(text, &end, 16);
	if (*end != '\0' || errno != 0 || number > UINT32_MAX)
		return -EINVAL;
	for (i = 0; i < LENGTH(nt_statuses); i++) {
		if (nt_statuses[i].number == number) {
			*outcome = nt_statuses[i].outcome;
			return 0;
		}
	}
	return -EINVAL;
}

int outcome_from_nt_status(const char *text, enum outcome *outcome)
{
	static const char prefix[] = "NT_STATUS_";
	size_t i;

	if (strncmp(text, "0x", 2) == 0)
		return nt_status_by_number(text, outcome);
	if (strncmp(text, prefix, sizeof(prefix) - 1) != 0)
		return -EINVAL;
	text += sizeof(prefix) - 1;
	for (i = 0; i < LENGTH(nt_statuses); i++) {
		if (strcmp(nt_statuses[i].name, text) == 0) {
			*outcome = nt_statuses[i].outcome;
			return 0;
		}
	}
	return -EINVAL;
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
