"""Answers with a list of items, which are lists themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from ._http import Answer

T = TypeVar("T")
A = TypeVar("A")


class Items(list[T], Generic[T, A]):
    """The items of an answer as a list; `answer` is the whole of it, `urn` and `revision` name the edition.

    >>> terms = norma.terms("urn:nsb:std:nsb:4210")
    >>> terms.urn
    'urn:nsb:std:nsb:4210:ed-2:en'
    >>> terms[0]["id"]
    'term_3.1'
    """

    def __init__(self, *answers: Answer) -> None:
        """Takes the answer, or those to several parts of one question, as one."""
        value: Any = {"items": []}
        for answer in answers:
            found = answer.json()
            if not {"urn", "revision"} <= found.keys():
                raise answer.unexpected("a JSON object with `urn`, `revision` and `items`")
            value = {**found, "items": value["items"] + answer.items()}
        super().__init__(value["items"])
        self.answer: A = value
        self.urn: str = value["urn"]
        self.revision: str = value["revision"]
