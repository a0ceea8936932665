"""`/chronicle`: a whole campaign as a file to keep, to print or to give to somebody."""

from collections.abc import Sequence
from typing import Literal

from discord import Interaction, app_commands

from bot.aside import aside
from bot.cogs.base import Group
from bot.language import say
from bot.pictures.session import session_drawing
from bot.render.card import Card, Document
from bot.render.chronicle import Chronicle, Told, cast_lines, markdown, page
from bot.render.importing import file_name
from bot.render.story import person_lines, session_title, whole_story
from bot.ui.message import reply
from bot.ui.request import asked
from bot.use.sessions import Session, sessions
from rules.errors import TooLate
from rules.story import story

Form = Literal["Page", "Markdown"]


class Chronicles(Group):
    """All of a campaign's sessions."""

    @app_commands.command(description="The whole campaign as a file, session by session")
    @app_commands.describe(
        form="A page that any browser opens, or Markdown; a page if left out",
        share="Show it to everybody in the channel",
    )
    @app_commands.rename(form="as")
    async def chronicle(self, it: Interaction, form: Form = "Page", share: bool = False) -> None:
        """All that players may see, to the caller alone or to all."""
        found = await sessions(self.play, asked(it), is_public=True)
        card = await aside(chronicle_card, found, is_page=form == "Page", private=not share)
        await reply(it, card, found[-1].campaign)


def chronicle_card(found: Sequence[Session], *, is_page: bool, private: bool) -> Card:
    """The chronicle of all sessions, as a file. Raises TooLate where nothing has happened."""
    table = found[-1].table
    told = [_told(each) for each in found if each.steps]
    if not told:
        raise TooLate("Nothing has happened at this table yet, so there is nothing to tell.")
    everything = story([step.facts for each in found for step in each.steps])
    chronicle = Chronicle(table.name, cast_lines(table), told, person_lines(everything))
    written = page(chronicle) if is_page else markdown(chronicle)
    document = Document(file_name(table.name, "html" if is_page else "md"), written.encode())
    return Card((say("The chronicle as a file."),), private=private, document=document)


def _told(of: Session) -> Told:
    facts = [step.facts for step in of.steps]
    found = story(facts)
    happened, people = whole_story(found, of.table, is_last=of.is_last)
    days = sorted({step.at.date() for step in of.steps})
    chart = session_drawing(facts, of.table_with(each.name for each in found.people))
    return Told(session_title(of.table, of.number), tuple(days), happened, people, chart)
