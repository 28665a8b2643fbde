/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hosts/controller.h"

#include "base/process.h"
#include "base/utf8.h"
#include "hosts/wire.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void controller_fail(struct hosts *hosts, const struct host *host, const char *why)
{
	error_set(&hosts->why, "host %s: %s", host->name, why);
	utf8_mask(hosts->why.text);
}

void controller_lose(struct hosts *hosts, struct host *host, const char *why)
{
	char text[LAUNCHER_SAYS + 64], says[LAUNCHER_SAYS];

	if (host->lost)
		return;
	host->lost = true;
	launcher_look(&host->launched);
	launcher_quote(&host->launched, says);
	snprintf(text, sizeof(text), "%s%s%s", why, says[0] != '\0' ? ": " : "", says);
	if (!hosts->why.set) {
		hosts->lost = host;
		error_set(&hosts->lost_why, "%s", text);
		utf8_mask(hosts->lost_why.text);
	}
	controller_fail(hosts, host, text);
}

void controller_send(struct hosts *hosts, struct host *host, const struct message *message)
{
	int rc = host->lost ? 0 : link_send(&host->link, message);

	if (rc < 0)
		controller_lose(hosts, host, "the connection was closed");
}

void controller_send_all(struct hosts *hosts, const struct message *message)
{
	size_t i;

	for (i = 0; i < hosts->count; i++)
		controller_send(hosts, &hosts->list[i], message);
}

void controller_stop(struct hosts *hosts)
{
	if (!hosts->stopped)
		controller_send_all(hosts, &(const struct message){.type = MESSAGE_STOP});
	hosts->stopped = true;
}

static void take_lost(struct hosts *hosts, struct host *host, const struct message *message)
{
	char text[128];

	if (message->numbers[0] > 0)
		snprintf(text, sizeof(text), "throng on this host was killed by signal %d",
			 (int)message->numbers[0]);
	else
		snprintf(text, sizeof(text), "throng on this host exited with status %d",
			 (int)message->numbers[1]);
	controller_lose(hosts, host, text);
}

static void take_tally(struct hosts *hosts, struct host *host, const struct message *message)
{
	struct tally *tally = &host->tally;
	struct verified *verified = &tally->verified;
	size_t i;

	tally_free(tally);
	if (tally_unpack(tally, message->payload, message->bytes) < 0 ||
	    tally->users != host->users || tally->first_user != host->first_user ||
	    tally->load_count != hosts->load_count) {
		tally_free(tally);
		controller_lose(hosts, host,
				"throng on this host sent figures that cannot be read");
		return;
	}
	for (i = 0; i < verified->described; i++)
		snprintf(verified->differences[i].host, DIFFERENCE_HOST, "%.*s",
			 DIFFERENCE_HOST - 1, host->name);
}

static void take_facts(struct host *host, const struct message *message)
{
	free(host->facts);
	host->facts = strndup(message->payload, message->bytes);
}

/* Take a message from a host. */
static void take(struct hosts *hosts, struct host *host, const struct message *message)
{
	host->heard_ns = clock_now_ns();
	host->come |= controller_bit(message->type);
	if (message->type != MESSAGE_BEAT)
		memcpy(host->numbers, message->numbers, sizeof(host->numbers));
	switch (message->type) {
	case MESSAGE_HELLO:
		machine_parse(message->payload, &host->machine);
		break;
	case MESSAGE_BEAT:
		view_parse(message->payload, &host->view);
		break;
	case MESSAGE_FACTS:
		take_facts(host, message);
		break;
	case MESSAGE_ARRIVED:
		meetings_take(hosts, host, message);
		break;
	case MESSAGE_TALLY:
		take_tally(hosts, host, message);
		break;
	case MESSAGE_FAILED:
		controller_fail(hosts, host, message->payload);
		break;
	case MESSAGE_LOST:
		take_lost(hosts, host, message);
		break;
	default:
		break;
	}
}

static void look_at(struct hosts *hosts, struct host *host)
{
	struct message message;
	int filled = link_fill(&host->link), rc;

	while ((rc = link_next(&host->link, &message)) > 0)
		take(hosts, host, &message);
	if (rc < 0)
		controller_lose(hosts, host, "the host sent data that is not a message of throng");
	else if (filled < 0)
		controller_lose(hosts, host, "the connection was closed");
}

