/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "capture/smb/frame.h"

#include "base/array.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* Number of messages in a frame in which further values are looked for. */
enum { COMPOUND_MAX = 64 };

enum part { REQUEST, SUCCESS };

/* A column's values in the grammar: further values than one, or any number of values,
 * if nothing else claims them. */
enum { MORE = 1 << 6, ANY = 1 << 7, COLUMN = MORE - 1 };
_Static_assert((int)SMB2_COLUMNS <= (int)MORE, "too many columns for the grammar");

/* The values of a message, one per column that is listed. 0 ends the list. */
struct rule {
	uint8_t command, direction;
	uint8_t type, level; /* only messages of these; 0: all */
	uint8_t columns[8];
};

#define RULE(command, direction, ...) \
	{ \
		SMB2_CMD_##command, direction, 0, 0, \
		{ \
			__VA_ARGS__ \
		} \
	}
#define RULE_OF(command, direction, type, level, ...) \
	{ \
		SMB2_CMD_##command, direction, type, level, \
		{ \
			__VA_ARGS__ \
		} \
	}

/*
 * The values that matter, or that come before such values in a compound. A failed
 * reply has none. Contexts of a CREATE may have file IDs, rights and lengths, too.
 */
static const struct rule grammar[] = {
	RULE(CREATE, REQUEST, SMB2_FILE_NAME, SMB2_DISPOSITION, SMB2_OPTIONS, SMB2_ACCESS | MORE,
	     SMB2_SHARE_ACCESS, SMB2_ATTRIBUTES, SMB2_FILE_ID | ANY),
	RULE(CREATE, SUCCESS, SMB2_FILE_ID | MORE, SMB2_ACTION, SMB2_ATTRIBUTES, SMB2_END_OF_FILE,
	     SMB2_DATA_LENGTH | MORE),
	RULE(CLOSE, REQUEST, SMB2_FILE_ID),
	RULE(CLOSE, SUCCESS, SMB2_ATTRIBUTES, SMB2_END_OF_FILE),
	RULE(FLUSH, REQUEST, SMB2_FILE_ID),
	RULE(READ, REQUEST, SMB2_FILE_ID, SMB2_READ_LENGTH, SMB2_OFFSET),
	RULE(READ, SUCCESS, SMB2_DATA_LENGTH),
	RULE(WRITE, REQUEST, SMB2_FILE_ID, SMB2_WRITE_LENGTH, SMB2_OFFSET),
	RULE(WRITE, SUCCESS, SMB2_WRITTEN),
	RULE(LOCK, REQUEST, SMB2_FILE_ID, SMB2_LOCK_COUNT, SMB2_OFFSET | MORE,
	     SMB2_LOCK_LENGTH | MORE, SMB2_LOCK_FLAGS | MORE),
	RULE(IOCTL, REQUEST, SMB2_FILE_ID, SMB2_FUNCTION, SMB2_COPY_KEY | ANY, SMB2_COPY_FROM | ANY,
	     SMB2_COPY_TO | ANY, SMB2_COPY_LENGTH | ANY),
	RULE(IOCTL, SUCCESS, SMB2_FILE_ID, SMB2_COPY_KEY | ANY, SMB2_DATA_LENGTH, SMB2_DATA_LENGTH),
	RULE(FIND, REQUEST, SMB2_FILE_ID, SMB2_PATTERN, SMB2_FIND_FLAGS, SMB2_FIND_LEVEL),
	RULE(FIND, SUCCESS, SMB2_FILE_NAME | ANY, SMB2_ATTRIBUTES | ANY, SMB2_END_OF_FILE | ANY,
	     SMB2_DATA_LENGTH),
	RULE(NOTIFY, REQUEST, SMB2_FILE_ID),
	RULE(NOTIFY, SUCCESS, SMB2_FILE_NAME | ANY, SMB2_DATA_LENGTH),
	RULE(QUERY_INFO, REQUEST, SMB2_FILE_ID, SMB2_TYPE),
	RULE_OF(QUERY_INFO, REQUEST, 1, 0, SMB2_FILE_LEVEL),
	RULE_OF(QUERY_INFO, REQUEST, 2, 0, SMB2_SPACE_LEVEL),
	RULE(QUERY_INFO, SUCCESS, SMB2_DATA_LENGTH),
	RULE_OF(QUERY_INFO, SUCCESS, 1, SMB2_LEVEL_BASIC, SMB2_ATTRIBUTES),
	RULE_OF(QUERY_INFO, SUCCESS, 1, SMB2_LEVEL_STANDARD, SMB2_NEW_END_OF_FILE),
	RULE_OF(QUERY_INFO, SUCCESS, 1, SMB2_LEVEL_ALL, SMB2_ATTRIBUTES, SMB2_END_OF_FILE,
		SMB2_FILE_NAME),
	RULE_OF(QUERY_INFO, SUCCESS, 1, SMB2_LEVEL_NETWORK_OPEN, SMB2_NEW_END_OF_FILE),
	RULE(SET_INFO, REQUEST, SMB2_FILE_ID, SMB2_TYPE, SMB2_ACCESS | ANY),
	RULE_OF(SET_INFO, REQUEST, 1, 0, SMB2_FILE_LEVEL),
	RULE_OF(SET_INFO, REQUEST, 2, 0, SMB2_SPACE_LEVEL),
	RULE_OF(SET_INFO, REQUEST, 1, SMB2_LEVEL_BASIC, SMB2_ATTRIBUTES),
	RULE_OF(SET_INFO, REQUEST, 1, SMB2_LEVEL_RENAME, SMB2_FILE_NAME, SMB2_REPLACE),
	/* tshark 4 does not decode it. */
	RULE_OF(SET_INFO, REQUEST, 1, SMB2_LEVEL_LINK, SMB2_FILE_NAME | ANY, SMB2_REPLACE | ANY,
		SMB2_UNDECODED | ANY),
	RULE_OF(SET_INFO, REQUEST, 1, SMB2_LEVEL_DISPOSITION, SMB2_DELETE_FLAG),
	RULE_OF(SET_INFO, REQUEST, 1, SMB2_LEVEL_ALLOCATION, SMB2_NEW_ALLOCATION),
	RULE_OF(SET_INFO, REQUEST, 1, SMB2_LEVEL_END_OF_FILE, SMB2_NEW_END_OF_FILE),
	RULE(BREAK, REQUEST, SMB2_FILE_ID | ANY),
};

