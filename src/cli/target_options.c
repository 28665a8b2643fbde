/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/target_options.h"

#include "backend/target.h"
#include "base/units.h"
#include "cli/cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The longest that one operation may take. */
#define TIMEOUT_MAX_S 3600

enum { SMB_CONF, SMB_DIALECT, SMB_ENCRYPT, SMB_SIGN, SMB_GUEST, SMB_KERBEROS,
       TCP_OPTIONS };
const struct target_url_option target_url_options[TARGET_URL_OPTIONS] = {
	[SMB_CONF] = {"smb-conf", "smb", "conf"},
	[SMB_DIALECT] = {"smb-dialect", "smb", "dialect"},
	[SMB_ENCRYPT] = {"smb-encrypt", "smb", "encrypt"},
	[SMB_SIGN] = {"smb-sign", "smb", "sign"},
	[SMB_GUEST] = {"smb-guest", "smb", "guest"},
	[SMB_KERBEROS] = {"smb-kerberos", "smb", "kerberos"},
	[TCP_OPTIONS] = {"tcp-options", "tcp", "options"},
};

struct poptOption *target_options_rows(struct target_options *options)
{
	char **values = options->url_values;
	const struct poptOption rows[] = {
		{"timeout", '\0', POPT_ARG_STRING, &options->timeout, 0,
		 "How long an operation over a network may take (20)", "SEC"},
		{"auth-file", '\0', POPT_ARG_ARGV, &options->auth_files, 0,
		 "User, password and domain, as smbclient has them; may be "
		 "repeated, to spread the users", "FILE"},
		{"smb-dialect", '\0', POPT_ARG_STRING, &values[SMB_DIALECT],
		 0, "SMB2_02 to SMB3_11, or NT1 (the highest from SMB2 on)",
		 "NAME"},
		{"smb-encrypt", '\0', POPT_ARG_STRING, &values[SMB_ENCRYPT],
		 0, "Encryption: off, request or require (off)", "HOW"},
		{"smb-sign", '\0', POPT_ARG_STRING, &values[SMB_SIGN], 0,
		 "Signing: off, request or require (what the server demands)",
		 "HOW"},
		{"smb-kerberos", '\0', POPT_ARG_NONE, &options->smb_kerberos,
		 0, "Log in with a Kerberos ticket", NULL},
		{"smb-guest", '\0', POPT_ARG_NONE, &options->smb_guest, 0,
		 "Log in as a guest, without a password", NULL},
		{"smb-conf", '\0', POPT_ARG_STRING, &values[SMB_CONF], 0,
		 "An smb.conf for the client, instead of throng's own",
		 "FILE"},
		{"tcp-options", '\0', POPT_ARG_STRING, &values[TCP_OPTIONS],
		 0, "Options of tcp: sockets (TCP_NODELAY)", "LIST"},
		POPT_TABLEEND,
	};

	_Static_assert(sizeof(rows) <= sizeof(options->rows),
		       "all rows have room");
	return memcpy(options->rows, rows, sizeof(rows));
}

/* An option without an argument stands for "yes". */
static int take_switch(int given, char **value, struct error *error)
{
	if (given == 0)
		return 0;
	*value = strdup("yes");
	if (*value != NULL)
		return 0;
	return error_no_memory(error);
}

int target_options_take(struct target_options *options, struct error *error)
{
	uint64_t timeout_s = TARGET_TIMEOUT_S;
	int rc = 0;

	if (options->timeout != NULL)
		rc = units_parse_count(options->timeout, "--timeout", 1,
				       TIMEOUT_MAX_S, &timeout_s, error);
	options->timeout_s = (unsigned)timeout_s;
	if (rc == 0)
		rc = take_switch(options->smb_guest,
				 &options->url_values[SMB_GUEST], error);
	if (rc == 0)
		rc = take_switch(options->smb_kerberos,
				 &options->url_values[SMB_KERBEROS], error);
	return rc;
}

void target_options_record(const struct target_options *options,
			   struct result_run *run)
{
	unsigned i;

	if (options->timeout != NULL)
		result_add_option(run, "timeout", "%s", options->timeout);
	for (i = 0; i < TARGET_URL_OPTIONS; i++)
		if (options->url_values[i] != NULL)
			result_add_option(run, target_url_options[i].name,
					  "%s", options->url_values[i]);
}

void target_options_free(struct target_options *options)
{
	unsigned i;

	cli_free_words(options->auth_files);
	free(options->timeout);
	for (i = 0; i < TARGET_URL_OPTIONS; i++)
		free(options->url_values[i]);
}
