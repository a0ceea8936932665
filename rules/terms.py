"""The game's terms, a table's own words for them, and the languages that texts are translated into.

Sentences use a placeholder for a term, never its English word, so that each language and each table
can use its own: `{asset.one}`, `{asset.many}`, `{plot_point.short}`, `{crisis.a}` with an article.
A capital starts a sentence or heading: `{doom_pool.One}`.
"""

import re
from collections.abc import Mapping
from enum import StrEnum
from functools import lru_cache
from gettext import NullTranslations
from typing import Protocol

from rules.values import Value, exhaustive


class Language(Protocol):
    """A translation catalog, with the interface of `gettext`."""

    def gettext(self, message: str, /) -> str:
        """Return the translation of a text."""

    def ngettext(self, one: str, many: str, count: int, /) -> str:
        """Return the translation of a text in the right plural form for a count."""

    def __hash__(self) -> int:
        """A language is found again by what it is."""


ENGLISH: Language = NullTranslations()


def later(text: str, /) -> str:
    """Mark a text for translation where it can't be translated yet, such as in a constant."""
    return text


class Term(StrEnum):
    """A game term that a table may replace by its own word."""

    PLOT_POINT = "plot point"
    HERO_DIE = "hero die"
    DOOM_POOL = "doom pool"
    CRISIS = "crisis"
    CHALLENGE = "challenge"
    DISTINCTION = "distinction"
    ASSET = "asset"
    COMPLICATION = "complication"
    STRESS = "stress"
    TRAUMA = "trauma"
    HITCH = "hitch"
    OPPORTUNITY = "opportunity"
    SESSION = "session"
    ACT = "act"
    SCENE = "scene"
    GM = "GM"
    GMC = "GMC"


SHARED_TERMS = (Term.SESSION, Term.ACT, Term.SCENE, Term.GM, Term.GMC)
"""The terms of every game."""


class Wording(Value):
    """A table's own words for a term: singular, plural and short form."""

    one: str
    many: str
    short: str


class StandardWords(Value):
    """The standard words for a term, which languages translate."""

    one: str
    many: str
    with_article: str
    short: str = ""
    """As one of it where there is no shorter word."""
    short_with_article: str = ""


STANDARD: Mapping[Term, StandardWords] = exhaustive(
    Term,
    {
        Term.PLOT_POINT: StandardWords(
            later("plot point"), later("plot points"), later("a plot point"), later("PP"), later("a PP")
        ),
        Term.HERO_DIE: StandardWords(later("hero die"), later("hero dice"), later("a hero die")),
        Term.DOOM_POOL: StandardWords(
            later("doom pool"), later("doom pools"), later("a doom pool"), later("doom"), later("a doom")
        ),
        Term.CRISIS: StandardWords(later("crisis"), later("crises"), later("a crisis")),
        Term.CHALLENGE: StandardWords(later("challenge"), later("challenges"), later("a challenge")),
        Term.DISTINCTION: StandardWords(later("distinction"), later("distinctions"), later("a distinction")),
        Term.ASSET: StandardWords(later("asset"), later("assets"), later("an asset")),
        Term.COMPLICATION: StandardWords(
            later("complication"), later("complications"), later("a complication")
        ),
        # Neither is counted.
        Term.STRESS: StandardWords(later("stress"), later("stress"), later("stress")),
        Term.TRAUMA: StandardWords(later("trauma"), later("trauma"), later("trauma")),
        Term.HITCH: StandardWords(later("hitch"), later("hitches"), later("a hitch")),
        Term.OPPORTUNITY: StandardWords(
            later("opportunity"), later("opportunities"), later("an opportunity")
        ),
        Term.SESSION: StandardWords(later("session"), later("sessions"), later("a session")),
        Term.ACT: StandardWords(later("act"), later("acts"), later("an act")),
        Term.SCENE: StandardWords(later("scene"), later("scenes"), later("a scene")),
        Term.GM: StandardWords(later("GM"), later("GMs"), later("a GM")),
        Term.GMC: StandardWords(later("GMC"), later("GMCs"), later("a GMC")),
    },
)


_KEYS: Mapping[str, Term] = {each.name.lower(): each for each in Term}


