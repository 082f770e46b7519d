"""A rule and its neighbours, drawn without Graphviz.

What leans on the rule stands on its left, what it leans on on its right, what overrides it above, what it
overrides below; so the place of a card says what it is to the rule.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

import networkx as nx

from rules_graph import graph as shape
from rules_graph.draw import style
from rules_graph.draw.fold import children_of, parents_of
from rules_graph.draw.svg import document, markers, short, wrap

__all__ = ["to_columns"]

_WIDE, _ROW, _PAD = 250, 15, 9
_SELF = 330
_MOST = 14


@dataclass
class _Card:
    """A rule's card: its lines of text, its size, where it stands, and the edge that brought it."""

    key: str
    lines: list[tuple[str, str]]
    kind: str
    width: int = _WIDE
    x: float = 0.0
    y: float = 0.0

    @property
    def height(self) -> float:
        return len(self.lines) * _ROW + 2 * _PAD


def to_columns(graph: nx.MultiDiGraph[str], focus: str, *, lang: str = "en", kinds: Sequence[str] = shape.KINDS) -> str:
    """Return the neighbourhood of a rule as SVG."""
    tones = _tones(graph)
    middle = _Card(focus, _self_lines(graph, focus, lang), "", _SELF)
    middle.x, middle.y = -_SELF / 2, -middle.height / 2
    sides = _sides(graph, focus, lang, kinds)
    heads: list[tuple[float, float, str, str]] = []
    # the columns keep clear of the rows above and below
    across = max(_per_row(sides[side]) for side in ("above", "below")) * (_WIDE + 12) / 2
    far = max(_SELF / 2 + 150, across + 50)
    _column(sides["left"], -far - _WIDE, heads, "left", lang)
    _column(sides["right"], far, heads, "right", lang)
    _rows(sides["above"], -middle.height / 2, heads, lang, above=True)
    _rows(sides["below"], middle.height / 2, heads, lang, above=False)
    cards = [card for row in sides.values() for card in row]
    body = [
        markers({card.kind for card in cards}),
        *(_link(card, side, middle) for side, row in sides.items() for card in row),
        *(_head(*head) for head in heads),
        *(_draw(card, tones.get(card.key, style.MUTED)) for card in cards),
        _draw(middle, tones.get(focus, style.MUTED), focus=True),
    ]
    every = [middle, *cards]
    left, right = min(card.x for card in every) - 24, max(card.x + card.width for card in every) + 24
    top = min([*(card.y for card in every), *(head[1] - 14 for head in heads)]) - 20
    bottom = max([*(card.y + card.height for card in every), *(head[1] for head in heads)]) + 24
    return document((left, top, right - left, bottom - top), body, f"{graph.graph['name']}: {focus}")


def _tones(graph: nx.MultiDiGraph[str]) -> dict[str, str]:
    parents = parents_of(graph)
    tops: dict[str, int] = {}
    tones = {}
    for key, node in graph.nodes(data=True):
        top = key
        while top in parents:
            top = parents[top]
        section = str(node["section"]) or top
        tones[key] = style.colour_of_section(tops.setdefault(section, len(tops)))
    return tones


def _self_lines(graph: nx.MultiDiGraph[str], key: str, lang: str) -> list[tuple[str, str]]:
    node = graph.nodes[key]
    title = f"{node['number']} {shape.title(graph, key, lang)}".strip() or key
    lines = [("head", line) for line in wrap(title, 38, 2)]
    return lines + [("text", line) for line in wrap(shape.text(graph, key, lang), 52, 14)]


def _lines(graph: nx.MultiDiGraph[str], key: str, lang: str, evidence: str) -> list[tuple[str, str]]:
    node = graph.nodes[key]
    words = shape.title(graph, key, lang) or shape.text(graph, key, lang).partition("\n")[0] or key
    first, *rest = wrap(f"{node['number']} {words}".strip(), 36, 3)
    lines = [("number" if node["number"] else "title", first), *(("title", line) for line in rest)]
    said = evidence.split(" | ", maxsplit=1)[0].partition(" < ")[0]
    return [*lines, ("words", short(said, 44))] if said else lines


def _sides(graph: nx.MultiDiGraph[str], focus: str, lang: str, kinds: Sequence[str]) -> dict[str, list[_Card]]:
    sides: dict[str, list[_Card]] = {"above": [], "below": [], "left": [], "right": []}
    inside = _inside(graph, focus)
    places = {key: place for place, key in enumerate(graph)}
    for kind in style.EDGES:
        if kind not in kinds or kind == "part_of":
            continue
        into: dict[str, str] = {}
        out: dict[str, str] = {}
        for key in inside:
            for one, _, name, data in graph.in_edges(key, keys=True, data=True):
                if name == kind and one not in inside:
                    into.setdefault(one, str(data["evidence"]))
            for _, other, name, data in graph.out_edges(key, keys=True, data=True):
                if name == kind and other not in inside:
                    out.setdefault(other, str(data["evidence"]))
        names = ("above", "below") if kind == "overrides" else ("left", "right")
        for side, said in zip(names, (into, out), strict=True):
            for other in sorted(said, key=places.__getitem__):
                sides[side].append(_Card(other, _lines(graph, other, lang, said[other]), kind))
    return {side: _cut(row, lang) for side, row in sides.items()}


