/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Paths and descriptors in arguments, and failures of calls. */
#include "capture/strace/calls.h"

#include "base/array.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

const char *strace_argument(const struct strace *strace, unsigned position)
{
	return position > 0 && position <= STRACE_ARGUMENTS ? strace->call.arguments[position - 1]
							    : "";
}

int64_t strace_number_at(const struct strace *strace, unsigned position)
{
	return strace_number(strace_argument(strace, position));
}

bool strace_has_failed(const struct strace *strace)
{
	return strace->call.failed && strcmp(strace->call.error, "?") != 0;
}

void strace_elsewhere(struct strace *strace)
{
	conversion_set(recording_conversion(strace->recording), CONVERSION_ELSEWHERE, "%s", "");
}

void strace_merge_call(struct strace *strace, const char *reason)
{
	conversion_set(recording_conversion(strace->recording), CONVERSION_MERGED, "%s", reason);
}

void strace_approximate(struct strace *strace, const char *reason)
{
	conversion_set(recording_conversion(strace->recording), CONVERSION_APPROXIMATED, "%s",
		       reason);
}

void strace_drop(struct strace *strace, const char *reason)
{
	conversion_set(recording_conversion(strace->recording), CONVERSION_DROPPED, "%s", reason);
}

/* The errnos of outcomes. */
static const struct {
	const char *name;
	int number;
} errors[] = {
#define X(outcome, error_number) {#error_number, error_number},
	OUTCOME_LIST(X)
#undef X
};

static bool is_one_of(const char *name, const char *const *names)
{
	while (*names != NULL && strcmp(*names, name) != 0)
		names++;
	return *names != NULL;
}

bool strace_outcome(struct strace *strace, struct recorded *recorded)
{
	static const char *const denied[] = {"EACCES", "EPERM", NULL};
	static const char *const unsupported[] = {"EOPNOTSUPP", "ENOSYS", "ENOTTY", NULL};
	const char *name = strace->call.error;
	size_t i;

	recorded->error = 0;
	if (!strace->call.failed)
		return true;
	if (strcmp(name, "?") == 0) {
		strace_drop(strace, strace->call.cut ? "never returned" : "interrupted");
	} else if (strcmp(name, "EINTR") == 0) {
		strace_drop(strace, "interrupted");
	} else if (is_one_of(name, denied)) {
		strace_drop(strace, "permission denied");
	} else if (is_one_of(name, unsupported) &&
		   !op_moves_attributes((enum op_kind)recorded->op.kind)) {
		strace_merge_call(strace, "not supported where it was recorded");
	} else {
		for (i = 0; i < sizeof(errors) / sizeof(errors[0]); i++)
			if (strcmp(name, errors[i].name) == 0)
				recorded->error = errors[i].number;
		if (recorded->error > 0)
			return true;
		conversion_set(recording_conversion(strace->recording), CONVERSION_DROPPED,
			       "failed: %.20s", name);
	}
	return false;
}

bool strace_add(struct strace *strace, struct recorded *recorded)
{
	return strace_outcome(strace, recorded) && recording_add(strace->recording, recorded, NULL);
}

const char *strace_below(const struct strace *strace, const char *absolute)
{
	return path_below(absolute, strace->source->directory, NULL);
}

void strace_resolve(const struct strace *strace, char absolute[TREE_PATH_MAX])
{
	const char *below = strace_below(strace, absolute);
	char path[TREE_PATH_MAX];
	const struct node *node;

	if (below == NULL || *below == '\0')
		return;
	node = tree_find(recording_tree(strace->recording), below, true);
	if (node != NULL && node_path(node, path) &&
	    (size_t)(below - absolute) + strlen(path) < TREE_PATH_MAX)
		strcpy(absolute + (below - absolute), path);
}

/* Remove the last component of an absolute path, for a "..". */
static void go_up(const struct strace *strace, char absolute[TREE_PATH_MAX])
{
	char *slash;

	strace_resolve(strace, absolute);
	slash = strrchr(absolute, '/');
	if (slash != NULL)
		slash[slash == absolute] = '\0';
}

/* Append the components of `text` to an absolute path. */
static bool append(struct strace *strace, char absolute[TREE_PATH_MAX], const char *text)
{
	size_t length, used;

	for (; *text != '\0'; text += length) {
		text += strspn(text, "/");
		length = strcspn(text, "/");
		if (length == 0 || (length == 1 && text[0] == '.'))
			continue;
		if (length == 2 && text[0] == '.' && text[1] == '.') {
			go_up(strace, absolute);
			continue;
		}
		used = strlen(absolute);
		if (used + length + 2 > TREE_PATH_MAX)
			return false;
		if (absolute[used - 1] != '/')
			absolute[used++] = '/';
		memcpy(absolute + used, text, length);
		absolute[used + length] = '\0';
	}
	return true;
}

