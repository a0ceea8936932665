"""Read the items of a typed pool into the nodes of a tree (D2, L1, L5)."""

from collections.abc import Sequence
from itertools import pairwise

from rules.cortex.model import Modifier
from rules.cortex.pool import MultiDieName, brought
from rules.cortex.pool_words import LESS_ONE, NameIndex, fold_word
from rules.cortex.tokens import Token, TokenKind, is_letter
from rules.dice import COUNTS, FROM_DOOM, MOST_DICE, SAFE_WORD, SCALE_WORD, no_die, write_dice
from rules.errors import NotAllowed, RuleError, Unreadable
from rules.names import LABEL, clean, has_die
from rules.text import Phrase, Words, shorten
from rules.values import Value, replace

MOST_QUESTIONS = 3
"""The answers to so many questions are tried before the first is asked: each doubles the readings."""


class Unclear(Exception):
    """Text with several readings that give different dice; each answer has its own sign (L5)."""

    def __init__(self, question: str, /, *answers: tuple[Phrase, str], **data: object) -> None:
        super().__init__(question)
        self.question = question
        self.answers = answers
        self.data = data


class Node(Value):
    """One item of a pool: its verbs in order, a known name, typed dice or both, and the label of new dice.

    `start` and `end` are positions in the plain text. A name with dice has these dice for this roll only;
    with `is_lent` the dice come out of the doom pool (D4).
    """

    start: int
    end: int
    verbs: tuple[str, ...] = ()
    name: str = ""
    sizes: tuple[int, ...] = ()
    label: str = ""
    is_lent: bool = False
    is_safe: bool = False
    """Its dice are safe (N14)."""
    is_scale: bool = False
    """It is the die of scale (D7)."""
    picked: int = 0
    """Of a name with several dice the size of the one that the verbs are for (N21)."""


class PoolTree(Value):
    """A typed pool: its items, modifiers, opposition, and the number of results to keep (or 0)."""

    text: str
    nodes: tuple[Node, ...]
    plus: tuple[Modifier, ...] = ()
    versus: str = ""
    keep: int = 0
    dice: str = ""
    """The text without what it is against."""


def choose(
    known: NameIndex, question: str, /, *answers: tuple[Phrase, str], written: int = 0, **data: object
) -> int:
    """Return the index of the answer that was given, or `written` if the bot wrote the text.

    >>> known = NameIndex()
    >>> known.decided = ["Mind 8 is dice"]
    >>> answers = (Words("a name"), "Mind 8 is a name"), (Words("dice"), "Mind 8 is dice")
    >>> choose(known, "Which do you mean?", *answers)
    1

    Raises Unclear if none was given.
    """
    for place, (_, sign) in enumerate(answers):
        if sign in known.decided:
            return place
    if known.is_written:
        return written
    raise Unclear(question, *answers, **data)


def either(known: NameIndex, typed: str, *readings: str, written: int = 0) -> int:
    """Return the index of the reading that was chosen for an ambiguous text; each is text to type.

    Raises Unclear if none was chosen.
    """
    answers = [(Words("{typed}", typed=reading), f"{typed} is {reading}") for reading in readings]
    question = "{typed} can be read in two ways. Which do you mean?"
    return choose(known, question, *answers, written=written, typed=shorten(typed))


WORDS = (TokenKind.WORD, TokenKind.QUOTED, TokenKind.NAME)
"""What can stand in a label."""


_BETWEEN = frozenset({"or", "minus", "then", "without", "half"})
"""Words before a die that would make another roll of it, and begin no label."""


