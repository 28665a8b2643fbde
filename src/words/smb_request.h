/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The fields of a recorded SMB request that have no counterpart on other
 * targets, so that an SMB client can send the request again. They are shared by
 * the program and the backends. Also which class of SMB2 an information level of
 * SMB1 is.
 */
#ifndef WORDS_SMB_REQUEST_H
#define WORDS_SMB_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

enum smb_field {
	SMB_OPTIONS,     /* of an open: CreateOptions (MS-SMB2 2.2.13) */
	SMB_DISPOSITION, /* of an open: CreateDisposition (MS-SMB2 2.2.13) */
	SMB_ACCESS,      /* of an open: DesiredAccess (MS-SMB2 2.2.13.1) */
	SMB_SHARE,       /* of an open: ShareAccess (MS-SMB2 2.2.13) */
	/* The information level of a query, of a change of attributes, or of a
	 * listing (MS-CIFS 2.2.2.3). 1000 + n stands for class n of MS-FSCC. */
	SMB_LEVEL,
	SMB_ATTRIBUTES, /* of an unlink: SearchAttributes (MS-CIFS 2.2.4.7) */
	SMB_FIELDS
};

struct smb_request {
	uint32_t recorded; /* set of 1 << enum smb_field */
	uint32_t values[SMB_FIELDS];
};

/* Set a field, unless the number does not fit. */
static inline void smb_request_set(struct smb_request *request, enum smb_field field,
				   uint64_t value)
{
	if (value > UINT32_MAX)
		return;
	request->recorded |= 1u << field;
	request->values[field] = (uint32_t)value;
}

static inline bool smb_request_has(const struct smb_request *request, enum smb_field field)
{
	return (request->recorded >> field & 1) != 0;
}

/* MS-SMB2 2.2.13, CreateDisposition. */
enum smb_disposition {
	SMB_SUPERSEDE,
	SMB_OPEN,
	SMB_CREATE,
	SMB_OPEN_IF,
	SMB_OVERWRITE,
	SMB_OVERWRITE_IF,
	SMB_DISPOSITIONS
};

/* MS-SMB2 2.2.13, CreateOptions: those that throng interprets. */
enum smb_create_option {
	SMB_DIRECTORY_FILE = 1 << 0,
	SMB_WRITE_THROUGH = 1 << 1,
	SMB_NON_DIRECTORY_FILE = 1 << 6,
	SMB_DELETE_ON_CLOSE = 1 << 12,
	SMB_OPEN_BY_FILE_ID = 1 << 13, /* the name is a number */
};

/* MS-SMB2 2.2.13.1: rights that include reading or writing a file's data. */
#define SMB_READ_RIGHTS UINT32_C(0xb2000021)
#define SMB_WRITE_RIGHTS UINT32_C(0x52000006)

/*
 * Return the class of a query of a file, of a query of a file system, or of a
 * listing (MS-FSCC 2.4 and 2.5). 0: there is no level, or no class has its
 * meaning, or it is none of the classes for listings (MS-SMB2 2.2.33).
 */
uint8_t smb2_file_class_of(const struct smb_request *request);
uint8_t smb2_space_class_of(const struct smb_request *request);
uint8_t smb2_entry_class_of(const struct smb_request *request);

#endif
