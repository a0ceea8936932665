"""Reading dice as people type them."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rules.cortex.kinds import TraitKind
from rules.cortex.pool import NEW, Die, Source, write_pool
from rules.cortex.pool_text import is_dice_alone, read, read_dice
from rules.cortex.pool_words import SCALE, step_up_pool
from rules.cortex.ruleset import PRIME, Ruleset, StepUpD12
from rules.dice import MOST_DICE, SIZES, write_dice
from rules.errors import Ambiguous, NotAllowed, RuleError, Unreadable
from rules.values import replace
from tests import strategies
from tests.rules.people import tried

NEXT_LOWER = replace(PRIME, step_up_d12=StepUpD12.NEXT_LOWER)
KNOWN = {
    "Mind": Die(10, "Mind", Source(TraitKind.DISTINCTION)),
    "Sharp": Die(8, "Sharp", Source(TraitKind.ASSET)),
    "Mind Sharp": Die(4, "Mind Sharp", Source(TraitKind.ASSET)),
    "Quick Wits": Die(6, "Quick Wits", Source(TraitKind.ASSET)),
    "Scale Mail": Die(12, "Scale Mail", Source(TraitKind.ASSET)),
}


def rows(text: str, known: dict[str, Die] | None = None, rule: Ruleset = PRIME) -> list[str]:
    """The dice that were read, each with its label."""
    return [f"{die.label} d{die.size}".strip() for die in read(text, known, rule).pool]


@pytest.mark.parametrize(
    ("typed", "dice"),
    [
        ("d8", "d8"),
        ("D8", "d8"),
        ("8", "d8"),
        ("2d6", "2d6"),
        ("2D6", "2d6"),
        ("4, d6", "d4 d6"),
        ("2d6 d8", "2d6 d8"),
        ("d6,d8;d10", "d6 d8 d10"),
        ("d6\nd8", "d6 d8"),
        ("d6+d8 + 10", "d6 d8 d10"),
        ("8\ufe0f\u20e3", "d8"),
        ("8\u20e3 4\ufe0f\u20e3", "d4 d8"),
        ("\U0001f51f", "d10"),
        ("\U0001f51f\ufe0f", "d10"),
        ("1\ufe0f\u20e32\ufe0f\u20e3", "d12"),
        ("30d12", "30d12"),
    ],
)
def test_D2_dice_are_read_in_every_form(typed: str, dice: str) -> None:
    assert write_dice(read_dice(typed)) == dice


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("Mind d10 Sharp d8 2d6", ["Mind d10", "Sharp d8", "d6", "d6"]),
        ('"Quick Wits" d8', ["Quick Wits d8"]),
        ("“Quick Wits” d8", ["Quick Wits d8"]),
        ("Pirate d6", ["Pirate d6"]),
        ("d6 Pirate", ["Pirate d6"]),
        ("d6 Pirate d8 Big Boat", ["Pirate d6", "Big Boat d8"]),
        ("2d8 Twins", ["Twins d8", "Twins d8"]),
        ("d6, Pirate d8", ["d6", "Pirate d8"]),
        ('"up" d8', ["up d8"]),
        ('"4" d8', ["4 d8"]),
    ],
)
def test_D2_a_word_before_or_after_a_die_is_its_label(typed: str, expected: list[str]) -> None:
    assert rows(typed) == expected


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("Mind + Sharp + d6", ["Mind d10", "Sharp d8", "d6"]),
        ("sh qu, 6", ["Sharp d8", "Quick Wits d6", "d6"]),
        ("Sharp d8", ["Sharp d8"]),
        ("Sharp, d6", ["Sharp d8", "d6"]),
        ("Sharp + d6", ["Sharp d8", "d6"]),
        ("quick wits", ["Quick Wits d6"]),
        ('"Quick Wits" Sharp', ["Quick Wits d6", "Sharp d8"]),
        ("Sharp, Quick Wits d6", ["Sharp d8", "Quick Wits d6"]),
        ("Mind Sharp d4", ["Mind Sharp d4"]),
        ("Mind Sharp", ["Mind Sharp d4"]),
        ("d6 d6 + q", ["d6", "d6", "Quick Wits d6"]),
    ],
)
def test_D2_a_known_name_stands_for_its_die(typed: str, expected: list[str]) -> None:
    assert rows(typed, KNOWN) == expected


def test_D2_a_name_typed_in_parts_leaves_nothing_behind_it_out() -> None:
    known = {"A B C": Die(6, "A B C"), "D": Die(8, "D")}
    assert rows('A "B C" D', known) == ["A B C d6", "D d8"]


def test_D2_a_known_label_keeps_where_it_comes_from() -> None:
    assert [die.source for die in read("Sharp d8, d10 mind, Pirate d4", KNOWN).pool] == [
        Source(TraitKind.ASSET),
        Source(TraitKind.DISTINCTION),
        NEW,
    ]


def test_D2_a_beginning_of_several_names_is_refused() -> None:
    with pytest.raises(Ambiguous, match="Mind or Mind Sharp"):
        read("Min", KNOWN)


@pytest.mark.parametrize(
    ("typed", "sizes"),
    [
        ("scale", ["Scale d8"]),
        ("2d6 scale", ["d6", "d6", "Scale d8"]),
        ("d8, scale", ["d8", "Scale d8"]),
        ("Scale d10", ["Scale d10"]),
        ("scale 2d6", ["Scale d8", "d6", "d6"]),
        ("scale, Sharp", ["Scale d8", "Sharp d8"]),
    ],
)
def test_D7_scale_is_a_d8_of_its_own_and_never_a_label(typed: str, sizes: list[str]) -> None:
    assert rows(typed, KNOWN) == sizes
    assert [die.source for die in read(typed, KNOWN).pool].count(SCALE.source) == 1


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("up Mind, double Sharp", ["Mind d12", "Sharp d8", "Sharp d8"]),
        ("up d8", ["d10"]),
        ("UP d8", ["d10"]),
        ("up up d4", ["d8"]),
        ("up 2d6", ["d8", "d8"]),
        ("down d8 d4", ["d6", "d4"]),
        ("down d4, d6", ["d6"]),
        ("double d8", ["d8", "d8"]),
        ("split d8", ["d6", "d6"]),
        ("split 2d6", ["d4", "d4", "d4", "d4"]),
        ("down up d12 d4", ["d12", "d4"]),
        ("up double Sharp", ["Sharp d10", "Sharp d10"]),
        ("double up Sharp", ["Sharp d10", "Sharp d10"]),
        ("d6 up Sharp", ["d6", "Sharp d10"]),
        ("hinder Mind", ["Mind d4"]),
    ],
)
def test_D4_verbs_change_the_die_behind_them(typed: str, expected: list[str]) -> None:
    assert rows(typed, KNOWN) == expected


@pytest.mark.parametrize(
    ("typed", "sizes"),
    [("up down d4, d6", [4, 6]), ("down up d4, d6", [6]), ("up split d6", [6, 6]), ("split up d6", [6, 6])],
)
def test_D6_verbs_apply_in_the_order_written(typed: str, sizes: list[int]) -> None:
    assert sorted(read_dice(typed)) == sizes


@pytest.mark.parametrize(
    ("typed", "prime", "heroic"),
    [
        ("up up d12 d10 d6", "3d6 d10 d12", "d8 2d12"),
        ("up d12 d10 d6", "2d6 d10 d12", "d6 2d12"),
        ("up d12", "d6 d12", "d6 d12"),
        ("up 2d12", "2d6 2d12", "d8 2d12"),
        ("up d12 2d8", "d6 2d8 d12", "d8 d10 d12"),
        ("up up d12, double up 2d8", "2d6 3d10 d12", "d6 4d12"),
    ],
)
def test_D5_a_d12_stepped_up_does_what_the_profile_says(typed: str, prime: str, heroic: str) -> None:
    assert write_dice(die.size for die in read(typed).pool) == prime
    assert write_dice(die.size for die in read(typed, None, NEXT_LOWER).pool) == heroic


def test_D5_a_pool_that_loses_its_last_die_is_refused() -> None:
    with pytest.raises(NotAllowed, match=r"no dice in the pool\. Add another die"):
        read("down d4")


@given(st.lists(strategies.sizes(6), min_size=1, max_size=8), st.sampled_from((PRIME, NEXT_LOWER)), st.data())
def test_D5_a_step_adds_two_faces_or_a_d6(sizes: list[int], rule: Ruleset, data: st.DataObject) -> None:
    size = data.draw(st.sampled_from(sizes))
    after = step_up_pool(tuple(sizes), size, rule)
    gain = sum(after) - sum(sizes)
    if size < 12 or (rule is NEXT_LOWER and min(sizes) < 12):
        assert (len(after), gain) == (len(sizes), 2)
    else:
        assert (len(after), gain) == (len(sizes) + 1, 6)
    assert list(after) == sorted(after)


@pytest.mark.parametrize(
    ("typed", "label", "example"),
    [("Fire d6", "Fire", "d6"), ("d8, 2d6 Ash", "Ash", "2d6 d8"), ("d6 scale", "Scale", "d6 d8")],
)
def test_D2_a_pool_that_keeps_no_labels_refuses_one_by_name(typed: str, label: str, example: str) -> None:
    said = f'Dice in this pool can\'t have labels, so leave out "{label}". Example: {example}$'
    with pytest.raises(Unreadable, match=said):
        read_dice(typed)


@pytest.mark.parametrize(
    ("typed", "hindered"),
    [
        ("hinder Mind", ("Mind",)),
        ("hinder Mind d10, d6", ("Mind",)),
        ("hinder d8", ("d8",)),
        ("hinder hinder Mind", ("Mind",)),
        ("hinder Mind, hinder Mind", ("Mind",)),
        ("hinder Mind, hinder Sharp", ("Mind", "Sharp")),
        ("hinder 2d8", ("d8",)),
        ("Mind, 2d6", ()),
    ],
)
def test_P1_a_distinction_is_hindered_once(typed: str, hindered: tuple[str, ...]) -> None:
    assert read(typed, KNOWN).hindered == hindered


@pytest.mark.parametrize(
    "typed", ["31d6", "d6 30d8", "0d6", "99999999d6", "30d6 30d6", "double 30d6", "split 16d8"]
)
def test_D3_zero_dice_and_more_than_thirty_are_refused(typed: str) -> None:
    with pytest.raises(NotAllowed, match="30"):
        read(typed)


def test_D3_dice_that_multiply_without_end_are_refused() -> None:
    with pytest.raises(NotAllowed, match="30"):
        read("split up " * 100 + "d12")


@pytest.mark.parametrize(
    "typed", ["d20", "d3", "7", "100", "d0", "2d5", "Mind d100", "d6 11", "d99999999999"]
)
def test_D1_other_sizes_are_refused_with_those_there_are(typed: str) -> None:
    with pytest.raises(Unreadable, match="Use d4, d6, d8, d10 or d12"):
        read(typed)


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("", "no dice"),
        (" ,+ ", "no dice"),
        ("Rope", '"Rope" isn\'t a die or a known name'),
        ("d6, Rope", '"Rope" isn\'t a die or a known name'),
        ('d6 "Rope', "A quotation mark isn't closed"),
        ("d6 up", r"a die after it\. Example: up"),
        ("up", r"a die after it\. Example: up"),
        ('"" d6', "label is empty"),
        ("split d4", "A d4 can't be split"),
        ("x" * 101 + " d6", "label has 101 characters"),
        ("d6 " * 400, "1200 characters"),
    ],
)
def test_what_cannot_be_read_is_refused_by_name(typed: str, says: str) -> None:
    with pytest.raises(RuleError, match=says):
        read(typed)


def test_an_unknown_name_is_refused_with_the_nearest_one() -> None:
    with pytest.raises(Unreadable, match=('"Shrap" isn\'t a die or a known name\\. Did you mean Sharp\\?')):
        read("Shrap + d6", KNOWN)


@given(strategies.typed(), st.booleans(), st.sampled_from((PRIME, NEXT_LOWER)))
def test_any_text_is_a_pool_within_the_limits_or_refused(text: str, is_known: bool, rule: Ruleset) -> None:
    reading = tried(lambda: read(text, KNOWN if is_known else None, rule))
    if reading is None:
        return
    assert 1 <= len(reading.pool) <= MOST_DICE
    assert all(die.size in SIZES for die in reading.pool)
    assert len(reading.hindered) <= len(reading.pool) + text.lower().count("hinder")


@given(strategies.pools())
@example((Die(4, "“"),))
def test_reading_back_what_is_written_gives_the_same_pool(pool: tuple[Die, ...]) -> None:
    marks = str.maketrans('"“”', "'''")
    as_written = sorted((die.label.translate(marks), die.size) for die in pool)
    assert sorted((die.label, die.size) for die in read(write_pool(pool), is_written=True).pool) == as_written


@given(strategies.typed())
def test_a_pool_that_was_read_is_written_and_read_back_the_same(text: str) -> None:
    reading = tried(lambda: read(text, KNOWN))
    if reading is not None:
        again = read(write_pool(reading.pool), KNOWN, is_written=True).pool
        # Of dice without a label nobody can tell which was there first.
        pool = [replace(die, source=die.source if die.label else NEW) for die in reading.pool]
        plain = [replace(die, source=die.source if die.label else NEW) for die in again]
        assert sorted(plain, key=str) == sorted(pool, key=str)


@given(st.lists(strategies.sizes(), min_size=1, max_size=MOST_DICE))
def test_reading_back_plain_dice_gives_the_same_dice(sizes: list[int]) -> None:
    assert sorted(read_dice(write_dice(sizes))) == sorted(sizes)


@pytest.mark.parametrize("typed", ["mark 3", "Mark 3, d6", '"Mark 3" + d6', "d6 + Mark 3", "up Mark 3 Mind"])
def test_D2_a_known_name_with_a_number_needs_no_quotation_marks(typed: str) -> None:
    known = {
        "Mark 3": Die(8, "Mark 3", Source(TraitKind.ASSET)),
        "Mind": Die(10, "Mind"),
        "d6": Die(4, "d6"),
        "8": Die(4, "8"),
    }
    sizes = [(die.label, die.size) for die in read(typed, known).pool]
    assert ("Mark 3", 10 if "up" in typed else 8) in sizes
    assert ("d6" not in typed) or ("", 6) in sizes


def test_D2_a_name_with_quotation_marks_is_typed_with_apostrophes() -> None:
    known = {'The "Big" One': Die(8, 'The "Big" One', Source(TraitKind.ASSET))}
    assert read("\"The 'Big' One\", d6", known).pool[0] == Die(8, 'The "Big" One', Source(TraitKind.ASSET))
    assert read("the 'big", known).pool == (Die(8, 'The "Big" One', Source(TraitKind.ASSET)),)


def test_dice_alone_have_no_word_that_could_be_a_name() -> None:
    for text in ("d8", "2d6 d8, 10", " 2D6+d8;4 "):
        assert is_dice_alone(text)
    for text in ("", "Mind d8", "up d8", "2d6 d", '"d8"', "d8 vs 11"):
        assert not is_dice_alone(text)


@given(st.text("0468dD ,+;", max_size=12))
@example("6 d8")
@example("10 2d6")
def test_dice_alone_are_read_the_same_whatever_names_are_known(text: str) -> None:
    names = ("6 d", "2d6", "d8", "10", "8 4", "d", "4d")
    known = {name: Die(12, name, Source(TraitKind.ASSET)) for name in names}
    if is_dice_alone(text):
        assert tried(lambda: read(text, known)) == tried(lambda: read(text))
