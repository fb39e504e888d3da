"""For an exam: how many tokens a masked language model reads unchanged."""

from random import Random

from lib.by_hand import ByHand, Slip, plain, tex

MIXES = ((80, 10, 10), (70, 20, 10), (60, 20, 20), (60, 10, 30), (50, 20, 30), (50, 30, 20))  # percent


def draw(random: Random) -> ByHand:
    hundreds = random.choice([4, 6, 8, 10, 20, 30])
    share = random.choice([10, 15, 20, 30, 40])
    hidden, replaced, kept = random.choice(MIXES)
    tokens, chosen = 100 * hundreds, hundreds * share
    answer = tokens - chosen * (100 - kept) // 100
    return ByHand(
        title="The fates of chosen tokens",
        text=f"""A masked language model is pretrained on a text of {tokens:,} tokens. In it {share}% of the
tokens are chosen. Of the chosen, {hidden}% become [MASK], {replaced}% become a random token, and {kept}%
stay as they are.

**On average, how many of the {tokens:,} tokens does the model read unchanged?** (A random token counts
as changed, even if it happens to be the same.)""",
        answer=answer,
        solution=rf"""{share}% of {tokens:,} are {plain(chosen)} chosen tokens. Of these,
{hidden + replaced}% are changed, which is {plain(tokens - answer)}. All others are read unchanged: those
that were not chosen, and the chosen that stay, ${tex(tokens)} - {tex(tokens - answer)} = {tex(answer)}$.""",
        slips=(
            Slip(
                tokens - chosen,
                "All chosen tokens were counted as changed. Some of them stay, and are asked for all the"
                " same.",
            ),
            Slip(
                tokens - chosen * hidden // 100,
                "Only [MASK] was counted as a change. A random token is one, too.",
            ),
            Slip(
                chosen * kept // 100,
                "Only the chosen tokens were counted. Those that were not chosen are read unchanged as well.",
            ),
        ),
        points=3,
        unit="tokens",
    )
