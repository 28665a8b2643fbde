/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One point on many hosts: a common start, and one tally.
 */
#include "hosts/controller.h"

#include "hosts/wire.h"
#include "play/barrier.h"
#include "play/setup.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Rounds of messages by which clocks are compared: at least, at most; and the round trip
 * that is good enough. */
enum { ROUNDS_MIN = 20, ROUNDS_MAX = 200 };
/* Max number of clocks that are compared at the same time: of too many answers that come
 * at once, the last ones would have to wait. */
enum { BATCH = 8 };
#define ROUND_TRIP_NS (500 * NS_PER_US)
/* Time for START to reach a host, besides the time that users need to get ready. */
#define START_NS (20 * NS_PER_MS)

/* Exchange a message with each host of a batch. Keep the difference of its clock if this was
 * its shortest round trip. Return the longest of the shortest round trips. */
static uint64_t exchange(struct hosts *hosts, struct host *const *batch, size_t count)
{
	uint64_t sent_ns[BATCH], longest_ns = 0;
	size_t i;

	for (i = 0; i < count; i++) {
		batch[i]->come &= ~controller_bit(MESSAGE_PONG);
		sent_ns[i] = clock_now_ns();
		controller_send(
			hosts, batch[i],
			&(const struct message){.type = MESSAGE_PING, .numbers = {sent_ns[i]}});
	}
	for (i = 0; i < count; i++) {
		struct host *host = batch[i];
		uint64_t took_ns;

		while (!hosts->why.set &&
		       controller_awaits(host, controller_bit(MESSAGE_PONG), false))
			controller_pump(hosts, 1);
		took_ns = host->heard_ns - sent_ns[i];
		if (host->numbers[0] == sent_ns[i] && took_ns < host->trip_ns) {
			host->trip_ns = took_ns;
			host->offset_ns = (int64_t)(host->numbers[1] - sent_ns[i] - took_ns / 2);
		}
		if (host->trip_ns > longest_ns)
			longest_ns = host->trip_ns;
	}
	return longest_ns;
}

static void compare_batch(struct hosts *hosts, struct host *const *batch, size_t count)
{
	unsigned round;
	size_t i;

	for (i = 0; i < count; i++)
		batch[i]->trip_ns = CLOCK_NEVER;
	for (round = 0; round < ROUNDS_MAX && !hosts->why.set; round++)
		if (exchange(hosts, batch, count) <= ROUND_TRIP_NS && round >= ROUNDS_MIN)
			break;
	for (i = 0; i < count; i++) {
		struct host *host = batch[i];

		host->bound_ns = host->trip_ns < CLOCK_NEVER ? host->trip_ns / 2 : 0;
		if (host->bound_ns > host->worst_ns)
			host->worst_ns = host->bound_ns;
		host->compared_ns = clock_now_ns();
	}
}

void hosts_compare_clocks(struct hosts *hosts)
{
	struct host *batch[BATCH];
	size_t count = 0, i;

	for (i = 0; i < hosts->count; i++) {
		if (hosts->list[i].compares)
			batch[count++] = &hosts->list[i];
		hosts->list[i].compares = false;
		if (count == BATCH || (i + 1 == hosts->count && count > 0)) {
			compare_batch(hosts, batch, count);
			count = 0;
		}
	}
}

/* Tell the commands of --sample when the phases of the point are. */
static void publish(const struct hosts *hosts, const struct phases *phases, uint64_t start_ns)
{
	struct stats_run *during = hosts->during;

	during->measure_ns = start_ns + (phases_in_loops(phases) ? 0 : phases->warmup_ns);
	during->stop_ns = phases_in_loops(phases) ? CLOCK_NEVER
						  : during->measure_ns + phases->time_ns;
	during->leave_ns = during->stop_ns;
	__atomic_store_n(&during->start_ns, start_ns, __ATOMIC_RELEASE);
}

/* Check if a host has users of a load, or of any with SIZE_MAX. */
static bool plays(const struct host *host, size_t load)
{
	return load == SIZE_MAX ? host->users > 0 : meetings_has(host, load);
}

uint64_t controller_agree(struct hosts *hosts, size_t load, uint64_t fresh_ns)
{
	uint64_t bound_ns = 0;
	unsigned users = 0;
	size_t i;

	for (i = 0; i < hosts->count; i++) {
		struct host *host = &hosts->list[i];

		host->compares = plays(host, load) &&
				 clock_now_ns() - host->compared_ns >= fresh_ns;
	}
	hosts_compare_clocks(hosts);
	for (i = 0; i < hosts->count; i++) {
		const struct host *host = &hosts->list[i];

		if (!plays(host, load))
			continue;
		bound_ns = host->bound_ns > bound_ns ? host->bound_ns : bound_ns;
		users = host->users > users ? host->users : users;
	}
	return clock_now_ns() + barrier_lead_ns(users) + START_NS + 4 * bound_ns;
}

