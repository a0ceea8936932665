"""The tests, and what they share."""

import os
import sys

# Many images tell Python to keep no bytecode. Each worker would rewrite all tests then, and each process that
# a test starts compile all of the bot. Workers and processes come after this.
if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
    sys.dont_write_bytecode = False
