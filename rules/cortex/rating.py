"""Read and write a label with its rating: `Rope 2d8`, `d8 Rope`, `Luck safe d6` (D1, N21).

rated := label [":"] dice | dice label
row   := rated (sep rated)*, on a sheet, where a note in brackets may follow each
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import pairwise

from rules.cortex.kinds import MOST_RATING, Trait
from rules.cortex.pool import Die, Rating, require_safe, sizes_of, write_sizes
from rules.cortex.pool_grammar import LONGEST
from rules.cortex.pool_items import MOST_QUESTIONS, ItemReader, Unclear, choose, is_dice, stray, wrong
from rules.cortex.pool_words import DIFFICULTIES, NameIndex, canonical
from rules.cortex.ruleset import PRIME, Ruleset
from rules.cortex.tokens import (
    Token,
    TokenKind,
    classified,
    is_letter,
    is_stuck,
    plain_text,
    raw_tokens,
    struck_out,
    stuck_die,
)
from rules.dice import ALL_SIZES, COUNTS, SAFE_WORD, no_die
from rules.errors import NotAllowed, PossibleAnswer, RuleError, Undecided, Unreadable
from rules.names import LABEL, clean, fold, has_die, plain_name
from rules.text import OR, Row, Words, shorten
from rules.values import Value, replace

_TEXT = (TokenKind.WORD, TokenKind.QUOTED, TokenKind.NAME)


_AND = frozenset({"and", "plus", "+", "&"})
"""What may stand between a die and the next label of a row."""


_NOUNS = frozenset({"difficulty", "target", "beats"})
"""An opposition's words that people also write in names."""


ANY_SIZE = replace(PRIME, sizes=ALL_SIZES)


_STRAIGHT = str.maketrans("“”", '""')


class Rated(Value):
    """A label and the rating typed with it, or None if no rating was typed."""

    label: str = ""
    rating: Rating | None = None


def rated(
    text: str,
    die: str | None = None,
    rules: Ruleset = PRIME,
    decided: Collection[str] = (),
    *,
    most: int = MOST_RATING,
    names: Iterable[str] = (),
) -> tuple[str, Rating | None]:
    """Return a label and its rating, typed either with the label or separately in `die`.

    The rating is None if neither gives one. `most` is the highest number of dice allowed, `decided` holds
    the signs of answers already given, and `names` are existing labels that may look like dice.

    >>> rated("Rope 2d8")
    ('Rope', Rating(die=8, more=(8,), safe=False))
    >>> rated("Rope", "d6 d10")
    ('Rope', Rating(die=10, more=(6,), safe=False))
    >>> rated("Rope")
    ('Rope', None)

    Raises Unreadable for dice without a label or text that is no rating; NotAllowed for two different
    ratings, too many dice, or anything that belongs only in a roll; Undecided if the text is ambiguous.
    """
    beside = read(die, rules, decided, most=most) if die and die.strip() else None
    found = _one(text, _known(rules, decided, names), most, has_rating=beside is not None)
    if not found.label:
        raise Unreadable("{text} needs a name. Example: Broken Arm {text}", text=" ".join(text.split())[:20])
    if found.rating and beside and found.rating != beside:
        raise NotAllowed(
            "{text} says {typed}, but the option die says {beside}. Leave one of them out.",
            text=shorten(text),
            typed=_said(found.rating),
            beside=_said(beside),
        )
    return found.label, found.rating or beside


def rated_once(text: str, die: str | None, rules: Ruleset, decided: Collection[str] = ()) -> tuple[str, int]:
    """Return a label and the size of its only die; the size is 0 if none is typed.

    >>> rated_once("Rope d8", None, PRIME), rated_once("Rope", None, PRIME)
    (('Rope', 8), ('Rope', 0))

    Raises as `rated` does; NotAllowed for more than one die.
    """
    label, rating = rated(text, die, rules, decided, most=1)
    return label, rating.die if rating else 0


def read(text: str, rules: Ruleset, decided: Collection[str] = (), *, most: int = MOST_RATING) -> Rating:
    """Return the rating that dice without a label mean.

    >>> read("8", PRIME)
    Rating(die=8, more=(), safe=False)
    >>> read("d6 2d10", PRIME)
    Rating(die=10, more=(10, 6), safe=False)
    >>> read("d8x2", PRIME) == read("2d8", PRIME)
    True

    Raises Unreadable if the text is no rating; NotAllowed for too many dice; SettingOff for safe dice if
    the table has none; Undecided if the text is ambiguous.
    """
    found = _one(text, _known(rules, decided), most)
    if fold(found.label) == SAFE_WORD:
        require_safe(rules)
    if found.label or not found.rating:
        raise no_die(text, 0, rules.sizes)
    return found.rating


