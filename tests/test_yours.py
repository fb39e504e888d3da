"""What a reader takes home runs without the course: a notebook's cells tagged `yours`, as one script."""

import csv
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from subprocess import PIPE, CompletedProcess
from typing import Any

import pytest
import tokenizers
import torch
import transformers
from notebook_dose import TAKES_HOME
from notebook_file import committed
from notebook_plain import PLAIN
from PIL import Image
from safetensors.torch import load_file

from lib import root
from lib.bert.checkpoint import resolve_checkpoint
from lib.text.tasks import own
from tools.copies import every_notebook

NOTEBOOKS = {path.name[:2]: path for path in every_notebook() if path.name[:2] in TAKES_HOME}
#: these read a plain text, and these open a model that fills blanks
READ_TEXT, FILL = ("03", "10", "12", "34", "35", "36", "39"), ("10", "35", "36")
#: what the others open is a classifier and a table of texts and labels
TAG = "15"  # what this one opens is any BERT and a file of tagged words
CLASSIFYING = sorted(number for number in {*PLAIN} & {*NOTEBOOKS} - {TAG} if "12" < number < "34")
#: what each saves the next one opens
CHAIN = ("14", "16", "20", "21", "26", "27", "33")
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

Run = Callable[[Path], CompletedProcess[str]]


@dataclass(frozen=True)
class Home:
    """At home: folders of models, a table, a text, a board, pictures and claims, as a reader has them."""

    model: Path
    table: Path
    text: Path
    filler: Path
    board: Path = root / "no board"
    pictures: Path = root / "no pictures"
    claims: Path = root / "no claims"
    tags: Path = root / "no tags"
    second: Path | None = None

    def script(self, number: str) -> str:
        """The cells of a notebook that are the reader's, for this model and file."""
        cells = [cell.source for cell in committed(NOTEBOOKS[number]).code if "yours" in cell.tags]
        file = self.text if number in READ_TEXT else self.tags if number == TAG else self.table
        model = self.filler if number in FILL else self.model
        named = f"model_folder = {str(model)!r}\ntext_file = {str(file)!r}\n"
        named += f"board_file = {str(self.board)!r}\npicture_folder = {str(self.pictures)!r}\n"
        named += f"claims_file = {str(self.claims)!r}\n"
        named += f"second_folder = {str(self.second) if self.second else None!r}\n"
        return "\n\n\n".join([PRELUDE + named, *cells])


# ---------------------------------------------------------------------------------------------
# Three kinds of models, and a table as a spreadsheet saves it

SIZES = {"hidden_size": 64, "num_hidden_layers": 4, "num_attention_heads": 4, "intermediate_size": 128}
DISTIL = {"dim": 64, "n_layers": 4, "n_heads": 4, "hidden_dim": 128}


def save_bert(folder: Path, **more: Any) -> None:
    """A BERT that has learned nothing."""
    config = transformers.BertConfig(**SIZES, **more)
    transformers.BertForSequenceClassification(config).save_pretrained(folder)
    transformers.BertTokenizerFast.from_pretrained(resolve_checkpoint("minilm")).save_pretrained(folder)


def save_distilbert(folder: Path, **more: Any) -> None:
    """A DistilBERT that has learned nothing; its tokenizer gives token types, which it doesn't take."""
    config = transformers.DistilBertConfig(**DISTIL, **more)
    transformers.DistilBertForSequenceClassification(config).save_pretrained(folder)
    transformers.BertTokenizerFast.from_pretrained(resolve_checkpoint("minilm")).save_pretrained(folder)


def save_roberta(folder: Path, **more: Any) -> None:
    """A RoBERTa that has learned nothing, with byte-level pieces of its own."""
    learner = tokenizers.ByteLevelBPETokenizer()
    texts = [example.first for example in own.headlines("train")]
    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    learner.train_from_iterator(texts, vocab_size=600, special_tokens=special)
    folder.mkdir(exist_ok=True)
    learner.save_model(str(folder))
    config = transformers.RobertaConfig(**SIZES, vocab_size=600, max_position_embeddings=514, **more)
    transformers.RobertaForSequenceClassification(config).save_pretrained(folder)
    vocabulary, merges = str(folder / "vocab.json"), str(folder / "merges.txt")
    transformers.RobertaTokenizerFast(vocabulary, merges, model_max_length=512).save_pretrained(folder)


