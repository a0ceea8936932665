"""A table's own words for the game's terms: read as typed, written back, and matched against input."""

import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping
from itertools import chain

from rules.dice import FROM_DOOM, SAFE_WORD, SCALE_WORD, VERBS
from rules.errors import NotAllowed, PossibleAnswer, TooLate, Undecided, Unknown, Unreadable
from rules.game import terms_at
from rules.names import clean, find, fold, one_of
from rules.table import Table
from rules.terms import STANDARD, Term, Wording
from rules.text import Phrase, Words, shorten
from rules.values import replace

LONGEST = 24
"""A word for a term has at most this many characters."""


Typed = Mapping[Term, Wording | None]
"""Terms with what they are called from now on; None for the standard words, and no term at all for all."""


_NONE = ("off", "none", "no", "false")


_VERBS = (*VERBS, SCALE_WORD, SAFE_WORD, "less one", "push", "last", "build", "show", FROM_DOOM, "vs")


_DIE = re.compile(r"(?:[0-9]*[dD])?[0-9]+")


_BESIDE_LETTERS = " '-.&"


_BESIDE_PICTURES = "\ufe0f\u200d\u20e3"


EXAMPLES = ("scene = Chapter", "GMC = Foe, Foes, F")
"""What is suggested."""


_EXAMPLE = "; ".join(EXAMPLES)


def read_terms(typed: str) -> Typed:
    """Parse a table's own words: `doom pool = Threat, Threats, T; plot point = HP`.

    One word alone serves as singular and short form, with a regular English plural; no word at all
    means the standard words (None). `off` gives an empty mapping. Raises Unreadable if a part has no
    `=` or nothing is there; Unknown or Ambiguous if a term isn't found.

    >>> read_terms("plot point = Hero Point, Hero Points, HP")[Term.PLOT_POINT].short
    'HP'
    >>> read_terms("crisis = ")[Term.CRISIS] is None, read_terms("off")
    (True, {})
    """
    if fold(typed) in _NONE:
        return {}
    found: dict[Term, Wording | None] = {}
    for part in filter(str.strip, typed.split(";")):
        name, sign, words = part.partition("=")
        if not sign:
            raise Unreadable(
                "{typed} needs a term, an = and the words for it. Example: {example}",
                typed=shorten(part.strip()),
                example=_EXAMPLE,
            )
        found[term_named(name)] = wording(words)
    if not found:
        raise Unreadable("Type a term and the words for it. Example: {example}", example=_EXAMPLE)
    return found


def term_named(typed: str) -> Term:
    """Find a term by its name, plural or short form.

    Raises Unknown if there is no such term; Ambiguous if several begin that way.

    >>> str(term_named("PP")), str(term_named("assets")), str(term_named("compl"))
    ('plot point', 'asset', 'complication')
    """
    wanted = fold(typed)
    for term, held in STANDARD.items():
        if wanted in (fold(each) for each in (held.many, held.short) if each):
            return term
    return Term(find(typed, [str(each) for each in Term], Words("term")))


def wording(typed: str) -> Wording | None:
    """Parse the words for one term, `singular, plural, short`; None for the standard words.

    Raises Unreadable for more than three words, or one that is too long.

    >>> wording("Threat, Threats, T").short, wording("Story").many, wording(" ")
    ('T', 'Stories', None)
    """
    words = [clean(each, Words("word"), LONGEST) for each in typed.split(",") if each.strip()]
    if len(words) > 3:
        raise Unreadable(
            "That's {count} words; a term can have three: one, many and short. Example: {example}",
            count=len(words),
            example=_EXAMPLE,
        )
    return missing_forms(*words) if words else None


def missing_forms(one: str, many: str = "", short: str = "") -> Wording:
    """Return a term's words, filling in a missing plural or short form.

    >>> missing_forms("Boss").many
    'Bosses'
    """
    return Wording(one, many or _plural(one), short or one)


