# SPDX-License-Identifier: GPL-3.0-or-later
"""comparisons.py DIRECTORY: check that the files in DIRECTORY/CASE follow the rules
of their formats. Shorten the JSON to what its expected form has, and remove the
file "again", which must be equal to it, and the page."""

import json
import math
import os
import re
import sys
import xml.etree.ElementTree


def text_of(path):
    with open(path, encoding="utf-8", errors="surrogateescape",
              newline="") as file:
        return file.read()


def check_text(text, long_names):
    """Check that lines are folded, except those of tables with long names."""
    for line in text.split("\n"):
        assert len(os.fsencode(line)) <= 80 or \
            (long_names and re.match(r" *(users|\d+) ", line)), line
        assert not re.search(r"^::|[\0-\x1f\x7f]", line), line


def check_operations(text, comparison):
    """Check the table of operations: the three whose mean latency changed most at
    any point, the worst first."""
    means = [{(row["users"], row["operation"]): row["mean_ms"]
              for row in comparison[side]["points"]
              if row["scope"] == "operation"} for side in ("base", "new")]
    changes = [(means[1][key] / mean, key) for key, mean in means[0].items()]
    changes.sort(key=lambda change: abs(math.log(change[0])), reverse=True)
    wanted = [f"{key[0]} {key[1]} {ratio:.3f}"
              for ratio, key in sorted(changes[:3], reverse=True)]
    table = text[text.index("\noperations that changed most"):].splitlines()
    found = [re.sub(r" +(\S+) (.*?) +[\d.]+ .s +[\d.]+ .s (\S+)", r"\1 \2 \3", row)
             for row in table[3:]]
    assert found == wanted, (found, wanted)


def check_markdown(text):
    """Check that each row of a table has as many cells as its heading. Escaped
    pipes do not count."""
    tables = re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE)
    assert tables
    for table in tables:
        cells = {re.sub(r"\\.", "", row).count("|")
                 for row in table.splitlines()}
        assert len(cells) == 1, table


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


SVG = "{http://www.w3.org/1999/xhtml}"


def check_html(text, comparison):
    """Check that the page is well-formed, and that it has the answer, a dot per
    pair and what differs between the results."""
    page = xml.etree.ElementTree.fromstring(
        text.encode("utf-8", "replace").replace(b"<!DOCTYPE html>", b""))
    [headline] = page.iter(SVG + "h1")
    answer = {"pass": "no regression"}.get(comparison["answer"],
                                           comparison["answer"])
    if comparison["failures"] and answer != "regression":
        answer = "a --fail-if condition holds"
    assert headline[0].text == answer, headline[0].text

    [pairs] = [chart for chart in page.iter(SVG + "svg")
               if chart.get("aria-labelledby").startswith("pairs-")]
    dots = [circle[0].text for circle in pairs.iter(SVG + "circle")]
    wanted = []
    for point in comparison["points"]:
        samples = point["base_samples"], point["new_samples"]
        if comparison["paired"]:
            wanted += [new / base for base, new in zip(*samples)]
        else:
            wanted += [value / point["base"] for side in samples
                       for value in side]
    assert sorted(dots) == sorted(f"{ratio:.3f}" for ratio in wanted), dots
    intervals = [path for path in pairs.iter(SVG + "path")
                 if "interval" in path.get("class", "")]
    assert len(intervals) == sum("low" in point or "high" in point
                                 for point in comparison["points"])

    [configuration] = [section for section in page.iter(SVG + "section")
                       if section[0].text == "Configuration"]
    shown = "".join(configuration.itertext())
    runs = [comparison[side]["run"] for side in ("base", "new")]
    facts = [run["label"] for run in runs if "label" in run]
    facts += [value for run in runs for value in run.get("notes", {}).values()]
    if runs[0]["host"] != runs[1]["host"]:
        facts += [run["host"] for run in runs]
    for fact in facts:
        assert plain(fact) in shown, (fact, shown)


def main():
    for name in sorted(os.listdir(sys.argv[1])):
        print(name, flush=True)
        os.chdir(os.path.join(sys.argv[1], name))
        comparison = json.loads(text_of("json"))
        check_text(text_of("text"),
                   any(len(point["metric"]) > 20
                       for point in comparison["points"]))
        assert ("\nadvice " in text_of("text")) == \
            (comparison["answer"] == "inconclusive")
        if name != "hostile":
            check_operations(text_of("text"), comparison)
        check_markdown(text_of("markdown"))
        check_html(text_of("html"), comparison)
        os.remove("html")
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
