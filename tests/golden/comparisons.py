# SPDX-License-Identifier: GPL-3.0-or-later
"""comparisons.py DIRECTORY: check that the files in DIRECTORY/CASE follow the rules
of their formats. Shorten the JSON to what its expected form has, and remove the
file "again", which must be equal to it."""

import json
import os
import re
import sys
import xml.etree.ElementTree


def text_of(path):
    with open(path, encoding="utf-8", errors="surrogateescape",
              newline="") as file:
        return file.read()


def check_text(text):
    for line in text.split("\n"):
        assert len(os.fsencode(line)) <= 80, line
        assert not re.search(r"^::|[\0-\x1f\x7f]", line), line


def check_markdown(text):
    """Check that each row has as many cells as the heading. Escaped pipes do
    not count."""
    rows = [line for line in text.split("\n") if line.startswith("|")]
    assert rows
    for row in rows:
        assert re.sub(r"\\.", "", row).count("|") == 8, row


def check_github(text):
    assert text.endswith("\n")
    for line in text[:-1].split("\n"):
        assert re.fullmatch(r"::(error|warning|notice) title=[^:,]*"
                            r"::[^\0-\x1f\x7f]+", line), line


def plain(text):
    """Return a text from the JSON as escaped in XML: controls as numbers."""
    return re.sub("[\0-\x1f\x7f\ufffe\uffff]", lambda match: "\\%s%02X" % (
        "x" if match[0] < "\x80" else "u", ord(match[0])), text)


def in_utf8(text):
    """Replace escaped bytes that are not UTF-8 with a question mark, as JSON
    does."""
    return re.sub(r"\\x[89A-F].", "?", text)


def check_junit(text, comparison):
    suites = xml.etree.ElementTree.fromstring(text.encode())
    assert suites.tag == "testsuites"
    [suite] = suites
    for count, path in (("tests", "testcase"), ("failures", "testcase/failure"),
                        ("errors", "testcase/error"),
                        ("skipped", "testcase/skipped")):
        assert int(suite.get(count)) == len(suite.findall(path)), count

    tests = suite.findall("testcase")
    elements = {"pass": [], "regression": ["failure"],
                "inconclusive": ["error"]}
    for point, test in zip(comparison["points"], tests):
        assert test.get("name").startswith(plain(point["metric"])), test.attrib
        assert [part.tag for part in test] == elements[point["verdict"]]
    limits = tests[len(comparison["points"]):]
    assert [test.get("name") for test in limits] == \
        [plain(text) for text in comparison["failures"]]
    names = {part.get("name"): part.get("value")
             for part in suite.iter("property")}
    assert in_utf8(names["base"]) == plain(comparison["base_name"])
    assert in_utf8(names["new"]) == plain(comparison["new_name"])


def main():
    for name in sorted(os.listdir(sys.argv[1])):
        print(name, flush=True)
        os.chdir(os.path.join(sys.argv[1], name))
        comparison = json.loads(text_of("json"))
        check_text(text_of("text"))
        check_markdown(text_of("markdown"))
        check_github(text_of("github"))
        check_junit(text_of("junit"), comparison)
        assert text_of("again") == text_of("json"), "the JSON that was read"
        os.remove("again")
        # results:convert checks what is in a result.
        for side in "base", "new":
            result = comparison[side]
            comparison[side] = {"schema": result["schema"],
                                "plan": result["run"]["plan"]}
        with open("json", "w", encoding="utf-8") as file:
            json.dump(comparison, file, indent=2, ensure_ascii=False)
            file.write("\n")


main()
