"""OSCAL catalogs of all exports: read and validated by compliance-trestle, and complete.

Usage: read_oscal.py FOLDER, with N.oscal.json and N.expected.json for each edition."""

import base64
import json
import pathlib
import re
import sys
from html.parser import HTMLParser

import cmarkgfm
from cmarkgfm.cmark import Options
from trestle.core.validator_factory import validator_factory
from trestle.oscal.catalog import Catalog

ACTIVE = re.compile(r"<(script|a|iframe|form|input|style|link|base|meta)\b|<[^>]*\son\w+=|<img[^>]*src=\"(?!#)")


class Text(HTMLParser):
    """The words of HTML."""

    def __init__(self):
        super().__init__()
        self.words = []

    def handle_data(self, data):
        self.words.append(data)


def html(prose):
    # OSCAL's prose has the tables of GitHub's Markdown, and not its links of bare addresses.
    written = cmarkgfm.markdown_to_html_with_extensions(prose, Options.CMARK_OPT_UNSAFE, ["table", "strikethrough"])
    assert not ACTIVE.search(written), written
    return written


def text(prose):
    reader = Text()
    reader.feed(html(prose))
    return "".join("".join(reader.words).split())


def parts(part):
    yield part
    for inner in part.parts or []:
        yield from parts(inner)


def local_id(props):
    return next((p.value for p in props or [] if p.name == "local_id"), None)


def read(folder, number, validator):
    path = folder / f"{number}.oscal.json"
    expected = json.loads((folder / f"{number}.expected.json").read_text())
    catalog = Catalog.oscal_read(path)
    assert validator.model_is_valid(catalog, True), path
    groups, controls, prose = {}, {}, {}

    def group(one):
        assert not (getattr(one, "groups", None) and getattr(one, "controls", None))
        if local_id(one.props):
            groups[local_id(one.props)] = one
        html(one.title)
        for part in one.parts or []:
            for inner in parts(part):
                prose[local_id(inner.props) or inner.id] = text(inner.prose or "")
        for inner in getattr(one, "groups", None) or []:
            group(getattr(inner, "root", inner))
        for control in getattr(one, "controls", None) or []:
            assert control.id not in controls
            controls[control.id] = control

    for one in catalog.groups or []:
        group(getattr(one, "root", one))
    assert set(groups) == {section["id"] for section in expected["sections"]}
    assert set(controls) == {provision["id"] for provision in expected["provisions"]}
    for provision in expected["provisions"]:
        control = controls[provision["id"]]
        said = "".join(text(inner.prose or "") for part in control.parts for inner in parts(part))
        assert said == "".join(provision["text"].split()), (said, provision)
        for parameter in control.params or []:
            one = getattr(parameter, "root", parameter)
            assert one.values and any(prop.name == "comparator" for prop in one.props)
    for kind in ("terms", "tables"):
        for one in expected[kind]:
            assert one["id"] in prose, (kind, one["id"])
    for table in expected["tables"]:
        for cell in table["cells"]:
            assert "".join(cell.split()) in prose[table["id"]], (table["id"], cell)
    resources = (catalog.back_matter.resources if catalog.back_matter else None) or []
    for resource in resources:
        assert base64.b64decode(resource.base64.value).startswith(b"\x89PNG")
    shown = set(re.findall(r"!\[[^\]]*\]\(#([0-9a-f-]+)\)", path.read_text()))
    assert shown == {resource.uuid for resource in resources}
    return len(controls), len(resources)


class Arguments:
    """What the validator of all rules is made for."""

    mode, verbose = "all", 0


folder = pathlib.Path(sys.argv[1])
validator = validator_factory.get(Arguments)
count = files = 0
numbers = range(len(json.loads((folder / "editions.json").read_text())))
for number in numbers:
    try:
        more, pictures = read(folder, number, validator)
    except AssertionError as error:
        raise SystemExit(f"{number}: {error!r}") from error
    count, files = count + more, files + pictures
print(f"{len(numbers)} catalogs, {count} controls, {files} pictures")
