/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Captures of SMB 2 and 3.
 */
#ifndef CAPTURE_SMB_SMB2_H
#define CAPTURE_SMB_SMB2_H

#include "capture/decode/tshark.h"

extern const struct tshark_protocol smb2_protocol;

/*
 * Read the fields of a capture. There is one client per session. The recorded
 * directory is a folder of the share, "" for the whole share; if the client uses
 * several shares, their names are the first components of paths.
 */
source_reader smb2_read_capture;

#endif
