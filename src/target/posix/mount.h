/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Facts about the file system that a path or a file is on.
 */
#ifndef TARGET_POSIX_MOUNT_H
#define TARGET_POSIX_MOUNT_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Write the name of the type of the file system of `path` into `type`, as
 * mount(8) shows it, or "unknown file system".
 */
void mount_type(const char *path, char *type, size_t size);

/*
 * Check if fsync of a file also makes its names durable on the file system of
 * `path`. Return false if the file system has an unknown type.
 */
bool mount_flushes_names(const char *path);

/*
 * Check if all processes that can lock the open file see each other's locks.
 * This is so if no other machine can mount the file system, and if the file
 * system is not an overlay of another one. Return false if the file system has
 * an unknown type.
 */
bool mount_is_local(int fd);

#endif
