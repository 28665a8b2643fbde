/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * DOS attributes as Samba stores them, in an extended attribute of each file.
 * A file server reads it when it looks at a file and writes it when it changes
 * one. The name and the size of 44 bytes are dbench's.
 */
#ifndef BACKEND_POSIX_ATTRIBUTE_H
#define BACKEND_POSIX_ATTRIBUTE_H

/* Check if files in the directory can have it. Returns 0 or -errno. */
int posix_attribute_probe(const char *directory);

/* Read it, if present, from an open file or from `leaf` in a directory. */
void posix_attribute_read(int fd);
void posix_attribute_read_at(int parent, const char *leaf);

/* Read and write it; do nothing to a directory. Returns 0 or -errno. */
int posix_attribute_write(int fd);

#endif
