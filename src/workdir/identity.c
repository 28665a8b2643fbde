/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workdir/identity.h"

#include <errno.h>
#include <inttypes.h>
#include <nettle/sha2.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

/* Used as the start time of a process that has ended but was not reaped. */
#define STARTED_NEVER UINT64_MAX

/*
 * Return the start time of a process, in clock ticks since boot; 0 if it is
 * unknown, STARTED_NEVER for a process that has ended.
 */
static uint64_t process_started(pid_t process)
{
	char path[64], line[1024];
	uint64_t started = 0;
	const char *next;
	FILE *file;
	int field;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)process);
	file = fopen(path, "re");
	if (file == NULL)
		return 0;
	next = fgets(line, sizeof(line), file);
	fclose(file);
	/* proc(5): the second field, in brackets, may contain blanks; the third
	 * is the state; the start time is the 22nd. */
	next = next != NULL ? strrchr(line, ')') : NULL;
	if (next != NULL && (strncmp(next, ") Z", 3) == 0 || strncmp(next, ") X", 3) == 0))
		return STARTED_NEVER;
	for (field = 2; next != NULL && field < 22; field++)
		next = strchr(next + 1, ' ');
	if (next != NULL)
		started = strtoumax(next, NULL, 10);
	return started;
}

/* Check if /proc shows the processes of our own PID namespace. */
static bool proc_is_ours(void)
{
	char own[32], name[32];
	ssize_t length = readlink("/proc/self", name, sizeof(name) - 1);

	if (length < 0)
		return false;
	name[length] = '\0';
	snprintf(own, sizeof(own), "%d", (int)getpid());
	return strcmp(own, name) == 0;
}

/* Read the first word of a system file, "" if it cannot be read. */
static void read_word(const char *path, char word[IDENTITY_WORD_SIZE])
{
	FILE *file = fopen(path, "re");

	word[0] = '\0';
	if (file == NULL)
		return;
	if (fgets(word, IDENTITY_WORD_SIZE, file) == NULL)
		word[0] = '\0';
	word[strcspn(word, " \t\r\n")] = '\0';
	fclose(file);
}

/* Return the number of one of our namespaces, 0 if the kernel has none. */
static uint64_t namespace_of(const char *path)
{
	struct stat namespace;

	return stat(path, &namespace) == 0 ? (uint64_t)namespace.st_ino : 0;
}

/* Replace an id by its hash. The id of a machine is confidential
 * (machine-id(5)), but others may read a run file. */
static void hide(char word[IDENTITY_WORD_SIZE])
{
	static const char salt[] = "throng";
	uint8_t digest[SHA256_DIGEST_SIZE];
	struct sha256_ctx hash;
	size_t i;

	if (word[0] == '\0')
		return;
	sha256_init(&hash);
	sha256_update(&hash, sizeof(salt), (const uint8_t *)salt);
	sha256_update(&hash, strlen(word), (const uint8_t *)word);
	sha256_digest(&hash, sizeof(digest), digest);
	for (i = 0; i < IDENTITY_HASH_BYTES; i++)
		snprintf(word + 2 * i, 3, "%02x", digest[i]);
}

int identity_make(struct identity *identity)
{
	uint64_t random[2];

	*identity = (struct identity){.process = getpid()};
	if (getrandom(random, sizeof(random), 0) != sizeof(random))
		return -EIO;
	snprintf(identity->id, sizeof(identity->id), "%016" PRIx64 "%016" PRIx64, random[0],
		 random[1]);
	if (gethostname(identity->host, sizeof(identity->host) - 1) < 0 ||
	    identity->host[0] == '\0')
		strcpy(identity->host, "unknown");
	/* A run file has one line for it. */
	identity->host[strcspn(identity->host, "\n")] = '\0';
	read_word("/etc/machine-id", identity->machine);
	hide(identity->machine);
	read_word("/proc/sys/kernel/random/boot_id", identity->boot);
	identity->pid_namespace = namespace_of("/proc/self/ns/pid");
	identity->time_namespace = namespace_of("/proc/self/ns/time");
	if (proc_is_ours())
		identity->started = process_started(identity->process);
	return 0;
}

/* Check if both words are known and equal. */
static bool same_word(const char *one, const char *other)
{
	return one[0] != '\0' && strcmp(one, other) == 0;
}

/* Judge whether the process of a run in our own PID namespace is alive. */
static enum identity_state process_state(const struct identity *run, const struct identity *self)
{
	bool comparable = run->time_namespace == self->time_namespace;
	uint64_t started;

	if (kill(run->process, 0) < 0 && errno == ESRCH)
		return IDENTITY_DEAD;
	started = proc_is_ours() ? process_started(run->process) : 0;
	/* With another start time, the PID has been reused since. */
	if (comparable && started != 0 && run->started != 0 && started != run->started)
		return IDENTITY_DEAD;
	return started == STARTED_NEVER ? IDENTITY_DEAD : IDENTITY_ALIVE;
}

enum identity_state identity_state(const struct identity *run, const struct identity *self)
{
	if (same_word(run->boot, self->boot)) {
		if (run->pid_namespace != 0 && run->pid_namespace == self->pid_namespace)
			return process_state(run, self);
		return IDENTITY_UNKNOWN;
	}
	/*
	 * If the boot id differs on the same machine, the machine has been
	 * rebooted and the run is dead. Compare host names as well, since
	 * containers made from one image may share a machine id.
	 */
	if (run->boot[0] != '\0' && self->boot[0] != '\0' &&
	    same_word(run->machine, self->machine) && same_word(run->host, self->host))
		return IDENTITY_DEAD;
	return IDENTITY_UNKNOWN;
}
