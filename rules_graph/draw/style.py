"""Colours and lines of the kinds of edges and nodes, the same in every picture."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["EDGES", "FONT", "INK", "PAPER", "SECTION_HUES", "EdgeStyle", "colour_of_section", "phrase"]

FONT = "Helvetica, Arial, sans-serif"
INK, PAPER, MUTED = "#1d2733", "#ffffff", "#6b7785"


@dataclass(frozen=True)
class EdgeStyle:
    """How a kind of edge is drawn and what it is called, in English and Russian."""

    colour: str
    width: float
    dash: str
    en: str
    ru: str


EDGES = {
    "overrides": EdgeStyle("#c8352b", 2.2, "", "overrides", "старше"),
    "refers": EdgeStyle("#2f6fb3", 1.3, "", "refers to", "ссылается на"),
    "depends": EdgeStyle("#3c9467", 1.2, "5,3", "depends on", "зависит от"),
    "see_also": EdgeStyle("#8a63b5", 1.2, "2,3", "see also", "см. также"),
    "part_of": EdgeStyle("#b4bcc6", 1.0, "", "part of", "часть"),
}

# Hues around the circle, far apart for neighbours, so that sections beside each other can be told apart.
SECTION_HUES = (212, 28, 145, 332, 265, 178, 48, 0, 100, 290)


def colour_of_section(place: int, *, lightness: int = 45, saturation: int = 48) -> str:
    """Return the colour of the `place`-th section as ``#rrggbb``."""
    hue, light, sat = SECTION_HUES[place % len(SECTION_HUES)] / 360, lightness / 100, saturation / 100
    reach = sat * min(light, 1 - light)

    def channel(offset: int) -> int:
        k = (offset + hue * 12) % 12
        return round(255 * (light - reach * max(-1.0, min(k - 3, 9 - k, 1.0))))

    return f"#{channel(0):02x}{channel(8):02x}{channel(4):02x}"


_INCOMING = {
    "overrides": ("is overridden by", "уступает"),
    "refers": ("is referred to by", "на него ссылаются"),
    "depends": ("is depended on by", "от него зависят"),
    "see_also": ("is named by", "к нему отсылают"),
    "part_of": ("holds", "содержит"),
}


def phrase(kind: str, lang: str, *, incoming: bool = False) -> str:
    """Return what a kind of edge is called, read from its source, or from its target if `incoming`."""
    if incoming:
        return _INCOMING[kind][lang == "ru"]
    style = EDGES[kind]
    return style.ru if lang == "ru" else style.en