def label(text: str) -> str:
    """Return a typed label without enclosing quotation marks, for something rated elsewhere.

    >>> label(' "Broken  Arm" ')
    'Broken Arm'

    Raises Unreadable if the label is empty or has a die in it.
    """
    found = clean(text, LABEL)
    straight = found.translate(_STRAIGHT)
    if straight[0] == straight[-1] == '"' and straight.count('"') == 2:
        found = clean(found[1:-1], LABEL)
    return without_die(found)


def named_die(one: Trait, typed: str) -> int:
    """Return the size of the die typed after a trait's label, as in `Crew d6` (N21).

    Returns 0 for a size that the trait doesn't have, and for a trait with a single die.

    >>> crew = Trait("Crew", 8, more=(6,))
    >>> named_die(crew, "Crew d6"), named_die(crew, "Crew d10"), named_die(crew, "Crew")
    (6, 0, 0)
    """
    found = read_named(typed, (one.label,)).rating if one.more else None
    return found.die if found and not found.more and found.die in sizes_of(one) else 0


def without_die(label: str) -> str:
    """Return a label unchanged. Raises Unreadable if it has a die or a mention in it."""
    return plain_name(label, has_die(plain_text(label)))


def read_named(text: str, names: Iterable[str]) -> Rated:
    """Return the label and dice typed for something that already exists, without ever asking.

    `names` are the existing labels. Text that can't be read is returned as a label, exactly as typed.

    >>> read_named("Crew d6", ["Crew"])
    Rated(label='Crew', rating=Rating(die=6, more=(), safe=False))
    >>> read_named("Old Crew", ["Crew"])
    Rated(label='Old Crew', rating=None)
    """
    known = _known(ANY_SIZE, (), names)
    known.is_written = True
    try:
        found = _RatingReader(text, known, has_rating=True).one()
    except RuleError:
        return Rated(text)
    return found if found.label else Rated(text)


def read_row(
    text: str, rules: Ruleset, names: Iterable[str] = (), *, is_written: bool = False
) -> list[Rated]:
    """Return the labels and ratings in one part of a sheet row, in the order typed. The part has no notes.

    `names` are existing labels, which may look like dice. A sheet can't ask which reading is meant.

    >>> [write(one) for one in read_row("Mind d10, Body 2d6", PRIME)]
    ['Mind d10', 'Body 2d6']

    Raises Unreadable if the text is ambiguous, naming both readings; otherwise as `rated` does.
    """
    known = _known(rules, (), names)
    known.is_written = is_written
    try:
        return _asked(known, lambda: _RatingReader(text, known, is_row=True).several())
    except Undecided as question:
        meant = Row([answer.label for answer in question.answers], OR)
        raise Unreadable(
            "{typed} could mean two things. Type {meant}.", typed=shorten(text), meant=meant
        ) from None


def is_dice_alone(text: str) -> bool:
    """Return whether the text is a rating without a label.

    >>> is_dice_alone("2d8"), is_dice_alone("Rope 2d8")
    (True, False)
    """
    try:
        read(text, ANY_SIZE)
    except RuleError:
        return False
    return True


def quote_before_die(label: str, *, is_safe: bool = True) -> str:
    """Return a label as it must be typed before a die, in quotation marks if it would be misread without.

    `is_safe` says whether the table has safe dice. Quotation marks inside the label are doubled.

    >>> quote_before_die("Broken Arm"), quote_before_die("Vs 2"), quote_before_die('The "Duke" of Y')
    ('Broken Arm', '"Vs 2"', '"The ""Duke"" of Y"')
    """
    if _is_plain(label, is_safe=is_safe):
        return label
    inside = label.translate(_STRAIGHT).replace('"', '""')
    return f'"{inside}"'


def _is_plain(label: str, *, is_safe: bool) -> bool:
    """Whether each word of a label is a mere word before a die."""
    # A mark of Markdown at the start of a line falls away, so such a label is quoted.
    if not label[:1].isalnum() or plain_text(label) != label or struck_out(label):
        return False
    for token in raw_tokens(label):
        kinds = [each.kind for each in classified(token)]
        if kinds != [TokenKind.WORD] or token.text in ('"', "d", "D"):
            return False
    last = label.rpartition(" ")[2].casefold()
    return last not in COUNTS and not (is_safe and last == SAFE_WORD) and any(map(is_letter, label))


