/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Data that moves by other calls than read and write: mappings, copies and
 * clones, and the requests of libaio and io_uring. */
#include "capture/strace/calls.h"

#include "base/units.h"

#include <string.h>

/* A mapping is read in parts of this size, and is dropped if it has more than
 * this number of parts. */
enum { MAP_PART_BYTES = 1 << 30, MAP_PARTS_MAX = 64 };

/* Return how many bytes of a range the file has, as far as its size is known. */
static uint64_t file_bytes(const struct node *node, uint64_t offset, uint64_t size)
{
	uint64_t bytes = node->bytes > 0 ? (uint64_t)node->bytes : 0;
	uint64_t left = bytes > offset ? bytes - offset : 0;

	return node->bytes < 0 || left > size ? size : left;
}

/* Add the reads for a mapping of a file. */
static void read_mapping(struct strace *strace, const struct description *description,
			 uint64_t offset, uint64_t size)
{
	const struct node *node = recording_node(description->file);
	struct recorded r = RECORDED(OP_READ);
	uint64_t left = file_bytes(node, offset, size);

	if (node->bytes >= 0)
		r.op.flags = OP_COUNTED;
	if (left == 0) {
		strace_merge_call(strace, "mapping of nothing");
		return;
	}
	if (left > (uint64_t)MAP_PARTS_MAX * MAP_PART_BYTES || offset > INT64_MAX / 2) {
		strace_drop(strace, "mapping of more than 64 GiB");
		return;
	}
	strace_approximate(strace, "mmap as one read of its range");
	r.file = description->file;
	for (; left > 0; left -= r.op.size) {
		r.op.offset = offset;
		r.op.size = left < MAP_PART_BYTES ? left : MAP_PART_BYTES;
		r.op.expect = (uint32_t)r.op.size;
		if (!strace_add(strace, &r))
			return;
		offset += r.op.size;
	}
}

void strace_map(struct strace *strace)
{
	const char *protection = strace_argument(strace, 3);
	const char *flags = strace_argument(strace, 4);
	struct description *description;
	struct recorded r = RECORDED(OP_READ);

	if (strace_has(flags, "MAP_ANONYMOUS")) {
		strace_elsewhere(strace);
		return;
	}
	description = strace_file(strace, 5);
	if (description == NULL)
		return;
	if (strace_has_failed(strace)) {
		strace_merge_call(strace, "failed mmap");
	} else if (!strace_outcome(strace, &r)) {
		return;
	} else if (strace_has(protection, "PROT_WRITE") && !strace_has(flags, "MAP_PRIVATE")) {
		strace->maps_shared = true;
		strace->mapped_bytes += file_bytes(recording_node(description->file),
						   (uint64_t)strace_number_at(strace, 6),
						   (uint64_t)strace_number_at(strace, 2));
		strace_drop(strace, "shared writable mapping");
	} else if (strace->source->no_mmap) {
		strace_drop(strace, "mmap");
	} else if (strcmp(protection, "PROT_NONE") == 0) {
		strace_merge_call(strace, "mapping of nothing");
	} else {
		read_mapping(strace, description, (uint64_t)strace_number_at(strace, 6),
			     (uint64_t)strace_number_at(strace, 2));
	}
}

/* Return the description of a file that is followed, without setting the
 * row. */
static struct description *followed(struct strace *strace, unsigned position)
{
	struct description *description = strace_description(strace, position);

	return description != NULL && description->file != NULL ? description : NULL;
}

/* Take the offset of a copy: [N], or the position for NULL. */
static uint64_t copy_offset(const struct strace *strace, const struct description *description,
			    unsigned position)
{
	const char *argument = strace_argument(strace, position);
	int64_t offset = argument[0] == '[' ? strace_number(argument + 1) : -1;

	if (offset >= 0)
		return (uint64_t)offset;
	return description != NULL ? description->position : 0;
}

static void add_copy(struct strace *strace, struct description *in, struct description *out,
		     struct recorded *r)
{
	uint64_t moved = r->op.expect;

	if (in != NULL && out != NULL) {
		r->op.kind = OP_COPY;
		r->op.bytes = r->op.expect;
		r->file = in->file;
		r->file2 = out->file;
		if (strace->row->reason != NULL)
			strace_approximate(strace, strace->row->reason);
	} else {
		r->op.kind = in != NULL ? OP_READ : OP_WRITE;
		r->op.offset = in != NULL ? r->op.offset : r->op.offset2;
		r->op.size = moved;
		r->file = (in != NULL ? in : out)->file;
		strace_approximate(strace, in != NULL ? "copy to a file elsewhere as a read"
						      : "copy of a file elsewhere as a write");
	}
	strace_add(strace, r);
}

/* row->descriptor: the file to read, row->path: its offset; row->value: the file
 * to write, row->other: its offset. */
