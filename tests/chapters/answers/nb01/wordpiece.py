def with_for_and_else(word, vocab, unk_token="[UNK]"):
    pieces, start = [], 0
    while start != len(word):
        for end in range(len(word), start, -1):
            piece = word[start:end] if start == 0 else "##" + word[start:end]
            if piece in vocab:
                pieces.append(piece)
                start = end
                break
        else:
            return [unk_token]
    return pieces


def recursive(word, vocab, unk_token="[UNK]", mark=""):
    for end in range(len(word), 0, -1):
        if mark + word[:end] in vocab:
            if end == len(word):
                return [mark + word]
            rest = recursive(word[end:], vocab, unk_token, "##")
            return rest if rest == [unk_token] else [mark + word[:end], *rest]
    return [unk_token]


def with_a_flag(word, vocab, unk_token="[UNK]"):
    chars = list(word)
    is_bad = False
    start = 0
    sub_tokens = []
    while start < len(chars):
        end = len(chars)
        cur_substr = None
        while start < end:
            substr = "".join(chars[start:end])
            if start > 0:
                substr = "##" + substr
            if substr in vocab:
                cur_substr = substr
                break
            end -= 1
        if cur_substr is None:
            is_bad = True
            break
        sub_tokens.append(cur_substr)
        start = end
    return [unk_token] if is_bad else sub_tokens


def among_the_vocabulary(word, vocab, unk_token="[UNK]"):
    rest, pieces = word, []
    while rest:
        if pieces:
            fitting = [p for p in vocab if p[:2] == "##" and len(p) > 2 and rest.startswith(p[2:])]
        else:
            fitting = [p for p in vocab if rest.startswith(p)]
        if not fitting:
            return [unk_token]
        best = max(fitting, key=len)
        rest = rest[len(best) - (2 if pieces else 0) :]
        pieces.append(best)
    return pieces


def with_set_operations(word, vocab, unk_token="[UNK]"):
    pieces, rest = [], word
    while rest:
        mark = "##" if pieces else ""
        there = vocab.intersection(mark + rest[: n + 1] for n in range(len(rest)))
        if not there:
            return [unk_token]
        pieces += [max(there, key=len)]
        rest = rest[len(pieces[-1]) - len(mark) :]
    return pieces


def eating_the_word(word, vocab, unk_token="[UNK]"):
    pieces = []
    while word not in ("", "##"):
        end = next((n for n in range(len(word), 0, -1) if word[:n] in vocab and word[:n] != "##"), 0)
        if not end:
            return [unk_token]
        pieces.append(word[:end])
        word = "##" + word[end:]
    return tuple(pieces)


RIGHT = [
    *(with_for_and_else, recursive, with_a_flag, among_the_vocabulary, with_set_operations),
    eating_the_word,
]


def no_marks_given(word, vocab, unk_token="[UNK]"):
    pieces = with_for_and_else(word, vocab, unk_token)
    return pieces if pieces == [unk_token] else [p.replace("##", "") for p in pieces]


def no_marks_looked_up(word, vocab, unk_token="[UNK]"):
    pieces, start = [], 0
    while start < len(word):
        for end in range(len(word), start, -1):
            if word[start:end] in vocab:
                pieces.append(("##" if pieces else "") + word[start:end])
                start = end
                break
        else:
            return [unk_token]
    return pieces


def no_marks_anywhere(word, vocab, unk_token="[UNK]"):
    pieces = []
    while word:
        end = len(word)
        while end > 0 and word[:end] not in vocab:
            end -= 1
        if end == 0:
            return [unk_token]
        pieces.append(word[:end])
        word = word[end:]
    return pieces


def either_form(word, vocab, unk_token="[UNK]"):
    pieces, start = [], 0
    while start < len(word):
        for end in range(len(word), start, -1):
            if word[start:end] in vocab:
                pieces.append(word[start:end])
                break
            if "##" + word[start:end] in vocab:
                pieces.append("##" + word[start:end])
                break
        else:
            return [unk_token]
        start = end
    return pieces


def all_marked(word, vocab, unk_token="[UNK]"):
    pieces = []
    while word:
        for end in range(len(word), 0, -1):
            if "##" + word[:end] in vocab:
                pieces.append("##" + word[:end])
                word = word[end:]
                break
        else:
            return [unk_token]
    return pieces


def shortest(word, vocab, unk_token="[UNK]"):
    pieces, start = [], 0
    while start < len(word):
        for end in range(start + 1, len(word) + 1):
            piece = ("##" if start else "") + word[start:end]
            if piece in vocab:
                pieces.append(piece)
                start = end
                break
        else:
            return [unk_token]
    return pieces


