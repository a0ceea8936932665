"""What an SFX steps up or down where it names it: a complication or stress that stands, or a die (X1, C3)."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from rules.cortex.state.kinds import HARMFUL, LENDING, TROUBLE, Kind, Sfx
from rules.cortex.state.part import CORTEX
from rules.cortex.state.pool import Die, Pool
from rules.cortex.state.sfx import Act, SfxPart, parts
from rules.cortex.traits.finding import owners, worded
from rules.cortex.traits.traits import stepped_down, stepped_up
from rules.dice import shorten
from rules.errors import Ambiguous, NotAllowed, PossibleAnswer, Undecided, Unknown
from rules.kinds import key
from rules.names import offer
from rules.result import Step
from rules.table import Character, Table
from rules.words import OR, Phrase, Row, Words, beside

STEPS = (Act.UP, Act.DOWN)
"""What steps something that is named."""
_MOST_ASKED = 5


@dataclass(frozen=True, slots=True)
class Standing:
    """A complication or stress that a part of an SFX steps: whose it is, its kind and its key."""

    sfx: str
    part: SfxPart
    owner: str
    kind: Kind
    trait: str


def standing(
    table: Table, who: str, sfx: Sfx, agreed: Collection[str] = (), pool: Pool = (), *, asks: bool = True
) -> tuple[Standing, ...]:
    """The complications and stress that an SFX steps, on either side; a die of the `pool` is none of them.

    What a cost steps up is one's own trouble. Raises Undecided where one name is two things (or takes the
    first where it `asks` nothing yet), Unknown and NotAllowed where it is nothing.
    """
    found: list[Standing] = []
    for part, is_own in _named(sfx):
        several = list(_all(table, who, sfx, part, is_own=is_own))
        dice = [die for die in pool if key(die.label) == key(part.label) and not _is_theirs(die)]
        if not (several or dice):
            _require_trait(table, sfx, part, who, is_own=is_own)
        signs: dict[str, Phrase] = {_sign(each): _words(table, each) for each in several}
        if dice:
            signs[_sign_of_die(sfx, part)] = Words(
                "{label} d{size} in the pool", label=dice[0].label, size=dice[0].size
            )
        elif asks and not is_own and len(signs) == 1 and _is_trait(table, who, part):
            _require_meant(table, who, sfx, part, signs, agreed)
        meant = next((sign for sign in signs if sign in agreed), None) if len(signs) > 1 else None
        if len(signs) > 1 and meant is None:
            if asks:
                raise _question(sfx, part, signs)
            meant = next(iter(signs))
        found += [each for each in several if len(signs) == 1 or _sign(each) == meant]
    return tuple(found)


def stands(table: Table, who: str, sfx: Sfx) -> bool:
    """Whether everything that an SFX steps is a complication or stress that stands, so no die (X1)."""
    return all(any(_all(table, who, sfx, part, is_own=is_own)) for part, is_own in _named(sfx))


def require_there(table: Table, who: str, sfx: Sfx) -> None:
    """Refuse an SFX that steps what stands nowhere, and is no trait either. Raises Unknown, NotAllowed."""
    for part, is_own in _named(sfx):
        if not any(_all(table, who, sfx, part, is_own=is_own)):
            _require_trait(table, sfx, part, who, is_own=is_own)


def labels(table: Table) -> list[str]:
    """The labels of everything that stands, and of the stress tracks."""
    held = [
        trait.label
        for _, owner in owners(table)
        for kind in TROUBLE
        for trait in CORTEX.has(owner).traits(kind).values()
    ]
    return [*held, *CORTEX.of(table).ruleset.stress]


def stepped(table: Table, one: Standing) -> Step:
    """A complication or stress that stands steps up or down, where it is still there (C3, C4)."""
    if one.trait not in CORTEX.has(table.owner(one.owner)).traits(one.kind):
        return Step(table, ())
    change = stepped_up if one.part.act is Act.UP else stepped_down
    return change(table, one.owner, one.kind, one.trait)


def is_of(die: Die, one: Standing, who: str) -> bool:
    """Whether a die of a pool is that of another side's trouble which is stepped."""
    return one.owner != who and _is_theirs(die) and key(die.label) == one.trait


def _is_theirs(die: Die) -> bool:
    """Whether a die is trouble of another side or of the scene, and none of the roller's own."""
    return die.source.use is None and die.source.kind in HARMFUL


