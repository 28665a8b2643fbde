/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A bare loop of libnfs' asynchronous reads, as a reference for throng with several
 * operations in flight (bench/depth):
 *
 *	bare-reads URL FILE DEPTH SECONDS
 *
 * keeps DEPTH reads of 4 KiB in flight in one connection, at random offsets in the
 * file, and prints reads per second. It sets TCP_NODELAY, as libnfs does since version
 * 6: otherwise most requests wait for the answer to an earlier one.
 */
#include "base/clock.h"
#include "target/nfs/api.h"

#include <err.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

enum { BYTES = 4096, DEPTH_MAX = 64 };

static struct nfs_context *nfs;
static struct nfsfh *file;
static uint64_t blocks; /* of the file */
static uint64_t reads;  /* that have been answered */
static char buffers[DEPTH_MAX][BYTES];

static void answered(int status, struct nfs_context *context, void *data, void *buffer);

static void read_into(void *buffer)
{
	uint64_t offset = (uint64_t)random() % blocks * BYTES;

	if (nfs_queue_pread(nfs, file, buffer, BYTES, offset, answered, buffer) < 0)
		errx(1, "%s", nfs_get_error(nfs));
}

static void answered(int status, struct nfs_context *context, void *data, void *buffer)
{
	if (status != BYTES)
		errx(1, "a read returned %d", status);
	nfs_take_pread(data, buffer, status);
	reads++;
	read_into(buffer);
}

static void open_file(const char *text, const char *path)
{
	struct nfs_url *url;
	struct nfs_stat_64 found;
	int on = 1;

	nfs = nfs_init_context();
	url = nfs != NULL ? nfs_parse_url_dir(nfs, text) : NULL;
	if (url == NULL || nfs_mount(nfs, url->server, url->path) < 0 ||
	    nfs_open(nfs, path, O_RDONLY, &file) < 0 || nfs_fstat64(nfs, file, &found) < 0)
		errx(1, "%s", nfs_get_error(nfs));
	nfs_destroy_url(url);
	if (setsockopt(nfs_get_fd(nfs), IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on)) < 0)
		err(1, "TCP_NODELAY");
	blocks = found.nfs_size / BYTES;
	if (blocks == 0)
		errx(1, "%s is too small", path);
}

int main(int argc, char **argv)
{
	uint64_t begin_ns, end_ns, now_ns;
	int i, depth;

	if (argc != 5)
		errx(2, "expected URL FILE DEPTH SECONDS");
	depth = atoi(argv[3]);
	if (depth < 1 || depth > DEPTH_MAX)
		errx(2, "expected a depth from 1 to %d", DEPTH_MAX);
	open_file(argv[1], argv[2]);
	begin_ns = clock_now_ns();
	end_ns = begin_ns + (uint64_t)(strtod(argv[4], NULL) * (double)NS_PER_S);
	for (i = 0; i < depth; i++)
		read_into(buffers[i]);
	while ((now_ns = clock_now_ns()) < end_ns) {
		struct pollfd fd = {
			.fd = nfs_get_fd(nfs),
			.events = (short)nfs_which_events(nfs),
		};

		if (poll(&fd, 1, -1) < 0 || nfs_service(nfs, fd.revents) < 0)
			errx(1, "%s", nfs_get_error(nfs));
	}
	printf("%.1f\n", (double)reads / ((double)(now_ns - begin_ns) / NS_PER_S));
	return 0;
}