/* Let the users of all hosts start at the same time. */
static void start(struct hosts *hosts, const struct phases *phases)
{
	uint64_t start_ns = controller_agree(hosts, SIZE_MAX, 0);
	size_t i;

	for (i = 0; i < hosts->count && !hosts->why.set; i++) {
		struct host *host = &hosts->list[i];
		const struct message message = {
			.type = MESSAGE_START,
			.numbers = {start_ns + (uint64_t)host->offset_ns},
		};

		if (host->users > 0)
			controller_send(hosts, host, &message);
	}
	meetings_start(hosts, start_ns);
	publish(hosts, phases, start_ns);
}

/* Share the users among the hosts. */
static void share_users(struct hosts *hosts, unsigned users)
{
	size_t i;

	for (i = 0; i < hosts->count; i++) {
		struct host *host = &hosts->list[i];

		host->first_user = (unsigned)((uint64_t)users * i / hosts->count);
		host->users = (unsigned)((uint64_t)users * (i + 1) / hosts->count) -
			      host->first_user;
		host->view = (struct workers_view){.stage = WORKERS_SETUP};
	}
}

/* Describe the share of a host. `left` is what is left to others (sharing_choose). */
static void describe_share(const struct host *host, const struct workers_plan *plan, bool early,
			   const bool *left, struct payload *text)
{
	const double rate = plan->loads->list[0].program->rate.per_s;
	const size_t loads = plan->loads->count;
	char key[PAYLOAD_KEY];
	size_t i;

	payload_add(text, "first_user", "%u", host->first_user);
	payload_add(text, "users", "%u", host->users);
	payload_add(text, "users_total", "%u", plan->users);
	payload_add(text, "early", "%d", early);
	payload_add(text, "rate_uhz", "%.0f", rate * 1e6);
	for (i = 0; i < plan->target_count * loads; i++)
		if (left[i] && plan->loads->list[i % loads].profile->setup.shared_end > 0)
			payload_add(text, payload_left_key((unsigned)(i / loads), i % loads, key),
				    "1");
}

/* Send each host its share of the users. */
static void send_point(struct hosts *hosts, const struct workers_plan *plan, bool early)
{
	const size_t pairs = plan->target_count * plan->loads->count;
	bool *left = sharing_choose(hosts, plan);
	size_t i;

	if (left == NULL)
		error_no_memory(&hosts->why);
	for (i = 0; i < hosts->count && !hosts->why.set; i++) {
		struct host *host = &hosts->list[i];
		struct payload text = {.bytes = 0};
		struct message point = {
			.type = MESSAGE_POINT,
			.numbers = {plan->side, plan->variant},
			.payload = text.text,
		};

		describe_share(host, plan, early, left + i * pairs, &text);
		point.bytes = text.bytes;
		if (text.full)
			controller_fail(hosts, host,
					"the run has too many targets and loads for one message to "
					"the host");
		else if (host->users > 0)
			controller_send(hosts, host, &point);
	}
	free(left);
}

/*
 * Wait until all hosts with users have sent a message. Return whether they have: one of them
 * may have failed, or its users may have ended.
 */
static bool await_users(struct hosts *hosts, enum message_type type)
{
	const unsigned ended = controller_bit(MESSAGE_TALLY) | controller_bit(MESSAGE_ENDED);
	bool waiting = true;
	size_t i;

	while (waiting) {
		waiting = false;
		for (i = 0; i < hosts->count; i++) {
			const struct host *host = &hosts->list[i];

			if (hosts->why.set || (host->users > 0 && (host->come & ended) != 0))
				return false;
			waiting |= controller_awaits(host, controller_bit(type), true);
		}
		if (waiting)
			controller_pump(hosts, CONTROLLER_WAIT_MS);
	}
	return true;
}

/* Wait until all users are ready. Those for whom SETUP shared is played elsewhere can only go
 * on when it was. */
static bool await_ready(struct hosts *hosts, const struct workers_plan *plan)
{
	size_t i;

	if (setup_is_shared(plan)) {
		if (!await_users(hosts, MESSAGE_SHARED))
			return false;
		for (i = 0; i < hosts->count; i++)
			if (hosts->list[i].users > 0)
				controller_send(hosts, &hosts->list[i],
						&(const struct message){.type = MESSAGE_SHARED});
	}
	return await_users(hosts, MESSAGE_READY);
}

/* Check if users of a host have failed by themselves. */
static bool has_trouble(const struct tally *tally)
{
	return tally->failure[0] != '\0' || tally->died_user >= 0 || tally->stuck ||
	       tally->deadlock[0] != '\0';
}

/* Check if users of a host have failed, so that the others must end, too. */
static bool has_failed(const struct tally *tally)
{
	return has_trouble(tally) || tally->interrupted != 0;
}

/* Wait until all hosts with users have sent their tallies. When one has failed, or with
 * `stop`, stop the others. */
