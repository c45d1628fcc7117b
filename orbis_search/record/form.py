"""How a game is told from a position. Imports next to nothing: `orbis check` asks before it reads anything."""

from __future__ import annotations

import re

HEAD = "orbis-game"
VERSION = 1
COMMENT_MARKS = ("#", ";")  # that a comment line may begin with
# A position has neither of them, and inside a JSON string the quotation marks would be escaped.
_IN_JSON = re.compile(rf'"format"\s*:\s*"{HEAD}"|"turns"\s*:\s*\[')


def is_game(text: str) -> bool:
    """Whether a text is meant as a game, right or wrong, and not as a position.

    >>> is_game("# ours\\norbis-game 1\\nplayers: Anna, Bo\\n"), is_game('{"start": {}, "turns": []}')
    (True, True)
    >>> is_game('tiles = "reconstruction"\\n'), is_game('{"format": "orbis-position"}')
    (False, False)
    """
    text = text.removeprefix("\ufeff").lstrip()
    if text.startswith("{"):
        return _IN_JSON.search(text) is not None
    for line in text.split("\n"):
        if (body := line.strip()) and not body.startswith(COMMENT_MARKS):
            return body.lower().startswith(HEAD)
    return False
