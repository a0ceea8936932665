"""Ten cards on a phone: no more lines than they may take, nothing wider than it, all of it to be read."""

from pathlib import Path

from axe_playwright_python.base import AXE_SCRIPT
from playwright.async_api import Browser

from tests.pictures.cards import CARDS, FOLDER, SCHEMES, cards, name_of

CONTRAST = """async (message) => {
  const about = { runOnly: { type: "rule", values: ["color-contrast"] }, preload: false };
  const { violations, passes } = await axe.run(message, about);
  const told = (node) => `${node.html} ${node.failureSummary}`;
  return [violations.flatMap((each) => each.nodes.map(told)), passes.length];
}"""


async def test_ten_cards_fit_a_phone_and_can_be_read(browser: Browser, tmp_path: Path) -> None:
    seen = set()
    async for each in cards(browser, tmp_path):
        seen.add(name_of(each.card, each.scheme))
        assert each.lines <= each.card.most, each.card.name
        await each.message.page.evaluate(AXE_SCRIPT)
        wrong, passed = await each.message.evaluate(CONTRAST)
        assert not wrong, (each.card.name, each.scheme, wrong)
        assert passed, each.card.name
        assert await each.message.evaluate("one => one.scrollWidth <= one.clientWidth"), each.card.name
    assert seen == {name_of(card, scheme) for card in CARDS for scheme in SCHEMES}
    assert {path.name for path in FOLDER.iterdir()} == seen, (
        "Make the pictures anew: python -m tests.pictures"
    )
