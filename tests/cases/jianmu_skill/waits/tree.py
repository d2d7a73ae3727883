from nodes import Add, Ask, Shout


def build_tree(ctx):
    kind = ctx.inputs["kind"]
    if kind == "shout":
        return Shout(name="Shout", namespace=ctx.namespace)
    if kind == "ask":
        return Ask(name="Ask")
    return Add(name="Add", ctx=ctx, **ctx.inputs.get("more", {}))
