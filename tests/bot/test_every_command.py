"""Every command that is registered, end to end: it works, it refuses who may not, it refuses bad input."""

from dataclasses import dataclass

import pytest

from tests.game import Game


@dataclass(frozen=True, slots=True)
class Case:
    """What is tried of a command at a table: lines before it, the command, and what may not be done."""

    says: str
    hears: str
    before: tuple[str, ...] = ()
    refused: str = ""
    because: str = "Only the GM"
    bad: str = ""
    hint: str = ""


CASES = {
    "about": Case("bob: /about", "unofficial"),
    "act end": Case(
        "gm: /act end", "Act 1 ends", refused="bob: /act end", bad="gm: /act end", hint="No act runs"
    ),
    "act start": Case(
        "gm: /act start dice:2d8",
        "Doom pool: 2d8",
        refused="bob: /act start",
        bad="gm: /act start dice:d7",
        hint="no die",
    ),
    "asset add": Case(
        "alice: /asset add what:Rope",
        "Alice · Rope d6",
        refused="alice: /asset add what:Rope who:scene pay:false",
        bad="alice: /asset add what:Lamp die:d7",
        hint="no die",
    ),
    "asset remove": Case(
        "alice: /asset remove what:Rope",
        "Alice · Rope is gone",
        before=("alice: /asset add what:Rope",),
        refused="bob: /asset remove what:Crate",
        bad="alice: /asset remove what:Sword",
        hint='no asset called "Sword"',
    ),
    "asset show": Case("bob: /asset show", "Scene · Crate d6"),
    "asset stepdown": Case(
        "alice: /asset stepdown what:Alice · Rope d6",
        "Alice · Rope d4",
        before=("alice: /asset add what:Rope",),
        refused="bob: /asset stepdown what:Crate",
        bad="alice: /asset stepdown what:Rope steps:0",
        hint="Steps go from 1",
    ),
    "asset stepup": Case(
        "alice: /asset stepup what:rop steps:2",
        "Alice · Rope d10",
        before=("alice: /asset add what:Rope",),
        refused="bob: /asset stepup what:Crate",
        bad="alice: /asset stepup what:Rope steps:99",
        hint="Steps go from 1",
    ),
    "campaign archive": Case(
        "gm: /campaign archive",
        "Skyfall is archived",
        refused="bob: /campaign archive",
    ),
    "campaign delete": Case("gm: /campaign delete", "cannot be undone", refused="bob: /campaign delete"),
    "campaign gm": Case(
        "gm: /campaign gm player:@bob",
        "bob is GM",
        refused="bob: /campaign gm player:@bob",
        bad="gm: /campaign gm player:@alice remove:true",
        hint="is no GM here",
    ),
    "campaign join": Case(
        "gm: /campaign join name:sky",
        "is played in this channel",
        refused="bob: /campaign join name:Skyfall",
        bad="gm: /campaign join name:Atlantis",
        hint='no campaign called "Atlantis"',
    ),
    "campaign leave": Case(
        "gm: /campaign leave",
        "no longer played",
        refused="bob: /campaign leave",
        bad="gm: /campaign leave",
        hint="no table in this channel",
    ),
    "campaign new": Case(
        "gm: /campaign new name:Deep Water ruleset:prime",
        "campaign: Deep Water",
        refused="bob: /campaign new name:Mine",
        bad="gm: /campaign new name:\u200b",
        hint="is empty",
    ),
    "campaign set": Case(
        "gm: /campaign set setting:resources value:on",
        "resources: on",
        refused="bob: /campaign set setting:resources value:on",
        bad="gm: /campaign set setting:resources value:maybe",
        hint="neither on nor off",
    ),
    "campaign show": Case("bob: /campaign show", "Ruleset: adept"),
    "comp add": Case(
        "alice: /comp add what:Broken Leg die:d8",
        "Alice · Broken Leg d8",
        refused="bob: /comp add what:Broken Leg who:Alice",
        because="Only alice or the GM",
        bad="alice: /comp add what:Lame die:d20",
        hint="no die",
    ),
    "comp recover": Case(
        "alice: /comp recover what:Lost dice:d8 d8",
        "To recover: Alice · Lost d6",
        before=("alice: /comp add what:Lost",),
        bad="alice: /comp recover what:Lost dice:nothing",
        hint="no die",
    ),
    "comp remove": Case(
        "alice: /comp remove what:Lost",
        "Alice · Lost is gone",
        before=("alice: /comp add what:Lost",),
        refused="bob: /comp remove what:Rain",
        bad="alice: /comp remove what:Lost who:Nobody",
        hint='no character called "Nobody"',
    ),
    "comp show": Case("bob: /comp show", "Scene · Rain d6"),
    "comp stayin": Case(
        "alice: /comp stayin name:Shaken",
        "Alice stays in",
        before=("alice: /comp add what:Lost die:d12", "alice: /comp stepup what:Lost"),
        refused="bob: /comp stayin who:Alice",
        because="Only alice or the GM",
        bad="alice: /comp stayin",
        hint="is not taken out",
    ),
    "comp stepdown": Case(
        "alice: /comp stepdown what:Lost",
        "Alice · Lost d4",
        before=("alice: /comp add what:Lost",),
        refused="bob: /comp stepdown what:Rain",
        bad="alice: /comp stepdown what:Fear",
        hint='no complication called "Fear"',
    ),
    "comp stepup": Case(
        "alice: /comp stepup what:Lost",
        "Alice · Lost d8",
        before=("alice: /comp add what:Lost",),
        refused="bob: /comp stepup what:Rain",
        bad="alice: /comp stepup what:Lost steps:-1",
        hint="Steps go from 1",
    ),
    "dist add": Case(
        "alice: /dist add what:Pirate",
        "Alice · Pirate d8",
        refused="bob: /dist add what:Pirate who:scene",
        bad="alice: /dist add what:\u202e",
        hint="is empty",
    ),
    "dist remove": Case(
        "alice: /dist remove what:Pirate",
        "Alice · Pirate is gone",
        before=("alice: /dist add what:Pirate",),
        refused="bob: /dist remove what:Fog",
        bad="alice: /dist remove what:Sailor",
        hint='no distinction called "Sailor"',
    ),
    "dist show": Case("bob: /dist show", "Scene · Fog d8"),
    "doom add": Case(
        "gm: /doom add dice:d8 why:thunder",
        "Doom pool: 2d6 d8",
        refused="bob: /doom add dice:d8",
        bad="gm: /doom add dice:d4",
        hint="holds no d4",
    ),
    "doom clear": Case("gm: /doom clear", "Doom pool: empty", refused="bob: /doom clear"),
    "doom remove": Case(
        "gm: /doom remove dice:d6",
        "Doom pool: d6",
        refused="bob: /doom remove dice:d6",
        bad="gm: /doom remove dice:d12",
        hint="has no d12",
    ),
    "doom roll": Case(
        "gm: /doom roll with:Rain d8",
        "Rain d8",
        refused="bob: /doom roll",
        bad="gm: /doom roll dice:d12",
        hint="no d12",
    ),
    "doom set": Case(
        "gm: /doom set dice:2d10",
        "Doom pool: 2d10",
        refused="bob: /doom set dice:d6",
        bad="gm: /doom set dice:x",
        hint="no die",
    ),
    "doom show": Case("bob: /doom show", "Doom pool: 2d6"),
    "doom spend": Case(
        "gm: /doom spend for:complication name:Rubble",
        "Scene · Rubble d6",
        refused="bob: /doom spend for:sfx",
        bad="gm: /doom spend for:split",
        hint="The price of split",
    ),
    "doom stepdown": Case(
        "gm: /doom stepdown",
        "Doom pool: d6",
        refused="bob: /doom stepdown",
        bad="gm: /doom stepdown die:d10",
        hint="no d10",
    ),
    "doom stepup": Case(
        "gm: /doom stepup",
        "Doom pool: d6 d8",
        refused="bob: /doom stepup",
        bad="gm: /doom stepup steps:9",
        hint="Steps go",
    ),
    "help": Case("bob: /help topic:roll", "/roll", bad="bob: /help topic:info", hint="/table show"),
    "log": Case("bob: /log", "begins", bad="bob: /log count:0", hint="The log shows 1 to"),
    "pp give": Case(
        "gm: /pp give who:Alice, Bob why:teamwork",
        "Bob: 2 PP",
        refused="bob: /pp give who:Bob",
        bad="gm: /pp give who:Bob number:-3",
        hint="A number of PP goes from 1",
    ),
    "pp move": Case(
        "gm: /pp move to:Bob who:Alice",
        "Bob: 2 PP",
        refused="bob: /pp move to:Bob who:Alice",
        bad="gm: /pp move to:Alice who:Alice",
        hint="one character to one other",
    ),
    "pp set": Case(
        "gm: /pp set who:all number:4",
        "Alice: 4 PP",
        refused="bob: /pp set who:Bob number:9",
        bad="gm: /pp set who:Bob number:1000",
        hint="from 0 to 999",
    ),
    "pp show": Case("bob: /pp show", "Alice: 1 PP"),
    "pp spend": Case(
        "alice: /pp spend why:luck",
        "Alice: 0 PP",
        refused="bob: /pp spend who:Alice",
        because="Only alice or the GM",
        bad="alice: /pp spend number:5",
        hint="and that costs 5",
    ),
    "redo": Case(
        "gm: /redo",
        "Redone: Doom pool",
        before=("gm: /doom clear", "gm: /undo"),
        bad="gm: /redo",
        hint="redo",
    ),
    "reroll": Case(
        "alice: /reroll dice:d6",
        "Alice: 0 PP",
        before=("alice: /roll dice:d6 d8",),
        refused="bob: /reroll",
        because="no open roll",
        bad="alice: /reroll dice:d12",
        hint='no "d12"',
    ),
    "roll": Case(
        "alice: /roll dice:2d6 d8 vs:11",
        "vs 11",
        refused="bob: /roll dice:d6 who:Alice",
        because="Only alice or the GM",
        bad="alice: /roll dice:2d7",
        hint="no die",
    ),
    "scene end": Case(
        "gm: /scene end",
        "Scene The docks ends",
        refused="bob: /scene end",
        bad="gm: /scene end",
        hint="No scene runs",
    ),
    "scene show": Case("bob: /scene show", "Scene The docks"),
    "scene start": Case(
        "gm: /scene start name:The roof distinctions:Windy, Dark d10",
        "Scene · Dark d10",
        refused="bob: /scene start",
        bad="gm: /scene start name:\u200b",
        hint="is empty",
    ),
    "session end": Case(
        "gm: /session end",
        "Session 1 ends",
        refused="bob: /session end",
        bad="gm: /session end",
        hint="No session runs",
    ),
    "session recap": Case("bob: /session recap", "What happened"),
    "session start": Case("gm: /session start", "Session 2 begins", refused="bob: /session start"),
    "stress add": Case(
        "alice: /stress add what:Mental",
        "Alice · Mental stress d6",
        refused="bob: /stress add what:Mental who:Alice",
        because="Only alice or the GM",
        bad="alice: /stress add what:Social",
        hint='no stress track called "Social"',
    ),
    "stress clear": Case(
        "alice: /stress clear",
        "Alice · Mental stress is gone",
        before=("alice: /stress add what:Mental",),
        refused="bob: /stress clear who:Alice",
        because="Only alice or the GM",
        bad="alice: /stress clear",
        hint="has no stress",
    ),
    "stress recover": Case(
        "alice: /stress recover what:Mental dice:2d8",
        "To recover: Alice · Mental stress d6",
        before=("alice: /stress add what:Mental",),
        bad="alice: /stress recover what:Mental dice:0d6",
        hint="1 to 30 dice",
    ),
    "stress remove": Case(
        "alice: /stress remove what:Mental",
        "Alice · Mental stress is gone",
        before=("alice: /stress add what:Mental",),
        refused="bob: /stress remove what:Mental",
        because="Only alice or the GM",
        bad="alice: /stress remove what:Mental",
        hint="no stress",
    ),
    "stress show": Case("bob: /stress show", "stress"),
    "stress stepdown": Case(
        "alice: /stress stepdown what:Mental",
        "Alice · Mental stress d4",
        before=("alice: /stress add what:Mental",),
        bad="alice: /stress stepdown what:Physical",
        hint="no stress",
    ),
    "stress stepup": Case(
        "alice: /stress stepup what:Mental",
        "Alice · Mental stress d8",
        before=("alice: /stress add what:Mental",),
        bad="alice: /stress stepup what:Physical",
        hint="no stress",
    ),
    "table pin": Case("bob: /table pin", "is pinned"),
    "table show": Case("bob: /table show", "Alice: 1 PP"),
    "table unpin": Case(
        "gm: /table unpin",
        "no longer pinned",
        before=("gm: /table pin",),
        bad="gm: /table unpin",
        hint="No table is pinned",
    ),
    "undo": Case(
        "gm: /undo",
        "Undone:",
        refused="carol: /undo",
        because="yours",
        bad="gm: /undo step:9999",
        hint="9999",
    ),
}
"""Every command by its name."""
MENUS = {"Undo this", "Give 1 PP"}
"""The commands for messages and people."""


