"""What is the same for every position of a game, kept between commands.

A game's vocabulary takes a tenth of a second to ground and a hundredth to read back; the part of its law that a
question needs takes longer to find. Both are kept in the user's cache folder under names that stand for the very files
they were read from, so they are never out of date. Whatever goes wrong with the folder is no reason to fail: what is
not kept is made again. ``LAWSPEAKER_CACHE`` names another folder; left empty it switches the cache off.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TypeVar

import clingo
from clingo import Symbol, parse_term

import asp

__all__ = ["facts", "fingerprint", "is_ours", "keeps", "kept"]

_FORMAT = "3"
_OWN = asp.ROOT
_READERS = tuple(Path(__file__).with_name(name) for name in ("cache.py", "law.py", "possible.py", "vocabulary.py"))
"""The code that decides what is kept: another version of it keeps other things."""

Kept = TypeVar("Kept")


def facts(game: str, ground: Callable[[], Iterable[Symbol]]) -> list[Symbol]:
    """Return facts of a game's law: those that were kept, or the ones that ``ground`` returns, which are then kept.

    Parameters
    ----------
    game
        The game's folder under ``asp``.
    ground
        Derives the facts from the law.
    """
    return kept(
        game,
        "facts",
        lambda: "".join(f"{symbol}\n" for symbol in ground()),
        lambda text: [parse_term(line) for line in text.split("\n") if line],
    )


def kept(game: str, kind: str, make: Callable[[], str], read: Callable[[str], Kept]) -> Kept:
    """Return what was kept of a game's law, or what is made now, which is then kept.

    Parameters
    ----------
    game
        The game's folder under ``asp``.
    kind
        What it is; a part of the file's name.
    make
        Makes it, as text.
    read
        Reads the text; what it cannot read (`ValueError` or `RuntimeError`) is made again.
    """
    path = _path(game, kind)
    if path is None:
        return read(make())
    with contextlib.suppress(OSError, ValueError, RuntimeError):
        return read(path.read_text(encoding="utf-8"))
    text = make()
    with contextlib.suppress(OSError):
        _keep(path, text)
    return read(text)


def is_ours() -> bool:
    """Whether the law in force is the one that we came with; of any other nothing is kept."""
    return asp.ROOT == _OWN


def keeps() -> bool:
    """Whether what is made of a law now can be kept for the next command."""
    folder = _folder()
    if folder is None:
        return False
    with contextlib.suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
    return os.access(folder, os.W_OK)


def _folder() -> Path | None:
    """Return where things are kept; nowhere for a law that is not the one we came with."""
    folder = os.environ.get("LAWSPEAKER_CACHE")
    if folder == "" or not is_ours():
        return None
    home = os.environ.get("XDG_CACHE_HOME")
    return Path(folder) if folder else (Path(home) if home else Path.home() / ".cache") / "lawspeaker"


def _path(game: str, kind: str) -> Path | None:
    folder = _folder()
    return None if folder is None else folder / f"{game}-{kind}-{fingerprint(game)}.txt"


def fingerprint(game: str) -> str:
    """Return what stands for the files of a game's law, as they are now, and for whoever reads them."""
    seen = [_FORMAT, clingo.__version__, str(asp.ROOT)]
    for path in (*_READERS, *_files(game)):
        stat = path.stat()
        seen.append(f"{path} {stat.st_mtime_ns} {stat.st_size}")
    return hashlib.sha256("\n".join(seen).encode()).hexdigest()[:24]


def _files(game: str) -> Iterator[Path]:
    for folder in (asp.ROOT / "grammar", asp.ROOT / "drivers", asp.ROOT / game):
        for place, folders, files in os.walk(folder):
            folders[:] = sorted(set(folders) - {"positions"})
            yield from (Path(place, name) for name in sorted(files) if name.endswith(".lp"))


def _keep(path: Path, text: str) -> None:
    """Write a file whole or not at all, and remove what older laws of the same game have left."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, suffix=".tmp")
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
    Path(name).replace(path)
    prefix = path.name.rpartition("-")[0]
    for old in path.parent.glob(f"{prefix}-*"):
        if old != path:
            old.unlink(missing_ok=True)
