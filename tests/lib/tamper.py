#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""tests/lib/tamper.py PORT SERVER-PORT PLACE CHANGE: an SMB2 proxy that
changes one of the server's messages.

tests/lib/tamper.py PORT SERVER-PORT FILE: the same, but for each connection
read PLACE and CHANGE from the first two words of the file. If the file has
changed, count connections anew.

PLACE is [CONNECTION.][COMMAND:]NUMBER: the NUMBER-th message of each
connection, or only of connection number CONNECTION. With COMMAND, count only
the messages that start with a final reply to this command (a number of MS-SMB2
2.2.1.2). All numbers start with 1; connections without messages do not count.
With NUMBER 0, change all these messages.

CHANGE is one of

  bit:N         flip the lowest bit of byte N; negative: from the end
  set:N:HEX     overwrite the bytes from byte N on
  cut:N         remove all bytes from byte N on; negative: from the end
  unsign        clear the flag for a signature, and the signature
  unseal        send a plain reply with the status 0 instead
  id            answer another request
  command       answer with another command
  frame:HEX     send these 4 bytes as the length
  length:N      announce N bytes more than the message has, then nothing
  huge          announce 16 MiB
  short         announce and send only 10 bytes
  twice         send the message twice
  earlier:N     first send again the message sent N messages ago
  swap          exchange the first two replies of a compound
  garbage       send 100 other bytes as the message
  next          let the message continue with another one after its end
  break         first send a notification that no request has asked for
  after         send such a notification after it, in the same segment
  interim       first send an interim reply
  move:N        let the data of a READ start N bytes later
  more:N        append N bytes
  late:N        send the message, and from here on all others, N s later
  split:N       send the rest after byte N, or before -N, 0.05 s later
  pending       send interim replies instead, four per second, for ever
  flood         send such notifications instead, as fast as possible
  drip          send the message instead, a byte every 0.2 s
  nothing       send nothing any more
  credits       from here on, grant no credits
  count         change nothing, but print a line for each of the client's messages,
                and for the beginning and the end of each connection
  print         change nothing, but print each message: "client" or "server",
                and the bytes in hexadecimal
  close         close the connection in the middle of the message
  hold:FILE     make FILE, and send the message when FILE has been removed
  room:N        let each listing of the client ask for only N bytes
  restart:N     the same, and let each begin with the first entry; 50 per second
