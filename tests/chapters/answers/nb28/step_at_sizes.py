import torch
import torch.nn.functional as F


def by_kl_div(optimizer, run, target, chosen):
    optimizer.zero_grad()
    losses = []
    for size in chosen:
        loss = F.kl_div(run(size).log_softmax(dim=-1), target, reduction="batchmean")
        loss.backward()
        losses.append(loss.item())
    optimizer.step()
    return losses


def one_sum(optimizer, run, target, chosen):
    losses = [(target * (target.log() - run(size).log_softmax(-1))).sum(-1).mean() for size in chosen]
    optimizer.zero_grad(set_to_none=False)
    sum(losses).backward()
    optimizer.step()
    return losses


def emptied_behind(optimizer, run, target, chosen):
    losses = []
    for size in chosen:
        q = torch.softmax(run(size), dim=1)
        losses.append(F.kl_div(q.log(), target, reduction="sum") / len(target))
        losses[-1].backward()
    optimizer.step()
    optimizer.zero_grad()
    return tuple(loss.detach() for loss in losses)


RIGHT = [by_kl_div, one_sum, emptied_behind]


def step(loss_of=None, order="empty | loss back | step", back=1.0, share=False, given="list"):
    """Words before, in and behind the loop over sizes."""

    def step_at_sizes(optimizer, run, target, chosen):
        losses = []

        def do(words, size=None):
            for word in words.split():
                if word == "empty":
                    optimizer.zero_grad()
                if word == "loss":
                    of = loss_of or (lambda z, t: F.kl_div(z.log_softmax(-1), t, reduction="batchmean"))
                    losses.append(of(run(size), target))
                if word == "back":
                    (back * losses[-1] / (len(chosen) if share else 1)).backward()
                if word == "step":
                    optimizer.step()

        before, inside, behind = order.split("|")
        do(before)
        for size in chosen:
            do(inside, size)
        do(behind)
        told = [loss.item() for loss in losses]
        return {"list": told, "sum": sum(told), "last": told[-1:], "nothing": None}[given]

    return step_at_sizes


WRONG = [
    step(order="empty | loss back step | "),
    step(order="empty | empty loss back | step"),
    step(order="| loss empty back | step"),
    step(order="| empty loss back step |"),
    step(order="| loss back | step"),
    step(order="empty | loss | step"),
    step(order="empty | loss back | "),
    step(back=-1.0),
    step(share=True),
    step(lambda z, t: F.kl_div(z.log_softmax(-1), t, reduction="sum")),
    step(lambda z, t: F.kl_div(z.softmax(-1), t, reduction="batchmean")),
    step(lambda z, t: F.cross_entropy(z, t)),
    step(lambda z, t: F.kl_div(t.log(), z.softmax(-1), reduction="batchmean")),
    step(given="sum"),
    step(given="last"),
    step(given="nothing"),
    lambda optimizer, run, target, chosen: [0.0 for _ in chosen],
]
