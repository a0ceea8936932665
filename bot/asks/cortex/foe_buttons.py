"""What is offered against what the GM brings, and with the turns: below news, views and rolls."""

from collections.abc import Iterable, Sequence

from bot.asks.cortex import contest, face, pool, scene, turn
from bot.asks.cortex.turn_buttons import challenge_buttons
from bot.language.line import Text, together
from bot.render.card import MOST_IN_ROW, Button, led, mark
from bot.render.cortex.foes import MOST_BUTTONS, challenge_words
from rules.campaign.seats import Actor
from rules.cortex import gm_pools
from rules.cortex.contest import may_answer
from rules.cortex.facts import (
    ActsAgainst,
    Called,
    GroupJoined,
    GroupSplit,
    NamedPoolChanged,
    PassedOver,
    PoolChanged,
    TurnCame,
)
from rules.cortex.kinds import Foe, Target
from rules.cortex.model import CORTEX
from rules.facts import Fact, Seated
from rules.names import key
from rules.table import Table
from rules.values import replace


def fact_rows(table: Table, facts: Sequence[Fact]) -> tuple[tuple[Button, ...], ...]:
    """What is offered below facts: to roll against what came, to hand on the turn."""
    here = CORTEX.of(table)
    buttons: list[Button] = []
    faced_now: list[Target] = []
    for fact in facts:
        if isinstance(fact, TurnCame | PassedOver | ActsAgainst):
            waiting = _there(table, fact.of)
            following = [] if fact.of else turn.buttons(table)
            buttons += challenge_buttons(table, waiting) if waiting else following
        elif isinstance(fact, GroupSplit | GroupJoined) and here.split:
            buttons.append(scene.join_button(table))
        elif isinstance(fact, Seated):
            faced_now.append(Target(Foe.GMC, key(fact.who)))
        elif isinstance(fact, PoolChanged):
            there = _there(table, fact.pool) if fact.pool.foe is Foe.CRISIS else None
            faced_now += [there] if there else []
    if faced_now:
        buttons += face.buttons(table, list(dict.fromkeys(faced_now)))
    gathered = [here.pools.get(key(fact.pool.name)) for fact in facts if isinstance(fact, NamedPoolChanged)]
    below = led(*rows(dict.fromkeys(buttons))) if buttons else ()
    return (*below, *(pool.buttons(each) for each in gathered if each and each.who))


def crisis_buttons(table: Table, actor: Actor | None) -> tuple[Button, ...]:
    """`Roll against` for each crisis, as many as there is room for."""
    here = CORTEX.of(table)
    return _faced(table, [Target(Foe.CRISIS, one) for one in here.crises] if here.ruleset.crisis else [])


def gmc_buttons(table: Table, actor: Actor | None) -> tuple[Button, ...]:
    """The same for each GMC that is there."""
    there = [Target(Foe.GMC, k) for k, c in table.characters.items() if c.gmc and not c.away]
    return _faced(table, there)


def _faced(table: Table, found: Sequence[Target]) -> tuple[Button, ...]:
    return tuple(face.buttons(table, found[:MOST_BUTTONS], named=True))


def challenges_buttons(table: Table, actor: Actor | None) -> tuple[Button, ...]:
    """All that can be done with the one challenge there is, or what each waits for most."""
    here = CORTEX.of(table)
    shown = here.challenges if here.ruleset.challenges else {}
    if len(shown) == 1:
        return tuple(challenge_buttons(table, Target(Foe.CHALLENGE, next(iter(shown))))[:MOST_BUTTONS])
    several = [_first_button(table, Target(Foe.CHALLENGE, one)) for one in shown]
    return tuple(button for button in several if button)[:MOST_BUTTONS]


def one_challenge(table: Table, sign: str) -> tuple[list[Text], tuple[Button, ...]] | None:
    """One challenge and what can be done with it, by the sign of its name; None where it is over."""
    for one, running in CORTEX.of(table).challenges.items():
        if mark(running.name) == sign:
            buttons = challenge_buttons(table, Target(Foe.CHALLENGE, one))
            return challenge_words(table, running), tuple(buttons[:MOST_BUTTONS])
    return None


def contest_buttons(table: Table, actor: Actor | None) -> tuple[Button, ...]:
    """The contests that wait, for one person those in which they may answer."""
    going = {n: c for n, c in CORTEX.of(table).contests.items() if not c.closing}
    mine = [n for n, c in going.items() if actor is None or may_answer(table, actor, c.waiting)]
    return tuple(button for n in mine for button in contest.named_buttons(n, going[n]))[:MOST_BUTTONS]


def turn_buttons(table: Table, actor: Actor | None) -> tuple[Button, ...]:
    """What can be done with the turns."""
    return tuple(turn.buttons(table)[:MOST_BUTTONS])


def _first_button(table: Table, pool: Target) -> Button | None:
    """What a challenge waits for most, with its name: a roll, its act, or a reaction to it."""
    found = challenge_buttons(table, pool)
    name = CORTEX.of(table).challenges[pool.key].name
    return replace(found[0], label=together(found[0].label, " (", name, ")")) if found else None


def rows(buttons: Iterable[Button]) -> tuple[tuple[Button, ...], ...]:
    """Buttons in two rows, ten at most."""
    all_of = list(buttons)
    return tuple(tuple(all_of[n : n + MOST_IN_ROW]) for n in range(0, min(len(all_of), 10), MOST_IN_ROW))


def _there(table: Table, called: Called | None) -> Target | None:
    """The crisis or challenge that a fact tells of, if it is still there."""
    pool = Target(called.foe, key(called.name)) if called else None
    is_local = pool is not None and pool.foe in (Foe.CRISIS, Foe.CHALLENGE)
    return pool if pool is not None and is_local and gm_pools.is_there(table, pool) else None
