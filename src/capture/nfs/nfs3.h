/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * NFSv3 (RFC 1813) and its lock manager, NLM.
 */
#ifndef CAPTURE_NFS_NFS3_H
#define CAPTURE_NFS_NFS3_H

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

/* Find out which listings and attributes of a frame can be dealt out. */
void nfs3_survey(struct nfs_frame *frame);

#endif
