"""One-Roll sheets as text, and characters who join with one (O1).

Stats: Body 3d, Mind 2d
Skills: Fight 2d 1w, Run 1d
Notes: all that follows
"""

import re
from collections.abc import Mapping
from zlib import crc32

from msgspec import field

from rules.campaign import seats
from rules.campaign.characters import link
from rules.campaign.seats import Actor, owner_of, require_character
from rules.errors import NotAllowed, OptionNeeded, RuleError, Unknown, Unreadable
from rules.game import Step
from rules.names import LABEL, NOTE, clean, find, fold, get_named, key, one_of, without_mention
from rules.ore.damage import EXAMPLE as BOXES
from rules.ore.damage import kept, read_boxes, write_boxes
from rules.ore.model import ORE, Boxes, OneRollRating, RatingChanged, ratings_of
from rules.ore.notation import (
    MOST_RATINGS,
    quote_label,
    read_items,
    read_ratings,
    write_ratings,
)
from rules.ore.pool import MOST_IN_CROWD, write
from rules.ore.tokens import normalized
from rules.table import Character, Table
from rules.text import LINES, Phrase, Row, Words, shorten
from rules.values import Value, replace

LONGEST = 20_000
"""A sheet has at most this many characters."""


LONGEST_DICE = 60
"""Dice of one rating have at most this many characters."""


MOST_NOTES = 2000
"""Notes have at most this many characters."""


MOST_MISTAKES = 5
"""So many mistakes of a sheet are listed."""


STATS, SKILLS = "Stats", "Skills"
"""The groups of ratings of a new sheet."""


EXAMPLE = f"Stats: Body 3d, Coordination 2d, Mind 3d\nSkills: Fight 2d 1w, Run 1d, Notice 2d\nBoxes: {BOXES}"
"""A new character's sheet, to change as one likes."""


_HEAD = re.compile(r"\s*(?P<head>[^\W\d_][^\W\d_' -]*(?:[ '-][^\W\d_]+){0,4})\s*:(?P<rest>.*)", re.DOTALL)


_NEXT = re.compile(
    r"(?:[;,.|/]\s*+|(?:(?<=[0-9])|(?<=[0-9][a-z])|(?<=[0-9][a-z]d))\s++)"
    r"(?=\**(?:stats|skills|ratings?|box(?:es)?|members?|pronouns?|portrait|notes?)\**\s*:)"
    r"|(?:;\s*+|\.\s++)(?=\**[^\W\d_][\w' -]{0,40}\**:|(?:stats|skills|ratings|boxes)\s)",
    re.IGNORECASE,
)
"""What separates the sets of one line: `Stats: Body 3d; Skills: Fight 2d`."""


_WHOLE = re.compile(r'"[^"]*"|“[^“”]*”|https?://(?:[;,.]*[^\s;,.]++)++', re.IGNORECASE)
"""What is never separated: names in quotation marks, and links."""


_NOTED = re.compile(r"[\s*#•·]*notes?\**\s*:", re.IGNORECASE)
"""How notes begin, which are all the rest."""


_BARE = re.compile(r"\s*(?P<head>stats|skills|ratings|boxes)\s++(?P<rest>[^:]+)", re.IGNORECASE)
"""A line as a shown sheet has it: `Stats Body 3d, Mind 2d`."""


_RATINGS = ("", "rating", "ratings")
_BOXES = ("box", "boxes")
_MEMBERS = ("member", "members")
_PRONOUNS = ("pronoun", "pronouns")
_PORTRAIT = "portrait"
_NOTES = ("note", "notes")
_RESERVED = frozenset({*_RATINGS, *_BOXES, *_MEMBERS, *_PRONOUNS, _PORTRAIT, *_NOTES})
"""Heads that aren't groups of ratings."""


class OreSheet(Value):
    """A One-Roll sheet as it was typed."""

    ratings: Mapping[str, OneRollRating] = field(default_factory=dict)
    """By key, in order."""
    boxes: Mapping[str, Boxes] = field(default_factory=dict)
    """By key, in order."""
    pronouns: str = ""
    portrait: str = ""
    notes: str = ""
    members: int = 0
    """How many a crowd is; 0 for anybody else."""


def of(character: Character) -> OreSheet:
    """Return a character's sheet; a crowd's has only members."""
    own, held = ORE.has(character), (character.pronouns, character.portrait, character.notes)
    return OreSheet({}, {}, *held, own.members) if own.members else OreSheet(own.ratings, own.boxes, *held)


