/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "capture/nfs/part.h"

#include "base/array.h"

#include <stdlib.h>
#include <string.h>

/* CREATE of NFSv3 and OPEN of NFSv4: the modes that set no attributes. */
enum { EXCLUSIVE = 2 };

/* Max size of a handle (RFC 8881 3.2). */
enum { HANDLE_BYTES_MAX = 128 };

static uint64_t take(struct nfs_frame *frame, struct nfs_part *part, enum nfs_column column)
{
	uint64_t number = 0;

	if (!columns_take_number(&frame->columns, column, &number))
		part->incomplete = true;
	return number;
}

static const char *take_text(struct nfs_frame *frame, struct nfs_part *part, enum nfs_column column)
{
	const char *text = columns_take(&frame->columns, column);

	part->incomplete |= text == NULL;
	return text;
}

/* Take a handle, and set *number. Return false if it is missing. */
static bool take_handle(struct nfs_frame *frame, struct nfs_part *part, uint32_t *number)
{
	const char *handle = take_text(frame, part, NFS_HANDLE);
	size_t length = handle != NULL ? strlen(handle) : 0;
	int64_t interned;
	int is_new;

	part->incomplete |= length == 0 || length > 2 * HANDLE_BYTES_MAX;
	if (part->incomplete)
		return false;
	interned = intern(&frame->handles, handle, length, &is_new);
	frame->failed |= interned < 0;
	*number = (uint32_t)interned;
	return interned >= 0;
}

static void keep_handle(struct nfs_frame *frame, struct nfs_part *part)
{
	uint32_t handle;

	if (take_handle(frame, part, &handle) && part->handle_count < NFS_NAMES)
		part->handles[part->handle_count++] = handle;
}

static void take_name(struct nfs_frame *frame, struct nfs_part *part, enum nfs_column column)
{
	const char *name = take_text(frame, part, column);

	/* An empty name is a mistake of the client. */
	if (name == NULL || *name == '\0' || strchr(name, '/') != NULL)
		part->incomplete = true;
	else if (part->name_count < NFS_NAMES)
		part->names[part->name_count++] = name;
}

/* ftype3 (RFC 1813 2.5) and nfs_ftype4 (RFC 7530 3.1) agree on these. */
static enum node_kind kind_of(uint64_t type)
{
	static const enum node_kind kinds[] = {
		NODE_UNKNOWN, NODE_FILE, NODE_DIRECTORY, NODE_OTHER,
		NODE_OTHER,   NODE_LINK, NODE_OTHER,     NODE_OTHER,
	};

	return type < sizeof(kinds) / sizeof(kinds[0]) ? kinds[type] : NODE_UNKNOWN;
}

static int64_t bytes_of(uint64_t size)
{
	return size <= INT64_MAX / 2 ? (int64_t)size : RECORDED_UNKNOWN;
}

/* Take the attributes of NFSv3. */
static void take_attributes(struct nfs_frame *frame, struct nfs_part *part, enum node_kind *kind,
			    int64_t *bytes)
{
	uint64_t type = take(frame, part, NFS_TYPE_3);
	uint64_t size = take(frame, part, NFS_SIZE_3);

	*kind = kind_of(type);
	*bytes = *kind == NODE_FILE ? bytes_of(size) : RECORDED_UNKNOWN;
}

static void take_optional_attributes(struct nfs_frame *frame, struct nfs_part *part,
				     enum node_kind *kind, int64_t *bytes)
{
	if (take(frame, part, NFS_FOLLOWS) == 1)
		take_attributes(frame, part, kind, bytes);
}

static void skip_optional_attributes(struct nfs_frame *frame, struct nfs_part *part)
{
	enum node_kind kind;
	int64_t bytes;

	take_optional_attributes(frame, part, &kind, &bytes);
}

/* Take the six attributes of a sattr3. */
static void take_settings(struct nfs_frame *frame, struct nfs_part *part)
{
	uint64_t follows[6];
	size_t i;

	for (i = 0; i < 6; i++)
		follows[i] = take(frame, part, NFS_SET_IT);
	if (follows[3] != 1)
		return;
	part->attributes |= NFS_SETS_SIZE;
	part->set_size = take(frame, part, NFS_SET_SIZE);
}

