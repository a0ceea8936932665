"""Who is meant: what people type as `who`, `on`, `to` and `against` is read by one reader in all commands."""

import pytest

from rules.cortex.model import CORTEX
from tests.bot.test_buttons import is_refused, put_back, seen
from tests.bot.test_contests import do
from tests.bot.test_mended import labels
from tests.game import Game

ONE = (
    "gm: /comp add what:Wet who:{}",
    "gm: /stress add what:Mental die:d6 who:{}",
    "gm: /asset add what:Rope who:{}",
    "gm: /dist add what:Bold who:{}",
    "gm: /character set trait:Sky die:d8 trait_set:Skills who:{}",
    "gm: /character rename to:Nova who:{}",
    "gm: /character show who:{}",
    "gm: /sfx add name:Trick benefit:add d6 cost:1 PP who:{}",
    "gm: /pp spend who:{}",
    "gm: /pp move to:Alice who:{}",
    "gm: /pp move who:Alice to:{}",
    "gm: /xp spend who:{} why:Growth",
    "gm: /pool save name:Usual dice:2d6 who:{}",
    "gm: /roll dice:2d6 who:{}",
    "gm: /ore roll dice:3d who:{}",
    "gm: /turn start who:{}",
    "alice: /contest start dice:2d6 against:{}",
    "gm: /character give name:{} player:carol",
)
"""Commands that take one character."""

SEVERAL = (
    "gm: /pp give who:{}",
    "gm: /pp set number:3 who:{}",
    "gm: /xp give who:{}",
    "gm: /resource refresh who:{}",
    "gm: /doom roll dice:2d6 on:{}",
    "gm: /gmc roll name:Rex on:{}",
    "gm: /crisis roll name:Fire on:{}",
    "gm: /turn start absent:{}",
    "gm: /doom spend dice:d6 for:extra name:Imp keep_for_pp:true on:{}",
)
"""Commands that take several."""


SEPARATED = (
    "Alice, and Bob",
    "Alice and and Bob",
    "and Alice, , Bob and",
    "ALICE AND BOB",
    "Alice，Bob",
    "Alice＆Bob",
    "Alice ＋ Bob",
    "Alice／Bob；",
    "Alice、Bob",
    "Alice､and Bob",
    "“Alice”, ‘Bob’",
    '"Alice" and "Bob"',
    "「Alice」、「Bob」",
)
"""Two names with separators and quotation marks of every kind."""


@pytest.fixture
async def full(table: Game) -> Game:
    """The table with a GMC, a crisis and resources that are spent; Carol looks on."""
    table.person("carol")
    await table.play(
        "gm: /campaign set setting:resources value:on",
        "gm: /gmc new name:Rex dice:Fangs d8",
        "gm: /crisis new name:Fire dice:2d8",
        "alice: /character set trait:Purse die:d6 trait_set:Resources",
        "bob: /character set trait:Purse die:d6 trait_set:Resources",
        "alice: /resource use what:Purse",
        "bob: /resource use what:Purse",
        "gm: /xp give who:all",
    )
    return table


async def test_a_member_stands_for_the_character_they_play(full: Game, subtests: pytest.Subtests) -> None:
    begun = (await seen(full))[1]
    for line in (*ONE, *SEVERAL):
        for mention in (f"<@{full.bob.id}>", f"<@!{full.bob.id}>"):
            with subtests.test(line=line, mention=mention):
                await put_back(full, begun)
                answered = await full.says(line.format(mention))
                assert not is_refused(answered) or " show " in line, answered.text
                assert "Bob" in answered.text or "/turn start" in line


async def test_who_plays_nobody_is_said_with_the_ways_out(full: Game, subtests: pytest.Subtests) -> None:
    carol = full.person("carol")
    people = set((await seen(full))[1].characters)
    for line in (*ONE, *SEVERAL):
        with subtests.test(line=line):
            refused = await full.says(line.format(f"<@{carol.id}>"))
            assert is_refused(refused)
            assert refused.text == "That member doesn't play a character here. Choose Alice, Bob or Rex."
            assert labels(refused) == ["Alice", "Bob", "Rex"]
    assert set((await seen(full))[1].characters) == people


