import torch
import torch.nn.functional as F
from torch import nn


def by_name(model, batch, optimizer, rate):
    logits = model(batch["input_ids"], batch["attention_mask"], batch["token_type_ids"]).logits
    loss = F.cross_entropy(logits, batch["labels"])
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    for group in optimizer.param_groups:
        group["lr"] = rate
    optimizer.step()
    optimizer.zero_grad()
    return loss.item()


def the_models_own_loss(model, batch, optimizer, rate):
    optimizer.zero_grad()
    loss = model(**batch).loss
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=1.0)
    for group in optimizer.param_groups:
        group["lr"] = rate
    optimizer.step()
    return loss.detach()


def by_hand(model, batch, optimizer, rate):
    for group in optimizer.param_groups:
        group.update(lr=rate)
    model.zero_grad()
    labels = batch.pop("labels")
    p = model(**batch).logits.softmax(dim=-1)
    loss = -p[torch.arange(len(labels)), labels].log().mean()
    loss.backward()
    norm = torch.stack([w.grad.norm() for w in model.parameters() if w.grad is not None]).norm()
    for weight in model.parameters():
        if weight.grad is not None and norm > 1:
            weight.grad /= norm + 1e-6
    optimizer.step()
    return loss


RIGHT = [by_name, the_models_own_loss, by_hand]


def step(
    loss_of=None,
    cut=True,
    order="back cut rate step empty",
    back=1.0,
    given=("attention_mask", "token_type_ids"),
):
    def fine_tune_step(model, batch, optimizer, rate):
        logits = model(batch["input_ids"], **{name: batch[name] for name in given}).logits
        loss = (loss_of or F.cross_entropy)(logits, batch["labels"])
        for word in order.split():
            if word == "back":
                (back * loss).backward()
            if word == "cut" and cut:
                nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            if word == "rate":
                for group in optimizer.param_groups:
                    group["lr"] = rate
            if word == "step":
                optimizer.step()
            if word == "empty":
                optimizer.zero_grad()
        return loss.item()

    return fine_tune_step


def frozen(model, batch, optimizer, rate):
    with torch.no_grad():
        pooled = model.bert(
            batch["input_ids"], batch["attention_mask"], batch["token_type_ids"]
        ).pooler_output
    loss = F.cross_entropy(model.classifier(pooled), batch["labels"])
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    for group in optimizer.param_groups:
        group["lr"] = rate
    optimizer.step()
    optimizer.zero_grad()
    return loss.item()


def returns_nothing(model, batch, optimizer, rate):
    by_name(model, batch, optimizer, rate)


WRONG = [
    step(given=()),
    step(given=("attention_mask",)),
    step(order="back cut rate step"),
    step(order="back empty cut rate step"),
    step(order="cut rate step empty"),
    step(order="back cut rate step step empty"),
    step(order="back rate step cut empty"),
    step(order="back cut step rate empty"),
    step(order="back cut step empty"),
    step(cut=False),
    step(back=-1.0),
    step(lambda logits, labels: F.cross_entropy(logits.softmax(-1), labels)),
    step(lambda logits, labels: F.cross_entropy(logits, labels, reduction="sum")),
    frozen,
    returns_nothing,
    lambda model, batch, optimizer, rate: 1.0,
]
