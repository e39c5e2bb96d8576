"""Holds what Norma gave for STS documents against the documents themselves, by lxml and shares no line with Norma.

Reads a JSON object a line: the path of a document and what was made of it. Prints a line for each thing that differs.
"""

import copy
import json
import re
import sys
import unicodedata

from lxml import etree

PARSER = etree.XMLParser(huge_tree=True, resolve_entities=True, load_dtd=False, no_network=True)
META = {"iso-meta", "reg-meta", "nat-meta", "std-meta", "std-doc-meta", "processing-meta"}
CONTAINERS = {"standard", "standards-document", "adoption", "adoption-front", "front", "body", "back", "app-group"}
SECTIONS = {"sec", "app", "term-sec"}
OUTER = {"ref-list", "fn-group", "index", "notes", "ack", "glossary", "sub-part"}
STATUS = {"admitted": "admitted", "deprecated": "deprecated", "superseded": "deprecated"}


def local(node):
    return etree.QName(node).localname if isinstance(node.tag, str) else None


def canonical(element):
    return etree.tostring(element, method="c14n", exclusive=True, with_comments=True, with_tail=False)


def remove(node):
    """Takes a node out and leaves the text behind it."""
    before, parent = node.getprevious(), node.getparent()
    if before is not None:
        before.tail = (before.tail or "") + (node.tail or "")
    else:
        parent.text = (parent.text or "") + (node.tail or "")
    parent.remove(node)


def foreign(node, part):
    name = local(node)
    return name in META or name in SECTIONS or (part and name in OUTER)


def own(element):
    """A section without the sections in it and without metadata."""
    alone = copy.deepcopy(element)
    part = local(element) == "sub-part"
    for node in [n for n in alone.iterdescendants() if isinstance(n.tag, str) and foreign(n, part)]:
        if node.getparent() is not None:
            remove(node)
    return canonical(alone)


def pieces(element):
    yield element.text or ""
    for child in element:
        yield child
        yield child.tail or ""


def run_of(parent, run):
    """A copy of the parent's start tag around siblings."""
    alone = etree.Element(parent.tag, parent.attrib, nsmap=parent.nsmap)
    for piece in run:
        if not isinstance(piece, str):
            alone.append(copy.deepcopy(piece))
            alone[-1].tail = None
        elif len(alone):
            alone[-1].tail = (alone[-1].tail or "") + piece
        else:
            alone.text = (alone.text or "") + piece
    for node in [n for n in alone.iterdescendants() if isinstance(n.tag, str) and foreign(n, False)]:
        if node.getparent() is not None:
            remove(node)
    return canonical(alone)


def sections(root):
    found = []

    def inside(element, part):
        for child in element:
            if local(child) is None or local(child) in META or local(child) == "math":
                continue
            if foreign(child, part):
                found.append(own(child))
                inside(child, local(child) == "sub-part")
            else:
                inside(child, part)

    def container(element):
        run, after = [], []

        def close():
            if run:
                found.append(run_of(element, run))
                for piece in run:
                    if not isinstance(piece, str) and local(piece):
                        holder = etree.Element("holder")
                        holder.append(copy.deepcopy(piece))
                        inside(holder, False)
            run.clear()
            after.clear()

        for piece in pieces(element):
            text = isinstance(piece, str)
            if (text and not piece.strip()) or (not text and local(piece) is None):
                if run:
                    after.append(piece)
            elif text or not (local(piece) in META | CONTAINERS | SECTIONS | OUTER):
                run.extend(after)
                after.clear()
                run.append(piece)
            else:
                close()
                if local(piece) in CONTAINERS:
                    container(piece)
                elif local(piece) not in META:
                    found.append(own(piece))
                    inside(piece, local(piece) == "sub-part")
        close()

    if local(root) in CONTAINERS:
        container(root)
    else:
        found.append(own(root))
        inside(root, False)
    return found