def _plural(word: str) -> str:
    """The plural of an English word, as most have it: `Bosses`, `Stories`, `Days`."""
    low = word.casefold()
    if low.endswith("y") and low[-2:-1] not in "aeiou":
        return f"{word[:-1]}ies"
    return f"{word}es" if low.endswith(("s", "x", "z", "ch", "sh")) else f"{word}s"


def write_terms(words: object) -> str:
    """Return a table's own words in the form that `read_terms` reads; `off` for none.

    >>> write_terms({Term.CRISIS: missing_forms("Boss"), Term.DOOM_POOL: missing_forms("Threat", short="T")})
    'crisis = Boss; doom pool = Threat, Threats, T'
    >>> write_terms({})
    'off'
    """
    held: Mapping[Term, Wording] = words if isinstance(words, Mapping) else {}
    return "; ".join(f"{term} = {_typed(word)}" for term, word in held.items()) or "off"


def _typed(word: Wording) -> str:
    """The fewest words that are read as these."""
    if word == missing_forms(word.one):
        return word.one
    return ", ".join((word.one, word.many) if word.short == word.one else (word.one, word.many, word.short))


def with_words(table: Table, typed: Typed) -> Table:
    """Return the table with these words for these terms.

    Raises Unknown for a term that the table's game doesn't have; NotAllowed if a word already means something
    else or can't be used as one.
    """
    known = terms_at(table)
    if other := next((term for term, word in typed.items() if word and term not in known), None):
        raise Unknown('This campaign has no "{term}". Try {known}.', term=str(other), known=one_of(known))
    held = {**table.settings.words, **typed} if typed else {}
    words = {term: word for term in Term if (word := held.get(term)) and not _is_standard(term, word)}
    for _, fault in faults(words):
        raise NotAllowed("{fault}. Example: {example}", fault=fault, example=_EXAMPLE)
    if words == table.settings.words:
        return table
    return replace(table, settings=replace(table.settings, words=words))


def _is_standard(term: Term, word: Wording) -> bool:
    held = STANDARD[term]
    standard = (held.one, held.many, held.short or held.one)
    return [fold(each) for each in (word.one, word.many, word.short)] == [*map(fold, standard)]


def faults(words: Mapping[Term, Wording]) -> Iterator[tuple[Term, Phrase]]:
    """Yield each problem with a table's own words, with the term that it belongs to."""
    taken = _taken(words)
    for term, word in words.items():
        for place, each in (("one", word.one), ("many", word.many), ("short", word.short)):
            fault = _fault(term, each, is_short=place == "short" and term is Term.PLOT_POINT)
            other = next((of for of in taken.get(fold(each), ()) if of is not term), None)
            if fault is not None:
                yield term, fault
            elif other is not None:
                yield term, Words("{word} already means {other}", word=shorten(each), other=str(other))


def _taken(words: Mapping[Term, Wording]) -> Mapping[str, list[Term]]:
    """Which terms each word means, own or standard."""
    found: dict[str, list[Term]] = {}
    for term in STANDARD:
        own = words.get(term)
        mine = (own.one, own.many, own.short) if own else ()
        for each in {fold(word) for word in chain(standard_words(term), mine) if word}:
            found.setdefault(each, []).append(term)
    return found


def _fault(term: Term, word: str, *, is_short: bool) -> Phrase | None:
    """What is wrong with a word by itself, if anything."""
    if not 0 < len(word) <= LONGEST + 1 or " ".join(word.split()) != word:
        return Words(
            "{word} can't be a word; use 1 to {most} characters, with no extra spaces",
            word=shorten(word),
            most=LONGEST,
        )
    letters = _without_picture(word) if is_short else word
    if not any(map(str.isalpha, letters)) or not all(map(_is_of_words, fold(letters))):
        return Words("{word} has characters that aren't letters", word=shorten(word))
    if any(map(_DIE.fullmatch, word.split())):
        return Words("{word} would be read as a die", word=shorten(word))
    if fold(word) in _VERBS:
        return Words("{word} already changes dice in a pool", word=shorten(word))
    return None


