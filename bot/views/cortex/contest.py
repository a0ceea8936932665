"""Contests: answer the other side's roll, or give in (T4)."""

from functools import partial

from bot.language import say
from bot.language.line import Text
from bot.views.card import Button, Form
from bot.views.cortex.opposition import pool_field
from bot.views.game import Rule
from bot.views.question import NUMBER, Answer, Pressed, Question
from rules.campaign.seats import Actor
from rules.cortex import contest
from rules.cortex.kinds import Foe, Target
from rules.cortex.model import CORTEX, Contest, Roll
from rules.cortex.opposition import target_pool
from rules.cortex.pool import write_pool
from rules.names import key
from rules.table import Table


def contest_buttons(made: Roll) -> list[Button]:
    """Return the buttons below the contest roll that waits for an answer."""
    return _both(made.number, made.contest, say("Roll against"), say("Give in"))


def named_buttons(number: int, going: Contest) -> list[Button]:
    """Return the buttons of a contest in a list, which name the person meant."""
    leader = going.sides[going.leader]
    answer = say("Roll against {leader}: {who}", leader=leader, who=going.waiting)
    return _both(going.roll, number, answer, say("Give in: {who}", who=going.waiting))


def contest_form(table: Table, actor: Actor, going: Contest) -> Form:
    """Return a form for the pool to answer with; filled in with the last pool, or all dice of a GMC."""
    gmc = table.characters.get(key(going.waiting))
    is_gmc = (
        gmc is not None
        and gmc.gmc
        and bool(CORTEX.has(gmc).sheet or CORTEX.has(gmc).distinctions or CORTEX.has(gmc).pool)
    )
    usual = write_pool(target_pool(table, Target(Foe.GMC, key(going.waiting)))) if is_gmc else ""
    title = say("Roll against {who}", who=going.sides[going.leader])
    return Form(title, (pool_field(table, actor, usual),))


def _both(roll: int, number: int, answer: Text, give_in: Text) -> list[Button]:
    return [
        Button(answer, "answer", roll, str(number)),
        Button(give_in, "givein", roll, str(number)),
    ]


def _ask_contest(table: Table, actor: Actor, press: Pressed) -> Form:
    return contest_form(table, actor, contest.require_waiting(table, actor, int(press.subject), press.number))


def _read_contest(answer: Answer) -> Rule:
    rule = partial(contest.answer, throw=answer.throw, dice=answer.fields["dice"])
    return partial(rule, number=int(answer.subject), seen=answer.number)


def _give_in(answer: Answer) -> Rule:
    return partial(contest.give_in, number=int(answer.subject), seen=answer.number)


QUESTIONS = (
    Question("answer", NUMBER, form=_ask_contest, read=_read_contest, apart=True),
    Question("givein", NUMBER, press=_give_in),
)
