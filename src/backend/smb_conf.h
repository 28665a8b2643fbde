/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The configuration of libsmbclient: an smb.conf that throng writes.
 */
#ifndef BACKEND_SMB_CONF_H
#define BACKEND_SMB_CONF_H

#include "backend/smb_session.h"

/*
 * Make a context with a configuration made from `options`; the library does not
 * read ~/.smb/smb.conf or the system's. Leaves no files. Returns 0, or -errno
 * with `error` set.
 */
int smb_conf_context(const struct smb_options *options, SMBCCTX **context,
		     struct error *error);

/* Check if an initialised context has read throng's configuration. */
bool smb_conf_is_ours(SMBCCTX *context);

#endif
