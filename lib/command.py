"""What users of a command line, and of a cell that is stopped, see: sentences instead of tracebacks."""

import errno
import warnings
from collections.abc import Callable
from typing import Any

from safetensors import SafetensorError

ADVICE = {
    errno.ENOSPC: "make room on the disk",
    errno.EDQUOT: "make room, your share of the disk is used up",
    errno.EFBIG: "choose a disk that takes larger files",
    errno.EEXIST: "move what is in the way",
    errno.ENOTDIR: "move the file that is in the way of a folder",
    errno.EACCES: "choose a place that you may read and write, or mend its rights",
    errno.EPERM: "choose a place that you may read and write, or mend its rights",
    errno.EROFS: "choose a place that can be written to",
}


class Stopped(KeyboardInterrupt):
    """The reader has stopped what ran; in a notebook that is one line instead of the way there."""

    def _render_traceback_(self) -> list[str]:
        """What IPython shows."""
        return [f"Stopped: {self}"]


def run(command: Callable[[], Any]) -> None:
    """Run a command; what is wrong with its arguments, its files or the disk is said in one sentence.

    Raises SystemExit with that sentence, which Python prints before it ends with status 1.
    """
    warnings.formatwarning = lambda message, *_, **__: f"Careful: {message}\n"  # without its line of code
    try:
        command()
    except ValueError as error:
        raise SystemExit(str(error)) from None
    except SafetensorError as error:
        raise SystemExit(f"A file of weights could not be read or written: {error}.") from None
    except OSError as error:
        raise SystemExit(sentence(error)) from None


def sentence(error: OSError) -> str:
    """What the system refused, where, and what to do, such as "No space left on device: ..."."""
    what = error.strerror or str(error) or type(error).__name__
    where = f": {error.filename}" if error.filename is not None else ""
    advice = ADVICE.get(error.errno or 0)
    return (
        f"{what}{where}. {advice[0].upper()}{advice[1:]}, then run this again."
        if advice
        else f"{what}{where}"
    )
