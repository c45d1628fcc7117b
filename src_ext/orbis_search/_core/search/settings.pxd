"""The settings of the tree search as it reads them. orbis_search/search/settings.py says what each means."""

from ..common.ints cimport u32
from ..game cimport Defaults

cdef struct Settings:
    double exploration
    double breadth
    double win_part
    double spite_part
    double margin_scale
    double first_play
    u32 expand_after
    u32 grow_main
    u32 grow_everything
    u32 split_after
    u32 inherit
    int playout_style
    bint evaluate
    bint finish
    bint plain


cdef inline Settings settings_of(given, const Defaults* defaults) except *:
    """What is None is left to the game."""
    cdef Settings settings
    settings.exploration = given.exploration
    settings.breadth = given.breadth
    settings.win_part = given.win_part
    settings.spite_part = given.spite_part
    settings.margin_scale = defaults.margin_scale if given.margin_scale is None else given.margin_scale
    settings.first_play = given.first_play
    settings.expand_after = given.expand_after
    settings.grow_main = given.grow_main
    settings.grow_everything = given.grow_everything
    settings.split_after = 0 if given.plain else given.split_after
    settings.inherit = given.inherit
    settings.playout_style = defaults.playout_style if given.playout_style is None else given.playout_style
    settings.evaluate = given.evaluation == "learned"
    settings.finish = given.finish and not given.plain
    settings.plain = given.plain
    return settings
