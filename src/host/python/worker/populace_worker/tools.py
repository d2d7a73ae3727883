"""Tools that a tree finds in `ctx.tools`: by name, each with `execute(arguments)`."""

import ast
import importlib.util
import inspect
import operator
import os


class ToolError(Exception):
    """A tool that a skill asks for cannot be given."""


def make_tools(folder, names, files):
    """The tools that the skill brings, then those of the host that it names."""
    tools = {}
    for file in files:
        tools.update(_brought(folder, file))
    for name in names:
        if name not in tools and name in BUILTIN:
            tools[name] = BUILTIN[name]()
    unknown = [name for name in names if name not in tools]
    if unknown:
        there = ", ".join(sorted({*BUILTIN, *tools}))
        raise ToolError(f"no tool {', '.join(unknown)} here; there are: {there}")
    return tools


def _brought(folder, file):
    """Tools of a file of the skill: its objects, and objects of its classes, that have a `name`
    and a method `execute`."""
    path = os.path.realpath(os.path.join(folder, file))
    if not path.startswith(folder + os.sep) or not os.path.isfile(path):
        raise ToolError(f"tools_entry: no file '{file}' in the skill's folder")
    spec = importlib.util.spec_from_file_location("skill_tools", path)
    if spec is None:
        raise ToolError(f"tools_entry: '{file}' is no Python file")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    tools = {}
    for value in list(vars(module).values()):
        if inspect.isclass(value) and value.__module__ != module.__name__:
            continue
        name = getattr(value, "name", None)
        if isinstance(name, str) and callable(getattr(value, "execute", None)):
            tools[name] = value() if inspect.isclass(value) else value
    if not tools:
        raise ToolError(f"tools_entry: '{file}' holds nothing with a name and a method execute")
    return tools


class Calculator:
    """Arithmetic: numbers, + - * / // % ** and parentheses."""

    name = "calculator"
    description = "Computes an arithmetic expression: {'input': '2 + 3'}"

    def execute(self, arguments):
        """What `arguments["input"]` comes to; it may be awaited, and need not be."""
        text = arguments.get("input", arguments.get("expression"))
        if not isinstance(text, str):
            raise ValueError("the calculator needs a text under 'input'")
        if len(text) > TEXT_MAX:
            raise ValueError(f"the calculator takes {TEXT_MAX} characters at most")
        try:
            value = _computed(ast.parse(text.strip(), mode="eval").body)
        except SyntaxError:
            raise ValueError(f"the calculator cannot read '{text}'") from None
        return _AWAITABLE[type(value)](value)


BUILTIN = {Calculator.name: Calculator}
TEXT_MAX = 1000
# Bits of the largest power: larger numbers would take up all time and memory.
BITS_MAX = 4096


class _Int(int):
    def __await__(self):
        return int(self)
        yield


class _Float(float):
    def __await__(self):
        return float(self)
        yield


_AWAITABLE = {int: _Int, float: _Float}
_TWO = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
    ast.Div: operator.truediv, ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod,
}
_ONE = {ast.UAdd: operator.pos, ast.USub: operator.neg}


def _computed(node):
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        return node.value
    if isinstance(node, ast.UnaryOp) and type(node.op) in _ONE:
        return _ONE[type(node.op)](_computed(node.operand))
    if isinstance(node, ast.BinOp):
        left, right = _computed(node.left), _computed(node.right)
        if type(node.op) in _TWO:
            return _TWO[type(node.op)](left, right)
        if isinstance(node.op, ast.Pow):
            return _power(left, right)
    raise ValueError(f"the calculator does not know '{ast.unparse(node)}'")


def _power(base, exponent):
    whole = isinstance(base, int) and isinstance(exponent, int)
    if whole and base.bit_length() * abs(exponent) > BITS_MAX:
        raise ValueError("the calculator does not compute powers so large")
    value = base**exponent
    if isinstance(value, complex):
        raise ValueError("the calculator gives real numbers only")
    return value
