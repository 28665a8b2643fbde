# SPDX-License-Identifier: GPL-3.0-or-later
"""results-schema.py SCHEMA RESULT...: check that the results follow the schema,
that they have no other keys, and that the schema refuses each of their values in
another type, each missing key, another scope, and rates of what is invalid."""

import json
import re
import sys

from jsonschema import Draft202012Validator

# Keys that may be absent, as the manual says. Of the figures, all but REQUIRED
# may be absent, too.
OPTIONAL = {
    "peak", "usl", "peak_users", "sha256", "protection", "free_bytes",
    "client", "algorithm", "requests", "laid_out_bytes", "time_stamps_s",
    "stopped_by", "sweep", "set", "open_loop", "gave_up", "why",
    "label", "notes", "tables", "cold", "busy_before", "gain", "pair", "weight", "load",
    "samples", "sample_points", "mean", "max",
    "phase", "operation", "direction", "better", "p99_ms", "mb_per_s", "spread",
    "ended", "user", "hosts", "launcher", "host",
}
REQUIRED = {
    "ops", "bytes", "errors", "mismatches", "time_s", "seconds", "loops",
    "skipped", "user_s", "system_s", "waits", "preemptions", "user_ops_min",
    "user_ops_median", "user_ops_max", "elapsed_s", "elapsed_user_min_s",
    "elapsed_user_max_s", "load_users", "host_users",
}
# The keys that all notices have. The others depend on the code.
NOTICE = {"code", "text"}
# Objects that may have any keys.
FREE = {"set", "options", "notes"}
RATES = {
    "mb_per_s", "read_mb_per_s", "write_mb_per_s", "ops_per_s", "items_per_s",
    "mb_per_s_min", "mb_per_s_max", "spread", "gain",
}
KEYS = "host", "load", "user", "phase", "operation"
# A value of another type.
UNLIKE = {str: 1, int: "1", float: "1", bool: 1, list: {}, dict: []}


def shape(part):
    """Return what keys a part of a result has, without their values."""
    if isinstance(part, dict):
        return frozenset((key, shape(value)) for key, value in part.items())
    if isinstance(part, list):
        return frozenset(shape(value) for value in part)
    return part if isinstance(part, bool) else None


def shortened(part):
    """Copy a part of a result with one element of each shape in its lists, but
    two if there were two or more: the schema wants as many of some lists."""
    if isinstance(part, dict):
        return {key: shortened(value) for key, value in part.items()}
    if isinstance(part, list):
        few = list({shape(value): shortened(value)
                    for value in reversed(part)}.values())[::-1]
        return few + [shortened(value) for value in part[1:2] if len(few) == 1]
    return part


class Schema:
    """A schema with the validators of its parts. Validating the part that was
    changed, rather than the result, saves most of the time."""

    def __init__(self, schema):
        self.definitions = schema["$defs"]
        self.validators = {}

    def validator(self, rule):
        """Return the validator of a part of the schema."""
        if id(rule) not in self.validators:
            self.validators[id(rule)] = Draft202012Validator(
                {**rule, "$defs": self.definitions})
        return self.validators[id(rule)]

    def rule_of(self, rule, key):
        """Return the part of the schema that describes an object's value or, if
        the key is a number, a list's element; or None."""
        if isinstance(key, int) and "items" in rule:
            return rule["items"]
        if isinstance(rule.get("properties", {}).get(key), dict):
            return rule["properties"][key]
        for pattern, found in rule.get("patternProperties", {}).items():
            if re.search(pattern, str(key)):
                return found
        if "additionalProperties" in rule:
            return rule["additionalProperties"]
        others = list(rule.get("allOf", []))
        if "$ref" in rule:
            others.append(self.definitions[
                rule["$ref"].removeprefix("#/$defs/")])
        found = (self.rule_of(other, key) for other in others)
        return next((rule for rule in found if rule is not None), None)


