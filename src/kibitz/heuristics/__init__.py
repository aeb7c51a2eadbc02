"""Two hand-made engines that explain themselves, and the shot counter.

tabula       pseudopips, blots and hits of every play and of every reply to it
ten_factor   ten weighted factors of every play
shots        which of the 36 rolls hit which blot
settings     the weights of both, from a file or the command line
compare      two plays side by side, in numbers and in words
"""

from kibitz.heuristics.settings import TabulaSettings, TenFactorSettings
from kibitz.heuristics.shots import Shots, shots
from kibitz.heuristics.tabula import Tabula, TabulaPlay
from kibitz.heuristics.ten_factor import TenFactor, TenFactorPlay

__all__ = [
    "Shots",
    "Tabula",
    "TabulaPlay",
    "TabulaSettings",
    "TenFactor",
    "TenFactorPlay",
    "TenFactorSettings",
    "shots",
]