"""

import os
import socket
import sys
import threading
import time

STATUS_PENDING = b"\x03\x01\x00\x00"
ASYNC = 2
SIGNED = 8
UNSOLICITED = b"\xff" * 8


class Over(Exception):
    """Nothing else is to be sent."""


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
    new[24:32] = UNSOLICITED if message_id is None else message_id
    return bytes(new)


def notification(message):
    return frame(header(message) + b"\x18" + bytes(23))


def interim(message):
    """Return the interim reply to the request that the message answers."""
    new = bytearray(message[:64])
    new[8:12] = STATUS_PENDING
    new[14:16] = bytes(2)
    new[16] = 1 | ASYNC
    new[20:24] = bytes(4)
    new[32:40] = b"\x2a" + bytes(7)
    new[48:64] = bytes(16)
    return frame(bytes(new) + b"\x09" + bytes(8))


def swap(message):
    """Exchange the first two replies of a compound."""
    start = int.from_bytes(message[20:24], "little")
    if start == 0:
        raise ValueError("no compound")
    one = bytearray(message[:start])
    rest = bytearray(message[start:])
    following = int.from_bytes(rest[20:24], "little")
    two = rest[:following] if following else rest
    last = rest[len(two):]
    two += bytes(-len(two) % 8)
    two[20:24] = len(two).to_bytes(4, "little")
    one[20:24] = (len(one) if last else 0).to_bytes(4, "little")
    return bytes(two + one + last)


def change_bytes(message, what, number):
    """Return the message with some bytes changed, or None."""
    new = bytearray(message)
    if what == "bit":
        new[int(number)] ^= 1
    elif what == "set":
        at, _, text = number.partition(":")
        value = bytes.fromhex(text)
        new[int(at):int(at) + len(value)] = value
    elif what == "cut":
        del new[int(number):]
    elif what == "unsign":
        new[16] &= ~SIGNED & 255
        new[48:64] = bytes(16)
    elif what == "unseal":
        new = bytearray(header(message, 5, b"\x04" + bytes(7)) + bytes(100))
    elif what == "id":
        new[24] ^= 0x40
    elif what == "command":
        new[12] ^= 3
    elif what == "credits":
        new[14:16] = bytes(2)
    elif what == "swap":
        return swap(message)
    elif what in ("count", "print", "room", "restart"):
        pass
    elif what == "move":
        new[80:80] = b"\xcc" * int(number)
        new[66] += int(number)
    elif what == "more":
        new += b"\xcc" * int(number)
    elif what == "garbage":
        return b"\xaa" * 100
    elif what == "next":
        new[20:24] = (len(message) // 8 * 8 + 8).to_bytes(4, "little")
    else:
        return None
    return bytes(new)


def change(message, what, number, earlier):
    """Return the bytes to send instead of the message."""
    new = change_bytes(message, what, number)
    if new is not None:
        return frame(new)
    if what == "frame":
        return bytes.fromhex(number) + message
    if what == "length":
        return frame(message, len(message) + int(number))
    if what == "huge":
        return frame(message, 16 << 20)
    if what == "short":
        return frame(message[:10])
    if what == "twice":
        return frame(message) * 2
    if what == "earlier":
        return frame(earlier[-int(number)]) + frame(message)
    if what == "break":
        return notification(message) + frame(message)
    if what == "after":
        return frame(message) + notification(message)
    if what == "interim":
        return interim(message) + frame(message)
    raise ValueError(what)


def send_for_ever(target, message, what):
    """Send something until the client closes its connection."""
    while what == "flood":
        target.sendall(notification(message) * 100)
    while what == "pending":
        target.sendall(interim(message))
        time.sleep(0.25)
    while what == "nothing":
        time.sleep(1)
    data = frame(message)
    for at in range(len(data)):
        target.sendall(data[at:at + 1])
        time.sleep(0.2)


def hold(name):
    with open(name, "wb"):
        pass
    while os.path.exists(name):
        time.sleep(0.01)


def send_changed(target, message, how, earlier):
    what, _, argument = how.partition(":")
    if what in ("flood", "pending", "nothing", "drip"):
        send_for_ever(target, message, what)
    elif what == "hold":
        hold(argument)
        target.sendall(frame(message))
    elif what == "close":
        target.sendall(frame(message)[:-5])
        raise Over
    elif what == "late":
        time.sleep(float(argument))
        target.sendall(frame(message))
    elif what == "split":
        data = frame(message)
        target.sendall(data[:int(argument)])
        time.sleep(0.05)
        target.sendall(data[int(argument):])
    else:
        target.sendall(change(message, what, argument, earlier))


def change_listings(message, what, number):
    """Change the QUERY_DIRECTORY requests of a message (MS-SMB2 2.2.33)."""
    new = bytearray(message)
    at = 4
    while True:
        following = int.from_bytes(new[at + 20:at + 24], "little")
        if new[at + 12] == 14:
            new[at + 92:at + 96] = int(number).to_bytes(4, "little")
            if what == "restart":
                new[at + 67] |= 1
        if following == 0:
            return bytes(new)
        at += following


class Place:
    """The message to be changed."""

    def __init__(self, text):
        connection, _, rest = text.rpartition(".")
        command, _, number = rest.rpartition(":")
        self.connection = int(connection) if connection else None
        self.command = int(command) if command else None
        self.number = int(number)

    def counts(self, connection, message):
        if self.connection not in (None, connection):
            return False
        return self.command is None or (self.command == message[12] and
                                        message[8:12] != STATUS_PENDING)


def say(line):
    """Print a line at once, so that no thread can print into it."""
    os.write(1, line.encode() + b"\n")


class Counter:
    """Gives numbers to connections."""

    def __init__(self):
        self.lock = threading.Lock()
        self.last = 0

    def next(self):
        with self.lock:
            self.last += 1
            return self.last


class Plan:
    """The change to make in some connections."""

    def __init__(self, words):
        self.words = words
        self.place, self.how = Place(words[0]), words[1]
        self.counter = Counter()


class Connection:
    def __init__(self, client, server, counter):
        self.client, self.server = client, server
        self.counter = counter
        self.number = None

    def close(self):
        for sock in (self.client, self.server):
            try:
                sock.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def forward_requests(self, place, how):
        try:
            while True:
                message = receive_message(self.client)
                if how == "count":
                    say("request")
                elif how == "print":
                    say(f"client {message[4:].hex()}")
                if self.number is None:
                    self.number = self.counter.next()
                what, _, number = how.partition(":")
                if what in ("room", "restart") and \
                   place.connection in (None, self.number):
                    message = change_listings(message, what, number)
                    if what == "restart":
                        time.sleep(0.02)
                self.server.sendall(message)
        except (EOFError, OSError):
            self.close()
        if how == "count":
            say("end")

    def forward_replies(self, place, how):
        count = 0
        earlier = []
        try:
            while True:
                message = receive_message(self.server)[4:]
                if how == "print":
                    say(f"server {message.hex()}")
                if place.counts(self.number, message):
                    count += 1
                    if place.number in (0, count) or \
                       (how.startswith(("credits", "late")) and
                        count > place.number):
                        send_changed(self.client, message, how, earlier)
                        continue
                earlier = earlier[-20:] + [message]
                self.client.sendall(frame(message))
        except (EOFError, OSError, Over):
            self.close()


def receive_message(sock):
    head = receive(sock, 4)
    return head + receive(sock, int.from_bytes(head, "big"))


def main():
    port, server_port = map(int, sys.argv[1:3])
    if len(sys.argv) == 5:
        plan = Plan(sys.argv[3:])
    else:
        plan = None
    listener = socket.create_server(("127.0.0.1", port), backlog=2000)
    say("ready")
    while True:
        client, _ = listener.accept()
        if len(sys.argv) == 4:
            with open(sys.argv[3], encoding="ascii") as file:
                words = file.read().split()
            if plan is None or plan.words != words:
                plan = Plan(words)
        try:
            server = socket.create_connection(("127.0.0.1", server_port))
        except OSError:
            client.close()
            continue
        for sock in (client, server):
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection = Connection(client, server, plan.counter)
        if plan.how == "count":
            say("begin")
        threading.Thread(target=connection.forward_requests,
                         args=(plan.place, plan.how), daemon=True).start()
        threading.Thread(target=connection.forward_replies,
                         args=(plan.place, plan.how), daemon=True).start()


main()
