#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""tests/lib/recorded.py LOADFILE CAPTURE PORT [MIN-PERCENT MAX-TRIPS]:
compare the SMB2 requests in a capture with those that the loadfile records.

LOADFILE is in the netbench dialect. CAPTURE has one loop of it, played by user
0 of a run with --keep: the TCP connection with the most requests counts. tshark
parses the messages. An operation is "as recorded" if it was one message (a
request or a compound) with all recorded parameters, in the recorded order:
command, name, options, disposition, level, offset, length, pattern. Deltree is
not one request, so it never is. The other figures:

  sent           operations with a request in the capture at all
  round trips    messages from the first operation's to the last one's, per
                 operation

The script prints the figures, a row per kind of operation, and the first
differences. It exits with 1 if fewer than MIN-PERCENT of the operations are as
recorded, or if there are more than MAX-TRIPS round trips per operation.
"""

import collections
import re
import shlex
import struct
import subprocess
import sys

CREATE, CLOSE, FLUSH, READ, WRITE, LOCK, FIND, QUERY, SET = \
    5, 6, 7, 8, 9, 10, 14, 16, 17
NAMES = {CREATE: "CREATE", CLOSE: "CLOSE", FLUSH: "FLUSH", READ: "READ",
         WRITE: "WRITE", LOCK: "LOCK", FIND: "QUERY_DIRECTORY",
         QUERY: "QUERY_INFO", SET: "SET_INFO"}

# The fields of each request that tshark prints once per request, in the order
# of the requests in a compound, and our words for them.
REQUEST = {
    CREATE: {"name": "smb2.filename", "options": "smb.create_options",
             "disposition": "smb2.create.disposition"},
    CLOSE: {"file": "smb2.fid"},
    FLUSH: {"file": "smb2.fid"},
    READ: {"file": "smb2.fid", "length": "smb2.read_length",
           "offset": "smb2.file_offset"},
    WRITE: {"file": "smb2.fid", "length": "smb2.write_length",
            "offset": "smb2.file_offset"},
    LOCK: {"file": "smb2.fid", "length": "smb2.lock_length",
           "offset": "smb2.file_offset", "flags": "smb2.lock_flags"},
    FIND: {"file": "smb2.fid", "pattern": "smb2.find.pattern",
           "class": "smb2.find.infolevel"},
    QUERY: {"file": "smb2.fid", "type": "smb2.class"},
    SET: {"file": "smb2.fid", "type": "smb2.class",
          "class": "smb2.file_info.infolevel"},
}
CLASS_OF_TYPE = {1: "smb2.file_info.infolevel", 2: "smb2.fs_info.infolevel"}
RENAME = 10 # MS-FSCC 2.4: FileRenameInformation
COLUMNS = ["tcp.srcport", "tcp.dstport", "smb2.flags.response", "smb2.cmd",
           "smb2.msg_id", "smb2.nt_status"]
COLUMNS += sorted({field for fields in REQUEST.values()
                   for field in fields.values()} |
                  set(CLASS_OF_TYPE.values()))
TEXTS = ("name", "pattern", "file")

# The class of MS-FSCC for an SMB1 level below 1000 (MS-CIFS 2.2.2.3).
FILE_CLASS = {257: 4, 258: 5, 259: 7, 263: 18}
SPACE_CLASS = {1: 3, 258: 1, 259: 3, 260: 4, 261: 5}
FIND_CLASS = {257: 1, 258: 2, 259: 12, 260: 3}

# The directory of the run, in which the user's names are.
RUN_DIRECTORY = re.compile(r"^throng-[0-9a-f]{8}(\\|$)")
DELETE_ON_CLOSE, DIRECTORY_FILE, UNLOCK = 0x1000, 1, 4
WINDOW = 16     # messages in which to look for the next operation
SHOWN = 12      # differences
FRAMES = 50000  # that one tshark parses: it gets slower with their number


def number(text):
    return int(text, 16) if text.startswith("0x") else int(text)


def parse(row):
    """Return the requests of a message, in order, as dictionaries."""
    left = {field: collections.deque(text.split("\x02")) if text else
            collections.deque() for field, text in row.items()}

    def take(word, field):
        if not left[field]:
            return "" if word in TEXTS else None
        # Newer versions of tshark write a backslash as two.
        text = left[field].popleft().replace("\\\\", "\\")
        if field == "smb2.filename":
            text = RUN_DIRECTORY.sub("", text)
        return text if word in TEXTS else number(text)

    requests = []
    for command in row["smb2.cmd"].split("\x02"):
        fields = REQUEST.get(int(command), {})
        request = {word: take(word, field) for word, field in fields.items()}
        request["command"] = int(command)
        if request["command"] == QUERY:
            request["class"] = take("class", CLASS_OF_TYPE[request["type"]])
        if request["command"] == SET and request["class"] == RENAME:
            request["name"] = take("name", "smb2.filename")
        requests.append(request)
    return requests


class Message:
    def __init__(self, row):
        self.requests = parse(row)
        self.first_id = row["smb2.msg_id"].split("\x02")[0]
        self.file = None # that its CREATE has opened
        self.answered = False


def pieces(path):
    """Cut a capture into captures of FRAMES frames."""
    with open(path, "rb") as capture:
        head = capture.read(24)
        order = "<" if head[:4] in (b"\xd4\xc3\xb2\xa1",
                                    b"\x4d\x3c\xb2\xa1") else ">"
        while True:
            frames = []
            while len(frames) < FRAMES:
                record = capture.read(16)
                if len(record) < 16:
                    break
                size = struct.unpack(order + "4I", record)[2]
                frames.append(record + capture.read(size))
            if not frames:
                return
            yield head + b"".join(frames)


def rows(path, port):
    """Return what tshark prints for each frame, as dictionaries."""
    command = ["tshark", "-r", "-", "-d", f"tcp.port=={port},nbss", "-o",
               "tcp.analyze_sequence_numbers:FALSE", "-Y", "smb2",
               "-T", "fields", "-E", "aggregator=\x02"]
    for column in COLUMNS:
        command += ["-e", column]
    for piece in pieces(path):
        out = subprocess.run(command, input=piece, stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL, check=True).stdout
        for line in out.decode("utf-8", "replace").splitlines():
            yield dict(zip(COLUMNS, line.split("\t")))


def read_capture(path, port):
    """Return the messages of the connection with the most requests."""
    connections = collections.defaultdict(list)
    pending = {}
    for row in rows(path, port):
        response = row["smb2.flags.response"].split("\x02")[0]
        if response in ("0", "False"):
            message = Message(row)
            connections[row["tcp.srcport"]].append(message)
            pending[row["tcp.srcport"], message.first_id] = message
        else:
            take_reply(row, pending)
    if not connections:
        sys.exit("the capture has no SMB2 request")
    return max(connections.values(), key=len)


def take_reply(row, pending):
    first = row["smb2.msg_id"].split("\x02")[0]
    status = row["smb2.nt_status"].split("\x02")[0]
    message = pending.get((row["tcp.dstport"], first))
    if message is None or not status or number(status) == 0x103:
        return
    message.answered = True
    if message.requests[0]["command"] == CREATE and number(status) == 0:
        message.file = row["smb2.fid"].split("\x02")[0]


def class_of(level, below):
    level = number(level)
    return level - 1000 if level >= 1000 else below.get(level)


def name_of(path):
    """Return the name on the share of a loadfile's path."""
    name = path.strip("\\")
    return re.sub(r"^clients\\client1(?=\\|$)", r"clients\\client0", name)


