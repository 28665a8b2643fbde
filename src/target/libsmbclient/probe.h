/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The slot `probe` of the smb backend.
 */
#ifndef TARGET_LIBSMBCLIENT_PROBE_H
#define TARGET_LIBSMBCLIENT_PROBE_H

#include "target/libsmbclient/session.h"

int smb_probe(const struct target *target, struct backend_facts *facts, struct error *error);

#endif
