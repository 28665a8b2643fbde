/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What every engine for SMB needs and no client library has a part in: what
 * a target's URL and options say, which names SMB can hold, and what to tell
 * a person about an NT status.
 */
#ifndef BACKEND_SMB_COMMON_H
#define BACKEND_SMB_COMMON_H

#include "backend/target.h"
#include "base/error.h"

#include <stdbool.h>

struct account;

/* Characters that an SMB name cannot hold: separators, wildcards, streams,
 * control characters. */
#define SMB_NOT_IN_NAMES "\\:*?\"<>|" \
	"\1\2\3\4\5\6\7\10\11\12\13\14\15\16\17\20" \
	"\21\22\23\24\25\26\27\30\31\32\33\34\35\36\37"

/* Can SMB name what the path names? Returns 0, -EINVAL or -ENAMETOOLONG. */
int smb_check_names(const char *path);

/* --- what the target says --------------------------------------------- */

struct smb_place {
	char *host;      /* decoded, without brackets */
	char *port;      /* digits; "" when there is none */
	char *directory; /* "share/a/b", decoded */
};

/*
 * Returns 0, -EINVAL (no host or share, or what cannot be decoded) or -ENOMEM.
 * Freed with smb_place_free, also after a failure.
 */
int smb_place_make(const struct target *target, struct smb_place *place);
void smb_place_free(struct smb_place *place);

/* The wishes for encryption and for signing. */
enum smb_strength { SMB_UNSAID, SMB_OFF, SMB_REQUEST, SMB_REQUIRE };

/* How to log in. The strings are the target's. */
struct smb_wishes {
	const char *conf;        /* an smb.conf of the user's, or NULL */
	const char *min_dialect; /* as smb.conf calls them; NULL: not said */
	const char *max_dialect;
	enum smb_strength sign, encrypt;
	bool kerberos, guest;
};

void smb_wishes_of(const struct target *target, struct smb_wishes *wishes);

/* --- what is wrong with it -------------------------------------------- */

/*
 * Check what can be checked before anything is sent: the URL, the user's
 * smb.conf, the host's address. Returns 0, or -errno with `error` set.
 */
int smb_check_target(const struct target *target,
		     const struct smb_wishes *wishes, struct error *error);

/*
 * Report that `what` ("log in to") failed with `rc`, and what to do about
 * it. `status` is the server's NT status, 0 if it is not known. Return `rc`.
 */
int smb_refuse(const struct target *target, const char *what, int rc,
	       unsigned long status, struct error *error);

/*
 * Report in the same way that `account` could not log in; -EPROTONOSUPPORT
 * stands for a server without the encryption that is required.
 */
int smb_refuse_login(const struct target *target,
		     const struct account *account,
		     const struct smb_wishes *wishes, int rc,
		     unsigned long status, struct error *error);

#endif