def _inside(graph: nx.MultiDiGraph[str], focus: str) -> dict[str, None]:
    """Return a rule and all that it holds: a part of the book stands for what is in it."""
    held = children_of(graph)
    found: dict[str, None] = {}
    waiting = [focus]
    while waiting:
        key = waiting.pop(0)
        found[key] = None
        waiting += held.get(key, [])
    return found


def _cut(row: list[_Card], lang: str) -> list[_Card]:
    """Keep a side readable: what is more than fits is counted on one card."""
    if len(row) <= _MOST + 1:
        return row
    more = f"… ещё {len(row) - _MOST}" if lang == "ru" else f"… and {len(row) - _MOST} more"
    return [*row[:_MOST], _Card("", [("words", more)], row[_MOST].kind)]


def _column(row: list[_Card], x: float, heads: list[tuple[float, float, str, str]], side: str, lang: str) -> None:
    """Stack the cards of one side, each kind under its name, the whole centred on the rule."""
    kinds = list(dict.fromkeys(card.kind for card in row))
    total = sum(card.height + 8 for card in row) + 26 * len(kinds)
    y = -total / 2
    for kind in kinds:
        heads.append((x, y + 16, style.phrase(kind, lang, incoming=side == "left"), style.EDGES[kind].colour))
        y += 26
        for card in row:
            if card.kind == kind:
                card.x, card.y = x, y
                y += card.height + 8


def _per_row(row: list[_Card]) -> int:
    """Return how many cards stand side by side: few, so that the columns need not stand far out."""
    return 3 if len(row) > 6 else min(2, len(row))


def _rows(row: list[_Card], edge: float, heads: list[tuple[float, float, str, str]], lang: str, *, above: bool) -> None:
    """Lay cards in rows above or below the rule."""
    if not row:
        return
    words = style.phrase("overrides", lang, incoming=above)
    y = edge + (-64 if above else 64)
    for start in range(0, len(row), _per_row(row)):
        cards = row[start : start + _per_row(row)]
        tall = max(card.height for card in cards)
        for column, card in enumerate(cards):
            card.x = (column - len(cards) / 2) * (_WIDE + 12) + 6
            card.y = y - card.height if above else y
        y += -tall - 12 if above else tall + 12
    first = min(card.x for card in row)
    heads.append((first, y + (2 if above else 4), words, style.EDGES["overrides"].colour))


def _head(x: float, y: float, words: str, colour: str) -> str:
    look = f'font-size="12" font-weight="700" fill="{colour}"'
    return f'<text x="{x:.0f}" y="{y:.0f}" {look}>{escape(words)}</text>'


def _link(card: _Card, side: str, middle: _Card) -> str:
    look = style.EDGES[card.kind]
    dash = f' stroke-dasharray="{look.dash}"' if look.dash else ""
    half = middle.height / 2 - 16
    y = card.y + card.height / 2
    aim = max(-half, min(half, y * 0.3))
    if side == "left":
        edge = card.x + card.width
        path = f"M{edge:.0f},{y:.0f}C{edge + 90:.0f},{y:.0f} {middle.x - 90:.0f},{aim:.0f} "
        path += f"{middle.x - 3:.0f},{aim:.0f}"
    elif side == "right":
        edge = middle.x + middle.width
        path = f"M{edge:.0f},{aim:.0f}C{edge + 90:.0f},{aim:.0f} {card.x - 90:.0f},{y:.0f} "
        path += f"{card.x - 4:.0f},{y:.0f}"
    else:
        above = side == "above"
        edge = -middle.height / 2 - 2 if above else middle.height / 2
        end = card.y + card.height if above else card.y - 3
        x, bend = card.x + card.width / 2, (edge + end) / 2
        near, far = f"{x * 0.35:.0f}", f"{x:.0f}"
        path = (
            f"M{far},{end:.0f}C{far},{bend:.0f} {near},{bend:.0f} {near},{edge:.0f}"
            if above
            else f"M{near},{edge:.0f}C{near},{bend:.0f} {far},{bend:.0f} {far},{end:.0f}"
        )
    return (
        f'<path d="{path}" fill="none" stroke="{look.colour}" stroke-width="{look.width}"{dash} '
        f'opacity="0.8" marker-end="url(#to-{card.kind})"/>'
    )


def _draw(card: _Card, tone: str, *, focus: bool = False) -> str:
    edge = tone if focus else "#d5dbe2"
    parts = [
        f'<g transform="translate({card.x:.0f},{card.y:.0f})">',
        f'<rect width="{card.width}" height="{card.height:.0f}" rx="8" fill="#ffffff" stroke="{edge}" '
        f'stroke-width="{2.4 if focus else 1}"/>',
    ]
    if not focus:
        parts.append(f'<rect width="5" height="{card.height:.0f}" rx="2.5" fill="{tone}"/>')
    parts += list(_text(card, tone))
    return "".join(parts) + "</g>"


def _text(card: _Card, tone: str) -> Iterator[str]:
    looks = {
        "head": f'font-size="14" font-weight="700" fill="{tone}"',
        "text": 'font-size="11.5"',
        "title": 'font-size="12"',
        "number": 'font-size="12"',
        "words": f'font-size="10.5" font-style="italic" fill="{style.MUTED}"',
    }
    for place, (look, words) in enumerate(card.lines):
        y = _PAD + (place + 0.78) * _ROW
        shown = escape(words)
        if look == "number":
            number, _, rest = words.partition(" ")
            shown = f'<tspan font-weight="700">{escape(number)}</tspan> {escape(rest)}'
        yield f'<text x="{_PAD + 5}" y="{y:.0f}" {looks[look]}>{shown}</text>'