def opened(path, **fields):
    return dict(command=CREATE, name=name_of(path), **fields)


class Operation:
    """One line: the requests that it should be, with their fields."""

    def __init__(self, line):
        # The words have no escapes, so backslashes are plain.
        words = shlex.split(line.replace("\\", "\\\\"))
        self.line, self.kind = line, words[0]
        self.succeeds = words[-1] == "NT_STATUS_OK"
        self.handle = None # that the first request uses
        self.opens = None  # the handle that it opens
        self.requests = getattr(self, self.kind, lambda words: [])(words)

    def of_handle(self, handle, command, **fields):
        self.handle = handle
        return [dict(command=command, **fields)]

    @staticmethod
    def of_path(path, *middle, **fields):
        return [opened(path, disposition=1, **fields), *middle,
                dict(command=CLOSE)]

    def NTCreateX(self, words):
        self.opens = words[4]
        return [opened(words[1], options=number(words[2]),
                       disposition=number(words[3]))]

    def Close(self, words):
        return self.of_handle(words[1], CLOSE)

    def Flush(self, words):
        return self.of_handle(words[1], FLUSH)

    def ReadX(self, words):
        return self.of_handle(words[1], READ, offset=int(words[2]),
                              length=int(words[3]))

    def WriteX(self, words):
        return self.of_handle(words[1], WRITE, offset=int(words[2]),
                              length=int(words[3]))

    def LockX(self, words, unlock=0):
        return self.of_handle(words[1], LOCK, offset=int(words[2]),
                              length=int(words[3]), unlock=unlock)

    def UnlockX(self, words):
        return self.LockX(words, UNLOCK)

    def QUERY_FILE_INFORMATION(self, words):
        return self.of_handle(words[1], QUERY, type=1, **{
            "class": class_of(words[2], FILE_CLASS)})

    def SET_FILE_INFORMATION(self, words):
        return self.of_handle(words[1], SET, **{
            "class": class_of(words[2], FILE_CLASS)})

    def QUERY_PATH_INFORMATION(self, words):
        return self.of_path(words[1], {
            "command": QUERY, "type": 1,
            "class": class_of(words[2], FILE_CLASS)})

    def QUERY_FS_INFORMATION(self, words):
        return self.of_path("", {
            "command": QUERY, "type": 2,
            "class": class_of(words[1], SPACE_CLASS)})

    def FIND_FIRST(self, words):
        directory, _, pattern = words[1].rpartition("\\")
        return self.of_path(directory, {
            "command": FIND, "pattern": pattern,
            "class": class_of(words[2], FIND_CLASS)})

    def Unlink(self, words):
        return self.of_path(words[1], deletes=DELETE_ON_CLOSE)

    def Rename(self, words):
        return self.of_path(words[1], {
            "command": SET, "class": RENAME, "name": name_of(words[2])})

    def Mkdir(self, words):
        return [opened(words[1], disposition=2, directory=DIRECTORY_FILE),
                dict(command=CLOSE)]


