"""Tests of Berserk. Heroes beyond its cases."""
