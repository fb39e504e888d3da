"""What others print of the subject of notebook 11, and what comes out when it is computed again."""

import transformers

from lib.errata import Erratum


def _heads_of_t5() -> str:
    sizes = {"vocab_size": 64, "num_hidden_layers": 1, "num_attention_heads": 2, "hidden_size": 8}
    albert = transformers.AlbertForPreTraining(
        transformers.AlbertConfig(**sizes, embedding_size=8, intermediate_size=8)
    )
    t5 = transformers.T5ForConditionalGeneration(
        transformers.T5Config(vocab_size=64, d_model=8, d_kv=4, d_ff=8, num_layers=1, num_heads=2)
    )
    classes = albert.sop_classifier.classifier.out_features
    heads = [name for name, _ in t5.named_children() if name not in ("shared", "encoder", "decoder")]
    return (
        f"ALBERT has a head of {classes} classes for the order, T5 only {', '.join(heads)} over its"
        f" {t5.lm_head.out_features} words, and all objectives in table 3 of Raffel and others, 2020, ask for"
        " tokens"
    )


ERRATA = [
    Erratum(
        "Which models are pretrained to tell the order of two sentences (here each in small)",
        "Wu, CU Boulder, 2020, slide 26",
        "Binary decision: ALBERT, T5",
        _heads_of_t5,
    ),
]
