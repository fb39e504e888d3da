"""Task data sets: examples from the usual files of the public sets, and padded, numbered batches of them.

GLUE comes as tables (.tsv), SQuAD as JSON, entities in the columns of CoNLL. Each kind of example has a
function that encodes it, and `TaskBatches` takes what they give.
"""

from lib.text.tasks.batches import TaskBatches
from lib.text.tasks.choices import ChoiceExample
from lib.text.tasks.conll import TaggedSentence, read_conll
from lib.text.tasks.encoding import (
    QuestionWindow,
    Row,
    encode_choices,
    encode_questions,
    encode_tags,
    encode_texts,
)
from lib.text.tasks.glue import GLUE, GlueTask, TextExample, read_glue
from lib.text.tasks.squad import Answer, QuestionExample, read_squad

__all__ = [
    "GLUE",
    "Answer",
    "ChoiceExample",
    "GlueTask",
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
    "read_conll",
    "read_glue",
    "read_squad",
]
