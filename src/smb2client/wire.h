/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The messages of SMB2 and SMB3: headers, compounds, credits, and the replies
 * to a login. These are pure functions over buffers. Replies come from a server
 * that may be broken or hostile, so every parser checks all lengths and
 * offsets, and returns -EPROTO for a reply that breaks the protocol. The
 * numbers in comments are sections of MS-SMB2.
 */
#ifndef SMB2CLIENT_WIRE_H
#define SMB2CLIENT_WIRE_H

#include "smb2client/reply.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* 2.2.1.2: the commands. */
enum smb2_command {
	SMB2_NEGOTIATE,
	SMB2_SESSION_SETUP,
	SMB2_LOGOFF,
	SMB2_TREE_CONNECT,
	SMB2_TREE_DISCONNECT,
	SMB2_CREATE,
	SMB2_CLOSE,
	SMB2_FLUSH,
	SMB2_READ,
	SMB2_WRITE,
	SMB2_LOCK,
	SMB2_IOCTL,
	SMB2_CANCEL,
	SMB2_ECHO,
	SMB2_QUERY_DIRECTORY,
	SMB2_CHANGE_NOTIFY,
	SMB2_QUERY_INFO,
	SMB2_SET_INFO,
	SMB2_OPLOCK_BREAK,
	SMB2_COMMANDS,
};

/* 2.2.1.2: flags in the header. */
enum smb2_header_flag {
	SMB2_FROM_SERVER = 1 << 0,
	SMB2_ASYNC = 1 << 1,
	SMB2_RELATED = 1 << 2,
	SMB2_SIGNED = 1 << 3,
};

/* 2.2.3, 2.2.4: the security mode and the capabilities. */
enum { SMB2_SIGNING_ENABLED = 1 << 0, SMB2_SIGNING_REQUIRED = 1 << 1 };
enum smb2_server_capability {
	SMB2_CAP_LEASING = 1 << 1,
	SMB2_CAP_LARGE_MTU = 1 << 2,
	SMB2_CAP_ENCRYPTION = 1 << 6,
};

enum {
	SMB2_FRAME_BYTES = 4,      /* 2.1: length before each message */
	SMB2_TRANSFORM_BYTES = 52, /* 2.2.41: header of a sealed message */
	SMB2_HEADER_BYTES = 64,    /* 2.2.1.2 */
	/* Free bytes before a request, for a frame and a transform header. */
	SMB2_FRONT = SMB2_FRAME_BYTES + SMB2_TRANSFORM_BYTES,
	SMB2_MAX_PARTS = 8, /* requests in one of our compounds */
};

/* The message id of messages that answer no request, such as breaks of
 * oplocks (2.2.23). */
#define SMB2_UNSOLICITED UINT64_MAX

/* The part of a connection's state that the headers of requests contain. */
struct smb2_stream {
	uint16_t dialect; /* enum smb2_dialect; 0 before it is negotiated */
	uint32_t credits; /* that the server has granted, and we have not used */
	uint64_t next_id;
	uint64_t session_id;
	uint32_t tree_id;
};

/*
 * A message that is being written: one request, or a compound of several. The
 * caller provides the buffer. The message itself begins at SMB2_FRONT.
 */
struct smb2_message {
	uint8_t *bytes;
	size_t capacity;
	size_t end; /* offset in `bytes` of the first free byte */
	bool full;  /* the message does not fit into the buffer */
	unsigned parts;
	size_t start[SMB2_MAX_PARTS]; /* offset in `bytes` of each header */
	uint64_t ids[SMB2_MAX_PARTS];
	uint16_t commands[SMB2_MAX_PARTS];
};

/* Start an empty message in the buffer that the message has. */
void smb2_message_start(struct smb2_message *message);

/*
 * Append a request to the message: its header, and `body_bytes` zeros for the
 * fixed part of its body, to which the function returns a pointer. All requests
 * of a message but the first are related to the one before. `charge` is the
 * number of credits that the request uses (smb2_charge). Return NULL and set
 * message->full if there is no room, there are too many requests, or the server
 * has not granted enough credits.
 */
uint8_t *smb2_message_part(struct smb2_message *message, struct smb2_stream *stream,
			   enum smb2_command command, unsigned charge, size_t body_bytes);

/* Append bytes to the message's last request. Without room, set
 * message->full. */
void smb2_message_add(struct smb2_message *message, const void *data, size_t bytes);

