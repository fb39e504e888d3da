"""What is made once and kept: `python course.py records run NAME` runs an experiment for each of its seeds,
and `python course.py cache build` makes what several notebooks need.

Modules that compute are imported when something is run: to list what there is takes no time.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lib.records.cache import Entry
from lib.records.inputs import digests, is_at_hand, public
from lib.records.record import FOLDER, Record, is_table, load, table, write, write_table
from lib.records.record import names as record_names

if TYPE_CHECKING:
    from lib.records.study import Study


def _heads_off(seed: int) -> Any:
    from lib.analysis.attention.head_ablation import heads_needed

    return heads_needed("pocket", seed)


def _heads_in_ewt(seed: int) -> Any:
    from lib.analysis.attention.probes import heads_in_ewt

    return heads_in_ewt(public("ud_english_ewt"), seed)


def _nearest_in_ewt(_seed: int) -> Any:
    from lib.analysis.attention.probes import nearest_in_ewt

    return nearest_in_ewt(public("ud_english_ewt"))


def _objects(seed: int) -> Any:
    from lib.analysis.attention.parses import objects_in_ewt

    return objects_in_ewt(public("ud_english_ewt"), seed)


def _held_out_pairs(seed: int) -> Any:
    """On half of the rows that the pocket BERT is scored on."""
    from lib.bert import WordPieceTokenizer
    from lib.bert.heads import BertForPreTraining
    from lib.text.packing import pack
    from lib.text.pair_rows import PairRows
    from lib.text.wikitext import wikitext
    from studies import pocket_bert
    from studies.held_out_pairs import judge

    tokenizer = WordPieceTokenizer.from_pretrained("pocket")
    model = BertForPreTraining.from_pretrained("pocket").eval()
    texts = {
        "held out": pocket_bert.held_out_documents([public(name) for name in POCKET_CORPORA]),
        "wikitext": list(wikitext(public("wikitext2/valid.txt"))),
    }
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, documents in texts.items():
            rows = PairRows(pack(documents, tokenizer, Path(folder, name)), tokenizer, seed=seed)
            found[name] = judge(model, rows, documents, pocket_bert.SCORED // 2)
    return found


@dataclass(frozen=True)
class Named:
    """A function by its name and that of its module, imported when it is called.

    given: the arguments that come first.
    """

    module: str
    function: str
    given: tuple[Any, ...] = ()

    def __call__(self, *arguments: Any) -> Any:
        return self.resolved(*self.given, *arguments)

    @property
    def resolved(self) -> Callable[..., Any]:
        found: Callable[..., Any] = getattr(import_module(self.module), self.function)
        return found


@dataclass(frozen=True)
class Experiment:
    """Something to record: `run(seed)` gives numbers, texts, lists and dicts of them.

    inputs: what it is made from, by the names of `lib.records.inputs`; its record no longer fits when one
    of them changes, or what `config()` gives, JSON.
    """

    run: Callable[[int], Any]
    seeds: tuple[int, ...]
    minutes: float
    about: str
    inputs: tuple[str, ...] = ()
    config: Callable[[], dict[str, Any]] = dict


EWT = tuple(f"public/ud_english_ewt/en_ewt-ud-{part}.conllu" for part in ("dev", "test"))
POCKET_CORPORA = ("pretrain_wikipedia", "pretrain_gutenberg")
READER = ("data/reader/coast.txt", "data/reader/town.txt", "data/reader/valley.txt")


EXPERIMENTS: dict[str, Experiment] = {
    "heads_off": Experiment(
        _heads_off,
        seeds=(0, 1, 2),
        minutes=5,
        about="The pocket BERT's masked-LM loss on the course's own text without each of its heads, and with"
        " more and more of them off; the seed draws the text and what is hidden in it",
        inputs=("pocket", *READER),
    ),
    "heads_in_ewt": Experiment(
        _heads_in_ewt,
        seeds=(0, 1, 2),
        minutes=6,
        about="The best head for every frequent relation of UD English EWT in the pocket BERT and in MiniLM,"
        " chosen on dev and scored on test; the seed draws random weights",
        inputs=("pocket", "minilm", *EWT),
    ),
    "nearest_in_ewt": Experiment(
        _nearest_in_ewt,
        seeds=(0,),
        minutes=1,
        about="The best rule of the form 'the nearest noun after it' for every frequent relation of UD"
        " English EWT, told the gold parts of speech; chosen on dev, scored on test; nothing is drawn",
        inputs=EWT,
    ),
    "objects": Experiment(
        _objects,
        seeds=(0, 1, 2),
        minutes=4,
        about="Direct objects of UD English EWT found by one head of MiniLM; the seed draws random weights",
        inputs=("minilm", *EWT),
    ),
    "held_out_pairs": Experiment(
        _held_out_pairs,
        seeds=(0,),
        minutes=3,
        about="Next sentence on held-out rows by the pocket BERT's head, as it is and with a new threshold,"
        " and by the cosine of two bags of words; the seed draws the rows",
        inputs=("pocket", *(f"public/{name}" for name in POCKET_CORPORA), "public/wikitext2/valid.txt"),
    ),
    "bits": Experiment(
        Named("studies.bits", "bits"),
        seeds=(0, 1, 2),
        minutes=40,
        about="MiniLM fine-tuned on the reviews, weights and activations in 8 to 2 bits, by part, range and"
        " layer, rounded afterwards or trained so, and the pocket BERT's guesses of hidden pieces; the"
        " seed draws the head, the order of the rows, dropout, and what is hidden",
        inputs=("minilm", "pocket", "data/tasks/reviews", *READER),
        config=Named("studies.bits", "config"),
    ),
    "ledger": Experiment(
        Named("studies.ledger", "ledger"),
        seeds=(0, 1, 2),
        minutes=40,
        about="What models of the course's reviews and passages answer and cost, method by method; the seed"
        " draws teacher and student, and costs are those of seed 0",
        inputs=(
            "minilm",
            "pocket",
            "data/tasks/reviews",
            "data/tasks/passages",
            "data/tasks/headlines",
            "data/minilm-squad",
            "data/vectors",
            *READER,
        ),
        config=Named("studies.ledger", "config"),
    ),
    "ledger_mrpc": Experiment(
        Named("studies.ledger_public", "on_mrpc"),
        seeds=(0, 1, 2),
        minutes=30,
        about="What models of MRPC answer and cost, method by method; the seed draws teacher and student, and"
        " costs are those of seed 0",
        inputs=("minilm", "pocket", "public/glue/MRPC"),
        config=Named("studies.ledger_public", "mrpc_config"),
    ),
    "ledger_squad": Experiment(
        Named("studies.ledger_public", "on_squad"),
        seeds=(0,),
        minutes=10,
        about="What a question model answers on a part of SQuAD and costs, method by method, and what is"
        " published",
        inputs=("minilm", "data/minilm-squad", "public/squad_v1.1"),
        config=Named("studies.ledger_public", "squad_config"),
    ),
    "ledger_sst2": Experiment(
        Named("studies.ledger_public", "on_sst2"),
        seeds=(0, 1, 2),
        minutes=100,
        about="What models of SST-2, all of it, answer and cost, method by method, and what is published; the"
        " seed draws teacher and student, and costs are those of seed 0",
        inputs=("minilm", "pocket", "public/glue/SST-2"),
        config=Named("studies.ledger_public", "sst2_config"),
    ),
}


def study_names() -> list[str]:
    """The studies, whose records are tables of rows: each is a file that says `STUDY = Study(...)`."""
    files = sorted(Path(__file__).parent.glob("*.py"))
    return [path.stem for path in files if "\nSTUDY = Study(" in path.read_text(encoding="utf-8")]


def study(name: str) -> Study:
    """The study of that name."""
    found: Study = import_module(f"studies.{name}").STUDY
    return found


def names() -> list[str]:
    """All that can be run and recorded."""
    return sorted([*EXPERIMENTS, *study_names()])


def run(name: str, folder: Path = FOLDER) -> None:
    """Write the record of that name anew. Of a study only those runs are made that its record lacks or that
    would come out otherwise now; of an older experiment all."""
    if name in study_names():
        one = study(name)
        before = table(name, folder) if name in record_names(folder) and is_table(name, folder) else None
        write_table(name, one.about, list(one.rows(before)), folder)
        return
    if name not in EXPERIMENTS:
        raise ValueError(f"There is no experiment {name!r}; there are {', '.join(names())}.")
    experiment = EXPERIMENTS[name]
    inputs, config = digests(experiment.inputs), experiment.config()
    start = time.perf_counter()
    results = tuple(experiment.run(seed) for seed in experiment.seeds)
    seconds = time.perf_counter() - start
    write(name, experiment.about, seconds, experiment.seeds, results, folder, inputs, config)


def misfits_of(name: str, folder: Path = FOLDER) -> list[str]:
    """What has changed since the record of that name was made, a sentence each. None: it fits."""
    if is_table(name, folder):
        return study(name).misfits(table(name, folder))
    return misfits(load(name, folder))


def misfits(record: Record) -> list[str]:
    """What has changed since a record was made, a sentence each; public data sets count where they are at
    hand. None: the record fits."""
    found = [
        f"{name} is not what it was"
        for name, before in record.inputs.items()
        if is_at_hand(name) and digests([name])[name] != before
    ]
    experiment = EXPERIMENTS.get(record.name)
    if experiment is None:  # made by a command of its own, such as the pocket BERT's
        return found
    if set(experiment.inputs) != set(record.inputs):
        found.append(f"its inputs are {', '.join(experiment.inputs) or 'none'} now")
    if experiment.seeds != record.seeds:
        found.append(f"its seeds are {experiment.seeds} now")
    now = experiment.config()
    found += [
        f"{key} is {now.get(key)} now, and was {record.config.get(key)}"
        for key in sorted(now.keys() | record.config.keys())
        if now.get(key) != record.config.get(key)
    ]
    return found


def entries() -> dict[str, Entry]:
    """What is kept in the cache, by name."""
    from chapters.nb17.small_files import SMALL_FILES
    from chapters.nb18.landscapes import LANDSCAPES
    from lib.records.small_bert import GRAMMAR
    from lib.records.teachers import teacher_entry
    from lib.training.known_tasks import OWN

    kept = (GRAMMAR, LANDSCAPES, *map(teacher_entry, OWN), *SMALL_FILES.values())
    return {entry.name: entry for entry in kept}
