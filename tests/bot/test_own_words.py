"""A table's own words for the game's terms: with them nothing that the bot sends has a standard one left.

Every term is called by a nonsense word, and everything that the suite knows is played. What stays are names
of commands, options and settings, what is typed, and the guide.
"""

import re
from pathlib import Path

from rules.own_words import called
from rules.terms import STANDARD, Term
from tests.bot.test_another_language import COMMAND, LAST, SETTING, sent
from tests.bot.test_every_command import CASES, prepare
from tests.game import playing

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
ELSEWHERE = ("campaign", "help", "setup", "safety x-card")
"""What is of another table or of none: new ones, the guide, the server's tables, a call to stop."""


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
