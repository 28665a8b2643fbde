/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads and writes that are not system calls of their own: by libaio, io_uring
 * and mappings. */
#include "capture/strace/calls.h"

#include "base/units.h"

#include <string.h>

/* The argument that strace_file() is to look at: none of a call's own. */
enum { SCRATCH = STRACE_ARGUMENTS };

/* Set the range of a read or a write. Return false if it is impossible. */
static bool set_range(struct recorded *r, const char *request)
{
	const struct node *node = recording_node(r->file);
	const char *bytes = strace_field(request, "aio_nbytes=");
	const char *start = strace_field(request, "aio_offset=");
	int64_t size = bytes != NULL ? strace_number(bytes) : -1;
	int64_t offset = start != NULL ? strace_number(start) : -1;
	int64_t moved = size;

	if (size < 0 || size > PROGRAM_IO_BYTES_MAX || offset < 0 || offset > INT64_MAX / 2)
		return false;
	if (r->op.kind == OP_READ && node->bytes >= 0 && size > node->bytes - offset)
		moved = node->bytes > offset ? node->bytes - offset : 0;
	r->op.offset = (uint64_t)offset;
	r->op.size = (uint64_t)size;
	/* The trace does not show how much was moved. */
	if (r->op.kind == OP_WRITE || node->bytes >= 0) {
		r->op.expect = (uint32_t)moved;
		r->op.flags = OP_COUNTED;
	}
	return true;
}

/* Add the operation of a request such as {aio_lio_opcode=..., ...}. */
static void add_request(struct strace *strace, const char *request)
{
	const char *opcode = strace_field(request, "aio_lio_opcode=");
	const char *descriptor = strace_field(request, "aio_fildes=");
	struct description *description;
	struct recorded r = RECORDED(OP_READ);
	char word[24];

	strace->call.arguments[SCRATCH - 1] = descriptor != NULL ? descriptor : "";
	description = strace_file(strace, SCRATCH);
	if (description == NULL)
		return;
	r.file = description->file;
	snprintf(word, sizeof(word), "%.*s", (int)strcspn(opcode != NULL ? opcode : "", ",}"),
		 opcode != NULL ? opcode : "");
	if (strcmp(word, "IOCB_CMD_FSYNC") == 0)
		r.op.kind = OP_FSYNC;
	else if (strcmp(word, "IOCB_CMD_FDSYNC") == 0)
		r.op.kind = OP_FDATASYNC;
	else if (strcmp(word, "IOCB_CMD_PWRITE") == 0)
		r.op.kind = OP_WRITE;
	else if (strcmp(word, "IOCB_CMD_PREAD") != 0) {
		strace_drop(strace, "libaio request of another kind");
		return;
	}
	if ((r.op.kind == OP_READ || r.op.kind == OP_WRITE) && !set_range(&r, request)) {
		strace_drop(strace, "impossible size or offset");
		return;
	}
	strace_near(strace, "libaio request as a call");
	if (r.op.size > 0 || r.op.kind == OP_FSYNC || r.op.kind == OP_FDATASYNC)
		strace_add(strace, &r);
}

void strace_submit(struct strace *strace)
{
	char *list = (char *)strace_argument(strace, 3);
	int64_t left = strace->call.failed ? 0 : strace->call.result;
	const char *request;

	strace_elsewhere(strace);
	if (left > 0 && *list == '[')
		for (list++;
		     left > 0 && (request = strace_next_element(&list)) != NULL && *request == '{';
		     left--)
			add_request(strace, request);
	if (left <= 0)
		return;
	strace_drop(strace, "libaio, whose requests the trace does not show");
	strace->hidden_requests += (uint64_t)left;
}

void strace_ring(struct strace *strace)
{
	strace_drop(strace, strace->row->reason);
	strace->ring_polled |= strstr(strace_argument(strace, 2), "IORING_SETUP_SQPOLL") != NULL;
}

void strace_ring_enter(struct strace *strace)
{
	strace_drop(strace, strace->row->reason);
	if (!strace->call.failed && strace->call.result > 0)
		strace->ring_requests += (uint64_t)strace->call.result;
}

void strace_warn_of_hidden(struct strace *strace)
{
	struct source *source = strace->source;
	char text[UNITS_TEXT];

	if (strace->mapped_bytes > 0)
		source_warn(
			source,
			"the program maps %s of files for writing; its reads and writes there are "
			"not in the load (record it without mmap, as fio with --ioengine=psync)",
			units_print_bytes(strace->mapped_bytes, text));
	if (strace->ring_requests > 0 || strace->ring_polled)
		source_warn(source,
			    "the program submits requests to io_uring, %s of them by system calls, "
			    "whose sizes are unknown; those on files are not in the load (record "
			    "it without io_uring, as fio with --ioengine=psync)",
			    units_print_count(strace->ring_requests, text));
	if (strace->hidden_requests > 0)
		source_warn(source,
			    "the program submits %s %s to libaio that the trace does not show; "
			    "those on files are not in the load (add -e 'abbrev=!io_submit' to "
			    "strace's options)",
			    units_print_count(strace->hidden_requests, text),
			    units_plural(strace->hidden_requests, "request", "requests"));
}
