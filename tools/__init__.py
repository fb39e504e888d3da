"""What lecturers, maintainers and CI run: `python course.py WORD`.

`commands` holds the words, by who types them; the other modules do the work. Nothing in `lib` imports this.
"""