static uint64_t take_number(struct columns *columns, enum smb2_column column)
{
	uint64_t number;

	return columns_take_number(columns, column, &number) ? number : 0;
}

/* Take a message's header. Requests have no status, and messages of asynchronous
 * calls no tree. */
static void take_header(struct columns *columns, struct smb2_frame_message *message)
{
	uint64_t command = SMB2_CMD_COUNT;
	bool is_async;

	*message = (struct smb2_frame_message){0};
	if (!columns_take_number(columns, SMB2_COMMAND, &command) || command > SMB2_CMD_COUNT)
		command = SMB2_CMD_COUNT;
	message->command = (uint8_t)command;
	message->reply = take_number(columns, SMB2_REPLY) != 0;
	is_async = take_number(columns, SMB2_ASYNC_FLAG) != 0;
	message->related = take_number(columns, SMB2_RELATED_FLAG) != 0;
	message->id = take_number(columns, SMB2_MESSAGE);
	message->session = take_number(columns, SMB2_SESSION);
	if (!is_async)
		message->tree = (uint32_t)take_number(columns, SMB2_TREE);
	if (message->reply)
		message->status = (uint32_t)take_number(columns, SMB2_STATUS);
}

int smb2_frame_take(struct smb2_frame *frame, struct columns *columns)
{
	size_t i;

	frame->columns = columns;
	frame->unsure = 0;
	frame->count = columns_left(columns, SMB2_COMMAND);
	if (array_grow(&frame->messages, &frame->room, frame->count + 1, sizeof(*frame->messages)) <
	    0)
		return -ENOMEM;
	/* Encrypted messages have another session ID before the header's. */
	i = columns_left(columns, SMB2_SESSION);
	for (; i > frame->count; i--)
		columns_take(columns, SMB2_SESSION);
	for (i = 0; i < frame->count; i++)
		take_header(columns, &frame->messages[i]);
	return 0;
}

