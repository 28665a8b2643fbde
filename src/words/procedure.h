/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The procedures of NFSv3 (RFC 1813) and of its lock manager (NLM 4) that a
 * load can call directly, and the errnos that their statuses map to.
 */
#ifndef WORDS_PROCEDURE_H
#define WORDS_PROCEDURE_H

#include <stdint.h>

/*
 * X(procedure, word, verb, class, shape). `word` is the procedure's name in
 * loadfiles of the nfs dialect; see OP_LIST in program/op.h for `verb`, `class`
 * and `shape`. The user of the list defines the macro X.
 */
#define PROCEDURE_LIST(X) \
	X(NFS_GETATTR, "GETATTR3", "nfs-getattr", METADATA, "p") \
	X(NFS_SETATTR, "SETATTR3", "nfs-setattr", METADATA, "p") \
	X(NFS_LOOKUP, "LOOKUP3", "nfs-lookup", METADATA, "p") \
	X(NFS_ACCESS, "ACCESS3", "nfs-access", METADATA, "p") \
	X(NFS_READLINK, "READLINK3", "nfs-readlink", METADATA, "p") \
	X(NFS_READ, "READ3", "nfs-read", DATA, "pose") \
	X(NFS_WRITE, "WRITE3", "nfs-write", DATA, "posye") \
	X(NFS_CREATE, "CREATE3", "nfs-create", METADATA, "p") \
	X(NFS_MKDIR, "MKDIR3", "nfs-mkdir", METADATA, "p") \
	X(NFS_SYMLINK, "SYMLINK3", "nfs-symlink", METADATA, "pq") \
	X(NFS_REMOVE, "REMOVE3", "nfs-remove", METADATA, "p") \
	X(NFS_RMDIR, "RMDIR3", "nfs-rmdir", METADATA, "p") \
	X(NFS_RENAME, "RENAME3", "nfs-rename", METADATA, "pq") \
	X(NFS_LINK, "LINK3", "nfs-link", METADATA, "pq") \
	X(NFS_READDIRPLUS, "READDIRPLUS3", "nfs-readdirplus", METADATA, "p") \
	X(NFS_FSSTAT, "FSSTAT3", "nfs-fsstat", METADATA, "") \
	X(NFS_FSINFO, "FSINFO3", "nfs-fsinfo", METADATA, "") \
	X(NFS_PATHCONF, "PATHCONF3", "nfs-pathconf", METADATA, "p") \
	X(NFS_COMMIT, "COMMIT3", "nfs-commit", METADATA, "p") \
	X(NLM_LOCK, "LOCK4", "nlm-lock", METADATA, "pol") \
	X(NLM_UNLOCK, "UNLOCK4", "nlm-unlock", METADATA, "pol") \
	X(NLM_TEST, "TEST4", "nlm-test", METADATA, "pol")

/* clang-format off */
enum procedure {
#define X(procedure, word, verb, class, shape) PROCEDURE_##procedure,
	PROCEDURE_LIST(X)
#undef X
	PROCEDURES
};
/* clang-format on */

/*
 * Convert an NFSv3 status (RFC 1813 2.6) or an NLM 4 status to an errno.
 * Return 0 for success, a positive errno for a failure, or -1 if the status is
 * unknown. throng-loadfile(5) lists the statuses that share an errno.
 */
int procedure_nfs_errno(uint32_t status);
int procedure_nlm_errno(uint32_t status);

#endif
