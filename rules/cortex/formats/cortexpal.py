"""Parse the output of CortexPal2000's `/info`, and put it on a table.

The text has headings, and under each a line per name: `*Alice*: D8 Rope, D6 Lamp`. It may have lost its
asterisks or line breaks on the way here. What can't be understood is reported; nothing is guessed.
"""

import re
from collections.abc import Iterator

from msgspec import field

from rules.campaign.characters import free_name
from rules.campaign.files import check, with_seats
from rules.campaign.seats import RESERVED, Actor, require_gm
from rules.cortex.gm_pools import FOES
from rules.cortex.kinds import Foe, Trait, TraitKind
from rules.cortex.model import CORTEX, CortexTable, Crisis, ladder, with_traits
from rules.cortex.pool import Die, NamedPool
from rules.cortex.roll_status import with_rules
from rules.cortex.ruleset import MOST_PP
from rules.dice import ALL_SIZES, MOST_DICE, SIZES, Ladder, write_dice
from rules.errors import RuleError, Unreadable
from rules.facts import Fact, Imported, SettingChanged
from rules.game import Foreign, Step
from rules.names import SCENE, clean, fold, get_named, key, key_in
from rules.table import MOST_XP, Character, Table
from rules.text import Words
from rules.values import Value, replace

_TRAITS = {
    "assets": TraitKind.ASSET,
    "complications": TraitKind.COMPLICATION,
    "distinctions": TraitKind.DISTINCTION,
    "stress": TraitKind.STRESS,
}


_POINTS = {"plot points": "pp", "experience points": "xp"}


_MOST = {"pp": MOST_PP, "xp": MOST_XP}


_POOLS = "dice pools"


_HEADINGS = (*_TRAITS, *_POINTS, _POOLS)


_WORDS = "|".join(_HEADINGS)


_IS_HEADING = re.compile(rf"\**\s*({_WORDS})\s*\**:?", re.IGNORECASE)


_MARKED = re.compile(rf"\*\*({_WORDS})\*\*", re.IGNORECASE)


# A name in the middle of a line: the line breaks are lost.
_MARKED_NAME = re.compile(r"(?<![*\n])\*(?=[^*\n]+\*:)")


_LINE = re.compile(r"\*(?P<marked>.+)\*:(?P<rest>.*)|(?P<plain>[^:]+):(?P<more>.*)", re.DOTALL)


_TRAIT = re.compile(r"(?P<count>[0-9]*)d(?P<die>[0-9]{1,2}) ++(?P<label>.+)", re.IGNORECASE)


_DICE = re.compile(r"(?P<count>[0-9]{0,2})d(?P<die>[0-9]{1,2})", re.IGNORECASE)


_NEXT = re.compile(r",\s*(?=[0-9]*d[0-9])", re.IGNORECASE)


# What a copied message has around the game.
_SAID = re.compile(
    r"\**cortex game information\**|\(from (?:joined channel|channel #.*)\)|```", re.IGNORECASE
)


_NUMBER = re.compile(r" *[0-9]+(?= |$)")


_AFTER_NUMBER = re.compile(r"[0-9] ")


_LONGEST_NAME = 80


LONGEST = 12_000
"""A text of CortexPal2000 has at most this many characters; a long one has a few thousand."""


class CortexpalInfo(Value):
    """The content of such a text: people and the scene by key, pools by name, and what wasn't understood.

    `counted` lists those whose PP or XP have been read. CortexPal2000 distinguishes names by case; of
    names that differ only in case, the first is taken.
    """

    people: dict[str, Character] = field(default_factory=dict)
    pools: dict[str, tuple[int, ...]] = field(default_factory=dict)
    missed: list[str] = field(default_factory=list)
    counted: set[tuple[str, str]] = field(default_factory=set)
    sizes: Ladder = SIZES
    """Which dice there are where it comes to (N13)."""


def read(text: str, sizes: Ladder = SIZES) -> CortexpalInfo:
    """Parse a text of CortexPal2000, with dice of these sizes.

    Raises Unreadable if it has no content or is too long.
    """
    if len(text) > LONGEST:
        raise Unreadable(
            "That isn't a file from this bot, and it's too long to be text from CortexPal2000's /info. "
            "It has {count:,} characters; the limit is {longest:,}.",
            count=len(text),
            longest=LONGEST,
        )
    info, heading = CortexpalInfo(sizes=sizes), ""
    for line in _lines(text):
        found = _IS_HEADING.fullmatch(line)
        if found:
            heading = fold(found[1])
        elif not _SAID.fullmatch(line):
            _read_line(info, heading, line)
    if not (info.people or info.pools):
        raise Unreadable(
            "That's neither a file from this bot nor text from CortexPal2000's /info. Long press the "
            "/info message and choose Import table, or save it as a text file with its line breaks."
        )
    return info


