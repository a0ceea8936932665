"""Challenges and turns: who goes next, what a challenge does, and who is late (L2, L4)."""

from collections.abc import Sequence
from functools import partial

from bot.language import later, say
from bot.views.card import MOST_IN_ROW, Button, Field, Form, Option, mark
from bot.views.cortex import opposition
from bot.views.cortex.gm_pools import CortexWhat, said_of
from bot.views.cortex.labels import pool_title
from bot.views.cortex.opposition import pool_field
from bot.views.game import Rule, Waiting
from bot.views.question import MOST_IN_MENU, SIGN, Answer, Pressed, Question, choice, marked, pick
from rules.campaign.scenes import ended_scenes
from rules.campaign.seats import Actor, require_character, require_gm
from rules.cortex import challenge, contest, gm_pools, turn
from rules.cortex.challenge import ChallengeAct
from rules.cortex.kinds import Foe, Target
from rules.cortex.model import CORTEX, Roll, TurnOrder
from rules.cortex.scenes import require_scene
from rules.dice import Throw
from rules.errors import Gone
from rules.game import Step
from rules.names import key
from rules.table import Table
from rules.text import Words

TURN_ORDER = "turn"
"""The sign of the turn order, where a challenge has its own."""
AT = rf"{SIGN}:[0-9]+\.{SIGN}"
"""The subject of a button: a challenge, and where its turns stand."""
_AT = rf"(?:{TURN_ORDER}|{SIGN}):[0-9]+\.{SIGN}"


def turn_buttons(table: Table) -> list[Button]:
    """Return a button for everybody who can go next in the turn order."""
    here = CORTEX.of(table)
    return _next(table, here.order, turn.candidates(table), TURN_ORDER) if here.order else []


def challenge_turn_buttons(table: Table, pool: Target) -> list[Button]:
    """Return a button for everybody who can go next in a challenge."""
    order = CORTEX.of(table).challenges[pool.key].order
    return _next(table, order, challenge.left(table, pool), mark(pool.key))


def at(sign: str, order: TurnOrder) -> str:
    """Return a button subject that identifies a turn order and its current state."""
    return f"{sign}:{turn.stamp(order)}"


def read_at(subject: str) -> tuple[str, str]:
    """Split the subject made by `at` into the sign of the turn order and its state."""
    sign, _, stamp = subject.partition(":")
    return sign, stamp


def turn_form(table: Table, sign: str) -> Form:
    """Return a form to choose who goes next."""
    pool = _challenge(table, sign)
    who = turn.candidates(table) if pool is None else challenge.left(table, pool)
    names = [table.characters[one].name for one in who]
    options = [Option(name, mark(name)) for name in names]
    hint = say("Someone who isn't in the list")
    typed = Field("name", say("Name"), hint=hint, required=False)
    more = (typed,) if len(names) > MOST_IN_MENU else ()
    return Form(say("Who is next?"), (pick("what", say("What"), options), *more))


def running_of(table: Table, sign: str) -> Target:
    """Return the challenge with that sign. Raises Gone if it is over."""
    pool = _challenge(table, sign)
    if pool is None:
        raise Gone("That {challenge.one} is over or was undone.")
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


# With five sizes to step up and a die to add these are 24; a menu has 25.
MOST_TARGETS = 18
"""The form lists this many people to act against; the others are typed."""


def act_button(table: Table, pool: Target) -> Button:
    """Return the button by which a challenge acts."""
    subject = at(mark(pool.key), CORTEX.of(table).challenges[pool.key].order)
    return Button(say("Act"), "act", ended_scenes(table), subject)


def react_button(table: Table, pool: Target) -> Button:
    """Return the button by which the person whom a challenge acts against reacts."""
    return Button(say("Roll against"), "react", ended_scenes(table), mark(pool.key))


def challenge_form(table: Table, pool: Target) -> Form:
    """Return a form with what a challenge can do on its turn."""
    order = CORTEX.of(table).challenges[pool.key].order
    people = [table.characters[one].name for one in turn.members(table, order, gmcs=False)]
    options = [
        Option(say("Against {who}", who=name), f"{ChallengeAct.TARGET}:{mark(name)}")
        for name in people[:MOST_TARGETS]
    ]
    sizes = sorted(set(gm_pools.dice(table, pool)))
    options += [
        Option(say("Step up d{size}", size=size), f"{ChallengeAct.STEP_UP}:d{size}") for size in sizes
    ]
    options.append(Option(say("Add a d6"), f"{ChallengeAct.ADD}:"))
    hint = say("Or against someone who isn't in the list")
    others = Field("name", say("Name"), hint=hint, required=False)
    more = (others,) if len(people) > MOST_TARGETS else ()
    title = say("{challenge} acts", challenge=pool_title(gm_pools.called(table, pool)))
    return Form(title, (pick("what", say("What"), options), *more))


