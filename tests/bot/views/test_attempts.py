"""Deeds in sentences: notes as typed, joined by who and how it went."""

from gettext import NullTranslations

import pytest

from bot.language import speaking
from bot.language.printers import spelled
from bot.language.verbs import PAST
from bot.views.story import attempt_sentences, by_person
from rules.game import Attempt, AttemptResult

NAMES = frozenset({"mira", "ilse", "regent"})
LEDGER = Attempt(1, "Mira", "Find the ledger", AttemptResult.HEROIC)
SEAL = Attempt(2, "Mira", "Break the seal.", AttemptResult.SUCCESS)
AGAIN = Attempt(3, "Mira", "break the seal", AttemptResult.SUCCESS)
DOOR = Attempt(4, "Mira", "Force the door", AttemptResult.FAILURE)


def told(*deeds: Attempt) -> list[str]:
    return [spelled(line) for own in by_person(deeds) for line in attempt_sentences(own, NAMES)]


def one(note: str, went: AttemptResult = AttemptResult.SUCCESS, against: str = "", who: str = "Mira") -> str:
    (line,) = told(Attempt(1, who, note, went, against))
    return line


def test_a_sentence_has_all_that_one_person_tried_by_how_it_went() -> None:
    assert told(DOOR, SEAL, LEDGER, AGAIN) == [
        "Mira found the ledger (heroic) and broke the seal twice, but couldn't force the door."
    ]


def test_any_language_can_say_it() -> None:
    with speaking(NullTranslations()):
        assert told(DOOR, SEAL, LEDGER, AGAIN) == [
            "Mira: find the ledger (heroic success), break the seal (success, twice), "
            "force the door (failure)."
        ]


@pytest.mark.parametrize(
    ("note", "line"),
    [
        ("The old gate", "Mira succeeded at the old gate."),
        ("Regent’s guard", "Mira: Regent’s guard (success)."),
        ("SOS to the fleet", "Mira: SOS to the fleet (success)."),
        ("I jump", "Mira: I jump (success)."),
        ("A leap", "Mira succeeded at a leap."),
        ("Force of will", "Mira: force of will (success)."),
        ("Tür aufbrechen", "Mira: tür aufbrechen (success)."),
        ("Who goes there?", "Mira, success: Who goes there?"),
        ("“Halt!”", "Mira, success: “Halt!”"),
        ("Run. Then hide", "Mira, success: Run. Then hide"),
        (f"Find {'x' * 80}", f"Mira, success: Find {'x' * 80}"),
        ("...", "Mira: ... (success)."),
    ],
)
def test_no_other_word_of_a_note_changes(note: str, line: str) -> None:
    assert one(note) == line


@pytest.mark.parametrize(
    ("went", "line"),
    [
        (AttemptResult.HEROIC, "Mira hid (heroic)."),
        (AttemptResult.SUCCESS, "Mira hid."),
        (AttemptResult.ROLLED, "Mira rolled to hide."),
        (AttemptResult.FAILURE, "Mira couldn't hide."),
        (AttemptResult.BOTCH, "Mira couldn't hide (botch)."),
    ],
)
def test_each_outcome_has_its_words(went: AttemptResult, line: str) -> None:
    assert one("Hide", went) == line


def test_what_stood_against_it_is_named() -> None:
    assert one("Hide", against="Crisis Flood") == "Mira hid against Crisis Flood."
    assert one("The dance", against="Rex") == "Mira succeeded at the dance against Rex."
    assert one("Strike the eel", against="The Eel") == "Mira struck the eel."
    assert one("Feed the horses", against="Ed").endswith("against Ed).")


@pytest.mark.parametrize(
    ("went", "line"),
    [
        (AttemptResult.HEROIC, "Mira succeeded at a leap (heroic)."),
        (AttemptResult.ROLLED, "Mira rolled for a leap."),
        (AttemptResult.FAILURE, "Mira failed at a leap."),
        (AttemptResult.BOTCH, "Mira botched a leap."),
    ],
)
def test_a_note_that_names_a_thing_has_its_words_for_each_outcome(went: AttemptResult, line: str) -> None:
    assert one("A leap", went) == line


def test_notes_that_name_things_are_one_sentence() -> None:
    tried = (
        ("The gate", AttemptResult.FAILURE),
        ("A leap", AttemptResult.BOTCH),
        ("The rope", AttemptResult.FAILURE),
    )
    deeds = [Attempt(n, "Mira", note, went) for n, (note, went) in enumerate(tried)]
    assert told(*deeds) == ["Mira failed at the gate and the rope and botched a leap."]


def test_sentences_of_people_stand_one_behind_the_other_and_the_gm_has_one() -> None:
    howl = Attempt(5, "GM", "Howl", AttemptResult.ROLLED)
    hide = Attempt(6, "Mira", "Hide", AttemptResult.ROLLED)
    quoted = Attempt(7, "Mira", "Why?", AttemptResult.BOTCH)
    assert told(DOOR, howl, hide, quoted, Attempt(8, "GM", "Attack", AttemptResult.SUCCESS)) == [
        "Mira rolled to hide. Mira couldn't force the door.",
        "Mira, botch: Why?",
        "The GM attacked. The GM: howl (rolled).",
    ]
    three = [Attempt(n, "Mira", "Look", AttemptResult.SUCCESS) for n in range(3)]
    assert told(*three) == ["Mira looked 3 times."]


@pytest.mark.parametrize(
    ("note", "line"),
    [
        ("break the seal and run", "Mira managed to break the seal and run."),
        ("wait then strike", "Mira managed to wait then strike."),
        ("pry the lid off", "Mira pried the lid off."),
        ("convince Sander to help", "Mira convinced Sander to help."),
    ],
)
def test_a_note_that_may_have_two_verbs_keeps_its_form(note: str, line: str) -> None:
    assert one(note) == line


def test_there_are_300_verbs_each_with_its_past_form() -> None:
    assert len(PAST) == 300
    for verb, past in PAST.items():
        assert verb.isalpha()
        assert verb.islower()
        assert one(f"{verb} it") == f"Mira {past} it."
    for verb in ("stop", "try", "carry", "use", "find", "kidnap", "play"):
        assert PAST.get(verb, "tried") in [
            "stopped",
            "tried",
            "carried",
            "used",
            "found",
            "kidnapped",
            "played",
        ]
