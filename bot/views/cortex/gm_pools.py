"""GM pools, contests and turns as text, and what waits in Cortex."""

from collections.abc import Iterator

from bot.language import later, say, say_of
from bot.language.line import Text, code, joined, nothing, strong, together
from bot.views.cortex.labels import FOES, RANKS, pool_title, pool_words
from bot.views.cortex.roll import summed_up
from bot.views.game import Since, Waiting, What
from bot.views.labels import listed, sizes, unrolled_dice
from bot.views.waiting import GM, PLAYERS, newest
from rules.cortex import challenge, gm_pools, outcome, points, pool, turn
from rules.cortex.challenge import is_its_turn
from rules.cortex.effects import can_recover, hitches, open_effects, winner
from rules.cortex.hitches import has_touchable, opportunities, ways
from rules.cortex.kinds import Foe, Target
from rules.cortex.model import CORTEX, Challenge, Contest, Roll, TurnOrder
from rules.cortex.outcome import Outcome
from rules.cortex.roll_status import is_in_doubt, resolve
from rules.cortex.ruleset import Opportunities
from rules.cortex.turn import stamp
from rules.errors import SettingOff
from rules.names import key
from rules.table import Character, Pace, Table

MOST_BUTTONS = 10
"""A view offers this many things to roll against; the others go by command."""


def off_line(foe: Foe) -> Text:
    """Return the line that says what is off in this campaign, and which setting turns it on."""
    kind = gm_pools.FOES[foe]
    example = SettingOff(kind.off, setting=kind.setting).command
    return nothing(say("{what} Example: {example}", what=say(kind.off), example=code(example)))


def crisis_lines(table: Table) -> list[Text]:
    """Return a line per crisis: `Crisis Fire: d6 d8`."""
    here = CORTEX.of(table)
    if not here.ruleset.crisis:
        return [off_line(Foe.CRISIS)]
    lines = [pool_line(table, Target(Foe.CRISIS, one)) for one in here.crises]
    return with_others(lines, len(lines)) or [
        nothing(say("There are no {crisis.many} yet. Example: /crisis new name:Fire dice:d6 d8"))
    ]


def challenge_lines(table: Table) -> list[Text]:
    """Return a line per challenge, with round and turn: `Challenge Storm: 2d8 d10, round 2`."""
    here = CORTEX.of(table)
    if not here.ruleset.challenges:
        return [off_line(Foe.CHALLENGE)]
    lines = [line for one in here.challenges.values() for line in challenge_words(table, one)]
    return lines or [
        nothing(say("There are no {challenge.many} yet. Example: /challenge new name:Storm difficulty:hard"))
    ]


def with_others(lines: list[Text], count: int) -> list[Text]:
    """Return a view's lines, and one about the entries that have no button if there are too many."""
    if count <= MOST_BUTTONS:
        return lines
    return [
        *lines,
        say(
            "To roll against a target without a button, name it in your roll. Example: /roll dice:2d6 "
            "d8 vs:Fire"
        ),
    ]


def gmc_words(gmc: Character) -> list[Text]:
    """Return a GMC as lines: its kind, boss or mob dice, and traits."""
    own = CORTEX.has(gmc)
    line = gmc_line(gmc)
    if own.sheet:
        held = ", ".join(f"{trait.label} {pool.write(trait)}" for trait in own.sheet.values())
        line = say("{who}. Traits: {traits}", who=line, traits=held)
    return [line]


def gmc_line(gmc: Character, before: Since = None) -> Text:
    """Return a GMC without traits: `Warden: 3d8 (boss)`; bold where that isn't as before."""
    own = CORTEX.has(gmc)
    dice = (
        together(": ", unrolled_dice(size for size, count in own.pool.items() for _ in range(count)))
        if own.pool
        else ""
    )
    was = before.characters.get(key(gmc.name)) if before else None
    is_same = was is not None and CORTEX.has(was).pool == own.pool
    name = together(strong(gmc.name), dice) if is_same else strong(together(gmc.name, dice))
    line = together(name, " (", say(RANKS[own.rank]) if own.rank else say("{gmc.One}"), ")")
    return say("{who}, not in the {scene.one}", who=line) if gmc.away else line


