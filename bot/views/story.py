"""A session as a story: what people tried, and what each character did."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeGuard

from bot.language import later, say, say_of
from bot.language.line import CompoundPhrase, Line, Text, heading, joined, small, strong, together
from bot.language.printers import phone_lines, spelled
from bot.language.said import cut, distinct
from bot.language.verbs import PAST
from bot.views.facts import line_of, quoted_words
from bot.views.game import SHOWN, Stayed
from bot.views.labels import listed, roller_words, scene_name, stretch_words
from bot.views.xp import xp_balance
from rules.campaign.story import Chapter, SessionStory, Tally
from rules.campaign.story import together as together_told
from rules.facts import Fact, Noted, NoteDone, Quoted, SeatChange, Seated, SettingChanged, Stretch
from rules.game import Attempt, AttemptResult
from rules.names import GM, TextMark, fold, key
from rules.names import said as named_in
from rules.table import Character, Table
from rules.text import OR
from rules.values import exhaustive, replace

LONGEST_INSIDE = 80
"""A longer note does not stand inside a sentence."""
_QUOTED = re.compile(r"[?!:\"“”„«»]|[.;] ")
_ENDS = (".", "!", "?", "…", "”", '"')
_NO_OBJECT = frozenset(("are", "has", "is", "of", "was", "were"))
"""What stands behind a word that is no verb there: `Force of will`."""


@dataclass(frozen=True, slots=True)
class AttemptWords:
    """The words for a result: after a note, and after a note that starts with a verb English knows."""

    word: str
    did: str
    """The verb for a note that is a noun: `failed at {what}`."""
    beside: str = ""
    rank: int = 1
    """How soon it is left out where there is no room, 0 last."""


WENT: Mapping[AttemptResult, AttemptWords] = exhaustive(
    AttemptResult,
    {
        AttemptResult.HEROIC: AttemptWords(
            later("heroic success"), later("succeeded at {what}"), later("heroic"), rank=0
        ),
        AttemptResult.SUCCESS: AttemptWords(later("success"), later("succeeded at {what}")),
        AttemptResult.ROLLED: AttemptWords(later("rolled"), later("rolled for {what}"), rank=2),
        AttemptResult.FAILURE: AttemptWords(later("failure"), later("failed at {what}")),
        AttemptResult.BOTCH: AttemptWords(later("botch"), later("botched {what}"), later("botch"), rank=0),
    },
)
_ORDER = list(AttemptResult)
_DONE = (AttemptResult.HEROIC, AttemptResult.SUCCESS)
_FAILED = (AttemptResult.FAILURE, AttemptResult.BOTCH)
_SEVERAL = re.compile(r"\b(?:and|or|then)\b|[,&/]")
"""What stands between two verbs of a note."""
_BEFORE_NOUNS = frozenset(("a", "an", "the", "my", "our", "his", "her", "their", "some", "another"))


@dataclass(slots=True)
class _Try:
    """Something that somebody tried so often, each time with the same outcome."""

    note: str
    went: AttemptResult
    against: str
    times: int = 1


def by_person(attempts: Iterable[Attempt]) -> Iterable[Sequence[Attempt]]:
    """Yield the attempts of each person, in the order of their first attempts."""
    people: dict[str, list[Attempt]] = {}
    for attempt in attempts:
        people.setdefault(key(attempt.who), []).append(attempt)
    return people.values()


def actor(name: str) -> Text:
    """Return a name as the start of a sentence."""
    return say("The {gm.one}") if name == GM else roller_words(name)


def attempt_sentences(attempts: Sequence[Attempt], names: Collection[str]) -> Iterator[Text]:
    """Yield one person's attempts in a sentence or two: those with verbs, the others, then quoted ones.

    `names` are lower-case words that stay as typed, because they name somebody or something.
    """
    who = actor(attempts[0].who)
    tries = _gathered(_Try(_small(each.note, names), each.went, _unnamed(each)) for each in attempts)
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
        plain, own = together(_plain(who, inside)), together(joined(" ", english))
        yield Line((CompoundPhrase(plain.parts, english=own.parts),))
    for each in quoted:
        yield say("{who}, {how}: {note}", who=who, how=_how(each), note=each.note)


def _unnamed(attempt: Attempt) -> str:
    """What an attempt was against, if its note doesn't name that already: `Strike the eel` does `The Eel`."""
    name = re.escape(fold(attempt.against).removeprefix("the "))
    return "" if re.search(rf"(?<!\w){name}(?!\w)", fold(attempt.note)) else attempt.against


