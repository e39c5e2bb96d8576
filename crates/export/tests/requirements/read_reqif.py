"""ReqIF of all exports: valid against the OMG's schema, read by `reqif`, and complete.

Usage: read_reqif.py FOLDER, with N.reqif, N.reqifz and N.expected.json for each edition."""

import io
import json
import pathlib
import re
import sys
import tempfile
import zipfile
from collections import Counter

import reqif
from lxml import etree
from reqif.parser import ReqIFParser

SCHEMA = pathlib.Path(reqif.__file__).parent / "reqif_schema" / "reqif.xsd"
XHTML = "{http://www.w3.org/1999/xhtml}"
# XHTML that runs, loads or leads elsewhere.
ACTIVE = {"script", "a", "img", "iframe", "embed", "form", "input", "style", "link", "base", "meta"}


XML_NAMESPACE = """<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"
 targetNamespace="http://www.w3.org/XML/1998/namespace"><xs:attribute name="lang" type="xs:string"/>
<xs:attribute name="space" type="xs:NCName"/><xs:attribute name="base" type="xs:anyURI"/></xs:schema>"""


def schema():
    """The schema of the OMG. Its imports name files on the web, which the package has, and none for XML's own
    attributes, which follow above."""
    root = pathlib.Path(tempfile.mkdtemp())
    for path in SCHEMA.parent.rglob("*.xsd"):
        text = path.read_text().replace('schemaLocation=""', 'schemaLocation="xml.xsd"')
        text = re.sub(r'schemaLocation="[^"]*/', 'schemaLocation="', text)
        (root / path.name).write_text(text)
    (root / "xml.xsd").write_text(XML_NAMESPACE)
    return etree.XMLSchema(etree.parse(str(root / "reqif.xsd"), etree.XMLParser(no_network=True)))


def dense(text):
    return "".join(text.split())


def words(text):
    return Counter("".join(c if c.isalnum() else " " for c in text).split())


def read(folder, number, validator):
    expected = json.loads((folder / f"{number}.expected.json").read_text())
    plain = (folder / f"{number}.reqif").read_bytes()
    package = zipfile.ZipFile(folder / f"{number}.reqifz")
    for bytes_ in (plain, package.read("standard.reqif")):
        validator.assertValid(etree.parse(io.BytesIO(bytes_)))
    alone = ReqIFParser.parse(str(folder / f"{number}.reqif")).core_content.req_if_content
    unpacked = folder / "standard.reqif"
    unpacked.write_bytes(package.read("standard.reqif"))
    bundle = ReqIFParser.parse(str(unpacked))
    content = bundle.core_content.req_if_content
    assert [o.identifier for o in alone.spec_objects] == [o.identifier for o in content.spec_objects]
    assert len(content.specifications) == 1
    objects = {}
    for spec_object in content.spec_objects:
        values = {a.definition_ref.removeprefix("_norma_a_"): a.value for a in spec_object.attributes}
        assert spec_object.identifier not in objects, spec_object.identifier
        objects[spec_object.identifier] = values
        assert values["foreign_id"] == spec_object.identifier[1:]
    hierarchy = [node.spec_object for node in bundle.iterate_specification_hierarchy(content.specifications[0])]
    assert hierarchy == list(objects), "the hierarchy has each object once, in its order"
    assert content.spec_relations is not None

    tree = etree.fromstring(package.read("standard.reqif"))
    assert not {element.tag for element in tree.iter() if str(element.tag).removeprefix(XHTML) in ACTIVE
                and str(element.tag).startswith(XHTML)}
    by_id = {}
    for values in objects.values():
        if "local_id" in values:
            assert (values["kind"], values["local_id"]) not in by_id
            by_id[(values["kind"], values["local_id"])] = values
    check(expected, by_id)
    shown = {o.get("data") for o in tree.iter(f"{XHTML}object")}
    files = set(package.namelist()) - {"standard.reqif"}
    assert files == shown, files ^ shown
    return len(objects), len(files)


BLOCKS = {f"{XHTML}{name}" for name in ("p", "div", "li", "td", "th", "tr", "pre", "br")}


def text_of(values):
    def walk(element):
        # The words of a picture, which is in the package.
        if element.tag == f"{XHTML}object":
            return ""
        around = " " if element.tag in BLOCKS else ""
        inner = "".join(walk(child) + (child.tail or "") for child in element)
        return around + (element.text or "") + inner + around

    return walk(etree.fromstring(f"<r xmlns:xhtml='http://www.w3.org/1999/xhtml'>{values['text']}</r>"))


def check(expected, by_id):
    for section in expected["sections"]:
        values = by_id["heading", section["id"]]
        assert dense(section["title"] or "") in dense("".join(etree.fromstring(
            f"<r xmlns:xhtml='http://www.w3.org/1999/xhtml'>{values['chapter_name']}</r>").itertext())), section
    for provision in expected["provisions"]:
        values = by_id["provision", provision["id"]]
        # What is raised is shown so, and the sign for it is not.
        shown, said = dense(text_of(values)), dense(provision["text"])
        assert shown == said or without_signs(shown) == without_signs(said), (shown, said)
        assert (values["label"], values["provision_type"]) == (provision["label"], provision["type"])
    for term in expected["terms"]:
        values = by_id["term", term["id"]]
        for part in ("designation", "definition"):
            missing = words(without_signs(term[part] or "")) - words(without_signs(text_of(values)))
            assert not missing, (term, missing)
    for table in expected["tables"]:
        values = by_id["table", table["id"]]
        cells = Counter()
        for cell in table["cells"]:
            cells += words(without_signs(cell))
        missing = cells - words(without_signs(text_of(values)))
        assert not missing, (table["id"], missing)
    assert len([1 for kind, _ in by_id if kind == "provision"]) == len(expected["provisions"])


def without_signs(text):
    return "".join(c for c in text if c not in "^_{}()")


folder = pathlib.Path(sys.argv[1])
validator = schema()
count = files = 0
numbers = range(len(json.loads((folder / "editions.json").read_text())))
for number in numbers:
    try:
        more, pictures = read(folder, number, validator)
    except AssertionError as error:
        raise SystemExit(f"{number}: {error!r}") from error
    count, files = count + more, files + pictures
print(f"{len(numbers)} files, {count} objects, {files} pictures")
