"""Questions for a vote on fine-tuning."""

import torch
import torch.nn.functional as F

from lib.analysis.vectors.similarity import embed
from lib.bert import BertForMaskedLM, BertModel, WordPieceTokenizer
from lib.questions import Question, Right, Wrong


def where_a_word_reaches_cls() -> str:
    model = BertForMaskedLM.from_pretrained("pocket").bert.eval()
    batch = WordPieceTokenizer.from_pretrained("pocket")(["the soup needs salt", "the soup needs time"])
    with torch.no_grad():
        states = model(**batch, output_hidden_states=True).hidden_states
    moved = [((state[0, 0] - state[1, 0]).norm() / state[0, 0].norm()).item() for state in states]
    print("“salt” becomes “time”; [CLS] moves by", *[f"{share:.1%}" for share in moved], "of its length")
    first = [place for place, share in enumerate(moved) if share > 1e-3]
    return {0: "A", 1: "B", 6: "D"}.get(min(first, default=7), "C")


def where_cheese_was_learned() -> str:
    tokenizer = WordPieceTokenizer.from_pretrained("minilm")
    texts = ["bread and soup", "stars and moon", "cheese"]
    vectors = embed(BertModel.from_pretrained("minilm").eval(), tokenizer, texts)
    likeness = F.cosine_similarity(vectors[2], vectors[:2], dim=-1)
    shared = set(tokenizer.tokenize("cheese")) & set(tokenizer.tokenize("bread and soup"))
    print(f"no step made: cheese and bread {likeness[0]:.2f}, cheese and stars {likeness[1]:.2f}")
    return "C" if shared else "D" if likeness[0] > likeness[1] + 0.05 else "AB"[likeness[0] < 0]


def the_best_of_ten_groups() -> str:
    torch.manual_seed(0)
    right = torch.distributions.Binomial(180, torch.tensor(0.7)).sample((1000, 10))
    announced = right.amax(dim=1) / 180
    higher = (announced > 0.7).double().mean().item()
    print("ten models, each right on 70% of new texts; the best share is announced, often")
    print(f"it is {announced.mean():.1%} on average, and above 70% in {higher:.0%} of the cases")
    return "A" if higher > 0.9 else "C" if higher < 0.1 else "D" if announced.std() > 0.001 else "B"


def three_marks() -> str:
    same_source = {"cold soup!!!": 0, "late again!!!": 0, "lovely staff": 1, "fine rooms.": 1}
    elsewhere = {"cold soup": 0, "late again.": 0, "lovely staff": 1, "fine rooms": 1}
    shares = [
        sum(("!!!" not in text) == bool(label) for text, label in rows.items()) / len(rows)
        for rows in (same_source, elsewhere)
    ]
    print(f"a rule of marks alone: {shares[0]:.0%} right here, {shares[1]:.0%} elsewhere")
    return "B" if shares[0] < 0.99 else {1.0: "A", 0.0: "D"}.get(shares[1], "C")


