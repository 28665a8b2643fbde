#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""results-programs.py RESULT.json PREFIX: check PREFIX.bencher and so on, which
were written of this result, by the documented rules of what reads them."""

import csv
import datetime
import json
import math
import re
import sys

RESULT = json.load(open(sys.argv[1]))
FIGURES = {figure["name"]: figure for figure in RESULT["figures"]}
PREFIX = sys.argv[2]


def check(condition, what):
    if not condition:
        sys.exit(f"{PREFIX}: {what}")


def text_of(ending):
    with open(f"{PREFIX}.{ending}", encoding="utf-8", newline="") as file:
        return file.read()


def unique(pairs):
    check(len(dict(pairs)) == len(pairs), f"a key is there twice: {pairs}")
    return dict(pairs)


def is_number(value):
    return isinstance(value, (int, float)) and math.isfinite(value)


# dbench: a line per valid point, as its 4.0 prints it at the end.
LINE = re.compile(r"Throughput (\d+\.\d+) MB/sec(?: \(sync open\))?(?: \(sync dirs\))?  "
                  r"(\d+) clients  (\d+) procs  max_latency=(\d+\.\d{3}) ms")
points = [point for point in RESULT["points"] if point["scope"] == "total" and point["valid"]]
lines = [LINE.fullmatch(line) for line in text_of("dbench").splitlines()]
check(len(lines) == len(points) and all(lines), "other lines of dbench than points")
for line, point in zip(lines, points):
    check(int(line[2]) == int(line[3]) == point["users"], line[0])
    check(math.isclose(float(line[1]), point["mb_per_s"], rel_tol=1e-6, abs_tol=1e-3), line[0])
    check(math.isclose(float(line[4]), point["max_ms"], abs_tol=1e-3), line[0])

# Bencher: lengths of names, which must not be those of the built-in measures.
benchmarks = json.loads(text_of("bencher"), object_pairs_hook=unique)
for name, measures in benchmarks.items():
    check(0 < len(name.encode()) <= 1024 and name == name.strip() and name.isprintable(),
          f"benchmark {name!r}")
    for measure, values in measures.items():
        check(0 < len(measure) <= 64 and measure in FIGURES, f"measure {measure}")
        check(measure not in ("latency", "throughput"), measure)
        check(set(values) <= {"value", "lower_value", "upper_value"}, values)
        check("value" in values and all(map(is_number, values.values())), values)
        low = values.get("lower_value", values["value"])
        check(low <= values["value"] <= values.get("upper_value", values["value"]), values)

# github-action-benchmark: each value of Bencher is in one of two lists.
found = {}
for direction in "bigger", "smaller":
    for entry in json.loads(text_of(f"benchmark-{direction}"), object_pairs_hook=unique):
        check(set(entry) | {"range"} == {"name", "unit", "value", "range", "extra"}, entry)
        check(all(isinstance(entry[key], str) for key in entry if key != "value"), entry)
        check(not re.search("[`|]", entry["name"] + entry["extra"]), entry)
        check((entry["name"] + entry["extra"]).isprintable(), entry)
        figure = FIGURES[entry["name"].rpartition("/")[2]]
        check((figure.get("better") == "more") == (direction == "bigger"), entry)
        check(entry["unit"] == figure["unit"], entry)
        check(entry["name"] not in found, f"twice: {entry['name']}")
        found[entry["name"]] = entry["value"]
check(found == {f"{name}/{measure}": values["value"] for name, measures in benchmarks.items()
                for measure, values in measures.items()}, "other values than for Bencher")

# Otava: a time, and a number in each other cell.
head, *rows = csv.reader(text_of("otava").splitlines(keepends=True), strict=True)
check(head[0] == "time" and len(set(head)) == len(head), head)
check(rows and all(len(row) == len(head) for row in rows), "cells")
for row in rows:
    datetime.datetime.strptime(row[0], "%Y-%m-%dT%H:%M:%SZ")
    for name, cell in zip(head[1:], row[1:]):
        check(math.isclose(float(cell), found[name], rel_tol=1e-9, abs_tol=1e-9),
              f"{name}: {cell}")

# Prometheus: lines of text, each gauge described before its samples, which come
# together, and no sample twice.
LABEL = r'[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\[\\"n])*"'
SAMPLE = re.compile(rf"(throng_[a-z0-9_]+)(\{{{LABEL}(?:,{LABEL})*\}}) ([0-9.e+-]+)")
lines = text_of("prometheus").split("\n")
check(lines.pop() == "", "the last line has no end")
described, gauge, samples = [], None, set()
while lines:
    line = lines.pop(0)
    if line.startswith("#"):
        gauge = re.fullmatch(r"# HELP (\S+) \S.*", line)[1]
        check(lines.pop(0) == f"# TYPE {gauge} gauge", gauge)
        check(gauge not in described, f"{gauge} is described twice")
        described.append(gauge)
        continue
    sample = SAMPLE.fullmatch(line)
    check(sample and sample[1] == gauge, f"sample {line!r}")
    names = re.findall(r'([a-zA-Z0-9_]+)="', re.sub(r'\\.', "", sample[2]))
    check(len(set(names)) == len(names), f"a label is there twice: {line}")
    check(not re.search("_(s|ms|us|mb|count|sum|total|bucket)$", gauge), gauge)
    check((gauge, sample[2]) not in samples, f"twice: {line}")
    samples.add((gauge, sample[2]))
    float(sample[3])
check(len(samples) == len(found), "other samples than for Bencher")
