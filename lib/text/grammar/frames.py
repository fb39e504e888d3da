"""What can happen, and which adverb or phrase goes with it: words and lines of `data/grammar/`."""

from lib.text.grammar.lexicon import LISTS, WORDS, words
from lib.text.grammar.tables import FRAME, PHRASES, sections, tables

FRAMES = sections("frames.txt", FRAME)
MANNERS = WORDS["manners"]
BEFORE_VERB = words(LISTS["before_verb"])
MODIFIERS = dict(line for table in tables("modifiers.txt", PHRASES).values() for line in table.items())
