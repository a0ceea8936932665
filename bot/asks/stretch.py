"""What comes next where a session, an act or a scene begins or ends, one press away (C1, M2, P1)."""

from bot.asks.offers import offers
from bot.asks.question import Answer, Pressed, Question, Rule
from bot.language import say
from bot.render.card import Button, Card, Field, Form, Tone, led
from bot.render.facts import concerned
from bot.render.stretch import stretch_lines, titled
from rules.campaign import scenes
from rules.campaign.seats import Actor, require_gm
from rules.errors import TooLate
from rules.facts import Began, Ended, Stretch
from rules.game import Step
from rules.table import Table
from rules.text import Words


def stretch_card(table: Table, step: Step) -> Card | None:
    """The card of a step in which a session, an act or a scene begins or ends, with what comes next."""
    title = titled(step.facts)
    if title is None:
        return None
    lines = tuple(stretch_lines(step.facts))
    return Card(lines, led(next_stretch(table, title)), calls=concerned(table, step.facts), tone=Tone.CALM)


def next_stretch(table: Table, title: Began | Ended | None = None) -> list[Button]:
    """Return buttons for what the GM is likely to do next in the story, the likeliest first."""
    if table.is_scene:
        rolls = [button for each in offers() for button in each.rolls(table)]
        return [*rolls, Button(say("End {scene.one}"), "endscene", table.scenes)]
    label = say("Start the next {scene.one}") if table.scenes else say("Start the first {scene.one}")
    scene = Button(label, "startscene", table.scenes)
    if isinstance(title, Began):
        return [scene]
    end = [Button(say("End {session.one}"), "endsession", table.session)] if table.is_session else []
    if title is not None and title.what is Stretch.ACT:
        return [Button(say("Start the next {act.one}"), "startact", table.act), scene, *end]
    return [scene, *end]


def require_running(table: Table, number: int) -> None:
    """Raises TooLate where that session does not run any more."""
    if not table.is_session or table.session != number:
        raise TooLate("{session.One} {number} has already ended.", number=number)


def _ask_scene(table: Table, actor: Actor, press: Pressed) -> Form:
    require_gm(table, actor, Words("start {scene.a}"))
    _require_next_scene(table, press.number)
    return Form(
        say("{scene.One} {number}", number=table.scenes + 1),
        (
            Field("name", say("Name"), hint=say("Example: The burning hangar"), required=False),
            Field(
                "distinctions",
                say("{distinction.Many}"),
                hint=say("Separated by commas. Example: Thick smoke, Flames"),
                required=False,
                longest=400,
            ),
            Field("day", say("Day"), table.day, hint=say("Example: Third day of frost"), required=False),
        ),
    )


def _require_next_scene(table: Table, number: int) -> None:
    if table.scenes != number:
        raise TooLate("Another {scene.one} has already begun.")


def _read_scene(answer: Answer) -> Rule:
    typed = answer.fields.typed

    def begins(table: Table, actor: Actor) -> Step:
        _require_next_scene(table, answer.number)
        options = {each: typed(each) or None for each in ("name", "distinctions", "day")}
        return scenes.start_scene(table, actor, **options)

    return begins


def _end_scene(answer: Answer) -> Rule:
    def ends(table: Table, actor: Actor) -> Step:
        if not table.is_scene or table.scenes != answer.number:
            raise TooLate("That {scene.one} has already ended.")
        return scenes.end_scene(table, actor)

    return ends


def _start_act(answer: Answer) -> Rule:
    def begins(table: Table, actor: Actor) -> Step:
        if table.is_act or table.act != answer.number:
            raise TooLate("{act.One} {number} has already begun.", number=table.act)
        return scenes.start_act(table, actor)

    return begins


QUESTIONS = (
    Question("startscene", form=_ask_scene, read=_read_scene, apart=True),
    Question("endscene", press=_end_scene, apart=True),
    Question("startact", press=_start_act, apart=True),
)
