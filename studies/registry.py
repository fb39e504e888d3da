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


def _ablations_config() -> dict[str, Any]:
    from chapters.nb12 import pretraining_choices as choices

    return {
        "arms": list(choices.ARMS),
        "multiply_adds": choices.BUDGET,
        "length": choices.LENGTH,
        "batch_size": choices.BATCH,
        "learning_rate": choices.LEARNING_RATE,
    }


def _habits_of_2020_config() -> dict[str, Any]:
    from chapters.nb16 import habits_of_2020 as habits

    return {"rows_a_class": habits.ROWS_A_CLASS, "epochs": habits.EPOCHS, "fixes": list(habits.FIXES)}


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


def _sentence_pairs(seed: int) -> Any:
    from chapters.nb11.bag_of_words import on_folder

    return on_folder(public("pretrain_wikipedia"), seed)


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


def _few_rows_config() -> dict[str, Any]:
    from studies import few_rows

    return {"counts": list(few_rows.COUNTS), "steps": few_rows.STEPS, "batch_size": few_rows.BATCH}


def _warm_up_config() -> dict[str, Any]:
    from chapters.nb08 import residual

    return {
        "steps": residual.STEPS,
        "batch_size": residual.BATCH,
        "length": residual.LENGTH,
        "warm_up": residual.WARM_UP,
        "learning_rates": list(residual.RATES),
    }


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

PUBLIC_TASKS = ("glue/SST-2", "glue/MRPC", "squad_v1.1", "wnut17", "livedoor_news", "ud_english_ewt")
OWN_TASKS = ("reviews", "headlines", "pairs", "entities", "passages", "stories")

