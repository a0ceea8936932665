"""The later life of rolls: their settings, contests, and rolls of taken-out characters (C4, T4)."""

from collections.abc import Iterable

from rules.cortex import outcome
from rules.cortex.facts import (
    Contested,
    ContestWon,
    DiceRerolled,
    HiddenRolled,
    RollChanged,
    RollDropped,
    RollMade,
    RollStood,
)
from rules.cortex.kinds import Result
from rules.cortex.model import CORTEX, Contest, Hand, Roll
from rules.cortex.outcome import Outcome, gm_hand
from rules.cortex.ruleset import RuleChange, Ruleset
from rules.dice import Shown, Thrown
from rules.errors import NotAllowed, TooLate
from rules.facts import Fact
from rules.game import Step
from rules.names import GM, key
from rules.table import Table
from rules.values import replace

MOST_CHANGES = 100
"""So many changes of the ruleset are told apart for the rolls that are open."""


def rules_of(table: Table, roll: Roll) -> Ruleset:
    """Return the settings that the roll was made with."""
    here = CORTEX.of(table)
    rules, made = here.ruleset, roll.ruled or roll.number
    for step in sorted(here.rule_changes, reverse=True):
        if step > made:
            rules = here.rule_changes[step].undone(rules)
    return rules


def resolve(table: Table, roll: Roll) -> Outcome:
    """Return the outcome of a roll under the settings that it was made with (R1 to R7)."""
    return outcome.of(roll, rules_of(table, roll))


def with_effects(step: Step) -> Step:
    """Return the step with each roll's effect stored in its fact, to be told without the rules."""
    of_rolls = (RollMade, RollChanged, HiddenRolled)
    told = (
        replace(fact, effects=resolve(step.table, fact.roll).counted) if isinstance(fact, of_rolls) else fact
        for fact in step.facts
    )
    return Step(step.table, tuple(told))


def with_rules(table: Table, rules: Ruleset) -> Table:
    """Return the table with other settings from its next step on; open rolls keep theirs.

    The changes of each step are stored separately, so that each can be undone alone.
    """
    here = CORTEX.of(table)
    if rules == here.ruleset:
        return table
    open_rolls = (*here.rolls.values(), *here.hidden.values())
    oldest = min((roll.ruled or roll.number for roll in open_rolls), default=table.number)
    kept = [(step, each) for step, each in here.rule_changes.items() if step > oldest]
    if open_rolls:
        kept.append((table.number + 1, RuleChange(here.ruleset, rules)))
    return CORTEX.put(table, replace(here, ruleset=rules, rule_changes=dict(kept[-MOST_CHANGES:])))


ALLOWED = "allowed"
"""Under this a roll holds who let it stand, though whoever made it was taken out (C4)."""


DROPPED = "dropped"
"""Under this a closed roll holds that the GM dropped it, to be shown so (C4)."""


def as_ruled(roll: Roll, facts: Iterable[Fact]) -> Roll:
    """Return a closed roll with the GM's ruling that is among the facts of the step that closed it (C4)."""
    for fact in facts:
        if isinstance(fact, RollStood | RollDropped) and fact.ruled and fact.ruled.roll == roll.number:
            ruling = ALLOWED if isinstance(fact, RollStood) else DROPPED
            return replace(roll, doers={**roll.doers, ruling: ""})
    return roll


def is_in_doubt(table: Table, roll: Roll) -> bool:
    """Return whether the GM has yet to say if a roll stands; never at a table without a GM (C4)."""
    is_unruled = roll.out and ALLOWED not in roll.doers
    return is_unruled and bool(table.gms) and roll.number in CORTEX.of(table).rolls


def require_stands(table: Table, roll: Roll) -> None:
    """Check that a roll isn't in doubt, since its use can't be undone alone.

    Raises NotAllowed if it is (C4).
    """
    if is_in_doubt(table, roll):
        raise NotAllowed(
            "{who} is taken out, so the {gm.one} first needs to decide whether that roll stands.",
            who=roll.who,
        )


