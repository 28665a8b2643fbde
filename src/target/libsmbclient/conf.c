/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "target/libsmbclient/conf.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The NetBIOS name in our smb.conf. If the library returns this name, it has
 * read our smb.conf. */
#define MARK "THRONG"

/*
 * A directory that cannot exist. Our smb.conf tells the library to keep its
 * databases there, so that it cannot create them: it works without them, and
 * would otherwise create them in the system's directories or the user's home.
 */
#define NOWHERE "/dev/null/throng"

static void write_conf(FILE *file, const struct smb_options *options)
{
	static const char *const words[] = {
		[SMB_OFF] = "disabled",
		[SMB_REQUEST] = "desired",
		[SMB_REQUIRE] = "required",
	};
	const char *signing = words[options->sign];

	if (options->sign == SMB_UNSET && options->conf == NULL)
		signing = "if_required";
	fputs("[global]\n", file);
	if (options->conf != NULL)
		/* Start [global] again after the included file, which may end
		 * in another section. */
		fprintf(file, "include = %s\n[global]\n", options->conf);
	else
		fputs("disable netbios = yes\n"
		      "name resolve order = host\n",
		      file);
	fputs("netbios name = " MARK "\n"
	      "lock directory = " NOWHERE "\n"
	      "state directory = " NOWHERE "\n"
	      "cache directory = " NOWHERE "\n"
	      "private dir = " NOWHERE "\n"
	      "pid directory = " NOWHERE "\n"
	      "ncalrpc dir = " NOWHERE "\n",
	      file);
	if (options->min_dialect != NULL)
		fprintf(file, "client min protocol = %s\n", options->min_dialect);
	if (options->max_dialect != NULL)
		fprintf(file, "client max protocol = %s\n", options->max_dialect);
	if (signing != NULL)
		fprintf(file, "client signing = %s\n", signing);
}

/* Report that `path` could not be created. Return -errno. */
static int cannot_make(const char *path, struct error *error)
{
	int rc = errno > 0 ? -errno : -EIO;

	error_set(error,
		  "cannot create \"%s\", the configuration of libsmbclient: %s (set TMPDIR to a "
		  "writable directory)",
		  path, strerror(-rc));
	return rc;
}

/* Create `home`/.smb/smb.conf. */
static int fill_home(const char *home, const struct smb_options *options, struct error *error)
{
	char path[PATH_MAX];
	FILE *file;
	bool lost;

	snprintf(path, sizeof(path), "%s/.smb", home);
	if (mkdir(path, 0700) < 0)
		return cannot_make(path, error);
	snprintf(path, sizeof(path), "%s/.smb/smb.conf", home);
	file = fopen(path, "we");
	if (file == NULL)
		return cannot_make(path, error);
	write_conf(file, options);
	lost = fflush(file) != 0 || ferror(file) != 0;
	if (lost)
		cannot_make(path, error);
	return fclose(file) != 0 || lost ? -EIO : 0;
}

/* Create a directory with our smb.conf in it. `home` is a mkdtemp template. It
 * becomes the directory's path, or "" if there is no directory to remove. */
static int make_home(char *home, const struct smb_options *options, struct error *error)
{
	/* Set a umask, because the user's could deny us access to our own
	 * files. */
	mode_t mask = umask(077);
	int rc = 0;

	if (mkdtemp(home) == NULL) {
		rc = cannot_make(home, error);
		home[0] = '\0';
	} else {
		rc = fill_home(home, options, error);
	}
	umask(mask);
	return rc;
}

static void remove_home(const char *home)
{
	char path[PATH_MAX];

	if (home[0] == '\0')
		return;
	snprintf(path, sizeof(path), "%s/.smb/smb.conf", home);
	unlink(path);
	snprintf(path, sizeof(path), "%s/.smb", home);
	rmdir(path);
	rmdir(home);
}

/*
 * Make a context while the environment variable HOME is `home`. The library
 * looks for a configuration in $HOME/.smb, and uses the system's smb.conf only
 * if there is none.
 */
static int make_context(const char *home, SMBCCTX **context)
{
	const char *found = getenv("HOME");
	char *before = found != NULL ? strdup(found) : NULL;
	int rc = 0;

	if ((found != NULL && before == NULL) || setenv("HOME", home, 1) < 0) {
		free(before);
		return -ENOMEM;
	}
	*context = smbc_new_context();
	if (*context == NULL)
		rc = -errno;
	if (before != NULL)
		setenv("HOME", before, 1);
	else
		unsetenv("HOME");
	free(before);
	return rc;
}

int smb_conf_context(const struct smb_options *options, SMBCCTX **context, struct error *error)
{
	const char *tmp = getenv("TMPDIR");
	char home[PATH_MAX / 2];
	int rc;

	/* Don't use a TMPDIR with a % in it: the library would expand the % in
	 * the file name as a variable. */
	if (tmp == NULL || tmp[0] != '/' || strchr(tmp, '%') != NULL ||
	    strlen(tmp) > sizeof(home) / 2)
		tmp = "/tmp";
	snprintf(home, sizeof(home), "%s/throng-smb.XXXXXX", tmp);
	rc = make_home(home, options, error);
	if (rc == 0)
		rc = make_context(home, context);
	if (rc < 0)
		error_set(error, "cannot create a libsmbclient context: %s", strerror(-rc));
	remove_home(home);
	return rc;
}

bool smb_conf_is_ours(SMBCCTX *context)
{
	const char *name = smbc_getNetbiosName(context);

	return name != NULL && strcmp(name, MARK) == 0;
}