def read_load(path):
    with open(path, encoding="utf-8") as load:
        return [Operation(line.rstrip("\n")) for line in load if line.strip()
                and not line.startswith("#")]


# Words for a single bit of a recorded number, and the field that has it.
BITS = {"deletes": ("options", DELETE_ON_CLOSE),
        "directory": ("options", DIRECTORY_FILE),
        "unlock": ("flags", UNLOCK)}


def differences(wanted, found):
    """Describe how a request differs from the wanted one."""
    if wanted["command"] != found["command"]:
        return [f"{NAMES.get(found['command'], found['command'])} instead of "
                f"{NAMES[wanted['command']]}"]
    texts = []
    for word, value in wanted.items():
        field, bit = BITS.get(word, (word, None))
        got = found.get(field)
        if got is not None and bit is not None:
            got &= bit
        if got != value:
            texts.append(f"{NAMES[wanted['command']]} {word} {got} instead of "
                         f"{value}")
    return texts


class Comparison:
    def __init__(self, operations, messages):
        self.operations, self.messages = operations, messages
        self.files = {} # of the load's handles
        # The next message: before it, the user enters the run directory.
        self.at = next((at for at, message in enumerate(messages) if
                        message.requests[0].get("name", "")
                        .startswith("clients")), 0)
        self.begin = self.last = None
        self.trips = collections.Counter()  # messages, by kind
        self.counts = collections.Counter() # operations, by kind
        self.sent = collections.Counter()
        self.recorded = collections.Counter()
        self.shown = []
        self.texts = collections.Counter()

    def is_first(self, operation, message):
        """Does the operation begin with this message?"""
        if not operation.requests:
            return False
        wanted, found = operation.requests[0], message.requests[0]
        if wanted["command"] != found["command"]:
            return False
        if operation.handle is None:
            return wanted["name"].lower() == found["name"].lower()
        return found["file"] == self.files.get(operation.handle)

    def find(self, operation):
        end = min(self.at + WINDOW, len(self.messages))
        for index in range(self.at, end):
            if self.is_first(operation, self.messages[index]):
                return index
        return None

    def take(self, operation, index):
        """Return the requests of an operation whose first message has been
        found: all on the file that it opens, until its CLOSE."""
        message = self.messages[index]
        requests = list(message.requests)
        count = 1
        if operation.opens is not None:
            # A refused open may have been tried again in another way.
            while (message.file is None and operation.succeeds and
                   index + count < len(self.messages) and
                   self.is_first(operation, self.messages[index + count])):
                message = self.messages[index + count]
                requests += message.requests
                count += 1
            self.files[operation.opens] = message.file
        elif operation.handle is None and message.file is not None:
            while (requests[-1]["command"] != CLOSE and
                   index + count < len(self.messages) and
                   self.messages[index + count].requests[0].get("file") ==
                   message.file):
                requests += self.messages[index + count].requests
                count += 1
        return requests, count

    def judge(self, operation, requests, count, before):
        texts = []
        if before > 0:
            texts.append("other requests first")
        if count > 1:
            texts.append("several messages")
        for wanted, found in zip(operation.requests, requests):
            texts += differences(wanted, found)
        if len(requests) != len(operation.requests):
            texts.append(f"{len(requests)} requests instead of "
                         f"{len(operation.requests)}")
        return texts

    def note(self, operation, texts):
        for text in texts:
            text = re.sub(r"\b(name|pattern) .*", r"\1", text)
            self.texts[operation.kind, text] += 1
        if len(self.shown) < SHOWN:
            self.shown.append(f"{operation.line}: {'; '.join(texts)}")

    def play(self, operation):
        self.counts[operation.kind] += 1
        index = self.find(operation)
        if index is None:
            self.note(operation, ["no request"])
            return
        if self.begin is None:
            self.begin = self.at = index
        self.sent[operation.kind] += 1
        before = index - self.at
        requests, count = self.take(operation, index)
        texts = self.judge(operation, requests, count, before)
        self.trips[operation.kind] += before + count
        self.at = self.last = index + count
        if texts:
            self.note(operation, texts)
        else:
            self.recorded[operation.kind] += 1

    def run(self):
        for operation in self.operations:
            self.play(operation)
        if self.begin is None:
            sys.exit("the capture has no operation of the load")


