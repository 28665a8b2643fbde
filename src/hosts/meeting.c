/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The users of a load meet before each of its phases, also those of different hosts. Each
 * host says when its users have arrived; when all hosts have, they are sent the same answer.
 */
#include "hosts/controller.h"

#include <errno.h>
#include <stdlib.h>

/* The clocks of hosts may drift apart by 100 us in this time. */
#define FRESH_NS (NS_PER_S / 2)

/* A host that has users of a load. */
struct attendance {
	bool expected; /* it has any */
	bool here;     /* they have arrived */
	bool ended;    /* ... because they have ended a phase, */
	uint64_t round;
	uint64_t longest_ns; /* in which one of them took so long */
};

/* A load. */
struct meeting {
	uint64_t begin_ns; /* when its phase has begun on all hosts, by our clock */
};

/* Set which loads the users of a host play. */
static void expect(struct host *host, const struct loads *loads)
{
	unsigned i;

	for (i = 0; i < host->users && i < loads->turn_count; i++)
		host->arrivals[loads_index(loads, host->first_user + i)].expected = true;
}

int meetings_open(struct hosts *hosts, const struct workers_plan *plan)
{
	size_t count = plan->loads->count, i;

	hosts->meetings = calloc(count, sizeof(*hosts->meetings));
	if (hosts->meetings == NULL)
		return -ENOMEM;
	for (i = 0; i < hosts->count; i++) {
		struct host *host = &hosts->list[i];

		host->arrivals = calloc(count, sizeof(*host->arrivals));
		if (host->arrivals == NULL)
			return -ENOMEM;
		expect(host, plan->loads);
	}
	hosts->meeting_count = count;
	return 0;
}

void meetings_close(struct hosts *hosts)
{
	size_t i;

	for (i = 0; i < hosts->count; i++) {
		free(hosts->list[i].arrivals);
		hosts->list[i].arrivals = NULL;
	}
	free(hosts->meetings);
	hosts->meetings = NULL;
	hosts->meeting_count = 0;
}

bool meetings_has(const struct host *host, size_t load)
{
	return host->arrivals[load].expected;
}

void meetings_start(struct hosts *hosts, uint64_t start_ns)
{
	size_t load;

	for (load = 0; load < hosts->meeting_count; load++)
		hosts->meetings[load].begin_ns = start_ns;
}

void meetings_take(struct hosts *hosts, struct host *host, const struct message *message)
{
	struct attendance *arrival;

	if (message->numbers[0] >= hosts->meeting_count)
		return;
	arrival = &host->arrivals[message->numbers[0]];
	arrival->here = true;
	arrival->round = message->numbers[1];
	arrival->ended = message->numbers[2] != 0;
	arrival->longest_ns = message->numbers[3];
}

/* Return the first host whose users of a load have arrived, if all others have, too. Note a
 * failure if they are not at the same place. */
static const struct host *find_complete(struct hosts *hosts, size_t load)
{
	const struct host *first = NULL;
	size_t i;

	for (i = 0; i < hosts->count; i++) {
		const struct host *host = &hosts->list[i];
		const struct attendance *arrival = &host->arrivals[load];

		if (!arrival->expected)
			continue;
		if (!arrival->here)
			return NULL;
		if (first == NULL)
			first = host;
		if (arrival->round == first->arrivals[load].round &&
		    arrival->ended == first->arrivals[load].ended)
			continue;
		controller_fail(hosts, host,
				"users on this host are in another phase of the load than users on "
				"other hosts");
		return NULL;
	}
	return first;
}

/* Let the users of a load, who have all arrived, go on. */
static void go(struct hosts *hosts, size_t load, const struct attendance *any)
{
	struct meeting *meeting = &hosts->meetings[load];
	struct message message = {.type = MESSAGE_GO, .numbers = {load, any->round}};
	const bool ended = any->ended;
	uint64_t longest_ns = 0;
	size_t i;

	for (i = 0; i < hosts->count; i++)
		if (hosts->list[i].arrivals[load].longest_ns > longest_ns)
			longest_ns = hosts->list[i].arrivals[load].longest_ns;
	message.numbers[2] = longest_ns;
	message.numbers[3] = meeting->begin_ns + longest_ns - hosts->during->start_ns;
	if (!ended)
		meeting->begin_ns = controller_agree(hosts, load, FRESH_NS);
	for (i = 0; i < hosts->count && !hosts->why.set; i++) {
		struct host *host = &hosts->list[i];
		struct attendance *arrival = &host->arrivals[load];

		if (!arrival->expected)
			continue;
		arrival->here = false;
		arrival->longest_ns = 0;
		if (!ended)
			message.numbers[2] = meeting->begin_ns + (uint64_t)host->offset_ns;
		controller_send(hosts, host, &message);
	}
}

void meetings_go(struct hosts *hosts)
{
	size_t load;

	for (load = 0; load < hosts->meeting_count && !hosts->why.set; load++) {
		const struct host *first = find_complete(hosts, load);

		if (first != NULL)
			go(hosts, load, &first->arrivals[load]);
	}
}
