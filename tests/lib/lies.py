#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Check that runs have found the lies of their target: lies.py DIRECTORY RUNS

For each run N from 1, the directory has N.told, the log of liar-preload, and what
throng printed (N.out) and saved (N.json).
"""

import collections
import json
import sys


def kinds_of(lie, before):
    """Return the kinds of differences that a lie makes. A write that was dropped
    leaves what was there before. If that was the end of the file, a later write
    may have left a hole."""
    if lie in ("bit", "zeros", "other-user"):
        return {lie}
    if lie == "stale":
        return {"earlier-write"}
    if lie in ("exchanged", "misplaced"):
        return {"other-offset"}
    return {"data": {"earlier-write"}, "zeros": {"zeros"},
            "end": {"short", "zeros"},
            "part": {"short", "zeros", "earlier-write"}}[before]


def wrong_in(told, differences, text):
    """Return what is wrong with the differences that a run has found, or None."""
    lie, offset, length, before, path = told.split(maxsplit=4)
    offset, length = int(offset), int(length)
    if not differences:
        return "nothing was found"
    if not all(path.endswith("/" + found["file"]) for found in differences):
        return "another file is named"
    first = differences[0]
    # A read may have returned only a few of the wrong bytes, too few to tell
    # where they are from.
    if first["kind"] not in kinds_of(lie, before) and not (
            first["length"] < 32 and
            first["kind"] in ("foreign", "zeros", "bit")):
        return "the kind is wrong"
    if not (first["offset"] < offset + length and
            first["offset"] + first["length"] > offset):
        return "the place is wrong"
    if first["looks_like"] not in text:
        return "the text does not say it"
    return None


def main():
    directory, runs = sys.argv[1], int(sys.argv[2])
    summary = collections.Counter()
    status = 0
    for run in range(1, runs + 1):
        name = f"{directory}/{run}"
        with open(name + ".told", encoding="utf-8") as file:
            told = file.readline().rstrip("\n")
        with open(name + ".out", encoding="utf-8") as file:
            text = file.read()
        with open(name + ".json", encoding="utf-8") as file:
            differences = json.load(file)["differences"]
        wrong = wrong_in(told, differences, text)
        if wrong:
            print(f"run {run}: {wrong}: {told}\n{json.dumps(differences)}\n{text}")
            status = 1
            continue
        first = differences[0]
        summary[told.split()[0] + ": " + first["kind"] + (
            " when read back" if first.get("read_back") else "")] += 1
    for found, count in sorted(summary.items()):
        print(f"{count:7} {found}")
    return status


if __name__ == "__main__":
    sys.exit(main())
