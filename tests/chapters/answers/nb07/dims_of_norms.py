def dims(batch, layer, instance):
    return {"batch": batch, "layer": layer, "instance": instance}


RIGHT = [
    dims((0, 1), (2,), (1,)),
    dims([0, 1], 2, 1),
    dims((1, 0), (-1,), (-2,)),
    dims({0, 1}, {2}, {1}),
    dims((0, 1), -1, [1]),
]
WRONG = [
    dims((2,), (0, 1), (0, 2)),
    dims((0, 1), (1, 2), (1,)),
    dims((0, 1), (1, 2), (2,)),
    dims((0,), (2,), (1,)),
    dims((0, 1), (1,), (2,)),
    dims((0, 1), (2,), (0, 1)),
    dims((0, 1), (2,), (1, 2)),
    dims((0, 1, 2), (2,), (1,)),
    dims((0,), (1,), (2,)),
    dims((0, 1), (2,), (3,)),
    dims((0, 1), "2", (1,)),
    {"batch": (0, 1), "layer": (2,)},
    {"batch": (0, 1), "layer": (2,), "instance": (1,), "group": (1, 2)},
    [(0, 1), (2,), (1,)],
    dims((0, 1), (2,), ...),
]
