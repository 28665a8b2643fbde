/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "backend/target.h"

#include "backend/account.h"
#include "backend/backends.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define EXPECTED "expected a PATH, file:///PATH, nfs://HOST/EXPORT, " \
	"smb://USER@HOST/SHARE or null:"

/*
 * The length of "scheme" in "scheme:", or 0 for a plain path. A path with a
 * colon in it is told apart by its slash, or by writing it as ./PATH.
 */
static size_t scheme_length(const char *text)
{
	size_t length = 0;

	while (isalnum((unsigned char)text[length]) || text[length] == '+')
		length++;
	return length > 1 && text[length] == ':' ? length : 0;
}

static int no_memory(struct error *error)
{
	error_set(error, "out of memory");
	return -ENOMEM;
}

static const struct backend_option *
find_declared(const struct target *target, const char *key)
{
	const struct backend_option *declared = target->backend->options;

	for (; declared != NULL && declared->key != NULL; declared++)
		if (strcmp(declared->key, key) == 0)
			return declared;
	return NULL;
}

/* Is `value` one that the option takes? */
static int check_value(const struct backend_option *declared,
		       const char *value, const char *name,
		       struct error *error)
{
	const char *const *known = declared->values;
	char all[256] = "";

	if (known == NULL)
		return 0;
	for (; *known != NULL; known++) {
		if (strcmp(*known, value) == 0)
			return 0;
		strncat(all, all[0] != '\0' ? ", " : "",
			sizeof(all) - strlen(all) - 1);
		strncat(all, *known, sizeof(all) - strlen(all) - 1);
	}
	error_set(error, "%s: \"%s\" is none of %s", name, value, all);
	return -EINVAL;
}

int target_set_option(struct target *target, const char *key,
		      const char *value, const char *name, struct error *error)
{
	const struct backend_option *declared = find_declared(target, key);
	struct target_option *larger;
	struct target_option added;
	size_t i;

	if (declared == NULL) {
		error_set(error, "%s: %s is no option of its target", name,
			  key);
		return -EINVAL;
	}
	if (check_value(declared, value, name, error) < 0)
		return -EINVAL;
	added.key = strdup(key);
	added.value = strdup(value);
	for (i = 0; i < target->option_count; i++)
		if (strcmp(target->options[i].key, key) == 0)
			break;
	larger = reallocarray(target->options, target->option_count + 1,
			      sizeof(*larger));
	if (larger != NULL)
		target->options = larger;
	if (added.key == NULL || added.value == NULL || larger == NULL) {
		free(added.key);
		free(added.value);
		return no_memory(error);
	}
	if (i == target->option_count) {
		target->option_count++;
	} else {
		free(larger[i].key);
		free(larger[i].value);
	}
	larger[i] = added;
	return 0;
}

/* Appends "key=value" to what is left to the backend's library. */
static int pass_on(struct target *target, const char *text,
		   struct error *error)
{
	size_t length = strlen(target->passed);
	char *larger = realloc(target->passed, length + strlen(text) + 2);

	if (larger == NULL)
		return no_memory(error);
	target->passed = larger;
	if (length > 0)
		strcat(larger, "&");
	strcat(larger, text);
	return 0;
}

static int take_option(struct target *target, char *text, struct error *error)
{
	size_t key_length = strcspn(text, "=");
	char *key = strndup(text, key_length), *value;
	int rc;

	if (key == NULL)
		return no_memory(error);
	if (find_declared(target, key) == NULL &&
	    target->backend->passes_options) {
		rc = pass_on(target, text, error);
	} else if (text[key_length] == '\0') {
		error_set(error, "%s: \"%s\" is no option; expected key=value",
			  target->url, text);
		rc = -EINVAL;
	} else {
		value = text + key_length + 1;
		rc = target_decode(value);
		if (rc < 0)
			error_set(error, "%s: \"%s\" has a %% without two "
				  "hexadecimal digits", target->url, value);
		else
			rc = target_set_option(target, key, value,
					       target->url, error);
	}
	free(key);
	return rc;
}