def _gathered(tries: Iterable[_Try]) -> list[_Try]:
    """What was tried, the best first; the same again with the same outcome is told once."""
    found: dict[tuple[str, AttemptResult, str], _Try] = {}
    for each in sorted(tries, key=lambda each: _ORDER.index(each.went)):
        same = (fold(each.note), each.went, key(each.against))
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
    return first in PAST and first.islower() and not (others and others[0] in _NO_OBJECT)


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
    """What somebody did, in English: `Mira found the ledger, but couldn't force the door.`"""
    done = listed(_did(each) for each in tries if each.went in _DONE)
    rolled = listed(_infinitive(each) for each in tries if each.went is AttemptResult.ROLLED)
    failed = listed((_tried(each) for each in tries if each.went in _FAILED), OR)
    said: list[Text] = []
    if rolled:
        said.append(say("{who} rolled {what}.", who=who, what=rolled))
    if done and failed:
        said.append(say("{who} {done}, but couldn't {failed}.", who=who, done=done, failed=failed))
    elif done:
        said.append(say("{who} {done}.", who=who, done=done))
    elif failed:
        said.append(say("{who} couldn't {failed}.", who=who, failed=failed))
    return together(joined(" ", said))


def _nouns(who: Text, tries: Sequence[_Try]) -> Line:
    """Return a sentence of tries whose notes are nouns: `Nova succeeded at stealth and botched a leap.`"""
    found: dict[str, list[Text]] = {}
    for each in tries:
        beside = WENT[each.went].beside if each.went is AttemptResult.HEROIC else ""
        found.setdefault(WENT[each.went].did, []).append(_with_times(each.note, each, beside))
    did = [say(said, what=listed(notes)) for said, notes in found.items()]
    return together(say("{who} {did}.", who=who, did=listed(did)))


def _did(each: _Try) -> Text:
    """`broke the seal twice against Rex (heroic)`; a note that may have two verbs keeps its form."""
    verb, _, others = each.note.partition(" ")
    if _SEVERAL.search(each.note):
        return _with_times(say("managed to {what}", what=each.note), each, WENT[each.went].beside)
    return _with_times(f"{PAST[verb]} {others}".rstrip(), each, WENT[each.went].beside)


def _tried(each: _Try) -> Text:
    """`break the seal twice against Rex (botch)`."""
    return _with_times(each.note, each, WENT[each.went].beside)


def _infinitive(each: _Try) -> Text:
    """`to break the seal twice against Rex`."""
    return _with_times(say("to {what}", what=each.note), each, "")


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
    """Return how many rolls have no note: `And 4 other rolls.`, or `4 rolls.` if they stand alone."""
    if is_alone:
        return say_of(count, "{count} roll.", "{count} rolls.")
    return say_of(count, "And {count} other roll.", "And {count} other rolls.")


def ended(text: Text) -> Text:
    """Return a text with a full stop at its end, if it needs one."""
    return text if spelled(text).endswith(_ENDS) else together(text, ".")


def known_for(character: Character) -> list[Text]:
    """Return what a character is known for, in each game."""
    return [what for each in SHOWN.stories for what in each.known_for(character)]


def figures(found: Tally, table: Table) -> list[Text]:
    """Return what somebody did as lines, in each game that the table plays."""
    return [line for each in SHOWN.at(table).stories for line in each.figures(found)]


