"""A table's own words for the game's terms: with them nothing that the bot sends has a standard one left.

Every term is called by a nonsense word, and everything that the suite knows is played. What stays are names
of commands, options and settings, what is typed, and the guide.
"""

import re
from pathlib import Path

import pytest

from bot.language.printers import spelled
from bot.loopback.reply import buttons_of
from bot.views.labels import roller_words
from rules.cortex import gm_pools
from rules.cortex.gm_pools import FOES
from rules.cortex.kinds import Foe
from rules.custom_terms import missing_forms
from rules.names import GM
from rules.terms import STANDARD, Term
from tests.bot.test_another_language import COMMAND, LAST, SETTING, sent
from tests.bot.test_buttons import is_refused, put_back, seen
from tests.bot.test_every_command import CASES, prepare
from tests.game import Game, playing

__all__ = ["sent"]

NONSENSE = {term: missing_forms(f"Zq{term.name.replace('_', '').lower()}") for term in Term}
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
    assert undone.text == "Undone: words: off again"
    assert "(asset)" in (await table.says("alice: /asset add what:Map")).text


async def test_a_scene_without_a_name_has_a_number_in_the_tables_words(table: Game) -> None:
    await table.play("gm: /campaign set setting:words value:scene = Muster", "gm: /scene start")
    await table.play("alice: /roll dice:d6")
    assert "Muster 2" in (await table.says("gm: /table show")).text
    assert "Scene 2" not in (await table.says("gm: /table show")).text
    assert "Muster 2" in (await table.says("gm: /session recap")).text
    await table.play("gm: /scene start name:Scene 1")
    assert "Scene 1" in (await table.says("gm: /table show")).text


async def test_each_table_has_its_own_words_and_none_hears_anothers(game: Game) -> None:
    await game.play("gm: /campaign new name:Skyfall ruleset:adept")
    await game.play("gm: /campaign set setting:words value:GM = Keeper")
    assert "Only the Keeper can" in (await game.says("bob: /doom add dice:d6")).text
    game.discord.channel("elsewhere")
    await game.begin("gm: /campaign new name:Other")
    assert "GM" in (await game.says("bob: /campaign show")).text


async def test_dice_come_from_doom_and_help_is_found_by_the_tables_word(table: Game) -> None:
    await table.play("gm: /campaign set setting:words value:doom pool = Menace", "gm: /doom set dice:2d6 d8")
    rolled = await table.play("gm: /roll dice:d8 + from menace d8 who:GM")
    assert "Menace d8: " in rolled.text
    assert "Menace: 2d6" in (await table.says("gm: /doom show")).text
    assert "doom pool" in (await table.says("alice: /help topic:menace")).text


async def test_what_dice_buy_is_told_in_the_tables_words(table: Game) -> None:
    await table.play("gm: /campaign set setting:words value:asset = Boon; scene = Stage; doom pool = Threat")
    await table.play("gm: /doom set dice:2d6", "gm: /crisis new name:Fire dice:d6")
    for line in ("gm: /doom spend", "gm: /crisis spend"):
        offered = {each.label: each.description for each in (await table.says(line)).menus[1].options}
        assert "a boon as large as the die, on the stage or a" in offered["Boon"]
    assert (await table.says("gm: /doom spend")).text.startswith("Spend threat dice")


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
            assert not is_refused(done) or "Who gets Net?" in done.text
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
                assert "is the word for" in asked.text
                assert asked.message is not None
                assert buttons_of(asked.message)[0].label == term
                person = table.alice if line.startswith("alice") else table.gm
                done = await person.press(asked, which)
                assert said in f"\n{done.text}"


async def test_where_the_scene_cannot_be_meant_nobody_is_asked(table: Game) -> None:
    await table.play("gm: /campaign set setting:words value:scene = Stage", "gm: /gmc new name:Stage dice:d8")
    renamed = await table.play("gm: /character rename to:Rex who:stage")
    assert renamed.text == "Stage is now called Rex"
    refused = await table.says("gm: /character rename to:Max who:stage")
    assert refused.text == "The stage can't have that. Try Alice, Bob or Rex."


async def test_who_is_meant_by_name_and_renamed_since_is_not_taken_for_the_word(table: Game) -> None:
    await table.play("gm: /campaign set setting:words value:scene = Stage", "gm: /gmc new name:Stage dice:d8")
    asked = await table.says("gm: /asset add what:Rope who:stage")
    await table.play("gm: /character rename to:Rex who:Stage")
    answer = await table.gm.press(asked, "The one called stage")
    assert answer.text == ("Nothing is called stage any more. Send the command again.")
    rope = await table.says("gm: /asset add what:Rope who:stage")
    assert rope.text == "Stage · Rope d6 (asset)"