def write(one: Rated) -> str:
    """Return a label and its rating as text that `rated` can read.

    >>> write(Rated("Rope", Rating(8, (8,))))
    'Rope 2d8'
    >>> write(Rated("Vs 2", Rating(6, safe=True)))
    '"Vs 2" safe d6'
    """
    parts = (quote_before_die(one.label) if one.label else "", _said(one.rating) if one.rating else "")
    return " ".join(part for part in parts if part)


def _said(rating: Rating) -> str:
    dice = write_sizes((rating.die, *rating.more))
    return f"{SAFE_WORD} {dice}" if rating.safe else dice


def _known(rules: Ruleset, decided: Collection[str], names: Iterable[str] = ()) -> NameIndex:
    known = NameIndex({name: Die(0, name) for name in names})
    known.rules, known.decided, known.is_rating = rules, decided, True
    return known


def _one(text: str, known: NameIndex, most: int, *, has_rating: bool = False) -> Rated:
    """The label and the rating of a text. Raises NotAllowed for more dice than there can be."""

    def reading() -> list[Rated]:
        found = _RatingReader(text, known, has_rating=has_rating).one()
        if found.rating and found.rating.more and most == 1:
            raise NotAllowed(
                "{text} has {count} dice. Type only one die. Example: {example}",
                text=shorten(text),
                count=1 + len(found.rating.more),
                example=write(replace(found, rating=Rating(found.rating.die))),
            )
        return [found]

    return _asked(known, reading)[0]


def _asked(
    known: NameIndex, reading: Callable[[], list[Rated]], questions: int = MOST_QUESTIONS
) -> list[Rated]:
    """Return what is read. Raises Undecided where two readings that can be meant differ (L5)."""
    try:
        return reading()
    except Unclear as unclear:
        if not questions:
            raise Undecided(unclear.question, **unclear.data) from None
        before, found, fault = tuple(known.decided), list[tuple[PossibleAnswer, list[Rated]]](), RuleError("")
        for words, sign in unclear.answers:
            known.decided = (*before, sign)
            try:
                one = _asked(known, reading, questions - 1)
                label = Words("{rated}", rated=", ".join(map(write, one)))
                found.append((PossibleAnswer(label, sign), one))
            except Undecided:
                found.append((PossibleAnswer(words, sign), []))
            except RuleError as error:
                fault = error
            finally:
                known.decided = before
        if not found:
            raise fault from None
        if len(found) == 1 and found[0][1]:
            return found[0][1]
        raise Undecided(unclear.question, *(answer for answer, _ in found), **unclear.data) from None


