"""A move as a sequence of small steps, for programs that can only choose one of a fixed number of actions."""

from .._core.orbis.steps import ACTION_COUNT, StepState, action_text

__all__ = ["ACTION_COUNT", "StepState", "action_text"]