static enum nfs_attribute attribute_of(uint64_t number)
{
	switch (number) {
	case 1:
		return NFS_ASKS_TYPE;
	case 4:
		return NFS_SETS_SIZE;
	case 33:
		return NFS_SETS_MODE;
	case 36:
	case 37:
		return NFS_SETS_OWNER;
	case 48:
	case 54:
		return NFS_SETS_TIMES;
	case 21: /* files_avail and so on */
	case 22:
	case 23:
	case 42: /* space_avail and so on */
	case 43:
	case 44:
		return NFS_ASKS_SPACE;
	default:
		return 0;
	}
}

/* Can a call set this attribute (RFC 8881 5.6, 5.7, 8275, 9754)? */
static bool is_settable(uint64_t number)
{
	static const uint8_t settable[] = {
		4,  12, 14, 25, 32, 33, 36, 37, 46, 48, 49, 50,
		54, 58, 59, 63, 70, 72, 73, 74, 80, 81, 84, 85,
	};

	return number < 256 && memchr(settable, (int)number, sizeof(settable)) != NULL;
}

/* Is there no value for an attribute that a call sets? */
static bool has_no_value(const struct nfs_frame *frame, uint64_t number)
{
	switch (attribute_of(number)) {
	case NFS_SETS_SIZE:
		return columns_peek(&frame->columns, NFS_SIZE_4) == NULL;
	case NFS_SETS_MODE:
		return columns_peek(&frame->columns, NFS_MODE_4) == NULL;
	default:
		return false;
	}
}

/*
 * Take a bitmap of NFSv4, of which tshark prints the numbers. They ascend, so a
 * lower one belongs to the next bitmap. That of attributes to set can be empty,
 * so one that cannot be set, or has no value, belongs to the next bitmap, too.
 */
static void take_bitmap(struct nfs_frame *frame, struct nfs_part *part, bool sets)
{
	const char *text;
	uint64_t next = 0, number;

	while ((text = columns_peek(&frame->columns, NFS_ATTRIBUTE)) != NULL) {
		number = strtoull(text, NULL, 10);
		if (number < next ||
		    (sets && (!is_settable(number) || has_no_value(frame, number))))
			break;
		columns_take(&frame->columns, NFS_ATTRIBUTE);
		part->attributes |= attribute_of(number);
		next = number + 1;
	}
}

/* Take the values of the attributes in a bitmap that a call sets or compares. */
static void take_settings_4(struct nfs_frame *frame, struct nfs_part *part, bool sets)
{
	take_bitmap(frame, part, sets);
	if ((part->attributes & NFS_ASKS_TYPE) != 0)
		take(frame, part, NFS_TYPE_4);
	if ((part->attributes & NFS_SETS_SIZE) != 0)
		part->set_size = take(frame, part, NFS_SIZE_4);
	if ((part->attributes & NFS_SETS_MODE) != 0)
		part->mode = take(frame, part, NFS_MODE_4);
}

/* Take the arguments of an OPEN (RFC 8881 18.16). */
static void take_open(struct nfs_frame *frame, struct nfs_part *part)
{
	enum { NULL_CLAIM, PREVIOUS, DELEGATED, DELEGATED_PREVIOUS, HANDLE, DELEGATED_HANDLE };

	part->access = take(frame, part, NFS_SHARE_ACCESS);
	part->creates = take(frame, part, NFS_OPEN_TYPE) == 1;
	if (part->creates) {
		uint64_t mode = take(frame, part, NFS_CREATE_MODE_4);

		if (mode != EXCLUSIVE)
			take_settings_4(frame, part, true);
		part->mode = mode;
	}
	part->claim = take(frame, part, NFS_CLAIM);
	if (part->claim == DELEGATED || part->claim == DELEGATED_HANDLE)
		take_text(frame, part, NFS_STATEID);
	if (part->claim == NULL_CLAIM || part->claim == DELEGATED ||
	    part->claim == DELEGATED_PREVIOUS)
		take_name(frame, part, NFS_NAME_4);
}

/* Take the delegation of an OPEN's reply. */
static void take_delegation(struct nfs_frame *frame, struct nfs_part *part)
{
	uint64_t type = take(frame, part, NFS_DELEGATION);

	if (type == 1 || type == 2) /* to read, to write */
		part->delegation = take_text(frame, part, NFS_STATEID);
}

/* Take the arguments of a CREATE of NFSv4. */
static void take_create(struct nfs_frame *frame, struct nfs_part *part)
{
	part->kind = kind_of(take(frame, part, NFS_TYPE_4));
	if (part->kind == NODE_LINK)
		part->text = take_text(frame, part, NFS_LINK_TEXT);
	take_name(frame, part, NFS_NAME_4);
	take_settings_4(frame, part, true);
}

