def by_sums(model):
    learning = sum(weight.numel() for weight in model.parameters() if weight.requires_grad)
    return 12 * learning / 1e6


def by_bytes(model):
    total = 0
    for weight in model.parameters():
        if weight.requires_grad:
            total += 3 * weight.nbytes
    return total / 1_000_000


def by_names(model):
    found = [weight.numel() * 12e-6 for name, weight in model.named_parameters() if weight.requires_grad]
    return float(sum(found))


RIGHT = [by_sums, by_bytes, by_names]


def counted(a_weight=12, by=1e6, learns=lambda weight: weight.requires_grad, size=lambda w: w.numel()):
    return lambda model: a_weight * sum(size(w) for w in model.parameters() if learns(w)) / by


WRONG = [
    counted(learns=lambda weight: True),
    counted(learns=lambda weight: not weight.requires_grad),
    counted(4),
    counted(8),
    counted(16),
    counted(3),
    counted(by=1),
    counted(by=2**20),
    counted(size=lambda weight: 1),
    counted(size=len),
    counted(1),
    lambda model: None if model else print(model),
    lambda model: 44.4,
]
