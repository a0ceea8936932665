"""What a roll comes to: choices of dice, verdict and effect (R1 to R8)."""

from bisect import bisect
from collections.abc import Iterable, Sequence
from itertools import combinations_with_replacement
from operator import ge

from rules.cortex.kinds import Foe, Result, Verdict
from rules.cortex.model import Against, Hand, Roll
from rules.cortex.ruleset import PRIME, EffectBy, NoDieLeft, PastD12, Ruleset
from rules.dice import SIZES, Ladder
from rules.errors import NotAllowed, TooLate
from rules.text import Phrase, Words, counted
from rules.values import Value, replace


class KeepChoice(Value):
    """One way to keep dice: which dice form the total and the effect, and what they come to.

    `total_at` and `effects_at` are indices into the hand's dice. `effects` are sizes, largest first,
    and include the d4 of a hand with no die left for the effect (R3).

    >>> KeepChoice(11, (8, 6), (0, 1), (2, 3)).effect
    8
    """

    total: int
    effects: tuple[int, ...]
    total_at: tuple[int, ...]
    effects_at: tuple[int, ...]

    @property
    def effect(self) -> int:
        """The size of the first effect die; 0 where the table plays without effects (N10)."""
        return self.effects[0] if self.effects else 0


def usable(hand: Hand) -> list[int]:
    """Return the indices of the dice that can be kept (R1, R2)."""
    return [place for place, die in enumerate(hand.dice) if die.is_usable]


def is_botch(hand: Hand) -> bool:
    """Whether every die left shows a 1 (R5)."""
    if any(die.face > die.low and not (die.removed or die.is_handed or die.apart) for die in hand.dice):
        return False
    return any(not (die.removed or die.is_handed or die.apart) for die in hand.dice)


def choices(hand: Hand) -> tuple[KeepChoice, ...]:
    """Return every choice that no other is better than, the highest total first (R4)."""
    # The lowest first, which is what an effect die costs least; of equal faces the last.
    places = sorted(usable(hand), key=lambda place: (hand.dice[place].face, -place))
    most = min(most_effects(hand), max(0, len(places) - fewest(hand)))
    there, more = sorted({hand.dice[place].size for place in places}), added(hand)
    if hand.by is EffectBy.ALL_DICE:
        return (_as_choice(hand, tuple(sorted(places)), (), more),)
    found: dict[tuple[int, tuple[int, ...]], KeepChoice] = {}
    # The most first: where a rolled d4 is left, it is the effect, and not the d4 of no die at all (R3).
    # The d4 of no die is none's where one is left (R3), which matters where dice are smaller (N13).
    is_left = most > 0 and len(places) > hand.keep
    for count in reversed(range(is_left, most + 1)):
        for sizes in combinations_with_replacement(there, count):
            choice = _choice(hand, places, sizes, more)
            if choice is not None:
                found.setdefault((choice.total, choice.effects), choice)
    kept: list[KeepChoice] = []
    # What betters a choice comes before it.
    for key in sorted(found, reverse=True):
        if not any(_has_effects(better.effects, key[1]) for better in kept):
            kept.append(found[key])
    return tuple(kept)


def fewest(hand: Hand) -> int:
    """Return how many results have to be kept if that many are usable (R1)."""
    return len(usable(hand)) if hand.by is EffectBy.ALL_DICE else min(hand.least, hand.keep)


def most_effects(hand: Hand) -> int:
    """Return how many rolled dice can be effect dice, not counting a hero die used as one (R3, Z2)."""
    return 0 if hand.by is not EffectBy.DIE else (0 if hand.hero else 1) + hand.effects_bought


def is_without_effects(hand: Hand) -> bool:
    """Whether no die is kept for an effect by this hand's settings (N10)."""
    return hand.by is not EffectBy.DIE


