/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whether an SMB share can be used, and what it is; the slot of backend.h.
 */
#ifndef BACKEND_SMB_PROBE_H
#define BACKEND_SMB_PROBE_H

#include "backend/smb_session.h"

int smb_probe(const struct target *target, struct backend_facts *facts,
	      struct error *error);

#endif
