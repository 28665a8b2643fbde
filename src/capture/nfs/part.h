/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The values of one NFS procedure, or of one operation of a compound, in a call
 * or a reply. A grammar says which columns have values for it, one letter per
 * value:
 *
 *   h handle              n name (v3)           p name (v4)
 *   o offset (v3)         O offset (v4)
 *   c count (v3)          C count (v4)          L length (v4)
 *   R count of a READ     W count of a WRITE (v4)
 *   s stable_how          k cookie (v3)         K cookie (v4)
 *   x stateid             m type of a lock      a share_access
 *   i content of a link in a call (v3)          r in a reply of READLINK
 *   y offset (NLM)        Y length (NLM)
 *   u status (NLM)        v status of a TEST (NLM)
 *   A attributes          P optional attributes - those of another file
 *   F optional handle     S attributes to set   M how to CREATE (v3)
 *   w weak cache consistency data of another file
 *   q those of the file itself
 *   b bitmap of attributes                      Z attributes to set (v4)
 *   V attributes to compare (v4)
 *   N OPEN                G CREATE of another kind of file (v4)
 *   d delegation          g attributes (v4)
 *   l names of a READDIR  e those of a READDIRPLUS
 *   E those of NFSv4      t further statuses (v4)
 *   ? values that cannot be dealt out
 *
 * After *, a letter of one value stands for all values that no later operation
 * of the frame claims.
 */
#ifndef CAPTURE_NFS_PART_H
#define CAPTURE_NFS_PART_H

#include "base/intern.h"
#include "capture/decode/columns.h"

/* X(column, field) */
#define NFS_COLUMN_LIST(X) \
	X(MESSAGE_TYPE, "rpc.msgtyp") \
	X(XID, "rpc.xid") \
	X(PROGRAM, "rpc.program") \
	X(PROCEDURE, "rpc.procedure") \
	X(REPLY_STATE, "rpc.replystat") \
	X(ACCEPT_STATE, "rpc.state_accept") \
	X(PROCEDURE_2, "nfs.procedure_v2") \
	X(PROCEDURE_3, "nfs.procedure_v3") \
	X(PROCEDURE_4, "nfs.procedure_v4") \
	X(STATUS_3, "nfs.status3") \
	X(HANDLE, "nfs.fhandle") \
	X(NAME_3, "nfs.name") \
	X(OFFSET_3, "nfs.offset3") \
	X(COUNT_3, "nfs.count3") \
	X(FOLLOWS, "nfs.attributes_follow") \
	X(SIZE_3, "nfs.fattr3.size") \
	X(TYPE_3, "nfs.fattr3.type") \
	X(STABLE_3, "nfs.write.stable") \
	X(CREATE_MODE_3, "nfs.createmode") \
	X(LINK_TO, "nfs.symlink.to") \
	X(READLINK_3, "nfs.readlink.data") \
	X(ENTRY_3, "nfs.readdir.entry3.name") \
	X(ENTRY_PLUS, "nfs.readdirplus.entry.name") \
	X(COOKIE_3, "nfs.cookie3") \
	X(HANDLE_FOLLOWS, "nfs.handle_follow") \
	X(SET_IT, "nfs.set_it") \
	X(SET_SIZE, "nfs.set_size") \
	X(NLM_OFFSET, "nlm.lock.l_offset64") \
	X(NLM_LENGTH, "nlm.lock.l_len64") \
	X(NLM_STATUS, "nlm.stat") \
	X(NLM_TEST_STATUS, "nlm.test_stat.stat") \
	X(OPERATIONS, "nfs.ops.count") \
	X(OPERATION, "nfs.opcode") \
	X(STATUS_4, "nfs.nfsstat4") \
	X(STATEID, "nfs.stateid.other") \
	X(OFFSET_4, "nfs.offset4") \
	X(COUNT_4, "nfs.count4") \
	X(LENGTH_4, "nfs.length4") \
	X(READ_LENGTH, "nfs.read.data_length") \
	X(WRITE_LENGTH, "nfs.write.data_length") \
	X(LOCK_TYPE, "nfs.locktype4") \
	X(NAME_4, "nfs.pathname.component") \
	X(ENTRY_4, "nfs.entry_name") \
	X(EOF_4, "nfs.dirlist4.eof") \
	X(OPEN_TYPE, "nfs.open.opentype") \
	X(CLAIM, "nfs.open.claim_type") \
	X(SHARE_ACCESS, "nfs.open4.share_access") \
	X(CREATE_MODE_4, "nfs.createmode4") \
	X(DELEGATION, "nfs.open.delegation_type") \
	X(SIZE_4, "nfs.fattr4.size") \
	X(TYPE_4, "nfs.nfs_ftype4") \
	X(MODE_4, "nfs.mode") \
	X(LINK_TEXT, "nfs.symlink.linktext") \
	X(ATTRIBUTE, "nfs.attr") \
	X(COOKIE_4, "nfs.cookie4")

