"""One call of a script: what it is asked, and the answer that it comes to."""

import json
import os
import sys
import traceback
import types

from .awaited import awaited
from .config import OUTPUT_MAX
from .context import SkillScriptContext, call_environment
from .deadline import SoftTimeout
from .output import ERR, OUT, OutputTooLong, flush
from .state import state
from .trees import TreeEnded, build, run

# Files whose part in a traceback tells a skill's author nothing.
_OURS = (os.path.dirname(__file__) + os.sep, "<frozen importlib")


def call(request, loaded, agent, seed, argv):
    """The fields of an answer: ok, exit code, stdout, stderr, error type."""
    try:
        text = _perform(request, loaded, agent, seed, argv)
        if len(text) > OUTPUT_MAX:
            raise OutputTooLong
        return [True, 0, text, ERR.text(), "none"]
    except BaseException as error:
        return failure(error, request["skill"])


def failure(error, skill):
    """The fields of the answer of a call that ended with the exception `error`."""
    if isinstance(error, SystemExit):
        code = error.code
        # True and False are numbers too, and an exit code has 32 bits.
        code = 0 if code is None else int(code) if isinstance(code, int) else 1
        code = max(-(1 << 31), min(code, (1 << 31) - 1))
        return [code == 0, code, OUT.text(), ERR.text(), "systemexit"]
    if isinstance(error, SoftTimeout):
        told = f"command timed out after {state.limit_s:g}s"
        return [False, -1, OUT.text(), told, "timeout"]
    if isinstance(error, OutputTooLong):
        return [False, 1, "", f"more than {OUTPUT_MAX} bytes of output", "runtime"]
    if isinstance(error, TreeEnded):
        return [False, error.exit_code, error.text, error.why[-OUTPUT_MAX:], error.error_type]
    state.spoilt = state.spoilt or isinstance(error, MemoryError)
    return [False, 1, OUT.text(), _told(error, skill)[-OUTPUT_MAX:], "runtime"]


def _told(error, skill):
    """The traceback of an exception, without these files and the skill's place."""
    trace = error.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename.startswith(_OURS):
        trace = trace.tb_next
    text = "".join(traceback.format_exception(type(error), error, trace))
    return ERR.text() + text.replace(skill["dir"] + os.sep, "")


def _perform(request, loaded, agent, seed, argv):
    skill = request["skill"]
    tree = request.get("tree")
    if tree is not None:
        perform = build if tree["describe"] else run
        return perform(loaded.module, tree, skill, json.loads(argv[0]))
    hook = request.get("hook")
    if hook is not None:
        payload = {
            "hook_type": hook["hook_type"],
            "tick": hook["tick"],
            "time": hook["time"],
            "agent_id": agent,
            "step_count": hook["step_count"],
        }
        function = loaded.hook(hook["hook_type"])
        if function is not None:
            from agentsociety2.agent.base import skill_hook_context as contexts

            contexts.enter(state.own, skill["dir"], skill["id"], hook["hook_type"], payload)
            return _as_text(awaited(function()))
        argv = ["--args-json", json.dumps(payload)]
    if loaded.entry is None:
        environment = call_environment(state.own, skill["id"], skill["name"], skill["dir"])
        return _run_program(loaded, argv, environment)
    if loaded.takes_context:
        return _as_text(awaited(loaded.entry(argv, SkillScriptContext(state.own, skill, seed))))
    return _as_text(awaited(loaded.entry(argv)))


def _run_program(loaded, argv, environment):
    """The script as `__main__`, in a namespace of its own."""
    main = types.ModuleType("__main__")
    main.__file__ = loaded.path
    main.__builtins__ = __builtins__
    before = sys.modules.get("__main__")
    sys.modules["__main__"] = main
    os.environ.update(environment)
    sys.argv = [loaded.path, *argv]
    OUT.begin(True)
    ERR.begin(True)
    try:
        exec(loaded.program(), main.__dict__)
    finally:
        sys.modules["__main__"] = before
    flush()
    return OUT.text()


def _as_text(value):
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, tuple):
        return next((item for item in value if isinstance(item, str)), "")
    return json.dumps(value, ensure_ascii=False, default=str)