class _RatingReader:
    """Reads one text."""

    def __init__(
        self, text: str, known: NameIndex, *, is_row: bool = False, has_rating: bool = False
    ) -> None:
        if len(text) > LONGEST:
            text = clean(text, LABEL)
        self.typed, self.text, self.known = text, plain_text(text), known
        self.is_row, self.has_rating = is_row, has_rating
        """It is a row of a sheet; its rating is typed elsewhere."""

    def one(self) -> Rated:
        """Return the label and the rating of a text that has at most one of each.

        Raises Unreadable if it has several of either.
        """
        tokens = self._tokens()
        if not any(token.kind is TokenKind.DICE for token in tokens):
            is_name = all(token.kind in (TokenKind.QUOTED, TokenKind.NAME) for token in tokens)
            typed = self._slice(tokens) if is_name and tokens else self.typed
            return Rated(without_die(clean(typed if any(map(is_letter, self.text)) else "", LABEL)))
        groups = self._groups(tokens)
        words, dice = [each for each, _ in groups if each], [dice for _, dice in groups if dice]
        if len(words) > 1 or len(dice) > 1:
            label = " ".join(self._slice(each) for each in words)
            raise Unreadable(
                "{text} is too much. Type one name and its dice. Example: {example}",
                text=shorten(self.typed),
                example=f"{quote_before_die(label[:40])} {_said(self._rating(dice[0]))}"
                if label
                else "Rope d8",
            )
        return Rated(self._label(words[0]) if words else "", self._rating(dice[0]))

    def several(self) -> list[Rated]:
        """Return the labels and ratings in a part of a row, each with at most one of both.

        Raises Unreadable for dice without a label beside other traits.
        """
        found: list[Rated] = []
        groups = self._groups(self._tokens())
        for words, dice in groups:
            if not words and len(groups) > 1:
                raise Unreadable("{die} needs a name. Example: Mind {die}", die=_said(self._rating(dice)))
            label = self._label(words) if words else ""
            found.append(Rated(label, self._rating(dice) if dice else None))
        return found

    # Words and dice

    def _tokens(self) -> list[Token]:
        """The words and the dice of the text. Raises Unreadable or NotAllowed for what is neither."""
        if (struck := struck_out(self.text)) and not self.known.is_written:
            raise Unreadable(
                "{typed} is struck out. Type it without ~~, or leave it out.", typed=shorten(struck[1])
            )
        tokens = [self._word(token) for token in self.known.tokens(self.text)]
        is_open = any(token.text == '"' and token.kind is TokenKind.WORD for token in tokens)
        if is_open and not self.known.is_written:
            raise Unreadable('A quotation mark isn\'t closed. Example: "Quick Wits" d8')
        tokens = self._without_brackets(tokens)
        tokens = self._without_roll(tokens)
        tokens = self._with_numbers(tokens)
        merged = ItemReader(self.text, self.known).counted(tokens)
        return self._without_signs(self._safe(merged))

    def _word(self, token: Token) -> Token:
        """A token, which is a word where it means nothing in a rating."""
        if token.kind is TokenKind.FOREIGN:
            die = stuck_die(token.text)
            token = replace(token, kind=TokenKind.WRONG if die else TokenKind.WORD, meant=die)
        elif token.kind is TokenKind.WRONG and is_stuck(token.text):
            token = replace(token, kind=TokenKind.WORD)
        if token.kind is TokenKind.WRONG:
            if not self.known.is_written:
                raise wrong(token)
            return replace(token, kind=TokenKind.WORD)
        return replace(token, kind=TokenKind.WORD) if token.kind is TokenKind.VERB else token

    def _without_brackets(self, tokens: list[Token]) -> list[Token]:
        """The tokens without brackets around dice; others are parts of words."""
        opened: list[int] = []
        gone: set[int] = set()
        for place, token in enumerate(tokens):
            if token.kind is TokenKind.BRACKET and token.text in "([{":
                opened.append(place)
            elif token.kind is TokenKind.BRACKET and opened:
                begin = opened.pop()
                inside = tokens[begin + 1 : place]
                if inside and all(each.kind not in (TokenKind.WORD, TokenKind.QUOTED) for each in inside):
                    gone |= {begin, place}
        left = [token for place, token in enumerate(tokens) if place not in gone]
        return [replace(t, kind=TokenKind.WORD) if t.kind is TokenKind.BRACKET else t for t in left]

    def _without_roll(self, tokens: list[Token]) -> list[Token]:
        """The tokens, in which the words of a roll are parts of names.

        Raises NotAllowed for an opposition, a keep or a modifier.
        """
        found: list[Token] = []
        has_dice = False
        following = _following(tokens)
        for place, token in enumerate(tokens):
            # Text right behind a sign belongs to a word: AC/DC.
            is_first = not place or tokens[place - 1].end == token.start
            is_roll = self._is_of_roll(token, following[place], has_dice=has_dice, is_first=is_first)
            if is_roll and not self.known.is_written:
                raise self._of_roll(tokens, place)
            has_dice |= token.kind is TokenKind.DICE
            is_word = token.kind in (TokenKind.OPPOSITION, TokenKind.KEEP, TokenKind.MINUS)
            begun = max(0, place - 1)
            is_bonus = _is_bonus(tokens[place : place + 2]) or _is_bonus(tokens[begun : begun + 2])
            is_word |= not has_dice and is_bonus
            found.append(replace(token, kind=TokenKind.WORD) if is_word else token)
        return found

    def _of_roll(self, tokens: Sequence[Token], place: int) -> NotAllowed:
        """The refusal of what only a roll has; where a name could hold it, with that name quoted."""
        name, dice = _before_dice(tokens)
        has_rest = tokens[place].number >= 0 or len(name) > place + 1
        if place >= len(name) or not has_rest or any(each.kind is TokenKind.QUOTED for each in name):
            return NotAllowed(
                "{typed} only works in a roll. Leave it out here.",
                typed=shorten(self.text[tokens[place].start :]),
            )
        return NotAllowed(
            "{typed} only works in a roll. Leave it out, or put the name in quotation marks: {quoted}",
            typed=shorten(self._slice(name[place:])),
            quoted=f'"{self._slice(name)}" {self._slice(dice) if dice else ""}'.strip(),
        )

    def _is_of_roll(self, token: Token, behind: Sequence[Token], *, has_dice: bool, is_first: bool) -> bool:
        """Whether a token is an opposition, a keep or a modifier here, and no part of a name."""
        is_number = token.number >= 0 or (bool(behind) and behind[0].kind is TokenKind.NUMBER)
        if token.kind is TokenKind.MINUS:
            return has_dice
        if token.kind is TokenKind.KEEP:
            return is_number and (has_dice or not (is_first or token.text[:1].isupper()))
        if token.kind is TokenKind.OPPOSITION:
            is_alone = is_number and not is_dice(behind[1:])
            is_sure = token.text.casefold() not in _NOUNS
            is_sure = is_sure and (is_dice(behind) or self._is_opponent(behind))
            return has_dice or (not is_first and (is_alone or is_sure))
        is_plus = token.text == "+" and has_dice and bool(behind) and behind[0].kind is TokenKind.NUMBER
        return is_plus and not is_dice(behind[1:]) and behind[0].number not in self.known.sizes

    def _is_opponent(self, behind: Sequence[Token]) -> bool:
        """Whether what stands before the dice, if there are any, is a difficulty or the doom pool."""
        words = _before_dice(behind)[0]
        name = canonical(self._slice(words)) if words else ""
        return name == "doom" or name in DIFFICULTIES

    def _with_numbers(self, tokens: list[Token]) -> list[Token]:
        """The tokens, in which a number by itself is a die or part of a name."""
        has_dice = any(token.kind is TokenKind.DICE for token in tokens)
        found: list[Token] = []
        for place, token in enumerate(tokens):
            behind = tokens[place + 1 : place + 2]
            is_counted = is_dice(behind) or (bool(behind) and behind[0].kind is TokenKind.TIMES)
            is_times = bool(found) and found[-1].kind is TokenKind.TIMES and found[-1].number < 0
            if token.kind is not TokenKind.NUMBER or is_counted or is_times:
                found.append(token)
            elif self.has_rating and len(tokens) > 1:
                found.append(replace(token, kind=TokenKind.WORD))
            else:
                before = found[-1] if found else None
                found.append(self._number(token, before, behind, has_dice=has_dice))
        return found

    def _number(
        self, token: Token, before: Token | None, behind: Sequence[Token], *, has_dice: bool
    ) -> Token:
        """A number without a die beside it. Raises Unclear where it may be a die or part of a name."""
        word = replace(token, kind=TokenKind.WORD)
        die = replace(token, kind=TokenKind.DICE, count=1, size=token.number)
        is_after_word = before is not None and before.kind in _TEXT
        is_before_word = bool(behind) and behind[0].kind in _TEXT
        if token.number not in self.known.sizes:
            return word if is_after_word or is_before_word else die
        if not is_after_word and not is_before_word:
            return die
        is_safe = self.known.rules.safe_dice and before is not None and before.text.casefold() == SAFE_WORD
        if is_safe and not is_before_word:
            return die
        if has_dice and not self.is_row:
            return word
        if is_after_word and not is_before_word and (self.is_row or self.known.is_written):
            return word if has_dice else die
        if has_dice and not is_after_word:
            return word
        text = self.text.strip()
        is_die = choose(
            self.known,
            "{typed} can be read in two ways. Which do you mean?",
            (Words("{typed}", typed=f'"{text}"'), f"{token.text} in {text} is a name"),
            (Words("{typed}", typed=f"d{token.number}"), f"{token.text} in {text} is a die"),
            typed=shorten(text),
        )
        return die if is_die else word

    def _safe(self, tokens: list[Token]) -> list[Token]:
        """The tokens, in which dice behind the word are safe, where the table has such dice (N14)."""
        if not self.known.rules.safe_dice:
            return tokens
        found: list[Token] = []
        for token in tokens:
            before = found[-1] if found else None
            is_safe = token.kind is TokenKind.DICE and before is not None and before.kind is TokenKind.WORD
            if is_safe and before is not None and before.text.casefold() == SAFE_WORD:
                found[-1] = replace(token, is_safe=True)
            else:
                found.append(token)
        return found

    def _without_signs(self, tokens: list[Token]) -> list[Token]:
        """The tokens without what stands between a label and its die; other signs are parts of words."""
        found: list[Token] = []
        for place, token in enumerate(tokens):
            behind = tokens[place + 1 : place + 2]
            if token.kind in (*_TEXT, TokenKind.DICE):
                is_and = token.kind is TokenKind.WORD and token.text.casefold() in _AND
                is_between = is_and and bool(found) and found[-1].kind is TokenKind.DICE
                if is_between and behind and (self.is_row or is_dice(behind)):
                    continue
                found.append(token)
                continue
            is_beside = not found or found[-1].kind is TokenKind.DICE or is_dice(behind)
            if is_beside:
                continue
            if token.kind is TokenKind.JOIN and self.is_row and not self.known.is_written:
                raise Unreadable(
                    "{label} has a colon in it. Put each trait set on a separate line, or the name in "
                    "quotation marks.",
                    label=shorten(self.text),
                )
            found.append(replace(token, kind=TokenKind.WORD))
        return found

    def _groups(self, tokens: Sequence[Token]) -> list[tuple[list[Token], list[Token]]]:
        """The words and the dice of each trait; where the first has its dice before it, all have."""
        is_first = is_dice(tokens) and not is_dice(tokens[-1:])
        groups: list[tuple[list[Token], list[Token]]] = []
        before: Token | None = None
        for token in tokens:
            is_die = token.kind is TokenKind.DICE
            is_switch = before is None or is_die is not (before.kind is TokenKind.DICE)
            if before is None or (is_switch and is_die is is_first):
                groups.append(([], []))
            groups[-1][is_die].append(token)
            before = token
        return groups

    # What it means

    def _rating(self, dice: Sequence[Token]) -> Rating:
        """The rating that dice are. Raises Unreadable for another size, NotAllowed for too many."""
        sizes: list[int] = []
        typed = " ".join(token.text for token in dice)
        for token in dice:
            if token.size not in self.known.sizes:
                raise no_die(token.text, token.size, self.known.sizes)
            if not 1 <= token.count <= MOST_RATING - len(sizes):
                raise NotAllowed(
                    "{text} doesn't work: a trait can have 1 to {most} dice.",
                    text=shorten(typed),
                    most=MOST_RATING,
                )
            sizes += [token.size] * token.count
        sizes.sort(reverse=True)
        return Rating(sizes[0], tuple(sizes[1:]), any(token.is_safe for token in dice))

    def _slice(self, words: Sequence[Token]) -> str:
        """Words as they were typed; adjacent quoted ones are one, in which a quotation mark was doubled."""
        if len(words) == 1 and words[0].kind is TokenKind.NAME:
            return words[0].meant
        is_quoted = all(token.kind is TokenKind.QUOTED for token in words)
        if is_quoted and all(b.start == a.end for a, b in pairwise(words)):
            return '"'.join(token.text for token in words)
        return self.text[words[0].start : words[-1].end]

    def _label(self, words: Sequence[Token]) -> str:
        """The label that words are. Raises Unreadable for one with a die in it, and for mere signs."""
        if len(words) == 1 and words[0].kind is TokenKind.NAME:
            return words[0].meant
        label = self._slice(words)
        if not self.known.is_written and words[0].kind is not TokenKind.NAME:
            without_die(label)
        is_quoted = any(token.kind is TokenKind.QUOTED for token in words)
        if not is_quoted and not any(map(is_letter, label)):
            raise stray(words[0])
        return clean(label, LABEL)


def _following(tokens: Sequence[Token]) -> list[list[Token]]:
    """The next three tokens behind each token, without colons: `very hard` and a die are no more."""
    found: list[list[Token]] = []
    behind: list[Token] = []
    for token in reversed(tokens):
        found.append(behind)
        behind = behind if token.kind is TokenKind.JOIN else [token, *behind[:2]]
    return found[::-1]


def _before_dice(tokens: Sequence[Token]) -> tuple[Sequence[Token], Sequence[Token]]:
    """The tokens before the first die, and those from it on."""
    end = next((n for n, each in enumerate(tokens) if each.kind is TokenKind.DICE), len(tokens))
    return tokens[:end], tokens[end:]


def _is_bonus(tokens: Sequence[Token]) -> bool:
    """Whether tokens begin with `+1` as in the name of a thing."""
    sign, *behind = tokens
    is_next = bool(behind) and behind[0].kind is TokenKind.NUMBER and behind[0].start == sign.end
    return sign.text == "+" and is_next
