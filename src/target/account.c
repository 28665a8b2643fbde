/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/account.h"

#include "target/backend.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

enum { LINE_MAX_BYTES = 1024 };

static int no_memory(struct error *error)
{
	error_set(error, "out of memory");
	return -ENOMEM;
}

static void forget(char *secret)
{
	if (secret != NULL)
		explicit_bzero(secret, strlen(secret));
	free(secret);
}

void accounts_free(struct account *accounts, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		free(accounts[i].domain);
		free(accounts[i].user);
		forget(accounts[i].password);
	}
	free(accounts);
}

const struct account *account_of(const struct target *target, unsigned user)
{
	return &target->accounts[user / target->stride % target->account_count];
}

/* Cut blanks off both ends, in place. */
static char *trim(char *text)
{
	char *end;

	while (isspace((unsigned char)*text))
		text++;
	end = text + strlen(text);
	while (end > text && isspace((unsigned char)end[-1]))
		*--end = '\0';
	return text;
}

/* Replace *value, which may be NULL, by a copy of `text`. */
static int replace(char **value, const char *text, struct error *error)
{
	char *copy = strdup(text);

	if (copy == NULL)
		return no_memory(error);
	forget(*value);
	*value = copy;
	return 0;
}

/*
 * Replace *value by a copy of the secret `text`. From then on this process and
 * its children leave no core dump, and only root can read their memory and
 * environment.
 */
static int replace_secret(char **value, const char *text, struct error *error)
{
	if (*text != '\0')
		prctl(PR_SET_DUMPABLE, 0);
	return replace(value, text, error);
}

static int read_line(char *line, struct account *account, const char *path, unsigned number,
		     struct error *error)
{
	char *text = trim(line), *value = strchr(text, '=');
	const char *key;

	if (*text == '\0' || *text == '#' || *text == ';')
		return 0;
	if (value == NULL) {
		error_set_at(error, path, number, 0,
			     "expected username = X, password = Y or domain = Z");
		return -EINVAL;
	}
	*value++ = '\0';
	key = trim(text);
	value = trim(value);
	if (strcasecmp(key, "username") == 0)
		return replace(&account->user, value, error);
	if (strcasecmp(key, "password") == 0)
		return replace_secret(&account->password, value, error);
	if (strcasecmp(key, "domain") == 0)
		return replace(&account->domain, value, error);
	error_set_at(error, path, number, 0,
		     "unknown key \"%s\"; expected username, password or domain", key);
	return -EINVAL;
}

