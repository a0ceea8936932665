"""The grammar of typed pools: tokens become a tree with keep, opposition and modifiers (D2, D4 to D6).

pool       := item (sep item)* [opposition] [keep]
item       := verb* (dice [label] | label dice | name) | modifier
dice       := [count] "d" size | dice "x" count | size, not after a word
opposition := ("vs" | "against" | "difficulty" | "tn" | ">" | …) what
"""

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

from rules.cortex.model import Modifier
from rules.cortex.pool_items import ItemReader, PoolTree, choose, is_dice, stray, wrong
from rules.cortex.pool_words import NameIndex, fold_word
from rules.cortex.ruleset import Ruleset
from rules.cortex.tokens import Token, TokenKind, is_stuck, plain_text, struck_out
from rules.dice import COUNTS, quoted_label
from rules.errors import NotAllowed, SettingOff, Unreadable
from rules.names import LABEL, clean
from rules.text import Words, shorten
from rules.values import replace

LARGEST = 20
"""A modifier is from this with a minus to this."""


MOST = 10
"""A pool takes at most so many."""


_MODIFIER = re.compile(r'(?:"[^"]*"\s+)?[+\-−][0-9]{1,3}')


def checked(number: int, typed: str) -> int:
    """Return the number of a modifier unchanged. Raises NotAllowed if it is above 20."""
    if number > LARGEST:
        raise NotAllowed("{typed} is too much: a modifier can be -20 to 20.", typed=shorten(typed))
    return number


def require_few(plus: Sequence[Modifier]) -> None:
    """Check the number of modifiers. Raises NotAllowed if there are more than 10."""
    if len(plus) > MOST:
        raise NotAllowed(
            "That's {count} modifiers; a pool can have at most {most}.", count=len(plus), most=MOST
        )


def is_one(text: str) -> bool:
    """Return whether a text is exactly one written modifier.

    >>> is_one("+2"), is_one('"High ground" -1'), is_one("2")
    (True, True, False)
    """
    return _MODIFIER.fullmatch(text) is not None


def write(plus: Iterable[Modifier]) -> str:
    """Return modifiers as text that can be typed again.

    >>> write([Modifier(2, "High ground"), Modifier(-1)])
    '"High ground" +2 -1'
    """
    return " ".join(_written(each) for each in plus)


def beside_modifiers(pool: str, plus: tuple[Modifier, ...]) -> str:
    """Return the text of a pool with its modifiers after it.

    >>> beside_modifiers("2d6 d8", (Modifier(2),)), beside_modifiers("2d6", ())
    ('2d6 d8 +2', '2d6')
    """
    return f"{pool} {write(plus)}" if plus else pool


def _written(one: Modifier) -> str:
    return f"{quoted_label(one.label)} {one.number:+}" if one.label else f"{one.number:+}"


_MODIFIER_TEXT = re.compile(r"[+\-−] *[0-9]")


_BEFORE_ONE = (TokenKind.NUMBER, TokenKind.TIMES, TokenKind.VERB)
"""What is for the one item behind it, and not for all in a pair of brackets."""


LONGEST = 1000
"""Text longer than this is no pool."""


_SURE = frozenset({"vs", "vs.", "versus"})
"""Words that are always an opposition's, whatever stands behind them."""


_NOUNS = frozenset({"difficulty", "target", "beat", "beats"})
"""An opposition's words that people also write in names."""


BESIDE = frozenset({"of", "is", "number", "the", "a", "an"})
"""Words between an opposition's word and what opposes."""


def parse(text: str, known: NameIndex, *, is_roll: bool = False) -> PoolTree:
    """Return the tree of a text; `known` has the names, settings and answers that apply to it.

    `is_roll` says that the pool will be rolled, so that two pools in one text are noticed.

    >>> tree = parse("Rope 2d8, up d6 vs 11 keep 3", NameIndex(), is_roll=True)
    >>> [(node.label, node.sizes, node.verbs) for node in tree.nodes]
    [('Rope', (8, 8), ()), ('', (6,), ('up',))]
    >>> tree.versus, tree.keep
    ('11', 3)

    Raises Unreadable for text that is neither dice nor a label; NotAllowed for what no pool can have;
    Unclear if two readings give different dice.
    """
    if len(text) > LONGEST:
        raise Unreadable(
            "That's {count} characters; the limit is {longest}.",
            count=len(text),
            longest=LONGEST,
        )
    return _Parser(known, is_roll=is_roll).tree(plain_text(text))


