"""From a network in real numbers to one in whole numbers, and back."""

from __future__ import annotations

from typing import Any

from ..core.searches import CUT_OFF, Network
from ..core.states import LARGEST_INPUT

HIDDEN_UNIT = 7  # bits: what a hidden layer passes on is in parts of 128 ...
OUTPUT_UNIT = 10  # ... and the outputs in parts of 1024
CEILING = CUT_OFF / (1 << HIDDEN_UNIT)  # of a hidden number
FINEST = 18  # bits that a weight has behind its point, at most


def to_network(weights: list[Any], biases: list[Any]) -> Network:
    """As fine as 16 bits for a weight and 32 for a sum allow. `weights`: arrays of inputs times outputs."""
    import numpy as np

    shifts, packed_weights, packed_biases = [], [], []
    for layer, (weight, bias) in enumerate(zip(weights, biases)):
        unit, most = (0, LARGEST_INPUT) if layer == 0 else (HIDDEN_UNIT, CUT_OFF)
        out_unit = HIDDEN_UNIT if layer < 2 else OUTPUT_UNIT
        for bits in range(FINEST, 0, -1):
            shift = bits + unit - out_unit
            half = 1 << (shift - 1) if shift > 0 else 0  # so that shifting rounds
            whole = np.rint(np.asarray(weight, np.float64) * 2.0**bits)
            whole_bias = np.rint(np.asarray(bias, np.float64) * 2.0 ** (bits + unit)) + half
            largest = (np.abs(whole).sum(0) * most + np.abs(whole_bias)).max()
            if shift >= 0 and np.abs(whole).max() < 1 << 15 and largest < 1 << 31:
                break
        else:
            raise ValueError(f"layer {layer + 1}: the weights are too large")
        inputs, outputs = whole.shape
        shifts.append(shift)
        packed_weights.append(whole.reshape(inputs // 2, 2, outputs).transpose(0, 2, 1).astype(np.int16).tobytes())
        packed_biases.append(whole_bias.astype(np.int32).tobytes())
    inputs, outputs = weights[0].shape[0], weights[-1].shape[1]
    return Network(inputs, outputs, LARGEST_INPUT, shifts, packed_weights, packed_biases)


def from_network(network: Network) -> tuple[list[Any], list[Any]]:
    """Weights and biases in real numbers, to go on training from."""
    import numpy as np

    _inputs, _outputs, _most, shifts, packed_weights, packed_biases = network.made_of
    weights, biases = [], []
    for layer, shift in enumerate(shifts):
        unit, out_unit = 0 if layer == 0 else HIDDEN_UNIT, HIDDEN_UNIT if layer < 2 else OUTPUT_UNIT
        bits = shift + out_unit - unit
        bias = np.frombuffer(packed_biases[layer], np.int32).astype(np.float64)
        whole = np.frombuffer(packed_weights[layer], np.int16).astype(np.float64)
        whole = whole.reshape(-1, len(bias), 2).transpose(0, 2, 1).reshape(-1, len(bias))
        half = 1 << (shift - 1) if shift > 0 else 0
        weights.append(whole / 2.0**bits)
        biases.append((bias - half) / 2.0 ** (bits + unit))
    return weights, biases
