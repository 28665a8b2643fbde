# SPDX-License-Identifier: GPL-3.0-or-later
"""pages.py FILE...: check that pages are well-formed XML, need no other files, and
have their headings in order."""

import re
import sys
import xml.etree.ElementTree

XHTML = "{http://www.w3.org/1999/xhtml}"


def check_references(root):
    """Check that the page has no scripts and fetches nothing. Links lead to IDs
    in the page."""
    ids = [e.get("id") for e in root.iter() if e.get("id")]
    assert len(ids) == len(set(ids)), f"ids are not unique: {ids}"
    for e in root.iter():
        name = e.tag.removeprefix(XHTML)
        assert name not in ("script", "iframe", "img", "object", "embed", "use",
                            "image", "foreignObject", "base", "form"), name
        for key, value in e.items():
            assert not key.startswith("on"), key
            assert key not in ("src", "srcset", "action", "data"), key
            if key.endswith("href"):
                assert value == "data:," or value[1:] in ids, value
            assert "url(" not in value, value
    style = root.find(f"{XHTML}head/{XHTML}style").text
    assert not re.search(r"url\(|@import|/\*", style), "the style sheet"


def check_headings(root):
    """Check that there is one h1 heading, and that no level is skipped."""
    levels = [int(e.tag[-1]) for e in root.iter()
              if re.fullmatch(XHTML + "h[1-6]", e.tag)]
    assert levels[0] == 1 and levels.count(1) == 1, levels
    assert all(b <= a + 1 for a, b in zip(levels, levels[1:])), levels


def check_drawings(root):
    """Check that each drawing has a title, and that all numbers are finite."""
    for svg in root.iter(XHTML + "svg"):
        assert svg.get("role") == "img"
        assert svg[0].tag == XHTML + "title" and svg[0].text
        for e in svg.iter():
            for value in e.attrib.values():
                assert not re.search(r"\b(nan|inf)\b", value), value
    for e in root.iter():
        assert not re.search(r"\b(nan|inf|null)\b", e.text or ""), e.text


for path in sys.argv[1:]:
    print(path, flush=True)
    with open(path, encoding="utf-8") as file:
        page = file.read()
    assert "default-src 'none'" in page
    root = xml.etree.ElementTree.fromstring(page.encode())
    check_references(root)
    check_headings(root)
    check_drawings(root)
