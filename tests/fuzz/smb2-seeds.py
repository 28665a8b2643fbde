#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""tests/fuzz/smb2-seeds.py <MESSAGES: print smb2.seeds, the seeds of fuzz-smb2.

MESSAGES is what the proxy tests/lib/tamper.py prints with the change
"print". Each line of the output has a name and a message of the server. The name
lists the commands of the replies, with the statuses that are not 0, the classes
of listings and the codes of controls. A name has one seed, the shortest of 64 to
MAX_BYTES bytes.
"""

import sys

COMMANDS = ("negotiate", "session-setup", "logoff", "tree-connect",
            "tree-disconnect", "create", "close", "flush", "read", "write",
            "lock", "ioctl", "cancel", "echo", "find", "notify", "query",
            "set", "break")
IOCTL, FIND, BREAK = 11, 14, 18
MAX_BYTES = 1000


def parts(message):
    """Yield the requests or replies of a message (MS-SMB2 2.2.1.2)."""
    at = 0
    while message[at:at + 4] == b"\xfeSMB":
        following = int.from_bytes(message[at + 20:at + 24], "little")
        yield message[at:at + following if following else len(message)]
        if following == 0:
            return
        at += following


def note_details(message, details):
    """Remember what a reply does not say: the class of a listing (2.2.33)."""
    for part in parts(message):
        if part[12] == FIND:
            details[part[24:32]] = f".{part[66]}"


def word_of(part, details):
    word = COMMANDS[part[12]]
    status = int.from_bytes(part[8:12], "little")
    if status:
        return f"{word}.{status:08x}"
    if part[12] == IOCTL:
        return f"{word}.{int.from_bytes(part[68:72], 'little'):08x}"
    if part[12] == BREAK:
        return f"{word}.{part[64]}" # 24: an oplock, 44: a lease (2.2.23)
    return word + (details.get(part[24:32], "") if part[12] == FIND else "")


def main():
    details, seeds = {}, {}

    def add(name, message):
        if len(message) <= MAX_BYTES and \
           len(message) < len(seeds.get(name, b" " * (MAX_BYTES + 1))):
            seeds[name] = message

    for line in sys.stdin:
        side, _, text = line.strip().partition(" ")
        if side not in ("client", "server"):
            continue
        message = bytes.fromhex(text)
        if side == "client":
            note_details(message, details)
            continue
        name = "-".join(word_of(part, details) for part in parts(message))
        if name:
            add(name, message)
        if b"NTLMSSP\0\x02" in message:
            add("challenge", message[message.index(b"NTLMSSP"):])
    for name, message in sorted(seeds.items()):
        print(name, message.hex())


main()
