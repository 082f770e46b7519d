"""The graph of the encoded rules of a game, and what its code and its references say of each other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import networkx as nx

from bridge.catalog import Catalog, Rule
from rules_graph import graph as shape
from rules_graph.code import Access, accesses
from rules_graph.lint import Finding, precedence_cycles

__all__ = ["SHARED", "Built", "build", "built", "findings"]

#: What more rules than this write is common ground: to read it says nothing about one of them.
SHARED = 2
#: A dependency counts as documented where references lead from one rule to the other in so many steps.
_STEPS = 2


@dataclass(frozen=True)
class Built:
    """The graph, and what led to it.

    Parameters
    ----------
    graph
        The graph itself.
    common
        What was taken for common ground, with the rules that write it: many, or none.
    sole
        For two rules, what the first reads that only the second writes.
    reached
        The pairs of rules of which the first reads, perhaps through helpers, what the second writes.
    """

    graph: nx.MultiDiGraph[str]
    common: Mapping[str, tuple[str, ...]]
    sole: Mapping[tuple[str, str], tuple[str, ...]]
    reached: frozenset[tuple[str, str]]


def build(catalog: Catalog, *, shared: int = SHARED) -> nx.MultiDiGraph[str]:
    """Make the graph of the rules of a game.

    Parameters
    ----------
    catalog
        The rules and their files.
    shared
        What more rules than this write gives no dependency.

    Returns
    -------
    networkx.MultiDiGraph
        Nodes and edges as ``rules_graph.graph`` describes them; ``depends`` edges carry as evidence what is
        read and where it is written, as ``fluent moribund/2 < timing/m1_moribund.lp:12``.
    """
    return built(catalog, shared=shared).graph


def built(catalog: Catalog, *, shared: int = SHARED) -> Built:
    """Make the graph and keep what led to it; see `build`."""
    graph = shape.new(catalog.game, language="en", source="catalog")
    _sections(graph, catalog)
    for rule in catalog:
        _rule(graph, rule)
    for rule in catalog:
        shape.add_edge(graph, rule.id, _section(rule), "part_of", file=rule.file, line=rule.line)
    for edge in catalog.edges:
        for end in (edge.source, edge.target):
            if end not in graph:
                _stranger(graph, catalog, end)
        shape.add_edge(graph, edge.source, edge.target, edge.kind, file=edge.file, line=edge.line)
    touched = accesses(catalog)
    common, sole = _depends(graph, touched, shared)
    return Built(graph, common, sole, _reached(touched))


def _section(rule: Rule) -> str:
    """Return the folder of a rule's file: the section of the book that it belongs to."""
    return rule.file.rpartition("/")[0] or rule.game


def _sections(graph: nx.MultiDiGraph[str], catalog: Catalog) -> None:
    for folder in dict.fromkeys(_section(rule) for rule in catalog):
        name = folder.rpartition("/")[2]
        shape.add_rule(
            graph,
            folder,
            kind="section",
            number="",
            section=folder,
            titles={"en": name.replace("_", " ").capitalize()},
            texts={},
        )


def _stranger(graph: nx.MultiDiGraph[str], catalog: Catalog, rule: str) -> None:
    """Add a rule that is not in the catalog: one of the grammar, or one that does not exist."""
    home, _, number = rule.partition(":")
    outside = home != catalog.game
    if outside and home not in graph:
        shape.add_rule(graph, home, kind="section", number="", section=home, titles={"en": home.capitalize()}, texts={})
    shape.add_rule(
        graph,
        rule,
        kind="rule" if outside else "missing",
        number=number,
        section=home if outside else "",
        titles={},
        texts={},
    )
    if outside:
        shape.add_edge(graph, rule, home, "part_of")


def _rule(graph: nx.MultiDiGraph[str], rule: Rule) -> None:
    tags: dict[str, tuple[str, ...]] = {}
    if rule.readings:
        tags["readings"] = tuple(reading.name for reading in rule.readings)
    if rule.aliases:
        tags["also"] = tuple(alias for _, alias in rule.aliases)
    if rule.source:
        tags["source"] = (" ".join(rule.source),)
    shape.add_rule(
        graph,
        rule.id,
        kind="rule",
        number=rule.number,
        section=_section(rule),
        titles=rule.titles,
        texts=rule.texts,
        file=rule.file,
        line=rule.line,
        tags=tags,
    )


# -- dependencies ----------------------------------------------------------------------------------


def _writers(touched: Iterable[Access]) -> dict[tuple[str, str], dict[str, Access]]:
    """Return who writes what: by (sort, name), the first place of each rule; "" is no rule."""
    found: dict[tuple[str, str], dict[str, Access]] = {}
    for access in touched:
        if access.writes:
            found.setdefault((access.sort, access.name), {}).setdefault(access.rule, access)
    return found


def _depends(
    graph: nx.MultiDiGraph[str], touched: tuple[Access, ...], shared: int
) -> tuple[Mapping[str, tuple[str, ...]], Mapping[tuple[str, str], tuple[str, ...]]]:
    """Add the edges from who reads to who writes; return what is common ground and what has one writer."""
    writers = _writers(touched)
    common: dict[str, tuple[str, ...]] = {}
    sole: dict[tuple[str, str], tuple[str, ...]] = {}
    seen: set[tuple[str, str, str]] = set()
    for access in touched:
        if access.writes or not access.rule:
            continue
        if access.sort == "rule":
            _edge(graph, access, access.name, f"rule {access.name}")
            continue
        sort = "event" if access.sort == "nested" else access.sort
        by = writers.get((sort, access.name), {})
        if "" in by or len(by) > shared:
            common[f"{sort} {access.name}"] = tuple(sorted(by))
            continue
        if sort == "predicate" and access.rule in by:
            continue  # a helper that several files define alike: each reads its own
        for rule, written in by.items():
            key = (access.rule, rule, f"{sort} {access.name}")
            if rule == access.rule or key in seen:
                continue
            seen.add(key)
            evidence = f"{sort} {access.name} < {written.file}:{written.line}"
            _edge(graph, access, rule, evidence)
            if len(by) == 1:
                sole[access.rule, rule] = (*sole.get((access.rule, rule), ()), evidence)
    return common, sole