/* Take the attributes of a GETATTR's reply, or of an entry of NFSv4. */
static void take_attributes_4(struct nfs_frame *frame, struct nfs_part *part, enum node_kind *kind,
			      int64_t *bytes)
{
	*kind = NODE_UNKNOWN;
	*bytes = RECORDED_UNKNOWN;
	if (frame->has_types)
		*kind = kind_of(take(frame, part, NFS_TYPE_4));
	if (frame->has_sizes)
		*bytes = bytes_of(take(frame, part, NFS_SIZE_4));
	if (*kind == NODE_DIRECTORY)
		*bytes = RECORDED_UNKNOWN;
}

static bool is_dot(const char *name)
{
	return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/* Add a name to the listing, without "." and "..". */
static void add_entry(struct nfs_frame *frame, const struct nfs_entry *entry)
{
	if (is_dot(entry->name) || *entry->name == '\0' || strchr(entry->name, '/') != NULL)
		return;
	if (array_grow(&frame->names, &frame->name_room, frame->entry_count + 1,
		       sizeof(*frame->names)) < 0 ||
	    array_grow(&frame->entries, &frame->entry_room, frame->entry_count + 1,
		       sizeof(*frame->entries)) < 0) {
		frame->failed = true;
		return;
	}
	frame->names[frame->entry_count] = entry->name;
	frame->entries[frame->entry_count++] = *entry;
}

/* Take all names of the frame's listing. */
static void take_entries(struct nfs_frame *frame, struct nfs_part *part, enum nfs_column column)
{
	struct nfs_entry entry;
	uint64_t follows;
	bool handles = column == NFS_ENTRY_4 && columns_left(&frame->columns, NFS_HANDLE) ==
							columns_left(&frame->columns, column);

	part->incomplete |= frame->listings > 1;
	while (!part->incomplete && (entry.name = columns_take(&frame->columns, column)) != NULL) {
		entry.kind = NODE_UNKNOWN;
		entry.bytes = RECORDED_UNKNOWN;
		entry.has_handle = handles;
		if (column == NFS_ENTRY_PLUS) {
			take_optional_attributes(frame, part, &entry.kind, &entry.bytes);
			follows = take(frame, part, NFS_HANDLE_FOLLOWS);
			entry.has_handle = follows == 1;
		} else if (column == NFS_ENTRY_4) {
			take_attributes_4(frame, part, &entry.kind, &entry.bytes);
		}
		if (entry.has_handle)
			entry.has_handle = take_handle(frame, part, &entry.handle);
		add_entry(frame, &entry);
	}
}

/* Letters that stand for one number. */
static const struct {
	char letter;
	enum nfs_column column;
	size_t at;
} numbers[] = {
	{'o', NFS_OFFSET_3, offsetof(struct nfs_part, offset)},
	{'O', NFS_OFFSET_4, offsetof(struct nfs_part, offset)},
	{'c', NFS_COUNT_3, offsetof(struct nfs_part, count)},
	{'C', NFS_COUNT_4, offsetof(struct nfs_part, count)},
	{'L', NFS_LENGTH_4, offsetof(struct nfs_part, count)},
	{'R', NFS_READ_LENGTH, offsetof(struct nfs_part, count)},
	{'W', NFS_WRITE_LENGTH, offsetof(struct nfs_part, count)},
	{'s', NFS_STABLE_3, offsetof(struct nfs_part, mode)},
	{'k', NFS_COOKIE_3, offsetof(struct nfs_part, cookie)},
	{'K', NFS_COOKIE_4, offsetof(struct nfs_part, cookie)},
	{'m', NFS_LOCK_TYPE, offsetof(struct nfs_part, mode)},
	{'a', NFS_SHARE_ACCESS, offsetof(struct nfs_part, access)},
	{'y', NFS_NLM_OFFSET, offsetof(struct nfs_part, offset)},
	{'Y', NFS_NLM_LENGTH, offsetof(struct nfs_part, count)},
	{'u', NFS_NLM_STATUS, offsetof(struct nfs_part, mode)},
	{'v', NFS_NLM_TEST_STATUS, offsetof(struct nfs_part, mode)},
};

enum nfs_column nfs_column_of(char letter)
{
	size_t i;

	if (letter == 'h')
		return NFS_HANDLE;
	if (letter == 'x')
		return NFS_STATEID;
	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (numbers[i].letter == letter)
			return numbers[i].column;
	return NFS_COLUMNS;
}

/* Take all values of a column that no later operation claims. */
static void take_unclaimed(struct nfs_frame *frame, enum nfs_column column)
{
	size_t claims = frame->claims[column], left;

	if (columns_peek(&frame->columns, column) == NULL)
		return;
	left = claims == NFS_ANY ? 0 : columns_left(&frame->columns, column);
	frame->mixed_up |= left < claims;
	for (; left > claims; left--)
		columns_take(&frame->columns, column);
}

/* Take the statuses in the reply of an operation on statuses. */
static void take_statuses(struct nfs_frame *frame)
{
	size_t i;

	frame->mixed_up |= frame->further_statuses == NFS_ANY;
	for (i = 0; i < frame->further_statuses && !frame->mixed_up; i++)
		columns_take(&frame->columns, NFS_STATUS_4);
}

static bool take_listed_number(struct nfs_frame *frame, char letter, struct nfs_part *part)
{
	size_t i;

	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		uint64_t number;

		if (numbers[i].letter != letter)
			continue;
		number = take(frame, part, numbers[i].column);
		memcpy((char *)part + numbers[i].at, &number, sizeof(number));
		return true;
	}
	return false;
}

