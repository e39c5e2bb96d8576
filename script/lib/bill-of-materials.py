"""Compares lists of the crates that the program is built of: bill-of-materials.py BOM AUDIT METADATA TREE LOCK

BOM is the CycloneDX file, AUDIT the JSON that rust-audit-info reads out of the program, METADATA the output of `cargo metadata`
for one platform, TREE that of `cargo tree --prefix none` over normal and build dependencies, LOCK is Cargo.lock.

BOM and AUDIT must have the crates that METADATA has on a way of normal and build dependencies from the program, with the digests
of LOCK, and all of TREE. Crates that are not in TREE belong to features that only other members of the workspace or tests
enable: tools that read `cargo metadata` cannot tell them apart. Prints the numbers; ends with 1 and the differences otherwise.
"""

import json
import sys
import tomllib

bom_path, audit_path, metadata_path, tree_path, lock_path = sys.argv[1:]
PROGRAM = "norma-cli"


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def reachable(metadata):
    """Names and versions on a way of normal and build dependencies from the program."""
    nodes = {node["id"]: node["deps"] for node in metadata["resolve"]["nodes"]}
    packages = {it["id"]: (it["name"], it["version"]) for it in metadata["packages"]}
    left = [id for id, (name, _) in packages.items() if name == PROGRAM]
    seen = set(left)
    while left:
        for dep in nodes[left.pop()]:
            if dep["pkg"] not in seen and any(kind["kind"] != "dev" for kind in dep["dep_kinds"]):
                seen.add(dep["pkg"])
                left.append(dep["pkg"])
    return {packages[id] for id in seen}


bom = json.loads(read(bom_path))
components = [bom["metadata"]["component"], *bom["components"]]
expected = reachable(json.loads(read(metadata_path)))
# A line is `name vVERSION`, then a path, `(proc-macro)` or `(*)`. An empty line ends the tree of the program; cargo may print
# those of other members after it.
words = [line.split() for line in read(tree_path).split("\n\n")[0].splitlines()]
tree = {(line[0], line[1].removeprefix("v")) for line in words}
lock = {(it["name"], it["version"]): it.get("checksum") for it in tomllib.loads(read(lock_path))["package"]}

wrong = []
for where, crates in [
    ("the bill of materials", {(it["name"], it["version"]) for it in components}),
    ("the program", {(it["name"], it["version"]) for it in json.loads(read(audit_path))["packages"]}),
]:
    wrong += [f"{' '.join(name)} is not in {where}" for name in sorted((expected | tree) - crates)]
    wrong += [f"{' '.join(name)} is in {where} and no dependency" for name in sorted(crates - expected)]
for it in components:
    name = (it["name"], it["version"])
    digests = [digest["content"] for digest in it.get("hashes", []) if digest["alg"] == "SHA-256"]
    if name not in lock or digests != [lock[name]] * (lock[name] is not None):
        wrong.append(f"{' '.join(name)} has the digest {digests}, in Cargo.lock {lock.get(name)}")
if wrong or len(tree) < 100:
    sys.exit("\n".join(wrong) or f"cargo tree printed only {len(tree)} crates")
print(f"{len(expected)} crates, of which the program is built of {len(tree)}")
