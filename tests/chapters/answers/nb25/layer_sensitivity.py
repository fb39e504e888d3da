import torch


def fixed(eigenvalues):
    return eigenvalues.mean(dim=1).abs() + eigenvalues.std(dim=1, correction=0)


def by_the_root(eigenvalues):
    mean = eigenvalues.mean(dim=1, keepdim=True)
    return mean[:, 0].abs() + ((eigenvalues - mean) ** 2).mean(dim=1).sqrt()


def one_by_one(eigenvalues):
    found = []
    for row in eigenvalues:
        mean = sum(row.tolist()) / len(row)
        found.append(abs(mean) + (sum((value - mean) ** 2 for value in row.tolist()) / len(row)) ** 0.5)
    return torch.tensor(found)


RIGHT = [fixed, by_the_root, one_by_one]
WRONG = [
    lambda e: e.mean(dim=1) + e.var(dim=1, correction=0),
    lambda e: e.mean(dim=1) + e.std(dim=1, correction=0),
    lambda e: e.mean(dim=1).abs() + e.var(dim=1, correction=0),
    lambda e: e.mean(dim=1).abs() + e.std(dim=1),
    lambda e: e.abs().mean(dim=1) + e.std(dim=1, correction=0),
    lambda e: e.abs().mean(dim=1) + e.abs().std(dim=1, correction=0),
    lambda e: (e.mean(dim=1) + e.std(dim=1, correction=0)).abs(),
    lambda e: e.mean(dim=1).abs(),
    lambda e: e.std(dim=1, correction=0),
    lambda e: e.mean(dim=0).abs() + e.std(dim=0, correction=0),
    lambda e: e.mean(dim=1).abs() - e.std(dim=1, correction=0),
    lambda e: e.mean(dim=1) ** 2 + e.std(dim=1, correction=0),
    lambda e: None,
]
