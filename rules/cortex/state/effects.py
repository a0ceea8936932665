"""Effect dice and the steps that a heroic success gives them (R3, R7)."""

from bisect import bisect
from dataclasses import dataclass

from rules.cortex.state.ruleset import PRIME, PastD12, Ruleset
from rules.dice import SIZES, Ladder


@dataclass(frozen=True, slots=True)
class Effect:
    """An effect die after R7: its place among those of the roll, its size, and steps past d12.

    Steps past d12 that take nobody out and no d12 away begin further effect dice: those stand behind it.
    """

    place: int
    size: int
    past: int = 0
    is_further: bool = False


def placements(
    sizes: tuple[int, ...], steps: int, hit: tuple[int, ...], rules: Ruleset = PRIME
) -> tuple[tuple[int, ...], ...]:
    """The ways to share R7's steps among effect dice that differ in what comes of it, the best first (R3).

    Against dice that are hit one by one the best takes most of them; else it makes one effect largest.
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
    """What effects are worth: how much they take from dice that they hit, then the largest first."""
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
    """The effect dice that steps past d12 begin: a d6 that later ones raise, past its own d12 a next (R7)."""
    first = ladder.index(6)
    full, rest = divmod(steps, len(ladder) - first)
    return (ladder[-1],) * full + ((ladder[first + rest - 1],) if rest else ())


def stepped(
    sizes: tuple[int, ...], share: tuple[int, ...], outs: int = 0, ladder: Ladder = SIZES
) -> list[Effect]:
    """Effect dice stepped up, and those that steps past d12 begin, but for `outs` steps used up (R7)."""
    found: list[Effect] = []
    top = len(ladder) - 1
    for place, (size, steps) in enumerate(zip(sizes, share, strict=True)):
        reach = bisect(ladder, size) - 1 + steps
        now = max(size, ladder[min(reach, top)]) if steps else size
        found.append(Effect(place, now, max(0, reach - top)))
    past = sum([effect.past for effect in found]) - outs
    begun = enumerate(further(max(0, past), ladder), len(sizes))
    return [*found, *(Effect(place, size, is_further=True) for place, size in begun)]
