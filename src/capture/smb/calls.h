/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The calls of an SMB2 capture. smb2.c collects them with their replies;
 * convert.c then turns them into operations, because the meaning of a
 * CREATE depends on what the client does with the file until its CLOSE.
 */
#ifndef CAPTURE_SMB_CALLS_H
#define CAPTURE_SMB_CALLS_H

#include "capture/smb/frame.h"

#include "base/intern.h"

#define SMB2_NONE UINT32_MAX

/* Numbers by keys. */
struct smb2_map {
	struct intern keys;
	uint32_t *values; /* by the number of the key */
	size_t room;
};

/* MS-SMB2 2.2.31, CtlCode. */
enum smb2_function {
	SMB2_PIPE_TRANSCEIVE = 0x11c017,
	SMB2_PIPE_WAIT = 0x110018,
	SMB2_RESUME_KEY = 0x140078,
	SMB2_SRV_COPYCHUNK = 0x1440f2,
	SMB2_SRV_COPYCHUNK_WRITE = 0x1480f2,
};

/* MS-SMB2 2.2.14, CreateAction. */
enum smb2_action { SMB2_OPENED = 1, SMB2_CREATED = 2 };

/* A range of a LOCK, or a chunk of a copy. */
struct smb2_call_range {
	uint64_t offset, length;
	uint64_t to;    /* of a copy: offset in the file that is written */
	uint32_t flags; /* of a LOCK: enum smb2_range_flag */
};

/* MS-SMB2 2.2.26.1. */
enum smb2_range_flag {
	SMB2_RANGE_SHARED = 1 << 0,
	SMB2_RANGE_UNLOCK = 1 << 2,
	SMB2_RANGE_TRY = 1 << 4,
};

struct smb2_captured {
	uint64_t time_ns, replied_ns; /* replied_ns: 0 if it was not replied */
	union {
		/* READ, WRITE: offset. SET_INFO: the size to set.
		 * SESSION_SETUP: the session that it replaces. */
		uint64_t offset;
		struct { /* FIND: in `names`; LOCK, IOCTL: in `ranges` */
			uint32_t list, list_count;
		};
	};
	union {
		uint64_t bytes; /* CREATE, QUERY_INFO: size in the reply */
		struct {        /* IOCTL */
			uint32_t function;
			uint32_t key; /* of a copy, in `texts` */
		};
	};
	uint32_t frame;
	uint32_t status; /* of the reply */
	uint32_t client, stream;
	uint32_t share;    /* name of the share, in `texts` */
	uint32_t name;     /* path, or a FIND's pattern, in `texts` */
	uint32_t file_id;  /* number of the key in `opens_by_id` */
	uint32_t open;     /* number in `opens` */
	uint32_t next_use; /* the next call on the same open file */
	union {
		struct { /* CREATE */
			uint32_t options, access;
		};
		struct {
			uint32_t length; /* READ, WRITE */
			/* The same; SMB2_NONE: unknown. LOCK: number of calls
			 * before the reply. */
			uint32_t moved;
		};
	};
	uint8_t command, type, level;
	uint8_t disposition, action, share_access; /* CREATE */
	uint8_t flags;                             /* FIND; SET_INFO: replace, or delete on close */
	bool requested, replied;
	bool related;   /* to the call before, in a compound */
	bool cut;       /* the capture has not the whole request */
	bool directory; /* CREATE: the reply has this attribute */
	bool unsure;    /* FIND: the names in the reply are unknown */
};

/* The use of an open file, which decides on the operation that it becomes. */
enum smb2_idiom {
	SMB2_AS_OPEN,
	SMB2_AS_STAT,
	SMB2_AS_STATVFS,
	SMB2_AS_LIST,
	SMB2_AS_MKDIR,
	SMB2_AS_RENAME, /* or a hard link */
	SMB2_AS_REMOVE,
};

/* A use of an open file, by its meaning. */
enum smb2_use {
	SMB2_USE_OTHER,
	SMB2_USE_DATA, /* needs an open file: its data and what describes it */
	SMB2_USE_STAT,
	SMB2_USE_SPACE,
	SMB2_USE_FIND,
	SMB2_USE_RENAME, /* or a hard link */
	SMB2_USE_DELETE,
	SMB2_USE_CLOSE,
	SMB2_USE_PIPE,
	SMB2_USES
};

