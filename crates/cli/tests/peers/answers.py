"""Compares JSON answers about every standard, and the examples of the OpenAPI document, with their schemas.

Usage: answers.py BASE_URL URN...; the token is in NORMA_TOKEN. A member that its schema does not have is a fault, too.
"""

import json
import os
import sys
import urllib.error
import urllib.parse
import urllib.request

import jsonschema_rs

JSON = ("application/json", "application/problem+json")


def strict(document):
    """Has each object refuse members that its schema does not list; shapes that others take up whole stay as they are."""
    taken_up = {part["$ref"] for schema in document["components"]["schemas"].values()
                for part in schema.get("allOf", []) if "$ref" in part}
    for name, schema in document["components"]["schemas"].items():
        if f"#/components/schemas/{name}" not in taken_up and ("properties" in schema or "allOf" in schema):
            schema["unevaluatedProperties"] = False
    return document


class Checker:
    def __init__(self, base_url):
        self.base_url, self.faults, self.compared = base_url, [], 0
        with urllib.request.urlopen(f"{base_url}/openapi.json") as answer:
            self.document = strict(json.load(answer))

    def compare(self, where, value, schema):
        self.compared += 1
        validator = jsonschema_rs.validator_for(schema | {"components": self.document["components"]})
        for error in validator.iter_errors(value):
            self.faults.append(f"{where}: {'/'.join(map(str, error.instance_path))}: {error.message[:200]}")

    def examples(self):
        for path, operations in self.document["paths"].items():
            for method, operation in operations.items():
                bodies = [(status, answer) for status, answer in operation["responses"].items()]
                bodies.append(("request", operation.get("requestBody", {})))
                for status, body in bodies:
                    for media, content in body.get("content", {}).items():
                        where, schema = f"{method} {path} {status}", content["schema"]
                        if media in JSON and "example" in content:
                            self.compare(where, content["example"], schema)
                        for name, example in content.get("examples", {}).items():
                            if "$ref" in example:
                                example = self.document["components"]["examples"][name]
                            self.compare(f"{where} {name}", example["value"], schema)
                for parameter in operation.get("parameters", []):
                    example = parameter["example"] if parameter["required"] else parameter["examples"]["example"]["value"]
                    self.compare(f"{method} {path} {parameter['name']}", example, parameter["schema"])

    def ask(self, template, arguments, query=None, body=None):
        """The answer to an operation, compared with the schema of its status."""
        path = template
        for name, value in arguments.items():
            path = path.replace(f"{{{name}}}", urllib.parse.quote(value, safe=""))
        url = self.base_url + path + (f"?{urllib.parse.urlencode(query)}" if query else "")
        headers = {"authorization": f"Bearer {os.environ['NORMA_TOKEN']}", "content-type": "application/json"}
        request = urllib.request.Request(url, body and json.dumps(body).encode(), headers)
        try:
            answer = urllib.request.urlopen(request)
        except urllib.error.HTTPError as refusal:
            answer = refusal
        with answer:
            value, media = json.load(answer), answer.headers.get_content_type()
        operation = self.document["paths"][template]["post" if body else "get"]
        self.compare(url, value, operation["responses"][str(answer.status)]["content"][media]["schema"])
        return value


def main(base_url, *urns):
    checker = Checker(base_url)
    checker.examples()
    examples = checker.compared
    api = "/api/content/v1"
    for query in ({}, {"limit": 1}, {"nowhere": 1}):
        checker.ask(f"{api}/standards", {}, query)
    checker.ask(f"{api}/limits", {})
    for urn in urns:
        standard = {"id": urn}
        of = f"{api}/standards/{{id}}"
        for part in ("", "/metadata", "/sections", "/content", "/provisions", "/terms", "/tables", "/graphics"):
            checker.ask(of + part, standard)
        checker.ask(f"{of}/sections", standard, {"depth": 1})
        checker.ask(f"{of}/provisions", standard, {"include": "lineage"})
        checker.ask(f"{of}/provisions/{{selection}}", standard | {"selection": "all;table:99"})
        provisions = checker.ask(f"{of}/provisions", standard).get("items", [])
        for provision in provisions:
            checker.ask(f"{api}/provisions/{{id}}", {"id": provision["id"]})
        for table in checker.ask(f"{of}/tables", standard).get("items", []):
            checker.ask(f"{of}/tables/{{table}}", standard | {"table": table["id"]})
        graphics = checker.ask(f"{of}/graphics", standard).get("items", [])
        for graphic in graphics:
            checker.ask(f"{of}/assets/resolve", standard, body={"assetReference": graphic["assetReference"]})
        references = [graphic["assetReference"] for graphic in graphics] + ["nowhere"]
        checker.ask(f"{of}/assets/resolve", standard, body={"assetReferences": references})
        ids = [provision["id"] for provision in provisions] + ["prv_aaaaaaaaaaaaaaaaaaaaaaaaaa"]
        checker.ask(f"{of}/migrate", standard, body={"ids": ids})
        for other in urns:
            checker.ask(f"{of}/comparison", standard, {"with": other, "include": "text"})
    for fault in checker.faults:
        print(fault)
    print(f"{examples} examples and {checker.compared - examples} answers compared, {len(checker.faults)} faults")
    sys.exit(bool(checker.faults) or checker.compared < 300)


main(*sys.argv[1:])
