/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Extract the fields of a capture with tshark.
 */
#ifndef CAPTURE_DECODE_TSHARK_H
#define CAPTURE_DECODE_TSHARK_H

#include "capture/model/recording.h"

#include <stdio.h>

/* The fields of a protocol that its reader needs. */
struct tshark_protocol {
	const char *const *fields;
	size_t field_count;
	const char *filter;             /* for frames */
	const char *const *preferences; /* NAME:VALUE, ended by NULL; or NULL */
	source_reader *read;
};

/* A capture, and keys to decrypt it. */
struct tshark_capture {
	const char *name;   /* for messages */
	FILE *file;         /* a regular file */
	const char *keys;   /* file of SMB session keys (keys.h), or NULL */
	const char *keytab; /* file of Kerberos keys, or NULL */
	uint16_t port;      /* of SMB, besides those that are found; or 0 */
};

/*
 * Let the protocol's reader read the fields. A capture whose last frame is cut
 * off causes a warning of the source. Return 0, or -errno with `error` set.
 */
int tshark_read(const struct tshark_protocol *protocol, const struct tshark_capture *capture,
		struct source *source, struct error *error);

/*
 * Find out if SMB2, NFS or SMB1 are in the first 10,000 frames that have one of
 * them. Stop as soon as both SMB2 and NFS are found. Set *found to a set of enum
 * tshark_found. Return 0, or -errno with `error` set.
 */
enum tshark_found {
	TSHARK_SMB1 = 1 << 0,
	TSHARK_SMB2 = 1 << 1,
	TSHARK_NFS = 1 << 2,
};
int tshark_find(const struct tshark_capture *capture, unsigned *found, struct error *error);

#endif
