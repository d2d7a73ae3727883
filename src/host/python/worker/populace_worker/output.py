"""Where scripts print."""

import codecs
import io
import sys

from .config import OUTPUT_MAX


class OutputTooLong(BaseException):
    """The call has printed more than it may."""


class Bytes(io.BufferedIOBase):
    """The `buffer` of a sink: bytes go where its text goes, in their order."""

    def __init__(self, sink):
        self.sink = sink
        self.decode = codecs.getincrementaldecoder("utf-8")("replace").decode

    def writable(self):
        return True

    def write(self, data):
        self.sink.write(self.decode(bytes(data)))
        return len(data)

    def close(self):
        """A sink is never closed: the next call writes into it."""


class Sink(io.TextIOBase):
    """Standard output of a script: counted, and kept if it is asked for."""

    __slots__ = ("parts", "size", "buffer")
    encoding = "utf-8"
    errors = "strict"

    def __init__(self):
        self.parts = None
        self.size = 0
        self.buffer = Bytes(self)

    def reconfigure(self, **_options):
        """Always UTF-8, whatever a script asks for."""

    def close(self):
        """Never closed: the next call writes into it."""

    def detach(self):
        return self.buffer

    def begin(self, keep):
        self.parts = [] if keep else None
        self.size = 0

    def writable(self):
        return True

    def write(self, text):
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        self.size += len(text)
        if self.size > OUTPUT_MAX:
            raise OutputTooLong
        if self.parts is not None:
            self.parts.append(text)
        return len(text)

    def text(self):
        return "".join(self.parts or ())


OUT, ERR = Sink(), Sink()


def flush():
    """Brings home what a script's own wrapper around a sink still holds."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not OUT and stream is not ERR and hasattr(stream, "flush"):
            stream.flush()