async def test_of_several_characters_of_a_member_one_is_asked_for(full: Game) -> None:
    carol = full.person("carol")
    await full.play("carol: /character new name:Ada", "carol: /character new name:Zoe")
    await full.says("carol: /campaign leave")
    asked = await full.says(f"gm: /pp give who:<@{carol.id}>")
    assert asked.text == "That member has several characters. Choose Ada or Zoe."
    assert "Zoe: " in (await full.gm.press(asked, "Zoe")).text


async def test_a_press_goes_on_with_the_one_that_is_chosen(full: Game) -> None:
    refused = await full.says(f"gm: /pp give who:<@{full.person('carol').id}>")
    assert "Bob: 2 PP" in (await full.gm.press(refused, "Bob")).text


@pytest.mark.parametrize(
    ("typed", "because"),
    [
        ("<@&77>", "A role isn't one character."),
        ("@everyone", '"@everyone" means all characters, but this takes one.'),
        ("@here", '"@here" means all characters, but this takes one.'),
        ("all", '"all" means all characters, but this takes one.'),
        ("Party", '"Party" means all characters, but this takes one.'),
        ("the players", '"the players" means all characters, but this takes one.'),
        ("Alice and Bob", "That's several names, but this takes one."),
        ("Alice & Bob", "That's several names, but this takes one."),
        ("Alice+Bob", "That's several names, but this takes one."),
        ("Alice / Bob", "That's several names, but this takes one."),
        ("Alice, Bob", "That's several names, but this takes one."),
    ],
)
async def test_one_character_is_asked_for_where_one_fits(
    full: Game, subtests: pytest.Subtests, typed: str, because: str
) -> None:
    for line in ONE:
        with subtests.test(line=line):
            refused = await full.says(line.format(typed))
            assert is_refused(refused)
            assert refused.text.replace("\\@", "@").startswith(because)
            assert labels(refused)[:2] == ["Alice", "Bob"]


async def test_a_group_means_the_players_characters_where_several_fit(
    full: Game, subtests: pytest.Subtests
) -> None:
    begun = (await seen(full))[1]
    both = ("all", "party", "The Party", "players", "@everyone", "@here", "<@&77>", "Alice and Bob")
    for typed in (*both, "Alice & Bob", "Alice+Bob", "Alice/Bob", "Alice, Bob", "Bob; Alice", *SEPARATED):
        with subtests.test(typed=typed):
            await put_back(full, begun)
            given = await full.play(f"gm: /pp give who:{typed}")
            assert "Alice: 2 PP" in given.text
            assert "Bob: 2 PP" in given.text
            assert "Rex" not in given.text
            rolled = await full.play(f"gm: /doom roll dice:2d6 on:{typed}")
            assert "On: Alice and Bob" in rolled.text.replace("Bob and Alice", "Alice and Bob")


OPPOSED = (
    "alice: /roll dice:2d6 vs:{}",
    "alice: /roll dice:2d6 vs {}",
    "alice: /odds dice:2d6 vs:{}",
    "alice: /odds dice:2d6 vs {}",
    "alice: /comp recover what:Wet dice:2d6 vs:{}",
    "alice: /pool roll name:Big vs:{}",
    "gm: /gmc roll name:Rex vs:{}",
    "gm: /roll dice:2d6 vs:{}",
)
"""Commands that take an opponent."""


async def test_an_opponent_is_read_like_anybody_else(full: Game, subtests: pytest.Subtests) -> None:
    await full.play("gm: /comp add what:Wet who:Alice", "alice: /pool add name:Big dice:2d8")
    bob, carol = f"<@{full.bob.id}>", f"<@{full.person('carol').id}>"
    for line in OPPOSED:
        with subtests.test(line=line):
            named = await full.says(line.format("Bob"))
            assert "Bob is a player's character." in named.text
            for typed in (bob, f"<@!{full.bob.id}>", "bob", f"{bob} + d8"):
                assert (await full.says(line.format(typed))).text == named.text
            refused = await full.says(line.format(carol))
            assert refused.text.startswith("That member doesn't play a character here. Try ")
        several = ("Alice and Bob", f"<@{full.alice.id}>, {bob}", f"Rex, {bob}", "Rex & Alice")
        for typed in ("all", "@here", "@everyone", "<@&77>", "party", *several):
            with subtests.test(line=line, typed=typed):
                refused = await full.says(line.format(typed))
                assert is_refused(refused)
                assert "A roll has only one opponent. Try " in refused.text
    begun = (await seen(full))[1]
    for typed in ("Rex", "“Rex”", "rex and", "Rex + d8", "Rex, d8"):
        with subtests.test(typed=typed):
            await put_back(full, begun)
            assert "Rex" in (await full.play(f"alice: /roll dice:2d6 vs:{typed}")).text


