"""What opposes a roll, and the pool that is rolled against one (T2)."""

from functools import partial

from bot.asks.question import Answer, Question, Rule, about, cut, pick
from bot.language import say
from bot.render.card import Button, Field, Form, Option
from bot.render.foes import pool_line
from rules.cortex import gm_pools, roll
from rules.cortex.gather import likeliest
from rules.cortex.opposition import DIFFICULTIES, targets
from rules.cortex.ruleset import Opposition
from rules.seats import Actor, require_gm
from rules.table import Roll, Table


def button(made: Roll) -> Button:
    """Oppose a roll, or choose for what opposes it."""
    return Button(say("Oppose"), "oppose" if made.against is None else "counter", made.number)


def against_button(made: Roll) -> Button:
    """Roll against a roll of the GM."""
    return Button(say("Roll against"), "against", made.number)


def form(table: Table, made: Roll) -> Form:
    """The opposition of a roll: doom, a difficulty, what there is to roll against, or what is typed."""
    options = [Option(_difficulty(table, name), name) for name in DIFFICULTIES]
    options += [Option(cut(name), cut(name)) for name in targets(table)][: 24 - len(options)]
    default = "challenging"
    if table.ruleset.doom and table.doom:
        options.insert(0, Option(pool_line(table, gm_pools.DOOM), "doom"))
        default = "doom"
    hint = say("Or a number, or dice: 11, 2d8 d6, doom + Rain")
    typed = Field("dice", say("Dice"), hint=hint, required=False, longest=200)
    return Form(say("Against {who}", who=made.who), (pick("what", say("What"), options, default), typed))


def against_form(table: Table, actor: Actor, made: Roll) -> Form:
    """The pool to roll against a roll, one's last pool filled in."""
    return Form(say("Roll against {who}", who=made.who), (pool_field(table, actor),))


def pool_field(table: Table, actor: Actor, usual: str = "") -> Field:
    """A pool to roll, the usual one or one's last one filled in."""
    last = table.last_pools.get(actor.id, ())
    filled = usual or (last[0] if last else likeliest(table, table.played_by(actor.id)))
    hint = say("Example: Mind d10, Sharp d8, 2d6")
    return Field("dice", say("Dice"), filled, hint=hint, longest=1000)


def _read(answer: Answer) -> Rule:
    vs = answer.fields.typed("dice") or answer.fields["what"]
    return partial(roll.oppose, throw=answer.throw, number=answer.number, vs=vs)


def _read_against(answer: Answer) -> Rule:
    dice = answer.fields["dice"]
    return partial(roll.against_roll, throw=answer.throw, number=answer.number, dice=dice)


def _ask(table: Table, actor: Actor, made: Roll) -> Form:
    require_gm(table, actor, "oppose a roll")
    roll.require_unopposed(made)
    roll.check_open(made)
    return form(table, made)


def _ask_against(table: Table, actor: Actor, made: Roll) -> Form:
    roll.require_concerned(table, actor, made)
    roll.require_turn(table, actor, None if roll.is_action(made) else made.target)
    return against_form(table, actor, made)


def _difficulty(table: Table, name: str) -> str:
    number, size = DIFFICULTIES[name]
    worth = str(number) if table.ruleset.opposition is Opposition.STATIC else f"2d{size}"
    return f"{name} {worth}"


QUESTIONS = (
    Question("oppose", form=about(_ask), read=_read),
    Question("against", form=about(_ask_against), read=_read_against, apart=True),
)
