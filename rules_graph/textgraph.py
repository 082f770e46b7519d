"""The graph of a rulebook's text, in the shape that ``analyse`` and ``draw`` work on."""

from __future__ import annotations

import networkx as nx

from rules_graph import graph as shape
from rules_graph.model import Provision, Reference, Rulebook

__all__ = ["graph"]


def graph(book: Rulebook) -> nx.MultiDiGraph[str]:
    """Make the graph of a rulebook.

    Nodes carry the attributes of ``rules_graph.graph``. Edges have the kinds ``part_of``, ``refers``,
    ``overrides`` and ``see_also``, with the words of the book as evidence; what overrides is referred
    to as well. A reference to what is not in the book leads to a node of the kind ``missing``.
    """
    made = shape.new(book.name, language=book.language, source="rulebook", profile=book.profile)
    tags: dict[str, dict[str, list[str]]] = {}
    for tag in book.tags:
        tags.setdefault(tag.provision, {}).setdefault(tag.meaning, []).append(tag.words.lower())
    for provision in book.provisions:
        shape.add_rule(
            made,
            provision.id,
            kind=provision.kind,
            number=provision.number,
            section=_section(book, provision),
            titles={book.language: provision.title},
            texts={book.language: provision.text},
            file=provision.file or book.name,
            line=provision.line,
            examples=provision.examples,
            tags={meaning: tuple(dict.fromkeys(words)) for meaning, words in tags.get(provision.id, {}).items()},
        )
    for provision in book.provisions:
        if provision.parent:
            shape.add_edge(made, provision.id, provision.parent, "part_of", line=provision.line)
    for reference in book.references:
        _add_reference(made, book, reference)
    return made


def _section(book: Rulebook, provision: Provision) -> str:
    """Return the id of the topmost provision that holds this one."""
    current = provision
    while current.parent:
        current = book.by_id[current.parent]
    return current.id


def _add_reference(made: nx.MultiDiGraph[str], book: Rulebook, reference: Reference) -> None:
    target = reference.target
    if not target:
        prefix = {"step": "step:", "see_also": "term:"}.get(reference.form, "")
        target = prefix + reference.wanted
        if target not in made:
            shape.add_rule(made, target, kind="missing", number=reference.wanted, section="", titles={}, texts={})
    source, file = reference.source, book.by_id[reference.source].file or book.name
    kind = "see_also" if reference.form == "see_also" else "refers"
    shape.add_edge(
        made,
        source,
        target,
        kind,
        file=file,
        line=reference.line,
        evidence=reference.words,
        form=reference.form,
    )
    if reference.kind != "refers":
        winner, loser = (source, target) if reference.kind == "overrides" else (target, source)
        said = f"{reference.trigger} … {reference.words}"
        shape.add_edge(
            made,
            winner,
            loser,
            "overrides",
            file=file,
            line=reference.line,
            evidence=said,
            form=reference.form,
        )
