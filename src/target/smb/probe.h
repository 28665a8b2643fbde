/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The slot `probe` of the smb backend.
 */
#ifndef TARGET_SMB_PROBE_H
#define TARGET_SMB_PROBE_H

#include "target/smb/session.h"

int smb_probe(const struct target *target, struct backend_facts *facts, struct error *error);

#endif