def save_filler(folder: Path) -> None:
    """A BERT that fills blanks and has learned nothing."""
    transformers.BertForMaskedLM(transformers.BertConfig(**SIZES)).save_pretrained(folder)
    transformers.BertTokenizerFast.from_pretrained(resolve_checkpoint("minilm")).save_pretrained(folder)


def save_pictures(folder: Path, count: int = 24) -> None:
    """Pictures of two classes, a color and its stripes, of several sizes and kinds."""
    generator = torch.Generator().manual_seed(0)
    for name, step in (("plain", 1), ("striped", 2)):
        (folder / name).mkdir(parents=True)
        for number in range(count):
            pixels = torch.zeros(12 + number % 3, 9, 3, dtype=torch.uint8)
            pixels[::step] = torch.randint(100, 256, (3,), generator=generator).to(torch.uint8)
            ending = "JPG" if number % 2 else "png"
            Image.fromarray(pixels.numpy()).save(folder / name / f"{number}.{ending}")
    (folder / "plain" / "notes.txt").write_text("not a picture", encoding="utf-8")


def save_tags(path: Path, separator: str, heading: str = "", number: int = 40) -> None:
    """Tagged words: on each line a word and its tag with a column between, an empty line after a sentence."""
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        if separator in ";,":
            writer = csv.writer(file, delimiter=separator)
        else:
            writer = csv.writer(file, delimiter=separator, quoting=csv.QUOTE_NONE, quotechar=None)
        file.write(heading)
        for sentence in own.entities("train")[:number]:
            writer.writerows(
                (word, "NN", tag) for word, tag in zip(sentence.words, sentence.tags, strict=True)
            )
            writer.writerow(["", "", ""] if separator in ";," else [])


#: a board as a spreadsheet of the continent saves it
BOARD = "system;A;B\nfirst;90,5;70\nsecond;80;81,25\n;;\ntest rows;1000;200\n"

#: claims as such a spreadsheet saves them: a comma in a claim, an empty line
CLAIMS = (
    "claim;printed;unit;old;new\nsmaller, and faster;-2,5 %;percent;79,5;77,0\n;;;;\n"
    "a gain;4.6;points;82.1;86.7\n"
)

KINDS = {"bert": save_bert, "distilbert": save_distilbert, "roberta": save_roberta}


