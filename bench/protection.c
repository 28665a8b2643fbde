/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The CPU time that it takes the built-in SMB client to protect the messages of
 * an operation, without a server: bench/smb measures it in runs as well, where
 * it is small beside the noise. Print a line "ALGORITHM US" for each. An
 * operation has a message of HEADER bytes, and one that has the data of an
 * average operation of client.txt, too.
 */
#include "smb2client/crypt.h"
#include "smb2client/wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { HEADER = 112, DATA = 6000, OPERATIONS = 20000, ROUNDS = 9 };

static uint8_t message[SMB2_TRANSFORM_BYTES + HEADER + DATA + SMB2_TAG_BYTES];
static uint8_t data[DATA];

static double cpu_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static int sign(struct smb2_crypt *crypt, size_t data_bytes)
{
	uint8_t signature[SMB2_SIGNATURE_BYTES];

	return smb2_sign(crypt, message, HEADER, data, data_bytes, signature);
}

static int seal(struct smb2_crypt *crypt, size_t data_bytes)
{
	return smb2_seal(crypt, message, HEADER, data, data_bytes, 1);
}

/* Print the time of the fastest round. */
static int measure(const char *name, enum smb2_signing signing,
		   int (*protect)(struct smb2_crypt *, size_t))
{
	const uint8_t key[SMB2_KEY_BYTES] = {1}, hash[SMB2_PREAUTH_BYTES] = {0};
	struct smb2_crypt crypt = {0};
	struct smb2_keys keys;
	double best_us = 0, us;
	int round, i, rc;

	smb2_derive_keys(0x311, SMB2_AES128_GCM, key, sizeof(key), hash, &keys);
	rc = smb2_crypt_start(&crypt, signing, SMB2_AES128_GCM, &keys);
	for (round = 0; round < ROUNDS; round++) {
		us = cpu_us();
		for (i = 0; rc == 0 && i < OPERATIONS; i++) {
			rc = protect(&crypt, 0);
			if (rc == 0)
				rc = protect(&crypt, sizeof(data));
		}
		us = cpu_us() - us;
		if (round == 0 || us < best_us)
			best_us = us;
	}
	smb2_crypt_end(&crypt);
	if (rc < 0)
		fprintf(stderr, "protection: %s: %s\n", name, strerror(-rc));
	else
		printf("%s %.2f\n", name, best_us / OPERATIONS);
	return rc;
}

int main(void)
{
	return measure("GMAC", SMB2_AES_GMAC, sign) < 0 ||
	       measure("GCM", SMB2_AES_GMAC, seal) < 0 || measure("CMAC", SMB2_AES_CMAC, sign) < 0;
}
