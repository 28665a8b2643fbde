/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "smb2client/status.h"

#include "words/nt_status.h"

#include <errno.h>
#include <stddef.h>

const char *smb2_loss(uint32_t status)
{
	switch (status) {
	case 0xc00000c9:
		return "the server has closed the share: NT_STATUS_NETWORK_NAME_DELETED";
	case 0xc0000203:
		return "the server has ended the session: NT_STATUS_USER_SESSION_DELETED";
	case 0xc000035c:
		return "the session has expired: NT_STATUS_NETWORK_SESSION_EXPIRED";
	default:
		return NULL;
	}
}

bool smb2_is_failure(uint32_t status)
{
	const struct nt_status *known = nt_status_find(status);

	/* The upper two bits are the severity; 3 means an error. */
	return known != NULL ? known->error_number != 0 : status >> 30 == 3;
}

int smb2_errno(uint32_t status)
{
	const struct nt_status *known;

	if (status == STATUS_OK)
		return 0;
	known = nt_status_find(status);
	return known != NULL ? -known->error_number : -EIO;
}
