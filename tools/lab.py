"""Opens JupyterLab on the reader's own copies of the notebooks.

What Jupyter itself brings along takes seconds, so it is imported once its address is printed.
"""

import json
import os
import secrets
import socket
from pathlib import Path
from urllib.parse import quote, urlsplit

from lib import root
from tools import copies
from tools.kernel import bind_jupyter_to_this_python

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


def running_on(folder: Path) -> dict[str, str] | None:
    """The `url` and `token` of a JupyterLab of this user that is open on the same folder; None if none is."""
    from jupyter_core.paths import jupyter_runtime_dir

    for note in sorted(Path(jupyter_runtime_dir()).glob("jpserver-*.json")):
        try:
            server: dict[str, str] = json.loads(note.read_text("utf-8"))
        except (OSError, ValueError):  # gone by now, or being written
            continue
        if Path(server["root_dir"]).resolve() == folder.resolve() and answers(server["url"]):
            return server
    return None


def answers(url: str) -> bool:
    """Whether somebody listens there: the note of a server that was killed stays behind."""
    place = urlsplit(url)
    try:
        socket.create_connection((place.hostname, place.port), timeout=1).close()
    except OSError:
        return False
    return True


def address(url: str, audience: copies.Audience, notebook: str, token: str) -> str:
    """The address of a notebook on the audience's desk, in the JupyterLab at `url`."""
    return f"{url}{audience.desk}/tree/{notebook}" + (f"?token={quote(token)}" if token else "")


def token_of_the_session() -> str:
    """The reader's JUPYTER_TOKEN, or a new secret, set for JupyterLab; an empty one would let nobody in."""
    os.environ["JUPYTER_TOKEN"] = os.environ.get("JUPYTER_TOKEN") or secrets.token_hex(24)
    return os.environ["JUPYTER_TOKEN"]


def arguments_for(folder: Path, page: str, port: int, browser: bool) -> list[str]:
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
        f"--LabApp.default_url=/{page}",
        "--LabApp.news_url=None",
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    ]


def open_lab(audience: copies.Audience, notebook: str, port: int | None = None, browser: bool = True) -> None:
    """Runs JupyterLab on an audience's copies until the reader stops it with Ctrl+C.

    Where one is open on these copies, its address is printed instead, unless a port is asked for.
    """
    folder = copies.folder_of(audience).resolve()
    running = running_on(folder)
    there = address(running["url"], audience, notebook, running["token"]) if running else None
    if there and port is None:
        with copies.own_copies(audience):
            print(
                f"A JupyterLab is already open on these copies: {notebook} is at\n\n    {there}\n\n"
                "To start a second one beside it, choose a port with --port.",
                flush=True,
            )
        return
    port = free_port() if port is None else chosen_port(port)
    here = address(f"http://{LOOPBACK}:{port}/", audience, notebook, token_of_the_session())
    with copies.own_copies(audience):
        if there:
            print(
                f"A JupyterLab is already open on these copies, at\n\n    {there}\n\n"
                "Write in one of the two only: a notebook saved in both keeps what was saved last.\n"
            )
        print(
            f"JupyterLab is starting. If no browser opens, open one at\n\n    {here}\n\n"
            f"Your copies of the notebooks are in {folder}. Stop with Ctrl+C, twice.\n"
            "A notebook holds 1 to 2 GB until you choose Kernel > Shut Down Kernel, even if its tab is shut.",
            flush=True,
        )
    bind_jupyter_to_this_python()
    never_ask_about_news()
    os.environ.setdefault("TQDM_NCOLS", "80")  # bars fit the page, and not the terminal that this is typed in

    from jupyterlab.labapp import LabApp

    from tools.live_views import put_out

    if not there:
        for original in copies.every_notebook():
            put_out(folder / original.name)
    LabApp.launch_instance(argv=arguments_for(folder, f"{audience.desk}/tree/{notebook}", port, browser))
