"""Chen et al., 2020: lottery tickets in BERT, notebook 26."""

from lib.records import record
from tools.measured import lead, percent
from tools.papers import Doubt, Paper, Place

SETS = {
    "all of SST-2": ("SST-2", "all phrases, tickets"),
    "4,000 of its phrases in 75 steps": ("SST-2", "tickets"),
    "headlines in 75 steps": ("headlines", "tickets"),
}


def _right(name: str, arm: str) -> list[float]:
    task, kind = SETS[name]
    return record.table("pruned_weights").values(task, f"{kind}, {arm}")


def _against(arm: str) -> str:
    return "; ".join(f"{name}, {lead(_right(name, arm), _right(name, 'ticket'))}" for name in SETS)


def is_it_the_mask() -> str:
    return (
        "The control is a random mask of as many zeros, with the old weights. The ticket less this"
        f" control: {_against('random mask')}."
    )


def is_it_the_old_values() -> str:
    return (
        "The control keeps the mask and shuffles the old values within each matrix. The ticket less this"
        f" control: {_against('shuffled weights')}."
    )


def does_it_match_the_whole() -> str:
    whole, ticket = (_right("all of SST-2", arm) for arm in ("dense", "ticket"))
    [sparsity, *_] = record.table("pruned_weights").values(
        "SST-2", "all phrases, tickets, ticket", "sparsity"
    )
    return (
        "By its definition a ticket does as well as the whole network, trained as long. With"
        f" {sparsity:.0%} zeros ours has {percent(ticket)} of SST-2 where the whole has {percent(whole)}."
        f" The ticket less the whole: {_against('dense')}. So in MiniLM this is not quite a ticket."
    )


PAPER = Paper(
    name="Tickets in BERT",
    authors="Chen et al.",
    year=2020,
    title="The Lottery Ticket Hypothesis for Pre-trained BERT Networks",
    link="https://arxiv.org/abs/2007.12223",
    read="The definitions in section 3, then section 4 with its tables, and the figure of transfer between"
    " tasks in section 5.",
    minutes=45,
    places=(
        Place("26", "section 1", "which half can go: nearest to zero, or at random"),
        Place("26", "section 3", "a mask that stays on, and the whole model trained as long"),
        Place("26", "section 4", "of the largest tenth, how much was there before fine-tuning"),
        Place("26", "stretch “lottery tickets (4 min)”", "a ticket beside two controls and the whole"),
        Place("26", "stretch “zeros that can be found (5 min)”", "what scattered zeros cost in a file"),
    ),
    doubts=(
        Doubt("Is it the mask?", is_it_the_mask),
        Doubt("Is it the old values?", is_it_the_old_values),
        Doubt("Does the ticket do as well as the whole network?", does_it_match_the_whole),
    ),
    earlier="Frankle and Carbin (2019) found tickets in small vision networks. Gordon et al. (2020) pruned"
    " BERT by magnitude during pretraining, and Sanh et al. (2020) by the way a weight moves in training.",
    later="SparseBERT (Xu et al., 2021) pruned BERT with a teacher beside it, and Wanda (Sun et al., 2023)"
    " prunes large language models without training.",
    change="In section 4 of notebook 26 compare the largest half: write 0.5 for 0.9 in both calls of"
    " `masks_for`. Vote first: will more of it have been there before fine-tuning, or less?",
    questions=(
        "What is the difference between a *matching* and a *winning* subnetwork in section 3?",
        "Which control in section 4 is the strongest: random pruning, or other initial weights?",
        "If the largest weights are those of pretraining, what does a task's ticket add to a mask of them?",
        "Why might a mask found by masked words transfer better than one found by a task?",
        "What does a ticket save, if the processor multiplies zeros like other numbers?",
    ),
    ice_breaker="Take half of the letters out of your name so that friends still know it: which half?",
)
