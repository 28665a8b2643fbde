/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The verifier: a backend in front of another one. It replaces the data of
 * writes by data that can be verified, notes in the user's map which write is
 * valid where, and compares what is read with it. The rest of the engine plays
 * operations as ever, and need not know.
 *
 * It concerns files in the user's own directory. All other calls, and files
 * that another user's program names, are passed on unchanged.
 */
#ifndef VERIFY_VERIFIER_H
#define VERIFY_VERIFIER_H

#include "target/backend.h"
#include "verify/verify.h"

/* Called for each difference, to complete its description and add it to those of all
 * users (verify_add). */
typedef void verifier_report(void *context, const struct verify *verify,
			     struct difference *difference);

/*
 * Begin to verify, in the process of user `index`. Return the backend to use
 * instead of `backend`, with the same sessions, or NULL if memory is short. `context`
 * is for reports of differences. A process has one verifier: its state is static.
 */
const struct backend *verifier_start(const struct verify *verify, unsigned index,
				     const struct backend *backend, verifier_report *report,
				     void *context);

/* A further session of the user will play operations at the same time, and reports
 * with this context. Call this before any of them plays. Return 0 or -ENOMEM. */
int verifier_share(const struct backend_session *session, void *context);

/*
 * Read what the user has written, through newly opened handles, and compare it.
 * Each read adds 1 to *steps. Return 0, or the -errno of an operation that
 * failed, with its path in `path`: see read_back_files.
 */
int verifier_read_back(struct backend_session *session, uint64_t *steps,
		       char path[DIFFERENCE_PATH]);

/* Pass on all further calls: the map stays as it is. */
void verifier_stop(void);

#endif
