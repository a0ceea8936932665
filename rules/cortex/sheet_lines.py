"""Split the lines of a typed sheet into heads, traits and their parts (D1, N23).

sheet := line*
line  := head ":" row ([".;"] head ":" row)* | header | row below a header

Skills: Fight d8 (> Knives d6, Swords d8), Sneak d6
"""

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping

from rules.cortex import rating
from rules.cortex.kinds import Trait
from rules.cortex.tokens import ends_of_dice, plain_text
from rules.errors import NotAllowed, RuleError
from rules.names import find, fold, has_die, key
from rules.text import Words
from rules.values import Value, replace

PARTS_SIGN = "(>"
"""What stands before the parts of a trait (N23)."""


_SIGNS = str.maketrans("“”（）：；，／｜", '""():;,/|')


_NEAR = 200
"""So far behind the head of a set a trait is looked for."""


_MOST_HEADS = 20
"""So many words with a colon in a line may begin a new set there."""


_BULLET = re.compile(r"\s*(?:[-–•·]|\*(?!\*)|#{1,6})\s+")


_WHOLE = re.compile(r'"[^"]*"|\((?!>)[^()]*\)|[()]')


_COLON = re.compile(r'"[^"]*"|(:)')


_SET = re.compile(r"(?P<sign>[.;,/|])\s*(?P<head>[^\W\d_][\w' -]{0,60}?)\s*:")


_DICE = r"\(?[0-9]{0,2}d[0-9]{1,3}+\)?+"


# Possessive, since signs and blanks behind a die could otherwise belong to the next label as well.
_UNNAMED = re.compile(rf'(?: ?[^\s:=,;/|"][^:=,;/|"]*+[:=] ?{_DICE} ?+[,;/|•·]?+){{2,}}', re.IGNORECASE)


class SheetLine(Value):
    """A line of a sheet, or one of several sets on it, and the head that it belongs to."""

    number: int
    """Which line of the text it is, the first is 1."""
    text: str
    head: str = ""
    """What stands before its colon or above it; empty where it has none."""
    rest: str = ""
    said: str = ""
    """What stands behind a trait with its die, and a colon: a statement of `rest` (N7)."""


class Heads(Value):
    """A test for the words that begin a line of a sheet."""

    is_known: Callable[[str], bool]
    """Whether a word is the head of a line at this table."""
    is_free: Callable[[str], bool]
    """Whether the line of a head holds something other than traits."""
    is_last: Callable[[str], bool]
    """Whether all lines behind a head are its own."""


def lines(text: str, heads: Heads) -> Iterator[SheetLine]:
    """Yield the lines of a sheet in order, without empty ones; each set on a shared line comes separately."""
    typed = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    header, is_first = "", True
    for number, line in enumerate(typed, 1):
        if not line.strip():
            header, is_first = "", True
            continue
        bare = line[match.end() :] if (match := _BULLET.match(line)) else line
        head, rest = _parted(bare)
        if head and heads.is_last(head):
            yield SheetLine(number, line, head, "\n".join([rest, *typed[number:]]).strip())
            return
        if head is None and _is_header(
            bare, heads, header, is_first=is_first, behind=typed[number : number + 1]
        ):
            header = _named(bare)
            if heads.is_last(header):
                yield SheetLine(number, line, header, "\n".join(typed[number:]).strip())
                return
            yield SheetLine(number, line, header)
        elif head is None:
            yield SheetLine(number, line, header, bare)
        elif not rest and not _is_trait(head):
            header = head
            yield SheetLine(number, line, header)
        elif rest and _is_trait(head):
            yield SheetLine(number, line, header, head, rest)
        elif not heads.is_known(head) and _is_below(bare, rest, header, heads):
            yield SheetLine(number, line, header, bare)
        else:
            header = ""
            yield from _sets(SheetLine(number, line, head, rest), heads)
        is_first = False


def segments(row: str, *, is_written: bool = False) -> list[str]:
    """Return the parts of a row between separators, outside quotation marks and brackets.

    A slash between two words without blanks is part of a name. A row that the bot wrote (`is_written`) is
    split at commas only.

    >>> segments('Mind d8, "Cut, Run" d6; AC/DC d6 (loud, fast)')
    ['Mind d8', ' "Cut, Run" d6', ' AC/DC d6 (loud, fast)']
    """
    straight, found, begin, place = row.translate(_SIGNS), list[str](), 0, 0
    ends, dice = _ends(straight), deque(ends_of_dice(straight))
    is_rated = False
    while place < len(row):
        sign = straight[place]
        while dice and dice[0] <= place:
            is_rated |= dice.popleft() > begin
        is_sign = sign == "," or (not is_written and sign in ";•·/|")
        if place in ends:
            place = ends[place]
            continue
        if is_sign and not (sign in "/|" and _is_inside(straight, place, is_rated=is_rated)):
            found.append(row[begin:place])
            begin, is_rated = place + 1, False
        place += 1
    return [each for each in (*found, row[begin:]) if each.strip()]


