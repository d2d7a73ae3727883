"""Stands in for what runs trees: gives the root what a run has, and ticks it."""

import asyncio
import json

from jianmu import BTSkillContext, Interaction, Message, StateManager
from tree import build_tree


class Calculator:
    async def execute(self, arguments):
        await asyncio.sleep(0)
        return sum(int(term) for term in arguments["input"].split("+"))


async def ticked(root, ticks_max=10):
    seen = []
    for _ in range(ticks_max):
        root.tick_once()
        seen.append(root.status.value)
        if root.status.value != "RUNNING" or root.interaction.suspension is not None:
            break
        await asyncio.sleep(0)
    return seen


async def entrypoint(argv):
    inputs = json.loads(argv[0])
    messages = [Message(role="user", content="hello")]
    ctx = BTSkillContext(
        messages=messages, inputs=inputs, namespace="n", skill_result_key="skill_result",
        tools={"calculator": Calculator()}, model_client=None, constraints=None,
    )
    root = build_tree(ctx)
    root.state_manager, root.interaction = StateManager(), Interaction()
    root.state_manager.update({"messages": messages}, namespace="n", signal=False)
    seen = await ticked(root)
    waits = root.interaction.suspension
    if waits is not None:
        seen.append([waits.reason.name, waits.message, waits.payload, waits.node_name])
        root.interaction.resume({"text": "home"})
        seen += await ticked(root)
        seen.append(root.interaction.read_resume_payload(default="read"))
    get = root.state_manager.get
    keys = ("done", "final_answer", ctx.skill_result_key)
    found = {key: get(key, namespace="n") for key in keys}
    elsewhere = get("done", namespace="other", default="nothing")
    return {"seen": seen, "found": found, "elsewhere": elsewhere}