MOST_LINES = 12
"""So many lines of a phone a recap has."""
MOST_OPEN_LINES = 2
MOST_OPEN = 3
"""So many things that are open are told in it."""
LONGEST_OPEN = 60
"""So much of each of them."""
LONGEST_TITLE = 28
"""So much is told of the name of a scene."""
LONGEST_QUOTE = 160
"""So much is told of what somebody wrote."""


def story_lines(
    told: SessionStory, table: Table, number: int, *, is_last: bool, above: Sequence[Text] = ()
) -> list[Text]:
    """Return a session in about a dozen phone lines, including `above`: events, open notes, all people.

    If there isn't enough room, the most interesting parts are kept, with a count of the rest.
    """
    # What is above it says which session it is.
    named = table.titles.get(number, "") if above else session_title(table, number)
    head = [heading(named)] if named else []
    told = _without_open(told, table) if is_last else told
    still_open = _open(table, MOST_OPEN) if is_last else []
    people = everybody_line(told.people)
    room = MOST_LINES - sum(map(phone_lines, (*above, *head, *still_open)))
    lines, more = _fitting(told, table, room - sum(map(phone_lines, people)))
    if more:
        lines, more = _fitting(told, table, room - sum(map(phone_lines, _with_rest(people, more))))
        people = _with_rest(people, more)
    return [*head, *lines, *still_open, *people]


def _with_rest(people: Sequence[Text], more: int) -> list[Text]:
    """What everybody did, and how much more happened than is told."""
    return [small(joined(". ", [*people, say("{count} more under Every roll", count=more)]))]


@dataclass(frozen=True, slots=True)
class ToldScene:
    """A scene in words, in sentences but for its title; what came before any scene may have none."""

    title: Text
    about: Text = ""
    """What was read aloud."""
    happened: Sequence[Text] = ()
    fates: Sequence[Text] = ()
    """Who fell and who won."""
    words: Sequence[Text] = ()
    """What people wrote."""
    rest: Sequence[Text] = ()
    """How many rolls have no note."""

    @property
    def told(self) -> Text:
        """What happened, but for fates and people's own words."""
        return joined(" ", (*self.happened, *self.rest))

    def line(self) -> Text:
        """Return the scene as a line that begins with its title."""
        title = (strong(ended(self.title)),) if self.title else ()
        about = (ended(self.about),) if self.about else ()
        return joined(" ", (*title, *about, *self.happened, *self.fates, *self.words, *self.rest))


def whole_story(told: SessionStory, table: Table, *, is_last: bool) -> tuple[list[ToldScene], list[Text]]:
    """Return a session in full, without its title and people: its scenes, then what stood out and is open."""
    scenes = list(_scenes(told.chapters, _names(told, table)))
    return scenes, [*_moments(told), *(_open(table) if is_last else [])]


def _without_open(told: SessionStory, table: Table) -> SessionStory:
    """A story without the notes that are still open, which stand below it."""

    def left(fact: Fact) -> bool:
        return not (isinstance(fact, Noted) and fact.is_open and key(fact.text) in table.threads)

    chapters = (replace(each, decided=tuple(filter(left, each.decided))) for each in told.chapters)
    return replace(told, chapters=tuple(chapters))


def concerning(told: SessionStory, name: str) -> SessionStory:
    """Return the part of a story that concerns one character."""
    who = key(name)
    people = tuple(each for each in told.people if key(each.name) == who)
    return replace(told, chapters=tuple(_of_one(each, who) for each in told.chapters), people=people)


def _of_one(chapter: Chapter, who: str) -> Chapter:
    decided = tuple(fact for fact in chapter.decided if _is_about(fact, who))
    attempts = tuple(
        attempt
        for attempt in chapter.attempts
        if who in (key(attempt.who), key(attempt.against))
        or any(_is_about(fact, who) for fact in attempt.left)
    )
    untold = {name: count for name, count in chapter.untold.items() if key(name) == who}
    return replace(chapter, attempts=attempts, decided=decided, untold=untold)


def _is_about(fact: Fact, who: str) -> bool:
    """Whether a fact names somebody."""
    return any(says in (TextMark.NAME, TextMark.PERSON) and key(text) == who for says, text in named_in(fact))