def parted(text: str, known: NameIndex) -> tuple[str, str, int]:
    """Return the dice of a text as typed, the opposition, and how many results are kept (0 if not typed).

    >>> parted("2d6 Mind vs hard k3", NameIndex())
    ('2d6 Mind', 'hard', 3)
    """
    return _Parser(known, is_roll=True).parted(text)


class _Parser:
    """Reads one text."""

    def __init__(self, known: NameIndex, *, is_roll: bool) -> None:
        self.known, self.is_roll = known, is_roll
        self.text = ""

    def tree(self, text: str) -> PoolTree:
        """Return the tree of plain text."""
        self.text = self._unstruck(text) if "~~" in text else text
        tokens, keep, versus, dice = self._cut()
        tokens, plus = self._modified(tokens) if _MODIFIER_TEXT.search(self.text) else (tokens, [])
        items = ItemReader(self.text, self.known, tokens)
        nodes = [node for segment in self._segments(tokens) for node in items.nodes(segment)]
        return PoolTree(self.text, tuple(nodes), tuple(plus), versus, keep, dice)

    def parted(self, text: str) -> tuple[str, str, int]:
        """Return the dice of a text as typed, the opposition, and how many results are kept."""
        self.text = plain_text(text)
        tokens, keep, versus, _ = self._cut()
        return self.text[tokens[0].start : tokens[-1].end] if tokens else "", versus, keep

    def _cut(self) -> tuple[list[Token], int, str, str]:
        """The tokens of the pool, how many are kept, what it is against, and the text without that."""
        tokens = self._tokens()
        kinds = [token.kind for token in tokens]
        if TokenKind.BRACKET in kinds:
            tokens = self._bare(tokens)
        tokens, keep = self._keep(tokens) if TokenKind.KEEP in kinds else (tokens, 0)
        if TokenKind.OPPOSITION not in kinds:
            return tokens, keep, "", self.text
        tokens, versus, dice = self._opposed(tokens)
        return tokens, keep, versus, dice

    # What is typed, token by token

    def _unstruck(self, text: str) -> str:
        """The text with what is struck out in it, or without."""
        while found := struck_out(text):
            typed = shorten(found[1])
            is_in = choose(
                self.known,
                "{typed} is struck out. Roll it as well?",
                (Words("{typed}", typed=found[1]), f"in {found[1]}"),
                (Words("{typed}", typed=f"~~{found[1]}~~"), f"out {found[1]}"),
                typed=typed,
            )
            text = f"{text[: found.start()]} {'' if is_in else found[1]} {text[found.end() :]}"
        return text

    def _tokens(self) -> list[Token]:
        """The tokens of the text, in which each known name is one, the longest first."""
        found, verbs = self.known.tokens(self.text), self.known.verbs
        for place, token in enumerate(found):
            if token.kind is TokenKind.WORD and (word := token.text.casefold()) in verbs:
                found[place] = replace(token, kind=TokenKind.VERB, text=word)
            elif token.kind is TokenKind.WRONG and self.known.is_trait and is_stuck(token.text):
                found[place] = replace(token, kind=TokenKind.WORD)
            elif token.kind is TokenKind.WRONG:
                raise wrong(token)
            elif token.kind is TokenKind.FOREIGN:
                raise _foreign(token)
            elif token.text == '"':
                raise Unreadable('A quotation mark isn\'t closed. Example: "Quick Wits" d8')
        if self.known.refused:
            self._require_for_trait(found)
        return found

    def _require_for_trait(self, tokens: Sequence[Token]) -> None:
        """Refuse a verb that needs a trait of its own before a die or another name (N3, N7)."""
        for token, behind in pairwise(tokens):
            is_one = behind.kind in (TokenKind.DICE, TokenKind.NUMBER, TokenKind.NAME)
            if (
                token.kind is TokenKind.WORD
                and is_one
                and (refusal := self.known.refused.get(fold_word(token.text)))
            ):
                raise refusal()

    def _bare(self, tokens: list[Token]) -> list[Token]:
        """The tokens without brackets around dice or a known name; around words they are part of these."""
        opened: list[int] = []
        gone: set[int] = set()
        for place, token in enumerate(tokens):
            if token.kind is not TokenKind.BRACKET:
                continue
            if token.text in "([{":
                opened.append(place)
            elif not opened or tokens[opened[-1]].text + token.text not in ("()", "[]", "{}"):
                raise stray(token)
            else:
                begin = opened.pop()
                inside = tokens[begin + 1 : place]
                if begin and _has_several(inside) and tokens[begin - 1].kind in _BEFORE_ONE:
                    typed = self.text[tokens[begin - 1].start : token.end]
                    raise Unreadable("{typed} isn't part of a pool. Leave it out.", typed=shorten(typed))
                if any(each.kind not in (TokenKind.WORD, TokenKind.QUOTED) for each in inside):
                    gone |= {begin, place}
        if opened:
            raise stray(tokens[opened[0]])
        return [token for place, token in enumerate(tokens) if place not in gone]

    def _keep(self, tokens: list[Token]) -> tuple[list[Token], int]:
        """The tokens without how many results are kept, and that; 0 where nothing says it."""
        left, kept, place = list[Token](), list[int](), 0
        while place < len(tokens):
            token, behind = tokens[place], tokens[place + 1 : place + 3]
            place += 1
            has_dice = bool(left) and left[-1].kind is TokenKind.DICE
            is_label = token.text[:1] == "K" and behind and behind[0].kind is TokenKind.WORD
            if token.kind is not TokenKind.KEEP:
                left.append(token)
            elif token.number >= 0 and (has_dice or not is_label):
                kept.append(token.number)
            elif (number := _number(behind)) >= 0:
                kept.append(number)
                place += 1
            elif has_dice and token.number < 0:
                raise Unreadable("{typed} needs a number. Example: 3d6 keep 2", typed=shorten(token.text))
            else:
                left.append(replace(token, kind=TokenKind.WORD))
        if 0 in kept:
            raise NotAllowed("A roll keeps at least one result. Example: 3d6 keep 2")
        if len(set(kept)) > 1:
            raise NotAllowed("You typed two numbers for keep. Leave one of them out. Example: 3d8 keep 3")
        return left, kept[0] if kept else 0

    def _opposed(self, tokens: list[Token]) -> tuple[list[Token], str, str]:
        """The tokens before what opposes, that as it was typed, and the text without it."""
        places, ends, has_dice = dict[int, int](), self._ends(tokens), False
        for place, token in enumerate(tokens):
            behind = tokens[ends[place] : ends[place] + 2]
            if token.kind is TokenKind.OPPOSITION and self._opposes(token, behind, place, has_dice=has_dice):
                places[place] = ends[place]
            is_parting = token.kind is TokenKind.PARTING
            has_dice = not is_parting and (has_dice or token.kind in (TokenKind.DICE, TokenKind.NAME))
        plain_words = [
            replace(t, kind=TokenKind.WORD) if t.kind is TokenKind.OPPOSITION and n not in places else t
            for n, t in enumerate(tokens)
        ]
        if not places:
            return plain_words, "", self.text
        begin, end = next(iter(places.items()))
        word = tokens[begin]
        if begin and word.text.casefold() == "beat" and tokens[begin - 1].text.casefold() == "to":
            begin -= 1
        if max(places) >= end:
            raise NotAllowed(
                "You can't roll against two things: {typed}. Leave one of them out.",
                typed=shorten(self.text[tokens[begin].start :]),
            )
        start = tokens[end].start if end < len(tokens) else len(self.text)
        least = [t.start for t in tokens[begin:end] if self.text.startswith((">=", "≥"), t.start)]
        if word.number >= 0:
            start = word.end - len(str(word.number))
        elif least:
            start = least[0]
        # A plus right behind a number says something, `10+`.
        versus = self.text[start : tokens[-1].end].strip(" ,;\n").lstrip("+ ")
        before = plain_words[:begin]
        if not before or not versus:
            raise Unreadable("Put the dice before vs, and the opposition after it. Example: Mind d10 vs 11")
        rest = f"{self.text[: tokens[begin].start]} {self.text[tokens[-1].end :]}"
        return before, versus, rest.strip(" ,;+\n")

    def _ends(self, tokens: Sequence[Token]) -> list[int]:
        """The place behind each token and further words of an opposition: `vs difficulty:`, `target of`."""
        ends, end = list[int](), len(tokens)
        for place in range(len(tokens) - 1, -1, -1):
            token = tokens[place]
            ends.append(end)
            is_more = token.kind in (TokenKind.OPPOSITION, TokenKind.JOIN) or token.text.casefold() in BESIDE
            end = end if is_more else place
        return ends[::-1]

    def _opposes(self, token: Token, behind: Sequence[Token], place: int, *, has_dice: bool) -> bool:
        """Whether an opposition's word is one here: in front of a number, dice, or what can oppose."""
        word = token.text.casefold()
        if word in _SURE or word in (">", "≥"):
            return True
        if token.number >= 0:
            return bool(place) or word[0] != "v"
        if not behind:
            return has_dice
        if behind[0].kind is TokenKind.NUMBER:
            return bool(place) or not is_dice(behind[1:])
        if behind[0].kind is TokenKind.DICE and word in _NOUNS:
            return has_dice
        if behind[0].kind is TokenKind.DICE or self.known.can_oppose(self.text[behind[0].start :]):
            return bool(place)
        return has_dice and word in ("against", "v", "v.", "beat", "beats")

    def _modified(self, tokens: list[Token]) -> tuple[list[Token], list[Modifier]]:
        """The tokens without numbers that are added to the total, and those (N13)."""
        left, plus, place = list[Token](), list[Modifier](), 0
        while place < len(tokens):
            number, width = self._modifier_at(tokens, place)
            if not width:
                left.append(tokens[place])
                place += 1
                continue
            is_labelled = bool(left) and left[-1].kind is TokenKind.QUOTED
            plus.append(Modifier(number, clean(left.pop().text, LABEL) if is_labelled else ""))
            place += width
        require_few(plus)
        return left, plus

    def _modifier_at(self, tokens: Sequence[Token], place: int) -> tuple[int, int]:
        """The modifier that begins at a token, and how many tokens it is; 0 for none."""
        token, behind = tokens[place], tokens[place + 1 : place + 2]
        if len(tokens) == 1:
            return 0, 0
        rules = self.known.rules
        if token.kind is TokenKind.MINUS:
            require_modifiers(rules, token.text)
            return -checked(token.number, token.text), 1
        is_plus = token.text == "+" and behind and behind[0].kind is TokenKind.NUMBER
        if not is_plus or behind[0].number > 999:
            return 0, 0
        number, typed = behind[0].number, f"+{behind[0].number}"
        after = tokens[place + 2 : place + 3]
        has_gap = token.start == 0 or self.text[token.start - 1].isspace()
        is_sign = has_gap and behind[0].start == token.end
        if not is_sign and (number in rules.sizes or is_dice(after)):
            return 0, 0  # `Mind+8` and `Mind + 8` are a d8
        is_end = not after or after[0].kind is TokenKind.PARTING
        is_labelled = bool(place) and tokens[place - 1].kind is TokenKind.QUOTED
        if not rules.modifiers:
            if number not in rules.sizes and is_end:
                require_modifiers(rules, typed)
            return 0, 0
        is_size = number in rules.sizes or is_dice(after)
        if is_size and not is_labelled and self._is_die(typed, number, is_count=is_dice(after)):
            return 0, 0
        return checked(number, typed), 2

    def _is_die(self, typed: str, number: int, *, is_count: bool) -> bool:
        """Whether a number behind a plus is a die, or a count of the dice behind it (N13)."""
        as_die = Words("{number} dice", number=number) if is_count else Words("a d{number}", number=number)
        return not choose(
            self.known,
            "{typed} may be {dice}, or {typed} added to the total. Which do you mean?",
            (as_die, f"{typed} as die"),
            (Words("{typed}", typed=typed), f"{typed} as number"),
            written=1,
            typed=typed,
            dice=as_die,
        )

    # What is an item

    def _segments(self, tokens: Sequence[Token]) -> list[list[Token]]:
        """The tokens between what parts items."""
        segments: list[list[Token]] = [[]]
        sides: list[int] = [0]
        for token in tokens:
            is_word = token.kind is TokenKind.WORD and token.text.casefold() in ("and", "plus")
            if token.kind is TokenKind.PARTING or is_word:
                segments.append([])
                if token.text == ";":
                    sides.append(len(segments) - 1)
            else:
                segments[-1].append(token)
        segments = self._of_one_roll(segments, sides) if self.is_roll and sides[1:] else segments
        return [segment for segment in segments if segment]

    def _of_one_roll(self, segments: list[list[Token]], sides: list[int]) -> list[list[Token]]:
        """The segments that are one roll, where a semicolon may part two (L5)."""
        ends = pairwise([*sides, len(segments)])
        parts = [part for begin, end in ends if (part := [*filter(None, segments[begin:end])])]
        dice = [sum(_dice_count(segment) for segment in part) for part in parts]
        if max(dice, default=0) < 2 or min(dice) < 1 or len(parts) < 2:
            return segments
        texts = [self.text[part[0][0].start : part[-1][-1].end] for part in parts]
        answers = [(Words("{typed}", typed=" + ".join(texts)), "one roll of all")]
        answers += [(Words("{typed}", typed=text), f"the roll {text}") for text in texts[:3]]
        place = choose(self.known, "Is that one pool, or several rolls?", *answers)
        return parts[place - 1] if place else segments