def brackets(segment: str) -> list[tuple[str, str]]:
    """Return pairs of a text and the bracket after it; the last pair has the rest of the text and "".

    >>> brackets("Fight d8 (> Knives d6) (sharp)")
    [('Fight d8 ', '(> Knives d6)'), (' ', '(sharp)'), ('', '')]
    """
    straight, found, begin, place = segment.translate(_SIGNS), list[tuple[str, str]](), 0, 0
    ends = _ends(straight)
    while place < len(segment):
        end = ends.get(place, place + 1)
        if straight[place] == "(" and place in ends:
            found.append((segment[begin:place], straight[place] + segment[place + 1 : end - 1] + ")"))
            begin = end
        place = end
    return [*found, (segment[begin:], "")]


def is_one_bracket(text: str) -> bool:
    """Return whether a text is one bracket from its first to its last character.

    >>> is_one_bracket("(a (b) c)"), is_one_bracket("(a) (b)")
    (True, False)
    """
    return _ends(text).get(0) == len(text)


def _ends(text: str) -> dict[int, int]:
    """Where each quotation and each bracket ends, by where it begins."""
    ends, opened = dict[int, int](), list[int]()
    for match in _WHOLE.finditer(text):
        if match[0] == "(":
            opened.append(match.start())
        elif match[0] != ")":
            ends[match.start()] = match.end()
        elif opened:
            ends[opened.pop()] = match.end()
    return ends


def _is_inside(text: str, place: int, *, is_rated: bool) -> bool:
    """Whether a slash stands inside a name: right between two words, with no die before it.

    Two bars are a mark around a text that is hidden.
    """
    beside = text[max(0, place - 1) : place] + text[place + 1 : place + 2]
    if "|" in beside:
        return True
    return len(beside) == 2 and not any(map(str.isspace, beside)) and not is_rated


def _named(head: str) -> str:
    """A head without marks around it: `**Attributes**`, `"A: b"`."""
    bare = head.strip().strip("*_#` ")
    return bare[1:-1].strip() if len(bare) > 2 and bare[0] == bare[-1] == '"' else bare


def _parted(line: str) -> tuple[str | None, str]:
    """What stands before the first colon and behind it; None for no head, where there is no such colon."""
    found = next((match for match in _COLON.finditer(line.translate(_SIGNS)) if match[1]), None)
    if found is None or not _named(line[: found.start()]):
        return None, line
    head, rest = line[: found.start()].strip(), line[found.end() :].strip()
    for mark in ("**", "__"):
        if head.startswith(mark) and not head.endswith(mark):
            rest = rest.removeprefix(mark).strip()
    return _named(head), rest


def _is_header(line: str, heads: Heads, header: str, *, is_first: bool, behind: list[str]) -> bool:
    """Whether a line without a colon is a header: a set, or the first line with others right below it."""
    name = _named(line)
    if heads.is_known(name):
        return True
    has_more = bool(behind) and bool(behind[0].strip())
    is_name = not has_die(plain_text(name)) and len(segments(name)) == 1
    return not header and is_first and has_more and is_name


def _is_trait(head: str) -> bool:
    """Whether what stands before a colon is a trait with its die, so that its statement follows."""
    return rating.read_named(head, ()).rating is not None


def _is_below(line: str, rest: str, header: str, heads: Heads) -> bool:
    """Whether a line with a colon is no set: `Mind: d10` below one, or several of these."""
    if header and (heads.is_free(header) or _is_dice(rest)):
        return True
    return _UNNAMED.fullmatch(" ".join(plain_text(line).split())) is not None


def _is_dice(text: str) -> bool:
    """Whether a text is a rating and nothing else, with a note at most."""
    bare = "".join(before for before, _ in brackets(text)) or text
    return rating.is_dice_alone(bare)


def _sets(line: SheetLine, heads: Heads) -> Iterator[SheetLine]:
    """A line as the sets that stand on it: `Distinctions: Bold. Attributes: Mind d10`."""
    straight = line.rest.translate(_SIGNS)
    wholes, end, skip, tries = deque(sorted(_ends(straight).items())), 0, 0, 0
    for match in _SET.finditer(straight):
        while wholes and wholes[0][0] < match.start():
            end = max(end, wholes.popleft()[1])
        if match.start() < max(skip, end):
            continue
        head, rest = match["head"].strip(), line.rest[match.end() : match.end() + _NEAR]
        is_known = heads.is_known(head)
        if heads.is_free(line.head) and not (is_known and match["sign"] in ".;" and _reads_as_row(rest)):
            continue  # words may hold anything
        tries += not is_known
        is_set = match["sign"] in ".;" and tries <= _MOST_HEADS and _reads_as_row(rest)
        if not is_known and not is_set:
            continue
        yield replace(line, rest=line.rest[skip : match.start()].strip())
        line = replace(line, head=head)
        skip = match.end()
    yield replace(line, rest=line.rest[skip:].strip())


