/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A bare loop of prepared SMB2 requests, as a reference for the built-in SMB
 * client (bench/smb):
 *
 *	bare-packets MESSAGES URL
 *
 * sends the messages that bench/messages.c has recorded from a run of throng,
 * and prints the seconds that it took, and the seconds of CPU. throng's engine
 * logs in. Before the clock runs, the ids of the new session are put into all
 * messages. Then the loop copies file ids from the replies to CREATE into later
 * requests, and takes only the lengths and the statuses from replies. The data
 * of writes comes from a pool of the size that throng's has, because data that
 * is always the same would stay in a faster cache. After the clock, each request
 * must have had the status that it had when the messages were recorded.
 */
#include "messages.h"

#include "base/bytes.h"
#include "base/clock.h"
#include "smb2client/connection.h"
#include "target/account.h"
#include "target/backends.h"
#include "target/smb2/session.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>

enum {
	FILES_PER_MESSAGE = 4, /* file ids in one message */
	REPLY_ID_AT = 64,      /* in the body of a reply to CREATE (2.2.14) */
	REPLY_BYTES_MAX = 2 << 20,
	POOL_BYTES = 1 << 20,
	PENDING = 0x103,
	STATUS_AT = 8, /* in the header (2.2.1.2) */
	COMMAND_AT = 12,
	NEXT_AT = 20,
	ID_AT = 24,
};

struct message {
	uint8_t *bytes;
	uint32_t size, data_size;
	unsigned requests; /* more than 1: a compound */
	/* The statuses of their replies: when the messages were recorded, and
	 * now. */
	uint32_t recorded[SMB2_MAX_PARTS], statuses[SMB2_MAX_PARTS];
	int opens; /* the file that it opens, or -1 */
	unsigned file_count;
	struct {
		uint32_t at; /* offset of the file id */
		int file;
	} files[FILES_PER_MESSAGE];
};

static struct message *messages;
static size_t message_count;
/* File ids: when the messages were recorded, and now. */
static uint8_t (*recorded_ids)[SMB2_FILE_ID_BYTES], (*ids)[SMB2_FILE_ID_BYTES];
static int file_count;
static uint8_t *reply, *data;

static void __attribute__((noreturn, format(printf, 1, 2))) die(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	fputs("bare loop: ", stderr);
	vfprintf(stderr, format, arguments);
	fputc('\n', stderr);
	va_end(arguments);
	exit(1);
}

static void *room_for(size_t count, size_t size)
{
	void *room = calloc(count, size);

	if (room == NULL)
		die("out of memory");
	return room;
}

/* Return the contents of a file, and set *size. */
static uint8_t *read_file(const char *path, size_t *size)
{
	FILE *file = fopen(path, "r");
	struct stat attributes;
	uint8_t *bytes;

	if (file == NULL || fstat(fileno(file), &attributes) != 0)
		die("%s: %s", path, strerror(errno));
	*size = (size_t)attributes.st_size;
	bytes = room_for(*size + 1, 1);
	if (fread(bytes, 1, *size, file) != *size)
		die("%s: too short", path);
	fclose(file);
	return bytes;
}

/* Return the offset of the file id in the body of a request, or 0. */
static uint32_t id_offset(unsigned command)
{
	/* clang-format off */
	static const uint8_t offsets[SMB2_COMMANDS] = {
		[SMB2_CLOSE] = 8,
		[SMB2_FLUSH] = 8,
		[SMB2_READ] = 16,
		[SMB2_WRITE] = 16,
		[SMB2_LOCK] = 8,
		[SMB2_IOCTL] = 8,
		[SMB2_QUERY_DIRECTORY] = 8,
		[SMB2_QUERY_INFO] = 24,
		[SMB2_SET_INFO] = 16,
	};
	/* clang-format on */

	return command < SMB2_COMMANDS ? offsets[command] : 0;
}

/* Return the file that has the recorded id, or -1. */
static int find_file(const uint8_t *id)
{
	int i;

	for (i = file_count - 1; i >= 0; i--)
		if (memcmp(recorded_ids[i], id, SMB2_FILE_ID_BYTES) == 0)
			return i;
	return -1;
}

/* Note the file ids in a request whose header starts at `header`. */
static void note_files(struct message *message, const uint8_t *header)
{
	uint32_t offset = id_offset(get_le16(header + COMMAND_AT));
	const uint8_t *id = header + SMB2_HEADER_BYTES + offset;
	int file = offset != 0 ? find_file(id) : -1;

	if (file < 0)
		return;
	if (message->file_count == FILES_PER_MESSAGE)
		die("too many files in a message");
	message->files[message->file_count].at = (uint32_t)(id - message->bytes);
	message->files[message->file_count++].file = file;
}

