"""Read a typed pool and its opposition, saved pools, and hindering distinctions (D2, P1, T1)."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby, repeat, takewhile

from rules.cortex import pool_grammar
from rules.cortex.kinds import KeptPool, TraitKind
from rules.cortex.model import Modifier
from rules.cortex.pool import NEW, SOURCES, Die, MultiDieName, Pool, Source, Special, brought, write_pool
from rules.cortex.pool_grammar import BESIDE, LONGEST, parse, require_modifiers
from rules.cortex.pool_items import MOST_QUESTIONS, Node, PoolTree, Unclear
from rules.cortex.pool_words import SCALE, Item, NameIndex, TypedDice, manipulated, with_wholes
from rules.cortex.ruleset import PRIME, Ruleset
from rules.cortex.tokens import Token, TokenKind, plain_text
from rules.dice import MOST_DICE, SIZES, write_dice
from rules.errors import NotAllowed, PossibleAnswer, RuleError, Undecided, Unknown, Unreadable
from rules.names import NAME, clean, find, fold, key, offer
from rules.text import OR, Phrase, Row, Words, shorten, truncate
from rules.values import Value, replace

DOOM_LABEL = "Doom"
"""The label of a die that was taken out of the doom pool (D4)."""


_DIE = re.compile(r"([0-9]*)[dD]([0-9]+)|([0-9]+)")


_PARTING = re.compile(r"[\s,+;]+")


_SHOWN = (Special.FROM_DOOM, Special.SCALE)
"""Dice that are written by where they come from."""


_LONGEST_ANSWER = 70
"""A button has room for so many characters of a pool."""


def read(
    text: str,
    known: Mapping[str, Die] | None = None,
    rules: Ruleset | None = None,
    *,
    decided: Collection[str] = (),
    is_roll: bool = False,
    is_trait: bool = False,
    is_written: bool = False,
    is_pick: bool = False,
) -> TypedDice:
    """Return the pool that a text means; `known` maps labels to the dice they stand for.

    Without `rules`, those of `known` apply (prime's by default). Flags and answers:
    - `is_roll`: doom dice (D4) and modifiers (N13) are allowed, as in a pool that will be rolled.
    - `is_trait`: dice of one count under one label are one trait (N21).
    - `is_written`: the bot wrote the text, so nothing in it is ambiguous.
    - `is_pick`: the text names dice that already exist, so verbs aren't allowed.
    - `decided`: the signs of answers already given.

    >>> [(die.size, die.label) for die in read("2d6 + Mind d10").pool]
    [(6, ''), (6, ''), (10, 'Mind')]
    >>> [die.size for die in read("up d8, double d6").pool]
    [10, 6, 6]
    >>> [(die.size, die.label) for die in read("mind + d6", {"Mind": Die(10, "Mind")}).pool]
    [(10, 'Mind'), (6, '')]

    Raises Unreadable for text that is no die, label or known name; NotAllowed for too many dice, or for
    anything that belongs only in a roll; Undecided if two readings give different dice. Nothing is dropped.
    """
    names = known if isinstance(known, NameIndex) else NameIndex(known or {})
    names.rules = names.rules if rules is None else rules
    names.decided, names.is_trait, names.is_written = decided, is_trait, is_written
    tree = parsed(text, names, is_roll=is_roll)
    if tree.versus or tree.keep:
        raise NotAllowed(
            "{typed} doesn't belong with these dice. Leave it out.",
            typed=shorten(f"vs {tree.versus}" if tree.versus else f"keep {tree.keep}"),
        )
    if is_pick and (verbs := [verb for node in tree.nodes for verb in node.verbs]):
        raise NotAllowed("{typed} doesn't belong with these dice. Leave it out.", typed=shorten(verbs[0]))
    return dice_of(tree, names, is_roll=is_roll)


def parsed(
    text: str, known: NameIndex, *, is_roll: bool = False, questions: int = MOST_QUESTIONS
) -> PoolTree:
    """Return the tree of a text; if only one of its readings is a valid pool, that one is taken.

    The answers to at most so many `questions` are tried. Raises as `pool_grammar.parse` does; Undecided
    with the pool of each answer if several readings remain.
    """
    try:
        return parse(text, known, is_roll=is_roll)
    except Unclear as unclear:
        if not questions:
            raise Undecided(unclear.question, **unclear.data) from None
        before, found, fault = (
            tuple(known.decided),
            list[tuple[PossibleAnswer, PoolTree | None]](),
            RuleError(""),
        )
        for words, sign in unclear.answers:
            known.decided = (*before, sign)
            try:
                tree: PoolTree | None = parsed(text, known, is_roll=is_roll, questions=questions - 1)
                label = _label(tree, dice_of(tree, known, is_roll=True), is_roll) if tree else words
            except Undecided:
                tree, label = None, words
            except RuleError as error:
                fault = error
                continue
            finally:
                known.decided = before
            if tree is None or label not in [answer.label for answer, _ in found]:
                found.append((PossibleAnswer(label, sign), tree))
        if not found:
            raise fault from None
        (answer, tree), is_only = found[0], len(found) == 1 and len(unclear.answers) > 1
        if is_only and tree:
            known.decided = (*before, answer.sign)
            return tree
        raise Undecided(unclear.question, *(each for each, _ in found), **unclear.data) from None


def _label(tree: PoolTree, reading: TypedDice, is_roll: bool) -> Phrase:
    """What an answer offers: the pool that would be rolled, and what against."""
    pool = pool_grammar.beside_modifiers(" + ".join(_grouped(reading.pool)), reading.plus)
    pool = f"{pool} vs {tree.versus}" if tree.versus else pool
    text = truncate(pool, _LONGEST_ANSWER)
    return Words("Roll {pool}", pool=text) if is_roll else Words("{pool}", pool=text)


def _grouped(pool: Pool) -> Iterator[str]:
    """Dice in the order of a pool, those that are alike in one: `Lore 2d12`, `d4`, `d6`."""
    for one, dice in groupby(
        pool, lambda die: die if die.source.kind in _SHOWN else replace(die, source=NEW)
    ):
        count, alone = len([*dice]), write_pool([one])
        yield f"{alone.removesuffix(f'd{one.size}')}{count}d{one.size}" if count > 1 else alone


def dice_of(tree: PoolTree, known: NameIndex, *, is_roll: bool = False) -> TypedDice:
    """Return the dice of a tree, with verbs applied in the order written (D6).

    Raises Unreadable if there are no dice; NotAllowed for too many, or for a modifier or a doom die outside
    a roll.
    """
    if tree.plus and not is_roll:
        raise NotAllowed(
            "{plus} only counts in a roll. Add it when you roll. Example: /roll dice:2d6 d8 {plus}",
            plus=pool_grammar.write(tree.plus),
        )
    items = [_item(node, known) for node in tree.nodes]
    dice = [die for item in items for die in item.dice]
    if not items:
        raise Unreadable("That pool has no dice. Example: 2d6 d8")
    if len(dice) > MOST_DICE:
        raise NotAllowed(
            "That's too many dice; a pool can have at most {most_dice}.",
            most_dice=MOST_DICE,
        )
    lent = [die.size for die in dice if die.source.kind is Special.FROM_DOOM]
    if lent and not is_roll:
        raise NotAllowed("You can take {doom_pool.short} dice only when you roll.")
    several = _several(tree, known) if known else {}
    reading = manipulated(with_wholes(items), known.rules, tuple(lent), several, known.decided)
    return replace(reading, plus=tree.plus) if tree.plus else reading


def _several(tree: PoolTree, known: NameIndex) -> dict[str, tuple[Source, int]]:
    """The source of each trait with several dice among those typed, and how many it has (N21)."""
    found: dict[str, tuple[Source, int]] = {}
    named = [known.get(node.name) for node in tree.nodes if node.name]
    for die in [die for die in named if type(die) is MultiDieName]:
        for each in (die, die.whole):
            if isinstance(each, MultiDieName) and each.more:
                found[key(each.label)] = each.source, 1 + len(each.more)
    return found


def _item(node: Node, known: NameIndex) -> Item:
    """What a node stands for: dice of a known name with its source, or new ones with their label."""
    if node.is_lent:
        return Item(
            tuple(Die(size, DOOM_LABEL, SOURCES[Special.FROM_DOOM]) for size in node.sizes), node.verbs
        )
    if node.is_scale:
        return Item(tuple(replace(SCALE, size=size) for size in node.sizes or (SCALE.size,)), node.verbs)
    if not node.name:
        has_one = known.is_trait and bool(node.label)
        sources = [SOURCES[Special.FURTHER] if n and has_one else NEW for n in range(len(node.sizes))]
        made = map(Die, node.sizes, repeat(node.label), sources, repeat(node.is_safe))
        return Item(tuple(made), node.verbs)
    die = known.die(node.name)
    if not node.sizes:
        whole = brought(die.whole) if isinstance(die, MultiDieName) and die.whole else ()
        return Item(brought(die), node.verbs, is_named=True, whole=whole, picked=node.picked)
    is_safe = die.safe or node.is_safe
    return Item(tuple(Die(size, die.label, die.source, is_safe) for size in node.sizes), node.verbs)


def is_dice_alone(text: str) -> bool:
    """Return whether every word of a text is dice, so that no word is a name.

    >>> is_dice_alone("2d6, d8 + 10"), is_dice_alone("Mind d8")
    (True, False)
    """
    return all(map(_DIE.fullmatch, _PARTING.split(text.strip())))


def read_dice(
    text: str,
    rules: Ruleset = PRIME,
    decided: Collection[str] = (),
    *,
    asks: bool = True,
    is_pick: bool = False,
) -> tuple[int, ...]:
    """Return the sizes of dice in the order typed, for a pool that keeps no labels.

    >>> read_dice("2d6 d10")
    (6, 6, 10)

    Raises as `read` does; Unreadable for a label, or for an ambiguous text if it may not ask.
    """
    try:
        pool = read(text, None, rules, decided=decided, is_pick=is_pick).pool
    except Undecided as question:
        if asks:
            raise
        meant = Row([answer.label for answer in question.answers], OR)
        raise Unreadable(
            "{typed} could mean two things. Type {meant}.", typed=shorten(text), meant=meant
        ) from None
    label = next((die.label for die in pool if die.label), "")
    if label:
        raise Unreadable(
            "Dice in this pool can't have labels, so leave out {label}. Example: {what}",
            label=shorten(label),
            what=write_dice([die.size for die in pool]),
        )
    return tuple(die.size for die in pool)


_LEAST = re.compile(r"([0-9]{1,3})(?:\+| or (?:more|higher|better|above|over))", re.IGNORECASE)
"""A number that is enough by itself."""


class Versus(Value):
    """A typed opposition: its base, what else is in the way, and its modifiers (T3, N13)."""

    base: str = ""
    more: tuple[str, ...] = ()
    plus: tuple[Modifier, ...] = ()
    is_least: bool = False
    """The base is the least total that succeeds: `>= 12`, which is more than 11."""


def read_versus(text: str, opponents: Iterable[str], rules: Ruleset) -> Versus:
    """Return the parts of a typed opposition; `opponents` are the names that it can have at the table.

    >>> read_versus("vs Rex + d8", ["Rex"], PRIME)
    Versus(base='Rex', more=('d8',), plus=(), is_least=False)
    >>> read_versus("at least 12", (), PRIME).base, read_versus(">= 12", (), PRIME).is_least
    ('at least 12', True)
    >>> read_versus("hard", (), PRIME).base
    'hard'

    Raises Unreadable if the text is too long; SettingOff for a modifier if the table has none.
    """
    if len(text) > LONGEST:
        raise Unreadable("That's {count} characters; the limit is {most}.", count=len(text), most=LONGEST)
    known = NameIndex({name: Die(0, name) for name in opponents})
    known.rules = rules
    line = plain_text(text)
    tokens = known.tokens(line)
    name = bool(tokens) and tokens[0].kind is TokenKind.NAME
    signs = [] if name else [*takewhile(_is_introduction, tokens)]
    is_least = any(sign.text == "≥" or line[sign.start : sign.start + 2] == ">=" for sign in signs)
    parts, plus = _parts(line, tokens[len(signs) :], rules)
    glued = next((str(sign.number) for sign in signs if sign.number >= 0), "")
    base, *rest = [glued, *parts] if glued else parts or [""]
    more = tuple(each for each in rest if each)
    if least := _LEAST.fullmatch(f"{base}+" if not more and _is_plus_glued(tokens) else base):
        base, is_least = least[1], True
    return Versus(base, more, tuple(plus), is_least)


def _is_plus_glued(tokens: Sequence[Token]) -> bool:
    """Whether a plus stands right behind the last word, and nothing behind it: `10+`."""
    return len(tokens) > 1 and tokens[-1].text == "+" and tokens[-2].end == tokens[-1].start


def require_sizes(text: str) -> None:
    """Check that opposing dice have their d: the 12 in `12 hard` could be a difficulty.

    Raises Unreadable for a number without a d.
    """
    tokens = NameIndex().tokens(plain_text(text))
    for token, behind in zip(tokens, [*tokens[1:], None], strict=True):
        is_count = behind is not None and behind.kind in (TokenKind.DICE, TokenKind.TIMES)
        if token.kind is TokenKind.NUMBER and not is_count:
            raise Unreadable(
                "{typed} could be a number or dice. Type a number alone, or dice with their d. "
                "Example: vs:{number}",
                typed=shorten(text),
                number=token.number,
            )


def _is_introduction(token: Token) -> bool:
    """Whether a token stands before what opposes: `vs`, `TN:`, `target number of`."""
    kinds = (TokenKind.OPPOSITION, TokenKind.JOIN)
    return token.kind in kinds or (token.kind is TokenKind.WORD and token.text.casefold() in BESIDE)


def _parts(line: str, tokens: Sequence[Token], rules: Ruleset) -> tuple[list[str], list[Modifier]]:
    """The parts between plus signs as they were typed, and the numbers that are added."""
    parts: list[list[Token]] = [[]]
    plus: list[Modifier] = []
    place = 0
    while place < len(tokens):
        token, behind = tokens[place], tokens[place + 1 : place + 2]
        has_gap = token.start == 0 or line[token.start - 1].isspace()
        is_next = bool(behind) and behind[0].kind is TokenKind.NUMBER and behind[0].start == token.end
        place += 1
        if token.kind is TokenKind.MINUS and has_gap and len(tokens) > 1:
            require_modifiers(rules, token.text)
            plus.append(_modifier(parts[-1], -pool_grammar.checked(token.number, token.text)))
        elif token.text == "+" and has_gap and is_next and rules.modifiers:
            plus.append(_modifier(parts[-1], pool_grammar.checked(behind[0].number, f"+{behind[0].number}")))
            place += 1
        elif _is_sum(token, parts[-1]):
            parts.append([])
        else:
            parts[-1].append(token)
    pool_grammar.require_few(plus)
    return [_text(line, part) for part in parts], plus


def _text(line: str, part: Sequence[Token]) -> str:
    """A part as it was typed, or the known name that it is."""
    if len(part) == 1 and part[0].kind is TokenKind.NAME:
        return part[0].meant
    if len(part) == 1 and part[0].kind is TokenKind.NUMBER:
        return str(part[0].number)
    return line[part[0].start : part[-1].end] if part else ""


def _modifier(before: list[Token], number: int) -> Modifier:
    """A modifier, with the label in quotation marks that stands before it."""
    return Modifier(number, before.pop().text if before and before[-1].kind is TokenKind.QUOTED else "")


def _is_sum(token: Token, part: Sequence[Token]) -> bool:
    """Whether a token parts what opposes: a plus, and behind a name or a number also a comma."""
    is_word = token.kind is TokenKind.WORD and token.text.casefold() in ("and", "plus")
    if token.text == "+" or is_word:
        return True
    is_one = len(part) == 1 and part[0].kind in (TokenKind.NAME, TokenKind.NUMBER)
    return token.kind is TokenKind.PARTING and is_one


MOST = 20
"""A character keeps at most this many pools."""


LONGEST_NAME = 40


LONGEST_DICE = 300


LONGEST_VS = 100


_LINE = re.compile(r'(?:"(?P<quoted>[^"]+)"\s*|(?P<name>[^":]+)):\s*+(?P<rest>.+)')


_VS = re.compile(r"(?<![^\s,+;])(?:vs\.?|versus)(?![^\s:])[\s:]*", re.IGNORECASE)


_UNQUOTED = re.compile('["“][^"“”]*["”]')


def split_versus(dice: str, vs: str | None = None) -> tuple[str, str | None]:
    """Return the dice typed before `vs` and the opposition after it; the option `vs` if there is no `vs`.

    >>> split_versus("Mind d10 vs 11")
    ('Mind d10', '11')
    >>> split_versus("Mind d10", "hard")
    ('Mind d10', 'hard')
    >>> split_versus('"Me vs You" d8')
    ('"Me vs You" d8', None)

    Raises Unreadable if one side of `vs` is empty; NotAllowed if the option says something else.
    """
    # As long as what it hides, so that the places are those of the text.
    found = _VS.search(_UNQUOTED.sub(lambda match: "x" * len(match[0]), dice))
    if found is None:
        return dice, vs
    pool, typed = dice[: found.start()].strip(" ,+;\n"), dice[found.end() :].strip()
    if not pool or not typed:
        raise Unreadable("Put the dice before vs, and the opposition after it. Example: Mind d10 vs 11")
    if vs and vs.strip() and fold(vs) != fold(typed):
        raise NotAllowed(
            "The option dice says vs {typed}, but the option vs says {vs}. Leave one of them out.",
            typed=shorten(typed),
            vs=shorten(vs),
        )
    return pool, typed


def write_saved_pool(kept: KeptPool) -> str:
    """Return a saved pool as a line of a sheet.

    >>> write_saved_pool(KeptPool("Fly", "Spirit + Pilot", "11"))
    'Fly: Spirit + Pilot vs 11'
    >>> write_saved_pool(KeptPool("Plan: B", "2d8", ""))
    '"Plan: B": 2d8'
    """
    name = f'"{kept.name}"' if ":" in kept.name else kept.name
    return f"{name}: {saved_pool_text(kept)}"


def saved_pool_text(kept: KeptPool) -> str:
    """Return a saved pool as it is typed to roll it.

    >>> saved_pool_text(KeptPool("Fly", "Spirit + Pilot", "11"))
    'Spirit + Pilot vs 11'
    """
    return f"{kept.dice} vs {kept.vs}" if kept.vs else kept.dice


def read_saved_pool(line: str) -> KeptPool:
    """Return the saved pool on a line of a sheet.

    >>> read_saved_pool("Fly: Spirit + Pilot vs 11")
    KeptPool(name='Fly', dice='Spirit + Pilot', vs='11')

    Raises Unreadable without a name, a colon or dice; NotAllowed if the name contains `vs`.
    """
    match = _LINE.fullmatch(line.strip())
    if match is None:
        raise Unreadable("a saved pool needs a name, a colon and dice. Example: Saved pool: Fly: Spirit + d8")
    dice, vs = split_versus(match["rest"])
    return KeptPool(saved_pool_label(match["quoted"] or match["name"]), *saved_pool_texts(dice, vs))


def saved_pool_label(typed: str) -> str:
    """Return the name of a saved pool, cleaned; double quotation marks become single ones.

    >>> saved_pool_label(' The "big"  one ')
    "The 'big' one"

    Raises NotAllowed if it contains `vs`, which would split it where it is typed.
    """
    label = clean(typed.replace('"', "'"), NAME, LONGEST_NAME)
    if _VS.search(label):
        raise NotAllowed(
            "{name} can't be a pool's name, because vs marks the opposition. Choose a name without vs.",
            name=shorten(label),
        )
    return label


def saved_pool_texts(dice: str, vs: str | None) -> tuple[str, str]:
    """Return dice and opposition as a saved pool stores them: on one line; "" without an opposition.

    >>> saved_pool_texts("Mind  d8", None)
    ('Mind d8', '')
    """
    against = clean(vs, Words("opposition"), LONGEST_VS) if vs and vs.strip() else ""
    return clean(dice, Words("pool"), LONGEST_DICE), against


def with_hindered(reading: TypedDice, known: dict[str, Die], label: str) -> TypedDice:
    """Return the pool with a distinction as a d4, in place of its die if that is there, else added.

    Raises Unknown or Ambiguous if the label isn't that of one distinction.
    """
    name = hinderable(_distinctions(reading, known), label)
    if fold(name) in map(fold, reading.hindered):
        return reading
    hindered = Die(SIZES[0], name, SOURCES[TraitKind.DISTINCTION])
    pool = list(reading.pool)
    place = next((n for n, die in enumerate(pool) if fold(die.label) == fold(name)), None)
    if place is None:
        pool.append(hindered)
    else:
        pool[place] = hindered
        pool = [
            die for die in pool if die.source.kind is not Special.FURTHER or fold(die.label) != fold(name)
        ]
    return replace(reading, pool=tuple(pool), hindered=(*reading.hindered, name))


def check_hindered(reading: TypedDice, known: dict[str, Die]) -> None:
    """Check that everything that hinders is a distinction in the pool (P1).

    Raises Unknown for anything else, such as an asset; NotAllowed if a step removed the die.
    """
    for label in reading.hindered:
        there = _distinctions(reading, known)
        if fold(label) not in map(fold, there):
            raise _no_distinction(label, there)
        if fold(label) not in (fold(die.label) for die in reading.pool):
            raise NotAllowed(
                "{label} can't hinder if the step removes it from the pool. Leave the step out. "
                "Example: hinder {label}",
                label=label,
            )


def _distinctions(reading: TypedDice, known: dict[str, Die]) -> list[str]:
    """What can hinder: distinctions of one's own or of the scene, and dice labelled in the pool (P1)."""
    names = [name for name, die in known.items() if _is_distinction(die.source)]
    typed = [
        die.label for die in reading.pool if die.label and (die.source.is_new or _is_distinction(die.source))
    ]
    return list({fold(name): name for name in (*typed, *names)}.values())


def _is_distinction(source: Source) -> bool:
    return source.kind is TraitKind.DISTINCTION and source.use is None


def hinderable(names: list[str], typed: str) -> str:
    """Return the distinction that the typed text means. Raises Unknown or Ambiguous if it isn't just one.

    >>> hinderable(["Old Soldier", "Reckless"], "reckless")
    'Reckless'
    """
    try:
        return find(typed, names, Words("{distinction.one}"))
    except Unknown:
        raise _no_distinction(typed, names) from None


def _no_distinction(typed: str, names: list[str]) -> Unknown:
    example = names[0] if names else "Reckless d8"
    there_is = offer(typed, names)
    return Unknown(
        "There's no {distinction.one} called {typed} to hinder. {there_is} Example: hinder {example}",
        typed=shorten(typed),
        there_is=there_is,
        example=example,
    )
