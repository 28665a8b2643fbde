/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * DOS attributes as Samba stores them, in an extended attribute of each file. A
 * file server reads the extended attribute when it looks up a file, and writes
 * it when it changes a file. Its name (user.DosAttrib) and its size of 44 bytes
 * are the same as in dbench.
 */
#ifndef TARGET_POSIX_DOS_ATTRIBUTE_H
#define TARGET_POSIX_DOS_ATTRIBUTE_H

/* Check if files in the directory can have the extended attribute. Return 0,
 * also if this is unknown, or -errno. */
int posix_attribute_probe(const char *directory);

/* Read the extended attribute, if present, of an open file or of the file
 * `leaf` in the directory `parent`. */
void posix_attribute_read(int fd);
void posix_attribute_read_at(int parent, const char *leaf);

/* Read the extended attribute and write a new value; do nothing for a
 * directory. Return 0 or -errno. */
int posix_attribute_write(int fd);

#endif
