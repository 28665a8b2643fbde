/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "program/fit.h"

#include "base/array.h"
#include "program/times.h"

#include <stdlib.h>

/* Return the name of a capability, for messages. */
static const char *capability_name(enum capability capability)
{
	switch (capability) {
	case CAP_FSYNC:
		return "fsync";
	case CAP_SYNC_OPENS:
		return "O_SYNC";
	case CAP_SYNC_PARENTS:
		return "fsync of directories";
	case CAP_LOCKS:
		return "byte-range locks";
	case CAP_LINKS:
		return "hard links";
	case CAP_SYMLINKS:
		return "symbolic links";
	case CAP_PROCEDURES:
		return "NFSv3 procedures";
	case CAP_LOCK_PROCEDURES:
		return "NLM";
	case CAP_TRANSACTIONS:
		return "transactions of arbitrary size";
	case CAP_LINK_CHECK:
	case CAP_DEEP_PATHS:
		break; /* no operation needs them */
	}
	return "";
}

/* Return the capability that an operation needs, or 0. */
static unsigned needs(enum op_kind kind, unsigned able)
{
	bool procedures = (able & CAP_PROCEDURES) != 0;

	switch (kind) {
	case OP_FSYNC:
		return CAP_FSYNC;
	case OP_LOCK:
	case OP_UNLOCK:
		return CAP_LOCKS;
	case OP_LINK:
		return CAP_LINKS;
	case OP_SYMLINK:
	case OP_READLINK:
		return CAP_SYMLINKS;
	case OP_TRANSACT:
		return CAP_TRANSACTIONS;
	/*
	 * On a target with NFS procedures, these operations need the procedures
	 * of the lock manager, too. On other targets they are emulated
	 * (engine/procedure.h).
	 */
	case OP_NLM_LOCK:
	case OP_NLM_UNLOCK:
	case OP_NLM_TEST:
		return procedures ? CAP_LOCK_PROCEDURES : CAP_LOCKS;
	case OP_NFS_COMMIT:
		return procedures ? 0 : CAP_FSYNC;
	case OP_NFS_LINK:
		return procedures ? 0 : CAP_LINKS;
	case OP_NFS_SYMLINK:
	case OP_NFS_READLINK:
		return procedures ? 0 : CAP_SYMLINKS;
	default:
		return 0;
	}
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
		missing = CAP_FSYNC;
	}
	if ((op->flags & OP_SYNC_PARENT) != 0 &&
	    (able & CAP_SYNC_PARENTS) == 0) {
		op->flags &= (uint16_t)~OP_SYNC_PARENT;
		missing = CAP_SYNC_PARENTS;
	}
	if (op->kind == OP_OPEN && (op->open_flags & OPEN_SYNC) != 0 &&
	    (able & CAP_SYNC_OPENS) == 0) {
		op->open_flags &= ~(uint64_t)OPEN_SYNC;
		missing = CAP_SYNC_OPENS;
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

static int note(struct fit_report *report, const struct op *op,
		enum fit_how how, unsigned missing, uint64_t times)
{
	const char *cannot = capability_name(missing);
	struct fit_entry added = {
		.label = op->label,
		.how = how,
		.cannot = cannot,
		.ops = times,
	};
	size_t i;

	for (i = 0; i < report->count; i++) {
		struct fit_entry *entry = &report->entries[i];

		if (entry->label == op->label && entry->how == how &&
		    entry->cannot == cannot) {
			entry->ops += times;
			return 0;
		}
	}
	return array_append(&report->entries, &report->count, &added,
			    sizeof(added));
}

static int fit_op(struct fit_report *report, struct op *op, unsigned able,
		  uint64_t times)
{
	bool emulated =
		op_is_procedure(op->kind) && (able & CAP_PROCEDURES) == 0;
	unsigned missing = needs(op->kind, able) & ~able;
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

int fit_program(struct program *program, unsigned able,
		struct fit_report *report)
{
	struct times times = times_start();
	size_t i;
	int rc;

	*report = (struct fit_report){0};
	for (i = 0; i < program->op_count; i++) {
		struct op *op = &program->ops[i];
		double played = times_next(&times, program, op);

		if (op_is_control(op->kind))
			continue;
		report->ops += (uint64_t)(played + 0.5);
		rc = fit_op(report, op, able, (uint64_t)(played + 0.5));
		if (rc < 0)
			return rc;
	}
	return 0;
}

void fit_free(struct fit_report *report)
{
	free(report->entries);
	*report = (struct fit_report){0};
}

uint64_t fit_count(const struct fit_report *report, enum fit_how how)
{
	uint64_t ops = 0;
	size_t i;

	for (i = 0; i < report->count; i++)
		if (report->entries[i].how == how)
			ops += report->entries[i].ops;
	return ops;
}
