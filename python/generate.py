#!/usr/bin/env python3
"""Writes the generated files of the package: python/generate.py [--check]

types.py      shapes of answers, from docs/openapi.json by datamodel-code-generator
_remedies.py  what to do about each problem, from docs/problems.md
_client.py, _mirror.py, _transport.py  the synchronous client, from the asynchronous one

With --check nothing is written, and the names of the files that would change are printed (exit status 1).
"""

import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
PACKAGE = HERE / "src/norma_client"
DOCS = HERE.parent / "docs"

#: What the asynchronous client says otherwise, in this order.
SYNCHRONOUS = [
    (r"\basync (def|with|for)\b", r"\1"),
    (r"\bawait ", ""),
    (r"\bAwaitable\[([^\[\]]+)\]", r"\1"),
    (r"\b_async_transport\b", "_transport"),
    (r"\b_async\b", "_client"),
    (r"\bAsync(Norma|Pages|Mirror|Transport|Client|Iterator)\b", r"\1"),
    (r"\b__a(enter|exit|iter)__\b", r"__\1__"),
    (r"\baclose\b", "close"),
    (r"\baiter_bytes\b", "iter_bytes"),
    (r"\bTasks\b", "Threads"),
    (r"\bAwaitable, ", ""),
    (r"The mirror of the asynchronous client, of which `generate.py` makes the other one", "The mirror"),
    (r"The asynchronous client, of which `generate.py` makes the synchronous one", "The synchronous client"),
]


def tool(*words):
    """Runs a program that is next to this Python, and gives what it prints."""
    program = pathlib.Path(sys.executable).with_name(words[0])
    return subprocess.run(
        [program, *words[1:]], check=True, stdout=subprocess.PIPE, text=True, cwd=HERE
    ).stdout


def tidy(text):
    """Python source in the layout of this folder, with its imports sorted."""
    for command in (["check", "--select", "I,F401", "--fix", "--quiet"], ["format"]):
        words = ["ruff", *command, "--stdin-filename", str(PACKAGE / "generated.py"), "-"]
        program = pathlib.Path(sys.executable).with_name(words[0])
        text = subprocess.run(
            [program, *words[1:]], input=text, check=True, stdout=subprocess.PIPE, text=True
        ).stdout
    return text


def types():
    """Shapes as TypedDicts. `typing_extensions` is there for Python 3.10 only."""
    with tempfile.TemporaryDirectory() as folder:
        output = pathlib.Path(folder) / "types.py"
        tool(
            "datamodel-codegen",
            *("--input", str(DOCS / "openapi.json"), "--input-file-type", "openapi", "--output", str(output)),
            *("--output-model-type", "typing.TypedDict", "--target-python-version", "3.11"),
            *("--enum-field-as-literal", "all", "--use-schema-description", "--disable-timestamp"),
            *(
                "--use-standard-collections",
                "--use-union-operator",
                "--formatters",
                "builtin",
                "--no-use-closed-typed-dict",
            ),
        )
        text = output.read_text()
    *heads, body = re.split(r"^from typing import .*\n", text, flags=re.MULTILINE)
    assert heads, text[:500]
    head = """\"\"\"Shapes of answers: dicts, to which a later service may add members.

Generated from docs/openapi.json by generate.py.
\"\"\"

from __future__ import annotations

import sys
from typing import Literal, TypeAlias

if sys.version_info >= (3, 11):
    from typing import NotRequired, TypedDict
else:
    from typing_extensions import NotRequired, TypedDict
"""
    return tidy(head + body)


#: Advice for those who send HTTP requests themselves, and what is said in place of it.
OVERRIDES = [
    (", with each colon as `%3A` in a path", ""),
    (
        "Compare the path with the OpenAPI document at `/openapi.json`. A URN is one path segment: write its "
        "colons as `%3A`.",
        "Check NORMA_BASE_URL (base_url): it is the URL of the service, without a path of an operation.",
    ),
]


def remedies():
    """The sentences after `What to do.` of each code."""
    page = (DOCS / "problems.md").read_text()
    found = re.findall(r"^## ([a-z-]+)\n.*?^\*What to do\.\* (.*?)$", page, re.DOTALL | re.MULTILINE)
    assert len(found) > 30, found
    for theirs, ours in OVERRIDES:
        assert any(theirs in text for _, text in found), theirs
        found = [(code, text.replace(theirs, ours)) for code, text in found]
    head = """\"\"\"What to do about each problem.

Generated from docs/problems.md by generate.py.
\"\"\"

# ruff: noqa: E501

"""
    return tidy(f"{head}REMEDIES = {{{', '.join(f'{code!r}: {text!r}' for code, text in found)},}}")


def without_parentheses(text):
    """`(await x).y` as `await x.y`: parentheses that only `await` needs are left out."""
    while found := re.search(r"(?<!\w)\(await ", text):
        depth, end = 1, found.end()
        while depth:
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        text = text[: found.start()] + text[found.end() : end - 1] + text[end:]
    return text


def synchronous(name):
    """The synchronous form of a file."""
    text = without_parentheses((PACKAGE / name).read_text())
    for pattern, replacement in SYNCHRONOUS:
        text = re.sub(pattern, replacement, text)
    head, docstring, rest = re.split(r'(""".*?""")', text, maxsplit=1, flags=re.DOTALL)
    docstring = f'{docstring[:-3]}\n\nGenerated from {name} by generate.py.\n"""'
    return tidy(head + docstring + rest)


def main():
    """Compares or writes."""
    made = {
        "types.py": types(),
        "_remedies.py": remedies(),
        "_transport.py": synchronous("_async_transport.py"),
        "_client.py": synchronous("_async.py"),
        "_mirror.py": synchronous("_async_mirror.py"),
    }
    old = {name: (PACKAGE / name).read_text() if (PACKAGE / name).exists() else "" for name in made}
    changed = [name for name, text in made.items() if old[name] != text]
    if "--check" in sys.argv[1:]:
        sys.exit("".join(f"{name} is not as python/generate.py writes it: run it\n" for name in changed) or 0)
    for name in changed:
        (PACKAGE / name).write_text(made[name])
        print(name)


if __name__ == "__main__":
    main()
