"""The random walk in mesa-frames, on Polars: `python frames_models.py random_walk AGENTS STEPS`.

The other models are activated one agent after another, which mesa-frames is not made for.
"""

import numpy as np
import polars as pl
from measure import measure
from mesa_frames import AgentSetPolars, ModelDF

SEED = 1


class Walkers(AgentSetPolars):
    def __init__(self, model, agents):
        super().__init__(model)
        zeros = np.zeros(agents, dtype=np.float32)
        ids = np.arange(agents, dtype=np.int64)
        self.add({"unique_id": ids, "x": zeros, "y": zeros, "energy": zeros + np.float32(1)})

    def step(self):
        dx, dy = (
            self.model.random.random(len(self), dtype=np.float32) - np.float32(0.5)
            for _ in range(2)
        )
        self._agents = self._agents.with_columns(
            pl.col("x") + pl.Series(dx),
            pl.col("y") + pl.Series(dy),
            pl.col("energy") * pl.lit(0.999, dtype=pl.Float32),
        )


class RandomWalk(ModelDF):
    def __init__(self, agents):
        super().__init__(seed=SEED)
        self.walkers = Walkers(self, agents)
        self.agents += self.walkers
        self.done = 0

    def step(self):
        self.agents.do("step", inplace=True)
        self.done += 1

    def agent_steps(self):
        return self.done * len(self.agents)

    def outcome(self):
        [walkers] = self.agents._agentsets
        squares = walkers._agents.select((pl.col("x") ** 2 + pl.col("y") ** 2).sum()).item()
        return "msd per step", squares / self.agent_steps()


measure({"random_walk": RandomWalk})
