"""R20: no two partitions of a topic change places."""

from tidemill.assignors.sticky_moves import Moves

A, B, C = range(3)


def test_a_partition_moves_itself_if_none_came_the_other_way() -> None:
    moves = Moves()
    assert moves.instead_of(5, "t", A, B) == 5
    moves.record(5, "t", A, B)
    assert moves.instead_of(6, "t", A, B) == 6
    assert moves.instead_of(6, "u", B, A) == 6  # another topic


def test_what_came_the_other_way_moves_back_instead() -> None:
    moves = Moves()
    moves.record(5, "t", A, B)
    assert moves.instead_of(6, "t", B, A) == 5


def test_where_a_partition_began_counts_not_where_it_has_been_since() -> None:
    moves = Moves()
    moves.record(5, "t", A, B)
    moves.record(7, "t", C, A)
    assert moves.instead_of(5, "t", B, C) == 7  # from A to C, as a whole
    moves.record(5, "t", B, C)
    assert moves.instead_of(6, "t", C, A) == 5


def test_a_partition_that_came_back_has_not_moved() -> None:
    moves = Moves()
    moves.record(5, "t", A, B)
    moves.record(5, "t", B, A)
    assert moves.instead_of(6, "t", B, A) == 6