class ItemReader:
    """A reader for the tokens between two separators."""

    def __init__(self, text: str, known: NameIndex, tokens: Sequence[Token] = ()) -> None:
        self.text, self.known = text, known
        self.whole = _whole(tokens, known) if known else set()

    def nodes(self, tokens: Sequence[Token]) -> list[Node]:
        """Return the items that tokens mean; words before a die, or after it, are its label.

        >>> known = NameIndex()
        >>> nodes = ItemReader("Rope 2d8", known).nodes(known.tokens("Rope 2d8"))
        >>> [(node.label, node.sizes) for node in nodes]
        [('Rope', (8, 8))]

        Raises Unreadable for what is no item; NotAllowed for too many dice; Unclear if the text is ambiguous.
        """
        if not tokens[1:]:  # as it mostly is: then there is nothing to settle
            if (only := tokens[0]).kind is TokenKind.NAME:
                return [Node(only.start, only.end, name=only.meant)]
            if only.kind is TokenKind.DICE:
                return [self._dice(only)]
        return self._labelled(self._without_joins(self.counted(tokens)))

    def counted(self, tokens: Sequence[Token]) -> list[Token]:
        """Return the tokens with numbers and counts merged into the dice that they mean.

        >>> known = NameIndex()
        >>> [token.count for token in ItemReader("three d8", known).counted(known.tokens("three d8"))]
        [3]

        Raises Unreadable or Unclear if they mean none or several.
        """
        merged, place = list[Token](), 0
        while place < len(tokens):
            place += self._merge(tokens[place], tokens[place + 1 : place + 3], merged)
        return merged

    # Dice and their counts

    def _merge(self, token: Token, behind: Sequence[Token], found: list[Token]) -> int:
        """Add a token to those found, with those behind it that belong to it; return how many that are."""
        word = token.text.casefold()
        if token.kind is TokenKind.NUMBER:
            is_times = bool(behind) and behind[0].kind is TokenKind.TIMES and behind[0].number < 0
            if is_times and is_dice(behind[1:]):
                found.append(_times(behind[1], token.number, token))
                return 3
            if is_dice(behind):
                return self._counted(token, token.number, behind[0], found)
            self._lone(token, found)
        elif token.kind is TokenKind.TIMES:
            return self._timed(token, behind, found)
        elif token.kind is TokenKind.WORD and word in COUNTS and is_dice(behind):
            return self._counted(token, COUNTS[word], behind[0], found)
        elif token.kind is TokenKind.WORD and word == "d" and behind and behind[0].kind is TokenKind.NUMBER:
            raise wrong(replace(token, text=f"d {behind[0].text}", meant=f"d{behind[0].text}"))
        else:
            found.append(token)
        return 1

    def _counted(self, token: Token, number: int, dice: Token, found: list[Token]) -> int:
        """A number right before dice: their count, a die of its own, or part of a name."""
        before = found[-1] if found and found[-1].kind in WORDS else None
        is_number, is_plain = token.kind is TokenKind.NUMBER, dice.text[0] in "dDwW"
        is_size = is_number and number in self.known.sizes
        is_part = number > MOST_DICE or (not is_number and number == 1)
        if before is not None and is_part and (is_number or before.kind is not TokenKind.NAME):
            found.append(replace(token, kind=TokenKind.WORD))
            return 1
        count = f"{number}{dice.text}"
        if before is not None and (is_number or number > 1) and is_plain:
            other = f"{before.text} d{number} + {dice.text}" if is_size else f"{before.text} {count}"
            name = f'"{before.text} {token.text}" {dice.text}'
            if not either(self.known, f"{before.text} {token.text} {dice.text}", name, other):
                found[-1] = replace(before, kind=TokenKind.WORD)
                found.append(replace(token, kind=TokenKind.WORD))
                return 1
        elif is_size and is_plain:
            typed = f"{number} {dice.text}"
            is_size = bool(either(self.known, typed, count, f"d{number} + {dice.text}", written=1))
        if is_size or (is_number and not is_plain):
            found.append(replace(token, kind=TokenKind.DICE, count=1, size=number))
            return 1
        if number > 1 and not is_plain:
            raise Unreadable(
                "{typed} gives the number of dice twice. Give it once. Example: 2d8",
                typed=shorten(f"{token.text} {dice.text}"),
            )
        if before is not None and before.kind is TokenKind.NAME:
            found.append(replace(token, kind=TokenKind.PARTING))
        found.append(_times(dice, number, token))
        return 2

    def _lone(self, token: Token, found: list[Token]) -> None:
        """A number without a die behind it: a size, or behind words a part of them or their rating."""
        before = found[-1] if found and found[-1].kind in WORDS else None
        if before is not None and token.number not in self.known.sizes:
            found.append(replace(token, kind=TokenKind.WORD))
            return
        if before is not None and before.kind is not TokenKind.NAME:
            meant = Words("{typed}", typed=f"{before.text} d{token.number}")
            typed = f"{before.text} {token.text}"
            question = "{typed} has no die. Is it a d{number}?"
            choose(self.known, question, (meant, typed), typed=shorten(typed), number=token.number)
        found.append(replace(token, kind=TokenKind.DICE, count=1, size=token.number))

    def _timed(self, token: Token, behind: Sequence[Token], found: list[Token]) -> int:
        """`x2` behind a die or before one; behind several dice it is asked whether all are meant."""
        number, width, run = token.number, 1, _last_dice(found)
        if number < 0:
            if not (run and behind and behind[0].kind is TokenKind.NUMBER):
                found.append(replace(token, kind=TokenKind.WORD))
                return 1
            number, width = behind[0].number, 2
        following = behind[width - 1 : width]
        if is_dice(following):
            last = _times(following[0], number, token)
            ways = [[_times(run[-1], number, token), following[0]], [run[-1], last]] if run else []
            typed = f"{run[-1].text} {token.text} {following[0].text}" if run else ""
            if not run or either(self.known, typed, *map(_written, ways)):
                found.append(last)
                return width + 1
        if not run:
            raise Unreadable("{typed} needs a die next to it. Example: 2d8", typed=shorten(token.text))
        last_only = [*run[:-1], _times(run[-1], number, token)]
        every = [_times(each, number, token) for each in run]
        typed = f"{_written(run)} x{number}".replace(" + ", " ")
        is_all = len(run) > 1 and either(self.known, typed, _written(last_only), _written(every))
        found[-len(run) :] = every if is_all else last_only
        return width

    def _without_joins(self, tokens: Sequence[Token]) -> list[Token]:
        """The tokens without what may stand between a label and its die: a colon, a dash, `safe` (N14)."""
        found: list[Token] = []
        for place, token in enumerate(tokens):
            has_dice = is_dice(tokens[place + 1 : place + 2])
            if token.kind in (TokenKind.JOIN, TokenKind.DASH):
                is_label = not place or tokens[place - 1].kind is not TokenKind.DICE
                if is_label and (has_dice or (token.kind is TokenKind.DASH and tokens[1:] and not place)):
                    continue
                if token.kind is TokenKind.JOIN and place:
                    typed = self.text[tokens[0].start : token.end]
                    raise Unreadable("{typed} isn't part of a pool. Leave it out.", typed=shorten(typed))
                if token.kind is TokenKind.JOIN or not is_label:
                    raise stray(token)
            if token.kind is TokenKind.MINUS:
                raise stray(token)
            if has_dice and token.kind is TokenKind.VERB and token.text == SAFE_WORD:
                continue
            if token.kind is TokenKind.DICE and place and tokens[place - 1].kind is TokenKind.VERB:
                token = replace(token, is_safe=tokens[place - 1].text == SAFE_WORD)
            is_word = token.kind in (TokenKind.BRACKET, TokenKind.DASH)
            found.append(replace(token, kind=TokenKind.WORD) if is_word else token)
        return found

    # Names and labels

    def _labelled(self, tokens: Sequence[Token]) -> list[Node]:
        """The nodes of dice with their counts, and of words."""
        is_after = tokens[0].kind is TokenKind.DICE and tokens[-1].kind is not TokenKind.DICE
        nodes: list[Node] = []
        run: list[Token] = []
        for token in tokens:
            if token.kind not in (TokenKind.PARTING, TokenKind.DICE):
                run.append(token)
                continue
            if token.kind is TokenKind.PARTING:
                nodes += self._names(run)
            elif is_after:
                is_lent = _is_lent(run)
                nodes = self._label_last(nodes, run[:-2] if is_lent else run)
                nodes.append(replace(self._dice(token), is_lent=is_lent))
            else:
                nodes += self._before(run, self._dice(token))
            run = []
        if _is_lent(run):
            raise Unreadable(
                "Type the die to take from {doom_pool.short} right after {from_doom}.", from_doom=FROM_DOOM
            )
        return self._label_last(nodes, run) if is_after else [*nodes, *self._names(run)]

    def _dice(self, token: Token) -> Node:
        """The dice of a token. Raises Unreadable for another size, NotAllowed for too many."""
        if token.size not in (known := self.known.sizes):
            raise no_die(token.text, token.size, known)
        if not 1 <= token.count <= MOST_DICE:
            raise NotAllowed(
                "{word} doesn't work: a pool can have 1 to {most_dice} dice.",
                word=shorten(token.text),
                most_dice=MOST_DICE,
            )
        sizes = (token.size,) * token.count
        return Node(token.start, token.end, sizes=sizes, is_safe=token.is_safe)

    def _before(self, run: Sequence[Token], dice: Node) -> list[Node]:
        """Words before dice: verbs, known names for themselves, and the label of the dice."""
        start = max((n + 1 for n, token in enumerate(run) if token.kind is TokenKind.VERB), default=0)
        begin = start
        while begin and run[begin - 1].kind is TokenKind.VERB:
            begin -= 1
        first, verbs, label = self._names(run[:begin]), run[begin:start], run[start:]
        dice = replace(dice, verbs=_done(verbs))
        if _is_lent(label):
            named = self._names([*verbs, *label[:-2]]) if label[:-2] else []
            return [*first, *named, replace(dice, verbs=() if named else dice.verbs, is_lent=True)]
        at = next((n for n, token in enumerate(label) if _is_scale(token)), None)
        if at is not None and not self._is_named(label, at):
            named = self._names([*verbs, *label[: at + 1]] if at or label[1:] else [])
            if label[at + 1 :]:
                return [*first, *named, self._new((), label[at + 1 :], replace(dice, verbs=()))]
            if len(dice.sizes) > 1:
                return [*first, *self._names(label), dice]
            return [*first, *named[:-1], replace(dice, is_scale=True, verbs=() if at else dice.verbs)]
        if not label:
            return [*first, dice]
        if all(token.kind is not TokenKind.NAME for token in label):
            return [*first, self._new(verbs, label, dice)]
        return [*first, *self._named_before(verbs, label, dice)]

    def _is_named(self, label: Sequence[Token], at: int) -> bool:
        """Whether the word for scale is a part of a new label, which is asked where more words follow."""
        if not label[at + 1 :]:
            return False
        whole = self.text[label[0].start : label[-1].end]
        apart = (
            f"{self.text[label[0].start : label[at].end]} + {self.text[label[at + 1].start : label[-1].end]}"
        )
        return bool(either(self.known, whole, apart, f'"{whole}"', written=1))

    def _new(self, verbs: Sequence[Token], label: Sequence[Token], dice: Node) -> Node:
        """Dice with a new label; one that begins with a verb is asked (L1)."""
        text = self._label(label)
        self._require_label(label)
        # "hinder" is for a label of the moment too, and begins no name (P1).
        if verbs and label[0].kind is TokenKind.WORD and verbs[0].text != "hinder":
            whole = self.text[verbs[0].start : label[-1].end]
            if either(self.known, whole, f'{verbs[0].text} "{text}"', f'"{whole}"'):
                return replace(dice, start=verbs[0].start, label=clean(whole, LABEL), verbs=())
        return replace(dice, start=label[0].start, label=text)

    def _require_label(self, label: Sequence[Token]) -> None:
        """Refuse a new label at whose ends a word stands that would make another roll of it (L1)."""
        for token in () if self.known.is_written else (label[0], label[-1]):
            if token.kind is TokenKind.WORD and fold_word(token.text) in _BETWEEN:
                raise Unreadable(
                    "{typed} doesn't belong between dice. If it's part of a name, put the name in "
                    "quotation marks.",
                    typed=shorten(token.text),
                )

    def _named_before(self, verbs: Sequence[Token], label: Sequence[Token], dice: Node) -> list[Node]:
        """Known names right before dice: the last one's rating, one die more, or part of a new label (D1)."""
        last = max(n for n, token in enumerate(label) if token.kind is TokenKind.NAME)
        rest = label[last + 1 :]
        if rest or not self._are_names(label[:last]):
            whole = replace(dice, start=label[0].start, label=self._label(label))
            names = [*verbs, *label[: last + 1]]
            apart = f"{self._label(names)} + {self._label(rest)}" if rest else ""
            is_both = bool(rest) and self._are_names(names)
            self._require_label(label)
            if not is_both or either(self.known, whole.label, apart, f'"{whole.label}"', written=1):
                return [whole]
            return [*self._names(names), self._new((), rest, replace(dice, verbs=()))]
        if not last:
            return self._rated(label[0], dice)
        return [*self._names([*verbs, *label[:last]]), *self._rated(label[last], replace(dice, verbs=()))]

    def _rated(self, name: Token, dice: Node) -> list[Node]:
        """A known name and dice right beside it: its rating as it is, or asked where it is another (L5)."""
        die = self.known.die(name.meant)
        held = tuple(sorted(each.size for each in brought(die)))
        alone = Node(name.start, name.end, dice.verbs, name.meant)
        if not die.size:
            return [alone, replace(dice, verbs=())]
        is_sure = self.known.is_written or name.meant in self.whole
        if not is_sure and dice.verbs and isinstance(die, MultiDieName) and die.more and len(dice.sizes) == 1:
            return [replace(alone, end=dice.end, picked=_picked(die, dice.sizes[0]))]
        if tuple(sorted(dice.sizes)) != held and not is_sure:
            typed, label = write_dice(dice.sizes), die.label
            answers = [(Words("{typed}", typed=f"{label} {typed}"), f"as {fold_word(label)} {typed}")]
            answers += [(Words("{typed}", typed=f"{label} + {typed}"), f"well {fold_word(label)} {typed}")]
            question = "{trait} is {rating} here. Which do you mean?"
            if choose(self.known, question, *answers, trait=label, rating=write_dice(held)):
                return [alone, replace(dice, verbs=())]
        return [
            replace(dice, start=min(name.start, dice.start), end=max(name.end, dice.end), name=name.meant)
        ]

    def _label_last(self, nodes: list[Node], run: Sequence[Token]) -> list[Node]:
        """Words behind dice: the label of them, or known names for themselves."""
        last = nodes[-1] if nodes else None
        kinds = {token.kind for token in run}
        is_taken = last is None or bool(last.name) or last.is_scale or last.is_lent
        if not run or last is None or is_taken or TokenKind.VERB in kinds or any(map(_is_scale, run)):
            return [*nodes, *self._names(run)]
        if TokenKind.NAME not in kinds or not self._are_names(run):
            if number := next((each for each in run if _is_count(each)), None):
                raise no_die(number.text, int(number.text), self.known.sizes)
            return [*nodes[:-1], replace(last, end=run[-1].end, label=self._label(run))]
        if run[0].kind is not TokenKind.NAME or run[0].meant in self.known.offered:
            return [*nodes, *self._names(run)]
        return [*nodes[:-1], *self._rated(run[0], last), *self._names(run[1:])]

    def _label(self, words: Sequence[Token]) -> str:
        """The label that words are. Raises Unreadable for mere signs, and for a die in one."""
        quoted = [token for token in words if self.text[token.start] == '"']
        for token in words:
            if (die := has_die(token.text)) and not self.known.is_written:
                raise Unreadable(
                    "{label} has a die in it. Leave {die} out of the name.",
                    label=shorten(token.text),
                    die=die,
                )
        if quoted:
            return clean(" ".join(token.text.strip('"') for token in words), LABEL)
        text = self.text[words[0].start : words[-1].end]
        if not any(map(is_letter, text)):
            raise stray(words[0])
        return clean(text, LABEL)

    def _are_names(self, run: Sequence[Token]) -> bool:
        """Whether words are a row of known names."""
        try:
            self._names(run)
        except RuleError:
            return False
        return True

    def _names(self, run: Sequence[Token]) -> list[Node]:
        """A row of known names, each with the verbs before it; a beginning that fits one alone will do."""
        nodes: list[Node] = []
        verbs: list[Token] = []
        place = 0
        while place < len(run):
            token = run[place]
            place += 1
            if token.kind is TokenKind.VERB:
                verbs.append(token)
                continue
            name, count = token.meant, 1
            if token.kind is not TokenKind.NAME:
                words = [(each.text, each.kind is TokenKind.QUOTED) for each in _words(run[place - 1 :])]
                name, count = self.known.longest(words)
            place += count - 1
            nodes.append(Node(token.start, run[place - 1].end, _done(verbs), name, is_scale=not name))
            verbs = []
        if verbs:
            verb = verbs[-1].text
            if verb == LESS_ONE:
                raise NotAllowed("{less_one} only works on a trait with several dice.", less_one=LESS_ONE)
            raise Unreadable(
                "{typed} needs a die after it. Example: {verb} d8", typed=shorten(verb), verb=verb
            )
        return nodes


