"""Find regular expressions that take more than linear time on some text.

`re` tries one way to match after the other. A pattern becomes an automaton here, in which a state is what was
matched last. Time is exponential if the same text leads from a state back to itself in two ways, and at least
quadratic if it leads from one state to itself, from there to a second one, and from that to itself as well. A
search begins at every character, so that what is in front of a match counts as a repetition too.
"""

import re
from collections import deque
from collections.abc import Iterable, Iterator
from enum import Enum
from re import _compiler, _constants, _parser  # type: ignore[attr-defined]
from typing import Any, NamedTuple

EDGE = ""
"""What stands before the first character and behind the last."""
SMALL = 100
"""A character that is repeated at most so often takes no more than so many tries, so it counts as linear."""
COPIES = 3
"""A part that is repeated only so often is written out."""
SAMPLES = [*map(chr, range(128)), *"\x85\u00a0²½éßşİǅаا١١中ー–—−…’“”„«»×•·\u0301\u200d\u20e3\ufe0f💧"]
"""Characters of every category; those of the pattern are added."""


class Use(Enum):
    """How a pattern is used."""

    SEARCH = "search"
    MATCH = "match"
    FULL = "fullmatch"


class _Way(NamedTuple):
    """A way to the next character, or to the end: the states on it, what is before it, and what it reads."""

    path: tuple[int, ...]
    before: frozenset[str]
    reads: frozenset[str]
    target: int
    """The state behind that character; END where the pattern has matched."""


END = -1


