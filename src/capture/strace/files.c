/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls on open files and their descriptors. */
#include "capture/strace/calls.h"

#include <string.h>

enum {
	/* The smallest entry that getdents(2) returns. */
	ENTRY_BYTES_MIN = 24,
	/* The kernel reads or writes no more than this in one call. */
	DATA_BYTES_MAX = 0x7ffff000,
};

static bool has(const struct strace *strace, unsigned position, const char *word)
{
	return strace_has(strace_argument(strace, position), word);
}

static uint64_t open_flags(const char *flags)
{
	static const struct {
		const char *word;
		enum open_flag flag;
	} words[] = {
		{"O_CREAT", OPEN_CREATE | OPEN_FILE},
		{"O_TRUNC", OPEN_TRUNCATE},
		{"O_APPEND", OPEN_APPEND},
		{"O_DIRECTORY", OPEN_DIRECTORY},
		{"O_SYNC", OPEN_SYNC},
		{"O_DSYNC", OPEN_SYNC},
		{"O_DIRECT", OPEN_DIRECT},
		{"O_NOATIME", OPEN_NOATIME},
	};
	uint64_t set = OPEN_READ;
	size_t i;

	if (strace_has(flags, "O_WRONLY"))
		set = OPEN_WRITE | OPEN_FILE;
	else if (strace_has(flags, "O_RDWR"))
		set = OPEN_READ | OPEN_WRITE | OPEN_FILE;
	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strace_has(flags, words[i].word))
			set |= words[i].flag;
	if ((set & OPEN_CREATE) != 0 && strace_has(flags, "O_EXCL"))
		set |= OPEN_EXCLUSIVE;
	if ((set & OPEN_DIRECTORY) != 0)
		set &= ~(uint64_t)OPEN_FILE;
	return set;
}

/* Note the descriptor that the call has returned. Its open file is not followed
 * if `file` is NULL; then calls that use it get `row` and `reason`. */
static void add_description(struct strace *strace, struct file *file, enum conversion_row row,
			    const char *reason, const char *path)
{
	struct description *description = description_new(&strace->processes);
	const char *flags = strace_argument(strace, strace->row->flags);

	if (description == NULL)
		return;
	description->file = file;
	description->row = row;
	description->reason = reason;
	description->append = strace_has(flags, "O_APPEND");
	if (path != NULL && (description->path = strdup(path)) == NULL)
		strace->processes.failed = true;
	descriptor_set(&strace->processes, strace->process, strace->call.result, description,
		       strace_has(flags, "O_CLOEXEC"));
	description_release(&strace->processes, description);
}

/* An open of a path in the directory. `absolute` is the path of the file that
 * has been opened. */
static void open_below(struct strace *strace, const char *flags, const char *absolute,
		       bool resolved)
{
	struct recorded r = RECORDED(OP_OPEN);
	struct file *file = NULL;

	if (strace_has(flags, "O_PATH")) {
		strace_merge_call(strace, "O_PATH descriptor");
		if (!strace->call.failed)
			add_description(strace, NULL, CONVERSION_MERGED, "O_PATH descriptor",
					absolute);
		return;
	}
	if (strace_has(flags, "O_TMPFILE") || strace_has(flags, "__O_TMPFILE")) {
		strace_drop(strace, "O_TMPFILE");
		if (!strace->call.failed)
			add_description(strace, NULL, CONVERSION_DROPPED, "O_TMPFILE", NULL);
		return;
	}
	r.op.open_flags = open_flags(flags);
	r.path = strace_below(strace, absolute);
	if ((r.op.open_flags & OPEN_EXCLUSIVE) != 0)
		r.created = 1;
	else
		r.follow = !resolved && (strace->slash || !strace_has(flags, "O_NOFOLLOW"));
	if ((r.op.open_flags & OPEN_DIRECTORY) != 0)
		r.kind = NODE_DIRECTORY;
	if (!strace_outcome(strace, &r))
		return;
	if (!recording_add(strace->recording, &r, &file))
		file = NULL;
	if (!strace->call.failed)
		add_description(strace, file, CONVERSION_DROPPED,
				"on a file whose open was dropped", NULL);
}

