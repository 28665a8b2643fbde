/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Record a command: list the files that exist before, run it under strace, and
 * read the trace. */
#include "capture/capture.h"

#include "base/intern.h"
#include "base/message.h"
#include "capture/decode/tool.h"
#include "capture/model/recording.h"
#include "capture/strace/strace.h"

#include <errno.h>
#include <fts.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Files with several names. A file has the same number in both tables. */
struct links {
	struct intern inodes; /* device and inode */
	struct intern paths;  /* the path under which the file was added */
};

/* Return the path under which this file has been added, or NULL after keeping
 * `path` as such. */
static const char *find_link(struct links *links, const struct stat *st, const char *path)
{
	const uint64_t key[] = {st->st_dev, st->st_ino};
	int is_new;
	int64_t number = intern(&links->inodes, key, sizeof(key), &is_new);

	if (number >= 0 && !is_new)
		return links->paths.keys[number].bytes;
	intern(&links->paths, path, strlen(path), &is_new);
	return NULL;
}

static enum node_kind kind_of(mode_t mode)
{
	return S_ISREG(mode)   ? NODE_FILE
	       : S_ISDIR(mode) ? NODE_DIRECTORY
	       : S_ISLNK(mode) ? NODE_LINK
			       : NODE_OTHER;
}

static void add_entry(struct recording *recording, struct links *links, const FTSENT *entry,
		      const char *path)
{
	const struct stat *st = entry->fts_statp;
	char target[PATH_MAX];
	ssize_t length = -1;

	if (S_ISLNK(st->st_mode))
		length = readlink(entry->fts_accpath, target, sizeof(target) - 1);
	if (length >= 0)
		target[length] = '\0';
	recording_before(
		recording, path, kind_of(st->st_mode),
		S_ISREG(st->st_mode) ? (uint64_t)st->st_size : 0, length >= 0 ? target : NULL,
		S_ISREG(st->st_mode) && st->st_nlink > 1 ? find_link(links, st, path) : NULL);
}

static void warn_of_unlisted(struct recording *recording, const char *path, const FTSENT *entry,
			     const char *reason)
{
	message_warning(
		"cannot list \"%s\": %s; the load will not have the files in this directory",
		entry->fts_path, reason);
	recording_not_listed(recording, path);
}

/* Add the files that exist before the command runs. */
static int walk(const char *root, struct recording *recording, struct error *error)
{
	char *const roots[] = {(char *)root, NULL};
	size_t skipped = strcmp(root, "/") == 0 ? 1 : strlen(root) + 1;
	FTS *fts = fts_open(roots, FTS_PHYSICAL | FTS_XDEV, NULL);
	struct links links = {0};
	FTSENT *entry;
	dev_t device = 0;

	while (fts != NULL && (errno = 0, entry = fts_read(fts)) != NULL) {
		const char *path = entry->fts_path + skipped;

		if (entry->fts_level == 0) {
			device = entry->fts_statp->st_dev;
			if (entry->fts_info == FTS_DNR)
				warn_of_unlisted(recording, "", entry, strerror(entry->fts_errno));
			continue;
		}
		if (entry->fts_info == FTS_DNR || entry->fts_info == FTS_NS)
			warn_of_unlisted(recording, path, entry, strerror(entry->fts_errno));
		else if (entry->fts_info != FTS_DP)
			add_entry(recording, &links, entry, path);
		if (entry->fts_info == FTS_D && entry->fts_statp->st_dev != device)
			warn_of_unlisted(recording, path, entry, "it is on another file system");
	}
	if (fts == NULL || errno != 0)
		error_set(error, "cannot list \"%s\": %s", root, strerror(errno));
	if (fts != NULL)
		fts_close(fts);
	intern_free(&links.inodes);
	intern_free(&links.paths);
	return error->set ? -EIO : 0;
}

/* Create the file for the trace: one that disappears when we end, or the one
 * that the user wants to keep. Return what strace_begin() returns. */
static long open_trace(struct capture_command *command, struct error *error)
{
	const char *name = command->trace_name;
	long begun;

	command->trace = name != NULL ? fopen(name, "w+") : tmpfile();
	begun = command->trace != NULL ? strace_begin(command->directory, command->trace) : -errno;
	if (begun < 0)
		error_set(error, "cannot write \"%s\": %s",
			  name != NULL ? name : "a temporary file", strerror((int)-begun));
	return begun;
}

int capture_record(struct source *source, struct capture_command *command, struct error *error)
{
	char version[TOOL_VERSION];
	struct recording *recording;
	bool excluded;
	long begun;

	*source = (struct source){
		.name = command->trace_name != NULL ? command->trace_name : "the trace",
		.directory = command->directory,
		.working_directory = command->working_directory,
		.options = RECORDING_COMPLETE | RECORDING_POSIX_LOCKS |
			   (command->times ? RECORDING_TIMES : 0) |
			   (command->pauses ? RECORDING_PAUSES : 0),
		.no_mmap = command->no_mmap,
		.local = true,
	};
	if (tool_version(&tool_strace, version, error) < 0)
		return -EINVAL;
	begun = open_trace(command, error);
	if (begun < 0)
		return -EIO;
	if (command->pauses)
		source->cost = capture_cost();
	recording = source_recording(source, "", &excluded);
	if (recording == NULL)
		return error_no_memory(error);
	if (walk(command->directory, recording, error) < 0 ||
	    strace_run(source, command->words, command->trace, begun, &command->status, error) < 0)
		return -EIO;
	command->complete = true;
	return strace_read(source, command->trace, error);
}