def keeps_what_it_had(word, vocab, unk_token="[UNK]"):
    pieces, start = [], 0
    while start < len(word):
        mark = "##" * bool(start)
        ends = [e for e in range(start + 1, len(word) + 1) if mark + word[start:e] in vocab]
        if not ends:
            pieces.append(unk_token)
            break
        pieces.append(mark + word[start : ends[-1]])
        start = ends[-1]
    return pieces


def breaks_off(word, vocab, unk_token="[UNK]"):
    pieces = keeps_what_it_had(word, vocab, unk_token)
    return pieces[:-1] if pieces[-1] == unk_token else pieces


def a_bare_unk(word, vocab, unk_token="[UNK]"):
    pieces = recursive(word, vocab, unk_token)
    return unk_token if pieces == [unk_token] else pieces


def always_unk(word, vocab, unk_token="[UNK]"):
    return recursive(word, vocab, "[UNK]")


def marked_unk_inside(word, vocab, unk_token="[UNK]"):
    pieces, start = [], 0
    while start < len(word):
        for end in range(len(word), start, -1):
            piece = ("##" if start else "") + word[start:end]
            if piece in vocab:
                pieces.append(piece)
                start = end
                break
        else:
            pieces.append("##" + unk_token if start else unk_token)
            start += 1
    return pieces


def letters(word, vocab, unk_token="[UNK]"):
    return [word[0], *("##" + letter for letter in word[1:])]


def letters_that_are_there(word, vocab, unk_token="[UNK]"):
    pieces = letters(word, vocab)
    return pieces if all(p in vocab for p in pieces) else [unk_token]


def all_or_nothing(word, vocab, unk_token="[UNK]"):
    if word in vocab:
        return [word]
    return [unk_token]


def in_two(word, vocab, unk_token="[UNK]"):
    if word in vocab:
        return [word]
    for end in range(len(word) - 1, 0, -1):
        if word[:end] in vocab and "##" + word[end:] in vocab:
            return [word[:end], "##" + word[end:]]
    return [unk_token]


def one_letter_early(word, vocab, unk_token="[UNK]"):
    pieces, start = [], 0
    while start < len(word) - 1:
        for end in range(len(word), start, -1):
            piece = ("##" if start else "") + word[start:end]
            if piece in vocab:
                pieces.append(piece)
                start = end
                break
        else:
            return [unk_token]
    return pieces


def never_to_the_end(word, vocab, unk_token="[UNK]"):
    pieces, start = [], 0
    while start < len(word):
        for end in range(len(word) - 1, start, -1):
            piece = ("##" if start else "") + word[start:end]
            if piece in vocab:
                pieces.append(piece)
                start = end
                break
        else:
            return [unk_token]
    return pieces


def as_text(word, vocab, unk_token="[UNK]"):
    return " ".join(recursive(word, vocab, unk_token))


def longest_anywhere(word, vocab, unk_token="[UNK]", start=0):
    for size in range(len(word), 0, -1):
        for at in range(len(word) - size + 1):
            piece = ("##" if start + at else "") + word[at : at + size]
            if piece in vocab:
                before = longest_anywhere(word[:at], vocab, unk_token, start) if at else []
                after = (
                    longest_anywhere(word[at + size :], vocab, unk_token, start + at + size)
                    if word[at + size :]
                    else []
                )
                return [unk_token] if unk_token in before + after else [*before, piece, *after]
    return [unk_token]


def one_letter_skipped(word, vocab, unk_token="[UNK]"):
    pieces, start = [], 0
    while start < len(word):
        for end in range(len(word), start, -1):
            piece = ("##" if start else "") + word[start:end]
            if piece in vocab:
                pieces.append(piece)
                start = end + 1
                break
        else:
            return [unk_token]
    return pieces


def backwards(word, vocab, unk_token="[UNK]"):
    return recursive(word, vocab, unk_token)[::-1]


def not_returned(word, vocab, unk_token="[UNK]"):
    recursive(word, vocab, unk_token)


def ids(word, vocab, unk_token="[UNK]"):
    return [vocab[piece] for piece in recursive(word, vocab, unk_token)]


WRONG = [
    *(no_marks_given, no_marks_looked_up, no_marks_anywhere, either_form, all_marked, shortest),
    *(keeps_what_it_had, breaks_off, a_bare_unk, always_unk, marked_unk_inside, letters),
    *(letters_that_are_there, all_or_nothing, in_two, one_letter_early, never_to_the_end, as_text),
    *(longest_anywhere, one_letter_skipped, backwards, not_returned, ids),
]
