"""A matching is as large as any, and an order is found wherever there is one."""

from __future__ import annotations

from itertools import combinations, permutations

from hypothesis import given
from hypothesis import strategies as st

from lastgood.core.matching import in_order, matched

graphs = st.integers(0, 5).flatmap(
    lambda rights: st.lists(st.frozensets(st.integers(0, max(0, rights - 1)), max_size=rights), max_size=5).map(
        lambda edges: (edges, list(range(rights)))
    )
)
Graph = tuple[list[frozenset[int]], list[int]]


def fits(left: frozenset[int], right: int) -> bool:
    return right in left


def largest(edges: list[frozenset[int]], rights: list[int]) -> int:
    """By trying every way of giving each left a right or none."""
    spare = [*rights, *(None for _ in edges)]
    ways = permutations(spare, len(edges))
    return max(sum(right in left for left, right in zip(edges, way, strict=True)) for way in ways)


@given(graphs)
def test_it_is_a_matching_and_none_is_larger(graph: Graph) -> None:
    edges, rights = graph
    pairs = matched([sorted(left) for left in edges])
    assert len(set(pairs.values())) == len(pairs) == largest(edges, rights)
    assert all(right in edges[left] for left, right in pairs.items())


@given(graphs, st.randoms(use_true_random=False))
def test_no_order_of_either_side_makes_it_smaller(graph: Graph, random: object) -> None:
    edges, rights = graph
    shuffled = sorted(edges, key=lambda _: random.random())  # type: ignore[attr-defined]
    turned = sorted(rights, key=lambda _: random.random())  # type: ignore[attr-defined]
    assert len(matched([[right for right in turned if right in left] for left in shuffled])) == len(
        matched([sorted(left) for left in edges])
    )


def test_the_last_of_a_long_chain_pushes_all_others_on() -> None:
    # Left n takes right n or n + 1, but the last can only have right 0: every left has to move.
    edges = [*(frozenset({n, n + 1}) for n in range(2000)), frozenset({0})]
    assert len(matched([sorted(left) for left in edges])) == 2001


def test_many_rights_are_not_all_looked_at() -> None:
    assert matched([range(10**9)] * 3) == {0: 0, 1: 1, 2: 2}


@given(graphs)
def test_an_order_is_found_wherever_there_is_one(graph: Graph) -> None:
    edges, rights = graph

    def can(count: int) -> bool:
        ways = combinations(rights, count)
        return any(all(right in left for left, right in zip(edges, way, strict=False)) for way in ways)

    assert in_order(edges, rights, fits) == max(count for count in range(len(edges) + 1) if can(count))
