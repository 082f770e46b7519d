"""Ground rules as a Boolean circuit, simplified while it is built and written out as straight-line Python.

The code works on many positions at once: a value is a Python integer whose bit ``i`` belongs to position
``i``, and ``ONE`` has a bit for each. A *reference* names a node of the circuit or its complement: ``2 *
node`` and ``2 * node + 1``. Node 0 is the constant, so reference 0 is false and reference 1 is true.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

__all__ = ["FALSE", "TRUE", "Circuit", "at_least", "total"]

FALSE, TRUE = 0, 1

_PIECE = 40  # longest chain of operators in one expression; CPython's compiler recurses on each

And = tuple[int, ...]
Weighted = tuple[tuple[int, int], ...]


class Circuit:
    """A growing circuit of conjunctions, disjunctions, weighted sums and fixpoints; equal nodes are one node.

    A node is a pair of its kind and its content:

    ``input``
        The number of the column that is handed in.
    ``and``, ``or``
        References.
    ``sum``
        Pairs of a reference and a positive weight.
    ``bound``
        The node of a sum and the least value that makes it true.
    ``loop``
        The first node of the recursive group to which it belongs.
    """

    def __init__(self) -> None:
        self.nodes: list[tuple[str, Any]] = [("constant", None)]
        self.groups: dict[int, dict[int, list[And]]] = {}
        self._known: dict[tuple[str, Any], int] = {}

    def _node(self, kind: str, content: Any) -> int:
        key = (kind, content)
        node = self._known.get(key)
        if node is None:
            node = self._known[key] = len(self.nodes)
            self.nodes.append(key)
        return node

    def input(self, column: int) -> int:
        """Return the reference of the `column`-th input."""
        return 2 * self._node("input", column)

    def conjunction(self, references: Iterable[int]) -> int:
        """Return the reference of the conjunction of `references`."""
        kept: set[int] = set()
        for reference in references:
            if reference == FALSE or reference ^ 1 in kept:
                return FALSE
            if reference != TRUE:
                kept.add(reference)
        if not kept:
            return TRUE
        if len(kept) == 1:
            return kept.pop()
        return 2 * self._node("and", tuple(sorted(kept)))

    def disjunction(self, references: Iterable[int]) -> int:
        """Return the reference of the disjunction of `references`."""
        kept: set[int] = set()
        for reference in references:
            if reference == TRUE or reference ^ 1 in kept:
                return TRUE
            if reference != FALSE:
                kept.add(reference)
        if not kept:
            return FALSE
        if len(kept) == 1:
            return kept.pop()
        common = self._shared(kept)
        if common:
            rests = [self.conjunction(set(self.nodes[each >> 1][1]) - common) for each in kept]
            return self.conjunction([*common, self.disjunction(rests)])
        return 2 * self._node("or", tuple(sorted(kept)))

    def _shared(self, references: set[int]) -> set[int]:
        """Return what all of several conjunctions have in common."""
        common: set[int] | None = None
        for reference in references:
            kind, content = self.nodes[reference >> 1]
            if reference & 1 or kind != "and":
                return set()
            common = set(content) if common is None else common & set(content)
            if not common:
                return set()
        return common or set()

    def weighted(self, bound: int, pairs: Iterable[tuple[int, int]]) -> int:
        """Return the reference of "the weights of the true references sum up to at least `bound`"."""
        weights: Counter[int] = Counter()
        for reference, weight in pairs:
            if weight < 0:  # w*x = w + |w|*(not x)
                bound -= weight
                weights[reference ^ 1] -= weight
            else:
                weights[reference] += weight
        bound -= weights.pop(TRUE, 0)
        weights.pop(FALSE, 0)
        weights = Counter({reference: weight for reference, weight in weights.items() if weight})
        if bound <= 0:
            return TRUE
        most = sum(weights.values())
        if most < bound:
            return FALSE
        if all(weight >= bound for weight in weights.values()):
            return self.disjunction(weights)
        if all(most - weight < bound for weight in weights.values()):
            return self.conjunction(weights)
        return 2 * self._node("bound", (self._node("sum", tuple(sorted(weights.items()))), bound))

    def group(self, size: int) -> list[int]:
        """Return references of `size` atoms that depend on each other; `define` gives their bodies."""
        first = len(self.nodes)
        for _ in range(size):
            self.nodes.append(("loop", first))
        self.groups[first] = {}
        return [2 * node for node in range(first, first + size)]

    def define(self, reference: int, bodies: list[And]) -> None:
        """Give a member of a recursive group its bodies, each a conjunction of references."""
        node = reference >> 1
        self.groups[self.nodes[node][1]][node] = bodies

    def _children(self, node: int) -> Iterable[int]:
        kind, content = self.nodes[node]
        if kind in ("and", "or"):
            return [reference >> 1 for reference in content]
        if kind == "sum":
            return [reference >> 1 for reference, _ in content]
        if kind == "bound":
            return [content[0]]
        if kind == "loop":
            bodies = self.groups[content].values()
            return {*self.groups[content], *(each >> 1 for body in bodies for part in body for each in part)}
        return ()

    def reach(self, roots: Iterable[int], given: Iterable[int] = ()) -> list[int]:
        """Return the nodes that `roots` need, in an order in which they can be computed.

        Parameters
        ----------
        roots
            References.
        given
            Nodes whose values are at hand; the search stops at them.
        """
        seen = {0, *given}
        found: set[int] = set()
        todo = [root >> 1 for root in roots]
        while todo:
            node = todo.pop()
            if node in seen:
                continue
            seen.add(node)
            found.add(node)
            todo.extend(self._children(node))
        return sorted(found)

    def write(self, name: str, roots: Sequence[int], outputs: str, given: Sequence[int] = ()) -> str:
        """Write a function that computes `roots`.

        Parameters
        ----------
        name
            The function's name. Its arguments are the input columns, the values of `given`, and ``ONE``.
        roots
            References that are computed.
        outputs
            What the function returns: an expression in which ``{reference}`` stands for a root.
        given
            Nodes whose values are handed in, in this order; none of them is in a recursive group.

        Returns
        -------
        str
            Python source.
        """
        return _Writer(self, roots, given).function(name, outputs)


class _Writer:
    """Writes one function."""

    def __init__(self, circuit: Circuit, roots: Sequence[int], given: Sequence[int]) -> None:
        self.circuit, self.roots, self.given = circuit, roots, given
        self.order = circuit.reach(roots, given)
        self.uses: Counter[int] = Counter()
        self.named = {root >> 1 for root in roots} | set(given)
        for node in self.order:
            self._count(*circuit.nodes[node])
        self.lines: list[str] = []
        self.complements: set[int] = set()

    def _count(self, kind: str, content: Any) -> None:
        """Count the uses of a node's children; what is used otherwise than in a plain chain needs a name."""
        if kind in ("and", "or"):
            self.uses.update(reference >> 1 for reference in content)
            self.named.update(reference >> 1 for reference in content if reference & 1)
        elif kind == "sum":
            self.named.update(reference >> 1 for reference, _ in content)
        elif kind == "loop":
            bodies = self.circuit.groups[content].values()
            self.named.update(each >> 1 for parts in bodies for body in parts for each in body)

    def _inline(self, node: int) -> bool:
        return self.circuit.nodes[node][0] == "and" and self.uses[node] == 1 and node not in self.named

    def function(self, name: str, outputs: str) -> str:
        """Return the source of the function."""
        nodes, circuit = set(self.order), self.circuit
        self.lines.append(f"def {name}(I, E, ONE):")
        used = {each for node in self.order for each in circuit._children(node)}
        used |= {root >> 1 for root in self.roots}
        self.lines += [f" v{node}=E[{i}]" for i, node in enumerate(self.given) if node in used]
        for node in self.order:
            kind, content = circuit.nodes[node]
            if kind == "input":
                self.lines.append(f" v{node}=I[{content}]")
            elif kind == "loop":
                if content in nodes and node == content:
                    self._fixpoint(content)
            elif not self._inline(node):
                self._assign(node)
        values = {str(root): self._name(root) for root in self.roots}
        self.lines.append(f" return {_fill(outputs, values)}")
        return "\n".join(self.lines) + "\n"

    def _name(self, reference: int, indent: str = " ") -> str:
        if reference in (FALSE, TRUE):
            return "ONE" if reference else "0"
        node = reference >> 1
        if not reference & 1:
            return f"v{node}"
        if node not in self.complements:
            self.complements.add(node)
            self.lines.append(f"{indent}n{node}=v{node}^ONE")
        return f"n{node}"

    def _operand(self, reference: int) -> str:
        """Return a name, or the expression of a conjunction that is used here only."""
        node = reference >> 1
        if reference & 1 or not self._inline(node):
            return self._name(reference)
        return "&".join(self._operand(each) for each in self.circuit.nodes[node][1])

    def _assign(self, node: int) -> None:
        kind, content = self.circuit.nodes[node]
        if kind == "sum":
            pairs = "".join(f"({self._name(reference)},{weight})," for reference, weight in content)
            self.lines.append(f" v{node}=total(({pairs}))")
        elif kind == "bound":
            self.lines.append(f" v{node}=at_least(v{content[0]},{content[1]},ONE)")
        else:
            sign = "&" if kind == "and" else "|"
            for start in range(0, len(content), _PIECE):
                part = sign.join(self._operand(each) for each in content[start : start + _PIECE])
                self.lines.append(f" v{node}{sign if start else ''}={part}")

    def _fixpoint(self, first: int) -> None:
        """Compute a recursive group: all false at first, until nothing changes any more."""
        bodies = self.circuit.groups[first]
        inside = set(bodies)
        for parts in bodies.values():  # complements of what lies outside are computed before the loop
            for reference in {each for body in parts for each in body if each >> 1 not in inside}:
                self._name(reference)
        names = [f"v{node}" for node in bodies]
        together = "(" + "".join(f"{name}," for name in names) + ")"
        self.lines.append(" " + "=".join(names) + "=0")
        self.lines.append(" while True:")
        self.lines.append(f"  before={together}")
        for node, parts in bodies.items():
            for body in parts:
                text = "&".join(self._name(each) for each in body) or "ONE"
                self.lines.append(f"  v{node}|={text}")
        self.lines.append(f"  if before=={together}: break")


