"""Tags of entities: files mark the same entities in several schemes, which are read as one, IOB2 (BIO).

In IOB2 B- begins each entity and I- goes on. IOB1 has B- only between two entities of one label (Ramshaw and
Marcus, 1995; so are the files of CoNLL-2003), and IOE marks ends by E-. BIOES, BILOU and BMEWO mark the last
word too (E-, L-), and entities of one word (S-, U-, W-).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

ENTITY_TAG = re.compile(r"O|[BIMELSUW](-.+)?")
MISSPELLED = re.compile(r"[bimelsuw][-_ ]\w+|\w+[-_ ][bimelsuw]", re.IGNORECASE)  # b-per, B_PER, PER-B


def mark_entities(tags: Sequence[str]) -> bool:
    """Whether tags are of one of the schemes: most of them have the form, and they are not O alone.

    Prefixes without labels count where there is an O beside them: other tags may be single letters as well.
    """
    forms = [tag for tag in tags if ENTITY_TAG.fullmatch(tag)]
    has_labels = any("-" in tag for tag in forms)
    return 2 * len(forms) > len(tags) and (has_labels or {"O", "B"} <= set(forms) or {"O", "I"} <= set(forms))


def are_of_entities(tags: Sequence[str]) -> bool:
    """Whether the tags of a task are those of entities, or others, such as parts of speech.

    Raises ValueError where some look like tags of entities and not all are, so that none is mistaken.
    """
    others = [tag for tag in tags if not ENTITY_TAG.fullmatch(tag)]
    misspelled = [tag for tag in others if MISSPELLED.fullmatch(tag)]
    beside = any("-" in tag for tag in {*tags} - {*others})
    if misspelled or (others and beside):
        raise ValueError(
            f"The tag {(misspelled or others)[0]!r} looks like one of an entity, or stands beside such, and "
            "is none that is read: write O outside of entities, and B-PER, I-PER and the like inside."
        )
    return not others


def iob2(tags: Sequence[str]) -> list[str]:
    """The same entities in IOB2, "_" being the label of one that has none.

    What goes on with nothing before it to go on with begins an entity, as conlleval and seqeval read it: at
    the beginning, after O, after another label, after an end. What is no tag of an entity stays as it is.
    """
    converted: list[str] = []
    before, label_before = "O", ""
    for tag in tags:
        prefix, _, label = tag.partition("-")
        if tag == "O" or not ENTITY_TAG.fullmatch(tag):
            converted.append(tag)
        else:
            goes_on = prefix in "IMEL" and before in "BIM" and label == label_before
            converted.append(f"{'I' if goes_on else 'B'}-{label or '_'}")
        before, label_before = prefix, label
    return converted
