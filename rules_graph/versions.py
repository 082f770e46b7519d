"""Two versions of one book: what was renumbered, reworded, added, removed, and which references went stale.

Rules are matched in rounds, each taking what the one before left: the same title, the same words, the same
place with like words, like words anywhere, the same place rewritten. Numbers inside the texts count for
nothing, since renumbering changes them all.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from rules_graph.lint import Finding
from rules_graph.model import Provision, Rulebook

__all__ = ["Changes", "compare"]

# The share of words that two rules must have in common to be one: in one place, in two places, and in one
# place where nothing else is left.
_SAME, _LIKE, _REWRITTEN = 0.5, 0.6, 0.2
_KEPT = 0.8
_INSIDE, _LONG = 0.75, 12  # what a text inside another is worth, and from how many words on
_Bags = tuple[Mapping[str, Counter[str]], Mapping[str, Counter[str]]]
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True)
class Changes:
    """How a book changed; `moved` maps the old ids to the new ones."""

    old: str
    new: str
    moved: Mapping[str, str]
    findings: tuple[Finding, ...]
    counts: Mapping[str, int] = field(default_factory=dict)


def compare(old: Rulebook, new: Rulebook) -> Changes:
    r"""Compare two versions of one rulebook.

    Parameters
    ----------
    old, new
        The versions; the lines of the findings are those of `new`, except for removed rules.

    Examples
    --------
    >>> from rules_graph.rulebook import parse
    >>> old = parse([("old", "1.1 Draw one card.\n\n1.2 Pay the cost first.\n\n"
    ...               "1.3 Discard. See rule 1.2.\n")])
    >>> new = parse([("new", "1.1 Draw one card.\n\n1.2 Untap all.\n\n1.3 Pay the cost first.\n\n"
    ...               "1.4 Discard. See rule 1.2.\n")])
    >>> [finding.sentence() for finding in compare(old, new).findings if finding.code == "stale-reference"]
    ['1.4 still refers to 1.2 (“rule 1.2”), but what 1.2 was is now 1.3.']
    """
    moved = _match(old, new)
    findings = [*_changed(old, new, moved), *_stale(old, new, moved)]
    findings.sort(key=lambda each: (each.code == "removed", each.line, each.code))
    return Changes(old.name, new.name, moved, tuple(findings), dict(Counter(each.code for each in findings)))


# -- which rule is which ---------------------------------------------------------------------------


def _words(provision: Provision) -> Counter[str]:
    return Counter(_WORD.findall(f"{provision.title} {provision.text}".casefold()))


def _share(one: Counter[str], other: Counter[str]) -> float:
    """Return the share of words that two texts have in common, 1 for the same words.

    A text that was only made longer is still the same rule, so a text wholly inside another counts for much.
    """
    total = sum((one | other).values())
    if not total:
        return 1.0
    common, least = sum((one & other).values()), min(sum(one.values()), sum(other.values()))
    inside = _INSIDE * common / least if least >= _LONG else 0.0
    return max(common / total, inside)


def _match(old: Rulebook, new: Rulebook) -> dict[str, str]:
    """Return which old rule is which new one, titles first, since a title's children move with it."""
    bags = ({each.id: _words(each) for each in old}, {each.id: _words(each) for each in new})
    moved: dict[str, str] = {}
    _same_key(old, new, moved, _titled)
    _same_key(old, new, moved, _exact)
    _same_place(old, new, moved, bags, _SAME)
    for one, other in _similar(old, new, moved, bags):
        moved[one] = other
    _same_place(old, new, moved, bags, _REWRITTEN)
    return moved


def _same_key(old: Rulebook, new: Rulebook, moved: dict[str, str], key: Callable[[Provision], str]) -> None:
    """Match rules with the same title or the same words."""
    taken = set(moved.values())
    rows: dict[str, list[Provision]] = {}
    for each in new:
        if each.id not in taken and key(each):
            rows.setdefault(key(each), []).append(each)
    for each in old:
        row = rows.get(key(each), []) if each.id not in moved else []
        best = _nearest(each, row, moved)
        if best:
            row.remove(best)
            moved[each.id] = best.id


def _same_place(old: Rulebook, new: Rulebook, moved: dict[str, str], bags: _Bags, share: float) -> None:
    """Match rules with the same last part under the same parent whose words are enough alike."""
    taken = set(moved.values())
    for each in old:
        if each.id in moved or (each.parent and each.parent not in moved):
            continue
        place = _under(each, moved.get(each.parent, ""))
        if place in new.by_id and place not in taken and _share(bags[0][each.id], bags[1][place]) >= share:
            moved[each.id] = place
            taken.add(place)


