"""Growing a net without changing what it computes."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from kibitz import _core
from kibitz.engine.network_file import layers_of, payload_of

NEW_UNIT_SPREAD = 0.19
"""Spread of the incoming weights of new first-layer units, as for a fresh net: about 28 inputs are active at a time."""


def grown(payload: bytes, old: tuple[int, int, int], new: tuple[int, int, int], seed: int) -> bytes:
    """The payload of a larger net that gives the same outputs: new units have random inputs and no say yet."""
    if any(after < before for before, after in zip(old, new, strict=True)):
        raise ValueError(f"a net of {old} cannot grow to {new}")
    random = np.random.default_rng(seed)
    layers = layers_of(payload, old)
    activation, weight = _core.ACTIVATION_ONE, _core.WEIGHT_ONE

    def widened(name: str, axis: int, size: int, spread: float) -> None:
        values = layers[name]
        shape = list(values.shape)
        shape[axis] = size - shape[axis]
        fresh: npt.NDArray[np.float64] = random.normal(0.0, 1.0, shape) * spread
        layers[name] = np.concatenate([values, fresh.round().astype(values.dtype)], axis=axis)

    widened("units", 1, new[0], NEW_UNIT_SPREAD * activation)
    widened("bias1", 0, new[0], 0.0)
    # The first axis of the later layers is that of their sets.
    widened("weights2", 1, new[0], 0.0)
    widened("weights2", 2, new[1], weight * (2.0 / new[0]) ** 0.5)
    widened("bias2", 1, new[1], 0.0)
    widened("weights3", 1, new[1], 0.0)
    widened("weights3", 2, new[2], weight * (2.0 / new[1]) ** 0.5)
    widened("bias3", 1, new[2], 0.0)
    widened("weights4", 1, new[2], 0.0)
    # The unit that counts checkers beyond four is multiplied by the count: start those small. Features start at 0.
    counts, features = layers["units"][: _core.COUNT_UNITS], layers["units"][_core.COUNT_UNITS :]
    counts[4::5, old[0] :] //= 4
    features[:, old[0] :] = 0
    return payload_of(layers)
