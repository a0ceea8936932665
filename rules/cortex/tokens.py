"""Split typed text into tokens: words, dice, numbers and signs; nothing is dropped (D2)."""

import re
import unicodedata
from collections.abc import Sequence
from enum import Enum, auto

from rules.dice import ALL_SIZES, Ladder, size_of
from rules.names import DIE_IN_TEXT, has_die
from rules.text import without_paired_marks
from rules.values import Value, replace


class TokenKind(Enum):
    """The kind of a token of typed text."""

    WORD = auto()
    QUOTED = auto()
    """Words in quotation marks: a label or a name, whatever they hold."""
    DICE = auto()
    """`d8`, `2d6`, `2d6s`: a count and a size."""
    NUMBER = auto()
    TIMES = auto()
    """`x2`, `2x`, or a lone `x`."""
    PARTING = auto()
    """A comma, a plus, a line break and what else stands between two items."""
    MINUS = auto()
    """`-1`: a number that is taken off the total (N13)."""
    OPPOSITION = auto()
    """`vs`, `tn12`, `>`: what stands behind it is rolled against."""
    KEEP = auto()
    """`k3`, `kh 3`, `keep`."""
    FOREIGN = auto()
    """An operator of other bots: `!`, `dl1`."""
    NAME = auto()
    """A known name, whole: `meant` is how the table has it."""
    VERB = auto()
    """`up`, `double`, `less one`: it does something to the die behind it (D4, D6)."""
    DASH = auto()
    JOIN = auto()
    """A colon or an equals sign, as between a label and its die."""
    BRACKET = auto()
    WRONG = auto()
    """Something that is nearly a die, such as `d1O`: the `meant` one is the way out."""


class Token(Value):
    """A token of typed text, and its position in the plain text."""

    kind: TokenKind
    text: str
    start: int
    end: int
    count: int = 0
    size: int = 0
    """Of dice."""
    is_safe: bool = False
    """The dice are safe (N14)."""
    number: int = -1
    """Of a number, a count of times, an opposition or a keep; -1 where none is typed."""
    meant: str = ""
    """Of what is nearly a die: the die; of a known name: that name."""


_QUOTES = str.maketrans("“”", '""')


# Pictures of keys: 12 is two of them, 10 is one.
_KEYCAPS = re.compile("(1\ufe0f?\u20e32\ufe0f?\u20e3)|(\U0001f51f\ufe0f?)|([0-9])\ufe0f?\u20e3")


STRUCK = re.compile(r'"[^"]*"|~~(?P<struck>[^~\n]+)~~')


_SIGNS = r":=()\[\]{}<>≥≤,;+/|&•·"


_RAW = re.compile(rf'"(?P<quoted>[^"]*)"|[\n{_SIGNS}]|(?P<word>[^\s"{_SIGNS}]+|")')


# All digits behind a d are its size: if the next die could take some as its count, `1d61d6` and so on would
# have twice as many readings with every die.
_DICE = r"[0-9]{0,12}(?:[dw][0-9]{1,12}+)+"


_PART = re.compile(r"(?:(?<![0-9])([0-9]+))?[dw]([0-9]+)", re.IGNORECASE)


_WORD = re.compile(
    rf"(?P<number>[0-9]{{1,12}})[.?]?"
    rf"|(?:(?P<many>[0-9]{{1,3}})[x×*])?(?P<dice>{_DICE})(?:['’]?s)?(?:[x×*](?P<more>[0-9]{{1,3}}))?[.?]?"
    rf"|[x×*](?P<times>[0-9]{{0,3}})|(?P<count>[0-9]{{1,3}})[x×*]"
    rf"|(?P<kept>{_DICE})?(?P<keep>kh?|keep)(?P<best>[0-9]{{1,3}})?"
    rf"|(?P<against>vs?|versus|against|difficulty|diff|dc|tn|target|beats?)\.?(?P<goal>[0-9]{{1,6}})?"
    rf"|[-−](?P<minus>[0-9]{{1,3}})"
    rf"|(?P<dash>[-–—])"
    rf"|(?P<foreign>drop|kl[0-9]*|d[lh][0-9]*|explode[sd]?|exploding|twice|thrice|adv|dis|(?:dis)?advantage|!+"
    rf"|{_DICE}(?:!|kl|dl|dh|r[0-9o<]|e[0-9]).*|{_DICE}[re])",
    re.IGNORECASE,
)


_NEAR = re.compile(r"([0-9]{0,2}d)([0-9ol]{1,2})", re.IGNORECASE)


_STUCK = re.compile(r"(?<![^\W_])(?<!\w-)[0-9]*[dw](?:4|6|8|10|12|20)(?![0-9])", re.IGNORECASE)


