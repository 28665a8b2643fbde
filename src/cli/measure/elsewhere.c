/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/measure/elsewhere.h"

#include "base/array.h"
#include "base/clock.h"
#include "cli/cli.h"
#include "cli/measure/prepare.h"
#include "hosts/ranks.h"
#include "load/library.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Time for the first rank to print its message: mpiexec ends all ranks after one. */
#define MESSAGE_NS (3 * NS_PER_S)

/* Return an allocated copy of the word by which the command line finds a loadfile: the
 * name of a load of the library, or the path. NULL: memory is short. */
static char *word_of(const char *path)
{
	const char *file = strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path;
	size_t length = library_name_length(file);
	struct error ignored = {0};
	char *name = strndup(file, length), found[PATH_MAX];

	if (name != NULL && length > 0 && library_find(name, found, &ignored) == 0 &&
	    strcmp(found, path) == 0)
		return name;
	free(name);
	return strdup(path);
}

/* Add a loadfile, unless it is there. */
static int add_load(struct hosts_request *request, const char *path, struct error *error)
{
	struct hosts_load load = {.path = path};
	size_t i;

	for (i = 0; i < request->load_count; i++)
		if (strcmp(request->loads[i].path, path) == 0)
			return 0;
	load.word = word_of(path);
	if (load.word != NULL &&
	    array_append(&request->loads, &request->load_count, &load, sizeof(load)) == 0)
		return 0;
	free(load.word);
	return error_no_memory(error);
}

/* Add a target, which must be the same everywhere. */
static int add_target(struct hosts_request *request, const struct target *target,
		      struct error *error)
{
	if (target->scheme[0] == '\0' && target->path[0] != '/') {
		error_set(error,
			  "\"%s\": with --hosts, a target that is a directory must be an absolute "
			  "path",
			  target->url);
		return -EINVAL;
	}
	if (array_append(&request->targets, &request->target_count, &target, sizeof(target)) < 0)
		return error_no_memory(error);
	return 0;
}

static int fill_request(const struct steps_side *side, struct hosts_request *request,
			struct error *error)
{
	size_t i, j;
	int rc = 0;

	for (i = 0; i < side->result->run.variant_count && rc == 0; i++) {
		const struct steps_variant *variant = &side->variants[i];

		for (j = 0; j < variant->loads->count && rc == 0; j++)
			rc = add_load(request, variant->loads->list[j].program->source, error);
		for (j = 0; j < variant->target_count && rc == 0; j++)
			rc = add_target(request, &variant->targets[j], error);
	}
	return rc;
}

static void free_request(struct hosts_request *request)
{
	size_t i;

	for (i = 0; i < request->load_count; i++)
		free(request->loads[i].word);
	free(request->loads);
	free(request->targets);
}

/* Check that users of different hosts need not wait for a sequence point of each other. */
static int check_load(const struct program *program, struct error *error)
{
	size_t i;

	for (i = 0; i < program->op_count; i++) {
		if (program->ops[i].kind != OP_WAITSP)
			continue;
		error_set_at(error, program->source, program->ops[i].line, 0,
			     "WAITSP cannot wait for a user on another host; play the load "
			     "without --hosts");
		return -EINVAL;
	}
	return 0;
}

/* Return the names of the hosts, or NULL if users play here. */
static char **names_of(const struct elsewhere *elsewhere)
{
	return elsewhere->names != NULL ? elsewhere->names : elsewhere->reverse.names;
}

/* Check that the users of a side can play on different hosts. */
static int check_side(const struct steps_side *side, struct error *error)
{
	size_t i, j;
	int rc = 0;

	for (i = 0; i < side->result->run.variant_count && rc == 0; i++)
		for (j = 0; j < side->variants[i].loads->count && rc == 0; j++)
			rc = check_load(side->variants[i].loads->list[j].program, error);
	return rc;
}

/* Add the hosts to a run. */
static int describe(const struct elsewhere *elsewhere, const char *launcher, struct result_run *run,
		    struct error *error)
{
	char *const *name = names_of(elsewhere);
	size_t count = 0;

	while (name[count] != NULL)
		count++;
	run->launcher = strdup(launcher);
	run->hosts = calloc(count, sizeof(*run->hosts));
	if (run->hosts == NULL || run->launcher == NULL)
		return error_no_memory(error);
	for (; run->host_count < count; run->host_count++) {
		struct result_host *host = &run->hosts[run->host_count];

		host->name = strdup(name[run->host_count]);
		if (host->name == NULL)
			return error_no_memory(error);
	}
	return 0;
}

/* Return the program that hosts run: this one, if it was started by its path. */
static char *find_program(void)
{
	return strchr(program_invocation_name, '/') != NULL ? realpath("/proc/self/exe", NULL)
							    : strdup("throng");
}

