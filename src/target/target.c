/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/target.h"

#include "base/clock.h"
#include "target/account.h"
#include "target/backends.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Return the length of "scheme" in "scheme:", or 0 for a plain path. A path
 * with a colon needs a slash before the colon, for example ./PATH.
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

enum { FORMS_BYTES = 256 };

/* Write a list of the syntaxes of all targets, as "FORM, FORM ... or FORM". */
static const char *list_forms(char *text)
{
	const struct backend_row *row, *next;

	text[0] = '\0';
	for (row = backends; row->name != NULL; row = next) {
		next = row + 1;
		while (next->name != NULL && next->forms == NULL)
			next++;
		if (row > backends)
			strncat(text, next->name != NULL ? ", " : " or ",
				FORMS_BYTES - strlen(text) - 1);
		strncat(text, row->forms, FORMS_BYTES - strlen(text) - 1);
	}
	return text;
}

static const struct backend_option *find_declared(const struct backend_row *row, const char *key)
{
	const struct backend_option *declared = row->options;

	for (; declared != NULL && declared->key != NULL; declared++)
		if (strcmp(declared->key, key) == 0)
			return declared;
	return NULL;
}

/* Check that the option allows `value`. Return 0, or -EINVAL with `error`
 * set. `client` is the client of SMB that has the option, or NULL. */
static int check_value(const struct backend_option *declared, const char *value, const char *name,
		       const char *client, struct error *error)
{
	/* A longer value may be a secret in the wrong place, such as a hash. */
	enum { SHOWN_MAX = 24 };
	const char *const *known = declared->values;
	char all[256] = "";

	if (known == NULL)
		return 0;
	for (; *known != NULL; known++) {
		if (strcmp(*known, value) == 0)
			return 0;
		strncat(all, all[0] != '\0' ? ", " : "", sizeof(all) - strlen(all) - 1);
		strncat(all, *known, sizeof(all) - strlen(all) - 1);
	}
	if (strlen(value) > SHOWN_MAX)
		value = "...";
	if (client != NULL)
		error_set(error,
			  "%s: \"%s\" is not a value of the option %s of client=%s; expected one "
			  "of %s",
			  name, value, declared->key, client, all);
	else
		error_set(error, "%s: \"%s\" is not a value of the option %s; expected one of %s",
			  name, value, declared->key, all);
	return -EINVAL;
}

int target_set_option(struct target *target, const char *key, const char *value, const char *name,
		      struct error *error)
{
	const struct backend_option *declared = find_declared(target->row, key);
	const char *client = backends_client(target->row);
	struct target_option *larger;
	struct target_option added;
	size_t i;

	if (declared == NULL) {
		if (client != NULL)
			error_set(error, "%s: the client %s has no option \"%s\"", name, client,
				  key);
		else
			error_set(error, "%s: the target has no option \"%s\"", name, key);
		return -EINVAL;
	}
	if (check_value(declared, value, name, client, error) < 0)
		return -EINVAL;
	added.key = strdup(key);
	added.value = strdup(value);
	for (i = 0; i < target->option_count; i++)
		if (strcmp(target->options[i].key, key) == 0)
			break;
	larger = reallocarray(target->options, target->option_count + 1, sizeof(*larger));
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

/* Append `text`, "key=value", to the options that the library interprets. */
static int pass_on(struct target *target, const char *text, struct error *error)
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

/*
 * Set the option "key=value" if the engine declares it; otherwise pass it on to
 * the library if that is allowed. Messages show `name`, the URL without its
 * options, because the user may have put a secret into an option.
 */
static int take_option(struct target *target, const char *name, char *text, struct error *error)
{
	size_t key_length = strcspn(text, "=");
	char *key = strndup(text, key_length), *value;
	int rc;

	if (key == NULL)
		return no_memory(error);
	if (find_declared(target->row, key) == NULL && target->row->passes_options) {
		rc = pass_on(target, text, error);
	} else if (text[key_length] == '\0') {
		error_set(error, "%s: an option of the URL has no value; expected key=value", name);
		rc = -EINVAL;
	} else {
		value = text + key_length + 1;
		rc = target_decode(value);
		if (rc < 0)
			error_set(error,
				  "%s: the value of %s has a %% without two hexadecimal digits",
				  name, key);
		else
			rc = target_set_option(target, key, value, name, error);
	}
	free(key);
	return rc;
}

static int take_options(struct target *target, const char *name, char *options, struct error *error)
{
	char *option;
	int rc = 0;

	while (rc == 0 && (option = strsep(&options, "&")) != NULL)
		if (*option != '\0')
			rc = take_option(target, name, option, error);
	return rc;
}

/* Use the engine of the target's scheme that a value selects. */
static int select_engine(struct target *target, const char *value, const char *name,
			 struct error *error)
{
	const struct backend_option *option = find_declared(target->row, target->row->selector);

