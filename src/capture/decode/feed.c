/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "capture/decode/feed.h"

#include "base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* All headers of a record and of its packet are in this many bytes. */
enum { HEADERS_MAX = 256 };

enum { NETBIOS = 139, TCP = 6 };

/* pcap: the file's header, and that of a record. */
enum { FILE_HEADER = 24, LINK_AT = 20, RECORD_HEADER = 16, CAPTURED_AT = 8 };

/* Types of pcapng's blocks, and where they have what. */
enum {
	SECTION = 0x0a0d0d0a,
	INTERFACE = 1,
	SIMPLE_PACKET = 3,
	PACKET = 6,
	BLOCK_MIN = 12,
	SIMPLE_DATA_AT = 12,
	INTERFACE_AT = 8,
	DATA_AT = 28,
};

/* Link types, and where their packets have the header of IP. */
static const struct link {
	uint16_t type;
	uint8_t ip_at;
} links[] = {
	{0, 4},    /* NULL */
	{1, 14},   /* Ethernet */
	{12, 0},   /* RAW */
	{101, 0},  /* RAW */
	{108, 4},  /* LOOP */
	{113, 16}, /* LINUX_SLL */
	{228, 0},  /* IPV4 */
	{229, 0},  /* IPV6 */
	{276, 20}, /* LINUX_SLL2 */
};

static uint16_t number_16(const unsigned char *bytes)
{
	return (uint16_t)(bytes[0] << 8 | bytes[1]);
}

/* Return a number of the capture's byte order. */
static uint32_t number_32(const struct capture_ports *ports, const unsigned char *bytes)
{
	uint32_t number = 0;
	unsigned i;

	for (i = 0; i < 4; i++)
		number = number << 8 | bytes[ports->big_endian ? i : 3 - i];
	return number;
}

/* Set *at to the header of TCP. Return false if there is none. */
static bool find_tcp(uint16_t type, const unsigned char *packet, size_t length, size_t *at)
{
	size_t i, ip = length;

	for (i = 0; i < sizeof(links) / sizeof(links[0]); i++)
		if (links[i].type == type)
			ip = links[i].ip_at;
	/* Tags of VLANs. */
	while (type == 1 && ip + 4 < length &&
	       (number_16(packet + ip - 2) == 0x8100 || number_16(packet + ip - 2) == 0x88a8))
		ip += 4;
	if (ip + 20 > length)
		return false;
	if (packet[ip] >> 4 == 6) {
		*at = ip + 40;
		return packet[ip + 6] == TCP && *at + 20 <= length;
	}
	*at = ip + 4 * (packet[ip] & 15);
	return packet[ip] >> 4 == 4 && packet[ip + 9] == TCP &&
	       (number_16(packet + ip + 6) & 0x1fff) == 0 && *at + 20 <= length;
}

void capture_ports_add(struct capture_ports *ports, uint16_t port)
{
	size_t i;

	for (i = 0; i < ports->server_count; i++)
		if (ports->servers[i] == port)
			return;
	if (i < sizeof(ports->servers) / sizeof(ports->servers[0]))
		ports->servers[ports->server_count++] = port;
}

/* tshark knows these ports. */
static bool is_known(uint16_t port)
{
	return port == CAPTURE_PORT_SMB || port == NETBIOS;
}

/* If the segment begins with a message of SMB2, add the server's port. */
static void look(struct capture_ports *ports, const unsigned char *tcp, size_t length)
{
	/* After the length of the message (MS-SMB2 2.1, 2.2.1). */
	static const unsigned char header[] = {0xfe, 'S', 'M', 'B', 64, 0};
	enum { LENGTH = 4, FLAGS_AT = LENGTH + 16, IS_REPLY = 1 };
	size_t data = 4 * (size_t)(tcp[12] >> 4);
	uint16_t from = number_16(tcp), to = number_16(tcp + 2);

	if (data + FLAGS_AT < length && tcp[data] == 0 &&
	    memcmp(tcp + data + LENGTH, header, sizeof(header)) == 0 && !is_known(from) &&
	    !is_known(to))
		capture_ports_add(ports, (tcp[data + FLAGS_AT] & IS_REPLY) != 0 ? from : to);
}