def plain(text):
    return "".join(c for c in text if c.isalnum())


def full(element):
    return any("".join(element.itertext()).split())


def entry(node):
    designations, counts = [], {"definition": 0, "note": 0, "example": 0, "subjectField": 0}
    for lang_set in node.xpath('./*[local-name()="langSet"]'):
        language = lang_set.get("{http://www.w3.org/XML/1998/namespace}lang", "")
        for term in lang_set.xpath('./*[local-name()="tig" or local-name()="ntig"]//*[local-name()="term"]'):
            tig = term.xpath('ancestor::*[local-name()="tig" or local-name()="ntig"]')[-1]
            values = tig.xpath('.//*[local-name()="normativeAuthorization"]')
            value = (values[0].get("value") or "".join(values[0].itertext())).lower() if values else ""
            status = next((s for word, s in STATUS.items() if word in value), "preferred")
            hard = term.xpath('.//*[local-name()="fn" or local-name()="xref" or local-name()="alternatives" or local-name()="semantics"]')
            if full(term) or hard:
                designations.append([language.lower()[:2], status, None if hard else plain("".join(term.itertext()))])
        for name in counts:
            counts[name] += sum(full(n) for n in lang_set.xpath(f'./*[local-name()="{name}"]'))
    return designations, counts


def fits(given, wanted):
    (words, counts), (others, numbers) = wanted, (given["designations"], given["counts"])
    same = len(words) == len(others) and all(
        a[0] in ("", b[0]) and a[1] == b[1] and a[2] in (None, plain(b[2])) for a, b in zip(words, others)
    )
    return same and counts == numbers


def key(reference):
    text = unicodedata.normalize("NFKC", reference).lower()
    text = re.sub("[\u2010-\u2015\u2212]", "-", re.sub("[\u00ad\u200b-\u200f\u2060\ufeff]", "", text))
    return re.sub("-+", "-", re.sub(r"\s", "", text))


def references(root):
    cited = root.xpath('//*[local-name()="std-xref"][not(ancestor::*[local-name()="sub-part"])]')
    cited += root.xpath('//*[local-name()="ref"]//*[local-name()="std"][1]')
    for std in cited:
        named = std.xpath('.//*[local-name()="std-ref"]')
        # The label of an entry, `[16]`, is no designation.
        named = [n for n in named if full(n) and not re.fullmatch(r"\s*\[\d+\]\s*", "".join(n.itertext()))]
        if named:
            yield key("".join(named[0].itertext()))


def href(graphic):
    value = (graphic.get("{http://www.w3.org/1999/xlink}href") or graphic.get("href") or "").strip()
    return "data:" if value.lower().startswith("data:") else value


for line in sys.stdin:
    given = json.loads(line)
    root = etree.parse(given["path"], PARSER).getroot()
    differs = lambda what: print(f"{given['path']}: {what}")

    wanted = sections(root)
    if len(wanted) != len(given["sections"]):
        differs(f"{len(given['sections'])} sections, lxml finds {len(wanted)}")
    for number, (one, other) in enumerate(zip(given["sections"], wanted)):
        if canonical(etree.fromstring(one.encode(), PARSER)) != other:
            differs(f"the markup of section {number} is another: {one[:200]!r} not {other[:200]!r}")
            break

    graphics = [href(n) for n in root.iter() if local(n) in ("graphic", "inline-graphic")]
    if graphics != given["graphics"]:
        differs(f"the graphics are {given['graphics']}, lxml finds {graphics}")

    terms = iter(given["terms"])
    for node in root.xpath('//*[local-name()="termEntry"]'):
        one = entry(node)
        # Items of definition lists stand between the entries.
        if not any(fits(term, one) for term in terms):
            differs(f"no term has {one}")
            break

    known = {key(reference) for reference in given["references"]}
    for reference in references(root):
        if reference not in known:
            differs(f"no relation cites {reference}")
