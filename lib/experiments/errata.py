"""What the literature and its lectures print, and what comes out when it is computed again.

A notebook that meets such a claim registers it here; notebook 40 collects them all. Nothing is copied from
the run that found it: `recompute` does the sum afresh wherever the erratum is shown.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import torch

from lib.analysis.attention import probes
from lib.analysis.cost.formulas import count_multiplications, count_parameters
from lib.bert import BertConfig, BertModel, WordPieceTokenizer
from lib.bert.attention import SelfAttention, scaled_dot_product_attention
from lib.bert.vocabulary import not_merged
from lib.text import grammar, reader, vectors
from lib.text.masking import Masking, mask_pieces


@dataclass(frozen=True)
class Erratum:
    """One claim: what it says, who prints it (name, year, place), the printed figure, and ours.

    notebook: the number of the notebook that recomputes it before the reader's eyes, such as "05".
    """

    notebook: str
    claim: str
    source: str
    printed: str
    recompute: Callable[[], str]


def errata(notebook: str | None = None) -> list[Erratum]:
    """The errata that a notebook registered, by its number; all of them by default."""
    return [erratum for erratum in ERRATA if notebook in (None, erratum.notebook)]


# --- 01 pieces ------------------------------------------------------------------------------------


def _pieces_of_transformer() -> str:
    return ", ".join(WordPieceTokenizer.from_pretrained("minilm").tokenize("Transformer"))


def _pieces_that_no_merge_makes() -> str:
    pieces = not_merged(WordPieceTokenizer.from_pretrained("minilm").vocab)
    return f"{len(pieces):,} pieces of BERT's are no two others glued, {pieces[0]} and {pieces[1]} among them"


# --- 02 text to tensors ---------------------------------------------------------------------------


def _words_and_places() -> str:
    tokenizer = WordPieceTokenizer.from_pretrained("minilm")
    texts = [" ".join(paragraphs) for paragraphs in reader()]
    short = [text for text in texts if len(text.split()) <= 510]
    fitting = [text for text in short if len(tokenizer.encode(text)) <= 512]
    words = sum(len(text.split()) for text in texts)
    tokens = sum(len(tokenizer.tokenize(text)) for text in texts)
    return (
        f"{len(short)} of the {len(texts)} texts in data/reader have at most 510 words, and {len(fitting)} of"
        f" these fit with [CLS] and [SEP]: it is tokens that count, {tokens / words:.2f} to a word"
    )


# --- 03 word vectors ------------------------------------------------------------------------------


def _closest_to_queen() -> str:
    found = vectors()
    order = [word for word, _ in found.nearest(found.analogy("man", "king", "woman"), len(found.words))]
    allowed = [word for word in order if word not in ("man", "king", "woman")]
    return (
        f"in our vectors {order[0]} is closest and queen number {order.index('queen') + 1}; number"
        f" {allowed.index('queen') + 1} where king, man and woman are no answers"
    )


# --- 05 attention ---------------------------------------------------------------------------------


def _sums_of_rows() -> str:
    rows = [0.12, 0.54, 0.43, 0.02], [0.08, 0.61, 0.87, 0.52]
    return " and ".join(f"{sum(row):.2f}" for row in rows) + ": no softmax gives such rows"


def _largest_weight_undivided() -> str:
    torch.manual_seed(0)
    scores = (torch.randn(2000, 6, 64) @ torch.randn(2000, 64, 1)).squeeze(-1)  # [2000, 6]
    undivided, divided = (float(s.softmax(dim=-1).amax(dim=-1).median()) for s in (scores, scores / 64**0.5))
    return (
        f"with 64 random features the largest of six weights is typically {undivided:.2f};"
        f" divided by the root of d, as in BERT, {divided:.2f}"
    )


# --- 06 multi-head attention ----------------------------------------------------------------------


@torch.inference_mode()
def _heads_side_by_side() -> str:
    torch.manual_seed(0)
    whole = SelfAttention(BertConfig(hidden_size=24, num_attention_heads=4)).eval()
    alone = SelfAttention(BertConfig(hidden_size=24, num_attention_heads=1)).eval()
    hidden = torch.randn(1, 5, 24)
    parts = [layer(hidden).split(6, dim=-1) for layer in (whole.query, whole.key, whole.value)]
    heads = [scaled_dot_product_attention(q, k, v)[0] for q, k, v in zip(*parts, strict=True)]
    one = scaled_dot_product_attention(alone.query(hidden), alone.key(hidden), alone.value(hidden))[0]
    gaps = [whole(hidden) - torch.cat(heads, dim=-1), alone(hidden) - one]
    return (
        f"four heads are four self-attentions side by side, and one is self-attention (largest difference"
        f" {max(float(gap.abs().max()) for gap in gaps):.0e})"
    )


# --- 07 layer norm --------------------------------------------------------------------------------


def _means_of_layer_norm() -> str:
    torch.manual_seed(0)
    hidden = 1 + torch.randn(1, 7, 384)  # a sentence of 7 pieces
    bert = torch.nn.functional.layer_norm(hidden, (384,), eps=1e-12)
    image = torch.nn.functional.group_norm(hidden.transpose(1, 2), 1).transpose(1, 2)
    each = (hidden - hidden.mean(-1, keepdim=True)) / hidden.std(-1, unbiased=False, keepdim=True)
    gaps = [float((other - bert).abs().max()) for other in (each, image)]
    return (
        f"one mean for each token (on random numbers off by {gaps[0]:.0e} from PyTorch's layer norm; with one"
        f" for a whole text off by {gaps[1]:.1f})"
    )


# --- 08 feed-forward and residual -----------------------------------------------------------------


def _feed_forward() -> str:
    base = BertConfig()
    sizes = f"{base.hidden_size} features in {base.intermediate_size:,}"
    return f"BERT-base has {base.hidden_act.upper()}, {sizes}; the printed one is the Transformer of 2017"


# --- 09 the encoder -------------------------------------------------------------------------------


def _large_over_base() -> str:
    large = BertConfig(hidden_size=1024, num_hidden_layers=24, num_attention_heads=16, intermediate_size=4096)
    work = [sum(count_multiplications(config, 128).values()) for config in (large, BertConfig())]
    return f"large needs {work[0] / work[1]:.2f} times the multiplications of base, at 128 pieces"


def _bytes_of_base() -> str:
    size = 4 * sum(count_parameters(BertConfig()).values())
    return f"{size / 1e6:.0f} MB, which are {size / 2**20:.0f} MiB"


@torch.inference_mode()
def _last_hidden_state() -> str:
    config = BertConfig(hidden_size=12, num_hidden_layers=2, num_attention_heads=2, intermediate_size=24)
    answer = BertModel(config).eval()(torch.tensor([[2, 5, 3]]), output_hidden_states=True)
    first, last = answer.last_hidden_state, answer.hidden_states[-1]  # a[0] and a[2][-1] of the tuple
    shapes = list(first[0].shape), list(last.shape)
    return f"a[0] == a[2][-1] is {torch.equal(first, last)}; a[0][0] is {shapes[0]}, a[2][-1] is {shapes[1]}"


# --- 10 masked language model ---------------------------------------------------------------------


def _pieces_of_numbered_masks() -> str:
    tokenizer = WordPieceTokenizer.from_pretrained("minilm")
    numbered, plain = (tokenizer.tokenize(text) for text in ("[Mask1]", "[MASK]"))
    return f"BERT reads {' '.join(numbered)}, tokens of plain text; its one mark is {' '.join(plain)}"


def _shares_chosen() -> str:
    ids = np.arange(100 * 100).reshape(100, 100)
    every = np.ones_like(ids, dtype=bool)
    mixes = [(0.8, 0.1), (1.0, 0.0), (0.8, 0.2), (0.8, 0.0), (0.0, 0.8), (0.0, 1.0)]  # [MASK], another
    chosen = [
        (mask_pieces(ids, every, every, Masking(0.15, *mix), ids.size, 4, np.random.default_rng(0))[1] >= 0)
        for mix in mixes
    ]
    rates = ", ".join(f"{flags.mean():.0%}" for flags in chosen)
    return f"chosen in its six rows: {rates}; what varies is what the chosen are replaced by"


# --- 13 reading attention -------------------------------------------------------------------------


def _head_and_offset() -> str:
    model, tokenizer = BertModel.from_pretrained("minilm"), WordPieceTokenizer.from_pretrained("minilm")
    halves = [[sentence.parse for sentence in grammar.sentences(400, seed)] for seed in (0, 1)]
    passive = [[parse for parse in half if parse.links("aux:pass")] for half in halves]
    first, second = (probes.read(model, tokenizer, half) for half in passive)
    found = probes.fit_probe(first, second, "aux:pass")
    return (
        f"on other data, the grammar's passives, MiniLM's best head finds {found.accuracy:.1%}, and always"
        f" taking the word {found.offset} place on finds {found.by_offset:.1%}"
    )


# --- 24 how to teach ------------------------------------------------------------------------------


def _last_scale(epochs: int = 15, tau_max: int = 10) -> str:
    counter = 0
    for epoch in range(epochs):
        counter += epoch % int(epochs / tau_max) == 0  # nothing holds it at tau_max
    return f"{counter / tau_max:g} in the last of {epochs} epochs at tau_max = {tau_max}"


def _epochs_at_the_first_rate() -> str:
    return f"{sum(epoch < int(epoch / 2) for epoch in range(200))} of 200"


# --- 25 choosing bits -----------------------------------------------------------------------------


def _least_of_q_bert() -> str:
    base = BertConfig()
    rows = base.vocab_size + base.max_position_embeddings + base.type_vocab_size
    tables = rows * base.hidden_size
    layer = 4 * base.hidden_size**2 + 2 * base.hidden_size * base.intermediate_size
    matrices = base.num_hidden_layers * layer
    least, smaller = ((tables * bits + matrices * 2) / 8 / 2**20 for bits in (8, 2))
    return (
        f"at least {least:.1f} MiB, {tables / 2**20:.1f} of them tables, without a scale, norm or bias; with"
        f" the tables in 2 bits, too, {smaller:.1f}"
    )


def _ratio_of_quant_noise() -> str:
    roberta = BertConfig(vocab_size=50_265, max_position_embeddings=514, type_vocab_size=1)
    whole = 4 * sum(count_parameters(roberta).values()) / 2**20
    return f"RoBERTa-base, which those 38 MB come from, has {whole:.0f} MiB: a ratio of {whole / 38:.1f}"


# --- 26 pruning weights ---------------------------------------------------------------------------


def _of_the_model() -> str:
    base = BertConfig()
    size, wide = base.hidden_size, base.intermediate_size
    matrices = base.num_hidden_layers * (4 * size * size + 2 * size * wide)
    model = sum(count_parameters(base).values())
    left = model - 0.95 * matrices
    return (
        f"{matrices / 1e6:.2f} M weights of the encoder become {0.05 * matrices / 1e6:.2f} M, and the model's"
        f" {model / 1e6:.1f} M parameters {left / 1e6:.1f} M: {model / left:.1f} times fewer"
    )


# --- 28 one network, many sizes -------------------------------------------------------------------


def _layers_of_roberta() -> str:
    sizes = {
        layers: 4 * sum(count_parameters(replace(ROBERTA_BASE, num_hidden_layers=layers)).values()) / 1e6
        for layers in (12, 6, 3)
    }
    told = ", ".join(f"{layers} layers {size:.0f} MB" for layers, size in sizes.items())
    return (
        f"of RoBERTa-base, from which they were cut, {told}: {sizes[12] / sizes[6]:.1f} and"
        f" {sizes[12] / sizes[3]:.1f} times smaller"
    )


ROBERTA_BASE = BertConfig(vocab_size=50_265, max_position_embeddings=514, type_vocab_size=1)

ERRATA = [
    Erratum(
        "01",
        'The pieces of "Transformer" (here those of the uncased vocabulary)',
        "Wu, CU Boulder, 2020",
        "T, ran, s, former",
        _pieces_of_transformer,
    ),
    Erratum(
        "01",
        "How BERT's vocabulary was learned",
        "Hugging Face course, 2022, as its best guess",
        "pair after pair is merged, the one with the largest pair / (first * second)",
        _pieces_that_no_merge_makes,
    ),
    Erratum(
        "02",
        "What the limit of 512 (max_position_embeddings) counts",
        "Shinnou, ROCLING 2020",
        "the number of words in a sentence",
        _words_and_places,
    ),
    Erratum(
        "03",
        "The word closest to king - man + woman",
        "Mikolov and others, 2013, section 1.1; section 4 says that they discard the words of the question",
        "queen",
        _closest_to_queen,
    ),
    Erratum(
        "05",
        'Two rows of attention weights for "I love this class"',
        "Johns Hopkins University, CSCI 601.771, 2022",
        "0.12 0.54 0.43 0.02 and 0.08 0.61 0.87 0.52",
        _sums_of_rows,
    ),
    Erratum(
        "05",
        "Self-attention of the word vectors X, as a formula",
        "Shinnou, ROCLING 2020, slide 10",
        "softmax(XW_q (XW_k)^T) XW_V",
        _largest_weight_undivided,
    ),
    Erratum(
        "06",
        "What multi-head attention is",
        "Shinnou, ROCLING 2020",
        "not self-attention, but similar",
        _heads_side_by_side,
    ),
    Erratum(
        "07",
        "What layer norm averages over, in the figure of four norms shown for BERT",
        "Xu, Penn State, 2021, after Wu and He, 2018, who draw it for images",
        "all features of all places of an example",
        _means_of_layer_norm,
    ),
    Erratum(
        "08",
        "The feed-forward network, in a lecture on BERT",
        "Xu, Penn State, 2021",
        "ReLU, 512 features in 2,048",
        _feed_forward,
    ),
    Erratum(
        "09",
        "FLOPs of a pass over n pieces, base and large",
        "Xu, Penn State, 2021",
        f"123 M x n and 1857 M x n, a ratio of {1857 / 123:.1f}",
        _large_over_base,
    ),
    Erratum("09", "Size of BERT-base", "Liu, Huawei, 2021", "418 MB", _bytes_of_base),
    Erratum(
        "09",
        "Where the output is among the hidden states",
        "Shinnou, ROCLING 2020",
        "a[0][0] == a[2][-1]",
        _last_hidden_state,
    ),
    Erratum(
        "10",
        "What the table of replacement mixes varies",
        "Devlin and others, 2019, table 8; so shown at Johns Hopkins, 2022",
        "Masking Rates",
        _shares_chosen,
    ),
    Erratum(
        "10",
        "How the blanks are marked in a text with two of them",
        "Johns Hopkins, 2022",
        "[Mask1], [Mask2]",
        _pieces_of_numbered_masks,
    ),
    Erratum(
        "13",
        "How many passive auxiliaries (auxpass) head 4-10 of BERT-base finds, and the best fixed offset; the"
        " authors' own notebook, Syntax_Analysis, prints 94.1 and 82.5 there, and 40.5 as the offset of the"
        " row above, cop, so rows probably slipped. It also chooses and scores heads on the same sentences",
        "Clark and others, 2019, Table 1; the 82.5 again in Wu, CU Boulder, 2020",
        "82.5 and 40.5",
        _head_and_offset,
    ),
    Erratum(
        "24",
        "How far the scale of the target rises in the script for CIFAR, which the paper lets end at 1, where"
        " the epochs are no multiple of tau_max",
        "Jafari and others, 2021, equation of stage I, and the authors' script for CIFAR",
        "1",
        _last_scale,
    ),
    Erratum(
        "24",
        "For how many of 200 epochs the authors' schedule trains a resnet at its rate of 0.1: its condition"
        " is epoch < int(epoch/2)",
        "Mirzadeh and others, 2020, the authors' code",
        "half of them",
        _epochs_at_the_first_rate,
    ),
    Erratum(
        "25",
        "Size of Q-BERT with matrices in 2 bits and tables in 8 (BERT-base)",
        "Liu, Huawei, 2021, in two of three tables; the third has 43 MB",
        "28 MB, a ratio of 15.0",
        _least_of_q_bert,
    ),
    Erratum(
        "25",
        "How much smaller Quant-Noise makes its model, in a table of BERT-base",
        "Liu, Huawei, 2021",
        "38 MB, a ratio of 11.0",
        _ratio_of_quant_noise,
    ),
    Erratum(
        "26",
        "How many times smaller SparseBERT makes BERT",
        "Xu, Penn State, 2021",
        "compression ratio = x20",
        _of_the_model,
    ),
    Erratum(
        "28",
        "How much smaller LayerDrop's six and three layers are, beside BERT-base",
        "Liu, Huawei, 2021",
        "328 and 224 MB against 418 MB, 1.3 and 1.9 times",
        _layers_of_roberta,
    ),
]
