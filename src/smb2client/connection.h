/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A connection to an SMB2 server. One message is in flight at a time: a
 * request, or a compound of several. Breaks of oplocks are acknowledged when
 * the next replies are received. The numbers in comments are sections of
 * MS-SMB2.
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
	/* The deadline of an operation that takes several exchanges; 0: each
	 * exchange has its own. */
	uint64_t deadline_ns;
	struct smb2_stream stream;
	/* Max payload of one request, in bytes. max_transact: of a listing. */
	uint32_t max_read, max_write, max_transact;
	/* Sign or seal requests, and refuse replies that are not signed or
	 * sealed. This needs keys in `crypt`. */
	bool sign, seal;
	struct smb2_crypt crypt;
	struct smb2_message message; /* the message to send */
	/* Handle a break of an oplock: return true to acknowledge it. */
	bool (*on_break)(void *context, const struct smb2_break *broken);
	void *context;
	/* Called several times per second while a request that `may_wait` waits
	 * for another client: return false to cancel it, which clears
	 * `may_wait`. NULL: no request may wait. */
	bool (*on_wait)(void *context);
	void *waiter; /* its context */
	/* The next exchange is one request, such as for a lock. After an interim
	 * reply, it has no deadline. */
	bool may_wait;
	bool pending;      /* an interim reply has come */
	uint64_t async_id; /* that it gave to the request */
	/* The IDs of acknowledgements that the server has not answered. */
	uint64_t answers[SMB2_ANSWERS_MAX];
	unsigned answer_count;
	uint8_t *in;       /* received bytes */
	size_t have, used; /* in `in`; `used` bytes have been read */
	/* The buffer for the data of a READ (smb2_expect_data); the offset of
	 * the data among the received bytes; if `in` has a gap there; and how
	 * many bytes of the last message are in the buffer instead. */
	uint8_t *data;
	size_t data_max, data_at;
	bool has_gap;
	size_t apart;
	/* The replies to the message, in the order of its requests. They are
	 * valid until the next exchange. */
	struct smb2_reply replies[SMB2_MAX_PARTS];
	unsigned answered; /* bits of the requests with final replies */
	unsigned overdue;  /* calls since the exchange's deadline */
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

/* Start the next message. */
void smb2_connection_begin(struct smb2_connection *connection);

/* Append a request to it, as smb2_message_part() does. */
uint8_t *smb2_request(struct smb2_connection *connection, enum smb2_command command,
		      unsigned charge, size_t body_bytes);

/*
 * Send the message, with the `bytes` bytes at `data` after its last request,
 * and receive the replies. Return 0 after a final reply to each request, even
 * if the replies are failures (some of which end the connection, too), or the
 * -errno that has ended the connection:
 * -ETIMEDOUT, -ECONNABORTED (the reply breaks the protocol, lacks protection or
 * has been altered), -ECONNRESET ...
 */
int smb2_connection_exchange(struct smb2_connection *connection, const void *data, size_t bytes);

/* End the connection with `rc`, an -errno, and its cause, a static text, or NULL
 * if the errno says it all. Return `rc`. */
int smb2_lose(struct smb2_connection *connection, int rc, const char *cause);

/* End the connection because of an invalid reply, `cause`. Return
 * -ECONNABORTED. */
int smb2_broken(struct smb2_connection *connection, const char *cause);

/* The same because of the body of the reply to a command. */
int smb2_invalid(struct smb2_connection *connection, enum smb2_command command);

#endif
