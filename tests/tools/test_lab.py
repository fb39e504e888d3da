"""JupyterLab as `lab` opens it: on this machine alone, with our kernel, and asking nothing."""

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from programs import python

from tools.lab import (
    already_open,
    arguments_for,
    chosen_port,
    free_port,
    open_lab,
    token_of_the_session,
)


def test_lab_stays_on_this_machine_and_asks_nothing_of_the_network() -> None:
    arguments = arguments_for(Path("my"), "00_start_here.ipynb", 8888, browser=False)
    assert "--ServerApp.ip=127.0.0.1" in arguments
    assert "--LabApp.news_url=None" in arguments
    assert "--ServerApp.open_browser=False" in arguments


def test_our_defaults_reach_jupyterlab() -> None:
    """The question whether it may fetch news is answered in its settings."""
    code = (
        "from tools.lab import never_ask_about_news; never_ask_about_news()\n"
        "from jupyterlab_server.config import ConfigManager\n"
        "print(ConfigManager(config_dir_name='labconfig').get('default_setting_overrides'))"
    )
    answer = python("-P", "-c", code)
    assert "'fetchNews': 'false'" in answer.stdout, answer.stdout + answer.stderr


def test_bars_fit_the_page_and_not_the_terminal(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("TQDM_NCOLS", raising=False)
    for name in ("JUPYTER_CONFIG_PATH", "JUPYTER_TOKEN", "JUPYTER_RUNTIME_DIR"):
        monkeypatch.setenv(name, str(tmp_path))
    widths: list[int] = []
    show = "import sys; from tqdm import tqdm; print(tqdm(total=5, file=sys.stdout, disable=False).ncols)"

    def launch(argv: list[str]) -> None:
        environment = {name: value for name, value in os.environ.items() if name != "TQDM_DISABLE"}
        said = subprocess.run([sys.executable, "-c", show], env=environment, capture_output=True, text=True)
        widths.append(int(said.stdout.split()[-1]))

    monkeypatch.setattr("jupyterlab.labapp.LabApp.launch_instance", launch)
    open_lab(tmp_path, "05_attention.ipynb", browser=False)
    assert widths == [80]


def test_lab_takes_a_port_that_nobody_has() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        free = free_port(port)
        assert port < free <= port + 99
        assert chosen_port(free) == free
        with pytest.raises(ValueError, match=f"cannot have port {port}"):
            chosen_port(port)


def test_a_second_lab_on_the_same_copies_is_noticed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path / "runtime"))
    assert already_open(tmp_path) is None
    server = {"pid": os.getpid(), "root_dir": str(tmp_path), "url": "http://127.0.0.1:8888/", "token": "abc"}
    (tmp_path / "runtime").mkdir()
    (tmp_path / "runtime" / "jpserver-1.json").write_text(json.dumps(server))
    assert already_open(tmp_path / "lecturer") is None
    assert already_open(tmp_path) == "http://127.0.0.1:8888/lab?token=abc"


@pytest.mark.parametrize(("given", "kept"), [(None, False), ("", False), ("mine", True)])
def test_nobody_is_locked_out(given: str | None, kept: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUPYTER_TOKEN", "to be undone")
    if given is None:
        del os.environ["JUPYTER_TOKEN"]
    else:
        os.environ["JUPYTER_TOKEN"] = given
    token = token_of_the_session()
    assert token and (token == given) == kept
    assert os.environ["JUPYTER_TOKEN"] == token


def test_a_stray_kernel_does_not_replace_ours(tmp_path: Path) -> None:
    """Somebody's own kernel called python3 points to a Python without the course."""
    for place in ("data", "path"):
        folder = tmp_path / place / "kernels" / "python3"
        folder.mkdir(parents=True)
        spec = {"argv": ["/usr/bin/false"], "display_name": "stray", "language": "python"}
        (folder / "kernel.json").write_text(json.dumps(spec))
    code = (
        "from tools.editions import bind_jupyter_to_this_python as bind; bind()\n"
        "from jupyter_client import KernelManager\n"
        "print(KernelManager(kernel_name='python3').format_kernel_cmd()[0])"
    )
    answer = python(
        "-P", "-c", code, JUPYTER_DATA_DIR=str(tmp_path / "data"), JUPYTER_PATH=str(tmp_path / "path")
    )
    assert Path(answer.stdout.strip()) == Path(sys.executable), answer.stdout + answer.stderr
