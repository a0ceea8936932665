"""The table as a page to print: one sheet of paper, and readable on a phone."""

import re

from tests.bot.test_chronicle import file_of
from tests.browser.house import House
from tests.browser.test_looks import PHONE

EVENING = (
    "gm: /campaign new name:Skyfall ruleset:adept",
    "gm: /session start",
    "gm: /scene start name:The burning hangar",
    "gm: /crisis new name:Fire dice:d6 d8",
    *(
        line
        for number in range(4)
        for line in (
            f"gm: /character new name:Hero {number}",
            *(f"gm: /comp add what:Trouble {place} who:Hero {number}" for place in range(6)),
            f"gm: /gmc new name:Guard {number} dice:3d8 kind:boss",
        )
    ),
)


async def test_a_full_table_is_one_sheet_of_paper(house: House) -> None:
    for line in EVENING:
        await house.game.says(line)
    written = file_of(await house.game.says("gm: /table show as:Page"))[1]
    page = await house.browser.new_page(viewport={"width": PHONE, "height": 844})
    await page.set_content(written)
    assert await page.evaluate("document.documentElement.scrollWidth") <= PHONE
    printed = await page.pdf(format="A4")
    assert len(re.findall(rb"/Type\s*/Page\b(?!s)", printed)) == 1
    assert await page.evaluate("document.querySelectorAll('.cast li').length") >= 4
    await page.close()
