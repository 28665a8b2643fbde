/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/prepare.h"

#include "base/message.h"
#include "load/load.h"

#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

static void describe_load(const struct prepared *prepared, const char *name,
			  struct result_run *about)
{
	const struct census *census = prepared->census;

	about->loadfile.name = strdup(name);
	about->loadfile.dialect = strdup(prepared->program->dialect);
	about->loadfile.ops = census->ops;
	about->loadfile.read_bytes = census->read_bytes;
	about->loadfile.write_bytes = census->write_bytes;
	about->loadfile.footprint_bytes = census->footprint_bytes;
	about->loadfile.synced = census->synced;
}

int prepare_load(struct prepared *prepared, const char *path, const char *name,
		 const struct transform *transform, struct result_run *about,
		 struct error *error)
{
	struct errors errors = {0};

	prepared->program = load_file(path, &errors);
	if (prepared->program == NULL) {
		message_errors(&errors);
		return -1;
	}
	prepared->census = malloc(sizeof(*prepared->census));
	if (prepared->census == NULL) {
		error_set(error, "out of memory");
		return -1;
	}
	if (transform_program(prepared->program, transform, error) < 0 ||
	    census_take(prepared->program, prepared->census, error) < 0)
		return -1;
	describe_load(prepared, name, about);
	return 0;
}

void prepare_free(struct prepared *prepared)
{
	free(prepared->census);
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
