/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Describe the client that plays on an SMB share, and how much of the load it
 * sends as it was recorded.
 */
#ifndef REPORT_SMB_CLIENT_H
#define REPORT_SMB_CLIENT_H

#include "result/result.h"

#include <stdio.h>

/*
 * Write the client of target number `index`, such as "raw SMB 3.1.1,
 * AES-128-GMAC: 99.99 % as recorded, 0 skipped". Write nothing if the target
 * is not an SMB share, or if an earlier target has the same client.
 */
void smb_client_describe(const struct result_run *run, size_t index, FILE *stream);

#endif
