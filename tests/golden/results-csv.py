# SPDX-License-Identifier: GPL-3.0-or-later
"""results-csv.py [CSV RESULT]...: check that Python's CSV reader accepts the CSV,
that each line has all columns, and that the values match those in the result."""

import csv
import io
import json
import sys


def cell(name):
    """Return a name as it is in a cell: on one line, and not a formula."""
    name = "".join("?" if char < " " else char for char in name)
    return "'" + name if name[:1] in tuple("=+-@") else name


def check_row(row, run, point, repeat, part, operation):
    """Check a row. `part` is the point or a repeat of it; `operation` is one of
    its operations or, for the row of all operations, `part`."""
    axes = point.get("set", {})
    whole = operation is part
    valid = part["valid"]
    assert row["users"] == str(point["users"]) and row["repeat"] == repeat
    assert all(row[cell(name)] == cell(axes[name]) for name in axes)
    assert row["valid"] == ("true" if valid else "false")
    assert row["operation"] == ("all" if whole else cell(operation["name"]))
    expected = {
        "count": operation["ops" if whole else "count"],
        "bytes": operation["bytes"],
        "errors": operation["errors"],
        "mismatches": operation["mismatches"],
    }
    for name in "mean", "p50", "p90", "p95", "p99", "p99_9", "max":
        expected[name + "_ms"] = operation["latency_ms"].get(name)
    for name in "mb_per_s", "ops_per_s":
        expected[name] = operation[name] if valid else None
    for name in "read_mb_per_s", "write_mb_per_s":
        expected[name] = part.get(name) if whole else None
    for name in "seconds", "skipped", "loops":
        expected[name] = part[name] if whole else None
    for name in "user_s", "system_s", "utilisation", "per_op_us":
        expected["client_" + name] = \
            part["client_cpu"][name] if whole else None
    due = part.get("due", {}) if whole else {}
    expected["due_per_s"] = due.get("per_s")
    expected["ended_share"] = due.get("ended_share")
    for name in "service", "lateness":
        times = part.get(name + "_ms", {}) if whole else {}
        for figure in "p50", "p99", "max":
            expected[name + "_" + figure + "_ms"] = times.get(figure)
    texts = {"note:" + key: value
             for key, value in run.get("notes", {}).items()}
    if "label" in run:
        texts["label"] = run["label"]
    for name, value in texts.items():
        assert row[cell(name)] == cell(value), (row, name, value)
    assert set(expected) == set(row) - {"users", "repeat", "valid",
                                        "operation", *map(cell, texts),
                                        *map(cell, axes)}
    for name, value in expected.items():
        if value is None:
            assert row[name] == "", (row, name)
        else:
            assert abs(float(row[name]) - value) <= 1e-6, (row, name, value)


def check(table, result):
    with open(table, newline="", encoding="utf-8") as file:
        data = file.read()
    assert data.endswith("\r\n") and "\r\r" not in data
    rows = list(csv.DictReader(io.StringIO(data, newline=""), strict=True))
    assert all(None not in row and None not in row.values() for row in rows)

    with open(result, encoding="utf-8") as file:
        result = json.load(file)
    rows = iter(rows)
    for point in result["points"]:
        parts = [("all", point)]
        parts += [(str(i + 1), part) for i, part in enumerate(point["repeats"])]
        for repeat, part in parts:
            for operation in [part] + part["operations"]:
                check_row(next(rows), result["run"], point, repeat, part,
                          operation)
    assert next(rows, None) is None


for table, result in zip(sys.argv[1::2], sys.argv[2::2], strict=True):
    print(table, flush=True)
    check(table, result)
