/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fuzz what a host sends to the controller of a run on many hosts. The input is all
 * that arrives over the link. Nothing that is printed later may have control characters.
 */
#include "base/utf8.h"
#include "hosts/controller.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_text(const char *text)
{
	char *masked = strdup(text);

	if (masked == NULL)
		abort();
	utf8_mask(masked);
	if (strcmp(masked, text) != 0) {
		fprintf(stderr, "fuzz-link: a text is not masked\n");
		abort();
	}
	free(masked);
}

static void check_facts(const char *facts)
{
	struct workers_target on = {.claim = {.lock_fd = -1}};
	unsigned number;

	for (number = 0; number < 2; number++) {
		facts_parse(facts, number, &on);
		check_text(on.facts.kind);
		check_text(on.claim.file.name);
		check_text(on.claim.file.workdir);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct host host = {
		.name = "h1",
		.launched = {.err_fd = -1},
		.users = 1,
		.tally = {.died_user = -1},
	};
	struct hosts hosts = {.list = &host, .count = 1, .beat_ns = CLOCK_NEVER};
	int fd = memfd_create("link", MFD_CLOEXEC);

	if (fd < 0 || write(fd, data, size) != (ssize_t)size || lseek(fd, 0, SEEK_SET) != 0)
		abort();
	link_open(&host.link, fd, open("/dev/null", O_WRONLY | O_CLOEXEC));
	controller_pump(&hosts, 0);
	if (!host.lost || !hosts.why.set)
		abort();
	check_text(hosts.why.text);
	check_text(host.machine.name);
	check_text(host.machine.version);
	check_text(host.machine.kernel);
	if (host.facts != NULL)
		check_facts(host.facts);
	link_close(&host.link);
	tally_free(&host.tally);
	free(host.facts);
	return 0;
}