def headlines(number: int) -> list[Any]:
    """So many headlines, equally many of each category."""
    by_label = sorted(own.headlines("train"), key=lambda example: example.label or 0)
    return by_label[:: len(by_label) // number]


def save_table(path: Path) -> None:
    """A table as a spreadsheet saves it: labels in words, a curly mark, long texts, an empty line."""
    examples = headlines(2 * ROWS)
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.writer(file, delimiter=";")
        writer.writerow(["text", "label"])
        for place, example in enumerate(examples):
            long = " ".join([example.first] * 30) if place % 10 == 0 else example.first
            writer.writerow([f"“{long}”, they say; so", own.CATEGORIES[int(example.label or 0)]])
            if place == 7:
                file.write("\r\n")


@pytest.fixture(scope="module")
def at_home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """A classifier of nine classes as transformers saves it, and a CSV of texts and labels as numbers."""
    folder = tmp_path_factory.mktemp("home")
    torch.manual_seed(0)
    save_bert(folder / "model", id2label=dict(enumerate(own.CATEGORIES)))
    with (folder / "texts.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["text", "label"])
        writer.writerows([example.first, example.label] for example in headlines(ROWS))
    (folder / "text.txt").write_text((root / "data/reader/town.txt").read_text("utf-8"), encoding="utf-8-sig")
    save_filler(folder / "filler")
    (folder / "board.csv").write_text(BOARD, encoding="utf-8-sig")
    (folder / "claims.csv").write_text(CLAIMS, encoding="utf-8-sig")
    save_pictures(folder / "pictures")
    save_tags(folder / "tags.txt", "\t")
    return Home(
        folder / "model",
        folder / "texts.csv",
        folder / "text.txt",
        folder / "filler",
        folder / "board.csv",
        folder / "pictures",
        folder / "claims.csv",
        folder / "tags.txt",
    )


# ---------------------------------------------------------------------------------------------
# Scripts


def command(*arguments: str | Path) -> list[str]:
    """This Python, away from the course's folder."""
    return [sys.executable, "-P", *map(str, arguments)]


def environment() -> dict[str, str]:
    """Ours without the path to the course."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return kept | {"OMP_NUM_THREADS": "1", "TQDM_DISABLE": "1", "HF_HUB_OFFLINE": "1"}


def alone(folder: Path) -> CompletedProcess[str]:
    """Runs the script of a folder as anybody starts it."""
    started = command(SCRIPT)
    return subprocess.run(
        started, cwd=folder, env=environment(), capture_output=True, text=True, timeout=SECONDS
    )


@pytest.fixture(scope="module")
def forked() -> Iterator[Run]:
    """Runs the script of a folder in a process forked from the starter; on Linux, where that is safe."""
    if sys.platform != "linux":
        yield alone
        return
    started = command("-c", STARTER)
    with subprocess.Popen(started, env=environment(), text=True, stdin=PIPE, stdout=PIPE) as starter:
        assert starter.stdin is not None and starter.stdout is not None
        folders, exit_codes = starter.stdin, starter.stdout

        def run(folder: Path) -> CompletedProcess[str]:
            print(folder, file=folders, flush=True)
            code = int(exit_codes.readline())
            printed, errors = ((folder / name).read_text("utf-8") for name in (PRINTED, ERRORS))
            return CompletedProcess(SCRIPT, code, printed, errors)

        yield run


def assert_worth_having(ran: CompletedProcess[str]) -> None:
    """The script has run to its end, and printed something."""
    assert ran.returncode == 0, ran.stderr[-2000:]
    assert ran.stdout.strip(), "it prints nothing worth having"


def write_script(folder: Path, source: str) -> Path:
    """A folder of its own for a script."""
    folder.mkdir(exist_ok=True)
    (folder / SCRIPT).write_text(source, encoding="utf-8")
    return folder


@pytest.fixture
def printed(forked: Run, tmp_path: Path) -> Callable[..., list[str]]:
    """What a notebook's cells print, a line each, for a new model of a kind and a table of headlines."""

    def run(kind: str, number: str, more: str = "") -> list[str]:
        torch.manual_seed(0)
        KINDS[kind](tmp_path / "model")
        save_table(tmp_path / "texts.csv")
        home = Home(tmp_path / "model", tmp_path / "texts.csv", tmp_path / "no.txt", tmp_path / "no")
        ran = forked(write_script(tmp_path / number, f"{home.script(number)}\n{more}"))
        assert_worth_having(ran)
        return ran.stdout.splitlines()

    return run


def test_the_first_runs_as_anybody_starts_it(at_home: Home, tmp_path: Path) -> None:
    assert_worth_having(alone(write_script(tmp_path, at_home.script("14"))))


@pytest.mark.parametrize("number", sorted(NOTEBOOKS.keys() - {"14"}))
def test_what_is_yours_runs_without_the_course(
    number: str, at_home: Home, forked: Run, tmp_path: Path
) -> None:
    assert_worth_having(forked(write_script(tmp_path, at_home.script(number))))


@pytest.mark.parametrize("kind", KINDS)
def test_what_one_notebook_saves_the_next_one_opens(kind: str, forked: Run, tmp_path: Path) -> None:
    torch.manual_seed(0)
    KINDS[kind](tmp_path / "model")
    save_table(tmp_path / "texts.csv")
    home = Home(tmp_path / "model", tmp_path / "texts.csv", tmp_path / "no.txt", tmp_path / "no")
    for number in CHAIN:
        folder = write_script(tmp_path / number, f"{home.script(number)}\nprint(saved)")
        ran = forked(folder)
        assert_worth_having(ran)
        home = Home(Path(ran.stdout.splitlines()[-1]), home.table, home.text, home.filler)
        assert home.model.exists(), f"{number} says it saved {home.model}"


TAGGED = {
    "bert": ("\t", ""),
    "distilbert": (";", "word;part of speech;tag\r\n"),
    "roberta": (",", "Word,POS,Tag\r\n"),
    "conll": (" ", ""),
}


@pytest.mark.parametrize("case", TAGGED)
def test_15_tags_with_every_kind_of_model_and_file(
    case: str, at_home: Home, forked: Run, tmp_path: Path
) -> None:
    KINDS[case if case in KINDS else "bert"](tmp_path / "model")
    separator, heading = TAGGED[case]
    save_tags(tmp_path / "tags.csv", separator, heading)
    home = replace(at_home, model=tmp_path / "model", tags=tmp_path / "tags.csv")
    ran = forked(write_script(tmp_path / "15", home.script("15") + "\nprint(tags, len(sentences))"))
    assert_worth_having(ran)
    last = ran.stdout.splitlines()[-1]
    assert "'O'" in last and "B-PER" in last and "NN" not in last and last.endswith("40")
    assert (tmp_path / "model-tagger" / "model.safetensors").exists()


@pytest.mark.parametrize(
    ("old", "new", "word"),
    [("B-", "", "mark entities"), ("B-PER", "NOUN", "NOUN"), ("\r\n\r\n", "\r\n", "It has 1")],
)
def test_15_asks_for_tags_of_entities(
    old: str, new: str, word: str, at_home: Home, forked: Run, tmp_path: Path
) -> None:
    tagged = at_home.tags.read_bytes().decode("utf-8-sig")
    assert old in tagged
    (tmp_path / "tags.txt").write_bytes(tagged.replace(old, new).encode())
    home = replace(at_home, tags=tmp_path / "tags.txt")
    assert word in sentence_of(forked(write_script(tmp_path / "15", home.script("15"))))


@pytest.mark.parametrize("kind", ["distilbert", "roberta"])
@pytest.mark.parametrize("number", ["25", "34"])
def test_every_kind_of_model_will_do(
    number: str, kind: str, at_home: Home, forked: Run, tmp_path: Path
) -> None:
    KINDS[kind](tmp_path / "model")
    home = Home(tmp_path / "model", at_home.table, at_home.text, at_home.filler)
    assert_worth_having(forked(write_script(tmp_path / number, home.script(number))))


@pytest.mark.parametrize("kind", ["distilbert", "roberta"])
def test_29_rounds_every_kind_of_model(kind: str, at_home: Home, forked: Run, tmp_path: Path) -> None:
    KINDS[kind](tmp_path / "model")
    home = Home(tmp_path / "model", at_home.table, at_home.text, at_home.filler)
    assert_worth_having(forked(write_script(tmp_path / "29", home.script("29"))))
    weight = load_file(tmp_path / "model-ternary/model.safetensors")
    layers = [one for name, one in weight.items() if one.dim() == 2 and "embeddings" not in name]
    assert min(len(one.unique()) for one in layers) == 3


@pytest.mark.parametrize("kind", KINDS)
def test_30_splits_every_kind_of_model(kind: str, printed: Callable[..., list[str]]) -> None:
    split, at_once, guess, saved = printed(kind, "30", "print(saved)")
    assert "two times" in split and "at once" in at_once and "most frequent" in guess
    weight = load_file(Path(saved) / "model.safetensors")
    layers = [one for name, one in weight.items() if one.dim() == 2 and "embeddings" not in name]
    few = [one for one in layers if len(one.unique()) <= 4]  # the sums of two signs and their scales
    stored = load_file(Path(saved) / "layers_in_bits.safetensors")
    bits = [one for name, one in stored.items() if name.endswith(".bits")]
    assert len(bits) == len(stored) / 2 == 2 * len(few) > 2 * 4 * 4
    assert sum(map(len, bits)) * 8 == 2 * sum(one.numel() for one in few)


@pytest.mark.parametrize("kind", KINDS)
def test_32_chooses_layers_of_every_kind_of_model(kind: str, printed: Callable[..., list[str]]) -> None:
    *_, kept, saved = printed(kind, "32", "print(count)\nprint(saved)")
    again = transformers.AutoModelForSequenceClassification.from_pretrained(saved)
    assert again.config.num_hidden_layers == int(kept) < 4
    numbers = {name.partition("layer.")[2].partition(".")[0] for name, _ in again.named_parameters()}
    assert numbers - {""} == {str(number) for number in range(int(kept))}


@pytest.mark.parametrize("kind", KINDS)
def test_31_cuts_every_kind_of_model(kind: str, printed: Callable[..., list[str]]) -> None:
    saved = Path(printed(kind, "31", "print(saved)")[-1])
    dense = transformers.AutoModelForSequenceClassification.from_pretrained(saved)
    factors = load_file(saved / "factors.safetensors")
    firsts = [name for name in factors if name.endswith(".0.weight") and name[:-9] + ".1.weight" in factors]
    assert len(firsts) == 6 * 4  # matrices in a layer, layers
    for name in firsts:
        first, second = factors[name], factors[name[:-9] + ".1.weight"]
        weight = dense.get_submodule(name[:-9]).weight
        assert 2 * (first.numel() + second.numel()) <= weight.numel()
        torch.testing.assert_close(weight, second @ first)


@pytest.mark.parametrize("kind", ["distilbert", "roberta"])
def test_17_patches_every_kind_of_model(kind: str, printed: Callable[..., list[str]]) -> None:
    _, patched, gain, merged = (line.split(": ")[1] for line in printed(kind, "17"))
    assert gain.endswith("points")
    assert patched == merged


@pytest.mark.parametrize("kind", ["distilbert", "roberta"])
def test_23_judges_every_kind_of_model(kind: str, at_home: Home, forked: Run, tmp_path: Path) -> None:
    torch.manual_seed(0)
    KINDS[kind](tmp_path / "model", id2label=dict(enumerate(own.CATEGORIES)))
    home = Home(tmp_path / "model", at_home.table, at_home.text, at_home.filler)
    ran = forked(write_script(tmp_path / "23", home.script("23")))
    assert_worth_having(ran)
    assert "the winner's lead, seed by seed" in ran.stdout
    assert (tmp_path / "model-new-head" / "model.safetensors").is_file()


@pytest.mark.parametrize("kind", KINDS)
def test_22_makes_a_student_of_every_kind_of_model(kind: str, printed: Callable[..., list[str]]) -> None:
    *_, saved = printed(kind, "22", "print(saved)")
    again = transformers.AutoModelForSequenceClassification.from_pretrained(saved)
    assert (again.config.hidden_size, again.config.num_hidden_layers) == (32, 2)


def test_34_asks_for_a_longer_text(at_home: Home, forked: Run, tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text("Too short.", encoding="utf-8")
    home = Home(at_home.model, at_home.table, tmp_path / "text.txt", at_home.filler)
    assert "bring a text" in sentence_of(forked(write_script(tmp_path / "34", home.script("34"))))


def test_21_needs_no_labels(at_home: Home, forked: Run, tmp_path: Path) -> None:
    table = tmp_path / "texts.csv"
    table.write_text("\n".join(["text", *(f'"{one.first}"' for one in headlines(ROWS))]), encoding="utf-8")
    home = Home(at_home.model, table, at_home.text, at_home.filler)
    assert_worth_having(forked(write_script(tmp_path / "21", home.script("21"))))


@pytest.mark.parametrize("kind", KINDS)
def test_18_makes_a_soup_of_every_kind_of_model(
    kind: str, at_home: Home, forked: Run, tmp_path: Path
) -> None:
    torch.manual_seed(0)
    for name in ("model", "second"):
        KINDS[kind](tmp_path / name, id2label=dict(enumerate(own.CATEGORIES)))
    home = replace(at_home, model=tmp_path / "model", second=tmp_path / "second")
    ran = forked(write_script(tmp_path / "18", f"{home.script('18')}\nprint(saved)"))
    assert_worth_having(ran)
    means = {}
    for place in (home.model, home.second, Path(ran.stdout.splitlines()[-1])):
        model = transformers.AutoModelForSequenceClassification.from_pretrained(place)
        means[place] = torch.cat([weight.flatten() for weight in model.parameters()]).detach()
    first, second, soup = means.values()
    torch.testing.assert_close(soup, (first + second) / 2)


@pytest.mark.parametrize(
    ("second", "word"),
    [
        (partial(save_distilbert, id2label=dict(enumerate(own.CATEGORIES))), "families"),
        (partial(save_bert, id2label=dict(enumerate(own.CATEGORIES[:5]))), "labels"),
        (partial(save_bert, id2label=dict(enumerate(own.CATEGORIES)), max_position_embeddings=99), "shapes"),
        (partial(save_bert, id2label=dict(enumerate(reversed(own.CATEGORIES)))), "two orders"),
    ],
)
def test_18_says_why_two_models_have_no_mean(
    second: Callable[[Path], None], word: str, at_home: Home, forked: Run, tmp_path: Path
) -> None:
    second(tmp_path / "second")
    home = replace(at_home, second=tmp_path / "second")
    assert word in sentence_of(forked(write_script(tmp_path / "18", home.script("18"))))


# ---------------------------------------------------------------------------------------------
# What cannot be used gets one sentence

#: what is wrong, the table that shows it, a word of the sentence, the notebooks that don't mind
INDIFFERENT = ("14", "19", "20", "21", "22", "25", "29", "30", "31", "32")  # to labels
UNFIT = {
    "no column text": ("words,label\na,sports\n", "text", ("19",)),
    "an empty table": ("text,label\n", "rows", ("19",)),
    "unknown labels": ("text,label\n" + "a,cheese\n" * 20, "cheese", INDIFFERENT),
}


@pytest.mark.parametrize("wrong", UNFIT)
@pytest.mark.parametrize("number", CLASSIFYING)
def test_what_cannot_be_used_gets_a_sentence(
    number: str, wrong: str, at_home: Home, forked: Run, tmp_path: Path
) -> None:
    table, word, indifferent = UNFIT[wrong]
    if number in indifferent:
        pytest.skip("this one asks for nothing of the kind")
    (tmp_path / "texts.csv").write_text(table, encoding="utf-8")
    home = Home(at_home.model, tmp_path / "texts.csv", at_home.text, at_home.filler)
    assert word in sentence_of(forked(write_script(tmp_path / number, home.script(number))))


@pytest.mark.parametrize("number", [number for number in CLASSIFYING if number not in ("14", "17", "19")])
def test_a_folder_without_a_classifier_gets_a_sentence(
    number: str, at_home: Home, forked: Run, tmp_path: Path
) -> None:
    home = Home(at_home.filler, at_home.table, at_home.text, at_home.filler)
    assert "classifier" in sentence_of(forked(write_script(tmp_path / number, home.script(number))))


@pytest.mark.parametrize(
    ("board", "word"),
    [
        ("model,A,B\na,1,2\nb,2,1\n", "system"),
        ("system,A,B\na,1,2\n", "two systems"),
        ("system,A\na,1\nb,2\n", "two tasks"),
        ("system,A,B\na,1,2\nb,,1\n", "b"),
        ("system,A,B\na,1,good\nb,2,1\n", "good"),
        ("system,A,B\na,1,2\na,2,1\n", "twice"),
        ("system,A,B\na,1,2\nb,2,101\n", "0 to 100"),
        ("system,A,B\na,1,2\nb,2,1\ntest rows,0,9\n", "test rows"),
    ],
)
def test_a_board_that_cannot_be_ranked_gets_a_sentence(
    board: str, word: str, at_home: Home, forked: Run, tmp_path: Path
) -> None:
    (tmp_path / "board.csv").write_text(board, encoding="utf-8")
    home = Home(at_home.model, at_home.table, at_home.text, at_home.filler, tmp_path / "board.csv")
    assert word in sentence_of(forked(write_script(tmp_path / "37", home.script("37"))))


def test_a_board_with_decimal_commas_is_read(at_home: Home, forked: Run, tmp_path: Path) -> None:
    ran = forked(write_script(tmp_path / "37", at_home.script("37")))
    assert "without A: first 2 to 1, second 1 to 2" not in ran.stdout and "80.62" in ran.stdout
    assert "without B: first 2 to 1, second 1 to 2" in ran.stdout


HEAD = "claim,printed,unit,old,new\n"


@pytest.mark.parametrize(
    ("claims", "word"),
    [
        (HEAD + "smaller, and faster,2.5,percent,79.5,77\n", "Line 2 has 6 columns"),
        (HEAD + "a,2.5,points,3,1\nb,2.5,percent,79.5\n", "Line 3 has 4 columns"),
        ("claim,printed,old,new\na,1,2,3\n", "Line 1 has 4 columns"),
        ("what,printed,unit,old,new\na,1,points,2,3\n", "first line"),
        ("", "first line"),
        (HEAD, "no claim"),
        (HEAD + "a,2.5,percents,79.5,77\n", "'percents'"),
        (HEAD + "a,some,percent,79.5,77\n", "'some'"),
        ("claim;printed;unit;old;new\na;3,8;times;1,270;334\n", "'1,270'"),
        (HEAD + "a,2.5,percent,0,77\n", "above 0"),
        (HEAD + "a,2.5,percent,nan,77\n", "above 0"),
    ],
)
def test_a_claim_that_cannot_be_judged_gets_a_sentence(
    claims: str, word: str, at_home: Home, forked: Run, tmp_path: Path
) -> None:
    (tmp_path / "claims.csv").write_text(claims, encoding="utf-8")
    home = replace(at_home, claims=tmp_path / "claims.csv")
    assert word in sentence_of(forked(write_script(tmp_path / "40", home.script("40"))))


def test_the_court_knows_points_from_percent(at_home: Home, forked: Run, tmp_path: Path) -> None:
    ran = forked(write_script(tmp_path / "40", at_home.script("40")))
    assert "smaller, and faster: printed -2,5 % percent; computed -3.1 (down)" in ran.stdout
    assert "does not hold; the printed number fits: points\n" in ran.stdout
    assert "a gain: printed 4.6 points; computed 4.6 (up)\n   holds;" in ran.stdout


def test_the_court_keeps_the_direction_and_knows_about(at_home: Home, forked: Run, tmp_path: Path) -> None:
    table = (
        HEAD + "fall,2.5,points,79.5,77\nminus,\N{MINUS SIGN}2.5,points,79.5,77\ntime,about 60,kept,668,410\n"
    )
    (tmp_path / "claims.csv").write_text(table, encoding="utf-8")
    home = replace(at_home, claims=tmp_path / "claims.csv")
    ran = forked(write_script(tmp_path / "40", home.script("40")))
    _, fall, advice, _, minus, _, about = (line.strip() for line in ran.stdout.splitlines())
    assert fall.startswith("does not hold") and "with a minus" in advice
    assert minus.startswith("holds") and about.startswith("holds")


def test_what_rounding_explains_is_no_error(at_home: Home, forked: Run, tmp_path: Path) -> None:
    table = HEAD + "rounded,3,percent,80,82\ncoarse,7.0,times,1.0,7.3\nexact,7.0,times,1.00,7.30\n"
    (tmp_path / "claims.csv").write_text(table, encoding="utf-8")
    home = replace(at_home, claims=tmp_path / "claims.csv")
    ran = forked(write_script(tmp_path / "40", home.script("40")))
    rounded, coarse, exact = (line.strip() for line in ran.stdout.splitlines()[1::2])
    assert rounded.startswith("holds") and coarse.startswith("holds") and exact.startswith("does not hold")


def sentence_of(ran: CompletedProcess[str]) -> str:
    """The sentence with which a script has refused what it was given."""
    assert ran.returncode != 0, ran.stdout[-2000:]
    said = ran.stderr.strip().splitlines()[-1]
    assert said.startswith("ValueError: "), said
    return said


def test_the_course_is_not_there(forked: Run, tmp_path: Path) -> None:
    ran = forked(write_script(tmp_path, PRELUDE + "import lib.bert"))
    assert ran.returncode == 1 and "lib is the course's" in ran.stderr


def save_distil_filler(folder: Path) -> None:
    """A DistilBERT that fills blanks and has learned nothing."""
    save_distilbert(folder)
    transformers.DistilBertForMaskedLM(transformers.DistilBertConfig(**DISTIL)).save_pretrained(folder)


def save_roberta_filler(folder: Path) -> None:
    """A RoBERTa that fills blanks and has learned nothing."""
    save_roberta(folder)
    config = transformers.RobertaConfig(**SIZES, vocab_size=600, max_position_embeddings=514)
    transformers.RobertaForMaskedLM(config).save_pretrained(folder)


def save_writer(folder: Path) -> None:
    """A GPT-2 that has learned nothing."""
    save_roberta(folder)  # for its pieces
    config = transformers.GPT2Config(
        vocab_size=600, n_embd=64, n_layer=2, n_head=4, bos_token_id=0, eos_token_id=2
    )
    transformers.GPT2LMHeadModel(config).save_pretrained(folder)


@pytest.mark.parametrize("save", [save_distil_filler, save_roberta_filler, save_writer])
def test_36_writes_with_masked_and_causal_models(
    save: Callable[[Path], None], at_home: Home, forked: Run, tmp_path: Path
) -> None:
    torch.manual_seed(0)
    save(tmp_path / "model")
    home = Home(at_home.model, at_home.table, at_home.text, tmp_path / "model")
    ran = forked(write_script(tmp_path / "36", home.script("36")))
    assert_worth_having(ran)
    assert "most probable" in ran.stdout and "drawn from 20" in ran.stdout


def test_36_asks_for_a_model_that_names_words(at_home: Home, forked: Run, tmp_path: Path) -> None:
    home = Home(at_home.model, at_home.table, at_home.text, at_home.model)
    assert "masked or a causal" in sentence_of(forked(write_script(tmp_path / "36", home.script("36"))))


def test_38_asks_for_a_side_that_the_patch_divides(at_home: Home, forked: Run, tmp_path: Path) -> None:
    script = at_home.script("38")
    assert "side, size = 8, 2" in script
    ran = forked(write_script(tmp_path / "38", script.replace("side, size = 8, 2", "side, size = 9, 2")))
    assert "don't divide" in sentence_of(ran)


@pytest.mark.parametrize("count", [0, 3])
def test_38_asks_for_more_pictures(count: int, at_home: Home, forked: Run, tmp_path: Path) -> None:
    save_pictures(tmp_path / "few", count)
    script = at_home.script("38").replace(str(at_home.pictures), str(tmp_path / "few"))
    assert "bring 40" in sentence_of(forked(write_script(tmp_path / "38", script)))


def test_39_reads_a_folder_of_texts_and_measures_the_search(
    at_home: Home, forked: Run, tmp_path: Path
) -> None:
    (tmp_path / "texts").mkdir()
    for name in ("coast", "valley"):
        text = (root / f"data/reader/{name}.txt").read_text("utf-8")
        (tmp_path / "texts" / f"{name}.txt").write_text(text, encoding="utf-8-sig")
    home = Home(at_home.model, at_home.table, tmp_path / "texts", at_home.filler)
    ran = forked(write_script(tmp_path / "39", home.script("39")))
    assert_worth_having(ran)
    assert "shared words: R@1" in ran.stdout and "luck alone may reach" in ran.stdout


@pytest.mark.parametrize("kind", ["distilbert", "roberta"])
def test_39_searches_with_every_kind_of_model(kind: str, at_home: Home, forked: Run, tmp_path: Path) -> None:
    KINDS[kind](tmp_path / "model")
    home = Home(tmp_path / "model", at_home.table, at_home.text, at_home.filler)
    assert_worth_having(forked(write_script(tmp_path / "39", home.script("39"))))


@pytest.mark.parametrize(
    ("text", "word"), [("", "paragraph on each"), ("few words\n", "no line"), ("word " * 30, "two or more")]
)
def test_39_asks_for_paragraphs(text: str, word: str, at_home: Home, forked: Run, tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text(text, encoding="utf-8")
    home = Home(at_home.model, at_home.table, tmp_path / "text.txt", at_home.filler)
    assert word in sentence_of(forked(write_script(tmp_path / "39", home.script("39"))))
