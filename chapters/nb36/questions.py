"""Questions for a vote on a decoder, on looking across and on BLEU."""

import torch
from torch import nn
from torch.nn.functional import scaled_dot_product_attention

from chapters.nb36.answers import bleu, cross_attention, shifted
from lib.questions import Question, Right, Wrong


def six_causal_layers(states: torch.Tensor) -> torch.Tensor:
    """Six layers of causal attention, each added to its input: [T, D] to [T, D]."""
    for _ in range(6):
        states = states + scaled_dot_product_attention(states, states, states, is_causal=True)
    return states


def last_token_replaced() -> str:
    torch.manual_seed(0)
    text = torch.randn(10, 8)  # ten tokens
    replaced = torch.cat([text[:9], torch.randn(1, 8)])
    change = (six_causal_layers(replaced) - six_causal_layers(text)).abs().amax(dim=1)
    moved = (change > 1e-3).nonzero().flatten().tolist()
    print("of the vectors 0 to 9 these have changed:", moved)
    return {1: "A", 10: "B", 0: "C", 6: "D"}[len(moved)]


def guesses_of_one_pass() -> str:
    text = torch.arange(1, 101)[None]  # 100 tokens
    inputs, labels = shifted(text, begin=101)
    print("reads:       ", inputs[0, :5].tolist(), "...", inputs[0, -1].item())
    print("is to guess: ", labels[0, :5].tolist(), "...", labels[0, -1].item())
    asked = int((labels != -100).sum())
    print("places that are asked:", asked)
    return {1: "A", 100: "B", 15: "C", 50: "D"}[asked]


def seven_words_read_and_nine_written() -> str:
    torch.manual_seed(0)
    written, read = torch.randn(1, 9, 8), torch.randn(1, 7, 8)
    query, key, value = nn.Linear(8, 8), nn.Linear(8, 8), nn.Linear(8, 8)
    _, weights = cross_attention(written, read, query, key, value, heads=1, mask=None)
    rows, columns = weights.shape[-2:]
    print(f"{rows} rows of {columns} weights, each with the sum {weights[0, 0].sum(dim=1)[0]:.2f}")
    return {(7, 9): "A", (9, 9): "B", (16, 16): "C", (9, 7): "D"}[rows, columns]


def the_reference_twice() -> str:
    sentence = "the old man went to the river and saw a boat on the water"
    reference = sentence.split()
    once, twice = bleu([reference], [reference]), bleu([reference + reference], [reference])
    print(f"BLEU of the reference itself: {once:.0f}")
    print(f"BLEU of the reference written twice: {twice:.1f}")
    if twice < 1:
        return "C"
    return "D" if twice < 25 else "A" if twice < 50 else "B"


QUESTIONS = [
    Question(
        name="last_token_replaced",
        section=0,
        text="Ten tokens go through six layers of attention under a causal mask. Then the tenth token is"
        " replaced. Which of the ten vectors that come out have changed?",
        options=(
            Right(
                "The last one, because no earlier token looks at it.",
                "The mask holds in each layer, so nothing of the tenth token ever reaches a place before it.",
            ),
            Wrong(
                "All ten, because six layers pass every change on.",
                "depth_mixes_tokens",
                "Layers pass on what a mask lets through. All six hide the tenth token from the nine others.",
            ),
            Wrong(
                "None, because the mask hides the last token.",
                "a_token_does_not_look_at_itself",
                "The tenth token looks at itself, and its own vector begins with its own embedding.",
            ),
            Wrong(
                "The last six, one place farther in each layer.",
                "news_moves_one_word_a_layer",
                "That is how far a window of one carries news. Under a causal mask nothing goes from later to"
                " earlier places.",
            ),
        ),
        shows=last_token_replaced,
        seconds=45,
        guessed=((50, 25, 5, 20), (85, 10, 0, 5)),
    ),
    Question(
        name="guesses_of_one_pass",
        section=1,
        text="A decoder trains with teacher forcing on a text of 100 tokens and puts a begin token before"
        " it. How many of its guesses at a next token are trained by one pass?",
        options=(
            Wrong(
                "One, because the tokens before the last are given.",
                "only_the_last_place_is_asked",
                "They are given as inputs. Each of them is also the answer to the place before it.",
            ),
            Right(
                "A hundred, because the mask hides each answer.",
                "Place t can't look at what comes after it, so all places can be asked at once without giving"
                " an answer away.",
            ),
            Wrong(
                "Fifteen, because that share of tokens is hidden.",
                "every_model_hides_15_percent",
                "A masked model hides tokens in its input. Here nothing is hidden but what comes later.",
            ),
            Wrong(
                "Fifty or so, because each needs a beginning.",
                "a_guess_needs_a_long_beginning",
                "Even the first token is guessed, from the begin token alone. Such guesses are hard, and they"
                " are trained, too.",
            ),
        ),
        shows=guesses_of_one_pass,
        seconds=45,
        guessed=((30, 50, 10, 10), (10, 85, 5, 0)),
    ),
    Question(
        name="seven_words_read_and_nine_written",
        section=2,
        text="A sentence of seven words is read, and nine words are written. How are the weights of one head"
        " of cross-attention arranged, if each row sums to 1?",
        options=(
            Wrong(
                "Seven rows of nine: a read word looks at the written ones.",
                "what_is_read_looks_at_what_is_written",
                "The encoder has finished before anything is written. It is the writer that asks.",
            ),
            Wrong(
                "Nine rows of nine: a written word looks at written ones.",
                "cross_attention_looks_at_its_own_text",
                "That is the decoder's self-attention. Across, keys and values come from the text that is"
                " read.",
            ),
            Wrong(
                "Sixteen rows of sixteen: all words look at all words.",
                "cross_attention_joins_both_texts",
                "The two texts are not joined: queries come from one, and keys and values from the other.",
            ),
            Right(
                "Nine rows of seven: a written word looks at the read ones.",
                "Each written word has a query, and it shares out its weight among the keys of the text that"
                " is read.",
            ),
        ),
        shows=seven_words_read_and_nine_written,
        seconds=60,
        guessed=((30, 10, 10, 50), (10, 5, 5, 80)),
    ),
    Question(
        name="the_reference_twice",
        section=4,
        text="A system writes the whole reference sentence of 14 words, and then the same once more. What is"
        " its BLEU?",
        options=(
            Right(
                "A bit below 50, because each run counts once.",
                "Twice as many runs are written, and each counts as often as it stands in the reference. A"
                " text too long pays no further penalty.",
            ),
            Wrong(
                "Nearly 100, because its runs are in the reference.",
                "runs_count_as_often_as_they_are_written",
                "Then “la la la la” would be a perfect translation of anything with a “la”. A run counts at"
                " most as often as in the reference.",
            ),
            Wrong(
                "0, because it isn't the reference as a whole.",
                "bleu_asks_for_whole_sentences",
                "BLEU asks for runs of one to four words, and half of those that were written are found.",
            ),
            Wrong(
                "A bit below 25, because excess length costs half.",
                "bleu_punishes_length_twice",
                "The penalty is for texts that are too short. What is too long is already paid in the"
                " shares.",
            ),
        ),
        shows=the_reference_twice,
        seconds=60,
        guessed=((45, 25, 10, 20), (80, 5, 5, 10)),
    ),
]
