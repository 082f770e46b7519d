from __future__ import annotations

import pytest

from bridge.errors import RulebookError
from rules_graph.decode import decode

RUSSIAN = "(3.14) Неуязвимость\n\nКарта не может быть выбрана целью.\n"
WESTERN = "100.1. A player’s café costs “two” coins – no more.\n"


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1251"])
def test_russian_comes_back_from_every_encoding(codec):
    text, encoding = decode(RUSSIAN.encode(codec))
    assert text == RUSSIAN
    assert encoding.replace("-sig", "") in (codec.replace("-sig", ""), "utf-16")


@pytest.mark.parametrize("codec", ["utf-8", "utf-16", "utf-16-le", "cp1252"])
def test_english_typography_comes_back_from_every_encoding(codec):
    assert decode(WESTERN.encode(codec))[0] == WESTERN


def test_line_ends_of_every_system_become_one():
    assert decode(b"a\r\nb\rc\nd")[0] == "a\nb\nc\nd"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "empty"),
        (b" \r\n\t", "empty"),
        (b"%PDF-1.7\x00\x01\x02 binary", "zero bytes"),
        (b"\xff\xfea", "begins as utf-16"),
        (bytes(range(1, 32)) * 4 + b"\x80abc", "control characters"),
        (b"rule \x81 one", "0x81"),
    ],
)
def test_what_is_no_text_is_refused_with_the_reason(data, said):
    with pytest.raises(RulebookError) as refusal:
        decode(data, "book.txt")
    assert str(refusal.value).startswith("book.txt: ")
    assert said in str(refusal.value)
    assert "\n" not in str(refusal.value)
