/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The SMB2 messages of a captured frame: the fields that tshark prints, dealt
 * out to the messages by a table of how many values each kind of message has.
 */
#ifndef CAPTURE_SMB_FRAME_H
#define CAPTURE_SMB_FRAME_H

#include "capture/decode/columns.h"

/* X(COLUMN, field of tshark), after CAPTURE_FIELDS. */
#define SMB2_COLUMN_LIST(X) \
	X(SMB1_COMMAND, "smb.cmd") \
	X(SMB1_REPLY, "smb.flags.response") \
	X(ENCRYPTED, "smb2.header.transform.flags.encrypted") \
	X(COMMAND, "smb2.cmd") \
	X(REPLY, "smb2.flags.response") \
	X(ASYNC_FLAG, "smb2.flags.async") \
	X(RELATED_FLAG, "smb2.flags.chained") \
	X(MESSAGE, "smb2.msg_id") \
	X(SESSION, "smb2.sesid") \
	X(TREE, "smb2.tid") \
	X(STATUS, "smb2.nt_status") \
	X(ACCOUNT, "smb2.acct") \
	X(SHARE, "smb2.tree") \
	X(PREVIOUS_SESSION, "smb2.previous_sesid") \
	X(FILE_ID, "smb2.fid") \
	X(FILE_NAME, "smb2.filename") \
	X(DISPOSITION, "smb2.create.disposition") \
	X(ACTION, "smb2.create.action") \
	X(OPTIONS, "smb.create_options") \
	X(ACCESS, "smb.access_mask") \
	X(SHARE_ACCESS, "smb.share_access") \
	X(ATTRIBUTES, "smb2.file_attribute") \
	X(END_OF_FILE, "smb2.eof") \
	X(NEW_END_OF_FILE, "smb.end_of_file") \
	X(NEW_ALLOCATION, "smb.alloc_size64") \
	X(READ_LENGTH, "smb2.read_length") \
	X(WRITE_LENGTH, "smb2.write_length") \
	X(WRITTEN, "smb2.write.count") \
	X(OFFSET, "smb2.file_offset") \
	X(DATA_LENGTH, "smb2.olb.length") \
	X(PATTERN, "smb2.find.pattern") \
	X(FIND_FLAGS, "smb2.find.flags") \
	X(FIND_LEVEL, "smb2.find.infolevel") \
	X(TYPE, "smb2.class") \
	X(FILE_LEVEL, "smb2.file_info.infolevel") \
	X(SPACE_LEVEL, "smb2.fs_info.infolevel") \
	X(REPLACE, "smb2.rename.replace_if") \
	X(DELETE_FLAG, "smb2.disposition.delete_on_close") \
	X(LOCK_COUNT, "smb2.lock_count") \
	X(LOCK_LENGTH, "smb2.lock_length") \
	X(LOCK_FLAGS, "smb2.lock_flags") \
	X(FUNCTION, "smb2.ioctl.function") \
	X(COPY_KEY, "smb2.fsctl.cchunk.resume_key") \
	X(COPY_FROM, "smb2.fsctl.cchunk.src_offset") \
	X(COPY_TO, "smb2.fsctl.cchunk.dst_offset") \
	X(COPY_LENGTH, "smb2.fsctl.cchunk.xfer_len") \
	X(UNDECODED, "smb2.unknown")

/* clang-format off */
enum smb2_column {
	SMB2_BEFORE_FIRST = CAPTURE_COLUMNS - 1,
#define X(column, field) SMB2_##column,
	SMB2_COLUMN_LIST(X)
#undef X
		SMB2_COLUMNS
};
/* clang-format on */

/* MS-SMB2 2.2.1.2. */
enum smb2_cmd {
	SMB2_CMD_NEGOTIATE,
	SMB2_CMD_SESSION_SETUP,
	SMB2_CMD_LOGOFF,
	SMB2_CMD_TREE_CONNECT,
	SMB2_CMD_TREE_DISCONNECT,
	SMB2_CMD_CREATE,
	SMB2_CMD_CLOSE,
	SMB2_CMD_FLUSH,
	SMB2_CMD_READ,
	SMB2_CMD_WRITE,
	SMB2_CMD_LOCK,
	SMB2_CMD_IOCTL,
	SMB2_CMD_CANCEL,
	SMB2_CMD_ECHO,
	SMB2_CMD_FIND,
	SMB2_CMD_NOTIFY,
	SMB2_CMD_QUERY_INFO,
	SMB2_CMD_SET_INFO,
	SMB2_CMD_BREAK,
	SMB2_CMD_COUNT
};

/* InfoType of QUERY_INFO and SET_INFO (MS-SMB2 2.2.37). */
enum smb2_info_type {
	SMB2_INFO_FILE = 1,
	SMB2_INFO_SPACE,
	SMB2_INFO_SECURITY,
};

/* Classes of information about files (MS-FSCC 2.4). */
enum smb2_info_level {
	SMB2_LEVEL_BASIC = 4,
	SMB2_LEVEL_STANDARD = 5,
	SMB2_LEVEL_RENAME = 10,
	SMB2_LEVEL_LINK = 11,
	SMB2_LEVEL_DISPOSITION = 13,
	SMB2_LEVEL_ALL = 18,
	SMB2_LEVEL_ALLOCATION = 19,
	SMB2_LEVEL_END_OF_FILE = 20,
	SMB2_LEVEL_NETWORK_OPEN = 34,
};

enum {
	SMB2_PENDING = 0x103,               /* STATUS_PENDING */
	SMB2_BUFFER_OVERFLOW = 0x80000005u, /* a success with a part of the data */
};

struct smb2_frame_message {
	uint8_t command; /* enum smb2_cmd, or SMB2_CMD_COUNT for others */
	bool reply, related;
	/* InfoType and class; 0: unknown. For a reply, those of its request,
	 * which the caller sets before smb2_frame_values(). */
	uint8_t type, level;
	uint32_t tree, status;
	uint64_t id, session;
};

/* Values of a column that belong to one message. Each ends by a NUL, and the
 * next one follows. */
struct smb2_values {
	const char *first; /* NULL: none */
	size_t count;
};

struct smb2_frame {
	struct columns *columns;
	struct smb2_frame_message *messages;
	size_t count, room;
	/* The values of the message that was asked for last. */
	struct smb2_values values[SMB2_COLUMNS];
	/* Set of 1 << column: columns whose values cannot be dealt out further,
	 * for example those of two listings in one frame. */
	uint64_t unsure;
};

/* Take the headers of all messages in the line. Return 0 or -ENOMEM. */
int smb2_frame_take(struct smb2_frame *frame, struct columns *columns);

/* Take the values of a message, for all messages in their order. Requests get
 * their type and level. */
void smb2_frame_values(struct smb2_frame *frame, size_t message);

/* Return the first value of a column, or NULL; or as a number, or `missing`. */
const char *smb2_text(const struct smb2_frame *frame, enum smb2_column column);
uint64_t smb2_number(const struct smb2_frame *frame, enum smb2_column column, uint64_t missing);

static inline bool smb2_is_unsure(const struct smb2_frame *frame, enum smb2_column column)
{
	return (frame->unsure >> column & 1) != 0;
}

void smb2_frame_free(struct smb2_frame *frame);

#endif
