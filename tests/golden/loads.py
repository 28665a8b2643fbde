# SPDX-License-Identifier: GPL-3.0-or-later
"""loads.py THRONG WORK: compare what `throng check` prints of the loads in the
folders good and bad with the files `expect`; see tests/golden/loads. Use the
empty directory WORK."""

import difflib
import os
import re
import subprocess
import sys

HEADING = b"# throng loadfile, native dialect\n"
throng, work = sys.argv[1:]
failed = set()


def cases(folder):
    """Return the paths of the loadfiles by their cases."""
    found = {}
    for name in sorted(os.listdir(folder)):
        case = f"{folder}/{name}"
        [found[case]] = [f"{case}/{file}" for file in ("input", "input.gz")
                         if os.path.exists(f"{case}/{file}")]
    return found


def run_check(options, paths):
    return subprocess.run([throng, "check", *options, *paths],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def check(status, paths, *options):
    """Run `throng check` for all loadfiles at once. Expect this exit status.
    Return what it prints to stdout and to stderr."""
    done = run_check(options, paths.values())
    if done.returncode != status:
        for case, path in paths.items():
            alone = run_check(options, [path])
            if alone.returncode != status:
                print(f"{case}: exit status {alone.returncode} of check "
                      f"{options}\n{alone.stderr.decode(errors='replace')}")
        sys.exit(f"exit status {done.returncode} instead of {status}")
    return done.stdout, done.stderr


def divided(text, paths, beginning):
    """Divide an output among the cases. `beginning` returns how the first line
    about a loadfile begins."""
    parts = {case: b"" for case in paths}
    waiting = list(paths)
    case = None
    for line in text.splitlines(keepends=True):
        for found in waiting:
            if line.startswith(beginning(paths[found])):
                case = found
                del waiting[:waiting.index(found) + 1]
                break
        parts[case] += line
    return parts


def compare(case, name, expected, found):
    """Show the differences."""
    if expected == found:
        return
    failed.add(case)
    sys.stdout.writelines(difflib.unified_diff(
        *(text.decode(errors="backslashreplace").splitlines(keepends=True)
          for text in (expected, found)), f"{case}/{name}", "actual output"))


def compare_expected(case, found):
    path = f"{case}/expect"
    if os.environ.get("UPDATE"):
        with open(path, "wb") as file:
            file.write(found)
    expected = b""
    if os.path.exists(path):
        with open(path, "rb") as file:
            expected = file.read()
    compare(case, "expect", expected, found)


def describe(paths):
    """Return the descriptions and the printed forms of loads."""
    described, _ = check(0, paths)
    printed, _ = check(0, paths, "--print")
    return (divided(described, paths, lambda path: f"{path}\n".encode()),
            divided(printed, paths, lambda path: HEADING))


def without_form(description):
    """Remove from a description what may differ between a load and its printed
    form: its name, the dialect and the numbers of lines."""
    description = re.sub(rb"^.*\n(  dialect .*\n)?", b"", description)
    return re.sub(rb"up to line [0-9]+", b"up to line", description)


def check_good():
    paths = cases("good")
    described, printed = describe(paths)
    forms = {}
    for case, path in paths.items():
        name = os.path.basename(path).encode() + b"\n"
        compare_expected(case, name + described[case].partition(b"\n")[2] +
                         b"--\n" + printed[case])
        forms[case] = f"{work}/{os.path.basename(case)}"
        with open(forms[case], "wb") as file:
            file.write(printed[case])

    described_again, printed_again = describe(forms)
    for case in paths:
        compare(case, "its printed form", printed[case], printed_again[case])
        compare(case, "the description of its printed form",
                without_form(described[case]),
                without_form(described_again[case]))
    return len(paths)


def check_bad():
    paths = cases("bad")
    stdout, stderr = check(2, paths)
    accepted = divided(stdout, paths, lambda path: f"{path}\n".encode())
    refused = divided(stderr, paths, lambda path: f"throng: {path}".encode())
    for case, path in paths.items():
        folder = f"throng: {case}/".encode()
        compare_expected(case, re.sub(b"^" + re.escape(folder), b"throng: ",
                                      refused[case], flags=re.M))
        compare(case, "stdout", b"", accepted[case])
    return len(paths)


count = check_good() + check_bad()
for case in sorted(failed):
    print(f"FAILED {case}")
print(f"{count} cases, {len(failed)} failed")
sys.exit(bool(failed) or count == 0)
