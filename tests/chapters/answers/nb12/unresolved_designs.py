from lib import exercises

COUNT = exercises.get("unresolved_designs").expected()

RIGHT = [COUNT, float(COUNT), int(COUNT)]
WRONG = [
    *(number for number in range(6) if number != COUNT),
    *(6, 12, -1, COUNT + 0.5, "two", [COUNT], float("nan"), str(COUNT)),
]
