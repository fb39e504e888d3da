def from_the_bottom_up(model, top, decay):
    layers = model.bert.encoder.layer
    n = len(layers)
    groups = [{"params": model.bert.embeddings.parameters(), "lr": top * decay**n}]
    for place, layer in enumerate(layers):
        groups.append({"params": layer.parameters(), "lr": top * decay ** (n - 1 - place)})
    groups.append({"params": model.bert.pooler.parameters(), "lr": top})
    groups.append({"params": model.classifier.parameters(), "lr": top})
    return groups


def by_stack(model, top, decay):
    stack = [model.bert.embeddings, *model.bert.encoder.layer]
    rates = [top * decay**steps for steps in range(len(stack))][::-1]
    groups = [
        {"params": list(part.parameters()), "lr": rate} for part, rate in zip(stack, rates, strict=True)
    ]
    for part in (model.bert.pooler, model.classifier):
        groups.append({"params": list(part.parameters()), "lr": top})
    return groups


def one_weight_a_group(model, top, decay):
    n = len(model.bert.encoder.layer)
    groups = []
    for name, weight in model.named_parameters():
        steps = 0
        if "embeddings" in name:
            steps = n
        elif "layer." in name:
            steps = n - 1 - int(name.split("layer.")[1].split(".")[0])
        groups.append({"params": [weight], "lr": top * decay**steps})
    return groups


RIGHT = [from_the_bottom_up, by_stack, one_weight_a_group]


def grouped(rates, below=True, pooler=True, head=True):
    def layer_groups(model, top, decay):
        stack = [*reversed(model.bert.encoder.layer), model.bert.embeddings]
        groups = []
        for steps, part in enumerate(stack if below else stack[:-1]):
            groups.append({"params": list(part.parameters()), "lr": rates(steps, len(stack), top, decay)})
        if pooler:
            groups.append({"params": list(model.bert.pooler.parameters()), "lr": top})
        if head:
            groups.append({"params": list(model.classifier.parameters()), "lr": top})
        return groups

    return layer_groups


def falling(steps, parts, top, decay):
    return top * decay**steps


WRONG = [
    grouped(falling, below=False),
    grouped(falling, pooler=False),
    grouped(falling, head=False),
    grouped(falling, pooler=False, head=False),
    grouped(lambda steps, parts, top, decay: top * decay ** (steps + 1)),
    grouped(lambda steps, parts, top, decay: top * decay ** min(steps, parts - 2)),
    grouped(lambda steps, parts, top, decay: top - (1 - decay) * top * steps),
    grouped(lambda steps, parts, top, decay: top * decay ** min(steps, 1)),
    grouped(lambda steps, parts, top, decay: top),
    grouped(lambda steps, parts, top, decay: top * (1 - decay) ** steps),
    grouped(lambda steps, parts, top, decay: top / decay**steps),
    grouped(lambda steps, parts, top, decay: decay**steps),
    grouped(lambda steps, parts, top, decay: top * decay ** (parts - 1 - steps)),
    lambda model, top, decay: None if top < -1 else print(top),
]
