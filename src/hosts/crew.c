/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hosts/crew.h"

#include "base/process.h"
#include "hosts/payload.h"
#include "load/reader.h"
#include "run/point.h"
#include "sweep/fitting.h"
#include "sweep/stage.h"
#include "target/account.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Longest wait for a message. */
enum { WAIT_MS = 100 };
/* Time that the users of other hosts have to end if the controller is lost. */
#define LOST_NS (2 * NS_PER_S)

struct crew {
	struct link *controller;
	crew_prepare *prepare;
	struct crew_command command;
	struct steps steps;
	struct stage stages[STEPS_SIDES];
	unsigned stage_count;
	size_t cleaned[STEPS_SIDES]; /* the variant that was cleaned up last; SIZE_MAX: none */
	struct identity run;         /* of the controller's run */
	/* The point that is played: READY was sent; START came, with this time; and
	 * for each load, what was said and heard of its phases. */
	bool is_ready, started;
	bool said_shared, is_shared; /* of SETUP shared: here, everywhere */
	uint64_t start_ns;
	struct crew_meeting {
		bool said, come;
		uint32_t round; /* of the GO that has come */
		struct barrier_go go;
	} *meetings;
	size_t meeting_count;
	bool stopped; /* STOP came */
	int load_fd;  /* a loadfile of which more will come; -1: none */
	bool leaves;
	bool lost; /* the controller has not said LEAVE */
};

static void say_message(struct crew *crew, const struct message *message)
{
	struct pollfd fd = {.fd = crew->controller->out_fd, .events = POLLOUT};
	int rc = link_send(crew->controller, message);

	/* The wire always reads. */
	while (rc == 0 && (rc = link_flush(crew->controller)) > 0) {
		poll(&fd, 1, WAIT_MS);
		rc = 0;
	}
	if (rc < 0)
		crew->leaves = crew->lost = true;
}

static void say(struct crew *crew, enum message_type type, uint64_t number, const void *payload,
		size_t bytes)
{
	say_message(crew,
		    &(const struct message){
			    .type = type, .numbers = {number}, .payload = payload, .bytes = bytes});
}

static void say_failed(struct crew *crew, const struct error *error)
{
	say(crew, MESSAGE_FAILED, 0, error->text, strlen(error->text));
}

/* Take the next message, without waiting. Return 1, or 0 if there is none. */
static int take(struct crew *crew, struct message *message)
{
	int rc = link_next(crew->controller, message);

	if (rc == 0 && link_fill(crew->controller) < 0)
		crew->leaves = true;
	else if (rc == 0)
		rc = link_next(crew->controller, message);
	crew->lost |= crew->leaves || rc < 0;
	crew->leaves |= rc < 0 || (rc > 0 && message->type == MESSAGE_LEAVE);
	crew->stopped |= rc > 0 && message->type == MESSAGE_STOP;
	return rc > 0 ? 1 : 0;
}

/*
 * Prepare.
 */

/* Split a payload of texts, each ended by a NUL. Return the list, whose texts are copies
 * in *copy, or NULL if memory is short or there are others than `count`. */
static const char **split(const struct message *message, size_t count, char **copy)
{
	const char **list = calloc(count + 1, sizeof(*list));
	char *at = *copy = malloc(message->bytes + 1);
	size_t i;

	if (list == NULL || at == NULL || count == 0 || count > message->bytes)
		goto fail;
	memcpy(at, message->payload, message->bytes);
	at[message->bytes] = '\0';
	for (i = 0; i < count; i++) {
		if (at >= *copy + message->bytes)
			goto fail;
		list[i] = at;
		at += strlen(at) + 1;
	}
	return list;
fail:
	free(list);
	free(*copy);
	*copy = NULL;
	return NULL;
}

/* Keep a piece of a loadfile: its name, a NUL, its bytes. The number says if more will
 * come. */
static int take_load(struct crew *crew, const struct message *message)
{
	const char *name = message->payload;
	size_t length = strnlen(name, message->bytes), at = length + 1;
	int fd;

	if (length == message->bytes)
		return -EPROTO;
	if (crew->load_fd < 0)
		crew->load_fd = memfd_create("loadfile", MFD_CLOEXEC);
	while (crew->load_fd >= 0 && at < message->bytes) {
		ssize_t rc = write(crew->load_fd, name + at, message->bytes - at);

		if (rc <= 0)
			return -errno;
		at += (size_t)rc;
	}
	if (crew->load_fd < 0)
		return -errno;
	if (message->numbers[0] != 0)
		return 0;
	fd = crew->load_fd;
	crew->load_fd = -1;
	return reader_provide(name, fd);
}

