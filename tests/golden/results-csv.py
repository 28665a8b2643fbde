# SPDX-License-Identifier: GPL-3.0-or-later
"""results-csv.py [CSV RESULT]...: check that Python's CSV reader accepts the CSV,
that each line has all columns, and that its lines are the rows of the result: of
each point its own, then those of its repeats."""

import csv
import io
import json
import math
import sys


def cell(name):
    """Return a name as it is in a cell: on one line, and not a formula."""
    name = "".join("?" if char < " " else char for char in name)
    return "'" + name if name[:1] in tuple("=+-@") else name


def axes(row):
    """Return the names of the columns that say which point a row is about."""
    return ["users"] + [key for key in row if key.startswith("set_")]


def rows_of(result):
    """Yield the rows of the result in the order of the lines."""
    done = []
    for point in result["points"]:
        place = [point[key] for key in axes(point)]
        if place in done:
            continue
        done.append(place)
        for part in "points", "records":
            yield from (row for row in result[part]
                        if [row[key] for key in axes(point)] == place)


def samples_of(result, row):
    """Return the values of the columns for samples: those of a row's point or
    repeat, if the row is its total."""
    place = [row[key] for key in axes(row)] + [row.get("repeat")]
    rows = result.get("sample_points", []) + result.get("samples", [])
    return {part + sample["name"]: sample.get(key) for sample in rows
            for part, key in (("sample:", "mean"), ("sample_max:", "max"))
            if row["scope"] == "total" and place ==
            [sample[key] for key in axes(row)] + [sample.get("repeat")]}


def check_row(line, row, columns):
    """Check a line. The columns have the names of the keys."""
    for column, key in columns.items():
        found, value = line[column], row.get(key)
        if isinstance(value, bool):
            assert found == ("true" if value else "false"), (line, key, value)
        elif isinstance(value, str):
            assert found == cell(value), (line, key, value)
        elif value is None:
            assert found == "", (line, key)
        else:
            assert math.isclose(float(found), value, rel_tol=1e-14,
                                abs_tol=1e-9), (line, key, value)


def check(table, result):
    with open(table, newline="", encoding="utf-8") as file:
        data = file.read()
    assert data.endswith("\r\n") and "\r\r" not in data
    lines = list(csv.DictReader(io.StringIO(data, newline=""), strict=True))
    assert all(None not in line and None not in line.values()
               for line in lines)

    with open(result, encoding="utf-8") as file:
        result = json.load(file)
    rows = list(rows_of(result))
    keys = [*axes(rows[0]), "repeat", "scope", "host", "load", "user",
            "phase", "operation", "valid"]
    keys += [figure["name"] for figure in result["figures"]]
    texts = {"note:" + key: value
             for key, value in result["run"].get("notes", {}).items()}
    if "label" in result["run"]:
        texts = {"label": result["run"]["label"], **texts}
    names = [sample["name"] for sample in result["run"]["plan"].get("samples", [])]
    samples = [part + name for name in names
               for part in ("sample:", "sample_max:")]
    columns = {cell(key): key for key in [*keys, *texts, *samples]}
    assert list(lines[0]) == list(columns), set(lines[0]) ^ set(columns)
    assert len(rows) == len(result["points"]) + len(result["records"])
    for line, row in zip(lines, rows, strict=True):
        check_row(line, {**row, **texts, **samples_of(result, row)}, columns)


for table, result in zip(sys.argv[1::2], sys.argv[2::2], strict=True):
    print(table, flush=True)
    check(table, result)
