"""
Kibitz's native core. Use the kibitz package instead: its names and errors are the stable ones.
"""

from collections.abc import Sequence
import enum
from typing import Annotated, Any, overload

import numpy
from numpy.typing import NDArray


def compiler() -> str: ...

def instruction_set() -> str: ...

def legal_results(position: bytes, first: int, second: int) -> list[bytes]:
    """
    The distinct positions after every legal play, each seen by the opponent.
    """

def moves_between(position: bytes, first: int, second: int, result: bytes) -> list[tuple[int, int, bool]]:
    """
    The steps (source, target, hit) that lead to a result; 25 is the bar, 0 is off.
    """

def legal_results_bulk(boards: Annotated[NDArray[numpy.uint8], dict(shape=(None, 2, 25), order='C', device='cpu', writable=False)], dice: Annotated[NDArray[numpy.uint8], dict(shape=(None, 2), order='C', device='cpu', writable=False)]) -> tuple[NDArray[numpy.int64], NDArray[numpy.uint8]]:
    """
    For n boards and rolls: n + 1 offsets, and all results one after the other.
    """

def first_invalid(boards: Annotated[NDArray[numpy.uint8], dict(shape=(None, 2, 25), order='C', device='cpu', writable=False)]) -> int:
    """The index of the first impossible board, or -1."""

def position_ids(boards: Annotated[NDArray[numpy.uint8], dict(shape=(None, 2, 25), order='C', device='cpu', writable=False)]) -> NDArray[numpy.uint8]:
    """The Position IDs of n boards as (n, 14) characters."""

def mixed_keys(boards: Annotated[NDArray[numpy.uint8], dict(shape=(None, 2, 25), order='C', device='cpu', writable=False)]) -> int:
    """One number made of the position keys of all boards."""

def count_results(boards: Annotated[NDArray[numpy.uint8], dict(shape=(None, 2, 25), order='C', device='cpu', writable=False)]) -> int:
    """How many distinct results all 21 rolls have on these boards together."""

def position_id(position: bytes) -> str: ...

def position_from_id(position_id: str) -> bytes | None: ...

class OneSidedTable:
    @staticmethod
    def build(points: int, checkers: int, threads: int, progress: object | None) -> OneSidedTable: ...

    @staticmethod
    def shared() -> OneSidedTable: ...

    @staticmethod
    def write(path: str, points: int, checkers: int, threads: int, progress: object | None, keep_every: float) -> str:
        """
        Builds a table into a file, from where an earlier build was cut off; why it could not, or nothing.
        """

    @staticmethod
    def open(path: str, points: int, checkers: int, check: bool) -> tuple[OneSidedTable | None, str]: ...

    @property
    def size(self) -> int: ...

    def numbers(self, rows: Annotated[NDArray[numpy.uint8], dict(shape=(None, 25), order='C', device='cpu', writable=False)]) -> NDArray[numpy.uint32]: ...

    def row(self, number: int) -> list[int]: ...

    def look_up(self, rows: Annotated[NDArray[numpy.uint8], dict(shape=(None, 25), order='C', device='cpu', writable=False)]) -> NDArray[numpy.float64]: ...

    def distribution(self, number: int, first: bool) -> NDArray[numpy.float64]: ...

    def win(self, boards: Annotated[NDArray[numpy.uint8], dict(shape=(None, 2, 25), order='C', device='cpu', writable=False)]) -> NDArray[numpy.float64]: ...

    def use(self) -> None: ...

    def measure_look_ups(self, boards: Annotated[NDArray[numpy.uint8], dict(shape=(None, 2, 25), order='C', device='cpu', writable=False)], rounds: int) -> tuple[float, float]: ...

    def measure_chances(self, arg0: Annotated[NDArray[numpy.uint8], dict(shape=(None, 2, 25), order='C', device='cpu', writable=False)], arg1: int, /) -> tuple[float, float]: ...