	if (check_value(option, value, name, NULL, error) < 0)
		return -EINVAL;
	target->row = backends_find(target->scheme, value);
	target->names_engine = true;
	return 0;
}

/* Check if an engine has the option with this value. */
static bool has_option(const struct backend_row *row, const char *key, const char *value)
{
	const struct backend_option *declared = find_declared(row, key);
	struct error ignored = {0};

	if (declared == NULL)
		return row->passes_options;
	return check_value(declared, value, key, NULL, &ignored) == 0;
}

/* Check if an engine has all options of the target. Leave options that cannot
 * be decoded to take_option. Cut `options`, "key=value&...", into pieces. */
static bool has_options(const struct backend_row *row, char *options)
{
	char *key, *value;

	while ((key = strsep(&options, "&")) != NULL) {
		value = strchr(key, '=');
		if (value == NULL)
			continue;
		*value++ = '\0';
		if (target_decode(value) == 0 && !has_option(row, key, value))
			return false;
	}
	return true;
}

/* Use the first engine that was built and has all options of the target, or
 * that has them, or else the default, which refuses one of the options. */
static int find_engine(struct target *target, const char *options, struct error *error)
{
	const struct backend_row *row, *found = NULL;

	for (row = backends; row->name != NULL; row++) {
		char *copy = strdup(options);

		if (copy == NULL)
			return no_memory(error);
		if (backends_plays(row, target->scheme) &&
		    (found == NULL || row->built > found->built) && has_options(row, copy))
			found = row;
		free(copy);
	}
	if (found != NULL)
		target->row = found;
	return 0;
}

/* Return the option after one in "key=value&...", or the end of the text. */
static const char *next_option(const char *option)
{
	option += strcspn(option, "&");
	return option + (*option == '&');
}

/* Refuse "key=value&..." if a key occurs twice. */
static int check_repeated(const char *name, const char *options, struct error *error)
{
	const char *option, *other;

	for (option = options; *option != '\0'; option = next_option(option)) {
		size_t length = strcspn(option, "=&");

		for (other = next_option(option); *other != '\0'; other = next_option(other))
			if (length > 0 && strcspn(other, "=&") == length &&
			    strncmp(other, option, length) == 0)
				error_set(
					error,
					"%s: the option %.*s is given twice; give this option once",
					name, (int)length, option);
	}
	return error->set ? -EINVAL : 0;
}

/*
 * Choose the engine by the selecting option (backends.h) in "key=value&...". If its
 * value cannot be decoded, take_option reports that later. Without the option, use
 * an engine that has all options.
 */
static int choose_engine(struct target *target, const char *name, const char *options,
			 struct error *error)
{
	const char *key = target->row->selector, *option;
	size_t length = strlen(key);
	char *value = NULL;
	int rc = 0;