def put(character: Character, sheet: OreSheet) -> Character:
    """Return the character with this sheet; boxes keep what fills them.

    Raises NotAllowed for a crowd with anything but its members, and for anybody else with members.
    """
    own = ORE.has(character)
    named = replace(character, pronouns=sheet.pronouns, portrait=sheet.portrait, notes=sheet.notes)
    if own.members:
        if sheet.ratings or sheet.boxes or not sheet.members:
            raise no_crowd("Members: 12")
        return ORE.give(named, replace(own, ratings={}, boxes={}, members=sheet.members))
    if sheet.members:
        raise NotAllowed("{name} isn't a crowd. Leave out the line Members.", name=named.name)
    boxes = {k: kept(each, own.boxes[k]) if k in own.boxes else each for k, each in sheet.boxes.items()}
    return ORE.give(named, replace(own, ratings=sheet.ratings, boxes=boxes))


def no_crowd(example: str, least: int = 1) -> NotAllowed:
    """Return the refusal of what a crowd can't be or have; `example` is how 12 members are typed."""
    return NotAllowed(
        "A crowd has {least} to {most} members, a die each and no boxes. For 12 members, type {example}.",
        least=least,
        most=MOST_IN_CROWD,
        example=example,
    )


def grouped(ratings: Mapping[str, OneRollRating]) -> dict[str, list[OneRollRating]]:
    """Return ratings by the group that they belong to, those without one first.

    >>> grouped({"run": OneRollRating("Run", "1d", "Skills"), "luck": OneRollRating("Luck", "2d")}).keys()
    dict_keys(['', 'Skills'])
    """
    found = dict[str, list[OneRollRating]]()
    for each in sorted(ratings.values(), key=lambda rating: bool(rating.set)):
        found.setdefault(each.set, []).append(each)
    return found


def write_sheet(sheet: OreSheet) -> str:
    r"""Return a sheet as text that reads back.

    >>> write_sheet(OreSheet({"run": OneRollRating("Run", "1d", "Skills")}, notes="Late."))
    'Skills: Run 1d\nNotes: Late.'
    """
    rows = [f"{name or 'Ratings'}: {write_ratings(held)}" for name, held in grouped(sheet.ratings).items()]
    boxes = write_boxes(sheet.boxes.values())
    more = (
        ("Members", f"{sheet.members or ''}"),
        ("Boxes", boxes),
        ("Pronouns", sheet.pronouns),
        ("Portrait", sheet.portrait),
        ("Notes", sheet.notes),
    )
    return "\n".join([*rows, *(f"{head}: {said}" for head, said in more if said)])


def example(table: Table) -> str:
    """Return the text of a new character's sheet, to change as one likes."""
    return EXAMPLE


def labels(character: Character) -> list[str]:
    """Return the labels of a character's ratings."""
    return [each.label for each in ratings_of(character).values()]


def no_wholes(character: Character) -> list[str]:
    """Return an empty list: ratings have no parts."""
    return []


def groups(table: Table, character: Character) -> list[str]:
    """Return the groups that a rating can be in: those of the sheet first."""
    return [each for each in dict.fromkeys([*grouped(ORE.has(character).ratings), STATS, SKILLS]) if each]


def form_text(table: Table, character: Character) -> str:
    """Return a sheet as its form shows it: an empty one has lines for stats and skills."""
    text = write_sheet(of(character))
    return text if ratings_of(character) else "\n".join(filter(None, (f"{STATS}:\n{SKILLS}:", text)))


def read_sheet(text: str) -> OreSheet:
    r"""Return the sheet that a text means.

    A line without a head goes on with the ratings or boxes above it. All lines after `Notes:` are notes.

    >>> sheet = read_sheet("Stats: Body 3d\nSkills:\nFight 2d 1w, Run 1d\nNotes: Late.\nAlways.")
    >>> [(each.label, each.dice, each.set) for each in sheet.ratings.values()]
    [('Body', '3d', 'Stats'), ('Fight', '2d 1w', 'Skills'), ('Run', '1d', 'Skills')]
    >>> sheet.notes
    'Late.\nAlways.'

    Raises Unreadable or NotAllowed (the type of the first mistake), listing mistakes with their lines.
    """
    if len(text) > LONGEST:
        raise Unreadable(
            "That sheet has {count} characters; the limit is {longest}.", count=len(text), longest=LONGEST
        )
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    sheet, above, mistakes, is_noted = OreSheet(), "", list[Phrase](), False
    kind: type[RuleError] | None = None
    for number, line in enumerate(lines, 1):
        try:
            for part in _sets(line):
                head, rest = _parted(part, above)
                if is_noted := fold(head) in _NOTES:
                    sheet = replace(sheet, notes=_read_notes("\n".join((rest, *lines[number:])).strip()))
                    break
                if head and fold(head) not in (*_MEMBERS, *_PRONOUNS, _PORTRAIT):
                    above = head
                sheet = _with_line(sheet, head or above, rest)
        except RuleError as mistake:
            kind = kind or type(mistake)
            mistakes.append(
                Words(
                    "Line {number}, {line}: {fault}",
                    number=number,
                    line=shorten(line),
                    fault=mistake.words,
                )
            )
        if is_noted or len(mistakes) > MOST_MISTAKES:
            break  # the notes are all the other lines
    if kind is not None:
        if len(mistakes) > MOST_MISTAKES:
            mistakes[-1] = Words("There are more mistakes.")
        raise kind("{mistakes}", mistakes=Row(mistakes, LINES, LINES))
    return sheet


