"""A graph in any of the formats, as bytes: the choice of layout, and the call of Graphviz."""

from __future__ import annotations

import importlib
import importlib.util
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import networkx as nx

from bridge.errors import RulebookError
from rules_graph import analyse
from rules_graph import graph as shape
from rules_graph.draw import FORMATS, files, page
from rules_graph.draw.columns import to_columns
from rules_graph.draw.dot import DRAWN, to_dot
from rules_graph.draw.fold import fold
from rules_graph.draw.mermaid import to_mermaid
from rules_graph.draw.ring import to_ring

__all__ = ["LAYOUTS", "dot_command", "render"]

LAYOUTS = ("auto", "dot", "ring", "columns")
#: A picture with more rules than this shows sections that stand for what they hold.
MOST = 170
# Boxes take more room than the rows of a ring, and Graphviz more time.
_MOST_BOXES = 40
_PATIENCE = 60.0  # seconds that Graphviz may take


def render(
    graph: nx.MultiDiGraph[str],
    form: str,
    *,
    focus: str = "",
    depth: int = 1,
    kinds: Sequence[str] = (),
    layout: str = "auto",
    lang: str = "en",
) -> bytes:
    """Return a graph, or the neighbourhood of a rule, in a format.

    Parameters
    ----------
    form
        One of ``FORMATS``.
    focus
        A rule; empty for the whole graph.
    depth
        How far the neighbourhood reaches.
    kinds
        The kinds of edges; all that a picture shows if empty.
    layout
        ``dot`` (Graphviz), ``ring`` (a whole book), ``columns`` (around a rule), or ``auto`` for the one that
        fits.

    Raises
    ------
    RulebookError
        Where the layout needs something that is not there; one sentence says what.
    """
    if form not in FORMATS:
        raise RulebookError(f"no format {form!r}; there are {', '.join(FORMATS)}")
    if layout not in LAYOUTS:
        raise RulebookError(f"--layout {layout}: there are {', '.join(LAYOUTS)}")
    if form == "html":
        return page.to_html(_only(graph, kinds or DRAWN), lang=lang, focus=focus).encode()
    chosen = kinds or shape.KINDS
    part = analyse.neighbourhood(graph, focus, depth=depth, kinds=chosen) if focus else _only(graph, chosen)
    written: dict[str, Callable[[], str]] = {
        "json": lambda: files.to_json(part),
        "cyjs": lambda: files.to_cytoscape(part, lang),
        "graphml": lambda: files.to_graphml(part),
        "dot": lambda: to_dot(part, lang=lang, kinds=kinds or DRAWN, focus=focus),
        "mmd": lambda: to_mermaid(part, lang=lang, kinds=kinds or DRAWN),
    }
    if form in written:
        return written[form]().encode()
    return _picture(graph, part, form, focus=focus, depth=depth, kinds=kinds or DRAWN, layout=layout, lang=lang)


def _only(graph: nx.MultiDiGraph[str], kinds: Sequence[str]) -> nx.MultiDiGraph[str]:
    """Return a graph with the edges of some kinds, and ``part_of``, which says where a rule stands."""
    wanted = {*kinds, "part_of"}
    made: nx.MultiDiGraph[str] = graph.copy()
    made.remove_edges_from([edge for edge in graph.edges(keys=True) if edge[2] not in wanted])
    return made


def _picture(
    graph: nx.MultiDiGraph[str],
    part: nx.MultiDiGraph[str],
    form: str,
    *,
    focus: str,
    depth: int,
    kinds: Sequence[str],
    layout: str,
    lang: str,
) -> bytes:
    """Draw an SVG or a PNG."""
    if layout == "auto":
        layout = "dot" if form == "png" or (focus and depth > 1) else "columns" if focus else "ring"
        if layout == "dot" and form == "svg" and not dot_command():
            layout = "columns" if focus else "ring"
    if layout == "columns" and not focus:
        raise RulebookError("--layout columns draws around one rule: name it with --around, or use ring or dot")
    if layout == "dot":
        small = part if focus or len(part) <= MOST else fold(part, _MOST_BOXES)
        drawn = small if focus else _without_loose(small)
        text = to_dot(drawn, lang=lang, kinds=kinds, focus=focus, weights=len(part) > MOST)
        return _graphviz(text, form)
    if form == "png":
        raise RulebookError(f"a PNG is drawn by Graphviz: use --layout dot, or write an SVG of the layout {layout}")
    if layout == "columns":
        return to_columns(graph, focus, lang=lang, kinds=kinds).encode()
    whole = _only(graph, kinds)
    small = whole if len(whole) <= MOST else fold(whole, MOST)
    return to_ring(small, lang=lang, kinds=kinds, focus=focus if focus in small else "").encode()


def _without_loose(graph: nx.MultiDiGraph[str]) -> nx.MultiDiGraph[str]:
    """Leave out sections that only hold others: Graphviz draws them as frames."""
    held = {target for _, target, _ in shape.edges(graph, ("part_of",))}
    made: nx.MultiDiGraph[str] = graph.copy()
    made.remove_nodes_from(
        [key for key in held if graph.nodes[key]["kind"] == "section" and not graph.nodes[key]["text_en"]]
    )
    return made


def dot_command() -> str:
    """Return the program that lays graphs out, ``dot`` or ``graphviz-pure``; empty without one."""
    found = shutil.which("dot") or shutil.which("graphviz-pure")
    if found:
        return found
    beside = Path(sys.executable).with_name("graphviz-pure")
    return str(beside) if beside.is_file() else ""


def _graphviz(text: str, form: str) -> bytes:
    """Lay out and draw a text in Graphviz's language."""
    command = dot_command()
    if not command:
        raise RulebookError(
            "Graphviz is not here: install it (its program dot, or pip install graphviz-pure), or write an "
            "SVG with --layout ring or columns, which needs none"
        )
    try:
        if Path(command).stem == "dot" and _has_package():
            return bytes(importlib.import_module("graphviz").pipe("dot", form, text.encode()))
        done = subprocess.run(
            [command, f"-T{form}"], input=text.encode(), capture_output=True, timeout=_PATIENCE, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise RulebookError(
            f"Graphviz took longer than {_PATIENCE:.0f} seconds; draw around one rule, or use --layout ring"
        ) from error
    except (OSError, subprocess.SubprocessError) as error:
        raise RulebookError(f"Graphviz failed: {error}") from error
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        raise RulebookError(f"Graphviz failed: {said[0] if said else f'exit code {done.returncode}'}")
    return done.stdout


def _has_package() -> bool:
    return importlib.util.find_spec("graphviz") is not None
