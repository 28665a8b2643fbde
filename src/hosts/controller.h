/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The hosts of a run, as its controller knows them: send them messages, take theirs, and
 * notice when one is lost. The first failure of any host is kept. Only for the files of the
 * controller: hosts, play, meeting, sharing.
 */
#ifndef HOSTS_CONTROLLER_H
#define HOSTS_CONTROLLER_H

#include "base/clock.h"
#include "hosts/hosts.h"
#include "hosts/payload.h"
#include "run/tally.h"
#include "sweep/steps.h"

struct host {
	const char *name;
	struct launched launched;
	struct link link;
	struct machine machine;
	/* Messages that have come since they were last cleared, one bit each. */
	unsigned come;
	uint64_t heard_ns;                 /* when a message came last; 0: never */
	bool lost;                         /* neither crew nor wire answers any more */
	uint64_t numbers[MESSAGE_NUMBERS]; /* of the last message but BEAT */
	struct workers_view view;
	unsigned first_user, users; /* of the point */
	struct tally tally;         /* of the point */
	char *facts;                /* the payload of FACTS */
	/* The keys (rundir.h) of the targets of each side. */
	uint64_t *keys[STEPS_SIDES];
	int64_t offset_ns;           /* its clock minus ours */
	uint64_t bound_ns;           /* max error of that, */
	uint64_t compared_ns;        /* at this time by our clock */
	bool compares;               /* its clock is to be compared with ours */
	uint64_t trip_ns;            /* shortest round trip of a message meanwhile */
	uint64_t worst_ns;           /* max of bound_ns in the point */
	struct attendance *arrivals; /* of the point, per load (meeting.c) */
};

struct hosts {
	struct host *list;
	size_t count;
	struct venue venue;
	struct error why; /* the first failure of a host */
	/* The host that is lost, if that is the failure, and the reason. */
	const struct host *lost;
	struct error lost_why;
	int interrupted; /* the signal that we got; 0: none */
	bool stopped;    /* STOP was sent */
	/* The first host whose users have failed, so that the others had to stop; or NULL. */
	const struct host *culprit;
	uint64_t beat_ns;  /* when to send the next BEAT */
	size_t load_count; /* of the tallies: 0 if there is only one load */
	/* While a point is played; else NULL. */
	const struct point_observer *observer;
	/* The times of the point's phases, by our clock, for other processes. */
	struct stats_run *during;
	struct meeting *meetings; /* per load (meeting.c) */
	size_t meeting_count;
};

/* Longest wait for messages, so that signals are noticed. */
enum { CONTROLLER_WAIT_MS = 20 };

/* The mask of a type of message. */
static inline unsigned controller_bit(enum message_type type)
{
	return 1u << type;
}

/* Note the first failure, of a host; and that a host is lost. */
void controller_fail(struct hosts *hosts, const struct host *host, const char *why);
void controller_lose(struct hosts *hosts, struct host *host, const char *why);

void controller_send(struct hosts *hosts, struct host *host, const struct message *message);
void controller_send_all(struct hosts *hosts, const struct message *message);

/* End the point on all hosts. */
void controller_stop(struct hosts *hosts);

/* Wait up to `wait_ms` for messages, and take them. Once per second, ask all hosts for a sign
 * of life, and call the observer. */
void controller_pump(struct hosts *hosts, int wait_ms);

/* Forget which messages have come. */
void controller_expect(struct hosts *hosts);

/* Check if a host, or with `of_users` one with users, may still send a message of a mask. */
bool controller_awaits(const struct host *host, unsigned mask, bool of_users);

/*
 * Wait until all hosts, or those with users, have sent one of the messages of a mask, or
 * until something has failed, unless it had before. Return the first host that has not, or
 * NULL.
 */
struct host *controller_await(struct hosts *hosts, unsigned mask, bool of_users, uint64_t max_ns);

/* Wait until all hosts, or those with users, have sent one of the messages of a mask or are
 * lost, whatever else fails. Hosts that remove files need any time. */
void controller_await_all(struct hosts *hosts, unsigned mask, bool of_users);

/* Set `error` to the failure of a host, if there was any. Return 0 or -EIO; -EINTR if we were
 * interrupted. */
int controller_give(const struct hosts *hosts, struct error *error);

/* Compare the clocks of the hosts that have `compares` set with ours (play.c). */
void hosts_compare_clocks(struct hosts *hosts);

/*
 * Compare the clocks of the hosts that have users of load number `load`, or of any with
 * SIZE_MAX, with ours, unless that was done in the last `fresh_ns`. Return the earliest
 * time at which all of them can start together, by our clock (play.c).
 */
uint64_t controller_agree(struct hosts *hosts, size_t load, uint64_t fresh_ns);

/*
 * Let users of the same load meet across hosts (meeting.c): prepare for a point that
 * hosts have got their shares of; note that its users start; take ARRIVED from a host; send
 * GO where all have arrived; and forget the point.
 */
int meetings_open(struct hosts *hosts, const struct workers_plan *plan);
void meetings_start(struct hosts *hosts, uint64_t start_ns);
void meetings_take(struct hosts *hosts, struct host *host, const struct message *message);
void meetings_go(struct hosts *hosts);
void meetings_close(struct hosts *hosts);

/* Check if a host has users of a load that other hosts may have users of. */
bool meetings_has(const struct host *host, size_t load);

/*
 * Choose the users that play SETUP shared, when the hosts have got their shares: the first
 * user of each load in each directory (sharing.c). Return an allocated list for each host, one
 * after the other: which of them are left to other hosts (plan.h). NULL: memory is short.
 */
bool *sharing_choose(const struct hosts *hosts, const struct workers_plan *plan);

/* Play a point: the venue's slot (play.c). */
int hosts_play(void *context, struct workers_plan *plan, const struct point_observer *observer,
	       bool early);

#endif
