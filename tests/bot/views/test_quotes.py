"""Quotations in a story: short in a recap, whole where there is room for it."""

from bot.language.line import Text
from bot.language.printers import phone_lines, spelled
from bot.views.story import LONGEST_QUOTE, MOST_LINES, story_lines, whole_story
from rules.campaign.story import story
from rules.facts import Began, Noted, Quoted, Stretch
from rules.table import Table
from rules.text import truncate

LONG = "The map lies, " * 70


def words(lines: list[Text]) -> str:
    return "\n".join(map(spelled, lines))


def test_a_recap_tells_a_long_quotation_in_part_and_the_chronicle_all_of_it() -> None:
    begun = Began(Stretch.SCENE, 1, "The docks")
    told = story([(begun,), (Quoted("Run!", "Bob"),), (Quoted(LONG, "alice", "Mira"),), (Noted("It lies"),)])
    assert truncate(LONG, LONGEST_QUOTE).endswith(" The…"), "no word is cut"
    recap = story_lines(told, Table(), 1, is_last=True)
    assert sum(map(phone_lines, recap)) <= MOST_LINES
    assert f"Bob: “Run!” Mira: “{truncate(LONG, LONGEST_QUOTE)}” “It lies”" in words(recap)
    ((scene,), _) = whole_story(told, Table(), is_last=True)
    assert f"Mira: “{LONG}”\n“It lies”" in words(list(scene.words))
