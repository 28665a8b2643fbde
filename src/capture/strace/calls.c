/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of system calls, and calls on processes. */
#include "capture/strace/calls.h"

#include "capture/strace/strace.h"

#include <stdlib.h>
#include <string.h>

static const char *argument(const struct strace *strace, unsigned position)
{
	return strace_argument(strace, position);
}

static void call_chdir(struct strace *strace)
{
	const struct strace_row *row = strace->row;
	char absolute[TREE_PATH_MAX];
	bool known = row->path != 0 ? strace_absolute(strace, 0, row->path, absolute)
				    : strace_directory(strace, row->descriptor, absolute);

	if (known && strace_below(strace, absolute) != NULL)
		strace_merge_call(strace, "working directory");
	else
		strace_elsewhere(strace);
	if (!known || strace->call.failed)
		return;
	strace_resolve(strace, absolute);
	process_set_directory(&strace->processes, strace->process, absolute);
}

unsigned strace_shared_with(const char *flags)
{
	unsigned share = 0;

	if (strstr(flags, "CLONE_FILES") != NULL)
		share |= PROCESS_SHARE_DESCRIPTORS;
	if (strstr(flags, "CLONE_FS") != NULL)
		share |= PROCESS_SHARE_DIRECTORY;
	if (strstr(flags, "CLONE_THREAD") != NULL)
		share |= PROCESS_THREAD;
	if (strstr(flags, "CLONE_VFORK") != NULL)
		share |= PROCESS_VFORK;
	return share;
}

void strace_start_process(struct strace *strace, struct process *process, struct process *parent,
			  unsigned share, const char *directory, uint64_t time_ns)
{
	process_start(&strace->processes, process, parent, share, directory);
	process->born_ns = time_ns;
	process->how = share;
	process->task = recording_task_begin(strace->recording,
					     parent != NULL ? parent->task : TASK_NONE);
}

void strace_end_process(struct strace *strace, struct process *process, uint64_t time_ns)
{
	recording_task_exit(strace->recording, process->task, time_ns);
	process_end(&strace->processes, process);
	recording_task_end(strace->recording, process->task);
}

/* The call returns the PID of a process. If that was seen before, the birth has
 * been taken. */
static void call_fork(struct strace *strace)
{
	struct processes *processes = &strace->processes;
	const struct strace_call *call = &strace->call;
	unsigned share = strace->begun.name[0] == 'v' ? PROCESS_VFORK : 0, i; /* vfork() */
	struct process *child;

	strace_elsewhere(strace);
	if (call->failed || call->result <= 0 || call->result > INT32_MAX)
		return;
	for (i = 1; i <= STRACE_ARGUMENTS; i++)
		share |= strace_shared_with(argument(strace, i));
	recording_add_stop(strace->recording);
	if ((share & PROCESS_VFORK) != 0)
		recording_add_cost(strace->recording, call->duration_ns, 0);
	child = process_get(processes, (uint32_t)call->result);
	if (child == NULL || child == strace->process ||
	    !process_take_birth(processes, child, strace->line))
		return;
	if (child->alive)
		strace_end_process(strace, child, 0);
	strace_start_process(strace, child, strace->process, share, "/", strace->begun.time_ns);
}

static void call_execute(struct strace *strace)
{
	char absolute[TREE_PATH_MAX];

	if (strace_path(strace, strace->row->descriptor, strace->row->path, absolute) != NULL)
		strace_drop(strace, "execution of a file in the directory");
	if (strace->call.failed)
		return;
	process_execute(&strace->processes, strace->process);
	recording_add_stop(strace->recording);
}

static void call_exit(struct strace *strace)
{
	strace_elsewhere(strace);
	strace_end_process(strace, strace->process, strace->begun.time_ns);
}

/*
 * A process has waited for `pid`, whose end this argument describes. Stops of a
 * process, which lives on, don't count. The end of a wait may seem to be earlier than
 * the end of the process: strace measures durations with another clock than times.
 */
