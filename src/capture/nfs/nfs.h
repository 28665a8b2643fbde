/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Captures of NFSv3 and NFSv4, as the fields that tshark prints of them. Each
 * client address is a client of the source.
 *
 * source.directory is the recorded directory: relative to the export for NFSv3,
 * and to the server's root for NFSv4, without slashes at its ends. Calls are those
 * of NFSv3 and of its auxiliary protocols, and the operations of NFSv4's
 * compounds. They are converted in the order of their replies.
 */
#ifndef CAPTURE_NFS_NFS_H
#define CAPTURE_NFS_NFS_H

#include "capture/decode/tshark.h"

extern const struct tshark_protocol nfs_protocol;

source_reader nfs_read_capture;

#endif
