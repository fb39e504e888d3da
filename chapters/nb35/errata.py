"""What others print of the subject of notebook 35, and what comes out when it is computed again."""

from lib.errata import Erratum


def _name() -> str:
    return "the method of the Reformer is locality-sensitive hashing, LSH; no letter of it stands for A"


ERRATA = [
    Erratum("How the Reformer finds near keys", "Wu, CU Boulder, 2020, slide 8", "use LSA", _name),
]
