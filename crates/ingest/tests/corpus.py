"""Counts of STS documents by XPath, for tests to compare with: shares no line with the program that it judges.

Prints one JSON object a line, for each document named on the command line.
"""

import json
import sys

from lxml import etree

PARSER = etree.XMLParser(load_dtd=False, resolve_entities=False, no_network=True, huge_tree=True)
# Where a sentence with "shall" is no provision, or is counted elsewhere.
OUTSIDE = ["non-normative-note", "non-normative-example", "fn", "note", "termEntry", "disp-quote", "td", "th",
           "editing-instruction", "boxed-text", "list-item", "front", "table-wrap", "fig", "caption", "ref-list"]
NOT_THERE = " and ".join(f'not(ancestor::*[local-name()="{name}"])' for name in OUTSIDE)


def named(*names):
    return " or ".join(f'local-name()="{name}"' for name in names)


def text(element):
    return " ".join("".join(element.itertext()).split())


for path in sys.argv[1:]:
    tree = etree.parse(path, PARSER)
    count = lambda names, where="true()": len(tree.xpath(f"//*[{named(*names)}][{where}]"))
    paragraphs = tree.xpath(f'//*[local-name()="body"]//*[local-name()="p"][{NOT_THERE}]')
    print(json.dumps({
        "path": path,
        "graphics": count(["graphic", "inline-graphic"]),
        "tables": count(["table-wrap"]),
        "terms": count(["termEntry"]),
        "ics": len({text(e) for e in tree.xpath('//*[local-name()="ics"]') if text(e)}),
        "references": count(["ref"], 'ancestor::*[local-name()="ref-list"]') + count(["std-xref"]),
        # Marks of quotation around the word would make it a word that is spoken of.
        "obligations": [text(p) for p in paragraphs if " shall " in text(p)],
    }))
