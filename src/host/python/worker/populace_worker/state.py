"""What is known of the call under way."""


class State:
    """What the audit hook, the timer and the server share."""

    # Whether script code runs, and so is checked.
    armed = False
    # The person's workspace.
    own = ""
    seed = 0
    limit_s = 0.0
    deadline = None
    # Whether files may have changed.
    touched = False
    # Whether processes may have been started, and whether this is one of them.
    started = False
    forked = False
    # Settings of the process that a call may have changed, and whether they cannot be put back.
    dirty = set()
    spoilt = False
    # Descriptor of the journal.
    journal = -1


state = State()
