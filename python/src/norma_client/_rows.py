"""Provisions as rows, for data frames, CSV and spreadsheets."""

from __future__ import annotations

import importlib
import importlib.util
from typing import TYPE_CHECKING, Any

from ._errors import UnexpectedAnswer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from .types import Provision, Quantity, SectionNode, SectionsView, Term

COLUMNS = (
    "id",
    "lineage",
    "urn",
    "revision",
    "reference",
    "label",
    "type",
    "verbal_form",
    "text",
    "section_number",
    "section_title",
    "levels",
    "normative",
    "conditions",
    "quantities",
    "references",
    "terms",
    "status",
    "amended_by",
)


#: What is before the value of a quantity.
_COMPARATORS = {
    "equal": "= ",
    "lessThan": "< ",
    "atMost": "<= ",
    "atLeast": ">= ",
    "moreThan": "> ",
    "about": "~ ",
    "nearest": "nearest ",
    "plusMinus": "+- ",
    "between": "",
}


def rows_of(
    provisions: Iterable[Provision],
    *,
    urn: str,
    revision: str,
    metadata: Mapping[str, Any],
    terms: Iterable[Term],
    outline: SectionsView,
) -> list[dict[str, str]]:
    """One row of texts for each provision; several quantities, references or terms are separated by `; `."""
    try:
        reference, status = metadata["metadata"]["reference"], metadata["status"]
        amendments = metadata.get("amendedBy", [])
        designations = {term["id"]: term["designations"][0]["text"] for term in terms if term["designations"]}
        levels = dict(_levels(outline["sections"], ""))
        return [
            {
                "id": provision["id"],
                "lineage": provision.get("lineage", {}).get("id", ""),
                "urn": urn,
                "revision": revision,
                "reference": reference,
                "label": provision["label"],
                "type": provision["type"],
                "verbal_form": provision["verbalForm"],
                "text": " ".join(filter(None, (provision.get("leadIn"), provision["text"]))),
                "section_number": provision["section"].get("number", ""),
                "section_title": provision["section"].get("title", ""),
                "levels": levels.get(provision["section"]["id"], ""),
                "normative": "true" if provision["normative"] else "false",
                "conditions": "; ".join(condition["text"] for condition in provision.get("conditions", [])),
                "quantities": "; ".join(_shown(quantity) for quantity in provision["quantities"]),
                "references": "; ".join(reference["text"] for reference in provision["references"]),
                "terms": "; ".join(designations.get(id, id) for id in provision["termIds"]),
                "status": status,
                "amended_by": "; ".join(_amendments(amendments, provision["id"])),
            }
            for provision in provisions
        ]
    except (AttributeError, KeyError, TypeError) as error:
        raise UnexpectedAnswer(f"a provision of {urn} is not of the expected form: {error!r}") from None


def _levels(outline: Iterable[SectionNode], above: str) -> Iterator[tuple[str, str]]:
    """Each section with the sections around it and itself, from the top: `4 Design; 4.1 General`."""
    for section in outline:
        own = " ".join(filter(None, (section.get("label"), section.get("title"))))
        path = f"{above}; {own}" if above else own
        yield section["id"], path
        yield from _levels(section["children"], path)


def _amendments(amended_by: Iterable[Mapping[str, Any]], id: str) -> list[str]:
    """The amendments that touch a provision, each with what it does: `NSB 4210:2025/Amd 1:2026 (replace)`."""
    touching = [change for change in amended_by if "operation" in change and id in change["targets"]]
    return [f"{change['reference']} ({change['operation']})" for change in touching]


def _shown(quantity: Quantity) -> str:
    """A quantity as `norma export` writes it: `>= 60 mm`, `0.2 .. 2 kN`, `= 100 ± 20 N/s`.

    A value without a sign has no comparator.
    """
    # Without a sign, one that a later service has added would read as one that is not stated.
    comparator = quantity.get("comparator")
    parts = ["" if comparator is None else _COMPARATORS.get(comparator, "? "), quantity["value"]]
    parts += [f" .. {quantity['upper']}"] if "upper" in quantity else []
    parts += [f" ± {quantity['tolerance']}"] if "tolerance" in quantity else []
    parts += [f" {quantity['unit']['text']}"] if "unit" in quantity else []
    return "".join(parts)


def frame_of(rows: list[dict[str, str]], library: str | None) -> Any:
    """A data frame of the named library, or of the first that is installed."""
    names = ("pandas", "polars") if library is None else (library,)
    if set(names) - {"pandas", "polars"}:
        raise ValueError(f"library is {library!r}: expected 'pandas' or 'polars'")
    found = next((name for name in names if importlib.util.find_spec(name)), None)
    if found is None:
        raise ImportError(f"{' and '.join(names)} cannot be imported: install one of them, or use rows()")
    module = importlib.import_module(found)
    columns = {column: [row[column] for row in rows] for column in COLUMNS}
    # A frame without rows has columns of texts, too.
    types = {"schema": dict.fromkeys(COLUMNS, module.String)} if found == "polars" else {"dtype": "str"}
    return module.DataFrame(columns, **types)
