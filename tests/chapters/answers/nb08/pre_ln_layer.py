def one_line_each(x, attention, feed_forward, norm_1, norm_2):
    x = x + attention(norm_1(x))
    return x + feed_forward(norm_2(x))


def own_names(hidden, attention, feed_forward, norm_1, norm_2):
    update = attention(norm_1(hidden))
    middle = hidden + update
    update = feed_forward(norm_2(middle))
    return update + middle


def with_a_loop(x, attention, feed_forward, norm_1, norm_2):
    for norm, part in ((norm_1, attention), (norm_2, feed_forward)):
        x = x + part(norm(x))
    return x


RIGHT = [one_line_each, own_names, with_a_loop]


def draft(x, attention, feed_forward, norm_1, norm_2):
    x = norm_1(x)
    x = x + attention(x)
    x = norm_2(x)
    return x + feed_forward(x)


def first_fixed(x, attention, feed_forward, norm_1, norm_2):
    x = x + attention(norm_1(x))
    x = norm_2(x)
    return x + feed_forward(x)


def second_fixed(x, attention, feed_forward, norm_1, norm_2):
    x = norm_1(x)
    x = x + attention(x)
    return x + feed_forward(norm_2(x))


def post_ln(x, attention, feed_forward, norm_1, norm_2):
    x = norm_1(x + attention(x))
    return norm_2(x + feed_forward(x))


def norms_behind(x, attention, feed_forward, norm_1, norm_2):
    x = x + norm_1(attention(x))
    return x + norm_2(feed_forward(x))


def no_norms(x, attention, feed_forward, norm_1, norm_2):
    x = x + attention(x)
    return x + feed_forward(x)


def one_norm(x, attention, feed_forward, norm_1, norm_2):
    x = x + attention(norm_1(x))
    return x + feed_forward(x)


def no_sums(x, attention, feed_forward, norm_1, norm_2):
    return feed_forward(norm_2(attention(norm_1(x))))


def last_sum_missing(x, attention, feed_forward, norm_1, norm_2):
    x = x + attention(norm_1(x))
    return feed_forward(norm_2(x))


def swapped(x, attention, feed_forward, norm_1, norm_2):
    x = x + attention(norm_2(x))
    return x + feed_forward(norm_1(x))


def parallel(x, attention, feed_forward, norm_1, norm_2):
    return x + attention(norm_1(x)) + feed_forward(norm_2(x))


def returns_nothing(x, attention, feed_forward, norm_1, norm_2):
    x = x + attention(norm_1(x))
    x = x + feed_forward(norm_2(x))


def in_place(x, attention, feed_forward, norm_1, norm_2):
    x += attention(norm_1(x))
    x += feed_forward(norm_2(x))
    return x


def half_only(x, attention, feed_forward, norm_1, norm_2):
    return x + attention(norm_1(x))


WRONG = [
    one for one in list(globals().values()) if getattr(one, "__module__", "") == __name__ and one not in RIGHT
]
