/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A connection to an SMB2 server: its state, and sending. The numbers in comments are
 * sections of MS-SMB2.
 */
#ifndef SMB2CLIENT_CONNECTION_H
#define SMB2CLIENT_CONNECTION_H

#include "smb2client/crypt.h"
#include "smb2client/wire.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	/* Max payload of a read or write; servers grant enough credits. */
	SMB2_PAYLOAD_MAX = 1 << 20,
	/* Max size of a received message. */
	SMB2_MESSAGE_MAX = SMB2_PAYLOAD_MAX + (64 << 10),
	SMB2_ANSWERS_MAX = 64,
};

struct fibers;

struct smb2_connection {
	int fd; /* -1: closed */
	/* 0, or the -errno that ended the connection: all later exchanges fail
	 * with it at once. `cause` describes it: a static text, or NULL if the
	 * errno says it all. */
	int lost;
	const char *cause;
	uint64_t timeout_ns;
	/* For smb2_now_ns(): the max time that a system call waits, the time of
	 * the last call, and the sum of all pauses. */
	uint64_t step_ns, looked_ns, paused_ns;
	/* The number of waits that went on after a deadline, and this deadline. */
	unsigned overdue;
	uint64_t overdue_ns;
	struct smb2_stream stream;
	/* Max payload of one request, in bytes. max_transact: of a listing. */
	uint32_t max_read, max_write, max_transact;
	/* Sign or seal requests, and refuse replies that are not signed or
	 * sealed. This needs keys in `crypt`. */
	bool sign, seal;
	struct smb2_crypt crypt;
	/* That share the connection; NULL: none. */
	struct fibers *fibers;
	struct smb2_exchange *waiting;   /* the first one that waits for credits, or NULL */
	struct smb2_exchange *in_flight; /* the oldest one, or NULL */
	bool sending;                    /* a part of a message has been sent */
	/* Handle a break of an oplock: return true to acknowledge it. */
	bool (*on_break)(void *context, const struct smb2_break *broken);
	void *context;
	/* The breaks to acknowledge, and the IDs of the acknowledgements that the
	 * server has not answered. */
	struct smb2_break breaks[SMB2_ANSWERS_MAX];
	uint64_t answers[SMB2_ANSWERS_MAX];
	unsigned break_count, answer_count;
	uint8_t *in;       /* received bytes */
	size_t have, used; /* in `in`; `used` bytes have been read */
	bool holds;        /* replies in `in` are still needed */
	/* The buffer for the data of a READ (smb2_expect_data); the offset of
	 * the data among the received bytes; if `in` has a gap there; and how
	 * many bytes of the last message are in the buffer instead. */
	uint8_t *data;
	size_t data_max, data_at;
	bool has_gap;
	size_t apart;
};

/*
 * Connect to a server. `port` may be "", which means 445. `timeout_ns` limits
 * this call and each later exchange. Return 0 or -errno. Call smb2_disconnect()
 * in any case.
 */
int smb2_connect(struct smb2_connection *connection, const char *host, const char *port,
		 uint64_t timeout_ns);

/* Close the connection, and free and wipe all that belongs to it. */
void smb2_disconnect(struct smb2_connection *connection);

/* Protect the message, with the `bytes` bytes at `data` after its last request, and
 * send it. Return 0, or -errno after losing the connection. */
int smb2_send(struct smb2_connection *connection, struct smb2_message *message, const void *data,
	      size_t bytes, uint64_t deadline_ns);

/* End the connection with `rc`, an -errno, and its cause, a static text, or NULL
 * if the errno says it all. Return `rc`. */
int smb2_lose(struct smb2_connection *connection, int rc, const char *cause);

/* End the connection because of an invalid reply, `cause`. Return
 * -ECONNABORTED. */
int smb2_broken(struct smb2_connection *connection, const char *cause);

/* The same because of the body of the reply to a command. */
int smb2_invalid(struct smb2_connection *connection, enum smb2_command command);

#endif
