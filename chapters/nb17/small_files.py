"""Two files of some 90 kB: what turns MiniLM into a sorter of reviews, by subject, or of headlines.

They come with the course, in data/models/patches. A file holds low-rank updates of the queries and values of
all layers, `a` and `b` by the path of their matrix, and a head, as plain safetensors, and nothing else:
without it the model is what it was. The pooler stays frozen, too. `make_files` trains both anew.
"""

from __future__ import annotations

import csv
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from torch import nn

from lib import root
from lib.bert import BertForSequenceClassification, WordPieceTokenizer
from lib.bert.added import added_parameters, layer_paths, remove_added
from lib.bert.alterations import parametrize
from lib.files import replacing
from lib.text.tasks import TextExample, own
from lib.training.devices import precision_here
from lib.training.finetuning import Recipe, fine_tune, fresh_model
from lib.training.freezing import train_only
from lib.training.known_tasks import load_task
from lib.training.task_kinds import Classification, Task

FOLDER = root / "data" / "models" / "patches"
SUBJECTS = ("book", "film", "gadget", "hotel", "meal")
HEAD = "classifier"
RANK = 2
EPOCHS = {"subjects": 2, "headlines": 4}
RATE = 5e-3  # tried with seed 9, which made neither file
OURS = ".parametrizations.weight.0"  # where the course's own updates stand; a file does without


def small_file(task: str) -> Path:
    """The file that comes with the course for this task."""
    return FOLDER / f"{task}.safetensors"


def sorting_task(name: str) -> Task:
    """Reviews by what they are about ("subjects"), or headlines by their category."""
    if name == "headlines":
        return load_task(name)
    train, test = (
        [TextExample(row["text"], None, SUBJECTS.index(row["domain"])) for row in _rows_of_reviews(split)]
        for split in ("train", "test")
    )
    return Task(name, Classification(SUBJECTS), train, test)


def _rows_of_reviews(split: str) -> list[dict[str, str]]:
    lines = Path(own.FOLDER, "reviews", f"{split}.tsv").read_text(encoding="utf-8").splitlines()
    return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


@torch.no_grad()
def put_in(model: BertForSequenceClassification, path: str | Path) -> None:
    """Take out of a model what another file brought, and put in what this one holds: updates and a head."""
    remove_added(model)
    held = load_file(path)
    model.classifier = nn.Linear(held[f"{HEAD}.weight"].size(1), len(held[f"{HEAD}.weight"]))
    for matrix in [name.removesuffix(".a") for name in held if name.endswith(".a")]:
        parametrize(model, matrix, "LoRA", rank=len(held[f"{matrix}.a"]))
    own_weights = {name.replace(OURS, ""): weight for name, weight in model.named_parameters()}
    for name, weight in held.items():
        own_weights[name].copy_(weight)


def make_file(task: str, path: Path, seed: int = 0) -> None:
    """Train updates of the queries and values of MiniLM, and a head, and write them alone."""
    learned = sorting_task(task)
    model = fresh_model(learned, "minilm", seed)
    for part in ("attention.self.query", "attention.self.value"):
        for matrix in layer_paths(model, part):
            parametrize(model, matrix, "LoRA", rank=RANK)
    train_only(model, *added_parameters(model), f"{HEAD}.*")
    tokenizer = WordPieceTokenizer.from_pretrained("minilm")
    recipe = Recipe(epochs=EPOCHS[task], batch_size=16, learning_rate=RATE, precision=precision_here())
    fine_tune(model, tokenizer, learned, recipe, seed=seed)
    held = {name: weight for name, weight in model.named_parameters() if weight.requires_grad}
    with replacing(path) as beside:
        save_file({name.replace(OURS, ""): one.detach().contiguous() for name, one in held.items()}, beside)


def make_files(folder: Path = FOLDER) -> None:
    """Both files anew: two minutes."""
    for task in EPOCHS:
        make_file(task, folder / f"{task}.safetensors")
