"""Opens JupyterLab on the reader's own copies of the notebooks."""

import os
import secrets
import socket
from pathlib import Path
from urllib.parse import quote

from lib import root
from tools.editions import bind_jupyter_to_this_python

LOOPBACK = "127.0.0.1"


def never_ask_about_news() -> None:
    """Adds our defaults to JupyterLab's; what the reader has set in its menus still counts.

    Otherwise it asks at the first start whether it may fetch news, and offline complains that it cannot.
    """
    folders = [str(root / "tools" / "jupyter"), os.environ.get("JUPYTER_CONFIG_PATH", "")]
    os.environ["JUPYTER_CONFIG_PATH"] = os.pathsep.join(filter(None, folders))


def refusal(port: int) -> OSError | None:
    """Why nothing can listen to a port on this machine; None where it can."""
    with socket.socket() as probe:
        if os.name != "nt":  # elsewhere it would let two listen to the same port
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((LOOPBACK, port))
        except OSError as error:
            return error
    return None


def free_port(first: int = 8888) -> int:
    """The first port from `first` on that nobody on this machine listens to."""
    for port in range(first, first + 100):
        if refusal(port) is None:
            return port
    raise ValueError(f"All ports from {first} to {first + 99} are taken: choose one with --port.")


def chosen_port(port: int) -> int:
    """The port that the reader chose, if it can be had."""
    if error := refusal(port):
        raise ValueError(
            f"JupyterLab cannot have port {port} ({error.strerror}): choose another with --port."
        )
    return port


def already_open(folder: Path) -> str | None:
    """The address of a JupyterLab of this user that is open on the same folder; None if there is none."""
    from jupyter_server.serverapp import list_running_servers

    for server in list_running_servers():
        if Path(server["root_dir"]).resolve() == folder.resolve():
            return f"{server['url']}lab?token={server['token']}"
    return None


def token_of_the_session() -> str:
    """The reader's JUPYTER_TOKEN, or a new secret, set for JupyterLab; an empty one would let nobody in."""
    os.environ["JUPYTER_TOKEN"] = os.environ.get("JUPYTER_TOKEN") or secrets.token_hex(24)
    return os.environ["JUPYTER_TOKEN"]


def arguments_for(folder: Path, notebook: str, port: int, browser: bool) -> list[str]:
    """JupyterLab's command line: on loopback, in `folder`, with nothing asked of the network."""
    return [
        f"--ServerApp.ip={LOOPBACK}",
        f"--ServerApp.port={port}",
        "--ServerApp.port_retries=0",  # another port would not be the one that was printed
        f"--ServerApp.root_dir={folder}",
        f"--ServerApp.open_browser={browser}",
        "--ServerApp.allow_root=True",  # as in a container; it listens to this machine alone
        "--ServerApp.log_level=ERROR",
        "--LabApp.log_level=ERROR",
        # Where it can, the kernel's traffic is encrypted even here; otherwise each kernel warns of it.
        "--KernelManager.transport_encryption=auto",
        f"--LabApp.default_url=/lab/tree/{notebook}",
        "--LabApp.news_url=None",
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    ]


def open_lab(folder: Path, notebook: str, port: int | None = None, browser: bool = True) -> None:
    """Runs JupyterLab on `folder/notebook` until the reader stops it with Ctrl+C."""
    from jupyterlab.labapp import LabApp  # here: what else stands in this module is wanted at once

    bind_jupyter_to_this_python()
    never_ask_about_news()
    os.environ.setdefault("TQDM_NCOLS", "80")  # bars fit the page, and not the terminal that this is typed in
    port = free_port() if port is None else chosen_port(port)
    token = quote(token_of_the_session())
    if other := already_open(folder):
        print(
            f"A JupyterLab is already open on these copies, at\n\n    {other}\n\n"
            "Write in one of the two only: a notebook saved in both keeps what was saved last.\n"
        )
    print(
        f"JupyterLab is starting. If no browser opens, open one at\n\n"
        f"    http://{LOOPBACK}:{port}/lab/tree/{notebook}?token={token}\n\n"
        f"Your copies of the notebooks are in {folder}. Stop with Ctrl+C, twice.",
        flush=True,
    )
    LabApp.launch_instance(argv=arguments_for(folder, notebook, port, browser))
