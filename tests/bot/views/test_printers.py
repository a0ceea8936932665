"""What is typed stays text in whatever a line is printed for, and a sentence is said only there."""

import ast
import re
from gettext import NullTranslations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bot
from bot.language import say, speaking
from bot.language.line import (
    DieForm,
    Line,
    Text,
    TimeStyle,
    aloud,
    capital,
    code,
    command,
    dice_drawn,
    die,
    heading,
    joined,
    moment,
    person,
    small,
    strong,
    together,
    unrolled,
    without_marks,
)
from bot.language.printers import as_typed, harmless, in_words, marked, spelled, tagged
from bot.language.said import cut, said, width
from bot.views.card import LONGEST_LINE, pages
from rules.text import Row, truncate
from tests.catalog import Capitals

FACES = {"d6_1": "<:d6_1:7>", "d6": "<:d6:8>", "d8": "<:d8:9>", "d10_7_placed": "<:d10_7_placed:5>"}
PRIVATE = "".join(map(chr, range(0xE000, 0xE020)))
"""What once marked a line's parts; it is text as any other now."""
TYPED = st.text(st.sampled_from(f"ab1. -#>*_`~|\\[]()<@&{{}}نو,:'{PRIVATE}"), max_size=12)
PARTS = st.recursive(
    st.one_of(
        TYPED,
        st.builds(die, st.just(6), st.integers(1, 6), TYPED),
        st.just(unrolled((6, 6, 8))),
        st.just(dice_drawn(10, (7, 7), DieForm.PLACED)),
        st.builds(code, TYPED),
        st.just(moment(7, TimeStyle.DAY)),
        st.just(person(7)),
        st.just(command("doom add", 9)),
    ),
    lambda inner: st.one_of(
        inner.map(strong),
        inner.map(capital),
        inner.map(aloud),
        st.builds(together, inner, inner),
        st.builds(lambda who, what: say("{who}, for {what}", who=who, what=what), inner, inner),
        st.lists(inner, min_size=1, max_size=3).map(lambda names: Line((Row(names),))),
    ),
    max_leaves=6,
)


@given(PARTS)
def test_what_is_printed_is_the_same_once_it_is_said(line: Text) -> None:
    for printed in (harmless, spelled, tagged, marked, in_words):
        assert printed(said(line)) == printed(line)
    assert harmless(said(line), FACES) == harmless(line, FACES)


@pytest.mark.parametrize(
    ("sizes", "drawn", "words"),
    [
        ((6, 6, 8), "<:d6:8><:d6:8><:d8:9>", "2d6 d8"),
        ((6,) * 10 + (8,), "10<:d6:8> <:d8:9>", "10d6 d8"),
        ((6, 10), "d6 d10", "d6 d10"),
    ],
)
def test_unrolled_dice_are_a_picture_each_or_one_a_size_where_they_are_many(
    sizes: tuple[int, ...], drawn: str, words: str
) -> None:
    assert harmless(unrolled(sizes), FACES) == drawn
    assert spelled(unrolled(sizes)) == harmless(unrolled(sizes)) == words


@pytest.mark.parametrize(
    ("faces", "form", "drawn"),
    [
        ((7, 7), DieForm.PLACED, "<:d10_7_placed:5><:d10_7_placed:5>"),
        ((7, 3), DieForm.PLACED, "7 3"),
        ((7, 7), DieForm.THROWN, "7 7"),
    ],
)
def test_dice_in_a_row_are_pictures_where_each_has_one(
    faces: tuple[int, ...], form: DieForm, drawn: str
) -> None:
    assert harmless(dice_drawn(10, faces, form), FACES) == drawn
    assert spelled(dice_drawn(10, faces, form)) == " ".join(map(str, faces))


@given(TYPED | st.text())
def test_what_was_typed_is_read_back_from_a_message_just_as_it_was(text: str) -> None:
    assert as_typed(harmless(without_marks(text))) == without_marks(text)


@given(PARTS)
def test_a_heading_and_background_hold_all_of_it(line: Text) -> None:
    assert spelled(heading(line)) == spelled(line)
    assert spelled(small(line)) == spelled(line)
    assert "**" not in harmless(heading(together(strong("A"), " b")))


