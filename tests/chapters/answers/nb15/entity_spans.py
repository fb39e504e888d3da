def walking(tags):
    entities, label, first = [], None, None
    for place, tag in enumerate([*tags, "O"]):
        goes_on = tag.startswith("I-") and tag[2:] == label
        if label is not None and not goes_on:
            entities.append((label, first, place - 1))
            label = None
        if tag != "O" and not goes_on:
            label, first = tag[2:], place
    return entities


def with_before(tags):
    found, before = [], "O"
    for place, tag in enumerate(tags):
        if tag != "O":
            if tag[0] == "I" and before != "O" and before[2:] == tag[2:]:
                found[-1][2] = place
            else:
                found.append([tag[2:], place, place])
        before = tag
    return [tuple(one) for one in found]


def while_loop(tags):
    spans, place = [], 0
    while place < len(tags):
        if tags[place] == "O":
            place += 1
            continue
        label, last = tags[place].split("-")[1], place
        while last + 1 < len(tags) and tags[last + 1] == f"I-{label}":
            last += 1
        spans.append((label, place, last))
        place = last + 1
    return spans


RIGHT = [walking, with_before, while_loop]


def only_after_b(tags):
    spans, place = [], 0
    while place < len(tags):
        if tags[place][0] == "B":
            label, last = tags[place][2:], place
            while last + 1 < len(tags) and tags[last + 1] == f"I-{label}":
                last += 1
            spans.append((label, place, last))
            place = last
        place += 1
    return spans


def across(tags):
    spans = []
    for place, tag in enumerate(tags):
        if tag == "O":
            continue
        if tag[0] == "I" and spans and spans[-1][0] == tag[2:]:
            spans[-1] = (tag[2:], spans[-1][1], place)
        else:
            spans.append((tag[2:], place, place))
    return spans


def stored_late(tags):
    entities, label, first = [], None, None
    for place, tag in enumerate(tags):
        goes_on = tag.startswith("I-") and tag[2:] == label
        if label is not None and not goes_on:
            entities.append((label, first, place - 1))
            label = None
        if tag != "O" and not goes_on:
            label, first = tag[2:], place
    return entities


def wrapped_around(tags):
    """What stands before the first tag is taken from the end of the list."""
    entities, first = [], None
    for place, tag in enumerate(tags):
        goes_on = tag[:2] == "I-" and tags[place - 1][1:] == tag[1:]
        if tag != "O" and not goes_on:
            first = place
            entities.append((tag[2:], place, place))
        elif goes_on and first is not None:
            entities[-1] = (tag[2:], entities[-1][1], place)
        elif tag == "O":
            first = None
    return entities


WRONG = [
    only_after_b,
    across,
    stored_late,
    lambda tags: [(label, first, last + 1) for label, first, last in walking(tags)],
    lambda tags: [(label, first, last - first + 1) for label, first, last in walking(tags)],
    lambda tags: [(label, first, first) for label, first, _ in walking(tags)],
    lambda tags: [("B-" + label, first, last) for label, first, last in walking(tags)],
    lambda tags: [(tags[first], first, last) for label, first, last in walking(tags)],
    lambda tags: [(first, last, label) for label, first, last in walking(tags)],
    lambda tags: sorted(walking(tags)),
    lambda tags: [(tag[2:], place, place) for place, tag in enumerate(tags) if tag != "O"],
    lambda tags: [(tag[2:], place, place) for place, tag in enumerate(tags) if tag[0] == "B"],
    lambda tags: {(label, first, last) for label, first, last in walking(tags)},
    lambda tags: [(first, last) for _, first, last in walking(tags)],
    lambda tags: walking(tags)[:1],
    lambda tags: [(label, first + 1, last + 1) for label, first, last in walking(tags)],
    lambda tags: None,
    wrapped_around,
]
