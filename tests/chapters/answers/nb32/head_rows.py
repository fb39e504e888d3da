def by_loops(num_heads, head_size, kept):
    rows = []
    for head in range(num_heads):
        start = head * head_size
        rows.extend(range(start, start + kept))
    return rows


def by_filter(num_heads, head_size, kept):
    return [row for row in range(num_heads * head_size) if row % head_size < kept]


def by_tensor(num_heads, head_size, kept):
    import torch

    return torch.arange(num_heads * head_size).view(num_heads, head_size)[:, :kept].flatten().tolist()


def by_index(num_heads, head_size, kept):
    return [i // kept * head_size + i % kept for i in range(num_heads * kept)]


RIGHT = [by_loops, by_filter, by_tensor, by_index]
WRONG = [
    lambda heads, size, kept: list(range(heads * kept)),
    lambda heads, size, kept: list(range(kept)),
    lambda heads, size, kept: [row * heads + head for head in range(heads) for row in range(kept)],
    lambda heads, size, kept: [head * kept + row for head in range(heads) for row in range(kept)],
    lambda heads, size, kept: [head * size + row for row in range(kept) for head in range(heads)],
    lambda heads, size, kept: [
        head * size + row for head in range(heads) for row in range(size - kept, size)
    ],
    lambda heads, size, kept: [head * size + row for head in range(kept) for row in range(size)],
    lambda heads, size, kept: [head * size + row for head in range(heads) for row in range(kept + 1)],
    lambda heads, size, kept: [head * size + row for head in range(heads) for row in range(1, kept + 1)],
    lambda heads, size, kept: [[head * size + row for row in range(kept)] for head in range(heads)],
    lambda heads, size, kept: [row for row in range(heads * size) if row % size >= kept],
    lambda heads, size, kept: [row for row in range(heads * size) if row % size <= kept],
    lambda heads, size, kept: [row for row in range(heads * size) if row % kept < kept],
    lambda heads, size, kept: [(head + 1) * size + row for head in range(heads) for row in range(kept)],
    lambda heads, size, kept: heads * kept,
]
