/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/smb_common.h"

#include "target/account.h"
#include "words/nt_status.h"

#include <errno.h>
#include <limits.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

enum { NAME_UNITS = 255 }; /* max length of a name, in UTF-16 units */

/* Return the number of UTF-16 units of the character that starts with this byte
 * of UTF-8, or 0 for a byte within a character. */
static unsigned units(unsigned char byte)
{
	return byte >= 0xf0 ? 2 : byte < 0x80 || byte >= 0xc0;
}

/* Check the lengths of a path and of its names. */
static int check_lengths(const char *path)
{
	unsigned length = 0, bytes = 0;

	for (; *path != '\0'; path++) {
		length = *path == '/' ? 0 : length + units((unsigned char)*path);
		if (length > NAME_UNITS || ++bytes >= PATH_MAX)
			return -ENAMETOOLONG;
	}
	return 0;
}

/* The built-in SMB client calls this while the clock runs, so it must be fast.
 * */
int smb_check_names(const char *path)
{
	static bool refused[UCHAR_MAX + 1];
	const unsigned char *at;

	if (!refused['\\'])
		for (at = (const unsigned char *)SMB_NOT_IN_NAMES; *at != '\0'; at++)
			refused[*at] = true;
	for (at = (const unsigned char *)path; *at != '\0'; at++)
		if (refused[*at])
			return -EINVAL;
	/* In a short path, no name can be too long. */
	return at - (const unsigned char *)path <= NAME_UNITS ? 0 : check_lengths(path);
}

/* Return 1 for ".", 2 for "..", 0 for other names. */
static unsigned dots(const char *name)
{
	if (name[0] != '.')
		return 0;
	return name[1] == '\0' ? 1 : strcmp(name, "..") == 0 ? 2 : 0;
}

void smb_visit(struct smb_visits *visits, const char *name, enum backend_entry kind)
{
	unsigned dot = dots(name);

	if (visits->ended || (visits->dots & dot) != 0)
		return;
	visits->dots |= dot;
	visits->ended = !visits->visit(visits->context, name, kind);
}

void smb_visit_dots(struct smb_visits *visits)
{
	smb_visit(visits, ".", ENTRY_DIRECTORY);
	smb_visit(visits, "..", ENTRY_DIRECTORY);
}

/*
 * Split "HOST[:PORT]" in place. An IPv6 address is in brackets. Set *port to
 * "" if there is none.
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
		if ((*port)[0] == '\0' || (*port)[strspn(*port, "0123456789")] != '\0')
			return -EINVAL;
	}
	return target_decode(*host) < 0 || (*host)[0] == '\0' ? -EINVAL : 0;
}

/*
 * Decode the components of `path` and write them to `out` with single slashes
 * between them. Modify `path`. Return 0, or -EINVAL if a component is not
 * allowed or there is none.
 */
static int join_directories(char *out, char *path)
{
	char *name, *rest = path, *start = out;

	while ((name = strsep(&rest, "/")) != NULL) {
		if (name[0] == '\0')
			continue;
		if (target_decode(name) < 0 || strchr(name, '/') != NULL ||
		    smb_check_names(name) < 0)
			return -EINVAL;
		if (out > start)
			*out++ = '/';
		out = stpcpy(out, name);
	}
	*out = '\0';
	return out > start ? 0 : -EINVAL;
}

int smb_place_make(const struct target *target, struct smb_place *place)
{
	char *copy = strdup(target->path), *path, *host, *port;
	int rc;

	*place = (struct smb_place){
		.directory = malloc(strlen(target->path) + 1),
	};
	if (copy == NULL || place->directory == NULL) {
		free(copy);
		return -ENOMEM;
	}
	path = strchrnul(copy, '/');
	if (*path == '/')
		*path++ = '\0';
	rc = split_host(copy, &host, &port);
	if (rc == 0)
		rc = join_directories(place->directory, path);
	if (rc == 0) {
		place->host = strdup(host);
		place->port = strdup(port);
		if (place->host == NULL || place->port == NULL)
			rc = -ENOMEM;
	}
	free(copy);
	return rc;
}

