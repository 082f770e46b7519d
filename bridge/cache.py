"""What is the same for every position of a game, kept between commands.

A game's vocabulary takes a tenth of a second to ground and a hundredth to read back. It is kept in the user's cache
folder under a name that stands for the very files it was read from, so it is never out of date. Whatever goes wrong
with the folder is no reason to fail: the vocabulary is grounded again. ``LAWSPEAKER_CACHE`` names another folder;
left empty it switches the cache off.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

import clingo
from clingo import Symbol, parse_term

import asp

__all__ = ["facts"]

_FORMAT = "2"
_OWN = asp.ROOT


def facts(game: str, ground: Callable[[], Iterable[Symbol]]) -> list[Symbol]:
    """Return facts of a game's law: those that were kept, or the ones that ``ground`` returns, which are then kept.

    Parameters
    ----------
    game
        The game's folder under ``asp``.
    ground
        Derives the facts from the law.
    """
    path = _path(game)
    if path is None:
        return list(ground())
    with contextlib.suppress(OSError, UnicodeDecodeError, RuntimeError):
        return [parse_term(line) for line in path.read_text(encoding="utf-8").split("\n") if line]
    found = list(ground())
    with contextlib.suppress(OSError):
        _keep(path, "".join(f"{symbol}\n" for symbol in found))
    return found


def _path(game: str) -> Path | None:
    """Return where a game's facts are kept; nowhere for a law that is not the one we came with."""
    folder = os.environ.get("LAWSPEAKER_CACHE")
    if folder == "" or asp.ROOT != _OWN:
        return None
    home = os.environ.get("XDG_CACHE_HOME")
    where = Path(folder) if folder else (Path(home) if home else Path.home() / ".cache") / "lawspeaker"
    return where / f"{game}-{_fingerprint(game)}.facts"


def _fingerprint(game: str) -> str:
    """Return what stands for the files of a game's law, as they are now, and for whoever reads them."""
    seen = [_FORMAT, clingo.__version__, str(asp.ROOT)]
    for folder in (asp.ROOT / "grammar", asp.ROOT / game):
        for place, folders, files in os.walk(folder):
            folders[:] = sorted(set(folders) - {"positions"})
            for name in sorted(files):
                if name.endswith(".lp"):
                    path = Path(place, name)
                    stat = path.stat()
                    seen.append(f"{path} {stat.st_mtime_ns} {stat.st_size}")
    return hashlib.sha256("\n".join(seen).encode()).hexdigest()[:24]


def _keep(path: Path, text: str) -> None:
    """Write a file whole or not at all, and remove what older laws of the same game have left."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, suffix=".tmp")
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
    Path(name).replace(path)
    prefix = path.name.rpartition("-")[0]
    for old in path.parent.glob(f"{prefix}-*.facts"):
        if old != path:
            old.unlink(missing_ok=True)
