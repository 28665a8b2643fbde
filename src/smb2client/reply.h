/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The replies to requests for files. A server may be broken or hostile, so every
 * parser checks all lengths and offsets, and returns 0, or -EPROTO for a reply
 * that breaks the protocol. The numbers in comments are sections of MS-SMB2, or
 * of MS-FSCC where they say so.
 */
#ifndef SMB2CLIENT_REPLY_H
#define SMB2CLIENT_REPLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct smb2_reply;

enum {
	SMB2_FILE_ID_BYTES = 16,
	SMB2_PAYLOAD_PER_CREDIT = 65536, /* 3.1.5.2 */
};

/* Bytes in a received message. */
struct smb2_data {
	const uint8_t *bytes;
	uint32_t size;
};

/* MS-FSCC 2.6: file attributes. */
enum smb2_attribute {
	SMB2_READONLY = 1 << 0,
	SMB2_DIRECTORY = 1 << 4,
	SMB2_ARCHIVE = 1 << 5,
	SMB2_NORMAL = 1 << 7,
};

/* 2.2.13: oplocks, which let a client cache a file. */
enum smb2_oplock {
	SMB2_OPLOCK_NONE = 0,
	SMB2_OPLOCK_II = 1,
	SMB2_OPLOCK_BATCH = 9,
	SMB2_OPLOCK_LEASE = 255,
};

/* 2.2.14. Times are in units of 100 ns since 1601. */
struct smb2_created {
	uint8_t file_id[SMB2_FILE_ID_BYTES];
	uint8_t oplock; /* that the server has granted, an enum smb2_oplock */
	uint64_t access_time, write_time;
	uint64_t size_bytes;
	uint32_t attributes; /* enum smb2_attribute */
};
int smb2_parse_create(const struct smb2_reply *reply, struct smb2_created *created);

/* 2.2.23: the server takes back an oplock or a lease, fully or in part. */
enum { SMB2_LEASE_KEY_BYTES = 16 };
struct smb2_break {
	bool is_lease;
	bool wants_answer; /* of a lease: it must be acknowledged */
	uint8_t level;     /* the oplock that is left */
	uint32_t state;    /* the lease that is left */
	/* The file's ID, or the key of the lease. */
	uint8_t id[SMB2_FILE_ID_BYTES];
};

/* 2.2.20 */
int smb2_parse_read(const struct smb2_reply *reply, struct smb2_data *data);
/* 2.2.22: the number of bytes that were written. */
int smb2_parse_write(const struct smb2_reply *reply, uint32_t *bytes);
/* 2.2.34, 2.2.38: the output of QUERY_DIRECTORY or QUERY_INFO. */
int smb2_parse_query(const struct smb2_reply *reply, struct smb2_data *data);
/* 2.2.32: the output of IOCTL. */
int smb2_parse_ioctl(const struct smb2_reply *reply, struct smb2_data *data);

/* 2.2.32.3: the key that stands for the source of a copy. */
enum { SMB2_RESUME_KEY_BYTES = 24 };
int smb2_parse_resume_key(const struct smb2_reply *reply, uint8_t key[SMB2_RESUME_KEY_BYTES]);

/* 2.2.32.1: the number of chunks that were copied, the bytes of a chunk that
 * was copied in part, and all bytes. In a reply with the status
 * INVALID_PARAMETER, these are the server's limits. */
struct smb2_copied {
	uint32_t chunks, chunk_bytes, total_bytes;
};
int smb2_parse_copied(const struct smb2_reply *reply, struct smb2_copied *copied);

/* MS-FSCC 2.4.2, FileAllInformation. The name may be cut off. */
struct smb2_all_information {
	uint64_t access_time, write_time, allocated_bytes, size_bytes;
	uint64_t file_id; /* 0: unknown */
	uint32_t attributes;
};
int smb2_parse_all_information(const struct smb2_data *data,
			       struct smb2_all_information *information);

/* MS-FSCC 2.5.4, FileFsFullSizeInformation: set *free_bytes to the space that
 * the user may still use. */
int smb2_parse_free_bytes(const struct smb2_data *data, uint64_t *free_bytes);

/* An entry of a listing. The name is in UTF-16, little-endian. */
struct smb2_entry {
	uint32_t attributes;
	struct smb2_data name;
};

/*
 * Read the next entry of a listing of a class of MS-FSCC 2.4. *at is its offset,
 * 0 at first. Return 1, 0 if there are no more entries, or -EPROTO. Without
 * attributes in this class, they are 0.
 */
int smb2_entry_next(const struct smb2_data *listing, uint8_t class, size_t *at,
		    struct smb2_entry *entry);

#endif
