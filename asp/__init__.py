"""The law: everything that clingo reads. This package holds files, no code."""

from __future__ import annotations

from pathlib import Path

__all__ = ["ROOT"]

ROOT = Path(__file__).resolve().parent
"""The folder with ``grammar``, ``drivers`` and one folder per game."""
