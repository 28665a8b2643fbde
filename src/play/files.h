/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Play operations by calling the slots (functions) of a backend. This is the
 * one switch over all operations, and it keeps the user's table of open
 * handles.
 */
#ifndef PLAY_FILES_H
#define PLAY_FILES_H

#include "play/replay_state.h"

/*
 * Play an operation that is not a control line, including the extra calls that
 * its flags ask for. Return the slot's result: >= 0 (a count if the slot
 * returns one) or -errno; -EBADF if the open of its file had failed.
 */
int64_t files_play(struct replay *replay, const struct op *op);

/* Close the files that a loop of the load leaves open at its end, and remove
 * those that are to be removed on close. */
void files_close_leftovers(struct replay *replay);

/* Close every open handle. Return 0, or -errno if the target no longer answers;
 * ignore all other errors. */
int files_close_all(struct replay *replay);

#endif
