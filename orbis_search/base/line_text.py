"""Any text as a part of a one-line form that no shell takes apart.

Letters, digits and . / - _ stand for themselves, "+" for a blank, "=" for a colon, and "@" with two hexadecimal digits
for one byte of any other character in UTF-8.
"""

from __future__ import annotations

import re

from .language import _
from .reading import Reading

_PLAIN = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789./-_")


def encoded_text(text: str) -> str:
    out = []
    for byte in text.encode("utf-8"):
        if byte in _PLAIN:
            out.append(chr(byte))
        else:
            out.append({0x20: "+", 0x3A: "="}.get(byte, f"@{byte:02X}"))
    return "".join(out)


def decoded_text(text: str, place: str, reading: Reading) -> str:
    out = bytearray()
    for part in re.split(r"(@[0-9A-Fa-f]{2})", text):
        if re.fullmatch(r"@[0-9A-Fa-f]{2}", part):
            out.append(int(part[1:], 16))
        elif "@" in part:
            reading.expected(place, _("two hexadecimal digits after each @"), text)
        else:
            # A person may type a letter beyond ASCII as it is; a stray half character stays a problem.
            out += part.replace("+", " ").replace("=", ":").encode("utf-8", "surrogatepass")
    try:
        return out.decode("utf-8")
    except UnicodeDecodeError:
        reading.expected(place, _("characters in UTF-8"), text)
        return ""
