# SPDX-License-Identifier: GPL-3.0-or-later
"""refused.py READ-FILES KIND FILE TABLE: check that files which are wrong are
refused with the right message.

A line of TABLE is a Python statement and a message, with a tab between. The
statement breaks `x`, which is what FILE holds; its objects have attributes. It is
written to a file, which READ-FILES (read-files.c) must refuse with this message.
"""

import json
import os
import subprocess
import sys
from types import SimpleNamespace


def like(sound, **values):
    """Copy an object, with some of its values replaced or added."""
    return SimpleNamespace(**{**vars(sound), **values})


def main():
    read_files, kind, sound, table = sys.argv[1:]
    with open(sound, encoding="utf-8") as file:
        sound = file.read()
    with open(table, encoding="utf-8") as lines:
        rows = [line.rstrip("\n").split("\t") for line in lines
                if not line.startswith("#")]
    names = [f"{number}.json" for number in range(len(rows))]
    for (statement, _), name in zip(rows, names):
        named = {"x": json.loads(
            sound, object_hook=lambda keys: SimpleNamespace(**keys)),
            "like": like}
        exec(compile(statement, statement, "exec"), named)
        with open(name, "w", encoding="utf-8") as file:
            file.write(json.dumps(named["x"], default=vars))

    found = subprocess.run([read_files, kind, *names], check=True, text=True,
                           stdout=subprocess.PIPE).stdout.splitlines()
    wrong = 0
    for (statement, message), name, line in zip(rows, names, found,
                                                strict=True):
        if line != f"{name}: {message}":
            wrong += 1
            print(f"{statement}\n  expected {message}\n  found    "
                  f"{line.removeprefix(name + ': ')}")
        os.remove(name)
    print(f"{len(rows)} changes, {wrong} wrong")
    sys.exit(wrong > 0 or not rows)


main()
