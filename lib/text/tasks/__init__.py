"""Task data sets: examples from the usual files of the public sets, and padded, numbered batches of them.

`read_public` finds a public set by its name, in a folder or on the hub; each form has a reader of its own:
GLUE's tables (.tsv), SQuAD's JSON, the columns of CoNLL and CoNLL-U, livedoor's archive. Each kind of example
has a function that encodes it, and `TaskBatches` takes what they give.
"""

from lib.text.tasks.batches import TaskBatches
from lib.text.tasks.choices import ChoiceExample
from lib.text.tasks.conll import TaggedSentence, read_conll, read_conllu_tags
from lib.text.tasks.encoding import (
    QuestionWindow,
    Row,
    encode_choices,
    encode_questions,
    encode_tags,
    encode_texts,
    first_pieces,
)
from lib.text.tasks.glue import GLUE, GlueTask, TextExample, read_glue
from lib.text.tasks.livedoor import LIVEDOOR, read_livedoor
from lib.text.tasks.public import PUBLIC, PublicSet, read_public
from lib.text.tasks.reading import Broken, Examples
from lib.text.tasks.squad import Answer, QuestionExample, read_squad

__all__ = [
    "GLUE",
    "LIVEDOOR",
    "PUBLIC",
    "Answer",
    "Broken",
    "ChoiceExample",
    "Examples",
    "GlueTask",
    "PublicSet",
    "QuestionExample",
    "QuestionWindow",
    "Row",
    "TaggedSentence",
    "TaskBatches",
    "TextExample",
    "encode_choices",
    "encode_questions",
    "encode_tags",
    "encode_texts",
    "first_pieces",
    "read_conll",
    "read_conllu_tags",
    "read_glue",
    "read_livedoor",
    "read_public",
    "read_squad",
]
