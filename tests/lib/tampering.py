#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""tests/lib/tampering.py THRONG STATE TARGET RUNS SEED: tamper with the files of
a run, and expect that "throng verify" finds it.

RUNS times, change something at random in a copy of the directory TARGET, where
a run with "--keep --state STATE" has left its files, and call "throng verify".
It must name the file if the state says that what was changed must be there, and
must find nothing if it says that it is unknown. Print how often each kind of
change was found. Exit with status 1 if a call did not end as it must.
"""

import collections
import glob
import os
import random
import re
import shutil
import subprocess
import sys


class File:
    """A file of the state: its names, and which of its bytes must be there."""

    def __init__(self, size, exact):
        self.size, self.exact = size, exact
        self.names = []  # (must, path)
        self.must, self.may = [], []  # (from, to)


def read_state(name):
    files = []
    with open(name, encoding="ascii") as state:
        for line in state:
            words = line.split(maxsplit=2)
            if words[0] == "file":
                files.append(File(int(words[1]), words[2] == "exact\n"))
            elif words[0] == "name":
                files[-1].names.append((words[1] == "must", words[2][1:-2]))
            elif words[0] in ("must", "may"):
                found = re.match(r"\w+ (\d+) (\d+) ", line).groups()
                getattr(files[-1], words[0]).append(tuple(map(int, found)))
    return files


def read(path):
    """Return what is in a regular file, or None if it is none."""
    if os.path.islink(path) or not os.path.isfile(path):
        return None
    with open(path, "rb") as file:
        return file.read()


def differ(ranges, old, new):
    return any(old[first:end] != new[first:end] for first, end in ranges)


def must_find(file, before, after):
    """Return True if the changes to a file must be found, False if they must
    not, and None if both are right, as an older version may be there. The bytes
    in a file are compared by its first name that must be there, if any must."""
    either = False
    first = next((name for must, name in file.names if must),
                 file.names[0][1])
    for must, path in file.names:
        old, new = (read(os.path.join(top, path)) for top in (before, after))
        if old is None or old == new:
            continue
        if new is None:
            if must:
                return True
            # Another kind of file may be a finding, too.
            either = True
        elif path != first:
            # Is it another file now?
            if not os.path.samefile(os.path.join(after, path),
                                    os.path.join(after, first)):
                if must:
                    return True
                either = True
        elif differ(file.must, old, new) or \
                file.exact and len(new) != file.size:
            return True
        elif differ(file.may, old, new):
            either = True
    return None if either else False


def block(data):
    """Return the first and the last offset of a part of the data."""
    first = random.randrange(len(data))
    return first, min(first + random.choice((1, 16, 512, 5000)), len(data))


def overwrite(path, make):
    """Overwrite a block of a file with bytes that make() returns."""
    data = read(path)
    first, end = block(data)
    with open(path, "r+b") as file:
        file.seek(first)
        file.write(make(data, first, end))


def flip_bit(path, _):
    overwrite(path, lambda data, first, end:
              bytes((data[first] ^ 1 << random.randrange(8),)))


def put_zeros(path, _):
    overwrite(path, lambda data, first, end: bytes(end - first))


def put_garbage(path, _):
    overwrite(path, lambda data, first, end: random.randbytes(end - first))


def put_own_data(path, _):
    """Repeat what is at another offset of the file."""
    def other(data, first, end):
        at = random.randrange(len(data) - (end - first) + 1)
        return data[at:at + end - first]
    overwrite(path, other)


def cut(path, _):
    os.truncate(path, random.randrange(os.path.getsize(path)))


def grow(path, _):
    with open(path, "ab") as file:
        file.write(random.choice((bytes, random.randbytes))(
            random.randrange(1, 9999)))


def remove(path, _):
    os.unlink(path)


def put_other_file(path, other):
    data = read(other)  # first, as both may be names of one file
    with open(path, "wb") as file:
        file.write(data)


def exchange(path, other):
    os.rename(path, path + ".old")
    os.rename(other, path)
    os.rename(path + ".old", other)


def put_directory(path, _):
    os.unlink(path)
    os.mkdir(path)


def put_link(path, other):
    """Replace a file by a symbolic link to a copy of it."""
    os.rename(path, path + ".old")
    os.symlink(os.path.basename(path) + ".old", path)


CHANGES = (flip_bit, put_zeros, put_garbage, put_own_data, cut, grow, remove,
           put_other_file, exchange, put_directory, put_link)


def main():
    throng, state, target = sys.argv[1:4]
    runs = int(sys.argv[4])
    random.seed(int(sys.argv[5]))
    files = read_state(state)
    copy = target + ".copy"
    # A run plays in a directory of its own, to which these paths are relative.
    played = (glob.glob(os.path.join(target, "throng-????????")) or [target])[0]
    copied = copy + played[len(target):]
    paths = [path for file in files for _, path in file.names
             if read(os.path.join(played, path))]
    counts = collections.Counter()
    status = 0
    for run in range(runs):
        change = CHANGES[run % len(CHANGES)]
        # With hard links: all names of a file change together.
        subprocess.run(["cp", "-a", target, copy], check=True)
        path, other = random.sample(paths, 2)
        change(os.path.join(copied, path), os.path.join(copied, other))
        expected = [must_find(file, played, copied) for file in files]
        check = subprocess.run([throng, "verify", "--state", state, copy],
                               capture_output=True, check=False, text=True)
        changed = [name for file in files for _, name in file.names
                   if {path, other} & {name for _, name in file.names}]
        named = any('"%s"' % name in check.stdout for name in changed)
        if True in expected:
            right = check.returncode == 1 and named
        elif None in expected:
            right = check.returncode == (1 if named else 0)
        else:
            right = check.returncode == 0
        counts[change.__name__, "found" if check.returncode else
               "unknown"] += 1
        if not right:
            print("%s of %s (%s): must be found: %s; exit status %d\n%s%s" %
                  (change.__name__, path, other, expected, check.returncode,
                   check.stdout, check.stderr))
            status = 1
        shutil.rmtree(copy)
    for (name, result), count in sorted(counts.items()):
        print("%-15s %-8s%4d" % (name, result, count))
    return status


if __name__ == "__main__":
    sys.exit(main())