def counted_line(step: int) -> Text:
    """Return that anything before this step is only in the log."""
    return say("This starts at step {step}. For earlier steps, see the log.", step=step)


def session_title(table: Table, number: int) -> Text:
    """Return the title of a session; number 0 is what happened before the first."""
    if not number:
        return say("What happened")
    title, named = table.titles.get(number, ""), stretch_words(Stretch.SESSION, number)
    return say("{session}: {title}", session=named, title=title) if title else named


def person_lines(told: SessionStory) -> list[Text]:
    """Return a line per player's character: `Alice: 5 rolls, 3 successes, PP +3 -2`."""
    return [together(strong(each.name), ": ", _came_to((each,), ", ")) for each in told.people if not each.gm]


def everybody_line(people: Iterable[Tally]) -> list[Text]:
    """Return what all players did: `14 rolls, 9 successes, 3 hitches. PP +6 -4. XP 1 each`."""
    players = [each for each in people if not each.gm]
    said = _came_to(players, ". ")
    return [small(said)] if said else []


def _came_to(people: Sequence[Tally], between: str) -> Text:
    of_all = together_told("", people)
    rolls = of_all["rolls"]
    rolled = [say_of(rolls, "{count} roll", "{count} rolls")] if rolls else []
    came_to = joined(", ", [*rolled, *(part for game in SHOWN.stories for part in game.came_to(of_all))])
    points = [part for game in SHOWN.stories for part in game.points(people)]
    return joined(between, [part for part in (came_to, *points, xp_balance(people)) if part])


def _fitting(told: SessionStory, table: Table, room: int) -> tuple[list[Text], int]:
    """What happened in so many lines, scene by scene, and how much more there is than has room."""
    names, chapters = _names(told, table), [_short(each) for each in told.chapters]
    lines = [each.line() for each in _scenes(chapters, names)]
    return (lines, 0) if sum(map(phone_lines, lines)) <= room else _best(chapters, names, room)


def _short(chapter: Chapter) -> Chapter:
    """A scene with the first sentence of what was read aloud, in which nobody is quoted at length."""
    decided = (
        replace(each, text=spelled(cut(each.text, LONGEST_QUOTE))) if isinstance(each, Quoted) else each
        for each in chapter.decided
    )
    first = _SENTENCE.split(chapter.about, maxsplit=1)[0]
    about, name = spelled(cut(first, LONGEST_INSIDE)), spelled(cut(chapter.name, LONGEST_TITLE))
    return replace(chapter, name=name, about=about, decided=tuple(decided))


def _rank(what: Attempt | Fact) -> int:
    """How soon something is left out where there is no room, 0 last: what people wrote, then their fates."""
    if isinstance(what, Attempt):
        return 2 if what.left else 2 + WENT[what.went].rank
    if isinstance(what, _WRITTEN):
        return 0
    if type(what) in SHOWN.fates:
        return 1
    return 5 if isinstance(what, Seated | SettingChanged) else 3


def _best(chapters: Sequence[Chapter], names: Collection[str], room: int) -> tuple[list[Text], int]:
    """As much of each scene as has room, what is worth most first, and how much more there is.

    Who fell and who won comes first. Then scenes take turns, and so do what people wrote, what they tried and
    all else in a scene.
    """
    kept: list[set[int]] = [set() for _ in chapters]
    lines: list[list[Text]] = [[] for _ in chapters]
    left = room
    things = [each for place, chapter in enumerate(chapters) for each in _by_turns(chapter, place)]
    for _, _, place, thing in sorted(things, key=lambda each: each[:3]):
        short = _only(chapters[place], kept[place] | {id(thing)})
        told = [_told_scene(short, _title_of(short, chapters), names).line()]
        taken = sum(map(phone_lines, told)) - sum(map(phone_lines, lines[place]))
        if taken <= left:
            kept[place].add(id(thing))
            lines[place], left = told, left - taken
    more = len(things) - sum(map(len, kept)) + sum(chapter.rolls for chapter in chapters)
    return [line for scene in lines for line in scene], more


