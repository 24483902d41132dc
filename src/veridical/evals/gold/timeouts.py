"""Time limits of gold questions, by difficulty."""

from dataclasses import dataclass

from pydantic import Field

from veridical.contracts.wire import Wire
from veridical.evals.gold.case import Difficulty


@dataclass(frozen=True, slots=True)
class Limit:
    """The time limit of a run."""

    seconds: float
    difficulty: Difficulty

    @property
    def detail(self) -> str:
        """What is written of a run that took longer."""
        return f"timeout after {self.seconds:g} s ({self.difficulty})"


class Timeouts(Wire):
    """Seconds by difficulty, with a factor for machines so slow that answers become refusals."""

    easy: float = Field(default=45, gt=0)
    medium: float = Field(default=60, gt=0)
    hard: float = Field(default=90, gt=0)
    factor: float = Field(default=1, gt=0)

    def limit(self, difficulty: Difficulty) -> Limit:
        """The limit of a question; one that nobody rated is of medium difficulty."""
        seconds = {
            Difficulty.EASY: self.easy,
            Difficulty.MEDIUM: self.medium,
            Difficulty.HARD: self.hard,
        }
        return Limit(seconds[difficulty] * self.factor, difficulty)