def changes(schema, rule, part, optional, changed, place=""):
    """Change each value of a part to another type, and remove each key, but only
    once for all elements of lists and all results. Yield what was changed, the
    part, and the validator that should refuse it then. `rule` is the part of the
    schema that describes it.

    The schema allows unknown keys, because later versions may add some, but this
    version must not write any."""
    keys = part if isinstance(part, dict) else range(len(part))
    for key in list(keys):
        value = part[key]
        inner = f"{place}.{key}" if isinstance(part, dict) else f"{place}[]"
        # The total of some loads has it, too.
        elapsed = key == "elapsed_s" and part["scope"] != "phase"
        kind = inner, type(value), elapsed
        rule_within = schema.rule_of(rule, key)
        if rule_within is None:
            sys.exit(f"the schema does not describe {inner}")
        if kind not in changed and value is not None:
            changed.add(kind)
            of_axis = str(key).startswith("set_")  # a number or a text
            part[key] = [] if of_axis else UNLIKE[type(value)]
            yield f"{inner} is {part[key]!r}", part, schema.validator(rule)
            # Counts of points are means or medians.
            if type(value) is int and not (
                    of_axis or "code" in part or "repeats" in part):
                part[key] = value + 0.5
                yield f"{inner} is not whole", part, schema.validator(rule)
            if isinstance(part, dict) and key not in optional and not (
                    of_axis or elapsed or "code" in part and key not in NOTICE):
                del part[key]
                yield f"{inner} is absent", part, schema.validator(rule)
            part[key] = value
        if isinstance(value, (dict, list)) and key not in FREE:
            yield from changes(schema, rule_within, value, optional, changed,
                               inner)


def check_rates(is_valid, row, checked):
    """Check that the schema refuses a row that is invalid if it has a rate, and
    one that is valid without its rates. The total of a point has reasons only if
    it is invalid. Check each key of a scope only once for all results."""
    def expect(sound, what):
        if is_valid(row) != sound:
            sys.exit(f"the schema {'refuses' if sound else 'lets pass'} {what}")

    rates = {key: row[key] for key in RATES & row.keys()}
    scope = row["scope"]
    reasons = "invalid" in row
    if not row["valid"] or not {(scope, key) for key in rates} - checked:
        return
    for key in rates:
        del row[key]
    expect(scope not in ("total", "operation"), f"a {scope} without rates")
    row["valid"] = False
    if reasons:
        expect(False, f"an invalid {scope} without a reason")
        row["invalid"] = [{"code": "stuck", "text": "x"}]
    expect(True, f"an invalid {scope}")
    for key, rate in rates.items():
        checked.add((scope, key))
        row[key] = rate
        expect(False, f"an invalid {scope} with {key}")
        del row[key]
    row["valid"] = True
    row.update(rates)
    if reasons:
        expect(False, f"a valid {scope} with a reason why it is not")


def check_scope(is_valid, row):
    """Check that the schema refuses a scope that does not fit the keys."""
    keys = [key for key in KEYS if key in row]
    assert row["scope"] == "/".join(keys) or (row["scope"], keys) == ("total", [])
    for scope in {"total", "x", "/".join(keys[::-1]), "/".join(keys[1:]),
                  *KEYS} - {row["scope"]}:
        if is_valid({**row, "scope": scope}):
            sys.exit(f"the schema lets pass {scope} instead of {row['scope']}")
    for key in KEYS:
        other = dict(row)
        if other.pop(key, None) is None:
            other[key] = 0 if key == "user" else "x"
        if is_valid(other):
            sys.exit(f"the schema lets pass a {row['scope']}, {key} changed")


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        whole = json.load(file)
    Draft202012Validator.check_schema(whole)
    validator = Draft202012Validator(whole)
    schema = Schema(whole)

    changed, checked, scopes = set(), set(), set()
    for path in sys.argv[2:]:
        with open(path, encoding="utf-8") as file:
            result = json.load(file)
        for error in validator.iter_errors(result):
            sys.exit(f"{path}: {error.json_path}: {error.message}")
        names = {figure["name"] for figure in result["figures"]}
        if names | {"valid", "direction"} != \
                schema.definitions["values"]["properties"].keys():
            sys.exit(f"{path}: the schema has other figures")

        result = shortened(result)
        assert validator.is_valid(result)
        for change, part, of_part in changes(
                schema, whole, result, OPTIONAL | names - REQUIRED, changed):
            if of_part.is_valid(part) and validator.is_valid(result):
                sys.exit(f"{path}: the schema lets pass that {change}")

        for name in "record", "point":
            is_valid = schema.validator(schema.definitions[name]).is_valid
            for row in result[name + "s"]:
                scopes.add(row["scope"])
                check_scope(is_valid, row)
                check_rates(is_valid, row, checked)
    print(f"{len(changed)} kinds of values, {len(checked)} rates, scopes: "
          f"{' '.join(sorted(scopes))}")
    assert changed and checked and len(scopes) >= 6


main()
