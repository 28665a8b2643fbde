/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * NT statuses (MS-ERREF 2.3) that loadfiles and servers use.
 */
#ifndef WORDS_NT_STATUS_H
#define WORDS_NT_STATUS_H

#include <stdint.h>

/* The end of a file, which backends report as a read of 0 bytes. */
#define NT_STATUS_END_OF_FILE UINT32_C(0xc0000011)

struct nt_status {
	uint32_t number;
	int error_number; /* errno, or 0 for a success */
	const char *name; /* with the prefix NT_STATUS_ */
};

/* Return the status, or NULL if it is not known. */
const struct nt_status *nt_status_find(uint32_t number);
const struct nt_status *nt_status_by_name(const char *name);

#endif