/* Keep an account: URL, domain, user, password. */
static int take_account(const struct message *message)
{
	struct error error = {0};
	char *copy;
	const char **texts = split(message, 4, &copy);
	int rc = -EPROTO;

	if (texts != NULL) {
		const struct account account = {(char *)texts[1], (char *)texts[2],
						(char *)texts[3]};

		rc = account_provide(texts[0], &account, &error);
		explicit_bzero(copy, message->bytes);
	}
	free(texts);
	free(copy);
	return rc;
}

static void take_arguments(struct crew *crew, const struct message *message)
{
	struct error error = {0};
	char *copy;
	int rc;

	crew->command.argc = (int)message->numbers[0];
	crew->command.argv = split(message, message->numbers[0], &copy);
	crew->command.seed = message->numbers[1];
	if (crew->command.argv == NULL) {
		crew->leaves = true;
		return;
	}
	rc = crew->prepare(&crew->command, &crew->steps, &error);
	while (rc == 0 && crew->stage_count < crew->steps.side_count) {
		struct stage *stage = &crew->stages[crew->stage_count];

		crew->cleaned[crew->stage_count] = SIZE_MAX;
		rc = stage_describe(&crew->steps.sides[crew->stage_count], &error);
		if (rc == 0)
			rc = stage_open(stage, &crew->steps, crew->stage_count++, &error);
		stage->run = &crew->run;
	}
	if (rc < 0) {
		error_set(&error,
			  "throng on this host refuses options that the throng which started "
			  "the run has accepted; install the same build of throng on both");
		say_failed(crew, &error);
		crew->leaves = true;
		return;
	}
	say(crew, MESSAGE_PREPARED, steps_hash(crew->steps.sides, crew->steps.side_count), NULL, 0);
}

/*
 * Points.
 */

/* Return the stage that a message is about, or NULL. */
static struct stage *stage_of(struct crew *crew, const struct message *message)
{
	const uint64_t side = message->numbers[0], variant = message->numbers[1];

	if (side >= crew->stage_count ||
	    variant >= crew->steps.sides[side].result->run.variant_count)
		return NULL;
	return &crew->stages[side];
}

/* Say what the targets of a variant are. */
static void say_facts(struct crew *crew, const struct workers_plan *plan)
{
	char *text = NULL;
	size_t bytes;
	FILE *stream = open_memstream(&text, &bytes);
	unsigned i;

	for (i = 0; stream != NULL && i < plan->target_count; i++) {
		struct payload facts = {.bytes = 0};

		facts_print(&plan->targets[i], i, &facts);
		fputs(facts.text, stream);
	}
	if (stream == NULL || fclose(stream) != 0)
		crew->leaves = true;
	else
		say(crew, MESSAGE_FACTS, fitting_hash(plan->loads), text, bytes);
	free(text);
}

/* Claim the targets of a variant for the run whose id is the payload. */
static void take_probe(struct crew *crew, const struct message *message)
{
	struct stage *stage = stage_of(crew, message);
	struct workers_plan *plan;
	struct error error = {0};

	if (stage == NULL || message->bytes != IDENTITY_ID_SIZE - 1 ||
	    identity_make(&crew->run) < 0) {
		crew->leaves = true;
		return;
	}
	memcpy(crew->run.id, message->payload, IDENTITY_ID_SIZE);
	plan = stage_claim(stage, message->numbers[1], &error);
	if (plan == NULL) {
		say_failed(crew, &error);
		return;
	}
	say_facts(crew, plan);
}

static void on_tick(void *context, const struct workers_view *view)
{
	struct payload text = {.bytes = 0};

	view_print(view, &text);
	say(context, MESSAGE_BEAT, 0, text.text, text.bytes);
}

/* Keep what the controller says of a phase: load, round, and either the start, or the
 * longest time of a user and that since the start of the point. */
static void take_go(struct crew *crew, const struct message *message)
{
	struct crew_meeting *meeting;

	if (message->numbers[0] >= crew->meeting_count) {
		crew->leaves = true;
		return;
	}
	meeting = &crew->meetings[message->numbers[0]];
	meeting->come = true;
	meeting->round = (uint32_t)message->numbers[1];
	meeting->go = (struct barrier_go){
		.begin_ns = message->numbers[2],
		.longest_ns = message->numbers[2],
		.played_ns = message->numbers[3],
	};
}

