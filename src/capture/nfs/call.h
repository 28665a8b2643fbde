/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Calls of NFS with their replies: their values in the columns, and their
 * conversion to operations. Implemented by nfs3.c (NFSv3 and its lock manager)
 * and nfs4.c.
 */
#ifndef CAPTURE_NFS_CALL_H
#define CAPTURE_NFS_CALL_H

#include "capture/nfs/client.h"

/* A procedure of NFSv3 or NLM, and the grammars of its call, and of its reply if
 * it succeeds or fails. */
struct nfs_procedure_row {
	const char *name, *call, *succeeds, *fails;
};

/* Return a procedure, or NULL for an unknown number. */
const struct nfs_procedure_row *nfs3_procedure(unsigned number);
const struct nfs_procedure_row *nlm_procedure(unsigned number);

/* Convert a call that nfs_begin() has begun. The names of a listing are in the
 * frame. */
void nfs3_convert(struct nfs_client *client, const struct nfs_part *call,
		  const struct nfs_part *reply, const struct nfs_frame *frame);
void nlm_convert(struct nfs_client *client, const struct nfs_part *call,
		 const struct nfs_part *reply);

/*
 * Take the operations of a compound; `reply`: with their statuses, and no more
 * than `max`, those of the call. Those that tshark could not decode are
 * incomplete. Set *parts to an array that the caller frees. Return their number.
 */
size_t nfs4_take(struct nfs_frame *frame, bool reply, size_t max, struct nfs_part **parts);

/* Find out which listings and attributes of a frame can be dealt out. `cut`: the
 * capture has only its beginning. */
void nfs3_survey(struct nfs_frame *frame);
void nfs4_survey(struct nfs_frame *frame, bool cut);

/* Convert a compound, and count its operations. `frame` has the reply. NULL: there
 * is none, so drop the operations for the reason, or fold them as sent again if
 * that is NULL, too. */
void nfs4_convert(struct nfs_client *client, const struct nfs_part *calls, size_t call_count,
		  const struct nfs_part *replies, size_t reply_count, const struct nfs_frame *frame,
		  const char *reason);

#endif
