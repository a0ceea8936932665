"""What people tried, in sentences: one for each person, their notes as they were typed."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from bot.language import later, say, say_of
from bot.language.line import InEnglish, Line, Text, joined, together
from bot.language.printers import spelled
from bot.language.verbs import VERBS
from bot.render.parts import listed, roller
from rules.attempts import Attempt, AttemptResult
from rules.names import GM, key
from rules.values import exhaustive

LONGEST_INSIDE = 80
"""A longer note does not stand inside a sentence."""
_QUOTED = re.compile(r"[?!:\"“”„«»]|[.;] ")
_ENDS = (".", "!", "?", "…", "”", '"')
_NO_OBJECT = frozenset(("are", "has", "is", "of", "was", "were"))
"""What stands behind a word that is no verb there: `Force of will`."""


@dataclass(frozen=True, slots=True)
class WentWords:
    """How it went: in a word or two behind a note, and behind one that English has a verb for."""

    word: str
    did: str
    """The verb for a note that is a noun: `failed at {what}`."""
    beside: str = ""
    rank: int = 1
    """How soon it is left out where there is no room, 0 last."""


WENT: Mapping[AttemptResult, WentWords] = exhaustive(
    AttemptResult,
    {
        AttemptResult.HEROIC: WentWords(
            later("heroic success"), later("succeeded at {what}"), later("heroic"), rank=0
        ),
        AttemptResult.SUCCESS: WentWords(later("success"), later("succeeded at {what}")),
        AttemptResult.ROLLED: WentWords(later("rolled"), later("rolled for {what}"), rank=2),
        AttemptResult.FAILURE: WentWords(later("failure"), later("failed at {what}")),
        AttemptResult.BOTCH: WentWords(later("botch"), later("botched {what}"), later("botch"), rank=0),
    },
)
_ORDER = list(AttemptResult)
_BEFORE_NOUNS = frozenset(("a", "an", "the", "my", "our", "his", "her", "their", "some", "another"))


@dataclass(slots=True)
class _Try:
    """Something that somebody tried so often, each time with the same outcome."""

    note: str
    went: AttemptResult
    against: str
    times: int = 1


def by_person(deeds: Iterable[Attempt]) -> Iterable[Sequence[Attempt]]:
    """What each person tried, whoever tried first before the others."""
    people: dict[str, list[Attempt]] = {}
    for deed in deeds:
        people.setdefault(key(deed.who), []).append(deed)
    return people.values()


def actor(name: str) -> Text:
    """Somebody at the beginning of a sentence."""
    return say("The {gm.one}") if name == GM else roller(name)


def deed_sentences(deeds: Sequence[Attempt], names: Collection[str]) -> Iterator[Text]:
    """What one person tried, in a sentence or two: those with a verb, the others; then the quoted ones.

    `names` are words in small letters that stay as they were typed, since they name somebody or something.
    """
    who = actor(deeds[0].who)
    tries = _gathered(_Try(_small(each.note, names), each.went, each.against) for each in deeds)
    quoted = [each for each in tries if _is_quoted(each.note)]
    inside = [each for each in tries if not _is_quoted(each.note)]
    verbs = [each for each in inside if _has_verb(each.note)]
    others = [each for each in inside if each not in verbs]
    nouns = [each for each in others if each.note.split()[0] in _BEFORE_NOUNS]
    others = [each for each in others if each not in nouns]
    english = [
        *([_english(who, verbs)] if verbs else []),
        *([_nouns(who, nouns)] if nouns else []),
        *([_plain(who, others)] if others else []),
    ]
    if inside:
        yield Line((InEnglish(together(joined(" ", english)), _plain(who, inside)),))
    for each in quoted:
        yield say("{who}, {how}: {note}", who=who, how=_how(each), note=each.note)


def _gathered(tries: Iterable[_Try]) -> list[_Try]:
    """What was tried, the best first; the same again with the same outcome is told once."""
    found: dict[tuple[str, AttemptResult, str], _Try] = {}
    for each in sorted(tries, key=lambda each: _ORDER.index(each.went)):
        same = (key(each.note), each.went, key(each.against))
        if same in found:
            found[same].times += 1
        else:
            found[same] = each
    return list(found.values())


def _small(note: str, names: Collection[str]) -> str:
    """A note as it stands inside a sentence: its first letter small where it begins no name, no end mark."""
    if _is_quoted(note):
        return note
    note = note.rstrip(". ") or note
    word = re.split(r"[\s,.’']", note, maxsplit=1)[0]
    is_plain = word[:1].isupper() and word != "I" and (word[1:].islower() or len(word) == 1)
    return note[:1].lower() + note[1:] if is_plain and key(word) not in names else note


def _is_quoted(note: str) -> bool:
    """Whether a note is a question, a quotation, or too long to stand inside a sentence."""
    return len(note) > LONGEST_INSIDE or _QUOTED.search(note) is not None


def _has_verb(note: str) -> bool:
    """Whether a note says what somebody does, in English."""
    first, *others = note.split()
    return first.lower() in VERBS and first.islower() and not (others and others[0] in _NO_OBJECT)


def _plain(who: Text, tries: Iterable[_Try]) -> Line:
    """What somebody tried, as any language can say it."""
    said = (say("{note} ({how})", note=each.note, how=_how(each)) for each in tries)
    return together(say("{who}: {what}.", who=who, what=joined(", ", said)))


def _how(each: _Try) -> Text:
    """How it went, how often, and against what: `success, twice, against Rex`."""
    said = [say(WENT[each.went].word)]
    if each.times > 1:
        said.append(_times(each.times))
    if each.against:
        said.append(say("against {what}", what=each.against))
    return joined(", ", said)


def _times(count: int) -> Text:
    return say("twice") if count == 2 else say_of(count, "{count} time", "{count} times")


def _english(who: Text, tries: Sequence[_Try]) -> Line:
    """What somebody did, in English: `Mira managed to find the ledger, but failed to force the door.`"""
    done, rolled, failed = (
        listed(_infinitive(each) for each in tries if each.went in went)
        for went in (
            (AttemptResult.HEROIC, AttemptResult.SUCCESS),
            (AttemptResult.ROLLED,),
            (AttemptResult.FAILURE, AttemptResult.BOTCH),
        )
    )
    said: list[Text] = []
    if rolled:
        said.append(say("{who} rolled {what}.", who=who, what=rolled))
    if done and failed:
        said.append(say("{who} managed {done}, but failed {failed}.", who=who, done=done, failed=failed))
    elif done:
        said.append(say("{who} managed {done}.", who=who, done=done))
    elif failed:
        said.append(say("{who} failed {failed}.", who=who, failed=failed))
    return together(joined(" ", said))


def _nouns(who: Text, tries: Sequence[_Try]) -> Line:
    """Return a sentence of tries whose notes are nouns: `Nova succeeded at stealth and botched a leap.`"""
    found: dict[str, list[Text]] = {}
    for each in tries:
        beside = WENT[each.went].beside if each.went is AttemptResult.HEROIC else ""
        found.setdefault(WENT[each.went].did, []).append(_with_times(each.note, each, beside))
    did = [say(said, what=listed(notes)) for said, notes in found.items()]
    return together(say("{who} {did}.", who=who, did=listed(did)))


def _infinitive(each: _Try) -> Text:
    """`to break the seal twice against Rex (heroic)`."""
    return _with_times(say("to {what}", what=each.note), each, WENT[each.went].beside)


def _with_times(what: Text, each: _Try, beside: str) -> Text:
    """Return what was tried, with the number of tries, the opposition, and a word on the result."""
    said = [what]
    if each.times > 1:
        said.append(_times(each.times))
    if each.against:
        said.append(say("against {what}", what=each.against))
    if beside:
        said.append(together("(", say(beside), ")"))
    return joined(" ", said)


def untold_words(count: int, *, is_alone: bool) -> Text:
    """How many rolls have no note: `And 4 other rolls.`"""
    if is_alone:
        return say_of(count, "{count} roll.", "{count} rolls.")
    return say_of(count, "And {count} other roll.", "And {count} other rolls.")


def ended(text: Text) -> Text:
    """What is said, as a sentence with its end."""
    return text if spelled(text).endswith(_ENDS) else together(text, ".")
