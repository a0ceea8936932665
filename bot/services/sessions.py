"""Session records: recaps, the chronicle, notes and quotes."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, cast

from bot.clock import UNKNOWN
from bot.language import say
from bot.language.line import Text, small
from bot.pictures.charts import session_charts, session_drawings
from bot.services.play import NO_TABLE, SEARCHED, Play, Request
from bot.services.responses import Done, Facts, closed_card, telling
from bot.store import codec
from bot.store.history import LogStep
from bot.store.ledger import Ledger
from bot.store.personal import Portraits
from bot.views import question
from bot.views.card import Button, Card, Document, Form, Tone, pages
from bot.views.chronicle import (
    Chronicle,
    ToldSession,
    asking_card,
    kept_card,
    known_card,
    markdown,
    page,
    players_of,
    sign,
    taken_out_card,
    who_is_who,
)
from bot.views.facts import rolls_told
from bot.views.files import file_name
from bot.views.labels import listed
from bot.views.question import STALE, Pressed
from bot.views.story import concerning, counted_line, person_lines, session_title, story_lines, whole_story
from bot.views.voices import speaker
from bot.worker import aside, handle_many
from rules.campaign.notes import (
    PastRoll,
    may_take_out,
    note_of,
    note_roll,
    quotable,
    quote,
    require_noter,
    require_own,
)
from rules.campaign.privacy import begins_session
from rules.campaign.rolls import rolls_on
from rules.campaign.seats import Actor, is_game_master, is_gm, own_name
from rules.campaign.story import SessionStory, appearances, story
from rules.campaign.zones import local
from rules.errors import NotAllowed, TooLate, Unknown
from rules.facts import Began, Ended, Fact, Noted, OldWords, Quoted, RollNoted, SeatChange, Seated, Stretch
from rules.game import Step, played
from rules.names import find, key, remark
from rules.table import Rolled, Table, with_note
from rules.text import Words
from rules.values import replace

ROOM = 2500
"""The story of a scene has about so many characters; the rest is in the session's."""


@dataclass(frozen=True, slots=True)
class SessionSteps:
    """A session with its steps, oldest first, without undone ones.

    `number` is 0 if no session was ever started; `campaign` is 0, with a blank table, if nothing has been
    played.
    """

    campaign: int
    table: Table
    number: int
    steps: tuple[LogStep, ...]
    is_last: bool = True

    def table_with(self, people: Iterable[str]) -> Table:
        """Return the table with only these characters, unless this is the last session.

        An older session must not show characters who joined later.
        """
        if self.is_last:
            return self.table
        there = set(map(key, people))
        left = {who: each for who, each in self.table.characters.items() if who in there}
        return replace(self.table, characters=left)


async def sessions(play: Play, asked: Request, *, is_public: bool = False) -> list[SessionSteps]:
    """Return all sessions on record, oldest first, with what the caller (or everybody) may see.

    If no session was ever started, all steps form one. Steps that are stored as old sentences start none.
    """
    campaign, table = await play.see(asked, is_public=is_public)
    if not campaign:
        return [SessionSteps(0, table, 0, ())]
    secrets = not is_public and is_game_master(table, asked.actor)
    steps = await play.past.played(campaign, secrets=secrets)
    return await handle_many(steps, _split_sessions, campaign, table)


def _split_sessions(steps: Sequence[LogStep], campaign: int, table: Table) -> list[SessionSteps]:
    begun = [(place, number) for place, step in enumerate(steps) for number in _begun(step)]
    if not begun:
        return [SessionSteps(campaign, table, 0, tuple(steps))]
    ends = [*(place for place, _ in begun[1:]), len(steps)]
    return [
        SessionSteps(campaign, table, number, tuple(steps[place:end]), end == len(steps))
        for (place, number), end in zip(begun, ends, strict=True)
    ]


async def scene_card(play: Play, campaign: int, table: Table, since: int) -> Card | None:
    """Return the public story of the scene that began with that step; None if the step is undone."""
    steps = await play.past.played(campaign, secrets=False, since=since)
    if not steps or steps[0].number != since:
        return None
    return telling([step.facts for step in steps], partial(_scene, table))


