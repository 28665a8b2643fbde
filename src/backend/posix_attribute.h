/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The attributes of DOS as Samba keeps them beside each file, in an extended
 * attribute: what a file server reads with each look at a file, and writes
 * with each change. The name and the 44 bytes are dbench's.
 */
#ifndef BACKEND_POSIX_ATTRIBUTE_H
#define BACKEND_POSIX_ATTRIBUTE_H

/* Can files in that directory have one? Returns 0 or -errno. */
int posix_attribute_probe(const char *directory);

/* Reads it, of an open file or of `leaf` in a directory; it may be absent. */
void posix_attribute_read(int fd);
void posix_attribute_read_at(int parent, const char *leaf);

/* Reads and writes it; directories have none. Returns 0 or -errno. */
int posix_attribute_write(int fd);

#endif
