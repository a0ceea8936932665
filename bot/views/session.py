"""Buttons for what comes next when a session, an act or a scene starts or ends."""

from collections.abc import Iterable, Sequence
from functools import partial

from bot.language import say
from bot.language.line import Text, heading, joined, small
from bot.views import facts
from bot.views.card import Button, Card, Field, Form, Tone, led
from bot.views.facts import concerned
from bot.views.game import SHOWN, Rule
from bot.views.labels import listed, roller_words, stretch_words
from bot.views.question import LONGEST_LIST, Answer, Pressed, Question
from bot.views.xp import give_button
from rules.campaign import notes, scenes
from rules.campaign.notes import LONGEST_TITLE
from rules.campaign.scenes import LONGEST_DAY
from rules.campaign.seats import Actor, require_gm
from rules.errors import Gone
from rules.facts import Began, Ended, Fact, Stretch
from rules.game import Step
from rules.table import PlannedScene, Table
from rules.text import Words

_WIDEST = (Stretch.SESSION, Stretch.ACT, Stretch.SCENE)


def titled(of: Iterable[Fact]) -> Began | Ended | None:
    """Return the fact that heads a step: what began, else what ended; of several, the widest stretch."""
    found = [fact for fact in of if isinstance(fact, Began | Ended)]
    begun = [fact for fact in found if isinstance(fact, Began)]
    return min(begun or found, key=lambda fact: _WIDEST.index(fact.what), default=None)


def stretch_lines(of: Sequence[Fact]) -> list[Text]:
    """Return what ended, then what began, each with its title and changes, and the rest in small print."""
    begins = next((place for place, fact in enumerate(of) if isinstance(fact, Began)), 0)
    over = titled(of[:begins])
    ended = _part(of[:begins], over) if over else []
    rest = of[begins:] if over else of
    title = titled(rest)
    return [*ended, *_part(rest, title)] if title else ended


def _part(of: Sequence[Fact], title: Began | Ended) -> list[Text]:
    """The lines of what ended, or of what began, below its title."""
    others = [fact for fact in of if isinstance(fact, Began | Ended)]
    moved = [fact for fact in of if not isinstance(fact, Began | Ended)]
    began = title if isinstance(title, Began) else None
    told = [began.told] if began and began.told else []
    lines = [heading(_words(title)), *told, *facts.lines(moved)]
    day = [say("Day: {day}", day=began.day)] if began and began.day else []
    beside = [*day, *[_words(fact) for fact in others if fact is not title]]
    closed = list(dict.fromkeys([name for fact in others if isinstance(fact, Ended) for name in fact.closed]))
    if closed:
        beside.append(say("Open rolls closed: {names}", names=listed(map(roller_words, closed))))
    return [*lines, small(joined(". ", beside))] if beside else lines


def _words(fact: Began | Ended) -> Text:
    what = stretch_words(fact.what, fact.number, fact.name)
    return say("{what} begins", what=what) if isinstance(fact, Began) else say("{what} ends", what=what)


def stretch_card(table: Table, step: Step) -> Card | None:
    """Return the card of a step that starts or ends a session, act or scene, with the next steps."""
    title = titled(step.facts)
    if title is None:
        return None
    lines = tuple(stretch_lines(step.facts))
    return Card(lines, led(next_stretch(table, title)), calls=concerned(table, step.facts), tone=Tone.CALM)


def next_stretch(table: Table, title: Began | Ended | None = None) -> list[Button]:
    """Return buttons for what the GM is likely to do next in the story, the likeliest first."""
    if table.is_scene:
        rolls = [button for each in SHOWN.at(table).offers for button in each.rolls(table)]
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
    """Check that this session is running. Raises Gone if it isn't."""
    if not table.is_session or table.session != number:
        raise Gone("{session.One} {number} has already ended.", number=number)


def _ask_scene(table: Table, actor: Actor, press: Pressed) -> Form:
    require_gm(table, actor, Words("start {scene.a}"))
    _require_next_scene(table, press.number)
    planned = table.planned[0] if table.planned else PlannedScene("")
    return Form(
        say("{scene.One} {number}", number=table.scenes + 1),
        (
            Field("name", say("Name"), planned.name, hint=say("Example: The burning hangar"), required=False),
            *(field for each in SHOWN.at(table).offers for field in each.scene_fields(planned.distinctions)),
            Field("day", say("Day"), table.day, hint=say("Example: Third day of frost"), required=False),
        ),
    )


def _require_next_scene(table: Table, number: int) -> None:
    if table.scenes != number:
        raise Gone("Another {scene.one} has already begun.")


def _read_scene(answer: Answer) -> Rule:
    typed = answer.fields.typed

    def begins(table: Table, actor: Actor) -> Step:
        _require_next_scene(table, answer.number)
        name, day = typed("name") or None, typed("day") or None
        return scenes.start_scene(table, actor, name, day, distinctions=typed("distinctions"))

    return begins


def _end_scene(answer: Answer) -> Rule:
    def ends(table: Table, actor: Actor) -> Step:
        if not table.is_scene or table.scenes != answer.number:
            raise Gone("That {scene.one} has already ended.")
        return scenes.end_scene(table, actor)

    return ends


def _start_act(answer: Answer) -> Rule:
    def begins(table: Table, actor: Actor) -> Step:
        if table.is_act or table.act != answer.number:
            raise Gone("{act.One} {number} has already begun.", number=table.act)
        return scenes.start_act(table, actor)

    return begins


def session_buttons(table: Table, number: int) -> tuple[Button, ...]:
    """Return the buttons below the end of that session."""
    return (
        give_button(),
        Button(say("Next {session.one}"), "nextsession", number),
        Button(say("Title"), "titlesession", number),
    )


def _start(answer: Answer) -> Rule:
    def rule(table: Table, actor: Actor) -> Step:
        require_gm(table, actor, Words("start {session.a}"))
        if table.is_session:
            raise Gone("{session.One} {number} has already begun.", number=table.session)
        return scenes.start_session(table, actor)

    return rule


def _next(answer: Answer) -> Rule:
    def rule(table: Table, actor: Actor) -> Step:
        if table.session != answer.number:
            raise Gone("{session.One} {number} has already begun.", number=table.session)
        return scenes.start_session(table, actor)

    return rule


def _ask_title(table: Table, actor: Actor, press: Pressed) -> Form:
    require_gm(table, actor, Words("give {session.a} a title"))
    now = table.titles.get(press.number, "")
    field = Field("title", say("Title"), now, hint=say("Example: The fall"))
    return Form(say("{session.One} {number}", number=press.number), (field,))


def _read_title(answer: Answer) -> Rule:
    return partial(notes.title, title=answer.fields["title"], number=answer.number)


QUESTIONS = (
    Question(
        "startscene",
        form=_ask_scene,
        read=_read_scene,
        apart=True,
        longest={"distinctions": LONGEST_LIST, "day": LONGEST_DAY},
    ),
    Question("endscene", press=_end_scene, apart=True),
    Question("startact", press=_start_act, apart=True),
    Question("startsession", press=_start, apart=True),
    Question("nextsession", press=_next, apart=True),
    Question("titlesession", form=_ask_title, read=_read_title, apart=True, longest={"title": LONGEST_TITLE}),
)
