"""Two sides of a diff: which lines stand beside one another, and what of long ones is shown."""

from __future__ import annotations

from lastgood.report.sides import CUT, MARKED, PLAIN, Row, Side, sides


def plain(number: int, text: str) -> Side:
    return Side(number, ((PLAIN, text),) if text else ((PLAIN, ""),))


def shown(row: Row) -> tuple[str | None, str | None]:
    old, new = ("".join(text for _, text in side.pieces) if side else None for side in (row.old, row.new))
    return old, new


def test_lines_have_their_numbers_and_moved_words_their_marks() -> None:
    found = sides(["@@ -4,2 +5,2 @@", " same", "-the red door", "+the green door"])
    assert found.rows == (
        Row(same=True, old=plain(4, "same"), new=plain(5, "same")),
        Row(
            same=False,
            old=Side(5, ((PLAIN, "the "), (MARKED, "red"), (PLAIN, " door"))),
            new=Side(6, ((PLAIN, "the "), (MARKED, "green"), (PLAIN, " door"))),
        ),
    )
    assert (found.hidden, found.cut) == (0, False)


def test_lines_that_share_words_stand_beside_one_another() -> None:
    found = sides(["@@ -1 +1,3 @@", "-Spain: 4 days", "+Germany, two weeks", "+Spain: 5 days", "+Italy, a month"])
    assert [shown(row) for row in found.rows] == [
        (None, "Germany, two weeks"),
        ("Spain: 4 days", "Spain: 5 days"),
        (None, "Italy, a month"),
    ]


def test_lines_with_little_in_common_are_not_marked() -> None:
    (row,) = sides(["@@ -1 +1 @@", "-Good morning to you", "+As an AI I have no mornings"]).rows
    assert row.old == Side(1, ((PLAIN, "Good morning to you"),))


def test_a_gap_stands_between_two_hunks_and_nowhere_else() -> None:
    found = sides(["@@ -1 +1 @@", "-a", "+b", "@@ -90 +90 @@", "-c", "+d", "\\ No newline at end of file"])
    assert [shown(row) for row in found.rows] == [("a", "b"), (None, None), ("c", "d")]


def test_an_empty_line_is_a_line() -> None:
    assert [shown(row) for row in sides(["@@ -1,2 +1,2 @@", " ", "-", "+x"]).rows] == [("", ""), ("", "x")]


def test_nothing_moved_has_no_rows() -> None:
    assert sides([]).rows == ()


def test_many_rows_are_cut_and_counted() -> None:
    found = sides(["@@ -0,0 +1,1000 @@", *(f"+line {n}" for n in range(1000))], most=400)
    assert (len(found.rows), found.hidden, found.cut) == (400, 600, True)


def test_a_long_line_shows_what_moved_in_it_and_counts_the_rest() -> None:
    old, new = ("word " * 50_000 + middle + " word" * 50_000 for middle in ("red", "green"))
    (row,) = sides(["@@ -1 +1 @@", "-" + old, "+" + new]).rows
    assert row.new
    assert [kind for kind, _ in row.new.pieces] == [CUT, PLAIN, MARKED, PLAIN, CUT]
    assert sum(len(text) for _, text in row.new.pieces) < 1_000
    assert row.new.pieces[0][1] == "249,760 characters"
    assert ("marked", "green") in row.new.pieces


def test_a_line_of_one_megabyte_is_bounded_on_its_own() -> None:
    found = sides(["@@ -0,0 +1 @@", "+" + "x" * 1_000_000])
    (row,) = found.rows
    assert row.new
    assert [kind for kind, _ in row.new.pieces] == [PLAIN, CUT, PLAIN]
    assert found.cut
