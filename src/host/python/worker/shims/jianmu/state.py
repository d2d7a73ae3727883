"""What the nodes of a run know in common."""


class StateManager:
    """Values by key, apart by namespace."""

    def __init__(self):
        self._values = {}
        # Whether an update asked for another tick. Who ticks takes it back.
        self.signalled = False

    def get(self, key, *, namespace="", default=None):
        return self._values.get((namespace, key), default)

    def update(self, values, *, namespace="", signal=True):
        for key, value in values.items():
            self._values[namespace, key] = value
        self.signalled = self.signalled or signal