def foreign(text: str) -> Foreign:
    """Return the table in a text of CortexPal2000. Raises Unreadable if it has no content or is too long."""
    read(text, ALL_SIZES)

    def brought(table: Table, actor: Actor) -> Step:
        return bring(table, actor, read(text, ladder(table)))

    return Foreign(brought, lambda table: left_out(table, read(text, ladder(table))))


def bring(table: Table, actor: Actor, info: CortexpalInfo) -> Step:
    """Replace what is on the table by what was read; the GM, name and ruleset stay."""
    require_gm(table, actor, Words("import a table"))
    fresh, facts = _switched(_with_pools(_begun(table, info), info)[0])
    check(fresh)
    names = tuple(each.name for each in fresh.characters.values())
    return Step(fresh, (Imported(fresh.name, names), *facts))


def left_out(table: Table, info: CortexpalInfo) -> tuple[str, ...]:
    """Return what in the text doesn't come to the table."""
    _, lost = _with_pools(_begun(table, info), info)
    doom = next((dice for name, dice in info.pools.items() if dice and _is_doom(name)), ())
    small = [size for size in doom if size < FOES[Foe.DOOM].least]
    told = [f"{write_dice(small).upper()} of the doom pool, which holds no d4"] if small else []
    return (*info.missed, *(f"Dice pool {name}" for name in lost), *told)


def _begun(table: Table, info: CortexpalInfo) -> Table:
    """The table with its people, and nothing else of what is on it now."""
    here = CORTEX.of(table)
    people = with_seats(table, {who: each for who, each in info.people.items() if who != SCENE})
    return CORTEX.put(
        Table(
            number=table.number,
            name=table.name,
            gms=table.gms,
            characters=people,
            scenery=info.people.get(SCENE, Character("Scene")),
            scene=table.scene,
            scenes=table.scenes,
            is_scene=table.is_scene,
            act=table.act,
            is_act=table.is_act,
            session=table.session,
            is_session=table.is_session,
        ),
        CortexTable(here.ruleset, first_sheet=here.first_sheet, last_pools=here.last_pools),
    )


def _lines(text: str) -> Iterator[str]:
    """The lines of a text, parted again where they have run together."""
    parted = _MARKED_NAME.sub("\n*", _MARKED.sub(r"\n**\1**\n", text.replace("\r", "\n")))
    if "\n" not in parted.strip():
        parted = _parted(parted)
    yield from (line.strip() for line in parted.split("\n") if line.strip())


def _parted(text: str) -> str:
    """A text on one line without marks: parted at headings, and at names that stand before a number."""
    text = re.sub(rf"(?:^|(?<=\s))({_WORDS})(?=\s)", r"\n\1\n", text, flags=re.IGNORECASE)
    text = re.sub(r"(cortex game information)\s", r"\1\n", text, flags=re.IGNORECASE)
    names = {name for line in text.split("\n") for name in _named(line.strip())}
    # The longest first, or the last word of a name could be taken for a name of its own.
    lengths = sorted({len(name) for name in names}, reverse=True)
    parts, begin = [], 0
    for colon in re.finditer(":", text):
        for length in lengths:
            start = colon.start() - length
            if start > 0 and text[start - 1].isspace() and text[start : colon.start()] in names:
                parts.append(text[begin:start])
                begin = start
                break
    return "\n".join([*parts, text[begin:]])


def _named(line: str) -> Iterator[str]:
    """The names on a line that stand before a number, and at its beginning or after another number."""
    *before, _ = pieces = line.split(":")
    for place, piece in enumerate(before):
        if _NUMBER.match(pieces[place + 1]) is None:
            continue
        after = _AFTER_NUMBER.search(piece) if place else None
        name = piece[after.end() :] if after else "" if place else piece
        if 0 < len(name.strip()) <= _LONGEST_NAME:
            yield name.strip()


def _read_line(info: CortexpalInfo, heading: str, line: str) -> None:
    """One line below a heading: a name, and what it has."""
    match = _LINE.fullmatch(line)
    name = (match["marked"] or match["plain"] or "").strip(" *") if match else ""
    rest = (match["rest"] or match["more"] or "").strip() if match else ""
    if match is None or not heading:
        info.missed.append(line)
    elif heading == _POOLS:
        dice = [size for word in rest.split() for size in _sizes(word, info.sizes)]
        is_pool = 0 not in dice and len(dice) <= MOST_DICE and (dice or rest in ("", "empty"))
        if name and is_pool and name not in info.pools:
            info.pools[name] = tuple(sorted(dice))
        else:
            info.missed.append(line)
    elif heading in _POINTS:
        _read_points(info, _POINTS[heading], name, rest, line)
    else:
        for part in _NEXT.split(rest):
            _read_trait(info, _TRAITS[heading], name, part.strip())


