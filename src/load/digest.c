/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "load/digest.h"

#include <errno.h>
#include <nettle/sha2.h>
#include <stdio.h>
#include <string.h>

int digest_file(const char *path, char text[DIGEST_TEXT], struct error *error)
{
	uint8_t buffer[64 << 10], digest[SHA256_DIGEST_SIZE];
	struct sha256_ctx context;
	FILE *file = fopen(path, "rbe");
	size_t got, i;
	int rc = 0;

	if (file == NULL) {
		rc = -errno;
		error_set_at(error, path, 0, 0, "cannot open it again for its SHA-256: %s",
			     strerror(-rc));
		return rc;
	}
	sha256_init(&context);
	while ((got = fread(buffer, 1, sizeof(buffer), file)) > 0)
		sha256_update(&context, got, buffer);
	if (ferror(file)) {
		rc = -EIO;
		error_set_at(error, path, 0, 0, "cannot read it again for its SHA-256: %s",
			     strerror(EIO));
	}
	fclose(file);
	sha256_digest(&context, sizeof(digest), digest);
	for (i = 0; i < sizeof(digest); i++)
		snprintf(text + 2 * i, 3, "%02x", digest[i]);
	return rc;
}
