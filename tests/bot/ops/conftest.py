"""What tests of an operator's commands share."""

from tests.bot.ops.operator import types

__all__ = ["types"]
