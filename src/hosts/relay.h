/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Relay the bytes of links between descriptors and ranks (mpi.h). MPI has no descriptor
 * that one could wait for: look often while there is traffic, and rarely else, as users
 * play on the same processors.
 */
#ifndef HOSTS_RELAY_H
#define HOSTS_RELAY_H

#include "hosts/mpi.h"

#include <stdbool.h>
#include <stdint.h>

/* A link: what its descriptor gives goes to a rank, and what this rank sends goes to the
 * descriptor. Each side ends with an empty message. */
struct relayed {
	unsigned rank;
	int fd;
	bool read_end, sent_end; /* the descriptor's end was read; and sent */
	bool got_end, wrote_end; /* the rank's end has come; and was passed on */
	char last;               /* the message of the rank after that; 0: none */
	char *unsent;            /* MPI_BYTES, of which `unsent_bytes` were not sent */
	size_t unsent_bytes;
	char *unwritten;
	size_t unwritten_bytes, room;
};

struct relay {
	const struct mpi *mpi;
	struct relayed *list;
	size_t count;
	uint64_t busy_ns; /* when there was traffic last */
};

/* Add a link, and own its descriptor. Return 0 or -ENOMEM. */
int relay_add(struct relay *relay, unsigned rank, int fd);

/* Wait for bytes for some time, and relay them. */
void relay_step(struct relay *relay);

/* Check if all links have ended on both sides. */
bool relay_is_over(const struct relay *relay);

void relay_free(struct relay *relay);

#endif