def _scene(table: Table, facts: Facts) -> Card:
    ends = [n for n, step in enumerate(facts, start=1) if n > 1 and any(map(_ends_scene, step))]
    found = story(facts[: ends[0]] if ends else facts)
    chapters = tuple(chapter for chapter in found.chapters if chapter.number)[:1]
    scenes, more = whole_story(replace(found, chapters=chapters), table, is_last=False)
    lines = (*(each.line() for each in scenes), *more, *person_lines(found))
    return Card(pages(lines, ROOM)[0], tone=Tone.CALM)


def _ends_scene(fact: Fact) -> bool:
    return isinstance(fact, Ended) and fact.what is Stretch.SCENE


async def steps_of(play: Play, asked: Request, wanted: str = "") -> tuple[LogStep, ...]:
    """Return the steps of a session, or of the whole campaign, that the caller may see.

    Raises Unknown or Ambiguous if the session is not clear.
    """
    if wanted.strip():
        return (await session(play, asked, wanted)).steps
    campaign, table = await play.see(asked)
    secrets = is_game_master(table, asked.actor)
    return tuple(await play.past.played(campaign, secrets=secrets)) if campaign else ()


async def renamed_after(play: Play, asked: Request, steps: Sequence[LogStep]) -> Facts:
    """Return the renamings after these steps that the caller may see, one fact per step."""
    campaign, table = await play.see(asked)
    if not (campaign and steps):
        return []
    secrets, last = is_game_master(table, asked.actor), steps[-1].number
    found = await play.past.facts(campaign, (Seated,), last)
    later = [fact for step, fact in found if step.number > last and (secrets or not step.secret)]
    return [(fact,) for fact in later if isinstance(fact, Seated) and fact.seat is SeatChange.RENAMED]


async def session(play: Play, asked: Request, wanted: str = "", *, is_public: bool = False) -> SessionSteps:
    """Return the session with that number or title; by default the last one with more than its start.

    Raises Unknown if there is no record of it; Ambiguous if several titles match.
    """
    found = await sessions(play, asked, is_public=is_public)
    if not wanted.strip():
        is_new = len(found) > 1 and len(found[-1].steps) == 1
        return found[-2 if is_new else -1]
    number = session_number(found[-1].table, wanted)
    for each in reversed(found):
        if each.number == number:
            return each
    raise Unknown(
        "There's no record of {session.one} {number}. To see the last one: /session recap", number=number
    )


def counted_from(steps: Iterable[LogStep]) -> int:
    """Return the number of the first step from which on everything can be counted; 0 if all steps can.

    Steps from before facts were stored are known only as sentences, which cannot be counted.
    """
    maybe = [step for step in steps if codec.may_hold(step.written, OldWords)]
    old = [step.number for step in maybe if any(map(_is_old, step.facts))]
    return max(old, default=-1) + 1


def _is_old(fact: Fact) -> bool:
    return isinstance(fact, OldWords) and fact != codec.GONE


def session_number(table: Table, wanted: str) -> int:
    """Return a session's number, typed as its number or title. Raises Unknown or Ambiguous."""
    typed = wanted.strip()
    if typed.isascii() and typed.isdigit():
        return int(typed[:9])  # no session has a longer number
    titles = {title: number for number, title in table.titles.items()}
    if not titles:
        raise Unknown("No {session.one} has a title yet. Type the number instead. Example: session:1")
    return titles[find(typed, titles, Words("{session.one}"))]


def _begun(step: LogStep) -> list[int]:
    """The number of the session that a step began, if it did."""
    if not (codec.may_hold(step.written, Began) and begins_session(step.facts)):
        return []
    return [f.number for f in step.facts if isinstance(f, Began) and f.what is Stretch.SESSION][-1:]


def session_card(of: SessionSteps, above: Sequence[Text] = ()) -> Card:
    """Return the story of a session, with charts of doom and plot points; `above` uses some of its room."""
    if not of.steps:
        return Card((say("Nothing has happened in this {session.one} yet."),), tone=Tone.CALM)
    return telling([step.facts for step in of.steps], partial(_told, of, above))


def _told(of: SessionSteps, above: Sequence[Text], facts: Facts) -> Card:
    found = story(facts)
    there = of.table_with(each.name for each in found.people)
    charts = session_charts(facts, there, is_last=of.is_last)
    since = counted_from(of.steps)
    older = [small(counted_line(since))] if since else []
    lines = story_lines(found, of.table, of.number, is_last=of.is_last, above=(*above, *older))
    return Card((*lines, *older), pictures=charts, tone=Tone.CALM)


