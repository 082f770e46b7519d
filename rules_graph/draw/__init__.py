"""Pictures and files of a rule graph; each format has a module of its own.

``terminal`` (tree and ladder), ``dot``, ``mermaid``, ``files`` (GraphML, Cytoscape JSON, plain JSON),
``picture`` (SVG and PNG), ``page`` (one HTML file).
"""

from __future__ import annotations

__all__ = ["FORMATS"]

#: The formats of ``lawspeaker graph … export``, by the ending of a file.
FORMATS = ("html", "svg", "png", "dot", "mmd", "graphml", "cyjs", "json")
