/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/output.h"

#include "base/message.h"
#include "page/html.h"
#include "report/csv.h"
#include "report/gobench.h"
#include "result/json.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct output_format formats[] = {
	{".json", false, 0, json_write},
	{".csv", false, 0, csv_write},
	{".bench", true, 0, gobench_write},
	{".html", true, HTML_RESULTS, html_write},
};

enum { FORMATS = sizeof(formats) / sizeof(formats[0]) };

/* Standard output as it was before output_keep_stdout; NULL: not called. */
static FILE *kept_stdout;

/* The name of the temporary file. A run that dies while writing leaves it
 * behind. */
#define TEMPORARY ".throng-result.XXXXXX"

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

/* Return the format in which `path` stands for standard output; or NULL. */
static const struct output_format *find_stdout(const char *path)
{
	size_t length = strlen(path), i;

	if (strcmp(path, "-") == 0)
		return &formats[0];
	for (i = 0; i < FORMATS; i++) {
		const char *name = formats[i].ending + 1;

		if (length == strlen(name) + 2 && strncmp(path, name, strlen(name)) == 0 &&
		    strcmp(path + length - 2, ":-") == 0)
			return &formats[i];
	}
	return NULL;
}

bool output_is_stdout(const char *path)
{
	return find_stdout(path) != NULL;
}

const struct output_format *output_find(const char *path, struct error *error)
{
	const char *name = path + directory_length(path);
	char list[80] = "";
	size_t i;

	if (output_is_stdout(path))
		return find_stdout(path);
	for (i = 0; i < FORMATS; i++) {
		if (ends_in(name, formats[i].ending))
			return &formats[i];
		snprintf(list + strlen(list), sizeof(list) - strlen(list), "%s%s",
			 i == 0            ? ""
			 : i + 1 < FORMATS ? ", "
					   : " or ",
			 formats[i].ending);
	}
	error_set(error, "--output: unknown format: \"%s\" must end in %s", path, list);
	return NULL;
}

int output_find_all(const char *const *paths, struct error *error)
{
	bool kept = false;

	for (; paths != NULL && *paths != NULL && !error->set; paths++) {
		if (output_find(*paths, error) == NULL || !output_is_stdout(*paths))
			continue;
		if (kept)
			error_set(error, "--output: standard output can be written only once");
		kept = true;
	}
	return error->set ? -EINVAL : 0;
}

int output_keep_stdout(struct error *error)
{
	int fd;

	fflush(stdout);
	fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, message_descriptor() + 1);
	if (fd >= 0 && dup2(message_descriptor(), STDOUT_FILENO) >= 0)
		kept_stdout = fdopen(fd, "w");
	if (kept_stdout != NULL)
		return 0;
	error_set(error, "cannot write to standard output: %s", strerror(errno));
	return -EBADF;
}

/*
 * Check that an existing file may be replaced: it must be a regular file with
 * write permission, which rename(2) doesn't check. Set *mode to the mode of the
 * new file.
 */
static int check_old(const char *path, mode_t *mode, struct error *error)
{
	struct stat old;

	*mode = umask(0);
	umask(*mode);
	*mode = 0666 & ~*mode;
	if (path[0] == '\0') {
		error_set(error, "cannot write \"\": expected a file name");
		return -ENOENT;
	}
	if (lstat(path, &old) < 0)
		return 0;
	if (!S_ISREG(old.st_mode)) {
		error_set(error, "cannot write \"%s\": not a regular file", path);
		return -EEXIST;
	}
	*mode = old.st_mode & 07777;
	if (access(path, W_OK) == 0)
		return 0;
	error_set(error, "cannot write \"%s\": %s", path, strerror(errno));
	return -EACCES;
}

/*
 * Create a temporary file in the directory of `path`, and set *temporary to its
 * name, which the caller frees. Return NULL with `error` set on failure.
 */