void smb_place_free(struct smb_place *place)
{
	free(place->host);
	free(place->port);
	free(place->directory);
}

static enum smb_strength strength_of(const struct target *target, const char *key)
{
	const char *value = target_option(target, key);

	return value == NULL                   ? SMB_UNSET
	       : strcmp(value, "off") == 0     ? SMB_OFF
	       : strcmp(value, "request") == 0 ? SMB_REQUEST
					       : SMB_REQUIRE;
}

void smb_options_of(const struct target *target, struct smb_options *options)
{
	const char *dialect = target_option(target, "dialect");

	*options = (struct smb_options){
		.conf = target_option(target, "conf"),
		.min_dialect = dialect,
		.max_dialect = dialect,
		.sign = strength_of(target, "sign"),
		.encrypt = strength_of(target, "encrypt"),
		.kerberos = target_says_yes(target, "kerberos"),
		.guest = target_says_yes(target, "guest"),
	};
	if (dialect == NULL && options->conf == NULL) {
		options->min_dialect = "SMB2_02";
		options->max_dialect = "SMB3_11";
	}
}

static int check_host(const struct target *target, const char *host, struct error *error)
{
	struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *found;
	int rc = getaddrinfo(host, NULL, &hints, &found);

	if (rc == 0)
		freeaddrinfo(found);
	else
		error_set(error,
			  "cannot connect to \"%s\": host \"%s\" was not found: %s (check its "
			  "name, or "
			  "use its address)",
			  target->url, host, gai_strerror(rc));
	return rc == 0 ? 0 : -EHOSTUNREACH;
}

int smb_check_target(const struct target *target, const struct smb_options *options,
		     struct error *error)
{
	struct smb_place place;
	int rc = smb_place_make(target, &place);

	if (rc < 0) {
		error_set(error, "\"%s\": expected smb://USER@HOST[:PORT]/SHARE[/PATH]",
			  target->url);
	} else if (options->conf != NULL && access(options->conf, R_OK) < 0) {
		rc = -errno;
		error_set(error, "\"%s\": cannot read the configuration \"%s\" (conf=): %s",
			  target->url, options->conf, strerror(-rc));
	} else {
		rc = check_host(target, place.host, error);
	}
	smb_place_free(&place);
	return rc;
}

int smb_check_accounts(const struct target *target, const struct smb_options *options,
		       smb_log_in *log_in, void (*close)(struct backend_session *session),
		       struct error *error)
{
	struct backend_session *session;
	size_t i;
	int rc;

	for (i = 1; i < target->account_count; i++) {
		rc = log_in(target, (unsigned)i * target->stride, options, &session, error);
		if (rc < 0)
			return rc;
		close(session);
	}
	return 0;
}

/* Advice on the NT statuses that users may see, and the step that ends with
 * them. */
