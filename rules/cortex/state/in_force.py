"""Which settings a roll has: those of the step that made it, whatever is changed later."""

from rules.cortex.state import outcome
from rules.cortex.state.outcome import Outcome
from rules.cortex.state.part import CORTEX
from rules.cortex.state.rolled import HiddenRolled, RollChanged, RollMade
from rules.cortex.state.ruleset import RuleChange, Ruleset
from rules.cortex.state.table import Roll
from rules.result import Step
from rules.table import Table
from rules.values import replace

MOST_CHANGES = 100
"""So many changes of the ruleset are told apart for the rolls that are open."""


def rules_of(table: Table, roll: Roll) -> Ruleset:
    """The settings that the roll was made with."""
    here = CORTEX.of(table)
    rules, made = here.ruleset, roll.ruled or roll.number
    for step in sorted(here.rule_changes, reverse=True):
        if step > made:
            rules = here.rule_changes[step].undone(rules)
    return rules


def come_to(table: Table, roll: Roll) -> Outcome:
    """What a roll comes to by the settings that it was made with (R1 to R7)."""
    return outcome.of(roll, rules_of(table, roll))


def with_effects(step: Step) -> Step:
    """The step with the effect of each roll beside it, so that it is told without the rules of then."""
    of_rolls = (RollMade, RollChanged, HiddenRolled)
    told = (
        replace(fact, effects=come_to(step.table, fact.roll).counted) if isinstance(fact, of_rolls) else fact
        for fact in step.facts
    )
    return Step(step.table, tuple(told))


def with_rules(table: Table, rules: Ruleset) -> Table:
    """The table with other settings from its next step on; open rolls keep theirs.

    What each step changed is kept by itself, so that one of them can be taken back alone.
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
