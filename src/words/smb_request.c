/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "words/smb_request.h"

#include <stddef.h>

enum { PASS_THROUGH = 1000 }; /* MS-SMB 2.2.2.3.5: level of class 0 */

/* The classes of a level; 0: none. */
static const struct level {
	uint16_t level; /* MS-CIFS 2.2.2.3 */
	uint8_t file, space, entry;
} levels[] = {
	{0x001, .space = 3}, /* SMB_INFO_ALLOCATION */
	{0x002, .space = 1}, /* SMB_INFO_VOLUME */
	{0x101, .file = 4, .entry = 1},
	{0x102, .file = 5, .space = 1, .entry = 2},
	{0x103, .file = 7, .space = 3, .entry = 12},
	{0x104, .space = 4, .entry = 3},
	{0x105, .space = 5, .entry = 38}, /* MS-SMB 2.2.6.1: file IDs */
	{0x106, .entry = 37},
	{0x107, .file = 18},
	{0x108, .file = 21},
	{0x109, .file = 22},
	{0x10b, .file = 28},
};

/* Return the classes of the request's level. */
static struct level find(const struct smb_request *request)
{
	static const struct level none;
	uint32_t level = request->values[SMB_LEVEL];
	size_t i;

	if (!smb_request_has(request, SMB_LEVEL))
		return none;
	if (level > PASS_THROUGH && level <= PASS_THROUGH + UINT8_MAX) {
		uint8_t class = (uint8_t)(level - PASS_THROUGH);

		return (struct level){
			.file = class,
			.space = class,
			.entry = class,
		};
	}
	for (i = 0; i < sizeof(levels) / sizeof(levels[0]); i++)
		if (levels[i].level == level)
			return levels[i];
	return none;
}

uint8_t smb2_file_class_of(const struct smb_request *request)
{
	return find(request).file;
}

uint8_t smb2_space_class_of(const struct smb_request *request)
{
	return find(request).space;
}

uint8_t smb2_entry_class_of(const struct smb_request *request)
{
	/* clang-format off */
	static const bool lists[UINT8_MAX + 1] = { /* MS-SMB2 2.2.33 */
		[1] = true, [2] = true, [3] = true,
		[12] = true, [37] = true, [38] = true,
	};
	/* clang-format on */
	uint8_t class = find(request).entry;

	return lists[class] ? class : 0;
}