/* Sum up the states of all hosts, as workers_view.h has them. */
static void sum_views(const struct hosts *hosts, struct workers_view *sum)
{
	size_t i;

	*sum = (struct workers_view){.stage = WORKERS_CLEANUP};
	for (i = 0; i < hosts->count; i++) {
		const struct workers_view *view = &hosts->list[i].view;

		if (hosts->list[i].users == 0)
			continue;
		if (view->stage < sum->stage)
			sum->stage = view->stage;
		sum->users += hosts->list[i].users;
		sum->ready += view->ready;
		sum->alive += view->alive;
		sum->ops += view->ops;
		sum->bytes += view->bytes;
		sum->sum_ns += view->sum_ns;
		sum->mismatches += view->mismatches;
		sum->measured_bytes += view->measured_bytes;
		if (view->elapsed_ns > sum->elapsed_ns)
			sum->elapsed_ns = view->elapsed_ns;
		if (view->left_ns > sum->left_ns)
			sum->left_ns = view->left_ns;
		if (view->p99_ns > sum->p99_ns)
			sum->p99_ns = view->p99_ns;
		if (view->peak_ns > sum->peak_ns)
			sum->peak_ns = view->peak_ns;
	}
}

/* Once per second: ask all hosts for a sign of life, and show the state of the point. */
static void beat(struct hosts *hosts, uint64_t now_ns)
{
	struct workers_view view;
	size_t i;

	if (now_ns < hosts->beat_ns)
		return;
	/* Hosts say nothing while we do something else, such as a command (--before). */
	for (i = 0; now_ns - hosts->beat_ns > NS_PER_S && i < hosts->count; i++)
		if (hosts->list[i].heard_ns > 0)
			hosts->list[i].heard_ns = now_ns;
	hosts->beat_ns = now_ns + NS_PER_S;
	controller_send_all(hosts, &(const struct message){.type = MESSAGE_BEAT});
	for (i = 0; i < hosts->count; i++) {
		struct host *host = &hosts->list[i];

		if (host->heard_ns > 0 && now_ns - host->heard_ns > HOSTS_PATIENCE_NS)
			controller_lose(hosts, host, "the host did not answer for 5 s");
	}
	if (hosts->observer == NULL)
		return;
	sum_views(hosts, &view);
	hosts->observer->tick(hosts->observer->context, &view);
}

void controller_pump(struct hosts *hosts, int wait_ms)
{
	struct pollfd fds[HOSTS_MAX];
	size_t i;
	int number;

	for (i = 0; i < hosts->count; i++) {
		const struct host *host = &hosts->list[i];

		fds[i] = (struct pollfd){.fd = host->lost ? -1 : host->link.in_fd,
					 .events = POLLIN};
	}
	poll(fds, hosts->count, wait_ms);
	for (i = 0; i < hosts->count; i++) {
		struct host *host = &hosts->list[i];

		launcher_look(&host->launched);
		if (!host->lost && host->link.unsent_bytes > 0)
			link_flush(&host->link);
		if (fds[i].revents != 0)
			look_at(hosts, host);
	}
	number = process_wait_signal(0);
	if (process_is_interrupt(number)) {
		/* The second one is meant for launchers that hang. */
		for (i = 0; hosts->interrupted != 0 && i < hosts->count; i++)
			launcher_kill(&hosts->list[i].launched, SIGKILL);
		if (hosts->interrupted == 0)
			error_set(&hosts->why, "interrupted by SIG%s", sigabbrev_np(number));
		hosts->interrupted = number;
	}
	beat(hosts, clock_now_ns());
}

void controller_expect(struct hosts *hosts)
{
	size_t i;

	for (i = 0; i < hosts->count; i++)
		hosts->list[i].come = 0;
}

bool controller_awaits(const struct host *host, unsigned mask, bool of_users)
{
	return !host->lost && (host->come & mask) == 0 && (!of_users || host->users > 0);
}

struct host *controller_await(struct hosts *hosts, unsigned mask, bool of_users, uint64_t max_ns)
{
	bool had_failed = hosts->why.set;
	uint64_t end_ns = clock_now_ns() + max_ns;
	size_t i;

	while (true) {
		for (i = 0; i < hosts->count; i++)
			if (controller_awaits(&hosts->list[i], mask, of_users))
				break;
		if (i == hosts->count)
			return NULL;
		if (clock_now_ns() >= end_ns || (hosts->why.set && !had_failed))
			return &hosts->list[i];
		controller_pump(hosts, CONTROLLER_WAIT_MS);
	}
}

void controller_await_all(struct hosts *hosts, unsigned mask, bool of_users)
{
	while (controller_await(hosts, mask, of_users, CLOCK_NEVER / 2) != NULL)
		;
}

int controller_give(const struct hosts *hosts, struct error *error)
{
	if (hosts->why.set)
		error_set(error, "%s", hosts->why.text);
	return !hosts->why.set ? 0 : hosts->interrupted != 0 ? -EINTR : -EIO;
}
