"""`/stats`: what people rolled, and their luck."""

from collections.abc import Sequence
from functools import partial

from discord import Interaction, app_commands

from bot.cogs.base import Group
from bot.cogs.options import SessionName, WhoRolled
from bot.language import say
from bot.language.printers import spelled
from bot.pictures.luck import luck_chart
from bot.render.card import Card, Tone
from bot.render.parts import roller
from bot.render.stats import stats_lines
from bot.side_lane import aside
from bot.store.history import LogStep
from bot.ui.message import reply
from bot.ui.reach import alone
from bot.ui.request import asked
from bot.use.sessions import counted_from, renamed_after, steps_of
from bot.use.telling import Facts, telling
from rules.campaign.rolls import faces
from rules.campaign.story import Tally, story, together
from rules.custom_terms import means
from rules.dice import Faces
from rules.names import GM, find, key
from rules.terms import Term
from rules.text import Words

EVERYBODY = "all"


class Stats(Group):
    """What is counted from the steps."""

    @alone
    @app_commands.command(description="Show someone's statistics: successes, hitches, PP and luck")
    @app_commands.describe(
        who="A character, all or GM. Default: your character",
        session="A session's number or title. Default: all sessions",
    )
    async def stats(self, it: Interaction, who: WhoRolled = "", session: SessionName = "") -> None:
        """Somebody's figures, to the caller alone."""
        card = await self._counted(it, who.strip(), session)
        await reply(it, card, await self.play.campaign(asked(it)))

    async def _counted(self, it: Interaction, who: str, session: str) -> Card:
        table = await self.play.look(asked(it))
        who = GM if means(table, Term.GM, who) and key(who) not in table.characters else who
        own = table.played_by(asked(it).actor.id)
        steps = await steps_of(self.play, asked(it), session)
        later = await renamed_after(self.play, asked(it), steps) if session.strip() else []
        return await aside(asked(it).actor.id, counted, steps, who or (own.name if own else EVERYBODY), later)


def counted(steps: Sequence[LogStep], who: str, later: Facts = ()) -> Card:
    """What somebody did in these steps, or all together, by the names that they got `later`.

    Raises Unknown or Ambiguous.
    """
    found, thrown = telling([*(step.facts for step in steps), *later], partial(_of, who))
    chart = luck_chart(thrown)
    lines = tuple(stats_lines(found, thrown, counted_from(steps)))
    return Card(lines, pictures=(chart,) if chart else (), private=True, tone=Tone.CALM)


def _of(who: str, facts: Facts) -> tuple[Tally, Faces]:
    """What somebody did, and the faces that they threw."""
    people = {spelled(roller(each.name)): each for each in story(facts).people}
    if who.casefold() == EVERYBODY or not people:
        return together(spelled(say("Everybody")), people.values()), faces(facts)
    if key(who) == key(GM):
        return together(GM, (each for each in people.values() if each.gm)), faces(facts, GM)
    stored = {key(each.name): each for each in people.values()}  # as anybody may type it, whatever the words
    found = stored.get(key(who)) or people[find(who, people, Words("character"))]
    return found, faces(facts, found.name)
