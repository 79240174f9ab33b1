"""`@value` behaves as a frozen dataclass does."""

from __future__ import annotations

from typing import Any

import pytest

from lastgood.core.value import fields_of, replace, value


@value(frozen=True)
class Point:
    """For the tests below."""

    x: int
    y: int = 0
    tags: tuple[str, ...] = ()

    @property
    def sum(self) -> int:
        return self.x + self.y


@value(frozen=True)
class Other:
    """Has the same fields."""

    x: int
    y: int = 0
    tags: tuple[str, ...] = ()


def test_fields_by_position_name_and_default() -> None:
    assert fields_of(Point(1)) == (1, 0, ())
    assert fields_of(Point(1, tags=("a",), y=2)) == (1, 2, ("a",))
    assert Point(1, 2).sum == 3


def test_equal_by_kind_and_fields() -> None:
    assert Point(1) == Point(1, 0)
    assert Point(1) != Point(2)
    first: object = Point(1)
    assert first != Other(1)
    assert len({Point(1), Point(1, 0), Point(2)}) == 2


def test_repr_names_every_field() -> None:
    assert repr(Point(1, 2)) == "Point(x=1, y=2, tags=())"


@pytest.mark.parametrize(
    ("args", "more"),
    [((), {}), ((1, 2, (), 3), {}), ((1,), {"x": 2}), ((1,), {"z": 2})],
    ids=["too few", "too many", "twice", "unknown"],
)
def test_other_fields_are_a_type_error(args: tuple[Any, ...], more: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match="Point"):
        Point(*args, **more)


def test_nothing_in_it_can_be_set_or_deleted() -> None:
    point: Any = Point(1)
    with pytest.raises(AttributeError, match="frozen: x"):
        point.x = 2
    with pytest.raises(AttributeError, match="frozen: new"):
        point.new = 2
    with pytest.raises(AttributeError, match="frozen: x"):
        del point.x
    assert point == Point(1)


def test_replace_makes_another_and_leaves_the_first() -> None:
    first = Point(1, 2)
    assert replace(first, y=3) == Point(1, 3)
    assert first == Point(1, 2)
    unknown: Any = {"z": 1}
    with pytest.raises(TypeError):
        replace(first, **unknown)
