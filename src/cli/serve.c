/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * throng serve: answer the clients of tcp:// targets.
 */
#include "cli/cli.h"

#include "base/message.h"
#include "base/network.h"
#include "cli/options.h"
#include "serve/server.h"

#include <errno.h>
#include <stdio.h>

#define AT(member) OPTION_AT(struct server_plan, member)

const struct option_row serve_rows[] = {
	{"listen", 'l', OPTION_TEXTS, "ADDR", "ADDR[:PORT] to listen on (127.0.0.1 and ::1, 7003)",
	 AT(listen), .flags = OPTION_COMMON},
	{"tcp-options", 0, OPTION_TEXT, "LIST", "Socket options", AT(options),
	 .flags = OPTION_SHOWS_DEFAULT | OPTION_COMMON},
	{"connections", 0, OPTION_COUNT, "N", "Max connections at once per address",
	 AT(connections), .min = 1, .max = SERVER_CONNECTIONS_MAX,
	 .flags = OPTION_SHOWS_DEFAULT | OPTION_COMMON},
	{"timeout", 0, OPTION_COUNT, "N", "Max time for a client to send a packet", AT(timeout_s),
	 .min = 1, .max = SERVER_TIMEOUT_MAX_S, .unit = " s",
	 .flags = OPTION_SHOWS_DEFAULT | OPTION_COMMON},
	{.name = NULL},
};

/* Fill in the plan. Return 0, or -EINVAL with `error` set. */
static int make_plan(struct server_plan *plan, const struct options *given, struct error *error)
{
	if (options_parse(given, error) < 0)
		return -EINVAL;
	while (plan->listen != NULL && plan->listen[plan->listen_count] != NULL)
		plan->listen_count++;
	if (plan->listen_count > SERVER_ADDRESSES_MAX) {
		error_set(error, "--listen: too many addresses (max %d)", SERVER_ADDRESSES_MAX);
		return -EINVAL;
	}
	if (given->words != NULL) {
		error_set(error, "serve: unexpected argument \"%s\"; see --help", given->words[0]);
		return -EINVAL;
	}
	return 0;
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
		printf("%s %s", i == 0 ? "listening on" : ",", server.listeners[i].name);
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
	struct server_plan plan = {
		.options = NETWORK_OPTIONS,
		.connections = SERVER_CONNECTIONS,
		.timeout_s = SERVER_TIMEOUT_S,
	};
	const struct option_group groups[] = {
		{.heading = "Options:", .rows = serve_rows, .values = &plan},
		{.rows = NULL},
	};
	struct options given = {0};
	struct error error = {0};
	int rc;

	argv[0] = "throng serve"; /* for --help */
	rc = options_read(&given, groups, "[OPTIONS]",
			  "  throng serve\n"
			  "  throng serve --listen '*:7004' --connections 64\n",
			  argc, argv);
	if (rc == CLI_HELP)
		rc = EXIT_VALID;
	else if (rc == EXIT_VALID)
		rc = make_plan(&plan, &given, &error) < 0 ? cli_refuse(&error) : serve(&plan);
	options_free(&given);
	return rc;
}
