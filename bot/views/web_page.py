"""Files that are web pages, from the templates beside this module."""

from base64 import b64encode
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from bot.language.printers import tagged

if TYPE_CHECKING:
    from jinja2 import Environment


def render(template: str, **values: object) -> str:
    """Return a page as HTML, in which everything is escaped but lines, which only have their own emphasis.

    Raises LookupError if there is no such template.
    """
    written: str = _environment().get_template(template).render(**values)
    return written


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # no start has to wait for it
    from markupsafe import Markup

    loader = FileSystemLoader(Path(__file__).parent)
    made = Environment(autoescape=True, undefined=StrictUndefined, keep_trailing_newline=True, loader=loader)
    made.filters["told"] = lambda line: Markup(tagged(line))
    made.filters["drawn"] = Markup
    made.filters["base64"] = lambda data: b64encode(data).decode()
    return made