struct smb2_opened {
	/* Its call; that after all others: it was opened before the capture. */
	uint32_t create;
	uint32_t first_use, last_use;
	enum smb2_idiom idiom;
	bool done;      /* the operation of the idiom has been added */
	bool elsewhere; /* not below the recorded directory */
	bool removed;   /* SMB2_AS_OPEN: will be removed by the CLOSE */
	bool pipe;
	bool lists, has_data; /* FIND; uses that need an open file */
	bool repaired;        /* its file has been created if need be */
	/* The reason why its CREATE, and so all of its calls, are dropped, in
	 * `texts`; or SMB2_NONE. */
	uint32_t dropped;
	uint32_t listing;  /* in `listings`, or SMB2_NONE: none has begun */
	struct file *file; /* SMB2_AS_OPEN */
};

struct smb2_client {
	uint32_t address, account; /* in `texts` */
	uint64_t session;          /* 0: calls before the login */
	uint32_t share;            /* the first share with files, in `texts` */
	bool several_shares;
	bool found, excluded; /* `recording` has been looked up */
	struct recording *recording;
};

struct smb2_calls {
	struct source *source;
	struct intern texts;
	struct smb2_captured *calls; /* in the order of the requests */
	size_t count, room;
	uint32_t *order; /* calls in the order of their replies */
	size_t ordered, order_room;
	uint32_t *names; /* numbers of texts */
	size_t name_count, name_room;
	struct smb2_call_range *ranges;
	size_t range_count, range_room;
	struct smb2_client *clients;
	size_t client_count, client_room;
	struct smb2_opened *opens;
	size_t open_count, open_room;
	struct listing *listings;
	size_t listing_count, listing_room;
	struct smb2_map by_message;   /* stream, message ID: call */
	struct smb2_map by_session;   /* address, session: client */
	struct smb2_map by_stream;    /* stream: its first logged-in client */
	struct smb2_map shares;       /* client, tree: share */
	struct smb2_map opens_by_id;  /* client, file ID: open */
	struct smb2_map opens_by_key; /* client, key of a copy: open */
	const char **listed;          /* names for a struct recorded */
	size_t listed_room;
	bool failed; /* out of memory */
};

/* Return the number of a text, or SMB2_NONE without memory or if it is NULL. */
uint32_t smb2_calls_text(struct smb2_calls *calls, const char *text);

/* Return the number of a path in `texts`: its components joined by '/'. Newer
 * versions of tshark write a backslash as two. The data stream ::$DATA is the
 * file. Return SMB2_NONE if the path is too long. */
uint32_t smb2_calls_path(struct smb2_calls *calls, const char *text);

/* Return the number of the path in a FILE_LINK_INFORMATION, whose bytes in
 * hexadecimal others may follow; and set *replace. Return SMB2_NONE if it has
 * none. */
uint32_t smb2_calls_link(struct smb2_calls *calls, const char *text, uint8_t *replace);

/* Return the number of a client's file ID, a GUID in hexadecimal, in
 * `opens_by_id`. Return SMB2_NONE if it is no GUID, or if bytes 4 to 7 have all
 * bits set: in a related request it can be that of the compound's CREATE, and
 * the first four bytes can be those of feed.h. */
uint32_t smb2_calls_file_id(struct smb2_calls *calls, uint32_t client, const char *text);

void smb2_calls_free(struct smb2_calls *calls);

/* Return the value for a key, which is SMB2_NONE if it is new. The pointer is
 * valid until the next call. */
uint32_t *smb2_map_at(struct smb2_calls *calls, struct smb2_map *map, const uint64_t *key,
		      size_t words);

/* Make a map empty, and free its memory. */
void smb2_map_free(struct smb2_map *map);

/* Return a text, "" for SMB2_NONE. */
const char *smb2_calls_name(const struct smb2_calls *calls, uint32_t number);

/*
 * Add a call to those in the order of their replies, for which there is room. A
 * lock that has waited can be granted before the reply to what has released it.
 * A replay may do one call after the other and would wait for ever, so put the
 * release before the lock.
 */
void smb2_calls_order(struct smb2_calls *calls, uint32_t number);

/* Did the call succeed? */
bool smb2_call_is_ok(const struct smb2_captured *call);

/* Find the uses of all open files, and what each open becomes. */
void smb2_link_calls(struct smb2_calls *calls);

/* Return the first use of this meaning, or NULL. */
const struct smb2_captured *smb2_first_use(const struct smb2_calls *calls,
					   const struct smb2_opened *open, enum smb2_use wanted);

/* Add all calls to the recordings of their clients. */
void smb2_convert(struct smb2_calls *calls);

#endif
