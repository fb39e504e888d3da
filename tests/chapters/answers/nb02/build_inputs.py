def with_ifs(first, second, vocab):
    ids = [vocab["[CLS]"]]
    for piece in first:
        ids.append(vocab[piece])
    ids.append(vocab["[SEP]"])
    types = [0 for _ in ids]
    if second is None:
        return ids, types
    for piece in second:
        ids.append(vocab[piece])
        types.append(1)
    return [*ids, vocab["[SEP]"]], [*types, 1]


def with_unk(first, second, vocab):
    unk = vocab["[UNK]"]
    text = ["[CLS]", *first, "[SEP]"]
    more = [] if second is None else [*second, "[SEP]"]
    ids = [vocab.get(piece, unk) for piece in text + more]
    return ids, [0] * len(text) + [1] * len(more)


def by_map(first, second, vocab):
    tokens = "[CLS] {} [SEP]".format(" ".join(first))
    split = len(tokens.split())
    if second:
        tokens += " " + " ".join(second) + " [SEP]"
    ids = list(map(vocab.__getitem__, tokens.split()))
    return ids, [int(i >= split) for i in range(len(ids))]


def after_the_separator(first, second, vocab):
    ids, types, kind = [], [], 0
    for piece in ["[CLS]", *first, "[SEP]", *(second or []), *(["[SEP]"] if second is not None else [])]:
        ids.append(vocab[piece])
        types.append(kind)
        if piece == "[SEP]":
            kind = 1
    return (ids, types)


def tuples(first, second, vocab):
    ids, types = with_ifs(first, second, vocab)
    return [ids, types]


RIGHT = [with_ifs, with_unk, by_map, after_the_separator, tuples]


def types_turned(first, second, vocab):
    ids, types = with_ifs(first, second, vocab)
    return ids, [1 - t for t in types]


def turned_in_pairs(first, second, vocab):
    ids, types = with_ifs(first, second, vocab)
    return ids, types if second is None else [1 - t for t in types]


def last_of_type_0(first, second, vocab):
    ids = [vocab["[CLS]"]] + [vocab[p] for p in first] + [vocab["[SEP]"]]
    types = [0] * len(ids)
    if second is not None:
        ids = ids + [vocab[p] for p in second] + [vocab["[SEP]"]]
        types += [1] * len(second) + [0]
    return ids, types


def middle_of_type_1(first, second, vocab):
    tokens = ["[CLS]", *first]
    types = [0] * len(tokens)
    if second is not None:
        types += [1] * (len(second) + 2)
        tokens += ["[SEP]", *second, "[SEP]"]
    else:
        tokens += ["[SEP]"]
        types += [0]
    return [vocab[t] for t in tokens], types


def separator_of_a_text_alone_of_type_1(first, second, vocab):
    ids, types = middle_of_type_1(first, second, vocab)
    return ids, [*types[:-1], 1]


def all_0(first, second, vocab):
    ids, _ = with_ifs(first, second, vocab)
    return ids, [0] * len(ids)


def from_1(first, second, vocab):
    ids, types = with_ifs(first, second, vocab)
    return ids, [t + 1 for t in types]


def types_of_pieces(first, second, vocab):
    ids, _ = with_ifs(first, second, vocab)
    return ids, [0] * len(first) + [1] * len(second or [])


def types_too_short(first, second, vocab):
    ids, types = with_ifs(first, second, vocab)
    return ids, types[:-1]


def types_by_two(first, second, vocab):
    ids, _ = with_ifs(first, second, vocab)
    return ids, [0] * (len(first) + 2) + [1] * (len(second) + 2 if second is not None else 0)


def no_special_tokens(first, second, vocab):
    second = second or []
    return [vocab[p] for p in first + second], [0] * len(first) + [1] * len(second)


def nothing_between(first, second, vocab):
    second = second or []
    ids = [vocab["[CLS]"], *[vocab[p] for p in [*first, *second]], vocab["[SEP]"]]
    return ids, [0] * (len(first) + 1) + [1] * (len(ids) - len(first) - 1)


def changed_places(first, second, vocab):
    if second is None:
        return with_ifs(first, None, vocab)
    return with_ifs(second, first, vocab)


def first_alone(first, second, vocab):
    return with_ifs(first, None, vocab)


def none_is_iterated(first, second, vocab):
    ids = [vocab["[CLS]"]]
    ids += [vocab[p] for p in first]
    ids += [vocab["[SEP]"]]
    ids += [vocab[p] for p in second]
    ids += [vocab["[SEP]"]]
    return ids, [0] * (len(first) + 2) + [1] * (len(second) + 1)


def none_is_measured(first, second, vocab):
    types = [0] * (len(first) + 2) + [1] * (len(second) + 1)
    return with_ifs(first, second, vocab)[0], types


def separator_after_nothing(first, second, vocab):
    return with_ifs(first, second or [], vocab)


def by_heart(first, second, vocab):
    ids = [101, *[vocab[p] for p in first], 102]
    types = [0] * len(ids)
    if second is not None:
        ids += [*[vocab[p] for p in second], 102]
        types += [1] * (len(second) + 1)
    return ids, types


def pieces_stay(first, second, vocab):
    tokens = ["[CLS]", *first, "[SEP]"]
    types = [0] * len(tokens)
    if second is not None:
        tokens += [*second, "[SEP]"]
        types += [1] * (len(second) + 1)
    return tokens, types


def special_tokens_stay(first, second, vocab):
    tokens, types = pieces_stay(first, second, vocab)
    return [t if t[0] == "[" else vocab[t] for t in tokens], types


def nested(first, second, vocab):
    ids = [vocab["[CLS]"], [vocab[p] for p in first], vocab["[SEP]"]]
    types = [0] * (len(first) + 2)
    if second is not None:
        ids.append([vocab[p] for p in second])
        ids.append(vocab["[SEP]"])
        types += [1] * (len(second) + 1)
    return ids, types


def swapped(first, second, vocab):
    return with_ifs(first, second, vocab)[::-1]


def ids_alone(first, second, vocab):
    return with_ifs(first, second, vocab)[0]


def not_returned(first, second, vocab):
    with_ifs(first, second, vocab)


def zipped(first, second, vocab):
    return list(zip(*with_ifs(first, second, vocab), strict=True))


def into_first(first, second, vocab):
    first.insert(0, "[CLS]")
    first.append("[SEP]")
    types = [0] * len(first)
    if second is not None:
        types += [1] * (len(second) + 1)
        first += [*second, "[SEP]"]
    return [vocab[p] for p in first], types


def padded(first, second, vocab):
    ids, types = with_ifs(first, second, vocab)
    return ids + [vocab["[PAD]"]] * (12 - len(ids)), types + [0] * (12 - len(ids))


def a_mask(first, second, vocab):
    ids, _ = with_ifs(first, second, vocab)
    return ids, [1] * len(ids)


WRONG = [
    *(types_turned, turned_in_pairs, last_of_type_0, separator_of_a_text_alone_of_type_1, all_0, from_1),
    *(types_of_pieces, types_too_short, types_by_two, no_special_tokens, nothing_between, changed_places),
    *(first_alone, none_is_iterated, none_is_measured, separator_after_nothing, by_heart, pieces_stay),
    *(special_tokens_stay, nested, swapped, ids_alone, not_returned, zipped, into_first, padded, a_mask),
]