def hero_lines(table: Table) -> list[Text]:
    """Return a line per character with hero dice."""
    people = [c for c in table.characters.values() if CORTEX.has(c).hero]
    if people:
        return [hero_words(c) for c in people]
    if not CORTEX.of(table).ruleset.has_hero_dice:
        return [nothing(say(points.off().sentence))]
    return [nothing(say("Nobody has any {hero_die.many} yet."))]


def hero_words(character: Character) -> Text:
    """Return a character's hero dice: `Alice: hero dice d8`."""
    return say("{who}: {hero_die.many} {dice}", who=character.name, dice=sizes(points.dice(character)))


def turn_lines(table: Table) -> list[Text]:
    """Return the turn order: whose turn it is, and who is left in this round."""
    here = CORTEX.of(table)
    if here.order is None:
        return [nothing(say("There's no turn order yet. Example: /turn start who:Alice"))]
    return [joined(". ", [*_standing(table, here.order, gmcs=True), _of_round(here.order)])]


def contest_lines(table: Table) -> list[Text]:
    """Return a line per contest: who has to answer whom."""
    return [contest_words(each) for each in CORTEX.of(table).contests.values() if not each.closing]


def contest_words(contest: Contest) -> Text:
    """Return a contest: `Contest Alice against Rex, for the map: Rex is to beat 15 (2 rolls)`."""
    sides = say("Contest {one} against {other}", one=contest.sides[0], other=contest.sides[1])
    if contest.note:
        sides = say("{contest} ({note})", contest=sides, note=contest.note)
    return say_of(
        contest.exchanges,
        "{contest}: {who} must beat {total} ({count} roll so far)",
        "{contest}: {who} must beat {total} ({count} rolls so far)",
        contest=sides,
        who=contest.waiting,
        total=outcome.total(contest.hand),
    )


def _open_contests(table: Table) -> list[Text]:
    """Contests as the table has them, a phone's line each: `Contest Alice and Rex: Rex is to beat 15`."""
    return [
        say(
            "Contest {one} and {other}: {who} must beat {total}",
            one=each.sides[0],
            other=each.sides[1],
            who=each.waiting,
            total=outcome.total(each.hand),
        )
        for each in CORTEX.of(table).contests.values()
        if not each.closing
    ]


def pool_lines(table: Table) -> list[Text]:
    """Return a line per named pool: `Pool Escape: Mind d10, 2d6`; shared pools with their opposition."""
    pools = CORTEX.of(table).pools.values()
    lines = [say("Pool {name}: {dice}", name=pool.name, dice=pool_words(pool)) for pool in pools]
    return lines or [nothing(say("There are no named pools yet. Example: /pool add name:Escape dice:2d8"))]


def split_line(table: Table) -> list[Text]:
    """Return the line with the parts of a split group; none if no group is split."""
    here = CORTEX.of(table)
    return [say("Split: {groups}", groups=joined("; ", map(listed, here.split)))] if here.split else []


def foe_lines(table: Table, before: Since = None) -> list[Text]:
    """Return the lines for GM pools besides doom and crises, and for turns, in the table's overview.

    What isn't as it was on the table `before` is emphasized.
    """
    here = CORTEX.of(table)
    lines: list[Text] = []
    if here.ruleset.challenges:
        lines += [line for one in here.challenges.values() for line in challenge_words(table, one, before)]
    if here.order is not None:
        lines += turn_lines(table)
    loose = _loose_lines(table)
    if before and loose:
        were = _loose_lines(before)
        loose = [line if line in were else strong(line) for line in loose]
    return lines + loose


def _loose_lines(table: Table) -> list[Text]:
    """Named pools, contests and a split group."""
    pools = pool_lines(table) if CORTEX.of(table).pools else []
    return [*pools, *_open_contests(table), *split_line(table)]


