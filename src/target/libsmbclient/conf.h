/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The configuration of libsmbclient: an smb.conf that throng writes.
 */
#ifndef TARGET_LIBSMBCLIENT_CONF_H
#define TARGET_LIBSMBCLIENT_CONF_H

#include "target/libsmbclient/session.h"

/*
 * Make a context whose configuration comes from `options` only: the library
 * does not read ~/.smb/smb.conf or the system's smb.conf. Leave no files
 * behind. Return 0, or -errno with `error` set.
 */
int smb_conf_context(const struct smb_options *options, SMBCCTX **context, struct error *error);

/* Check if the library has read the smb.conf that throng wrote. `context` must
 * be initialised. */
bool smb_conf_is_ours(SMBCCTX *context);

#endif
