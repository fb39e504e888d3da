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


def what_a_window_s_level_moves() -> str:
    starts, ends = torch.tensor([1.0, 0.5, 3.0]), torch.tensor([0.5, 1.0, 2.0])  # [CLS] and two words
    raised = starts + 5
    same = torch.allclose(starts.softmax(0), raised.softmax(0))
    best = [(scores[1:] + ends[1:]).max() for scores in (starts, raised)]
    leads = [one - scores[0] - ends[0] for one, scores in zip(best, (starts, raised), strict=True)]
    print(f"probabilities stay: {same}; best score {best[0]:.1f}, then {best[1]:.1f}; lead {leads[1]:.1f}")
    return "A" if not same else "B" if best[0] == best[1] else "C" if leads[0] == leads[1] else "D"


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
        name="what_a_window_s_level_moves",
        section=2,
        text="A long text is read in windows. Somebody adds 5 to all start scores of one window, also to"
        " that of [CLS]. What becomes of this window?",
        options=(
            Wrong(
                "Its answer gets more probable, because each of its scores is higher.",
                "higher_scores_are_more_probable",
                "All scores of the window rose alike, so softmax gives the same probabilities as before.",
            ),
            Wrong(
                "Nothing at all, because the best words of a window stay the best.",
                "one_window_is_judged_alone",
                "Its best words stay, but they may now outscore the right words of another window.",
            ),
            Right(
                "Its words gain on those of other windows, but their lead doesn't change.",
                "The lead over the window's own no answer has the 5 in both numbers, where it cancels.",
            ),
            Wrong(
                "Its loss in training would rise, because no answer is scored higher.",
                "loss_sees_the_level_of_scores",
                "The loss is computed from probabilities, and these don't change. Nothing fixes the level.",
            ),
        ),
        shows=what_a_window_s_level_moves,
        seconds=75,
        guessed=((30, 25, 35, 10), (8, 6, 82, 4)),
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
