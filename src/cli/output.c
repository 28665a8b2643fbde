/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/output.h"

#include "report/csv.h"
#include "report/gobench.h"
#include "page/html.h"
#include "result/json.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct output_format formats[] = {
	{".json", false, json_write},
	{".csv", false, csv_write},
	{".bench", true, gobench_write},
	{".html", true, html_write},
};

enum { FORMATS = sizeof(formats) / sizeof(formats[0]) };

/* A file with such a name was left by a run that died while it wrote. */
#define BESIDE ".throng-result.XXXXXX"

static size_t directory_length(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? (size_t)(slash + 1 - path) : 0;
}

static bool ends_in(const char *name, const char *ending)
{
	size_t length = strlen(name), wanted = strlen(ending);

	return length > wanted && strcmp(name + length - wanted, ending) == 0;
}

const struct output_format *output_find(const char *path, struct error *error)
{
	const char *name = path + directory_length(path);
	char list[80] = "";
	size_t i;

	for (i = 0; i < FORMATS; i++) {
		if (ends_in(name, formats[i].ending))
			return &formats[i];
		snprintf(list + strlen(list), sizeof(list) - strlen(list),
			 "%s%s", i == 0 ? "" : i + 1 < FORMATS ? ", " : " or ",
			 formats[i].ending);
	}
	error_set(error, "--output: unknown format: \"%s\" must end in %s",
		  path, list);
	return NULL;
}

/*
 * Looks at what the file will replace: it has to be a file, and one that could
 * be written to, as a new name for another one asks for no permission. Sets
 * the permissions that the new file is to have.
 */
static int look_at_old(const char *path, mode_t *mode, struct error *error)
{
	struct stat old;

	*mode = umask(0);
	umask(*mode);
	*mode = 0666 & ~*mode;
	if (lstat(path, &old) < 0)
		return 0;
	if (!S_ISREG(old.st_mode)) {
		error_set(error, "\"%s\" is no regular file, and is not "
			  "replaced", path);
		return -EEXIST;
	}
	*mode = old.st_mode & 07777;
	if (access(path, W_OK) == 0)
		return 0;
	error_set(error, "write \"%s\": %s", path, strerror(errno));
	return -EACCES;
}

/*
 * The file beside `path` that is written first. Its name goes to `*beside`, to
 * be freed.
 */
static FILE *open_beside(const char *path, char **beside, struct error *error)
{
	FILE *file = NULL;
	mode_t mode;
	int fd;

	*beside = NULL;
	if (look_at_old(path, &mode, error) < 0)
		return NULL;
	if (asprintf(beside, "%.*s" BESIDE, (int)directory_length(path),
		     path) < 0) {
		*beside = NULL;
		error_no_memory(error);
		return NULL;
	}
	fd = mkostemp(*beside, O_CLOEXEC);
	if (fd >= 0 && fchmod(fd, mode) == 0)
		file = fdopen(fd, "w");
	if (file != NULL)
		return file;
	error_set(error, "write \"%s\": %s", path, strerror(errno));
	if (fd >= 0) {
		close(fd);
		unlink(*beside);
	}
	free(*beside);
	return NULL;
}

int output_check_place(const char *path, struct error *error)
{
	char *beside;
	FILE *file = open_beside(path, &beside, error);

	if (file == NULL)
		return -EACCES;
	fclose(file);
	unlink(beside);
	free(beside);
	return 0;
}

int output_check(const char *path, size_t count, struct error *error)
{
	const struct output_format *format = output_find(path, error);

	if (format != NULL && count > 1 && !format->several)
		error_set(error, "--output: \"%s\": a %s file holds one "
			  "result, not %zu", path, format->ending, count);
	return error->set ? -EINVAL : output_check_place(path, error);
}

int output_replace(const char *path,
		   int (*write)(const void *what, FILE *stream),
		   const void *what, struct error *error)
{
	char *beside;
	FILE *file = open_beside(path, &beside, error);
	int rc;

	if (file == NULL)
		return -EACCES;
	errno = 0;
	rc = write(what, file);
	if (rc == 0 && ferror(file))
		rc = errno != 0 ? -errno : -EIO;
	if (fclose(file) != 0 && rc == 0)
		rc = -errno;
	if (rc == 0 && rename(beside, path) < 0)
		rc = -errno;
	if (rc < 0) {
		error_set(error, "write \"%s\": %s", path, strerror(-rc));
		unlink(beside);
	}
	free(beside);
	return rc;
}

/* Results, and in which format they are written. */
struct document {
	const struct output_format *format;
	const struct result *results;
	size_t count;
};

static int write_document(const void *what, FILE *stream)
{
	const struct document *document = what;

	return document->format->write(document->results, document->count,
				       stream);
}

int output_write(const struct result *results, size_t count, const char *path,
		 struct error *error)
{
	const struct document document = {
		.format = output_find(path, error),
		.results = results,
		.count = count,
	};

	if (document.format == NULL)
		return -EINVAL;
	return output_replace(path, write_document, &document, error);
}
