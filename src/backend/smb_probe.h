/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The slot `probe` of the smb backend.
 */
#ifndef BACKEND_SMB_PROBE_H
#define BACKEND_SMB_PROBE_H

#include "backend/smb_session.h"

int smb_probe(const struct target *target, struct backend_facts *facts,
	      struct error *error);

#endif
