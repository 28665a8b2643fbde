/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The information levels of recorded SMB1 requests as the classes of SMB2.
 */
#ifndef WORDS_SMB2_LEVEL_H
#define WORDS_SMB2_LEVEL_H

#include "words/smb_request.h"

#include <stdint.h>

/*
 * Return the class of a query of a file, of a query of a file system, or of a
 * listing (MS-FSCC 2.4 and 2.5). 0: there is no level, or no class has its
 * meaning, or it is none of the classes for listings (MS-SMB2 2.2.33).
 */
uint8_t smb2_file_class_of(const struct smb_request *request);
uint8_t smb2_space_class_of(const struct smb_request *request);
uint8_t smb2_entry_class_of(const struct smb_request *request);

#endif