/* Append zeros until the length of the message is a multiple of 8. */
void smb2_message_align(struct smb2_message *message);

/* Return the size of a request: its header, its body, and the padding before
 * the next request of the message. */
size_t smb2_message_part_bytes(const struct smb2_message *message, unsigned part);

/* Return the number of credits that a request uses. The payload is that of the
 * request or of its reply, whichever is larger. */
unsigned smb2_charge(const struct smb2_stream *stream, uint64_t payload_bytes);

/* Return the max payload, up to `limit` bytes, for which the credits
 * suffice. Without credits, return 0. */
uint32_t smb2_payload(const struct smb2_stream *stream, uint32_t limit);

/* Is this message, of at least 4 bytes, sealed (2.2.41)? */
static inline bool smb2_is_sealed(const uint8_t *message)
{
	return message[0] == 0xfd;
}

/* A reply, or one of the replies of a compound. */
struct smb2_reply {
	uint16_t command;
	uint32_t status, flags;
	uint16_t credits; /* granted */
	uint64_t message_id, session_id;
	uint32_t tree_id;
	uint64_t async_id;    /* of an asynchronous reply, which has no tree_id */
	const uint8_t *bytes; /* the header, then the body */
	size_t size;
};

/* Is this the interim reply to a request that the server will answer later
 * (3.3.4.2)? */
bool smb2_reply_is_interim(const struct smb2_reply *reply);

/*
 * Read the next reply of a received message. *at is its offset in the message,
 * 0 at first. Return 1, 0 if there are no more replies, or -EPROTO.
 */
int smb2_reply_next(const uint8_t *message, size_t bytes, size_t *at, struct smb2_reply *reply);

/*
 * Check a final reply: it must be a failure, or a success with the structure
 * size that the protocol requires for the command. A success has the status 0;
 * only the output of QUERY_INFO may be cut off instead (3.3.4.4, for files and
 * directories). Return 0 or -EPROTO.
 */
int smb2_reply_check(const struct smb2_reply *reply);

/* Return the body of a reply if it has the structure size `size` and at least
 * `bytes` bytes, or NULL. */
const uint8_t *smb2_reply_body(const struct smb2_reply *reply, unsigned size, size_t bytes);

/* Set `data` to a part of a reply, which must start after the `fixed` bytes of
 * the body. The server may give any offset for an empty part. Return 0 or
 * -EPROTO. */
int smb2_reply_data(const struct smb2_reply *reply, size_t fixed, uint32_t offset, uint32_t size,
		    struct smb2_data *data);

/* 2.2.4. `hash`, `cipher` and `signing` are the numbers in the contexts of a
 * 3.1.1 server (2.2.4.1), 0 without such a context. */
struct smb2_negotiated {
	uint16_t security_mode, dialect;
	uint8_t server_guid[16];
	uint32_t capabilities;
	uint32_t max_transact, max_read, max_write;
	uint16_t hash, cipher, signing;
	bool has_signing;
};
int smb2_parse_negotiate(const struct smb2_reply *reply, struct smb2_negotiated *negotiated);

/* 2.2.6: the flags of a session, and the token of the login. */
enum { SMB2_SESSION_GUEST = 1, SMB2_SESSION_NULL = 2, SMB2_SESSION_SEALED = 4 };
int smb2_parse_session_setup(const struct smb2_reply *reply, uint16_t *session_flags,
			     struct smb2_data *token);

/* 2.2.10 */
enum { SMB2_SHARE_DISK = 1 };
enum { SMB2_SHARE_SEALED = 1 << 15 };
struct smb2_tree {
	uint8_t type;
	uint32_t flags;
};
int smb2_parse_tree_connect(const struct smb2_reply *reply, struct smb2_tree *tree);

/* Parse the break of an oplock or lease (2.2.23). */
int smb2_parse_break(const struct smb2_reply *reply, struct smb2_break *broken);

/* Append the request that acknowledges a break (2.2.24). */
void smb2_put_break(struct smb2_message *message, struct smb2_stream *stream,
		    const struct smb2_break *broken);

/* Append the request that cancels the request number `id`, to which an interim
 * reply gave the number `async_id` (2.2.30, 3.2.4.24). It has no reply of its
 * own, and uses no message id and no credit. */
void smb2_put_cancel(struct smb2_message *message, struct smb2_stream *stream, uint64_t id,
		     uint64_t async_id);

#endif
