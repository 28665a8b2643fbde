/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * NFSv4 (RFC 7530, 8881, 7862). Each operation of a compound is a call of the
 * conversion report.
 */
#ifndef CAPTURE_NFS_NFS4_H
#define CAPTURE_NFS_NFS4_H

#include "capture/nfs/client.h"

enum nfs4_operation {
	ACCESS = 3,
	CREATE = 6,
	GETATTR = 9,
	GETFH = 10,
	LINK = 11,
	LOCK = 12,
	LOCKT = 13,
	LOCKU = 14,
	LOOKUP = 15,
	LOOKUPP = 16,
	OPEN = 18,
	PUTFH = 22,
	PUTPUBFH = 23,
	PUTROOTFH = 24,
	READDIR = 26,
	RESTOREFH = 31,
	SAVEFH = 32,
	WRITE = 38,
	SEQUENCE = 53,
	DEALLOCATE = 62,
	READ_PLUS = 68,
};

/*
 * Take the operations of a compound; `reply`: with their statuses, and no more
 * than `max`, those of the call. Those that tshark could not decode are
 * incomplete. Set *parts to an array that the caller frees. Return their number.
 */
size_t nfs4_take(struct nfs_frame *frame, bool reply, size_t max, struct nfs_part **parts);

/* Find out which listings and attributes of a frame can be dealt out. `cut`: the
 * capture has only its beginning. */
void nfs4_survey(struct nfs_frame *frame, bool cut);

/* Convert a compound, and count its operations. `frame` has the reply. NULL:
 * there is none, so drop the operations for the reason, or merge them as sent
 * again if that is NULL, too. */
void nfs4_convert(struct nfs_client *client, const struct nfs_part *calls, size_t call_count,
		  const struct nfs_part *replies, size_t reply_count, const struct nfs_frame *frame,
		  const char *reason);

/* A compound while its operations are converted. */
struct compound {
	struct nfs_client *client;
	const struct nfs_part *calls, *replies;
	size_t reply_count; /* at most that of calls */
	const struct nfs_frame *frame;
	bool converts;                          /* an operation other than questions is in it */
	struct nfs_client_place current, saved; /* the file handles */
	bool lost;                              /* the current one is unknown */
	bool asked;                             /* an operation for its questions has been added */
	/* The current operation. */
	size_t at;
	const struct nfs_part *call, *reply;
	int error; /* 0 or an errno */
};

/* Convert the current operation, which nfs_begin() has begun. */
typedef void nfs4_converter(struct compound *compound);
nfs4_converter nfs4_move, nfs4_ask, nfs4_look_up, nfs4_open_file, nfs4_close_file, nfs4_transfer,
	nfs4_commit, nfs4_lock, nfs4_allocate, nfs4_list, nfs4_create, nfs4_remove_name,
	nfs4_rename_or_link, nfs4_read_link, nfs4_set_attributes;

/* Does an operation do more than to ask or to name a file? */
bool nfs4_converts(unsigned operation);

#endif
