"""Find the dice in prose: `I kick the door (Strong d10 + d6)` means the pool `Strong d10 + d6`.

A message that is a pool as a whole is read just as `/roll` reads it. In prose, each die is read
with its name. The result lists what was left out: unknown names without a die, dice of other games,
a second pool.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from rules.campaign.rolls import find_roller
from rules.campaign.seats import Actor
from rules.cortex.opposition import HIGHEST
from rules.cortex.opposition import names as opponents
from rules.cortex.pool import Die
from rules.cortex.pool_grammar import LONGEST
from rules.cortex.pool_resolver import vocabulary_of
from rules.cortex.pool_words import DIFFICULTIES, NameIndex, canonical, fold_word
from rules.cortex.roll import make
from rules.cortex.tokens import STRUCK, Token, TokenKind, is_letter
from rules.cortex.tokens import plain_text as plain_letters
from rules.dice import MOST_DICE, NOTATION
from rules.errors import NotAllowed, RuleError, Undecided, Unknown
from rules.names import has_die, key
from rules.table import Table
from rules.text import own_words, without_marks
from rules.values import Value

_WORDS = {
    # Words of sentences, which are in no name; owners; articles; and what links the words of a name.
    "S": "also are as at because but by dice effect he i i'll i'm if is now on opposed or pool please really "
    "roll rolled rolling she so that then they this total use using was we when you",
    "m": "her his its my our their your",
    "t": "a an the of number crisis challenge",
    "L": "in out to for",
    "J": "and plus",
    "I": "with",
    "f": "from",
    "c": "two three four five six seven eight nine ten",
    "A": "vs vs. v v. versus",
    "a": "against",
    ">": "> ≥",
    "P": "+",
    ".": ";",
    "(": "( [",
    ")": ") ]",
}


_LETTERS = {word: letter for letter, words in _WORDS.items() for word in words.split()} | {"\n": "."}


_OF_KINDS = dict(zip(TokenKind, "wQDNT,EngEOV::_w", strict=True))


# D are dice, F those of no game here, Z is `tn12`, G is `k3`, Q is in quotation marks. W is a capital word,
# K one that is known here, O what can oppose, X both, H a difficulty. Other words are in small letters.
DICE = "(?:(?:NT|[NcT])?D(?:T[ND]?)*)"


_CAPITAL = "[WKOXH]"


CAPITALS = f"(?>{_CAPITAL}(?:(?:{_CAPITAL}|[Lt]){{0,3}}{_CAPITAL})?)"


_WORD = "[WKOXHwkohdLtmQ]"


_RUN = f"{DICE}(?:[P,J]?{DICE})*"


_FOE = f"d(?:{_RUN})?|[Hh](?!w)|[OoX](?!:?[(]?{_CAPITAL}{{0,3}}{DICE})"


_WHAT = f"(?<!{_WORD})N(?!T?D|[who])|(?<![WKOXHwkohdQ])(?:{_FOE})|{_RUN}"


_MORE = f"(?:[()]*(?:,?P|J)[tm]*(?:{_CAPITAL}{{0,3}}{DICE}|(?<=[Ptm]){_CAPITAL}{{1,4}}))*"


_PART = re.compile(rf"[PJ][tm]*({_CAPITAL}{{0,3}}{DICE}|{_CAPITAL}{{1,4}})")


# Before all dice, where Y and y are `vs` and `against`, nothing more is in the way, and brackets are a pool.
AGAINST = (
    rf"(?P<against>(?:Z|(?P<early>z|[Yy][Yynytm:]{{0,9}}|Y[tm]{{0,9}}{_WORD}{{1,5}}(?={DICE}))"
    rf"|[Aan][Aantm:(]{{0,9}}|[Aa][tm:(]{{0,9}}(?:{_WORD}[:(]?){{1,5}}(?:(?<=[:(])|(?={DICE}))|>:?(?=N))"
    rf"(?P<what>(?<=[Zz])|{_WHAT})(?P<more>(?(early)|{_MORE})))"
    r"|(?P<unread>[AY][tm]*[^,.PJIS()D]{0,3}|[any<>]:?t?[NZ][^,.PJIS()D]{0,2})"
)


class Prose:
    """A text in plain characters, with its tokens and, for each, a letter for what it can mean."""

    def __init__(self, text: str, known: NameIndex, foes: Collection[str] = ()) -> None:
        names = NameIndex({**{foe: Die(0, foe) for foe in foes}, **known})
        names.offered, names.rules = known.offered, known.rules
        self.known, self.foes, self.text = known, {*map(fold_word, foes)}, text
        # The dice of one word are one item, `2d10d8`; of another game where one of them is.
        words = groupby(names.tokens(text), lambda token: token.start)
        self.tokens = [max(each, key=lambda token: token.size not in (0, *known.sizes)) for _, each in words]
        letters = "".join(map(self._letter, self.tokens))
        begun = len(re.split("[DP]", letters, maxsplit=1)[0])
        self.letters = letters[:begun].translate(str.maketrans("AanZ>", "Yyyz<")) + letters[begun:]

    def slice(self, begin: int, end: int) -> str:
        """Return the text of these tokens, in one line."""
        tokens = self.tokens[begin:end]
        return " ".join(self.text[tokens[0].start : tokens[-1].end].rstrip(".?").split()) if tokens else ""

    def item(self, match: re.Match[str]) -> str:
        """Return verbs, a name and dice as somebody would type them."""
        begin, end = match.span("name" if match["name"] else "behind")
        name, letters = self.slice(begin, end), self.letters[begin:end]
        is_notation = NOTATION & {*fold_word(name).split()} and not re.match("f|Q|[KXk]+$", letters)
        verbs = [self.tokens[n].text for n in range(*match.span()) if self.letters[n] == "V"]
        words = (*verbs, f'"{name}"' if is_notation else name, self.slice(*match.span("die")))
        return " ".join(filter(None, words))

    def against(self, match: re.Match[str]) -> tuple[str, list[str]]:
        """Return the opposition as somebody would type it, and the names of what else is in the way."""
        first, (begin, end) = self.tokens[match.start()], match.span("what")
        word = ">=" if self.text[first.start :].startswith((">=", "≥")) else "vs"
        what = self.slice(begin, end) or str(first.number)
        if match["what"][:1] not in ("d", "O", "o"):
            dice = re.compile(DICE).finditer(self.letters, begin, end)
            what = ", ".join(self.slice(*each.span()) for each in dice) or what
        more = _PART.finditer(self.letters, *match.span("more"))
        return f"{word} {what}", [self.slice(*part.span(1)) for part in more]

    def _letter(self, token: Token) -> str:
        word, is_low, kind = fold_word(token.text), token.text[:1].islower(), token.kind
        if kind is TokenKind.DICE:
            return "D" if token.size in self.known.sizes else "F"
        if kind in (TokenKind.WRONG, TokenKind.FOREIGN) and (token.meant or has_die(word)):
            return "F"
        if kind is TokenKind.NAME:
            is_foe, is_here = fold_word(token.meant) in self.foes, canonical(token.meant) in self.known.folded
            if word == "doom" and not is_here:
                return "d"
            letter = "X" if is_foe and is_here else "K" if is_here else "H" if word in DIFFICULTIES else "O"
            return letter.lower() if is_low and letter != "X" else letter
        if kind in (TokenKind.OPPOSITION, TokenKind.KEEP) and token.number >= 0:
            return "Z" if kind is TokenKind.OPPOSITION else "G"
        if kind is TokenKind.QUOTED or word in self.known.verbs or token.number > HIGHEST:
            return "Q" if kind is TokenKind.QUOTED else "w" if token.number > HIGHEST else "V"
        is_capital = kind is TokenKind.WORD and not is_low and any(map(is_letter, word))
        return _LETTERS.get(word) or ("W" if is_capital else _OF_KINDS[kind])


MOST_LEFT = 10
"""So many things that are left out are said, each with so many characters:"""


LONGEST_LEFT = 40


MOST_BRACKETS = 10
"""So many pairs of brackets are read."""


_COMMAND = re.compile(r"(?<![^\s`])[/!][a-z]+(?: [a-z]+)?(?= )")


_OPTION = re.compile(r"(?<!\S)(?P<name>[a-z_]+):[ ]*(?P<value>\S.*?)(?=\s+[a-z_]+:[ ]*\S|$)", re.MULTILINE)


_LINES = re.compile(r"(?<![ ,])[ ,]*\n[ ,\n]*")


_QUOTED = re.compile(r'"([^"]*)"')


_OPPOSED = re.compile(r"\b(?:opposed by|to beat|gegen|contre)\b", re.IGNORECASE)


_CODE = re.compile(r"`([^`\n]+)`")


_SENTENCE_END = re.compile(r"(?<![.!?…])(?<!\bvs)[.!?…]++(?=\s|$)")
"""The mark at the end of a sentence, in which names end as well."""


_NAME = f"(?:Q|f[dO]|k|{CAPITALS})"


_SHORT = "[WKOXHwkohdLtmQNcTf]{1,5}"


_SCAN = re.compile(
    rf"{AGAINST}"
    rf"|(?P<item>V{{0,9}}(?:(?P<name>{_NAME})[:(]{{0,9}}V{{0,9}})?(?P<die>{DICE})"
    rf"(?P<behind>(?(name)(?!)|{CAPITALS}(?![:(]*{DICE}|:)))?)"
    r"|(?P<known>V{0,9}[KX](?=[)]*[PJI,])|V{0,9}k(?=[)]*P)|(?:(?<=[PJI,])|(?<=[PJI,][(tm]))V{0,9}[KX]|(?<=P)V{0,9}k)"
    rf"|(?P<summed>{CAPITALS}(?=[)]*P)|(?<![^,.(P]){_SHORT}(?=[)]*P)"
    rf"|(?<=P){_SHORT}(?![^PJI,.()])|(?<=P){CAPITALS})"
    r"|(?P<keep>G|gN(?!w))|(?P<foreign>F|(?<=[DT])E)"
)
"""What is read in prose, by the letters of its tokens."""


_PAIR = re.compile(r"\(([^()]+)\)")


_PROSE = re.compile(r"S|m|(?<![WKOXHwkohdLt])[LI](?=[WKOXHwkohdLt])|\([wWLt]+\)|[wW]\([^()]{2,}\)")
"""What no pool has: words of sentences, brackets around words, and brackets around a pool behind words."""


class PoolWritten(Value):
    """The pool that a text means, as somebody would type it, and the parts that were left out."""

    dice: str
    left: tuple[str, ...] = ()


@dataclass(slots=True)
class _Found:
    """What a part of a text holds: items, each with its dice alone, and what they are against."""

    items: list[tuple[str, str]] = field(default_factory=list)
    against: str = ""
    more: list[str] = field(default_factory=list)
    """What else is in the way."""
    left: list[str] = field(default_factory=list)
    keep: str = ""


def find_dice(table: Table, actor: Actor, text: str) -> PoolWritten:
    """Return the pool that a text means to whoever rolls it.

    A text that is a pool as a whole comes first, then the content of a pair of brackets with several
    dice, then the rest of the text. Text that quotes other people is ignored. Raises Unknown if there
    are no dice; NotAllowed if the pool is too large.

    >>> kim = Actor(1, "Kim")
    >>> find_dice(Table(), kim, "I kick the door (Strong d10 + d6)").dice
    'Strong d10 + d6'
    >>> find_dice(Table(), kim, "2d8 + d6").dice
    '2d8 + d6'
    >>> find_dice(Table(), kim, "I roll my d8 and a d10 against 11").dice
    'd8, d10 vs 11'
    >>> find_dice(Table(), kim, "I roll 2d6, not a d20").left
    ('d20',)
    """
    reader = _PoolFinder(table, actor)
    own, left = reader.typed(own_words(text))
    with_dice = "\n".join(line for line in own.split("\n") if has_die(line))
    for whole in dict.fromkeys((own, with_dice)):
        if pool := reader.whole(whole):
            return PoolWritten(pool, _told(left))
    struck = [each[1] for each in STRUCK.finditer(own) if each[1] and has_die(each[1])]
    for found in reader.pools(reader.prose(own)):
        if reader.can_roll(found.dice):
            return PoolWritten(found.dice, _told((*found.left, *struck, *left)))
    raise reader.refused or Unknown(
        "That message has no dice to roll. Put them in parentheses, like this: I kick the door (Strong "
        "d10 + d6)"
    )


def _told(left: Iterable[str]) -> tuple[str, ...]:
    """What is left out, each once, and not too much of it."""
    return tuple(dict.fromkeys(one[:LONGEST_LEFT] for one in left))[:MOST_LEFT]


class _PoolFinder:
    """Reads a text for one person; `refused` is why the likeliest pool of it cannot be rolled."""

    def __init__(self, table: Table, actor: Actor) -> None:
        self.table, self.actor = table, actor
        self.refused: NotAllowed | None = None
        name, _ = find_roller(table, actor, None)
        self.known: NameIndex = vocabulary_of(table, actor, table.characters.get(key(name)))
        self.opponents = {"doom", *opponents(table)}

    def can_roll(self, typed: str) -> bool:
        """Whether `/roll` would accept that as a pool, at once or after a question."""
        try:
            make(self.table, self.actor, lambda sizes: [2] * len(sizes), typed)
        except Undecided:
            return True
        except NotAllowed as error:
            self.refused = self.refused or error
            return False
        except RuleError:
            return False
        return True

    def typed(self, text: str) -> tuple[str, Sequence[str]]:
        """Return a command's dice with their opposition, and its other options except a note."""
        first, _, rest = text.replace("`", "").strip().partition("\n")
        options = {found["name"]: found["value"] for found in _OPTION.finditer(first)}
        if "dice" not in options or not first.startswith(("/", "dice:")):
            return _COMMAND.sub("", text), ()
        against = f" vs {options['vs']}" if "vs" in options else ""
        left = [f"{name}:{value}" for name, value in options.items() if name not in ("dice", "vs", "note")]
        prose = self.prose(rest)
        return options["dice"] + against, (
            *left,
            *(item for item, _ in self._read(prose, _SCAN.finditer(prose.letters)).items),
        )

    def whole(self, text: str) -> str:
        """Return the text in one line if all of it is a pool, else an empty text."""
        line = _LINES.sub(", ", plain_letters(text)).strip(" ,")
        is_pool = not _PROSE.search(Prose(line, self.known).letters) and self.can_roll(line)
        return line if is_pool else ""

    def prose(self, text: str) -> Prose:
        """Return the text without markup, with code in brackets and quotation marks only around words."""
        straight = without_marks(_CODE.sub(r"(\1)", text))
        straight = _QUOTED.sub(lambda found: f" {found[1]} " if has_die(found[1]) else found[0], straight)
        straight = _SENTENCE_END.sub(" ; ", _OPPOSED.sub("against", straight))
        return Prose(plain_letters(straight), self.known, self.opponents)

    def pools(self, prose: Prose) -> Iterator[PoolWritten]:
        """Yield the pools that may be meant, likeliest first, each with the parts left out."""
        matches = [*_SCAN.finditer(prose.letters)]
        said = [match for match in matches if match["against"]]
        pairs = [pair for pair in _PAIR.finditer(prose.letters) if not _overlap(pair, said)][:MOST_BRACKETS]
        several = [pair for pair in pairs if re.search("[P,]|D[^D]*D", pair[1])]
        for pair in (*several, None, *(pair for pair in pairs if re.fullmatch("V*[KXk]", pair[1]))):
            if pair is None:
                yield from self._rolled(self._read(prose, matches))
                continue
            others = [each for each in several if each is not pair and "D" in each[1]]
            outside = self._read(prose, [m for m in matches if not _overlap(m, [pair, *others])])
            inside = self._read(prose, _SCAN.finditer(prose.letters, *pair.span(1)))
            if pool := self.whole(prose.slice(*pair.span(1))):
                inside = _Found([(pool, "")])
            if pool or re.search("[PD]", pair[1]):
                if not inside.against:
                    inside.against, inside.more = outside.against, outside.more
                inside.left += [prose.slice(*each.span(1)) for each in others]
                inside.left += [item for item, die in outside.items if die] + outside.left
                yield from self._rolled(inside)

    def _rolled(self, found: _Found) -> Iterator[PoolWritten]:
        """The pool of what was found, or else of what in it can be rolled by itself, against what is said."""
        pool = ", ".join(item for item, _ in found.items)
        if pool and not self.can_roll(pool):
            is_short = len(pool) <= LONGEST
            row = found.items[: MOST_DICE + 1]
            kept = [(item if is_short and self.can_roll(item) else bare, item) for item, bare in row]
            found.left += [item for one, item in kept if one != item]
            pool = ", ".join(one for one, _ in kept if one)
        pool, more = pool + found.keep, [f"+ {one}" for one in found.more]
        if found.against and pool:
            yield PoolWritten(" ".join((pool, found.against, *more)), (*found.left,))
            yield PoolWritten(f"{pool} {found.against}", (*found.left, *more))
        if pool:
            yield PoolWritten(pool, (*found.left, *filter(None, [" ".join((found.against, *more))])))

    def _read(self, prose: Prose, matches: Iterable[re.Match[str]]) -> _Found:
        """What these matches mean together."""
        found, before = _Found(), 0
        for match in matches:
            text = prose.slice(*match.span())
            if match["against"] and not found.against:
                found.against, found.more = prose.against(match)
                before = len(found.items)
            elif match["against"] or match["unread"]:
                # Dice between two oppositions are of another roll.
                is_another = found.against and before
                found.left += [item for item, _ in found.items[before:] if is_another] + [text]
                found.items = found.items[:before] if is_another else found.items
            elif match["item"]:
                die = "" if text.startswith("from") else prose.slice(*match.span("die"))
                found.items.append((prose.item(match), die))
            elif match["known"] or (match["summed"] and len(self.known.begun(text)) == 1):
                found.items.append((text, ""))
            elif match["keep"] and not found.keep:
                found.keep = f" {text}"
            else:
                found.left.append(text)
        if not any(die for _, die in found.items) and "P" not in prose.letters:
            found.items = []
        return found


def _overlap(match: re.Match[str], others: Iterable[re.Match[str]]) -> bool:
    """Whether a match has tokens of one of the others."""
    return any(match.start() < each.end() and each.start() < match.end() for each in others)
