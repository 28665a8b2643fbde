# SPDX-License-Identifier: GPL-3.0-or-later
"""When operations at a rate are due, by the specification of throng's generator."""

import math

MASK = (1 << 64) - 1
GAMMA = 0x9e3779b97f4a7c15


def mix(z):
    """Return the output function of SplitMix64."""
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9 & MASK
    z = (z ^ z >> 27) * 0x94d049bb133111eb & MASK
    return z ^ z >> 31


def due_times(seed, arrival, rate, window):
    """Return the due times of user 0 within a window, all in seconds."""
    state = mix(seed) + mix((1 << 32) * GAMMA + 1 & MASK) & MASK
    times, due = [], 0
    while due < window:
        if arrival == "poisson":
            state = state + GAMMA & MASK
            due -= math.log(((mix(state) >> 11) + 1) / 2**53) / rate
            times.append(due)
        else:
            times.append(due)
            due += 1 / rate
    return [time for time in times if time < window]
