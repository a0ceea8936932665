"""A table's own words for the game's terms: with them nothing that the bot sends has a standard one left.

Every term is called by a nonsense word, and everything that the suite knows is played. What stays are names
of commands, options and settings, what is typed, and the guide.
"""

import re
from pathlib import Path

import pytest

from bot.local.reply import buttons
from rules.own_words import called
from rules.terms import STANDARD, Term
from tests.bot.test_another_language import COMMAND, LAST, SETTING, sent
from tests.bot.test_buttons import is_refused, put_back, seen
from tests.bot.test_every_command import CASES, prepare
from tests.game import Game, playing

__all__ = ["sent"]

NONSENSE = {term: called(f"Zq{term.name.replace('_', '').lower()}") for term in Term}
STANDARD_WORDS = {word for of in STANDARD.values() for word in (of.one, of.many, of.short) if word}
_LEFT = re.compile(
    "|".join(
        rf"(?<!\w){word if word.isupper() or word == 'GMs' else f'(?i:{word})'}(?!\w)"
        for word in sorted(STANDARD_WORDS, key=len, reverse=True)
    )
)
_VERBS = r"\bacts? (?:after|against|for|next)\b|\b[0-9]+ acts?\b"
_SETTING = r"(?:The setting is|The setting) [^.]*"
_TYPED = re.compile(rf"Examples?: .*|/[a-z]+(?: [a-z_]+)*(?: \w+:[^.]*)*|{_SETTING}|{_VERBS}")
ELSEWHERE = (
    "campaign archive",
    "campaign new",
    "campaign join",
    "campaign leave",
    "campaign delete",
    "help",
    "setup",
)
"""What is of another table or of several: new ones, the guide, the server's tables."""


def words() -> str:
    return "; ".join(f"{term} = {word.one}" for term, word in NONSENSE.items())


def left(text: str) -> set[str]:
    """The standard words in a text, but for what is typed and the names of settings."""
    lines = "\n".join(line for line in text.splitlines() if not SETTING.search(line))
    said = _TYPED.sub(" ", re.sub(rf"https?://\S+|{COMMAND}", " ", lines))
    return set(_LEFT.findall(said))


async def test_with_a_word_for_every_term_no_standard_one_is_left(tmp_path: Path, sent: list[str]) -> None:
    played = {name: case for name, case in CASES.items() if not name.startswith(ELSEWHERE)}
    cases = sorted(played.items(), key=lambda case: case[0].startswith(LAST))
    lines = [line for _, case in cases for line in (*case.before, case.refused, case.bad, case.says)]
    async with playing(tmp_path) as game:
        await game.table()
        await prepare(game)
        await game.says(f"gm: /campaign set setting:words value:{words()}")
        sent.clear()
        for line in (each for each in lines if ": /" in each):
            await game.says(line)
    assert {text: each for text in sent if (each := left(text))} == {}
    assert sum("zq" in text.casefold() for text in sent) > 150


async def test_exact_phrases_keep_their_shape(table: Game) -> None:
    words = (
        "doom pool = Threat, Threats, T; plot point = Hero Point, Hero Points, HP; crisis = Peril; "
        "stress = Strain; hitch = Glitch, Glitches"
    )
    told = await table.says(f"gm: /campaign set setting:words value:{words}")
    assert told.text.startswith("words: plot point = Hero Point, Hero Points, HP; doom pool = Threat")
    assert "Threat: 2d6 d8" in (await table.says("gm: /doom set dice:2d6 d8")).text
    assert "Alice: 3 HP" in (await table.says("gm: /pp set who:Alice number:3")).text
    assert "Peril Fire: d6 d8" in (await table.says("gm: /crisis new name:Fire dice:d6 d8")).text
    stress = "gm: /stress add what:Physical who:Alice die:d6"
    assert "Alice · Physical strain d6" in (await table.says(stress)).text
    table.dice.show([1, 4])
    assert "d6: 1 (glitch)" in (await table.says("alice: /roll dice:2d6")).text
    assert "Threat: Total" in (await table.says("alice: /roll dice:2d6 vs:threat")).text
    assert "Peril Fire" in (await table.says("alice: /roll dice:2d6 vs:peril fire")).text
    stepped = "gm: /stress stepup what:Alice · Physical strain"
    assert "Alice · Physical strain d8" in (await table.says(stepped)).text