@given(TYPED)
def test_typed_text_is_text_beside_what_is_strong(text: str) -> None:
    line = together(strong("Nova"), ": ", text)
    assert harmless(line).startswith("**Nova**: ")
    assert tagged(line).startswith("<strong>Nova</strong>:")
    assert marked(line).startswith("**Nova**:")
    assert spelled(line) == f"Nova: {text}"
    assert "<" not in tagged(text)


@given(TYPED)
def test_a_value_is_never_read_as_a_span_or_as_a_place(text: str) -> None:
    assert spelled(say("{who} wins", who=text)) == f"{text} wins"
    assert spelled(say("{who} wins", who=strong(text))) == f"{text} wins"


@given(st.lists(PARTS, min_size=1, max_size=40))
def test_a_long_line_is_broken_and_nothing_of_it_is_lost(parts: list[Text]) -> None:
    line = joined(", ", [*parts, *["word " * 30] * 20])
    broken = [part for page in pages([line]) for part in page]
    assert all(width(part) <= LONGEST_LINE for part in broken)
    assert "".join("".join(map(spelled, broken)).split()) == "".join(spelled(line).split())


@given(PARTS, st.integers(4, 60))
def test_a_line_that_is_cut_is_no_longer_than_it_may_be(line: Text, most: int) -> None:
    short = cut(line, most)
    assert width(short) <= most
    assert short == said(line) or spelled(short).endswith("…")


def test_what_is_cut_or_broken_ends_with_a_word(subtests: pytest.Subtests) -> None:
    words = [f"word{n}" for n in range(400)]
    for line in (" ".join(words), together("Said: ", " ".join(words)), strong(" ".join(words))):
        with subtests.test(line=line):
            broken = [part for page in pages([line]) for part in page]
            assert len(broken) > 2
            assert [word for part in broken for word in spelled(part).split()][-400:] == words
    for most in range(30, 50):
        for line in (" ".join(words), together("Said: ", " ".join(words))):
            kept = spelled(cut(line, most))
            assert kept.endswith("…")
            assert kept.removesuffix("…").split()[-1] in words
    assert truncate("Nobody sails at night", 21) == "Nobody sails at night"
    assert truncate("Nobody sails at night", 12) == "Nobody…"
    assert truncate("x" * 30, 12) == "x" * 11 + "…", "nothing else is there to be cut"


def test_a_sentence_is_said_in_the_language_of_its_printer() -> None:
    line = strong(say("{who} wins {what}", who="Nova", what=say("a contest")))
    assert harmless(line) == "**Nova wins a contest**"
    with speaking(Capitals()):
        assert harmless(line) == "**Nova WINS A CONTEST**"
    with speaking(NullTranslations()):
        assert tagged(line) == "<strong>Nova wins a contest</strong>"


def test_a_line_is_text_for_printers_alone() -> None:
    line = strong("Nova")
    with pytest.raises(TypeError, match="printer"):
        str(line)  # type: ignore[misc]
    with pytest.raises(TypeError, match="together"):
        f"{line}"  # type: ignore[misc]


def test_a_sentence_begins_with_a_capital_whatever_is_first_in_it() -> None:
    assert spelled(capital(say("{what} begins", what=say("round {round}", round=2)))) == "Round 2 begins"
    assert harmless(capital(strong("x"))) == "**x**"
    assert spelled(capital("")) == ""


def test_no_source_holds_a_private_use_character_or_reads_one() -> None:
    here = Path(bot.__file__).parent
    for path in set(here.rglob("*.py")) - {here / "loopback" / "reply.py"}:  # it reads what Discord is sent
        source = path.read_text(encoding="utf-8")
        assert not re.search("[\ue000-\uf8ff]", source), path
        if not re.search(r"\\[uUN]", source):  # no other escape stands for one
            continue
        texts = [n.value for n in ast.walk(ast.parse(source)) if isinstance(n, ast.Constant)]
        assert not [text for text in texts if isinstance(text, str) and re.search("[\ue000-\uf8ff]", text)]


def test_a_value_that_cannot_be_said_harms_nothing_but_itself() -> None:
    line = say("{who}: {points:+d}", who=strong("Nova"), points="many")
    assert harmless(line) == "**Nova**: something this version can't read"
    with pytest.raises(KeyError):
        spelled(say("{who} wins {what}", who="Nova"))