void strace_copy(struct strace *strace)
{
	const struct strace_row *row = strace->row;
	struct description *in = followed(strace, row->descriptor);
	struct description *out = followed(strace, row->value);
	struct recorded r = RECORDED(OP_COPY);
	uint64_t from, to;

	if (in == NULL && out == NULL) {
		if (strace_file(strace, row->descriptor) == NULL)
			strace_file(strace, row->value);
		return;
	}
	if (strace_has_failed(strace)) {
		strace_merge_call(strace, "failed copy");
		return;
	}
	if (!strace_outcome(strace, &r))
		return;
	if (strace->call.result == 0) {
		strace_merge_call(strace, "copy of nothing");
		return;
	}
	from = copy_offset(strace, in, row->path);
	to = copy_offset(strace, out, row->other);
	if (strace->call.result < 0 || strace->call.result > INT32_MAX || from > INT64_MAX / 2 ||
	    to > INT64_MAX / 2) {
		strace_drop(strace, "impossible size or offset");
		return;
	}
	r.op.offset = from;
	r.op.offset2 = to;
	r.op.expect = (uint32_t)strace->call.result;
	r.op.flags = OP_COUNTED;
	add_copy(strace, in, out, &r);
	if (in != NULL && strace_argument(strace, row->path)[0] != '[')
		in->position = from + r.op.expect;
	if (out != NULL && strace_argument(strace, row->other)[0] != '[')
		strace_advance(out, to + r.op.expect);
}

/* FICLONE, with the file to read as third argument, and FICLONERANGE. */
static void clone_file(struct strace *strace, struct description *out)
{
	const char *range = strace_argument(strace, 3);
	const char *fields[] = {
		strace_field(range, "src_fd="),
		strace_field(range, "src_offset="),
		strace_field(range, "src_length="),
		strace_field(range, "dest_offset="),
	};
	int64_t values[4] = {strace_number(range), 0, 0, 0};
	const struct descriptor *in;
	struct recorded r = RECORDED(OP_CLONE);
	size_t i;

	if (strace_has_failed(strace)) {
		strace_merge_call(strace, "failed copy");
		return;
	}
	if (!strace_outcome(strace, &r))
		return;
	for (i = 0; i < 4; i++)
		if (fields[i] != NULL)
			values[i] = strace_number(fields[i]);
	in = descriptor_find(strace->process, values[0]);
	if (in == NULL || in->description->file == NULL || values[1] < 0 || values[2] < 0 ||
	    values[2] > UINT32_MAX || values[3] < 0) {
		strace_drop(strace, "clone of a file elsewhere, or of more than 4 GiB");
		return;
	}
	r.file = in->description->file;
	r.file2 = out->file;
	r.op.offset = (uint64_t)values[1];
	r.op.bytes = (uint32_t)values[2];
	r.op.offset2 = (uint64_t)values[3];
	strace_add(strace, &r);
}

void strace_ioctl(struct strace *strace)
{
	const char *request = strace_argument(strace, 2);
	struct description *description = strace_file(strace, 1);
	struct descriptor *descriptor = descriptor_find(strace->process,
							strace_number_at(strace, 1));

	if (description == NULL || descriptor == NULL)
		return;
	if (strstr(request, "FICLONE") != NULL) {
		clone_file(strace, description);
	} else if (strstr(request, "FIOCLEX") != NULL || strstr(request, "FIONCLEX") != NULL) {
		descriptor->close_on_exec = strstr(request, "FIOCLEX") != NULL;
		strace_merge_call(strace, "descriptors");
	} else if (strace_has_failed(strace)) {
		strace_merge_call(strace, "failed ioctl");
	} else {
		conversion_set(recording_conversion(strace->recording), CONVERSION_DROPPED,
			       "ioctl %.40s", request);
	}
}

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
	strace_approximate(strace, "libaio request as a call");
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
		source_warn(source,
			    "the program maps %s of files for writing; reads and writes through "
			    "these mappings are not in the load (make the program work without "
			    "mmap; for example, run fio with --ioengine=psync)",
			    units_print_bytes(strace->mapped_bytes, text));
	if (strace->ring_requests > 0 || strace->ring_polled)
		source_warn(source,
			    "the program uses io_uring (requests that system calls submitted: %s); "
			    "the sizes of these requests are unknown, so requests on files "
			    "are not in the load (record the program without io_uring; for "
			    "example, run fio with --ioengine=psync)",
			    units_print_count(strace->ring_requests, text));
	if (strace->hidden_requests > 0)
		source_warn(source,
			    "the program submits %s %s to libaio that the trace does not show, so "
			    "requests on files are not in the load (add -e 'abbrev=!io_submit' to "
			    "strace's options)",
			    units_print_count(strace->hidden_requests, text),
			    units_plural(strace->hidden_requests, "request", "requests"));
}