async def test_a_saved_pool_has_an_opponent_by_name(full: Game, subtests: pytest.Subtests) -> None:
    bob = f"<@{full.bob.id}>"
    for line in ("alice: /pool save name:Us dice:2d6 vs:{}", "alice: /pool save name:Us dice:2d6 vs {}"):
        with subtests.test(line=line):
            assert is_refused(await full.says(line.format("@here")))
            assert "Saved pool Us: 2d6 vs Bob" in (await full.play(line.format(bob))).text
    assert "Against: Bob" in (await full.says(f"alice: /roll dice:build vs:{bob}")).text
    assert is_refused(await full.says("alice: /roll dice:build vs:all"))


async def test_a_separator_is_nobody(full: Game, subtests: pytest.Subtests) -> None:
    begun = (await seen(full))[1]
    for line in (*ONE, *SEVERAL):
        for typed in (
            "Bob and",
            "and Bob",
            "& Bob,",
            "“Bob”",
            "'Bob'",
            "「Bob」",
            "« bob »",
            f"<@{full.bob.id}> and",
        ):
            with subtests.test(line=line, typed=typed):
                await put_back(full, begun)
                answered = await full.says(line.format(typed))
                assert not is_refused(answered) or " show " in line, answered.text
                assert "Bob" in answered.text or "/turn start" in line
        for typed in ("and", "& and", "、"):
            with subtests.test(line=line, typed=typed):
                assert "Someone new" not in str(labels(await full.says(line.format(typed))))
    await put_back(full, begun)
    refused = await full.says("gm: /comp add what:Wet who:and")
    assert refused.text == '"and" isn\'t a name. Choose Alice, Bob or Rex.'
    assert "Bob · Wet d6" in (await full.gm.press(refused, "Bob")).text


async def test_somebody_new_is_named_without_separators_and_quotation_marks(
    full: Game, subtests: pytest.Subtests
) -> None:
    for typed in ("Zed", "Zed and", ", Zed", "“Zed”", '"Zed"', "『Zed』"):
        with subtests.test(typed=typed):
            assert labels(await full.says(f"gm: /pp give who:{typed}")) == ["Someone new: Zed"]
    for typed in ("and", "＆", "Zed，Ink", "Zed、Ink"):
        with subtests.test(typed=typed):
            assert is_refused(await full.says(f"alice: /character new name:{typed}"))
    assert "Rock-and-Roll" in (await full.play("alice: /character new name:Rock-and-Roll")).text
    given = await full.play("gm: /pp give who:rock\u2010and\u2010roll、 Bob")
    assert "Rock-and-Roll: 2 PP" in given.text
    assert "Bob: 2 PP" in given.text


async def test_what_is_no_character_gets_nothing(full: Game, subtests: pytest.Subtests) -> None:
    for typed, said in (
        ("scene", "The scene can't have that. Try Alice, Bob or Rex."),
        ("Alice and scene", "The scene can't have that. Try Alice, Bob or Rex."),
        ("doom", '"doom" isn\'t a character. Choose Alice, Bob or Rex.'),
        ("doom pool", '"doom pool" isn\'t a character. Choose Alice, Bob or Rex.'),
    ):
        for line in ("gm: /pp give who:{}", "gm: /xp give who:{}"):
            with subtests.test(line=line, typed=typed):
                refused = await full.says(line.format(typed))
                assert is_refused(refused)
                assert refused.text == said
                assert labels(refused) == ["Alice", "Bob", "Rex"]
    assert "Scene · Wet d6" in (await full.play("gm: /comp add what:Wet who:scene and")).text
    assert "Wet" in (await full.play("gm: /comp remove what:“Wet”")).text


async def test_a_known_name_with_a_separator_in_it_stays_whole(full: Game) -> None:
    await full.play("bob: /character new name:Salt & Pepper", "gm: /character new name:Cloak and Dagger")
    given = await full.play("gm: /pp give who:salt & pepper and Alice/Cloak and Dagger")
    for name in ("Salt & Pepper", "Alice", "Cloak and Dagger"):
        assert f"{name}: " in given.text
    assert "Salt & Pepper · Wet d6" in (await full.play("gm: /comp add what:Wet who:Salt & Pepper")).text