bool strace_directory(struct strace *strace, unsigned position, char absolute[TREE_PATH_MAX])
{
	const char *argument = strace_argument(strace, position);
	const struct description *description;
	char below[TREE_PATH_MAX];
	bool deleted;

	if (strace_annotation(argument, absolute, TREE_PATH_MAX, &deleted)) {
		if (strncmp(argument, "AT_FDCWD", 8) == 0)
			process_set_directory(&strace->processes, strace->process, absolute);
		return true;
	}
	if (position == 0 || strcmp(argument, "AT_FDCWD") == 0) {
		strcpy(absolute, strace->process->directory->path);
		return true;
	}
	description = strace_description(strace, position);
	if (description == NULL)
		return false;
	if (description->path != NULL) {
		strcpy(absolute, description->path);
		return true;
	}
	if (description->file == NULL || !node_path(recording_node(description->file), below) ||
	    strlen(strace->source->directory) >= TREE_PATH_MAX)
		return false;
	strcpy(absolute, strace->source->directory);
	return append(strace, absolute, below);
}

/* Return the path in the recorded directory that a directory outside leads to
 * through a symbolic link, or NULL. */
static const char *inside(struct strace *strace, const char *outside)
{
	char real[PATH_MAX];
	int is_new;
	int64_t number;

	if (array_grow(&strace->inside, &strace->inside_room, strace->outside.count + 1,
		       sizeof(*strace->inside)) < 0 ||
	    (number = intern(&strace->outside, outside, strlen(outside), &is_new)) < 0) {
		strace->processes.failed = true;
		return NULL;
	}
	if (is_new)
		strace->inside[number] = realpath(outside, real) != NULL &&
							 strace_below(strace, real) != NULL
						 ? strdup(real)
						 : NULL;
	return strace->inside[number];
}

/*
 * Let a path that leads into the recorded directory through a symbolic link
 * elsewhere, such as the -d that the user has given, begin with the directory.
 * Links of /proc depend on the process.
 */
static void enter(struct strace *strace, char absolute[TREE_PATH_MAX])
{
	char rest[TREE_PATH_MAX];
	char *slash = absolute;

	if (strncmp(absolute, "/proc/", 6) == 0)
		return;
	while ((slash = strchr(slash + 1, '/')) != NULL) {
		const char *real;

		*slash = '\0';
		real = inside(strace, absolute);
		*slash = '/';
		if (real == NULL || strlen(real) + strlen(slash) >= TREE_PATH_MAX)
			continue;
		strcpy(rest, slash);
		strcpy(absolute, real);
		strcat(absolute, rest);
		return;
	}
}

bool strace_absolute(struct strace *strace, unsigned directory, unsigned path,
		     char absolute[TREE_PATH_MAX])
{
	char text[TREE_PATH_MAX];

	if (!strace_string(strace_argument(strace, path), text, sizeof(text)) || text[0] == '\0')
		return false;
	strace->slash = text[strlen(text) - 1] == '/';
	if (!strace_directory(strace, directory, absolute) && text[0] != '/')
		return false;
	if (text[0] == '/')
		strcpy(absolute, "/");
	if (!append(strace, absolute, text)) {
		strace_drop(strace, "path of over 4,095 bytes");
		return false;
	}
	if (strace->source->local && strace_below(strace, absolute) == NULL)
		enter(strace, absolute);
	return true;
}

const char *strace_relative(struct strace *strace, unsigned directory, unsigned path,
			    char absolute[TREE_PATH_MAX])
{
	return strace_absolute(strace, directory, path, absolute) ? strace_below(strace, absolute)
								  : NULL;
}

const char *strace_path(struct strace *strace, unsigned directory, unsigned path,
			char absolute[TREE_PATH_MAX])
{
	const char *below = strace_relative(strace, directory, path, absolute);

	if (below == NULL)
		strace_elsewhere(strace);
	return below;
}

struct description *strace_description(struct strace *strace, unsigned position)
{
	const char *argument = strace_argument(strace, position);
	struct descriptor *descriptor;
	int64_t number = strace_number(argument);

	/* Something else now, such as a socket. */
	if (argument[0] < '0' || argument[0] > '9' || strace_is_other(argument))
		return NULL;
	if (position == strace->row->descriptor && strace->begun.description != NULL &&
	    strace->begun.descriptor == number)
		return strace->begun.description;
	/* When the call began, the descriptor was of a file elsewhere; another
	 * thread may have got the number since. */
	if (position == strace->row->descriptor && strace->begun.text != NULL &&
	    strace->begun.description == NULL)
		return NULL;
	descriptor = descriptor_find(strace->process, number);
	return descriptor != NULL ? descriptor->description : NULL;
}

struct description *strace_file(struct strace *strace, unsigned position)
{
	struct description *description = strace_description(strace, position);
	char path[TREE_PATH_MAX];
	bool deleted;

	if (description != NULL && description->file != NULL)
		return description;
	if (description != NULL)
		conversion_set(recording_conversion(strace->recording), description->row, "%s",
			       description->reason);
	else if (strace_annotation(strace_argument(strace, position), path, sizeof(path),
				   &deleted) &&
		 strace_below(strace, path) != NULL)
		strace_drop(strace,
			    "descriptor that was open before the trace, or of unknown origin");
	else
		strace_elsewhere(strace);
	return NULL;
}
