"""What goes to the engine and comes from it: frames of four bytes of length (big-endian) and JSON.

Requests come and notes go on a line; answers go into the journal, a file that the engine reads.
"""

import json
import os
import struct

from .state import state

_encode = json.JSONEncoder(ensure_ascii=False).encode
_HEAD = struct.Struct(">I")


def _frame(document):
    body = _encode(document).encode("utf-8", "replace")
    return _HEAD.pack(len(body)) + body


class Line:
    """Requests from the engine and notes to it."""

    def __init__(self, descriptor):
        self.descriptor = descriptor
        self.requests = os.fdopen(descriptor, "rb", buffering=1 << 16)

    def receive(self):
        """The next request; None if the engine has hung up."""
        head = self.requests.read(4)
        if len(head) < 4:
            return None
        return json.loads(self.requests.read(*_HEAD.unpack(head)))

    def send(self, note):
        os.write(self.descriptor, _frame(note))


class Journal:
    """The answers of a request, each written as soon as it is there: a crash loses none."""

    def __init__(self, descriptor):
        self.descriptor = state.journal = descriptor
        self.entries = []
        self.length = 0

    def begin(self):
        os.ftruncate(self.descriptor, 0)
        self.entries.clear()
        self.length = 0

    def add(self, fields):
        """Adds an answer. A call that wrote into the journal itself has failed."""
        entry = _frame([len(self.entries), *fields])
        os.write(self.descriptor, entry)
        if os.lseek(self.descriptor, 0, os.SEEK_CUR) != self.length + len(entry):
            said = "the script wrote into its worker's journal"
            entry = _frame([len(self.entries), False, -1, "", said, "runtime", True])
            os.ftruncate(self.descriptor, 0)
            for one in (*self.entries, entry):
                os.write(self.descriptor, one)
        self.entries.append(entry)
        self.length += len(entry)