class TwoSidedTable:
    @staticmethod
    def build(points: int, checkers: int, threads: int, progress: object | None) -> TwoSidedTable: ...

    @staticmethod
    def shared() -> TwoSidedTable: ...

    @staticmethod
    def write(path: str, points: int, checkers: int, threads: int, progress: object | None, keep_every: float) -> str: ...

    @staticmethod
    def open(path: str, points: int, checkers: int, check: bool) -> tuple[TwoSidedTable | None, str]: ...

    @property
    def size(self) -> int: ...

    def look_up(self, boards: Annotated[NDArray[numpy.uint8], dict(shape=(None, 2, 25), order='C', device='cpu', writable=False)]) -> NDArray[numpy.float64]: ...

    def cube(self, position: bytes) -> tuple[float, float, float, float]: ...

    def use(self) -> None: ...

    def measure_look_ups(self, arg0: Annotated[NDArray[numpy.uint8], dict(shape=(None, 2, 25), order='C', device='cpu', writable=False)], arg1: int, /) -> tuple[float, float]: ...

class HypergammonTable:
    @staticmethod
    def build(checkers: int, threads: int, progress: object | None) -> HypergammonTable: ...

    @staticmethod
    def write(path: str, checkers: int, threads: int, progress: object | None, keep_every: float) -> str: ...

    @staticmethod
    def open(path: str, checkers: int, check: bool) -> tuple[HypergammonTable | None, str]: ...

    @staticmethod
    def bytes_of(checkers: int) -> int: ...

    @staticmethod
    def positions_of(checkers: int) -> int: ...

    @property
    def checkers(self) -> int: ...

    def look_up(self, boards: Annotated[NDArray[numpy.uint8], dict(shape=(None, 2, 25), order='C', device='cpu', writable=False)]) -> NDArray[numpy.float32]: ...

    def attach(self) -> None: ...

    def measure_look_ups(self, arg0: Annotated[NDArray[numpy.uint8], dict(shape=(None, 2, 25), order='C', device='cpu', writable=False)], arg1: int, /) -> tuple[float, float]: ...

def put_away_tables() -> None:
    """From now on only the tables in memory answer."""

def position_class(position: bytes) -> int:
    """The number of a position's class."""

def exact_answer(position: bytes, total: int) -> int:
    """
    Which table answers for a position: the number of an answer, 0 for none.
    """

def exact_outputs(boards: Annotated[NDArray[numpy.uint8], dict(shape=(None, 2, 25), order='C', device='cpu', writable=False)], total: int) -> tuple[NDArray[numpy.float32], NDArray[numpy.bool_]]:
    """The five outputs of each board, and whether they are known exactly."""

def exact_money_equities(position: bytes, total: int) -> tuple[float, float, float, float, float] | None:
    """
    Cubeless, centred, Jacoby, owned and unavailable money equities, if a table knows them.
    """

class Network:
    def __init__(self, width: int, hidden1: int, hidden2: int, payload: bytes) -> None: ...

    def evaluate_batch(self, boards: Annotated[NDArray[numpy.uint8], dict(shape=(None, 2, 25), order='C', device='cpu', writable=False)]) -> NDArray[numpy.float32]:
        """The raw outputs of the net, without tables, not clamped."""

    def hidden(self, boards: Annotated[NDArray[numpy.uint8], dict(shape=(None, 2, 25), order='C', device='cpu', writable=False)]) -> NDArray[numpy.uint8]:
        """
        What both dense layers of the net make of each board: (n, hidden1 + hidden2) bytes.
        """

class RaceNetwork:
    """The net for one side of a race."""

    def __init__(self, width: int, hidden: int, payload: bytes) -> None: ...

def turns_distributions(network: RaceNetwork, rows: Annotated[NDArray[numpy.uint8], dict(shape=(None, 25), order='C', device='cpu', writable=False)]) -> tuple[NDArray[numpy.float32], NDArray[numpy.float32]]:
    """
    For rows (n, 25): the chances (n, RACE_TURNS) of each turn to bear off the last checker, and (n, FIRST_TURNS) the first one.
    """

def turns_guesses(rows: Annotated[NDArray[numpy.uint8], dict(shape=(None, 25), order='C', device='cpu', writable=False)]) -> NDArray[numpy.float32]:
    """
    For rows (n, 25): mean and steepness of the guess for the last checker, and for the first.
    """

GUESSED_BITS: int = 120