def challenge_words(table: Table, running: Challenge, before: Since = None) -> list[Text]:
    """Return a challenge as lines: its dice, its round, whose turn it is, and who is left.

    Dice and round are emphasized, on a table that was shown `before` only if they have changed.
    """
    pool, now = pool_line(table, Target(Foe.CHALLENGE, key(running.name))), running.order.round
    line = say("{pool}, round {round}", pool=pool, round=now)
    if running.rounds:
        line = say("{pool}, round {round} of {rounds}", pool=pool, round=now, rounds=running.rounds)
    was = CORTEX.of(before).challenges.get(key(running.name)) if before else None
    if was is None or (was.dice, was.order.round) != (running.dice, now):
        line = strong(line)
    if running.against in table.characters:
        who = table.characters[running.against].name
        return [say("{challenge}. It acts against {who}; they roll first", challenge=line, who=who)]
    if challenge.is_its_turn(table, running):
        return [say("{challenge}. Everyone else has acted; now it acts", challenge=line)]
    return [joined(". ", [line, *_standing(table, running.order, gmcs=False)])]


def _standing(table: Table, order: TurnOrder, *, gmcs: bool) -> list[Text]:
    """Whose turn it is, and who is left in the round: `Turn: Rook, then Wisp`."""
    now = table.characters.get(order.turn)
    left = [table.characters[one].name for one in turn.left(table, order, gmcs=gmcs)]
    if now is None:
        asks = say("Who is next?") if order.acted else say("Who is first?")
        by = turn.namer(table, order)
        waits = [say("Still to go this round: {names}", names=listed(left))] if left and order.acted else []
        return [*waits, say("{asks} {who} or the {gm.one} decides", asks=asks, who=by) if by else asks]
    if order.turn in order.acted:
        line = say("Turn: {who} (has acted)", who=strong(now.name))
    else:
        line = say("Turn: {who}", who=strong(now.name))
    return [say("{turn}, then {names}", turn=line, names=listed(left)) if left else line]


def _of_round(order: TurnOrder) -> Text:
    return say("Round {round}", round=order.round)


def pool_line(table: Table, pool: Target) -> Text:
    """Return a GM pool: `Doom pool: 2d6`, `Crisis Fire: d6 d8`."""
    return together(pool_title(gm_pools.called(table, pool)), ": ", unrolled_dice(gm_pools.dice(table, pool)))


def name_of(table: Table, target: Target) -> str:
    """Return the name of something that can be rolled against."""
    return FOES[target.foe].name or gm_pools.called(table, target).name


class CortexWhat(What):
    """The kinds of things that wait, each as singular and plural."""

    HITCH = later("{count} {hitch.one}"), later("{count} {hitch.many}")
    OPPORTUNITY = later("{count} {opportunity.one}"), later("{count} {opportunity.many}")
    EFFECT = later("{count} effect"), later("{count} effects")
    RECOVERY = later("{count} recovery"), later("{count} recoveries")
    ANSWER = later("{count} answer"), later("{count} answers")
    ACT = later("{count} act"), later("{count} acts")
    TURN = later("{count} turn"), later("{count} turns")
    OPPOSITION = later("{count} opposition"), later("{count} oppositions")
    RULING = later("{count} ruling"), later("{count} rulings")


def find_waiting(table: Table) -> Iterator[Waiting]:
    """Yield everything that waits for somebody."""
    for roll in CORTEX.of(table).rolls.values():
        if _is_latest(table, roll):
            yield from _of(table, roll)
    yield from _contests(table)
    yield from _challenges(table)
    yield from _turns(table)


def earlier_hitches(table: Table) -> Iterator[Waiting]:
    """Yield the hitches that nobody has activated of rolls whose roller has rolled again (H1)."""
    for roll in CORTEX.of(table).rolls.values():
        if hitches(roll) and not _is_latest(table, roll) and not is_in_doubt(table, roll):
            came = resolve(table, roll)
            if ways(table, came):
                yield Waiting(roll.who, CortexWhat.HITCH, len(hitches(roll)), summed_up(came), roll.number)