static bool applies(const struct rule *rule, const struct smb2_frame_message *message)
{
	if (message->command != rule->command || message->reply != (rule->direction == SUCCESS) ||
	    (rule->type != 0 && rule->type != message->type) ||
	    (rule->level != 0 && rule->level != message->level))
		return false;
	return message->status < 0x40000000 ? message->status != SMB2_PENDING
					    : message->status == SMB2_BUFFER_OVERFLOW;
}

/* Return the number of values of a column that the messages from `first` on
 * claim. Set *open if some of them may have further ones. */
static size_t claimed(const struct smb2_frame *frame, size_t first, uint8_t column, bool *open)
{
	const struct rule *rule;
	const uint8_t *claim;
	size_t count = 0, i;

	*open = false;
	for (i = first; i < frame->count; i++)
		for (rule = grammar; rule < grammar + LENGTH(grammar); rule++)
			for (claim = rule->columns;
			     *claim != 0 && applies(rule, &frame->messages[i]); claim++)
				if ((*claim & COLUMN) == column) {
					count += (*claim & ANY) == 0;
					*open |= *claim != column;
				}
	return count;
}

/* Take this number of values. A CREATE's context can have a null file ID, which
 * is skipped. */
static struct smb2_values take_values(struct columns *columns, size_t column, size_t count)
{
	static const char null_id[] = "00000000-0000-0000-0000-000000000000";
	struct smb2_values values = {NULL, 0};
	const char *text;

	while (column == SMB2_FILE_ID && (text = columns_peek(columns, column)) != NULL &&
	       strcmp(text, null_id) == 0)
		columns_take(columns, column);
	while (values.count < count && (text = columns_take(columns, column)) != NULL) {
		if (values.first == NULL)
			values.first = text;
		values.count++;
	}
	return values;
}

/* Return the number of values that a message has of a claim. Set the column's bit
 * in frame->unsure if some of them may belong to a later message. */
static size_t count_values(struct smb2_frame *frame, size_t message, uint8_t claim)
{
	size_t count = (claim & ANY) == 0, left, others;
	uint8_t column = claim & COLUMN;
	bool open;

	if (claim == column)
		return count;
	if (frame->messages[message].command == SMB2_CMD_LOCK)
		return smb2_number(frame, SMB2_LOCK_COUNT, 1);
	if (frame->count - message > COMPOUND_MAX)
		return count;
	left = columns_left(frame->columns, column);
	others = claimed(frame, message + 1, column, &open);
	if (left <= count + others)
		return count;
	if (!open)
		return left - others;
	frame->unsure |= UINT64_C(1) << column;
	return count;
}

static void take_claim(struct smb2_frame *frame, size_t number, uint8_t claim)
{
	struct smb2_frame_message *message = &frame->messages[number];
	enum smb2_column column = claim & COLUMN;
	bool unsure = smb2_is_unsure(frame, column);
	struct smb2_values values = take_values(frame->columns, column,
						count_values(frame, number, claim));

	if (!unsure)
		frame->values[column] = values;
	if (column == SMB2_TYPE)
		message->type = (uint8_t)smb2_number(frame, column, 0);
	if (column == SMB2_FILE_LEVEL || column == SMB2_SPACE_LEVEL || column == SMB2_FIND_LEVEL)
		message->level = (uint8_t)smb2_number(frame, column, 0);
}

void smb2_frame_values(struct smb2_frame *frame, size_t number)
{
	const struct rule *rule;
	const uint8_t *claim;

	memset(frame->values, 0, sizeof(frame->values));
	for (rule = grammar; rule < grammar + LENGTH(grammar); rule++)
		if (applies(rule, &frame->messages[number]))
			for (claim = rule->columns; *claim != 0; claim++)
				take_claim(frame, number, *claim);
}

const char *smb2_text(const struct smb2_frame *frame, enum smb2_column column)
{
	return frame->values[column].first;
}

uint64_t smb2_number(const struct smb2_frame *frame, enum smb2_column column, uint64_t missing)
{
	uint64_t number;

	return columns_parse_number(frame->values[column].first, &number) ? number : missing;
}

void smb2_frame_free(struct smb2_frame *frame)
{
	free(frame->messages);
}
