"""Questions for a vote on spans, tags and choices."""

import torch
import torch.nn.functional as F

from lib.bert import BertModel, WordPieceTokenizer
from lib.questions import Question, Right, Wrong


@torch.no_grad()
def whose_states_change() -> str:
    model = BertModel.from_pretrained("minilm").eval()
    tokenizer = WordPieceTokenizer.from_pretrained("minilm")
    texts = ["it opened in 1876", "it opened in 1876 and closed in 1889"]
    short, long = (model(**tokenizer([text])).last_hidden_state[0] for text in texts)
    moved = (long[:5] - short[:5]).abs().amax(dim=1)  # [CLS] and the four first words
    print("[CLS] it opened in 1876 move by", *[f"{change:.2f}" for change in moved])
    return {0: "A", 1: "C", 5: "D"}.get(int((moved > 0.01).sum()), "B")


def what_minus_100_teaches() -> str:
    logits = torch.zeros(5, 9, requires_grad=True)  # [CLS] han ##neke left [SEP]
    labels = torch.tensor([-100, 1, -100, 0, -100])
    loss = F.cross_entropy(logits, labels, ignore_index=-100)
    [gradient] = torch.autograd.grad(loss, logits)
    print("how strongly the loss moves each token's logits:", gradient.abs().sum(dim=1))
    taught = {0: "A", 1: "C"}.get(int(gradient[2].argmin()), "D")
    return taught if gradient[2].any() else "B"


def a_lower_threshold() -> str:
    right = torch.tensor([-6.0, -4, -1.5, -0.5, 1])  # margins where the words are right
    without = torch.tensor([-3.0, -1, 0.5, 2])  # and of questions that have no answer
    before = (right > 0).sum().item(), (without > 0).sum().item()
    after = (right > -2).sum().item(), (without > -2).sum().item()
    print(f"silent at threshold 0: {before[0]} right ones, {before[1]} without an answer")
    print(f"at threshold -2:       {after[0]} right ones, {after[1]} without an answer")
    more = after[0] - before[0], after[1] - before[1]
    return "D" if more == (0, 0) else "A" if min(more) < 0 else "C" if more[0] else "B"


def who_never_alarms() -> str:
    frauds, payments = 20, 1000
    never = payments - frauds
    alarms, found = 40, 15
    often = found + payments - frauds - (alarms - found)
    print(f"judged rightly: {never} by the one that never alarms, {often} by the other")
    print(f"F1 of the other: {2 * found / (alarms + frauds):.2f}, of the first: 0")
    return "A" if never > often else "B" if never < often else "CD"[never > 0]


QUESTIONS = [
    Question(
        name="whose_states_change",
        section=0,
        text="A sentence is added at the end of a text that BERT has read, and BERT reads again. Of the"
        " tokens that were there before, whose last hidden states are other ones now?",
        options=(
            Wrong(
                "Nobody's, because what comes earlier has been read already.",
                "bert_reads_left_to_right",
                "BERT doesn't read from left to right: each token attends to those behind it as well.",
            ),
            Wrong(
                "Those near the end, because farther ones are out of sight.",
                "far_words_count_little",
                "Attention has no reach: a token's query meets the keys of all tokens of the row.",
            ),
            Wrong(
                "That of [CLS] alone, because it stands for the whole text.",
                "only_cls_reads_the_whole_text",
                "[CLS] attends like any other token. What it can see all others can see, too.",
            ),
            Right(
                "Those of all tokens, because each of them attends to all.",
                "So one added sentence can change the scores of every place in the text.",
            ),
        ),
        shows=whose_states_change,
        seconds=45,
        guessed=((20, 10, 15, 55), (4, 4, 5, 87)),
    ),
    Question(
        name="what_minus_100_teaches",
        section=3,
        text="A tagger learns from rows with a tag at the first token of each word, and -100 at all others,"
        " such as “##neke” of “hanneke”. What has training taught it to say at “##neke”?",
        options=(
            Wrong(
                "O, because -100 marks a token that lies outside of all entities.",
                "ignored_means_outside",
                "O is a tag with a number of its own. -100 takes the token out of the loss altogether.",
            ),
            Right(
                "Nothing in particular, because the loss never looks at it there.",
                "It does give nine logits there, but no error at this token has ever moved a weight.",
            ),
            Wrong(
                "The tag of “han”, because both are tokens of one and the same word.",
                "pieces_are_taught_their_word_s_tag",
                "It may well say so, but nobody taught it to: only the first token has a label.",
            ),
            Wrong(
                "That it is no first token, because -100 is a tenth tag for these.",
                "ignored_is_a_class",
                "The head has nine logits. -100 is no class, but the sign to leave a token out.",
            ),
        ),
        shows=what_minus_100_teaches,
        seconds=60,
        guessed=((25, 45, 20, 10), (7, 80, 10, 3)),
    ),
    Question(
        name="a_lower_threshold",
        section=2,
        text="A model stays silent if “no answer” beats its best words by more than a threshold. You"
        " lower the threshold from 0 to -2. What happens, most probably, on questions of both"
        " kinds, with an answer and without?",
        options=(
            Wrong(
                "It is silent less often, because a lower bar is passed more easily.",
                "a_lower_threshold_speaks_more",
                "What has to pass the bar is the margin of silence, so a lower bar means more silence.",
            ),
            Wrong(
                "It is silent more often, and only where a question has no answer.",
                "a_threshold_parts_the_kinds",
                "That would need margins that part both kinds. They overlap, so some right words are lost.",
            ),
            Right(
                "It is silent more often, also on some that it answered rightly.",
                "All margins between -2 and 0 change sides, those of right words among them.",
            ),
            Wrong(
                "It is silent as often as before, because its scores are the same.",
                "a_threshold_changes_no_answer",
                "The scores stay, but the decision that is made of them doesn't.",
            ),
        ),
        shows=a_lower_threshold,
        seconds=60,
        guessed=((35, 15, 45, 5), (10, 6, 82, 2)),
    ),
    Question(
        name="who_never_alarms",
        section=4,
        text="Of 1,000 payments 20 are frauds. One detector never gives an alarm. Another gives 40, and 15 of"
        " these are frauds. Which of the two judges more of the 1,000 payments rightly?",
        options=(
            Right(
                "The first, because it is wrong 20 times only and the other 30 times.",
                "The other misses 5 frauds and gives 25 false alarms. That is why shares right mislead where"
                " one class is rare.",
            ),
            Wrong(
                "The second, because it finds 15 of 20 frauds and the first finds none.",
                "finding_more_is_being_right_more",
                "That is its recall. Each false alarm is a payment that is judged wrongly.",
            ),
            Wrong(
                "The second, because a detector that never alarms has judged nothing.",
                "saying_no_is_never_right",
                "To say nothing of an honest payment is a judgment, too, and 980 of the payments are honest.",
            ),
            Wrong(
                "It can't be said, because precision and recall point in two ways.",
                "precision_and_recall_hide_accuracy",
                "Here all four counts are known: 15 found, 5 missed, 25 false alarms, 955 rightly left.",
            ),
        ),
        shows=who_never_alarms,
        seconds=75,
        guessed=((45, 30, 10, 15), (82, 10, 2, 6)),
    ),
]