	for (option = options; *option != '\0' && value == NULL; option = next_option(option)) {
		if (strncmp(option, key, length) != 0 || option[length] != '=')
			continue;
		value = strndup(option + length + 1, strcspn(option + length + 1, "&"));
		if (value == NULL)
			return no_memory(error);
	}
	if (value != NULL && target_decode(value) == 0)
		rc = select_engine(target, value, name, error);
	free(value);
	if (rc == 0 && !target->names_engine)
		rc = find_engine(target, options, error);
	return rc;
}

/* Choose the engine by `options` ("key=value&..."), load it, and set all options. */
static int take_engine(struct target *target, char *options, struct error *error)
{
	char *name = strndup(target->url, strcspn(target->url, "?"));
	struct error reason = {0};
	int rc = name != NULL ? check_repeated(name, options, error) : no_memory(error);

	if (rc == 0 && target->row->selector != NULL)
		rc = choose_engine(target, name, options, error);
	if (rc == 0) {
		target->backend = backends_load(target->row, &reason);
		rc = target->backend != NULL ? 0 : -EINVAL;
	}
	if (reason.set)
		error_set(error, "%s: %s%s%s%s", name, reason.text,
			  target->row->built ? "" : " (install ",
			  target->row->built ? "" : target->row->library,
			  target->row->built ? "" : " and rebuild throng)");
	/* Set the selecting option even if the URL lacks it, because the engine
	 * reads it. */
	if (rc == 0 && target->row->selector != NULL)
		rc = target_set_option(target, target->row->selector, target->row->selected_by,
				       name, error);
	if (rc == 0)
		rc = take_options(target, name, options, error);
	free(name);
	return rc;
}

/* Check if a URL has an option, after '?', '&' or ';', whose name suggests a
 * password. */
static bool names_password(const char *text)
{
	static const char *const names[] = {"pass", "pwd", "secret"};
	size_t i;

	while ((text = strpbrk(text, "?&;")) != NULL) {
		size_t length = strcspn(++text, "=?&;/@");

		for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
			const char *found = strcasestr(text, names[i]);

			if (text[length] == '=' && found != NULL && found < text + length)
				return true;
		}
	}
	return false;
}

/*
 * Check if `rest`, the text after "SCHEME:", contains a password in one of the
 * forms that other programs accept in URLs. If there is an '@' before the first
 * slash, the text before the '@' contains a password if it has one of the
 * characters `signs`, which user names never have. If there is no such '@', the
 * text before the first slash is "HOST[:PORT]", or the start of
 * "USER:PASSWORD@" with a slash in the password.
 */
static bool holds_password(const char *rest, const char *signs)
{
	const char *host = rest + strspn(rest, "/");
	size_t length = strcspn(host, "/");
	const char *at = memrchr(host, '@', length);
	const char *colon = memchr(host, ':', length);

	if (names_password(host))
		return true;
	if (at != NULL)
		return strcspn(host, signs) < (size_t)(at - host);
	return host[0] != '[' && colon != NULL &&
	       1 + strspn(colon + 1, "0123456789") != length - (size_t)(colon - host) &&
	       strchr(host + length, '@') != NULL;
}

/* Decode %XX as target_decode does, but leave each % unchanged that
 * target_decode refuses. */
static void decode_leniently(char *text)
{
	char *out = text;

	for (; *text != '\0'; text++) {
		char one[sizeof("%XX")] = "";

		strncat(one, text, sizeof(one) - 1);
		if (*text == '%' && target_decode(one) == 0) {
			*out++ = one[0];
			text += 2;
		} else {
			*out++ = *text;
		}
	}
	*out = '\0';
}

/* Refuse a URL with a password, plain or encoded as %XX. The message does not
 * repeat the password. */
static int check_secrets(const char *rest, struct error *error)
{
	char *decoded = strdup(rest);
	bool holds;

	if (decoded == NULL)
		return no_memory(error);
	decode_leniently(decoded);
	holds = holds_password(rest, ":=") || holds_password(decoded, ":=%");
	free(decoded);
	if (!holds)
		return 0;
	error_set(error, "a URL must not contain a password, because other users could read the "
			 "password; use --auth-file FILE or the environment variable PASSWD");
	return -EINVAL;
}

/* Remove "[DOMAIN;]USER@" from target->path, and set target->user and
 * target->domain. */
