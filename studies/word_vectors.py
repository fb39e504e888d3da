"""The word vectors in `data/vectors`, for maintainers: `python course.py make word-vectors --help`."""

import time
from itertools import chain
from pathlib import Path
from typing import Annotated

import torch
import typer

from chapters.nb03.word2vec import Settings, frequent_words, ids_of, learn_vectors
from lib import command
from lib.text import vectors as read_vectors
from lib.text.corpus import documents
from lib.text.vectors import FOLDER, WordVectors, analogies, answer_analogies, save, score_analogies


def main(
    corpus: Annotated[
        list[str],
        typer.Option(help="a text file, plain or .gz, or a folder of them: may be given several times"),
    ],
    out: Annotated[Path, typer.Option(help="the folder to write to")] = FOLDER,
    words: Annotated[
        int, typer.Option(min=1, help="how many words get a vector, the most frequent")
    ] = 30_000,
    size: Annotated[int, typer.Option(min=1, help="how many numbers a vector has")] = 100,
    epochs: Annotated[int, typer.Option(min=1, help="how often the corpus is read")] = 3,
) -> None:
    """Learn word vectors from a corpus by skip-gram with negative sampling, and write them to a folder.

    A corpus has one paragraph a line and a blank line between documents; it is read twice, to count the words
    and to number them, and kept in memory as numbers. The folder gets words.tsv, the words with their counts,
    and vectors.safetensors, a byte a number and a scale a word. In the end the vectors answer the questions
    in data/vectors/analogies.tsv, once as learned and once as written.

    The same corpus gives the same vectors again on the same machine.

    Example: `python course.py make word-vectors --corpus wikipedia --corpus books --out data/vectors`
    """
    if out.exists() and not out.is_dir():
        raise ValueError(f"{out} is a file: name a folder to write to.")
    start = time.perf_counter()
    counts = frequent_words(chain.from_iterable(map(documents, corpus)), most=words)
    if not counts:
        raise ValueError(f"No word stands five times in {', '.join(corpus)}: give more text.")
    ids = ids_of(chain.from_iterable(map(documents, corpus)), counts)
    read = time.perf_counter()
    print(f"{len(counts):,} words, which stand {counts.total():,} times, read in {read - start:.0f} s")
    settings = Settings(size=size, epochs=epochs)
    learned = learn_vectors(ids, torch.tensor(list(counts.values())), settings=settings)
    print(f"{settings}\nlearned in {time.perf_counter() - read:.0f} s")
    save(counts, learned, out)
    for state, vectors in [("learned", WordVectors(counts, learned)), ("written", read_vectors(out))]:
        known = [question for question in analogies() if all(word in counts for word in question[1:])]
        shares = score_analogies(known, answer_analogies(vectors, known))
        percentages = ", ".join(f"{kind} {share:.0%}" for kind, share in shares.items())
        print(f"{len(known)} analogies, as {state}: {percentages}")


if __name__ == "__main__":
    command.run(lambda: typer.run(main))
