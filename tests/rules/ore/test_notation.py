"""One-Roll dice as people type them: what each text means, and what holds for any text."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rules.errors import RuleError, Undecided, Unreadable
from rules.ore.model import OneRollRating
from rules.ore.notation import (
    OreItem,
    quote_label,
    read,
    read_crowd,
    read_items,
    read_ratings,
    write_items,
    write_ratings,
)
from rules.ore.pool import MOST, NO_DICE, OrePool, write
from rules.ore.tokens import OreSort, plain_text, tokens
from tests import strategies
from tests.rules import people

RATINGS = {
    each.label.casefold(): each
    for each in (
        OneRollRating("Body", "3d"),
        OneRollRating("Fight", "2d 1h"),
        OneRollRating("Cloak and Dagger", "4d"),
        OneRollRating("Hard Luck", "1w"),
        OneRollRating("3d Vision", "2d"),
    )
}
"""A sheet, with names that hold words of the notation."""

POOLS = {
    "5d": "5d",
    "5d10": "5d",
    "5D": "5d",
    "5": "5d",
    "5 d": "5d",
    "5 d10": "5d",
    "5 dice": "5d",
    "5ds": "5d",
    "5d's": "5d",
    "five d10": "5d",
    "5xd10": "5d",
    "5 x d10": "5d",
    "d10x5": "5d",
    "d10 × 5": "5d",
    "x5 d10": "5d",
    "3+2": "5d",
    "3 + 2": "5d",
    "3d 2d": "5d",
    "3d+2d": "5d",
    "3d, 2d": "5d",
    "3d; 2d": "5d",
    "3d\n2d": "5d",
    "3d / 2d": "5d",
    "3d | 2d": "5d",
    "3d & 2d": "5d",
    "3d • 2d": "5d",
    "3d and 2d": "5d",
    "3d plus 2d": "5d",
    "+ 5d": "5d",
    "5d.": "5d",
    "５ｄ": "5d",
    "5\u00a0d": "5d",
    "5️⃣d": "5d",
    "🔟d": "10d",
    "**5d**": "5d",
    "||**5d**||": "5d",
    "`5d` + __2w__": "5d 2w",
    "_5d_, *1h*": "5d 1h",
    "(5d)": "5d",
    "[5d] {2w}": "5d 2w",
    "(5d + 2w)": "5d 2w",
    "5d2w": "5d 2w",
    "5d 2w 1h e7 c3": "5d 2w 1h e7 c3",
    "c3 e7 1h 2w 5d": "5d 2w 1h e7 c3",
    "5d 2wd 1hd": "5d 2w 1h",
    "5d 1 wiggle": "5d 1w",
    "5d a wiggle die": "5d 1w",
    "5d, two wiggle dice and one hard die": "5d 2w 1h",
    "5d w": "5d 1w",
    "5d 1 hard": "5d 1h",
    "5d hard": "5d 1h",
    "2hd": "2h",
    "4hd": "4h",
    "2 h": "2h",
    "5d MD": "5d 1m",
    "MD 4d": "4d 1m",
    "5d 1m": "5d 1m",
    "5d 1md": "5d 1m",
    "5d 1t": "5d 1t",
    "5d 1td": "5d 1t",
    "5d 2 trump dice": "5d 2t",
    "5d 1m 1t": "5d 2w",
    "5d awesome x2": "5d 1 awesome x2",
    "5d 2 awesome ×2": "5d 2 awesome x2",
    "5d awesome 7": "5d awesome 7",
    "5d e7": "5d e7",
    "5d 1ed7": "5d e7",
    "5d ed 7": "5d e7",
    "5d expert: 7": "5d e7",
    "5d an expert die 7": "5d e7",
    "5d called 3": "5d c3",
    "5d called shot: 3": "5d c3",
    "0d 2w": "2w",
    "15d": "10d",
    "6d 5d": "10d",
}
"""Texts of dice alone, and the pool that each means."""

SUMS = {
    "Body 3d + Fight 2d": ("5d", "Body 3d + Fight 2d"),
    "3d Body + 2d Fight": ("5d", "Body 3d + Fight 2d"),
    "Body 3d Fight 2d": ("5d", "Body 3d + Fight 2d"),
    "Body 3 + Fight 2": ("5d", "Body 3d + Fight 2d"),
    "Body: 3d, Fight = 2d": ("5d", "Body 3d + Fight 2d"),
    "Body (3d)": ("3d", "Body 3d"),
    "Body 3d 1w": ("3d 1w", "Body 3d 1w"),
    "Magic MD + Wits 2d": ("2d 1m", "Magic 1m + Wits 2d"),
    "💧5d": ("5d", "💧 5d"),
    "R2D2 5d": ("5d", "R2D2 5d"),
    "Hand-to-hand 5d": ("5d", "Hand-to-hand 5d"),
    "Zoë's luck 5d": ("5d", "Zoë's luck 5d"),
    "Agent 47 3d": ("3d", '"Agent 47" 3d'),
    '"Level 4" 3d': ("3d", '"Level 4" 3d'),
    "“Hard Luck” 3d": ("3d", '"Hard Luck" 3d'),
    "5d - 2d": ("3d", "5d - 2d"),
    "5d -1d": ("4d", "5d - 1d"),
    "5d-1": ("4d", "5d - 1d"),
    "5d −1d": ("4d", "5d - 1d"),
    "5d – 1d": ("4d", "5d - 1d"),
    "5d (-1d)": ("4d", "5d - 1d"),
    "5d minus 2d": ("3d", "5d - 2d"),
    "5d less 2d": ("3d", "5d - 2d"),
    "5d, 2d penalty": ("3d", "5d - 2d"),
    "penalty 2d, 5d": ("3d", "- 2d + 5d"),
    "5d - 2d darkness": ("3d", "5d - 2d darkness"),
    "5d + 1d bonus": ("6d", "5d + bonus 1d"),
    "5d 2w - 1d": ("4d 2w", "5d 2w - 1d"),
    "5d -1d 2w": ("4d 2w", "5d - 1d + 2w"),
    "2d 2w 1h e7 - 3d": ("2w 1h", "2d 2w 1h e7 - 3d"),
    "2d 2w 1h e7 - 4d": ("2w", "2d 2w 1h e7 - 4d"),
    "2d 3w 1h - 4d": ("2w", "2d 3w 1h - 4d"),
    "12d - 1d": ("10d", "12d - 1d"),
    "12d - 3d": ("9d", "12d - 3d"),
}
"""Texts that say more than dice: the pool, and the sum as it is shown."""

NAMES = {
    "Body": ("3d", "Body 3d"),
    "body": ("3d", "Body 3d"),
    "Body + Fight": ("5d 1h", "Body 3d + Fight 2d 1h"),
    "Body, fi": ("5d 1h", "Body 3d + Fight 2d 1h"),
    "Body and Fight": ("5d 1h", "Body 3d + Fight 2d 1h"),
    "Body Fight": ("5d 1h", "Body 3d + Fight 2d 1h"),
    "Body + 2d": ("5d", "Body 3d + 2d"),
    "Body - 1d": ("2d", "Body 3d - 1d"),
    "Body-1d": ("2d", "Body 3d - 1d"),
    "Body 3d": ("3d", "Body 3d"),
    "3d Body": ("3d", "Body 3d"),
    '"Body" + 2d': ("5d", "Body 3d + 2d"),
    "**Body** + 2d": ("5d", "Body 3d + 2d"),
    "Cloak and Dagger": ("4d", '"Cloak and Dagger" 4d'),
    "cloak  and dagger + Body": ("7d", '"Cloak and Dagger" 4d + Body 3d'),
    "Hard Luck + Body": ("3d 1w", '"Hard Luck" 1w + Body 3d'),
    "3d Vision": ("2d", '"3d Vision" 2d'),
    "Luck 2d + Body": ("5d", "Luck 2d + Body 3d"),
}
"""Texts with names of a sheet."""

REFUSED = {
    "": "That pool has no dice",
    " , ": "That pool has no dice",
    "- 2d": "That pool has no dice",
    "2d6": "One-Roll dice are all d10",
    "d8": "One-Roll dice are all d10",
    "5d d12": "One-Roll dice are all d10",
    "5d1O": "Did you mean 5d10?",
    "1Od": "Did you mean 10d?",
    "5d²": '"5d²" isn\'t a One-Roll die',
    "½d": '"½d" isn\'t a One-Roll die',
    "5d!": '"!" isn\'t a One-Roll die',
    "k3 5d": '"k3" isn\'t a One-Roll die',
    "2e7 5d": '"2e7" isn\'t a One-Roll die',
    "7th Sea 3d": '"7th" isn\'t a One-Roll die',
    "5d vs 4d": 'Leave out "vs"',
    "5d against Rex": 'Leave out "against"',
    "5d difficulty 4": 'Leave out "difficulty"',
    "5d drop 1": '"drop" doesn\'t work with One-Roll dice',
    "keep 2 5d": '"keep" doesn\'t work with One-Roll dice',
    "5d expert": '"expert" doesn\'t work with One-Roll dice',
    "Hard Luck 3d": '"Hard" means dice. If it\'s part of',
    "Iron Master 3d": '"Master" means dice. If it\'s part of',
    '"2d Gun" 3d': "has dice in it. Leave the dice out of the name",
    "Rope": '"Rope" has no dice',
    "Rope + 5d": '"Rope" has no dice',
    "5d -": "A penalty is a number of dice",
    "5d - 2w": "A penalty is a number of dice",
    "5d - Rope": "A penalty is a number of dice",
    "5d - (2d and 1d)": '"(" isn\'t a One-Roll die',
    "5d - (2d 1d)": "A penalty is a number of dice",
    "31d": '"31d" is too many dice; the limit is 30',
    "99999d": '"99999d" is too many dice; the limit is 30',
    "5d e11": "The expert die can show 1 to 10, not 11",
    "5d c0": "die can show 1 to 10, not 0",
    "5d e7 e3": "A pool can have only one expert die, not 7 and 3",
    "5d 11w": "That's 11 wiggle dice; a pool can have at most 10 of a kind",
    "1d": "That's 1 die. A pool needs at least 2 dice",
    "5d - 4d": "That's 1 die. A pool needs at least 2 dice",
}
"""Texts that are refused, and what is said of them."""


def pool(text: str, ratings: dict[str, OneRollRating] | None = None) -> tuple[str, str]:
    found = read(text, ratings)
    return write(found), found.typed


@pytest.mark.parametrize(("text", "dice"), POOLS.items())
def test_O1_dice_are_read_as_people_write_them(text: str, dice: str) -> None:
    assert pool(text)[0] == dice


@pytest.mark.parametrize(("text", "means"), SUMS.items())
def test_O6_labels_penalties_and_bonuses_are_read_and_kept(text: str, means: tuple[str, str]) -> None:
    assert pool(text) == means


@pytest.mark.parametrize(("text", "means"), NAMES.items())
def test_a_known_name_is_read_whole_before_anything_else(text: str, means: tuple[str, str]) -> None:
    assert pool(text, RATINGS) == means


@pytest.mark.parametrize(("text", "says"), REFUSED.items())
def test_what_is_no_pool_is_refused_with_what_is_wrong(text: str, says: str) -> None:
    with pytest.raises(RuleError, match=re.escape(says)) as refusal:
        read(text)
    is_readable(str(refusal.value))


def is_readable(refusal: str) -> None:
    """Every example of a refusal is a pool, or a part of one."""
    _, is_there, shown = refusal.partition("Example: ")
    if is_there:
        assert read_items(shown, {}, ())


@pytest.mark.parametrize(
    ("text", "answers"),
    [
        ("Level 4 3d", {'"Level 4" 3d': "3d", "Level 4d + 3d": "7d"}),
        ("~~5d~~ 4d", {"4d": "4d", "5d 4d": "9d"}),
        ("~~5d~~", {"5d": "5d"}),
        ("Body 4d", {"Body 4d": "4d", "Body 3d + 4d": "7d"}),
        ("4d Body", {"Body 4d": "4d", "4d + Body 3d": "7d"}),
        ("Body 1w", {"Body 1w": None, "Body 3d + 1w": "3d 1w"}),
    ],
)
def test_where_two_readings_throw_other_dice_it_is_asked(text: str, answers: dict[str, str | None]) -> None:
    with pytest.raises(Undecided, match="could mean two things") as question:
        read(text, RATINGS)
    assert [str(answer.label) for answer in question.value.answers] == [*answers]
    for answer in question.value.answers:
        dice = answers[str(answer.label)]
        if dice is not None:
            assert write(read(text, RATINGS, (answer.sign,))) == dice


def test_what_is_over_the_most_is_said_and_penalties_come_off_it_first() -> None:
    assert [(p.dice, p.over) for p in map(read, ("15d", "15d - 3d", "12d - 3d"))] == [
        (10, 5),
        (10, 2),
        (9, 0),
    ]


def test_O5_commas_separate_the_pools_of_a_crowd_which_have_15_dice_of_a_kind() -> None:
    found = read_crowd("Guards 4d, 3d + 3d 1w; Body\n15d, 17d 12h", RATINGS)
    assert [write(each) for each in found] == ["4d", "6d 1w", "3d", "15d", "15d 12h"]
    assert [each.over for each in found] == [0, 0, 0, 0, 2]
    assert [each.typed for each in found] == ["Guards 4d", "", "Body 3d", "", "17d 12h"]


@pytest.mark.parametrize(
    ("line", "ratings"),
    [
        ("Body 3d, Fight 2d 1w e7", "Body 3d, Fight 2d 1w e7"),
        ("Body 3, Fight: 2", "Body 3d, Fight 2d"),
        ("Magic MD, Claws 2hd, Luck 1td, Armour 4hd", "Magic 1m, Claws 2h, Luck 1t, Armour 4h"),
        ("Claws 3d Senses 2d", "Claws 3d, Senses 2d"),
        ("Body 3d / Fight 2d | Wits 1d", "Body 3d, Fight 2d, Wits 1d"),
        ("3d Body, 2d Fight", "Body 3d, Fight 2d"),
        ("Body 3d + 1w, Fight 2d", "Body 3d 1w, Fight 2d"),
        ("**Body** (3d)", "Body 3d"),
        ("Cloak and Dagger 3d", '"Cloak and Dagger" 3d'),
        ("Against All Odds 3d, Drop Kick 2d", '"Against All Odds" 3d, "Drop Kick" 2d'),
        ("Master Plan 3d", '"Master Plan" 3d'),
        ('"Level 4" 3d', '"Level 4" 3d'),
        ("Body 12d", "Body 12d"),
    ],
)
def test_ratings_of_a_sheet_are_read_and_written_as_a_pair(line: str, ratings: str) -> None:
    found = [OneRollRating(label, write(dice)) for label, dice in read_ratings(line)]
    assert write_ratings(found) == ratings
    assert [OneRollRating(label, write(dice)) for label, dice in read_ratings(ratings)] == found


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("Body", '"Body" needs dice'),
        ("4hd", "4h needs a name"),
        ("Body 3d, 1w", "1w needs a name"),
        ("Body 3d - 1d", "A rating can't have negative dice"),
        ("Level 4 3d", "could mean two things"),
        ("Body 11w", "That's 11 wiggle dice; a pool can have at most 10 of a kind"),
        ("Iron Hard 3d", '"Hard" means dice. If it\'s part of'),
    ],
)
def test_what_is_no_rating_is_refused(line: str, says: str) -> None:
    with pytest.raises(RuleError, match=re.escape(says)) as refusal:
        read_ratings(line)
    is_readable(str(refusal.value))


# Laws

_LABELS = st.sampled_from(
    ["", "Body", "Fight", "Hand-to-hand", "Master Plan", "Level 4", "Plan a", "and", "R2D2", "💧", "penalty"]
) | st.text("abdehmwxtc 1290'-💧", min_size=1, max_size=9).map(lambda text: " ".join(text.split()))


def _is_label(label: str) -> bool:
    has_dice = any(token.sort in "DS" and re.search("[0-9]", token.text) for token in tokens(label))
    return not has_dice and plain_text(label) == label


@st.composite
def items(draw: st.DrawFn) -> list[OreItem]:
    """Items of a sum, whose first takes nothing off."""
    found = []
    for place in range(draw(st.integers(1, 4))):
        is_penalty = place > 0 and draw(st.booleans())
        dice = OrePool(draw(st.integers(0, 12)))
        if not is_penalty:
            dice = OrePool(
                dice.dice, draw(st.integers(0, 3)), draw(st.integers(0, 3)), draw(st.integers(0, 10))
            )
        found.append(OreItem(dice, draw(_LABELS.filter(_is_label)), is_penalty))
    return found


@given(items())
def test_what_is_written_of_a_sum_is_read_back_as_the_same(sum_of: list[OreItem]) -> None:
    back = read_items(write_items(sum_of), {}, ())
    assert [(each.dice, each.label, each.is_penalty) for each in back] == [
        (each.dice, each.label, each.is_penalty) for each in sum_of
    ]


_PARTS = (
    *(
        "5d",
        "3",
        "2w",
        "MD",
        "e7",
        "c3",
        "1d",
        "d10",
        "x2",
        "2d6",
        "47",
        "dice",
        "a",
        "vs",
        "keep",
        "penalty",
    ),
    *("Body", "Hard", "Level", "and", "-", "+", ",", '"', "(", ")", "~~", "**", "\n", "²", "💧", "."),
)
_NOISE = st.lists(st.sampled_from(_PARTS), max_size=8).map(" ".join)


@given(_NOISE | strategies.typed() | st.text('0123456789dwhmtec ,+x-"()OBody', max_size=30))
@example('"')
@example("~~")
@example("a")
def test_any_text_is_a_pool_or_a_refusal_and_no_label_holds_dice(text: str) -> None:
    for ratings in ({}, RATINGS):
        found: list[OreItem] = []
        refusal = RuleError("")
        try:
            found = read_items(text, ratings, ())
        except RuleError as error:
            refusal = error
        if found:
            assert all(_is_label(each.label) for each in found if not each.is_rating)
            assert any(not each.is_penalty for each in found)
        elif isinstance(refusal, Undecided):
            assert refusal.answers
        elif len(text) < 30:
            is_readable(str(refusal))


@given(_NOISE | strategies.typed())
def test_what_a_pool_shows_of_what_was_typed_means_that_pool(text: str) -> None:
    found = people.tried(lambda: read(text))
    if found and found.typed:
        assert read(found.typed) == found


@given(st.lists(st.tuples(_LABELS.filter(bool), st.integers(1, MOST)), min_size=1, max_size=5))
def test_ratings_are_read_back_as_they_are_written(typed: list[tuple[str, int]]) -> None:
    held = [OneRollRating(label, f"{dice}d") for label, dice in typed if _is_label(label)]
    if held:
        back = [OneRollRating(label, write(dice)) for label, dice in read_ratings(write_ratings(held))]
        assert back == held


def test_a_long_text_is_refused_at_once() -> None:
    with pytest.raises(Unreadable, match="201 characters"):
        read("5" * 201)
    with pytest.raises(Unreadable, match="5001 characters"):
        read_ratings("5" * 5001)
    for text in ("*5d " * 250, "_a `b " * 160, "(" * 900, '"a' * 400):
        people.tried(lambda text=text: read_crowd(text))  # type: ignore[misc]


def test_a_plain_label_needs_no_quotation_marks() -> None:
    assert [quote_label(each) for each in ("Body", "Master Plan", "")] == ["Body", '"Master Plan"', ""]
    assert NO_DICE.special == 0
    assert tokens("5d")[0].sort is OreSort.DICE


@pytest.mark.parametrize(
    ("typed", "dice"),
    [
        ("5d penalty 2", "3d"),
        ("5d penalty of 2d", "3d"),
        ("5d, 2d penalty", "3d"),
        ("Body penalty 1", "2d"),
        ("5d - penalty 2", "3d"),
        ("five dice", "5d"),
        ("two dice 1w", "2d 1w"),
        ("bod fi", "5d 1w"),
        ("Fire at Will 3d", "3d"),
    ],
)
def test_a_penalty_a_count_in_words_and_short_names_are_read(typed: str, dice: str) -> None:
    own = {"body": OneRollRating("Body", "3d"), "fight": OneRollRating("Fight", "2d 1w")}
    assert write(read(typed, own)) == dice


@pytest.mark.parametrize("typed", ["5d on 3", "5d at 3", "5d of 3", "2d penalty 8", "5d c0"])
def test_a_small_word_is_no_name_and_nothing_is_guessed(typed: str) -> None:
    with pytest.raises(RuleError, match=r"doesn't work with|That's 0 dice|The called die can show"):
        read(typed)
