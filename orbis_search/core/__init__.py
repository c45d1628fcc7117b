"""The only door to the compiled core: packing, and the rules at full speed."""

import os

from ..base.errors import CoreError

try:
    from .._core import LEVEL
except ModuleNotFoundError as error:
    if error.name != "orbis_search._core":
        raise
    # The source folder, where the core's sources are elsewhere.
    package = os.path.dirname(os.path.dirname(__file__))
    raise CoreError.not_compiled(package, os.path.dirname(package)) from None

__all__ = ["LEVEL"]
