/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The files below a target: <target>/clients/client<N>, and a marker in
 * clients. Also the times that set-times gives to files.
 */
#ifndef BASE_LAYOUT_H
#define BASE_LAYOUT_H

#include <stdbool.h>
#include <string.h>

/* The directory that holds the users' directories. */
#define CLIENTS_NAME "clients"
/* The file in it that names the run that made it. */
#define MARKER_NAME ".throng"
/* The name of a user's directory; a number follows. */
#define USER_STEM "client"

/*
 * Is the path a user's directory or inside one? Everything else below the
 * target is shared.
 */
static inline bool layout_is_private(const char *path)
{
	static const char homes[] = CLIENTS_NAME "/" USER_STEM;
	size_t digits;

	if (strncmp(path, homes, sizeof(homes) - 1) != 0)
		return false;
	path += sizeof(homes) - 1;
	digits = strspn(path, "0123456789");
	return digits > 0 && (path[digits] == '/' || path[digits] == '\0');
}

/* set-times moves a file's times back by this, as dbench does. */
enum { ACCESS_TIME_BACK_S = 10, MODIFY_TIME_BACK_S = 12 };

#endif