static void alter_packet(struct capture_ports *ports, uint16_t link, unsigned char *packet,
			 size_t length)
{
	unsigned char *port;
	size_t at, i;

	if (!find_tcp(link, packet, length, &at))
		return;
	look(ports, packet + at, length - at);
	for (port = packet + at; port < packet + at + 4; port += 2)
		for (i = 0; i < ports->server_count; i++)
			if (number_16(port) == ports->servers[i]) {
				port[0] = CAPTURE_PORT_SMB >> 8;
				port[1] = CAPTURE_PORT_SMB & 0xff;
			}
}

/* Alter a packet with this number of bytes, of which the first `length` are
 * there. */
static void alter_part(struct capture_ports *ports, uint32_t interface, unsigned char *packet,
		       size_t length, uint32_t captured)
{
	if (interface < ports->link_count)
		alter_packet(ports, ports->links[interface], packet,
			     length < captured ? length : captured);
}

static void add_link(struct capture_ports *ports, uint32_t link)
{
	if (ports->link_count < sizeof(ports->links) / sizeof(ports->links[0]))
		ports->links[ports->link_count++] = (uint16_t)link;
}

/* Alter a record of pcap, or read the file's header. Return the size. */
static uint64_t alter_record(struct capture_ports *ports, unsigned char *bytes, size_t length)
{
	uint32_t captured;

	if (!ports->started) {
		ports->big_endian = bytes[0] == 0xa1;
		add_link(ports, number_32(ports, bytes + LINK_AT));
		return FILE_HEADER;
	}
	captured = number_32(ports, bytes + CAPTURED_AT);
	alter_part(ports, 0, bytes + RECORD_HEADER, length - RECORD_HEADER, captured);
	return RECORD_HEADER + (uint64_t)captured;
}

/* Alter a block of pcapng. Return its size, or UINT64_MAX if it has none. */
static uint64_t alter_block(struct capture_ports *ports, unsigned char *bytes, size_t length)
{
	uint32_t type = number_32(ports, bytes), size;

	if (type == SECTION) {
		ports->big_endian = bytes[8] == 0x1a;
		ports->link_count = 0;
	}
	size = number_32(ports, bytes + 4);
	if (size < BLOCK_MIN)
		return UINT64_MAX;
	if (length > size)
		length = size;
	if (type == INTERFACE && length >= BLOCK_MIN)
		/* Two bytes of each byte order; the others are reserved. */
		add_link(ports,
			 ports->big_endian ? number_16(bytes + 8) : number_32(ports, bytes + 8));
	if (type == SIMPLE_PACKET)
		alter_part(ports, 0, bytes + SIMPLE_DATA_AT, length - SIMPLE_DATA_AT,
			   size - SIMPLE_DATA_AT);
	if (type == PACKET && length >= DATA_AT)
		alter_part(ports, number_32(ports, bytes + INTERFACE_AT), bytes + DATA_AT,
			   length - DATA_AT, number_32(ports, bytes + 20));
	return size;
}

size_t capture_ports_alter(struct capture_ports *ports, unsigned char *bytes, size_t length,
			   bool end)
{
	size_t at = 0, left;

	for (;;) {
		left = length - at;
		if (ports->skip >= left) {
			ports->skip -= left;
			return length;
		}
		at += (size_t)ports->skip;
		left = length - at;
		ports->skip = 0;
		if (left < HEADERS_MAX && !end)
			return at;
		/* The rest of a damaged capture. */
		if (left < FILE_HEADER)
			return length;
		if (!ports->started)
			ports->next_generation = bytes[at] == 0x0a;
		ports->skip = ports->next_generation ? alter_block(ports, bytes + at, left)
						     : alter_record(ports, bytes + at, left);
		ports->started = true;
	}
}

/* A request to CLOSE a file (MS-SMB2 2.2.1.2, 2.2.15). */
enum {
	COMMAND_AT = 12,
	FLAGS_AT = 16,
	FILE_ID_AT = 72,
	CLOSE_BYTES = 88,
	CLOSE = 6,
	IS_REPLY = 1 << 0,
	IS_RELATED = 1 << 2,
};

