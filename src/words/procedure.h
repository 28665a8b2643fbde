/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The procedures of NFSv3 (RFC 1813) and of its lock manager (NLM 4) that a
 * load can call directly, and the errnos that their statuses map to.
 */
#ifndef WORDS_PROCEDURE_H
#define WORDS_PROCEDURE_H

#include <stdint.h>

/* clang-format off */
/*
 * X(procedure, word, ...). `word` is the procedure's name in loadfiles of the
 * nfs dialect; see OP_LIST in program/op.h for the columns that follow it. The
 * user of the list defines the macro X.
 */
#define PROCEDURE_LIST(X) \
	X(NFS_GETATTR, "GETATTR3", "nfs-getattr", METADATA, "p", E_NONE, 0, 0, P_QUERY_PATH) \
	X(NFS_SETATTR, "SETATTR3", "nfs-setattr", METADATA, "p", E_ALTERS, 0, 0, P_QUERY_PATH) \
	X(NFS_LOOKUP, "LOOKUP3", "nfs-lookup", METADATA, "p", E_NONE, 0, 0, P_QUERY_PATH) \
	X(NFS_ACCESS, "ACCESS3", "nfs-access", METADATA, "p", E_NONE, 0, 0, P_QUERY_PATH) \
	X(NFS_READLINK, "READLINK3", "nfs-readlink", METADATA, "p", \
		E_NONE, CAP_SYMLINKS, 0, P_QUERY_PATH) \
	X(NFS_READ, "READ3", "nfs-read", DATA, "pose", E_READS, 0, 0, P_READ) \
	X(NFS_WRITE, "WRITE3", "nfs-write", DATA, "posye", E_WRITES, 0, 0, P_WRITE) \
	X(NFS_CREATE, "CREATE3", "nfs-create", METADATA, "p", E_MAKES, 0, 0, P_OPEN) \
	X(NFS_MKDIR, "MKDIR3", "nfs-mkdir", METADATA, "p", E_MAKES | E_DIR, 0, 0, P_NAME) \
	X(NFS_SYMLINK, "SYMLINK3", "nfs-symlink", METADATA, "pq", \
		E_MAKES, CAP_SYMLINKS, 0, P_TWO_NAMES) \
	X(NFS_REMOVE, "REMOVE3", "nfs-remove", METADATA, "p", E_REMOVES, 0, 0, P_NAME) \
	X(NFS_RMDIR, "RMDIR3", "nfs-rmdir", METADATA, "p", E_REMOVES | E_DIR, 0, 0, P_NAME) \
	X(NFS_RENAME, "RENAME3", "nfs-rename", METADATA, "pq", E_MOVES, 0, 0, P_TWO_NAMES) \
	X(NFS_LINK, "LINK3", "nfs-link", METADATA, "pq", E_MAKES, CAP_LINKS, 0, P_TWO_NAMES) \
	X(NFS_READDIRPLUS, "READDIRPLUS3", "nfs-readdirplus", METADATA, "p", E_DIR, 0, 0, P_LIST) \
	X(NFS_FSSTAT, "FSSTAT3", "nfs-fsstat", METADATA, "", E_NONE, 0, 0, P_QUERY_FILE) \
	X(NFS_FSINFO, "FSINFO3", "nfs-fsinfo", METADATA, "", E_NONE, 0, 0, P_QUERY_FILE) \
	X(NFS_PATHCONF, "PATHCONF3", "nfs-pathconf", METADATA, "p", E_NONE, 0, 0, P_QUERY_FILE) \
	X(NFS_COMMIT, "COMMIT3", "nfs-commit", METADATA, "p", E_FLUSHES, CAP_FSYNC, 0, P_FLUSH) \
	X(NLM_LOCK, "LOCK4", "nlm-lock", METADATA, "pol", E_NONE, CAP_LOCKS, 0, P_RANGE) \
	X(NLM_UNLOCK, "UNLOCK4", "nlm-unlock", METADATA, "pol", E_NONE, CAP_LOCKS, 0, P_RANGE) \
	X(NLM_TEST, "TEST4", "nlm-test", METADATA, "pol", E_NONE, CAP_LOCKS, 0, P_RANGE)

enum procedure {
#define X(procedure, ...) PROCEDURE_##procedure,
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