def _whole(tokens: Sequence[Token], known: NameIndex) -> set[str]:
    """The names whose dice are typed one by one, as the bot prints them: `Crew d8, Crew d6` (N21)."""
    typed: dict[str, list[int]] = {}
    for name, dice in pairwise([token for token in tokens if token.text != SAFE_WORD]):
        if name.kind is TokenKind.NAME and dice.kind is TokenKind.DICE:
            typed.setdefault(name.meant, []).extend([dice.size] * min(dice.count, MOST_DICE))
    held = {name: sorted(die.size for die in brought(known.die(name))) for name in typed}
    return {name for name, sizes in typed.items() if len(sizes) > 1 and sorted(sizes) == held[name]}


def _is_count(token: Token) -> bool:
    """Whether a word is a number that could be a count, and so is in no label (L1)."""
    is_number = token.kind is TokenKind.WORD and token.text.isascii() and token.text.isdecimal()
    return is_number and int(token.text) <= MOST_DICE


def _picked(die: MultiDieName, size: int) -> int:
    """The size of the die of a trait with several that is named: `up Crew d6` (N21). Raises NotAllowed."""
    if size not in (die.size, *die.more):
        rating = write_dice((die.size, *die.more))
        raise NotAllowed(
            "{trait} has no d{size}. It has {rating}.", trait=die.label, size=size, rating=rating
        )
    return size


