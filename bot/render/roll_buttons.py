"""What can be done with a roll: two rows of buttons, each of use to somebody (R4, H4, T2, T6)."""

from bot.render.card import Button, Tone
from bot.render.foes import roll_turn
from bot.render.roll import OTHER_DICE, choice_sign, choice_words, share_sign, share_words
from rules.cortex import hero, outcome, pools, strike
from rules.cortex.apply import can_recover, hitches, open_effects, step_shares
from rules.cortex.exchange import is_waiting
from rules.cortex.hitches import opportunities, ways
from rules.cortex.lent import gone_back, lent
from rules.cortex.reroll import is_fixed
from rules.cortex.roll import is_bare, rules_of
from rules.cortex.ruleset import Opportunities
from rules.cortex.sfx_use import usable
from rules.cortex.spend import (
    can_effect,
    can_hero,
    can_total,
    can_trade,
    over_limit,
    paid_choice,
    purses_of,
    version,
)
from rules.cortex.table import Hand, Roll, Table, key
from rules.dice import write

MOST_CHOICES = 5
"""A roll shows this many other choices as buttons, the paid one among them."""


def roll_rows(table: Table, roll: Roll) -> tuple[tuple[Button, ...], ...]:
    """The buttons under a roll; none when it is closed."""
    if table.rolls.get(roll.number) is None:
        return ()
    return tuple(row for row in (_choices(table, roll), _deeds(table, roll)) if row)


def _choices(table: Table, roll: Roll) -> tuple[Button, ...]:
    """The other choices, and the one that a PP buys if it betters the verdict."""
    lasting = [*_banking(table, roll), *_going_back(table, roll)]
    if roll.answered:
        return tuple(lasting[:MOST_CHOICES])
    handing = roll_turn(table, roll)
    if roll.applied:
        return tuple([*lasting, *handing][:MOST_CHOICES])
    paid = None if is_bare(table) or not can_pay(table, roll) else paid_choice(table, roll)
    row = [*_sharing(table, roll), *lasting]
    if paid is not None:
        row.insert(
            0, Button(f"{choice_words(paid)} for 1 PP", "buykeep", roll.number, version(roll), Tone.MAIN)
        )
    if handing and not open_effects_of_roller(table, roll):
        return tuple([*row, *handing][:MOST_CHOICES])
    other = [Button(OTHER_DICE, "otherdice", roll.number)] if can_pick(roll.hand) else []
    kept = outcome.kept(roll.hand)
    others = [choice for choice in outcome.choices(roll.hand) if choice != kept]
    room = max(0, MOST_CHOICES - len(row) - len(other))
    listed = [Button(choice_words(c), "keep", roll.number, choice_sign(c)) for c in others[:room]]
    return tuple([*listed, *row, *other][:MOST_CHOICES])


def can_pick(hand: Hand) -> bool:
    """Whether other dice than the kept ones could be kept (R1)."""
    return len(outcome.usable(hand)) > outcome.fewest(hand)


def _sharing(table: Table, roll: Roll) -> list[Button]:
    """Another way to share R7's steps among effect dice; where there are several, a form with all (R3)."""
    shares = step_shares(table, roll)
    if len(shares) < 2:
        return []
    rest = [share for share in shares if share != (roll.steps_to if roll.steps_to in shares else shares[0])]
    if len(rest) > 1:
        return [Button(f"Place {sum(shares[0])} steps", "steps", roll.number)]
    return [Button(share_words(table, roll, rest[0]), "step", roll.number, share_sign(rest[0]))]


def _banking(table: Table, roll: Roll) -> list[Button]:
    """The hero die that a heroic success may bank at once (Z1)."""
    size = hero.bankable(table, roll)
    return [Button(f"Bank d{size}", "bank", roll.number, tone=Tone.GOOD)] if size else []


def _going_back(table: Table, roll: Roll) -> list[Button]:
    """The dice that came from doom, to go back there stepped up (D4)."""
    return [
        Button(f"Back to doom {write(gone_back(table, size))}", "backtodoom", roll.number, str(place))
        for place, size in lent(table, roll)
    ]


