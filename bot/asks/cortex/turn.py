"""Who is next, in the turn order or in a challenge."""

from collections.abc import Sequence
from functools import partial

from bot.asks.question import MOST_IN_MENU, SIGN, Answer, Pressed, Question, Rule, marked, pick
from bot.language import later, say
from bot.render.card import MOST_IN_ROW, Button, Field, Form, Option, mark
from rules.campaign.scenes import ended_scenes
from rules.campaign.seats import Actor
from rules.cortex import challenge, turn
from rules.cortex.kinds import Foe, Target
from rules.cortex.model import CORTEX, TurnOrder
from rules.cortex.scenes import require_scene
from rules.errors import TooLate
from rules.game import Step
from rules.table import Table

TURN_ORDER = "turn"
"""The sign of the turn order, where a challenge has its own."""
AT = rf"{SIGN}:[0-9]+\.{SIGN}"
"""The subject of a button: a challenge, and where its turns stand."""
_AT = rf"(?:{TURN_ORDER}|{SIGN}):[0-9]+\.{SIGN}"


def buttons(table: Table) -> list[Button]:
    """Who can be named next in the turn order."""
    here = CORTEX.of(table)
    return _next(table, here.order, turn.candidates(table), TURN_ORDER) if here.order else []


def challenge_buttons(table: Table, pool: Target) -> list[Button]:
    """Who can be named next in a challenge."""
    order = CORTEX.of(table).challenges[pool.key].order
    return _next(table, order, challenge.left(table, pool), mark(pool.key))


def at(sign: str, order: TurnOrder) -> str:
    """Whose turns, and where they stand."""
    return f"{sign}:{turn.stamp(order)}"


def read_at(subject: str) -> tuple[str, str]:
    """The sign of what has the turns, and where they stood."""
    sign, _, stamp = subject.partition(":")
    return sign, stamp


def turn_form(table: Table, sign: str) -> Form:
    """Who is next, of all who can be."""
    pool = _challenge(table, sign)
    who = turn.candidates(table) if pool is None else challenge.left(table, pool)
    names = [table.characters[one].name for one in who]
    options = [Option(name, mark(name)) for name in names]
    hint = say("Someone who isn't in the list")
    typed = Field("name", say("Name"), hint=hint, required=False, longest=80)
    more = (typed,) if len(names) > MOST_IN_MENU else ()
    return Form(say("Who is next?"), (pick("what", say("What"), options), *more))


def running_of(table: Table, sign: str) -> Target:
    """The challenge of that sign. Raises TooLate when it is over."""
    pool = _challenge(table, sign)
    if pool is None:
        raise TooLate("That {challenge.one} is over or was undone.")
    return pool


def _challenge(table: Table, sign: str) -> Target | None:
    """The challenge of that sign; None for the turn order, or for one that is over."""
    return next(
        (Target(Foe.CHALLENGE, one) for one in CORTEX.of(table).challenges if mark(one) == sign), None
    )


def _next(table: Table, order: TurnOrder, who: Sequence[str], sign: str) -> list[Button]:
    """`Next: Bob` for each who can be named; past four, `Next: another` asks for the name."""
    scene, where = ended_scenes(table), at(sign, order)
    shown = who if len(who) <= MOST_IN_ROW - 1 else who[: MOST_IN_ROW - 2]
    names = [table.characters[one].name for one in shown]
    is_first = not (order.turn or order.acted)
    label = later("First: {who}") if is_first else later("Next: {who}")
    found = [Button(say(label, who=name), "next", scene, f"{where}:{mark(name)}") for name in names]
    if len(who) > len(shown):
        other = say("First: someone else") if is_first else say("Next: someone else")
        found.append(Button(other, "another", scene, where))
    return found


def _ask(table: Table, actor: Actor, press: Pressed) -> Form:
    sign, stamp = read_at(press.subject)
    require_scene(table, press.number)
    is_turn_order = sign == TURN_ORDER
    order = (
        turn.running(table)
        if is_turn_order
        else CORTEX.of(table).challenges[running_of(table, sign).key].order
    )
    turn.check_stamp(order, stamp)
    turn.require_handing(table, actor, order)
    return turn_form(table, sign)


def _read_button(answer: Answer) -> Rule:
    where, _, who = answer.subject.rpartition(":")
    return partial(_handed, at=read_at(where), who=who, scene=answer.number)


def _read(answer: Answer) -> Rule:
    rule = partial(_handed, at=read_at(answer.subject), who=answer.fields["what"])
    return partial(rule, scene=answer.number, typed=answer.fields.typed("name"))


def _handed(table: Table, actor: Actor, at: tuple[str, str], who: str, scene: int, typed: str = "") -> Step:
    """The turn handed on, in the turn order or in a challenge, as long as nobody has done so since."""
    require_scene(table, scene)
    sign, stamp = at
    name = typed or marked(table, who).name
    if sign == TURN_ORDER:
        return turn.hand_on(table, actor, name, stamp)
    return challenge.hand_on(
        table, actor, name, CORTEX.of(table).challenges[running_of(table, sign).key].name, stamp
    )


QUESTIONS = (
    Question("next", f"{_AT}:{SIGN}", press=_read_button, apart=True),
    Question("another", _AT, form=_ask, read=_read, apart=True),
)