ROW_UNITS: int = 130

RACE_TURNS: int = 32

FIRST_TURNS: int = 16

class LinearPrefilter:
    """The slope of a net: a look that is cheaper than the net."""

    def __init__(self, width: int, hidden1: int, hidden2: int, payload: bytes) -> None: ...

class Evaluator:
    def evaluate_batch(self, boards: Annotated[NDArray[numpy.uint8], dict(shape=(None, 2, 25), order='C', device='cpu', writable=False)]) -> NDArray[numpy.float32]:
        """Boards (n, 2, 25) to outputs (n, 5), each for its player on roll."""

    def best_plays(self, boards: Annotated[NDArray[numpy.uint8], dict(shape=(None, 2, 25), order='C', device='cpu', writable=False)], dice: Annotated[NDArray[numpy.uint8], dict(shape=(None, 2), order='C', device='cpu', writable=False)], shortlist: int = 0) -> tuple[int, NDArray[numpy.uint8], NDArray[numpy.float32]]:
        """
        For n boards and rolls: plays considered, the best results (n, 2, 25), outputs (n, 5) of the ones who play.
        """

    def rank_results(self, position: bytes, first: int, second: int) -> list[tuple[bytes, list[float]]]:
        """
        The results of a roll, best first, with the outputs of the one who plays.
        """

class NeuralEvaluator(Evaluator):
    def __init__(self, contact: Network, race: RaceNetwork, pruning: Network, prefilter: LinearPrefilter | None = None) -> None: ...

def features(boards: Annotated[NDArray[numpy.uint8], dict(shape=(None, 2, 25), order='C', device='cpu', writable=False)]) -> NDArray[numpy.uint8]:
    """Which features are on in each board: (n, FEATURE_UNITS) of 0 and 1."""

COUNT_UNITS: int = 260

FEATURE_UNITS: int = 1486

BUCKETS: int = 16

ACTIVATION_ONE: int = 1024

WEIGHT_ONE: int = 4096

MAX_WIDTH: int = 2048

class Learner:
    def __init__(self, width: int, hidden1: int, hidden2: int, seed: int, features: bool = False, buckets: bool = False) -> None: ...

    def train(self, boards: Annotated[NDArray[numpy.uint8], dict(shape=(None, 2, 25), order='C', device='cpu', writable=False)], targets: Annotated[NDArray[numpy.float32], dict(shape=(None, 5), order='C', device='cpu', writable=False)], indices: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)], batch: int, rate: float, averaging: float) -> float: ...

    def evaluate_batch(self, boards: Annotated[NDArray[numpy.uint8], dict(shape=(None, 2, 25), order='C', device='cpu', writable=False)], averaged: bool = True) -> NDArray[numpy.float32]: ...

    def payload(self, averaged: bool = True) -> bytes: ...

    def load_payload(self, payload: bytes) -> None: ...

    def state(self) -> NDArray[numpy.float32]: ...

    def set_state(self, state: Annotated[NDArray[numpy.float32], dict(shape=(None,), order='C', device='cpu', writable=False)], steps: int) -> None: ...

    @property
    def steps(self) -> int: ...

    @property
    def shape(self) -> tuple[int, int, int]: ...

class RaceTeacher:
    """Exact one-sided backups, and rows for further ones."""

    def __init__(self, network: RaceNetwork, seed: int) -> None: ...

    def set_network(self, network: RaceNetwork) -> None: ...

    def teach(self, rows: Annotated[NDArray[numpy.uint8], dict(shape=(None, 25), order='C', device='cpu', writable=False)]) -> tuple[NDArray[numpy.float32], NDArray[numpy.uint8]]:
        """
        For rows (n, 25) with a checker outside: targets (n, RACE_TURNS + FIRST_TURNS), and the rows a turn later.
        """

