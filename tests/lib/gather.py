#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""tests/lib/gather.py PORT SERVER-PORT PROCEDURE COUNT: a relay before an NFSv3
server. It holds back calls of the procedure, a number of RFC 1813, until COUNT of
them are in flight in a connection. Then it sends these, the last one first."""

import socket
import struct
import sys
import threading

CALL = 0
NFS3 = (100003, 3)


def receive(sock, size):
    data = b""
    while len(data) < size:
        more = sock.recv(size - len(data))
        if not more:
            raise EOFError
        data += more
    return data


def receive_record(sock):
    """Return a record of one fragment (RFC 5531, 11)."""
    mark = receive(sock, 4)
    return mark + receive(sock, struct.unpack(">I", mark)[0] & 0x7fffffff)


def is_held(record, procedure):
    kind, _, program, version, number = struct.unpack(">5I", record[8:28])
    return kind == CALL and (program, version) == NFS3 and number == procedure


def relay_calls(client, server, procedure, count):
    held = []
    while True:
        record = receive_record(client)
        if not is_held(record, procedure):
            server.sendall(record)
            continue
        held.append(record)
        if len(held) == count:
            server.sendall(b"".join(reversed(held)))
            held = []


def relay_replies(server, client):
    while True:
        client.sendall(receive_record(server))


def run(function, ends, *arguments):
    try:
        function(*ends, *arguments)
    except (EOFError, OSError):
        for end in ends:
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass # it has ended already


def main():
    port, server_port, procedure, count = map(int, sys.argv[1:])
    with socket.create_server(("127.0.0.1", port)) as listener:
        print("ready", flush=True)
        while True:
            client = listener.accept()[0]
            server = socket.create_connection(("127.0.0.1", server_port))
            for end in client, server:
                end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            for arguments in ((relay_calls, (client, server), procedure, count),
                              (relay_replies, (server, client))):
                threading.Thread(target=run, args=arguments, daemon=True).start()


if __name__ == "__main__":
    main()