/* Put the ids of the new session into all requests of a message. */
static void set_ids(struct message *message, const struct smb2_stream *stream)
{
	uint8_t *header = message->bytes + SMB2_FRAME_BYTES;
	uint32_t next;

	do {
		next = get_le32(header + NEXT_AT);
		put_le32(header + 36, stream->tree_id);
		put_le64(header + 40, stream->session_id);
		note_files(message, header);
		header += next;
		if (++message->requests > SMB2_MAX_PARTS)
			die("too many requests in a message");
	} while (next != 0);
}

/* Return the size of the message at the start of `bytes`, or 0 if the `have`
 * bytes are not all of it. */
static size_t whole_message(const uint8_t *bytes, size_t have)
{
	uint32_t length;

	if (have < SMB2_FRAME_BYTES)
		return 0;
	memcpy(&length, bytes, sizeof(length));
	length = be32toh(length);
	if (length < SMB2_HEADER_BYTES)
		die("a reply is too short");
	return have - SMB2_FRAME_BYTES >= length ? SMB2_FRAME_BYTES + length : 0;
}

/* Append the statuses in a message from the server to those of the `done`
 * requests that it has answered before. Return how many it has answered now. */
static unsigned take_statuses(uint32_t *statuses, unsigned done, const uint8_t *bytes, size_t size)
{
	const uint8_t *header = bytes + SMB2_FRAME_BYTES;
	size_t left = size - SMB2_FRAME_BYTES;
	uint32_t next;

	do {
		next = get_le32(header + NEXT_AT);
		if (next > left - SMB2_HEADER_BYTES || done == SMB2_MAX_PARTS)
			die("invalid replies");
		statuses[done] = get_le32(header + STATUS_AT);
		done += statuses[done] != PENDING;
		header += next;
		left -= next;
	} while (next != 0);
	return done;
}

/* Take the recorded replies to the last message, `size` bytes at `reply`: their
 * statuses, and the file that it may have opened. */
static void take_replies(size_t size)
{
	const uint8_t *at = reply, *header;
	struct message *last;
	unsigned done = 0;
	size_t bytes;

	if (message_count == 0)
		return;
	last = &messages[message_count - 1];
	while ((bytes = whole_message(at, size)) > 0) {
		done = take_statuses(last->recorded, done, at, bytes);
		header = at + SMB2_FRAME_BYTES;
		if (get_le16(header + COMMAND_AT) == SMB2_CREATE &&
		    get_le32(header + STATUS_AT) == 0) {
			last->opens = file_count;
			memcpy(recorded_ids[file_count++], header + SMB2_HEADER_BYTES + REPLY_ID_AT,
			       SMB2_FILE_ID_BYTES);
		}
		at += bytes;
		size -= bytes;
	}
	if (done != last->requests)
		die("a recorded message has %u replies to %u requests", done, last->requests);
}

/* Append a request of the recording, unless it belongs to the login. */
static void add_message(uint8_t *bytes, const struct bare_record *record,
			const struct smb2_stream *stream)
{
	struct message *message = &messages[message_count];

	if (get_le64(bytes + SMB2_FRAME_BYTES + ID_AT) < stream->next_id)
		return;
	*message = (struct message){
		.bytes = bytes,
		.size = record->bytes,
		.data_size = record->data_bytes,
		.opens = -1,
	};
	set_ids(message, stream);
	message_count++;
}

/* Read the records. Those of the login are left out: the message ids of the new
 * session continue where they end. */
static void load(const char *path, const struct smb2_stream *stream)
{
	size_t size, at = 0, max, have = 0;
	uint8_t *bytes = read_file(path, &size);

	max = size / sizeof(struct bare_record) + 1;
	messages = room_for(max, sizeof(*messages));
	recorded_ids = room_for(max, sizeof(*recorded_ids));
	ids = room_for(max, sizeof(*ids));
	while (at + sizeof(struct bare_record) <= size) {
		struct bare_record record;
		uint8_t *start;

		memcpy(&record, bytes + at, sizeof(record));
		start = bytes + at + sizeof(record);
		at += sizeof(record) + record.bytes;
		if (at > size)
			die("%s: too short", path);
		if (record.sent == 1) {
			take_replies(have);
			have = 0;
			add_message(start, &record, stream);
		} else if (record.bytes > REPLY_BYTES_MAX - have) {
			die("%s: replies are too long", path);
		} else {
			memcpy(reply + have, start, record.bytes);
			have += record.bytes;
		}
	}
	take_replies(have);
	if (message_count == 0)
		die("%s: no messages", path);
}

