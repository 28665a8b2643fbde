/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/dropin/dbench_options.h"

#include "target/account.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int parse_and_free(char *url, struct target *target, struct error *error)
{
	int rc;

	if (url == NULL)
		return error_no_memory(error);
	rc = target_parse(url, target, error);
	free(url);
	return rc;
}

/* Make a URL, with brackets around an IPv6 address. Return an allocated text,
 * or NULL. */
static char *locate(const char *scheme, const char *host, const char *path)
{
	bool bare = strchr(host, ':') != strrchr(host, ':') && host[0] != '[';
	char *url;

	if (asprintf(&url, "%s://%s%s%s%s", scheme, bare ? "[" : "", host, bare ? "]" : "", path) <
	    0)
		return NULL;
	return url;
}

static int open_directory(const struct dbench_options *options, struct target *target,
			  struct error *error)
{
	const char *directory = options->directory != NULL ? options->directory : ".";
	char *path;
	int rc;

	/* Begin a relative path with "./", so that it never looks like a
	 * URL. */
	if (asprintf(&path, "%s%s", directory[0] == '/' ? "" : "./", directory) < 0)
		path = NULL;
	rc = parse_and_free(path, target, error);
	if (rc == 0 && options->xattr != 0)
		rc = target_set_option(target, "dos-attributes", "yes", "--xattr", error);
	return rc;
}

static int open_socket(const struct dbench_options *options, struct target *target,
		       struct error *error)
{
	const char *host = options->server;
	int rc;

	if (host == NULL)
		host = options->server_option;
	rc = parse_and_free(locate("tcp", host != NULL ? host : "localhost", ""), target, error);
	if (rc == 0 && options->tcp_options != NULL)
		rc = target_set_option(target, "options", options->tcp_options, "--tcp-options",
				       error);
	return rc;
}

/* The only NFS transport that libnfs has: refuse others. */
static const char only_protocol[] = "tcp";

static int open_nfs(const struct dbench_options *options, struct target *target,
		    struct error *error)
{
	const char *path = options->export_path, *host;

	if (options->nfs_url != NULL)
		return target_parse(options->nfs_url, target, error);
	if (options->protocol != NULL && strcmp(options->protocol, only_protocol) != 0) {
		error_set(error, "%s: --protocol: \"%s\" must be %s", strerror(EPROTONOSUPPORT),
			  options->protocol, only_protocol);
		return -EPROTONOSUPPORT;
	}
	host = options->server_option != NULL ? options->server_option : options->server;
	if (host == NULL || path == NULL || path[0] != '/') {
		error_set(error,
			  "%s: no NFS export given; expected --nfs=URL, or --server=HOST and "
			  "--export=/PATH",
			  strerror(EINVAL));
		return -EINVAL;
	}
	return parse_and_free(locate("nfs", host, path), target, error);
}

/* Set the target's account from `text`, "[DOMAIN/]USER[%PASSWORD]". Split the
 * text in place. */
static int give_account(char *text, struct target *target, struct error *error)
{
	char *percent = strchr(text, '%'), *slash;
	struct account account = {.domain = (char *)""};

	if (percent != NULL)
		*percent++ = '\0';
	slash = strchr(text, '/');
	if (slash != NULL) {
		*slash = '\0';
		account.domain = text;
		text = slash + 1;
	}
	account.user = text;
	account.password = percent;
	free(target->user);
	free(target->domain);
	target->user = strdup(account.user);
	target->domain = strdup(account.domain);
	if (target->user == NULL || target->domain == NULL)
		return error_no_memory(error);
	return percent != NULL ? account_give(target, &account, error)
			       : accounts_find(target, NULL, error);
}

static int open_smb(const struct dbench_options *options, struct target *target,
		    struct error *error)
{
	char *url, *user;
	int rc;

	if (options->smb_share == NULL || strncmp(options->smb_share, "//", 2) != 0) {
		error_set(error, "%s: no SMB share given; expected --smb-share=//SERVER/SHARE",
			  strerror(EINVAL));
		return -EINVAL;
	}
	if (asprintf(&url, "smb:%s", options->smb_share) < 0)
		url = NULL;
	rc = parse_and_free(url, target, error);
	if (rc < 0 || options->smb_user == NULL)
		return rc < 0 ? rc : accounts_find(target, NULL, error);
	user = strdup(options->smb_user);
	if (user == NULL)
		return error_no_memory(error);
	rc = give_account(user, target, error);
	explicit_bzero(user, strlen(options->smb_user));
	free(user);
	return rc;
}

int dbench_options_target(const struct dbench_options *options, struct target *target,
			  struct error *error)
{
	static int (*const openers[])(const struct dbench_options *options, struct target *target,
				      struct error *error) = {
		[DBENCH_FILEIO] = open_directory,
		[DBENCH_SOCKIO] = open_socket,
		[DBENCH_NFS] = open_nfs,
		[DBENCH_SMB] = open_smb,
	};
	int rc = openers[options->backend](options, target, error);

	if (rc == 0)
		target->timeout_s = TARGET_TIMEOUT_S;
	return rc;
}