static FILE *open_temporary(const char *path, char **temporary, struct error *error)
{
	FILE *file = NULL;
	mode_t mode;
	int fd;

	*temporary = NULL;
	if (check_old(path, &mode, error) < 0)
		return NULL;
	if (asprintf(temporary, "%.*s" TEMPORARY, (int)directory_length(path), path) < 0) {
		*temporary = NULL;
		error_no_memory(error);
		return NULL;
	}
	fd = mkostemp(*temporary, O_CLOEXEC);
	if (fd >= 0 && fchmod(fd, mode) == 0)
		file = fdopen(fd, "w");
	if (file != NULL)
		return file;
	error_set(error,
		  "cannot write \"%s\": %s (a temporary file in its directory could not be made)",
		  path, strerror(errno));
	if (fd >= 0) {
		close(fd);
		unlink(*temporary);
	}
	free(*temporary);
	return NULL;
}

int output_check_place(const char *path, struct error *error)
{
	char *temporary;
	FILE *file = open_temporary(path, &temporary, error);

	if (file == NULL)
		return -EACCES;
	fclose(file);
	unlink(temporary);
	free(temporary);
	return 0;
}

/* Get the attributes of the directory that `path` is in. */
static int stat_directory(const char *path, struct stat *directory)
{
	size_t length = directory_length(path);
	char *name = length > 0 ? strndup(path, length) : strdup(".");
	int rc = name != NULL ? stat(name, directory) : -1;

	free(name);
	return rc;
}

bool output_is_same(const char *one, const char *other)
{
	struct stat first, second;

	if (stat(one, &first) == 0 && stat(other, &second) == 0 && first.st_dev == second.st_dev &&
	    first.st_ino == second.st_ino)
		return true;
	return strcmp(one + directory_length(one), other + directory_length(other)) == 0 &&
	       stat_directory(one, &first) == 0 && stat_directory(other, &second) == 0 &&
	       first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

int output_check(const char *path, const struct result *results, size_t count, struct error *error)
{
	const struct output_format *format = output_find(path, error);
	size_t variants = 0, i;

	for (i = 0; i < count; i++)
		variants += results[i].run.variant_count;
	if (format != NULL && format->variants_max > 0 && variants > format->variants_max)
		error_set(error,
			  "--output: \"%s\": a %s file holds at most %zu results or combinations "
			  "of values, not %zu",
			  path, format->ending, format->variants_max, variants);

	if (format != NULL && count > 1 && !format->several)
		error_set(error, "--output: \"%s\": a %s file holds one result, not %zu", path,
			  format->ending, count);
	if (error->set)
		return -EINVAL;
	return output_is_stdout(path) ? 0 : output_check_place(path, error);
}

/* Print with `write`, and close the stream. Return 0 or -errno. */
static int print_and_close(FILE *stream, int (*write)(const void *what, FILE *stream),
			   const void *what)
{
	int rc;

	errno = 0;
	rc = write(what, stream);
	if (rc == 0 && ferror(stream))
		rc = errno != 0 ? -errno : -EIO;
	if (fclose(stream) != 0 && rc == 0)
		rc = -errno;
	return rc;
}

int output_replace(const char *path, int (*write)(const void *what, FILE *stream), const void *what,
		   struct error *error)
{
	char *temporary;
	FILE *file = open_temporary(path, &temporary, error);
	int rc;

	if (file == NULL)
		return -EACCES;
	rc = print_and_close(file, write, what);
	if (rc == 0 && rename(temporary, path) < 0)
		rc = -errno;
	if (rc < 0) {
		error_set(error, "cannot write \"%s\": %s", path, strerror(-rc));
		unlink(temporary);
	}
	free(temporary);
	return rc;
}

/* Results and the format to write them in. */
struct document {
	const struct output_format *format;
	const struct result *results;
	size_t count;
};

static int write_document(const void *what, FILE *stream)
{
	const struct document *document = what;

	return document->format->write(document->results, document->count, stream);
}

int output_write(const struct result *results, size_t count, const char *path, struct error *error)
{
	const struct document document = {
		.format = output_find(path, error),
		.results = results,
		.count = count,
	};
	int rc;

	if (document.format == NULL)
		return -EINVAL;
	if (!output_is_stdout(path))
		return output_replace(path, write_document, &document, error);
	rc = print_and_close(kept_stdout, write_document, &document);
	if (rc < 0)
		error_set(error, "cannot write to standard output: %s", strerror(-rc));
	return rc;
}
