"""Records and the cache: what was measured, what it was made from, and how it is read again."""

from lib.records.record import FOLDER as FOLDER
from lib.records.record import names as names
from lib.records.record import table as table
from lib.records.record import write_table as write_table
from lib.records.table import Run as Run
from lib.records.table import Table as Table