static int take_user(struct target *target, struct error *error)
{
	size_t host_length = strcspn(target->path, "/");
	char *at = memrchr(target->path, '@', host_length), *semicolon;

	if (at == NULL)
		return 0;
	*at = '\0';
	semicolon = strchr(target->path, ';');
	if (semicolon != NULL)
		*semicolon = '\0';
	free(target->user);
	target->user = strdup(semicolon != NULL ? semicolon + 1 : target->path);
	if (semicolon != NULL) {
		free(target->domain);
		target->domain = strdup(target->path);
	}
	if (target->user == NULL || target->domain == NULL)
		return no_memory(error);
	memmove(target->path, at + 1, strlen(at + 1) + 1);
	/* Decoding cannot fail: check_secrets has refused invalid %XX. */
	target_decode(target->user);
	target_decode(target->domain);
	return 0;
}

const char *target_guess(const char *text, char guess[TARGET_GUESS])
{
	const char *slash = strchr(text, '/');
	int length = 0;

	/* Don't repeat a text that may contain a password. */
	if (strchr(text, '@') != NULL)
		slash = NULL;
	if (strcmp(text, "null") == 0)
		length = snprintf(guess, TARGET_GUESS, " (for the null target, use null:)");
	else if (slash == text && text[1] == '/' && isalnum((unsigned char)text[2]) &&
		 strchr(text + 2, '/') != NULL)
		length = snprintf(guess, TARGET_GUESS, " (for an SMB share, use smb://USER@%s)",
				  text + 2);
	else if (slash != NULL && slash - text > 1 && slash[-1] == ':' && slash[1] != '/')
		length = snprintf(guess, TARGET_GUESS, " (for an NFS export, use nfs://%.*s%s)",
				  (int)(slash - 1 - text), text, slash);
	if (length <= 0 || length >= TARGET_GUESS)
		guess[0] = '\0';
	return guess;
}

int target_parse(const char *text, struct target *target, struct error *error)
{
	size_t length = scheme_length(text);
	const char *rest = length > 0 ? text + length + 1 : text;
	bool located = length > 0 && strncmp(rest, "//", 2) == 0;
	char *options, forms[FORMS_BYTES], guess[TARGET_GUESS];
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
	if (target->url == NULL || target->scheme == NULL || target->path == NULL ||
	    target->domain == NULL || target->user == NULL || target->passed == NULL)
		return no_memory(error);
	file = strcmp(target->scheme, "file") == 0;
	/* Skip this for a path, in which the separators of a URL have no
	 * special meaning. */
	if (length > 0 && !(file && *rest == '/'))
		rc = check_secrets(rest, error);
	if (rc < 0)
		return rc;
	if (*text == '\0' || (file && *rest != '/')) {
		error_set(error, "\"%s\" is not a target; expected %s", text, list_forms(forms));
		return -EINVAL;
	}
	if (located && !file)
		rc = take_user(target, error);
	if (rc < 0)
		return rc;
	target->row = backends_find(target->scheme, NULL);
	if (target->row == NULL) {
		/* Don't print `text`: it may be "USER:PASSWORD@HOST". */
		error_set(error, "unsupported target \"%s:\"; expected %s%s", target->scheme,
			  list_forms(forms), target_guess(text, guess));
		return -EINVAL;
	}
	options = target->path + strlen(target->path);
	if (located && !file) {
		options = strchrnul(target->path, '?');
		if (*options == '?')
			*options++ = '\0';
	}
	return take_engine(target, options, error);
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

uint64_t target_deadline_ns(const struct target *target)
{
	/* The client library's own timeout should expire first. */
	const uint64_t hanging_ns = (2 * target->timeout_s + 10) * NS_PER_S;
	const uint64_t min_ns = 60 * NS_PER_S, local_ns = 3600 * NS_PER_S;

	if (!target->backend->remote)
		return local_ns;
	return hanging_ns > min_ns ? hanging_ns : min_ns;
}

const char *target_below(const struct target *target, const char *name, char text[TARGET_BELOW])
{
	bool is_path = target->scheme[0] == '\0';
	size_t length = is_path ? strlen(target->url) : strcspn(target->url, "?");
	bool slash = length > 0 && target->url[length - 1] == '/';

	snprintf(text, TARGET_BELOW, "%.*s%s%s%s", (int)length, target->url,
		 slash || name[0] == '\0' ? "" : "/", name, target->url + length);
	return text;
}