int elsewhere_parse(struct elsewhere *elsewhere, const struct measure_options *measure,
		    const struct steps_side *sides, unsigned side_count, struct error *error)
{
	const char *launcher = measure->launcher;
	unsigned side;
	int rc = 0;

	if (measure->hosts != NULL && elsewhere->reverse.ranks > 0) {
		error_set(error, "--hosts cannot be used here, because mpiexec or srun has started "
				 "throng on the hosts already");
		return -EINVAL;
	}
	if (measure->hosts != NULL) {
		elsewhere->names = hosts_parse(measure->hosts, error);
		if (elsewhere->names == NULL ||
		    launcher_parse(measure->launcher, &elsewhere->launcher, error) < 0)
			return -EINVAL;
	}
	if (names_of(elsewhere) == NULL)
		return 0;
	if (launcher == NULL)
		launcher = measure->hosts != NULL ? elsewhere->launcher.words[0] : "MPI";
	for (side = 0; side < side_count && rc == 0; side++) {
		if (names_of(elsewhere)[1] != NULL)
			rc = check_side(&sides[side], error);
		if (rc == 0)
			rc = describe(elsewhere, launcher, &sides[side].result->run, error);
	}
	return rc;
}

int elsewhere_open(struct elsewhere *elsewhere, const struct measure_options *measure,
		   const struct steps_side *sides, unsigned side_count, int argc, const char **argv,
		   struct error *error)
{
	struct hosts_request request = {
		.launcher = &elsewhere->launcher,
		.argc = argc,
		.argv = argv,
		.seed = measure->settings.seed,
		.links = elsewhere->reverse.fds,
	};
	char *program, **names = names_of(elsewhere);
	unsigned side;
	int rc;

	if (names == NULL)
		return 0;
	program = find_program();
	rc = program == NULL ? error_no_memory(error) : 0;
	for (side = 0; side < side_count && rc == 0; side++)
		rc = fill_request(&sides[side], &request, error);
	request.program = program;
	request.hash = steps_hash(sides, side_count);
	if (rc == 0)
		rc = hosts_open(&elsewhere->hosts, (const char *const *)names, &request, error);
	for (side = 0; side < side_count && rc == 0; side++)
		if (hosts_describe(elsewhere->hosts, &sides[side].result->run) < 0)
			rc = error_no_memory(error);
	free_request(&request);
	free(program);
	return rc;
}

const struct venue *elsewhere_venue(const struct elsewhere *elsewhere)
{
	return elsewhere->hosts != NULL ? hosts_venue(elsewhere->hosts) : &venue_here;
}

void elsewhere_close(struct elsewhere *elsewhere)
{
	hosts_close(elsewhere->hosts);
	hosts_free_list(elsewhere->names);
	reverse_free(&elsewhere->reverse);
	launcher_free(&elsewhere->launcher);
}

/* Return the command line, with the options that let it start the other hosts. */
static char *command_for_hosts(const struct ranks *ranks, int argc, const char **argv)
{
	const char *hosts = strcmp(ranks->starter, "srun") == 0 ? "slurm" : "HOST,HOST";
	const char **longer = calloc((size_t)argc + 4, sizeof(*longer));
	char *text;
	int i, count = 1;

	if (longer == NULL)
		return NULL;
	longer[0] = argv[0];
	for (i = 1; i < argc && strncmp(argv[i], "--hosts", strlen("--hosts")) != 0; i++)
		;
	if (i == argc) {
		longer[count++] = "--hosts";
		longer[count++] = hosts;
		longer[count++] = "--launcher";
		longer[count++] = ranks->starter;
	}
	for (i = 1; i < argc; i++)
		longer[count++] = argv[i];
	text = prepare_command(count, longer);
	free(longer);
	return text;
}

int elsewhere_check_ranks(int argc, const char **argv, struct error *error)
{
	struct ranks ranks;
	char *command;

	ranks_find(&ranks);
	if (ranks.size < 2)
		return 0;
	if (ranks.rank > 0) {
		clock_sleep_until_ns(clock_now_ns() + MESSAGE_NS);
		return -EINVAL;
	}
	command = command_for_hosts(&ranks, argc, argv);
	error_set(error,
		  "%s started throng %u times, which would make %u separate runs; to make one run "
		  "on all hosts, use the following command, without %s: %s",
		  ranks.starter, ranks.size, ranks.size, ranks.starter,
		  command != NULL ? command : argv[0]);
	free(command);
	return -EINVAL;
}

int elsewhere_enter_ranks(struct elsewhere *elsewhere, int argc, const char **argv, int *status,
			  struct error *error)
{
	struct ranks ranks;
	int rc;

	ranks_find(&ranks);
	if (ranks.size < 2)
		return 1;
	if (!reverse_is_possible(&ranks))
		return elsewhere_check_ranks(argc, argv, error);
	rc = reverse_enter(&ranks, cli_host, &elsewhere->reverse, status, error);
	return rc == -ENXIO ? elsewhere_check_ranks(argc, argv, error) : rc;
}