class _Automaton:
    """The states of a pattern; `empty` are ways that read nothing, each with what is before and behind."""

    def __init__(self, pattern: "re.Pattern[str]", use: Use) -> None:
        parsed = _parser.parse(pattern.pattern, pattern.flags)
        self.state = parsed.state
        self.groups: dict[int, Any] = {}
        self.letters = frozenset(SAMPLES) | _letters(parsed)
        self.any = self.letters | {EDGE}
        self.empty: list[list[tuple[int, frozenset[str], frozenset[str]]]] = []
        self.reads: list[tuple[frozenset[str], int] | None] = []
        self.atomic, self.rounds = set[int](), set[int]()
        self.use = use
        self.start = first = self._new()
        if use is Use.SEARCH:
            self.reads[self.start] = (self.letters, self.start)
            first = self._new()
            self._pass(self.start, first)
        self.end = self._sequence(parsed, first)

    # Building

    def _new(self) -> int:
        self.empty.append([])
        self.reads.append(None)
        return len(self.empty) - 1

    def _pass(
        self, begin: int, end: int, before: frozenset[str] | None = None, behind: frozenset[str] | None = None
    ) -> None:
        self.empty[begin].append(
            (end, self.any if before is None else before, self.any if behind is None else behind)
        )

    def _sequence(self, nodes: Iterable[Any], place: int) -> int:
        for node in nodes:
            place = self._node(node, place)
        return place

    def _characters(self, node: Any) -> frozenset[str]:
        compiled = _compiler.compile(_parser.SubPattern(self.state, [node]))
        return frozenset(letter for letter in self.letters if compiled.fullmatch(letter))

    def _node(self, node: Any, place: int) -> int:
        op, value = node
        end = self._new()
        if op in (_constants.LITERAL, _constants.NOT_LITERAL, _constants.ANY, _constants.IN):
            inside = self._new()
            self._pass(place, inside)
            self.reads[inside] = (self._characters(node), end)
        elif op is _constants.BRANCH:
            for branch in value[1]:
                begin = self._new()
                self._pass(place, begin)
                self._pass(self._sequence(branch, begin), end)
        elif op is _constants.SUBPATTERN:
            if value[1] or value[2]:
                raise NotImplementedError("flags of a part")
            self.groups[value[0]] = value[3]
            return self._sequence(value[3], place)
        elif op is _constants.GROUPREF:
            return self._sequence(self.groups[value], place)
        elif op is _constants.GROUPREF_EXISTS:
            for branch in value[1:]:
                self._pass(self._sequence(branch or (), place), end)
        elif op is _constants.ATOMIC_GROUP:
            self._atomic(value, place, end)
        elif op is _constants.POSSESSIVE_REPEAT:
            alone = _single(value[2])
            if alone and value[1] > SMALL:
                inside = self._sequence([(_constants.MAX_REPEAT, value)], place)
                self._pass(inside, end, behind=self.any - self._characters(alone))
            else:
                self._atomic([(_constants.MAX_REPEAT, value)], place, end)
        elif op in (_constants.MAX_REPEAT, _constants.MIN_REPEAT):
            self._repeat(value, place, end)
        elif op in (_constants.ASSERT, _constants.ASSERT_NOT):
            self._look(value, place, end, is_there=op is _constants.ASSERT)
        elif op is _constants.AT:
            self._at(value, place, end)
        else:
            raise NotImplementedError(op)
        return end

    def _atomic(self, nodes: Iterable[Any], place: int, end: int) -> None:
        begin = self._new()
        self._pass(place, begin)
        last = self._sequence(nodes, begin)
        self.atomic |= {*range(begin, len(self.empty))}
        self._pass(last, end)

    def _repeat(self, repeat: tuple[int, int, Any], place: int, end: int) -> None:
        least, most, body = repeat
        is_long = most > (SMALL if _single(body) else COPIES)
        for _ in range(min(least, COPIES)):
            place = self._sequence(body, place)
        if is_long:
            first, again = self._new(), self._new()
            self.rounds.add(again)
            self._pass(place, first)
            self._pass(place, end)
            self._pass(self._sequence(body, first), again)
            self._pass(again, first)
            self._pass(again, end)
            return
        for _ in range(min(most, COPIES) - min(least, COPIES)):
            self._pass(place, end)
            place = self._sequence(body, place)
        self._pass(place, end)

    def _look(self, look: tuple[int, Any], place: int, end: int, *, is_there: bool) -> None:
        direction, body = look
        found = self.any
        if body.getwidth() == (1, 1):
            found = self._characters((_constants.SUBPATTERN, (None, 0, 0, body)))
            found = found if is_there else self.any - found
        elif direction < 0:
            found = self._characters(body[-1]) if is_there and _single(body[-1:]) else self.any
        else:
            begin = self._new()
            self._pass(place, begin)  # a way that ends there: what it reads takes time
            last = self._sequence(body, begin)
            first = [way.reads for way in self.ways(begin, last)]
            found = frozenset().union(*first) if is_there else self.any
        self._pass(place, end, **{"before" if direction < 0 else "behind": found})

    def _at(self, where: Any, place: int, end: int) -> None:
        is_by_line = bool(self.state.flags & re.MULTILINE)
        edge, line = frozenset({EDGE}), frozenset({EDGE, "\n"})
        words = frozenset(filter(re.compile(r"\w").match, self.letters))
        if where is _constants.AT_BEGINNING:
            self._pass(place, end, before=line if is_by_line else edge)
        elif where is _constants.AT_END:
            self._pass(place, end, behind=line if is_by_line else edge)
        elif where is _constants.AT_BEGINNING_STRING:
            self._pass(place, end, before=edge)
        elif where is _constants.AT_END_STRING:
            self._pass(place, end, behind=edge)
        else:
            is_boundary = where is _constants.AT_BOUNDARY
            for before, behind in ((words, self.any - words), (self.any - words, words)):
                self._pass(place, end, before, behind if is_boundary else self.any - behind)

    # Reading

    def ways(self, place: int, end: int) -> Iterator[_Way]:
        """Yield the ways from a state to the next character, and to an end."""
        left: list[tuple[tuple[int, ...], frozenset[str], frozenset[str]]] = [((place,), self.any, self.any)]
        while left:
            path, before, behind = left.pop()
            if path[-1] == end:
                yield _Way(path, before, behind, END)
            read = self.reads[path[-1]]
            if read and behind & read[0]:
                yield _Way(path, before, behind & read[0], read[1])
            for following, its_before, its_behind in self.empty[path[-1]]:
                # `re` ends a round that reads nothing.
                is_idle = following in path and following in self.rounds
                if not is_idle and before & its_before and behind & its_behind:
                    left.append(((*path, following), before & its_before, behind & its_behind))