static void await_tallies(struct hosts *hosts, bool stop)
{
	const unsigned mask = controller_bit(MESSAGE_TALLY) | controller_bit(MESSAGE_ENDED) |
			      controller_bit(MESSAGE_FAILED);
	uint64_t end_ns = CLOCK_NEVER;
	size_t i;
	bool is_over = false;

	while (!is_over && clock_now_ns() < end_ns) {
		bool failed = hosts->why.set;

		is_over = true;
		for (i = 0; i < hosts->count; i++) {
			const struct host *host = &hosts->list[i];

			is_over &= !controller_awaits(host, mask, true);
			if (!failed && hosts->culprit == NULL && !hosts->stopped &&
			    has_failed(&host->tally))
				hosts->culprit = host;
		}
		failed |= stop || hosts->culprit != NULL;
		if (failed && !hosts->stopped) {
			controller_stop(hosts);
			end_ns = clock_now_ns() + HOSTS_PATIENCE_NS;
		}
		if (!hosts->stopped)
			meetings_go(hosts);
		if (!is_over)
			controller_pump(hosts, CONTROLLER_WAIT_MS);
	}
}

/* Forget how the users of a host have ended. */
static void forget_end(struct tally *tally)
{
	tally->interrupted = 0;
	tally->died_user = -1;
	tally->died_signal = tally->died_status = 0;
	tally->stuck = false;
	tally->deadlock[0] = tally->failure[0] = '\0';
}

/* Sum up the tallies. Those that were stopped because of another one do not say why they
 * have ended. Return 0 or -ENOMEM. */
static int add_up(struct hosts *hosts, struct tally *sum)
{
	const struct host *culprit = hosts->culprit;
	size_t i;
	int rc = 0;

	*sum = (struct tally){.first_user = UINT32_MAX, .died_user = -1};
	sum->hosts = calloc(hosts->count, sizeof(*sum->hosts));
	if (sum->hosts == NULL)
		return -ENOMEM;
	for (i = 0; i < hosts->count && rc == 0; i++) {
		struct host *host = &hosts->list[i];
		struct tally *tally = &host->tally;

		/* The users of several hosts may fail at the same time. */
		if (culprit != NULL && host != culprit)
			forget_end(tally);
		if (hosts->stopped && (host != culprit || has_trouble(tally)))
			tally->interrupted = 0;
		/* A lost host has sent none. */
		if (tally->users == 0)
			continue;
		sum->hosts[sum->host_count++] = (struct tally_host){
			.name = host->name,
			.tally = tally,
			.clock_error_ns = host->worst_ns,
		};
		rc = tally_add(sum, tally);
	}
	if (hosts->interrupted != 0)
		sum->interrupted = hosts->interrupted;
	return rc;
}

/* Report the end of the point. */
static int report(struct hosts *hosts, bool again)
{
	const struct point_observer *observer = hosts->observer;
	bool failed = hosts->why.set && hosts->interrupted == 0;
	bool lost = failed && hosts->lost != NULL;
	struct tally sum;
	int rc = add_up(hosts, &sum);

	observer->over(observer->context,
		       &(const struct point_end){
			       .tally = rc == 0 && sum.users > 0 ? &sum : NULL,
			       .again = again,
			       .not_started = lost     ? hosts->lost_why.text
					      : failed ? hosts->why.text
						       : NULL,
			       .lost_host = lost ? hosts->lost->name : NULL,
			       .host = hosts->culprit != NULL ? hosts->culprit->name : NULL,
			       .window_ns = sum.window_ns,
		       });
	tally_free(&sum);
	return rc;
}

int hosts_play(void *context, struct workers_plan *plan, const struct point_observer *observer,
	       bool early)
{
	struct hosts *hosts = context;
	bool again = false, is_ready;
	size_t i;

	memset(hosts->during, 0, sizeof(*hosts->during));
	hosts->observer = observer;
	hosts->culprit = NULL;
	hosts->load_count = plan->loads->count > 1 ? plan->loads->count : 0;
	if (observer->begin != NULL)
		observer->begin(observer->context, hosts->during);
	controller_expect(hosts);
	for (i = 0; i < hosts->count; i++) {
		tally_free(&hosts->list[i].tally);
		hosts->list[i].worst_ns = 0;
	}
	share_users(hosts, plan->users);
	if (meetings_open(hosts, plan) < 0)
		error_no_memory(&hosts->why);
	send_point(hosts, plan, early);
	is_ready = await_ready(hosts, plan);
	if (is_ready)
		start(hosts, &plan->phases);
	await_tallies(hosts, !is_ready);
	report(hosts, false);
	hosts->observer = NULL;
	for (i = 0; i < hosts->count; i++)
		hosts->list[i].come &= ~controller_bit(MESSAGE_TALLY);
	controller_await_all(hosts, controller_bit(MESSAGE_ENDED), true);
	for (i = 0; i < hosts->count; i++)
		again |= (hosts->list[i].come & controller_bit(MESSAGE_TALLY)) != 0;
	hosts->observer = observer;
	/* A host may have failed since the first report. */
	if ((early && again) || hosts->why.set)
		report(hosts, true);
	hosts->observer = NULL;
	meetings_close(hosts);
	return hosts->why.set ? -EIO : 0;
}
