/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The names of the users' directories in the directory of a run
 * (workdir/rundir.h): clients/client<N>.
 */
#ifndef WORDS_LAYOUT_H
#define WORDS_LAYOUT_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* The directory that holds the users' directories. */
#define CLIENTS_NAME "clients"
/* The name of a user's directory, without the user's number. */
#define USER_STEM "client"

/* Return the path below the target of the directory that --workdir names: "." is
 * the target itself, whose path is "". */
static inline const char *layout_workdir(const char *name)
{
	return strcmp(name, ".") == 0 ? "" : name;
}

/* Write the path of the directory of user number `user`. */
static inline void layout_home(unsigned user, char path[PATH_MAX])
{
	snprintf(path, PATH_MAX, "%s/%s%u", CLIENTS_NAME, USER_STEM, user);
}

/*
 * Is this path (relative to the target) a user's directory, or inside one?
 * Users share everything else below the target.
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

#endif