def picked(hand: Hand, total_at: Iterable[int], effects_at: Iterable[int], more: int = 0) -> KeepChoice:
    """Return the choice with these dice as the total and the effect, whether or not R4 lists it (R1).

    `more` effect dice may be kept for steps that the total gives (L3). Raises NotAllowed for a die that
    is used twice and for too many or too few dice; TooLate for a die that cannot be kept.
    """
    totals, effects = sorted(set(total_at)), list(dict.fromkeys(effects_at))
    free = usable(hand)
    if set(totals) & set(effects):
        raise NotAllowed("A die can count toward the total or the effect, not both.")
    if not set(totals) | set(effects) <= set(free):
        raise TooLate("One of those dice can't be kept: it's {hitch.a}, or it's gone.")
    top = len(free) if hand.by is EffectBy.ALL_DICE else hand.keep
    least, most = min(fewest(hand), len(free)), min(top, len(free))
    _check_picked(Words("total"), len(totals), least, most)
    most = min(most_effects(hand) + more, len(free) - len(totals))
    _check_picked(Words("effect"), len(effects), min(1, most), most)
    effects.sort(key=lambda place: -hand.dice[place].size)
    return _as_choice(hand, tuple(totals), tuple(effects), added(hand))


def _check_picked(what: Phrase, count: int, least: int, most: int) -> None:
    """Refuse too few or too many dice for the total or the effect (R1, R3)."""
    if not least <= count <= most:
        number = most if least == most else Words("{least} to {most}", least=least, most=most)
        raise NotAllowed(
            "Choose {dice} for the {what}, not {count}.",
            what=what,
            dice=counted(most, "{number} die", "{number} dice", number=number),
            count=count,
        )


def keep(hand: Hand, choice: KeepChoice) -> Hand:
    """Return the hand with that choice kept."""
    return replace(hand, total=choice.total_at, effects=choice.effects_at)


def kept(hand: Hand) -> KeepChoice:
    """Return the choice that is kept in the hand."""
    return _as_choice(hand, hand.total, hand.effects, added(hand))


def highest(hand: Hand) -> int:
    """Return the highest total that the hand can reach, leaving every other die for the effect (R1)."""
    faces = sorted([die.face for die in hand.dice if die.is_usable])
    kept = faces if hand.by is EffectBy.ALL_DICE else faces[-hand.keep :]
    return max(0, sum(kept) + added(hand))


def total(hand: Hand) -> int:
    """Return the kept results added up, with everything added to them (Z2, N13, N22)."""
    faces = [hand.dice[place].face for place in hand.total]
    if hand.plus or hand.has_apart:
        return _with_added(hand, faces, added(hand))
    return sum(faces) + added(hand)


def added(hand: Hand) -> int:
    """Return what is added to the kept results: hero dice, separate resources, modifiers (Z2, N22, N13)."""
    heroes = sum([die.face for die in hand.dice if die.beside and die.is_counted])
    if hand.plus or hand.has_apart:
        return heroes + apart(hand) + sum([each.number for each in hand.plus])
    return heroes


def apart(hand: Hand) -> int:
    """Return what separately rolled resources add: the highest face of each (N22)."""
    return sum([hand.dice[place].face for place in _highest_apart(hand)])


def always(hand: Hand) -> tuple[int, ...]:
    """Return the indices of dice that always count: hero dice, each resource's highest (Z2, N22)."""
    heroes = tuple(place for place, die in enumerate(hand.dice) if die.is_counted)
    return (*heroes, *_highest_apart(hand)) if hand.has_apart else heroes


def _highest_apart(hand: Hand) -> tuple[int, ...]:
    best: dict[str, int] = {}
    for place, die in enumerate(hand.dice):
        if die.apart and not die.removed:
            other = best.get(die.label)
            if other is None or die.face > hand.dice[other].face:
                best[die.label] = place
    return tuple(best.values())


def _with_added(hand: Hand, faces: Sequence[int], more: int) -> int:
    """Results with what is added to them: never under 0, and a botch stays 0 (R5, N13)."""
    if not faces and more and is_botch(hand):
        return 0
    return max(0, sum(faces) + more)


