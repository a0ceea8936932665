"""A campaign as a chronicle: all its sessions, with their charts and the portraits of who plays in it."""

from collections.abc import Mapping, Sequence
from functools import partial

from bot.language import say
from bot.pictures.charts import session_drawings
from bot.play import Play
from bot.play.asked import Asked
from bot.render.card import Card, Document
from bot.render.chronicle import Chronicle, ToldSession, cast, markdown, page, who_is_who
from bot.render.importing import file_name
from bot.render.log import rolls_told
from bot.render.story import counted_line, person_lines, session_title, whole_story
from bot.side_lane import aside
from bot.store.portraits import Portraits
from bot.store.schema import UNKNOWN
from bot.use.sessions import Session, counted_from, sessions
from bot.use.telling import Facts, telling
from rules.campaign.story import SessionStory, appearances, story
from rules.campaign.zones import local
from rules.errors import TooLate


async def chronicle(play: Play, kept: Portraits, asked: Asked, *, is_page: bool) -> Card:
    """The chronicle as a file, with all that players may see. Raises TooLate where nothing has happened."""
    found = await sessions(play, asked, is_public=True)
    faces = {each.picture for each in found[-1].table.characters.values() if each.picture}
    portraits = await kept.of(found[-1].campaign, faces) if faces and is_page else {}
    return await aside(asked.actor.id, _written, found, portraits, is_page=is_page)


def _written(found: Sequence[Session], portraits: Mapping[str, bytes], *, is_page: bool) -> Card:
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
    whole = Chronicle(table.name, tuple(table.gms.values()), cast(table, portraits), told, people, known)
    written = page(whole) if is_page else markdown(whole)
    document = Document(file_name(table.name, "html" if is_page else "md"), written.encode())
    return Card((say("Here's the chronicle as a file."),), document=document)


def _session(of: Session, facts: Facts) -> tuple[ToldSession, SessionStory]:
    """A session as the chronicle has it, and the story that it is made of."""
    found = story(facts)
    happened, people = whole_story(found, of.table, is_last=of.is_last)
    zone = of.table.settings.zone
    days = sorted({local(step.at, zone).date() for step in of.steps if step.at != UNKNOWN})
    there = of.table_with(each.name for each in found.people)
    charts = session_drawings(facts, there, is_last=of.is_last)
    if since := counted_from(of.steps):
        happened = [*happened, counted_line(since)]
    rolls = rolls_told((step.author.name, what) for step, what in zip(of.steps, facts, strict=True))
    title = session_title(of.table, of.number)
    return ToldSession(title, tuple(days), happened, people, charts, rolls), found