static const struct advice {
	uint32_t status;
	enum smb_step step;
	const char *text;
} advices[] = {
	{0xc0000022, SMB_LOG_IN, /* ACCESS_DENIED */
	 "this user may not use the share, or the share requires encryption or signing "
	 "(add ?encrypt=require or ?sign=require to the URL)"},
	{0xc000005e, SMB_LOG_IN, /* NO_LOGON_SERVERS */
	 "check with klist that there is a Kerberos ticket, and that the KDC can be reached"},
	{0xc0000064, SMB_LOG_IN, /* NO_SUCH_USER */
	 "the server does not know this user"},
	{0xc000006a, SMB_LOG_IN, /* WRONG_PASSWORD */
	 "wrong password (check PASSWD, or the file of --auth-file)"},
	{0xc000006d, SMB_LOG_IN, /* LOGON_FAILURE */
	 "wrong user or password (check the user in the URL, and PASSWD or --auth-file)"},
	{0xc0000071, SMB_LOG_IN, /* PASSWORD_EXPIRED */
	 "the password has expired; set a new one"},
	{0xc0000072, SMB_LOG_IN, /* ACCOUNT_DISABLED */
	 "the server has disabled this user"},
	{0xc0000224, SMB_LOG_IN, /* PASSWORD_MUST_CHANGE */
	 "the password must be changed first"},
	{0xc0000234, SMB_LOG_IN, /* ACCOUNT_LOCKED_OUT */
	 "the server has locked this user after wrong passwords; wait, or unlock the user on the "
	 "server"},
	{0xc00000bb, SMB_CONNECT, /* NOT_SUPPORTED */
	 "the server supports none of the allowed dialects (remove dialect=, or use "
	 "dialect=NT1 for SMB 1)"},
	{0xc00000c3, SMB_CONNECT, /* INVALID_NETWORK_RESPONSE */
	 "the server does not support this dialect (remove dialect=)"},
	{0xc00000cc, SMB_OPEN_SHARE, /* BAD_NETWORK_NAME */
	 "there is no such share (`smbclient -L HOST` lists the shares), or the share is "
	 "on DFS (use client=libsmbclient)"},
	{0xc0000034, SMB_OPEN_SHARE, /* OBJECT_NAME_NOT_FOUND */
	 "the directory does not exist on the share; create it, or correct the URL"},
	{0xc000003a, SMB_OPEN_SHARE, /* OBJECT_PATH_NOT_FOUND */
	 "the directory does not exist on the share; create it, or correct the URL"},
	{0xc0000257, SMB_OPEN_SHARE, /* PATH_NOT_COVERED */
	 "the directory is elsewhere on DFS (use client=libsmbclient)"},
	{0xc000020c, SMB_CONNECT, /* CONNECTION_DISCONNECTED */
	 "the server closed the connection; it may not support this dialect (remove dialect=)"},
	{0xc000020d, SMB_CONNECT, /* CONNECTION_RESET */
	 "the server closed the connection; it may not support this dialect (remove dialect=)"},
	{0xc0000236, SMB_CONNECT, /* CONNECTION_REFUSED */
	 "no server listens on this port (smbd may not run; a port is given by HOST:PORT in "
	 "the URL)"},
	{0xc00000b5, SMB_CONNECT, /* IO_TIMEOUT */
	 "the server does not answer; check the address and firewalls"},
};

static const struct advice *find_advice(unsigned long status)
{
	size_t i;

	for (i = 0; i < sizeof(advices) / sizeof(advices[0]); i++)
		if (advices[i].status == status)
			return &advices[i];
	return NULL;
}

bool smb_ends_connection(int rc)
{
	switch (-rc) {
	case ECONNABORTED:
	case ECONNREFUSED:
	case ECONNRESET:
	case EHOSTUNREACH:
	case ENETRESET:
	case ENETUNREACH:
	case ENOTCONN:
	case EPIPE:
	case ETIMEDOUT:
		return true;
	default:
		return false;
	}
}

enum smb_step smb_step_of(int rc, unsigned long status)
{
	const struct advice *advice = find_advice(status);

	if (advice != NULL)
		return advice->step;
	if (smb_ends_connection(rc))
		return SMB_CONNECT;
	switch (-rc) {
	case ENOENT:
	case ENOTDIR:
	case EREMOTE:
		return SMB_OPEN_SHARE;
	default:
		return SMB_LOG_IN;
	}
}

const char *smb_status_name(unsigned long status)
{
	const struct nt_status *known = nt_status_find((uint32_t)status);

	return known != NULL && status != 0 ? known->name : NULL;
}

/* Return advice for an errno. This is needed because newer versions of the
 * library do not report the NT status. */
