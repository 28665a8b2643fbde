/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "play/verification.h"

#include "base/array.h"
#include "base/letter_case.h"
#include "verify/verifier.h"
#include "words/layout.h"
#include "words/operation.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int verification_check(const struct workers_target *on, struct error *error)
{
	if (on->target->backend->answers)
		return 0;
	error_set(error,
		  "--verify: %s keeps no data that could be compared; use a target with files",
		  on->target->url);
	return -EOPNOTSUPP;
}

/* Add a path that a program names below another user's directory. The changing
 * part of a path stands for any name: leave out the directory before it. */
static int leave_out(struct verification *verification, const struct program_path *path)
{
	char *text = strdup(path->text);
	char *end = text != NULL && path->varying ? strchr(text, '$') : NULL;

	for (; end != NULL && end > text && *end != '/'; end--)
		;
	if (end != NULL)
		*end = '\0';
	if (text != NULL && array_append(&verification->left_out, &verification->left_out_count,
					 &text, sizeof(text)) == 0)
		return 0;
	free(text);
	return -ENOMEM;
}

static int leave_out_paths(struct verification *verification, const struct program *program)
{
	int rc = 0;
	size_t i;

	for (i = 0; i < program->path_count && rc == 0; i++)
		if (program->paths[i].place == PATH_OTHERS)
			rc = leave_out(verification, &program->paths[i]);
	return rc;
}

int verification_open(struct verification *verification, const struct workers_plan *plan)
{
	struct verify_size size = {
		.users = plan->users,
		.first_user = plan->first_user,
		.io_bytes_max = loads_io_bytes_max(plan->loads),
		.fixed = data_pool_fixed(plan->pool),
	};
	static char *const end = NULL;
	size_t i;
	int rc = 0;

	*verification = (struct verification){0};
	for (i = 0; i < plan->loads->count && rc == 0; i++) {
		const struct load *load = &plan->loads->list[i];

		if (load->profile->footprint_bytes > size.footprint_bytes)
			size.footprint_bytes = load->profile->footprint_bytes;
		rc = leave_out_paths(verification, load->program);
	}
	if (rc == 0)
		rc = array_append(&verification->left_out, &verification->left_out_count, &end,
				  sizeof(end));
	if (rc == 0)
		rc = verify_open(&verification->verify, &size);
	verification->verify.left_out = (const char *const *)verification->left_out;
	return rc;
}

void verification_close(struct verification *verification)
{
	size_t i;

	verify_close(&verification->verify);
	for (i = 0; i < verification->left_out_count; i++)
		free(verification->left_out[i]);
	free(verification->left_out);
}

/* Print the line and the stream of the operation that has read wrong bytes. */
static void print_place(const struct workers_plan *plan, struct difference *difference)
{
	const struct program *program =
		workers_load_of(plan, difference->user - plan->first_user)->program;
	char stream[PROGRAM_STREAM_TEXT];

	if (difference->read_back)
		return;
	program_print_stream(program, difference->op, difference->lane, stream);
	snprintf(difference->place, sizeof(difference->place), "%s: %s:%" PRIu32, stream,
		 program->source, program->ops[difference->op].line);
}

int verification_take(const struct verification *verification, const struct workers_plan *plan,
		      struct verified *verified)
{
	const struct verify *verify = &verification->verify;
	const struct verify_found *found = verify->found;
	unsigned i;

	verify_search(verify);
	*verified = (struct verified){
		.users = verify->users,
		.difference_count = found->count,
	};
	for (i = 0; i < verify->users; i++) {
		const struct map *map = verify->maps[i];

		verified->read_bytes += map->read_bytes;
		verified->compared_bytes += map->compared_bytes;
		verified->written_bytes += map->written_bytes;
		verified->read_back_bytes += map->read_back_bytes;
		verified->unreadable_files += map->unreadable_files;
		verified->unreadable_bytes += map->unreadable_bytes;
		verified->full_maps += map->full;
		if (map_bytes_used(map) > verified->map_bytes)
			verified->map_bytes = map_bytes_used(map);
	}
	verified->differences = calloc(VERIFY_DIFFERENCES, sizeof(*verified->differences));
	if (verified->differences == NULL)
		return -ENOMEM;
	for (i = 0; i < VERIFY_DIFFERENCES && i < found->count; i++) {
		if (__atomic_load_n(&found->list[i].complete, __ATOMIC_ACQUIRE) == 0)
			continue;
		verified->differences[verified->described] = found->list[i].difference;
		print_place(plan, &verified->differences[verified->described++]);
	}
	return 0;
}

static enum state_flush flush_of(const struct workers_target *on)
{
	const struct backend *backend = on->target->backend;

	if (backend->fsync == NULL)
		return STATE_FLUSH_NONE;
	if (backend->blind_commits)
		return STATE_FLUSH_BLIND;
	return on->facts.flushes_names || backend->durable_directories ? STATE_FLUSH_PROVEN
								       : STATE_FLUSH_DATA;
}

