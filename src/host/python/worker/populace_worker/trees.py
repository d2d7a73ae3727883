"""Calls of skills whose work is a behaviour tree: what `build_tree(ctx)` gives is ticked until it
is done, or waits for an answer from outside. Then the call ends with the state that another call
goes on from."""

import json

from . import nodes
from .awaited import awaited
from .tools import ToolError, make_tools

# Where a tree writes its structured result, within its namespace.
RESULT_KEY = "skill_result"
# Ticks at most, unless the skill's `constraints.max_iterations` says another number.
TICKS_MAX = 1000
# Between two ticks of a tree that runs without anything to wait for.
PAUSE_S = 1 / 60


class TreeEnded(Exception):
    """A call that does not end well: how, why, and what there is to show."""

    def __init__(self, error_type, why, text="", exit_code=-1):
        super().__init__(why)
        self.error_type, self.why, self.text = error_type, why, text
        self.exit_code = exit_code


def refused(why):
    return TreeEnded("validation", why)


class TreeRun:
    """One run, with a state of its own."""

    def __init__(self, module, tree, skill, given):
        from jianmu.interaction import Interaction
        from jianmu.state import StateManager

        nodes.forget_blackboard()
        self.tree, self.namespace = tree, skill["name"]
        self.state, self.interaction = StateManager(), Interaction()
        self.messages = [nodes.message(one) for one in given.get("messages") or ()]
        self.root = self._build(module, skill, given.get("inputs") or {})
        self.nodes = list(self.root.iterate())
        for node in self.nodes:
            node.state_manager, node.interaction = self.state, self.interaction
        before = given.get("state")
        if before is None:
            values = {"messages": self.messages}
            self.state.update(values, namespace=self.namespace, signal=False)
        else:
            try:
                nodes.restore(before, self.state, self.root)
            except ValueError as error:
                raise refused(str(error)) from None
            self.interaction.resume(given.get("resume"))
        for node in self.nodes:
            node.setup()

    def _build(self, module, skill, inputs):
        from jianmu.skill import BTSkillContext
        from jianmu.tree import Behaviour

        function = getattr(module, "build_tree", None)
        if not callable(function):
            raise refused("the tree's file has no function build_tree(ctx)")
        try:
            tools = make_tools(skill["dir"], self.tree["tools"], self.tree["tool_files"])
        except ToolError as error:
            raise refused(str(error)) from None
        root = function(BTSkillContext(
            messages=self.messages, inputs=inputs, namespace=self.namespace,
            skill_result_key=RESULT_KEY, tools=tools, model_client=None,
            constraints=self.tree["constraints"],
        ))
        if not isinstance(root, Behaviour):
            found = type(root).__name__
            raise refused(f"build_tree gave a {found}; it must give a Behaviour of py_trees")
        return root

    async def tick_on(self):
        """Ticks until the root is done or waits for an answer; gives its status, or None if there
        were too many ticks."""
        import asyncio

        from jianmu.tree import Status

        own = asyncio.current_task()
        for _ in range(_ticks_max(self.tree["constraints"])):
            self.state.signalled = self.interaction.signalled = False
            for _node in self.root.tick():
                pass
            if self.root.status != Status.RUNNING or self.interaction.suspension is not None:
                return self.root.status
            # Tasks that the tick began have their turn; they may end without waiting.
            await asyncio.sleep(0)
            tasks = [task for task in asyncio.all_tasks() if task is not own and not task.done()]
            if self.state.signalled or self.interaction.signalled:
                continue
            if tasks:
                await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            else:
                await asyncio.sleep(PAUSE_S if not self._has_news() else 0)
            if self.interaction.suspension is not None:
                return self.root.status
        return None

    def _has_news(self):
        """Whether a node that was waited for is done, so that a tick is due."""
        tasks = (getattr(node, "_task", None) for node in self.nodes)
        return any(task is not None and task.done() for task in tasks)

    def stop(self):
        """Interrupts what still runs."""
        from jianmu.tree import Status

        if self.root.status == Status.RUNNING:
            self.root.stop(Status.INVALID)

    def result(self, status):
        """What the run comes to, as the JSON of the answer."""
        def value(key):
            return self.state.get(key, namespace=self.namespace)

        told = {
            "status": (status or self.root.status).name,
            "skill_result": value(RESULT_KEY),
            "final_answer": value("final_answer"),
            "done": bool(value("done")),
        }
        suspension = self.interaction.suspension
        if suspension is not None:
            reason = getattr(suspension.reason, "value", suspension.reason)
            told["suspended"] = {
                "reason": str(reason), "message": suspension.message,
                "payload": suspension.payload,
            }
            try:
                told["state"] = nodes.snapshot(self.state, self.root)
            except ValueError as error:
                raise refused(str(error)) from None
        return told

    def missing(self, told):
        """Outputs that the skill declares as required and that are not there."""
        found = told["skill_result"]
        fields = found if isinstance(found, dict) else {}

        def there(name):
            return name in fields or self.state.get(name, namespace=self.namespace) is not None

        return [name for name in self.tree["required"] if not there(name)]


def run(module, tree, skill, given):
    """A run from the beginning, or on from where it was suspended; gives the text of the answer."""
    return awaited(_run(module, tree, skill, given))


async def _run(module, tree, skill, given):
    # The tree is built on the loop that its nodes wait on.
    one = TreeRun(module, tree, skill, given)
    try:
        status = await one.tick_on()
        told = one.result(status)
    finally:
        one.stop()
    text = json.dumps(told, ensure_ascii=False, default=nodes.plain)
    if status is None:
        ticks = _ticks_max(tree["constraints"])
        raise TreeEnded("runtime", f"the tree still ran after {ticks} ticks", text, 1)
    if "suspended" in told:
        return text
    if status.name != "SUCCESS":
        raise TreeEnded("runtime", f"the tree ended with {status.name}", text, 1)
    missing = one.missing(told)
    if missing:
        why = "required outputs are missing: " + ", ".join(missing)
        raise TreeEnded("validation", why, text, 1)
    return text


def build(module, tree, skill, given):
    """The tree itself, not run, as a document that the engine reads."""
    from .describe import describe

    try:
        root = TreeRun(module, tree, skill, given).root
        document = describe(root, getattr(module, "BLACKBOARD", None))
    except ValueError as error:
        raise refused(str(error)) from None
    return json.dumps(document, ensure_ascii=False)


def _ticks_max(constraints):
    most = constraints.get("max_iterations") if isinstance(constraints, dict) else None
    return most if type(most) is int and most > 0 else TICKS_MAX