async def test_the_chronicle_and_the_recap_have_them_too(table: Game) -> None:
    await table.play(f"gm: /campaign set setting:words value:{words()}", "gm: /session end")
    await table.play("gm: /session start", "gm: /scene start name:The quay", "gm: /doom set dice:2d6 d8")
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
    assert "zqsessions" in written.casefold()
    for text in (ended.text, (await table.says("bob: /session recap")).text, told.text, written):
        assert left(text) == set()


POOLS = "doom pool = Threat, Threats, T; crisis = Ordeal; challenge = Trial; GMC = Figure; GM = Keeper"


@pytest.mark.parametrize(
    "stored", [GM, gm_pools.DOOM_NAME, *(f"{FOES[foe].title}Fire" for foe in Foe if foe is not Foe.DOOM)]
)
def test_each_pool_of_the_gm_is_known_by_what_is_stored(stored: str) -> None:
    assert spelled(roller_words(stored)) == stored
    assert isinstance(roller_words(stored), str) == (stored == "Fire")  # a GMC's name is no word of the game


async def pools(table: Game) -> None:
    """What the GM has, at a table with words for it."""
    await table.play(f"gm: /campaign set setting:words value:{POOLS}", "gm: /doom set dice:2d6 d8")
    await table.play("gm: /crisis new name:Fire dice:2d6 d8", "gm: /challenge new name:Storm difficulty:hard")
    await table.play("gm: /gmc new name:Rex dice:4d8 kind:boss", "gm: /gmc new name:Pack dice:4d6 kind:mob")


async def test_whoever_rolls_for_the_gm_is_called_by_the_tables_word(
    table: Game, subtests: pytest.Subtests
) -> None:
    await pools(table)
    begun = (await seen(table))[1]
    for line, who, dice in (
        ("/doom roll", "Threat", 3),
        ("/crisis roll", "Ordeal Fire", 3),
        ("/challenge roll", "Trial Storm", 2),
        ("/gmc roll name:Rex", "Rex", 4),
        ("/gmc roll name:Pack", "Pack", 4),
        ("/roll dice:2d6 d8", "Keeper", 3),
    ):
        with subtests.test(line=line):
            await put_back(table, begun)
            table.dice.show([4, 5, 3, 2][:dice])
            made = await table.play(f"gm: {line}")
            assert made.text.startswith(f"{who}: Total 9")
            assert f": {who}: Total 9" in (await table.says("bob: /log")).text
            if "challenge" in line:  # first somebody takes their turn
                await table.play("gm: /challenge first who:Alice")
            reaction = (await table.alice.press(made, "Roll against")).form
            assert reaction is not None
            assert reaction.title == f"Roll against {who}"
            met = await table.alice.submit(reaction, {"Dice": "2d8"})
            assert f"\n{who}: Total 9" in met.text
            ended = await table.play("gm: /scene end")
            assert f"Open rolls closed: {who} and Alice" in ended.text


async def test_what_is_done_to_a_roll_of_the_gm_says_the_tables_word(
    table: Game, subtests: pytest.Subtests
) -> None:
    await pools(table)
    begun = (await seen(table))[1]
    for line, who in (("/doom roll", "Threat"), ("/crisis roll", "Ordeal Fire")):
        with subtests.test(line=line):
            await put_back(table, begun)
            table.dice.show([5, 4, 3], [6], [2])
            made = await table.play(f"gm: {line}")
            other = (await table.gm.press(made, "Other dice")).form
            assert other is not None
            assert other.title == f"Other dice for {who}"
            await table.play("gm: /doom spend for:die dice:d6")
            told = (await table.says("gm: /log")).text
            assert f"{who}: d6 added; {who}: Total" in told
            form = (await table.gm.press(made, "What was it?")).form
            await table.gm.submit(form, {"What the roll was for": "Open the gates"})
            assert f"What {who} rolled for: Open the gates" in (await table.says("gm: /log")).text
            ended = await table.play("gm: /session end")
            assert f"{who} rolled to open the gates." in ended.text


async def test_what_changed_of_a_roll_is_told_in_the_tables_words(table: Game) -> None:
    await pools(table)
    await table.play("gm: /doom set dice:2d6 d10")
    table.dice.show([3, 4, 6])
    made = await table.play("gm: /doom roll")
    await table.gm.press(made, "Total 7, effect d10")
    assert "Threat: now Total 7, effect d10" in (await table.says("gm: /log")).text


async def test_what_a_roll_was_for_stays_as_it_was_typed_where_one_rolls_against_it(table: Game) -> None:
    await pools(table)
    made = await table.play("gm: /crisis roll")
    form = (await table.gm.press(made, "What was it?")).form
    await table.gm.submit(form, {"What the roll was for": "The roof falls"})
    met = await table.alice.submit((await table.alice.press(made, "Roll against")).form, {"Dice": "2d8"})
    assert "\nThe roof falls: Total" in met.text


