"""Cards in another language: all that is said is another, and names, dice and commands stay as they are."""

import re
from gettext import NullTranslations

import pytest

from bot.language import speaking
from bot.language.line import Text
from bot.language.printers import spelled
from bot.views.cortex.labels import pool_words
from bot.views.table import views
from rules.cortex.pool import Die, NamedPool
from tests.bot.views.test_texts import CARDS, begun

NAMES = {
    "Alice", "Rex", "GM", "alice", "bob", "Skyfall", "Fog", "Scene", "The", "docks", "Guard",
    "Guards", "Dodge", "Rope", "Lamp", "Map", "Mind", "Broken", "Leg", "Reckless", "Fire", "Lost",
    "Foothold", "Physical", "Mental", "Shaken", "thunder", "good", "laugh", "To", "the", "roof",
}  # fmt: skip
"""What was typed, and how rolls call who rolls."""
LABELS = {"hard", "and", "doom"}
"""What rolls keep of what they are against: `hard 2d10`, `Broken Leg d8 and doom`."""
SHOWN = sorted(views().keys() - {"campaign", "sfx"})
"""Views without settings as they are typed, and without an example alone."""


class Hushed(NullTranslations):
    """A language of strokes."""

    def gettext(self, message: str) -> str:
        parts = re.split(r"(\{[^}]*\})", message)
        return "".join(part if part.startswith("{") else re.sub("[A-Za-z]", "-", part) for part in parts)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)


def left(*lines: Text) -> set[str]:
    """The words in lines that are not strokes."""
    return set(re.findall("[A-Za-z]{2,}", " ".join(map(spelled, lines))))


@pytest.mark.parametrize("name", CARDS)
def test_no_english_is_left_on_a_card(name: str) -> None:
    with speaking(Hushed()):
        assert left(*CARDS[name]().lines) <= NAMES | LABELS


@pytest.mark.parametrize("view", SHOWN)
def test_no_english_is_left_in_a_view(view: str) -> None:
    with speaking(Hushed()):
        assert left(*views()[view].lines(begun(), {})) <= NAMES


def test_a_shared_pool_says_what_is_paid_for_and_what_it_is_against() -> None:
    pool = NamedPool("Alice", (Die(4, "Reckless"), Die(6)), "alice", "2d8", ("Reckless",), ("Trick",))
    assert spelled(pool_words(pool)) == "Reckless d4, d6; Reckless hinders; SFX Trick; against 2d8"
    assert spelled(pool_words(NamedPool("Escape", ()))) == "empty"
