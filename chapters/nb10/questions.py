"""Questions for a vote on hidden words: the loss, a way to cheat, and the head."""

import math

import torch

from chapters.nb10.answers import corrupt
from lib.analysis.prediction.fill_mask import word_probabilities
from lib.bert import BertForMaskedLM, WordPieceTokenizer
from lib.questions import Question, Right, Wrong


def pocket() -> tuple[BertForMaskedLM, WordPieceTokenizer]:
    """The pocket BERT, without gradients, and its tokenizer."""
    model = BertForMaskedLM.from_pretrained("pocket").requires_grad_(False)
    return model, WordPieceTokenizer.from_pretrained("pocket")


def one_in_ten_thousand() -> str:
    losses = [-math.log(probability) for probability in (0.01, 0.0001)]
    print(f"one in a hundred: {losses[0]:.2f} nats, one in ten thousand: {losses[1]:.2f} nats")
    ratio = losses[1] / losses[0]
    return "CDBA"[int(ratio > 0.99) + int(ratio > 1.1) + int(ratio > 50)]


def a_place_that_is_closed() -> str:
    model, tokenizer = pocket()
    ids = tokenizer(["she opened a bank account", "she opened a paper account"])["input_ids"]
    mask = torch.tensor([[1, 1, 1, 1, 0, 1, 1]] * 2)  # nobody may look at “bank” and “paper”
    bank, paper = model.bert(ids, mask).last_hidden_state  # [7, 384] each
    moved = (bank - paper).norm(dim=1) > 1e-3
    print("vectors that tell “bank” from “paper”:", moved.tolist())
    others = torch.cat([moved[:4], moved[5:]])
    return "C" if others.any() else "A" if moved[4] else "BD"[int(not bank[4].any())]


def who_counts_in_the_loss() -> str:
    torch.manual_seed(0)
    ids, random_ids = torch.randint(10, 9000, (2, 100, 1000))  # 100 texts of 1,000 tokens
    chosen, draws, asked = torch.rand(100, 1000) < 0.15, torch.rand(100, 1000), []
    for recipe, largest in {"BERT's recipe": 1.0, "the new one": 0.8}.items():  # draws below 0.8: [MASK]
        read, labels = corrupt(ids, chosen, largest * draws, random_ids, mask_token_id=4)
        asked.append((labels != -100).float().mean().item())
        print(f"{recipe}: {(read == 4).float().mean():.1%} are [MASK], {asked[-1]:.1%} have a label")
    return "C" if min(asked) > 0.5 else "DBA"[sum(asked[1] > more * asked[0] for more in (1.05, 1.18))]


def a_longer_row_for_door() -> str:
    model, tokenizer = pocket()
    text, blank, read, said = tokenizer("he shut the door."), "he shut the [MASK].", [], []
    for length in (1, 2):
        model.bert.embeddings.word_embeddings.weight[tokenizer.vocab["door"]] *= length
        read.append(model.bert(**text).last_hidden_state)
        said += word_probabilities(model, tokenizer, blank, ["door"])
    print(f"it reads: moved by {torch.dist(*read):.1f}; it says: “door” {said[0]:.2f}, then {said[1]:.2f}")
    return "DABC"[int(torch.dist(*read) > 0.01) + 2 * int(abs(said[0] - said[1]) > 0.01)]


