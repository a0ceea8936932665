"""Going round: what a question shows is pressed, filled in and read, option by option."""

import re
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from bot.games import GAMES
from bot.games import SHARED_QUESTIONS as SHARED
from bot.language.printers import spelled
from bot.views.card import Button, Field, Form
from bot.views.cortex.roll_actions import roll_buttons
from bot.views.game import Rule
from bot.views.question import Answer, Fields, FormRequired, Pressed, Question
from rules.campaign import lifecycle, scenes, seats
from rules.campaign.seats import Actor
from rules.cortex.actions import read_roll
from rules.cortex.model import CORTEX, Roll
from rules.cortex.roll import make
from rules.game import Step
from rules.table import Pace, Table
from rules.values import replace

GM, ALICE, BOB = Actor(1, "gm"), Actor(2, "alice"), Actor(3, "bob")


def highest(sizes: Sequence[int]) -> Sequence[int]:
    """Dice that all show their highest face."""
    return sizes


def after(table: Table, *steps: tuple[Actor, Rule]) -> Table:
    """The table after several rules."""
    for actor, rule in steps:
        table = replace(rule(table, actor).table, number=table.number + 1)
    return table


def begun(ruleset: str = "adept", pace: Pace = Pace.LIVE, **rules: Any) -> Table:
    """A table with a GM, Alice and Bob, who have PP, in a session and a scene."""
    table = after(
        Table(),
        (GM, partial(lifecycle.found, name="Skyfall", ruleset=ruleset)),
        (ALICE, partial(seats.join, name="Alice")),
        (BOB, partial(seats.join, name="Bob")),
        (GM, scenes.start_session),
        (GM, partial(scenes.start_scene, name="The docks")),
    )
    here = CORTEX.of(table)
    rich = {key: CORTEX.give(one, replace(CORTEX.has(one), pp=5)) for key, one in table.characters.items()}
    paced = replace(table.settings, pace=pace)
    return CORTEX.put(
        replace(table, characters=rich, settings=paced), replace(here, ruleset=replace(here.ruleset, **rules))
    )


def rolled(table: Table, dice: str, *faces: int, vs: str | None = None, by: Actor = ALICE) -> Table:
    """The table after a roll with these faces; all others are the highest."""
    left = list(faces)

    def throw(sizes: Sequence[int]) -> list[int]:
        return [left.pop(0) if left else size for size in sizes]

    return after(table, (by, partial(make, throw=throw, dice=dice, vs=vs)))


def newest(table: Table) -> Roll:
    """The last roll."""
    here = CORTEX.of(table)
    return here.rolls[max(here.rolls)]


def below(table: Table, verb: str) -> Button:
    """The button with that verb below the last roll."""
    return of(below_roll(table, newest(table)), verb)


def below_roll(table: Table, roll: Roll) -> list[Button]:
    """Every button below a roll, then those of its menu `More`."""
    rows, more = roll_buttons(table, read_roll(table, roll))
    return [*(button for row in rows for button in row), *more]


def opened(table: Table, actor: Actor, button: Button) -> Form | Step:
    """What a press opens, or does at once. Raises what it is refused with."""
    question = asked_by(button)
    press = Pressed(button.verb, 1, button.number, button.subject)
    if question.form is not None:
        return question.form(table, actor, press)
    assert question.press is not None
    try:
        return question.press(Answer(button.number, button.subject, highest))(table, actor)
    except FormRequired as asks:
        return asks.form


QUESTIONS: dict[str, Question] = {
    each.verb: each for each in (*SHARED, *(each for game in GAMES for each in game.questions))
}
"""Every question by the verb of its button."""


def asked_by(button: Button) -> Question:
    """The question that a button asks; its subject has to be as the question says."""
    question = QUESTIONS[button.verb]
    assert Pressed.read(str(Pressed(button.verb, 2**40, button.number, button.subject)))
    assert Pressed.read(str(Pressed(button.verb, 1, 1, button.subject))) is not None
    assert _fits(question, button.subject), button
    return question


def choices(form: Form) -> Iterator[Fields]:
    """A form filled in with each of its options in turn; the others are as they were shown."""
    shown = {field.key: field.value for field in form.fields}
    assert len(shown) == len(form.fields) <= 5
    for field in form.fields:
        assert len(spelled(field.label)) <= 45
        _check(field)
        for option in field.options:
            yield Fields({**shown, field.key: option.value})
    if not any(field.options for field in form.fields):
        yield Fields(shown)


def reading(table: Table, actor: Actor, button: Button, **typed: str) -> list[tuple[Fields, Rule]]:
    """Everything that can be answered where a button opens a form, with the rule that it means.

    `typed` is typed into the fields with these keys.
    """
    form = opened(table, actor, button)
    assert isinstance(form, Form), form
    question = asked_by(button)
    subject = button.subject if form.subject is None else form.subject
    assert question.read is not None
    assert _fits(question, subject)
    assert typed.keys() <= {field.key for field in form.fields}
    filled = [Fields({**fields, **typed}) for fields in choices(form)]
    return [(fields, question.read(Answer(button.number, subject, highest, fields))) for fields in filled]


def answers(table: Table, actor: Actor, button: Button, **typed: str) -> list[Step]:
    """What comes of each answer to what a button asks; none may be refused."""
    form = opened(table, actor, button)
    if isinstance(form, Step):
        return [form]
    return [rule(table, actor) for _, rule in reading(table, actor, button, **typed)]


def of(buttons: Sequence[Button], verb: str) -> Button:
    """The first button with that verb."""
    return next(button for button in buttons if button.verb == verb)


def _fits(question: Question, subject: str) -> bool:
    return re.fullmatch(question.subject, subject) is not None


def _check(field: Field) -> None:
    """The options of a field as Discord takes them: apart from each other, none too long."""
    values = [option.value for option in field.options]
    assert len(set(values)) == len(values) <= 25, field
    assert all(0 < len(value) <= 100 for value in values), field
    assert not field.options or field.most > 1 or field.value in ("", *values), field
