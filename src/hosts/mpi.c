/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The only file with mpi.h, compiled once per MPI.
 */
#include "hosts/mpi.h"

#include <mpi.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { TAG = 1 };

/* The last message to each rank. */
static struct outgoing {
	MPI_Request request;
	char bytes[MPI_BYTES];
} **outgoing;
static unsigned rank_count;

/* The next message of any rank. */
static MPI_Request incoming = MPI_REQUEST_NULL;
static char received[MPI_BYTES];

static int expect_message(void)
{
	return MPI_Irecv(received, MPI_BYTES, MPI_BYTE, MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD,
			 &incoming);
}

static int open_mpi(unsigned *rank, unsigned *size)
{
	int given, number, count;

	if (MPI_Init_thread(NULL, NULL, MPI_THREAD_SINGLE, &given) != MPI_SUCCESS)
		return -1;
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	MPI_Comm_rank(MPI_COMM_WORLD, &number);
	MPI_Comm_size(MPI_COMM_WORLD, &count);
	*rank = (unsigned)number;
	*size = rank_count = (unsigned)count;
	outgoing = calloc(*size, sizeof(*outgoing));
	return outgoing != NULL && expect_message() == MPI_SUCCESS ? 0 : -1;
}

static int send_mpi(unsigned rank, const void *bytes, size_t count)
{
	struct outgoing *last = outgoing[rank];
	int done = 0;

	if (last == NULL) {
		last = outgoing[rank] = malloc(sizeof(*last));
		if (last == NULL)
			return 0;
		last->request = MPI_REQUEST_NULL;
	}
	MPI_Test(&last->request, &done, MPI_STATUS_IGNORE);
	if (!done)
		return 0;
	memcpy(last->bytes, bytes, count);
	return MPI_Isend(last->bytes, (int)count, MPI_BYTE, (int)rank, TAG, MPI_COMM_WORLD,
			 &last->request) == MPI_SUCCESS;
}

static int receive_mpi(void *bytes, size_t *count)
{
	MPI_Status status;
	int done = 0, have = 0;

	if (MPI_Test(&incoming, &done, &status) != MPI_SUCCESS || !done)
		return -1;
	MPI_Get_count(&status, MPI_BYTE, &have);
	*count = (size_t)have;
	memcpy(bytes, received, *count);
	expect_message();
	return status.MPI_SOURCE;
}

static void close_mpi(void)
{
	unsigned i;

	for (i = 0; i < rank_count; i++)
		if (outgoing[i] != NULL)
			MPI_Wait(&outgoing[i]->request, MPI_STATUS_IGNORE);
	MPI_Cancel(&incoming);
	MPI_Wait(&incoming, MPI_STATUS_IGNORE);
	MPI_Finalize();
}

__attribute__((visibility("default"))) extern const struct mpi throng_mpi;
const struct mpi throng_mpi = {open_mpi, send_mpi, receive_mpi, close_mpi};
