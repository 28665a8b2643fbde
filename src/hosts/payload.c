/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hosts/payload.h"

#include "base/utf8.h"

#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

void payload_add(struct payload *payload, const char *name, const char *format, ...)
{
	char value[PAYLOAD_VALUE];
	size_t room = sizeof(payload->text) - payload->bytes;
	va_list list;
	int length;

	va_start(list, format);
	vsnprintf(value, sizeof(value), format, list);
	va_end(list);
	utf8_mask(value);
	length = snprintf(payload->text + payload->bytes, room, "%s %s\n", name, value);
	if (length > 0 && (size_t)length < room)
		payload->bytes += (size_t)length;
	else
		payload->full = true;
	payload->text[payload->bytes] = '\0';
}

const char *payload_text(const char *text, const char *name, char value[PAYLOAD_VALUE])
{
	size_t length = strlen(name);

	value[0] = '\0';
	while (text != NULL && *text != '\0') {
		const char *end = strchrnul(text, '\n');

		if (strncmp(text, name, length) == 0 && text[length] == ' ') {
			snprintf(value, PAYLOAD_VALUE, "%.*s", (int)(end - text - length - 1),
				 text + length + 1);
			utf8_mask(value);
			break;
		}
		text = *end == '\n' ? end + 1 : end;
	}
	return value;
}

uint64_t payload_number(const char *text, const char *name)
{
	char value[PAYLOAD_VALUE], *end;
	uint64_t number;

	payload_text(text, name, value);
	errno = 0;
	number = strtoull(value, &end, 10);
	return errno == 0 && *end == '\0' && value[0] >= '0' && value[0] <= '9' ? number : 0;
}

/*
 * Hosts.
 */

void machine_describe(struct machine *machine)
{
	struct identity self;
	struct stat network;
	struct utsname host;
	cpu_set_t usable;

	uname(&host);
	*machine = (struct machine){
		.cpus = (unsigned)sysconf(_SC_NPROCESSORS_ONLN),
		.memory_bytes = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE),
	};
	snprintf(machine->version, sizeof(machine->version), "%s", PACKAGE_VERSION);
	snprintf(machine->name, sizeof(machine->name), "%.*s", (int)sizeof(machine->name) - 1,
		 host.nodename);
	snprintf(machine->kernel, sizeof(machine->kernel), "%.*s", (int)sizeof(machine->kernel) - 1,
		 host.release);
	if (identity_make(&self) == 0)
		snprintf(machine->boot, sizeof(machine->boot), "%.*s",
			 (int)sizeof(machine->boot) - 1, self.boot);
	if (stat("/proc/self/ns/net", &network) == 0)
		snprintf(machine->network, sizeof(machine->network), "%" PRIu64,
			 (uint64_t)network.st_ino);
	machine->usable_cpus = sched_getaffinity(0, sizeof(usable), &usable) == 0
				       ? (unsigned)CPU_COUNT(&usable)
				       : machine->cpus;
}

void machine_print(const struct machine *machine, struct payload *payload)
{
	payload_add(payload, "version", "%s", machine->version);
	payload_add(payload, "name", "%s", machine->name);
	payload_add(payload, "kernel", "%s", machine->kernel);
	payload_add(payload, "boot", "%s", machine->boot);
	payload_add(payload, "network", "%s", machine->network);
	payload_add(payload, "cpus", "%u", machine->cpus);
	payload_add(payload, "usable_cpus", "%u", machine->usable_cpus);
	payload_add(payload, "memory_bytes", "%" PRIu64, machine->memory_bytes);
}

/* Copy a value to a text. */
#define COPY_TEXT(from, key, to) \
	snprintf(to, sizeof(to), "%.*s", (int)sizeof(to) - 1, payload_text(from, key, value))

void machine_parse(const char *text, struct machine *machine)
{
	char value[PAYLOAD_VALUE];

	*machine = (struct machine){
		.cpus = (unsigned)payload_number(text, "cpus"),
		.usable_cpus = (unsigned)payload_number(text, "usable_cpus"),
		.memory_bytes = payload_number(text, "memory_bytes"),
	};
	COPY_TEXT(text, "version", machine->version);
	COPY_TEXT(text, "name", machine->name);
	COPY_TEXT(text, "kernel", machine->kernel);
	COPY_TEXT(text, "boot", machine->boot);
	COPY_TEXT(text, "network", machine->network);
}

/*
 * Targets.
 */

/* The numbers of a target. */
#define FACTS(X) \
	X(facts.free_bytes) \
	X(facts.in_memory) \
	X(facts.droppable) \
	X(facts.flushes_names) \
	X(facts.capabilities) \
	X(claim.begun) \
	X(claim.second) \
	X(claim.key) \
	X(others) \
	X(more_others) \
	X(in_use)

static const char *key_of(unsigned number, const char *name, char key[PAYLOAD_KEY])
{
	snprintf(key, PAYLOAD_KEY, "%u.%s", number, name);
	return key;
}

void facts_print(const struct workers_target *on, unsigned number, struct payload *payload)
{
	char key[PAYLOAD_KEY];

	payload_add(payload, key_of(number, "kind", key), "%s", on->facts.kind);
	payload_add(payload, key_of(number, "protection", key), "%s", on->facts.protection);
	payload_add(payload, key_of(number, "algorithm", key), "%s", on->facts.algorithm);
	payload_add(payload, key_of(number, "directory", key), "%s", on->claim.file.name);
	payload_add(payload, key_of(number, "workdir", key), "%s", on->claim.file.workdir);
#define FACTS_PRINT(member) \
	payload_add(payload, key_of(number, #member, key), "%" PRIu64, (uint64_t)on->member);
	FACTS(FACTS_PRINT)
}

void facts_parse(const char *text, unsigned number, struct workers_target *on)
{
	char key[PAYLOAD_KEY], value[PAYLOAD_VALUE];

	COPY_TEXT(text, key_of(number, "kind", key), on->facts.kind);
	COPY_TEXT(text, key_of(number, "protection", key), on->facts.protection);
	COPY_TEXT(text, key_of(number, "algorithm", key), on->facts.algorithm);
	COPY_TEXT(text, key_of(number, "directory", key), on->claim.file.name);
	COPY_TEXT(text, key_of(number, "workdir", key), on->claim.file.workdir);
#define FACTS_PARSE(member) \
	on->member = (__typeof__(on->member))payload_number(text, key_of(number, #member, key));
	FACTS(FACTS_PARSE)
}

const char *payload_left_key(unsigned target, size_t load, char key[PAYLOAD_KEY])
{
	snprintf(key, PAYLOAD_KEY, "left.%u.%zu", target, load);
	return key;
}

/*
 * The state of a point.
 */

#define VIEW(X) \
	X(stage) \
	X(users) \
	X(ready) \
	X(alive) \
	X(elapsed_ns) \
	X(left_ns) \
	X(ops) \
	X(bytes) \
	X(sum_ns) \
	X(mismatches) \
	X(measured_bytes) \
	X(p99_ns) \
	X(peak_ns)

void view_print(const struct workers_view *view, struct payload *payload)
{
#define VIEW_PRINT(member) payload_add(payload, #member, "%" PRIu64, (uint64_t)view->member);
	VIEW(VIEW_PRINT)
}

void view_parse(const char *text, struct workers_view *view)
{
	*view = (struct workers_view){0};
#define VIEW_PARSE(member) view->member = (__typeof__(view->member))payload_number(text, #member);
	VIEW(VIEW_PARSE)
	if (view->stage > WORKERS_CLEANUP)
		view->stage = WORKERS_CLEANUP;
}