/* Cuts "?key=value&..." off the path. */
static int take_options(struct target *target, struct error *error)
{
	char *next = strchr(target->path, '?'), *option;
	int rc = 0;

	if (next == NULL)
		return 0;
	*next++ = '\0';
	while (rc == 0 && (option = strsep(&next, "&")) != NULL)
		if (*option != '\0')
			rc = take_option(target, option, error);
	return rc;
}

/* Told without the URL: not even a message may show it. */
static int refuse_password(struct error *error)
{
	error_set(error, "a password does not belong into a URL, where others "
		  "can read it; expected --auth-file FILE or the variable "
		  "PASSWD");
	return -EINVAL;
}

/*
 * What stands before the first slash, and no '@': "HOST[:PORT]", or what a
 * password with a slash in it leaves of "USER:PASSWORD@".
 */
static bool holds_password(const char *path, size_t host_length)
{
	const char *colon = memchr(path, ':', host_length);

	return path[0] != '[' && colon != NULL &&
	       1 + strspn(colon + 1, "0123456789") !=
		       host_length - (size_t)(colon - path) &&
	       strchr(path + host_length, '@') != NULL;
}

/* Cuts "[DOMAIN;]USER@" off the path. */
static int take_user(struct target *target, struct error *error)
{
	size_t host_length = strcspn(target->path, "/");
	char *at = memrchr(target->path, '@', host_length), *semicolon;

	if (at == NULL)
		return holds_password(target->path, host_length)
			       ? refuse_password(error) : 0;
	*at = '\0';
	if (strchr(target->path, ':') != NULL)
		return refuse_password(error);
	semicolon = strchr(target->path, ';');
	if (semicolon != NULL)
		*semicolon = '\0';
	free(target->user);
	target->user = strdup(semicolon != NULL ? semicolon + 1
						: target->path);
	if (semicolon != NULL) {
		free(target->domain);
		target->domain = strdup(target->path);
	}
	if (target->user == NULL || target->domain == NULL)
		return no_memory(error);
	memmove(target->path, at + 1, strlen(at + 1) + 1);
	if (target_decode(target->user) == 0 &&
	    target_decode(target->domain) == 0)
		return 0;
	/* As smbclient takes it, what follows may be a password. */
	error_set(error, "the user's name in a URL has a %% without two "
		  "hexadecimal digits; a password is expected in --auth-file "
		  "FILE or the variable PASSWD");
	return -EINVAL;
}

int target_parse(const char *text, struct target *target,
		 struct error *error)
{
	size_t length = scheme_length(text);
	const char *rest = length > 0 ? text + length + 1 : text;
	bool located = length > 0 && strncmp(rest, "//", 2) == 0;
	bool file;
	int rc = 0;

	if (located)
		rest += 2;
	*target = (struct target){
		.url = strdup(text),
		.scheme = strndup(text, length),
		.path = strdup(rest),
		.domain = strdup(""),
		.user = strdup(""),
		.passed = strdup(""),
		.stride = 1,
		.timeout_s = TARGET_TIMEOUT_S,
	};
	if (target->url == NULL || target->scheme == NULL ||
	    target->path == NULL || target->domain == NULL ||
	    target->user == NULL || target->passed == NULL)
		return no_memory(error);
	file = strcmp(target->scheme, "file") == 0;
	if (*text == '\0' || (file && *rest != '/')) {
		error_set(error, "\"%s\" is not a target; " EXPECTED, text);
		return -EINVAL;
	}
	/* A name may hold what separates the parts of a URL. */
	if (located && !file)
		rc = take_user(target, error);
	if (rc == 0) {
		target->backend = backends_find(target->scheme, error);
		if (target->backend == NULL) {
			error_set(error, "%s: nothing here plays %s: targets; "
				  EXPECTED, text, target->scheme);
			return -EINVAL;
		}
		if (located && !file)
			rc = take_options(target, error);
	}
	return rc;
}

void target_free(struct target *target)
{
	size_t i;

	for (i = 0; i < target->option_count; i++) {
		free(target->options[i].key);
		free(target->options[i].value);
	}
	free(target->options);
	free(target->url);
	free(target->scheme);
	free(target->path);
	free(target->domain);
	free(target->user);
	free(target->passed);
	accounts_free(target->accounts, target->account_count);
	*target = (struct target){0};
}