def _choice(hand: Hand, places: list[int], sizes: tuple[int, ...], more: int) -> KeepChoice | None:
    """The best total beside effect dice of these sizes, which rise; None if there are no such dice.

    The `places` are those of the lowest faces first, `more` is what hero dice add to any total.
    """
    left = places.copy()
    effects_at: list[int] = []
    for size in reversed(sizes):
        of_size = [place for place in left if hand.dice[place].size == size]
        if not of_size:
            return None
        left.remove(of_size[0])
        effects_at.append(of_size[0])
    best = left[-hand.keep :] if hand.keep else []  # `[-0:]` is all of them
    return _as_choice(hand, tuple(sorted(best)), tuple(effects_at), more)


def _as_choice(hand: Hand, total_at: tuple[int, ...], effects_at: tuple[int, ...], more: int) -> KeepChoice:
    dice = hand.dice
    taken = (hand.hero,) if hand.hero else ()
    sizes = (*taken, *[dice[place].size for place in effects_at])
    if not sizes:
        is_usual = hand.by is EffectBy.DIE and hand.no_die is NoDieLeft.D4
        sizes = (SIZES[0],) if is_usual else _no_die(hand)
    faces = [dice[place].face for place in total_at]
    is_bent = hand.plus or hand.has_apart
    whole = _with_added(hand, faces, more) if is_bent else sum(faces) + more
    return KeepChoice(whole, sizes, total_at, effects_at)


def _no_die(hand: Hand) -> tuple[int, ...]:
    """The effect where no die is left for one: a d4, or none (R3); what rolling again gave (N10)."""
    if hand.again:
        rolled = zip(hand.dice, hand.again, strict=False)
        best = max(((face, die.size) for die, face in rolled if face > die.low), default=(0, SIZES[0]))
        return best[1:]
    return (SIZES[0],) if hand.by is EffectBy.DIE and hand.no_die is NoDieLeft.D4 else ()


def _has_effects(ours: tuple[int, ...], theirs: tuple[int, ...]) -> bool:
    """Whether effect dice are as many as others at least, and each as large."""
    return len(ours) >= len(theirs) and all(map(ge, ours, theirs))


class Effect(Value):
    """An effect die after R7: its index among the roll's effect dice, its size, and its steps past d12.

    Steps past d12 that neither take anybody out nor remove a d12 start further effect dice, which
    follow it.
    """

    place: int
    size: int
    past: int = 0
    is_further: bool = False


def placements(
    sizes: tuple[int, ...], steps: int, hit: tuple[int, ...], rules: Ruleset = PRIME
) -> tuple[tuple[int, ...], ...]:
    """Return the ways to share R7's steps among effect dice with different outcomes, best first (R3).

    Against dice that are hit one by one, the best way removes the most; otherwise it makes one effect
    largest.

    >>> placements((8, 6), 1, hit=())
    ((1, 0), (0, 1))
    >>> placements((8, 6), 1, hit=(6, 6))
    ((0, 1), (1, 0))
    >>> placements((8, 8), 2, hit=())
    ((2, 0), (1, 1))
    >>> placements((10,), 3, hit=())
    ((3,),)
    """
    if not steps or not sizes:
        return ((0,) * len(sizes),)  # the only way
    is_past, ladder = rules.past_d12 is PastD12.TAKEOUT, rules.sizes
    tops = [len(ladder) - bisect(ladder, size) for size in sizes]
    # Past d12 one step is worth the same on any die, so all but the first get one such step at most.
    shares = _shares(sizes, [steps if is_past else tops[0], *(top + is_past for top in tops[1:])])
    given = steps if is_past else min(steps, sum(tops))
    found = [share for share in shares if sum(share) == given]
    if len(found) == 1:
        return tuple(found)
    return tuple(
        sorted(found, key=lambda share: rank(stepped(sizes, share, ladder=ladder), hit, ladder), reverse=True)
    )


def _shares(sizes: tuple[int, ...], most: list[int]) -> list[tuple[int, ...]]:
    """All ways to give each die up to so many steps; of equal dice an earlier one gets no less."""
    shares: list[tuple[int, ...]] = [()]
    for place, size in enumerate(sizes):
        is_same = place > 0 and sizes[place - 1] == size
        shares = [
            (*share, steps)
            for share in shares
            for steps in range((min(share[-1], most[place]) if is_same else most[place]) + 1)
        ]
    return shares


