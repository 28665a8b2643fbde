/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sweep/fitting.h"

#include "adapt/fit.h"
#include "play/lanes.h"
#include "study/fidelity.h"
#include "target/backends.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Return the capabilities that all targets have in common. A load must suit all
 * of them, because its users may play on any of them. */
static unsigned capability_of_all(const struct workers_plan *plan)
{
	unsigned able = CAP_ALL, i;

	for (i = 0; i < plan->target_count; i++)
		able &= backends_capabilities(plan->targets[i].target->backend,
					      &plan->targets[i].facts);
	return able;
}

static uint64_t whole(double ops)
{
	return (uint64_t)(ops + 0.5);
}

/* Add the operations of a load to the variant. `load` is the name of the load, or
 * NULL if there is only one. */
static int note_unsupported(const struct program *program, const char *load,
			    const struct fit_report *report, struct result_variant *variant)
{
	static const enum result_how hows[] = {
		[FIT_SKIPPED] = RESULT_SKIPPED,
		[FIT_DEGRADED] = RESULT_DEGRADED,
		[FIT_EMULATED] = RESULT_EMULATED,
	};
	struct result_unsupported *list = reallocarray(
		variant->unsupported, variant->unsupported_count + report->count + 1,
		sizeof(*list));
	size_t i;

	if (list == NULL)
		return -ENOMEM;
	variant->unsupported = list;
	for (i = 0; i < report->count; i++) {
		const struct fit_entry *entry = &report->entries[i];

		list[variant->unsupported_count++] = (struct result_unsupported){
			.name = strdup(program->labels[entry->label]),
			.load = load != NULL ? strdup(load) : NULL,
			.how = hows[entry->how],
			.cannot = strdup(entry->capability),
			.ops = whole(entry->ops),
			.share = report->ops > 0 ? entry->ops / report->ops : 0,
		};
	}
	return 0;
}

/* Refuse a load if all its operations would be skipped. With --strict, refuse
 * it if any would be skipped or degraded. */
static int check_losses(const struct program *program, const char *load,
			const struct fit_report *report, bool strict, struct error *error)
{
	size_t i;

	if (!report->played && report->skipped != NULL) {
		error_set(
			error,
			"the target supports no operation of %s; for example, the target has no %s",
			load != NULL ? load : "the load", report->skipped);
		return -EOPNOTSUPP;
	}
	for (i = 0; strict && i < report->count; i++) {
		const struct fit_entry *entry = &report->entries[i];

		if (entry->how == FIT_EMULATED)
			continue;
		error_set(error,
			  "--strict: the target has no %s, which the operation %s of %s needs "
			  "(%" PRIu64 " of %" PRIu64 " operations per loop)",
			  entry->capability, program->labels[entry->label],
			  load != NULL ? load : "the load", whole(entry->ops), whole(report->ops));
		return -EOPNOTSUPP;
	}
	return 0;
}

/* Add a text to an FNV-1a hash. */
static uint64_t add_text(uint64_t hash, const char *text, size_t bytes)
{
	size_t i;

	for (i = 0; i < bytes; i++)
		hash = (hash ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
	return hash;
}

uint64_t fitting_hash(const struct loads *loads)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);
	size_t i;

	for (i = 0; i < loads->count; i++) {
		char *text = NULL;
		size_t bytes;
		FILE *stream = open_memstream(&text, &bytes);

		if (stream == NULL)
			return 0;
		program_print(loads->list[i].program, stream);
		if (fclose(stream) == 0)
			hash = add_text(hash, text, bytes + 1);
		else
			hash = 0;
		free(text);
		if (hash == 0)
			return 0;
	}
	return hash;
}

void fitting_plan(struct workers_plan *plan)
{
	plan->procedures = (capability_of_all(plan) & CAP_PROCEDURES) != 0;
}

static int fit_load(struct program *program, const char *load, unsigned able, bool strict,
		    struct result_variant *variant, struct error *error)
{
	struct fit_report report;
	int rc = fit_program(program, able, &report);

	if (rc == 0)
		rc = note_unsupported(program, load, &report, variant);
	if (rc < 0)
		error_no_memory(error);
	else
		rc = check_losses(program, load, &report, strict, error);
	fit_free(&report);
	return rc;
}

int fitting_apply(struct loads *loads, const struct workers_plan *plan, bool strict,
		  struct result_variant *variant, struct error *error)
{
	unsigned able = capability_of_all(plan);
	size_t i;
	int rc = 0;

	for (i = 0; i < loads->count && rc == 0; i++)
		rc = fit_load(loads->list[i].program,
			      loads->count > 1 ? variant->loads[i].name : NULL, able, strict,
			      variant, error);
	return rc;
}

int fitting_streams(struct loads *loads, const struct workers_plan *plan,
		    struct result_variant *variant, struct error *error)
{
	size_t i;

	if (loads_derive_streams(loads) < 0)
		return error_no_memory(error);
	for (i = 0; i < loads->count; i++) {
		const struct load *load = &loads->list[i];
		const char *why = lanes_refused(plan, load);
		struct result_load *about = &variant->loads[i];

		if (load->streams == NULL || load->streams->lanes < 2)
			continue;
		about->streams = load->streams->lanes;
		about->one_stream = why != NULL ? strdup(why) : NULL;
		if (why != NULL && about->one_stream == NULL)
			return error_no_memory(error);
	}
	return 0;
}

/* Convert the sums over all loads to shares and a mean. */
static struct result_requests requests_of(const struct fidelity *sum)
{
	if (!(sum->ops > 0))
		return (struct result_requests){0};
	return (struct result_requests){
		.as_recorded = sum->as_recorded / sum->ops,
		.nearest = sum->nearest / sum->ops,
		.skipped = sum->skipped / sum->ops,
		.round_trips = sum->round_trips / sum->ops,
	};
}

int fitting_describe(const struct loads *loads, const struct workers_plan *plan,
		     struct result_variant *variant, struct error *error)
{
	size_t i, j;

	for (j = 0; j < loads->count; j++)
		if (!fidelity_applies(loads->list[j].program))
			return 0;
	for (i = 0; i < plan->target_count; i++) {
		const struct workers_target *on = &plan->targets[i];
		enum smb_client client = on->target->row->client;
		struct fidelity sum = {0};

		/* SMB 1 has other requests. */
		if (client == SMB_CLIENT_NONE || strcmp(on->facts.kind, SMB1_TEXT) == 0)
			continue;
		for (j = 0; j < loads->count; j++)
			if (fidelity_add(loads->list[j].program, client, loads->list[j].weight,
					 &sum) < 0)
				return error_no_memory(error);
		variant->targets[i].client.requests = requests_of(&sum);
	}
	return 0;
}