def _under(provision: Provision, parent: str) -> str:
    """Return the id that a rule has where its parent is now called `parent`."""
    if provision.parent and provision.id.startswith(provision.parent) and provision.parent != parent:
        return parent + provision.id[len(provision.parent) :]
    return provision.id


def _exact(provision: Provision) -> str:
    """Return what a rule says without its numbers; empty where it is too short to tell rules apart."""
    words = " ".join(_WORD.findall(f"{provision.title} {provision.text}".casefold()))
    return f"{provision.kind} {words}" if len(words) > 30 else ""


def _titled(provision: Provision) -> str:
    return f"{provision.kind} {provision.title.casefold()}" if provision.title else ""


def _nearest(old: Provision, row: list[Provision], moved: Mapping[str, str]) -> Provision | None:
    """Choose among rules of the same words: the one under the same parent, else the first."""
    if not row:
        return None
    parent = moved.get(old.parent, old.parent)
    return next((each for each in row if each.parent == parent), row[0])


def _similar(old: Rulebook, new: Rulebook, moved: Mapping[str, str], bags: _Bags) -> Iterator[tuple[str, str]]:
    """Yield what is left and has most of its words in common, the most alike first."""
    bags_old, bags_new = bags
    taken = set(moved.values())
    free_new = [each for each in new if each.id not in taken]
    by_word: dict[str, list[str]] = {}
    for each in free_new:
        for word in bags_new[each.id]:
            by_word.setdefault(word, []).append(each.id)
    pairs = []
    for each in old:
        if each.id in moved:
            continue
        rare = sorted((word for word in bags_old[each.id] if word in by_word), key=lambda word: len(by_word[word]))
        near = {key for word in rare[:6] for key in by_word[word]}
        for key in near:
            if new.by_id[key].kind == each.kind:
                share = _share(bags_old[each.id], bags_new[key])
                if share >= _LIKE:
                    pairs.append((share, each.id, key))
    used_old: set[str] = set()
    used_new: set[str] = set()
    for _, one, other in sorted(pairs, key=lambda pair: (-pair[0], pair[1], pair[2])):
        if one not in used_old and other not in used_new:
            used_old.add(one)
            used_new.add(other)
            yield one, other


# -- what changed ----------------------------------------------------------------------------------


def _changed(old: Rulebook, new: Rulebook, moved: Mapping[str, str]) -> Iterator[Finding]:
    back = {now: then for then, now in moved.items()}
    for each in new:
        then = back.get(each.id)
        if then is None:
            yield Finding("added", each.id, each.line, {"number": each.id}, each.file)
            continue
        if then != each.id:
            yield Finding("renumbered", each.id, each.line, {"number": each.id, "old": then}, each.file)
        before, after = _words(old.by_id[then]), _words(each)
        if before != after:
            share = str(int(100 * _share(before, after)))
            yield Finding("reworded", each.id, each.line, {"number": each.id, "share": share}, each.file)
    for each in old:
        if each.id not in moved:
            yield Finding("removed", each.id, each.line, {"number": each.id}, each.file)


def _stale(old: Rulebook, new: Rulebook, moved: Mapping[str, str]) -> Iterator[Finding]:
    """Yield references of the new version that were not renumbered with what they name.

    A reference is stale where the older version of the same rule named the same number and meant a rule that
    is now called otherwise, unless the new one names that rule too.
    """
    targets_old = _targets(old)
    targets_new = _targets(new)
    back = {now: then for then, now in moved.items()}
    for reference in new.references:
        then = back.get(reference.source)
        if then is None or _share(_words(old.by_id[then]), _words(new.by_id[reference.source])) < _KEPT:
            continue  # a rule that was written anew was written with its references
        if reference.form in ("see_also", "anchor", "step") or reference.wanted not in targets_old[then]:
            continue
        meant = targets_old[then][reference.wanted]
        now = moved.get(meant, "")
        if not meant or (now and now in (reference.target, *targets_new[reference.source].values())):
            continue
        source = new.by_id[reference.source]
        facts = {"source": source.id, "wanted": reference.wanted, "words": reference.words, "now": now}
        yield Finding("stale-reference" if now else "stale-removed", source.id, reference.line, facts, source.file)


def _targets(book: Rulebook) -> dict[str, dict[str, str]]:
    """Return for each rule which numbers it names and what they are."""
    found: dict[str, dict[str, str]] = {each.id: {} for each in book}
    for reference in book.references:
        found[reference.source][reference.wanted] = reference.target
    return found
