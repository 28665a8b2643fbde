/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/libsmbclient/url.h"

#include "words/layout.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ESCAPED = 3 }; /* max length of one byte in a URL, as %XX */

size_t smb_url_bytes(size_t root_length)
{
	return root_length + 1 + ESCAPED * (size_t)PATH_MAX + 1;
}

static bool is_plain(unsigned char byte)
{
	return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
	       (byte >= '0' && byte <= '9') || (byte != '\0' && strchr("-_.~/", byte) != NULL);
}

/* Write `text` with all special characters escaped as %XX. Return a pointer to
 * the NUL at the end. */
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

static char *write_url(const struct backend_session *session, char *out, const char *text)
{
	out = mempcpy(out, session->root_url, session->root_length);
	if (text[0] != '\0')
		*out++ = '/';
	return escape(out, text);
}

int smb_path_make(struct backend_session *session, struct backend_path *path)
{
	size_t max = session->root_length + 1 + ESCAPED * strlen(path->text) + 1;
	struct smb_made *made = malloc(sizeof(*made) + max), *smaller;
	size_t length;

	if (made == NULL)
		return -ENOMEM;
	length = (size_t)(write_url(session, made->url, path->text) - made->url);
	smaller = realloc(made, sizeof(*made) + length + 1);
	if (smaller != NULL)
		made = smaller;
	made->rc = smb_check_names(path->text);
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
	rc = smb_check_names(path->text);
	if (rc < 0)
		return rc;
	write_url(session, session->plain_urls[number], path->text);
	*url = session->plain_urls[number];
	return 0;
}

void smb_know_file(struct backend_session *session, const struct backend_path *path)
{
	struct smb_made *made = path->made;

	if (made != NULL && made->own)
		made->file_since = session->new_directories;
}

bool smb_is_known_file(const struct backend_session *session, const struct backend_path *path)
{
	const struct smb_made *made = path->made;

	return made != NULL && made->file_since == session->new_directories;
}

int smb_url_of_target(const struct target *target, char **url)
{
	struct smb_place place;
	int rc = smb_place_make(target, &place);
	char *out;

	*url = NULL;
	if (rc == 0) {
		*url = malloc(sizeof("smb://:/") + ESCAPED * strlen(target->path));
		rc = *url != NULL ? 0 : -ENOMEM;
	}
	if (rc == 0) {
		/* The library searches for the colon before the port first,
		 * and decodes the host afterwards. So an IPv6 address works if
		 * its colons are escaped. */
		out = escape(stpcpy(*url, "smb://"), place.host);
		if (place.port[0] != '\0')
			out += sprintf(out, ":%s", place.port);
		*out++ = '/';
		escape(out, place.directory);
	}
	smb_place_free(&place);
	return rc;
}