_NO_SIZE = re.compile(r"[0-9]{1,2}d", re.IGNORECASE)


_SIGNS_ALONE = ("Pc", "Pd", "Pe", "Pf", "Pi", "Po", "Ps", "Sm", "Sc", "Sk", "Zs")
"""Unicode's categories of punctuation, signs and blanks."""


_LETTERS = str.maketrans("oOlL", "0011")


def plain_text(text: str) -> str:
    """Return text in plain letters and digits, without Markdown or invisible characters.

    Text in quotation marks keeps its Markdown and its letters; curly double quotes become straight ones.

    >>> plain_text("**Mind** ｄ８ ||d6||")
    'Mind d8 d6'
    >>> plain_text("“*Mind*” d8")
    '"*Mind*" d8'
    """
    if not (text.isascii() and text.isprintable()):
        straight = text.translate(_QUOTES).replace("\r\n", "\n")
        parts = _KEYCAPS.sub(lambda m: f" d{m[3] or (10 if m[2] else 12)} ", straight).split('"')
        parts[::2] = ["".join(map(_folded, part)) for part in parts[::2]]
        text = '"'.join(parts)
    return without_paired_marks(text) if any(mark in text for mark in ("`", "*", "_", "||")) else text


def one_die(text: str, sizes: Ladder) -> int:
    """Return the size of the only die typed, with full-width letters and Markdown allowed (D1).

    >>> one_die("**ｄ8**", (4, 6, 8))
    8

    Raises Unreadable if it isn't a die of one of those sizes.
    """
    return size_of(plain_text(text), sizes)


def _folded(character: str) -> str:
    """A character as it is read: wide and bold letters are plain ones."""
    if character in "\n\u200c\u200d\ufe0f":
        return character
    if not character.isprintable():
        return " " if character.isspace() else ""
    is_wide = unicodedata.decomposition(character).startswith(("<wide>", "<narrow>", "<font>"))
    return unicodedata.normalize("NFKC", character) if is_wide else character


def is_odd_number(character: str) -> bool:
    """Return whether a character is a superscript, a fraction or a circled number; none of them counts dice.

    >>> [is_odd_number(character) for character in "2²½②"]
    [False, True, True, True]
    """
    return unicodedata.category(character) == "No"


def struck_out(text: str) -> re.Match[str] | None:
    """Return the first struck-out text outside quotation marks, with the bare words as group 1, or None.

    >>> struck_out("Mind ~~Old Wound~~ d8")[1]
    'Old Wound'
    >>> struck_out('"~~Mind~~" d8') is None
    True
    """
    return next((found for found in STRUCK.finditer(text) if found[1]), None)


def raw_tokens(text: str) -> list[Token]:
    """Split plain text into whole words, quoted words and signs, without classifying the words.

    >>> [token.text for token in raw_tokens('"Quick Wits" 2d8, Mind+d6')]
    ['Quick Wits', '2d8', ',', 'Mind', '+', 'd6']
    >>> raw_tokens("vs")[0].kind.name
    'WORD'
    """
    found: list[Token] = []
    for match in _RAW.finditer(text):
        start, end = match.span()
        if match["quoted"] is not None:
            found.append(Token(TokenKind.QUOTED, match["quoted"], start, end))
        else:
            kind = TokenKind.WORD if match["word"] else _SIGN_KINDS.get(match[0], TokenKind.PARTING)
            found.append(Token(kind, match[0], start, end))
    return found


def classified(token: Token) -> list[Token]:
    """Return the tokens that one raw token means; there are several if an emoji touches a die.

    >>> [(token.kind.name, token.text) for token in classified(raw_tokens("💧d8")[0])]
    [('WORD', '💧'), ('DICE', 'd8')]
    >>> [(token.count, token.size) for token in classified(raw_tokens("2d10d8")[0])]
    [(2, 10), (1, 8)]
    >>> classified(raw_tokens("d1O")[0])[0].meant
    'd10'
    >>> [token.number for text in ("x2", "k3", "tn12", "-1") for token in classified(raw_tokens(text)[0])]
    [2, 3, 12, 1]
    """
    word, start = token.text, token.start
    if token.kind is not TokenKind.WORD:
        return [token]
    if word.isascii() and word.isalpha() and len(word) > 10:
        return [token]
    if not word.isascii():
        first, last = _pictures(word), len(word) - _pictures(word[::-1])
        if 0 < first < len(word):
            behind = Token(TokenKind.WORD, word[first:], start + first, token.end)
            return [Token(TokenKind.WORD, word[:first], start, start + first), *classified(behind)]
        if 0 < last < len(word):
            before = Token(TokenKind.WORD, word[:last], start, start + last)
            return [*classified(before), Token(TokenKind.WORD, word[last:], start + last, token.end)]
    return _of_word(token)


