# SPDX-License-Identifier: GPL-3.0-or-later
"""results-schema.py SCHEMA RESULT...: check that the results follow the schema,
that they have no other keys, and that the schema refuses each of their values in
another type, each missing key, and rates of what is not valid."""

import copy
import json
import sys

from jsonschema import Draft202012Validator

# Keys that may be absent, as the manual says.
OPTIONAL = {
    "peak", "usl", "peak_users", "sha256", "protection", "free_bytes",
    "client", "algorithm", "requests", "laid_out_bytes", "time_stamps_s", "restore_share",
    "stopped_by", "sweep", "variants", "set", "paced", "found_rate", "gave_up",
    "why", "response_p99_ms", "due", "service_ms", "lateness_ms",
    "unfinished_ms", "stood_still_s", "silent_s", "held_up_s", "label", "notes",
    "cold", "busy_before", "loop_s", "gain", "pair", "began_s",
    "histogram", "each", "weight", "load", "loads", "phases",
    "read_mb_per_s", "write_mb_per_s", "direction",
    "verified", "unreadable_files", "unreadable_bytes", "full_maps", "differences",
    "per_second", "p50", "p90", "p95", "p99", "p99_9", "max",
}
# The keys that all notices have. The others depend on the code.
NOTICE = {"code", "text"}
# Objects that may have any keys.
FREE = {"set", "options", "notes"}
RATES = {"mb_per_s", "read_mb_per_s", "write_mb_per_s", "ops_per_s"}
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
    """Copy a part of a result with one element of each shape in its lists."""
    if isinstance(part, dict):
        return {key: shortened(value) for key, value in part.items()}
    if isinstance(part, list):
        return list({shape(value): shortened(value)
                     for value in reversed(part)}.values())[::-1]
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
        while True:
            if isinstance(key, int) and "items" in rule:
                return rule["items"]
            if key in rule.get("properties", {}):
                return rule["properties"][key]
            if "additionalProperties" in rule:
                return rule["additionalProperties"]
            if "$ref" not in rule:
                return None
            rule = self.definitions[rule["$ref"].removeprefix("#/$defs/")]


def changes(schema, rule, part, changed, place=""):
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
        kind = inner, type(value)
        rule_within = schema.rule_of(rule, key)
        if rule_within is None:
            sys.exit(f"the schema does not describe {inner}")
        if kind not in changed and value is not None:
            changed.add(kind)
            part[key] = UNLIKE[type(value)]
            yield f"{inner} is {part[key]!r}", part, schema.validator(rule)
            if isinstance(part, dict) and key not in OPTIONAL and not (
                    "code" in part and key not in NOTICE):
                del part[key]
                yield f"{inner} is absent", part, schema.validator(rule)
            part[key] = value
        if isinstance(value, (dict, list)) and key not in FREE:
            yield from changes(schema, rule_within, value, changed, inner)


def rates_of(figures, place):
    """Yield each rate in the figures of a point or repeat and of their parts,
    as a place, an object and a key."""
    for key in RATES & figures.keys():
        yield f"{place}.{key}", figures, key
    for name in "operations", "phases", "loads":
        for part in figures.get(name, []):
            yield from rates_of(part, f"{place}.{name}[]")
    if "mb_per_s" in figures.get("per_second", {}):
        yield f"{place}.per_second.mb_per_s", figures["per_second"], "mb_per_s"
    for key in {"spread", "gain"} & figures.keys():
        yield f"{place}.{key}", figures, key


def check_rates(validator, figures, place, checked):
    """Check that the schema refuses the figures of a point or repeat that is not
    valid unless they have a reason and no rate at all, and those that are valid if
    they have a reason. Check each place of a rate only once for all results."""
    def expect(sound, what):
        if validator.is_valid(figures) != sound:
            sys.exit(f"the schema {'refuses' if sound else 'lets pass'} {what}")

    rates = list(rates_of(figures, place))
    if not figures["valid"] or checked.issuperset(rate[0] for rate in rates):
        return
    figures["invalid"] = [{"code": "stuck", "text": "x"}]
    expect(False, f"a valid {place} with a reason why it is not")
    figures["invalid"] = []
    figures["valid"] = False
    expect(False, f"an invalid {place} with rates and without a reason")
    figures["invalid"] = [{"code": "stuck", "text": "x"}]
    rates = [(name, part, key, part.pop(key)) for name, part, key in rates]
    expect(True, f"an invalid {place}")
    for name, part, key, rate in rates:
        if name not in checked:
            checked.add(name)
            part[key] = rate
            expect(False, f"an invalid {place} with {name}")
            del part[key]
    figures["invalid"] = []
    expect(False, f"an invalid {place} without a reason")


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        whole = json.load(file)
    Draft202012Validator.check_schema(whole)
    validator = Draft202012Validator(whole)
    schema = Schema(whole)

    changed, checked = set(), set()
    for path in sys.argv[2:]:
        with open(path, encoding="utf-8") as file:
            result = json.load(file)
        for error in validator.iter_errors(result):
            sys.exit(f"{path}: {error.json_path}: {error.message}")

        result = shortened(result)
        for change, part, of_part in changes(schema, whole, result, changed):
            if of_part.is_valid(part) and validator.is_valid(result):
                sys.exit(f"{path}: the schema lets pass that {change}")

        of_point = schema.validator(schema.definitions["point"])
        of_repeat = schema.validator(schema.definitions["repeat"])
        for point in result["points"]:
            for repeat in copy.deepcopy(point["repeats"]):
                check_rates(of_repeat, repeat, "repeat", checked)
            check_rates(of_point, point, "point", checked)
    print(f"{len(changed)} kinds of values, {len(checked)} rates")
    assert changed and checked


main()
