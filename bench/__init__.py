"""Benchmarks: one family of positions of A Game of Thrones, every engine side by side."""