/* Take what replies report about files. */
static bool take_reported(struct nfs_frame *frame, char letter, struct nfs_part *part)
{
	switch (letter) {
	case 'A':
		take_attributes(frame, part, &part->kind, &part->bytes);
		return true;
	case 'P':
		take_optional_attributes(frame, part, &part->kind, &part->bytes);
		return true;
	case '-':
		skip_optional_attributes(frame, part);
		return true;
	case 'w':
		take(frame, part, NFS_FOLLOWS);
		skip_optional_attributes(frame, part);
		return true;
	case 'q':
		take(frame, part, NFS_FOLLOWS);
		take_optional_attributes(frame, part, &part->kind, &part->bytes);
		return true;
	case 'g':
		take_attributes_4(frame, part, &part->kind, &part->bytes);
		return true;
	case 'F':
		if (take(frame, part, NFS_HANDLE_FOLLOWS) == 1)
			keep_handle(frame, part);
		return true;
	case 'l':
		take_entries(frame, part, NFS_ENTRY_3);
		return true;
	case 'e':
		take_entries(frame, part, NFS_ENTRY_PLUS);
		return true;
	case 'E':
		take_entries(frame, part, NFS_ENTRY_4);
		part->end = take(frame, part, NFS_EOF_4) == 1;
		return true;
	default:
		return false;
	}
}

static void take_letter(struct nfs_frame *frame, char letter, struct nfs_part *part)
{
	switch (letter) {
	case 'h':
		keep_handle(frame, part);
		break;
	case 'n':
		take_name(frame, part, NFS_NAME_3);
		break;
	case 'p':
		take_name(frame, part, NFS_NAME_4);
		break;
	case 'x':
		part->stateid = take_text(frame, part, NFS_STATEID);
		break;
	case 'i':
		part->text = take_text(frame, part, NFS_LINK_TO);
		break;
	case 'r':
		part->text = take_text(frame, part, NFS_READLINK_3);
		break;
	case 'S':
		take_settings(frame, part);
		break;
	case 'M':
		part->mode = take(frame, part, NFS_CREATE_MODE_3);
		if (part->mode != EXCLUSIVE)
			take_settings(frame, part);
		break;
	case 'b':
		take_bitmap(frame, part, false);
		break;
	case 'Z':
	case 'V':
		take_settings_4(frame, part, letter == 'Z');
		break;
	case 't':
		take_statuses(frame);
		break;
	case 'N':
		take_open(frame, part);
		break;
	case 'G':
		take_create(frame, part);
		break;
	case 'd':
		take_delegation(frame, part);
		break;
	default: /* '?' */
		frame->mixed_up = true;
		break;
	}
}

void nfs_take(struct nfs_frame *frame, const char *grammar, struct nfs_part *part)
{
	part->kind = NODE_UNKNOWN;
	part->bytes = RECORDED_UNKNOWN;
	part->incomplete |= frame->mixed_up;
	for (; *grammar != '\0' && !frame->mixed_up; grammar++) {
		if (*grammar == '*') {
			take_unclaimed(frame, nfs_column_of(*++grammar));
			continue;
		}
		if (take_reported(frame, *grammar, part)) {
			/* A call can do without these. */
			frame->mixed_up = part->incomplete;
			part->incomplete = false;
			continue;
		}
		if (!take_listed_number(frame, *grammar, part))
			take_letter(frame, *grammar, part);
		/* The missing values may have been taken by other parts. */
		frame->mixed_up |= part->incomplete;
	}
}
