from jianmu.node.base import Node
from jianmu.tree import Status

class _EchoSkillNode(Node):
    def __init__(self, *, name: str, namespace: str):
        super().__init__(name=name)
        self.namespace = namespace

    def update(self) -> Status:
        messages = self.state_manager.get("messages", namespace=self.namespace, default=[]) or []
        latest = messages[-1] if messages else None
        content = str(getattr(latest, "content", "") or "")
        self.state_manager.update(
            {"done": True, "final_answer": f"BT skill handled the request: {content}"},
            namespace=self.namespace, signal=False,
        )
        return Status.SUCCESS

def build_tree(ctx):
    return _EchoSkillNode(name="BTEcho", namespace=ctx.namespace)
