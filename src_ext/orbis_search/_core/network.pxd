"""A network in whole numbers, for any game; see common/network.h."""

from .common.ints cimport i16, i32

cdef extern from "common/network.h":
    enum:
        FIRST "ORBIS_FIRST"
        SECOND "ORBIS_SECOND"
        MOST "ORBIS_MOST"
    ctypedef struct RawNetwork "OrbisNetwork":
        int inputs
        int outputs
        int shift[3]
        const i16* weights[3]
        const i32* biases[3]
    void network_run "orbis_network_run"(const RawNetwork* network, const i16* inputs, i32* outputs) noexcept nogil


cdef class Network:
    """One that can be asked. Whoever keeps a pointer to `raw` keeps the Network too."""

    cdef RawNetwork raw
    cdef readonly tuple made_of