int verification_state(const struct verification *verification, const struct workers_plan *plan,
		       struct state *state)
{
	struct state_target *targets = calloc(plan->target_count, sizeof(*targets));
	unsigned i;
	int rc;

	*state = (struct state){.nonce = 0};
	if (targets == NULL)
		return -ENOMEM;
	for (i = 0; i < plan->target_count; i++)
		targets[i] = (struct state_target){
			.url = plan->targets[i].target->url,
			.directory = (char *)run_file_directory(&plan->targets[i].claim.file),
			.flush = flush_of(&plan->targets[i]),
			.durable_names = plan->targets[i].target->backend->durable_directories,
		};
	rc = state_take(&verification->verify, targets, plan->target_count, state);
	free(targets);
	return rc;
}

int verification_add(struct verified *into, const struct verified *other)
{
	size_t i;
	int rc = 0;

	into->users += other->users;
	into->read_bytes += other->read_bytes;
	into->compared_bytes += other->compared_bytes;
	into->written_bytes += other->written_bytes;
	into->read_back_bytes += other->read_back_bytes;
	into->unreadable_files += other->unreadable_files;
	into->unreadable_bytes += other->unreadable_bytes;
	into->difference_count += other->difference_count;
	into->full_maps += other->full_maps;
	if (other->map_bytes > into->map_bytes)
		into->map_bytes = other->map_bytes;
	for (i = 0; i < other->described && into->described < VERIFIED_DIFFERENCES_MAX && rc == 0;
	     i++)
		rc = array_append(&into->differences, &into->described, &other->differences[i],
				  sizeof(*into->differences));
	return rc;
}

/* Let the current operation count as a mismatch. End the run if there are more
 * differences than mismatches are allowed. */
static void report(void *context, const struct verify *verify, struct difference *difference)
{
	struct replay *r = context;

	r->differs = true;
	difference->op = r->own->op;
	difference->lane = r->lane;
	if (verify_add(verify, difference) > r->mismatches_allowed)
		stats_stop(r->stats);
}

int verification_start(struct replay *r, const struct workers_plan *plan, unsigned index)
{
	const struct backend *verifier = verifier_start(&plan->verification->verify, index,
							r->backend, report, r);

	if (verifier == NULL)
		return -ENOMEM;
	r->backend = verifier;
	r->verified = true;
	return 0;
}

int verification_share(struct replay *r)
{
	return r->verified ? verifier_share(r->session, r) : 0;
}

_Static_assert((int)MAP_LANES == (int)PROGRAM_STREAMS_MAX, "each lane has a pending operation");

/* Find out how a target treats names in this directory, by making a file there
 * and removing it. */
static enum letter_case probe_case(const struct backend *backend, struct backend_session *session,
				   const char *directory)
{
	char texts[2][PATH_MAX];
	const struct backend_path path = {.text = texts[0]};
	const struct backend_path variant = {.text = texts[1]};
	struct backend_attributes attributes;
	int64_t handle;
	int rc;

	snprintf(texts[0], PATH_MAX, "%s/throng-case", directory);
	snprintf(texts[1], PATH_MAX, "%s/THRONG-CASE", directory);
	handle = backend->open(session, &path, OPEN_WRITE | OPEN_CREATE | OPEN_EXCLUSIVE);
	if (handle < 0)
		return LETTER_CASE_UNKNOWN;
	backend->close(session, handle);
	rc = backend->stat(session, &variant, &attributes);
	backend->unlink(session, &path);
	if (rc == -ENOENT)
		return LETTER_CASE_KEPT;
	return rc == 0 ? LETTER_CASE_IGNORED : LETTER_CASE_UNKNOWN;
}

void verification_probe_case(const struct replay *r, const struct workers_plan *plan,
			     unsigned index, const char *home)
{
	/* Not through the verifier: the file is not one of the load. */
	const struct backend *backend = workers_target_of(plan, index)->target->backend;

	plan->verification->verify.maps[index]->letter_case = probe_case(backend, r->session, home);
}

int verification_keep_home(const struct replay *r, const struct workers_target *on,
			   const char *home)
{
	const struct backend_path paths[] = {{.text = home}, {.text = CLIENTS_NAME}};
	int rc = 0;
	size_t i;

	if (r->backend->sync_parent == NULL || on->facts.flushes_names)
		return 0;
	for (i = 0; i < 2 && rc == 0; i++)
		rc = r->backend->sync_parent(r->session, &paths[i]);
	/* Some file systems cannot flush a directory (fsync(2)). */
	return rc == -EINVAL ? 0 : rc;
}

int verification_read_back(struct replay *r, char path[DIFFERENCE_PATH])
{
	return verifier_read_back(r->session, &r->own->steps, path);
}
