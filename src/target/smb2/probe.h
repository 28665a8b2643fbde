/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The raw SMB engine's slot `probe`; see backend.h.
 */
#ifndef TARGET_SMB2_PROBE_H
#define TARGET_SMB2_PROBE_H

#include "target/backend.h"

int smb2_probe(const struct target *target, struct backend_facts *facts, struct error *error);

#endif