def own_card(of: SessionSteps, name: str, later: Facts) -> Card:
    """Return the part of a session's story that concerns one character.

    `later` are the renamings since, so that people appear under their current names.
    """
    return telling([*(step.facts for step in of.steps), *later], partial(_own, of, name))


def _own(of: SessionSteps, name: str, facts: Facts) -> Card:
    found = concerning(story(facts), name)
    alone = replace(of.table, characters={key(name): of.table.characters[key(name)]})
    lines = story_lines(found, alone, of.number, is_last=of.is_last)
    return Card(tuple(lines), tone=Tone.CALM)


def missed_card(of: SessionSteps, done: Done) -> Card | None:
    """Return the offer to catch up, for players who had said that they could not come to the ended session.

    None if nobody missed it.
    """
    facts = [*of.steps[0].facts, *done.facts] if of.steps else []
    missed = {
        key(name)
        for fact in facts
        if isinstance(fact, Began | Ended) and fact.what is Stretch.SESSION and fact.number == of.number
        for name in fact.missed
    }
    away = [each for who, each in done.table.characters.items() if each.player and who in missed]
    if not away:
        return None
    line = say(
        "{who}: catch up on what happened with your character while you were away",
        who=listed(each.name for each in away),
    )
    button = Button(say("Recap for me"), "ownrecap", subject=str(of.number))
    return Card((line,), ((button,),), calls=tuple(each.player for each in away))


def own_character(of: SessionSteps, actor: Actor) -> str:
    """Return the name of the caller's character. Raises NotAllowed if they play none."""
    played = of.table.played_by(actor.id)
    if played is None:
        raise NotAllowed(
            "You don't play a character at this table. To get the recap for everyone: /session recap"
        )
    return played.name


async def chronicle(play: Play, kept: Portraits, asked: Request, *, is_page: bool) -> Card:
    """Return the chronicle as a file, with everything that players may see; HTML if `is_page`, else Markdown.

    Raises TooLate if nothing has happened yet.
    """
    found = await sessions(play, asked, is_public=True)
    faces = {each.picture for each in found[-1].table.characters.values() if each.picture}
    portraits = await kept.of(found[-1].campaign, faces) if faces and is_page else {}
    return await aside(asked.actor.id, _written, found, portraits, is_page=is_page)


def _written(found: Sequence[SessionSteps], portraits: Mapping[str, bytes], *, is_page: bool) -> Card:
    table = found[-1].table
    # What steps did is read once: it is most of the work.
    played = [(of, [step.facts for step in of.steps]) for of in found if of.steps]
    if not played:
        raise TooLate("Nothing has happened at this table yet, so there's nothing to tell.")
    told, stories = zip(*(telling(facts, partial(_session, of)) for of, facts in played), strict=True)
    everything = [step for _, facts in played for step in facts]
    people = telling(everything, lambda facts: person_lines(story(facts)))
    numbered = [(of.number, tale) for (of, _), tale in zip(played, stories, strict=True) if of.number]
    names = [each.name for each in table.characters.values()]
    names += [each.name for _, tale in numbered for each in tale.people if not each.gm]
    known = who_is_who(appearances(numbered, names))
    whole = Chronicle(
        table.name, tuple(table.gms.values()), players_of(table, portraits), told, people, known
    )
    written = page(whole) if is_page else markdown(whole)
    document = Document(file_name(table.name, "html" if is_page else "md"), written.encode())
    return Card((say("Here's the chronicle as a file."),), document=document)


def _session(of: SessionSteps, facts: Facts) -> tuple[ToldSession, SessionStory]:
    """A session as the chronicle has it, and the story that it is made of."""
    found = story(facts)
    scenes, more = whole_story(found, of.table, is_last=of.is_last)
    zone = of.table.settings.zone
    days = sorted({local(step.at, zone).date() for step in of.steps if step.at != UNKNOWN})
    there = of.table_with(each.name for each in found.people)
    charts = session_drawings(facts, there, is_last=of.is_last)
    if since := counted_from(of.steps):
        more = [*more, counted_line(since)]
    rolls = rolls_told((step.author.name, what) for step, what in zip(of.steps, facts, strict=True))
    title = session_title(of.table, of.number)
    return ToldSession(title, tuple(days), scenes, more, person_lines(found), charts, rolls), found