void strace_open(struct strace *strace)
{
	const struct strace_row *row = strace->row;
	const char *flags = row->flags != 0 ? strace_argument(strace, row->flags)
					    : "O_WRONLY|O_CREAT|O_TRUNC";
	char text[TREE_PATH_MAX], path[TREE_PATH_MAX];
	bool deleted = true, known;

	known = strace_absolute(strace, row->descriptor, row->path, text);
	/* The trace has the path without symbolic links, unless the file has
	 * been removed since. */
	if (strace->call.path != NULL &&
	    strace_annotation(strace->call.path, path, sizeof(path), &deleted) && !deleted)
		strcpy(text, path);
	else
		deleted = true;
	if (!strace->call.failed)
		descriptor_close(&strace->processes, strace->process, strace->call.result,
				 strace->call.result);
	if ((!known && deleted) || strace_below(strace, text) == NULL)
		strace_elsewhere(strace);
	else
		open_below(strace, flags, text, !deleted);
}

/* If the call did not return at once, its descriptor was closed when it began,
 * and another thread may have got the number. */
void strace_close(struct strace *strace)
{
	struct description *description = strace_description(strace, 1);

	if (description == NULL || description->file == NULL) {
		strace_file(strace, 1);
	} else if (description->references > 1) {
		strace_merge_call(strace, "close of a file that is still open");
	}
	if (strace->begun.text == NULL)
		descriptor_close(&strace->processes, strace->process, strace_number_at(strace, 1),
				 strace_number_at(strace, 1));
}

void strace_close_range(struct strace *strace)
{
	struct descriptors *table;
	int64_t first = strace_number_at(strace, 1), last = strace_number_at(strace, 2);
	size_t i;

	strace_elsewhere(strace);
	if (strace->call.failed)
		return;
	if (has(strace, 3, "CLOSE_RANGE_UNSHARE"))
		process_stop_sharing(&strace->processes, strace->process,
				     PROCESS_SHARE_DESCRIPTORS);
	table = strace->process->descriptors;
	for (i = 0; i < table->count; i++)
		if (table->list[i].number >= first && table->list[i].number <= last) {
			strace_merge_call(strace, "descriptors");
			if (has(strace, 3, "CLOSE_RANGE_CLOEXEC"))
				table->list[i].close_on_exec = true;
		}
	if (!has(strace, 3, "CLOSE_RANGE_CLOEXEC"))
		descriptor_close(&strace->processes, strace->process, first, last);
}

void strace_dup(struct strace *strace)
{
	struct description *description = strace_description(strace, 1);
	int64_t to = strace->call.result;
	bool close_on_exec = has(strace, strace->row->flags, "O_CLOEXEC") ||
			     has(strace, 2, "F_DUPFD_CLOEXEC");

	if (description != NULL)
		strace_merge_call(strace, "descriptors");
	else
		strace_elsewhere(strace);
	if (strace->call.failed || to == strace_number_at(strace, 1))
		return;
	if (description == NULL)
		descriptor_close(&strace->processes, strace->process, to, to);
	else
		descriptor_set(&strace->processes, strace->process, to, description, close_on_exec);
}

/* Return the bytes from the beginning of the file at which a call begins that
 * is relative to `whence`, or -1. */
static int64_t from_whence(const struct description *description, const char *whence,
			   int64_t offset)
{
	const struct node *node = recording_node(description->file);
	int64_t base = 0, sum;

	if (strace_has(whence, "SEEK_CUR"))
		base = (int64_t)description->position;
	else if (strace_has(whence, "SEEK_END"))
		base = node->bytes;
	if (base < 0 || __builtin_add_overflow(base, offset, &sum))
		return -1;
	return sum;
}

static void add_lock(struct strace *strace, struct recorded *r, const char *type)
{
	if (strstr(type, "UN") != NULL)
		r->op.kind = OP_UNLOCK;
	else if (strstr(type, "SH") != NULL || strstr(type, "RD") != NULL)
		r->op.mode |= LOCK_SHARED;
	strace_add(strace, r);
}

/* A lock of a range. F_GETLK reports the lock that is in the way. */
static void lock_range(struct strace *strace, struct description *description, const char *command)
{
	const char *lock = strace_argument(strace, 3);
	const char *type = strace_field(lock, "l_type=");
	const char *whence = strace_field(lock, "l_whence=");
	const char *start = strace_field(lock, "l_start=");
	const char *length = strace_field(lock, "l_len=");
	struct recorded r = RECORDED(OP_LOCK);
	int64_t offset, bytes;
	char word[8];

	if (type == NULL || whence == NULL || start == NULL || length == NULL) {
		if (strace_outcome(strace, &r))
			strace_drop(strace, "lock that the trace does not show");
		return;
	}
	r.file = description->file;
	offset = from_whence(description, whence, strace_number(start));
	bytes = strace_number(length);
	if (bytes < 0 && offset >= 0 && bytes >= -offset) {
		offset += bytes;
		bytes = -bytes;
	}
	if (offset < 0 || bytes < 0) {
		strace_drop(strace, "lock of an unknown range");
		return;
	}
	r.op.offset = (uint64_t)offset;
	r.op.size = (uint64_t)bytes;
	snprintf(word, sizeof(word), "%.7s", type);
	if (strstr(command, "GETLK") != NULL) {
		r.op.kind = OP_LOCK_TEST;
		if (strcmp(word, "F_UNLCK") != 0 && !strace->call.failed) {
			strace->call.failed = true;
			strace->call.error = "EAGAIN";
		}
		strace_add(strace, &r);
		return;
	}
	if (strstr(command, "SETLKW") == NULL)
		r.op.mode = LOCK_TRY;
	add_lock(strace, &r, word);
}

