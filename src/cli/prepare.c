/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/prepare.h"

#include "base/message.h"
#include "load/builtin.h"
#include "load/digest.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/utsname.h>
#include <unistd.h>

int prepare_load(struct prepared *prepared, const char *path, const char *name,
		 const struct load_options *options,
		 const struct transform *transform, struct result_run *about,
		 struct error *error)
{
	struct errors errors = {0};
	struct profile *profile;

	prepared->program = load_file(path, options, &errors);
	if (prepared->program == NULL) {
		message_errors(&errors);
		return -1;
	}
	prepared->profile = profile = malloc(sizeof(*profile));
	if (profile == NULL)
		return error_no_memory(error);
	if (transform_program(prepared->program, transform, error) < 0 ||
	    profile_make(prepared->program, profile, error) < 0)
		return -1;
	about->loadfile.name = strdup(name);
	about->loadfile.dialect = strdup(prepared->program->dialect);
	about->loadfile.ops = profile->ops;
	about->loadfile.read_bytes = profile->read_bytes;
	about->loadfile.write_bytes = profile->write_bytes;
	about->loadfile.open_reads = profile->open_reads;
	about->loadfile.footprint_bytes = profile->footprint_bytes;
	about->loadfile.synced = profile->synced;
	return 0;
}

int prepare_check_metric(const struct prepared *prepared,
			 const struct metric *metric, const char *option,
			 struct error *error)
{
	const struct program *program = prepared->program;
	const char *phase = metric_phase(metric);
	size_t i;

	if (metric->operation[0] == '\0')
		return 0;
	for (i = 0; phase != NULL && i < program->phase_count; i++)
		if (strcmp(program->phases[i].name, phase) == 0)
			return 0;
	for (i = 0; i < program->label_count; i++)
		if (strcasecmp(program->labels[i], metric->operation) == 0)
			return 0;
	error_set(error, "%s: \"%s\" is not an operation of the load; `throng "
		  "check' lists its operations%s", option, metric->operation,
		  phase != NULL ? " and phases" : "");
	return -EINVAL;
}

/* Check that the load has the operations in the settings' conditions. */
static int check_conditions(const struct prepared *prepared,
			    const struct settings *settings,
			    struct error *error)
{
	const struct {
		const struct condition *list;
		size_t count;
		const char *option;
	} all[] = {
		{settings->limits, settings->limit_count, "--limit"},
		{settings->stops, settings->stop_count, "--stop-when"},
		{settings->failures, settings->failure_count, "--fail-if"},
	};
	size_t i, j;

	for (i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		for (j = 0; j < all[i].count; j++)
			if (prepare_check_metric(prepared,
						 &all[i].list[j].metric,
						 all[i].option, error) < 0)
				return -EINVAL;
	return 0;
}

int prepare_settings_load(struct prepared *prepared,
			  const struct settings *settings, bool digest,
			  struct result_run *about, struct error *error)
{
	char path[PATH_MAX], text[DIGEST_TEXT];
	const char *name = settings->loadfile;
	const struct load_options options = {
		.bytes_max = settings->load_bytes_max,
		.settings = settings->load_settings,
		.setting_count = settings->load_setting_count,
	};

	if (name != NULL)
		snprintf(path, sizeof(path), "%s", name);
	else if (builtin_find(path, error) < 0)
		return -1;
	if (prepare_load(prepared, path, name != NULL ? name : BUILTIN_NAME,
			 &options, &settings->transform, about, error) < 0)
		return -1;
	if (check_conditions(prepared, settings, error) < 0)
		return -1;
	if (!digest)
		return 0;
	if (digest_file(path, text, error) < 0)
		return -1;
	about->loadfile.sha256 = strdup(text);
	return 0;
}

void prepare_free(struct prepared *prepared)
{
	free(prepared->profile);
	program_free(prepared->program);
}

void prepare_host(struct result_run *about)
{
	struct utsname host;

	uname(&host);
	about->version = strdup(PACKAGE_VERSION);
	about->host = strdup(host.nodename);
	about->kernel = strdup(host.release);
	result_time_stamp(about->started);
	about->cpus = (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
	about->memory_bytes = (uint64_t)sysconf(_SC_PHYS_PAGES) *
			      (uint64_t)sysconf(_SC_PAGESIZE);
}

char *prepare_command(int argc, const char **argv)
{
	char *text = NULL;
	size_t bytes;
	FILE *stream = open_memstream(&text, &bytes);
	int i;

	if (stream == NULL)
		return NULL;
	fputs(argv[0], stream);
	for (i = 1; i < argc; i++)
		fprintf(stream, " %s", argv[i]);
	fclose(stream);
	return text;
}
