/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Exchanges over a connection: each is a message, which is a request or a compound of
 * several, and its replies. One exchange is in flight at a time, unless fibers share
 * the connection: then each has one. Breaks of oplocks are acknowledged when the next
 * replies are received. The numbers in comments are sections of MS-SMB2.
 */
#ifndef SMB2CLIENT_EXCHANGE_H
#define SMB2CLIENT_EXCHANGE_H

#include "smb2client/connection.h"

/* An exchange, which is used again and again. */
struct smb2_exchange {
	struct smb2_connection *connection;
	/* The next one in flight, or the next one that waits for credits. */
	struct smb2_exchange *next;
	unsigned credits;            /* that it waits for */
	struct smb2_message message; /* to send */
	/* When the replies must be there; CLOCK_NEVER: the request waits for
	 * another client. */
	uint64_t deadline_ns;
	/* The deadline of an operation that takes several exchanges; 0: each
	 * exchange has its own. */
	uint64_t limit_ns;
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
	/* Where to put up to this many bytes of the data of a READ. All of this
	 * buffer may be overwritten. */
	uint8_t *data;
	size_t data_max;
	/* Number of the reply's last bytes that are only there. */
	size_t apart;
	/* Copies of the replies, if fibers share the connection; else NULL. */
	uint8_t *copies;
	size_t copied; /* bytes of it in use */
	/* The replies to the message, in the order of its requests. They are
	 * valid until the next exchange. */
	struct smb2_reply replies[SMB2_MAX_PARTS];
	unsigned answered; /* bits of the requests with final replies */
};

/* Prepare an exchange. Return 0 or -ENOMEM. Call smb2_exchange_close() in any
 * case. */
int smb2_exchange_open(struct smb2_exchange *exchange, struct smb2_connection *connection);
void smb2_exchange_close(struct smb2_exchange *exchange);

/*
 * Let fibers share the connection: `exchange` is one of the exchanges that they will
 * have. When a fiber waits for replies, others run. Return 0 or -ENOMEM.
 */
int smb2_connection_share(struct smb2_exchange *exchange, struct fibers *fibers);

/* Receive a message, and take the replies in it. Return 0 at `until_ns` at the latest,
 * but not inside a message, or -errno after losing the connection. */
int smb2_take_input(struct smb2_connection *connection, uint64_t until_ns);

/* Let other fibers run until a message can use this number of credits, unless no
 * reply can bring any. Messages begin in the order of these calls. */
void smb2_await_credits(struct smb2_exchange *exchange, unsigned credits);

/* Start the next message. */
void smb2_connection_begin(struct smb2_exchange *exchange);

/* Append a request to it, as smb2_message_part() does. */
uint8_t *smb2_request(struct smb2_exchange *exchange, enum smb2_command command, unsigned charge,
		      size_t body_bytes);

/*
 * Send the message, with the `bytes` bytes at `data` after its last request,
 * and receive the replies. Return 0 after a final reply to each request, even
 * if the replies are failures (some of which end the connection, too), or the
 * -errno that has ended the connection:
 * -ETIMEDOUT, -ECONNABORTED (the reply breaks the protocol, lacks protection or
 * has been altered), -ECONNRESET ...
 */
int smb2_connection_exchange(struct smb2_exchange *exchange, const void *data, size_t bytes);

#endif
