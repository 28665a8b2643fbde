/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "program/outcome.h"

#include "words/nt_status.h"
#include "words/procedure.h"

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
	(OUTCOME_BIT(IO) | OUTCOME_BIT(NO_DEVICE) | OUTCOME_BIT(REMOTE) | OUTCOME_BIT(NOT_SYNC) | \
	 OUTCOME_BIT(BAD_COOKIE) | OUTCOME_BIT(SERVER_FAULT))

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

/* Return the outcomes that a status accepts. */
static outcome_set outcomes_of(const struct nt_status *status)
{
	enum outcome outcome = outcome_from_errno(status->error_number);

	if (status->number == NT_STATUS_END_OF_FILE)
		return OUTCOME_BIT(OK);
	if (outcome == OUTCOME_IO)
		return DEVICE_KIN;
	return outcome_kin(UINT32_C(1) << outcome);
}

int outcome_from_nt_status(const char *text, outcome_set *set)
{
	const struct nt_status *status;
	uint32_t number;

	if (parse_status(text, &number) == 0)
		status = nt_status_find(number);
	else
		status = nt_status_by_name(text);
	if (status == NULL)
		return -EINVAL;
	*set = outcomes_of(status);
	/* A load cannot demand that the session or the share is lost. */
	return outcome_in(*set, OUTCOME_DISCONNECTED) ? -EINVAL : 0;
}

int outcome_from_nfs_status(const char *text, bool lock_manager, outcome_set *set)
{
	uint32_t number;
	int error_number;

	if (parse_status(text, &number) < 0)
		return -EINVAL;
	error_number = lock_manager ? procedure_nlm_errno(number) : procedure_nfs_errno(number);
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

static int outcome_by_name(const char *name, size_t length, enum outcome *outcome)
{
	unsigned i;

	for (i = 0; i < OUTCOME_COUNT; i++) {
		const char *known = outcome_name(i);

		if (strlen(known) == length && memcmp(known, name, length) == 0) {
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
			length += (size_t)snprintf(text + length, OUTCOME_TEXT - length, "%s%s",
						   length > 0 ? "|" : "", outcome_name(i));
	return text;
}
