/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The requests for files. Each function appends one to the session's message
 * (smb2_begin). If it does not fit, the exchange fails. The numbers in comments
 * are sections of MS-SMB2, or of MS-FSCC where they say so.
 */
#ifndef SMB2CLIENT_REQUEST_H
#define SMB2CLIENT_REQUEST_H

#include "smb2client/reply.h"
#include "words/smb_request.h"

struct smb2_session;

/* 2.2.13.1: access rights. */
enum smb2_access {
	SMB2_READ_DATA = 1 << 0, /* of a directory: list it */
	SMB2_WRITE_DATA = 1 << 1,
	SMB2_READ_ATTRIBUTES = 1 << 7,
	SMB2_WRITE_ATTRIBUTES = 1 << 8,
	SMB2_DELETE = 1 << 16,
};

/* 2.2.13: what other opens may do while this one lasts. */
enum smb2_share {
	SMB2_SHARE_READ = 1 << 0,
	SMB2_SHARE_WRITE = 1 << 1,
	SMB2_SHARE_DELETE = 1 << 2,
};

/* A name in UTF-16. */
struct smb2_name {
	const uint8_t *bytes;
	size_t size;
};

/* 2.2.13: the fields of a CREATE request. `disposition`: enum smb_disposition,
 * `options`: enum smb_create_option and others. */
struct smb2_create {
	uint32_t access, attributes, share, disposition, options;
	struct smb2_name name;
	/* The oplock to ask for. For a lease, which cannot be asked for in
	 * SMB2_02, the key stands for the file. */
	enum smb2_oplock oplock;
	uint8_t lease_key[SMB2_LEASE_KEY_BYTES];
};
void smb2_put_create(struct smb2_session *session, const struct smb2_create *create);

/* Stands for the file that an earlier request of the same compound opened. */
extern const uint8_t smb2_created_id[SMB2_FILE_ID_BYTES];

/* 2.2.15, 2.2.17 */
void smb2_put_close(struct smb2_session *session, const uint8_t *id);
void smb2_put_flush(struct smb2_session *session, const uint8_t *id);

/* 2.2.19, 2.2.21, for smb2_read_range() and smb2_write_range(). The data of a
 * WRITE follows the message, so the WRITE must be its last request. */
void smb2_put_read(struct smb2_session *session, const uint8_t *id, uint64_t offset,
		   uint32_t bytes);
void smb2_put_write(struct smb2_session *session, const uint8_t *id, uint64_t offset,
		    uint32_t bytes, bool through);

/* 2.2.26.1: flags of a lock. */
enum smb2_lock_flag {
	SMB2_LOCK_SHARED = 1 << 0,
	SMB2_LOCK_EXCLUSIVE = 1 << 1,
	SMB2_LOCK_UNLOCK = 1 << 2,
	SMB2_LOCK_FAIL = 1 << 4, /* instead of waiting */
};
/* A range of bytes in a file. */
struct smb2_range {
	uint64_t offset, length;
};
/* 2.2.26: lock or unlock one or more ranges; only ranges to unlock may be
 * several. The `flags` are for all of them. */
void smb2_put_lock(struct smb2_session *session, const uint8_t *id, const struct smb2_range *ranges,
		   unsigned count, uint32_t flags);

/* MS-FSCC 2.4, 2.5: classes of information. */
enum smb2_file_class {
	SMB2_BOTH_DIRECTORY_INFORMATION = 3,
	SMB2_BASIC_INFORMATION = 4,
	SMB2_RENAME_INFORMATION = 10,
	SMB2_LINK_INFORMATION = 11,
	SMB2_DISPOSITION_INFORMATION = 13,
	SMB2_ALL_INFORMATION = 18,
	SMB2_ALLOCATION_INFORMATION = 19,
	SMB2_END_OF_FILE_INFORMATION = 20,
};
enum { SMB2_FS_FULL_SIZE_INFORMATION = 7 };

/* 2.2.37: ask for the attributes of a file, or for the space of its file
 * system. `class`: see above, or any other. */
void smb2_put_query_file(struct smb2_session *session, const uint8_t *id, uint8_t class);
void smb2_put_query_space(struct smb2_session *session, const uint8_t *id, uint8_t class);

/* 2.2.39 */
void smb2_put_set(struct smb2_session *session, const uint8_t *id, enum smb2_file_class class,
		  const void *data, size_t bytes);
/* MS-FSCC 2.4.4, 2.4.14: set the allocated size, or the size. */
void smb2_put_set_size(struct smb2_session *session, const uint8_t *id, enum smb2_file_class class,
		       uint64_t bytes);
/* MS-FSCC 2.4.7: set the times, in units of 100 ns since 1601, and the
 * attributes; 0 changes nothing. */
void smb2_put_set_basic(struct smb2_session *session, const uint8_t *id, uint64_t access_time,
			uint64_t write_time, uint32_t attributes);
/* MS-FSCC 2.4.42, 2.4.27: rename the file, or add a name. */
void smb2_put_rename(struct smb2_session *session, const uint8_t *id, enum smb2_file_class class,
		     struct smb2_name name, bool replace);

/* 2.2.31: control codes; MS-FSCC 2.3 has those for a file system. */
enum smb2_control {
	SMB2_SET_SPARSE = 0x000900c4,
	SMB2_SET_ZERO_DATA = 0x000980c8,
	SMB2_REQUEST_RESUME_KEY = 0x00140078,
	SMB2_VALIDATE_NEGOTIATE_INFO = 0x00140204,
	SMB2_COPYCHUNK_WRITE = 0x001480f2,
};
/* Let the server act on an open file, with input of `bytes` bytes. The output
 * may have up to `max_output` bytes. */
void smb2_put_control(struct smb2_session *session, const uint8_t *id, enum smb2_control control,
		      const void *input, size_t bytes, uint32_t max_output);

/* 2.2.33: list the names that match the pattern, as many entries of the class
 * (MS-FSCC 2.4) as fit into `bytes` bytes. */
void smb2_put_find(struct smb2_session *session, const uint8_t *id, uint8_t class,
		   struct smb2_name pattern, uint32_t bytes);

#endif
