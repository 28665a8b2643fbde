/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How a client of SMB sends the operations of a load: as the recorded requests,
 * or by the nearest calls that it has. This follows from the program alone, so
 * that a user learns it before anything is measured.
 */
#ifndef STUDY_FIDELITY_H
#define STUDY_FIDELITY_H

#include "program/program.h"
#include "words/smb_client.h"

/* Mean numbers per loop of the load, without control lines and the set-up. */
struct fidelity {
	double ops; /* the sum of the following three */
	/* Operations that go out as one request, or one compound of requests,
	 * with all recorded fields. */
	double as_recorded;
	double nearest; /* operations that go out in any other way */
	double skipped; /* those that fit_program() has disabled */
	double round_trips;
};

/* Check if the load consists of SMB requests, so that "as recorded" has a
 * meaning. */
bool fidelity_applies(const struct program *program);

/*
 * Add the operations of a program, after fit_program(), to *sum. `client` is
 * not SMB_CLIENT_NONE; `times` is the number of loops to add. Return 0 or
 * -ENOMEM.
 */
int fidelity_add(const struct program *program, enum smb_client client, double times,
		 struct fidelity *sum);

#endif
