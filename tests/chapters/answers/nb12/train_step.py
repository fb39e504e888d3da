import torch
import torch.nn.functional as F
from torch import nn


def in_the_order_of_the_picture(model, batch, optimizer, rate):
    logits = model(batch["input_ids"]).prediction_logits
    loss = F.cross_entropy(logits.flatten(0, 1), batch["labels"].flatten())
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    for group in optimizer.param_groups:
        group["lr"] = rate
    optimizer.step()
    optimizer.zero_grad()
    return loss.item()


def hidden_places_alone(model, batch, optimizer, rate):
    optimizer.zero_grad()
    chosen = batch["labels"] != -100
    hidden = model.bert(batch["input_ids"], token_type_ids=batch["token_type_ids"]).last_hidden_state
    loss = nn.CrossEntropyLoss()(model.cls.predictions(hidden[chosen]), batch["labels"][chosen])
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=1.0)
    for group in optimizer.param_groups:
        group["lr"] = rate
    optimizer.step()
    return loss.detach()


def axes_swapped(model, batch, optimizer, rate):
    for group in optimizer.param_groups:
        group.update(lr=rate)
    model.zero_grad()
    loss = F.cross_entropy(model(**inputs(batch)).prediction_logits.transpose(1, 2), batch["labels"])
    loss.backward()
    norm = torch.stack([p.grad.norm() for p in model.parameters() if p.grad is not None]).norm()
    for parameter in model.parameters():
        if parameter.grad is not None and norm > 1:
            parameter.grad /= norm + 1e-6
    optimizer.step()
    return loss


def inputs(batch):
    return {name: batch[name] for name in ("input_ids", "token_type_ids")}


RIGHT = [in_the_order_of_the_picture, hidden_places_alone, axes_swapped]


def step(loss_of, cut=True, order="back cut rate step empty", back=1.0):
    def train_step(model, batch, optimizer, rate):
        loss = loss_of(model(batch["input_ids"]).prediction_logits, batch)
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

    return train_step


def masked(logits, batch):
    return F.cross_entropy(logits.flatten(0, 1), batch["labels"].flatten())


def returns_nothing(model, batch, optimizer, rate):
    in_the_order_of_the_picture(model, batch, optimizer, rate)


def half_cut(model, batch, optimizer, rate):
    loss = masked(model(batch["input_ids"]).prediction_logits, batch)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 0.5)
    for group in optimizer.param_groups:
        group["lr"] = rate
    optimizer.step()
    optimizer.zero_grad()
    return loss.item()


def rounds(model, batch, optimizer, rate):
    return round(in_the_order_of_the_picture(model, batch, optimizer, rate), 1)


WRONG = [
    step(masked, order="back cut rate step"),
    step(masked, order="back empty cut rate step"),
    step(masked, order="cut rate step empty"),
    step(masked, order="back cut rate step rate step empty"),
    step(masked, order="back rate step cut empty"),
    step(masked, order="cut back rate step empty"),
    step(masked, order="back cut step rate empty"),
    step(masked, order="back cut step empty"),
    step(masked, back=-1.0),
    step(lambda logits, batch: F.cross_entropy(logits.flatten(0, 1), batch["input_ids"].flatten())),
    step(lambda logits, batch: masked(logits.softmax(-1), batch)),
    step(lambda logits, batch: F.cross_entropy(logits.flatten(0, 1), batch["labels"].flatten().clamp(min=0))),
    returns_nothing,
    half_cut,
    rounds,
    lambda model, batch, optimizer, rate: 1.0,
]