def require_modifiers(rules: Ruleset, typed: str) -> None:
    """Check that the table has modifiers. Raises SettingOff if it hasn't (N13)."""
    if not rules.modifiers:
        raise SettingOff(
            "{typed} is a modifier, and modifiers are off in this campaign.",
            setting="modifiers",
            typed=shorten(typed),
        )


def _number(tokens: Sequence[Token]) -> int:
    """The number at the beginning, in digits or as a word, with no die behind it; -1 for none."""
    if not tokens or is_dice(tokens[1:]):
        return -1
    if tokens[0].kind is TokenKind.NUMBER:
        return tokens[0].number
    return COUNTS.get(tokens[0].text.casefold(), -1) if tokens[0].kind is TokenKind.WORD else -1


def _has_several(tokens: Sequence[Token]) -> bool:
    """Whether there is more than one item among them, as far as it can be seen without reading them."""
    return sum(token.kind in (TokenKind.DICE, TokenKind.NAME, TokenKind.NUMBER) for token in tokens) > 1


def _dice_count(tokens: Sequence[Token]) -> int:
    """How many dice are in a segment, as far as it can be seen without reading it."""
    return sum(token.count for token in tokens) + sum(token.kind is TokenKind.NAME for token in tokens)


def _foreign(token: Token) -> Unreadable:
    """The refusal of an operator of other bots."""
    if token.text in ("<", "≤"):
        return Unreadable(
            "{typed} doesn't work: a roll has to beat a number. Example: d8 vs 11",
            typed=shorten(token.text),
        )
    return Unreadable(
        "{typed} doesn't work: dice can't explode or be dropped. Use keep to say how many dice count. "
        "Example: 4d6 keep 3",
        typed=shorten(token.text),
    )
