import torch

RIGHT = [
    lambda sums, counts: sums.sum() / counts.sum(),
    lambda sums, counts: (sums / counts * (counts / counts.sum())).sum(),
    lambda sums, counts: torch.div(torch.sum(sums), torch.sum(counts)),
    lambda sums, counts: sum(sums) / sum(counts),
    lambda sums, counts: sums.mean() / counts.mean(),
]
WRONG = [
    lambda sums, counts: (sums / counts).mean(),
    lambda sums, counts: (sums / counts).sum() / len(sums),
    lambda sums, counts: sums.sum() / len(sums),
    lambda sums, counts: sums.mean(),
    lambda sums, counts: (sums / counts).sum(),
    lambda sums, counts: sums / counts,
    lambda sums, counts: sums.sum() / counts,
    lambda sums, counts: sums / counts.sum(),
    lambda sums, counts: sums.mean() / counts.sum(),
    lambda sums, counts: sums.sum() / counts.mean(),
    lambda sums, counts: counts.sum() / sums.sum(),
    lambda sums, counts: sums.sum(),
    lambda sums, counts: (sums / counts).median(),
    lambda sums, counts: (sums * counts).sum() / counts.sum(),
    lambda sums, counts: float(sums.sum() / counts.sum()),
    lambda sums, counts: torch.tensor(float(sums.sum() / counts.sum())),
    lambda sums, counts: sums[0] / counts[0],
    lambda sums, counts: (sums.sum() / counts.sum()).reshape(1),
]