class Generator:
    def __init__(self, evaluator: Evaluator, seed: int) -> None: ...

    def set_evaluator(self, evaluator: Evaluator) -> None: ...

    def set_settings(self, exact: bool, shortlist: int, explore: float, explore_near: float, random_openings: float, doubt: float = 0.0) -> None: ...

    def generate(self, count: int, lambda_: float) -> tuple[int, NDArray[numpy.uint8], NDArray[numpy.float32]]:
        """Games until there are `count` samples: games, boards, targets."""

    def record(self, count: int, starts: Annotated[NDArray[numpy.uint8], dict(shape=(None, 2, 25), order='C', device='cpu', writable=False)]) -> tuple[NDArray[numpy.uint8], NDArray[numpy.float32], NDArray[numpy.float32], NDArray[numpy.uint8]]:
        """
        Games from these starts (none: as generate does) until there are `count` turns: boards, the net's values, backups, and whether what the next turn learnt flows back.
        """

def lambda_returns(values: Annotated[NDArray[numpy.float32], dict(shape=(None, 5), order='C', device='cpu', writable=False)], backups: Annotated[NDArray[numpy.float32], dict(shape=(None, 5), order='C', device='cpu', writable=False)], traced: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], lambda_: float) -> NDArray[numpy.float32]:
    """The targets of recorded turns."""

class MatchEquity:
    def __init__(self, pre_crawford: Sequence[Sequence[float]], post_crawford: Sequence[float]) -> None: ...

    @property
    def length(self) -> int: ...

    def chance(self, my_away: int, their_away: int, after_crawford: bool) -> float: ...

    def after_game(self, my_away: int, their_away: int, points: int) -> float: ...

class CubeOwner(enum.Enum):
    CENTRED = 0

    MINE = 1

    THEIRS = 2

class Efficiency:
    """How far between dead (0) and live (1) the cube is."""

    @overload
    def __init__(self, shared: float, jacoby: float, owned: float, swing: float, far: float, gammons: float) -> None: ...

    @overload
    def __init__(self, all: float) -> None: ...

    @property
    def shared(self) -> float: ...

    @shared.setter
    def shared(self, arg: float, /) -> None: ...

    @property
    def jacoby(self) -> float: ...

    @jacoby.setter
    def jacoby(self, arg: float, /) -> None: ...

    @property
    def owned(self) -> float: ...

    @owned.setter
    def owned(self, arg: float, /) -> None: ...

    @property
    def swing(self) -> float: ...

    @swing.setter
    def swing(self, arg: float, /) -> None: ...

    @property
    def far(self) -> float: ...

    @far.setter
    def far(self, arg: float, /) -> None: ...

    @property
    def gammons(self) -> float: ...

    @gammons.setter
    def gammons(self, arg: float, /) -> None: ...

class RaceEfficiency:
    @property
    def most(self) -> float: ...

    @most.setter
    def most(self, arg: float, /) -> None: ...

    @property
    def half_pips(self) -> float: ...

    @half_pips.setter
    def half_pips(self, arg: float, /) -> None: ...

class CubeEfficiency:
    def __init__(self) -> None: ...

    def of(self, position: bytes) -> Efficiency: ...

    @property
    def contact(self) -> Efficiency: ...

    @contact.setter
    def contact(self, arg: Efficiency, /) -> None: ...

    @property
    def shared_race(self) -> RaceEfficiency: ...

    @shared_race.setter
    def shared_race(self, arg: RaceEfficiency, /) -> None: ...

    @property
    def owned_race(self) -> RaceEfficiency: ...

    @owned_race.setter
    def owned_race(self, arg: RaceEfficiency, /) -> None: ...

    @property
    def swing_pips(self) -> float: ...

    @swing_pips.setter
    def swing_pips(self, arg: float, /) -> None: ...

class CubeModel:
    def __init__(self, *, my_away: int = 0, their_away: int = 0, cube: int = 1, owner: CubeOwner = CubeOwner.CENTRED, crawford: bool = False, jacoby: bool = True, beavers: bool = False, max_cube: int = 1024, table: MatchEquity | None = None) -> None: ...

    @property
    def is_money(self) -> bool: ...

    @property
    def present(self) -> int: ...

    def with_owner(self, owner: CubeOwner) -> int: ...

    def doubled(self, state: int, doubler: int) -> int: ...

    def undecided(self, outputs: Sequence[float], efficiency: Efficiency, on_roll: int, state: int) -> float:
        """
        The value of five outputs in a cube state before the player on roll thinks of doubling.
        """

    def decided(self, outputs: Sequence[float], efficiency: Efficiency, on_roll: int, state: int) -> float:
        """The same with the best cube decision."""

    def dead(self, outputs: Sequence[float], on_roll: int, state: int) -> float:
        """The value with a dead cube."""

    def normalised(self, utility: float, side: int) -> float: ...

    def match_chance(self, utility: float) -> float: ...

    def points(self, outputs: Sequence[float], state: int, efficiency: Efficiency) -> tuple[float, float, float]:
        """Doubling, cash and too-good point; not a number where there is none."""

