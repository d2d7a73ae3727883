from jianmu.interaction import SuspensionReason
from jianmu.node.base import Node
from jianmu.tree import Status


class _Scope(Node):
    def __init__(self, *, name, namespace):
        super().__init__(name=name)
        self.namespace = namespace

    def update(self) -> Status:
        resume_payload = self.interaction.read_resume_payload(default=None)
        if isinstance(resume_payload, dict) and str(resume_payload.get("text") or "").strip():
            # 处理用户输入，继续执行
            self.state_manager.update(
                {"done": True, "final_answer": "范围：" + resume_payload["text"]},
                namespace=self.namespace, signal=False,
            )
            self.interaction.clear_resume_payload(signal=False)
            return Status.SUCCESS
        self.interaction.suspend(
            reason=SuspensionReason.AWAITING_USER_INPUT,
            message="请确认研究范围：只看国内方案，还是包含海外方案？",
            payload={"kind": "deep_research.confirm_scope"},
            node_name=self.name, node_namespace=self.namespace, signal=False,
        )
        return Status.RUNNING


def build_tree(ctx):
    return _Scope(name="Scope", namespace=ctx.namespace)
