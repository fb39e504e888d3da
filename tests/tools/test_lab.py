"""JupyterLab as `lab` opens it: on this machine alone, with our kernel, and asking nothing."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output
from programs import python

import lib
from tools import copies
from tools.lab import address, arguments_for, chosen_port, free_port, open_lab, token_of_the_session

NAME = "05_attention.ipynb"


def test_lab_stays_on_this_machine_and_asks_nothing_of_the_network() -> None:
    arguments = arguments_for(Path("my"), "lab/tree/00_start_here.ipynb", 8888, browser=False)
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


@pytest.fixture
def launched(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[list[str]]:
    """The command lines with which JupyterLab was started, on a course of one notebook."""
    for name in ("JUPYTER_CONFIG_PATH", "JUPYTER_TOKEN", "JUPYTER_RUNTIME_DIR", "JUPYTER_DATA_DIR"):
        monkeypatch.setenv(name, str(tmp_path / "jupyter"))
    monkeypatch.setenv("BERT_COURSE_HOME", str(tmp_path / "my"))
    monkeypatch.setattr(lib, "root", tmp_path)
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "jupyter").mkdir()
    nbformat.write(new_notebook(cells=[new_code_cell("1")]), tmp_path / "notebooks" / NAME)
    command_lines: list[list[str]] = []
    monkeypatch.setattr("jupyterlab.labapp.LabApp.launch_instance", lambda argv: command_lines.append(argv))
    return command_lines


@pytest.fixture
def running(launched: list[list[str]], tmp_path: Path) -> Iterator[str]:
    """The address of a JupyterLab that is open on the learner's copies."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        url = f"http://127.0.0.1:{server.getsockname()[1]}/"
        note = {"pid": os.getpid(), "root_dir": str(tmp_path / "my"), "url": url, "token": "abc"}
        (tmp_path / "jupyter" / "jpserver-1.json").write_text(json.dumps(note))
        yield url


def with_a_live_view(copy: Path) -> bytes:
    """Puts into a notebook what yesterday's kernel showed; its file as it is then."""
    view = new_output("display_data", {"text/plain": "A view."}, metadata={"course": {"live": True}})
    view.data["text/html"] = "<iframe>"
    nbformat.write(new_notebook(cells=[new_code_cell("2", outputs=[view])]), copy)
    return copy.read_bytes()


def test_bars_fit_the_page_and_not_the_terminal(
    launched: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TQDM_NCOLS", raising=False)
    open_lab(copies.LEARNER, NAME)
    show = "import sys; from tqdm import tqdm; print(tqdm(total=5, file=sys.stdout, disable=False).ncols)"
    environment = {name: value for name, value in os.environ.items() if name != "TQDM_DISABLE"}
    shown = subprocess.run([sys.executable, "-c", show], env=environment, capture_output=True, text=True)
    assert shown.stdout.split()[-1] == "80"


def test_the_address_comes_before_jupyter_and_torch(tmp_path: Path) -> None:
    """And in a moment: what is slow to import is imported after it."""
    code = (
        "import builtins, sys\n"
        "from tools import copies, lab\n"
        "def address_is_there(text, flush=False):\n"
        "    slow = {'torch', 'nbformat', 'jupyterlab'} & sys.modules.keys()\n"
        "    print('JupyterLab is starting' in text, slow)\n"
        "    raise SystemExit\n"
        "lab.print = address_is_there\n"
        "lab.open_lab(copies.LEARNER, '05_attention.ipynb')"
    )
    folders = {"BERT_COURSE_HOME": str(tmp_path / "my"), "JUPYTER_RUNTIME_DIR": str(tmp_path)}
    answer = python("-P", "-c", code, **folders)
    assert answer.stdout == "True set()\n", answer.stdout + answer.stderr


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


def test_beside_a_running_lab_its_address_is_given(
    running: str, launched: list[list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    open_lab(copies.LEARNER, NAME)
    assert f"{running}lab/tree/{NAME}?token=abc" in capsys.readouterr().out and launched == []
    open_lab(copies.LECTURER, NAME)
    [arguments] = launched
    assert f"--LabApp.default_url=/lab/workspaces/lecturer/tree/{NAME}" in arguments


def test_a_port_asked_for_starts_a_second_lab_which_rewrites_nothing(
    running: str, launched: list[list[str]], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The first would say "File Changed", and one of its two answers loses what is not saved."""
    (tmp_path / "my").mkdir()
    before = with_a_live_view(tmp_path / "my" / NAME)
    open_lab(copies.LEARNER, NAME, port=free_port())
    printed = capsys.readouterr().out
    assert "Write in one of the two only" in printed and f"{running}lab/tree/{NAME}?token=abc" in printed
    assert len(launched) == 1 and (tmp_path / "my" / NAME).read_bytes() == before


def test_what_a_killed_lab_left_behind_is_no_running_lab(
    running: str, launched: list[list[str]], tmp_path: Path
) -> None:
    note = tmp_path / "jupyter" / "jpserver-1.json"
    note.write_text(note.read_text().replace(running, f"http://127.0.0.1:{free_port(9500)}/"))
    (tmp_path / "my").mkdir()
    before = with_a_live_view(tmp_path / "my" / NAME)
    open_lab(copies.LEARNER, NAME)
    assert len(launched) == 1 and (tmp_path / "my" / NAME).read_bytes() != before


def test_an_address_has_a_token_where_there_is_one() -> None:
    url = "http://127.0.0.1:8888/"
    assert address(url, copies.LEARNER, NAME, "a b") == f"{url}lab/tree/{NAME}?token=a%20b"
    assert address(url, copies.LECTURER, NAME, "") == f"{url}lab/workspaces/lecturer/tree/{NAME}"


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
        "from tools.kernel import bind_jupyter_to_this_python as bind; bind()\n"
        "from jupyter_client import KernelManager\n"
        "print(KernelManager(kernel_name='python3').format_kernel_cmd()[0])"
    )
    answer = python(
        "-P", "-c", code, JUPYTER_DATA_DIR=str(tmp_path / "data"), JUPYTER_PATH=str(tmp_path / "path")
    )
    assert Path(answer.stdout.strip()) == Path(sys.executable), answer.stdout + answer.stderr