static const char *advice_on(int rc)
{
	switch (-rc) {
	case EACCES:
		return "wrong user or password, no access to the share, or the share requires "
		       "encryption or signing";
	case ENOENT:
		return "the share, or the directory on it, does not exist (`smbclient -L HOST` "
		       "lists the shares)";
	case ECONNREFUSED:
		return "no server listens on this port (smbd may not run; a port is given by "
		       "HOST:PORT in "
		       "the URL)";
	case ETIMEDOUT:
		return "the server does not answer; check the address and firewalls";
	case ECONNABORTED:
	case EINVAL:
	case ENETRESET:
	case ENOSYS:
		return "the server may not support this dialect (remove dialect=)";
	case EHOSTUNREACH:
	case ENETUNREACH:
		return "no route to this host; check the address and the network";
	default:
		return "`smbclient -d 3` shows details";
	}
}

int smb_refuse(const struct target *target, const char *what, int rc, unsigned long status,
	       struct error *error)
{
	const char *name = smb_status_name(status);
	const struct advice *advice = find_advice(status);

	if (status == 0)
		error_set(error, "cannot %s \"%s\": %s: %s", what, target->url, strerror(-rc),
			  advice_on(rc));
	else if (name == NULL)
		error_set(
			error,
			"cannot %s \"%s\": %s (NT status 0x%08lx): `smbclient -d 3` shows details",
			what, target->url, strerror(-rc), status);
	else if (advice == NULL)
		error_set(error, "cannot %s \"%s\": %s (%s)", what, target->url, strerror(-rc),
			  name);
	else
		error_set(error, "cannot %s \"%s\": %s (%s): %s", what, target->url, strerror(-rc),
			  name, advice->text);
	return rc;
}

int smb_probe_name(char name[SMB_PROBE_NAME_BYTES])
{
	unsigned long long number;

	if (getrandom(&number, sizeof(number), 0) != sizeof(number))
		return -EIO;
	snprintf(name, SMB_PROBE_NAME_BYTES, ".throng-probe-%016llx", number);
	return 0;
}

int smb_refuse_creation(const struct target *target, int rc, struct error *error)
{
	error_set(error,
		  "cannot create a file in \"%s\": %s; check that the share is not read-only, and "
		  "that \"%s\" may write to the directory",
		  target->url, strerror(-rc), account_of(target, 0)->user);
	return rc;
}

const char *smb_dialect_text(const char *word)
{
	static const char *const texts[][2] = {
		{"SMB2_02", "SMB 2.0.2"}, {"SMB2_10", "SMB 2.1"},   {"SMB3_00", "SMB 3.0"},
		{"SMB3_02", "SMB 3.0.2"}, {"SMB3_11", "SMB 3.1.1"}, {"NT1", SMB1_TEXT},
	};
	size_t i;

	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (strcmp(word, texts[i][0]) == 0)
			return texts[i][1];
	return word;
}

const char *smb_print_step(const struct target *target, const struct account *account,
			   enum smb_step step, char text[SMB_STEP_TEXT])
{
	const char *dialect = target_option(target, "dialect");
	bool named = step == SMB_LOG_IN && account->user[0] != '\0';

	if (step == SMB_OPEN_SHARE)
		return "open the share or the directory";
	snprintf(text, SMB_STEP_TEXT, "%s%s%s%s%s to", step == SMB_CONNECT ? "connect" : "log in",
		 named ? " as " : "", named ? account->user : "", dialect != NULL ? " over " : "",
		 dialect != NULL ? smb_dialect_text(dialect) : "");
	return text;
}

int smb_refuse_login(const struct target *target, const struct account *account,
		     const struct smb_options *options, enum smb_step step, int rc,
		     unsigned long status, struct error *error)
{
	char what[SMB_STEP_TEXT];

	if (rc == -EPROTONOSUPPORT) {
		error_set(error,
			  "cannot log in to \"%s\": encryption is required, but the server does "
			  "not offer encryption (%s)",
			  target->url, strerror(-rc));
		return rc;
	}
	if (options->kerberos && step == SMB_LOG_IN) {
		error_set(error,
			  "cannot log in with Kerberos to \"%s\": %s; check with klist that there "
			  "is a ticket; the URL needs a host name, not an address",
			  target->url, strerror(-rc));
		return rc;
	}
	return smb_refuse(target, smb_print_step(target, account, step, what), rc, status, error);
}
