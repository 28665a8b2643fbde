#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""tests/network/tamper.py PORT SERVER-PORT NUMBER CHANGE: an SMB2 proxy that
changes one of the server's messages, the NUMBER-th of a connection, from 1.

CHANGE is one of

  bit:N         flip the lowest bit of byte N; negative: from the end
  unsign        clear the flag for a signature, and the signature
  unseal        send a plain reply with the status 0 instead
  id            answer another request
  command       answer with another command
  length:N      announce N bytes more than the message has, then nothing
  huge          announce 16 MiB
  short         announce and send only 10 bytes
  twice         send the message twice
  garbage       send 100 other bytes as the message
  next          let the message continue with another one after its end
  break         first send a notification that no request has asked for
  count         change nothing, but print a line for each of the client's messages
  close         close the connection in the middle of the message
"""

import socket
import sys
import threading


def receive(sock, size):
    data = b""
    while len(data) < size:
        more = sock.recv(size - len(data))
        if not more:
            raise EOFError
        data += more
    return data


def frame(message, length=None):
    return (len(message) if length is None else length).to_bytes(4, "big") + \
        message


def header(message, command=None, message_id=None):
    new = bytearray(64)
    new[0:4] = b"\xfeSMB"
    new[4] = 64
    new[16] = 1
    new[12] = 18 if command is None else command
    new[24:32] = b"\xff" * 8 if message_id is None else message_id
    return bytes(new)


def change(message, how):
    """Return the bytes to send instead of the message."""
    what, _, number = how.partition(":")
    new = bytearray(message)
    if what == "bit":
        new[int(number)] ^= 1
    elif what == "unsign":
        new[16] &= ~8 & 255
        new[48:64] = bytes(16)
    elif what == "unseal":
        new = bytearray(header(message, 5, b"\x04" + bytes(7)) + bytes(100))
    elif what == "id":
        new[24] ^= 0x40
    elif what == "command":
        new[12] ^= 3
    elif what == "length":
        return frame(message, len(message) + int(number))
    elif what == "huge":
        return frame(message, 16 << 20)
    elif what == "short":
        return frame(message[:10])
    elif what == "twice":
        return frame(message) * 2
    elif what == "garbage":
        new = b"\xaa" * 100
    elif what == "next":
        new[20:24] = (len(message) // 8 * 8 + 8).to_bytes(4, "little")
    elif what == "count":
        pass
    elif what == "break":
        return frame(header(message) + b"\x18" + bytes(23)) + frame(message)
    elif what == "close":
        return frame(message)[:-5]
    else:
        raise ValueError(how)
    return frame(bytes(new))


def forward(source, target, number, how):
    """Forward messages until one side closes its connection. The number of
    the client's messages is None: they are not changed."""
    count = 0
    try:
        while True:
            head = receive(source, 4)
            message = receive(source, int.from_bytes(head, "big"))
            count += 1
            if number is None and how == "count":
                print("request", flush=True)
            if count != number:
                target.sendall(frame(message))
                continue
            target.sendall(change(message, how))
            if how == "close":
                break
    except (EOFError, OSError):
        pass
    for sock in (source, target):
        try:
            sock.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def main():
    port, server_port, number = map(int, sys.argv[1:4])
    how = sys.argv[4]
    listener = socket.create_server(("127.0.0.1", port))
    print("ready", flush=True)
    while True:
        client, _ = listener.accept()
        server = socket.create_connection(("127.0.0.1", server_port))
        for sock in (client, server):
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        threading.Thread(target=forward, args=(client, server, None, how),
                         daemon=True).start()
        threading.Thread(target=forward, args=(server, client, number, how),
                         daemon=True).start()


main()
