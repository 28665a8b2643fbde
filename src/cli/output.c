/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/output.h"

#include "base/message.h"
#include "doc/render.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* Return the format that an output begins with the name of, or NULL. Set *file
 * to what follows, or to the whole output. */
static const struct format *split(const char *output, const char **file)
{
	const char *colon = strchr(output, ':');
	const struct format *format = NULL;

	if (colon != NULL)
		format = format_named(output, (size_t)(colon - output));
	*file = format != NULL ? colon + 1 : output;
	return format;
}

const char *output_file(const char *output)
{
	const char *file;

	split(output, &file);
	return file;
}

bool output_is_stdout(const char *output)
{
	return strcmp(output_file(output), "-") == 0;
}

static bool has_writer(const struct format *format, bool compares)
{
	return compares ? format->compare != NULL : format->write != NULL;
}

/* Refuse an output without a format, and list the formats. */
static void refuse(const char *output, bool compares, struct error *error)
{
	char endings[80] = "", names[160] = "";
	const struct format *format;

	for (format = formats; format->name != NULL; format++) {
		size_t used = strlen(endings), named = strlen(names);

		if (!has_writer(format, compares))
			continue;
		if (format->ending != NULL)
			snprintf(endings + used, sizeof(endings) - used, "%s%s",
				 used > 0 ? ", " : "", format->ending);
		snprintf(names + named, sizeof(names) - named, "%s%s", named > 0 ? ", " : "",
			 format->name);
	}
	error_set(error,
		  "--output: \"%s\" names no format for %s; expected a file name that ends in one "
		  "of %s, or FORMAT:FILE with one of the formats %s",
		  output, compares ? "a comparison" : "results", endings, names);
}

const struct format *output_find(const char *output, bool compares, struct error *error)
{
	const char *file;
	const struct format *format = split(output, &file);

	if (format == NULL && strcmp(output, "-") == 0)
		format = format_named("json", strlen("json"));
	if (format == NULL)
		format = format_of_file(file + directory_length(file));
	if (format != NULL && has_writer(format, compares))
		return format;
	refuse(output, compares, error);
	return NULL;
}

int output_find_all(const char *const *outputs, bool compares, struct error *error)
{
	bool kept = false;

	for (; outputs != NULL && *outputs != NULL && !error->set; outputs++) {
		if (output_find(*outputs, compares, error) == NULL || !output_is_stdout(*outputs))
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
		  "cannot write \"%s\": %s (a temporary file in the same directory could not be "
		  "made)",
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

int output_check(const struct export *export, const char *output, struct error *error)
{
	const struct format *format = output_find(output, export->comparison != NULL, error);

	if (format != NULL && export->count > 1 && !format->several)
		error_set(error,
			  "--output: \"%s\": a file in the format %s can hold only one result, not "
			  "%zu",
			  output, format->name, export->count);
	if (error->set)
		return -EINVAL;
	return output_is_stdout(output) ? 0 : output_check_place(output_file(output), error);
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

/* The results or the comparison to write, and the format. */
struct document {
	const struct format *format;
	const struct export *export;
};

static int write_document(const void *what, FILE *stream)
{
	const struct document *document = what;

	if (document->export->comparison != NULL)
		return document->format->compare(document->export->comparison, stream);
	return document->format->write(document->export, stream);
}

int output_write(const struct export *export, const char *output, struct error *error)
{
	const struct document document = {
		.format = output_find(output, export->comparison != NULL, error),
		.export = export,
	};
	int rc;

	if (document.format == NULL)
		return -EINVAL;
	if (!output_is_stdout(output))
		return output_replace(output_file(output), write_document, &document, error);
	rc = print_and_close(kept_stdout, write_document, &document);
	if (rc < 0)
		error_set(error, "cannot write to standard output: %s", strerror(-rc));
	return rc;
}

void output_document(struct doc *doc, bool follows)
{
	struct error error = {0};

	if (doc_text(doc, follows, stdout) < 0) {
		error_no_memory(&error);
		message_error(&error);
	}
	doc_free(doc);
}
