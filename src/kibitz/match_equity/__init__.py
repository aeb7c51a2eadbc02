"""Match equity: the chance to win a match by its score, and equities at a score."""

from kibitz.match_equity.cube_model import cube_model, emg_of, mwc_of
from kibitz.match_equity.tables import MAX_LENGTH, MatchEquityTable

__all__ = ["MAX_LENGTH", "MatchEquityTable", "cube_model", "emg_of", "mwc_of"]
