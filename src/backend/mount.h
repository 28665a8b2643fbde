/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The file system that a path lies on.
 */
#ifndef BACKEND_MOUNT_H
#define BACKEND_MOUNT_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Writes the type of the file system of `path`, as mount(8) names it, into
 * `type`; "unknown file system" where /proc does not tell.
 */
void mount_type(const char *path, char *type, size_t size);

/*
 * Is the open file on a file system that this machine alone has mounted, and
 * in one way only, so that all who can lock the file see each other's locks? Only known types are
 * taken for one.
 */
bool mount_is_local(int fd);

#endif