enum { BUFFER_BYTES = 256 << 10 };

bool capture_is_plain(int capture)
{
	static const uint32_t magics[] = {
		0xa1b2c3d4, 0xd4c3b2a1, /* pcap, of either byte order */
		0xa1b23c4d, 0x4d3cb2a1, /* with nanoseconds */
		0x0a0d0d0a,             /* pcapng */
	};
	uint32_t magic;
	size_t i;

	if (pread(capture, &magic, sizeof(magic), 0) != sizeof(magic))
		return false;
	for (i = 0; i < sizeof(magics) / sizeof(magics[0]); i++)
		if (magic == magics[i])
			return true;
	return false;
}

/* Number the related CLOSEs in the bytes. Packet boundaries do not matter: the
 * bytes that are replaced belong to no header of a packet. */
static void number_closes(unsigned char *bytes, size_t length, uint32_t *count)
{
	static const unsigned char header[] = {0xfe, 'S', 'M', 'B', 64, 0};
	unsigned char inherited[16], *at, *end = bytes + length;

	memset(inherited, 0xff, sizeof(inherited));
	for (at = bytes; (at = memmem(at, (size_t)(end - at), header, sizeof(header))) != NULL &&
			 end - at >= CLOSE_BYTES;
	     at += sizeof(header))
		if (at[COMMAND_AT] == CLOSE && at[COMMAND_AT + 1] == 0 &&
		    (at[FLAGS_AT] & (IS_REPLY | IS_RELATED)) == IS_RELATED &&
		    memcmp(at + FILE_ID_AT, inherited, sizeof(inherited)) == 0) {
			memcpy(at + FILE_ID_AT, count, sizeof(*count));
			++*count;
		}
}

static bool write_all(int output, const unsigned char *bytes, size_t length)
{
	ssize_t written;

	for (; length > 0; bytes += written, length -= (size_t)written) {
		written = write(output, bytes, length);
		if (written < 0)
			return false;
	}
	return true;
}

/* Copy the capture. Return whether it could be read. If tshark ends, the pipe
 * ends this process. */
static bool copy(int capture, uint16_t port, int output)
{
	static unsigned char buffer[BUFFER_BYTES];
	static struct capture_ports ports;
	uint32_t count = 0;
	size_t length = 0, ready = 0; /* ready: their ports have been altered */
	ssize_t got;

	if (port != 0)
		capture_ports_add(&ports, port);
	while ((got = read(capture, buffer + length, sizeof(buffer) - length)) > 0) {
		size_t done;

		length += (size_t)got;
		ready += capture_ports_alter(&ports, buffer + ready, length - ready, false);
		number_closes(buffer, ready, &count);
		/* The rest may be the beginning of a request. */
		done = ready < CLOSE_BYTES ? 0 : ready - CLOSE_BYTES + 1;
		if (!write_all(output, buffer, done))
			return false;
		length -= done;
		ready -= done;
		memmove(buffer, buffer + done, length);
	}
	capture_ports_alter(&ports, buffer + ready, length - ready, true);
	number_closes(buffer, length, &count);
	return got == 0 && write_all(output, buffer, length);
}

int capture_feed(int capture, uint16_t port, pid_t *feeder)
{
	int ends[2], rc;

	*feeder = -1;
	if (lseek(capture, 0, SEEK_SET) < 0)
		return -errno;
	if (!capture_is_plain(capture)) {
		rc = fcntl(capture, F_DUPFD_CLOEXEC, 0);
		return rc < 0 ? -errno : rc;
	}
	if (pipe2(ends, O_CLOEXEC) < 0)
		return -errno;
	rc = *feeder = process_fork();
	if (rc == 0) {
		close(ends[0]);
		process_default_signals();
		_exit(copy(capture, port, ends[1]) ? 0 : 1);
	}
	close(ends[1]);
	if (rc > 0)
		return ends[0];
	close(ends[0]);
	return rc;
}

int capture_feed_finish(pid_t feeder)
{
	int status = 0;

	if (feeder > 0)
		waitpid(feeder, &status, 0);
	return WIFEXITED(status) && WEXITSTATUS(status) != 0 ? -EIO : 0;
}
