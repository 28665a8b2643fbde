/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Code of both SMB engines (target/libsmbclient and target/smb2): the
 * target's URL and options, the names that SMB allows, listings, and messages
 * about logins and other failures.
 */
#ifndef TARGET_SMB_COMMON_H
#define TARGET_SMB_COMMON_H

#include "target/backend.h"
#include "words/smb_client.h"

#include <stdbool.h>

struct account;

/* Characters that an SMB name cannot contain: path separators, wildcards, the
 * colon before a stream's name, and control characters. */
/* clang-format off */
#define SMB_NOT_IN_NAMES "\\:*?\"<>|" \
	"\1\2\3\4\5\6\7\10\11\12\13\14\15\16\17\20" \
	"\21\22\23\24\25\26\27\30\31\32\33\34\35\36\37"
/* clang-format on */

/* Check if SMB allows all names in the path. Return 0, -EINVAL (forbidden
 * character) or -ENAMETOOLONG. */
int smb_check_names(const char *path);

/* A listing while its entries are visited. The caller sets the first two
 * fields, and zeros the others. */
struct smb_visits {
	backend_visit *visit;
	void *context;
	unsigned dots; /* bit 0: "." has been visited; bit 1: ".." */
	bool ended;    /* by `visit` */
};

/* Visit an entry, unless the listing has ended. Servers may return "." and ".."
 * twice: visit them once. */
void smb_visit(struct smb_visits *visits, const char *name, enum backend_entry kind);

/* Visit "." and ".." if the server has left them out. */
void smb_visit_dots(struct smb_visits *visits);

struct smb_place {
	char *host;      /* decoded, without brackets */
	char *port;      /* digits, or "" */
	char *directory; /* "share/a/b", decoded */
};

/*
 * Parse the target's URL. Return 0, -EINVAL (no host or share, or a bad %XX)
 * or -ENOMEM. Free with smb_place_free, also after a failure.
 */
int smb_place_make(const struct target *target, struct smb_place *place);
void smb_place_free(struct smb_place *place);

/* The options of a target that affect the login. The target owns the
 * strings. */
struct smb_options {
	const char *conf; /* the user's own smb.conf, or NULL */
	/* The dialects to negotiate, as smb.conf(5) names them. NULL: leave
	 * the limit to the user's smb.conf. */
	const char *min_dialect;
	const char *max_dialect;
	enum smb_strength sign, encrypt;
	bool kerberos, guest;
};

/* Get the options of the target. */
void smb_options_of(const struct target *target, struct smb_options *options);

/*
 * Before contacting the server, check that the URL is valid, that the user's
 * smb.conf (if any) can be read, and that the host name can be resolved.
 * Return 0, or -errno with `error` set.
 */
int smb_check_target(const struct target *target, const struct smb_options *options,
		     struct error *error);

/* Open the session of user number `user`, or set `error`. */
typedef int smb_log_in(const struct target *target, unsigned user,
		       const struct smb_options *options, struct backend_session **session,
		       struct error *error);

/* Log in with all accounts but the first, which has logged in already. Return 0,
 * or -errno with `error` set. */
int smb_check_accounts(const struct target *target, const struct smb_options *options,
		       smb_log_in *log_in, void (*close)(struct backend_session *session),
		       struct error *error);

/*
 * Set `error` to a message that throng cannot `what` (such as "log in to") the
 * target because of `rc`, with advice. `status` is the server's NT status, or 0
 * if unknown. Return `rc`.
 */
int smb_refuse(const struct target *target, const char *what, int rc, unsigned long status,
	       struct error *error);

/* Write a random name, for the file that a probe creates to check that it may.
 * Return 0 or -errno. */
enum { SMB_PROBE_NAME_BYTES = 40 };
int smb_probe_name(char name[SMB_PROBE_NAME_BYTES]);

/* Set `error` to a message that this file could not be created because of `rc`,
 * with advice. Return `rc`. */
int smb_refuse_creation(const struct target *target, int rc, struct error *error);

/* Return the name of an NT status that a login may end with, or NULL. */
const char *smb_status_name(unsigned long status);

/* Return whether no connection is left after this -errno. */
bool smb_ends_connection(int rc);

/* Return the step that most likely ended with this -errno and this NT status (0:
 * unknown), for a library that does not tell. */
enum smb_step smb_step_of(int rc, unsigned long status);

/* Return how texts spell a dialect, such as "SMB 3.1.1" for "SMB3_11". */
const char *smb_dialect_text(const char *word);

/* Return the words for a step that are followed by the target in "cannot ...".
 * The text is either in `text` or static. */
enum { SMB_STEP_TEXT = 512 };
const char *smb_print_step(const struct target *target, const struct account *account,
			   enum smb_step step, char text[SMB_STEP_TEXT]);

/*
 * Set `error` in the same way to a message that this step failed for `account`.
 * An `rc` of -EPROTONOSUPPORT means that the server does not offer the required
 * encryption.
 */
int smb_refuse_login(const struct target *target, const struct account *account,
		     const struct smb_options *options, enum smb_step step, int rc,
		     unsigned long status, struct error *error);

#endif
