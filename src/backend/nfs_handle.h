/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What NFSv3 names a file by.
 */
#ifndef BACKEND_NFS_HANDLE_H
#define BACKEND_NFS_HANDLE_H

#include <stdint.h>

enum { NFS_HANDLE_BYTES = 64 };

struct nfs_handle {
	uint32_t length;
	char bytes[NFS_HANDLE_BYTES];
};

#endif
