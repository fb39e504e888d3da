import torch


def by_sums(model, batches):
    model.eval()
    right = 0
    rows = 0
    with torch.no_grad():
        for batch in batches:
            logits = model(batch["input_ids"], batch["attention_mask"]).logits
            right += (logits.argmax(dim=-1) == batch["labels"]).sum().item()
            rows += len(batch["labels"])
    return right / rows


@torch.inference_mode()
def by_names(model, batches):
    model.eval()
    found = []
    for batch in batches:
        labels = batch.pop("labels")
        found.append(model(**batch).logits.softmax(dim=-1).max(dim=-1).indices == labels)
    return torch.cat(found).float().mean()


def row_by_row(model, batches):
    model = model.eval()
    found = []
    for batch in batches:
        with torch.no_grad():
            logits = model(batch["input_ids"], attention_mask=batch["attention_mask"]).logits
        for row, label in zip(logits.tolist(), batch["labels"].tolist(), strict=True):
            found.append(row.index(max(row)) == label)
    return sum(found) / len(found)


RIGHT = [by_sums, by_names, row_by_row]


def test(ready=True, masked=True, kept=False, share_of="rows", back="share"):
    def share_right(model, batches):
        if ready:
            model.eval()
        right, rows, shares = 0, 0, []
        with torch.set_grad_enabled(kept):
            for batch in batches:
                mask = batch["attention_mask"] if masked else None
                guesses = model(batch["input_ids"], mask).logits.argmax(dim=-1)
                hits = (guesses == batch["labels"]).sum().item()
                right += hits
                rows += len(guesses)
                shares.append(hits / len(guesses))
        if share_of == "batches":
            return sum(shares) / len(shares)
        if share_of == "last":
            return shares[-1]
        if share_of == "first":
            return shares[0]
        return {
            "share": right / rows,
            "count": right,
            "error": 1 - right / rows,
            "percent": 100 * right / rows,
        }[back]

    return share_right


def returns_nothing(model, batches):
    by_sums(model, batches)


def over_rows(model, batches):
    model.eval()
    right, rows = 0, 0
    with torch.no_grad():
        for batch in batches:
            logits = model(batch["input_ids"], batch["attention_mask"]).logits
            right += (logits.argmin(dim=-1) == batch["labels"]).sum().item()
            rows += len(logits)
    return right / rows


def over_the_batches(model, batches):
    model.eval()
    right = 0
    with torch.no_grad():
        for batch in batches:
            logits = model(batch["input_ids"], batch["attention_mask"]).logits
            right += (logits.argmax(dim=-1) == batch["labels"]).sum().item()
    return right / len(batches)


WRONG = [
    test(ready=False),
    test(masked=False),
    test(kept=True),
    test(share_of="batches"),
    test(share_of="last"),
    test(share_of="first"),
    test(back="count"),
    test(back="error"),
    test(back="percent"),
    returns_nothing,
    over_rows,
    over_the_batches,
    lambda model, batches: 1.0,
]