def open_effects_of_roller(table: Table, roll: Roll) -> bool:
    """Whether the roller still has an effect die to use."""
    how = outcome.verdict(roll)
    is_lost = how is not None and how.result is outcome.Result.FAILURE
    return not is_lost and bool(open_effects(table, roll))


def _deeds(table: Table, roll: Roll) -> tuple[Button, ...]:
    """What players and the GM may do with the roll now."""
    number = roll.number
    if is_bare(table):
        return (Button("Reroll", "reroll", number, version(roll)),)
    row = _applying(table, roll)
    if can_recover(table, roll):
        row = [Button("Apply", "recover", number, tone=Tone.MAIN)]
    if can_spend(table, roll):
        row.append(Button("Spend", "spend", number, version(roll)))
    bought = ways(table, roll)
    if bought:
        row.append(Button(f"Hitches: {len(hitches(roll))}", "hitches", number))
    left = opportunities(roll)
    if left and rules_of(table, roll).opportunities is Opportunities.TRAITS and _has_targets(table):
        row.append(Button(f"Opportunities: {len(left)}", "seize", number))
    if can_oppose(roll):
        row.append(Button("Oppose", "oppose" if roll.against is None else "counter", number))
    if is_waiting(table, roll):
        row.append(Button("Roll against", "answer", number, str(roll.contest), Tone.GOOD))
        row.append(Button("Give in", "givein", number, str(roll.contest)))
    elif roll.gm and not roll.contest:
        row.append(Button("Roll against", "against", number, tone=Tone.GOOD))
    return tuple(row[:5])


def _applying(table: Table, roll: Roll) -> list[Button]:
    """`Apply` for each effect die; on a boss also as something else than is usual (B1)."""
    usable = _usable(table, roll)
    row = [Button(f"Apply d{e.size}", "apply", roll.number, str(e.place), Tone.MAIN) for e in usable]
    target = strike.target_of(table, roll)
    if row and target is not None and strike.is_boss(table, target):
        row = [row[0], Button("Apply as", "applyas", roll.number, str(usable[0].place))]
    return row


def can_spend(table: Table, roll: Roll) -> bool:
    """Whether a PP or a doom die could buy anything for the roll."""
    if not roll.applied and not roll.answered and can_trade(roll, rules_of(table, roll)):
        return True
    if not roll.applied and not roll.answered and usable(table, roll):
        return True
    if roll.applied or roll.answered or not can_pay(table, roll):
        return False
    is_over = bool(over_limit(roll, rules_of(table, roll)))
    return (
        roll.gm
        or can_total(roll)
        or can_effect(roll)
        or is_over
        or can_hero(table, roll)
        or (rules_of(table, roll).reroll_for_pp and not all(map(is_fixed, roll.hand.dice)))
    )


def can_oppose(roll: Roll) -> bool:
    """Whether the GM could give the roll its opposition, or choose for it."""
    if roll.applied or roll.gm or roll.recovery is not None or roll.contest:
        return False
    if roll.against is None:
        return True
    hand = roll.against.hand
    return hand is not None and not roll.against.roll and can_pick(hand)


def _usable(table: Table, roll: Roll) -> list[outcome.Effect]:
    return [] if roll.recovery is not None else open_effects(table, roll)[:2]


def can_pay(table: Table, roll: Roll) -> bool:
    """Whether the roller has a PP, or the GM a die to pay with (P2, M4)."""
    if roll.gm:
        purses = purses_of(table, roll)
        return not purses or any(pools.dice(table, purse) for purse in purses)
    character = table.characters.get(key(roll.who))
    return character is not None and character.pp > 0


def _has_targets(table: Table) -> bool:
    people = (*table.characters.values(), table.scenery)
    return any(p.complications or p.stress or any(a.die < 12 for a in p.assets.values()) for p in people)
