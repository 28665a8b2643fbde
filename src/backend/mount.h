/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which file system a path lies on.
 */
#ifndef BACKEND_MOUNT_H
#define BACKEND_MOUNT_H

#include <stddef.h>

/*
 * Writes the type of the file system of `path`, as mount(8) names it, into
 * `type`; "unknown file system" where /proc does not tell.
 */
void mount_type(const char *path, char *type, size_t size);

#endif
