"""A network as Python makes it, checked: every sum fits in 32 bits whatever the inputs are."""

from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

from .common.ints cimport i16, i32, i64

HIDDEN = (FIRST, SECOND)  # numbers of the two hidden layers
CUT_OFF = MOST  # what one of them can be at most


cdef class Network:
    def __cinit__(self, int inputs, int outputs, int most_input, shifts, weights, biases):
        """`weights`: for each of the three layers, 16-bit whole numbers in the machine's order, by pairs of inputs: of
        the first two inputs for every output in turn, then of the next two. `biases`: 32-bit ones. `most_input`: what
        no input is larger than, nor its negative. ValueError for numbers that could overflow."""
        cdef int layer
        cdef bytes numbers
        if not (2 <= inputs <= 4096 and inputs % 2 == 0 and 8 <= outputs <= 256 and outputs % 8 == 0):
            raise ValueError("expected an even number of inputs and a multiple of eight outputs")
        sizes = (inputs, FIRST, SECOND, outputs)
        self.made_of = inputs, outputs, most_input, tuple(shifts), tuple(map(bytes, weights)), tuple(map(bytes, biases))
        if not len(self.made_of[3]) == len(self.made_of[4]) == len(self.made_of[5]) == 3:
            raise ValueError("expected three layers")
        self.raw.inputs = inputs
        self.raw.outputs = outputs
        for layer in range(3):
            if not 0 <= self.made_of[3][layer] < 31:
                raise ValueError(f"layer {layer + 1}: expected a shift from 0 to 30")
            self.raw.shift[layer] = self.made_of[3][layer]
            if len(self.made_of[4][layer]) != 2 * sizes[layer] * sizes[layer + 1]:
                raise ValueError(f"layer {layer + 1}: expected {sizes[layer]} times {sizes[layer + 1]} weights")
            if len(self.made_of[5][layer]) != 4 * sizes[layer + 1]:
                raise ValueError(f"layer {layer + 1}: expected {sizes[layer + 1]} biases")
            numbers = self.made_of[4][layer]
            self.raw.weights[layer] = <const i16*>copied(numbers)
            numbers = self.made_of[5][layer]
            self.raw.biases[layer] = <const i32*>copied(numbers)
            self.expect_room(layer, sizes[layer], sizes[layer + 1], MOST if layer else most_input)

    def __dealloc__(self):
        cdef int layer
        for layer in range(3):
            free(<void*>self.raw.weights[layer])
            free(<void*>self.raw.biases[layer])

    def __reduce__(self):
        return Network, self.made_of

    def expect_room(self, int layer, int inputs, int outputs, i64 most):
        """ValueError if a sum could leave 32 bits, whatever order it is added up in."""
        cdef int i, k, half
        cdef i64 sum_, weight
        for k in range(outputs):
            sum_ = abs(<i64>self.raw.biases[layer][k])
            for i in range(inputs // 2):
                for half in range(2):
                    weight = self.raw.weights[layer][2 * (i * outputs + k) + half]
                    sum_ += most * abs(weight)
            if sum_ >= <i64>1 << 31:
                raise ValueError(f"layer {layer + 1}: the weights of output {k} are too large")

    def run(self, inputs):
        """The outputs for so many inputs."""
        cdef i16 given[4096]
        cdef i32 found[256]
        cdef int i
        if len(inputs) != self.raw.inputs or any([abs(value) > self.made_of[2] for value in inputs]):
            raise ValueError(f"expected {self.raw.inputs} inputs of at most {self.made_of[2]}")
        for i in range(self.raw.inputs):
            given[i] = inputs[i]
        network_run(&self.raw, given, found)
        return [found[i] for i in range(self.raw.outputs)]


cdef void* copied(bytes numbers) except NULL:
    """Where they stand on their own, at an address fit for numbers."""
    cdef void* room = malloc(len(numbers))
    if room == NULL:
        raise MemoryError()
    memcpy(room, <const char*>numbers, len(numbers))
    return room