def _ask_act(table: Table, actor: Actor, press: Pressed) -> Form:
    sign, stamp = read_at(press.subject)
    require_gm(table, actor, Words("act for {challenge.a}"))
    require_scene(table, press.number)
    pool = running_of(table, sign)
    challenge.check_acting(table, CORTEX.of(table).challenges[pool.key], stamp)
    return challenge_form(table, pool)


def _read_act(answer: Answer) -> Rule:
    what, _, of = answer.fields["what"].partition(":")
    rule = partial(_acted, at=read_at(answer.subject), what=choice(ChallengeAct, what), of=of)
    return partial(rule, scene=answer.number, other=answer.fields.typed("name"))


def _acted(
    table: Table, actor: Actor, at: tuple[str, str], what: ChallengeAct, of: str, scene: int, other: str
) -> Step:
    """The challenge acts as chosen, as long as it has not acted since."""
    require_scene(table, scene)
    sign, stamp = at
    running = CORTEX.of(table).challenges[running_of(table, sign).key].name
    if other:
        return challenge.act(table, actor, ChallengeAct.TARGET, other, None, running, stamp)
    who = marked(table, of).name if what is ChallengeAct.TARGET else None
    return challenge.act(
        table, actor, what, who, of if what is ChallengeAct.STEP_UP else None, running, stamp
    )


def _ask_react(table: Table, actor: Actor, press: Pressed) -> Form:
    require_scene(table, press.number)
    pool = running_of(table, press.subject)
    require_character(table, actor, table.characters[challenge.target_of(table, pool)], Words("roll"))
    title = say("Roll against {who}", who=pool_title(gm_pools.called(table, pool)))
    return Form(title, (pool_field(table, actor),))


def _read_react(answer: Answer) -> Rule:
    rule = partial(_reacted, throw=answer.throw, sign=answer.subject, dice=answer.fields["dice"])
    return partial(rule, scene=answer.number)


def _reacted(table: Table, actor: Actor, throw: Throw, sign: str, dice: str, scene: int) -> Step:
    """Whom the challenge acts against rolls, and then the challenge."""
    require_scene(table, scene)
    return challenge.react(table, actor, throw, running_of(table, sign).key, dice)


def challenge_buttons(table: Table, pool: Target) -> list[Button]:
    """Return the buttons for what a challenge waits for: a roll, the next turn, its own act or a reaction."""
    running = CORTEX.of(table).challenges[pool.key]
    if running.against in table.characters:
        return [react_button(table, pool)]
    act = act_button(table, pool)
    if challenge.is_its_turn(table, running):
        return [act]
    is_open = bool(running.order.turn) and running.order.turn not in running.order.acted
    following = challenge_turn_buttons(table, pool)
    return [
        *([opposition.face_button(table, pool)] if is_open else []),
        *(following or ([act] if is_open else [])),
    ]


def roll_turn(table: Table, roll: Roll) -> list[Button]:
    """Return the buttons for what a challenge waits for now, below the roll that was a turn or reaction."""
    here = CORTEX.of(table)
    target = None if roll.against is None else roll.against.target
    if target is None or target.foe is not Foe.CHALLENGE or target.key not in here.challenges:
        return []
    order = here.challenges[target.key].order
    is_reaction = roll.against is not None and roll.against.acts
    is_latest = order.turn == key(roll.who) and order.turn in order.acted
    if not is_latest and not (is_reaction and not order.turn and not order.acted):
        return []
    return challenge_buttons(table, target)[:MOST_IN_ROW]


def view_of(table: Table, each: Waiting) -> str:
    """Return the name of the view in which one can act on something that waits and is no roll."""
    if not isinstance(each.what, CortexWhat):
        return ""
    if _contest(table, each):
        return "contest"
    return "challenge" if _late_challenge(table, each) else "turn"


def passed_over(table: Table, each: Waiting) -> Rule | None:
    """Return the rule that passes somebody over: they skip their turn, or give in.

    None if that is not possible.
    """
    if number := _contest(table, each):
        return partial(contest.give_in, number=number)
    if each.what is not CortexWhat.TURN:
        return None
    if name := _late_challenge(table, each):
        return partial(challenge.skip, who=each.who, name=name)
    return partial(turn.skip, who=each.who)


def _contest(table: Table, each: Waiting) -> int:
    """The number of the contest in which an answer waits; 0 for none."""
    going = {one.roll: number for number, one in CORTEX.of(table).contests.items() if not one.closing}
    return going.get(each.roll, 0) if each.roll and each.what is CortexWhat.ANSWER else 0


def _late_challenge(table: Table, each: Waiting) -> str:
    """The name of the challenge of which something waits."""
    return next((one.name for one in CORTEX.of(table).challenges.values() if said_of(one) == each.of), "")


QUESTIONS = (
    Question("next", f"{_AT}:{SIGN}", press=_read_button, apart=True),
    Question("another", _AT, form=_ask, read=_read, apart=True),
    Question("act", AT, form=_ask_act, read=_read_act, apart=True),
    Question("react", SIGN, form=_ask_react, read=_read_react, apart=True),
)