PLACE = re.compile(rf"\{{((?:{'|'.join(_KEYS)})\.(?:[Oo]ne|[Mm]any|[Ss]hort|[Aa]|[Aa]_short))\}}")
"""The place of a term in a text."""


_FORMS = ("one", "many", "short", "a", "a_short")


Forms = Mapping[str, str]
"""What stands in each such place."""


class Worded:
    """A language in which a table's own words replace some terms."""

    def __init__(self, base: Language, own: Mapping[Term, Wording]) -> None:
        self.base = base
        self.own = own
        # A text is as the language has it, without a call more: the places of terms are filled later.
        self.gettext, self.ngettext = base.gettext, base.ngettext


@lru_cache(maxsize=512)
def worded(base: Language, own: tuple[tuple[Term, Wording], ...]) -> Worded:
    """Return the language with a table's own words, always the same object for the same words (cached)."""
    return Worded(base, dict(own))


def base_of(language: Language) -> Language:
    """Return the language without a table's own words."""
    return language.base if isinstance(language, Worded) else language


def in_terms(text: str, language: Language = ENGLISH) -> str:
    """Return a text with its placeholders for terms filled in the language's words.

    >>> in_terms("{asset.A} and two {hitch.many}")
    'An asset and two hitches'
    """
    if "{" not in text or PLACE.search(text) is None:
        return text
    forms = _forms(language)
    return PLACE.sub(lambda found: forms[found[1]], text)


class _Known(dict[tuple[str, Language], str]):
    """Texts with their terms as languages say them: looking up what was said before is no call."""

    def __missing__(self, of: tuple[str, Language]) -> str:
        if len(self) >= _MOST_KNOWN:
            self.clear()
        found = self[of] = in_terms(*of)
        return found


_MOST_KNOWN = 16384


IN_TERMS: Mapping[tuple[str, Language], str] = _Known()
"""What `in_terms` gives, for what says dozens of texts an answer."""


@lru_cache(maxsize=512)
def _forms(language: Language) -> Forms:
    """Every form of every term in a language."""
    found: dict[str, str] = {}
    own = language.own if isinstance(language, Worded) else {}
    for name, term in _KEYS.items():
        word = own.get(term)
        forms = _standard(term, language) if word is None else _own(term, word, language)
        for form, said in zip(_FORMS, forms, strict=True):
            found[f"{name}.{form}"] = said
            found[f"{name}.{form.capitalize()}"] = said[:1].upper() + said[1:]
        if word is not None:  # as it was typed
            for form, said in (("One", word.one), ("Many", word.many), ("Short", word.short)):
                found[f"{name}.{form}"] = said[:1].upper() + said[1:]
    return found


def _standard(term: Term, language: Language) -> tuple[str, ...]:
    """One, many, short, and one and short with an article: as a language says a term."""
    held = STANDARD[term]
    short = (held.short, held.short_with_article) if held.short else (held.one, held.with_article)
    return tuple(map(language.gettext, (held.one, held.many, short[0], held.with_article, short[1])))


WITH_A, WITH_AN = later("a {word}"), later("an {word}")
"""An own word with its article: English goes by how it begins."""


_VOWEL = re.compile(r"(?:[aeiouAEIOU]|[FHLMNRSX](?![a-z]))")


_NO_ARTICLE = (Term.STRESS, Term.TRAUMA)


def _own(term: Term, word: Wording, language: Language) -> tuple[str, ...]:
    """The same for a table's own word: inside a line it is as the standard word is, without its capitals."""
    one, many, short = word.one, word.many, word.short
    if base_of(language) is ENGLISH:
        one, many = (_small(each) if STANDARD[term].one[0].islower() else each for each in (one, many))
        standard = STANDARD[term].short or STANDARD[term].one
        short = _small(short) if standard[0].islower() else short
    return one, many, short, _with_article(term, one, language), _with_article(term, short, language)


def _with_article(term: Term, word: str, language: Language) -> str:
    if term in _NO_ARTICLE:
        return word
    return language.gettext(WITH_AN if _VOWEL.match(word) else WITH_A).replace("{word}", word)


def _small(words: str) -> str:
    """Words without the capitals that they begin with; what is capitals alone stays."""
    return " ".join(each[:1].lower() + each[1:] if each[1:].islower() else each for each in words.split(" "))
