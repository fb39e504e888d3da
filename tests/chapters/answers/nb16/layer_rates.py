def from_the_top_down(num_layers, top, decay):
    rates = [top]
    for _ in range(num_layers):
        rates.insert(0, rates[0] * decay)
    return rates


def by_powers(num_layers, top, decay):
    return [top * decay**steps for steps in range(num_layers, -1, -1)]


def with_a_reverse(num_layers, top, decay):
    rates = [top * decay**steps for steps in range(num_layers + 1)]
    rates.reverse()
    return rates


RIGHT = [from_the_top_down, by_powers, with_a_reverse]

WRONG = [
    lambda n, top, decay: [top * decay**steps for steps in range(n + 1)],
    lambda n, top, decay: [top * decay ** (n - place) for place in range(n)],
    lambda n, top, decay: [top * decay ** (n - place) for place in range(1, n + 1)],
    lambda n, top, decay: [top * decay ** (n - 1), *(top * decay ** (n - p) for p in range(1, n + 1))],
    lambda n, top, decay: [top * decay ** (n + 1 - place) for place in range(n + 1)],
    lambda n, top, decay: [decay ** (n - place) for place in range(n + 1)],
    lambda n, top, decay: [top * decay] * n + [top],
    lambda n, top, decay: [top * (1 - decay) ** (n - place) for place in range(n + 1)],
    lambda n, top, decay: [top] * (n + 1),
    lambda n, top, decay: [top - (1 - decay) * top * (n - place) for place in range(n + 1)],
    lambda n, top, decay: top * decay**n,
    lambda n, top, decay: None if n < 0 else print(n),
    lambda n, top, decay: [top * decay**place for place in range(n)],
]
