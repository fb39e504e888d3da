def in_one_line(rows, inputs, outputs):
    return 2 * rows * inputs * outputs / (4 * (inputs * outputs + rows * inputs + rows * outputs))


def factored(rows, inputs, outputs):
    return rows * inputs * outputs / (2 * (inputs * outputs + rows * (inputs + outputs)))


def harmonic(rows, inputs, outputs):
    return 0.5 / (1 / rows + 1 / inputs + 1 / outputs)


RIGHT = [in_one_line, factored, harmonic]


def bytes_for_numbers(rows, inputs, outputs):
    return 2 * rows * inputs * outputs / (inputs * outputs + rows * inputs + rows * outputs)


def weights_alone(rows, inputs, outputs):
    return 2 * rows / 4


def weights_again_and_again(rows, inputs, outputs):
    return 2 * rows * inputs * outputs / (4 * rows * (inputs * outputs + inputs + outputs))


WRONG = [
    bytes_for_numbers,
    weights_alone,
    weights_again_and_again,
    lambda rows, inputs, outputs: 1 / in_one_line(rows, inputs, outputs),
    lambda rows, inputs, outputs: in_one_line(rows, inputs, outputs) / 2,
    lambda rows, inputs, outputs: 2 * rows * inputs * outputs / (4 * rows * (inputs + outputs)),
    lambda rows, inputs, outputs: 2 * rows * inputs * outputs / (4 * (inputs * outputs + rows * inputs)),
    lambda rows, inputs, outputs: 2 * rows * inputs * outputs / (4 * (inputs * outputs + inputs + outputs)),
    lambda rows, inputs, outputs: 2 * rows * inputs * outputs / (4 * (inputs * outputs + rows * outputs)),
    lambda rows, inputs, outputs: 4.4,
    lambda rows, inputs, outputs: None,
    lambda rows, inputs, outputs: 2 * rows * inputs * outputs // (4 * (inputs * outputs + rows * inputs)),
]
