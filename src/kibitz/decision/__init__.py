"""What was asked and what was answered: one model for the engine, rollouts, reviews, files, protocols and JSON."""

from kibitz.decision.cube import CLOSE, OPTIONAL, CubeAction, CubeChances, CubeDecision, CubePoints, RankedAction
from kibitz.decision.evaluation import ChanceErrors, Evaluation, PositionClass, opponents_chance
from kibitz.decision.level import AnalysisLevel
from kibitz.decision.plays import PlayDecision, RankedPlay
from kibitz.decision.question import Question, question_of
from kibitz.decision.resignation import ResignationDecision, resigned_size

Decision = PlayDecision | CubeDecision | ResignationDecision
"""The answer to whatever a state asks for."""

__all__ = [
    "CLOSE",
    "OPTIONAL",
    "AnalysisLevel",
    "ChanceErrors",
    "CubeAction",
    "CubeChances",
    "CubeDecision",
    "CubePoints",
    "Decision",
    "Evaluation",
    "PlayDecision",
    "PositionClass",
    "Question",
    "RankedAction",
    "RankedPlay",
    "ResignationDecision",
    "opponents_chance",
    "question_of",
    "resigned_size",
]
