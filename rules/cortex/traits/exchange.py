"""A roll of a contest: what it comes to as it stands, and as it changes (T4)."""

from rules.cortex.state import keeping, outcome
from rules.cortex.state.doubt import is_in_doubt
from rules.cortex.state.facts import Contested, ContestWon
from rules.cortex.state.kinds import Result
from rules.cortex.state.part import CORTEX
from rules.cortex.state.table import Contest, Roll
from rules.fact import Fact
from rules.result import Step
from rules.table import Table
from rules.values import replace


def judged(table: Table, roll: Roll) -> Step:
    """What a roll means for its contest: the other side is to answer, or has won (T4, R6)."""
    contest = CORTEX.of(table).contests.get(roll.contest)
    if contest is None or roll.answered:
        return Step(table, ())
    how = outcome.verdict(roll)
    if how is not None and how.result is Result.FAILURE:
        return _lost(table, contest, roll)
    side = contest.sides.index(roll.who)
    is_new = contest.roll != roll.number or bool(contest.closing)
    beaten = None if roll.against is None else roll.against.hand
    fresh = replace(contest, leader=side, roll=roll.number, hand=roll.hand, closing=0, beaten=beaten)
    said = Contested(fresh.waiting, roll.who, keeping.total(roll.hand))
    is_told = is_new and not is_in_doubt(table, roll)  # else who is to answer hears of it once it stands
    return Step(with_contest(table, roll.contest, fresh), (said,) if is_told else ())


def is_decided(table: Table, roll: Roll) -> bool:
    """Whether the contest of a roll ended with it, so that the winner's effect counts (T4)."""
    contest = CORTEX.of(table).contests.get(roll.contest)
    return not roll.answered and (contest is None or contest.closing == roll.number)


def is_waiting(table: Table, roll: Roll) -> bool:
    """Whether a roll of a contest waits for the other side's answer (T4)."""
    contest = CORTEX.of(table).contests.get(roll.contest)
    return contest is not None and not contest.closing and contest.roll == roll.number


def with_contest(table: Table, number: int, contest: Contest) -> Table:
    """The table with a contest as it is now."""
    here = CORTEX.of(table)
    return CORTEX.put(table, replace(here, contests={**here.contests, number: contest}))


def without(table: Table, name: str) -> Table:
    """The table without the contests of somebody who is gone."""
    here = CORTEX.of(table)
    going = {n: contest for n, contest in here.contests.items() if name not in contest.sides}
    return CORTEX.put(table, replace(here, contests=going))


def _lost(table: Table, contest: Contest, roll: Roll) -> Step:
    """The roll did not beat the other side's, which wins."""
    if roll.against is None or roll.against.hand is None:
        return Step(table, ())
    winner = 1 - contest.sides.index(roll.who)
    fresh = replace(
        contest, leader=winner, roll=roll.against.roll, hand=roll.against.hand, closing=roll.number
    )
    facts: tuple[Fact, ...] = (ContestWon(contest.sides[winner], roll.who, contest.note),)
    is_new = contest.closing != roll.number
    return Step(with_contest(table, roll.contest, fresh), facts if is_new else ())