void strace_fcntl(struct strace *strace)
{
	const char *command = strace_argument(strace, 2);
	struct description *description;
	struct descriptor *descriptor;

	if (strncmp(command, "F_DUPFD", 7) == 0) {
		strace_dup(strace);
		return;
	}
	descriptor = descriptor_find(strace->process, strace_number_at(strace, 1));
	if (strcmp(command, "F_SETFD") == 0 && descriptor != NULL && !strace->call.failed)
		descriptor->close_on_exec = has(strace, 3, "FD_CLOEXEC");
	description = strace_file(strace, 1);
	if (description == NULL)
		return;
	if (strstr(command, "LK") != NULL) {
		lock_range(strace, description, command);
	} else if (strcmp(command, "F_SETFL") == 0) {
		strace_merge_call(strace, "descriptors");
		if (strace->call.failed)
			return;
		if (description->append && !has(strace, 3, "O_APPEND"))
			strace_approximate(strace, "O_APPEND taken away, which a replay keeps");
		description->append = has(strace, 3, "O_APPEND");
	} else if (strstr(command, "FD") != NULL || strncmp(command, "F_GET", 5) == 0) {
		strace_merge_call(strace, "descriptors");
	} else {
		conversion_set(recording_conversion(strace->recording), CONVERSION_DROPPED,
			       "fcntl %.20s", command);
	}
}

void strace_flock(struct strace *strace)
{
	struct description *description = strace_file(strace, 1);
	struct recorded r = RECORDED(OP_LOCK);

	if (description == NULL)
		return;
	r.file = description->file;
	if (has(strace, 2, "LOCK_NB"))
		r.op.mode = LOCK_TRY;
	add_lock(strace, &r, strace_argument(strace, 2));
}

void strace_advance(struct description *description, uint64_t end)
{
	if (description->file == NULL)
		return;
	if (description->append)
		end = (uint64_t)node_end(recording_node(description->file));
	description->position = end;
}

/* row->path: the size; a vector's is not in the trace. row->value: the offset of
 * a call that does not move the position. */
void strace_data(struct strace *strace)
{
	const struct strace_row *row = strace->row;
	struct description *description = strace_file(strace, 1);
	struct recorded r = RECORDED(row->op);
	bool failed = strace->call.failed, positioned;
	int64_t offset, size, moved = failed ? 0 : strace->call.result;

	if (row->op == OP_READ && strstr(strace_argument(strace, 1), "<pipe:[") != NULL)
		recording_task_blocks(strace->recording);
	if (description == NULL)
		return;
	positioned = row->value != 0 && strace_number_at(strace, row->value) != -1;
	offset = positioned ? strace_number_at(strace, row->value) : (int64_t)description->position;
	if (row->op == OP_WRITE && (description->append || has(strace, row->flags, "RWF_APPEND")))
		offset = node_end(recording_node(description->file));
	size = row->path != 0 ? strace_number_at(strace, row->path) : moved;
	if (offset < 0 || size < 0 || moved < 0 || moved > DATA_BYTES_MAX ||
	    (row->path != 0 && moved > size) || offset > INT64_MAX / 2) {
		strace_drop(strace, "impossible size or offset");
		return;
	}
	r.file = description->file;
	r.op.offset = (uint64_t)offset;
	if (size > DATA_BYTES_MAX)
		size = DATA_BYTES_MAX;
	/* A larger buffer than one operation can have makes no difference,
	 * unless it was filled. */
	if (size > PROGRAM_IO_BYTES_MAX && moved < PROGRAM_IO_BYTES_MAX)
		size = PROGRAM_IO_BYTES_MAX;
	if (row->path == 0 && size == 0 && (row->op == OP_READ || failed))
		size = 1;
	if (row->path == 0 && failed)
		strace_approximate(strace, "failed call on a vector, as one of a byte");
	r.op.size = (uint64_t)size;
	r.op.expect = (uint32_t)moved;
	r.op.flags = OP_COUNTED;
	if (!failed && r.op.size == 0)
		strace_merge_call(strace, "read or write of 0 bytes");
	else
		strace_add(strace, &r);
	if (failed || positioned)
		return;
	if (row->op == OP_WRITE)
		strace_advance(description, (uint64_t)(offset + moved));
	else
		description->position = (uint64_t)(offset + moved);
}