async def test_nobody_is_made_by_a_typing_error(full: Game, subtests: pytest.Subtests) -> None:
    people = set((await seen(full))[1].characters)
    for line in (*ONE, *SEVERAL):
        for typed in ("Bbo", "Zed"):
            with subtests.test(line=line, typed=typed):
                assert is_refused(await full.says(line.format(typed)))
    assert set((await seen(full))[1].characters) == people


async def test_a_name_that_nobody_has_is_asked_for(full: Game) -> None:
    asked = await full.says("gm: /pp give who:Bbo")
    assert asked.text == "There's no Bbo here. Did you mean Bob?"
    assert labels(asked) == ["Bob", "Someone new: Bbo"]
    assert "Bob: 2 PP" in (await full.gm.press(asked, "Bob")).text
    asked = await full.says("gm: /comp add what:Wet who:Zed")
    assert asked.text == "Nobody here is called Zed."
    assert labels(asked) == ["Someone new: Zed"]
    assert "Zed · Wet d6" in (await full.gm.press(asked, "Someone new: Zed")).text


async def test_a_form_that_asks_for_somebody_new_does_not_ask_again(full: Game) -> None:
    full.dice.show((6, 6, 2))
    rolled = await full.play("alice: /roll dice:2d8 d10 vs:0")
    fields = {"What": "Complication d12", "Name": "Wet", "Or on someone new": "Zed"}
    assert "Zed · Wet d12" in (await do(full, "alice", rolled, "Apply d12", fields)).text


async def test_quick_play_at_an_open_table_needs_no_character(game: Game) -> None:
    assert "alice" in (await game.play("alice: /roll dice:2d6")).text
    assert "Crowbar d6" in (await game.play("alice: /asset add what:Crowbar")).text
    assert "bob · Lamp d6" in (await game.play("bob: /asset add what:Lamp who:bob")).text
    assert "Zed" in (await game.play("bob: /roll dice:2d6 who:Zed")).text
    assert labels(await game.says("bob: /pp give who:Zed")) == ["Someone new: Zed"]
    assert labels(await game.says("bob: /roll dice:2d6 who:alcie")) == ["alice", "Someone new: alcie"]


NAMED = (
    "carol: /character new name:{}",
    "alice: /character rename to:{}",
    "gm: /gmc new name:{} dice:Claws d8",
    "gm: /crisis new name:{} dice:2d6",
    "gm: /challenge new name:{}",
    "gm: /ore company name:{} ratings:might 3",
    "alice: /pool add name:{} dice:2d6",
    "alice: /sfx add name:{} benefit:add d6 cost:1 PP",
)


async def test_a_name_holds_no_die_and_no_mention(full: Game, subtests: pytest.Subtests) -> None:
    before = (await seen(full))[1]
    for line in NAMED:
        for name, because in (
            ("Rope d8", "has a die in it. Leave d8 out of the name."),
            ("Gang of 3d6", "has a die in it. Leave 3d6 out of the name."),
            ("K-d8", "has a die in it. Leave d8 out of the name."),
            ("d8-Gang", "has a die in it. Leave d8 out of the name."),
            ("Gang[d8]", "has a die in it. Leave d8 out of the name."),
            ("2d6Gang", "has a die in it. Leave 2d6 out of the name."),
            ("\uff24\uff18 Gang", "has a die in it."),
            ("<@123>", "A name can't have a mention in it. Type the name instead."),
            ("Al <#123>", "A name can't have a mention in it. Type the name instead."),
            ("Friend of <@!123>", "A name can't have a mention in it."),
            ("The <@&77>", "A name can't have a mention in it."),
            ("Hey @everyone", "A name can't have a mention in it."),
        ):
            with subtests.test(line=line, name=name):
                refused = await full.says(line.format(name))
                assert is_refused(refused)
                assert because in refused.text
    assert (await seen(full))[1] == before


