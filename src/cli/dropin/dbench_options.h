/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The command line of dbench and tbench, versions 4 and 5: convert it to the
 * settings and the target of a run.
 */
#ifndef CLI_DROPIN_DBENCH_OPTIONS_H
#define CLI_DROPIN_DBENCH_OPTIONS_H

#include "cli/dropin/dbench_output.h"
#include "sweep/settings.h"
#include "target/target.h"

/* The words of -B, which select the kind of target. The default is fileio for
 * dbench, sockio for tbench. */
enum dbench_backend { DBENCH_FILEIO, DBENCH_SOCKIO, DBENCH_NFS, DBENCH_SMB };

struct dbench_options {
	struct settings settings;
	unsigned user_count; /* settings.user_counts points to it */
	enum dbench_backend backend;
	const char *server; /* the second argument (SERVER); NULL: not given */
	struct dbench_writer writer;
	/* Allocated by popt; freed by dbench_options_free. */
	char *time, *warmup, *loadfile, *directory, *tcp_options, *rate;
	char *backend_word, *server_option, *export_path, *protocol, *nfs_url;
	char *smb_share, *smb_user, *trunc_io, *clients_per_process;
	char *server_word;
	int sync, sync_dir, fsync, xattr, run_once, skip_cleanup;
	int per_client_results, machine_readable, show_execute_time;
	int no_resolve, one_byte_write_fix, stat_check, fake_io;
};

/*
 * Read the command line. `backend` is the default of -B. Return EXIT_VALID;
 * CLI_HELP after printing help; or EXIT_INVALID after a message.
 */
int dbench_options_read(struct dbench_options *options, enum dbench_backend backend, int argc,
			const char **argv);

/*
 * Fill in the target and its account from the options. Return 0, or -errno
 * with `error` set. Call target_free even after an error.
 */
int dbench_options_target(const struct dbench_options *options, struct target *target,
			  struct error *error);

void dbench_options_free(struct dbench_options *options);

#endif
