def by_method(model, k):
    layers = model.bert.encoder.layer
    model.requires_grad_(False)
    for layer in layers[len(layers) - k :]:
        layer.requires_grad_(True)
    model.bert.pooler.requires_grad_(True)
    model.classifier.requires_grad_(True)


def by_names(model, k):
    n = len(model.bert.encoder.layer)
    top = ["pooler.", "classifier.", *(f"encoder.layer.{place}." for place in range(n - k, n))]
    for name, parameter in model.named_parameters():
        parameter.requires_grad = any(part in name for part in top)


def by_both_ends(model, k):
    layers = list(model.bert.encoder.layer)
    for module in (model.bert.embeddings, *layers):
        for parameter in module.parameters():
            parameter.requires_grad = False
    for module in (*layers[::-1][:k], model.bert.pooler, model.classifier):
        for parameter in module.parameters():
            parameter.requires_grad = True


RIGHT = [by_method, by_names, by_both_ends]


def the_draft(model, k):
    for parameter in model.parameters():
        parameter.requires_grad = False
    for layer in model.bert.encoder.layer[-k:]:
        layer.requires_grad = True
    model.bert.pooler.requires_grad_(True)
    model.classifier.requires_grad_(True)


def one_bug_left(model, k):
    model.requires_grad_(False)
    for layer in model.bert.encoder.layer[-k:]:
        for parameter in layer.parameters():
            parameter.requires_grad = True
    model.bert.pooler.requires_grad_(True)
    model.classifier.requires_grad_(True)


def thaws(pick, pooler=True, head=True, embeddings=False):
    def train_top(model, k):
        model.requires_grad_(False)
        for layer in pick(list(model.bert.encoder.layer), k):
            layer.requires_grad_(True)
        model.bert.pooler.requires_grad_(pooler)
        model.classifier.requires_grad_(head)
        model.bert.embeddings.requires_grad_(embeddings)

    return train_top


def last(layers, k):
    return layers[len(layers) - k :]


def freezes_only(model, k):
    layers = list(model.bert.encoder.layer)
    for module in (model.bert.embeddings, *layers[: len(layers) - k]):
        module.requires_grad_(False)


WRONG = [
    the_draft,
    one_bug_left,
    thaws(lambda layers, k: layers[:k]),
    thaws(lambda layers, k: layers[k:]),
    thaws(last, pooler=False),
    thaws(last, head=False),
    thaws(last, embeddings=True),
    thaws(lambda layers, k: layers),
    freezes_only,
    lambda model, k: None if k < 9 else print(model),
    lambda model, k: model.requires_grad_(True),
    lambda model, k: model.requires_grad_(False),
]
