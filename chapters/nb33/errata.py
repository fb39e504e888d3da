"""What others print of the subject of notebook 33, and what comes out when it is computed again."""

from lib.errata import Erratum

BERT_BASE, QUANT_NOISE, BINARY_BERT = 418, 38, 16.5  # as printed; of BERT-base it is MiB
MIB = 2**20


def roberta_base() -> int:
    """Its parameters: tables of 50,265 pieces, 514 positions and 1 token type, twelve layers, a pooler."""
    tables = (50_265 + 514 + 1) * 768 + 2 * 768
    layer = 4 * (768 * 768 + 768) + 2 * 768 * 3072 + 3072 + 768 + 4 * 768
    return tables + 12 * layer + 768 * 768 + 768


def _beside_its_own_model() -> str:
    whole = 4 * roberta_base() / MIB
    return (
        f"{whole / QUANT_NOISE:.1f} times, for it was made of RoBERTa-base, whose"
        f" {roberta_base():,} parameters take {whole:.0f} MiB in 32 bits"
    )


def _from_its_own_size() -> str:
    return (
        f"{BERT_BASE} / {BINARY_BERT} = {BERT_BASE / BINARY_BERT:.1f}; the ratio was taken of 17, and all"
        f" are MiB: {BINARY_BERT} are {BINARY_BERT * MIB / 1e6:.1f} million bytes"
    )


ERRATA = [
    Erratum(
        "How many times smaller Quant-Noise's 38 MB are, in a table beside BERT's",
        "Liu, Huawei, 2021, slide 58",
        "11.0 times, which is 418 / 38",
        _beside_its_own_model,
        "base",
    ),
    Erratum(
        "How many times smaller BinaryBERT's 16.5 MB are than BERT-base's 418",
        "Liu, Huawei, 2021, slide 58",
        "24.6 times",
        _from_its_own_size,
        "base",
    ),
]
