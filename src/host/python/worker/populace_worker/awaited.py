"""Values that have to be awaited, on an event loop that calls share while nothing is left on it."""

import _thread

_loop = None


def awaited(value):
    """The value, or what it comes to if it has to be awaited."""
    if type(value) is str or not hasattr(value, "__await__"):
        return value
    global _loop
    import asyncio

    if _loop is None:
        _loop = asyncio.new_event_loop()
        asyncio.set_event_loop(_loop)

    async def finish():
        return await value

    try:
        return _loop.run_until_complete(finish())
    finally:
        left = asyncio.all_tasks(_loop)
        for task in left:
            task.cancel()
        if left:
            _loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
        if _thread._count():
            # Its executor's threads would outlive the call.
            _loop.run_until_complete(_loop.shutdown_default_executor())
            _loop.close()
            _loop = None