class MockEvaluator(Evaluator):
    """A smooth function of pips and blots, for tests."""

    def __init__(self) -> None: ...

class CancelFlag:
    def __init__(self) -> None: ...

    def set(self) -> None: ...

    def clear(self) -> None: ...

    @property
    def is_set(self) -> bool: ...

class FilterStep:
    def __init__(self, keep: int, extra: int, threshold: float) -> None: ...

class TreeSettings:
    def __init__(self, cubeful: bool, replies: int, last_replies: int, efficiency: CubeEfficiency, checkers: int) -> None: ...

class RankSettings:
    def __init__(self, plies: int, filter: Sequence[FilterStep], tree: TreeSettings) -> None: ...

class Analyst:
    def __init__(self, evaluator: Evaluator, threads: int, cache_bytes: int, exact: bool = True) -> None: ...

    @property
    def threads(self) -> int: ...

    @property
    def cache_bytes(self) -> int: ...

    def clear_cache(self) -> None: ...

    def rank(self, position: bytes, first: int, second: int, model: CubeModel, settings: RankSettings, asked: Sequence[bytes], seconds: float | None = None, cancel: CancelFlag | None = None) -> tuple[list[tuple[bytes, tuple[float, float, float, float, float], float, float, int]], int, bool]:
        """
        Results as (position, outputs, utility, equity, plies), the plies reached, and whether it was cancelled.
        """

    def cube(self, position: bytes, model: CubeModel, owner: CubeOwner, plies: int, settings: TreeSettings, cancel: CancelFlag | None = None) -> tuple[tuple[float, float, float, float, float], float, float, float, bool, float] | None:
        """
        (outputs, no double, double/take, double/pass, may double, dead) with the cube in these hands; None if cancelled.
        """

    def value(self, position: bytes, model: CubeModel, plies: int, settings: TreeSettings, cancel: CancelFlag | None = None) -> tuple[tuple[float, float, float, float, float], float] | None:
        """Outputs and present value of a position; None if cancelled."""

    def roll_values(self, position: bytes, model: CubeModel, plies: int, settings: TreeSettings, cancel: CancelFlag | None = None) -> object:
        """
        The value of each of the 21 rolls to the player on roll; None if cancelled.
        """

    def roll_replies(self, position: bytes, model: CubeModel, plies: int, settings: TreeSettings, cancel: CancelFlag | None = None) -> list[tuple[bytes, tuple[float, float, float, float, float], float, float | None]] | None:
        """
        For each of the 21 rolls the best reply, its outputs, its value and that of the doubled cube; None if cancelled.
        """

def tabula_analyze(position: bytes, first: int, second: int, weights: Sequence[float], threads: int) -> list[tuple[bytes, tuple[float, float, float, float], tuple[float, float, float, float], float, bool, int]]:
    """
    For every play: result, player's parts and score, opponent's parts and score, score, past, replies scored.
    """

def tabula_analyze_many(asked: Sequence[tuple[bytes, int, int]], weights: Sequence[float], threads: int) -> list[list[tuple[bytes, tuple[float, float, float, float], tuple[float, float, float, float], float, bool, int]]]:
    """The same for a list of (position, first, second)."""

def ten_factors(position: bytes, first: int, second: int, weights: Sequence[float]) -> list[tuple[bytes, list[float], float]]:
    """For every play: result, the ten raw values, score."""

def shots(position: bytes) -> tuple[list[int], int]:
    """
    For each of the 21 rolls the blots it hits, as bits of the hitter's points; and how many of 36 hit at all.
    """