QUESTIONS = [
    Question(
        name="one_in_ten_thousand",
        section=0,
        text="A model gives the right word a probability of 1 in 100. Another model gives it 1 in"
        " 10,000. How large is the cross-entropy of the second one, beside that of the first?",
        options=(
            Wrong(
                "A hundred times as large, as the probability is a hundredth.",
                "loss_is_one_over_probability",
                "The loss is the logarithm of it. Each further factor of 100 adds the same 4.6 nats.",
            ),
            Right(
                "Twice as large, because the logarithm counts the factors.",
                "1 in 10,000 is 1 in 100 of 1 in 100, and the logarithm adds where probabilities multiply.",
            ),
            Wrong(
                "Equally large, because both of the models are wrong.",
                "loss_counts_mistakes",
                "That would be the share of errors. Cross-entropy asks how much the model believed in the"
                " right word.",
            ),
            Wrong(
                "Hardly larger, because 0.01 and 0.0001 are both near 0.",
                "small_probabilities_are_alike",
                "Near 0 the logarithm is steepest. There it matters most by which factor one was wrong.",
            ),
        ),
        shows=one_in_ten_thousand,
        seconds=45,
        guessed=((25, 45, 10, 20), (5, 87, 3, 5)),
    ),
    Question(
        name="a_place_that_is_closed",
        section=2,
        text="Instead of [MASK], somebody leaves the word in the input and closes its place in all layers:"
        " no token may look at it, not even itself. BERT is then asked for the word at this place. Can it"
        " cheat?",
        options=(
            Right(
                "Yes, because the word's own vector goes on along the plus signs.",
                "A mask closes ways of attention only. What came in at this place is added again in each"
                " half of a layer, and reaches the end.",
            ),
            Wrong(
                "No, because no attention can carry the word to any place.",
                "only_attention_carries_words",
                "It need not be carried: it is asked for where it stands, and the plus signs keep it there.",
            ),
            Wrong(
                "Yes, because another token takes it in and passes it back.",
                "masks_always_leak",
                "This detour needs a first look at the word, and nobody may take it.",
            ),
            Wrong(
                "No, because a place that is closed isn't computed at all.",
                "masked_places_cost_nothing",
                "Each place is computed in each layer. Closed means that nobody looks at it.",
            ),
        ),
        shows=a_place_that_is_closed,
        seconds=90,
        guessed=((40, 35, 15, 10), (78, 12, 6, 4)),
    ),
    Question(
        name="who_counts_in_the_loss",
        section=3,
        text="BERT chooses 15% of all tokens for its training task, and of these 80% become [MASK], 10%"
        " become random and 10% stay. In a new recipe all the chosen become [MASK]. What happens to"
        " the share of tokens that count in the loss?",
        options=(
            Wrong(
                "It grows from 12% to 15% of all tokens: [MASK] is asked for.",
                "only_masks_are_asked",
                "With BERT's recipe, too, the fifth of the chosen that doesn't become [MASK] is asked for.",
            ),
            Wrong(
                "It grows from 13.5% to 15% of all: what is changed is asked for.",
                "only_changed_tokens_are_asked",
                "With BERT's recipe, the tenth that stays is asked for, too. BERT can't know which, so"
                " it has to work out each token.",
            ),
            Wrong(
                "It stays at 100% of all tokens: each of them is asked for.",
                "every_place_is_asked",
                "It gives logits everywhere, but a label of −100 says that nobody asks.",
            ),
            Right(
                "It stays at 15% of all tokens: the chosen are asked for.",
                "Chosen means asked for. Only afterwards it is drawn what BERT reads there.",
            ),
        ),
        shows=who_counts_in_the_loss,
        seconds=60,
        guessed=((35, 15, 10, 40), (8, 7, 3, 82)),
    ),
    Question(
        name="a_longer_row_for_door",
        section=4,
        text="In a trained BERT somebody makes the row of “door” in the table of word vectors twice as"
        " long, and changes nothing else. What does this change?",
        options=(
            Wrong(
                "Only what it reads: “door” goes in with another vector.",
                "tables_only_look_up",
                "The same tensor is the weight of the decoder, and there the row is multiplied with the"
                " vector at each blank.",
            ),
            Wrong(
                "Only what it says: “door” gets other logits in a blank.",
                "the_decoder_has_its_own_table",
                "The weights are tied, so whoever reads “door” looks up the same row.",
            ),
            Right(
                "Both what it reads and what it says: it is one tensor.",
                "The table gives “door” its vector where it is read, and scores it where it is guessed:"
                " tied weights.",
            ),
            Wrong(
                "Neither, as a layer norm brings back the old length.",
                "norms_undo_every_change",
                "The norm comes after the position has been added, so the direction changes. And the"
                " decoder stands behind the last norm.",
            ),
        ),
        shows=a_longer_row_for_door,
        seconds=60,
        guessed=((30, 10, 50, 10), (8, 3, 85, 4)),
    ),
]
