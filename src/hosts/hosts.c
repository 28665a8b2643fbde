/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hosts/hosts.h"

#include "base/message.h"
#include "base/process.h"
#include "hosts/controller.h"
#include "result/check.h"
#include "target/account.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Time for a host to start throng. */
#define LAUNCH_NS (60 * NS_PER_S)
/* Time for the launchers to notice that all has ended. */
#define NOTICE_NS (2 * NS_PER_S)
/* Max bytes of a load that a host gets before it has read those before: of ssh, srun and
 * our own ranks, and of others. MPICH's mpiexec kills a process whose pipe is full, and that
 * of Open MPI 5 loses what it reads at once if that is more than 4 KiB. */
enum { PIECE_BYTES = 32 << 10, SMALL_PIECE_BYTES = 3 << 10 };

/* Check that a target is the same, as far as the load depends on it. */
static void compare_facts(struct hosts *hosts, const struct host *host,
			  const struct workers_target *first, const struct workers_target *other)
{
	char text[256];

	if (strcmp(first->facts.kind, other->facts.kind) == 0 &&
	    first->facts.capabilities == other->facts.capabilities)
		return;
	snprintf(text, sizeof(text),
		 "target %s is %s on this host, but %s with other capabilities on host %s",
		 first->target->url, other->facts.kind, first->facts.kind, hosts->list[0].name);
	controller_fail(hosts, host, text);
}

static int claim(void *context, struct workers_plan *plan, struct error *error)
{
	struct hosts *hosts = context;
	const struct message probe = {
		.type = MESSAGE_PROBE,
		.numbers = {plan->side, plan->variant},
		.payload = plan->run.id,
		.bytes = IDENTITY_ID_SIZE - 1,
	};
	uint64_t hash = 0;
	size_t i;
	unsigned j;

	controller_expect(hosts);
	controller_send_all(hosts, &probe);
	controller_await(hosts, controller_bit(MESSAGE_FACTS) | controller_bit(MESSAGE_FAILED),
			 false, CLOCK_NEVER / 2);
	for (i = 0; i < hosts->count && !hosts->why.set; i++) {
		struct host *host = &hosts->list[i];
		uint64_t *keys = reallocarray(host->keys[plan->side], plan->target_count,
					      sizeof(*keys));

		if (keys == NULL)
			return error_no_memory(error);
		host->keys[plan->side] = keys;
		for (j = 0; j < plan->target_count; j++) {
			struct workers_target on = plan->targets[j];

			facts_parse(host->facts, j, &on);
			keys[j] = on.claim.key;
			if (i > 0)
				compare_facts(hosts, host, &plan->targets[j], &on);
			else
				plan->targets[j] = on;
		}
		if (i > 0 && host->numbers[0] != hash)
			controller_fail(
				hosts, host,
				"the load on this host differs from the load on the first host");
		hash = host->numbers[0];
	}
	return controller_give(hosts, error);
}

/* Check if another host that is not lost has a target in the same directory as the host
 * that is. */
static bool is_shared(const struct hosts *hosts, const struct workers_target *on, unsigned number)
{
	bool shared = on->claim.second;
	size_t i;

	for (i = 0; i < hosts->count && !shared; i++) {
		struct workers_target other = *on;

		if (hosts->list[i].lost || hosts->list[i].facts == NULL)
			continue;
		facts_parse(hosts->list[i].facts, number, &other);
		shared = other.claim.second &&
			 strcmp(other.claim.file.name, on->claim.file.name) == 0;
	}
	return shared;
}

/* Print what a lost host may have left where the others cannot remove it. */
static void note_lost(const struct hosts *hosts, const struct host *host,
		      const struct workers_plan *plan)
{
	char directory[TARGET_BELOW];
	unsigned i;

	for (i = 0; host->lost && host->facts != NULL && i < plan->target_count; i++) {
		struct workers_target on = plan->targets[i];

		facts_parse(host->facts, i, &on);
		if (!on.claim.begun || is_shared(hosts, &on, i))
			continue;
		target_below(on.target, run_file_directory(&on.claim.file), directory);
		message_note("host %s may have left %s; to remove this directory, run \"throng "
			     "clean %s %s\" on that host",
			     host->name, directory, on.target->url, on.claim.file.name);
	}
}

