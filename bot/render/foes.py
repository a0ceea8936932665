"""What the GM brings, in words: crises, challenges, GMCs, contests, whose turn it is."""

from rules.cortex import challenge, gm_pools, hero, outcome, turn
from rules.cortex.named_pool import words
from rules.dice import write
from rules.names import listed
from rules.table import Challenge, Character, Contest, Foe, Order, Table, Target, key

MOST_IN_ROW = 5
"""A row holds this many buttons."""
MOST_BUTTONS = 10
"""A view offers this many things to roll against; the others go by command."""


def crisis_lines(table: Table) -> list[str]:
    """Every crisis: `Crisis Fire: d6 d8`."""
    if not table.ruleset.crisis:
        return [gm_pools.off(Foe.CRISIS)]
    lines = [_line(table, Target(Foe.CRISIS, one)) for one in table.crises]
    return _with_others(lines) or ["There is no crisis. Example: /crisis new name:Fire dice:d6 d8"]


def challenge_lines(table: Table) -> list[str]:
    """Every challenge with its round and whose turn it is: `Challenge Storm: 2d8 d10, round 2`."""
    if not table.ruleset.challenges:
        return [gm_pools.off(Foe.CHALLENGE)]
    lines = [line for one in table.challenges.values() for line in _challenge(table, one)]
    return lines or ["There is no challenge. Example: /challenge new name:Storm difficulty:hard"]


def gmc_lines(table: Table) -> list[str]:
    """Every GMC with its dice."""
    lines = [line for c in table.characters.values() if c.gmc for line in gmc_words(c)]
    return _with_others(lines) or ["There is no GMC. Example: /gmc new name:Rex dice:Fangs d10, 4d10"]


def _with_others(lines: list[str]) -> list[str]:
    """Lines of a view, and what to do about those that have no button."""
    if len(lines) <= MOST_BUTTONS:
        return lines
    return [*lines, "The others are rolled against by name. Example: /roll dice:2d6 d8 vs:Fire"]


def gmc_words(gmc: Character) -> list[str]:
    """A GMC: of which kind, its boss or mob dice, its traits."""
    kind = f" ({gmc.rank})" if gmc.rank else " (GMC)"
    away = ", not in the scene" if gmc.away else ""
    sizes = f": {write(size for size, count in gmc.pool.items() for _ in range(count))}" if gmc.pool else ""
    held = f". Traits: {', '.join(f'{t.label} d{t.die}' for t in gmc.sheet.values())}" if gmc.sheet else ""
    return [f"{gmc.name}{sizes}{kind}{away}{held}"]


def hero_lines(table: Table) -> list[str]:
    """Everybody's hero dice."""
    people = [c for c in table.characters.values() if c.hero]
    return [hero_words(c) for c in people] or ["Nobody has hero dice. Example: /hero give who:Alice die:d8"]


def hero_words(character: Character) -> str:
    """Somebody's hero dice: `Alice: hero dice d8`."""
    return f"{character.name}: hero dice {write(hero.dice(character))}"


def turn_lines(table: Table) -> list[str]:
    """The turn order: whose turn it is, and who is left in this round."""
    if table.order is None:
        return ["There is no turn order. Example: /turn start who:Alice"]
    return [f"{turn.NAME}, round {table.order.round}{_standing(table, table.order, gmcs=True)}"]


def contest_lines(table: Table) -> list[str]:
    """Every contest: who is to answer whom."""
    return [contest_words(each) for each in table.contests.values() if not each.closing]


def contest_words(contest: Contest) -> str:
    """A contest: `Contest Alice against Rex, for the map: Rex is to beat 15 (2 rolls)`."""
    about = f", for {contest.note}" if contest.note else ""
    rolls = "1 roll" if contest.exchanges == 1 else f"{contest.exchanges} rolls"
    total = outcome.total(contest.hand)
    return f"Contest {' against '.join(contest.sides)}{about}: {contest.waiting} is to beat {total} ({rolls})"


def pool_lines(table: Table) -> list[str]:
    """Every named pool: `Pool Escape: Mind d10, 2d6`; a shared one with what it is to be rolled against."""
    lines = [f"Pool {pool.name}: {words(pool)}" for pool in table.pools.values()]
    return lines or ["There is no named pool. Example: /pool add name:Escape dice:2d8"]


def split_line(table: Table) -> list[str]:
    """The groups of a group that is split."""
    return [f"Split: {'; '.join(listed(group) for group in table.split)}"] if table.split else []


def foe_lines(table: Table) -> list[str]:
    """Everything the GM has against the players besides doom, as the table shows it."""
    lines = crisis_lines(table) if table.ruleset.crisis and table.crises else []
    if table.ruleset.challenges and table.challenges:
        lines += challenge_lines(table)
    if table.order is not None:
        lines += turn_lines(table)
    lines += pool_lines(table) if table.pools else []
    return lines + contest_lines(table) + split_line(table)


def _challenge(table: Table, running: Challenge) -> list[str]:
    of = f" of {running.rounds}" if running.rounds else ""
    line = f"{_line(table, Target(Foe.CHALLENGE, key(running.name)))}, round {running.order.round}{of}"
    if running.against in table.characters:
        return [f"{line}. It acts against {table.characters[running.against].name}, who rolls first"]
    if challenge.is_its_turn(table, running):
        return [f"{line}. It is its own turn to act"]
    return [line + _standing(table, running.order, gmcs=False)]


def _standing(table: Table, order: Order, *, gmcs: bool) -> str:
    """Whose turn it is, and who is left in the round."""
    now = table.characters.get(order.turn)
    waiting = [table.characters[one].name for one in turn.left(table, order, gmcs=gmcs)]
    left = f". Left in this round: {listed(waiting)}" if waiting else ""
    if now is None:
        by = f" {turn.namer(table, order)} or the GM says." if turn.namer(table, order) else ""
        return f"{left}. Who is {'first' if not order.acted else 'next'}?{by}"
    acted = ", who has acted" if order.turn in order.acted else ""
    return f". It is the turn of {now.name}{acted}{left}"


def _line(table: Table, pool: Target) -> str:
    return f"{gm_pools.title(table, pool)}: {write(gm_pools.dice(table, pool))}"


def name_of(table: Table, target: Target) -> str:
    """The name of something that can be rolled against."""
    match target.foe:
        case Foe.DOOM:
            return "doom"
        case Foe.CRISIS:
            return table.crises[target.key].name
        case Foe.CHALLENGE:
            return table.challenges[target.key].name
        case Foe.GMC:
            return table.characters[target.key].name