def _reads_as_row(text: str) -> bool:
    """Whether the first trait of a text has a name and a die."""
    first = next(iter(segments(text)), "")
    try:
        found = rating.read_row("".join(before for before, _ in brackets(first)), rating.ANY_SIZE)
    except RuleError:
        return False
    return bool(found) and all(each.label and each.rating for each in found)


_SQUARE = str.maketrans("()", "[]")


_MARKED, _ESCAPED = re.compile(r"(^|\()(\\*>)"), re.compile(r"(^|\()\\(\\*>)")


def in_order(traits: Iterable[Trait]) -> tuple[Trait, ...]:
    """Return traits with each part after its whole and in its set; parts without a whole stand alone (N23).

    >>> traits = [Trait("Knives", 6, part_of="Fight"), Trait("Mind", 10), Trait("Fight", 8, set="Skills")]
    >>> [(one.label, one.set) for one in in_order(traits)]
    [('Mind', ''), ('Fight', 'Skills'), ('Knives', 'Skills')]
    """
    held = tuple(traits)
    if not any(one.part_of for one in held):
        return held
    heads = {fold(one.label): one for one in held if not one.part_of}
    found: list[Trait] = []
    for one in held:
        whole = heads.get(fold(one.part_of)) if one.part_of else None
        if whole is None:
            alone = replace(one, part_of="")
            of_it = [each for each in held if each.part_of and fold(each.part_of) == fold(one.label)]
            own = of_it if not one.part_of else []
            found += [alone, *(replace(each, part_of=one.label, set=one.set) for each in own)]
    return tuple(found)


def grouped(traits: Iterable[Trait]) -> list[tuple[Trait, list[Trait]]]:
    """Return each trait that isn't a part, paired with its parts (N23).

    >>> traits = [Trait("Fight", 8), Trait("Mind", 10), Trait("Knives", 6, part_of="Fight")]
    >>> [(whole.label, [part.label for part in parts]) for whole, parts in grouped(traits)]
    [('Fight', ['Knives']), ('Mind', [])]
    """
    found: list[tuple[Trait, list[Trait]]] = []
    for one in in_order(traits):
        if one.part_of:
            found[-1][1].append(one)
        else:
            found.append((one, []))
    return found


def noted(note: str) -> str:
    r"""Return a note as it is written in brackets, escaped so that it isn't read as parts or cut short.

    >>> noted("a) b"), noted("> quick")
    ('a] b', '\\> quick')
    """
    if not is_one_bracket(f"({note})"):
        note = note.translate(_SQUARE)
    return _MARKED.sub(r"\1\\\2", note) if ">" in note else note


def unnoted(note: str) -> str:
    """Return the note that was written in brackets.

    >>> unnoted(noted("> quick"))
    '> quick'
    """
    return _ESCAPED.sub(r"\1\2", note) if ">" in note else note


def whole_of(traits: Mapping[str, Trait], label: str, typed: str) -> Trait:
    """Return the trait that another one becomes a part of (N23).

    Raises Unknown or Ambiguous if the typed name isn't that of one trait; NotAllowed if that trait is a
    part, or the other one has parts.
    """
    others = [one for one in traits.values() if fold(one.label) != fold(label)]
    require_whole(traits.values(), typed)
    name = find(typed, [one.label for one in others if not one.part_of], Words("trait"))
    whole = traits[key(name)]
    if own := next((one for one in others if one.part_of and fold(one.part_of) == fold(label)), None):
        raise NotAllowed(
            "{label} has parts, so it can't be a part. Detach its parts first. Example: /character set "
            "trait:{own} die:d{die} part_of:-",
            label=label,
            own=own.label,
            die=own.die,
        )
    return whole


def require_whole(traits: Iterable[Trait], typed: str) -> None:
    """Check that a trait may get parts (N23). Raises NotAllowed if it is a part itself."""
    part = next((one for one in traits if one.part_of and fold(one.label) == fold(typed)), None)
    if part is not None:
        raise NotAllowed(
            "{part} is part of {whole}, so it can't have parts. Detach it first. Example: /character "
            "set trait:{part} die:d{die} part_of:-",
            part=part.label,
            whole=part.part_of,
            die=part.die,
        )