static size_t count_lost(const struct hosts *hosts)
{
	size_t count = 0, i;

	for (i = 0; i < hosts->count; i++)
		count += hosts->list[i].lost;
	return count;
}

/* Let the hosts remove what they have made. If one is lost, each of the others in turn also
 * removes what that one may have left in a directory that they share. */
static void ask_to_clean(struct hosts *hosts)
{
	const unsigned mask = controller_bit(MESSAGE_CLEANED) | controller_bit(MESSAGE_FAILED);
	const struct message message = {
		.type = MESSAGE_CLEAN,
		.numbers = {count_lost(hosts)},
	};
	size_t i;

	controller_expect(hosts);
	for (i = 0; i < hosts->count; i++) {
		controller_send(hosts, &hosts->list[i], &message);
		while (message.numbers[0] != 0 && controller_awaits(&hosts->list[i], mask, false))
			controller_pump(hosts, CONTROLLER_WAIT_MS);
	}
	controller_await_all(hosts, mask, false);
}

static int clean_up(void *context, const struct workers_plan *plan, struct error *error)
{
	struct hosts *hosts = context;
	const struct error before = hosts->why;
	const bool was_interrupted = hosts->interrupted != 0;
	size_t lost, i;
	int rc = 0;

	/* Failures before this were reported. */
	hosts->why = (struct error){0};
	do {
		lost = count_lost(hosts);
		ask_to_clean(hosts);
	} while (count_lost(hosts) > lost);
	/* An interrupt is about what comes next, if anything does. */
	if (was_interrupted || hosts->interrupted == 0)
		rc = controller_give(hosts, error);
	if (before.set)
		hosts->why = before;
	for (i = 0; i < hosts->count; i++)
		note_lost(hosts, &hosts->list[i], plan);
	return rc;
}

static void release(void *context, const struct workers_plan *plan)
{
	(void)context;
	(void)plan;
}

const struct venue *hosts_venue(struct hosts *hosts)
{
	hosts->venue = (struct venue){hosts, claim, clean_up, release, hosts_play};
	return &hosts->venue;
}

/*
 * Begin and end.
 */

/* Send a piece of a loadfile, and wait until it has been read. */
static void send_piece(struct hosts *hosts, const char *word, const char *bytes, size_t count,
		       bool more)
{
	size_t name = strlen(word) + 1;
	char payload[PATH_MAX + PIECE_BYTES];

	memcpy(payload, word, name);
	memcpy(payload + name, bytes, count);
	controller_expect(hosts);
	controller_send_all(hosts, &(const struct message){.type = MESSAGE_LOAD,
							   .numbers = {more},
							   .payload = payload,
							   .bytes = name + count});
	controller_send_all(hosts, &(const struct message){.type = MESSAGE_PING});
	controller_await(hosts, controller_bit(MESSAGE_PONG), false, CLOCK_NEVER / 2);
}

/* Send a loadfile in pieces. */
static int send_load(struct hosts *hosts, const struct hosts_load *load, size_t piece_bytes,
		     struct error *error)
{
	int fd = open(load->path, O_RDONLY | O_CLOEXEC);
	char bytes[PIECE_BYTES], next[PIECE_BYTES];
	ssize_t have = fd >= 0 ? read(fd, bytes, piece_bytes) : -1, got = have;

	while (have >= 0 && got >= 0 && !hosts->why.set) {
		got = read(fd, next, piece_bytes);
		send_piece(hosts, load->word, bytes, (size_t)have, got > 0);
		if (got <= 0)
			break;
		memcpy(bytes, next, (size_t)got);
		have = got;
	}
	if (have < 0 || got < 0)
		error_set(error, "%s: the load cannot be sent to other hosts: %s", load->path,
			  strerror(errno));
	if (fd >= 0)
		close(fd);
	return error->set ? -EIO : 0;
}

/* Join texts, each with its NUL, and send them. */
static void send_texts(struct hosts *hosts, struct message *message, const char *const *texts,
		       size_t count)
{
	size_t bytes = 0, i;
	char *payload;

	for (i = 0; i < count; i++)
		bytes += strlen(texts[i]) + 1;
	payload = malloc(bytes + 1);
	if (payload == NULL)
		return;
	for (i = 0, bytes = 0; i < count; i++) {
		strcpy(payload + bytes, texts[i]);
		bytes += strlen(texts[i]) + 1;
	}
	message->payload = payload;
	message->bytes = bytes;
	controller_send_all(hosts, message);
	explicit_bzero(payload, bytes);
	free(payload);
}

