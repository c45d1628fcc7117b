"""Worshipers packed in words.

    byte     7  6  5    4      3      2      1      0
             0  0  0  white yellow  blue  green   red

A word holds a realm, a cost or what lies on a centre tile. Every byte stays below 128 (the readers
refuse more than 56 worshipers on a tile, a game adds at most 56, a realm brings 10 and a gain 5), so
the top bit of a byte is free to catch a borrow: all five colours are compared in one subtraction.

A realm at the end of a turn holds at most 10, and then also fits in nibbles, 20 bits, the same order.
"""

from ..common.bits cimport gather, lowest, scatter
from ..common.ints cimport u32, u64

cdef enum:
    RED = 0
    GREEN = 1
    BLUE = 2
    YELLOW = 3
    WHITE = 4
    COLOURS = 5
    LIMIT = 10
    RATE = 3  # worshipers of one colour for one of another

cdef enum:
    MAX_SUBSETS = 1001  # ways to choose 10 worshipers of 5 colours


cdef inline u64 one(int colour) noexcept nogil:
    return <u64>1 << (8 * colour)


cdef inline u64 of_each(int n) noexcept nogil:
    """So many of every colour."""
    return n * <u64>0x0101010101


cdef inline int count(u64 words, int colour) noexcept nogil:
    return <int>((words >> (8 * colour)) & 0xFF)


cdef inline int total(u64 words) noexcept nogil:
    """Sum of the bytes: each is multiplied up into the top one."""
    return <int>((words * <u64>0x0101010101010101) >> 56)


cdef inline u64 tops(u64 have, u64 want) noexcept nogil:
    """The top bit of each colour's byte where have >= want."""
    return ((have | <u64>0x8080808080) - want) & <u64>0x8080808080


cdef inline bint covers(u64 have, u64 want) noexcept nogil:
    return tops(have, want) == <u64>0x8080808080


cdef inline u64 missing(u64 have, u64 want) noexcept nogil:
    """want - have where that is positive, colour by colour."""
    cdef u64 short_of = <u64>0x8080808080 ^ tops(have, want)
    cdef u64 bytes_ = (short_of << 1) - (short_of >> 7)  # 0xFF in each byte that falls short
    return (want & bytes_) - (have & bytes_)


cdef inline u64 to_nibbles(u64 realm) noexcept nogil:
    return gather(realm, <u64>0x0F0F0F0F0F)


cdef inline u64 from_nibbles(u64 nibbles) noexcept nogil:
    return scatter(nibbles, <u64>0x0F0F0F0F0F)


cdef inline int pick(u64 words, int k) noexcept nogil:
    """The colour of worshiper number k (from 0) when all stand in a row by colour."""
    cdef u64 sums = words * <u64>0x0101010101  # running sums, byte by byte
    return lowest(tops(sums & <u64>0xFFFFFFFFFF, of_each(k + 1))) >> 3


cdef inline int exchanges(u64 words) noexcept nogil:
    """How many exchanges the worshipers give when each colour is used for itself: every byte divided by RATE.

    x / 3 is x * 171 / 512 for all a byte can hold; every other byte at a time, to leave room for the product.
    """
    cdef u64 even = ((words & <u64>0xFF00FF00FF) * 171 >> 9) & <u64>0x7F007F007F
    cdef u64 odd = ((words >> 8 & <u64>0x00FF00FF) * 171 >> 9) & <u64>0x007F007F
    return total(even + odd)


cdef inline int subsets(u64 words, int n, u64* out) noexcept nogil:
    """Every way to choose n of them (n <= 10), as words; returns how many: MAX_SUBSETS at most."""
    cdef int r, g, b, y, found = 0
    cdef int red = count(words, RED), green = count(words, GREEN), blue = count(words, BLUE)
    cdef int yellow = count(words, YELLOW), white = count(words, WHITE)
    for r in range(max(0, n - green - blue - yellow - white), min(red, n) + 1):
        for g in range(max(0, n - r - blue - yellow - white), min(green, n - r) + 1):
            for b in range(max(0, n - r - g - yellow - white), min(blue, n - r - g) + 1):
                for y in range(max(0, n - r - g - b - white), min(yellow, n - r - g - b) + 1):
                    out[found] = (<u64>r | <u64>g << 8 | <u64>b << 16 | <u64>y << 24
                                  | <u64>(n - r - g - b - y) << 32)
                    found += 1
    return found
