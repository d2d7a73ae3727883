# tree.py for bt-with-tool
from jianmu.engine.behaviour import AsyncBehaviour
from jianmu.tree import Status

class _CalcNode(AsyncBehaviour):
    def __init__(self, *, name, namespace, skill_result_key, tools):
        super().__init__(name=name)
        self.namespace = namespace
        self.skill_result_key = skill_result_key
        self.tools = tools

    async def update_async(self) -> Status:
        calculator = self.tools.get("calculator")
        if calculator is None:
            return Status.FAILURE
        result = await calculator.execute({"input": "2 + 3"})
        payload = {"result": str(result)}
        self.write_state({"done": True, "final_answer": f"2 + 3 = {result}",
                          self.skill_result_key: payload})
        return Status.SUCCESS

def build_tree(ctx):
    return _CalcNode(name="BTWithTool", namespace=ctx.namespace,
                     skill_result_key=ctx.skill_result_key, tools=ctx.tools)
