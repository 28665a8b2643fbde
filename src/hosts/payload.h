/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The payloads of messages that are texts: lines "NAME VALUE". They describe a host,
 * its targets, a point that is to be played, and its state.
 */
#ifndef HOSTS_PAYLOAD_H
#define HOSTS_PAYLOAD_H

#include "play/plan.h"
#include "run/workers_view.h"

/* Buffer sizes for a value, and for a payload. */
enum { PAYLOAD_VALUE = 256, PAYLOAD_BYTES = 4096 };

struct payload {
	char text[PAYLOAD_BYTES];
	size_t bytes;
	bool full; /* a line did not fit, and was left out */
};

/* Add a line. What is not safe to print in the value becomes a question mark
 * (utf8.h). */
void payload_add(struct payload *payload, const char *name, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Find the line of a name in a text that ends with a NUL. Return its value,
 * masked, or "". */
const char *payload_text(const char *text, const char *name, char value[PAYLOAD_VALUE]);
/* Return the value as a number, or 0 if it is none. */
uint64_t payload_number(const char *text, const char *name);

/* A host. */
struct machine {
	char version[64];
	char name[64], kernel[64];
	/* The boot of the machine and its network namespace: two hosts with the
	 * same are one. "": unknown. */
	char boot[64], network[32];
	unsigned cpus, usable_cpus; /* usable: by this process */
	uint64_t memory_bytes;
};

/* Describe this host. */
void machine_describe(struct machine *machine);
void machine_print(const struct machine *machine, struct payload *payload);
void machine_parse(const char *text, struct machine *machine);

/* The facts that a claim has found: the parts of a struct workers_target that a
 * controller needs. `number` is that of the target. */
void facts_print(const struct workers_target *on, unsigned number, struct payload *payload);
void facts_parse(const char *text, unsigned number, struct workers_target *on);

/* Return the name of the line which says that SETUP shared of a load on a target is left to
 * another host. */
enum { PAYLOAD_KEY = 48 };
const char *payload_left_key(unsigned target, size_t load, char key[PAYLOAD_KEY]);

/* The state of a point. */
void view_print(const struct workers_view *view, struct payload *payload);
void view_parse(const char *text, struct workers_view *view);

#endif