/* Open the file, but refuse it if its mode gives other users any access. */
static FILE *open_private(const char *path, struct error *error)
{
	/* Opening a FIFO must not block. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "r");
	struct stat attributes;

	if (file == NULL) {
		error_set(error, "cannot open \"%s\": %s", path, strerror(errno));
		if (fd >= 0)
			close(fd);
		return NULL;
	}
	if (fstat(fileno(file), &attributes) < 0 || !S_ISREG(attributes.st_mode))
		error_set(error, "\"%s\" is not a regular file; expected a file of mode 0600",
			  path);
	else if ((attributes.st_mode & (S_IRWXG | S_IRWXO)) != 0)
		error_set(error,
			  "other users may access \"%s\", which may contain a password; expected "
			  "mode 0600 (chmod 600)",
			  path);
	else
		return file;
	fclose(file);
	return NULL;
}

static int read_file(const char *path, struct account *account, struct error *error)
{
	char line[LINE_MAX_BYTES];
	FILE *file = open_private(path, error);
	unsigned number = 0;
	int rc = 0;

	if (file == NULL)
		return -EACCES;
	while (rc == 0 && fgets(line, sizeof(line), file) != NULL) {
		number++;
		if (strchr(line, '\n') == NULL && !feof(file)) {
			error_set_at(error, path, number, 0, "the line is longer than %d bytes",
				     LINE_MAX_BYTES - 2);
			rc = -EINVAL;
		} else {
			rc = read_line(line, account, path, number, error);
		}
	}
	explicit_bzero(line, sizeof(line));
	fclose(file);
	return rc;
}

/* Wait until the terminal has a line. Return 0, or -EINTR if one of the
 * signals `ending` arrives first. */
static int wait_for_line(int terminal, const sigset_t *ending)
{
	struct pollfd fds[] = {
		{.fd = signalfd(-1, ending, SFD_CLOEXEC), .events = POLLIN},
		{.fd = terminal, .events = POLLIN},
	};
	int rc = 0;

	if (fds[0].fd < 0)
		return -errno;
	while (poll(fds, 2, -1) < 0 && rc == 0)
		if (errno != EINTR)
			rc = -errno;
	if (rc == 0 && fds[0].revents != 0)
		rc = -EINTR;
	close(fds[0].fd);
	return rc;
}

/*
 * Read a line from the terminal without echo. The signals that end the program
 * are blocked until echo is on again.
 */
static int read_hidden(int terminal, const char *prompt, char *line, size_t size)
{
	struct termios shown, hidden;
	sigset_t ending, before;
	ssize_t got = -1;

	if (tcgetattr(terminal, &shown) < 0)
		return -errno;
	sigemptyset(&ending);
	sigaddset(&ending, SIGINT);
	sigaddset(&ending, SIGTERM);
	sigaddset(&ending, SIGHUP);
	sigaddset(&ending, SIGQUIT);
	sigprocmask(SIG_BLOCK, &ending, &before);
	hidden = shown;
	hidden.c_lflag &= ~(tcflag_t)ECHO;
	/* TCSAFLUSH discards what was typed before, so prompt afterwards. */
	if (tcsetattr(terminal, TCSAFLUSH, &hidden) == 0 && dprintf(terminal, "%s", prompt) >= 0 &&
	    wait_for_line(terminal, &ending) == 0)
		got = read(terminal, line, size - 1);
	tcsetattr(terminal, TCSAFLUSH, &shown);
	sigprocmask(SIG_SETMASK, &before, NULL);
	dprintf(terminal, "\n");
	if (got <= 0)
		return -EIO;
	line[got] = '\0';
	line[strcspn(line, "\n")] = '\0';
	return 0;
}

static int ask(const struct target *target, struct account *account, struct error *error)
{
	char line[LINE_MAX_BYTES], prompt[LINE_MAX_BYTES];
	int terminal = open("/dev/tty", O_RDWR | O_CLOEXEC);
	int rc = -ENOTTY;

	snprintf(prompt, sizeof(prompt), "Password of %s for %s: ", account->user, target->url);
	if (terminal >= 0) {
		rc = read_hidden(terminal, prompt, line, sizeof(line));
		close(terminal);
	}
	if (rc < 0) {
		error_set(error,
			  "%s: no password for \"%s\"; use --auth-file FILE, set the environment "
			  "variable PASSWD, or run throng on a terminal",
			  target->url, account->user);
		return rc;
	}
	rc = replace_secret(&account->password, line, error);
	explicit_bzero(line, sizeof(line));
	return rc;
}

/*
 * Move PASSWD out of the environment into *password; keep *password when the
 * variable is not set. Also overwrite the variable's bytes: after unsetenv
 * alone, /proc/PID/environ of this process and its children would show them.
 */
static int take_environment(char **password, struct error *error)
{
	static const char name[] = "PASSWD=";
	const char *value = getenv("PASSWD");
	char **entry;

	if (value == NULL)
		return 0;
	if (replace_secret(password, value, error) < 0)
		return -ENOMEM;
	for (entry = environ; *entry != NULL; entry++)
		if (strncmp(*entry, name, strlen(name)) == 0)
			explicit_bzero(*entry + strlen(name), strlen(*entry + strlen(name)));
	unsetenv("PASSWD");
	return 0;
}

/*
 * Fill in the missing parts of an account: the user and the domain from the
 * URL, and the password from `password` (the value of PASSWD) or, if that is
 * NULL, from the terminal.
 */
static int complete(const struct target *target, struct account *account, const char *password,
		    struct error *error)
{
	bool guest = target_says_yes(target, "guest");

	if (account->user == NULL && replace(&account->user, target->user, error) < 0)
		return -ENOMEM;
	if (account->domain == NULL && replace(&account->domain, target->domain, error) < 0)
		return -ENOMEM;
	if (guest || target_says_yes(target, "kerberos"))
		password = "";
	else if (account->user[0] == '\0') {
		error_set(error,
			  "%s: no user name; expected USER@ before the host, --auth-file FILE, or "
			  "?guest=yes in the URL to log in as a guest",
			  target->url);
		return -EINVAL;
	}
	if (account->password != NULL)
		return 0;
	if (password != NULL)
		return replace_secret(&account->password, password, error);
	return ask(target, account, error);
}

static int copy_account(struct account *to, const struct account *from, struct error *error)
{
	if (replace(&to->domain, from->domain, error) < 0 ||
	    replace(&to->user, from->user, error) < 0)
		return -ENOMEM;
	return replace_secret(&to->password, from->password, error);
}

int account_give(struct target *target, const struct account *account, struct error *error)
{
	struct account *copy = calloc(1, sizeof(*copy));

	if (copy == NULL)
		return no_memory(error);
	target->accounts = copy;
	target->account_count = 1;
	return copy_account(copy, account, error);
}

int accounts_copy(struct target *target, const struct target *from, struct error *error)
{
	size_t i;
	int rc = 0;

	target->accounts = calloc(from->account_count, sizeof(*target->accounts));
	if (target->accounts == NULL)
		return no_memory(error);
	target->account_count = from->account_count;
	for (i = 0; i < from->account_count && rc == 0; i++)
		rc = copy_account(&target->accounts[i], &from->accounts[i], error);
	return rc;
}

/* Targets with the accounts that were provided for them. */
static struct target *provided;
static size_t provided_count;

/* Return the target with these accounts, or NULL. */
static struct target *find_provided(const char *url)
{
	size_t i;

	for (i = 0; i < provided_count; i++)
		if (strcmp(provided[i].url, url) == 0)
			return &provided[i];
	return NULL;
}

int account_provide(const char *url, const struct account *account, struct error *error)
{
	struct target *target = find_provided(url);
	struct account *accounts;

	if (target == NULL) {
		struct target *targets = reallocarray(provided, provided_count + 1,
						      sizeof(*targets));

		if (targets == NULL)
			return no_memory(error);
		provided = targets;
		target = &provided[provided_count++];
		*target = (struct target){.url = strdup(url)};
		if (target->url == NULL)
			return no_memory(error);
	}
	accounts = reallocarray(target->accounts, target->account_count + 1, sizeof(*accounts));
	if (accounts == NULL)
		return no_memory(error);
	target->accounts = accounts;
	accounts[target->account_count] = (struct account){0};
	return copy_account(&accounts[target->account_count++], account, error);
}

int accounts_find(struct target *target, const char *const *files, struct error *error)
{
	/* The value of PASSWD. The first call removes the variable, so keep
	 * its value for the accounts of other targets. */
	static char *given;
	size_t count = 0, i;
	int rc = 0;

	if (!target->backend->needs_account)
		return 0;
	if (find_provided(target->url) != NULL)
		return accounts_copy(target, find_provided(target->url), error);
	if (take_environment(&given, error) < 0)
		return -ENOMEM;
	while (files != NULL && files[count] != NULL)
		count++;
	target->account_count = count > 0 ? count : 1;
	target->accounts = calloc(target->account_count, sizeof(*target->accounts));
	if (target->accounts == NULL)
		return no_memory(error);
	for (i = 0; i < target->account_count && rc == 0; i++) {
		if (count > 0)
			rc = read_file(files[i], &target->accounts[i], error);
		if (rc == 0)
			rc = complete(target, &target->accounts[i], given, error);
	}
	return rc;
}