async def asking(play: Play, asked: Request, number: int) -> Form:
    """Return the form that asks what a roll was for. Raises what `note_of` raises."""
    past = await _past(play, asked, number)
    return question.form(note_of(await play.look(asked), asked.actor, number, past))


async def noted(play: Play, asked: Request, number: int, note: str) -> Done:
    """Record what a roll was for and show the roll with that note; a closed roll stays closed."""
    past = await _past(play, asked, number)
    done = await play.change(asked, partial(note_roll, number=number, note=note, past=past))
    if past.roll is None or done.card.private or number in rolls_on(done.table):
        return done
    card = closed_card(done.table, with_note(past.roll, remark(note)), asks=True)
    return replace(done, card=replace(card, roll=None, calls=()))


async def note_subjects(play: Play, asked: Request) -> list[str]:
    """Return the subjects that a note can have: the characters, then the subjects of recent notes.

    Contains only what the caller may see.
    """
    campaign, table = await play.see(asked)
    names = [each.name for each in table.characters.values()]
    if not campaign:
        return names
    found = await play.past.facts(campaign, (Noted,), max(1, table.number - SEARCHED))
    secrets = is_game_master(table, asked.actor)
    seen = [fact for step, fact in reversed(found) if secrets or not step.secret]
    return [*names, *(fact.about for fact in seen if isinstance(fact, Noted))]


async def _past(play: Play, asked: Request, number: int) -> PastRoll:
    """A roll as the steps since it have left it, if its session has not ended."""
    campaign, table = await play.see(asked)
    steps = await play.past.played(campaign, since=number) if 0 < number <= table.number else []
    is_known = bool(steps) and steps[0].number == number and not any(map(_parts_sessions, steps[1:]))
    return PastRoll(table.session, table.is_session, _as_left(table, steps, number) if is_known else None)


def _parts_sessions(step: LogStep) -> bool:
    """Whether a session began or ended with a step."""
    if not codec.may_hold(step.written, Began, Ended):
        return False
    return any(isinstance(fact, Began | Ended) and fact.what is Stretch.SESSION for fact in step.facts)


def _as_left(table: Table, steps: Sequence[LogStep], number: int) -> Rolled | None:
    """The roll as it is on the table, hidden or not, else as the last step that told of it left it."""
    there = (each for game in played() for each in game.all_rolls(table) if each.number == number)
    if (now := next(there, None)) is not None:
        return now
    found: Any = None
    for fact in (fact for step in steps for fact in step.facts):
        if isinstance(fact, RollNoted) and fact.roll == number and found is not None:
            found = with_note(found, fact.note)
        found = next((each for each in _made(fact) if each.number == number), found)
    return cast("Rolled | None", found)


def _made(fact: Fact) -> Iterable[Rolled]:
    """The roll that a fact tells of, whatever game it is of."""
    told: Iterable[Any] = filter(None, (game.as_made(fact) for game in played()))
    return [each.roll for each in told]


@dataclass(frozen=True, slots=True)
class Written:
    """A message that somebody wants to keep: its author and text.

    If it was spoken as a character, `campaign` is the table of that character and `signed` its name. If
    another bot's webhook said it, `signed` is the name shown, and the author is not known: 0.
    """

    message: int
    author: int
    text: str
    campaign: int = 0
    signed: str = ""


class _Newer(Exception):
    """Something has happened since it was looked up whether a message is kept."""


