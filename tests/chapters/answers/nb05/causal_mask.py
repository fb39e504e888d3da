import torch

RIGHT = [
    lambda n: torch.tensor([[j <= i for j in range(n)] for i in range(n)]),
    lambda n: torch.arange(n)[None, :] <= torch.arange(n)[:, None],
    lambda n: ~torch.ones(n, n).triu(diagonal=1).bool(),
    lambda length: torch.tril(torch.ones((length, length), dtype=torch.bool), diagonal=0),
]
WRONG = [
    lambda n: torch.arange(n)[None, :] < torch.arange(n)[:, None],
    lambda n: torch.arange(n)[None, :] >= torch.arange(n)[:, None],
    lambda n: torch.eye(n).bool(),
    lambda n: torch.ones(n, n).tril(),
    lambda n: torch.ones(n, n).bool(),
    lambda n: torch.ones(n, n).bool().tril(2),
    lambda n: torch.ones(n, n).bool().tril(1),
    lambda n: [[j <= i for j in range(n)] for i in range(n)],
    lambda n: torch.ones(n + 1, n + 1).bool().tril(),
    lambda n: torch.ones(1, 1, n, n).bool().tril(),
    lambda n: torch.zeros(n, n).masked_fill(torch.ones(n, n).bool().triu(1), -torch.inf),
    lambda n: torch.ones(n, n).bool().tril(-2),
    lambda n: torch.ones(n, n).bool().tril().flip(0),
    lambda n: torch.ones(n, n).tril().int(),
    lambda n: print(torch.ones(n, n).bool().tril()),
]
