"""Odds in words, a line each."""

from collections.abc import Mapping

from bot.render.card import Button, Card
from rules.cortex.odds import PAST, Kept, Question
from rules.dice import SIZES, Pool, write, write_pool
from rules.table import Against

SHARE = Button("Share", "shareodds")
LEAST = 0.0005
"""A smaller chance would read as 0.0%."""
LONGEST = 600
"""Dice and what is in the way are named one by one up to this length."""


def odds_card(asked: Question) -> Card:
    """Odds, to one person alone, with a button that shows them to all."""
    return Card(tuple(odds_lines(asked)), ((SHARE,),), private=True)


def odds_lines(asked: Question) -> list[str]:
    """Of what, against what, and every chance."""
    found = asked.odds
    versus = "" if asked.against is None else f" vs {_against(asked.against)}"
    kept = "" if asked.keep == 2 else f", {asked.keep} kept"
    return [
        f"Odds of {_pool(asked.pool)}{versus}{kept}",
        *_chances(found.kept),
        *_told({f"Effect {_reach(reach)}": chance for reach, chance in found.effects.items()}),
        *_told({"Hitch": found.hitch, "Botch": found.botch}),
        _mean(found.kept),
        *([f"For 1 PP more: {_bought(found.more)}"] if found.more else []),
    ]


def brief_odds(asked: Question) -> str:
    """The chances that matter while a pool is built, on one line."""
    found = asked.odds
    return ", ".join([*_chances(found.kept), *_told({"Hitch": found.hitch}), _mean(found.kept)])


def _pool(pool: Pool) -> str:
    """The dice with their labels, without where these are too long for a message that is shared."""
    full = write_pool(pool)
    return full if len(full) <= LONGEST else write([die.size for die in pool])


def _against(against: Against) -> str:
    said = ", ".join(against.plus)
    plus = f" with {said if len(said) <= LONGEST else f'{len(against.plus)} more'}" if said else ""
    if against.hand is None:
        return f"{against.label}{plus}" + (f", {against.number} in all" if plus else "")
    dice = write([die.size for die in against.hand.dice])
    return f"{against.label}{plus}" if dice in against.label else f"{against.label}{plus} ({dice})"


def _chances(kept: Kept) -> list[str]:
    """The chances against a goal, where there is one."""
    if kept.success is None or kept.heroic is None:
        return []
    if not kept.success:
        return ["Success is not possible"]
    success = _told({"Success": kept.success}) or ["Success below 0.1%"]
    return [*success, *_told({"Heroic": kept.heroic})]


def _told(chances: Mapping[str, float]) -> list[str]:
    """A line for each chance, without those that would read as 0.0%."""
    return [f"{name} {_percent(chance)}" for name, chance in chances.items() if chance >= LEAST]


def _bought(more: Kept) -> str:
    return ", ".join(_chances(more) or [_mean(more)])


def _mean(kept: Kept) -> str:
    return f"Mean total {kept.mean:.2f}"


def _reach(reach: int) -> str:
    return "past d12" if reach == PAST else f"d{SIZES[reach]} or more"


def _percent(chance: float) -> str:
    return f"{100 * chance:.1f}%"