def rank(effects: list[Effect], hit: tuple[int, ...], ladder: Ladder = SIZES) -> tuple[int, list[int]]:
    """Return a sort key for effects: steps taken from the dice they hit, then reaches, falling.

    >>> rank([Effect(0, 8), Effect(1, 10)], hit=())
    (0, [3, 2])
    >>> rank([Effect(0, 8)], hit=(6,))
    (2, [2])
    """
    past = sum(effect.past for effect in effects)
    beyond = sum(effect.past > 0 for effect in effects)
    own = [effect for effect in effects if not effect.is_further]
    reaches = sorted((bisect(ladder, effect.size) - 1 + effect.past for effect in own), reverse=True)
    most = min(beyond, sum(size >= ladder[-1] for size in hit))
    return max(_taken(own, past, used, hit, ladder) for used in range(most + 1)), reaches


def _taken(own: list[Effect], past: int, used: int, hit: tuple[int, ...], ladder: Ladder) -> int:
    """How many steps of dice effects take away, where `used` of them take a d12 by a step past d12 (K3)."""
    top = len(ladder) - 1
    left = [bisect(ladder, size) - 1 for size in hit if size < ladder[-1]]
    left += [top] * (sum(size >= ladder[-1] for size in hit) - used)
    # Those stepped past d12 are last, and `used` of them are gone.
    plain = sorted((effect for effect in own), key=lambda effect: effect.past > 0)[: len(own) - used]
    sizes = [*(effect.size for effect in plain), *further(past - used, ladder)]
    taken, over = used * len(ladder), 0  # a d12 that goes is five steps
    for reach in sorted(bisect(ladder, size) - 1 for size in sizes):
        smaller = [step for step in left if step < reach]
        if smaller:
            left.remove(max(smaller))
            taken += max(smaller) + 1
        else:
            over += 1  # no smaller die is left, so it steps one down
    return taken + min(over, len(left))


def further(steps: int, ladder: Ladder = SIZES) -> tuple[int, ...]:
    """Return the effect dice that steps past d12 start: a d6 that more steps raise, then the next d6 (R7).

    >>> further(1), further(2), further(4), further(5)
    ((6,), (8,), (12,), (12, 6))
    >>> further(0)
    ()
    """
    first = ladder.index(6)
    full, rest = divmod(steps, len(ladder) - first)
    return (ladder[-1],) * full + ((ladder[first + rest - 1],) if rest else ())


def stepped(
    sizes: tuple[int, ...], share: tuple[int, ...], outs: int = 0, ladder: Ladder = SIZES
) -> list[Effect]:
    """Return effect dice stepped up, and those that steps past d12 start, without `outs` steps (R7).

    >>> [effect.size for effect in stepped((8, 6), (1, 0))]
    [10, 6]
    >>> [effect.size for effect in stepped((12,), (2,))]
    [12, 8]
    >>> [effect.size for effect in stepped((12,), (2,), outs=1)]
    [12, 6]
    >>> stepped((10,), (2,))[0].past
    1
    """
    found: list[Effect] = []
    top = len(ladder) - 1
    for place, (size, steps) in enumerate(zip(sizes, share, strict=True)):
        reach = bisect(ladder, size) - 1 + steps
        now = max(size, ladder[min(reach, top)]) if steps else size
        found.append(Effect(place, now, max(0, reach - top)))
    past = sum([effect.past for effect in found]) - outs
    begun = enumerate(further(max(0, past), ladder), len(sizes))
    return [*found, *(Effect(place, size, is_further=True) for place, size in begun)]


WITHOUT_EFFECT = (EffectBy.NONE, EffectBy.ALL_DICE)
"""Where no die is the effect, what a success makes is a d6, before R7's steps (N10)."""


MOST_RAISED = 5
"""So many steps of the effect SFX give one roll."""


MOST_BOUGHT = 4
"""So many effect dice are kept besides the first: what there is to choose grows with each."""


