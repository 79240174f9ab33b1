"""Going through moves: where a decision leads, and what is asked again."""

from __future__ import annotations

from lastgood.core.review import (
    ACCEPT,
    REJECT,
    SKIP,
    Item,
    Walk,
    accept_alike,
    alike,
    back,
    begin,
    decide,
    kinds_of,
)


def item(name: str, *moves: str, acceptable: bool = True) -> Item:
    return Item(("p", name), kinds_of(moves, ()), acceptable)


ITEMS = (item("a", "text"), item("b", "value /x"), item("c", "text"), item("d", "text", acceptable=False))


def at(walk: Walk) -> str:
    return "end" if walk.ended else walk.here.key[1]


def test_each_decision_leads_to_the_next() -> None:
    walk = begin(ITEMS, {})
    places = [at(walk)]
    for decision in (ACCEPT, REJECT, SKIP, REJECT):
        walk = decide(walk, decision)
        places.append(at(walk))
    assert places == ["a", "b", "c", "d", "end"]
    assert [walk.count(decision) for decision in (ACCEPT, REJECT, SKIP)] == [1, 2, 1]


def test_what_fails_cannot_be_accepted() -> None:
    walk = begin([ITEMS[3]], {})
    assert decide(walk, ACCEPT) == accept_alike(walk) == walk


def test_back_and_another_decision() -> None:
    walk = back(decide(begin(ITEMS, {}), ACCEPT))
    assert at(walk) == "a"
    walk = decide(walk, REJECT)
    assert (at(walk), walk.decisions[("p", "a")]) == ("b", REJECT)
    assert at(back(begin(ITEMS, {}))) == "a"


def test_all_of_a_kind_takes_the_undecided_that_moved_alike_and_are_acceptable() -> None:
    walk = begin(ITEMS, {})
    assert [one.key[1] for one in alike(walk)] == ["c"]
    walk = accept_alike(walk)
    assert at(walk) == "b"
    assert set(walk.decisions) == {("p", "a"), ("p", "c")}


def test_all_of_a_kind_leaves_what_was_rejected_on_an_earlier_walk() -> None:
    walk = begin(ITEMS, {("p", "c"): REJECT})
    assert (at(walk), alike(walk)) == ("a", [])
    assert accept_alike(walk).decisions[("p", "c")] == REJECT


def test_sizes_do_not_make_another_kind_and_marks_do() -> None:
    assert kinds_of(["text", "length +11%"], ()) == kinds_of(["text", "length -60%"], ())
    assert kinds_of(["text"], ()) != kinds_of(["text"], ["hedging phrase appeared: 'I think'"])


def test_taken_up_again_what_is_not_accepted_is_asked_first() -> None:
    known = {("p", "a"): ACCEPT, ("p", "b"): REJECT, ("p", "c"): SKIP, ("p", "gone"): ACCEPT}
    walk = begin(ITEMS, known)
    assert at(walk) == "b"
    walk = decide(walk, ACCEPT)
    assert at(walk) == "c"
    assert ("p", "gone") not in walk.decisions
    assert begin(ITEMS[:1], known).ended


def test_what_was_passed_over_by_going_back_is_asked_at_the_end() -> None:
    walk = decide(decide(begin(ITEMS[:3], {}), ACCEPT), ACCEPT)
    walk = decide(back(back(walk)), ACCEPT)
    assert at(walk) == "c"
