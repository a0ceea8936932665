"""Every example in a refusal is accepted in the place where it was shown."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from bot.loopback.reply import BotReply
from rules.errors import RuleError, Undecided
from rules.terms import in_terms
from tests import catalog
from tests.bot.test_buttons import put_back, seen
from tests.bot.test_every_command import HERO, STORM, ZOE
from tests.game import Game, playing

EXAMPLE = " Example: "
_PLACE = re.compile(r"\\\{[^}]*\\\}")
_SEVERAL = re.compile(r", or |, (?=[a-z_]+:)")
_PRESSES, _CHOOSES = _VERBS = " presses ", " chooses "
_MARKED = re.compile(r"\\([_*~`|>#.-])")
_OPTION = re.compile(r"(?:^| )([a-z_]+):")


@dataclass(frozen=True, slots=True)
class Shown:
    """A line that is refused with an example, and the lines that set the table up.

    A line can be a press, or a choice from a menu, on the newest reply that has any: `alice presses Apply
    d8`, `alice chooses Double`. If the line opens a form, the form is sent with these `values`. The example
    is a command, options of the line, a `Field: value` of the form, or a value of the `option` or field that
    was refused.
    """

    line: str
    before: tuple[str, ...] = ()
    option: str = ""
    values: Mapping[str, Any] = field(default_factory=dict)
    piece: str = ""
    """The part of that value that the example replaces; empty for the whole value."""
    faces: tuple[Sequence[int], ...] = ()
    """The faces of the dice, roll by roll."""


MANY = ", ".join("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
"""More names than a question has buttons."""
CASES: tuple[Shown, ...] = (
    Shown("bob: /log count:0"),
    Shown("gm: /table unpin"),
    Shown("bob: /session recap session:Harvest"),
    Shown("bob: /character play name:Alice"),
    Shown("alice: /character new name:Bob", option="name"),
    Shown(
        "gm: /doom spend for:gmc name:Max dice:d8",
        ("gm: /doom set dice:d6 d8 2d12", "gm: /gmc new name:Max dice:Claws d10 away:true"),
    ),
    Shown("gm: /crisis spend name:Flood for:total", ("gm: /crisis new name:Flood dice:2d10",)),
    Shown("gm: /doom spend for:complication"),
    Shown("gm: /doom spend for:total"),
    Shown(f"gm: /doom spend for:complication name:Fog on:{MANY}"),
    Shown("gm: /gmc hit name:Rex die:d8"),
    Shown("alice: /roll dice:2d6!", option="dice"),
    Shown("alice: /roll dice:d8 < 12", option="dice"),
    Shown("alice: /roll dice:2d6 keep 0", option="dice"),
    Shown("alice: /roll dice:2d6 k1 keep 3", option="dice"),
    Shown("alice: /roll dice:vs 8", option="dice"),
    Shown("alice: /roll dice:2d6 keep", option="dice"),
    Shown("alice: /roll dice:two 2d8", option="dice"),
    Shown("alice: /roll dice:Lore x2", option="dice"),
    Shown("alice: /roll dice:d6 up", option="dice"),
    Shown("alice: /pool add name:Escape dice:2d6 +2", ("gm: /campaign set setting:modifiers value:on",)),
    Shown("alice: /roll dice:;", option="dice"),
    Shown("gm: /doom add dice:Mind d8", option="dice"),
    Shown("alice: /comp add what:d8", option="what"),
    Shown("alice: /comp add what:Fire 2d8", option="what"),
    Shown("alice: /dist add what:Lucky d6 Brave d8", option="what"),
    Shown("alice: /roll dice:Trick", ("alice: /sfx add name:Trick benefit:add d6",), option="dice"),
    Shown("alice: /roll dice:2d6 vs:8 8"),
    Shown("alice: /odds dice:build"),
    Shown("alice: /contest start dice:2d6 vs 8 against:Bob", option="dice"),
    Shown("alice: /roll dice:Fly d8", ("alice: /pool save name:Fly dice:2d6",)),
    Shown(
        "alice: /roll dice:hinder down down down down down Pirate, d6",
        ("alice: /dist add what:Pirate",),
        option="dice",
    ),
    Shown("alice: /roll dice:2d8 Feint vs:11", ("alice: /sfx add name:Feint benefit:down theirs",)),
    Shown("alice: /roll dice:2d6 vs:doom", ("gm: /doom clear",)),
    Shown("alice: /roll dice:2d6 vs:+ d8"),
    Shown("alice: /roll dice:2d6 vs:11 + 8", option="vs"),
    Shown("alice: /roll dice:2d6 vs:>= doom"),
    Shown("alice: /roll dice:2d6 vs:hard d6"),
    Shown("alice: /roll dice:2d6 vs:11 + Rain d8 d6", option="vs"),
    Shown("alice: /sfx add name:Grit benefit:,"),
    Shown("alice: /sfx add name:Grit benefit:add d6, pay 1 PP", option="benefit"),
    Shown("alice: /sfx add name:Grit benefit:hitch"),
    Shown("gm: /sfx add name:Grit benefit:add d6 cost:doom die who:Bob"),
    Shown('alice: /sfx add name:Grit benefit:""'),
    Shown('alice: /sfx add name:Grit benefit:"be, brave'),
    Shown("gm: /challenge first who:Bob", (*STORM, "gm: /challenge first who:Alice")),
    Shown("gm: /challenge act what:add", (*STORM, "gm: /challenge first who:Alice")),
    Shown(
        "gm: /challenge act what:target who:Alice",
        (
            "alice: /comp add what:Lost die:d12",
            *STORM,
            "alice: /comp stepup what:Lost",
            "gm: /challenge skip who:Bob",
        ),
    ),
    Shown("gm: /challenge new name:Storm difficulty:2d8 d6"),
    Shown("alice: /contest start dice:2d8 against:Alice"),
    Shown("gm: /crisis new name:Fire into:d8"),
    Shown("gm: /crisis new name:Fire"),
    Shown("gm: /crisis new name:Fire from_doom:2d6 into:d10"),
    Shown(
        "gm: /roll dice:from doom d6 + d8 hidden:true",
        ("gm: /campaign set setting:hidden GM rolls value:on",),
    ),
    Shown("bob: /pool add dice:2d6"),
    Shown("bob: /pool remove dice:d6"),
    Shown("gm: /campaign set setting:sizes value:many", option="value"),
    Shown("alice: /sfx add name:Bold benefit:add d6 cost:1 PP", ("alice: /dist add what:Bold",)),
    Shown(
        "alice: /sfx use name:Grit",
        ("alice: /asset add what:Calm", "alice: /sfx add name:Grit benefit:up Calm"),
    ),
    Shown("bob: /hero use die:d8", HERO[:1]),
    Shown("bob: /reroll who:Alice"),
    Shown("gm: /doom stepup", ("gm: /doom clear",)),
    Shown("gm: /pp spend number:9 who:GM", ("gm: /campaign set setting:GM's PP value:on",)),
    Shown(
        "gm: /comp stayin who:Rex name:Shaken",
        (
            "gm: /gmc new name:Rex dice:Fangs d8, Claws d6",
            "gm: /comp add what:Lost die:d12 who:Rex",
            "gm: /comp stepup what:Lost who:Rex",
            "gm: /doom clear",
        ),
    ),
    Shown("gm: /session plan note:Snacks", ("gm: /session plan when:sat 18:00 zone:Europe/Berlin",)),
    Shown("gm: /session plan when:soon zone:Europe/Berlin", option="when"),
    Shown("gm: /session plan when:31.05. 19:00 zone:Europe/Berlin", option="when"),
    Shown("gm: /session plan when:2026-10-25 2:30 zone:Europe/Berlin", option="when"),
    Shown("bob: /quiet from:late to:8:00 zone:Europe/Berlin", option="from"),
    Shown(f"alice: /character import file:{ZOE}", ("alice: /character new name:Zoe",)),
    Shown("bob: /note"),
    Shown("carol: /note text:The map lies"),
    Shown("alice: /ore crowd dice:,"),
    Shown("alice: /ore roll dice:Lore", option="dice"),
    Shown("alice: /ore roll dice:5d - 2w", option="dice"),
    Shown("alice: /ore roll dice:- 2d", option="dice"),
    Shown('alice: /ore roll dice:"Body 3d" 3d', option="dice"),
    Shown("alice: /ore roll dice:2d6", option="dice"),
    Shown("alice: /ore roll dice:Hard Luck 3d", option="dice"),
    Shown("alice: /ore crowd dice:4d and 3d", option="dice"),
    Shown("alice: /ore roll dice:2w c3", option="dice"),
    Shown("alice: /ore roll dice:5d e7 e8", option="dice"),
    Shown("gm: /ore clear"),
    Shown("gm: /campaign set setting:words value:;", option="value"),
    Shown("gm: /campaign set setting:words value:asset = a, b, c, d", option="value"),
    Shown("gm: /campaign set setting:words value:asset = Doom", option="value"),
    Shown("gm: /campaign set setting:words value:asset", option="value"),
    Shown("gm: /scene end", ("gm: /scene end",)),
    Shown("gm: /session end", ("gm: /session end",)),
    Shown("gm: /pp give who:,"),
    Shown("gm: /session plan when:fri 19:30, sat 19:30 CET", option="when"),
    Shown("gm: /session plan when:sat 19:30 zone:Nowhere", option="zone"),
    Shown(
        "alice: /roll dice:2d8 Rage",
        (
            "alice: /comp add what:Angry",
            "alice: /sfx add name:Rage benefit:add d8 cost:up Angry",
            "alice: /comp remove what:Angry",
        ),
    ),
    Shown(
        "alice: /roll dice:2d8 + d6 + Trick", ("alice: /sfx add name:Trick benefit:double",), option="dice"
    ),
    Shown(
        "alice: /roll dice:2d8 + Trick",
        (
            "alice: /asset add what:Rope",
            "alice: /sfx add name:Trick benefit:double Rope",
        ),
        option="dice",
    ),
    Shown(
        "alice: /roll dice:d8 + Trick",
        ("alice: /sfx add name:Trick benefit:add d8 cost:remove d8",),
        option="dice",
    ),
    Shown(
        "alice: /roll dice:Sailor, d6",
        (
            "alice: /dist add what:Sailor",
            "alice: /sfx add name:Limit benefit:1 PP cost:shut down Sailor",
            "alice: /sfx use name:Limit",
        ),
    ),
    Shown(
        "alice: /character set trait:Knives die:d6 part_of:Small",
        (
            "alice: /character set trait:Knives die:d6 trait_set:Skills",
            "alice: /character set trait:Sneak die:d6 trait_set:Skills",
            "alice: /character set trait:Small die:d4 part_of:Knives",
        ),
    ),
    Shown(
        "alice: /character set trait:Knives die:d6 part_of:Sneak",
        (
            "alice: /character set trait:Knives die:d6 trait_set:Skills",
            "alice: /character set trait:Sneak die:d6 trait_set:Skills",
            "alice: /character set trait:Small die:d4 part_of:Knives",
        ),
    ),
    Shown("alice presses Place", ("alice: /ore roll dice:3d 1w",), values={"Dice": "7 7 7"}, option="Dice"),
    Shown(f"gm: /campaign new story:Ghost story file:{ZOE}"),
    Shown("gm: /gmc new name:Gang dice:Gang 11d6"),
    Shown(
        "alice: /character set trait:Valor statement:Never back down",
        ("gm: /campaign set setting:statements value:on",),
    ),
    Shown("gm: /act end", ("gm: /act end",)),
    Shown("alice: /ore roll dice:5d drop", option="dice"),
    Shown("alice: /sfx use name:Phys", ("alice: /sfx add name:Phys benefit:down Physical",)),
    Shown(
        "gm: /gmc roll name:Rex",
        ("gm: /gmc new name:Rex dice:Fangs d8", "gm: /character unset trait:Fangs who:Rex"),
    ),
    Shown("gm: /act end arc:reset", ("gm: /campaign set setting:doom over acts value:off",)),
    Shown(
        "alice: /stress remove what:Physical trauma:true",
        (
            "gm: /campaign set setting:rest value:by hand",
            "gm: /stress add what:Physical who:Alice trauma:true",
        ),
    ),
    Shown("gm: /session plan when:2027-03-28 2:30 zone:Europe/Berlin", option="when"),
    Shown("gm: /session plan when:today zone:Pacific/Tongatapu", option="when"),
    Shown(
        "gm: /campaign set setting:difficulties value:many",
        ("gm: /campaign set setting:opposition value:static",),
        option="value",
    ),
    Shown("alice: /roll dice:2d8 Feint", ("alice: /sfx add name:Feint benefit:down theirs",)),
    Shown(
        "alice: /hero use die:d8 as:effect",
        ("gm: /campaign set setting:effect value:none", *HERO, "alice: /roll dice:2d6 vs:1"),
    ),
    Shown(
        "alice: /pool save name:Duel dice:Man vs Wild + d8",
        ("alice: /character set trait:Man vs Wild die:d8 trait_set:Skills",),
        option="dice",
    ),
    Shown("alice: /character edit", values={"Sheet": "SFX: Focus"}, option="Sheet"),
    Shown("alice: /character edit", values={"Sheet": "Saved pool: Fly"}, option="Sheet"),
    Shown("alice: /character edit", values={"Sheet": "Portrait: me"}, option="Sheet"),
    Shown("alice: /character edit", values={"Sheet": "Skills: Fight"}, option="Sheet", piece="Fight"),
    Shown("alice: /character edit", values={"Sheet": "Fight d8"}, option="Sheet"),
    Shown("alice: /character edit", values={"Sheet": "Fight"}, option="Sheet"),
    Shown(
        "alice: /character edit",
        values={"Sheet": "Skills: Fight d8 (> Knives d6 (> Small d4))"},
        option="Sheet",
        piece="Fight d8 (> Knives d6 (> Small d4))",
    ),
    Shown(
        "alice: /character edit", values={"Sheet": "Ratings: Level 4 3d"}, option="Sheet", piece="Level 4 3d"
    ),
    Shown("alice: /character edit", values={"Sheet": "Ratings: Body"}, option="Sheet", piece="Body"),
    Shown(
        "alice: /character edit",
        values={"Sheet": "Ratings: Body 3d - 1d"},
        option="Sheet",
        piece="Body 3d - 1d",
    ),
    Shown("alice: /character edit", values={"Sheet": "Ratings: 3d"}, option="Sheet", piece="3d"),
    Shown(
        "alice: /roll dice:Trick d8, d6",
        ("alice: /sfx add name:Trick benefit:up cost:remove d8",),
        option="dice",
    ),
    Shown(
        "alice: /roll dice:d6, hinder Slow",
        ("alice: /dist add what:Sailor", "alice: /character set trait:Slow die:d6 trait_set:Skills"),
        option="dice",
    ),
    Shown(
        "alice: /character edit",
        ("gm: /campaign set setting:statements value:on",),
        values={"Sheet": "Skills: Fight d8\nFight d6: I never run"},
        option="Sheet",
        piece="Fight d6: I never run",
    ),
    Shown("alice: /character edit", values={"Sheet": "SFX: Focus (Fight): add d6, for 1 PP"}, option="Sheet"),
    Shown(
        "bob presses Gobble",
        ("gm: /ore crowd dice:4d count:50 note:Guards", "bob: /ore roll dice:2d"),
        values={"Set": "pool 51"},
        option="Set",
        faces=((7,) * 50, (6,) * 50, (8, 8)),
    ),
    Shown(
        "bob presses Gobble",
        ("gm: /ore crowd dice:4d count:50 note:Guards", "bob: /ore roll dice:2d"),
        values={"Set": "guards"},
        option="Set",
        faces=((7,) * 50, (6,) * 50, (8, 8)),
    ),
    Shown(
        "alice presses Rewrite Duty",
        (
            "gm: /campaign set setting:statements value:on",
            "alice: /character set trait:Duty die:d10 trait_set:Skills statement:Me first",
            "alice: /roll dice:challenge Duty, d6",
            "gm: /scene end",
            "gm: /session end",
        ),
        values={"Statement": "-"},
        option="Statement",
    ),
    Shown(
        "alice: /character edit",
        values={"Sheet": "Attributes: d8 Mind d6"},
        option="Sheet",
        piece="d8 Mind d6",
    ),
    Shown("gm: /session plan when:in 5 hours again:weekly"),
    Shown("dave: /away until:sat 19:30"),
    Shown(
        "alice chooses Mind d10",
        (
            "alice: /character set trait:Mind die:d10 trait_set:Skills",
            "alice: /pool build",
            "alice: /character unset trait:Mind",
        ),
    ),
    Shown(
        "alice presses Roll",
        (
            "alice: /character set trait:Mind die:d10 trait_set:Skills",
            "alice: /pool build",
            "alice chooses Mind d10",
            "alice presses Share",
            "alice: /pool clear",
        ),
    ),
    Shown(
        "alice: /character edit",
        ("gm: /campaign set setting:statements value:on",),
        values={"Sheet": "Duty d10: I never run"},
        option="Sheet",
    ),
    Shown('alice: /roll dice:"open d8', option="dice"),
    Shown("alice: /dist add what:Pirate", ("alice: /dist add what:Pirate",)),
    Shown("alice: /asset add what:Rope", ("alice: /asset add what:Rope",)),
    Shown("gm: /gmc new name:Rex kind:major dice:2d8"),
    Shown("gm: /gmc new name:Rex kind:extra dice:Claws d6, Fangs d8"),
    Shown("gm: /gmc new name:Rex kind:boss dice:4d10 2d8"),
)
"""What is refused at a table of a GM with Alice and Bob, adept rules, one case for each text."""
EMPTY: tuple[Shown, ...] = (
    Shown("gm: /campaign archive"),
    Shown("gm: /session title title:The fall", ("gm: /campaign new name:Skyfall",)),
    Shown("bob: /undo", ("alice: /safety line what:Spiders",)),
    Shown("gm: /stress add what:Physical", ("gm: /campaign new name:Skyfall ruleset:adept",)),
    Shown(
        "gm: /ore act company:Grey first:might second:treasure",
        ("gm: /campaign new name:Skyfall ruleset:one-roll",),
    ),
    Shown("gm: /gmc remove name:Ogre", ("gm: /campaign new name:Skyfall ruleset:one-roll",)),
)
"""What is refused where nobody has played yet."""
EXCEPTIONS: dict[str, str] = {
    "Discord didn't accept the table. Try again. Example: /table pin": "a fault of Discord",
    (
        "This channel has as many pins as Discord allows. Unpin a message, then try again. Example: /table "
        "pin"
    ): "a fault of Discord",
    (
        "A campaign can only start from one empty Cortex Toolkit sheet; that file holds {count}. "
        "Start without a file. Example: /campaign new name:Skyfall"
    ): "a file of the Cortex Toolkit",
    "Each action needs a pool. Example: /ore actions dice:8d second:6d": "Discord requires both options",
    "That message has {count} characters; the limit is {most}. Write what matters as a note. "
    "Example: /note text:The map lies": "a command for messages",
}
"""Texts whose example no case tries, each with the reason."""


@pytest.fixture
def errors(monkeypatch: pytest.MonkeyPatch) -> list[RuleError]:
    """Return a list that collects all refusals created during the test, oldest first."""
    found: list[RuleError] = []
    begin = RuleError.__init__

    def noting(error: RuleError, sentence: str, /, **data: object) -> None:
        begin(error, sentence, **data)
        found.append(error)

    monkeypatch.setattr(RuleError, "__init__", noting)
    return found


def _refusals() -> list[str]:
    """Return the texts that end with an example."""
    return [text for text in catalog.said_by(catalog.REFUSALS) if EXAMPLE in text]


def _is_in(text: str, said: str) -> bool:
    """Return whether a refusal was made from this text."""
    return re.search(_PLACE.sub(".*", re.escape(in_terms(text))), said, re.DOTALL) is not None


async def _act(table: Game, line: str, last: BotReply | None) -> BotReply:
    """Do what a line says; a press or a choice is on the `last` reply."""
    who, does, label = next((each for verb in _VERBS if (each := line.partition(verb))[1]), (line, "", ""))
    if not does:
        return await table.says(line)
    assert last is not None
    person = table.person(who)
    return await (person.press(last, label) if does == _PRESSES else person.choose(last, 0, [label]))


async def _send(
    table: Game, line: str, last: BotReply | None, values: Mapping[str, Any], errors: list[RuleError]
) -> tuple[BotReply, bool]:
    """Do what a line says and fill in its form; return the reply, and whether it was refused.

    A question is no refusal: it is answered by a press.
    """
    errors.clear()
    with capture_logs() as logs:
        reply = await _act(table, line, last)
        if values:
            reply = await table.person(reply.by.name).submit(reply.form, values)
        await table.rest()
    assert reply.failed is None, reply.failed
    ends = [each["outcome"] for each in logs if each["event"] == "over"]
    assert ends, logs
    is_question = bool(errors) and isinstance(errors[-1], Undecided)
    return reply, ends[-1] != "done" and not is_question


async def check(table: Game, shown: Shown, errors: list[RuleError]) -> set[str]:
    """Check that the example of a refusal is accepted; return the texts that the refusal is made of."""
    table.dice.show(*shown.faces)
    last: BotReply | None = None
    for line in shown.before:
        reply = await _act(table, line, last)
        assert reply.failed is None, (line, reply.failed)
        last = reply if reply.buttons or reply.menus else last
    reply, _ = await _send(table, shown.line, last, shown.values, errors)
    said = _MARKED.sub(r"\1", reply.text)
    assert EXAMPLE in said, said
    texts = {text for error in errors if EXAMPLE in (text := error.sentence) and _is_in(text, said)}
    example = _SEVERAL.split(said.rpartition(EXAMPLE)[2])[0]
    table.dice.faces.clear()
    line, values = repeated(shown, example)
    again, is_refused = await _send(table, line, last, values, errors)
    assert not is_refused, f"{said} / {line} / {again.text}"
    return texts


def repeated(shown: Shown, example: str) -> tuple[str, Mapping[str, Any]]:
    """The line to send for an example, and what is sent with its form.

    It is the command as it is, or the refused line or form with other options.
    """
    if example.startswith("/"):
        return f"{shown.line.split(':')[0].split()[0]}: {example}", {}
    if shown.values:
        label, sign, value = example.partition(": ")
        name, value = (label, value) if sign and not shown.option else (shown.option, example)
        if shown.piece:
            value = shown.values[name].replace(shown.piece, value)
        return shown.line, {**shown.values, name: value}
    if shown.option and not example.startswith(f"{shown.option}:"):
        example = f"{shown.option}:{example}"
    line = shown.line
    for option in _OPTION.findall(example):
        line = re.sub(rf" {option}:.*?(?= [a-z_]+:|$)", "", line)
    return f"{line} {example}", {}


async def test_each_example_is_accepted_where_it_is_shown(
    tmp_path: Path, subtests: pytest.Subtests, errors: list[RuleError]
) -> None:
    tried: set[str] = set()
    for number, shown in enumerate(EMPTY):
        folder = tmp_path / str(number)
        folder.mkdir()
        async with playing(folder) as game:
            with subtests.test(line=shown.line):
                tried |= await check(game, shown, errors)
    async with playing(tmp_path, Game.table) as table:
        begun = (await seen(table))[1]
        for shown in CASES:
            await put_back(table, begun)
            with subtests.test(line=shown.line):
                tried |= await check(table, shown, errors)
    assert sorted(text for text in _refusals() if text not in tried and text not in EXCEPTIONS) == []


def test_each_exception_is_a_text() -> None:
    assert [text for text in EXCEPTIONS if text not in _refusals()] == []
