"""Every question that the digest lists as open is settled in a rule file, which names it, or declared as readings."""

from __future__ import annotations

import re

import pytest

import asp
from bridge import cases
from bridge.position import load
from bridge.readings import reading_list

QUESTIONS = [f"X{n}" for n in range(1, 45)]


@pytest.fixture(scope="module")
def named() -> set[str]:
    """The questions that rule files name."""
    texts = (path.read_text(encoding="utf-8") for path in (asp.ROOT / "agot").rglob("*.lp"))
    return {name for text in texts for name in re.findall(r"\bX\d+\b", text)}


@pytest.mark.parametrize("question", QUESTIONS)
def test_it_is_named_where_it_is_answered(question: str, named: set[str]) -> None:
    assert question in named


@pytest.fixture(scope="module")
def chosen() -> set[tuple[str, str]]:
    """The readings that cases choose."""
    return {
        (rule.arguments[0].string, name)
        for path in cases.files()
        if path.is_relative_to(asp.ROOT / "agot")
        for rule, name in load(path).switches.readings
    }


@pytest.mark.parametrize("row", reading_list("agot"), ids=lambda row: f"{row['rule']} {row['question']}")
def test_a_declared_question_has_a_case_that_reads_it_otherwise(row: dict, chosen: set[tuple[str, str]]) -> None:
    number = row["rule"].partition(":")[2]
    assert chosen & {(number, one["name"]) for one in row["readings"] if not one["default"]}
