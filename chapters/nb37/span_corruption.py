"""T5's task: runs of tokens behind sentinels, and what is to be written."""

from collections.abc import Iterator
from typing import Any

import torch

from chapters.nb37 import spans
from lib.exercises.spec import Exercise, Mistake, edit

Case = tuple[list[str], list[tuple[int, int]], list[str]]

IF = "number > 0 and start <= done"
SENTINEL = "    read.append(sentinels[number])\n"
LAST = "target.append(sentinels[len(spans)])"
SLICE = "target += tokens[start:stop]"
REFUSED = "ValueError"


def cases(seed: int) -> Iterator[Case]:
    """The sentence of the text; spans at both ends; one apart; touching ones; none; one that is all."""
    marks = ["<0>", "<1>", "<2>", "<3>", "<4>", "<5>"]
    text = ["she", "opened", "a", "bank", "account"]
    yield text, [(1, 2), (3, 5)], marks[:4]
    yield text, [(0, 1), (2, 3), (4, 5)], marks
    yield text, [(1, 3), (3, 4)], marks
    yield text, [(0, 2), (2, 3), (4, 5)], marks
    yield text, [], ["<end>"]
    yield text, [(0, 5)], ["x", "y"]
    yield ["a", "b", "a", "b", "a"], [(1, 2), (4, 5)], ["one", "two", "three"]
    generator = torch.Generator().manual_seed(seed)
    for length in (9, 12):
        edges = sorted((torch.randperm(length, generator=generator)[:4]).tolist())
        words = [f"w{place}" for place in range(length)]
        yield words, [(edges[0], edges[1]), (edges[2], edges[3])], marks


def run(candidate: Any, tokens: list[str], places: list[tuple[int, int]], sentinels: list[str]) -> Any:
    """What comes back; a ValueError counts as an answer."""
    try:
        return candidate(tokens, places, sentinels)
    except ValueError:
        return REFUSED


def _joined(tokens: list[str], places: list[tuple[int, int]], sentinels: list[str]) -> Any:
    together: list[tuple[int, int]] = []
    for start, stop in places:
        if together and start <= together[-1][1]:
            together[-1] = (together[-1][0], stop)
        else:
            together.append((start, stop))
    return spans.span_corruption(tokens, together, sentinels)


def _sentinel_each(tokens: list[str], places: list[tuple[int, int]], sentinels: list[str]) -> Any:
    _, target = spans.span_corruption(tokens, places, sentinels)
    read = list(tokens)
    for number, (start, stop) in enumerate(places):
        read[start:stop] = [sentinels[number]] * (stop - start)
    return read, target


# fmt: off
EXERCISE = Exercise(
    name="span_corruption", minutes=8, difficulty=2, reference=spans.span_corruption, cases=cases, run=run,
    gradients=False, returns=("what is read", "the target"),
    mistakes=[
        Mistake("touching", "You accept spans that touch. Between their sentinels nothing would stand, so"
            " they are one span: raise ValueError where one starts at or before the stop of the one before"
            " it.",
            (edit(IF, "False"), edit(IF, "number > 0 and start < done"))),
        Mistake("joined", "You join spans that touch. Whoever gave them meant something else: raise"
            " ValueError.",
            _joined),
        Mistake("too_strict", "You refuse spans that are one token apart. They are allowed.",
            (edit(IF, "number > 0 and start <= done + 1"), edit(IF, "start <= done"))),
        Mistake("no_end", "The target lacks its last sentinel, which says where it ends:"
            " sentinels[len(spans)].",
            edit(LAST, "pass")),
        Mistake("other_end", "The target ends with the wrong sentinel. It is the next one after those of the"
            " spans, sentinels[len(spans)], however many were given.",
            (edit(LAST, "target.append(sentinels[-1])"), edit(LAST, "target.append(sentinels[0])"))),
        Mistake("stop_included", "You take the token at `stop` as well. A span ends before it.",
            edit(SLICE, "target += tokens[start:stop + 1]")
                .then("done = stop", "done = min(stop + 1, len(tokens))")),
        Mistake("whole_text", "Your target is the whole text, which is BART's. T5 writes the hidden tokens"
            " alone, each span behind its sentinel.",
            edit("return read, target", "return read, list(tokens)")),
        Mistake("no_sentinels", "Your target holds the hidden tokens without their sentinels, so nobody"
            " knows where each belongs.",
            (edit("        target.append(sentinels[number])\n", ""),
             edit("return read, target",
                  "return read, [token for token in target if token not in sentinels]"))),
        Mistake("one_for_each_token", "You put a sentinel in the place of every token. A span gets one,"
            " however long it is.", _sentinel_each),
        Mistake("dropped", "The hidden tokens vanish from what is read. One sentinel stands for each span.",
            edit(SENTINEL, "    pass\n")),
        Mistake("same_sentinel", "All spans get the same sentinel. Each has its own: sentinels[0] for the"
            " first.",
            edit("return read, target",
                 "return [sentinels[0] if one in sentinels else one for one in read],"
                 " [sentinels[0] if one in sentinels else one for one in target]")),
        Mistake("swapped", "You give the target first. First what is read, then the target.",
            edit("return read, target", "return target, read")),
        Mistake("text_for_list", "You give texts. Give two lists of tokens.",
            edit("return read, target", "return ' '.join(read), ' '.join(target)")),
        Mistake("rest_lost", "What stands after the last span is lost.",
            edit("    read += tokens[done:]\n", "")),
    ],
    hints=("Go through the spans from left to right, and remember up to which place all is done.",
           "For each span: the tokens before it and its sentinel go to the one list, its sentinel and its"
           " tokens to the other. At the end comes what is left, and one more sentinel.",
           "read += tokens[done:start] + [sentinels[number]]; target += [sentinels[number]] +"
           " tokens[start:stop]; done = stop"),
    why="What is read and what is written together hold each token once.",
)
# fmt: on