async def test_own_words_are_one_step_and_come_along_in_a_file(table: Game) -> None:
    await table.play("gm: /campaign set setting:words value:asset = Boon")
    assert "(boon)" in (await table.says("alice: /asset add what:Rope")).text
    assert "Rope d6 (boon)" in (await table.says("gm: /log")).text
    await table.says("gm: /undo")
    undone = await table.says("gm: /undo")
    assert undone.text == "Undone: words: asset = Boon"
    assert "(asset)" in (await table.says("alice: /asset add what:Map")).text


async def test_each_table_has_its_own_words_and_none_hears_anothers(game: Game) -> None:
    await game.play("gm: /campaign new name:Skyfall ruleset:adept")
    await game.play("gm: /campaign set setting:words value:GM = Keeper")
    assert "Only the Keeper may" in (await game.says("bob: /doom add dice:d6")).text
    game.discord.channel("elsewhere")
    await game.play("gm: /campaign new name:Other")
    assert "GM" in (await game.says("bob: /campaign show")).text


async def test_dice_come_from_doom_and_help_is_found_by_the_tables_word(table: Game) -> None:
    await table.play("gm: /campaign set setting:words value:doom pool = Menace", "gm: /doom set dice:2d6 d8")
    rolled = await table.play("gm: /roll dice:d8 + from menace d8 who:GM")
    assert "Menace d8: " in rolled.text
    assert "Menace: 2d6" in (await table.says("gm: /doom show")).text
    assert "doom pool" in (await table.says("alice: /help topic:menace")).text


async def test_what_dice_buy_is_told_in_the_tables_words(table: Game) -> None:
    await table.play("gm: /campaign set setting:words value:asset = Boon; scene = Stage; doom pool = Threat")
    for line in ("gm: /doom spend", "gm: /crisis spend"):
        assert "a boon of its size, for the stage or somebody" in (await table.says(line)).text
    assert "A threat die buys" in (await table.says("gm: /doom spend")).text


async def test_own_words_are_suggested_and_what_is_suggested_is_understood(
    table: Game, subtests: pytest.Subtests
) -> None:
    await table.play(
        "gm: /campaign set setting:words value:stress = Strain; scene = Stage; GM = Keeper",
        "gm: /campaign set setting:GM's PP value:on",
        "gm: /stress add what:Physical who:Alice",
        "gm: /comp add what:Mud who:scene",
        "gm: /doom set dice:2d6",
    )
    begun = (await seen(table))[1]
    for typed, found in (
        ("/stress stepdown what:physical st", "Alice · Physical strain d6"),
        ("/comp remove what:st", "Stage · Mud d6"),
        ("/asset add what:Rope who:st", "Stage"),
        ("/doom spend for:asset on:st", "Stage"),
        ("/doom spend for:asset on:Alice, st", "Alice, Stage"),
        ("/pp give who:ke", "Keeper"),
    ):
        with subtests.test(typed=typed):
            await put_back(table, begun)
            assert found in [choice.value for choice in await table.gm.complete(typed)]
            done = await table.says(
                f"gm: {typed.rpartition(':')[0]}:{found}" + " name:Net" * ("doom" in typed)
            )
            assert not is_refused(done)
            assert "stage" not in (await seen(table))[1].characters


async def test_figures_of_the_gm_are_found_and_told_by_the_tables_word(table: Game) -> None:
    await table.play("gm: /campaign set setting:words value:GM = Keeper")
    assert "Keeper" in [choice.value for choice in await table.bob.complete("/stats who:ke")]
    for who in ("keeper", "GM"):
        assert (await table.says(f"bob: /stats who:{who}")).text.startswith("Keeper\n")


async def test_an_sfx_is_typed_with_own_words_on_a_sheet_too(table: Game) -> None:
    words = "plot point = Hero Point, Hero Points, HP 🎯; asset = Boon"
    await table.play(f"gm: /campaign set setting:words value:{words}")
    await table.play("alice: /sfx add name:Zap benefit:boon d8 cost:1 HP")
    form = (await table.says("alice: /character edit")).form
    await table.alice.submit(form, {"Sheet": "SFX: Focus: boon d8, for 1 HP, when a boon is near"})
    shown = (await table.says("alice: /character show")).text
    assert "SFX Focus: boon d8, for 1 HP 🎯, when a boon is near" in shown