/* Take the messages about the point that is played. */
static void listen_while_playing(struct crew *crew)
{
	struct message message;

	while (take(crew, &message) > 0) {
		if (message.type == MESSAGE_START) {
			crew->started = true;
			crew->start_ns = message.numbers[0];
		} else if (message.type == MESSAGE_GO) {
			take_go(crew, &message);
		} else if (message.type == MESSAGE_SHARED) {
			crew->is_shared = true;
		}
	}
}

/* Say that the users are ready, and wait for the start. */
static uint64_t on_start(void *context)
{
	struct crew *crew = context;

	if (!crew->is_ready)
		say(crew, MESSAGE_READY, 0, NULL, 0);
	crew->is_ready = true;
	listen_while_playing(crew);
	if (crew->started)
		return crew->start_ns > 0 ? crew->start_ns : CLOCK_NEVER;
	return crew->leaves || crew->stopped ? CLOCK_NEVER : 0;
}

/* Say that SETUP shared has been played here, and wait for the other hosts. */
static bool on_share(void *context)
{
	struct crew *crew = context;

	if (!crew->said_shared)
		say(crew, MESSAGE_SHARED, 0, NULL, 0);
	crew->said_shared = true;
	listen_while_playing(crew);
	return crew->is_shared;
}

/* Say that all users of a load have arrived at its barrier, and wait for those of other
 * hosts. */
static bool on_meet(void *context, size_t load, const struct stats_barrier *barrier,
		    struct barrier_go *go)
{
	struct crew *crew = context;
	struct crew_meeting *meeting = &crew->meetings[load];

	if (!meeting->said)
		say_message(crew, &(const struct message){.type = MESSAGE_ARRIVED,
							  .numbers = {load, barrier->round,
								      barrier->ended,
								      barrier->longest_ns}});
	meeting->said = true;
	listen_while_playing(crew);
	if (!meeting->come || meeting->round != barrier->round)
		return false;
	*go = meeting->go;
	meeting->said = meeting->come = false;
	return true;
}

static void on_over(void *context, const struct point_end *end)
{
	struct crew *crew = context;
	struct error error = {0};
	size_t bytes = 0;
	void *packed = end->tally != NULL ? tally_pack(end->tally, &bytes) : NULL;

	if (end->not_started != NULL)
		error_set(&error, "%s", end->not_started);
	else if (packed == NULL)
		error_no_memory(&error);
	if (error.set)
		say_failed(crew, &error);
	else
		say(crew, MESSAGE_TALLY, end->again, packed, bytes);
	free(packed);
}

/* Return a list of which set-ups are left to other hosts (plan.h), or NULL if memory is
 * short. */
static bool *take_left(const struct workers_plan *plan, const char *text)
{
	size_t loads = plan->loads->count, i;
	bool *left = calloc(plan->target_count * loads, sizeof(*left));
	char key[PAYLOAD_KEY];

	for (i = 0; left != NULL && i < plan->target_count * loads; i++)
		left[i] = payload_number(text, payload_left_key((unsigned)(i / loads), i % loads,
								key)) != 0;
	return left;
}

/* Play a point: side, variant, and in the payload the numbers of the users. */
static void take_point(struct crew *crew, const struct message *message)
{
	const struct point_observer observer = {.context = crew,
						.tick = on_tick,
						.start = on_start,
						.share = on_share,
						.meet = on_meet,
						.over = on_over};
	struct stage *stage = stage_of(crew, message);
	const char *text = message->payload;
	struct workers_plan *plan;
	bool early, *left;
	size_t i;

	if (stage == NULL || stage->claimed != message->numbers[1]) {
		crew->leaves = true;
		return;
	}
	plan = &stage->plans[stage->claimed];
	plan->users = (unsigned)payload_number(text, "users");
	plan->first_user = (unsigned)payload_number(text, "first_user");
	plan->users_total = (unsigned)payload_number(text, "users_total");
	early = payload_number(text, "early") != 0;
	for (i = 0; i < plan->loads->count && payload_number(text, "rate_uhz") > 0; i++)
		plan->loads->list[i].program->rate.per_s = (double)payload_number(text,
										  "rate_uhz") /
							   1e6;
	if (plan->users == 0 || plan->users_total > plan->users_max ||
	    plan->users > plan->users_total || plan->first_user > plan->users_total - plan->users) {
		crew->leaves = true;
		return;
	}
	left = take_left(plan, text);
	crew->is_ready = crew->started = crew->said_shared = crew->is_shared = false;
	crew->meetings = calloc(plan->loads->count, sizeof(*crew->meetings));
	crew->meeting_count = plan->loads->count;
	plan->shared_left = left;
	stage->played = true;
	if (crew->meetings == NULL || left == NULL)
		crew->leaves = true;
	else
		point_play(plan, &observer, early);
	free(left);
	free(crew->meetings);
	plan->shared_left = NULL;
	crew->meetings = NULL;
	crew->meeting_count = 0;
	say(crew, MESSAGE_ENDED, 0, NULL, 0);
}