def _single(body: Any) -> Any:
    """The only character that a part reads, or None."""
    nodes = list(body)
    while len(nodes) == 1 and nodes[0][0] is _constants.SUBPATTERN:
        nodes = list(nodes[0][1][3])
    is_one = len(nodes) == 1 and nodes[0][0] in (
        _constants.LITERAL,
        _constants.NOT_LITERAL,
        _constants.ANY,
        _constants.IN,
    )
    return nodes[0] if is_one else None


def _letters(nodes: Any) -> frozenset[str]:
    """The characters that a pattern names."""
    if isinstance(nodes, int) and 0 <= nodes < 0x110000:
        return frozenset({chr(nodes)})
    if isinstance(nodes, list | tuple | _parser.SubPattern):
        return frozenset().union(*map(_letters, nodes))
    return frozenset()


_Place = tuple[int, str]
"""A state, and the kind of character that was read last."""
_Move = tuple[tuple[int, ...], _Place]
"""The states on a way, and where it leads."""


class _Graph:
    """Which place leads to which, by the character that is read."""

    def __init__(self, automaton: _Automaton) -> None:
        self.atomic = automaton.atomic
        ways = {automaton.start: [*automaton.ways(automaton.start, automaton.end)]}
        left = [automaton.start]
        while left:
            for way in ways[left.pop()]:
                if way.target not in ways and way.target != END:
                    ways[way.target] = [*automaton.ways(way.target, automaton.end)]
                    left.append(way.target)
        every = [way for held in ways.values() for way in held]
        kinds = _kinds((EDGE, *automaton.letters), {way.before for way in every})
        sets = {way.before for way in every} | {way.reads for way in every}
        letters = sorted({*_kinds(sorted(automaton.letters), sets).values()})
        start = (automaton.start, kinds[EDGE])
        self.moves: dict[_Place, dict[str, list[_Move]]] = {}
        self.sure = set[_Place]()
        ends: dict[_Place, frozenset[str]] = {}
        places = [start]
        while places:
            place = places.pop()
            if place in self.moves:
                continue
            held = [way for way in ways[place[0]] if place[1] in way.before]
            ends[place] = frozenset().union(*(way.reads for way in held if way.target == END))
            self.moves[place] = {
                letter: [
                    (way.path, (way.target, kinds[letter]))
                    for way in held
                    if letter in way.reads and way.target != END
                ]
                for letter in letters
            }
            places += [to for moves in self.moves[place].values() for _, to in moves]
        self._find_sure(ends, automaton.use)
        self.next = {
            place: {to for moves in by_letter.values() for _, to in moves} - self.sure
            for place, by_letter in self.moves.items()
            if place not in self.sure
        }

    def _find_sure(self, ends: dict[_Place, frozenset[str]], use: Use) -> None:
        """Find the places from which every text matches: nothing is tried again behind one."""
        self.sure = {*self.moves}
        while True:
            unsure = {
                place
                for place in self.sure
                if EDGE not in ends[place]
                or any(
                    not (use is not Use.FULL and letter in ends[place])
                    and not any(to in self.sure for _, to in moves)
                    for letter, moves in self.moves[place].items()
                )
            }
            if not unsure:
                return
            self.sure -= unsure

    def splits(self, place: _Place, letter: str) -> Iterator[tuple[_Place, _Place, bool]]:
        """Yield where two ways from one place lead, and whether they differ; in an atomic group none do."""
        moves = [move for move in self.moves[place][letter] if move[1] not in self.sure]
        for path, to in moves:
            yield to, to, False
            for other, its_to in moves:
                common = next((n for n, (a, b) in enumerate(zip(path, other, strict=False)) if a != b), 0)
                if path != other and path[common - 1] not in self.atomic:
                    yield to, its_to, True

    def after(self, place: _Place, letter: str, among: set[_Place]) -> list[_Place]:
        """Return where a letter leads to from a place, among some."""
        return [to for _, to in self.moves[place][letter] if to in among]