def _is_latest(table: Table, roll: Roll) -> bool:
    """Whether whoever rolled has rolled in no other matter since; rolls of one contest are one matter."""
    last = newest(table, roll.who)
    other = CORTEX.of(table).rolls.get(last)
    return last == roll.number or (bool(roll.contest) and other is not None and other.contest == roll.contest)


def _of(table: Table, roll: Roll) -> Iterator[Waiting]:
    came = resolve(table, roll)
    of = summed_up(came)
    of = say("{roll} for {note}", roll=of, note=roll.note) if roll.note else of
    if is_in_doubt(table, roll):
        yield Waiting(GM, CortexWhat.RULING, 1, of, roll.number)
        return
    if ways(table, came):
        yield Waiting(GM, CortexWhat.HITCH, len(hitches(roll)), of, roll.number)
    ones = opportunities(roll) if came.rules.opportunities is Opportunities.TRAITS else ()
    if ones and has_touchable(table):
        yield Waiting(PLAYERS, CortexWhat.OPPORTUNITY, len(ones), of, roll.number)
    if table.gms and table.settings.pace is Pace.POST and is_unopposed(roll):
        yield Waiting(GM, CortexWhat.OPPOSITION, 1, of, roll.number)
    if roll.gm and not roll.contest:
        answered = {
            each.who
            for each in CORTEX.of(table).rolls.values()
            if each.against and each.against.roll == roll.number
        }
        for name in roll.on:
            if name not in answered:
                yield Waiting(name, CortexWhat.ANSWER, 1, of, roll.number)
    if can_recover(table, came):
        yield Waiting(roll.who, CortexWhat.RECOVERY, 1, of, roll.number)
    elif roll.recovery is None and roll.against is not None and (effects := open_effects(table, came)):
        yield Waiting(_effective(table, came), CortexWhat.EFFECT, len(effects), of, roll.number)


def is_unopposed(roll: Roll) -> bool:
    """Return whether a player's roll has no opposition yet and has not been used (T1, T2)."""
    return not (roll.gm or roll.contest or roll.against or roll.recovery or roll.applied)


def _effective(table: Table, came: Outcome) -> str:
    """Whose effect counts: the roller's, the winner's of a contest, or the GM's."""
    if not came.is_opposed:
        return came.roll.who
    won = winner(table, came.roll)
    return won.name if won else GM


def _contests(table: Table) -> Iterator[Waiting]:
    """Whoever is to answer in a contest, once it is known that its last roll stands (T4, C4)."""
    here = CORTEX.of(table)
    for each in here.contests.values():
        last = here.rolls.get(each.roll)
        if not each.closing and not (last is not None and is_in_doubt(table, last)):
            yield Waiting(each.waiting, CortexWhat.ANSWER, 1, contest_words(each), each.roll)


def _challenges(table: Table) -> Iterator[Waiting]:
    """Whom a challenge acts against, and the GM where it is to act (L2, L4)."""
    for one in CORTEX.of(table).challenges.values():
        called_ = said_of(one)
        if one.against in table.characters:
            name = table.characters[one.against].name
            yield Waiting(name, CortexWhat.ANSWER, 1, called_, stamp=stamp(one.order))
        elif is_its_turn(table, one):
            yield Waiting(GM, CortexWhat.ACT, 1, called_, stamp=stamp(one.order))


def said_of(challenge: Challenge) -> Text:
    """Return the name of a challenge in the list of what waits."""
    return say("{challenge.One} {name}", name=challenge.name)


def _turns(table: Table) -> Iterator[Waiting]:
    """Whose turn it is, where people play by post; of the GM's own the GM."""
    here = CORTEX.of(table)
    if table.settings.pace is not Pace.POST:
        return
    orders = [(say("the turn order"), here.order)] if here.order else []
    orders += [(said_of(one), one.order) for one in here.challenges.values()]
    for of, order in orders:
        who = table.characters.get(order.turn)
        if who is not None:
            yield Waiting(GM if who.gmc else who.name, CortexWhat.TURN, 1, of, stamp=stamp(order))
