"""What the GM brings, in words and buttons: crises, challenges, GMCs, contests, whose turn it is."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from bot.render.build import shared_rows
from bot.render.card import Button, Tone, mark
from rules.cortex import challenge, hero, outcome, pools, turn
from rules.cortex.contest import may_answer
from rules.cortex.facts import ActsAgainst, NamedPoolChanged, PassedOver, PoolChanged, Seated, TurnCame
from rules.cortex.named_pool import words
from rules.cortex.opposition import targets
from rules.cortex.reasons import Called
from rules.cortex.result import Fact
from rules.cortex.scene import ended_scenes
from rules.cortex.seats import Actor
from rules.cortex.table import Challenge, Character, Contest, Foe, Order, Roll, Table, Target, key
from rules.dice import write
from rules.names import listed

MOST_IN_ROW = 5
"""A row holds this many buttons."""
MOST_BUTTONS = 10
"""A view offers this many things to roll against; the others go by command."""
TURN_ORDER = "turn"
"""The sign of the turn order, where a challenge has its own."""


def crisis_lines(table: Table) -> list[str]:
    """Every crisis: `Crisis Fire: d6 d8`."""
    if not table.ruleset.crisis:
        return [pools.off(Foe.CRISIS)]
    lines = [_line(table, Target(Foe.CRISIS, one)) for one in table.crises]
    return _with_others(lines) or ["There is no crisis. Example: /crisis new name:Fire dice:d6 d8"]


def challenge_lines(table: Table) -> list[str]:
    """Every challenge with its round and whose turn it is: `Challenge Storm: 2d8 d10, round 2`."""
    if not table.ruleset.challenges:
        return [pools.off(Foe.CHALLENGE)]
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


def fact_rows(table: Table, facts: Sequence[Fact]) -> tuple[tuple[Button, ...], ...]:
    """What is offered below facts: to roll against what came, to hand on the turn."""
    buttons: list[Button] = []
    faced_now: list[Target] = []
    for fact in facts:
        if isinstance(fact, TurnCame | PassedOver | ActsAgainst):
            pool = _there(table, fact.of)
            buttons += challenge_buttons(table, pool) if pool else turn_buttons(table) if not fact.of else []
        elif isinstance(fact, Seated):
            faced_now.append(Target(Foe.GMC, key(fact.who)))
        elif isinstance(fact, PoolChanged):
            pool = _there(table, fact.pool)
            faced_now += [pool] if pool and pool.foe is Foe.CRISIS else []
    below = rows(dict.fromkeys([*buttons, *face_buttons(table, list(dict.fromkeys(faced_now)))]))
    gathered = [table.pools.get(key(fact.pool.name)) for fact in facts if isinstance(fact, NamedPoolChanged)]
    return (*below, *(row for pool in gathered if pool and pool.who for row in shared_rows(pool)))


def view_rows(table: Table, view: str, actor: Actor | None = None) -> tuple[Button, ...]:
    """`Roll against` for what a view shows, as many as there is room for; for one person, what they may."""
    match view:
        case "crisis":
            found = [Target(Foe.CRISIS, one) for one in table.crises] if table.ruleset.crisis else []
        case "gmc":
            found = [Target(Foe.GMC, k) for k, c in table.characters.items() if c.gmc and not c.away]
        case "challenge":
            shown = table.challenges if table.ruleset.challenges else {}
            if len(shown) == 1:
                return tuple(
                    challenge_buttons(table, Target(Foe.CHALLENGE, next(iter(shown))))[:MOST_BUTTONS]
                )
            several = [_first_button(table, Target(Foe.CHALLENGE, one)) for one in shown]
            return tuple(button for button in several if button)[:MOST_BUTTONS]
        case "contest":
            going = {n: c for n, c in table.contests.items() if not c.closing}
            mine = [n for n, c in going.items() if actor is None or may_answer(table, actor, c.waiting)]
            return tuple(button for n in mine for button in _answering(n, going[n]))[:MOST_BUTTONS]
        case "turn":
            return tuple(turn_buttons(table)[:MOST_BUTTONS])
        case _:
            found = []
    return tuple(face_buttons(table, found[:MOST_BUTTONS], named=True))


def _first_button(table: Table, pool: Target) -> Button | None:
    """What a challenge waits for most, with its name: a roll, its act, or a reaction to it."""
    found = challenge_buttons(table, pool)
    name = table.challenges[pool.key].name
    return replace(found[0], label=f"{found[0].label} ({name})") if found else None


def face_buttons(table: Table, found: Sequence[Target], *, named: bool = False) -> list[Button]:
    """`Roll against` for each of these."""
    found = [target for target in found if pools.is_there(table, target)]
    return [
        Button(
            f"Roll against {_name(table, target)}" if named or len(found) > 1 else "Roll against",
            "face",
            ended_scenes(table),
            face_sign(_name(table, target)),
            Tone.GOOD,
        )
        for target in found
        if targets(table).get(_name(table, target)) == target
    ]


def face_sign(name: str) -> str:
    """The sign of something that can be rolled against."""
    return mark(name)


def faced(table: Table, sign: str) -> str:
    """The name of what that sign means; nothing where it is gone."""
    return next((name for name in targets(table) if mark(name) == sign), "")


def challenge_buttons(table: Table, pool: Target) -> list[Button]:
    """What a challenge waits for: a roll against it, who is next, its own act, or a reaction to it."""
    running = table.challenges[pool.key]
    sign = mark(pool.key)
    if running.against in table.characters:
        return [Button("Roll against", "react", ended_scenes(table), sign, Tone.GOOD)]
    order = running.order
    act = Button("Act", "act", ended_scenes(table), f"{sign}:{turn.stamp(order)}", Tone.MAIN)
    if challenge.is_its_turn(table, running):
        return [act]
    roll = Button("Roll against", "face", ended_scenes(table), face_sign(running.name), Tone.GOOD)
    is_open = bool(order.turn) and order.turn not in order.acted
    following = _next(table, order, challenge.left(table, pool), sign)
    return [*([roll] if is_open else []), *(following or ([act] if is_open else []))]


def turn_buttons(table: Table) -> list[Button]:
    """Who can be named next in the turn order."""
    return _next(table, table.order, turn.candidates(table), TURN_ORDER) if table.order else []


def roll_turn(table: Table, roll: Roll) -> list[Button]:
    """Under a roll that was a turn in a challenge, or a reaction to one: what the challenge waits for now."""
    target = None if roll.against is None else roll.against.target
    if target is None or target.foe is not Foe.CHALLENGE or target.key not in table.challenges:
        return []
    order = table.challenges[target.key].order
    is_reaction = roll.against is not None and roll.against.acts
    is_latest = order.turn == key(roll.who) and order.turn in order.acted
    if not is_latest and not (is_reaction and not order.turn and not order.acted):
        return []
    return challenge_buttons(table, target)[:MOST_IN_ROW]


def rows(buttons: Iterable[Button]) -> tuple[tuple[Button, ...], ...]:
    """Buttons in two rows, ten at most."""
    all_of = list(buttons)
    return tuple(tuple(all_of[n : n + MOST_IN_ROW]) for n in range(0, min(len(all_of), 10), MOST_IN_ROW))


def _answering(number: int, contest: Contest) -> tuple[Button, Button]:
    """`Roll against` and `Give in` for whoever is to answer in a contest."""
    leader = contest.sides[contest.leader]
    return (
        Button(f"Roll against {leader}: {contest.waiting}", "answer", contest.roll, str(number), Tone.GOOD),
        Button(f"Give in: {contest.waiting}", "givein", contest.roll, str(number)),
    )


def _next(table: Table, order: Order, who: Sequence[str], sign: str) -> list[Button]:
    """`Next: Bob` for each who can be named; past four, `Next: another` asks for the name."""
    at = f"{sign}:{turn.stamp(order)}"
    shown = who if len(who) <= MOST_IN_ROW - 1 else who[: MOST_IN_ROW - 2]
    names = [table.characters[one].name for one in shown]
    found = [Button(f"Next: {name}", "next", ended_scenes(table), f"{at}:{mark(name)}") for name in names]
    if len(who) > len(shown):
        found.append(Button("Next: another", "another", ended_scenes(table), at))
    return found


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
    return f"{pools.title(table, pool)}: {write(pools.dice(table, pool))}"


def _there(table: Table, called: Called | None) -> Target | None:
    """The crisis or challenge that a fact tells of, if it is still there."""
    pool = Target(called.foe, key(called.name)) if called else None
    is_local = pool is not None and pool.foe in (Foe.CRISIS, Foe.CHALLENGE)
    return pool if pool is not None and is_local and pools.is_there(table, pool) else None


def _name(table: Table, target: Target) -> str:
    match target.foe:
        case Foe.DOOM:
            return "doom"
        case Foe.CRISIS:
            return table.crises[target.key].name
        case Foe.CHALLENGE:
            return table.challenges[target.key].name
        case Foe.GMC:
            return table.characters[target.key].name
