"""Records and the cache: what was measured, what it was made from, and how it is read again."""

from lib.records.record import FOLDER as FOLDER
from lib.records.record import Record as Record
from lib.records.record import load as load
from lib.records.record import names as names
from lib.records.record import write as write
