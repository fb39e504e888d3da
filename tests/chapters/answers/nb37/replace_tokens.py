import torch


def where(ids, chosen, sampled):
    inputs = torch.where(chosen, sampled, ids)
    return inputs, inputs != ids


def by_index(ids, chosen, sampled):
    inputs = ids.clone()
    inputs[chosen] = sampled[chosen]
    return inputs, ~torch.eq(inputs, ids)


def by_sum(ids, chosen, sampled):
    kept = (~chosen).long()
    inputs = ids * kept + sampled * (1 - kept)
    return inputs, chosen & (sampled != ids)


RIGHT = [where, by_index, by_sum]


def in_place(ids, chosen, sampled):
    before = ids.clone()
    ids[chosen] = sampled[chosen]
    return ids, ids != before


WRONG = [
    lambda ids, chosen, sampled: (torch.where(chosen, sampled, ids), chosen),
    lambda ids, chosen, sampled: (sampled, sampled != ids),
    lambda ids, chosen, sampled: (torch.where(chosen, ids, sampled), ~chosen & (sampled != ids)),
    lambda ids, chosen, sampled: (
        torch.where(chosen, sampled, ids),
        torch.where(chosen, sampled, ids) == ids,
    ),
    lambda ids, chosen, sampled: (torch.where(chosen, sampled, ids), sampled != ids),
    lambda ids, chosen, sampled: (torch.where(chosen, sampled, ids), (chosen & (sampled != ids)).long()),
    lambda ids, chosen, sampled: (torch.where(chosen, sampled, ids), (chosen & (sampled != ids)).float()),
    lambda ids, chosen, sampled: (torch.where(chosen, sampled, ids), torch.where(chosen, ids, -100)),
    lambda ids, chosen, sampled: (torch.where(chosen, sampled, ids), chosen & (sampled == ids)),
    lambda ids, chosen, sampled: (torch.where(chosen, sampled, ids), ~chosen),
    lambda ids, chosen, sampled: torch.where(chosen, sampled, ids),
    lambda ids, chosen, sampled: (ids, where(ids, chosen, sampled)[1]),
    in_place,
    lambda ids, chosen, sampled: (chosen & (sampled != ids), torch.where(chosen, sampled, ids)),
]