/* row->value: the argument with the new position, if it is not the result. */
void strace_seek(struct strace *strace)
{
	const char *argument = strace_argument(strace, strace->row->value);
	struct description *description = strace_file(strace, 1);
	int64_t position = strace->call.result;

	if (description == NULL)
		return;
	strace_merge_call(strace, "lseek");
	if (strace->call.failed)
		return;
	if (strace->row->value != 0)
		position = strace_number(argument + (argument[0] == '['));
	if (position < 0)
		return;
	description->position = (uint64_t)position;
	if (position == 0) {
		description->scan = SCAN_NONE;
		description->listing = (struct listing){0};
	}
	if (strcmp(strace_argument(strace, 2), "0") == 0 && has(strace, 3, "SEEK_END"))
		node_report(recording_node(description->file), NODE_UNKNOWN, position);
}

/* Add the first part of a listing. `entries` is negative if the trace does not
 * show the number of entries. */
static void begin_list(struct strace *strace, struct description *description, int64_t entries)
{
	struct recorded r = RECORDED(OP_LIST);
	char path[TREE_PATH_MAX];

	if (!node_path(recording_node(description->file), path)) {
		strace_drop(strace, "in a removed directory");
		return;
	}
	r.path = path;
	r.op.expect = entries > 0 ? (uint32_t)entries : 0;
	if (!strace_add(strace, &r) || strace->call.failed)
		return;
	if (entries >= 0)
		description->listing = recording_listing(strace->recording);
	description->scan = SCAN_BEGUN;
}

void strace_list(struct strace *strace)
{
	struct description *description = strace_file(strace, 1);
	const char *comment = strstr(strace_argument(strace, 2), "/* ");
	int64_t bytes = strace->call.result, entries = -1;

	if (description == NULL)
		return;
	if (comment != NULL)
		entries = strace_number(comment + 3);
	if (!strace->call.failed && entries > bytes / ENTRY_BYTES_MIN) {
		strace_drop(strace, "impossible number of entries");
		return;
	}
	if (description->scan == SCAN_NONE) {
		begin_list(strace, description, entries);
		return;
	}
	strace_merge_call(strace, "further getdents of a listing");
	if (strace->call.failed || entries < 0) {
		description->listing = (struct listing){0};
	} else if (bytes > 0) {
		recording_list_more(strace->recording, &description->listing, (uint64_t)entries,
				    NULL, 0);
	} else if (description->scan == SCAN_BEGUN) {
		recording_list_end(strace->recording, &description->listing);
		description->scan = SCAN_ENDED;
	}
}

/* A call on a range of a file, or on the file. row->value: the offset of the
 * range; row->other: its length. */
void strace_range(struct strace *strace)
{
	const struct strace_row *row = strace->row;
	struct description *description = strace_file(strace, 1);
	const char *flags = strace_argument(strace, row->flags);
	struct recorded r = RECORDED(row->op);
	int64_t offset = strace_number_at(strace, row->value);
	int64_t size = strace_number_at(strace, row->other);

	if (description == NULL || !strace_outcome(strace, &r))
		return;
	r.file = description->file;
	if (offset < 0 || size < 0 || size > INT64_MAX - offset) {
		strace_drop(strace, "impossible size or offset");
		return;
	}
	r.op.offset = (uint64_t)offset;
	r.op.size = (uint64_t)size;
	if (strace_has(flags, "FALLOC_FL_KEEP_SIZE"))
		r.op.mode |= ALLOCATE_KEEP_SIZE;
	if (strace_has(flags, "FALLOC_FL_PUNCH_HOLE"))
		r.op.mode |= ALLOCATE_PUNCH_HOLE;
	if (strace_has(flags, "FALLOC_FL_ZERO_RANGE"))
		r.op.mode |= ALLOCATE_ZERO;
	if (strace_has(flags, "SYNC_FILE_RANGE_WAIT_AFTER"))
		r.op.mode |= SYNC_RANGE_WAIT;
	if (strace_has(flags, "FALLOC_FL_COLLAPSE_RANGE") ||
	    strace_has(flags, "FALLOC_FL_INSERT_RANGE") ||
	    strace_has(flags, "FALLOC_FL_UNSHARE_RANGE"))
		strace_drop(strace, "fallocate that moves or unshares blocks");
	else
		strace_add(strace, &r);
}
