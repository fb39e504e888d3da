"""Clark et al., 2020: ELECTRA, notebook 37."""

from statistics import mean
from typing import Any

from lib import stats
from lib.records import record
from tools.measured import lead, percent, verdict
from tools.papers import Doubt, Paper, Place

OURS, MASKED = "ELECTRA", "masked LM"


def recorded(arm: str, metric: str) -> list[Any]:
    """What small runs of equal compute have, one number for each seed."""
    return record.table("relatives").values("all sentences, equal compute", arm, metric)


def what_accuracy_hides() -> str:
    return (
        f"Little. Three small discriminators call {percent(recorded(OURS, 'accuracy'))} of the tokens"
        f" correctly, and whoever calls every token original {percent(recorded(OURS, 'all original'))}. They"
        f" find {percent(recorded(OURS, 'recall'))} of the replaced tokens, and their AUC is"
        f" {mean(recorded(OURS, 'auc')):.2f}, where a coin has 0.50."
    )


def is_it_ahead() -> str:
    found = stats.paired_difference(recorded(MASKED, "auc"), recorded(OURS, "auc"))
    return (
        "In the paper it is, after fine-tuning: 85.0 on GLUE, and 82.2 for BERT (table 5). Minutes of"
        " training don't show it: ELECTRA finds replaced tokens better, for which it is trained (AUC"
        f" {found.of_means:+.2f}, {verdict(found)}), and where a verb is to be chosen, as in a masked model's"
        f" training, it stands at {lead(recorded(MASKED, 'verbs'), recorded(OURS, 'verbs'))}. Nothing was"
        " fine-tuned here."
    )


def what_a_step_costs() -> str:
    ours, theirs = (mean(recorded(arm, "steps")) for arm in (OURS, MASKED))
    return (
        f"No. For the multiplications of {theirs:,.0f} steps of a masked model ELECTRA makes {ours:,.0f}, so"
        f" a step costs {theirs / ours:.2f} times as much, although its generator has a single layer of 32."
    )


PAPER = Paper(
    name="ELECTRA",
    authors="Clark et al.",
    year=2020,
    title="ELECTRA: Pre-training Text Encoders as Discriminators Rather Than Generators",
    link="https://arxiv.org/abs/2003.10555",
    read="Section 2 with figure 2, section 3.2 with figure 3, and section 3.5 with table 5 and figure 4. Of"
    " the results for small and large models look at the tables alone.",
    minutes=45,
    places=(
        Place("37", "section 3", "generator and discriminator trained live, and a measure without threshold"),
        Place("37", "section 1", "the board on which ELECTRA stood, and on what a rank hangs"),
        Place("37", "stretch “three scores of one name (6 min)”", "which GLUE averages can be compared"),
    ),
    doubts=(
        Doubt("What does it say that most tokens are called correctly?", what_accuracy_hides),
        Doubt("Is ELECTRA ahead of a masked model of equal compute?", is_it_ahead),
        Doubt("Does a step cost as much as one of BERT?", what_a_step_costs),
    ),
    earlier="Word2vec's negative sampling (Mikolov et al., 2013) already told true words from drawn ones."
    " MaskGAN (Fedus et al., 2018) filled gaps with a generator that was to fool its judge.",
    later="DeBERTaV3 (He et al., 2021) took over replaced tokens, and let the two models share their word"
    " vectors without pulling at each other.",
    change="In `electra_loss` of notebook 37, section 3, set the 50 to 1. Vote first: will the AUC after 400"
    " steps be higher, lower or the same?",
    questions=(
        "Why is the generator small, and what does figure 3 show for a large one?",
        "Why is a drawn word that happens to be the true one labeled original?",
        "The generator isn't trained to fool the discriminator: which reasons does the paper give?",
        "Table 5 goes from BERT to ELECTRA in steps: which of them brings most, and how sure is that?",
        "“The same compute”: what is counted, and what is left out?",
    ),
    ice_breaker="Tell your neighbor a sentence about yesterday in which one word is exchanged: is it found?",
)