def _sets(line: str) -> list[str]:
    """The sets of one line, each with its head; notes are the last one, whatever they hold."""
    parts, start = list[str](), 0
    hidden = _WHOLE.sub(lambda found: "_" * len(found[0]), line)
    for found in _NEXT.finditer(hidden):
        if _NOTED.match(line, start):
            break
        parts.append(line[start : found.start()].rstrip(" ;,|"))
        start = found.end()
    return [each for each in (*parts, line[start:]) if each.strip()]


def _parted(line: str, above: str = "") -> tuple[str, str]:
    """The head of a line and the rest of it; no head and the whole line if there is none.

    `above` is the head before it: below boxes, `Head: 4` is a place.
    """
    straight = normalized(line.strip().lstrip("*#•· ")) if ":" in line else line
    match = _HEAD.fullmatch(straight.replace("**", "")) or _BARE.fullmatch(straight)
    if match is None:
        return "", line.strip()
    head, rest = match["head"].strip(), match["rest"].strip()
    is_item = _is_box(line) if fold(above) in _BOXES else _is_rating(head, rest)
    return ("", line.strip()) if fold(head) not in _RESERVED and is_item else (head, rest)


def _is_box(line: str) -> bool:
    try:
        return bool(read_boxes(line))
    except RuleError:
        return False


def _is_rating(head: str, rest: str) -> bool:
    """Whether a line such as `Mind: 2d` is a rating rather than a group of them."""
    is_short = len(rest) <= LONGEST_DICE and any(map(str.isalpha, rest))
    if fold(head) in (fold(STATS), fold(SKILLS)) or not is_short:
        return False
    try:
        items = read_items(rest, {}, None)
    except RuleError:
        return False
    return bool(items) and not any(item.label for item in items)


def _with_line(sheet: OreSheet, head: str, rest: str) -> OreSheet:
    """The sheet with one more line, which belongs under a head."""
    if fold(head) in _PRONOUNS:
        return replace(sheet, pronouns=clean(rest, Words("line of pronouns"), 40) if rest else "")
    if fold(head) in _MEMBERS:
        return replace(sheet, members=_read_members(rest))
    if fold(head) in _BOXES:
        return replace(sheet, boxes=read_boxes(f"{write_boxes(sheet.boxes.values())}, {rest}"))
    if fold(head) == _PORTRAIT:
        return replace(sheet, portrait=link(rest))
    group = "" if fold(head) in _RATINGS else clean(head, LABEL, 40)
    if not rest:
        return sheet
    found = dict(sheet.ratings)
    for label, dice in read_ratings(rest):
        if get_named(found, without_mention(label)) is not None:
            raise NotAllowed("The sheet has {each} twice. Give one of the two another name.", each=label)
        found[key(label)] = OneRollRating(label, write(dice), group)
    if len(found) > MOST_RATINGS:
        raise NotAllowed("A sheet can have at most {most_traits} ratings.", most_traits=MOST_RATINGS)
    return replace(sheet, ratings=found)


def _read_members(typed: str) -> int:
    if not re.fullmatch("[0-9]{1,2}", typed) or not 1 <= int(typed) <= MOST_IN_CROWD:
        raise Unreadable("A crowd has 1 to {most} members, such as Members: 12.", most=MOST_IN_CROWD)
    return int(typed)


def _read_notes(text: str) -> str:
    if len(text) > MOST_NOTES:
        raise Unreadable(
            "the notes have {count} characters; the limit is {most_notes}.",
            count=len(text),
            most_notes=MOST_NOTES,
        )
    return "\n".join(clean(line, NOTE, MOST_NOTES) if line.strip() else "" for line in text.split("\n"))


def join(table: Table, actor: Actor, name: str, text: str = "") -> Step:
    """Take over a free character, or create one of that name, with the sheet that is typed.

    Raises NotAllowed if the character already has a sheet, and what reading the sheet raises.
    """
    step = seats.join(table, actor, name)
    typed = read_sheet(text)
    character = step.table.played_by(actor.id)
    if character is None or typed == OreSheet():
        return step
    if of(character) != OreSheet():
        if typed == read_sheet(EXAMPLE):
            return step
        raise NotAllowed(
            "{name} already has a sheet, so yours wasn't used. To change the sheet: /character edit",
            name=name,
        )
    return replace(step, table=step.table.with_owner(key(character.name), put(character, typed)))


