"""The sessions of a campaign, as its steps tell them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from bot.play import Play
from bot.play.asked import Asked
from bot.render.card import Card, Tone
from bot.render.pages import pages
from bot.render.story import whole_story
from bot.store import fact_codec, tags
from bot.store.history import LogStep
from bot.use.telling import Facts, telling
from rules.campaign.privacy import begins_session
from rules.campaign.seats import is_game_master
from rules.campaign.story import story
from rules.errors import Unknown
from rules.facts import Began, Ended, Fact, OldWords, SeatChange, Seated, Stretch
from rules.names import find, key
from rules.table import Table
from rules.text import Words
from rules.values import replace

ROOM = 2500
"""The story of a scene has about so many characters; the rest is in the session's."""


@dataclass(frozen=True, slots=True)
class Session:
    """A session and its steps, oldest first, without what is undone; 0 where none has begun.

    `campaign` is 0 and the table a blank one where nothing has been played.
    """

    campaign: int
    table: Table
    number: int
    steps: tuple[LogStep, ...]
    is_last: bool = True

    def table_with(self, people: Iterable[str]) -> Table:
        """The table as far as this session knew it: an older one does not know who came later."""
        if self.is_last:
            return self.table
        there = set(map(key, people))
        left = {who: each for who, each in self.table.characters.items() if who in there}
        return replace(self.table, characters=left)


async def sessions(play: Play, asked: Asked, *, is_public: bool = False) -> list[Session]:
    """All sessions that the steps tell of, oldest first, as whoever asks may see them, or everybody.

    Where none has begun, all steps are one. What old steps said in sentences begins none.
    """
    campaign, table = await play.see(asked, is_public=is_public)
    if not campaign:
        return [Session(0, table, 0, ())]
    secrets = not is_public and is_game_master(table, asked.actor)
    steps = await play.past.played(campaign, secrets=secrets)
    begun = [(place, number) for place, step in enumerate(steps) for number in _begun(step)]
    if not begun:
        return [Session(campaign, table, 0, tuple(steps))]
    ends = [*(place for place, _ in begun[1:]), len(steps)]
    return [
        Session(campaign, table, number, tuple(steps[place:end]), end == len(steps))
        for (place, number), end in zip(begun, ends, strict=True)
    ]


async def scene_card(play: Play, campaign: int, table: Table, since: int) -> Card | None:
    """The story of a scene that began with that step, as it is told to all; None where that is undone."""
    steps = await play.past.played(campaign, secrets=False, since=since)
    if not steps or steps[0].number != since:
        return None
    return telling([step.facts for step in steps], partial(_scene, table))


def _scene(table: Table, facts: Facts) -> Card:
    ends = [n for n, step in enumerate(facts, start=1) if n > 1 and any(map(_ends_scene, step))]
    found = story(facts[: ends[0]] if ends else facts)
    chapters = tuple(chapter for chapter in found.chapters if chapter.number)[:1]
    lines, people = whole_story(replace(found, chapters=chapters), table, is_last=False)
    return Card(pages((*lines, *people), ROOM)[0], tone=Tone.CALM)


def _ends_scene(fact: Fact) -> bool:
    return isinstance(fact, Ended) and fact.what is Stretch.SCENE


async def steps_of(play: Play, asked: Asked, wanted: str = "") -> tuple[LogStep, ...]:
    """The steps of that session, or of the whole campaign, as whoever asks may see them.

    Raises Unknown or Ambiguous.
    """
    if wanted.strip():
        return (await session(play, asked, wanted)).steps
    campaign, table = await play.see(asked)
    secrets = is_game_master(table, asked.actor)
    return tuple(await play.past.played(campaign, secrets=secrets)) if campaign else ()


async def renamed_after(play: Play, asked: Asked, steps: Sequence[LogStep]) -> Facts:
    """Who got another name after these steps, so far as whoever asks may see it: a fact a step."""
    campaign, table = await play.see(asked)
    if not (campaign and steps):
        return []
    secrets, last = is_game_master(table, asked.actor), steps[-1].number
    found = await play.past.facts(campaign, (Seated,), last)
    later = [fact for step, fact in found if step.number > last and (secrets or not step.secret)]
    return [(fact,) for fact in later if isinstance(fact, Seated) and fact.seat is SeatChange.RENAMED]


async def session(play: Play, asked: Asked, wanted: str = "", *, is_public: bool = False) -> Session:
    """The session with that number or title, or the last one in which more has happened than its start.

    Raises Unknown or Ambiguous.
    """
    found = await sessions(play, asked, is_public=is_public)
    if not wanted.strip():
        is_new = len(found) > 1 and len(found[-1].steps) == 1
        return found[-2 if is_new else -1]
    number = numbered(found[-1].table, wanted)
    for each in reversed(found):
        if each.number == number:
            return each
    raise Unknown(
        "There's no record of {session.one} {number}. To see the last one: /session recap", number=number
    )


def counted_from(steps: Iterable[LogStep]) -> int:
    """The step from which on everything can be counted; 0 where all of these can.

    What was played before facts were kept is known in the words of its time alone.
    """
    maybe = [step for step in steps if tags.may_hold(step.written, OldWords)]
    old = [step.number for step in maybe if any(map(_is_old, step.facts))]
    return max(old, default=-1) + 1


def _is_old(fact: Fact) -> bool:
    return isinstance(fact, OldWords) and fact != fact_codec.GONE


def numbered(table: Table, wanted: str) -> int:
    """The number of a session, typed as its number or title. Raises Unknown or Ambiguous."""
    typed = wanted.strip()
    if typed.isascii() and typed.isdigit():
        return int(typed[:9])  # no session has a longer number
    titles = {title: number for number, title in table.titles.items()}
    if not titles:
        raise Unknown("No {session.one} has a title yet. Type the number instead. Example: session:1")
    return titles[find(typed, titles, Words("{session.one}"))]


def _begun(step: LogStep) -> list[int]:
    """The number of the session that a step began, if it did."""
    if not (tags.may_hold(step.written, Began) and begins_session(step.facts)):
        return []
    return [f.number for f in step.facts if isinstance(f, Began) and f.what is Stretch.SESSION][-1:]