async def prepare(game: Game) -> None:
    """Things of the scene, which only the GM may touch."""
    await game.play(
        "gm: /asset add what:Crate who:scene",
        "gm: /comp add what:Rain who:scene",
        "gm: /dist add what:Fog who:scene",
    )


async def test_no_command_is_forgotten(game: Game) -> None:
    registered = {name for command in game.discord.commands for name in names(command)}
    assert registered == {*CASES, *MENUS}


def names(command: dict[str, object]) -> list[str]:
    """A command's full names, subcommands apart."""
    options = command.get("options") or []
    assert isinstance(options, list)
    subs = [option["name"] for option in options if option["type"] == 1]
    return [f"{command['name']} {sub}" for sub in subs] or [str(command["name"])]


@pytest.mark.parametrize("name", CASES)
async def test_the_command_works(table: Game, name: str) -> None:
    case = CASES[name]
    await prepare(table)
    for line in case.before:
        await table.says(line)
    reply = await table.says(case.says)
    assert reply.failed is None
    assert case.hears in reply.text


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case.refused])
async def test_who_may_not_is_told_alone_and_nothing_changes(table: Game, name: str) -> None:
    case = CASES[name]
    await prepare(table)
    for line in case.before:
        await table.says(line)
    before = await state(table)
    reply = await table.says(case.refused)
    assert reply.failed is None
    assert reply.private
    assert case.because in reply.text
    assert await state(table) == before


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case.bad])
async def test_bad_input_is_refused_alone_and_nothing_changes(table: Game, name: str) -> None:
    case = CASES[name]
    await prepare(table)
    if case.bad.split(" vs:")[0] == case.says.split(" vs:")[0]:
        await table.says(case.says)
    elif "reroll" in name or "recover" in name or "step" in name:
        for line in case.before:
            await table.says(line)
    before = await state(table)
    reply = await table.says(case.bad)
    assert reply.failed is None
    assert reply.private
    assert case.hint in reply.text
    assert await state(table) == before


async def state(game: Game) -> object:
    """The newest table of the channel, whatever its number."""
    from bot.store.history import Place

    entry = await game.ledger.look(Place(game.discord.table.id, game.discord.world.home.id))
    return entry and entry.table