/* clang-format off */
enum nfs_column {
	NFS_BEFORE_FIRST = CAPTURE_COLUMNS - 1,
#define X(column, field) NFS_##column,
	NFS_COLUMN_LIST(X)
#undef X
	NFS_COLUMNS
};
/* clang-format on */

/* Attributes that a call sets, compares or asks for. */
enum nfs_attribute {
	NFS_SETS_SIZE = 1 << 0,
	NFS_SETS_MODE = 1 << 1,
	NFS_SETS_TIMES = 1 << 2,
	NFS_SETS_OWNER = 1 << 3,
	NFS_ASKS_SPACE = 1 << 4, /* of the file system */
	NFS_ASKS_TYPE = 1 << 5,
};

enum { NFS_NAMES = 2 };

struct nfs_part {
	unsigned number; /* of the procedure or operation */
	uint32_t status; /* in a reply */
	bool incomplete; /* values that the grammar names are missing */
	uint8_t handle_count, name_count;
	uint32_t handles[NFS_NAMES]; /* numbers in the frame's table */
	const char *names[NFS_NAMES];
	const char *text; /* content of a symbolic link */
	const char *stateid;
	const char *delegation; /* reply to OPEN: its stateid, or NULL */
	uint64_t offset, count, cookie;
	uint64_t mode;       /* stable_how, createmode, type of a lock or file,
			      * permissions */
	uint64_t access;     /* OPEN: share_access */
	uint64_t claim;      /* OPEN: claim type */
	bool creates;        /* OPEN */
	unsigned attributes; /* enum nfs_attribute */
	uint64_t set_size;
	/* Reported about the file. */
	enum node_kind kind;
	int64_t bytes;
	bool end; /* of a listing */
};

/* A name in a listing. */
struct nfs_entry {
	const char *name;
	bool has_handle;
	uint32_t handle;
	enum node_kind kind;
	int64_t bytes;
};

#define NFS_ANY SIZE_MAX

/* The frame whose values are dealt out. */
struct nfs_frame {
	struct columns columns;
	struct intern handles; /* of all frames: their bytes in hexadecimal */
	/* The values of the rest of the frame cannot be dealt out. */
	bool mixed_up;
	/* NFSv4: tshark has not decoded all operations, because it does not
	 * know one, or because one is malformed or cut off. */
	bool undecoded, malformed;
	/* Number of such operations that calls may still count. */
	unsigned undecoded_left;
	/* Statuses of a 't', or NFS_ANY if they are unknown. */
	size_t further_statuses;
	/* Number of values of a column that operations after the current one
	 * claim, or NFS_ANY; and how often that was found out. */
	size_t claims[NFS_COLUMNS];
	unsigned looks;
	/* There is a size or type for each GETATTR and each name. */
	bool has_sizes, has_types;
	/* Names of the listing in the current reply. Those of several listings
	 * in a frame cannot be separated. */
	size_t listings;
	const char **names;
	struct nfs_entry *entries;
	size_t entry_count, name_room, entry_room;
	bool failed; /* out of memory */
};

/* Return the column of a letter that stands for one value, or NFS_COLUMNS. */
enum nfs_column nfs_column_of(char letter);

/* Take the values of a part. part->number is set. */
void nfs_take(struct nfs_frame *frame, const char *grammar, struct nfs_part *part);

#endif
