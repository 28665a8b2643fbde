/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Check the files on a target against a state (crash/state.h): is everything
 * there that must be there?
 */
#ifndef CRASH_CHECK_H
#define CRASH_CHECK_H

#include "crash/state.h"
#include "target/backend.h"

enum state_finding_kind {
	STATE_FINDING_NAME,   /* a file cannot be opened, or its size be read */
	STATE_FINDING_OTHER,  /* a name is one of another file */
	STATE_FINDING_DENIED, /* a file cannot be read for lack of permission */
	STATE_FINDING_SIZE,   /* a file is shorter or longer */
	STATE_FINDING_END,    /* a file ends before a range that must be there */
	STATE_FINDING_READ,   /* a range cannot be read */
	STATE_FINDING_MUST,   /* a range that must be there is altered */
	STATE_FINDING_MAY,    /* a range holds what it cannot hold */
};

struct state_finding {
	enum state_finding_kind kind;
	int error;                 /* NAME, READ: errno */
	uint64_t size, found_size; /* SIZE */
	/* The file's path and user; the range, except for NAME, OTHER and
	 * SIZE; and for MUST and MAY, what the bytes look like. */
	struct difference difference;
};

enum { STATE_FINDINGS = 16 }; /* max number of findings described */

/* The result of a check: numbers of bytes, and of names and findings. */
struct state_report {
	uint64_t must_bytes, missing_bytes; /* missing or altered */
	uint64_t must_names, missing_names;
	uint64_t may_names, absent_names; /* names that may be missing */
	/* Bytes in files that are missing, and may be: those that must be there
	 * if the file is. They are not in must_bytes. */
	uint64_t absent_bytes;
	/* Files that cannot be read for lack of permission: those of which the
	 * load has taken away the right, and others, each a finding. Their
	 * bytes are counted by class. */
	uint64_t barred_files, denied_files;
	uint64_t unreadable_bytes; /* of those that must be there */
	/* Bytes that may be there, by what is there. */
	uint64_t now_bytes;     /* the newest version */
	uint64_t before_bytes;  /* the last durable version */
	uint64_t between_bytes; /* a version between these two */
	uint64_t zero_bytes;    /* zeros, or the file is shorter or missing */
	uint64_t other_bytes;   /* anything else */
	uint64_t surplus_bytes; /* after the known end of a file; not read */
	uint64_t unknown_bytes; /* not looked at, or nothing to compare with */
	uint64_t finding_count;
	struct state_finding findings[STATE_FINDINGS]; /* the first ones */
};

/* The data for a check, besides the session. */
struct state_check {
	const struct state *state;
	/* Return whether an operation that failed with this -errno has lost
	 * the target. Set by the caller. */
	bool (*is_loss)(int rc);
	struct content *content;
	/* Maps made from the state, to find out what wrong bytes are; one per
	 * user of the state. */
	struct map **maps;
	struct map *empty; /* the map of all users without files */
};

/* Prepare checks; `state` must stay valid. Return 0 or -ENOMEM. Call
 * state_check_close in either case. */
int state_check_open(struct state_check *check, const struct state *state);
void state_check_close(struct state_check *check);

/*
 * Check the files of the user with this number, and add to the report. Each
 * read adds 1 to *steps. Return 0 with the findings in the report, or -errno if
 * the target no longer answers or memory is short.
 */
int state_check_user(const struct state_check *check, const struct backend *backend,
		     struct backend_session *session, unsigned user, struct state_report *report,
		     uint64_t *steps);

/* Add the report `more` to `report`. */
void state_report_add(struct state_report *report, const struct state_report *more);

#endif
