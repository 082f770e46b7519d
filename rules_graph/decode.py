"""From bytes to text: utf-8, utf-16, cp1251, cp1252, and a clear refusal of everything else."""

from __future__ import annotations

import codecs
import re

from bridge.errors import RulebookError

__all__ = ["decode"]

_HIGH = re.compile(rb"[\xa8\xb8\xc0-\xff]+")
_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig", "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16", "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16", "utf-16"),
)


def decode(data: bytes, name: str = "") -> tuple[str, str]:
    r"""Decode the bytes of a text file.

    Parameters
    ----------
    data
        The file's bytes.
    name
        The file's name, for the message of a refusal.

    Returns
    -------
    tuple of str
        The text with ``\n`` at the end of each line, and the name of the encoding.

    Raises
    ------
    RulebookError
        Where the bytes are not text in any of the encodings.

    Examples
    --------
    >>> decode("правило 3.14".encode("cp1251"))
    ('правило 3.14', 'cp1251')
    """
    text, encoding = _decode(data, name)
    return text.replace("\r\n", "\n").replace("\r", "\n"), encoding


def _decode(data: bytes, name: str) -> tuple[str, str]:
    if not data.strip(b" \t\r\n\x00\xef\xbb\xbf\xff\xfe"):
        raise RulebookError(f"{name}: the file is empty")
    for bom, codec, label in _BOMS:
        if data.startswith(bom):
            try:
                return data.decode(codec), label
            except UnicodeDecodeError as error:
                raise RulebookError(
                    f"{name}: begins as {label} but byte {error.start} is not; save the file again as utf-8"
                ) from error
    bare = _utf16_without_mark(data)
    if bare is not None:
        return bare
    if b"\x00" in data:
        raise RulebookError(
            f"{name}: holds zero bytes, so it is not a text file; give the rulebook as plain text or Markdown"
        )
    try:
        return data.decode("utf-8"), "utf-8"
    except UnicodeDecodeError as error:
        return _one_byte(data, name, error)


def _utf16_without_mark(data: bytes) -> tuple[str, str] | None:
    """Decode utf-16 that lacks its byte order mark: every second byte of its line ends and spaces is zero."""
    zeros = data.count(0)
    if len(data) % 2 or not zeros or zeros * 25 < len(data):
        return None
    for codec, there in (("utf-16-le", data[1::2].count(0)), ("utf-16-be", data[0::2].count(0))):
        if there * 10 >= zeros * 9:
            try:
                text = data.decode(codec)
            except UnicodeDecodeError:
                continue
            if sum(char in "\t\r\n" or " " <= char < "\u0500" for char in text) * 10 >= len(text) * 9:
                return text, codec
    return None


def _one_byte(data: bytes, name: str, cause: UnicodeDecodeError) -> tuple[str, str]:
    """Choose between cp1251 and cp1252.

    They share every byte. In Russian text the bytes from 0xC0 on are whole words, so that one stands beside
    another; in a Western language they are single accented letters among plain ones.
    """
    controls = sum(byte < 32 and byte not in b"\t\n\r\x0b\x0c" for byte in data)
    if controls * 50 > len(data):
        raise RulebookError(f"{name}: is not a text file: {controls} control characters in {len(data)} bytes")
    letters = sum(len(run) for run in _HIGH.findall(data))
    in_words = sum(len(run) for run in _HIGH.findall(data) if len(run) > 1)
    codec = "cp1251" if letters and in_words * 2 > letters else "cp1252"
    try:
        text = data.decode(codec)
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise RulebookError(
            f"{name}: line {line}: the byte 0x{data[error.start]:02x} is neither utf-8 (which fails at byte "
            f"{cause.start}) nor {codec}; save the file as utf-8"
        ) from error
    if letters * 2 > len(data) and codec == "cp1252":
        raise RulebookError(f"{name}: is neither utf-8, utf-16, cp1251 nor cp1252 text; save the file as utf-8")
    return text, codec
