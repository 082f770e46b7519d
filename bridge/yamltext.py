"""YAML read as data only, with the line of every value.

Tags, anchors and aliases are refused, keys are always text (YAML 1.1 would read ``on`` as *true*), a key that stands
twice is an error, and a file beyond a size is not read at all.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import yaml

from bridge.errors import Fault, PositionError

__all__ = ["Document", "read"]

LARGEST = 1_000_000
"""Bytes that a position file may have; a whole game of cards needs some ten thousand."""

_DEEPEST = 20
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_PLAIN_TAGS = {None, "tag:yaml.org,2002:str", "!"}

Path = tuple[str | int, ...]


@dataclass(slots=True)
class Document:
    """What a file says, and on which line each part of it stands (counted from 1)."""

    data: Any
    lines: dict[Path, int] = field(default_factory=dict)

    def line(self, path: Path) -> int | None:
        """Return the line of a part, or of the innermost part around it that has one."""
        for end in range(len(path), -1, -1):
            if path[:end] in self.lines:
                return self.lines[path[:end]]
        return None


def read(text: str, source: str = "") -> Document:
    """Read a YAML text.

    Parameters
    ----------
    text
        The file's content.
    source
        Its name, for messages.

    Raises
    ------
    PositionError
        If the text is empty, too large, no YAML, or uses what a position has no need of.
    """
    if len(text) > LARGEST:
        raise _fault(f"the file has {len(text):,} characters; a position has at most {LARGEST:,}", source)
    if not text.strip():
        raise _fault("the file is empty; a position needs at least game, players and cards", source)
    try:
        for event in yaml.parse(text, Loader=_LOADER):
            line = event.start_mark.line + 1 if event.start_mark is not None else None
            if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
                raise _fault("anchors and aliases (& and *) are not allowed; write the value out", source, line)
            tag = getattr(event, "tag", None)
            if tag not in _PLAIN_TAGS:
                raise _fault(f"the tag {tag} is not allowed; a position is plain data", source, line)
        nodes = list(yaml.compose_all(text, Loader=_LOADER))
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else None
        raise _fault(f"this is no YAML: {error.problem or error.context}", source, line) from error
    except yaml.YAMLError as error:
        raise _fault(f"this is no YAML: {' '.join(str(error).split())}", source) from error
    if len(nodes) != 1 or not isinstance(nodes[0], yaml.MappingNode):
        raise _fault("a position is one list of 'key: value' lines, as 'game: agot'", source)
    document = Document(None)
    document.data = _value(nodes[0], (), document, source)
    return document


def _fault(message: str, source: str, line: int | None = None, path: str = "") -> PositionError:
    return PositionError([Fault(path, message, line=line)], source)


def _value(node: Any, path: Path, document: Document, source: str) -> Any:
    line = node.start_mark.line + 1
    document.lines[path] = line
    shown = ".".join(map(str, path))
    if len(path) > _DEEPEST:
        raise _fault("the file is nested too deep for a position", source, line, shown)
    if isinstance(node, yaml.MappingNode):
        result: dict[str, Any] = {}
        for key, value in node.value:
            if not isinstance(key, yaml.ScalarNode):
                raise _fault("a key must be a single word", source, key.start_mark.line + 1, shown)
            if key.value in result:
                inner = f"{shown}.{key.value}" if shown else key.value
                raise _fault("this key stands here twice; keep one", source, key.start_mark.line + 1, inner)
            result[key.value] = _value(value, (*path, key.value), document, source)
            document.lines[(*path, key.value)] = key.start_mark.line + 1
        return result
    if isinstance(node, yaml.SequenceNode):
        return [_value(child, (*path, i), document, source) for i, child in enumerate(node.value)]
    return _scalar(node, source)


def _scalar(node: Any, source: str) -> Any:
    kind = node.tag.rsplit(":", 1)[-1]
    text = node.value
    if any((ord(mark) < 32 and mark not in "\n\t") or 127 <= ord(mark) < 160 for mark in text):
        raise _fault("control characters are not allowed", source, node.start_mark.line + 1)
    if kind == "bool":
        return text.lower() in {"true", "yes", "on", "y"}
    if kind == "null":
        return None
    if kind == "int" and text.lstrip("+-").isdigit():
        return int(text) if len(text) < 20 else text
    return text