async def test_figures_of_a_pool_are_found_by_both_words(table: Game) -> None:
    await pools(table)
    await table.play("gm: /doom roll", "gm: /crisis roll")
    for who in ("threat", "doom pool"):
        assert (await table.says(f"gm: /stats who:{who}")).text.startswith("Threat\n1 roll")
    assert (await table.says("gm: /stats who:ordeal f")).text.startswith("Ordeal Fire\n1 roll")


async def test_what_is_typed_behind_the_tables_word_for_its_kind_is_found(
    table: Game, subtests: pytest.Subtests
) -> None:
    await pools(table)
    begun = (await seen(table))[1]
    for line, found in (
        ("gm: /crisis roll name:ordeal fire", "Ordeal Fire: Total"),
        ("gm: /crisis roll name:crisis fi", "Ordeal Fire: Total"),
        ("gm: /crisis end name:Ordeal Fire", "Ordeal Fire ends"),
        ("gm: /challenge roll name:trial storm", "Trial Storm: Total"),
        ("gm: /gmc roll name:figure rex", "Rex: Total"),
        ("gm: /gmc roll name:gmc rex", "Rex: Total"),
        ("alice: /roll dice:2d8 vs:ordeal fire", "Ordeal Fire: Total"),
        ("alice: /roll dice:2d8 vs:figure rex", "Rex: Total"),
    ):
        with subtests.test(line=line):
            await put_back(table, begun)
            assert found in (await table.play(line)).text


async def test_what_is_not_there_is_refused_by_the_tables_word(
    table: Game, subtests: pytest.Subtests
) -> None:
    await pools(table)
    fire = 'There\'s no ordeal called "Nothing". Try Fire.'
    for line, refused in (
        ("gm: /crisis end name:Nothing", fire),
        ("gm: /crisis roll name:ordeal Nothing", fire),
        ("alice: /roll dice:2d8 vs:ordeal Nothing", fire),
        ("alice: /roll dice:2d8 vs:crisis Nothing", fire),
        (
            "alice: /roll dice:2d8 vs:trial Nothing",
            'There\'s no trial called "Nothing". Try Storm.',
        ),
        ("alice: /roll dice:2d8 vs:figure Rax", 'There\'s no Figure called "Rax". Did you mean Rex?'),
        ("alice: /crisis roll", "Only the Keeper can roll an ordeal. Keeper here: gm."),
        ("alice: /challenge end", "Only the Keeper can end a trial. Keeper here: gm."),
        ("gm: /doom roll dice:d12", "The threat has no d12. Threat: 2d6 d8."),
    ):
        with subtests.test(line=line):
            assert (await table.says(line)).text.startswith(refused)
    await table.play("gm: /crisis end name:Fire", "gm: /campaign set setting:crisis pools value:off")
    off = "Ordeals are off in this campaign."
    for line, more, offered in (
        ("gm: /crisis show", " Example: `/campaign set setting:crisis pools value:on`", []),
        ("alice: /roll dice:2d8 vs:ordeal fire", " Ask gm to change this setting.", []),
        ("gm: /crisis roll", "", ["Turn on crisis pools"]),
    ):
        reply = await table.says(line)
        assert reply.text == off + more
        assert [button.label for button in reply.buttons] == offered


async def test_help_knows_the_tables_words_and_suggests_them(table: Game, subtests: pytest.Subtests) -> None:
    await pools(table)
    for typed, title in (
        ("Threat", "Use the doom pool"),
        ("threats", "Use the doom pool"),
        ("t", "Use the doom pool"),
        ("ordeals", "Start a crisis"),
        ("trial", "Run a challenge"),
        ("figure", "Bring in a GMC"),
        ("doom", "Use the doom pool"),
    ):
        with subtests.test(typed=typed):
            assert (await table.says(f"bob: /help topic:{typed}")).text.startswith(f"{title}\n")
    missed = await table.says("bob: /help topic:Thraet")
    assert missed.text == 'There\'s no help on "Thraet". Did you mean one of these topics?'
    assert missed.buttons[0].label == "Use the doom pool"
    assert (await table.says("bob: /help topic:ordeal of xyzzy")).text.startswith("Start a crisis\n")
    choices = [choice.value for choice in await table.bob.complete("/help topic:thr")]
    assert "Threat" in choices
    assert "crises" not in [choice.value for choice in await table.bob.complete("/help topic:cris")]


async def test_help_about_doom_is_found_as_dread(table: Game) -> None:
    await table.play("gm: /campaign set setting:words value:doom pool = Dread")
    assert (await table.says("bob: /help topic:dread")).text.startswith("Use the doom pool\n")