class Judged(Value):
    """What a roll comes to by its dice alone, whatever the settings (R1 to R6)."""

    roll: Roll
    kept: KeepChoice
    """What the roller keeps."""
    verdict: Verdict | None
    """How it went; None where nothing stands against it (R6, R7)."""
    is_botch: bool
    """Every die that is left shows a 1 (R5)."""
    is_failed: bool
    """It did not beat what stands against it (R6)."""


class Outcome(Judged):
    """What a roll comes to by the settings it was made with; worked out on demand and never stored."""

    rules: Ruleset
    is_opposed: bool
    """The other side won and its effect counts (T6, T4, L3, L4)."""
    shares: tuple[tuple[int, ...], ...]
    """The ways to share R7's steps among the effect dice that count, the best first (R3); () for none."""
    sizes: tuple[int, ...]
    """The effect dice that count, before R7's steps."""
    effects: tuple[Effect, ...]
    """The same after them, with the further ones that those give; () where none counts."""
    counted: tuple[int, ...]
    """The sizes of the roller's own effect that is told, after R7's steps; () where none of theirs counts."""


def options(roll: Roll, rules: Ruleset) -> tuple[KeepChoice, ...]:
    """Return the choices of the roller's dice: those of R4, then those with effect dice for steps (L3)."""
    found = choices(roll.hand)
    for more in range(1, most_traded(roll, rules, found[0].total) + 1):
        hand = replace(roll.hand, effects_bought=roll.hand.effects_bought + more)
        # Those with fewer effect dice are there from the rounds before.
        found += tuple(
            choice
            for choice in choices(hand)
            if len(choice.effects_at) == most_effects(hand) and most_traded(roll, rules, choice.total) >= more
        )
    return found


def most_traded(roll: Roll, rules: Ruleset, total: int) -> int:
    """Return how many of R7's steps could become effect dice: only on one's turn in a challenge (L3)."""
    against = roll.against
    if against is None or against.acts or not is_of_challenge(against) or not rules.steps_effects:
        return 0
    steps = max(0, total - difficulty(against)) // rules.heroic_margin
    return min(steps, MOST_BOUGHT - roll.hand.effects_bought)


def traded(roll: Roll) -> int:
    """Return how many of R7's steps were traded for effect dice (L3)."""
    return _traded(roll.hand, roll.hand.effects)


def _traded(hand: Hand, effects_at: tuple[int, ...]) -> int:
    return max(0, len(effects_at) - most_effects(hand))


def recommended(
    hand: Hand,
    difficulty: int | None = None,
    rules: Ruleset = PRIME,
    hit: tuple[int, ...] = (),
    offered: tuple[KeepChoice, ...] = (),
) -> KeepChoice:
    """Return the choice that stands until the roller picks another (R8).

    `hit` are the sizes of dice that effects hit one by one. `offered` are the choices, if there are
    more than R4's.
    """
    found = offered or choices(hand)
    beating = [c for c in found if difficulty is not None and c.total > difficulty]
    if difficulty is None or not beating:
        return found[0]
    return max(beating, key=lambda choice: (_worth(hand, choice, difficulty, rules, hit), choice.total))


def difficulty(against: Against) -> int:
    """Return the number to beat: a static difficulty, or the total of the dice that oppose.

    >>> difficulty(Against("hard", 13))
    13
    """
    return against.number if against.hand is None else total(against.hand) + against.number


def settle(roll: Roll, rules: Ruleset, offered: tuple[KeepChoice, ...] = ()) -> Roll:
    """Return the roll with the recommended choice kept on each side where nobody has picked another.

    `offered` are the choices of the roller's dice, if they are known already.
    """
    against, hand = roll.against, roll.hand
    if against is not None and against.acts:
        hand = hand if hand.chosen else keep(hand, recommended(hand))
        goal = total(hand) - against.number
        # Dice that lie on the table as a roll of the GM's own stand there as the GM keeps them.
        return replace(roll, hand=hand, against=against if against.roll else _settled(against, goal, rules))
    if against is not None and (settled := _settled(against, None, rules)) is not against:
        roll = replace(roll, against=settled)
    return roll if hand.chosen else with_best(roll, rules, offered)


