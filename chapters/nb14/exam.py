"""For an exam: how far a classifier's lead over a count of words lies above luck."""

from random import Random

from lib.by_hand import ByHand, Slip, tex


def draw(random: Random) -> ByHand:
    root = random.choice([5, 6, 7, 8, 9, 10])
    side = random.choice([20, 30, 40])
    deciding = root**2
    lead = 2 * root + random.choice([-5, -4, -3, -2, 2, 3, 4, 5, 6, 8])
    lead += (deciding - lead) % 2  # both are a sum and a difference of the same two counts
    model, words = (deciding + lead) // 2, (deciding - lead) // 2
    both = (side**2 - deciding) * random.choice([5, 6, 7]) // 10
    neither = side**2 - deciding - both
    answer = lead - 2 * root
    verdict = "resolved" if answer > 0 else "not resolved"
    return ByHand(
        title="Is the lead resolved?",
        text=f"""A fine-tuned classifier and a count of words answer the same {side**2:,} test rows:

| right | rows |
|---|---:|
| both | {both} |
| only the classifier | {model} |
| only the count of words | {words} |
| neither | {neither} |

**How many rows is the classifier's lead above what luck explains?** Give the lead less luck, which is
negative if luck is larger.""",
        answer=answer,
        solution=rf"""The lead is ${model} - {words} = {lead}$. Rows that both or neither get right can't
tell the two apart, so luck has {model} + {words} = {deciding} rows to decide. It rarely makes more than
$2 \sqrt{{{deciding}}} = {2 * root}$. The difference is ${lead} - {2 * root} = {tex(answer)}$: the lead is
{verdict}.""",
        slips=(
            Slip(
                lead - 2 * side,
                "Luck was counted over all rows. Only those that exactly one of the two gets right decide.",
            ),
            Slip(lead - root, "Luck is twice the root of the rows that decide; the factor 2 was left out."),
            Slip(
                model - 2 * root,
                "The rows that only the classifier gets right are not yet its lead: take away those that only"
                " the count of words gets right.",
            ),
        ),
        points=4,
        unit="rows",
    )