def find_backtracking(pattern: "re.Pattern[str]", use: Use) -> str:
    """Return what is wrong with a pattern, with text to repeat that shows it; "" if its time is linear.

    >>> find_backtracking(re.compile("(?:a+)+"), Use.FULL)
    "exponential on 'a'"
    >>> find_backtracking(re.compile(" +$"), Use.SEARCH), find_backtracking(re.compile(" +$"), Use.MATCH)
    ("polynomial on ' '", '')
    >>> find_backtracking(re.compile("(?<! ) +$"), Use.SEARCH)
    ''
    """
    graph = _Graph(_Automaton(pattern, use))
    behind = {place: _reached(graph.next, place) for place in graph.next}
    rings = {place: {to for to in reached if place in behind[to]} for place, reached in behind.items()}
    for place, ring in rings.items():
        if ring and (text := _exponential(graph, place, ring)):
            return f"exponential on {text!r}"
    for place, ring in rings.items():
        for other in behind[place]:
            if ring and other[1] == place[1] and rings[other] and other not in ring:
                between = {to for to in behind[place] if other in behind[to] or to == other} | {place}
                if text := _polynomial(graph, place, other, ring, between, rings[other]):
                    return f"polynomial on {text!r}"
    return ""


def _reached(following: dict[_Place, set[_Place]], place: _Place) -> set[_Place]:
    found, left = set[_Place](), [place]
    while left:
        for to in following[left.pop()] - found:
            found.add(to)
            left.append(to)
    return found


def _exponential(graph: _Graph, place: _Place, ring: set[_Place]) -> str:
    """The text that leads from a place back to it in two ways, or ""."""
    begin = (place, place, False)
    seen, left = {begin}, deque([(begin, "")])
    while left:
        (one, two, is_split), text = left.popleft()
        for letter in graph.moves[place]:
            if is_split:
                steps = [
                    (a, b, True)
                    for a in graph.after(one, letter, ring)
                    for b in graph.after(two, letter, ring)
                ]
            else:
                steps = [step for step in graph.splits(one, letter) if step[0] in ring and step[1] in ring]
            for step in steps:
                if step == (place, place, True):
                    return text + letter
                if step not in seen:
                    seen.add(step)
                    left.append((step, text + letter))
    return ""


def _polynomial(
    graph: _Graph,
    place: _Place,
    other: _Place,
    ring: set[_Place],
    between: set[_Place],
    its_ring: set[_Place],
) -> str:
    """The text that leads from a place to itself and to another, and from that to itself, or ""."""
    begin = (place, place, False, other)
    seen, left = {begin}, deque([(begin, "")])
    while left:
        (one, two, is_split, three), text = left.popleft()
        for letter in graph.moves[place]:
            lasts = graph.after(three, letter, its_ring)
            if not lasts:
                continue
            if is_split:
                pairs = [
                    (a, b, True)
                    for a in graph.after(one, letter, ring)
                    for b in graph.after(two, letter, between)
                ]
            else:
                pairs = [pair for pair in graph.splits(one, letter) if pair[0] in ring and pair[1] in between]
            for a, b, has_split in pairs:
                for last in lasts:
                    step = (a, b, has_split, last)
                    if step == (place, other, True, other):
                        return text + letter
                    if step not in seen:
                        seen.add(step)
                        left.append((step, text + letter))
    return ""


def _kinds(letters: Iterable[str], sets: Iterable[frozenset[str]]) -> dict[str, str]:
    """For each letter the first that is in the same sets."""
    firsts: dict[tuple[bool, ...], str] = {}
    held = [*sets]
    return {letter: firsts.setdefault(tuple(letter in one for one in held), letter) for letter in letters}
