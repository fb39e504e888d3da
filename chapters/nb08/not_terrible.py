"""What becomes of "not terrible" in a feed-forward half of three neurons, by hand."""

from lib.exercises.spec import Exercise, Mistake

# fmt: off
EXERCISE = Exercise(
    name="not_terrible", kind="predict", minutes=5, difficulty=2, reference=[1.5, 2.0],
    form="An answer is a list of two numbers, such as [0.5, -1].",
    mistakes=[
        Mistake("not_two", "The token has two features, \"it denies\" and \"it praises\": give two numbers.",
            lambda answer: len(answer) != 2, example=[1.5, 2.0, 0.0]),
        Mistake("update_alone", "That is the update. The half adds it to the token that came in.",
            [0.5, 4.0]),
        Mistake("token_alone", "That is the token that came in. Which neurons fire, and what do they add?",
            [1.0, -2.0]),
        Mistake("no_relu", "You let neuron 1 add its value a negative number of times. Below 0 ReLU gives 0.",
            [1.5, 6.0]),
        Mistake("no_bias", "A bias is missing: the dot product of neuron 3 is 3, and its bias takes 1 away.",
            [1.5, 4.0]),
        Mistake("only_on_or_off", "A neuron that fires with 2 adds its value twice. Neuron 3 fires with 2.",
            [1.5, 0.0]),
        Mistake("one_silent", "Neuron 2 fires as well: \"not terrible\" denies, and its bias is 0.",
            [1.0, 2.0]),
        Mistake("two_alone", "Neuron 3 fires as well: 1 times 1, plus -2 times -1, less 1.", [1.5, -2.0]),
        Mistake("keys_added", "You added the keys. A key decides whether a neuron fires; what it adds is its"
            " value.", [4.0, -4.0]),
        Mistake("swapped", "The order is \"it denies\" first, and then \"it praises\".", [2.0, 1.5]),
        Mistake("first_feature", "The second feature is right. To the first, \"it denies\", neuron 2 adds"
            " 0.5.",
            lambda answer: answer[1] == 2, example=[0.5, 2.0]),
        Mistake("second_feature", "The first feature is right. In the second, -2 came in, and neuron 3 adds 2"
            " as often as it fires.", lambda answer: answer[0] == 1.5, example=[1.5, 3.0]),
    ],
    hints=("For each neuron: the dot product of [1, -2] with its key, plus its bias. Below 0 it is silent.",
           "Neuron 1 gets 1 - 2 - 1 = -2 and is silent. Neuron 2 gets 1. Neuron 3 gets 1 + 2 - 1 = 2.",
           "The update is 1 times [0.5, 0] and 2 times [0, 2]. Add it to [1, -2]."),
    why="Neuron 1 is silent, because nothing is praised. Neuron 3 fires with 2, so the blame becomes praise.",
)
# fmt: on
