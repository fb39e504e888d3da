def filled(attention, feed_forward):
    """The stub with its two gaps filled by functions of size, wide and norm."""

    def count_parameters(config):
        size, wide = config.hidden_size, config.intermediate_size
        norm = 2 * size
        rows = config.vocab_size + config.max_position_embeddings + config.type_vocab_size
        return {
            "embeddings": rows * size + norm,
            "attention": config.num_hidden_layers * attention(size, norm, config),
            "feed-forward": config.num_hidden_layers * feed_forward(size, wide, norm),
            "pooler": size * size + size,
        }

    return count_parameters


def attention(size, norm, config):
    return 4 * (size * size + size) + norm


def feed_forward(size, wide, norm):
    return size * wide + wide + wide * size + size + norm


def in_a_loop(config):
    d, f = config.hidden_size, config.intermediate_size
    counts = {
        "embeddings": (config.vocab_size + config.max_position_embeddings + config.type_vocab_size + 2) * d
    }
    counts["attention"] = counts["feed-forward"] = 0
    for _ in range(config.num_hidden_layers):
        counts["attention"] += sum(d * d + d for _ in range(4)) + 2 * d
        counts["feed-forward"] += (d + 1) * f + (f + 1) * d + 2 * d
    counts["pooler"] = d * (d + 1)
    return counts


def with_heads(size, norm, config):
    head = size // config.num_attention_heads
    return config.num_attention_heads * 3 * (size * head + head) + size * size + size + norm


RIGHT = [
    filled(attention, feed_forward),
    filled(lambda size, norm, config: 4 * size**2 + 6 * size, lambda s, w, n: (2 * s + 1) * w + 3 * s),
    filled(with_heads, feed_forward),
    in_a_loop,
]


def other(wrong_attention):
    return filled(wrong_attention, feed_forward)


def another(wrong_feed_forward):
    return filled(attention, wrong_feed_forward)


def a_list(config):
    return list(filled(attention, feed_forward)(config).values())


def total(config):
    return sum(filled(attention, feed_forward)(config).values())


WRONG = [
    other(lambda size, norm, config: 4 * size * size + norm),
    other(lambda size, norm, config: 4 * size * size),
    other(lambda size, norm, config: 4 * (size * size + size)),
    other(lambda size, norm, config: 3 * (size * size + size) + norm),
    other(lambda size, norm, config: 3 * (size * size + size)),
    other(lambda size, norm, config: 3 * size * size + norm),
    other(lambda size, norm, config: size * size + size + norm),
    other(lambda size, norm, config: 4 * size * size + size + norm),
    other(lambda size, norm, config: 4 * (size * size + size + norm)),
    other(lambda size, norm, config: 4 * (size * size + size) + 2 * norm),
    other(lambda size, norm, config: 4 * (size * size + 1) + norm),
    other(lambda size, norm, config: config.num_attention_heads * 4 * (size * size + size) + norm),
    other(lambda size, norm, config: config.num_attention_heads * 3 * (size * size + size) + norm),
    other(
        lambda size, norm, config: (
            config.num_attention_heads * 3 * (size * size + size) + size * size + size + norm
        )
    ),
    other(lambda size, norm, config: config.num_hidden_layers * (4 * (size * size + size) + norm)),
    other(lambda size, norm, config: 4 * (size * (size // config.num_attention_heads) + size) + norm),
    other(lambda size, norm, config: ...),
    other(lambda size, norm, config: None),
    another(lambda size, wide, norm: 2 * size * wide),
    another(lambda size, wide, norm: size * wide + wide + norm),
    another(lambda size, wide, norm: size * wide + wide + size + norm),
    another(lambda size, wide, norm: 2 * size * wide + wide + norm),
    another(lambda size, wide, norm: 2 * size * wide + size + norm),
    another(lambda size, wide, norm: (size * wide + wide) * (wide * size + size) + norm),
    another(lambda size, wide, norm: (size * size + size) + (size * wide + wide) + norm),
    another(lambda size, wide, norm: 2 * size * wide + wide + size + 2 * wide),
    filled(lambda size, norm, config: 4 * size * size, lambda size, wide, norm: 2 * size * wide),
    filled(
        lambda size, norm, config: 4 * size * size + norm, lambda size, wide, norm: 2 * size * wide + norm
    ),
    filled(
        lambda size, norm, config: 4 * (size * size + size),
        lambda size, wide, norm: 2 * size * wide + wide + size,
    ),
    filled(
        lambda size, norm, config: 4 * (size * size + size) + 4 * norm,
        lambda size, wide, norm: 2 * size * wide + wide + size + 2 * norm,
    ),
    filled(
        lambda size, norm, config: config.num_hidden_layers * attention(size, norm, config),
        lambda size, wide, norm: 6 * feed_forward(size, wide, norm),
    ),
    *(a_list, total),
]