async def test_what_is_typed_behind_the_tables_word_means_what_it_does_behind_doom(
    table: Game, subtests: pytest.Subtests
) -> None:
    await table.play("gm: /campaign set setting:words value:doom pool = Threat")
    await table.play("gm: /campaign set setting:modifiers value:on", "gm: /doom set dice:2d6")
    await table.play("gm: /comp add what:Cold who:Alice die:d8")
    begun = (await seen(table))[1]
    for more in ("", " +2", " -1", " + Cold", " + Cold +2", " + Cold -1"):
        with subtests.test(more=more):
            await put_back(table, begun)
            told = []
            for word in ("doom", "threat"):
                table.dice.show([5, 4, 3], [2, 3, 6][: 2 + ("Cold" in more)])
                told.append((await table.play(f"alice: /roll dice:2d6 d8 vs:{word}{more}")).text)
            assert told[0] == told[1]


async def test_a_word_that_is_a_name_in_play_too_asks_which_is_meant(
    table: Game, subtests: pytest.Subtests
) -> None:
    words = "doom pool = Threat; GM = Keeper; scene = Stage"
    await table.play(
        f"gm: /campaign set setting:words value:{words}", "gm: /campaign set setting:GM's PP value:on"
    )
    await table.play("gm: /doom set dice:2d6 d8", "gm: /crisis new name:Threat dice:d6 d8")
    await table.play("gm: /gmc new name:Stage dice:d8", "gm: /character new name:Keeper player:@bob")
    begun = (await seen(table))[1]
    for line, term, word, name in (
        ("alice: /roll dice:2d8 vs:threat", "doom pool", "\nThreat: Total", "\nCrisis Threat: Total"),
        ("gm: /roll dice:2d8 who:keeper", "GM", "Keeper: Total", "Keeper: Total"),
        ("gm: /pp give who:keeper", "GM", "Keeper: 1 PP (+1)", "Keeper: 2 PP (+1)"),
        ("gm: /asset add what:Rope who:stage", "scene", "Stage · Rope d6", "Stage · Rope d6"),
    ):
        with subtests.test(line=line):
            await put_back(table, begun)
            for which, said in ((0, word), (1, name)):
                asked = await table.says(line)
                assert asked.private
                assert "is this table's own word for" in asked.text
                assert asked.message is not None
                assert buttons(asked.message)[0].label == term
                person = table.alice if line.startswith("alice") else table.gm
                done = await person.press(asked, which)
                assert said in f"\n{done.text}"


async def test_where_the_scene_cannot_be_meant_nobody_is_asked(table: Game) -> None:
    await table.play("gm: /campaign set setting:words value:scene = Stage", "gm: /gmc new name:Stage dice:d8")
    renamed = await table.play("gm: /character rename to:Rex who:stage")
    assert renamed.text == "Rex is the new name of Stage"
    refused = await table.says("gm: /character rename to:Max who:stage")
    assert refused.text == "The stage cannot have that. Name a character. Example: who:Alice"


async def test_who_is_meant_by_name_and_renamed_since_is_not_taken_for_the_word(table: Game) -> None:
    await table.play("gm: /campaign set setting:words value:scene = Stage", "gm: /gmc new name:Stage dice:d8")
    asked = await table.says("gm: /asset add what:Rope who:stage")
    await table.play("gm: /character rename to:Rex who:Stage")
    answer = await table.gm.press(asked, "What is called stage")
    assert answer.text == "What was called stage is no longer here. Send the command again."
    rope = await table.says("gm: /asset add what:Rope who:stage")
    assert rope.text == "Stage · Rope d6 (asset)"


async def test_the_chronicle_and_the_recap_have_them_too(table: Game) -> None:
    await table.play(f"gm: /campaign set setting:words value:{words()}", "gm: /session start")
    await table.play("gm: /scene start name:The quay", "gm: /doom set dice:2d6 d8")
    table.dice.show([1, 4, 8], [2, 3, 4])
    rolled = await table.play("alice: /roll dice:2d6 d8 vs:doom note:Climb")
    await table.gm.press(rolled, "Zqhitches")
    await table.play("gm: /crisis new name:Fire dice:d6 d8", "gm: /pp give who:Alice", "gm: /act end")
    ended = await table.play("gm: /session end")
    assert ended.message is not None
    told = await table.says("bob: /chronicle")
    assert told.message is not None
    (page,) = told.message.files
    written = re.sub(r"<style.*?</style>|<[^>]+>", "\n", page.data.decode(), flags=re.DOTALL)
    assert "zqscene" in written.casefold()
    for text in (ended.text, (await table.says("bob: /session recap")).text, told.text, written):
        assert left(text) == set()
