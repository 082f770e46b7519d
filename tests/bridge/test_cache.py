"""What is kept between commands: the same as what the law says, never out of date, and never needed."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import asp
from bridge import cache, vocabulary


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "kept"
    monkeypatch.setenv("LAWSPEAKER_CACHE", str(folder))
    return folder


def read(game: str) -> vocabulary.Vocabulary:
    return vocabulary.load.__wrapped__(game)


@pytest.mark.parametrize("game", ["agot", "heroes"])
def test_what_is_kept_is_what_the_law_says(kept: Path, game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    first = read(game)
    (file,) = kept.iterdir()
    assert file.name.startswith(f"{game}-")
    monkeypatch.setattr(vocabulary, "ground", None)  # the second time nothing is grounded
    assert read(game) == first


def test_a_changed_law_is_read_again(kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = tmp_path / "law"
    shutil.copytree(asp.ROOT, root, ignore=shutil.ignore_patterns("positions"))
    monkeypatch.setattr(asp, "ROOT", root)
    monkeypatch.setattr(cache, "_OWN", root)
    before = read("heroes")
    with (root / "heroes" / "words.lp").open("a", encoding="utf-8") as words:
        words.write('tell(brand_new, en, "brand new"). tell(brand_new, ru, "новое").\n')
    after = read("heroes")
    assert len(after.sayings) == len(before.sayings) + 2
    assert len(list(kept.iterdir())) == 1, "what the older law had left is gone"


def test_a_spoilt_file_is_no_reason_to_fail(kept: Path) -> None:
    first = read("heroes")
    (file,) = kept.iterdir()
    file.write_text("this is (no term\n", encoding="utf-8")
    assert read("heroes") == first


def test_a_folder_that_cannot_be_written_is_no_reason_to_fail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv("LAWSPEAKER_CACHE", str(tmp_path / "file" / "below"))
    assert read("heroes").game == "heroes"


def test_left_empty_it_keeps_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAWSPEAKER_CACHE", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    read("heroes")
    assert not list(tmp_path.iterdir())
