"""Prose as a row of letters, one for each token, in which dice and what they are against are patterns."""

import re
from collections.abc import Collection
from itertools import groupby

from rules.cortex.notation.names import DIFFICULTIES, Known, canonical, fold
from rules.cortex.notation.tokens import Token, TokenKind, has_die, is_letter
from rules.cortex.rolling.opposition import HIGHEST
from rules.cortex.state.pool import Die
from rules.dice import NOTATION

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
    rf"(?P<against>(?:Z|(?P<early>z|[Yy][Yynytm:]*|Y[tm]*{_WORD}{{1,5}}(?={DICE}))"
    rf"|[Aan][Aantm:(]*|[Aa][tm:(]*(?:{_WORD}[:(]?){{1,5}}(?:(?<=[:(])|(?={DICE}))|>:?(?=N))"
    rf"(?P<what>(?<=[Zz])|{_WHAT})(?P<more>(?(early)|{_MORE})))"
    r"|(?P<unread>[AY][tm]*[^,.PJIS()D]{0,3}|[any<>]:?t?[NZ][^,.PJIS()D]{0,2})"
)


class Prose:
    """A text in plain characters, its tokens, and a letter for what each can mean."""

    def __init__(self, text: str, known: Known, foes: Collection[str] = ()) -> None:
        names = Known({**{foe: Die(0, foe) for foe in foes}, **known})
        names.offered, names.rules = known.offered, known.rules
        self.known, self.foes, self.text = known, {*map(fold, foes)}, text
        # The dice of one word are one item, `2d10d8`; of another game where one of them is.
        words = groupby(names.tokens(text), lambda token: token.start)
        self.tokens = [max(each, key=lambda token: token.size not in (0, *known.sizes)) for _, each in words]
        letters = "".join(map(self._letter, self.tokens))
        begun = len(re.split("[DP]", letters, maxsplit=1)[0])
        self.letters = letters[:begun].translate(str.maketrans("AanZ>", "Yyyz<")) + letters[begun:]

    def slice(self, begin: int, end: int) -> str:
        """What stands there, in one line."""
        tokens = self.tokens[begin:end]
        return " ".join(self.text[tokens[0].start : tokens[-1].end].rstrip(".?").split()) if tokens else ""

    def item(self, match: re.Match[str]) -> str:
        """Verbs, a name and dice, as they would be typed."""
        begin, end = match.span("name" if match["name"] else "behind")
        name, letters = self.slice(begin, end), self.letters[begin:end]
        is_notation = NOTATION & {*fold(name).split()} and not re.match("f|Q|[KXk]+$", letters)
        verbs = [self.tokens[n].text for n in range(*match.span()) if self.letters[n] == "V"]
        words = (*verbs, f'"{name}"' if is_notation else name, self.slice(*match.span("die")))
        return " ".join(filter(None, words))

    def against(self, match: re.Match[str]) -> tuple[str, list[str]]:
        """What is said against dice, as it would be typed, and what else is in the way."""
        first, (begin, end) = self.tokens[match.start()], match.span("what")
        word = ">=" if self.text[first.start :].startswith((">=", "≥")) else "vs"
        what = self.slice(begin, end) or str(first.number)
        if match["what"][:1] not in ("d", "O", "o"):
            dice = re.compile(DICE).finditer(self.letters, begin, end)
            what = ", ".join(self.slice(*each.span()) for each in dice) or what
        more = _PART.finditer(self.letters, *match.span("more"))
        return f"{word} {what}", [self.slice(*part.span(1)) for part in more]

    def _letter(self, token: Token) -> str:
        word, is_low, kind = fold(token.text), token.text[:1].islower(), token.kind
        if kind is TokenKind.DICE:
            return "D" if token.size in self.known.sizes else "F"
        if kind in (TokenKind.WRONG, TokenKind.FOREIGN) and (token.meant or has_die(word)):
            return "F"
        if kind is TokenKind.NAME:
            is_foe, is_here = fold(token.meant) in self.foes, canonical(token.meant) in self.known.folded
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
