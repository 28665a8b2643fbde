/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What libsmbclient is told through an smb.conf, which is ours.
 */
#ifndef BACKEND_SMB_CONF_H
#define BACKEND_SMB_CONF_H

#include "backend/smb_session.h"

/*
 * A new context whose library has read a configuration made of `wishes`, and
 * neither the user's nor the system's. Nothing of it is left behind. Returns
 * 0, or -errno with `error` set.
 */
int smb_conf_context(const struct smb_wishes *wishes, SMBCCTX **context,
		     struct error *error);

/* Has an initialised context such a configuration? */
bool smb_conf_is_ours(SMBCCTX *context);

#endif
