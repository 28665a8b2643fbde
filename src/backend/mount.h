/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The file system of a path.
 */
#ifndef BACKEND_MOUNT_H
#define BACKEND_MOUNT_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Write the type of the file system of `path` into `type`, as mount(8) names
 * it, or "unknown file system".
 */
void mount_type(const char *path, char *type, size_t size);

/*
 * Check if all processes that can lock the open file see each other's locks.
 * This is so if no other machine can mount the file system, and if it is not an
 * overlay of another one. Returns false for unknown types.
 */
bool mount_is_local(int fd);

#endif
