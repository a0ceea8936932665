"""Looking for garbage seldom: a look at everything that a bot remembers keeps everybody waiting.

What is done with goes by itself in Python; the collector finds only what points at itself. Little of ours
does, and a thousand remembered tables took it 200 ms at a time.
"""

import gc

YOUNG = 2_000
"""So many new things are looked through at once, in a millisecond or two."""
OLDER = 10
"""After so many such looks all that came since is looked through again, in some 10 ms."""
OLD = 50
"""After so many of those, everything since the start, if it has grown by a quarter."""


def settle() -> None:
    """Leave alone whatever is there by now, and look seldom at what comes."""
    gc.freeze()
    gc.set_threshold(YOUNG, OLDER, OLD)
    gc.enable()