EXPERIMENTS: dict[str, Experiment] = {
    "ablations": Experiment(
        Named("chapters.nb12.pretraining_choices", "all_arms"),
        seeds=(0, 1, 2),
        minutes=15,
        about="One choice of pretraining changed at a time at equal compute, in small BERTs on the grammar's"
        " text and the course's own; the seed draws weights, order, masks",
        inputs=READER[1:],
        config=_ablations_config,
    ),
    "domain_text": Experiment(
        Named("studies.domain_text", "with_and_without"),
        seeds=(0, 1, 2),
        minutes=20,
        about="The pocket BERT fine-tuned on few reviews, as it is and after it has read unlabeled ones; the"
        " seed draws the head, what is hidden in the text, and the order of the rows",
        inputs=("pocket", "data/tasks/reviews"),
        config=Named("studies.domain_text", "config"),
    ),
    "habits_of_2020": Experiment(
        Named("chapters.nb16.habits_of_2020", "after_each_fix"),
        seeds=(0, 1, 2),
        minutes=25,
        about="A script with the habits of 2020 on the course's headlines, after each of its fixes; the seed"
        " draws the head, the order of the rows, and dropout",
        inputs=("minilm", "data/tasks/headlines"),
        config=_habits_of_2020_config,
    ),
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
    "sentence_pairs": Experiment(
        _sentence_pairs,
        seeds=(0, 1, 2),
        minutes=10,
        about="Next sentence and sentence order by bags of words, on 2,000 articles of Wikipedia, four folds;"
        " the seed draws folds and pairs",
        inputs=("public/pretrain_wikipedia",),
    ),
    "held_out_pairs": Experiment(
        _held_out_pairs,
        seeds=(0,),
        minutes=3,
        about="Next sentence on held-out rows by the pocket BERT's head, as it is and with a new threshold,"
        " and by the cosine of two bags of words; the seed draws the rows",
        inputs=("pocket", *(f"public/{name}" for name in POCKET_CORPORA), "public/wikitext2/valid.txt"),
    ),
    "six_recipes": Experiment(
        Named("studies.six_recipes", "all_recipes"),
        seeds=(0, 1, 2),
        minutes=10,
        about="Tags from a frozen MiniLM on the course's entities by six recipes for features; the seed draws"
        " the tagger's weights and the order of the rows",
        inputs=("minilm", "data/tasks/entities"),
        config=Named("studies.six_recipes", "config"),
    ),
    "few_rows": Experiment(
        Named("studies.few_rows", "few_rows"),
        seeds=(0, 1, 2),
        minutes=25,
        about="MiniLM and a count of words on the reviews, from 20 to 1,200 labeled ones; the seed draws the"
        " rows, their order, the head and dropout",
        inputs=("minilm", "data/tasks/reviews"),
        config=_few_rows_config,
    ),
    "public_sets": Experiment(
        Named("studies.public_sets", "public_sets"),
        seeds=(0, 1, 2),
        minutes=120,
        about="MiniLM and a count of words on SST-2, MRPC, SQuAD 1.1, WNUT17, livedoor and UD English EWT,"
        " read in part; the seed draws the head, the order of the rows and dropout",
        inputs=("minilm", *(f"public/{place}" for place in PUBLIC_TASKS)),
        config=Named("studies.public_sets", "config"),
    ),
    "ways_of_training": Experiment(
        Named("studies.ways_of_training", "all_ways"),
        seeds=(0, 1, 2, 3, 4),
        minutes=350,
        about="MiniLM on each of the course's tasks, trained in ten ways, and a count of words beside it; the"
        " seed draws the head and all that is new, the order of the rows, and dropout",
        inputs=("minilm", *(f"data/tasks/{name}" for name in OWN_TASKS)),
        config=Named("studies.ways_of_training", "config"),
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
    "elastic": Experiment(
        Named("studies.elastic", "elastic"),
        seeds=(0, 1, 2),
        minutes=50,
        about="One network at many sizes on the course's reviews and headlines: layers skipped in training,"
        " heads and neurons sorted, every width and depth taught in one step, and single sizes alone; the"
        " seed draws teacher, order of the rows, dropout, and which layers are skipped",
        inputs=("minilm", "data/tasks/reviews", "data/tasks/headlines"),
        config=Named("studies.elastic", "config", ("headlines", "reviews")),
    ),
    "elastic_public": Experiment(
        Named("studies.elastic", "elastic_public"),
        seeds=(0, 1, 2),
        minutes=120,
        about="One network at many sizes on SST-2, of which 4,000 phrases are read and the whole dev set"
        " judges; the seed draws teacher, order of the rows, dropout, and which layers are skipped",
        inputs=("minilm", "public/glue/SST-2"),
        config=Named("studies.elastic", "config", ("SST-2",)),
    ),
    "layer_maps": Experiment(
        Named("studies.layer_maps", "layer_maps"),
        seeds=(0, 1, 2),
        minutes=60,
        about="Two-layer students of MiniLM on the course's headlines and reviews, by which of its layers"
        " teach them: all 28 increasing maps, CKD's sets, ALP-KD's mixtures, and maps without sense; the seed"
        " draws teacher and student, the order of the rows, and dropout",
        inputs=("minilm", "data/tasks/reviews", "data/tasks/headlines"),
        config=Named("studies.layer_maps", "config"),
    ),
    "layer_maps_public": Experiment(
        Named("studies.layer_maps", "layer_maps_public"),
        seeds=(0, 1, 2),
        minutes=25,
        about="Two-layer students of MiniLM on SST-2, by which of its layers teach them; the seed draws"
        " teacher and student, the order of the rows, and dropout",
        inputs=("minilm", "public/glue/SST-2"),
        config=Named("studies.layer_maps", "public_config"),
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
    "how_to_teach": Experiment(
        Named("studies.how_to_teach", "how_to_teach"),
        seeds=(0, 1, 2),
        minutes=75,
        about="A small student of MiniLM on the course's reviews and headlines, taught in many ways:"
        " annealing, an assistant, rewritten texts and an adversary, neighbors, texts that a masked LM wrote;"
        " the seed draws teacher and student, the order of the rows, dropout, and what is written",
        inputs=("minilm", "pocket", "data/tasks/reviews", "data/tasks/headlines"),
        config=Named("studies.how_to_teach", "config"),
    ),
    "how_to_teach_public": Experiment(
        Named("studies.how_to_teach", "how_to_teach_public"),
        seeds=(0, 1, 2),
        minutes=170,
        about="A small student of MiniLM on 4,000 phrases of SST-2, taught in some of these ways; the seed"
        " draws teacher and student, the order of the rows, dropout, and what is rewritten",
        inputs=("minilm", "pocket", "public/glue/SST-2"),
        config=Named("studies.how_to_teach", "config"),
    ),
    "more_on_reviews": Experiment(
        Named("studies.further_runs", "more_on_reviews"),
        seeds=(0, 1, 2),
        minutes=80,
        about="A small student of MiniLM on the course's reviews, taught through an assistant, with neighbors"
        " and on texts that a masked LM wrote, and lottery tickets there; the seed draws teacher and student,"
        " the order of the rows, dropout, and what is written",
        inputs=("minilm", "pocket", "data/tasks/reviews", "data/reader"),
        config=Named("studies.further_runs", "more_on_reviews_config"),
    ),
    "more_parts": Experiment(
        Named("studies.further_runs", "more_parts"),
        seeds=(0, 1, 2),
        minutes=40,
        about="MiniLM fine-tuned on SST-2 without single heads, and without more and more heads, neurons,"
        " features or layers, before any tuning, FreeLB with a hundredth of its lengths on reviews and on"
        " SST-2, and SparseBERT's controls on reviews; the seed draws teacher, student and head, what goes at"
        " random, and the order of the rows",
        inputs=("minilm", "pocket", "data/tasks/reviews", "public/glue/SST-2", *READER),
        config=Named("studies.further_runs", "more_parts_config"),
    ),
    "more_controls": Experiment(
        Named("studies.further_runs", "more_controls"),
        seeds=(0, 1, 2),
        minutes=95,
        about="Controls of pruning and of elastic networks: SparseBERT's at 80% zeros on headlines, pruning"
        " by size at two more sparsities on SST-2, the halved model with new weights there, and DynaBERT's"
        " smallest size without a teacher; the seed draws teacher and head, the order of the rows, dropout",
        inputs=(
            "minilm",
            "pocket",
            "data/tasks/reviews",
            "data/tasks/headlines",
            "data/reader",
            "public/glue/SST-2",
        ),
        config=Named("studies.further_runs", "more_controls_config"),
    ),
    "warm_up": Experiment(
        Named("chapters.nb08.residual", "learning"),
        seeds=(0, 1, 2),
        minutes=5,
        about="Post-LN and pre-LN learn to write twelve letters backwards, with and without warm-up",
        config=_warm_up_config,
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
