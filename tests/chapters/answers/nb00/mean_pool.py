import numpy as np
import torch


def by_einsum(hidden, attention_mask):
    shares = attention_mask / attention_mask.sum(1, keepdim=True)
    return torch.einsum("bt,btd->bd", shares.to(hidden.dtype), hidden)


def one_by_one(hidden, attention_mask):
    return torch.stack([text[mask == 1].mean(0) for text, mask in zip(hidden, attention_mask, strict=True)])


def without_the_padding(hidden, attention_mask):
    padding = 1 - attention_mask
    kept = hidden.masked_fill(padding.unsqueeze(2) == 1, 0.0)
    return kept.sum(1) / (hidden.size(1) - padding.sum(1))[:, None]


def as_a_matrix_product(hidden, attention_mask):
    weights = attention_mask.float()
    weights = weights / weights.sum(-1, keepdim=True)
    return torch.bmm(weights[:, None, :], hidden)[:, 0]


def with_loops(hidden, attention_mask):
    rows = []
    for b in range(hidden.shape[0]):
        total, count = torch.zeros(hidden.shape[2]), 0
        for t in range(hidden.shape[1]):
            if attention_mask[b, t]:
                total = total + hidden[b, t]
                count += 1
        rows.append(total / count)
    return torch.stack(rows)


def with_nan(hidden, attention_mask):
    return hidden.masked_fill(attention_mask.unsqueeze(-1) == 0, float("nan")).nanmean(dim=1)


def clamped(hidden, attention_mask):
    mask = attention_mask.unsqueeze(-1).expand(hidden.size()).float()
    return torch.sum(hidden * mask, 1) / torch.clamp(mask.sum(1), min=1e-9)


RIGHT = [by_einsum, one_by_one, without_the_padding, as_a_matrix_product, with_loops, with_nan, clamped]


def over_all(hidden, attention_mask):
    return torch.mean(hidden, 1)


def zeros_counted(hidden, attention_mask):
    return torch.where(attention_mask[:, :, None] == 1, hidden, 0.0).mean(1)


def divided_by_places(hidden, attention_mask):
    return (hidden * attention_mask[:, :, None]).sum(1) / hidden.shape[1]


def never_masked(hidden, attention_mask):
    return hidden.sum(1) / attention_mask.sum(1).unsqueeze(1)


def padding_alone(hidden, attention_mask):
    padding = (1 - attention_mask)[..., None]
    return (hidden * padding).sum(1) / padding.sum(1)


def filled_where_it_is_1(hidden, attention_mask):
    kept = hidden.masked_fill(attention_mask[..., None].bool(), 0)
    return kept.sum(1) / attention_mask.sum(1, keepdim=True)


def the_first(hidden, attention_mask):
    return hidden[:, 0, :]


def the_last(hidden, attention_mask):
    return hidden[torch.arange(len(hidden)), attention_mask.sum(1) - 1]


def largest(hidden, attention_mask):
    return hidden.masked_fill(attention_mask.unsqueeze(-1) == 0, -1e9).max(dim=1).values


def largest_and_indices(hidden, attention_mask):
    return (hidden * attention_mask[..., None]).max(1)


def over_features(hidden, attention_mask):
    return (hidden * attention_mask[..., None]).sum(-1) / attention_mask.sum(1, keepdim=True)


def over_texts(hidden, attention_mask):
    return (hidden * attention_mask[..., None]).mean(0)


def all_in_one(hidden, attention_mask):
    return hidden[attention_mask == 1].mean(0)


def mask_in_two_dimensions(hidden, attention_mask):
    return (hidden * attention_mask).sum(1) / attention_mask.sum(1, keepdim=True)


def divisor_in_one_dimension(hidden, attention_mask):
    return (hidden * attention_mask.unsqueeze(-1)).sum(dim=1) / attention_mask.sum(dim=1)


def mask_in_the_middle(hidden, attention_mask):
    mask = attention_mask.unsqueeze(1)
    return (hidden * mask).sum(1) / mask.sum(1)


def without_cls_and_sep(hidden, attention_mask):
    return torch.stack([h[1 : m.sum() - 1].mean(0) for h, m in zip(hidden, attention_mask, strict=True)])


def kept(hidden, attention_mask):
    mask = attention_mask[..., None]
    return (hidden * mask).sum(1, keepdim=True) / mask.sum(1, keepdim=True)


def only_the_first_text(hidden, attention_mask):
    return (hidden * attention_mask[..., None]).sum(1)[0] / attention_mask[0].sum()


def a_list(hidden, attention_mask):
    return [h[m == 1].mean(0) for h, m in zip(hidden, attention_mask, strict=True)]


def in_numpy(hidden, attention_mask):
    mask = attention_mask.numpy()[..., None]
    return (hidden.detach().numpy() * mask).sum(1) / mask.sum(1)


def back_from_numpy(hidden, attention_mask):
    return torch.from_numpy(in_numpy(hidden, attention_mask).astype(np.float32))


def detached(hidden, attention_mask):
    return clamped(hidden.detach(), attention_mask)


def into_hidden(hidden, attention_mask):
    hidden *= attention_mask[..., None]
    return hidden.sum(1) / attention_mask.sum(1, keepdim=True)


def not_returned(hidden, attention_mask):
    clamped(hidden, attention_mask)


def by_softmax(hidden, attention_mask):
    weights = attention_mask.float().softmax(-1)
    return (hidden * weights[..., None]).sum(1)


def median(hidden, attention_mask):
    return hidden.masked_fill(attention_mask[..., None] == 0, float("nan")).nanmedian(1).values


WRONG = [
    *(over_all, zeros_counted, divided_by_places, never_masked, padding_alone, filled_where_it_is_1),
    *(
        the_first,
        the_last,
        largest,
        largest_and_indices,
        over_features,
        over_texts,
        all_in_one,
    ),
    *(
        mask_in_two_dimensions,
        divisor_in_one_dimension,
        mask_in_the_middle,
    ),
    *(without_cls_and_sep,),
    *(
        only_the_first_text,
        a_list,
        in_numpy,
        back_from_numpy,
        detached,
        into_hidden,
        not_returned,
    ),
    *(
        by_softmax,
        median,
    ),
    lambda h, m: (h * m[..., None]).sum() / m.sum(),
    lambda h, m: (h + m[..., None]).sum(1) / m[..., None].sum(1),
]
