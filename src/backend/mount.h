/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is mounted where, as far as a local target needs it.
 */
#ifndef BACKEND_MOUNT_H
#define BACKEND_MOUNT_H

#include <stddef.h>

/*
 * Writes the type of the file system that `path` lies on, as mount(8) names
 * it, into `type`, cut at `size` bytes.
 */
void mount_find_type(const char *path, char *type, size_t size);

#endif
