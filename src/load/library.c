/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "load/library.h"

#include "load/reader.h"

#include "base/array.h"
#include "base/suggest.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEFAULT_FILE "/" LIBRARY_DEFAULT ".load"
#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))
#define NAME_CHARACTERS "abcdefghijklmnopqrstuvwxyz0123456789-"

/* The names of loadfiles end in one of these. The first that exists is used. */
static const char *const endings[] = {".load", ".load.gz"};
enum { ENDING_BYTES = sizeof(".load.gz") };

/* Max length of a name. It leaves room for its folder in PATH_MAX. */
enum { NAME_LENGTH_MAX = 64 };

/*
 * Set `folder` to the library's folder: the first place that has the default
 * load. Return 0, or -ENOENT with `error` set.
 */
static int find_folder(char folder[PATH_MAX], struct error *error)
{
	const char beside[] = "/loadfiles";
	const size_t rest = sizeof(beside) + NAME_LENGTH_MAX + ENDING_BYTES;
	char file[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", folder, PATH_MAX - rest);

	strcpy(file, "loadfiles" DEFAULT_FILE);
	if (length > 0) {
		folder[length] = '\0';
		strcpy(strrchr(folder, '/'), beside);
		strcpy(file, folder);
		strcat(file, DEFAULT_FILE);
		if (access(file, R_OK) == 0)
			return 0;
	}
	strcpy(folder, PKGDATADIR);
	if (access(PKGDATADIR DEFAULT_FILE, R_OK) == 0)
		return 0;
	error_set(error, "cannot find the built-in load at %s or at %s", file,
		  PKGDATADIR DEFAULT_FILE);
	return -ENOENT;
}

/* Is this part of a file name a name that a load can have? */
static bool is_name(const char *text, size_t length)
{
	return length > 0 && length <= NAME_LENGTH_MAX && strspn(text, NAME_CHARACTERS) >= length;
}

/* Report that a word is not a load, nor, if `may_be_file`, a file. Suggest a load. */
static void refuse_name(const char *word, bool may_be_file, struct error *error)
{
	struct suggestion suggestion = {.word = word};
	struct library library;
	struct error ignored = {0};
	size_t i;

	library_list(&library, &ignored);
	for (i = 0; i < library.count; i++)
		suggest_offer(&suggestion, library.names[i]);
	if (suggestion.nearest != NULL)
		error_set(error,
			  may_be_file ? "\"%s\" is neither a file nor a load of the library; did "
					"you mean %s?"
				      : "\"%s\" is not a load of the library; did you mean %s?",
			  word, suggestion.nearest);
	else
		error_set(error,
			  may_be_file ? "\"%s\" is neither a file nor a load of the library; "
					"`throng loads' lists the loads"
				      : "\"%s\" is not a load of the library; `throng loads' lists "
					"the loads",
			  word);
	library_free(&library);
}

int library_find(const char *name, char path[PATH_MAX], struct error *error)
{
	size_t length, i;

	if (reader_is_provided(name)) {
		snprintf(path, PATH_MAX, "%s", name);
		return 0;
	}
	if (find_folder(path, error) < 0)
		return -ENOENT;
	if (is_name(name, strlen(name))) {
		strcat(path, "/");
		strcat(path, name);
		length = strlen(path);
		for (i = 0; i < LENGTH(endings); i++) {
			strcpy(path + length, endings[i]);
			if (access(path, F_OK) == 0)
				return 0;
		}
	}
	refuse_name(name, false, error);
	return -ENOENT;
}

/* Does the path exist, and is it not a directory? Many directories are called
 * "build" or "mail", as loads of the library are. */
static bool is_file(const char *path)
{
	struct stat about;

	if (stat(path, &about) < 0)
		return errno != ENOENT;
	return !S_ISDIR(about.st_mode);
}

int library_resolve(const char *word, char path[PATH_MAX], struct error *error)
{
	struct error reason = {0};

	if (!reader_is_provided(word) && strchr(word, '/') == NULL && !is_file(word) &&
	    word[0] != '\0') {
		/* Without a library, report why there is none. */
		if (find_folder(path, error) < 0)
			return -ENOENT;
		if (library_find(word, path, &reason) == 0)
			return 0;
		refuse_name(word, true, error);
		return -ENOENT;
	}
	/* Opening a path that is too long fails like opening this one. */
	snprintf(path, PATH_MAX, "%s", word);
	return 0;
}

static int compare_names(const void *left, const void *right)
{
	return strcmp(*(char *const *)left, *(char *const *)right);
}

size_t library_name_length(const char *file)
{
	size_t length = strlen(file), ending, i;

	for (i = 0; i < LENGTH(endings); i++) {
		ending = strlen(endings[i]);
		if (length > ending && strcmp(file + length - ending, endings[i]) == 0)
			return length - ending;
	}
	return 0;
}

/* Add the load of a file, if its name is that of a load. Return 0 or
 * -ENOMEM. */
static int add_file(struct library *library, const char *file)
{
	size_t length = library_name_length(file);
	char *name;

	if (!is_name(file, length))
		return 0;
	name = strndup(file, length);
	if (name == NULL)
		return -ENOMEM;
	if (array_append(&library->names, &library->count, &name, sizeof(name)) == 0)
		return 0;
	free(name);
	return -ENOMEM;
}

int library_list(struct library *library, struct error *error)
{
	char folder[PATH_MAX];
	struct dirent *entry;
	DIR *stream;
	int rc = 0;

	*library = (struct library){0};
	if (find_folder(folder, error) < 0)
		return -ENOENT;
	stream = opendir(folder);
	if (stream == NULL) {
		rc = -errno;
		error_set(error, "cannot list \"%s\": %s", folder, strerror(errno));
		return rc;
	}
	/* cppcheck-suppress readdirCalled ; there is only one thread */
	while (rc == 0 && (entry = readdir(stream)) != NULL)
		rc = add_file(library, entry->d_name);
	closedir(stream);
	if (rc < 0)
		return error_no_memory(error);
	qsort(library->names, library->count, sizeof(*library->names), compare_names);
	return 0;
}

void library_free(struct library *library)
{
	size_t i;

	for (i = 0; i < library->count; i++)
		free(library->names[i]);
	free(library->names);
}
