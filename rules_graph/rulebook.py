"""The importer: the text of a numbered rulebook as provisions and references.

``read(paths)`` decodes, guesses the profile, scans the lines and finds the references.
``rules_graph.textgraph`` makes the networkx graph of the result.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from bridge.errors import RulebookError
from rules_graph import profile as profiles
from rules_graph.decode import decode
from rules_graph.model import Provision, Reference, Rulebook, Skipped, Tag
from rules_graph.references import Finder, Index, tags_of
from rules_graph.scan import PREFACE, scan

__all__ = ["parse", "read"]


def read(paths: Sequence[str | Path], *, profile: str = "") -> Rulebook:
    """Read a rulebook from its files.

    Parameters
    ----------
    paths
        One file, or the chapters of one book in their order.
    profile
        The name of a profile; empty to guess it.

    Returns
    -------
    Rulebook
        The provisions, the references between them and what was left out.

    Raises
    ------
    RulebookError
        Where a file cannot be read, decoded or recognised.
    """
    texts, encodings = [], []
    for path in map(Path, paths):
        try:
            data = path.read_bytes()
        except OSError as error:
            raise RulebookError(f"{path.name}: cannot be read: {error.strerror or error}") from error
        text, encoding = decode(data, path.name)
        texts.append((path.name, text))
        encodings.append(encoding)
    if not texts:
        raise RulebookError("no rulebook was given")
    return parse(texts, profile=profile, encoding=", ".join(dict.fromkeys(encodings)))


def parse(texts: Sequence[tuple[str, str]], *, profile: str = "", encoding: str = "utf-8") -> Rulebook:
    r"""Read a rulebook from decoded texts, given as pairs of a name and a text.

    Examples
    --------
    >>> book = parse([("tiny", "1.1 First. See rule 1.2.\n\n1.2 Second.\n\n1.3 Third.\n")])
    >>> [(ref.source, ref.target) for ref in book.references]
    [('1.1', '1.2')]
    """
    whole = "\n".join(text for _, text in texts)
    name = texts[0][0] if len(texts) == 1 else f"{texts[0][0]} and {len(texts) - 1} more"
    fits, scores = profiles.guess(whole, name) if not profile else (profiles.profile(profile), ())
    language = profiles.main_language(whole, fits.languages)
    words = profiles.lexicon(language)
    provisions: list[Provision] = []
    skipped: list[Skipped] = []
    notes: list[str] = []
    for place, (file, text) in enumerate(texts, 1):
        found = scan(text, fits, words, file=file if len(texts) > 1 else "", chapter=place)
        provisions += _fresh(found.provisions, {provision.id for provision in provisions})
        skipped += found.skipped
        notes += found.notes
    if not any(provision.number or provision.title not in ("", PREFACE) for provision in provisions):
        raise RulebookError(f"{name}: no line was recognised as a rule under the profile {fits.name}")
    references, tags = _references(provisions, fits, words)
    return Rulebook(
        name=name,
        files=tuple(file for file, _ in texts),
        encoding=encoding,
        language=language,
        profile=fits.name,
        profile_title=fits.title,
        scores=scores,
        provisions=tuple(provisions),
        references=references,
        tags=tags,
        skipped=tuple(skipped),
        skip_letters=fits.skip_letters,
        notes=tuple(notes),
    )


def _fresh(provisions: Sequence[Provision], taken: set[str]) -> list[Provision]:
    """Rename the ids of a further chapter that an earlier chapter uses already."""
    new = {}
    for provision in provisions:
        if provision.id in taken:
            place = 2
            while f"{provision.id}#{place}" in taken:
                place += 1
            new[provision.id] = f"{provision.id}#{place}"
    return [
        replace(
            provision,
            id=new.get(provision.id, provision.id),
            parent=new.get(provision.parent, provision.parent),
        )
        for provision in provisions
    ]


def _references(
    provisions: Sequence[Provision], profile: profiles.Profile, words: profiles.Lexicon
) -> tuple[tuple[Reference, ...], tuple[Tag, ...]]:
    """Find the references and tags of all provisions."""
    finder = Finder(profile, words, Index(provisions, profile))
    deontic = {meaning: re.compile(pattern, re.IGNORECASE) for meaning, pattern in words.deontic.items()}
    references: list[Reference] = []
    tags: list[Tag] = []
    for provision in provisions:
        references += finder.find(provision)
        tags += tags_of(provision, deontic)
    return tuple(references), tuple(tags)
