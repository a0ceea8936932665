"""What is done with a pool that somebody shares before it is rolled: dice, opposition, the roll (D7)."""

from collections.abc import Callable
from functools import partial

from bot.asks.cortex.build import LONGEST
from bot.asks.question import SIGN, Answer, Pressed, Question, Rule
from bot.language import say
from bot.render.card import Button, Field, Form, Weight, mark
from rules.campaign.seats import Actor
from rules.cortex import named_pools
from rules.cortex.model import CORTEX
from rules.cortex.pool import NamedPool
from rules.errors import TooLate
from rules.game import Step
from rules.table import Table


def buttons(pool: NamedPool) -> tuple[Button, ...]:
    """What can be done with a shared pool."""
    sign = mark(pool.name)
    return (
        Button(say("Add dice"), "pooladd", subject=sign),
        Button(say("Oppose"), "pooloppose", subject=sign),
        Button(say("Roll"), "poolroll", subject=sign, weight=Weight.GOOD),
    )


def _ask_add(table: Table, actor: Actor, press: Pressed) -> Form:
    pool = _shared(table, press.subject)
    field = Field("dice", say("Dice"), hint=say("Example: Rope, d6"), longest=LONGEST)
    return Form(say("Add dice to pool {pool}", pool=pool.name), (field,))


def _read_add(answer: Answer) -> Rule:
    return _on_shared(answer, partial(named_pools.add, dice=answer.fields["dice"]))


def _ask_oppose(table: Table, actor: Actor, press: Pressed) -> Form:
    named_pools.require_opposing(table, actor)
    pool = _shared(table, press.subject)
    hint = say("Example: doom, challenging, 11, 2d8")
    field = Field("dice", say("Dice"), pool.vs, hint=hint, longest=200)
    return Form(say("Against pool {pool}", pool=pool.name), (field,))


def _read_oppose(answer: Answer) -> Rule:
    return _on_shared(answer, partial(named_pools.oppose, vs=answer.fields["dice"]))


def _roll(answer: Answer) -> Rule:
    return _on_shared(answer, partial(named_pools.throw_pool, throw=answer.throw))


def _on_shared(answer: Answer, rule: Callable[..., Step]) -> Rule:
    """A rule for the shared pool that a button names."""
    return lambda table, actor: rule(table, actor, name=_shared(table, answer.subject).name)


def _shared(table: Table, sign: str) -> NamedPool:
    """The shared pool of that sign. Raises TooLate when it was rolled or cleared."""
    pool = next((pool for pool in CORTEX.of(table).pools.values() if mark(pool.name) == sign), None)
    if pool is None:
        raise TooLate("That pool has been rolled or cleared. Build a new pool. Example: /pool build")
    return pool


QUESTIONS = (
    Question("pooladd", SIGN, form=_ask_add, read=_read_add),
    Question("pooloppose", SIGN, form=_ask_oppose, read=_read_oppose),
    Question("poolroll", SIGN, press=_roll, apart=True),
)
