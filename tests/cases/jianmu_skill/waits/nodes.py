"""Nodes in the ways that Jianmu's documents show: plain, awaited, and waiting for an answer."""

from jianmu.engine.behaviour import AsyncBehaviour
from jianmu.interaction import SuspensionReason
from jianmu.node.base import Node
from jianmu.tree import Status


class Shout(Node):
    def __init__(self, *, name, namespace):
        super().__init__(name=name)
        self.namespace = namespace

    def update(self):
        messages = self.state_manager.get("messages", namespace=self.namespace, default=[])
        answer = messages[-1].content.upper()
        self.state_manager.update(
            {"done": True, "final_answer": answer}, namespace=self.namespace, signal=False
        )
        return Status.SUCCESS


class Add(AsyncBehaviour):
    def __init__(self, *, name, ctx, result=Status.SUCCESS):
        super().__init__(name=name)
        self.namespace, self.key, self.tools = ctx.namespace, ctx.skill_result_key, ctx.tools
        self.result = result

    async def update_async(self):
        total = await self.tools["calculator"].execute({"input": "2 + 3"})
        self.write_state({"done": True, self.key: {"sum": total}})
        return self.result


class Ask(Node):
    def update(self):
        answer = self.interaction.read_resume_payload(default=None)
        if isinstance(answer, dict) and answer.get("text"):
            self.interaction.clear_resume_payload(signal=False)
            return Status.SUCCESS
        self.interaction.suspend(
            reason=SuspensionReason.AWAITING_USER_INPUT, message="Where to?",
            payload={"kind": "place"}, node_name=self.name, node_namespace="n", signal=False,
        )
        return Status.RUNNING