def with_best(roll: Roll, rules: Ruleset, offered: tuple[KeepChoice, ...] = ()) -> Roll:
    """Return the roll with the roller's recommended choice kept and the opposition unchanged (R8)."""
    hand, against = roll.hand, roll.against
    goal = None if against is None else difficulty(against)
    best = recommended(hand, goal, rules, _hittable(against), offered or options(roll, rules))
    return replace(roll, hand=keep(hand, best))


def _settled(against: Against, goal: int | None, rules: Ruleset) -> Against:
    """The opposition with its recommended choice, where nobody has picked another."""
    if against.hand is None or against.hand.chosen:
        return against
    return replace(against, hand=keep(against.hand, recommended(against.hand, goal, rules)))


def verdict(roll: Roll) -> Verdict | None:
    """Return how the roll went, or None if nothing opposes it (R6, R7)."""
    if roll.against is None:
        return None
    goal = difficulty(roll.against)
    own = total(roll.hand)
    margin = own - goal
    # Dice that act have to be higher, so a tie is the roller's, whose reaction is never called heroic (T6).
    if roll.against.acts and margin >= 0 and not is_botch(roll.hand):
        return Verdict(goal, Result.SUCCESS, margin, margin // roll.margin)
    # A tie fails (R6), and a total of 0 is no success whatever it is against (R5).
    if margin <= 0 or not own:
        return Verdict(goal, Result.FAILURE, margin, 0)
    steps = margin // roll.margin
    return Verdict(goal, Result.HEROIC if steps else Result.SUCCESS, margin, steps)


def gm_hand(roll: Roll) -> Hand | None:
    """Return the GM's dice in a roll: a GM roll's own, or those opposing a player; None for none (M4, H2)."""
    if roll.gm:
        return roll.hand
    # On the other side of a contest stands a roll of its own, even if it is closed by now (T4).
    return None if roll.against is None or roll.against.roll or roll.contest else roll.against.hand


def with_gm_hand(roll: Roll, hand: Hand) -> Roll:
    """Return the roll with the GM's dice replaced."""
    if roll.gm or roll.against is None:
        return replace(roll, hand=hand)
    return replace(roll, against=replace(roll.against, hand=hand))


def is_failed(roll: Roll) -> bool:
    """Whether a roll did not beat what opposes it (R6)."""
    how = verdict(roll)
    return how is not None and how.result is Result.FAILURE


def is_of_challenge(against: Against) -> bool:
    """Return whether the opposing dice are a challenge's (L3).

    >>> is_of_challenge(Against("11", 11))
    False
    """
    return against.target is not None and against.target.foe is Foe.CHALLENGE


def judged(roll: Roll) -> Judged:
    """Return what a roll comes to by its dice alone (R1 to R6)."""
    how = verdict(roll)
    is_lost = how is not None and how.result is Result.FAILURE
    return Judged(roll, kept(roll.hand), how, is_botch(roll.hand), is_lost)


def of(roll: Roll, rules: Ruleset) -> Outcome:
    """Return what a roll comes to by these settings (R1 to R7)."""
    own = judged(roll)
    is_opposed = own.is_failed and _is_opposition_effective(roll, rules)
    sizes, steps = _effective(own, rules, is_opposed=is_opposed) or ((), 0)
    shares: tuple[tuple[int, ...], ...] = ()
    effects: tuple[Effect, ...] = ()
    if sizes:
        hit = () if own.is_failed else _hittable(roll.against)
        shares = placements(sizes, steps, hit, rules)
        share = roll.steps_to if roll.steps_to in shares else shares[0]
        effects = tuple(stepped(sizes, share, roll.outs, rules.sizes))
    if own.is_botch or is_opposed or roll.hand.by in WITHOUT_EFFECT:
        told: tuple[int, ...] = ()
    elif own.is_failed:
        told = own.kept.effects
    else:
        told = tuple(effect.size for effect in effects[: len(sizes)])
    of_dice = (roll, own.kept, own.verdict, own.is_botch, own.is_failed)
    return Outcome(*of_dice, rules, is_opposed, shares, sizes, effects, told)


def shared(came: Outcome, share: tuple[int, ...]) -> tuple[Effect, ...]:
    """Return the effect dice that a roll would have with R7's steps shared like this (R3)."""
    return tuple(stepped(came.sizes, share, came.roll.outs, came.rules.sizes))


def with_choice(roll: Roll, choice: KeepChoice, rules: Ruleset) -> Roll:
    """Return the roll as it would be if the roller kept that choice.

    The opposition's choice stays the same, unless its dice act: then what is best for them depends on
    the roll.
    """
    hand = replace(roll.hand, total=choice.total_at, effects=choice.effects_at, chosen=True)
    fresh = replace(roll, hand=hand)
    return settle(fresh, rules) if roll.against is not None and roll.against.acts else fresh


def _is_opposition_effective(roll: Roll, rules: Ruleset) -> bool:
    """Whether the effect of who has won counts (T6, T4, L3, L4); never against a recovery (T5)."""
    against = roll.against
    if roll.recovery is not None or against is None or against.hand is None:
        return False
    return rules.resisting_effect or against.acts or bool(roll.contest) or is_of_challenge(against)


def _effective(own: Judged, rules: Ruleset, *, is_opposed: bool) -> tuple[tuple[int, ...], int] | None:
    """The effect dice that count, before R7's steps, and how many steps they get, with those that SFX give.

    None where none count.
    """
    roll, how, against = own.roll, own.verdict, own.roll.against
    hand, steps = roll.hand, max(0, how.steps - traded(roll)) if how else 0
    if how is not None and own.is_failed:
        if not is_opposed or against is None or against.hand is None:
            return None
        # The margin is the roller's, so it is under 0. A challenge that resists is never stepped up (L3).
        is_stepped = against.acts or not is_of_challenge(against)
        hand, steps = against.hand, -how.margin // roll.margin if is_stepped else 0
    # Who reacted has won, and has no effect by that alone (T6).
    elif against is not None and against.acts and not rules.resisting_effect:
        return None
    is_own = hand is roll.hand
    if own.is_botch if is_own else is_botch(hand):
        return None
    sizes = own.kept.effects if is_own else kept(hand).effects
    if hand.by in WITHOUT_EFFECT:
        sizes = (6,)
    if how is not None and is_own and sizes:
        sizes = _earned(sizes, how.steps, traded(roll))
    return sizes, (steps if rules.steps_effects else 0) + hand.raised


def _earned(sizes: tuple[int, ...], steps: int, traded: int) -> tuple[int, ...]:
    """The effect dice without those that were traded for steps which the total no longer gives (L3)."""
    return sizes[: max(1, len(sizes) - max(0, traded - steps))]


def _hittable(against: Against | None) -> tuple[int, ...]:
    """The dice of an opposition that effects hit one by one: a crisis's, a challenge's, a mob's (K3)."""
    if against is None or against.hand is None or against.target is None:
        return ()
    foe = against.target.foe
    return tuple(sorted(die.size for die in against.hand.dice if die.source.kind is foe and not die.label))


def _worth(
    hand: Hand, choice: KeepChoice, goal: int, rules: Ruleset, hit: tuple[int, ...]
) -> tuple[int, int]:
    """What it takes from dice that it hits, then how large the effect is after R7's steps, in steps (R8).

    Several effect dice are one effect: d10 and d10 are more than d12 and d4.
    """
    steps = (choice.total - goal) // rules.heroic_margin if rules.steps_effects else 0
    left = max(0, steps - _traded(hand, choice.effects_at)) + hand.raised
    sizes = choice.effects
    ladder = rules.sizes
    reach = sum(bisect(ladder, size) - 1 for size in sizes) + left
    if rules.past_d12 is PastD12.STAYS:
        reach = min(reach, (len(ladder) - 1) * len(sizes))
    if not sizes:
        return -1, 0  # no effect is less than any (N10), also than a d2 left where the least size is a d4
    if not hit:
        return 0, reach
    best = placements(sizes, left, hit, rules)[0]
    return rank(stepped(sizes, best, ladder=ladder), hit, ladder)[0], reach
