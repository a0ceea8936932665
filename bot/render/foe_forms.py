"""The forms for what the GM brings: which die is hit, how a challenge acts, with what one rolls."""

from bot.render.card import Field, Form, Option, mark
from bot.render.foes import TURN_ORDER
from bot.render.forms import pick
from rules.cortex import challenge, pools, strike, turn
from rules.cortex.apply import require_effect
from rules.cortex.challenge import Act
from rules.cortex.opposition import target_pool
from rules.cortex.outcome import Effect
from rules.cortex.seats import Actor
from rules.cortex.table import Foe, Roll, Table, Target, key
from rules.dice import write_pool
from rules.errors import TooLate

MOST_TARGETS = 18
"""A challenge's form lists this many people to act against; the others are typed."""


def pool_form(table: Table, actor: Actor, against: str, roller: str = "") -> Form:
    """The pool to roll against somebody or something, one's last pool filled in; for a GMC all its dice."""
    last = table.last_pools.get(actor.id, ())
    gmc = table.characters.get(key(roller))
    is_gmc = gmc is not None and gmc.gmc and bool(gmc.sheet or gmc.distinctions or gmc.pool)
    usual = write_pool(target_pool(table, Target(Foe.GMC, key(roller)))) if is_gmc else ""
    field = Field(
        "Dice", usual or (last[0] if last else ""), hint="Example: Mind d10, Sharp d8, 2d6", longest=1000
    )
    return Form(f"Roll against {against}", (field,))


def strike_form(table: Table, roll: Roll, place: int, target: Target) -> Form:
    """Which die an effect die hits, each with what becomes of it (K3, L3)."""
    effect = require_effect(table, roll, place)
    options = [Option(_hit(size, effect), f"d{size}") for size in strike.sizes(table, roll, target)]
    return Form(f"d{effect.size} hits {pools.title(table, target)}", (pick("Dice", options),))


def act_form(table: Table, pool: Target) -> Form:
    """What a challenge does on its turn (L4)."""
    order = table.challenges[pool.key].order
    people = [table.characters[one].name for one in turn.members(table, order, gmcs=False)]
    options = [Option(f"Against {name}", f"{Act.TARGET}:{mark(name)}") for name in people[:MOST_TARGETS]]
    sizes = sorted(set(pools.dice(table, pool)))
    options += [Option(f"Step up d{size}", f"{Act.STEP_UP}:d{size}") for size in sizes]
    options.append(Option("Add a d6", f"{Act.ADD}:"))
    others = Field("Name", hint="Or against somebody who is not in the list", required=False, longest=80)
    more = (others,) if len(people) > MOST_TARGETS else ()
    return Form(f"{pools.title(table, pool)} acts", (pick("What", options), *more))


def another_form(table: Table, sign: str) -> Form:
    """Who is next, of all who can be."""
    pool = challenge_of(table, sign)
    who = turn.candidates(table) if pool is None else challenge.left(table, pool)
    names = [table.characters[one].name for one in who]
    options = [Option(name, mark(name)) for name in names]
    typed = Field("Name", hint="Somebody who is not in the list", required=False, longest=80)
    return Form("Who is next?", (pick("What", options), *([typed] if len(names) > 25 else [])))


def challenge_of(table: Table, sign: str) -> Target | None:
    """The challenge of that sign; None for the turn order, or for one that is over."""
    if sign == TURN_ORDER:
        return None
    return next((Target(Foe.CHALLENGE, one) for one in table.challenges if mark(one) == sign), None)


def running_of(table: Table, sign: str) -> Target:
    """The challenge of that sign. Raises TooLate when it is over."""
    pool = challenge_of(table, sign)
    if pool is None:
        raise TooLate("That challenge is over, or it was undone.")
    return pool


def _hit(size: int, effect: Effect) -> str:
    fallen = pools.fallen_to(size, effect.size, is_past=bool(effect.past))
    return f"d{size}: steps down to d{fallen}" if fallen else f"d{size}: is removed"
