/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The conversion of one call: convert.c calls names.c for opens, operations on
 * names, and listings. Each function adds operations, or puts the call into a
 * row.
 */
#ifndef CAPTURE_SMB_CONVERT_H
#define CAPTURE_SMB_CONVERT_H

#include "capture/smb/calls.h"

struct smb2_job {
	struct smb2_calls *calls;
	const struct smb2_captured *call;
	const struct smb2_client *client;
	struct smb2_opened *open; /* NULL: the capture has no such open */
	struct recording *recording;
	struct conversion *conversion;
};

void smb2_drop(const struct smb2_job *job, const char *reason);
void smb2_merge(const struct smb2_job *job, const char *reason);

/* The current call, a CREATE, has been dropped: note why, for the calls on the
 * file. */
void smb2_note_dropped(const struct smb2_job *job);

/* Drop a call whose failure depends on more than the files. */
void smb2_drop_status(const struct smb2_job *job);

/*
 * Add an operation. If it has a path, it is an operation on names, and otherwise
 * on job->open. The call's level, if it has one, is that of the request.
 */
bool smb2_add(const struct smb2_job *job, const struct recorded *recorded);

/* Set *error to 0 or to the errno of a failure that a replay can repeat. */
bool smb2_is_repeatable(const struct smb2_captured *call, int *error);

/* Set what a reply reports about the file. */
void smb2_set_facts(struct recorded *recorded, const struct smb2_captured *call, bool directory);

/* Convert a CREATE by the meaning of the open. */
void smb2_convert_create(const struct smb2_job *job);

/* Open a file that was opened before the capture began, under a name of its
 * own. Return false if this is not possible. */
bool smb2_open_unknown(const struct smb2_job *job);

/* Add the removal of job->open's file, or its rename or hard link. */
void smb2_add_remove(const struct smb2_job *job);
void smb2_add_rename(const struct smb2_job *job, const struct smb2_captured *set);

/* Convert a FIND: the start, a part or the end of a listing. */
void smb2_convert_find(const struct smb2_job *job);

/* "opens and closes" that belong to the operation of another call. */
extern const char smb2_of_another[];

#endif