def _is_of_words(character: str) -> bool:
    return character in _BESIDE_LETTERS or unicodedata.category(character)[0] in "LMN"


def _without_picture(word: str) -> str:
    """A word without the emoji that may stand behind it."""
    kept = word.rstrip(_BESIDE_PICTURES)
    while kept and (kept[-1] in _BESIDE_PICTURES or unicodedata.category(kept[-1]) in ("So", "Sk")):
        kept = kept[:-1]
    return kept.rstrip() if kept != word else word


def means(table: Table, term: Term, typed: str) -> bool:
    """Return whether the typed text is the table's own word for a term."""
    word = table.settings.words.get(term)
    return word is not None and fold(typed) in _folded(word)


def standard_words(term: Term) -> tuple[str, ...]:
    """Return the standard words for a term: singular, plural, and the short form if there is one.

    >>> standard_words(Term.PLOT_POINT), standard_words(Term.ASSET)
    (('plot point', 'plot points', 'PP'), ('asset', 'assets'))
    """
    held = STANDARD[term]
    return tuple(word for word in (held.one, held.many, held.short) if word)


def suggested(table: Table, word: str) -> str:
    """Return a suggestion as this table words it: a term in the table's own word, anything else unchanged.

    >>> suggested(Table(), "scene"), suggested(Table(), "all")
    ('scene', 'all')
    """
    own = {str(term): held.one for term, held in table.settings.words.items()}
    return own.get(word, word)


def is_meant(table: Table, term: Term, typed: str, agreed: Collection[str], *, is_name: bool) -> bool:
    """Return whether the typed text stands for a term by the table's own word.

    If something in play has that name too, the actor is asked first. Raises Undecided to ask; TooLate
    if the actor chose the thing in play and it is gone.
    """
    if not means(table, term, typed):
        return False
    word = " ".join(typed.split())
    signs = [f"{fold(word)} is {what}" for what in ("a word", "a name")]
    if signs[1] in agreed:
        if not is_name:
            raise TooLate("Nothing is called {word} any more. Send the command again.", word=word)
        return False
    if is_name and signs[0] not in agreed:
        raise Undecided(
            "At this table, {word} is the word for {term}, and also a name in play. Which do you mean?",
            PossibleAnswer(Words("{term}", term=str(term)), signs[0]),
            PossibleAnswer(Words("The one called {word}", word=word), signs[1]),
            word=word,
            term=str(term),
        )
    return True


def _folded(word: Wording) -> tuple[str, ...]:
    return fold(word.one), fold(word.many), fold(word.short)


def with_doom(table: Table, typed: str) -> str:
    """Return a typed pool with `from` and the table's own word for doom replaced by `from doom` (D4)."""
    word = table.settings.words.get(Term.DOOM_POOL)
    if word is None:
        return typed
    own = "|".join(map(re.escape, sorted(set(_folded(word)), key=len, reverse=True)))
    return re.sub(rf"\bfrom (?:{own})(?=\s+d?[0-9])", FROM_DOOM, typed, flags=re.IGNORECASE)


def as_standard(table: Table, typed: str) -> str:
    """Return typed text with the table's own words replaced by the standard ones, except inside quotes."""
    if not table.settings.words:
        return typed
    known: dict[str, str] = {}
    for term, word in table.settings.words.items():
        held = STANDARD[term]
        one = held.short or held.one
        known |= {each.casefold(): one for each in (word.one, word.short, _without_picture(word.short))}
        known.setdefault(word.many.casefold(), held.short or held.many)
    longest = sorted(map(re.escape, known), key=len, reverse=True)
    own = re.compile(rf'"[^"]*"|(?<!\w)(?:{"|".join(longest)})(?!\w)', re.IGNORECASE)
    return own.sub(lambda found: known.get(found[0].casefold(), found[0]), typed)
