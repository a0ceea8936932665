"""What tests of an operator's commands share."""

from tests.bot.upkeep.operator import types

__all__ = ["types"]
