#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""nfs4.py FILE: write a capture in which operations of NFSv4 are in the middle.

A line per operation goes to standard output: its name. Operation N has two
frames, calls and replies, each with two compounds: one that has the operation
and then opens file N without attributes to set, and one that reads N bytes of
it at offset 4096 * N, and closes it.
"""

import struct
import sys


def word(number):
    return struct.pack(">I", number)


def long(number):
    return struct.pack(">Q", number)


def opaque(data):
    return word(len(data)) + data + b"\0" * (-len(data) % 4)


def stateid(number):
    return word(1) + bytes([number]) * 12


def bitmap(*words):
    return word(len(words)) + b"".join(map(word, words))


DEVICE = b"D" * 16
SEGMENT = long(0) + long(4096) + word(2)
# A layout of files, and one of flexible files.
FILES = SEGMENT + word(1) + opaque(
    DEVICE + word(4096) + word(0) + long(0) + word(2) +
    opaque(b"data server 1   ") + opaque(b"data server 2   "))
FLEXIBLE = SEGMENT + word(4) + opaque(
    long(65536) + word(1) + word(1) + DEVICE + word(1) + stateid(201) +
    word(1) + opaque(b"data server 3   ") + opaque(b"0") + opaque(b"0") +
    word(0) + word(0))
RANGE = long(3) + long(4096)
GET = word(2) + RANGE + long(100) + stateid(202) + word(4096)

# Name, number, arguments, result.
OPERATIONS = (
    ("NVERIFY", 17, bitmap(0x10, 2) + opaque(long(9) + word(0o644)), b""),
    ("VERIFY", 37, bitmap(0x1a) + opaque(word(1) + long(3) + long(9)), b""),
    ("GET_DIR_DELEGATION", 46, word(0) + bitmap(1) + long(0) * 2 + word(0) +
     bitmap(2) + bitmap(4), word(1) + word(0)),
    ("GETDEVICEINFO", 47, DEVICE + word(1) + word(1000) + bitmap(6),
     word(1) + opaque(word(1) + word(0) + word(1) + word(1) + opaque(b"tcp") +
                      opaque(b"1.2.3.4.8.1")) + bitmap(6)),
    ("GETDEVICELIST", 48, word(1) + word(10) + long(0) + long(0),
     long(1) + long(2) + word(1) + DEVICE + word(1)),
    ("LAYOUTCOMMIT", 49, RANGE + word(0) + stateid(203) + word(1) + long(99) +
     word(0) + word(1) + opaque(b""), word(1) + long(100)),
    ("LAYOUTCOMMIT", 49, RANGE + word(0) + stateid(203) + word(0) + word(0) +
     word(1) + opaque(b""), word(0)),
    ("LAYOUTGET", 50, word(0) + word(1) + GET,
     word(1) + stateid(204) + word(2) + FILES * 2),
    ("LAYOUTGET", 50, word(0) + word(4) + GET,
     word(1) + stateid(204) + word(1) + FLEXIBLE),
    ("LAYOUTRETURN", 51, word(0) + word(1) + word(2) + word(1) + RANGE +
     stateid(205) + opaque(b""), word(1) + stateid(206)),
    ("LAYOUTRETURN", 51, word(0) + word(1) + word(2) + word(3), word(0)),
    ("TEST_STATEID", 55, word(2) + stateid(207) + stateid(208),
     word(2) + word(0) + word(10025)),
    ("WANT_DELEGATION", 56, word(1) + word(0), word(0)),
    ("COPY", 60, stateid(209) * 2 + long(10) + long(20) + long(30) + word(1) +
     word(1) + word(0), word(0) + long(30) + word(2) + long(7) + word(1) * 2),
    ("COPY", 60, stateid(209) * 2 + long(10) + long(20) + long(30) + word(1) +
     word(0) + word(0),
     word(1) + stateid(210) + long(30) + word(2) + long(7) + word(1) * 2),
    ("COPY_NOTIFY", 61, stateid(211) + word(1) + opaque(b"server"),
     long(1) + word(2) + stateid(212) + word(1) + word(1) + opaque(b"server")),
    ("IO_ADVISE", 63, stateid(213) + RANGE + bitmap(2), bitmap(2)),
    ("LAYOUTERROR", 64, RANGE + stateid(214) + word(1) + DEVICE + word(5) +
     word(25), b""),
    ("LAYOUTSTATS", 65, RANGE + stateid(215) + long(1) * 4 + DEVICE + word(1) +
     opaque(b""), b""),
    ("OFFLOAD_CANCEL", 66, stateid(216), b""),
    ("OFFLOAD_STATUS", 67, stateid(217), long(30) + word(1) + word(0)),
    ("SEEK", 69, stateid(218) + long(5) + word(1), word(0) + long(55)),
    ("CLONE", 71, stateid(219) * 2 + long(1) + long(2) + long(3), b""),
    ("GETXATTR", 72, opaque(b"user.name"), opaque(b"value")),
    ("SETXATTR", 73, word(0) + opaque(b"user.name") + opaque(b"value"),
     word(1) + long(1) + long(2)),
    ("LISTXATTRS", 74, long(0) + word(100),
     long(5) + word(2) + opaque(b"a") + opaque(b"b") + word(1)),
    ("REMOVEXATTR", 75, opaque(b"user.name"), word(1) + long(1) + long(2)),
)


def record(data):
    return word(0x80000000 | len(data)) + data


def call(xid, operations):
    return record(word(xid) + word(0) + word(2) + word(100003) + word(4) +
                  word(1) + bytes(16) + opaque(b"") + word(2) +
                  word(len(operations)) + b"".join(
                      word(number) + arguments
                      for number, arguments, _ in operations))


def reply(xid, operations):
    return record(word(xid) + word(1) + bytes(16) + word(0) + opaque(b"") +
                  word(len(operations)) + b"".join(
                      word(number) + word(0) + result
                      for number, _, result in operations))


def frame(seconds, from_client, sequence, data):
    """Return a record of pcap with a segment of TCP."""
    addresses = [b"\12\0\0\1", b"\12\0\0\2"]
    ports = [50000, 2049]
    if not from_client:
        addresses.reverse()
        ports.reverse()
    segment = struct.pack(">HHIIBBHHH", *ports, sequence, 1, 0x50, 0x18, 8192,
                          0, 0) + data
    packet = struct.pack(">BBHHHBBH", 0x45, 0, 20 + len(segment), 0, 0, 64, 6,
                         0) + b"".join(addresses) + segment
    return struct.pack("<4I", 1700000000 + seconds, 0, len(packet),
                       len(packet)) + packet


def compounds(number, operation):
    """Return the operations of the two compounds."""
    root = opaque(b"root handle     ")
    handle = opaque(b"handle of %-6d" % number)
    attributes = (9, bitmap(0x12, 2),
                  bitmap(0x12, 2) + opaque(word(1) + long(200000) +
                                           word(0o644)))
    opened = (18, word(0) + word(3) + word(0) + long(5) + opaque(b"owner") +
              word(1) + word(0) + bitmap() + opaque(b"") + word(0) +
              opaque(b"file%d" % number),
              stateid(number) + word(1) + long(1) + long(2) + word(0) +
              bitmap() + word(0))
    first = [(22, root, b""), operation[1:], (22, root, b""), opened,
             (10, b"", handle), attributes]
    second = [(22, handle, b""),
              (25, stateid(number) + long(4096 * number) + word(number),
               word(1) + opaque(b"x" * number)), attributes,
              (4, word(0) + stateid(number), stateid(number))]
    return first, second


def main():
    sequences = [1, 1]
    with open(sys.argv[1], "wb") as capture:
        capture.write(struct.pack("<IHHiIII", 0xa1b2c3d4, 2, 4, 0, 0, 1 << 18,
                                  101))
        for number, operation in enumerate(OPERATIONS, 1):
            first, second = compounds(number, operation)
            for side, make in enumerate((call, reply)):
                data = make(2 * number, first) + make(2 * number + 1, second)
                capture.write(frame(2 * number + side, side == 0,
                                    sequences[side], data))
                sequences[side] += len(data)
            print(operation[0])


main()
