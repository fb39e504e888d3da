def with_before(word_ids, tags):
    before, labels = None, []
    for word in word_ids:
        labels.append(-100 if word is None or word == before else tags[word])
        before = word
    return labels


def with_places(word_ids, tags):
    return [
        tags[word] if word is not None and (k == 0 or word_ids[k - 1] != word) else -100
        for k, word in enumerate(word_ids)
    ]


def with_a_set(word_ids, tags):
    seen = set()
    labels = [-100] * len(word_ids)
    for k, word in enumerate(word_ids):
        if word is not None and word not in seen:
            labels[k] = tags[word]
            seen.add(word)
    return labels


def by_index(word_ids, tags):
    labels = [-100] * len(word_ids)
    for word, tag in enumerate(tags):
        if word in word_ids:
            labels[word_ids.index(word)] = tag
    return labels


RIGHT = [with_before, with_places, with_a_set, by_index]


def every_token(word_ids, tags):
    return [-100 if word is None else tags[word] for word in word_ids]


def o_elsewhere(word_ids, tags):
    return [0 if label == -100 else label for label in with_before(word_ids, tags)]


def o_at_the_rest(word_ids, tags):
    before, labels = None, []
    for word in word_ids:
        labels.append(-100 if word is None else 0 if word == before else tags[word])
        before = word
    return labels


def falsy(word_ids, tags):
    before, labels = None, []
    for word in word_ids:
        labels.append(tags[word] if word and word != before else -100)
        before = word
    return labels


def never_moves_on(word_ids, tags):
    before, labels = None, []
    for word in word_ids:
        labels.append(tags[word] if word is not None and word != before else -100)
    return labels


def forgets_cls(word_ids, tags):
    labels = with_before(word_ids, tags)
    return labels[1:] + [-100]


def tag_by_token(word_ids, tags):
    return [-100 if word is None else tags[min(k - 1, len(tags) - 1)] for k, word in enumerate(word_ids)]


def one_by_one(word_ids, tags):
    left = list(tags)
    return [left.pop(0) if word is not None and left else -100 for word in word_ids]


def last_ones(word_ids, tags):
    return with_before(word_ids[::-1], tags)[::-1]


def only_words(word_ids, tags):
    return [label for label in with_before(word_ids, tags) if label != -100]


def without_specials(word_ids, tags):
    return with_before([word for word in word_ids if word is not None], tags)


WRONG = [
    every_token,
    o_elsewhere,
    o_at_the_rest,
    falsy,
    never_moves_on,
    forgets_cls,
    tag_by_token,
    one_by_one,
    last_ones,
    only_words,
    without_specials,
    lambda word_ids, tags: tags,
    lambda word_ids, tags: None,
]
