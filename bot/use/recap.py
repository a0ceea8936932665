"""The recap of a session: for all, and for one who asks what concerned their character."""

from collections.abc import Sequence
from functools import partial

from bot.language import say
from bot.language.line import Text, small
from bot.pictures.charts import session_charts
from bot.render.card import Button, Card, Tone
from bot.render.parts import listed
from bot.render.story import concerning, counted_line, story_lines
from bot.tell import Done
from bot.use.sessions import Session, counted_from
from bot.use.telling import Facts, telling
from rules.campaign.seats import Actor
from rules.campaign.story import story
from rules.errors import NotAllowed
from rules.facts import Began, Ended, Stretch
from rules.names import key
from rules.values import replace


def session_card(of: Session, above: Sequence[Text] = ()) -> Card:
    """The story of a session, in as much room as what is `above` it leaves, and how doom and PP went."""
    if not of.steps:
        return Card((say("Nothing has happened in this {session.one} yet."),), tone=Tone.CALM)
    return telling([step.facts for step in of.steps], partial(_told, of, above))


def _told(of: Session, above: Sequence[Text], facts: Facts) -> Card:
    found = story(facts)
    there = of.table_with(each.name for each in found.people)
    charts = session_charts(facts, there, is_last=of.is_last)
    since = counted_from(of.steps)
    older = [small(counted_line(since))] if since else []
    lines = story_lines(found, of.table, of.number, is_last=of.is_last, above=(*above, *older))
    return Card((*lines, *older), pictures=charts, tone=Tone.CALM)


def own_card(of: Session, name: str, later: Facts) -> Card:
    """What of a session concerned one character, by the names that people got later."""
    return telling([*(step.facts for step in of.steps), *later], partial(_own, of, name))


def _own(of: Session, name: str, facts: Facts) -> Card:
    found = concerning(story(facts), name)
    alone = replace(of.table, characters={key(name): of.table.characters[key(name)]})
    lines = story_lines(found, alone, of.number, is_last=of.is_last)
    return Card(tuple(lines), tone=Tone.CALM)


def missed_card(of: Session, done: Done) -> Card | None:
    """What is offered, once, to who had said that they cannot come to the session that ended."""
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


def own_name(of: Session, actor: Actor) -> str:
    """The name of whoever somebody plays. Raises NotAllowed for who plays nobody."""
    played = of.table.played_by(actor.id)
    if played is None:
        raise NotAllowed(
            "You don't play a character at this table. To get the recap for everyone: /session recap"
        )
    return played.name
