"""What a reader takes home runs without the course: each cell tagged `yours`, as a script of its own."""

import csv
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from subprocess import PIPE, CompletedProcess

import pytest
import torch
from notebook_dose import TAUGHT
from notebook_file import committed
from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

from lib.bert.checkpoint import resolve_checkpoint
from lib.text.tasks import own
from tools.copies import every_notebook

NOTEBOOKS = [path for path in every_notebook() if path.name[:2] in TAUGHT]
ROWS = 45  # five of each category
SECONDS = 240
SCRIPT, PRINTED, ERRORS = "mine.py", "printed.txt", "errors.txt"
#: the course is not importable, whatever lies on the path or in site-packages
PRELUDE = """import sys

class NotHere:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("lib", "chapters", "studies", "tools"):
            raise ModuleNotFoundError(f"{name} is the course's, and nobody has it at home")

sys.meta_path.insert(0, NotHere())
model_folder, text_file = sys.argv[1:3]
"""
#: what several scripts import is imported once: each runs in a process that is forked after that
STARTER = f"""import gc, os, runpy, signal, sys
import pandas, peft
from transformers import AutoModelForSequenceClassification, AutoTokenizer
from transformers import BertForSequenceClassification, BertTokenizerFast

gc.freeze()  # or the collector's marks make each process copy the memory of this one
for folder in sys.stdin:
    child = os.fork()
    if not child:
        break
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
else:
    sys.exit()
signal.alarm({SECONDS})
os.chdir(folder.rstrip())
for stream, name in ((1, "{PRINTED}"), (2, "{ERRORS}")):
    os.dup2(os.open(name, os.O_WRONLY | os.O_CREAT), stream)
runpy.run_path("{SCRIPT}", run_name="__main__")
sys.stdout.flush()
os._exit(0)  # to take down all that was imported takes longer than most scripts
"""


@pytest.fixture(scope="module")
def at_home(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A classifier of nine classes as transformers saves it, and a CSV of texts and labels."""
    folder, file = tmp_path_factory.mktemp("model"), tmp_path_factory.mktemp("texts") / "texts.csv"
    torch.manual_seed(0)
    config = BertConfig(
        hidden_size=64, num_hidden_layers=4, num_attention_heads=4, intermediate_size=128, num_labels=9
    )
    BertForSequenceClassification(config).save_pretrained(folder)
    BertTokenizerFast.from_pretrained(resolve_checkpoint("minilm")).save_pretrained(folder)
    by_label = sorted(own.headlines("train"), key=lambda example: example.label or 0)
    with file.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out)
        writer.writerow(["text", "label"])
        writer.writerows([example.first, example.label] for example in by_label[:: len(by_label) // ROWS])
    return folder, file


def command(*arguments: str | Path) -> list[str]:
    """This Python, away from the course's folder."""
    return [sys.executable, "-P", *map(str, arguments)]


def environment() -> dict[str, str]:
    """Ours without the path to the course."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return kept | {"OMP_NUM_THREADS": "1", "TQDM_DISABLE": "1", "HF_HUB_OFFLINE": "1"}


@pytest.fixture(scope="module")
def alone(at_home: tuple[Path, Path]) -> Callable[[Path], CompletedProcess[str]]:
    """Runs the script of a folder as anybody starts it."""

    def run(folder: Path) -> CompletedProcess[str]:
        started = command(SCRIPT, *at_home)
        return subprocess.run(
            started, cwd=folder, env=environment(), capture_output=True, text=True, timeout=SECONDS
        )

    return run


@pytest.fixture(scope="module")
def forked(
    at_home: tuple[Path, Path], alone: Callable[[Path], CompletedProcess[str]]
) -> Iterator[Callable[[Path], CompletedProcess[str]]]:
    """Runs the script of a folder in a process forked from the starter; on Linux, where that is safe."""
    if sys.platform != "linux":
        yield alone
        return
    started = command("-c", STARTER, *at_home)
    with subprocess.Popen(
        started, cwd=at_home[0], env=environment(), text=True, stdin=PIPE, stdout=PIPE
    ) as starter:
        assert starter.stdin is not None and starter.stdout is not None
        folders, exit_codes = starter.stdin, starter.stdout

        def run(folder: Path) -> CompletedProcess[str]:
            print(folder, file=folders, flush=True)
            code = int(exit_codes.readline())
            printed, errors = ((folder / name).read_text("utf-8") for name in (PRINTED, ERRORS))
            return CompletedProcess(SCRIPT, code, printed, errors)

        yield run


def write_script(path: Path, folder: Path) -> None:
    """The cell of a notebook that is the reader's, as a script."""
    cell = next(cell for cell in committed(path).code if "yours" in cell.tags)
    (folder / SCRIPT).write_text(PRELUDE + cell.source, encoding="utf-8")


def assert_worth_having(ran: CompletedProcess[str]) -> None:
    """The script has run to its end, and printed something."""
    assert ran.returncode == 0, ran.stderr[-2000:]
    assert ran.stdout.strip(), "it prints nothing worth having"


def test_the_first_runs_as_anybody_starts_it(
    alone: Callable[[Path], CompletedProcess[str]], tmp_path: Path
) -> None:
    write_script(NOTEBOOKS[0], tmp_path)
    assert_worth_having(alone(tmp_path))


@pytest.mark.parametrize("path", NOTEBOOKS[1:], ids=lambda path: path.name[:2])
def test_what_is_yours_runs_without_the_course(
    path: Path, forked: Callable[[Path], CompletedProcess[str]], tmp_path: Path
) -> None:
    write_script(path, tmp_path)
    assert_worth_having(forked(tmp_path))


def test_the_course_is_not_there(forked: Callable[[Path], CompletedProcess[str]], tmp_path: Path) -> None:
    (tmp_path / SCRIPT).write_text(PRELUDE + "import lib.bert", encoding="utf-8")
    ran = forked(tmp_path)
    assert ran.returncode == 1 and "lib is the course's" in ran.stderr
