"""Small helpers that every drawing of our own shares."""

from __future__ import annotations

import re
from collections.abc import Iterable
from xml.sax.saxutils import escape

from rules_graph.draw import style

__all__ = ["document", "markers", "short", "wrap"]

_NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def document(box: tuple[float, float, float, float], body: Iterable[str], title: str) -> str:
    """Return a whole SVG file around the elements of `body`; `box` is left, top, width and height."""
    left, top, width, height = box
    inside = "\n".join(body)
    return _NOT_XML.sub(
        "\ufffd",
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{left:.0f} {top:.0f} {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}" font-family="{style.FONT}" fill="{style.INK}">\n'
        f"<title>{escape(title)}</title>\n"
        f'<rect x="{left:.0f}" y="{top:.0f}" width="{width:.0f}" height="{height:.0f}" '
        f'fill="{style.PAPER}"/>\n'
        f"{inside}\n</svg>\n",
    )


def markers(kinds: Iterable[str]) -> str:
    """Return the arrowheads of some kinds of edges."""
    heads = "".join(
        f'<marker id="to-{kind}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="9" markerHeight="9" '
        f'markerUnits="userSpaceOnUse" orient="auto">'
        f'<path d="M0,1L10,5L0,9Z" fill="{style.EDGES[kind].colour}"/>'
        "</marker>"
        for kind in sorted(kinds)
    )
    return f"<defs>{heads}</defs>"


def short(words: str, length: int) -> str:
    """Return words cut to a length, with an ellipsis where something was cut."""
    return words if len(words) <= length else words[: length - 1].rstrip() + "…"


def wrap(words: str, width: int, rows: int) -> list[str]:
    """Break words into at most `rows` lines; the last ends in an ellipsis where something was cut."""
    lines: list[str] = []
    for word in words.split():
        if lines and len(lines[-1]) + 1 + len(word) <= width:
            lines[-1] += " " + word
        elif len(lines) == rows:
            lines[-1] = short(lines[-1] + " " + word, min(width, len(lines[-1]) + 1))
            break
        else:
            lines.append(short(word, width))
    return lines
