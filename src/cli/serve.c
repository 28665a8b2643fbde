/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/cli.h"

#include "base/message.h"
#include "base/network.h"
#include "base/units.h"
#include "serve/server.h"

#include <stdio.h>
#include <stdlib.h>

struct serve_options {
	char *listen[SERVER_ADDRESSES_MAX];
	unsigned listen_count;
	char *tcp_options, *connections, *timeout; /* NULL: not given */
};

enum { OPTION_LISTEN = 1 };

static int take_values(struct serve_options *options, poptContext context,
		       struct server_plan *plan, struct error *error)
{
	uint64_t connections = SERVER_CONNECTIONS;
	uint64_t timeout_s = SERVER_TIMEOUT_S;
	const char *word = poptGetArg(context);

	if (word != NULL) {
		error_set(error, "serve: \"%s\" is one argument too many; "
			  "see --help", word);
		return -1;
	}
	if (options->connections != NULL &&
	    units_parse_count(options->connections, "--connections", 1,
			      SERVER_CONNECTIONS_MAX, &connections,
			      error) < 0)
		return -1;
	if (options->timeout != NULL &&
	    units_parse_count(options->timeout, "--timeout", 1,
			      SERVER_TIMEOUT_MAX_S, &timeout_s, error) < 0)
		return -1;
	*plan = (struct server_plan){
		.listen = (const char *const *)options->listen,
		.listen_count = options->listen_count,
		.options = options->tcp_options != NULL
				   ? options->tcp_options : NETWORK_OPTIONS,
		.connections = (unsigned)connections,
		.timeout_s = (unsigned)timeout_s,
	};
	return 0;
}

/* Returns EXIT_VALID with `plan` filled in, CLI_HELP, or EXIT_REFUSED. */
static int read_options(struct serve_options *options, poptContext context,
			struct server_plan *plan)
{
	struct error error = {0};
	int value;

	while ((value = cli_next_option(context)) == OPTION_LISTEN) {
		char *word = poptGetOptArg(context);

		if (options->listen_count == SERVER_ADDRESSES_MAX) {
			free(word);
			error_set(&error, "--listen: more than %d addresses",
				  SERVER_ADDRESSES_MAX);
			return cli_refuse(&error);
		}
		options->listen[options->listen_count++] = word;
	}
	if (value != 0)
		return value == CLI_HELP ? CLI_HELP : -value;
	if (take_values(options, context, plan, &error) < 0)
		return cli_refuse(&error);
	return EXIT_VALID;
}

static int serve(const struct server_plan *plan)
{
	struct error error = {0};
	struct server server;
	int rc = server_open(&server, plan, &error);
	unsigned i;

	if (rc < 0) {
		server_close(&server);
		return cli_refuse(&error);
	}
	for (i = 0; i < server.listener_count; i++)
		printf("%s %s", i == 0 ? "listening on" : ",",
		       server.listeners[i].name);
	putchar('\n');
	fflush(stdout);
	rc = server_run(&server, &error);
	server_close(&server);
	if (rc == 0)
		return EXIT_VALID;
	message_error(&error);
	return EXIT_INVALID;
}

int cli_serve(int argc, const char **argv)
{
	struct serve_options options = {0};
	struct server_plan plan;
	struct poptOption table[] = {
		{"listen", 'l', POPT_ARG_STRING, NULL, OPTION_LISTEN,
		 "Where, ADDR[:PORT] (127.0.0.1 and ::1, port 7003); may be "
		 "repeated", "ADDR"},
		{"tcp-options", '\0', POPT_ARG_STRING, &options.tcp_options,
		 0, "Options of the sockets (TCP_NODELAY)", "LIST"},
		{"connections", '\0', POPT_ARG_STRING, &options.connections,
		 0, "How many at once on each address; others wait (4096)",
		 "N"},
		{"timeout", '\0', POPT_ARG_STRING, &options.timeout, 0,
		 "How long a client may take over a packet (300)",
		 "SEC"},
		CLI_HELP_ROW,
		POPT_TABLEEND,
	};
	poptContext context;
	int rc;

	argv[0] = "throng serve"; /* what popt calls the program in --help */
	context = poptGetContext("throng", argc, argv, table, 0);
	poptSetOtherOptionHelp(context, "[OPTIONS]");
	rc = read_options(&options, context, &plan);
	if (rc == EXIT_VALID)
		rc = serve(&plan);
	else if (rc == CLI_HELP)
		rc = EXIT_VALID;
	poptFreeContext(context);
	while (options.listen_count > 0)
		free(options.listen[--options.listen_count]);
	free(options.tcp_options);
	free(options.connections);
	free(options.timeout);
	return rc;
}
