/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tbench_srv: serve tbench on all addresses of this machine.
 */
#include "cli/cli.h"

#include "base/message.h"
#include "base/network.h"
#include "serve/server.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int serve(const char *options)
{
	static const char *const anywhere[] = {"*"};
	const struct server_plan plan = {
		.listen = anywhere,
		.listen_count = 1,
		.options = options != NULL ? options : NETWORK_OPTIONS,
		.connections = SERVER_CONNECTIONS,
		.timeout_s = SERVER_TIMEOUT_S,
	};
	struct error error = {0};
	struct server server;
	int rc = server_open(&server, &plan, &error);

	if (rc == 0)
		rc = server_run(&server, &error);
	server_close(&server);
	if (rc == 0)
		return EXIT_VALID;
	message_error(&error);
	return EXIT_INVALID;
}

int cli_tbench_srv(int argc, const char **argv)
{
	char *options = NULL;
	struct poptOption table[] = {
		{"tcp-options", 't', POPT_ARG_STRING, &options, 0, "Socket options (TCP_NODELAY)",
		 "LIST"},
		CLI_DBENCH_HELP_ROWS,
		POPT_TABLEEND,
	};
	struct error error = {0};
	poptContext context;
	int rc;

	message_name("tbench_srv");
	context = poptGetContext("tbench_srv", argc, argv, table, 0);
	poptSetOtherOptionHelp(context, "[OPTIONS]");
	rc = cli_next_dbench_option(context, "  tbench_srv\n"
					     "  tbench_srv -t SO_RCVBUF=65536\n");
	if (rc == CLI_HELP) {
		rc = EXIT_VALID;
	} else if (rc != 0) {
		rc = EXIT_INVALID;
	} else if (poptPeekArg(context) != NULL) {
		error_set(&error, "%s: unexpected \"%s\"; see --help", strerror(EINVAL),
			  poptPeekArg(context));
		message_error(&error);
		rc = EXIT_INVALID;
	} else {
		rc = serve(options);
	}
	poptFreeContext(context);
	free(options);
	return rc;
}
