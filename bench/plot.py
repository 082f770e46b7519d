"""Cost against size: as an SVG that needs nothing but a browser, and as bars of text for a README."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Panel", "Series", "bars", "draw"]

_WIDTH, _HEIGHT, _LEFT, _TOP, _GAP = 300, 230, 62, 46, 34
_COLOURS = ("#1b6ca8", "#c2571a", "#3f8f4f", "#7a4fa3")


@dataclass(frozen=True, slots=True)
class Series:
    """One line of a panel: its name, and pairs of size and cost."""

    name: str
    points: Sequence[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Panel:
    """One picture: what is counted across, what upwards (on a logarithmic scale), and its lines."""

    title: str
    across: str
    upwards: str
    series: Sequence[Series]


def draw(panels: Sequence[Panel], title: str) -> str:
    """Return the panels side by side as SVG.

    Examples
    --------
    >>> draw([Panel("a", "cards", "seconds", [Series("all", [(1, 0.1), (2, 10)])])], "Cost").startswith("<svg")
    True
    """
    width = len(panels) * (_WIDTH + _LEFT + _GAP)
    height = _TOP + _HEIGHT + 60 + 16 * max(len(panel.series) for panel in panels)
    costs = [math.log10(cost) for panel in panels for series in panel.series for _, cost in series.points]
    low = math.floor(min(costs))
    scale = (low, max(math.ceil(max(costs)), low + 1))  # one for all panels, so that they can be compared
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'font-family="system-ui, sans-serif" font-size="12">',
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        f'<text x="14" y="20" font-size="15" font-weight="600" fill="#222">{title}</text>',
    ]
    for number, panel in enumerate(panels):
        parts.append(f'<g transform="translate({number * (_WIDTH + _LEFT + _GAP) + _LEFT},{_TOP})">')
        parts += _panel(panel, scale)
        parts.append("</g>")
    return "\n".join([*parts, "</svg>\n"])


_BAR = 26


def bars(panels: Sequence[Panel]) -> str:
    """Return the panels one below the other as bars of text, each line of a panel in a column of its own.

    Examples
    --------
    >>> print(bars([Panel("a", "cards", "seconds", [Series("all", [(1, 1.0), (2, 2.0)])])]))
    cards      all
    1          █████████████ 1.0
    2          ██████████████████████████ 2.0
    """
    longest = [
        max(cost for panel in panels for _, cost in panel.series[i].points) for i in range(len(panels[0].series))
    ]
    lines = []
    for panel in panels:
        if lines:
            lines.append("")
        lines.append(_columns(panel.across, [series.name for series in panel.series]))
        for place, (size, _) in enumerate(panel.series[0].points):
            costs = [series.points[place][1] for series in panel.series]
            drawn = [f"{_bar(cost / most)} {cost:.1f}" for cost, most in zip(costs, longest, strict=True)]
            lines.append(_columns(f"{size:g}", drawn))
    return "\n".join(lines)


def _columns(first: str, rest: Sequence[str]) -> str:
    return (first.ljust(11) + "".join(part.ljust(_BAR + 8) for part in rest)).rstrip()


def _bar(part: float) -> str:
    """Return a bar for a part of the whole, in eighths of a letter, so that even the smallest is seen."""
    eighths = max(1, round(part * _BAR * 8))
    return "█" * (eighths // 8) + " ▏▎▍▌▋▊▉"[eighths % 8].strip()


def _panel(panel: Panel, scale: tuple[int, int]) -> list[str]:
    points = [point for series in panel.series for point in series.points]
    low_x, high_x = min(x for x, _ in points), max(x for x, _ in points)
    low, high = scale

    def place(x: float, y: float) -> tuple[float, float]:
        across = (x - low_x) / ((high_x - low_x) or 1) * _WIDTH
        return across, _HEIGHT - (math.log10(y) - low) / (high - low) * _HEIGHT

    parts = [f'<text x="0" y="-10" font-weight="600" fill="#222">{panel.title}</text>']
    for power in range(low, high + 1):
        y = place(low_x, 10.0**power)[1]
        parts.append(f'<line x1="0" y1="{y:.1f}" x2="{_WIDTH}" y2="{y:.1f}" stroke="#e3e3e3"/>')
        parts.append(f'<text x="-8" y="{y + 4:.1f}" text-anchor="end" fill="#555">{_number(10.0**power)}</text>')
    for x in sorted({x for x, _ in points}):
        left = place(x, 10.0**low)[0]
        parts.append(f'<text x="{left:.1f}" y="{_HEIGHT + 18}" text-anchor="middle" fill="#555">{x:g}</text>')
    parts.append(f'<text x="{_WIDTH / 2}" y="{_HEIGHT + 36}" text-anchor="middle" fill="#222">{panel.across}</text>')
    parts.append(
        f'<text transform="translate(-48,{_HEIGHT / 2}) rotate(-90)" text-anchor="middle" fill="#222">'
        f"{panel.upwards}</text>"
    )
    for number, series in enumerate(panel.series):
        parts += _line(series, _COLOURS[number % len(_COLOURS)], number, place)
    return parts


def _line(series: Series, colour: str, number: int, place: object) -> list[str]:
    assert callable(place)
    spots = [place(x, y) for x, y in series.points]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in spots)
    parts = [f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>']
    parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in spots]
    parts.append(f'<text x="0" y="{_HEIGHT + 56 + 16 * number}" fill="{colour}">{series.name}</text>')
    return parts


def _number(value: float) -> str:
    for bound, letter in ((1e6, "M"), (1e3, "k")):
        if value >= bound:
            return f"{value / bound:g}{letter}"
    return f"{value:g}"