/*
 * Take over the directories that another host has made: it is lost. It may have removed
 * them, or do so at the same time.
 */
static void take_over(struct crew *crew)
{
	unsigned i, j;

	for (i = 0; i < crew->stage_count; i++) {
		const struct stage *stage = &crew->stages[i];

		for (j = 0;
		     stage->claimed != SIZE_MAX && j < stage->plans[stage->claimed].target_count;
		     j++) {
			struct workers_target *on = &stage->plans[stage->claimed].targets[j];

			on->claim.begun |= on->claim.second;
		}
	}
}

/* Remove the files of the claimed variant of each side. */
static int clean_up(struct crew *crew, struct error *error)
{
	unsigned i;
	int rc = 0;

	for (i = 0; i < crew->stage_count; i++) {
		crew->cleaned[i] = crew->stages[i].claimed;
		if (stage_release(&crew->stages[i], error) < 0)
			rc = -1;
	}
	return rc;
}

static void take_clean(struct crew *crew, const struct message *message)
{
	const bool takes_over = message->numbers[0] != 0;
	struct error error = {0};
	unsigned i;

	/* The host may have been lost while all were cleaning up. */
	for (i = 0; takes_over && i < crew->stage_count; i++)
		if (crew->stages[i].claimed == SIZE_MAX)
			crew->stages[i].claimed = crew->cleaned[i];
	if (takes_over)
		take_over(crew);
	if (clean_up(crew, &error) < 0 && !takes_over)
		say_failed(crew, &error);
	else
		say(crew, MESSAGE_CLEANED, 0, NULL, 0);
}

static void obey(struct crew *crew, const struct message *message)
{
	switch (message->type) {
	case MESSAGE_LOAD:
		crew->leaves |= take_load(crew, message) < 0;
		break;
	case MESSAGE_ACCOUNT:
		crew->leaves |= take_account(message) < 0;
		break;
	case MESSAGE_ARGUMENTS:
		take_arguments(crew, message);
		break;
	case MESSAGE_PROBE:
		take_probe(crew, message);
		break;
	case MESSAGE_POINT:
		take_point(crew, message);
		break;
	case MESSAGE_CLEAN:
		take_clean(crew, message);
		break;
	case MESSAGE_STOP:
		/* No users play. The wire's signal came before the message, but it may
		 * overtake a POINT, whose users must see it. */
		process_wait_signal(0);
		break;
	default:
		break;
	}
}

int crew_main(struct link *controller, crew_prepare *prepare)
{
	struct crew crew = {.controller = controller, .prepare = prepare, .load_fd = -1};
	struct error error = {0};
	struct message message;
	unsigned i;
	int rc;

	process_block_signals();
	umask(umask(0) & ~(mode_t)S_IRWXU);
	while (!crew.leaves) {
		struct pollfd fd = {.fd = controller->in_fd, .events = POLLIN};

		if (take(&crew, &message) > 0)
			obey(&crew, &message);
		else if (!crew.leaves)
			poll(&fd, 1, WAIT_MS);
	}
	if (crew.lost) {
		/* Nobody says when the users of other hosts have ended. */
		clock_sleep_until_ns(clock_now_ns() + LOST_NS);
		take_over(&crew);
	}
	rc = clean_up(&crew, &error);
	if (rc < 0 && !crew.lost)
		say_failed(&crew, &error);
	else
		say(&crew, MESSAGE_LEFT, 0, NULL, 0);
	for (i = 0; i < crew.stage_count; i++)
		stage_close(&crew.stages[i]);
	return rc < 0 ? 1 : 0;
}
