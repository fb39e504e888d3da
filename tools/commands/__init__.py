"""The words of `python course.py WORD`: what each is called with, and what it says of itself.

A module here imports nothing that takes time before a command runs, so that `--help` comes at once.
"""
