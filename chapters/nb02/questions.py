"""Questions for a vote on ids, padding and luck."""

import math

import torch

from lib.analysis.vectors import similarity
from lib.bert import BertModel, WordPieceTokenizer
from lib.bert.batch import pad_batch
from lib.questions import Question, Right, Wrong

ASKED = "asking the boss for a raise"


def vector_of_text(tokenizer: WordPieceTokenizer) -> torch.Tensor:
    """MiniLM's vector of the text that is asked, read with this tokenizer: [384]."""
    return similarity.embed(BertModel.from_pretrained("minilm"), tokenizer, [ASKED])[0]


def a_word_with_a_strange_sign() -> str:
    tokenizer = WordPieceTokenizer.from_pretrained("minilm")
    pieces = tokenizer.tokenize("great🐕")
    print("apart:", tokenizer.tokenize("great"), tokenizer.tokenize("🐕"), "joined:", pieces)
    outcomes = {("great",): "B", ("[UNK]",): "C", ("great", "[UNK]"): "A"}
    return outcomes.get(tuple(pieces), "D")


def a_sorted_vocabulary() -> str:
    tokenizer = WordPieceTokenizer.from_pretrained("minilm")
    by_letter = WordPieceTokenizer(sorted(tokenizer.vocab))
    ids = by_letter.encode(ASKED)
    print(f"{ASKED}, read as:", *tokenizer.convert_ids_to_tokens(ids))
    before, after = (vector_of_text(by) for by in (tokenizer, by_letter))
    cosine = torch.cosine_similarity(before, after, dim=0)
    print(f"cosine of the vectors before and after: {cosine:.2f}")
    return "C" if max(ids) >= len(tokenizer) else "BDA"[sum([cosine > 0.6, cosine > 0.999])]


def a_lead_of_ten() -> str:
    explained = ""  # by luck, for few and for many questions on which exactly one of the two is right
    for throws in (20, 400):
        led = [heads for heads in range(throws + 1) if abs(2 * heads - throws) >= 10]
        share = sum(math.comb(throws, heads) for heads in led) / 2**throws
        print(f"of {throws} throws of a coin: a lead of 10 or more in {share:.0%} of all tries")
        explained += "ny"[int(share > 0.1)]
    return {"yy": "A", "ny": "B", "yn": "C", "nn": "D"}[explained]


def one_long_text_in_a_batch() -> str:
    rows = [[101] + [2293] * 8 + [102]] * 31 + [[101] + [2293] * 498 + [102]]
    input_ids, attention_mask = pad_batch(rows, pad_id=0)
    padding = 1 - attention_mask.float().mean().item()
    print(f"input_ids: {list(input_ids.shape)}, {padding:.0%} of its places are padding")
    return "ABCD"[int(padding > 0) + int(padding > 0.2) + int(padding > 0.8)]