def _read_points(info: CortexpalInfo, what: str, name: str, rest: str, line: str) -> None:
    is_number = rest.isascii() and rest.isdigit() and len(rest) <= 4 and int(rest) <= _MOST[what]
    who = _person(info, name) if is_number else ""
    if not who or who == SCENE or (what, who) in info.counted:
        info.missed.append(line)
        return
    info.counted.add((what, who))
    before = info.people[who]
    info.people[who] = (
        CORTEX.give(before, replace(CORTEX.has(before), pp=int(rest)))
        if what == "pp"
        else replace(before, xp=int(rest))
    )


def _read_trait(info: CortexpalInfo, kind: TraitKind, name: str, part: str) -> None:
    match = _TRAIT.fullmatch(part)
    label = _cleaned(match["label"]) if match else ""
    is_whole = label and not re.search(r": *[0-9]*d[0-9]", label, re.IGNORECASE)
    if match is None or int(match["die"]) not in info.sizes or not is_whole:
        info.missed.append(f"{name}: {part}")
        return
    who = _person(info, name)
    held = CORTEX.has(info.people[who]).traits(kind) if who else {}
    if not who or get_named(held, label) is not None:
        info.missed.append(f"{name}: {part}")
        return
    if match["count"] not in ("", "1"):
        info.missed.append(f"{name}: {part} (taken as one d{match['die']})")
    fresh = {**held, key(label): Trait(label, int(match["die"]))}
    info.people[who] = with_traits(info.people[who], kind, fresh)


def _person(info: CortexpalInfo, name: str) -> str:
    """The key of who has that name, who is at the table from now on; none where nobody can have it."""
    label = _cleaned(name)
    if fold(label) == SCENE:
        label = "Scene"
    is_name = label and "," not in label and len(label) <= _LONGEST_NAME
    if not is_name or (fold(label) in RESERVED and fold(label) != SCENE):
        return ""
    who = key_in(info.people, label)
    known = info.people.setdefault(who, Character(label))
    return who if known.name == label else ""


def _with_pools(table: Table, info: CortexpalInfo) -> tuple[Table, tuple[str, ...]]:
    """The table with the doom pool, crises, and named pools for the rest; and the names without a place."""
    lost: list[str] = []
    is_doomed = False
    for name, dice in info.pools.items():
        counts = {size: dice.count(size) for size in sorted(set(dice))}
        if not dice:
            continue
        label = _free(table, _bare(name))
        if _is_doom(name) and not is_doomed:
            table = CORTEX.put(
                table,
                replace(
                    CORTEX.of(table),
                    doom={size: n for size, n in counts.items() if size >= FOES[Foe.DOOM].least},
                ),
            )
            is_doomed = True
        elif not label or _is_doom(name):
            lost.append(name)
        elif label != name:
            table = CORTEX.put(
                table,
                replace(
                    CORTEX.of(table), crises={**CORTEX.of(table).crises, key(label): Crisis(label, counts)}
                ),
            )
        else:
            pool = NamedPool(label, tuple(Die(size) for size in dice))
            table = CORTEX.put(
                table, replace(CORTEX.of(table), pools={**CORTEX.of(table).pools, key(label): pool})
            )
    return table, tuple(lost)


def _switched(table: Table) -> tuple[Table, tuple[Fact, ...]]:
    """The table with the settings on that what it holds needs."""
    here = CORTEX.of(table)
    rules = here.ruleset
    labels = [t.label for c in table.characters.values() for t in CORTEX.has(c).stress.values()]
    known = set(map(fold, rules.stress))
    new = list({fold(label): label for label in labels if fold(label) not in known}.values())
    tracks = (*rules.stress, *new)[:10]
    fresh = replace(
        rules,
        stress=tracks,
        doom=rules.doom or bool(here.doom),
        crisis=rules.crisis or bool(here.crises),
    )
    facts = [SettingChanged("stress tracks", ", ".join(tracks))] if tracks != rules.stress else []
    facts += [SettingChanged("doom pool", "on")] if fresh.doom != rules.doom else []
    facts += [SettingChanged("crisis pools", "on")] if fresh.crisis != rules.crisis else []
    return with_rules(table, fresh), tuple(facts)


def _bare(name: str) -> str:
    """The name of a crisis without that word, and of any other pool as it is."""
    bare = re.sub(r"^crisis\b[ :]*", "", name, flags=re.IGNORECASE)
    bare = re.sub(r"\bcrisis$", "", bare, flags=re.IGNORECASE)
    return (bare.strip(" :") if bare != name else name) or name


def _is_doom(name: str) -> bool:
    return fold(name) in ("doom", "doom pool")


def _free(table: Table, name: str) -> str:
    try:
        return free_name(table, name)
    except RuleError:
        return ""


def _cleaned(name: str) -> str:
    try:
        return clean(name)
    except RuleError:
        return ""


def _sizes(word: str, sizes: Ladder) -> list[int]:
    """The dice that a word means; 0 where it means none."""
    match = _DICE.fullmatch(word)
    if match is None or int(match["die"]) not in sizes:
        return [0]
    return [int(match["die"])] * int(match["count"] or 1)