def _done(verbs: Sequence[Token]) -> tuple[str, ...]:
    return tuple(token.text for token in verbs)


def _words(tokens: Sequence[Token]) -> Sequence[Token]:
    """The words up to the next known name or verb."""
    ends = (n for n, each in enumerate(tokens) if each.kind in (TokenKind.NAME, TokenKind.VERB))
    return tokens[: next(ends, None)]


def is_dice(tokens: Sequence[Token]) -> bool:
    """Return whether the first token is dice."""
    return bool(tokens) and tokens[0].kind is TokenKind.DICE


def _last_dice(tokens: Sequence[Token]) -> Sequence[Token]:
    """The dice at the end, without what stands before them."""
    return tokens[
        max((n + 1 for n, each in enumerate(tokens) if each.kind is not TokenKind.DICE), default=0) :
    ]


def _times(dice: Token, number: int, by: Token) -> Token:
    """Dice so many times; `by` is the token that says it."""
    start, end, count = min(dice.start, by.start), max(dice.end, by.end), dice.count * number
    text = f"{count if count != 1 else ''}d{dice.size}"
    return replace(dice, count=count, start=start, end=end, text=text)


def _written(dice: Sequence[Token]) -> str:
    return " + ".join(token.text for token in dice)


def _is_lent(words: Sequence[Token]) -> bool:
    """Whether the die behind these words comes out of the doom pool (D4)."""
    return [
        fold_word(token.text) for token in words[-2:] if token.kind is TokenKind.WORD
    ] == FROM_DOOM.split()


def _is_scale(token: Token) -> bool:
    """Whether a token is the die of scale (D7)."""
    return token.kind is TokenKind.WORD and fold_word(token.text) == SCALE_WORD


def wrong(token: Token) -> Unreadable:
    """Return the refusal of text that is almost a die, such as `d1O`."""
    if token.meant:
        return Unreadable(
            "{typed} isn't a die. Did you mean {meant}?", typed=shorten(token.text), meant=token.meant
        )
    return Unreadable("{typed} isn't a die. Type sizes such as d8.", typed=shorten(token.text))


def stray(token: Token) -> Unreadable:
    """Return the refusal of a sign that can't be a label."""
    return Unreadable(
        "{stuck} isn't a die or a known name. To use it as a label, put it in quotation marks: {stuck} d8",
        stuck=shorten(token.text),
    )