def _fill(outputs: str, values: dict[str, str]) -> str:
    parts = outputs.split("{")
    filled = [parts[0]]
    for part in parts[1:]:
        key, rest = part.split("}", 1)
        filled += [values[key], rest]
    return "".join(filled)


def total(pairs: Iterable[tuple[int, int]]) -> list[int]:
    """Add up weighted columns.

    Parameters
    ----------
    pairs
        A column and its positive weight.

    Returns
    -------
    list of int
        The sums in binary, the least significant column first.

    Examples
    --------
    Position 0 has the first column only, position 1 has both.

    >>> total([(0b11, 2), (0b10, 1)])
    [2, 3]
    """
    planes: list[int] = []
    for column, weight in pairs:
        place = 0
        while weight >> place:
            if weight >> place & 1:
                carry, plane = column, place
                while carry:
                    if plane >= len(planes):
                        planes.extend([0] * (plane - len(planes) + 1))
                    planes[plane], carry = planes[plane] ^ carry, planes[plane] & carry
                    plane += 1
            place += 1
    return planes


def at_least(planes: Sequence[int], bound: int, one: int) -> int:
    """Compare sums with a positive number.

    Parameters
    ----------
    planes
        The sums in binary, as `total` returns them.
    bound
        The number.
    one
        The column that has a bit for every position.

    Returns
    -------
    int
        The column of the positions whose sum is `bound` or more.

    Examples
    --------
    >>> at_least([2, 3], 3, 0b11)
    2
    """
    if bound.bit_length() > len(planes):
        return 0
    greater, equal = 0, one
    for place in range(len(planes) - 1, -1, -1):
        if bound >> place & 1:
            equal &= planes[place]
        else:
            greater |= equal & planes[place]
            equal &= planes[place] ^ one
    return greater | equal
