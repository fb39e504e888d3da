import torch


def with_sorted(wide_weight, wide_bias, narrow_weight, narrow_bias, importance):
    order = torch.sort(importance, descending=True).indices
    return wide_weight[order], wide_bias[order], narrow_weight[:, order], narrow_bias


def negative(wide_weight, wide_bias, narrow_weight, narrow_bias, importance):
    order = torch.argsort(-importance)
    return wide_weight[order], wide_bias[order], narrow_weight.index_select(1, order), narrow_bias


def in_a_loop(wide_weight, wide_bias, narrow_weight, narrow_bias, importance):
    order = sorted(range(len(importance)), key=lambda neuron: importance[neuron].item(), reverse=True)
    rows = torch.stack([wide_weight[neuron] for neuron in order])
    biases = torch.stack([wide_bias[neuron] for neuron in order])
    columns = torch.stack([narrow_weight[:, neuron] for neuron in order], dim=1)
    return rows, biases, columns, narrow_bias


RIGHT = [with_sorted, negative, in_a_loop]


def made(order_of, rows=True, bias=True, columns=True):
    def answer(wide_weight, wide_bias, narrow_weight, narrow_bias, importance):
        order = order_of(importance)
        return (
            wide_weight[order] if rows else wide_weight,
            wide_bias[order] if bias else wide_bias,
            narrow_weight[:, order] if columns else narrow_weight,
            narrow_bias,
        )

    return answer


def best_first(importance):
    return importance.argsort(descending=True)


def worst_first(importance):
    return importance.argsort()


def places(importance):
    return importance.argsort(descending=True).argsort()


def three(wide_weight, wide_bias, narrow_weight, narrow_bias, importance):
    return made(best_first)(wide_weight, wide_bias, narrow_weight, narrow_bias, importance)[:3]


def columns_as_rows(wide_weight, wide_bias, narrow_weight, narrow_bias, importance):
    order = best_first(importance)
    return wide_weight[order], wide_bias[order], narrow_weight.T[order], narrow_bias


WRONG = [
    made(best_first, bias=False),
    made(best_first, columns=False),
    made(best_first, rows=False),
    made(best_first, bias=False, columns=False),
    made(worst_first),
    made(worst_first, bias=False),
    made(places),
    columns_as_rows,
    three,
    lambda *tensors: tensors[:4],
    lambda *tensors: None,
]
