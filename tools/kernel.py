"""The kernel that notebooks run in: this very Python's, and what its environment says."""

import os

#: no bars and no network
QUIET = {
    "TQDM_DISABLE": "1",
    "TRANSFORMERS_VERBOSITY": "error",
    "HF_HUB_DISABLE_PROGRESS_BARS": "1",
    "HF_HUB_OFFLINE": "1",
    "MPLBACKEND": "module://matplotlib_inline.backend_inline",
}


def bind_jupyter_to_this_python() -> None:
    """Sets what Jupyter reads from the process's environment, for this process and its children.

    A kernel called `python3` may exist elsewhere on the machine, made years ago for another Python.
    It must not win over ours, which has the course installed.
    """
    os.environ["JUPYTER_PREFER_ENV_PATH"] = "1"
    os.environ.pop("JUPYTER_PATH", None)  # searched before everything else