async def test_a_die_is_a_whole_word(full: Game, subtests: pytest.Subtests) -> None:
    begun = (await seen(full))[1]
    rated = (
        "alice: /asset add what:{} d6",
        "gm: /comp add what:{} d6 who:Alice",
        "gm: /gmc new name:Imp dice:{} d6",
        "alice: /character set trait:{} die:d6 trait_set:Skills",
    )
    for line in (*NAMED, *rated):
        for name in ("D4vid", "R2D2", "Mark-4", "W6rfel", "Roped8", "d4ngerous"):
            with subtests.test(line=line, name=name):
                await put_back(full, begun)
                assert not is_refused(await full.says(line.format(name)))
    for line in rated:
        for name in ("Rope-d8", "d8-Rope", "2d6Rope"):
            with subtests.test(line=line, name=name):
                await put_back(full, begun)
                refused = await full.says(line.format(name))
                assert is_refused(refused)
                assert (await seen(full))[1].characters == begun.characters
    for name, works in (("D4vid", True), ("R2D2", True), ("Rope-d8", False)):
        with subtests.test(sheet=name):
            form = (await full.says("alice: /character edit")).form
            assert form is not None
            assert is_refused(await full.alice.submit(form, {"Sheet": f"Skills: {name} d6"})) is not works


async def test_a_scene_a_campaign_and_a_setting_hold_no_mention(
    full: Game, subtests: pytest.Subtests
) -> None:
    for line in (
        "gm: /scene start name:Fall of <@123>",
        "gm: /campaign new name:Hey @everyone",
        "gm: /campaign set setting:trait sets value:Skills, <@&77>",
        "gm: /character set trait:Sky die:d8 trait_set:<@123> who:Alice",
        "gm: /comp add what:Fear of <@123> who:Alice",
        "gm: /note text:Owes me about:<@&77>",
    ):
        with subtests.test(line=line):
            refused = await full.says(line)
            assert is_refused(refused)
            assert "A name can't have a mention in it." in refused.text


async def test_one_roll_names_hold_no_dice_of_its_own(game: Game, subtests: pytest.Subtests) -> None:
    await game.play("gm: /campaign new name:Skyfall ruleset:one-roll")
    for line in (
        "alice: /character new name:{}",
        "gm: /gmc new name:{} dice:Fight 5d",
        "gm: /ore company name:{} ratings:might 3",
    ):
        for name, die in (("Ogre 5d", "5d"), ("Gang 2hd", "2hd"), ("Rope d10", "d10")):
            with subtests.test(line=line, name=name):
                refused = await game.says(line.format(name))
                assert is_refused(refused)
                assert f"has a die in it. Leave {die} out of the name." in refused.text


async def test_a_member_is_no_gmc(full: Game, subtests: pytest.Subtests) -> None:
    for line in ("gm: /gmc roll name:{}", "gm: /gmc hit name:{} die:d6", "gm: /gmc remove name:{}"):
        for person, said in (
            (full.bob, 'There\'s no GMC called "Bob". Try Rex.'),
            (full.person("carol"), "That member has no GMC here. Try Rex."),
        ):
            with subtests.test(line=line, said=said):
                assert (await full.says(line.format(f"<@{person.id}>"))).text == said


async def test_what_a_member_answers_in_a_contest(full: Game) -> None:
    await full.play("alice: /contest start dice:2d6 against:Bob")
    answered = await full.play(f"bob: /contest answer dice:2d6 against:<@{full.alice.id}>")
    assert "Alice" in answered.text


async def test_a_note_is_about_the_character_of_a_member(full: Game) -> None:
    noted = await full.says(f"gm: /note text:Owes me about:<@{full.bob.id}>")
    assert "Bob" in noted.text


async def test_one_pp_goes_to_the_character_of_a_member_and_makes_none(full: Game) -> None:
    people = set((await seen(full))[1].characters)
    given = await full.gm.menu_command("Give 1 PP", user=full.bob)
    assert "Bob: 2 PP" in given.text
    refused = await full.gm.menu_command("Give 1 PP", user=full.person("carol"))
    assert is_refused(refused)
    assert "carol doesn't play a character here yet." in refused.text
    assert set((await seen(full))[1].characters) == people


async def test_a_rating_behind_a_name_is_read_as_one(full: Game) -> None:
    assert "Alice · Rope d8 (asset)" in (await full.play("alice: /asset add what:Rope d8")).text
    refused = await full.says("alice: /asset add what:<@123> d8")
    assert "A name can't have a mention in it." in refused.text
    assert CORTEX.has((await seen(full))[1].characters["alice"]).assets.keys() == {"rope"}


async def test_a_log_and_statistics_know_members_too(full: Game) -> None:
    await full.play("gm: /comp add what:Wet who:Bob")
    assert "Bob" in (await full.says(f"gm: /log who:<@{full.bob.id}>")).text
    assert "Bob" in (await full.says(f"gm: /stats who:<@{full.bob.id}>")).text
