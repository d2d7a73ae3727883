"""The models in Mesa 3.5: `python mesa_models.py MODEL SIZE STEPS`.

Our own code, with Mesa's own spaces and its agents activated in a fresh random order. Grass is an
array, and a fire is a list of the trees that burn: an agent a cell would be slower.
"""

import math
import warnings

import mesa
import numpy as np
from measure import measure
from mesa.discrete_space import (
    CellAgent,
    FixedAgent,
    OrthogonalMooreGrid,
    OrthogonalVonNeumannGrid,
)

warnings.simplefilter("ignore")
# Said to be under way; it is the space that Mesa recommends.
from mesa.experimental.continuous_space import ContinuousSpace, ContinuousSpaceAgent  # noqa: E402

SEED = 1


class Walker(mesa.Agent):
    def __init__(self, model):
        super().__init__(model)
        self.x = 0.0
        self.y = 0.0
        self.energy = 1.0

    def step(self):
        draw = self.model.random.random
        self.x += draw() - 0.5
        self.y += draw() - 0.5
        self.energy *= 0.999


class RandomWalk(mesa.Model):
    def __init__(self, agents):
        super().__init__(rng=SEED)
        Walker.create_agents(self, agents)

    def step(self):
        self.agents.do("step")

    def agent_steps(self):
        return self.steps * len(self.agents)

    def outcome(self):
        squares = sum(walker.x**2 + walker.y**2 for walker in self.agents)
        return "msd per step", squares / self.agent_steps()


class Resident(CellAgent):
    def __init__(self, model, cell, group):
        super().__init__(model)
        self.cell = cell
        self.group = group

    def step(self):
        model = self.model
        around = self.cell.get_neighborhood(model.radius).agents
        alike = sum(1 for other in around if other.group == self.group)
        if alike >= model.wanted:
            model.content += 1
        else:
            self.cell = model.grid.select_random_empty_cell()


class Schelling(mesa.Model):
    SIZES = {"small": (40, 1_000, 1, 3), "large": (100, 8_000, 2, 8)}

    def __init__(self, size):
        super().__init__(rng=SEED)
        side, agents, self.radius, self.wanted = self.SIZES[size]
        self.grid = OrthogonalMooreGrid((side, side), capacity=1, random=self.random)
        for index in range(agents):
            Resident(self, self.grid.select_random_empty_cell(), index % 2)
        self.content = 0

    def step(self):
        self.content = 0
        self.agents.shuffle_do("step")

    def agent_steps(self):
        return self.steps * len(self.agents)

    def outcome(self):
        return "share content", self.content / len(self.agents)


class Bird(ContinuousSpaceAgent):
    def __init__(self, model, position, angle):
        super().__init__(model.space, model)
        self.position = position
        self.velocity = np.array([math.cos(angle), math.sin(angle)])

    def step(self):
        others, distances = self.get_neighbors_in_radius(self.model.vision)
        velocity = self.velocity
        if others:
            ways = self.space.calculate_difference_vector(self.position, agents=others)
            cohere = ways.sum(axis=0) * 0.03
            separate = -ways[distances < 1.0].sum(axis=0) * 0.015
            align = np.sum([other.velocity for other in others], axis=0) * 0.05
            velocity = velocity + (cohere + separate + align) / len(others)
        self.velocity = velocity / np.linalg.norm(velocity)
        self.position = self.position + self.velocity


class Flocking(mesa.Model):
    SIZES = {"small": (100, 200, 5), "large": (150, 400, 15)}

    def __init__(self, size):
        super().__init__(rng=SEED)
        side, birds, self.vision = self.SIZES[size]
        bounds = [[0, side], [0, side]]
        self.space = ContinuousSpace(bounds, torus=True, random=self.random, n_agents=birds)
        for _ in range(birds):
            Bird(self, self.rng.random(2) * side, self.random.random() * math.tau)

    def step(self):
        self.agents.shuffle_do("step")

    def agent_steps(self):
        return self.steps * len(self.agents)

    def outcome(self):
        total = np.sum([bird.velocity for bird in self.agents], axis=0)
        return "polarisation", float(np.linalg.norm(total)) / len(self.agents)


