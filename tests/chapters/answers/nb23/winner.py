import torch


def by_columns(scores, searched):
    row = scores[:, searched].mean(1).argmax().item()
    rest = [seed for seed in range(scores.shape[1]) if seed not in searched]
    return row, (scores[row, rest] - scores[0, rest]).mean().item()


def with_a_mask(scores, searched):
    seen = torch.zeros(scores.size(1), dtype=torch.bool)
    seen[list(searched)] = True
    row = scores[:, seen].mean(dim=1).argmax()
    return int(row), float((scores[row] - scores[0])[~seen].mean())


def by_leads(scores, searched):
    leads = scores - scores[0]
    row = leads[:, searched].sum(dim=1).argmax()
    others = sorted(set(range(scores.size(1))) - set(searched))
    return row, leads[row, others].mean()


def in_plain_python(scores, searched):
    table = scores.tolist()
    row = max(range(len(table)), key=lambda one: sum(table[one][seed] for seed in searched))
    leads = [table[row][seed] - table[0][seed] for seed in range(len(table[0])) if seed not in list(searched)]
    return row, sum(leads) / len(leads)


RIGHT = [by_columns, with_a_mask, by_leads, in_plain_python]


def others_of(scores, searched):
    return [seed for seed in range(scores.size(1)) if seed not in searched]


def made(choose, judge):
    def answer(scores, searched):
        row = int(choose(scores, searched))
        return row, float(judge(scores, searched, row))

    return answer


def by_the_search(scores, searched):
    return scores[:, searched].mean(1).argmax()


def by_the_others(scores, searched, row):
    return (scores[row] - scores[0])[others_of(scores, searched)].mean()


WRONG = [
    made(by_the_search, lambda scores, searched, row: (scores[row] - scores[0])[searched].mean()),
    made(lambda scores, searched: scores.mean(1).argmax(), by_the_others),
    made(lambda scores, searched: scores[:, searched].amax(1).argmax(), by_the_others),
    made(lambda scores, searched: scores.amax(1).argmax(), by_the_others),
    made(lambda scores, searched: scores[:, others_of(scores, searched)].mean(1).argmax(), by_the_others),
    made(by_the_search, lambda scores, searched, row: (scores[row] - scores[0]).mean()),
    made(by_the_search, lambda scores, searched, row: scores[row, others_of(scores, searched)].mean()),
    made(by_the_search, lambda scores, searched, row: -by_the_others(scores, searched, row)),
    made(by_the_search, lambda scores, searched, row: (scores[row] - scores[0]).max()),
    made(lambda scores, searched: scores[:, searched].mean(1).argmin(), by_the_others),
    lambda scores, searched: by_the_search(scores, searched),
    lambda scores, searched: None,
]
