"""Eight printed claims to vote on, four of which hold, and what comes out when each is computed again.

What is told of A and C leaves a last step to the reader, who takes it in sections 3 and 4.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from chapters.nb40.docket import errata_of, wrapped
from lib.analysis.cost.formulas import count_parameters
from lib.bert import BertConfig
from lib.text.tasks.glue import GLUE

#: development scores (Lan and others, 2020, table 3): SQuAD 1.1 and 2.0 (F1 and exact), MNLI, SST-2, RACE
BERT_LARGE = ((92.2, 85.5), (85.0, 82.2), 86.6, 93.0, 73.9)
BERT_XLARGE = ((86.4, 78.1), (75.5, 72.6), 81.6, 90.7, 54.3)
GHOST, ITS_BERT = 83.1, 83.4  # means of eight tasks in the lecture's table, m = 3/12 and the whole
ON_MNLI = {"BERT-large": 86.7, "GPT": 82.1}  # Devlin and others, 2019, table 1
MILLIONS, SECONDS = (66, 110), (410, 668)  # DistilBERT and BERT-base, as the keynote's table has them
OF_BERT_ON_GLUE = 8  # tasks in table 1 of Devlin and others, 2019


@dataclass(frozen=True)
class Claim:
    """What is said, who prints it, whether it holds, and what comes out when it is computed."""

    says: str
    source: str
    holds: bool
    compute: Callable[[], str]


def _sparse_bert() -> str:
    base = BertConfig()
    matrices = base.num_hidden_layers * (
        4 * base.hidden_size**2 + 2 * base.hidden_size * base.intermediate_size
    )
    others = sum(count_parameters(base).values()) - matrices
    return (
        f"of {matrices / 1e6:.1f} M weights in the encoder's matrices {0.05 * matrices / 1e6:.1f} M stay;"
        f" of {others / 1e6:.1f} M other weights all stay"
    )


def mean_of_tasks(scores: tuple[float | tuple[float, float], ...]) -> float:
    """The mean over tasks, a pair of scores counted with its mean."""
    return sum(sum(one) / 2 if isinstance(one, tuple) else one for one in scores) / len(scores)


def _large_and_xlarge() -> str:
    large, xlarge = mean_of_tasks(BERT_LARGE), mean_of_tasks(BERT_XLARGE)
    return f"of the five tasks that both rows have, large has {large:.1f} on average, xlarge {xlarge:.1f}"


def _scores_on_mnli() -> str:
    return f"{ON_MNLI['BERT-large']} for BERT-large, {ON_MNLI['GPT']} for GPT, the best before it"


def _albert_base() -> str:
    """ALBERT-base (Lan and others, 2020, table 1): short word vectors, one layer in the place of twelve."""
    one = BertConfig(vocab_size=30_000, num_hidden_layers=1)
    short, wide = 128, one.hidden_size
    rows = one.vocab_size + one.max_position_embeddings + one.type_vocab_size
    widening = short * wide + wide
    parts = count_parameters(one) | {"embeddings": rows * short + 2 * short + widening}
    layer = (parts["attention"] + parts["feed-forward"]) / 1e6
    whole = sum(parts.values()) / 1e6
    return f"one layer, used twelve times, has {layer:.2f} M, all parts together {whole:.2f} M"


def _kept_by_ghost() -> str:
    return f"{GHOST} of {ITS_BERT}, both on the same eight tasks, are {GHOST / ITS_BERT:.1%}"


def _work_for_a_piece() -> str:
    return errata_of("09")[0].recompute()


def _sixty_percent() -> str:
    shares = [part / whole for part, whole in (MILLIONS, SECONDS)]
    return (
        f"{MILLIONS[0]} of {MILLIONS[1]} million parameters are {shares[0]:.1%}, {SECONDS[0]} of"
        f" {SECONDS[1]} seconds are {shares[1]:.1%}"
    )


def _tasks() -> str:
    return (
        f"GLUE has {len(GLUE)} tasks; the paper's eleven are {OF_BERT_ON_GLUE} of them, SQuAD twice, and SWAG"
    )


CLAIMS = {
    "A": Claim(
        "SparseBERT makes BERT smaller: “compression ratio = x20”",
        "Xu, Penn State, 2021, slide 23",
        False,
        _sparse_bert,
    ),
    "B": Claim(
        "BERT-xlarge, 1,270 M parameters, scores 76.6; BERT-large, 334 M, scores 85.2",
        "Shinnou, ROCLING 2020, slide 78",
        True,
        _large_and_xlarge,
    ),
    "C": Claim(
        "BERT-large on MNLI: “86.7 (5.6% absolute improvement)”",
        "Devlin and others, 2018, version 1, abstract",
        False,
        _scores_on_mnli,
    ),
    "D": Claim(
        "ALBERT-base, twelve layers as wide as BERT-base's: 12 M parameters",
        "Johns Hopkins, 2022, slide 54",
        True,
        _albert_base,
    ),
    "E": Claim(
        "GhostBERT, m = 3/12: “99.6% performance” of BERT-base",
        "Liu, Huawei, 2021, slide 79",
        True,
        _kept_by_ghost,
    ),
    "F": Claim(
        "FLOPs for each piece of a text: base “123M”, large “1857M”, 15.1 times as many",
        "Xu, Penn State, 2021, slide 21",
        False,
        _work_for_a_piece,
    ),
    "G": Claim(
        "DistilBERT: parameters and inference time “about 60% of original BERT”",
        "Shinnou, ROCLING 2020, slide 71",
        True,
        _sixty_percent,
    ),
    "H": Claim(
        "BERT was the best so far on “11 GLUE tasks”",
        "Wu, CU Boulder, 2020, slide 20",
        False,
        _tasks,
    ),
}


def columns() -> dict[str, list[str]]:
    """The eight as a table: letter, what is said, who prints it."""
    return {
        "claim": list(CLAIMS),
        "says": [claim.says for claim in CLAIMS.values()],
        "printed by": [claim.source for claim in CLAIMS.values()],
    }


def told(letter: str, hands: int) -> str:
    """What a claim says, how many said that it holds, and what comes out."""
    claim = CLAIMS[letter]
    return wrapped(f"{letter}: {claim.says} (said to hold by {hands})", f"    computed: {claim.compute()}")


def validate_hands(hands: Mapping[str, int], people: int) -> None:
    """ValueError unless each of the eight claims has a number of hands from 0 to `people`."""
    if [*hands] != [*CLAIMS]:
        raise ValueError(f"The claims are {', '.join(CLAIMS)}: count the hands for each, in this order.")
    if wrong := [letter for letter, count in hands.items() if not 0 <= count <= people]:
        raise ValueError(f"Claim {wrong[0]} has {hands[wrong[0]]} hands, and {people} voted: count again.")