def _edge(graph: nx.MultiDiGraph[str], access: Access, target: str, evidence: str) -> None:
    shape.add_edge(
        graph,
        access.rule,
        target,
        "depends",
        file=access.file,
        line=access.line,
        evidence=evidence,
    )


def _reached(touched: tuple[Access, ...]) -> frozenset[tuple[str, str]]:
    """Return the pairs of rules of which one reads what the other writes, common ground and helpers included.

    A finding that a reference is not used must be sure, so this looks through predicates of the board and of
    the vocabulary: ``in_play`` reads ``in``, so who reads ``in_play`` reads what writes ``in``.
    """
    flow: nx.DiGraph[object] = nx.DiGraph()
    for access in touched:
        thing = ("event" if access.sort == "nested" else access.sort, access.name)
        owner: object = access.rule or ("file", access.file, access.name if access.writes else "")
        if access.writes:
            flow.add_edge(thing, owner)
        elif access.rule:
            flow.add_edge(owner, thing if access.sort != "rule" else access.name)
    for written, read in _helpers(touched):
        flow.add_edge(written, read)
    rules = {access.rule for access in touched if access.rule}
    found = set()
    for rule in rules:
        if rule not in flow:
            continue
        stack, visited = list(flow[rule]), set()
        while stack:
            node = stack.pop()
            if node in visited:
                continue
            visited.add(node)
            if node in rules:
                found.add((rule, str(node)))
            else:
                stack += flow[node]
    return frozenset(found)


def _helpers(touched: tuple[Access, ...]) -> set[tuple[tuple[str, str], tuple[str, str]]]:
    """Return pairs (defined, read) of one line of code that belongs to no rule."""
    at_line: dict[tuple[str, int], tuple[set[tuple[str, str]], set[tuple[str, str]]]] = {}
    for access in touched:
        if not access.rule:
            written, read = at_line.setdefault((access.file, access.line), (set(), set()))
            (written if access.writes else read).add((access.sort, access.name))
    return {(one, other) for written, read in at_line.values() for one in written for other in read}


# -- findings --------------------------------------------------------------------------------------


def findings(catalog: Catalog, *, shared: int = SHARED) -> tuple[Finding, ...]:
    """Return where the references and the code of a game disagree, and circles of precedence."""
    made = built(catalog, shared=shared)
    graph = made.graph
    found: list[Finding] = []
    for source, target, data in shape.edges(graph, ("refers",)):
        if target == source:
            found.append(_finding(data, "self-reference", source, words=f"refers({source})"))
        elif graph.nodes[target]["kind"] == "missing":
            found.append(_finding(data, "dangling-reference", source, wanted=target, words="refers"))
        elif not _used(graph, made.reached, source, target):
            found.append(_finding(data, "unused-reference", source, target=target))
    found += _undocumented(made)
    beats: dict[str, set[str]] = {}
    for source, target, _ in shape.edges(graph, ("overrides",)):
        beats.setdefault(source, set()).add(target)
    for cycle in precedence_cycles(beats):
        node = graph.nodes[cycle[0]]
        found.append(
            Finding(
                "precedence-cycle",
                cycle[0],
                int(node["line"]),
                {"cycle": ", ".join(cycle)},
                str(node["file"]),
            )
        )
    return tuple(sorted(found, key=lambda each: (each.file, each.line, each.code)))


def _undocumented(made: Built) -> Iterable[Finding]:
    """Yield dependencies on what one rule alone writes where no short chain of references leads to it."""
    references: nx.DiGraph[str] = nx.DiGraph()
    references.add_nodes_from(made.graph)
    references.add_edges_from((one, other) for one, other, _ in shape.edges(made.graph, ("refers", "overrides")))
    for (source, target), evidence in made.sole.items():
        if not target.startswith(f"{made.graph.graph['name']}:"):
            continue  # the grammar is every rule's ground
        near = nx.single_source_shortest_path_length(references, source, cutoff=_STEPS)
        back = nx.single_source_shortest_path_length(references, target, cutoff=_STEPS)
        if target not in near and source not in back:
            more = f" and {len(evidence) - 2} more" if len(evidence) > 2 else ""
            words = "; ".join(evidence[:2]) + more
            data = made.graph.edges[source, target, "depends"]
            yield _finding(data, "undocumented-dependency", source, target=target, evidence=words)


def _used(graph: nx.MultiDiGraph[str], reached: frozenset[tuple[str, str]], source: str, target: str) -> bool:
    """Tell whether the code of one of two rules uses the other's, or one is put before the other."""
    pairs = ((source, target), (target, source))
    return any(pair in reached or graph.has_edge(*pair, "overrides") for pair in pairs)


def _finding(data: Mapping[str, object], code: str, source: str, **facts: str) -> Finding:
    return Finding(code, source, int(str(data["line"])), {"source": source, **facts}, str(data["file"]))
