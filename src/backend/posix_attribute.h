/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * DOS attributes as Samba stores them, in an extended attribute of each file. A
 * file server reads the attribute when it looks up a file and writes it when it
 * changes one. The name and the size of 44 bytes are those of dbench.
 */
#ifndef BACKEND_POSIX_ATTRIBUTE_H
#define BACKEND_POSIX_ATTRIBUTE_H

/* Check if files in the directory can have the attribute. Returns 0 or
 * -errno. */
int posix_attribute_probe(const char *directory);

/* Read the attribute, if present, of an open file or of `leaf` in `parent`. */
void posix_attribute_read(int fd);
void posix_attribute_read_at(int parent, const char *leaf);

/* Read and write the attribute; do nothing for a directory. Returns 0 or
 * -errno. */
int posix_attribute_write(int fd);

#endif