def _by_turns(chapter: Chapter, place: int) -> Iterator[tuple[int, int, int, Attempt | Fact]]:
    """What there is to tell of a scene, with its turn, its rank and the scene's place.

    All fates come first; then the best of each other kind: what people wrote, what they tried and all else.
    """
    turns = Counter[bool | None]()
    things: list[Attempt | Fact] = [*chapter.attempts, *chapter.decided]
    for thing in sorted(things, key=_rank):
        kind = None if isinstance(thing, Attempt) else _rank(thing) > 0
        is_fate = type(thing) in SHOWN.fates
        yield (-1 if is_fate else turns[kind]), _rank(thing), place, thing
        turns[kind] += not is_fate


def _only(chapter: Chapter, kept: Collection[int]) -> Chapter:
    """A scene with these of its attempts and facts alone, by their identity."""
    attempts = tuple(attempt for attempt in chapter.attempts if id(attempt) in kept)
    decided = tuple(fact for fact in chapter.decided if id(fact) in kept)
    return replace(chapter, about="", attempts=attempts, decided=decided, untold={})


def _names(told: SessionStory, table: Table) -> frozenset[str]:
    """The words that begin somebody's or something's name, which stay as they were typed."""
    found = [each.name for each in table.characters.values()] + [each.name for each in told.people]
    found += [attempt.against for each in told.chapters for attempt in each.attempts]
    found += [
        text
        for each in told.chapters
        for fact in each.decided
        for says, text in named_in(fact)
        if says in (TextMark.NAME, TextMark.PERSON, TextMark.LABEL)
    ]
    return frozenset(key(word) for name in found for word in name.split())


def _scenes(chapters: Sequence[Chapter], names: Collection[str]) -> Iterator[ToldScene]:
    """Scenes in order; those in which nothing is told share one."""
    quiet: list[Text] = []
    for each in chapters:
        name = _title_of(each, chapters)
        if each.is_quiet and not each.about:
            quiet += [name] if each.number else []
            continue
        if quiet:
            yield ToldScene(listed(quiet))
        quiet = []
        yield _told_scene(each, name, names)
    if quiet:
        yield ToldScene(listed(quiet))


def _fated(fates: Sequence[Fact]) -> list[Text]:
    """Who fell and who won, game by game."""
    told: list[Text] = []
    for game in SHOWN.stories:
        told += map(ended, game.fated([fact for fact in fates if type(fact) in game.fates]))
    return told


def _title_of(chapter: Chapter, among: Sequence[Chapter]) -> Text:
    """The name of a scene, or its number, with its day: `The docks, the third night`.

    What came before the first scene has none where there is no other.
    """
    if len(among) == 1 and not chapter.number:
        return ""
    title = scene_name(chapter.name, chapter.number) if chapter.number else say("At first")
    return say("{scene}, {day}", scene=title, day=chapter.day) if chapter.day else title


def _told_scene(chapter: Chapter, title: Text, names: Collection[str]) -> ToldScene:
    """A scene in the order in which it is told.

    Who and what came, a sentence on each person's attempts, what it cost, who fell and who won, and what
    people wrote.
    """
    facts = chapter.decided
    new = dict.fromkeys(fact.who for fact in facts if _is_new(fact))
    attempts = [line for own in by_person(chapter.attempts) for line in attempt_sentences(own, names)]
    left = [fact for attempt in chapter.attempts for fact in attempt.left]
    written = [fact for fact in facts if isinstance(fact, _WRITTEN)]
    fates = [fact for fact in facts if type(fact) in SHOWN.fates]
    others = [fact for fact in facts if fact not in (*written, *fates) and not _is_new(fact)]
    happened = [
        *([say("New here: {names}.", names=listed(new))] if new else []),
        *distinct(_said(fact) for fact in others if not _stayed((fact,))),
        *attempts,
        *_left(_stayed(left)),
        *_came_away(_stayed(others)),
    ]
    told = ToldScene(
        title,
        chapter.about,
        happened,
        _fated(fates),
        distinct(map(_said, written)),
    )
    is_alone = not (told.happened or told.fates or told.words)
    rest = [untold_words(chapter.rolls, is_alone=is_alone)] if chapter.rolls else []
    return replace(told, rest=rest)


