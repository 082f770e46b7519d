"""The law itself: every file is silent under clingo, keeps to the grammar and describes itself."""

from __future__ import annotations

import re
from pathlib import Path

import networkx as nx
import pytest
from clingo import Function, Symbol, SymbolType, ast

import asp
from bridge import catalog, vocabulary
from bridge.ground import control
from bridge.words import Teller

FILES = sorted(asp.ROOT.rglob("*.lp"))
GAMES = catalog.games()
RULES = list({rule.id: rule for game in GAMES for rule in catalog.load(game)}.values())
RULE_FILES = sorted({asp.ROOT / rule.file for rule in RULES})
LAW = [path for path in FILES if path.parent.name != "drivers" and path.name != "game.lp"]


def _name(value: object) -> str:
    return value.relative_to(asp.ROOT).as_posix() if isinstance(value, Path) else str(value)


@pytest.mark.parametrize("driver", ["ask", "play", "relax", "reached"])
@pytest.mark.parametrize("game", GAMES)
def test_clingo_has_nothing_to_say(game: str, driver: str) -> None:
    ctl, messages = control(strict=True)
    ctl.load(str(asp.ROOT / game / "game.lp"))
    ctl.load(str(asp.ROOT / "drivers" / f"{driver}.lp"))
    ctl.ground()
    assert not messages


@pytest.mark.parametrize("game", GAMES)
def test_every_file_of_a_game_is_included(game: str) -> None:
    folder = asp.ROOT / game
    included = set(catalog.load(game).files)
    assert {path for path in folder.rglob("*.lp") if path.name != "game.lp"} <= included


@pytest.mark.parametrize("path", FILES, ids=_name)
def test_a_file_says_first_what_it_is(path: Path) -> None:
    assert path.read_text(encoding="utf-8").startswith("%*! ")


@pytest.mark.parametrize("path", LAW, ids=_name)
def test_the_law_is_one_step_and_offers_nothing_by_choice(path: Path) -> None:
    def visit(node: ast.AST) -> None:
        if node.ast_type != ast.ASTType.Rule:
            return
        place = f"{path.name}:{node.location.begin.line}"
        head = node.head.ast_type
        assert head not in (ast.ASTType.Aggregate, ast.ASTType.Disjunction), f"{place}: a choice or disjunction"
        text = str(node)
        assert not re.search(r"\bT\s*[+-]", text), f"{place}: another moment than T"

    ast.parse_files([str(path)], visit)


@pytest.mark.parametrize("path", RULE_FILES, ids=_name)
def test_one_rule_a_file(path: Path) -> None:
    inside = [rule.id for rule in RULES if asp.ROOT / rule.file == path]
    assert len(inside) == 1


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_rule_describes_itself_in_both_languages(rule: catalog.Rule) -> None:
    for lang, script in (("en", "[A-Za-z]"), ("ru", "[А-Яа-яЁё]")):
        assert re.search(script, rule.titles.get(lang, "")), f"no title in {lang}"
        assert re.search(script, rule.texts.get(lang, "")), f"no text in {lang}"
    assert rule.source, "no source"


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_references_lead_somewhere(rule: catalog.Rule) -> None:
    known = {other.id for other in RULES}
    for other in (*rule.refers, *rule.overrides):
        assert other in known
        assert other != rule.id


@pytest.mark.parametrize("game", GAMES)
def test_precedence_has_no_circle(game: str) -> None:
    edges = [(edge.source, edge.target) for edge in catalog.load(game).edges if edge.kind == "overrides"]
    assert nx.is_directed_acyclic_graph(nx.DiGraph(edges))


@pytest.mark.parametrize("game", GAMES)
def test_every_card_keeps_to_the_vocabulary(game: str) -> None:
    words = vocabulary.load(game)
    faults = []
    abilities = set()
    for term, keys in words.prints.items():
        for key, values in keys.items():
            spec = words.fields["print"].get(key)
            if spec is None:
                faults.append(f"{term}: unknown key {key}")
                continue
            for value in values:
                if key == "ability":
                    abilities.add(value)
                    continue
                faults += _wrong(words, spec, value, f"{term}.{key}")
    for name, pairs in words.definitions.items():
        if name not in abilities:
            faults.append(f"{name} is defined, but no card has it")
        for key, value in pairs:
            spec = words.fields["ability"].get(key.name)
            faults += [f"{name}: unknown key {key}"] if spec is None else _wrong(words, spec, value, f"{name}.{key}")
        keys = {key.name for key, _ in pairs}
        faults += [
            f"{name}: no {key}" for key, spec in words.fields["ability"].items() if spec.needed and key not in keys
        ]
    assert not faults


def _wrong(words: vocabulary.Vocabulary, spec: vocabulary.FieldSpec, value, place: str) -> list[str]:
    kind = spec.type.arguments[0] if spec.type.name == "list" else spec.type
    if kind.name == "number":
        low, high = (one.number for one in kind.arguments)
        return [] if low <= value.number <= high else [f"{place}: {value} is not in {low}..{high}"]
    if kind.name == "flag":
        return [] if str(value) == "yes" else [f"{place}: {value} is no flag"]
    wrong = words.check(value, kind.name)
    return [f"{place}: {wrong}"] if wrong else []


@pytest.mark.parametrize("game", GAMES)
def test_whatever_is_said_is_said_in_both_languages(game: str) -> None:
    said: dict[str, set[str]] = {}
    for saying in vocabulary.load(game).sayings:
        said.setdefault(str(saying.pattern), set()).add(saying.lang)
        holes = set(re.findall(r"\$\d", str(saying.pattern)))
        assert set(re.findall(r"\$\d", saying.words)) <= holes
    assert {pattern for pattern, langs in said.items() if langs != {"en", "ru"}} == set()


@pytest.mark.parametrize("game", GAMES)
def test_no_saying_is_hidden_by_another(game: str) -> None:
    def filled(pattern: Symbol) -> Symbol:
        """Return a term that the pattern fits and nothing more particular does."""
        if pattern.type is SymbolType.String:
            return Function("something_else") if re.fullmatch(r"\$\d", pattern.string) else pattern
        if pattern.type is SymbolType.Function:
            return Function(pattern.name, [filled(part) for part in pattern.arguments], pattern.positive)
        return pattern

    known = vocabulary.load(game)
    for lang in ("en", "ru"):
        sayings = [saying for saying in known.sayings if saying.lang == lang]
        assert len({saying.pattern for saying in sayings}) == len(sayings), "a pattern is said in two ways"
        teller = Teller(known, {}, lang)
        hidden = []
        for saying in sayings:
            holes = dict.fromkeys(re.findall(r"\$\d", saying.words), teller.say(Function("something_else")))
            said = re.sub(r"\$\d", lambda hole, holes=holes: holes[hole[0]], saying.words)
            if teller.say(filled(saying.pattern)) != said:
                hidden.append(str(saying.pattern))
        assert not hidden


def test_no_game_is_known_to_python() -> None:
    words = re.compile(r"['\"](moribund|kneeling|deathbound|renown|dead|stealth|pentagram|influence)['\"]")
    for folder in ("bridge", "rules_graph"):
        for path in (asp.ROOT.parent / folder).rglob("*.py"):
            assert not words.search(path.read_text(encoding="utf-8")), path