def _named(sfx: Sfx) -> Iterator[tuple[SfxPart, bool]]:
    """The parts that step something by its name, and whether that is one's own trouble."""
    for part in parts(sfx.cost):
        if part.act in STEPS and part.label:
            yield part, part.act is Act.UP
    for part in parts(sfx.benefit):
        if part.act in STEPS and part.label:
            yield part, False


def _all(table: Table, who: str, sfx: Sfx, part: SfxPart, *, is_own: bool) -> Iterator[Standing]:
    for owner, held in owners(table):
        for kind in TROUBLE if owner == who or not is_own else ():
            for trait in CORTEX.has(held).traits(kind):
                if key(part.label) in _names(held, kind, trait):
                    yield Standing(sfx.name, part, owner, kind, trait)


def _names(owner: Character, kind: Kind, trait: str) -> tuple[str, ...]:
    """How a trait may be called: `stuck`, `physical stress`, `rex · stuck`."""
    short = (trait, f"{trait} {kind}")
    return (*short, *(f"{key(owner.name)} · {each}" for each in short))


def _words(table: Table, one: Standing) -> Phrase:
    owner = table.owner(one.owner)
    return worded(owner.name, one.kind, CORTEX.has(owner).traits(one.kind)[one.trait])


def _sign(one: Standing) -> str:
    return f"sfx {key(one.sfx)} {one.part.act} {key(one.part.label)}: {one.kind} of {one.owner}"


def _sign_of_die(sfx: Sfx, part: SfxPart) -> str:
    return f"sfx {key(sfx.name)} {part.act} {key(part.label)}: die"


def _question(sfx: Sfx, part: SfxPart, signs: Mapping[str, Phrase]) -> Undecided | Ambiguous:
    """Which of several is meant, as a question; too many for buttons are refused."""
    if len(signs) > _MOST_ASKED:
        return Ambiguous(
            "{label} could be {names}. Name the owner in the SFX.",
            label=part.label,
            names=Row([*signs.values()][:_MOST_ASKED], OR),
        )
    return Undecided(
        "{sfx}: which {label} steps {act}?",
        *(PossibleAnswer(words, sign) for sign, words in signs.items()),
        sfx=sfx.name,
        label=part.label,
        act=part.act,
    )


def _require_meant(
    table: Table, who: str, sfx: Sfx, part: SfxPart, signs: Mapping[str, Phrase], agreed: Collection[str]
) -> None:
    """Ask whether trouble is meant that is called as a trait whose die is not there to be stepped."""
    ((sign, words),) = signs.items()
    if sign not in agreed:
        raise Undecided(
            "{sfx}: {who} also has the trait {label}, but traits only step in a roll. Step the other "
            "one {act}?",
            PossibleAnswer(words, sign),
            sfx=sfx.name,
            label=part.label,
            who=table.owner(who).name,
            act=part.act,
        )


def _is_trait(table: Table, who: str, part: SfxPart) -> bool:
    """Whether somebody has a trait of that name, whose die could step in a pool."""
    return any(key(part.label) in CORTEX.has(table.owner(who)).traits(kind) for kind in LENDING)


def _require_trait(table: Table, sfx: Sfx, part: SfxPart, who: str, *, is_own: bool) -> None:
    """Refuse what stands nowhere and is no trait whose die could step either."""
    if any(_is_trait(table, owner, part) for owner, _ in owners(table)):
        return
    is_track = key(part.label) in map(key, CORTEX.of(table).ruleset.stress)
    command = "stress" if is_track else "comp"
    if is_own:
        raise NotAllowed(
            "{sfx} costs a step up of {label}, but {who} has no {complication.one} or {stress.one} "
            "like that. Example: /{command} add what:{label}",
            sfx=sfx.name,
            label=part.label,
            who=table.owner(who).name,
            command=command,
        )
    example = f"/{command} add what:{shorten(part.label)[1:-1]}"
    none = Words(
        "{sfx} steps {label}, but nothing in play has that name.",
        sfx=sfx.name,
        label=shorten(part.label)[1:-1],
    )
    raise Unknown(
        "{none} Example: {example}",
        none=none if is_track else beside(none, offer(part.label, labels(table))),
        example=example,
    )