class Quoting:
    """Keeps messages as quotes, and removes them."""

    def __init__(self, play: Play, ledger: Ledger) -> None:
        self._play = play
        self._quotes = ledger.quotes

    async def keep(self, asked: Request, written: Written) -> tuple[Card, int]:
        """Keep a message, or ask its author first; return the card and the campaign.

        Raises Unknown if there is no table; NotAllowed if the caller may not keep quotes, if the message is
        from another table, or if it was taken out before.
        """
        campaign, table = await self._play.see(asked)
        if not campaign or asked.is_outside(table):
            raise Unknown(NO_TABLE)
        require_noter(table, asked.actor)
        if written.campaign not in (0, campaign):
            raise NotAllowed("That message is from another table, not from this channel's table.")
        written = replace(written, text=quotable(written.text))
        if (known := await self._kept(campaign, written.message)) is not None:
            return known_card(known, is_theirs=may_take_out(table, asked.actor, known)), campaign
        if written.author != asked.actor.id and not written.signed:
            return asking_card(written.text, written.message, written.author), campaign
        quoted = _quoted(table, asked.actor, written)
        if written.signed and written.author != asked.actor.id:
            await self._require_unrefused(campaign, written, table, asked.actor)
        return await self._keep(replace(asked, campaign=campaign), quoted), campaign

    async def agree(self, asked: Request, press: Pressed, text: str) -> tuple[Card, int]:
        """Keep a message with its author's consent, as it stands in the message that asked them.

        Raises NotAllowed if somebody else presses; TooLate if the text has changed since.
        """
        await self._play.look(asked)  # first: a table of another place says nothing, not even who may
        author, _, known_by = press.subject.partition(".")
        if asked.actor.id != int(author):
            raise NotAllowed("Only the author of that message can keep it.")
        if sign(text) != known_by:
            raise TooLate(STALE)
        quoted = Quoted(text, own_name(asked.actor), player=asked.actor.id, message=press.number)
        return await self._keep(asked, quoted), press.campaign

    async def take_out(self, asked: Request, message: int) -> tuple[Card, int]:
        """Delete a kept message for good. Raises what `require_own` raises; TooLate if it is not kept."""
        campaign, _ = await self._play.see(asked)

        def check(table: Table, quoted: Quoted) -> None:
            require_own(table, asked.actor, quoted)

        await self._quotes.take_out(campaign, asked.author, asked.interaction, message, check)
        self._play.changed(campaign)
        return taken_out_card(), campaign

    async def _keep(self, asked: Request, quoted: Quoted) -> Card:
        """Keep it, if nobody has meanwhile: of two who do at once, both are told of the one that is kept."""
        while True:
            _, table = await self._play.see(asked)
            known = await self._kept(asked.campaign, quoted.message)
            if known is not None:
                return kept_card(known)
            try:
                done = await self._play.change(asked, partial(_if_same, number=table.number, quoted=quoted))
            except _Newer:
                continue
            return replace(kept_card(quoted), private=done.card.private)

    async def _kept(self, campaign: int, message: int) -> Quoted | None:
        """What is kept of a message, and not undone."""
        told = await self._quotes.of(campaign, message)
        if not told:
            return None
        found = await self._play.past.facts(campaign, (Quoted,), min(told))
        quotes = [fact for _, fact in found if isinstance(fact, Quoted)]
        return next((each for each in quotes if each.message == message and each.text), None)

    async def _require_unrefused(self, campaign: int, written: Written, table: Table, actor: Actor) -> None:
        """Refuse to keep a quote again that was taken out, unless its author asks.

        Nobody is known as the author of another bot's message, so the GM and the person who kept it may.
        """
        told = await self._quotes.of(campaign, written.message)
        if all(quoted.text for quotes in told.values() for quoted in quotes):
            return
        if written.author:
            raise NotAllowed("That message was kept, then taken out. Only the author can keep it again.")
        steps = await self._play.past.played(campaign, since=min(told))
        keepers = {step.author.id for step in steps if step.number in told}
        if actor.id not in keepers and not is_gm(table, actor):
            raise NotAllowed("That message was kept, then taken out. Ask the {gm.one} to keep it again.")


def _if_same(table: Table, actor: Actor, *, number: int, quoted: Quoted) -> Step:
    """Keep it on the table on which it was looked up that it is not kept."""
    if table.number != number:
        raise _Newer
    return quote(table, actor, quoted)


def _quoted(table: Table, actor: Actor, written: Written) -> Quoted:
    """What is kept of a message, by whom, and as which character it was said."""
    if not written.author:
        return Quoted(written.text, who=written.signed, message=written.message)
    is_own = written.author == actor.id
    by = own_name(actor) if is_own else _player(table, written.author)
    names = [each.name for each in table.characters.values()]
    who = speaker(written.signed, names) if written.signed else ""
    return Quoted(written.text, by, who, written.author, written.message)


def _player(table: Table, player: int) -> str:
    """The name of somebody who plays or is GM; nothing where they do no longer."""
    names = (each.player_name for each in table.characters.values() if each.player == player)
    return next(names, table.gms.get(player, ""))