def with_text(table: Table, actor: Actor, character: Character, text: str) -> Character:
    """Return a character with the sheet that a text means. Raises what `read_sheet` raises."""
    return put(character, read_sheet(text))


def mark(character: Character) -> str:
    """Return a checksum of a character's sheet as eight hex digits."""
    return f"{crc32(write_sheet(of(character)).encode()):08x}"


def put_rating(
    table: Table,
    actor: Actor,
    trait: str,
    die: str | None = None,
    trait_set: str | None = None,
    who: str | None = None,
) -> Step:
    """Put a rating on a sheet, or change its dice or its group.

    Raises NotAllowed if nothing changes; OptionNeeded without a group for a new rating; Unreadable if
    `die` has no dice.
    """
    table, owner = owner_of(table, actor, who, scene=False, new=False)
    character = table.characters[owner]
    require_character(table, actor, character, Words("change the sheet"))
    ratings = ratings_of(character)
    name = clean(trait, LABEL)
    old = get_named(ratings, name)
    if old is None and not (die and die.strip()):
        raise NotAllowed("{trait} needs dice, such as die:3d.", trait=name)
    known = groups(table, character)
    if old is None and not (trait_set and trait_set.strip()):
        raise OptionNeeded(
            "Choose a trait set: {known}.", option="trait_set", choices=known, known=one_of(known)
        )
    rated = _rated(name, die) if die and die.strip() else old and old.dice
    typed = read_group(trait_set) if trait_set and trait_set.strip() else ""
    named = next((each for each in known if fold(each) == fold(typed)), typed) or (old.set if old else "")
    fresh = OneRollRating(old.label if old else name, rated or "", named)
    if fresh == old:
        raise NotAllowed("Nothing changed on {character}'s sheet.", character=character.name)
    if old is None and len(ratings) >= MOST_RATINGS:
        raise NotAllowed("A sheet can have at most {most_traits} ratings.", most_traits=MOST_RATINGS)
    return _changed(table, owner, fresh.label, fresh)


def read_group(typed: str) -> str:
    """Return the name of a group of ratings. Raises NotAllowed for one that a sheet's text can't have.

    >>> read_group(" Magic  lore ")
    'Magic lore'
    """
    name = clean(typed, LABEL, 40)
    is_head = _HEAD.fullmatch(f"{name}:") is not None
    if not is_head or fold(name) in _RESERVED:
        raise NotAllowed("{name} can't be the name of a group. Type up to five words of letters.", name=name)
    return name


def _rated(label: str, dice: str) -> str:
    """Typed dice as a rating of that name. Raises Unreadable or NotAllowed."""
    found = read_ratings(f"{quote_label(label)} {dice}")
    if len(found) != 1:
        raise Unreadable("{typed} isn't the dice of one rating, such as 2d 1w.", typed=shorten(dice))
    return write(found[0][1])


def unset(table: Table, actor: Actor, trait: str, who: str | None = None) -> Step:
    """Remove a rating from a sheet. Raises Unknown if there is no such rating."""
    table, owner = owner_of(table, actor, who, scene=False, new=False)
    character = table.characters[owner]
    require_character(table, actor, character, Words("change the sheet"))
    ratings = ratings_of(character)
    if not ratings:
        raise Unknown("{who} has no ratings on the sheet. To fill it in: /character edit", who=character.name)
    label = find(trait, [each.label for each in ratings.values()], Words("rating"))
    return _changed(table, owner, label, None)


def _changed(table: Table, owner: str, label: str, fresh: OneRollRating | None) -> Step:
    """The rating of that name as it is from now on; None removes it."""
    character = table.characters[owner]
    ratings = {**ratings_of(character)}
    before = ratings.pop(key(label), None) if fresh is None else ratings.get(key(label))
    if fresh is not None:
        ratings[key(label)] = fresh
    held = replace(of(character), ratings=ratings)
    if ORE.has(character).members:
        held = replace(of(character), members=_members_of(character.name, ratings))
    fact = RatingChanged(character.name, label, before, fresh)
    return Step(table.with_owner(owner, put(character, held)), (fact,))


def _members_of(name: str, ratings: Mapping[str, OneRollRating]) -> int:
    """How many a crowd is, by its only rating. Raises NotAllowed."""
    plain = ratings.get(key(name))
    count = plain.dice.removesuffix("d") if plain and not plain.set and len(ratings) == 1 else ""
    if not count.isdigit() or not 1 <= int(count) <= MOST_IN_CROWD:
        raise no_crowd("die:12d")
    return int(count)
