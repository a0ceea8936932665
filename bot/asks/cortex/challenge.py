"""What a challenge does on its turn, and the roll of whom it acts against (L4)."""

from functools import partial

from bot.asks.cortex.oppose import pool_field
from bot.asks.cortex.turn import AT, at, read_at, running_of
from bot.asks.question import SIGN, Answer, Pressed, Question, Rule, choice, marked, pick
from bot.language import say
from bot.render.card import Button, Field, Form, Option, mark
from bot.render.cortex.words import called
from rules.campaign.scenes import ended_scenes
from rules.campaign.seats import Actor, require_character, require_gm
from rules.cortex import challenge, gm_pools, turn
from rules.cortex.challenge import ChallengeAct
from rules.cortex.kinds import Target
from rules.cortex.model import CORTEX
from rules.cortex.scenes import require_scene
from rules.dice import Throw
from rules.game import Step
from rules.table import Table
from rules.text import Words

# With five sizes to step up and a die to add these are 24; a menu has 25.
MOST_TARGETS = 18
"""The form lists this many people to act against; the others are typed."""


def button(table: Table, pool: Target) -> Button:
    """The challenge acts, as its turns stand."""
    subject = at(mark(pool.key), CORTEX.of(table).challenges[pool.key].order)
    return Button(say("Act"), "act", ended_scenes(table), subject)


def react_button(table: Table, pool: Target) -> Button:
    """Whom the challenge acts against rolls."""
    return Button(say("Roll against"), "react", ended_scenes(table), mark(pool.key))


def challenge_form(table: Table, pool: Target) -> Form:
    """What a challenge can do on its turn."""
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
    others = Field("name", say("Name"), hint=hint, required=False, longest=80)
    more = (others,) if len(people) > MOST_TARGETS else ()
    title = say("{challenge} acts", challenge=called(gm_pools.called(table, pool)))
    return Form(title, (pick("what", say("What"), options), *more))


def _ask(table: Table, actor: Actor, press: Pressed) -> Form:
    sign, stamp = read_at(press.subject)
    require_gm(table, actor, Words("act for {challenge.a}"))
    require_scene(table, press.number)
    pool = running_of(table, sign)
    challenge.check_acting(table, CORTEX.of(table).challenges[pool.key], stamp)
    return challenge_form(table, pool)


def _read(answer: Answer) -> Rule:
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
    title = say("Roll against {who}", who=called(gm_pools.called(table, pool)))
    return Form(title, (pool_field(table, actor),))


def _read_react(answer: Answer) -> Rule:
    rule = partial(_reacted, throw=answer.throw, sign=answer.subject, dice=answer.fields["dice"])
    return partial(rule, scene=answer.number)


def _reacted(table: Table, actor: Actor, throw: Throw, sign: str, dice: str, scene: int) -> Step:
    """Whom the challenge acts against rolls, and then the challenge."""
    require_scene(table, scene)
    return challenge.react(table, actor, throw, running_of(table, sign).key, dice)


QUESTIONS = (
    Question("act", AT, form=_ask, read=_read, apart=True),
    Question("react", SIGN, form=_ask_react, read=_read_react, apart=True),
)