static void send_accounts(struct hosts *hosts, const struct target *target)
{
	size_t i;

	for (i = 0; i < target->account_count; i++) {
		const struct account *account = &target->accounts[i];
		const char *const texts[] = {target->url, account->domain, account->user,
					     account->password};

		send_texts(hosts, &(struct message){.type = MESSAGE_ACCOUNT}, texts, 4);
	}
}

/* Check what the hosts say of themselves before anything is sent to them. */
static void check_machines(struct hosts *hosts)
{
	size_t i, j;

	for (i = 0; i < hosts->count && !hosts->why.set; i++) {
		const struct host *host = &hosts->list[i];
		const struct machine *machine = &host->machine;
		char text[256];

		if (strcmp(machine->version, PACKAGE_VERSION) != 0) {
			snprintf(text, sizeof(text),
				 "this host has throng %s, but the machine that starts the run has "
				 "throng %s",
				 machine->version, PACKAGE_VERSION);
			controller_fail(hosts, host, text);
		}
		for (j = 0; j < i; j++) {
			const struct machine *other = &hosts->list[j].machine;

			if (machine->boot[0] == '\0' || strcmp(machine->boot, other->boot) != 0 ||
			    strcmp(machine->network, other->network) != 0)
				continue;
			snprintf(text, sizeof(text), "this host is the same machine as host %s",
				 hosts->list[j].name);
			controller_fail(hosts, host, text);
		}
	}
}

/* Start the launchers, and wait until throng runs on all hosts. */
static int launch(struct hosts *hosts, const struct hosts_request *request, struct error *error)
{
	struct host *late;
	size_t i;
	int rc = 0;

	hosts->beat_ns = clock_now_ns() + NS_PER_S;
	for (i = 0; i < hosts->count && rc == 0; i++) {
		struct host *host = &hosts->list[i];

		if (request->links != NULL) {
			link_open(&host->link, request->links[i], request->links[i]);
			continue;
		}
		rc = launcher_start(request->launcher, host->name, request->program,
				    &host->launched, &host->link, error);
		host->lost = rc < 0;
	}
	if (rc < 0)
		return rc;
	late = controller_await(hosts, controller_bit(MESSAGE_HELLO), false, LAUNCH_NS);
	if (late != NULL && !hosts->why.set)
		controller_lose(hosts, late, "throng did not start on this host within 60 s");
	if (!hosts->why.set)
		check_machines(hosts);
	return controller_give(hosts, error);
}

/* Send what the crews need, and wait until they have compiled the loads. */
static int prepare(struct hosts *hosts, const struct hosts_request *request, struct error *error)
{
	struct message arguments = {
		.type = MESSAGE_ARGUMENTS,
		.numbers = {(uint64_t)request->argc, request->seed},
	};
	const size_t piece_bytes = request->links != NULL || launcher_is_plain(request->launcher)
					   ? PIECE_BYTES
					   : SMALL_PIECE_BYTES;
	size_t i;
	int rc = 0;

	for (i = 0; i < request->load_count && rc == 0; i++)
		rc = send_load(hosts, &request->loads[i], piece_bytes, error);
	if (rc < 0)
		return rc;
	for (i = 0; i < request->target_count; i++)
		send_accounts(hosts, request->targets[i]);
	controller_expect(hosts);
	send_texts(hosts, &arguments, request->argv, (size_t)request->argc);
	controller_await(hosts, controller_bit(MESSAGE_PREPARED) | controller_bit(MESSAGE_FAILED),
			 false, CLOCK_NEVER / 2);
	for (i = 0; i < hosts->count && !hosts->why.set; i++)
		if (hosts->list[i].numbers[0] != request->hash)
			controller_fail(hosts, &hosts->list[i],
					"the load on this host differs from the load on the "
					"machine that starts the run");
	/* A report of the run says how well they agree. */
	for (i = 0; i < hosts->count; i++)
		hosts->list[i].compares = true;
	hosts_compare_clocks(hosts);
	return controller_give(hosts, error);
}