def judged(table: Table, roll: Roll) -> Step:
    """Apply what a roll means for its contest: the other side must answer, or has won (T4, R6)."""
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
    said = Contested(fresh.waiting, roll.who, outcome.total(roll.hand))
    is_told = is_new and not is_in_doubt(table, roll)  # else who is to answer hears of it once it stands
    return Step(with_contest(table, roll.contest, fresh), (said,) if is_told else ())


def is_decided(table: Table, roll: Roll) -> bool:
    """Return whether a roll ended its contest, so that the winner's effect counts (T4)."""
    contest = CORTEX.of(table).contests.get(roll.contest)
    return not roll.answered and (contest is None or contest.closing == roll.number)


def is_given_in(table: Table, roll: Roll) -> bool:
    """Return whether a roll has beaten the other side of its contest, which gave in (T4)."""
    is_over = bool(roll.contest) and roll.contest not in CORTEX.of(table).contests
    return is_over and roll.against is not None and not roll.answered


def lost_contest(table: Table, roll: Roll) -> Contest | None:
    """Return the contest that a roll on the table has lost; None if it hasn't lost one (T4)."""
    contest = CORTEX.of(table).contests.get(roll.contest)
    return contest if contest is not None and contest.closing == roll.number else None


def require_no_contest(table: Table, name: str, other: str) -> None:
    """Check that two sides aren't in a contest already. Raises NotAllowed if they are (T4)."""
    sides = {key(name), key(other)}
    if any(not c.closing and sides == set(map(key, c.sides)) for c in CORTEX.of(table).contests.values()):
        raise NotAllowed(
            "{name} and {other} are already in a contest. Finish that contest first.",
            name=name,
            other=other,
        )


def require_undecided(table: Table, roll: Roll) -> None:
    """Check that a change of dice can't unsettle a contest. Raises TooLate if the roll has won one (T4)."""
    if is_given_in(table, roll):
        raise TooLate("That contest is won, so the dice of that roll stay as they are.")


def is_waiting(table: Table, roll: Roll) -> bool:
    """Return whether a roll in a contest waits for the other side's answer (T4)."""
    contest = CORTEX.of(table).contests.get(roll.contest)
    return contest is not None and not contest.closing and contest.roll == roll.number


def with_contest(table: Table, number: int, contest: Contest) -> Table:
    """Return the table with this version of a contest."""
    here = CORTEX.of(table)
    return CORTEX.put(table, replace(here, contests={**here.contests, number: contest}))


def without_contests_of(table: Table, name: str) -> Table:
    """Return the table without the contests of a removed character."""
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
    is_told = contest.closing != roll.number and not is_in_doubt(table, roll)
    return Step(with_contest(table, roll.contest, fresh), facts if is_told else ())


def thrown(fact: Fact) -> Iterable[Thrown]:
    """Yield the dice that a fact shows thrown: a roll's, the GM's against it, and those rerolled.

    A rerolled die counts each time; a later version of a roll replaces the earlier one.
    """
    if isinstance(fact, DiceRerolled):
        sizes = (die.size for die in fact.dice)
        yield Thrown(fact.who, tuple(zip(sizes, fact.faces, strict=True)))
    elif isinstance(fact, RollMade | RollChanged):
        roll, is_new = fact.roll, isinstance(fact, RollMade)
        yield Thrown(roll.who, _shown(roll.hand), roll.gm, f"{roll.number}", is_new)
        against = None if roll.gm else gm_hand(roll)
        dice = () if against is None else _shown(against)
        yield Thrown(GM, dice, True, f"{roll.number} against", is_new)


def _shown(hand: Hand) -> Shown:
    """Each die by its size and face; a hitch that an SFX handed over was not thrown (H3)."""
    return tuple((die.size, die.face) for die in hand.dice if not die.is_handed)