def report(comparison):
    total = len(comparison.operations)
    percent = 100 * sum(comparison.recorded.values()) / total
    trips = (comparison.last - comparison.begin) / total
    print(f"operations {total}")
    print(f"sent {sum(comparison.sent.values())}")
    print(f"as recorded {percent:.3f} %")
    print(f"round trips {trips:.3f} per operation")
    print(f"\n{'operation':24} {'count':>8} {'sent':>8} {'as recorded':>12} "
          f"{'round trips':>12}")
    for kind, count in sorted(comparison.counts.items()):
        each = comparison.trips[kind] / max(1, comparison.sent[kind])
        print(f"{kind:24} {count:8} {comparison.sent[kind]:8} "
              f"{comparison.recorded[kind]:12} {each:12.2f}")
    for (kind, text), count in comparison.texts.most_common(SHOWN):
        print(f"{count:8} {kind}: {text}")
    print()
    for line in comparison.shown:
        print(line)
    return percent, trips


def main():
    if len(sys.argv) not in (4, 6):
        sys.exit(__doc__)
    messages = read_capture(sys.argv[2], sys.argv[3])
    unanswered = sum(not message.answered for message in messages)
    comparison = Comparison(read_load(sys.argv[1]), messages)
    comparison.run()
    print(f"messages {len(messages)}, {unanswered} without a reply")
    percent, trips = report(comparison)
    if len(sys.argv) == 6 and (percent < float(sys.argv[4]) or
                               trips > float(sys.argv[5])):
        sys.exit(1)


if __name__ == "__main__":
    main()
