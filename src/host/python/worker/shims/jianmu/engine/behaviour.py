"""A node whose work is a coroutine."""

import asyncio

from jianmu.interaction import SuspensionReason
from jianmu.node.base import Node
from jianmu.tree import Status


class AsyncBehaviour(Node):
    """Runs while `update_async` does, and ends with the status that it returns; with FAILURE if
    that is none. It is ticked inside of an event loop."""

    namespace = ""
    _task = None

    async def update_async(self):
        raise NotImplementedError(f"{type(self).__name__} has no update_async")

    def write_state(self, values, *, signal=True):
        """Updates the run's state in the node's namespace."""
        self.state_manager.update(values, namespace=self.namespace, signal=signal)

    def initialise(self):
        self._task = asyncio.get_running_loop().create_task(self.update_async())

    def update(self):
        if self._task is None:
            return Status.FAILURE
        if not self._task.done():
            return Status.RUNNING
        if self._task.cancelled():
            return Status.INVALID
        result = self._task.result()
        return result if isinstance(result, Status) else Status.FAILURE

    def terminate(self, new_status):
        if self._task is not None:
            self._task.cancel()
            self._task = None


__all__ = ["AsyncBehaviour", "Status", "SuspensionReason"]