class ExactEvaluator(Evaluator):
    """Knows by the tables alone, else asks the fallback."""

    def __init__(self, checkers: int, fallback: Evaluator | None = None) -> None: ...

class NoisyEvaluator(Evaluator):
    """Another evaluator with errors by seed and position."""

    def __init__(self, evaluator: Evaluator, deviation: float, seed: int) -> None: ...

class RolloutSide:
    """How one side of a rollout thinks."""

    def __init__(self, *, plies: Sequence[tuple[int, int]], cubeful: bool, shortlist: int, shortlist_gap: float, filter: Sequence[FilterStep], replies: int, last_replies: int) -> None: ...

class RolloutSettings:
    def __init__(self, *, seed: int, stratified: bool, cubeful: bool, variance_reduction: bool, luck_plies: int, luck_replies: int, stop_at_tables: bool, truncate: int, truncation_plies: int, late_after: int, sides: Sequence[RolloutSide], checkers: int) -> None: ...

class Roller:
    def __init__(self, evaluators: Sequence[Evaluator], luck: Evaluator | None, model: CubeModel, table: MatchEquity | None, settings: RolloutSettings, candidates: Sequence[tuple[bytes, int, bool, bool]]) -> None: ...

    @property
    def candidates(self) -> int: ...

    def play(self, first: int, count: int, cancel: CancelFlag | None = None, faces: Annotated[NDArray[numpy.uint8], dict(shape=(None, 4000), order='C', device='cpu', writable=False)] | None = None) -> object:
        """
        Games in their order: (games, candidates, 7) whole numbers of 2**-32, and (games, candidates, 4) events; None if cancelled.
        """

    def turns(self, game: int, candidate: int = 0) -> int:
        """How many turns a game lasts."""

def rollout_faces(seed: int, stratified: bool, first: int, count: int, turns: int) -> NDArray[numpy.uint8]:
    """Ordered rolls, 0 to 35, of games at their first turns."""

ROLLOUT_VALUE_SHIFT: int = 32

ROLLOUT_LONGEST_GAME: int = 4000

ROLLOUT_CUBE_LEVELS: int = 8

class ArenaDice:
    def __init__(self, seed: int, pair: int, game: int) -> None: ...

    def roll(self, turn: int) -> tuple[int, int]: ...

    def opening(self) -> tuple[int, int]:
        """The dice of seat 0 and of seat 1."""

    def number(self, index: int) -> int: ...

class Contestant:
    def play(self, position: bytes, first: int, second: int, model: CubeModel, number: int) -> bytes: ...

    def doubles(self, position: bytes, model: CubeModel) -> bool: ...

    def takes(self, position: bytes, model: CubeModel) -> bool: ...

class ContestantMaker:
    def make(self) -> Contestant: ...

def engine_contestant(evaluator: Evaluator, rank: RankSettings, cube: TreeSettings, cache_bytes: int = 0) -> ContestantMaker: ...

def tabula_contestant(weights: Sequence[float]) -> ContestantMaker: ...

def ten_factor_contestant(weights: Sequence[float]) -> ContestantMaker: ...

def random_contestant() -> ContestantMaker: ...

class LuckMeter:
    def __init__(self, evaluator: Evaluator, shortlist: int = 1) -> None: ...

    def luck(self, position: bytes, first: int, second: int, model: CubeModel, cubeful: bool) -> float:
        """
        How much better than the average a roll is for the model's side 0, who is on roll.
        """

    def opening_luck(self, position: bytes, starter: int, first: int, second: int, model: CubeModel, cubeful: bool) -> float:
        """How lucky side 0 is about who starts, and with which roll."""

def arena_pairs(*, first: ContestantMaker, second: ContestantMaker, seed: int, pairs: Sequence[int], length: int, cube: bool, jacoby: bool, crawford: bool, equity: MatchEquity | None, luck_evaluator: Evaluator | None, luck_shortlist: int, keep_events: bool, threads: int) -> list[Any]:
    """
    Pairs of sessions with the same dice and seats exchanged. A session is (result, luck, games, turns, doubles, drops, highest cube, finished, events), seen by seat 0.
    """
