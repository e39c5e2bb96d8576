"""Libraries for CISO Assistant of all exports: valid against a schema of its documented form, and complete.

Usage: read_ciso.py FOLDER, with N.yaml and N.expected.json for each edition. The program itself is not tried."""

import json
import pathlib
import sys

import jsonschema_rs
import yaml

URN = r"^urn:[a-z0-9_-]+:[a-z0-9_-]+:[a-z_]+(:[0-9a-z\[\]\(\)\-\._]+)+$"
TEXT = {"type": "string", "minLength": 1}
NODE = {
    "type": "object", "required": ["urn", "assessable", "depth"], "additionalProperties": False,
    "properties": {
        "urn": {"type": "string", "pattern": URN}, "parent_urn": {"type": "string", "pattern": URN},
        "assessable": {"type": "boolean"}, "depth": {"type": "integer", "minimum": 1}, "ref_id": TEXT, "name": TEXT,
        "description": {"type": "string"}, "annotation": {"type": "string"},
    },
}
# Members of a library with a framework, as tools/README.md of the program and its libraries have them.
LIBRARY = {
    "type": "object", "additionalProperties": False,
    "required": ["urn", "locale", "ref_id", "name", "description", "copyright", "version", "provider", "packager", "objects"],
    "properties": {
        "urn": {"type": "string", "pattern": URN}, "locale": {"type": "string", "pattern": "^[a-z]{2,3}$"}, "ref_id": TEXT,
        "name": TEXT, "description": TEXT, "copyright": TEXT, "version": {"type": "integer", "minimum": 1},
        "publication_date": {}, "provider": TEXT, "packager": TEXT,
        "objects": {
            "type": "object", "required": ["framework"], "additionalProperties": False,
            "properties": {"framework": {
                "type": "object", "required": ["urn", "ref_id", "name", "requirement_nodes"], "additionalProperties": False,
                "properties": {
                    "urn": {"type": "string", "pattern": URN}, "ref_id": TEXT, "name": TEXT, "description": TEXT,
                    "requirement_nodes": {"type": "array", "minItems": 1, "items": NODE},
                },
            }},
        },
    },
}


def read(folder, number):
    expected = json.loads((folder / f"{number}.expected.json").read_text())
    library = yaml.safe_load((folder / f"{number}.yaml").read_text())
    jsonschema_rs.validate(LIBRARY, library)
    nodes = library["objects"]["framework"]["requirement_nodes"]
    depths = {}
    for node in nodes:
        assert node["urn"] not in depths and node["urn"] == node["urn"].lower()
        assert node["depth"] == (depths[node["parent_urn"]] + 1 if "parent_urn" in node else 1)
        depths[node["urn"]] = node["depth"]
    by_id = {node["urn"].rsplit(":", 1)[1]: node for node in nodes}
    for provision in expected["provisions"]:
        node = by_id[provision["id"]]
        assert node["description"] == provision["text"] and node["ref_id"] == provision["label"]
        is_demand = provision["type"] in ("requirement", "recommendation", "externalConstraint")
        assert node["assessable"] == is_demand
    for section in expected["sections"]:
        assert any(f"local_id: {section['id']}" in node["annotation"].split("\n") for node in nodes), section
    return len(nodes)


folder = pathlib.Path(sys.argv[1])
numbers = range(len(json.loads((folder / "editions.json").read_text())))
count = sum(read(folder, number) for number in numbers)
print(f"{len(numbers)} libraries, {count} nodes")
