# SPDX-License-Identifier: GPL-3.0-or-later
"""Make random system calls on files in the working directory:

    calls.py SEED COUNT [links]

There are few names, so calls meet each other's files, and many fail. Without
`links`, no hard links are made: a replay does not restore them.
"""
import fcntl
import os
import random
import sys

draw = random.Random(int(sys.argv[1]))
NAMES = [b'a', b'b', b'c', b'dir', b'sub', b'x y', b'caf\xc3\xa9', b'q"', b'client7']
files = []  # open descriptors


def path():
    return b'/'.join(draw.choice(NAMES) for _ in range(draw.choice([1, 1, 2, 2, 3])))


def size():
    return draw.choice([0, 1, 10, 100, 4096, 5000, 70000])


def a_file():
    return draw.choice(files)


def open_file():
    flags = draw.choice([os.O_RDONLY, os.O_WRONLY, os.O_RDWR])
    for flag in (os.O_CREAT, os.O_EXCL, os.O_TRUNC, os.O_APPEND, os.O_NOFOLLOW):
        if draw.random() < (0.6 if flag == os.O_CREAT else 0.15):
            flags |= flag
    if not flags & os.O_CREAT:
        flags &= ~os.O_EXCL
    if flags & os.O_ACCMODE == os.O_RDONLY:
        flags &= ~os.O_TRUNC
    files.append(os.open(path(), flags, 0o644))
    if len(files) > 12:
        os.close(files.pop(draw.randrange(len(files))))


def fork():
    child = os.fork()
    if child == 0:
        try:
            for _ in range(draw.randrange(6)):
                act()
        finally:
            os._exit(0)
    os.waitpid(child, 0)


def set_attribute():
    os.setxattr(path(), b'user.' + draw.choice([b'p', b'q']), b'v' * draw.choice([1, 20]))


def change_directory():
    old = os.open('.', os.O_RDONLY)
    try:
        os.chdir(path())
        for _ in range(3):
            act(small)
    finally:
        os.fchdir(old)
        os.close(old)


def scan():
    list(os.scandir(draw.choice([b'.', path()])))


def symlink():
    # More of them would leave few paths that lead anywhere.
    if draw.random() < 0.3:
        target = draw.choice(NAMES) if draw.random() < 0.7 else b'../' + path()
        os.symlink(target, path())


def lock():
    fcntl.lockf(a_file(), draw.choice([fcntl.LOCK_SH, fcntl.LOCK_EX, fcntl.LOCK_UN]) | fcntl.LOCK_NB,
                size(), size())


small = [
    lambda: os.stat(path()),
    lambda: os.lstat(path()),
    lambda: os.mkdir(path()),
    lambda: os.rmdir(path()),
    lambda: os.unlink(path()),
    lambda: os.rename(path(), path()),
    lambda: 'links' in sys.argv and os.link(path(), path()),
    symlink,
    lambda: os.readlink(path()),
    lambda: os.access(path(), draw.choice([os.F_OK, os.R_OK])),
    scan,
]
acts = small + [
    open_file, open_file, open_file,
    lambda: os.close(files.pop(draw.randrange(len(files)))),
    lambda: os.read(a_file(), size()),
    lambda: os.pread(a_file(), size(), size()),
    lambda: os.write(a_file(), b'w' * size()),
    lambda: os.pwrite(a_file(), b'p' * size(), size()),
    lambda: os.writev(a_file(), [b'1' * 10, b'2' * size()]),
    lambda: os.lseek(a_file(), size(), draw.choice([os.SEEK_SET, os.SEEK_CUR, os.SEEK_END])),
    lambda: os.ftruncate(a_file(), size()),
    lambda: os.truncate(path(), size()),
    lambda: os.fsync(a_file()),
    lambda: os.fdatasync(a_file()),
    lambda: os.fstat(a_file()),
    lambda: os.posix_fallocate(a_file(), size(), 1 + size()),
    lambda: files.append(os.dup(a_file())),
    lambda: os.copy_file_range(a_file(), a_file(), size(), size(), size()),
    lambda: os.chmod(path(), draw.choice([0o644, 0o600, 0o755])),
    lambda: os.utime(path()),
    lambda: os.statvfs(path()),
    set_attribute,
    lambda: os.getxattr(path(), b'user.p'),
    lambda: os.listxattr(path()),
    lambda: os.removexattr(path(), b'user.q'),
    lambda: os.replace(path(), path()),
    change_directory, fork, lock,
]


def act(choices=None):
    try:
        draw.choice(choices or acts)()
    except (OSError, IndexError, ValueError):
        pass


for _ in range(int(sys.argv[2])):
    act()
