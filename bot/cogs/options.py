"""Options of commands, with their suggestions."""

import re
from collections.abc import Callable, Iterable, Mapping
from operator import attrgetter
from typing import Any, cast

from discord import AppCommandOptionType, ChannelType, Interaction
from discord.app_commands import Choice, Range, Transform, Transformer

from bot.client.request import asked, game_of
from bot.language.line import Text
from bot.language.printers import spelled
from bot.services import sessions
from bot.services.play import Play
from bot.store.personal import AllQuietHours
from bot.views.question import LONGEST_LIST
from bot.views.schedule import readable_times
from bot.views.settings import LOG, ruleset_words, setting_words
from bot.views.settings import LONGEST as LONGEST_SETTING
from rules.campaign import lifecycle
from rules.campaign.characters import voices
from rules.campaign.notes import LONGEST_NOTE, LONGEST_TITLE
from rules.campaign.scenes import LONGEST_DAY
from rules.campaign.zones import zones_fitting, zones_to_offer
from rules.custom_terms import suggested
from rules.game import sheets_at
from rules.names import COMMAS, SCENE, fold, get_named
from rules.names import LONGEST as LONGEST_NAME
from rules.table import Character, Table

MOST = 25
"""Discord shows this many suggestions."""
LONGEST = 100
"""A suggestion has at most this many characters."""
LONGEST_LABEL = 2 * LONGEST_NAME
"""A name has at most this many, with its owner, its rating or both."""
LONGEST_TIMES = 300
"""Up to five times have at most this many."""
LONGEST_OPTION = 6000
"""Discord allows no longer texts than this."""


play_of: Callable[[Interaction], Play] = attrgetter("client.play")
"""Return the play service of the bot: a transformer is made before there is one, so none is handed in."""


async def table_of(interaction: Interaction) -> Table | None:
    """Return the table for which a command needs suggestions; None if the table doesn't play its game."""
    table = await play_of(interaction).look(asked(interaction))
    return table if not table.game or game_of(interaction) in ("", table.game) else None


class TypedText(Transformer):
    """An option of free text, with suggestions from the table."""

    longest = LONGEST_NAME
    """So many characters it has at most; Discord is told, and refuses longer text while it is typed."""

    @property
    def max_value(self) -> int:
        """The most characters, as discord.py calls it."""
        return self.longest

    async def transform(self, interaction: Interaction, value: Any, /) -> str:
        """Return the text unchanged: rules interpret it against the newest table."""
        return str(value)

    async def autocomplete(self, interaction: Interaction, value: int | float | str, /) -> list[Choice[Any]]:
        """Return suggestions, likeliest first."""
        table = await table_of(interaction)
        return suggest(str(value), self.found(table, interaction.user.id, interaction)) if table else []

    def found(self, table: Table, player: int, interaction: Interaction) -> Iterable[str]:
        """Return all candidates for suggestions."""
        return ()


def suggest(
    typed: str, found: Iterable[str], words: Callable[[str], Text] | None = None
) -> list[Choice[Any]]:
    """Return suggestions that start with what was typed, then those that contain it.

    `words` returns a longer text to show for a suggestion.
    """
    wanted = fold(typed)
    # Of suggestions with an empty or an overlong one Discord shows none at all.
    all_of = [text for text in dict.fromkeys(found) if text and len(text) <= LONGEST]
    begin = [text for text in all_of if fold(text).startswith(wanted)]
    hold = [text for text in all_of if wanted in fold(text) and text not in begin]
    names = [(text, spelled(words(text)) if words else text) for text in (begin + hold)[:MOST]]
    return [Choice(name=name[:LONGEST], value=text) for text, name in names]


class Somebody(TypedText):
    """An option for a character, the caller's own suggested first, or for one of the words in `more`."""

    def __init__(self, *more: str) -> None:
        self.more = more

    def found(self, table: Table, player: int, interaction: Interaction) -> Iterable[str]:
        own = table.played_by(player)
        names = [c.name for c in table.characters.values()]
        return [*([own.name] if own else []), *names, *self.words(table)]

    def words(self, table: Table) -> list[str]:
        """Return these words, in the table's terms (N1)."""
        return [suggested(table, word) for word in self.more]


class SeveralPeople(Somebody):
    """An option for several characters, separated by commas, or for one of the words in `more`."""

    longest = LONGEST_LIST

    def found(self, table: Table, player: int, interaction: Interaction) -> Iterable[str]:
        typed = focused(cast("Any", interaction.data).get("options", ()))
        place = max(typed.rfind(sign) for sign in COMMAS)  # people, and groups of them
        names = [c.name for c in table.characters.values() if not c.gmc]
        if place < 0:
            return [*names, *self.words(table)]
        before = typed[: place + 1]
        named = {fold(part) for part in re.split(f"[{COMMAS}]", before)}
        more = [suggested(table, word) for word in self.more if word == SCENE]
        return [f"{before} {name}" for name in (*names, *more) if fold(name) not in named]


