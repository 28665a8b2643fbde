/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/nfs/url.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * Options of libnfs that suit a benchmark; options in the URL override them.
 * With these, listings come from the server and not from a cache, an operation
 * fails at once if the connection is lost, and libnfs does not enter other
 * exports that are mounted below the target.
 */
#define DEFAULTS "dircache=0&autoreconnect=0&auto-traverse-mounts=0"

const char *nfs_passed_option(const struct target *target, const char *key)
{
	const char *option = target->passed;
	size_t length = strlen(key);

	while (*option != '\0') {
		if (strncmp(option, key, length) == 0 && option[length] == '=')
			return option + length + 1;
		option += strcspn(option, "&");
		option += *option == '&';
	}
	return NULL;
}

int nfs_target_version(const struct target *target)
{
	return atoi(target_option(target, "version"));
}

/* Remove superfluous slashes: "/a//b/" becomes "/a/b". */
static void tidy(char *directory)
{
	char *out = directory, *in;

	for (in = directory; *in != '\0'; in++)
		if (*in != '/' || (in[1] != '/' && in[1] != '\0'))
			*out++ = *in;
	if (out == directory)
		*out++ = '/';
	*out = '\0';
}

static uint32_t number(const struct target *target, const char *key, uint32_t otherwise)
{
	const char *value = nfs_passed_option(target, key);

	return value != NULL ? (uint32_t)strtoul(value, NULL, 10) : otherwise;
}

int nfs_place_make(const struct target *target, struct nfs_place *place)
{
	size_t host = strcspn(target->path, "/");

	*place = (struct nfs_place){
		.server = strndup(target->path, host),
		.directory = strdup(target->path + host),
		.uid = number(target, "uid", getuid()),
		.gid = number(target, "gid", getgid()),
	};
	if (asprintf(&place->options_url, "nfs://%s%s%s/?" DEFAULTS "&version=%s&%s", target->user,
		     target->user[0] != '\0' ? "@" : "", place->server,
		     target_option(target, "version"), target->passed) < 0)
		place->options_url = NULL;
	if (place->server == NULL || place->directory == NULL || place->options_url == NULL)
		return -ENOMEM;
	/* Decode %XX here, because libnfs does it only since version 5. */
	if (host == 0 || place->directory[0] == '\0' || target_decode(place->directory) < 0)
		return -EINVAL;
	tidy(place->directory);
	return 0;
}

void nfs_place_free(struct nfs_place *place)
{
	free(place->server);
	free(place->directory);
	free(place->options_url);
}
