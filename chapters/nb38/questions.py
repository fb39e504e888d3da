"""Questions for a vote on pictures that are read as patches."""

import torch
from torch import nn
from torch.nn.functional import scaled_dot_product_attention, unfold

from lib.questions import Question, Right, Wrong


def cut(images: torch.Tensor) -> torch.Tensor:
    """The patches of 4 x 4 pixels of gray pictures [B, 1, H, W], in reading order: [B, N, 16]."""
    return unfold(images, kernel_size=4, stride=4).mT


def pixels_or_patches() -> str:
    picture = torch.rand(1, 1, 28, 28)
    pixels, patches = picture.numel(), cut(picture).size(1)
    print(f"tokens: {pixels} pixels or {patches} patches")
    print(f"pairs:  {pixels**2:,} or {patches**2:,}")
    return {16: "A", 4: "B", 1: "C", 256: "D"}[pixels**2 // patches**2]


def a_larger_picture() -> str:
    embed, attention = nn.Linear(16, 8), nn.MultiheadAttention(8, num_heads=2, batch_first=True)
    positions = torch.randn(cut(torch.rand(1, 1, 32, 32)).size(1), 8)  # learned on 32 x 32
    tokens = embed(cut(torch.rand(1, 1, 64, 64)))
    mixed, _ = attention(tokens, tokens, tokens)
    print(f"64 x 64 pixels: {tokens.size(1)} patches, after attention {mixed.size(1)} vectors")
    print("rows of the table of positions:", len(positions))
    fits = [tokens.size(-1) == 8, mixed.shape == tokens.shape, tokens.size(1) == len(positions)]
    return "ABCD"[[*fits, False].index(False)]


def a_picture_upside_down() -> str:
    picture = torch.rand(1, 1, 16, 16, generator=torch.Generator().manual_seed(0))
    patches, turned = cut(picture)[0], cut(picture.flip(-2, -1))[0]
    summed = []
    for tokens in (patches, patches.flip(0), turned):  # no positions
        summed.append(scaled_dot_product_attention(tokens, tokens, tokens).mean(dim=0))
    moved = [(vector - summed[0]).abs().max().item() for vector in summed[1:]]
    print(f"change by another order: {moved[0]:.3f}, by turning the picture: {moved[1]:.3f}")
    return "D" if moved[0] > 1e-3 else "BA"[moved[1] > 1e-3]


def a_picture_moved_by_a_pixel() -> str:
    picture = torch.rand(1, 1, 32, 32, generator=torch.Generator().manual_seed(0))
    before, shares = cut(picture)[0], {}
    for pixels in (1, 4):
        after = cut(picture.roll(pixels, dims=-1))[0]  # to the right
        same = (after[:, None] == before).all(dim=-1).any(dim=1)  # one of the vectors from before
        shares[pixels] = same.double().mean().item()
        print(f"moved by {pixels}: {shares[pixels]:.0%} of the vectors were there before")
    return "B" if shares[1] == 0 else "A" if shares[1] == 1 else "CD"[shares[1] > 0.5]


QUESTIONS = [
    Question(
        name="pixels_or_patches",
        section=0,
        text="A picture of 28 × 28 pixels is read in patches of 4 × 4, and not pixel by pixel. [CLS] aside,"
        " how many times fewer pairs of tokens does attention compare?",
        options=(
            Wrong(
                "16 times, because 16 pixels become one token.",
                "all_is_in_proportion",
                "There are 16 times fewer tokens. Each of them also has 16 times fewer others to look at.",
            ),
            Wrong(
                "4 times, because a patch is 4 pixels wide.",
                "a_patch_counts_by_its_side",
                "A patch has two sides: it holds 4 · 4 pixels.",
            ),
            Wrong(
                "Not fewer, because each pixel is still read.",
                "pixels_are_compared_inside_of_patches",
                "Each pixel is read, but what is compared are patches. Inside of one a single matrix does the"
                " work.",
            ),
            Right(
                "256 times, because a pair has two tokens.",
                "16 times fewer tokens look at 16 times fewer tokens: 49² pairs and not 784².",
            ),
        ),
        shows=pixels_or_patches,
        seconds=45,
        guessed=((40, 10, 5, 45), (10, 5, 0, 85)),
    ),
    Question(
        name="a_larger_picture",
        section=1,
        text="A ViT with learned positions was trained on pictures of 32 × 32 pixels, in patches of 4 × 4."
        " Now it is to read 64 × 64 pixels in patches of the same size. Which of its weights have to get"
        " another shape?",
        options=(
            Wrong(
                "The matrix for a patch, because there are more pixels.",
                "the_matrix_of_a_patch_sees_the_picture",
                "It sees the 16 pixels of one patch at a time, and these are still 16.",
            ),
            Wrong(
                "Queries, keys and values, because there are more tokens.",
                "attention_has_weights_for_each_token",
                "Their matrices are used for each token alike, however many there are.",
            ),
            Right(
                "The table of positions, because it has a row for each patch.",
                "There are four times as many patches, so new rows are needed, for example between the old"
                " ones.",
            ),
            Wrong(
                "None of them, because attention takes any length.",
                "any_length_needs_no_new_positions",
                "Attention does. But each patch gets a row of the table, and the table ends at the 64th.",
            ),
        ),
        shows=a_larger_picture,
        seconds=45,
        guessed=((20, 20, 45, 15), (5, 10, 80, 5)),
    ),
    Question(
        name="a_picture_upside_down",
        section=2,
        text="A ViT without positions reads a picture, and then the same picture upside down. Do the logits"
        " change?",
        options=(
            Right(
                "Yes, because each patch is upside down, too.",
                "Its pixels stand in another order, so it is another vector. Only a picture whose patches"
                " stay as they are is the same bag.",
            ),
            Wrong(
                "No, because only the order of patches changes.",
                "patches_move_with_the_picture",
                "The patches change their order, and that does no harm. But each patch is turned as well.",
            ),
            Wrong(
                "No, because without positions no place counts.",
                "without_positions_no_pixel_has_a_place",
                "Between patches no place counts. Inside of a patch each pixel has its own weights.",
            ),
            Wrong(
                "Yes, because attention reads from the end now.",
                "attention_reads_in_one_direction",
                "Attention has no direction: without positions the same patches give the same in any order.",
            ),
        ),
        shows=a_picture_upside_down,
        seconds=60,
        guessed=((45, 35, 10, 10), (80, 15, 0, 5)),
    ),
    Question(
        name="a_picture_moved_by_a_pixel",
        section=3,
        text="A photograph is cut into patches of 4 × 4 pixels, each a vector of its 16 pixels. Then"
        " the picture moves to the right by one pixel. What happens to the vectors?",
        options=(
            Wrong(
                "They are the same, but each stands one place farther.",
                "patches_move_with_the_picture",
                "That is so for a move by a whole patch, 4 pixels. The grid stays where it is and cuts the"
                " picture elsewhere now.",
            ),
            Right(
                "Most are others, because each patch holds other pixels.",
                "A convolution moves its output along with the picture. Here the same stroke becomes other"
                " vectors, and a ViT has to learn that they mean the same.",
            ),
            Wrong(
                "Hardly anything, because a patch stands for its mean.",
                "a_patch_is_its_mean",
                "A patch keeps all of its pixels, each at its own place in the vector.",
            ),
            Wrong(
                "Only those at the edge change, where pixels come in.",
                "only_the_edge_changes",
                "Pixels come in and go out at the edge of each patch, not only at that of the picture.",
            ),
        ),
        shows=a_picture_moved_by_a_pixel,
        seconds=60,
        guessed=((30, 50, 10, 10), (10, 80, 5, 5)),
    ),
]