static void send_message(int fd, const struct message *message)
{
	static size_t next; /* in the pool */
	struct iovec parts[] = {
		{message->bytes, message->size},
		{data + next, message->data_size},
	};
	struct msghdr header = {
		.msg_iov = parts,
		.msg_iovlen = message->data_size > 0 ? 2 : 1,
	};

	if (sendmsg(fd, &header, MSG_NOSIGNAL) != (ssize_t)(message->size + message->data_size))
		die("cannot send a message: %s", strerror(errno));
	next = (next + message->data_size) % POOL_BYTES;
}

/* Receive a whole message at the start of `reply`, where `have` bytes are
 * already. Return the number of bytes, and set *size to the message's. */
static size_t receive(int fd, size_t have, size_t *size)
{
	while ((*size = whole_message(reply, have)) == 0) {
		ssize_t got = recv(fd, reply + have, REPLY_BYTES_MAX - have, 0);

		if (got <= 0)
			die("no reply: %s", got < 0 ? strerror(errno) : "end");
		have += (size_t)got;
	}
	return have;
}

static void play(int fd, struct message *message)
{
	size_t size, have = 0;
	unsigned i, done = 0;

	for (i = 0; i < message->file_count; i++)
		memcpy(message->bytes + message->files[i].at, ids[message->files[i].file],
		       SMB2_FILE_ID_BYTES);
	send_message(fd, message);
	for (;;) {
		have = receive(fd, have, &size);
		done = take_statuses(message->statuses, done, reply, size);
		if (done >= message->requests)
			break;
		have -= size;
		memmove(reply, reply + size, have);
	}
	if (message->opens >= 0)
		memcpy(ids[message->opens],
		       reply + SMB2_FRAME_BYTES + SMB2_HEADER_BYTES + REPLY_ID_AT,
		       SMB2_FILE_ID_BYTES);
}

/* The server must have done the same as in the recording. */
static void check_statuses(void)
{
	const struct message *message;
	unsigned i;

	for (message = messages; message < messages + message_count; message++)
		for (i = 0; i < message->requests; i++)
			if (message->statuses[i] != message->recorded[i])
				die("message %td: the status of request %u is 0x%08x; recorded: "
				    "0x%08x",
				    message - messages, i, message->statuses[i],
				    message->recorded[i]);
}

/* Replies must belong to the messages, or else the loop has lost count. */
static void check_last(const struct message *message)
{
	if (memcmp(message->bytes + SMB2_FRAME_BYTES + ID_AT, reply + SMB2_FRAME_BYTES + ID_AT,
		   8) != 0)
		die("the last reply does not answer the last message");
}

static struct backend_session *log_in(struct target *target, const char *url)
{
	struct backend_session *session = NULL;
	struct error error = {0};
	int rc;

	if (target_parse(url, target, &error) < 0 || accounts_find(target, NULL, &error) < 0)
		die("%s", error.text);
	rc = target->backend->session_open(target, 0, &session);
	if (rc < 0)
		die("%s: %s", url, strerror(-rc));
	return session;
}

static double cpu_s(void)
{
	struct timespec used;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
	return (double)used.tv_sec + (double)used.tv_nsec / NS_PER_S;
}

int main(int argc, char **argv)
{
	double cpu_before_s, elapsed_s, used_s;
	struct target target;
	struct backend_session *session;
	uint64_t begin_ns;
	size_t i;
	int fd;

	if (argc != 3)
		die("expected MESSAGES URL");
	session = log_in(&target, argv[2]);
	fd = session->smb.connection->fd;
	reply = room_for(REPLY_BYTES_MAX, 1);
	data = room_for(POOL_BYTES + SMB2_MESSAGE_MAX, 1);
	for (i = 0; i < POOL_BYTES + SMB2_MESSAGE_MAX; i++)
		data[i] = (uint8_t)random();
	load(argv[1], &session->smb.connection->stream);
	cpu_before_s = cpu_s();
	begin_ns = clock_now_ns();
	for (i = 0; i < message_count; i++)
		play(fd, &messages[i]);
	elapsed_s = (double)(clock_now_ns() - begin_ns) / NS_PER_S;
	used_s = cpu_s() - cpu_before_s;
	check_statuses();
	check_last(&messages[message_count - 1]);
	printf("%.6f %.6f\n", elapsed_s, used_s);
	return 0;
}
