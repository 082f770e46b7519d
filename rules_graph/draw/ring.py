"""The whole book as a ring, drawn without Graphviz: edges are bundled along the tree of the book.

The layout is hierarchical edge bundling (Holten 2006): an edge runs through the inner points of the sections
that it leaves and enters, so that what goes the same way runs together.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

import networkx as nx

from rules_graph import graph as shape
from rules_graph.draw import style
from rules_graph.draw.fold import parents_of
from rules_graph.draw.svg import document, markers, short

__all__ = ["to_ring"]

_TENSION = 0.8
_GAP = 1.5
_PER_RULE = 15.0
Point = tuple[float, float]


@dataclass(frozen=True)
class _Ring:
    """Where everything stands: the leaves with their angles, and the spans of what holds them."""

    leaves: tuple[str, ...]
    angle: dict[str, float]
    span: dict[str, tuple[float, float]]
    depth: dict[str, int]
    parents: dict[str, str]
    tops: tuple[str, ...]
    radius: float
    slots: float

    def point(self, key: str) -> Point:
        """Return where a leaf stands, or the inner point of what holds leaves."""
        if key in self.angle:
            return _polar(self.radius, self.angle[key])
        low, high = self.span[key]
        deepest = max((self.depth[leaf] for leaf in self.leaves), default=0)
        return _polar(self.radius * 0.78 * (self.depth[key] + 1) / (max(1, deepest) + 1.2), (low + high) / 2)

    def chain(self, key: str) -> list[str]:
        """Return what holds a leaf, from the inside out."""
        found = []
        while key in self.parents:
            key = self.parents[key]
            found.append(key)
        return found


def _polar(radius: float, angle: float) -> Point:
    return radius * math.cos(angle), radius * math.sin(angle)


def to_ring(
    graph: nx.MultiDiGraph[str], *, lang: str = "en", kinds: Sequence[str] = shape.KINDS, focus: str = ""
) -> str:
    """Return a graph as an SVG ring.

    Parameters
    ----------
    focus
        A rule whose edges are lit while the others fade.
    """
    ring = _place(graph)
    drawn = [edge for edge in graph.edges(keys=True, data=True) if edge[2] in kinds and edge[2] != "part_of"]
    near = {other for edge in drawn if focus in edge[:2] for other in edge[:2]}
    body = [
        markers({edge[2] for edge in drawn}),
        *_bands(graph, ring, lang),
        *_edges(ring, drawn, focus),
        *_labels(graph, ring, lang, near),
    ]
    reach = ring.radius + 44 + 6.2 * max((_length(graph, key, lang) for key in ring.leaves), default=0)
    legend = _legend([kind for kind in style.EDGES if any(edge[2] == kind for edge in drawn)], lang, reach)
    return document((-reach, -reach, 2 * reach, 2 * reach), [*body, *legend], str(graph.graph["name"]))


def _place(graph: nx.MultiDiGraph[str]) -> _Ring:
    parents = parents_of(graph)
    held = set(parents.values())
    # a section that only holds others is a band; a rule that holds others stands on the ring beside them
    linked = {
        key
        for one, other, _ in shape.edges(graph, ("overrides", "refers", "depends", "see_also"))
        for key in (one, other)
    }
    leaves = [key for key, node in graph.nodes(data=True) if key not in held or node["kind"] == "rule" or key in linked]
    chains = {key: _top(parents, key) for key in graph}
    leaves.sort(key=lambda key: list(dict.fromkeys(chains.values())).index(chains[key]) if len(graph) < 2000 else 0)
    slot, slots, before = {}, 0.0, ""
    gap = _GAP if len(leaves) > 12 else 0.4
    for key in leaves:
        if chains[key] != before:
            slots, before = slots + gap, chains[key]
        slot[key] = slots
        slots += 1
    slots = max(slots, 1.0)
    angle = {key: 2 * math.pi * place / slots - math.pi / 2 for key, place in slot.items()}
    span: dict[str, tuple[float, float]] = {}
    depth: dict[str, int] = {}
    for key in graph:
        above, level = key, 0
        while above in parents:
            above, level = parents[above], level + 1
        depth[key] = level
    for key in leaves:
        above = key
        while above in parents:
            above = parents[above]
            low, high = span.get(above, (angle[key], angle[key]))
            span[above] = (min(low, angle[key]), max(high, angle[key]))
    tops = tuple(dict.fromkeys(chains[key] for key in leaves))
    radius = max(200.0, slots * _PER_RULE / (2 * math.pi))
    return _Ring(tuple(leaves), angle, span, depth, parents, tops, radius, slots)


def _top(parents: dict[str, str], key: str) -> str:
    while key in parents:
        key = parents[key]
    return key


def _edges(ring: _Ring, drawn: list[tuple[str, str, str, dict[str, object]]], focus: str) -> Iterator[str]:
    plain = 0.25 if len(drawn) > 600 else 0.4 if len(drawn) > 200 else 0.6
    order = {kind: place for place, kind in enumerate(reversed(list(style.EDGES)))}
    for one, other, kind, data in sorted(drawn, key=lambda edge: order[edge[2]]):
        if one not in ring.angle or other not in ring.angle or one == other:
            continue
        look = style.EDGES[kind]
        lit = focus in (one, other)
        opacity = (0.95 if lit else 0.08) if focus else plain + (0.3 if kind == "overrides" else 0)
        width = look.width * min(3.0, int(str(data["count"])) ** 0.4)
        dash = f' stroke-dasharray="{look.dash}"' if look.dash else ""
        # the direction matters most where one rule beats another; on every edge it would be a thicket
        head = f' marker-end="url(#to-{kind})"' if kind == "overrides" or (focus and lit) else ""
        yield (
            f'<path d="{_curve(ring, one, other)}" stroke="{look.colour}" stroke-width="{width:.1f}" '
            f'fill="none" opacity="{min(opacity, 0.95):.2f}"{dash}{head}>'
            f"<title>{escape(f'{one} {look.en} {other}')}</title></path>"
        )


def _curve(ring: _Ring, one: str, other: str) -> str:
    """Return the path from one leaf to another through what holds them, as a uniform cubic B-spline."""
    up, down = ring.chain(one), ring.chain(other)
    shared = next((key for key in up if key in down), "")
    climb = up[: up.index(shared)] if shared else up
    descend = down[: down.index(shared)] if shared else down
    middle: list[Point] = [(0.0, 0.0)] if not shared else [ring.point(shared)] if not climb and not descend else []
    inner = [*map(ring.point, climb), *middle, *map(ring.point, reversed(descend))]
    points = [ring.point(one), *inner, ring.point(other)]
    return _spline(_ease(points))


def _ease(points: list[Point]) -> list[Point]:
    """Pull the inner points towards the straight line, so that bundles do not all meet in one spot."""
    (ax, ay), (bx, by), steps = points[0], points[-1], len(points) - 1
    return [
        (
            _TENSION * x + (1 - _TENSION) * (ax + (bx - ax) * step / steps),
            _TENSION * y + (1 - _TENSION) * (ay + (by - ay) * step / steps),
        )
        for step, (x, y) in enumerate(points)
    ]


def _spline(points: list[Point]) -> str:
    every = [points[0], *points, points[-1]]
    path = f"M{points[0][0]:.1f},{points[0][1]:.1f}"
    for (ax, ay), (bx, by), (cx, cy) in zip(every, every[1:], every[2:], strict=False):
        path += (
            f"C{(2 * ax + bx) / 3:.1f},{(2 * ay + by) / 3:.1f} "
            f"{(ax + 2 * bx) / 3:.1f},{(ay + 2 * by) / 3:.1f} "
            f"{(ax + 4 * bx + cx) / 6:.1f},{(ay + 4 * by + cy) / 6:.1f}"
        )
    return path + f"L{points[-1][0]:.1f},{points[-1][1]:.1f}"


def _length(graph: nx.MultiDiGraph[str], key: str, lang: str) -> int:
    """Return how many letters the label of a leaf has."""
    node = graph.nodes[key]
    words = shape.title(graph, key, lang) or shape.text(graph, key, lang).partition("\n")[0] or key
    return len(node["number"]) + 1 + min(32, len(words)) + (6 if int(node.get("holds", 1)) > 1 else 0)


def _labels(graph: nx.MultiDiGraph[str], ring: _Ring, lang: str, near: set[str]) -> Iterator[str]:
    for key in ring.leaves:
        node, angle = graph.nodes[key], ring.angle[key]
        colour = style.colour_of_section(ring.tops.index(_top(ring.parents, key)))
        left = math.cos(angle) < 0
        words = shape.title(graph, key, lang) or shape.text(graph, key, lang).partition("\n")[0] or key
        holds = int(node.get("holds", 1))
        count = f' <tspan fill="{style.MUTED}">({holds})</tspan>' if holds > 1 else ""
        number = f'<tspan font-weight="700">{escape(node["number"])}</tspan> ' if node["number"] else ""
        fade = ' opacity="0.3"' if near and key not in near else ""
        size = min(8.0, 3.4 + math.sqrt(holds) * 0.35) if holds > 1 else 3.4
        fill = "#ffffff" if holds > 1 or node["kind"] == "missing" else colour
        stroke = style.EDGES["overrides"].colour if node["kind"] == "missing" else colour
        flip = 'transform="rotate(180)" text-anchor="end" x="-30"' if left else 'x="30"'
        yield (
            f'<g transform="rotate({math.degrees(angle):.2f}) translate({ring.radius:.1f})"{fade}>'
            f'<circle r="{size:.1f}" fill="{fill}" stroke="{stroke}" stroke-width="1.6"/>'
            f'<text {flip} dy="0.35em" font-size="11">{number}{escape(short(words, 32))}{count}</text>'
            f"<title>{escape(key)}</title></g>"
        )


def _bands(graph: nx.MultiDiGraph[str], ring: _Ring, lang: str) -> Iterator[str]:
    """Draw the topmost sections as bands outside the ring, their names along them."""
    half = math.pi / ring.slots
    for place, top in enumerate(ring.tops):
        if top not in ring.span:
            continue
        low, high = ring.span[top][0] - half, ring.span[top][1] + half
        near, far = ring.radius + 11, ring.radius + 25
        big = int(high - low > math.pi)
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = (
            _polar(near, low), _polar(near, high), _polar(far, high), _polar(far, low)
        )  # fmt: skip
        yield (
            f'<path fill="{style.colour_of_section(place, lightness=90, saturation=62)}" '
            f'd="M{ax:.1f},{ay:.1f}'
            f"A{near:.1f},{near:.1f} 0 {big} 1 {bx:.1f},{by:.1f}L{cx:.1f},{cy:.1f}"
            f'A{far:.1f},{far:.1f} 0 {big} 0 {dx:.1f},{dy:.1f}Z"/>'
        )
        node = graph.nodes[top]
        words = f"{node['number']} {shape.title(graph, top, lang) or ('' if node['number'] else top)}".strip()
        room = int((high - low) * ring.radius / 7)
        if room < 3:
            continue
        below = math.sin((low + high) / 2) > 0
        line = ring.radius + (21.5 if below else 14.5)
        start, end = (high, low) if below else (low, high)
        (ax, ay), (bx, by) = _polar(line, start), _polar(line, end)
        yield (
            f'<path id="band{place}" fill="none" d="M{ax:.1f},{ay:.1f}A{line:.1f},{line:.1f} 0 {big} '
            f'{int(not below)} {bx:.1f},{by:.1f}"/>'
            f'<text font-size="10.5" font-weight="600" text-anchor="middle" '
            f'fill="{style.colour_of_section(place, lightness=32)}">'
            f'<textPath href="#band{place}" startOffset="50%">'
            f"{escape(short(words, room))}</textPath></text>"
        )


def _legend(kinds: list[str], lang: str, reach: float) -> Iterator[str]:
    for place, kind in enumerate(kinds):
        look, y = style.EDGES[kind], -reach + 26 + place * 20
        dash = f' stroke-dasharray="{look.dash}"' if look.dash else ""
        yield (
            f'<path d="M{-reach + 20:.0f},{y:.0f}h34" stroke="{look.colour}" '
            f'stroke-width="{look.width + 0.8}"{dash}/>'
            f'<text x="{-reach + 62:.0f}" y="{y:.0f}" dy="0.35em" font-size="13">'
            f"{style.phrase(kind, lang)}</text>"
        )
