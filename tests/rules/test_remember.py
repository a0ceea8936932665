"""What is worked out once of a value is not worked out again."""

from rules.remember import MOST, remembered


def test_the_very_same_value_is_asked_about_once() -> None:
    asked: list[tuple[int, ...]] = []

    @remembered
    def first(value: tuple[int, ...]) -> int:
        """The first number."""
        asked.append(value)
        return value[0]

    one, equal = tuple(range(1, 3)), tuple(range(1, 3))
    assert [first(one), first(one), first(equal)] == [1, 1, 1]
    assert [id(value) for value in asked] == [id(one), id(equal)]
    assert (first.__name__, first.__doc__) == ("first", "The first number.")


def test_answers_are_right_however_many_values_come_and_go() -> None:
    @remembered
    def double(value: list[int]) -> int:
        return 2 * value[0]

    assert [double([n]) for n in range(3 * MOST)] == [2 * n for n in range(3 * MOST)]


def test_what_cannot_be_worked_out_is_asked_again() -> None:
    @remembered
    def inverse(value: list[int]) -> float:
        return 1 / value[0]

    for _ in range(2):
        try:
            inverse([0])
        except ZeroDivisionError:
            continue
        raise AssertionError
