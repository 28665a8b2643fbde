/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A link between the controller of a run on many hosts and a host: messages over
 * two descriptors, usually the standard input and output of a launcher such as
 * ssh.
 *
 * A message is a line "NAME NUMBER... BYTES", its payload, and a newline: some
 * launchers hold back what follows the last newline. What arrives is not trusted.
 * No function waits: a launcher whose host is gone may stop reading.
 */
#ifndef HOSTS_LINK_H
#define HOSTS_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* clang-format off */

/* The messages. `>` is sent by the controller, `<` by the host, whose wire (wire.h)
 * answers PING and BEAT itself, and sends HELLO and LOST. */
#define MESSAGES(X) \
	X(HELLO)     /* < the first one: the machine and its version of throng */ \
	X(LOAD)      /* > a piece of a loadfile, before ARGUMENTS */ \
	X(ACCOUNT)   /* > with which users log in, before ARGUMENTS */ \
	X(ARGUMENTS) /* > the command line */ \
	X(PREPARED)  /* < the loads are compiled */ \
	X(PROBE)     /* > claim the targets of a variant */ \
	X(FACTS)     /* < what the targets are */ \
	X(POINT)     /* > fork the users of a point */ \
	X(READY)     /* < they wait at the start line */ \
	X(PING)      /* > read the clock */ \
	X(PONG)      /* < its time */ \
	X(START)     /* > let the users start at this time; 0: call the point off */ \
	X(BEAT)      /* > each second; < the same, with the state of the point */ \
	X(SHARED)    /* < the set-up that users share is done; > so it is elsewhere */ \
	X(ARRIVED)   /* < the users of this host have ended a phase */ \
	X(GO)        /* > begin the next phase at this time */ \
	X(TALLY)     /* < what the users counted */ \
	X(ENDED)     /* < the users have ended, and removed their files */ \
	X(STOP)      /* > end the point */ \
	X(CLEAN)     /* > remove the files of the variant */ \
	X(CLEANED)   /* < done */ \
	X(LEAVE)     /* > remove all files; the crew ends */ \
	X(LEFT)      /* < done */ \
	X(FAILED)    /* < the last request has failed: why */ \
	X(LOST)      /* < the crew has died */ \
	X(END)       /* > the last message: the wire ends */
/* clang-format on */

#define MESSAGES_ID(name) MESSAGE_##name,
enum message_type { MESSAGES(MESSAGES_ID) MESSAGE_TYPES };

enum { MESSAGE_NUMBERS = 4, MESSAGE_BYTES_MAX = 16 << 20 };

struct message {
	enum message_type type;
	uint64_t numbers[MESSAGE_NUMBERS];
	const void *payload; /* received: followed by a NUL; valid until the next call */
	size_t bytes;
};

struct link {
	int in_fd, out_fd; /* -1: closed */
	/* Other programs may have written to the descriptor before the first
	 * message: a greeting of a login shell. Lines before it are skipped. */
	bool greeted;
	char *received;
	size_t have, taken, received_room;
	char *unsent;
	size_t unsent_bytes, sent, unsent_room;
};

/* Make a link of two descriptors, which it owns from now on. */
void link_open(struct link *link, int in_fd, int out_fd);
void link_close(struct link *link);

/*
 * Send a message, or keep what the descriptor does not take. Return 0; -EPIPE if
 * the other side has closed its end; -ENOBUFS if it has not read for too long;
 * or -errno.
 */
int link_send(struct link *link, const struct message *message);

/* Send what was kept. Return 1 if some is left, 0, or -errno. */
int link_flush(struct link *link);

/* Read what has arrived. Return 0, -EPIPE at the end of the stream, or -errno. */
int link_fill(struct link *link);

/* Take the next message. Return 1; 0 if none has arrived whole; or -EPROTO if
 * what arrived is none. */
int link_next(struct link *link, struct message *message);

#endif