QUESTIONS = [
    Question(
        name="a_word_with_a_strange_sign",
        section=0,
        text="“great” is in BERT's vocabulary, and the sign 🐕 isn't. Somebody writes “great🐕”, without a"
        " space. What does the tokenizer make of it?",
        options=(
            Wrong(
                "great and [UNK], so that only the sign is lost",
                "unknown_parts_are_lost_alone",
                "So it would be with a space between the two. Within one word the unknown part takes the"
                " known one with it.",
            ),
            Wrong(
                "great alone, because signs of no use are dropped",
                "signs_are_dropped",
                "Nothing is dropped in silence. A word that can't be finished leaves its mark, [UNK].",
            ),
            Right(
                "[UNK] alone, because the word can't be finished",
                "The sign stands inside the word, and WordPiece either finishes a word or gives it up as a"
                " whole.",
            ),
            Wrong(
                "great and a new token, which is added for the sign",
                "a_model_learns_while_used",
                "The vocabulary is fixed before the model is trained. Each token needs a row of learned"
                " numbers, and nobody has learned one for this sign.",
            ),
        ),
        shows=a_word_with_a_strange_sign,
        seconds=45,
        guessed=((40, 10, 40, 10), (10, 3, 85, 2)),
    ),
    Question(
        name="a_sorted_vocabulary",
        section=2,
        text="Somebody sorts the lines of vocab.txt by the alphabet, to find tokens more easily. The"
        " trained model stays as it is. What happens when it reads a text?",
        options=(
            Wrong(
                "Nothing changes, because all of the tokens are still in the file.",
                "rows_may_be_dealt_out_anew",
                "An id is the number of a line, and the model uses it to fetch a row from its table. After"
                " sorting, it fetches the row of another token.",
            ),
            Right(
                "It reads other words instead, and nothing reports an error.",
                "Each token gets the number that another one had, and so the row of that other one. All"
                " numbers are valid, so nothing crashes.",
            ),
            Wrong(
                "It stops with an error, because the ids don't fit the model's table.",
                "a_wrong_order_is_an_error",
                "The ids are whole numbers in the same range as before. A table gives out a row for each"
                " of them, and can't know which one was meant.",
            ),
            Wrong(
                "It gets a bit worse, because similar tokens now have other neighbors.",
                "neighboring_rows_are_related",
                "The model never looks at a neighbor in the file. What matters is which row of the table"
                " belongs to which line.",
            ),
        ),
        shows=a_sorted_vocabulary,
        seconds=60,
        guessed=((25, 45, 20, 10), (5, 85, 8, 2)),
    ),
    Question(
        name="one_long_text_in_a_batch",
        section=3,
        text="A batch holds 31 texts of 10 tokens and one text of 500. What share of the places that the"
        " model has to compute is padding?",
        options=(
            Wrong(
                "None: the mask takes padding out before the model computes.",
                "masked_places_cost_nothing",
                "The mask only says where nobody may look. The places stay in the rectangle, and each"
                " layer computes a vector for each of them.",
            ),
            Wrong(
                "About 3%: only one of the 32 texts differs from the others.",
                "padding_belongs_to_the_long_text",
                "It's the other way round: the one long text has no padding, and each of the 31 short ones"
                " is filled up.",
            ),
            Wrong(
                "About a half: short texts are filled up to the average length.",
                "rows_are_filled_to_the_average",
                "A tensor is a rectangle that has to hold the longest row whole, so the longest row"
                " decides the width of all.",
            ),
            Right(
                "About 95%: all of the 31 short texts are filled up to 500.",
                "The rectangle has 32 · 500 = 16,000 places, and only 810 of them hold a token. Batches of"
                " texts of like length avoid it.",
            ),
        ),
        shows=one_long_text_in_a_batch,
        seconds=75,
        guessed=((20, 10, 15, 55), (5, 2, 3, 90)),
    ),
    Question(
        name="a_lead_of_ten",
        section=4,
        text="Two methods answer the same 1,000 questions, and one has 10 more right than the other."
        " What else do you have to know to tell whether luck explains this lead?",
        options=(
            Wrong(
                "Nothing else: ten in a thousand is 1%, far too little to count.",
                "a_small_percentage_is_luck",
                "If exactly one is right on 20 questions only, 15 to 5, luck rarely does that, although"
                " it is 1% of all.",
            ),
            Right(
                "On how many questions exactly one of the two methods is right.",
                "Only these can tell the two apart, and each is like the throw of a coin. A lead of 10"
                " or more is rare among 20 throws and usual among 400.",
            ),
            Wrong(
                "How many questions both get right, that is how good they are.",
                "good_methods_have_sure_leads",
                "A question that both get right says nothing about which is better, however many of"
                " these there are.",
            ),
            Wrong(
                "Nothing else: among so many questions a lead of ten isn't luck.",
                "more_cases_are_surer",
                "If exactly one is right on 400 of them, coins make a lead of 10 or more in over half of"
                " all tries.",
            ),
        ),
        shows=a_lead_of_ten,
        seconds=90,
        guessed=((20, 45, 15, 20), (8, 78, 8, 6)),
    ),
]
