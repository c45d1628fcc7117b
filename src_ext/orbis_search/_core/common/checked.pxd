"""Whether this is the debug build, which stops where something breaks."""

cdef extern from *:
    """
    #ifdef ORBIS_CHECKED
    #define ORBIS_IS_CHECKED 1
    #else
    #define ORBIS_IS_CHECKED 0
    #endif
    """
    bint CHECKED "ORBIS_IS_CHECKED"