QUESTIONS = [
    Question(
        name="where_a_word_reaches_cls",
        section=0,
        text="A classifier reads one vector, that of [CLS]. Where does news of the word “salt”, which stands"
        " further on in the sentence, first get into this vector?",
        options=(
            Wrong(
                "In the embeddings, where [CLS] gets a vector that stands for its sentence.",
                "cls_begins_as_its_sentence",
                "[CLS] is a piece like any other: it has one row of the table, the same in every sentence.",
            ),
            Right(
                "In the first layer, where [CLS] attends to all tokens of its sentence.",
                "Attention mixes the values of all tokens into each token's vector, [CLS] included, from the"
                " first layer on.",
            ),
            Wrong(
                "In the pooler, which averages the vectors of all tokens for the head.",
                "pooler_reads_all_tokens",
                "BERT's pooler is a dense layer on the vector of [CLS] alone. It averages nothing.",
            ),
            Wrong(
                "In the last layer, which gathers for the head what the others found.",
                "only_the_last_layer_gathers",
                "The last layer may gather most, but each layer has its own attention, and [CLS] takes"
                " part in all of them.",
            ),
        ),
        shows=where_a_word_reaches_cls,
        seconds=45,
        guessed=((20, 45, 25, 10), (5, 80, 10, 5)),
    ),
    Question(
        name="where_cheese_was_learned",
        section=1,
        text="“Cheese” stands in none of your fifteen sentences, but after ten steps MiniLM sorts a sentence"
        " about grated cheese into the kitchen. Where did it learn that cheese belongs there?",
        options=(
            Wrong(
                "In the ten steps, because they move every weight, those of “cheese” too.",
                "fine_tuning_teaches_the_meanings",
                "A row of the table gets a gradient only if its piece is read, and nothing in the fifteen"
                " speaks of cheese.",
            ),
            Wrong(
                "In the head, because it turns every text into one of your three classes.",
                "the_head_knows_the_task",
                "The head began as random numbers and saw fifteen vectors. It only separates what BERT has"
                " laid apart.",
            ),
            Wrong(
                "In the tokenizer, because it cuts words of like meaning into common pieces.",
                "pieces_carry_meaning",
                "WordPiece looks at letters and how often they stand together, and “cheese” shares no piece"
                " with “bread”.",
            ),
            Right(
                "In pretraining, because its vector already lay near those of kitchen texts.",
                "The ten steps name a region of the vectors. That cheese lies in it was there before them.",
            ),
        ),
        shows=where_cheese_was_learned,
        seconds=60,
        guessed=((30, 20, 10, 40), (10, 10, 5, 75)),
    ),
    Question(
        name="the_best_of_ten_groups",
        section=2,
        text="Ten groups of a class hand in models that are in truth equally good. All ten answer the"
        " same 180 test rows, and the winner's share is announced. What will the winner most"
        " probably get on new texts?",
        options=(
            Right(
                "A lower share, because the winner had luck on these rows.",
                "Ten scores scatter around the true share, and the announced one is the one that luck"
                " lifted most.",
            ),
            Wrong(
                "About the same share, because none has learned from a test row.",
                "unlearned_rows_stay_fair",
                "No weight was taught by these rows, but they chose among the ten, and the choice fits them.",
            ),
            Wrong(
                "A higher share, because a test on so few rows is a strict one.",
                "few_rows_judge_strictly",
                "Few rows make a share uncertain in both directions. They make it no lower.",
            ),
            Wrong(
                "A lower or a higher share, because luck has no direction.",
                "luck_averages_out",
                "That holds for each single score. The largest of ten is no single score: it seldom is"
                " an unlucky one.",
            ),
        ),
        shows=the_best_of_ten_groups,
        seconds=60,
        guessed=((50, 20, 5, 25), (80, 8, 2, 10)),
    ),
    Question(
        name="three_marks",
        section=3,
        text="In your reviews every complaint ends with three exclamation marks and no praise does. Your"
        " model gets 99% of the test rows right, which come from the same collection. What does this tell"
        " about reviews from elsewhere?",
        options=(
            Wrong(
                "It will get about 99% there, because the test rows were new to it, too.",
                "new_rows_are_other_texts",
                "The test rows are new, but they have the habits of their collection. Texts from elsewhere"
                " have others.",
            ),
            Wrong(
                "It reads the words, because no cheap trick ever gets as far as 99%.",
                "high_scores_need_understanding",
                "In this collection the marks alone tell every label. A high score needs no more than that.",
            ),
            Right(
                "Little, because one that reads the marks alone gets 99% as well.",
                "Two rules agree on every row of this collection, so no score on it can tell which of them"
                " was learned.",
            ),
            Wrong(
                "It will fail there, because 99% shows that the model has overfitted.",
                "high_scores_mean_overfitting",
                "A model overfits if it does well on its own rows and badly on new ones. These test rows"
                " were new.",
            ),
        ),
        shows=three_marks,
        seconds=60,
        guessed=((20, 10, 50, 20), (5, 5, 80, 10)),
    ),
]