int hosts_open(struct hosts **opened, const char *const *names, const struct hosts_request *request,
	       struct error *error)
{
	struct hosts *hosts = *opened = calloc(1, sizeof(*hosts));
	size_t i;
	int rc;

	if (hosts == NULL)
		return error_no_memory(error);
	while (names[hosts->count] != NULL)
		hosts->count++;
	hosts->list = calloc(hosts->count, sizeof(*hosts->list));
	hosts->during = process_share(sizeof(*hosts->during));
	if (hosts->list == NULL)
		hosts->count = 0;
	if (hosts->list == NULL || hosts->during == NULL)
		return error_no_memory(error);
	for (i = 0; i < hosts->count; i++) {
		hosts->list[i].name = names[i];
		hosts->list[i].launched.err_fd = -1;
		hosts->list[i].link = (struct link){.in_fd = -1, .out_fd = -1};
		hosts->list[i].tally.died_user = -1;
	}
	process_block_signals();
	rc = launch(hosts, request, error);
	return rc == 0 ? prepare(hosts, request, error) : rc;
}

int hosts_describe(const struct hosts *hosts, struct result_run *run)
{
	size_t i;

	for (i = 0; i < hosts->count; i++) {
		const struct machine *machine = &hosts->list[i].machine;
		struct result_host *host = &run->hosts[i];
		unsigned cpus = machine->cpus;

		/* A host is not trusted, and a result with other numbers cannot be read. */
		cpus = cpus < 1 ? 1 : cpus > CHECK_CPUS_MAX ? CHECK_CPUS_MAX : cpus;
		host->cpus = cpus;
		host->usable_cpus = machine->usable_cpus > 0 && machine->usable_cpus < cpus
					    ? machine->usable_cpus
					    : cpus;
		host->memory_bytes = machine->memory_bytes < INT64_MAX ? machine->memory_bytes : 0;
		host->clock_error_ms = (double)hosts->list[i].bound_ns / NS_PER_MS;
		host->kernel = strdup(machine->kernel);
		if (host->kernel == NULL)
			return -ENOMEM;
	}
	return 0;
}

/* Wait up to `max_ns` for the launchers to end. Return whether all have. */
static bool await_launchers(struct hosts *hosts, uint64_t max_ns)
{
	uint64_t end_ns = clock_now_ns() + max_ns;
	bool all;
	size_t i;

	do {
		all = true;
		for (i = 0; i < hosts->count; i++) {
			launcher_look(&hosts->list[i].launched);
			all &= hosts->list[i].launched.pid == 0;
		}
		if (!all)
			clock_sleep_until_ns(clock_now_ns() + 10 * NS_PER_MS);
	} while (!all && clock_now_ns() < end_ns);
	return all;
}

void hosts_close(struct hosts *hosts)
{
	static const int signals[] = {SIGTERM, SIGKILL};
	size_t i, j;

	if (hosts == NULL)
		return;
	/* Don't wait for launchers that have not started anything. */
	for (i = 0; i < hosts->count; i++)
		hosts->list[i].lost |= hosts->list[i].heard_ns == 0;
	controller_expect(hosts);
	controller_send_all(hosts, &(const struct message){.type = MESSAGE_LEAVE});
	controller_await_all(hosts, controller_bit(MESSAGE_LEFT), false);
	/* Some launchers lose what a process has written just before its end: so ours is
	 * the last word. */
	controller_send_all(hosts, &(const struct message){.type = MESSAGE_END});
	/* Those that we have given up get no message any more, but may see an end. */
	for (i = 0; i < hosts->count; i++)
		if (hosts->list[i].lost)
			link_close(&hosts->list[i].link);
	for (i = 0; i < 2 && !await_launchers(hosts, NOTICE_NS); i++)
		for (j = 0; j < hosts->count; j++)
			launcher_kill(&hosts->list[j].launched, signals[i]);
	await_launchers(hosts, NOTICE_NS);
	for (i = 0; i < hosts->count; i++) {
		struct host *host = &hosts->list[i];

		link_close(&host->link);
		launcher_close(&host->launched);
		tally_free(&host->tally);
		free(host->facts);
		for (j = 0; j < STEPS_SIDES; j++)
			free(host->keys[j]);
	}
	if (hosts->during != NULL)
		process_unshare(hosts->during, sizeof(*hosts->during));
	free(hosts->list);
	free(hosts);
}