class Animal(CellAgent):
    def __init__(self, model, cell, energy):
        super().__init__(model)
        self.cell = cell
        self.energy = energy

    def wander(self):
        self.model.acted += 1
        self.cell = self.cell.neighborhood.select_random_cell()
        self.energy -= 1

    def live_on(self, energy_min, birth):
        if self.energy < energy_min:
            self.remove()
        elif self.random.random() < birth:
            self.energy /= 2
            type(self)(self.model, self.cell, self.energy)


class Sheep(Animal):
    def step(self):
        self.wander()
        model = self.model
        if model.grown_at[self.cell.coordinate] < model.steps:
            model.grown_at[self.cell.coordinate] = model.steps + model.regrowth - 1
            self.energy += 5
        self.live_on(1, model.sheep_birth)


class Wolf(Animal):
    def step(self):
        self.wander()
        prey = next((other for other in self.cell.agents if isinstance(other, Sheep)), None)
        if prey is not None:
            prey.remove()
            self.energy += 13
        self.live_on(0, self.model.wolf_birth)


class WolfSheep(mesa.Model):
    SIZES = {"small": (25, 60, 40, 20, 0.2, 0.1), "large": (100, 1_000, 500, 10, 0.4, 0.2)}

    def __init__(self, size):
        super().__init__(rng=SEED)
        side, sheep, wolves, self.regrowth, self.sheep_birth, self.wolf_birth = self.SIZES[size]
        self.grid = OrthogonalMooreGrid((side, side), torus=True, random=self.random)
        waits = self.rng.integers(1, self.regrowth + 1, (side, side))
        # The step (they count from 1) after which grass can be eaten; half is grown.
        self.grown_at = np.where(self.rng.random((side, side)) < 0.5, 0, waits)
        self.acted = 0
        for kind, count, gain in ((Sheep, sheep, 5), (Wolf, wolves, 13)):
            for _ in range(count):
                cell = self.grid.all_cells.select_random_cell()
                kind(self, cell, self.random.randint(1, 2 * gain))

    def step(self):
        for kind in (Sheep, Wolf):
            if kind in self.agents_by_type:
                self.agents_by_type[kind].shuffle_do("step")

    def agent_steps(self):
        return self.acted

    def outcome(self):
        return "activations", self.acted


class Tree(FixedAgent):
    def __init__(self, model, cell):
        super().__init__(model)
        self.cell = cell
        self.green = True

    def burn(self):
        """Lights the green trees around it and gives them."""
        lit = [tree for tree in self.cell.neighborhood.agents if tree.green]
        for tree in lit:
            tree.green = False
        return lit


class ForestFire(mesa.Model):
    SIZES = {"small": (100, 0.7), "large": (500, 0.9)}

    def __init__(self, size):
        super().__init__(rng=SEED)
        self.side, density = self.SIZES[size]
        grid = OrthogonalVonNeumannGrid((self.side, self.side), random=self.random)
        cells = [cell for cell in grid.all_cells if self.random.random() < density]
        self.burning = [tree for tree in (Tree(self, cell) for cell in cells) if self.lights(tree)]
        self.burnt = 0

    @staticmethod
    def lights(tree):
        """The trees of the left-most column burn from the start."""
        tree.green = tree.cell.coordinate[0] > 0
        return not tree.green

    def step(self):
        self.burnt += len(self.burning)
        self.burning = [lit for tree in self.burning for lit in tree.burn()]

    def agent_steps(self):
        return self.steps * self.side**2

    def outcome(self):
        return "burnt", self.burnt


measure(
    {
        "random_walk": RandomWalk,
        "schelling": Schelling,
        "flocking": Flocking,
        "wolf_sheep": WolfSheep,
        "forest_fire": ForestFire,
    }
)
