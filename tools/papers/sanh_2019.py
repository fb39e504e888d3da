"""Sanh et al., 2019: DistilBERT, notebooks 14, 19 and 21."""

from chapters.nb37.errata import DISTILBERT, WITHOUT_WNLI
from lib import stats
from lib.records import record
from lib.records.frontier import dots_until
from tools.measured import lead, percent, verdict
from tools.papers import Doubt, Paper, Place

SECONDS = {"BERT-base": 668, "DistilBERT": 410}  # table 3: one text at a time, on a processor


def without_wnli() -> str:
    (student, teacher), (student_wnli, teacher_wnli) = DISTILBERT[0], WITHOUT_WNLI[0]
    kept = student / teacher
    eight = (9 * student - student_wnli) / (9 * teacher - teacher_wnli)
    return (
        f"The announcement (Sanh, 2019) has {student} against BERT's {teacher} over nine tasks, which is"
        f" {kept:.1%}. Without WNLI, in which neither model beats a constant answer, it is {eight:.1%}."
    )


def sixty_percent_faster() -> str:
    whole, half = SECONDS["BERT-base"], SECONDS["DistilBERT"]
    ours = {dot.name: dot.milliseconds for dot in dots_until("21")}
    return (
        f"Table 3 has {whole} and {half} seconds: {whole / half - 1:.0%} more texts in the same time, and"
        f" {1 - half / whole:.0%} less time for a text. Three of MiniLM's six layers take"
        f" {1 - ours['3 layers, taught'] / ours['MiniLM']:.0%} less time for a short text."
    )


def what_the_losses_bring() -> str:
    runs = record.table("distilled_answers")
    words, answers, cosine = (
        runs.values("reviews", f"blanks, {arm}", "perplexity")
        for arm in ("masked words", "masked words and answers", "DistilBERT")
    )
    first, second = stats.paired_difference(words, answers), stats.paired_difference(answers, cosine)
    copied, labels, taught = (runs.values("headlines", arm) for arm in ("cut", "cut, labels", "cut, answers"))
    return (
        "In table 4 a model without the answers loses 2.96 points, without the cosine 1.46, and with a random"
        f" start 3.69. In the pocket BERT the answers change the perplexity by {first.of_means:+.2f}"
        f" ({verdict(first)}) and the cosine by {second.of_means:+.3f} ({verdict(second)}). On headlines"
        f" three copied layers have {percent(copied)} as they are and {percent(labels)} by labels,"
        f" and answers instead of labels bring {lead(labels, taught)}."
    )


PAPER = Paper(
    name="DistilBERT",
    authors="Sanh et al.",
    year=2019,
    title="DistilBERT, a distilled version of BERT: smaller, faster, cheaper and lighter",
    link="https://arxiv.org/abs/1910.01108",
    read="All of it: five pages, with tables 1 to 4.",
    minutes=30,
    places=(
        Place("14", "stretch “an average without WNLI”", "what one small task does to an average"),
        Place("19", "section 3", "bet on what few wide or many narrow layers take"),
        Place("19", "stretch “one model, three counts”", "60% faster, or 39% less time"),
        Place("21", "section 4", "three copied layers, by labels and by answers"),
        Place(
            "21",
            "stretch “DistilBERT's three losses where there is a masked-LM head”",
            "one, two and three losses beside each other",
        ),
    ),
    doubts=(
        Doubt("How much of BERT's score is kept without WNLI?", without_wnli),
        Doubt("Is it 60% faster?", sixty_percent_faster),
        Doubt("Is it the answers, the cosine or the start?", what_the_losses_bring),
    ),
    earlier="Hinton et al. (2015) distilled answers, and Patient KD (Sun et al., 2019) the states of a"
    " fine-tuned BERT.",
    later="TinyBERT (Jiao et al., 2020) taught embeddings, states and attention too, and MiniLM (Wang et"
    " al., 2020) only the attention of the last layer, its values included.",
    change="In section 3 of notebook 19 set `my_layers` to 12 and leave half of the width: as much work as"
    " three layers of full width. Vote first: do both take equally long for a text of nine pieces?",
    questions=(
        "Which of the tasks of table 1 loses most, and what has it in common with the others that lose?",
        "What is a fair second row beside DistilBERT in table 1: which model of its size is missing?",
        "Does “60% faster” mean the same on a phone, on a graphics card, and for many texts at once?",
        "Which row of table 4 is the strongest argument for distillation, and which for the start?",
        "Why does the student keep the width of its teacher?",
    ),
    ice_breaker="You may keep every second page of your favorite book: would you still know the story?",
)
