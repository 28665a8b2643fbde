/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Read back a user's files at the end of a run, because a load need not
 * read all data that it has written.
 */
#ifndef VERIFY_READ_BACK_H
#define VERIFY_READ_BACK_H

#include "target/backend.h"
#include "verify/difference.h"

/*
 * Read the written bytes of all files in the map whose content is known, with
 * newly opened handles. The backend is a verifier, which compares them. Files
 * that cannot be read for lack of permission are counted in the map. Each read
 * adds 1 to *steps. Return 0, or the -errno of an operation that failed, with
 * its path in `path`: a missing file is a failure as well, and so is an
 * unreadable one, unless the load may have taken away the right to read it.
 */
int read_back_files(const struct backend *backend, struct backend_session *session, struct map *map,
		    uint64_t *steps, char path[DIFFERENCE_PATH]);

#endif
