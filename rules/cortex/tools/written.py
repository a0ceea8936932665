"""Dice in what somebody writes: `I kick the door (Strong d10 + d6)` means the pool `Strong d10 + d6`.

Every die that stands there is read, each with its name. What cannot be read (a name without a die that nobody
knows, a die of another game, an opposition, a second pool) is not dropped in silence: it is said.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rules.cortex.rolling.roll import make
from rules.cortex.tools.said_against import COUNTS, SIDES, Said, said_against
from rules.dice import FROM_DOOM, SIZES, VERBS
from rules.errors import NotAllowed, RuleError, Undecided, Unknown
from rules.prose import bracketed, plain
from rules.seats import Actor
from rules.table import Table

LONGEST_NAME = 5
"""So many words a name may have."""
MOST_LEFT = 10
"""So many things that are left out are said, each with so many characters:"""
LONGEST_LEFT = 40
MOST_BRACKETS, MOST_NAMES = 10, 12
"""So many pairs of brackets are read, and so many names without a die are looked up in each."""
_TOKEN = re.compile(
    rf"(?P<count>\d{{1,3}}|{'|'.join(COUNTS)})?(?P<times>\s?[x×*]\s?|\s)?[dDwW](?P<size>{SIDES})"
    r'|"(?P<quoted>[^"\n]{1,40})"|(?P<word>[^\W\d_][\w\'’-]*)|(?P<link>\s+[-–—]\s+|[:=(\[])|(?P<other>\S)',
    re.IGNORECASE,
)
_FOREIGN = re.compile(rf"(?<!\w)\d{{0,3}}d(?!{SIDES})\d{{1,3}}(?!\w)", re.IGNORECASE)
"""A die that this game does not have."""
_COMMAND = re.compile(r"/[a-z]+(?: [a-z]+)?(?= )")
_OPTION = re.compile(r"(?<!\S)(?P<name>[a-z_]+):[ ]*(?P<value>\S.*?)(?=\s+[a-z_]+:[ ]*\S|$)", re.MULTILINE)
_PART = re.compile(r'(?P<text>(?:"[^"\n]{1,40}"|[^+,;\n])*)(?P<sign>[+,;\n]|$)')
_REACH = 2 * LONGEST_NAME
"""So many words and signs are looked at for the name of a die."""
_VERBS = re.compile(rf"(?:(?:{'|'.join(VERBS)})\s+)*", re.IGNORECASE)
_LINKING = frozenset({"of", "the", "in", "out", "and", "to", "for", "a"})
"""Words that may stand inside a name, in small letters."""
_JOINING = frozenset({"and", "plus", "with"})
_NO_NAMES = frozenset(
    {"a", "also", "an", "and", "but", "dice", "effect", "for", "i", "my", "now", "of", "or", "plus", "pool"}
    | {"really", "roll", "rolled", "rolling", "so", "the", "then", "to", "total", "use", "using", "with"}
    | {*VERBS}
)
"""Words before a die that begin no name of it."""


@dataclass(frozen=True, slots=True)
class PoolWritten:
    """The pool that a text means, as it would be typed, and what of it could not be read."""

    dice: str
    left: tuple[str, ...] = ()


def understood(table: Table, actor: Actor, text: str) -> PoolWritten:
    """What a text means to whoever reads it. Raises Unknown where it has no dice, NotAllowed for too many.

    What stands in one pair of brackets with several dice goes before the rest of the text; names without a
    die may be in it as well. What others wrote, and is quoted, is no part of it.
    """
    own, options = _typed(plain(text))
    said = said_against(table, own)
    refused: NotAllowed | None = None
    for pool, missing in _candidates(table, actor, said.text):
        for against, left in _against(said):
            try:
                _roll(table, actor, f"{pool}{against}")
            except NotAllowed as error:
                refused = refused or error
            except RuleError:
                continue
            else:
                return PoolWritten(f"{pool}{against}", _told((*missing, *left, *said.unread, *options)))
    raise refused or Unknown(
        "There are no dice to roll in that message. Dice in one look so: I kick the door (Strong d10 + d6)"
    )


def _typed(text: str) -> tuple[str, tuple[str, ...]]:
    """What a command would take as its dice, with what is against them; and its other options but a note."""
    first, _, rest = text.replace("`", "").strip().partition("\n")
    options = {found["name"]: found["value"] for found in _OPTION.finditer(first)}
    if "dice" not in options or not first.startswith(("/", "dice:")):
        return _COMMAND.sub("", text).replace("vs:", "vs "), ()
    against = f" vs {options['vs']}" if "vs" in options else ""
    left = [f"{name}:{value}" for name, value in options.items() if name not in ("dice", "vs", "note")]
    return options["dice"] + against, (*left, *(f"{name} {die}".strip() for name, die in _items(rest)))


def _against(said: Said) -> Iterator[tuple[str, tuple[str, ...]]]:
    """What the dice may be against, as it would be typed, the likeliest first; each with what is left out."""
    more = "".join(f" + {one}" for one in said.more)
    against = f" vs {said.against}" if said.against else ""
    if more:
        yield f"{against}{more}", ()
    if against:
        yield against, tuple(f"+ {one}" for one in said.more)
    yield "", tuple(filter(None, [f"{against}{more}".strip()]))


def _told(left: Sequence[str]) -> tuple[str, ...]:
    """What is left out, each once, and not too much of it."""
    return tuple(dict.fromkeys(one[:LONGEST_LEFT] for one in left))[:MOST_LEFT]


def _candidates(table: Table, actor: Actor, own: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Pools that may be meant, the likeliest first, each with what of the text is left out."""
    inside = [each.strip(" ,;") for each in bracketed(own)]
    pools = [each for each in inside if "+" in each or "," in each or len(_items(each)) > 1][:MOST_BRACKETS]
    pools = [each for each in pools if _items(each) or "+" in each or _are_names(table, actor, each)]
    beside = _without(own, pools) if pools else ""
    rest = [*(f"{name} {die}".strip() for name, die in _items(beside)), *_FOREIGN.findall(beside)]
    for pool in pools:
        others = [each for each in pools if each != pool and _items(each)]
        for typed, missing in _pools(table, actor, pool):
            yield typed, (*missing, *others, *rest)
    if "+" in own or _items(own):
        yield from _pools(table, actor, own.strip(" ,;.\n"))
    for name in inside[:MOST_BRACKETS]:
        if not _items(name) and _is_name(name):
            yield name, ()