class _When(TypedText):
    """A time as it is understood, in the zone of the table or in the one that is named; or in one's own."""

    longest = LONGEST_TIMES

    def __init__(self, *, is_own: bool = False) -> None:
        self.is_own = is_own

    async def autocomplete(self, interaction: Interaction, value: int | float | str, /) -> list[Choice[Any]]:
        asking, play = asked(interaction), play_of(interaction)
        table = await play.look(asking)
        quiet = cast("AllQuietHours", interaction.client.quiet_hours)  # type: ignore[attr-defined]
        own = (await quiet.of(interaction.user.id)).zone if self.is_own else ""
        zone = getattr(interaction.namespace, "zone", "") or own or table.settings.zone
        meant = readable_times(table, str(value), interaction.created_at, zone)
        return [
            Choice(name=spelled(name)[:LONGEST], value=typed)
            for name, typed in meant
            if 0 < len(typed) <= LONGEST
        ]


class _Zone(TypedText):
    async def autocomplete(self, interaction: Interaction, value: int | float | str, /) -> list[Choice[Any]]:
        play = play_of(interaction)
        own = (await play.look(asked(interaction))).settings.zone
        return _suggest_zones(str(value), [own] if own else [])


def _suggest_zones(typed: str, first: list[str]) -> list[Choice[Any]]:
    """The zones that a text may mean; then those whose names begin so, or hold it."""
    meant = zones_fitting(typed)
    named = suggest(typed, (*first, *lifecycle.ZONES, *zones_to_offer()))
    return [*suggest("", meant), *(each for each in named if each.value not in meant)][:MOST]


def whose(table: Table, player: int, interaction: Interaction) -> Character | None:
    """Return the character named by the option `who`, else the caller's own; None for none."""
    who = str(getattr(interaction.namespace, "who", "") or "")
    return get_named(table.characters, who) or table.played_by(player)


class _Setting(TypedText):
    async def autocomplete(self, interaction: Interaction, value: int | float | str, /) -> list[Choice[Any]]:
        table = await play_of(interaction).look(asked(interaction))
        return suggest(str(value), (*lifecycle.names(table), LOG), setting_words)


class _SettingValue(TypedText):
    longest = LONGEST_SETTING

    async def autocomplete(self, interaction: Interaction, value: int | float | str, /) -> list[Choice[Any]]:
        setting = str(getattr(interaction.namespace, "setting", "") or "")
        if setting == lifecycle.TIME_ZONE:
            return _suggest_zones(str(value), [])
        words = ruleset_words if setting == "ruleset" else None
        known = ("off",) if setting == LOG else lifecycle.values(setting)
        return suggest(str(value), known, words)


class _LogPlace(Transformer):
    """A text channel or a thread, by its number: whoever needs more of it looks it up."""

    @property
    def type(self) -> AppCommandOptionType:
        return AppCommandOptionType.channel

    @property
    def channel_types(self) -> list[ChannelType]:
        threads = [ChannelType.public_thread, ChannelType.private_thread, ChannelType.news_thread]
        return [ChannelType.text, ChannelType.news, *threads]

    async def transform(self, interaction: Interaction, value: Any, /) -> int:
        """Return the id of the channel."""
        return int(value.id)


class _CampaignName(TypedText):
    async def autocomplete(self, interaction: Interaction, value: int | float | str, /) -> list[Choice[Any]]:
        play = play_of(interaction)
        return suggest(str(value), await play.campaigns(asked(interaction)))


class _DeletedName(TypedText):
    async def autocomplete(self, interaction: Interaction, value: int | float | str, /) -> list[Choice[Any]]:
        play = play_of(interaction)
        return suggest(str(value), await play.restorable(asked(interaction)))


class _PlayedName(TypedText):
    async def autocomplete(self, interaction: Interaction, value: int | float | str, /) -> list[Choice[Any]]:
        play = play_of(interaction)
        return suggest(str(value), await play.played(asked(interaction)))


class _Session(TypedText):
    """The sessions that there were, the latest first, each by its number with its title."""

    async def autocomplete(self, interaction: Interaction, value: int | float | str, /) -> list[Choice[Any]]:
        play = play_of(interaction)
        table = await play.look(asked(interaction))
        numbers = range(table.session, 0, -1)
        titled = {
            f"{each}: {table.titles[each]}" if each in table.titles else str(each): each for each in numbers
        }
        found = suggest(str(value), titled)
        return [Choice(name=each.name, value=str(titled[each.name])) for each in found]


class _BoundaryName(TypedText):
    """The lines and the veils of the table."""

    def found(self, table: Table, player: int, interaction: Interaction) -> Iterable[str]:
        return (*table.lines.values(), *table.veils.values())


class _OpenNote(TypedText):
    """What is open, as far as the caller sees it; of a long one as much as a suggestion can have."""

    longest = LONGEST_NOTE

    def found(self, table: Table, player: int, interaction: Interaction) -> Iterable[str]:
        return [each.text[:LONGEST].strip() for each in table.threads.values()]