def _of_word(token: Token) -> list[Token]:
    """The tokens of a word without pictures at its ends."""
    found = _WORD.fullmatch(token.text)
    if found is None:
        return [_nearly(token)]
    if found["number"]:
        return [replace(token, kind=TokenKind.NUMBER, number=int(found["number"]))]
    if found["dice"]:
        return _multiplied(token, _dice(token, found["dice"]), found["many"] or found["more"])
    if found["times"] is not None or found["count"]:
        return [replace(token, kind=TokenKind.TIMES, number=int(found["times"] or found["count"] or -1))]
    if found["keep"]:
        if found["kept"] and not found["best"]:
            return [replace(token, kind=TokenKind.FOREIGN)]
        keep = replace(token, kind=TokenKind.KEEP, number=int(found["best"] or -1))
        return [*_dice(token, found["kept"] or ""), keep]
    if found["against"]:
        return [replace(token, kind=TokenKind.OPPOSITION, number=int(found["goal"] or -1))]
    if found["minus"]:
        return [replace(token, kind=TokenKind.MINUS, number=int(found["minus"]))]
    return [replace(token, kind=TokenKind.DASH if found["dash"] else TokenKind.FOREIGN)]


def _nearly(token: Token) -> Token:
    """A word, or what is nearly a die: `d1O`, `5d`, `2d6Fire`, `-d8`."""
    word = token.text
    near, stuck = _NEAR.fullmatch(word), stuck_die(word)
    size = int(near[2].translate(_LETTERS)) if near else 0
    if near and size in ALL_SIZES:
        return replace(token, kind=TokenKind.WRONG, meant=f"{near[1]}{size}".lower())
    if _NO_SIZE.fullmatch(word):
        return replace(token, kind=TokenKind.WRONG, meant=f"{word}6".lower())
    if stuck:
        return replace(token, kind=TokenKind.WRONG, meant=stuck.lower())
    return replace(token, kind=TokenKind.WRONG) if any(map(is_odd_number, word)) else token


def _multiplied(token: Token, dice: Sequence[Token], times: str | None) -> list[Token]:
    """Dice of one word, as often as it says; of several dice it could be the last alone."""
    if times and len(dice) == 1:
        return [replace(token, kind=TokenKind.DICE, count=dice[0].count * int(times), size=dice[0].size)]
    return [*dice, replace(token, kind=TokenKind.TIMES, number=int(times))] if times else [*dice]


def _dice(token: Token, typed: str) -> list[Token]:
    """Each die in a word of dice, with its count: `2d10d8` has two."""
    found = list(_PART.finditer(typed))
    if len(found) == 1:
        return [replace(token, kind=TokenKind.DICE, count=int(found[0][1] or 1), size=int(found[0][2]))]
    return [
        Token(TokenKind.DICE, one[0], token.start, token.end, count=int(one[1] or 1), size=int(one[2]))
        for one in found
    ]


def stuck_die(word: str) -> str:
    """Return a die that something touches in a word that isn't a name; "" if there is none.

    >>> stuck_die("d8fire"), stuck_die("R2D2")
    ('d8', '')
    """
    found = _STUCK.search(word)
    return found[0] if found else ""


def is_stuck(word: str) -> bool:
    """Return whether a word only looks as if it had a die in it, as `D4vid` does."""
    return bool(stuck_die(word)) and not has_die(word)


def ends_of_dice(text: str) -> list[int]:
    """Return where each die in a text ends, in order.

    >>> ends_of_dice("Mind d8, Rope 2d6")
    [7, 17]
    """
    return [found.end() for found in DIE_IN_TEXT.finditer(text)]


def is_letter(character: str) -> bool:
    """Return whether a character can be a label by itself: a letter, a number or an emoji.

    >>> [is_letter(character) for character in "M7💧-!"]
    [True, True, True, False, False]
    """
    return unicodedata.category(character) not in _SIGNS_ALONE and character.isprintable()


def _pictures(word: str) -> int:
    """How many signs that are pictures a word begins with."""
    return next((n for n, sign in enumerate(word) if not _is_picture(sign)), len(word))


def _is_picture(sign: str) -> bool:
    return sign in "\ufe0f\u200d\u20e3" or unicodedata.category(sign) in ("So", "Sk")


_SIGN_KINDS = {
    **dict.fromkeys(":=", TokenKind.JOIN),
    **dict.fromkeys("()[]{}", TokenKind.BRACKET),
    **dict.fromkeys(">≥", TokenKind.OPPOSITION),
    **dict.fromkeys("<≤", TokenKind.FOREIGN),
}
"""What signs of one letter are that do not part items."""
