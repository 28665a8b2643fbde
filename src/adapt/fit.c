/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "adapt/fit.h"

#include "adapt/lost.h"
#include "base/array.h"

#include <stdlib.h>

/* Return the name of a capability, for messages. */
static const char *capability_name(unsigned capability)
{
	static const char *const names[CAPABILITIES] = {
#define X(capability, name, ...) [CAPABILITY_##capability] = name,
		CAPABILITY_LIST(X)
#undef X
	};

	return names[__builtin_ctz(capability)];
}

/* Return the capability that an operation needs, or 0. */
static unsigned needs(const struct op *op, unsigned able)
{
	if (op->kind == OP_RENAME && op->mode == RENAME_SWAP)
		return CAP_SWAP;
	if (!op_is_procedure(op->kind) || (able & CAP_PROCEDURES) == 0)
		return op_needs(op->kind);
	/* A target with NFS procedures plays all of them, except those of the
	 * lock manager if it has none. */
	return op->kind >= OP_NLM_LOCK ? CAP_LOCK_PROCEDURES : 0;
}

/*
 * Remove unsupported modifiers from an operation. Return the capability that
 * they needed, or 0 if there were none. If they needed several capabilities,
 * return the last one.
 */
static unsigned degrade(struct op *op, unsigned able)
{
	unsigned missing = 0;

	if ((op->flags & OP_FLUSH) != 0 && (able & CAP_FSYNC) == 0) {
		op->flags &= (uint16_t)~OP_FLUSH;
		/* The set-up adds it to closes; the load does not have it. */
		if (op->kind != OP_CLOSE)
			missing = CAP_FSYNC;
	}
	if ((op->flags & OP_SYNC_PARENT) != 0 && (able & CAP_SYNC_PARENTS) == 0) {
		op->flags &= (uint16_t)~OP_SYNC_PARENT;
		missing = CAP_SYNC_PARENTS;
	}
	if (op->kind == OP_OPEN && (op->open_flags & OPEN_SYNC) != 0 &&
	    (able & CAP_SYNC_OPENS) == 0) {
		op->open_flags &= ~(uint64_t)OPEN_SYNC;
		missing = CAP_SYNC_OPENS;
	}
	if (op->kind == OP_OPEN && (op->open_flags & OPEN_DIRECT) != 0 &&
	    (able & CAP_DIRECT) == 0) {
		op->open_flags &= ~(uint64_t)OPEN_DIRECT;
		missing = CAP_DIRECT;
	}
	/* Without NFS procedures, a stable write is emulated by a write and an
	 * fsync. Leave out the fsync if the target does not support it. */
	if (op->kind == OP_NFS_WRITE && op->stable != 0 &&
	    (able & (CAP_PROCEDURES | CAP_FSYNC)) == 0) {
		op->stable = 0;
		missing = CAP_FSYNC;
	}
	return missing;
}

static int note(struct fit_report *report, const struct op *op, enum fit_how how, unsigned missing,
		double times)
{
	const char *capability = capability_name(missing);
	struct fit_entry added = {
		.label = op->label,
		.how = how,
		.capability = capability,
		.ops = times,
	};
	size_t i;

	for (i = 0; i < report->count; i++) {
		struct fit_entry *entry = &report->entries[i];

		if (entry->label == op->label && entry->how == how &&
		    entry->capability == capability) {
			entry->ops += times;
			return 0;
		}
	}
	return array_append(&report->entries, &report->count, &added, sizeof(added));
}

/*
 * Let users read and write what the target cannot copy or clone. Return the
 * capability that is missing then, or 0 if this does not concern the operation.
 */
static unsigned copy_by_hand(struct program *program, struct op *op, unsigned able)
{
	unsigned missing = op_needs(op->kind) & ~able;

	if (op->kind != OP_COPY && op->kind != OP_CLONE)
		return 0;
	if (op->kind == OP_CLONE && missing != 0)
		program->clones_by_copy = true;
	if (missing != 0 && (able & CAP_COPY) == 0) {
		program->copies_by_hand = true;
		if (program->io_bytes_max < PROGRAM_COPY_BYTES)
			program->io_bytes_max = PROGRAM_COPY_BYTES;
	}
	return missing;
}

static int fit_op(struct fit_report *report, struct op *op, unsigned able, unsigned missing,
		  double times)
{
	bool emulated = op_is_procedure(op->kind) && (able & CAP_PROCEDURES) == 0;
	int rc = 0;

	if (missing != 0) {
		op->kind = OP_SKIP;
		return note(report, op, FIT_SKIPPED, missing, times);
	}
	missing = degrade(op, able);
	if (missing != 0)
		rc = note(report, op, FIT_DEGRADED, missing, times);
	if (rc < 0 || !emulated)
		return rc;
	/* Where an NFS server returned one errno, a file system may return
	 * another with almost the same meaning. Accept both. */
	op->accepts = outcome_kin(op->accepts);
	return note(report, op, FIT_EMULATED, CAP_PROCEDURES, times);
}

/* Fit the current operation of the walk in `lost`. */
static int fit_current(struct program *program, unsigned able, struct lost *lost,
		       struct fit_report *report)
{
	const struct walk *walk = &lost->walk;
	struct op *op = &program->ops[walk->at];
	/* The set-up is not part of a loop. */
	double times = walk->in_setup ? 0 : walk->times;
	unsigned by_hand = copy_by_hand(program, op, able);
	unsigned missing = by_hand != 0 ? 0 : needs(op, able) & ~able;
	int rc;

	report->ops += times;
	if (missing == 0)
		missing = lost_needs(lost) & ~able;
	lost_shorten(lost, op);
	lost_note(lost, missing);
	rc = fit_op(report, op, able, missing, times);
	if (rc == 0 && by_hand != 0 && missing == 0)
		rc = note(report, op, FIT_EMULATED, by_hand, times);
	if (walk->in_setup || !walk->possible)
		return rc;
	if (missing == 0)
		report->played = true;
	else if (report->skipped == NULL)
		report->skipped = capability_name(missing);
	return rc;
}

int fit_program(struct program *program, unsigned able, struct fit_report *report)
{
	struct lost lost;
	int rc = lost_start(&lost, program);

	*report = (struct fit_report){0};
	while (rc == 0 && walk_next(&lost.walk))
		if (!op_is_control(lost.walk.op->kind))
			rc = fit_current(program, able, &lost, report);
	lost_free(&lost);
	return rc;
}

void fit_free(struct fit_report *report)
{
	free(report->entries);
	*report = (struct fit_report){0};
}
