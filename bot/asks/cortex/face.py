"""A pool against a crisis, a challenge or a GMC, which rolls too (T6)."""

from collections.abc import Sequence
from functools import partial

from bot.asks.cortex.oppose import pool_field
from bot.asks.question import SIGN, Answer, Pressed, Question, Rule
from bot.language import say
from bot.render.card import Button, Form, mark
from bot.render.cortex.foes import name_of
from rules.campaign.scenes import ended_scenes
from rules.campaign.seats import Actor
from rules.cortex import gm_pools, roll
from rules.cortex.kinds import Target
from rules.cortex.opposition import targets
from rules.cortex.scenes import require_scene
from rules.dice import Throw
from rules.errors import TooLate
from rules.game import Step
from rules.table import Table


def buttons(table: Table, found: Sequence[Target], *, named: bool = False) -> list[Button]:
    """`Roll against` for each of these that is there."""
    there = [target for target in found if gm_pools.is_there(table, target)]
    return [
        button(table, target, named=named or len(there) > 1)
        for target in there
        if targets(table).get(name_of(table, target)) == target
    ]


def button(table: Table, target: Target, *, named: bool = False) -> Button:
    """`Roll against` one of them, in this scene."""
    name = name_of(table, target)
    label = say("Roll against {who}", who=name) if named else say("Roll against")
    return Button(label, "face", ended_scenes(table), mark(name))


def _ask(table: Table, actor: Actor, press: Pressed) -> Form:
    name = _faced(table, press.number, press.subject)
    roll.require_turn(table, actor, targets(table)[name])
    return Form(say("Roll against {who}", who=name), (pool_field(table, actor),))


def _read(answer: Answer) -> Rule:
    rule = partial(_rolled, throw=answer.throw, scene=answer.number, sign=answer.subject)
    return partial(rule, dice=answer.fields["dice"])


def _rolled(table: Table, actor: Actor, throw: Throw, scene: int, sign: str, dice: str) -> Step:
    return roll.make(table, actor, throw, dice, _faced(table, scene, sign))


def _faced(table: Table, scene: int, sign: str) -> str:
    """The name of what a button rolls against. Raises TooLate when it, or its scene, is gone."""
    require_scene(table, scene)
    name = next((name for name in targets(table) if mark(name) == sign), "")
    if not name:
        raise TooLate(
            "The target of that button has ended or left the {scene.one}. Roll against something else."
        )
    return name


QUESTIONS = (Question("face", SIGN, form=_ask, read=_read, apart=True),)
