"""The course as a web book: pages for a browser, made from the stored notebooks, with nothing run.

`staging` prepares the notebooks and `pages` the other texts, `writing` tells Sphinx what to make of formulas
and stretches, `font` cuts the font of the formulas, `build` runs all of it, and `checks` looks at the result.
"""
