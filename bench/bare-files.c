/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bare-files DIRECTORY SECONDS: create, stat and unlink 1,000 files in a bare
 * loop, over and over, and read the clock once per operation. Print the
 * operations per second. bench/written compares throng with it.
 */
#include "base/clock.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILES = 1000 };

static uint64_t ops, last_ns, sum_ns;

/* Count an operation, like a program that reports its mean latency. */
static void count(int rc)
{
	uint64_t now_ns = clock_now_ns();

	if (rc < 0) {
		perror("bare-files");
		exit(1);
	}
	sum_ns += now_ns - last_ns;
	last_ns = now_ns;
	ops++;
}

static void cycle(int directory)
{
	struct stat attributes;
	char name[16];
	int i, fd;

	for (i = 0; i < FILES; i++) {
		snprintf(name, sizeof(name), "f%d", i);
		fd = openat(directory, name, O_WRONLY | O_CREAT | O_EXCL, 0666);
		count(fd);
		count(close(fd));
	}
	for (i = 0; i < FILES; i++) {
		snprintf(name, sizeof(name), "f%d", i);
		count(fstatat(directory, name, &attributes, AT_SYMLINK_NOFOLLOW));
	}
	for (i = 0; i < FILES; i++) {
		snprintf(name, sizeof(name), "f%d", i);
		count(unlinkat(directory, name, 0));
	}
}

int main(int argc, char **argv)
{
	int directory = argc == 3 ? open(argv[1], O_RDONLY | O_DIRECTORY) : -1;
	uint64_t start_ns, end_ns;

	if (directory < 0) {
		fprintf(stderr, "usage: bare-files DIRECTORY SECONDS\n");
		return 2;
	}
	start_ns = last_ns = clock_now_ns();
	end_ns = start_ns + (uint64_t)atoi(argv[2]) * NS_PER_S;
	while (last_ns < end_ns)
		cycle(directory);
	printf("%.0f\n", (double)ops * (double)NS_PER_S / (double)(last_ns - start_ns));
	return sum_ns == 0;
}