def _without(text: str, pools: Sequence[str]) -> str:
    """The text outside of the brackets that hold pools."""
    for pool in pools:
        text = " ".join(text.split()).replace(pool, " . ", 1)
    return text


def _pools(table: Table, actor: Actor, text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """A pool as it stands there, where it is no sentence; else its dice with their names, or without."""
    found = [part for part in _PART.finditer(text) if part[0]]
    parts = [" ".join(part["text"].split()) for part in found]
    summed = {place for place, part in enumerate(found) if part["sign"] == "+"}
    summed |= {place + 1 for place in summed}
    is_pool = len(parts) > 1 and all(len(part.split()) <= LONGEST_NAME for part in parts)
    pool, left = list[str](), list[str]()
    for place, part in enumerate(parts):
        if items := _items(part):
            joined = [] if is_pool and _is_typed(part) else _joined(part)
            pool += [one for one in joined if one and place < MOST_NAMES and _is_known(table, actor, one)]
            pool += (
                [part] if is_pool and _is_typed(part) else [f"{name} {die}".strip() for name, die in items]
            )
            continue
        names = [part] if is_pool and _is_name(part) else []
        names += [_named(part, is_last=place == len(parts) - 1)] if is_pool or summed else []
        asked = names if place < MOST_NAMES else []
        known = next((name for name in asked if name and _is_known(table, actor, name)), "")
        if known:
            pool.append(known)
        elif part and place in summed and (is_pool or names[-1] or part.isdecimal()):
            left.append(names[-1] or part.strip("()[]"))
    left += _FOREIGN.findall(text)
    bare = [die for name, die in _items(text) if name != FROM_DOOM]
    if pool:
        yield (", ".join(pool) if pool != parts else _tidy(text)), tuple(left)
    if bare:
        labels = [f"{FROM_DOOM} {die}" if name == FROM_DOOM else name for name, die in _items(text) if name]
        yield ", ".join(bare), (*left, *(part for part in pool if not _items(part)), *labels)


def _tidy(text: str) -> str:
    return " ".join(text.split()).replace(" ,", ",")


def _are_names(table: Table, actor: Actor, text: str) -> bool:
    parts = text.split(",")
    return len(parts) <= MOST_NAMES and all(
        _is_name(each) and _is_known(table, actor, each) for each in parts
    )


def _joined(part: str) -> list[str]:
    """What may be names without a die before another die: `Mind, Body and a d6` has one in its last part."""
    tokens = list(_TOKEN.finditer(part))
    found, begun = list[str](), 0
    for place, token in enumerate(tokens):
        if token[0].casefold() in _JOINING:
            found.append(_name(tokens[begun:place]))
            begun = place + 1
        elif token["size"]:
            own = _name(_before(tokens, place))
            found = [name for name in found if name and name not in own]
            begun = place + 1
    is_more = begun and tokens[begun - 1][0].casefold() in _JOINING
    return [*found, _name_behind(tokens[begun : begun + _REACH])] if is_more else found


def _is_typed(part: str) -> bool:
    """Whether dice stand there as they would be typed, with verbs and a name or without."""
    is_verb = part.split()[0].lower() in VERBS
    return is_verb or [" ".join(filter(None, each)) for each in _items(part)] == [part]


def _is_name(part: str) -> bool:
    """Whether that can be a name, with verbs before it or without."""
    words = _VERBS.sub("", part, count=1).split()
    is_short = 0 < len(words) <= LONGEST_NAME and part.lower() not in VERBS
    return is_short and not any(word.isdecimal() and int(word) in SIZES for word in words)


def _named(part: str, *, is_last: bool) -> str:
    """The name that a longer part ends with, where more follows; or the name that it begins with."""
    tokens = list(_TOKEN.finditer(part))
    return _name_behind(tokens) if is_last else _name(tokens)


def _is_known(table: Table, actor: Actor, name: str) -> bool:
    try:
        _roll(table, actor, f"{name}, d6")
    except RuleError:
        return False
    return True


def _items(text: str) -> list[tuple[str, str]]:
    """Every die of a text, with the name before it, or behind it where there is none."""
    tokens = list(_TOKEN.finditer(text))
    dice = [place for place, found in enumerate(tokens) if found["size"]]
    return [
        (
            _name(_before(tokens, place)) or _name_behind(tokens[place + 1 : place + 1 + _REACH]),
            _die(tokens[place]),
        )
        for place in dice
    ]


def _before(tokens: Sequence[re.Match[str]], place: int) -> Sequence[re.Match[str]]:
    """What stands before a die, as far as a name of it may begin."""
    return tokens[max(0, place - _REACH) : place]


def _die(found: re.Match[str]) -> str:
    count = (found["count"] or "").lower()
    size = found["size"].rstrip("sS")
    return f"{COUNTS.get(count, count)}d{size}"


def _name(before: Sequence[re.Match[str]]) -> str:
    """The name that ends there: in quotation marks, or words of which the first and the last are capital."""
    tokens = list(before)
    while tokens and tokens[-1]["link"]:
        tokens.pop()
    if tokens and tokens[-1]["quoted"]:
        return f'"{tokens[-1]["quoted"]}"'
    if " ".join(token[0].lower() for token in tokens[-2:]) == FROM_DOOM:
        return FROM_DOOM
    words: list[str] = []
    while tokens and tokens[-1]["word"] and len(words) <= LONGEST_NAME:
        word = tokens.pop()["word"]
        if word[0].islower() and not (words and word in _LINKING):
            break
        words.insert(0, word)
    return _trimmed(words)


def _name_behind(behind: Sequence[re.Match[str]]) -> str:
    """The name that begins there, unless it is that of a die which follows it."""
    words: list[str] = []
    for token in behind:
        if token["size"] or (token["link"] and words):
            return ""
        word = token["word"]
        if not word or len(words) == LONGEST_NAME or (word[0].islower() and word not in _LINKING):
            break
        words.append(word)
    while words and words[-1][0].islower():
        words.pop()
    is_name = bool(words) and words[0][0].isupper() and words[0].casefold() not in _NO_NAMES
    return " ".join(words)[:40] if is_name else ""


def _trimmed(words: list[str]) -> str:
    """The words without those that begin no name."""
    while words and (words[0].casefold() in _NO_NAMES or words[0][0].islower()):
        words.pop(0)
    return " ".join(words)[:40]


def _roll(table: Table, actor: Actor, typed: str) -> None:
    """Roll it for nobody to see. Raises what rolling raises, but for what is asked before it is rolled."""
    try:
        make(table, actor, lambda sizes: [2] * len(sizes), typed)
    except Undecided:
        return