class _SceneName(TypedText):
    """The scenes of a ready-made story that are still to come."""

    def found(self, table: Table, player: int, interaction: Interaction) -> Iterable[str]:
        return [each.name for each in table.planned]


class _NotedName(TypedText):
    """Who and what notes are about: characters, and what has been named so before."""

    async def autocomplete(self, interaction: Interaction, value: int | float | str, /) -> list[Choice[Any]]:
        play = play_of(interaction)
        return suggest(str(value), await sessions.note_subjects(play, asked(interaction)))


def focused(options: Iterable[Mapping[str, Any]]) -> str:
    """Return what is typed so far into the option that needs suggestions."""
    for option in options:
        if option.get("focused"):
            return str(option.get("value", ""))
        inside = focused(option.get("options", ()))
        if inside:
            return inside
    return ""


class _TraitName(TypedText):
    """A trait of a sheet: of whom is named, or of the caller."""

    longest = LONGEST_LABEL

    def found(self, table: Table, player: int, interaction: Interaction) -> Iterable[str]:
        own = whose(table, player, interaction)
        return sheets_at(table).labels(own) if own else ()


class _WholeName(TypedText):
    """A trait of that sheet which can have parts: it is none itself, nor the one that is changed (N23)."""

    def found(self, table: Table, player: int, interaction: Interaction) -> Iterable[str]:
        changed = fold(str(getattr(interaction.namespace, "trait", "") or ""))
        own = whose(table, player, interaction)
        return [each for each in sheets_at(table).wholes(own) if fold(each) != changed] if own else ()


class _TraitSet(TypedText):
    def found(self, table: Table, player: int, interaction: Interaction) -> Iterable[str]:
        return sheets_at(table).sets(table, whose(table, player, interaction) or Character(""))


class _Speaker(TypedText):
    """Whom somebody can speak as."""

    def found(self, table: Table, player: int, interaction: Interaction) -> Iterable[str]:
        return [each.name for each in voices(table, asked(interaction).actor)]


NewName = Range[str, 1, LONGEST_NAME]
"""A name for something new, or another text of a few words."""
LabelText = Range[str, 1, LONGEST_LABEL]
"""A name, perhaps with its owner or its rating."""
RatingText = Range[str, 1, LONGEST_NAME]
"""The die or dice of one trait."""
ShortNote = Range[str, 1, LONGEST_NOTE]
"""A note or a reason."""
Title = Range[str, 1, LONGEST_TITLE]
"""The title of a session."""
Day = Range[str, 1, LONGEST_DAY]
"""A day in the story."""
TextList = Range[str, 1, LONGEST_LIST]
"""Several texts, separated by commas, or a question."""
FileText = Range[str, 1, LONGEST_OPTION]
"""The contents of a file."""
Who = Transform[str, Somebody()]
"""A character."""
WhoOrScene = Transform[str, Somebody("scene")]
"""A character or the scene."""
Several = Transform[str, SeveralPeople("all")]
"""One character, several with commas, or all."""
SeveralOrScene = Transform[str, SeveralPeople("all", "scene")]
"""One character, several with commas, all, or the scene."""
Absent = Transform[str, SeveralPeople()]
"""Characters, several with commas, but not all of them."""
SettingName = Transform[str, _Setting()]
"""A setting of the campaign."""
SettingValue = Transform[str, _SettingValue()]
"""A value of that setting."""
LogPlace = Transform[int, _LogPlace()]
"""The channel of a log."""
TraitName = Transform[str, _TraitName()]
"""A trait of a sheet."""
WholeName = Transform[str, _WholeName()]
"""A trait of the sheet that can have parts."""
TraitSet = Transform[str, _TraitSet()]
"""A trait set of the ruleset or of a sheet."""
Speaker = Transform[str, _Speaker()]
"""Whom one can speak as."""
DeletedName = Transform[str, _DeletedName()]
"""A deleted campaign that the caller can bring back."""
OpenNote = Transform[str, _OpenNote()]
"""An open note."""
SceneName = Transform[str, _SceneName()]
"""A name for a scene."""
NotedName = Transform[str, _NotedName()]
"""Who or what a note is about."""
BoundaryName = Transform[str, _BoundaryName()]
"""A line or a veil of the table."""
CampaignName = Transform[str, _CampaignName()]
"""A campaign of this server."""
PlayedName = Transform[str, _PlayedName()]
"""A campaign of this server that knows the caller."""
SessionName = Transform[str, _Session()]
"""A session by its number or title."""
When = Transform[str, _When()]
"""A time that is to come."""
WhenBack = Transform[str, _When(is_own=True)]
"""When somebody is back, in their own zone."""
ZoneName = Transform[str, _Zone()]
"""A time zone."""
WhoRolled = Transform[str, Somebody("GM", "all")]
"""Somebody who rolls, the GM, or all."""
