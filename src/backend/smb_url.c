/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "backend/smb_url.h"

#include "base/layout.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	ESCAPED = 3,  /* a byte is at most so many in a URL */
	NAME_UNITS = 255, /* UTF-16 units of a name */
};

size_t smb_url_bytes(size_t root_length)
{
	return root_length + 1 + ESCAPED * (size_t)PATH_MAX + 1;
}

static bool is_plain(unsigned char byte)
{
	return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
	       (byte >= '0' && byte <= '9') ||
	       (byte != '\0' && strchr("-_.~/", byte) != NULL);
}

/* Writes `text` escaped, with a NUL; returns where that is. */
static char *escape(char *out, const char *text)
{
	static const char digits[] = "0123456789ABCDEF";

	for (; *text != '\0'; text++) {
		unsigned char byte = (unsigned char)*text;

		if (is_plain(byte)) {
			*out++ = (char)byte;
			continue;
		}
		*out++ = '%';
		*out++ = digits[byte >> 4];
		*out++ = digits[byte & 15];
	}
	*out = '\0';
	return out;
}

/* UTF-16 units that a byte of UTF-8 begins. */
static unsigned units(unsigned char byte)
{
	return byte >= 0xf0 ? 2 : byte < 0x80 || byte >= 0xc0;
}

/* Can SMB name what `text` names? */
static int check_names(const char *text)
{
	unsigned length = 0, bytes = 0;

	for (; *text != '\0'; text++) {
		unsigned char byte = (unsigned char)*text;

		length = byte == '/' ? 0 : length + units(byte);
		if (length > NAME_UNITS || ++bytes >= PATH_MAX)
			return -ENAMETOOLONG;
		if (strchr(SMB_NOT_IN_NAMES, byte) != NULL)
			return -EINVAL;
	}
	return 0;
}

static char *write_url(const struct backend_session *session, char *out,
		       const char *text)
{
	out = mempcpy(out, session->root_url, session->root_length);
	if (text[0] != '\0')
		*out++ = '/';
	return escape(out, text);
}

int smb_path_make(struct backend_session *session, struct backend_path *path)
{
	size_t max = session->root_length + 1 +
		      ESCAPED * strlen(path->text) + 1;
	struct smb_made *made = malloc(sizeof(*made) + max), *smaller;
	size_t length;

	if (made == NULL)
		return -ENOMEM;
	length = (size_t)(write_url(session, made->url, path->text) -
			  made->url);
	smaller = realloc(made, sizeof(*made) + length + 1);
	if (smaller != NULL)
		made = smaller;
	made->rc = check_names(path->text);
	made->own = layout_is_private(path->text);
	made->file_since = 0;
	made->next = session->made;
	session->made = made;
	path->made = made;
	return 0;
}

int smb_url(struct backend_session *session, const struct backend_path *path,
	    enum smb_path_number number, const char **url)
{
	int rc = session->lost;

	if (rc < 0)
		return rc;
	if (path->made != NULL) {
		const struct smb_made *made = path->made;

		*url = made->url;
		return made->rc;
	}
	rc = check_names(path->text);
	if (rc < 0)
		return rc;
	write_url(session, session->plain_urls[number], path->text);
	*url = session->plain_urls[number];
	return 0;
}

void smb_know_file(struct backend_session *session,
		   const struct backend_path *path)
{
	struct smb_made *made = path->made;

	if (made != NULL && made->own)
		made->file_since = session->new_directories;
}

bool smb_is_known_file(const struct backend_session *session,
		       const struct backend_path *path)
{
	const struct smb_made *made = path->made;

	return made != NULL && made->file_since == session->new_directories;
}

/* --- of the target ---------------------------------------------------- */

/*
 * Takes "HOST[:PORT]" apart, in place. An address of IPv6 is in brackets.
 * `*port` is "" when there is none.
 */
static int split_host(char *text, char **host, char **port)
{
	char *end;

	if (text[0] == '[') {
		*host = text + 1;
		end = strchr(text, ']');
		if (end == NULL || (end[1] != '\0' && end[1] != ':'))
			return -EINVAL;
		*end++ = '\0';
	} else {
		*host = text;
		end = strchrnul(text, ':');
	}
	*port = end;
	if (*end == ':') {
		*end = '\0';
		*port = end + 1;
		if ((*port)[0] == '\0' ||
		    (*port)[strspn(*port, "0123456789")] != '\0')
			return -EINVAL;
	}
	return target_decode(*host) < 0 || (*host)[0] == '\0' ? -EINVAL : 0;
}

int smb_host_of_target(const struct target *target, char **host)
{
	char *copy = strndup(target->path, strcspn(target->path, "/"));
	char *port;
	int rc;

	if (copy == NULL)
		return -ENOMEM;
	rc = split_host(copy, host, &port);
	if (rc == 0) {
		*host = strdup(*host);
		rc = *host != NULL ? 0 : -ENOMEM;
	}
	free(copy);
	return rc;
}

/* Appends what lies between the host and the end, its slashes made single. */
static int append_directories(char *out, char *path)
{
	bool share = false;
	char *name, *rest = path;

	while ((name = strsep(&rest, "/")) != NULL) {
		if (name[0] == '\0')
			continue;
		if (target_decode(name) < 0 || strchr(name, '/') != NULL ||
		    check_names(name) < 0)
			return -EINVAL;
		*out++ = '/';
		out = escape(out, name);
		share = true;
	}
	return share ? 0 : -EINVAL;
}

int smb_url_of_target(const struct target *target, char **url)
{
	char *copy = strdup(target->path), *path, *host, *port, *out;
	int rc = -ENOMEM;

	*url = malloc(sizeof("smb://:/") + ESCAPED * strlen(target->path));
	if (copy == NULL || *url == NULL)
		goto out;
	path = strchrnul(copy, '/');
	if (*path == '/')
		*path++ = '\0';
	rc = split_host(copy, &host, &port);
	if (rc < 0)
		goto out;
	/* The library looks for a port behind the first colon, and decodes
	 * only then: so an address of IPv6 passes. */
	out = escape(stpcpy(*url, "smb://"), host);
	if (port[0] != '\0')
		out += sprintf(out, ":%s", port);
	rc = append_directories(out, path);
out:
	free(copy);
	if (rc < 0) {
		free(*url);
		*url = NULL;
	}
	return rc;
}