_WRITTEN = Noted | NoteDone | Quoted
"""What people wrote."""
_SENTENCE = re.compile(r"(?<=[.!?…])\s")
_NEW = (SeatChange.NEW, SeatChange.ENTERS, SeatChange.ENTERS_ORDER, SeatChange.IMPORTED)


def _is_new(fact: Fact) -> TypeGuard[Seated]:
    return isinstance(fact, Seated) and fact.seat in _NEW


def _said(fact: Fact) -> Text:
    """What a story says of a fact, as a sentence with its end."""
    if isinstance(fact, Quoted):
        return quoted_words(fact)
    if isinstance(fact, Noted) and not (fact.secret or fact.is_open):
        words = say("“{text}”", text=fact.text)
        return say("{about}: {text}", about=fact.about, text=words) if fact.about else words
    if isinstance(fact, SettingChanged):
        return ended(say("The ruleset is {name} from here on", name=fact.value))
    tell = SHOWN.story_words.get(type(fact))
    return ended(line_of(fact) if tell is None else tell(fact))


def _stayed(facts: Iterable[Fact]) -> list[Stayed]:
    """Return the lasting harm that facts record, in order."""
    return [each for fact in facts for game in SHOWN.stories if (each := game.stayed(fact)) is not None]


def _left(stayed: Iterable[Stayed]) -> list[Text]:
    """Return the harm of rolls as a sentence: `It cost Ilse: Shaken d8; Rook: Burned d6 and Lost d8.`"""
    costs = [say("{who}: {what}", who=owner, what=listed(what)) for owner, what in _by_owner(stayed)]
    return [say("It cost {costs}.", costs=joined("; ", costs))] if costs else []


def _came_away(stayed: Iterable[Stayed]) -> list[Text]:
    """Return the harm of which no roll was the cause: `Bob came away with Wet d6; Rook with Lost d8.`"""
    (who, what), *others = _by_owner(stayed) or [("", [])]
    if not who:
        return []
    rest = [say("{who} with {what}", who=other, what=listed(held)) for other, held in others]
    first = say("{who} came away with {what}", who=who, what=listed(what))
    return [ended(joined("; ", [first, *rest]))]


def _by_owner(stayed: Iterable[Stayed]) -> list[tuple[str, list[Text]]]:
    found: dict[str, list[Text]] = {}
    for each in stayed:
        found.setdefault(each.owner, []).append(each.what)
    return [*found.items()]


def _moments(told: SessionStory) -> Iterator[Text]:
    """What stood out, game by game."""
    for each in SHOWN.stories:
        if (found := told.games.get(each.game)) is not None:
            yield from each.moments(told, found)


def _open(table: Table, most: int | None = None) -> list[Text]:
    """What the next session begins with: what was noted as open, then what each game has.

    With `most`, so many things in at most two lines of a phone, and how many more there are.
    """
    found: list[Text] = [each.text for each in table.threads.values()]
    found += [what for each in SHOWN.at(table).stories for what in each.open(table)]
    if not found:
        return []
    if most is None:
        return [say("Still open: {what}", what=joined("; ", found))]
    short = [cut(what, LONGEST_OPEN) for what in found]
    lines = [_shortened(short, count) for count in range(min(most, len(short)), 0, -1)]
    return [next((line for line in lines if phone_lines(line) <= MOST_OPEN_LINES), lines[-1])]


def _shortened(found: Sequence[Text], count: int) -> Text:
    """The first so many things that are open, and how many more there are."""
    said, left = joined("; ", found[:count]), len(found) - count
    said = say("{what}; and {count} more", what=said, count=left) if left > 0 else said
    return small(say("Still open: {what}", what=said))
