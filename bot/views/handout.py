"""The table on one page, to be printed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bot.language import say
from bot.language.line import Text, joined
from bot.views.chronicle import players_of
from bot.views.labels import UNNAMED, listed
from bot.views.story import known_for
from bot.views.table import person_parts, stage_lines, time_lines
from bot.views.web_page import render
from rules.table import Table


@dataclass(frozen=True, slots=True)
class HandoutPerson:
    """A player's character: name and points, who they are, what they have in play, and their portrait."""

    begins: Text
    about: Text
    parts: Sequence[Text]
    portrait: tuple[bytes, Text] | None = None


def handout(table: Table, portraits: Mapping[str, bytes]) -> str:
    """Return the table as an HTML page: scene, pools, people with what they have, and the GM's characters.

    `portraits` are pictures by their digest.
    """
    played = [each for each in table.characters.values() if not each.gmc]
    people = []
    for each, player in zip(played, players_of(table, portraits), strict=True):
        begins, *parts = person_parts(table, each)
        by = [say("played by {player}", player=each.player_name)] if each.player_name else []
        known = known_for(each)
        about = joined(". ", [*by, *([listed(known)] if known else [])])
        people.append(HandoutPerson(begins, about, parts, player.portrait))
    others = [joined(". ", person_parts(table, each)) for each in table.characters.values() if each.gmc]
    return render(
        "handout.html",
        title=table.name or say(UNNAMED),
        time=joined(", ", time_lines(table)),
        stage=stage_lines(table),
        people=people,
        others=others,
        said={"people": say("Characters"), "others": say("{gmc.Many}")},
    )
