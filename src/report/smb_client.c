/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/smb_client.h"

#include <math.h>
#include <string.h>

/* Write the version of SMB: "SMB 3.1.1" for SMB3_11. Write nothing for any other
 * kind of target. */
static void write_smb_version(const char *kind, FILE *stream)
{
	static const char digits[] = "0123456789";

	if (strncmp(kind, "SMB", 3) != 0 || strlen(kind) != strlen("SMB3_11") || kind[4] != '_' ||
	    strspn(kind + 3, digits) != 1 || strspn(kind + 5, digits) != 2)
		return;
	fprintf(stream, " SMB %c.%c", kind[3], kind[5]);
	if (kind[6] != '0')
		fprintf(stream, ".%c", kind[6]);
}

/* Return the text if it is known, or "". */
static const char *known(const char *text)
{
	return text != NULL ? text : "";
}

/* Check if the same client plays in the same way on two targets. */
static bool is_same_client(const struct result_target *one, const struct result_target *other)
{
	const struct result_client *client = &one->client;

	return other->client.name != NULL && strcmp(client->name, other->client.name) == 0 &&
	       strcmp(known(client->algorithm), known(other->client.algorithm)) == 0 &&
	       strcmp(one->library_version, other->library_version) == 0 &&
	       (strcmp(client->name, one->library) == 0 || strcmp(one->kind, other->kind) == 0);
}

/* Write a share in per cent. A share below 1 is never written as 100 %. */
static void write_per_cent(double share, FILE *stream)
{
	double per_cent = 100 * share;

	if (per_cent > 99.9 && per_cent < 100)
		fprintf(stream, "%.2f %%", fmin(per_cent - 0.005, 99.99));
	else
		fprintf(stream, "%.3g %%", per_cent);
}

/* Shares of operations below this are not worth a line's length. */
#define SHARE_MIN 0.0005

/* Write how a client sends the load. */
static void write_requests(const struct result_requests *requests, FILE *stream)
{
	fputs(": ", stream);
	write_per_cent(requests->as_recorded, stream);
	fputs(" as recorded", stream);
	if (requests->nearest >= SHARE_MIN) {
		fputs(", ", stream);
		write_per_cent(requests->nearest, stream);
		fprintf(stream, " by the nearest calls (%.2f round trips per operation)",
			requests->round_trips);
	}
	fputs(", ", stream);
	if (requests->skipped > 0)
		write_per_cent(requests->skipped, stream);
	else
		fputc('0', stream);
	fputs(" skipped", stream);
}

void smb_client_describe(const struct result_run *run, size_t index, FILE *stream)
{
	const struct result_target *target = &run->targets[index];
	const struct result_client *client = &target->client;
	size_t i;

	if (client->name == NULL)
		return;
	for (i = 0; i < index; i++)
		if (is_same_client(target, &run->targets[i]))
			return;
	fputs(client->name, stream);
	/* The version of a client that is a library; throng's own has that of
	 * throng. */
	if (strcmp(client->name, target->library) == 0)
		fprintf(stream, " %s", target->library_version);
	else
		write_smb_version(target->kind, stream);
	if (client->algorithm != NULL)
		fprintf(stream, ", %s", client->algorithm);
	if (client->requests.round_trips > 0)
		write_requests(&client->requests, stream);
}