static void wait_for(struct strace *strace, int64_t pid, const char *status)
{
	static const char *const ends[] = {"WIFEXITED", "WIFSIGNALED", "CLD_EXITED", "CLD_KILLED",
					   "CLD_DUMPED"};
	struct process *child;
	bool ended = false;
	size_t i;

	if (strace->call.failed || pid <= 0 || pid > INT32_MAX)
		return;
	for (i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		ended |= strstr(status, ends[i]) != NULL;
	child = process_get(&strace->processes, (uint32_t)pid);
	if (child != NULL && (ended || !child->alive))
		recording_task_wait(strace->recording, child->task);
}

static void call_wait(struct strace *strace)
{
	strace_elsewhere(strace);
	wait_for(strace, strace->call.result, argument(strace, 2));
}

static void call_waitid(struct strace *strace)
{
	const char *status = argument(strace, 3);
	const char *pid = strace_field(status, "si_pid=");

	strace_elsewhere(strace);
	wait_for(strace, pid != NULL ? strace_number(pid) : 0, status);
}

static void call_unshare(struct strace *strace)
{
	const char *flags = argument(strace, 1);

	strace_elsewhere(strace);
	if (strace->call.failed)
		return;
	process_stop_sharing(&strace->processes, strace->process, strace_shared_with(flags));
	if (strace_has(flags, "CLONE_FS") || strace_has(flags, "CLONE_NEWNS"))
		strace_drop(strace, "unshare");
}

/* A call whose effect on files cannot be seen, or cannot be played. */
static void call_dropped(struct strace *strace)
{
	if (strace->row->descriptor == 0 || strace_file(strace, strace->row->descriptor) != NULL)
		strace_drop(strace, strace->row->reason);
}

/* Calls that move no data and change no file. */
static void call_folded(struct strace *strace)
{
	if (strace_file(strace, strace->row->descriptor) != NULL)
		strace_merge_call(strace, strace->row->reason);
}

/* Changes of what paths mean. */
static void call_root(struct strace *strace)
{
	if (strace->call.failed) {
		strace_elsewhere(strace);
		return;
	}
	strace_drop(strace, strace->row->reason);
	source_warn(strace->source, "the program calls %s; the paths of later calls can be wrong",
		    strace->row->name);
}

static void call_msync(struct strace *strace)
{
	if (strace->maps_shared)
		strace_drop(strace, "msync");
	else
		strace_elsewhere(strace);
}

#define IO_URING "io_uring, whose operations are not seen"
#define ADVICE "advice (fadvise, readahead)"

#define CALL_WHY(name, handler, op, reason, ...) {name, handler, op, {{__VA_ARGS__}}, reason}
#define CALL(name, handler, op, ...) CALL_WHY(name, handler, op, NULL, __VA_ARGS__)

/* Sorted by name. The numbers are the positions of the arguments: descriptor,
 * path, flags, value, other. */
static const struct strace_row rows[] = {
	CALL("_llseek", strace_seek, 0, 1, 0, 0, 3),
	CALL("access", strace_name, OP_ACCESS, 0, 1, 0, 2),
	CALL("chdir", call_chdir, 0, 0, 1),
	CALL("chmod", strace_name, OP_CHMOD, 0, 1, 0, 2),
	CALL("chown", strace_name, OP_CHOWN, 0, 1, 0, 2),
	CALL("chown32", strace_name, OP_CHOWN, 0, 1, 0, 2),
	CALL_WHY("chroot", call_root, 0, "chroot", 0),
	CALL("clone", call_fork, 0, 0),
	CALL("clone2", call_fork, 0, 0),
	CALL("clone3", call_fork, 0, 0),
	CALL("close", strace_close, 0, 1),
	CALL("close_range", strace_close_range, 0, 0),
	CALL("copy_file_range", strace_copy, OP_COPY, 1, 2, 0, 3, 4),
	CALL("creat", strace_open, OP_OPEN, 0, 1),
	CALL("dup", strace_dup, 0, 1),
	CALL("dup2", strace_dup, 0, 1),
	CALL("dup3", strace_dup, 0, 1, 0, 3),
	CALL("execve", call_execute, 0, 0, 1),
	CALL("execveat", call_execute, 0, 1, 2),
	CALL("exit", call_exit, 0, 0),
	CALL("exit_group", call_exit, 0, 0),
	CALL("faccessat", strace_name, OP_ACCESS, 1, 2, 4, 3),
	CALL("faccessat2", strace_name, OP_ACCESS, 1, 2, 4, 3),
	CALL_WHY("fadvise64", call_folded, 0, ADVICE, 1),
	CALL_WHY("fadvise64_64", call_folded, 0, ADVICE, 1),
	CALL("fallocate", strace_range, OP_ALLOCATE, 1, 0, 2, 3, 4),
	CALL("fchdir", call_chdir, 0, 1),
	CALL("fchmod", strace_name, OP_CHMOD, 1, 0, 0, 2),
	CALL("fchmodat", strace_name, OP_CHMOD, 1, 2, 4, 3),
	CALL("fchmodat2", strace_name, OP_CHMOD, 1, 2, 4, 3),
	CALL("fchown", strace_name, OP_CHOWN, 1, 0, 0, 2),
	CALL("fchown32", strace_name, OP_CHOWN, 1, 0, 0, 2),
	CALL("fchownat", strace_name, OP_CHOWN, 1, 2, 5, 3),
	CALL("fcntl", strace_fcntl, 0, 1),
	CALL("fcntl64", strace_fcntl, 0, 1),
	CALL("fdatasync", strace_range, OP_FDATASYNC, 1),
	CALL("fgetxattr", strace_name, OP_XATTR_GET, 1, 0, 0, 2),
	CALL("flistxattr", strace_name, OP_XATTR_LIST, 1),
	CALL("flock", strace_flock, 0, 1),
	CALL("fork", call_fork, 0, 0),
	CALL("fremovexattr", strace_name, OP_XATTR_REMOVE, 1, 0, 0, 2),
	CALL("fsetxattr", strace_name, OP_XATTR_SET, 1, 0, 0, 2),
	CALL("fstat", strace_name, OP_STAT, 1),
	CALL("fstat64", strace_name, OP_STAT, 1),
	CALL("fstatat64", strace_name, OP_STAT, 1, 2, 4),
	CALL("fstatfs", strace_name, OP_STATVFS, 1),
	CALL("fstatfs64", strace_name, OP_STATVFS, 1),
	CALL("fsync", strace_range, OP_FSYNC, 1),
	CALL("ftruncate", strace_range, OP_TRUNCATE, 1, 0, 0, 0, 2),
	CALL("ftruncate64", strace_range, OP_TRUNCATE, 1, 0, 0, 0, 2),
	CALL("futimesat", strace_name, OP_SET_PATH_TIMES, 1, 2),
	CALL("getdents", strace_list, OP_LIST, 1),
	CALL("getdents64", strace_list, OP_LIST, 1),
	CALL("getxattr", strace_name, OP_XATTR_GET, 0, 1, 0, 2),
	CALL("io_submit", strace_submit, 0, 0),
	CALL_WHY("io_uring_enter", strace_ring_enter, 0, IO_URING, 0),
	CALL_WHY("io_uring_register", strace_ring, 0, IO_URING, 0),
	CALL_WHY("io_uring_setup", strace_ring, 0, IO_URING, 0),
	CALL("ioctl", strace_ioctl, 0, 1),
	CALL("lchown", strace_name, OP_CHOWN, 0, 1, NEVER_FOLLOWS, 2),
	CALL("lchown32", strace_name, OP_CHOWN, 0, 1, NEVER_FOLLOWS, 2),
	CALL("lgetxattr", strace_name, OP_XATTR_GET, 0, 1, NEVER_FOLLOWS, 2),
	CALL("link", strace_names, OP_LINK, 0, 1, 0, 0, 2),
	CALL("linkat", strace_names, OP_LINK, 1, 2, 5, 3, 4),
	CALL("listxattr", strace_name, OP_XATTR_LIST, 0, 1),
	CALL("llistxattr", strace_name, OP_XATTR_LIST, 0, 1, NEVER_FOLLOWS),
	CALL("lremovexattr", strace_name, OP_XATTR_REMOVE, 0, 1, NEVER_FOLLOWS, 2),
	CALL("lseek", strace_seek, 0, 1),
	CALL("lsetxattr", strace_name, OP_XATTR_SET, 0, 1, NEVER_FOLLOWS, 2),
	CALL("lstat", strace_name, OP_STAT, 0, 1, NEVER_FOLLOWS),
	CALL("lstat64", strace_name, OP_STAT, 0, 1, NEVER_FOLLOWS),
	CALL("mkdir", strace_name, OP_MKDIR, 0, 1),
	CALL("mkdirat", strace_name, OP_MKDIR, 1, 2),
	CALL("mknod", strace_mknod, OP_OPEN, 0, 1, 0, 2),
	CALL("mknodat", strace_mknod, OP_OPEN, 1, 2, 0, 3),
	CALL("mmap", strace_map, OP_READ, 5),
	CALL("mmap2", strace_map, OP_READ, 5),
	CALL("msync", call_msync, 0, 0),
	CALL("newfstatat", strace_name, OP_STAT, 1, 2, 4),
	CALL("open", strace_open, OP_OPEN, 0, 1, 2),
	CALL("openat", strace_open, OP_OPEN, 1, 2, 3),
	CALL("openat2", strace_open, OP_OPEN, 1, 2, 3),
	CALL_WHY("pivot_root", call_root, 0, "pivot_root", 0),
	CALL("pread64", strace_data, OP_READ, 1, 3, 0, 4),
	CALL("preadv", strace_data, OP_READ, 1, 0, 0, 4),
	CALL("preadv2", strace_data, OP_READ, 1, 0, 0, 4),
	CALL("pwrite64", strace_data, OP_WRITE, 1, 3, 0, 4),
	CALL("pwritev", strace_data, OP_WRITE, 1, 0, 0, 4),
	CALL("pwritev2", strace_data, OP_WRITE, 1, 0, 5, 4),
	CALL("read", strace_data, OP_READ, 1, 3),
	CALL_WHY("readahead", call_folded, 0, ADVICE, 1),
	CALL("readlink", strace_name, OP_READLINK, 0, 1),
	CALL("readlinkat", strace_name, OP_READLINK, 1, 2),
	CALL("readv", strace_data, OP_READ, 1),
	CALL("removexattr", strace_name, OP_XATTR_REMOVE, 0, 1, 0, 2),
	CALL("rename", strace_names, OP_RENAME, 0, 1, 0, 0, 2),
	CALL("renameat", strace_names, OP_RENAME, 1, 2, 0, 3, 4),
	CALL("renameat2", strace_names, OP_RENAME, 1, 2, 5, 3, 4),
	CALL("rmdir", strace_name, OP_RMDIR, 0, 1),
	CALL_WHY("sendfile", strace_copy, OP_COPY, "sendfile as copy", 2, 3, 0, 1, 0),
	CALL_WHY("sendfile64", strace_copy, OP_COPY, "sendfile as copy", 2, 3, 0, 1, 0),
	CALL_WHY("setns", call_root, 0, "setns", 0),
	CALL("setxattr", strace_name, OP_XATTR_SET, 0, 1, 0, 2),
	CALL_WHY("splice", strace_copy, OP_COPY, "splice as copy", 1, 2, 0, 3, 4),
	CALL("stat", strace_name, OP_STAT, 0, 1),
	CALL("stat64", strace_name, OP_STAT, 0, 1),
	CALL("statfs", strace_name, OP_STATVFS, 0, 1),
	CALL("statfs64", strace_name, OP_STATVFS, 0, 1),
	CALL("statx", strace_name, OP_STAT, 1, 2, 3),
	CALL("symlink", strace_symlink, OP_SYMLINK, 0, 2, 0, 1),
	CALL("symlinkat", strace_symlink, OP_SYMLINK, 2, 3, 0, 1),
	CALL_WHY("sync", call_dropped, 0, "sync of all files", 0),
	CALL("sync_file_range", strace_range, OP_SYNC_RANGE, 1, 0, 4, 2, 3),
	CALL_WHY("syncfs", call_dropped, 0, "sync of all files", 1),
	CALL("truncate", strace_truncate, OP_TRUNCATE, 0, 1, 0, 2),
	CALL("truncate64", strace_truncate, OP_TRUNCATE, 0, 1, 0, 2),
	CALL("unlink", strace_name, OP_UNLINK, 0, 1),
	CALL("unlinkat", strace_name, OP_UNLINK, 1, 2, 3),
	CALL("unshare", call_unshare, 0, 0),
	CALL("utime", strace_name, OP_SET_PATH_TIMES, 0, 1),
	CALL("utimensat", strace_name, OP_SET_PATH_TIMES, 1, 2, 4),
	CALL("utimensat_time64", strace_name, OP_SET_PATH_TIMES, 1, 2, 4),
	CALL("utimes", strace_name, OP_SET_PATH_TIMES, 0, 1),
	CALL("vfork", call_fork, 0, 0),
	CALL("wait4", call_wait, 0, 0),
	CALL("waitid", call_waitid, 0, 0),
	CALL("waitpid", call_wait, 0, 0),
	CALL("write", strace_data, OP_WRITE, 1, 3),
	CALL("writev", strace_data, OP_WRITE, 1),
};

struct key {
	const char *name;
	size_t bytes;
};

static int compare(const void *key, const void *row)
{
	const struct key *wanted = key;
	const char *name = ((const struct strace_row *)row)->name;
	int order = strncmp(wanted->name, name, wanted->bytes);

	return order != 0 ? order : name[wanted->bytes] != '\0' ? -1 : 0;
}

const struct strace_row *strace_find_row(const char *name, size_t bytes)
{
	const struct key key = {name, bytes};

	return bsearch(&key, rows, sizeof(rows) / sizeof(rows[0]), sizeof(rows[0]), compare);
}

void strace_print_calls(FILE *stream)
{
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		fprintf(stream, "%s?%s", i == 0 ? "trace=" : ",", rows[i].name);
}

bool strace_is_close(const struct strace_row *row)
{
	return row != NULL && row->handle == strace_close;
}

bool strace_is_fork(const struct strace_row *row)
{
	return row != NULL && row->handle == call_fork;
}

bool strace_is_quick(const struct strace *strace)
{
	void (*handle)(struct strace *) = strace->row->handle;

	return !strace->call.failed &&
	       ((handle == strace_seek && strace_has(argument(strace, 3), "SEEK_SET")) ||
		(handle == strace_fcntl && strncmp(argument(strace, 2), "F_GET", 5) == 0 &&
		 strstr(argument(strace, 2), "LK") == NULL) ||
		(handle == strace_map && strace_has(argument(strace, 4), "MAP_PRIVATE")));
}

void strace_unknown(struct strace *strace, const char *name, size_t bytes)
{
	static const struct strace_row row = CALL("other", NULL, 0, 1);

	strace->row = &row;
	if (strchr(argument(strace, 1), '<') == NULL)
		strace_elsewhere(strace);
	else if (strace_file(strace, 1) != NULL)
		conversion_set(recording_conversion(strace->recording), CONVERSION_DROPPED,
			       "unknown call %.*s", (int)(bytes < 32 ? bytes : 32), name);
}
