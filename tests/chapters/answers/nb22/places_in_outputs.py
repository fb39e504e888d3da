def step_by_step(student_layers, teacher_layers):
    step = teacher_layers // student_layers
    states = [(m, m * step) for m in range(student_layers + 1)]
    attentions = [(m, m * step + step - 1) for m in range(student_layers)]
    return states, attentions


def from_the_states(student_layers, teacher_layers):
    step = teacher_layers // student_layers
    states = list(zip(range(student_layers + 1), range(0, teacher_layers + 1, step), strict=True))
    return states, [(m - 1, n - 1) for m, n in states if m]


def with_a_loop(student_layers, teacher_layers):
    states, attentions = [(0, 0)], []
    for layer in range(1, student_layers + 1):
        taught = layer * teacher_layers // student_layers
        states.append((layer, taught))
        attentions.append((layer - 1, taught - 1))
    return states, attentions


RIGHT = [step_by_step, from_the_states, with_a_loop]


def made(states, attentions):
    """An answer from two rules: of a layer m, from 0 and from 0, and the step."""

    def answer(student_layers, teacher_layers):
        step = teacher_layers // student_layers
        return (
            [states(m, step) for m in range(student_layers + 1)],
            [attentions(m, step) for m in range(student_layers)],
        )

    return answer


def right_states(m, step):
    return m, m * step


def right_attentions(m, step):
    return m, m * step + step - 1


def one_list(student_layers, teacher_layers):
    return made(right_states, right_attentions)(student_layers, teacher_layers)[0]


def backwards(student_layers, teacher_layers):
    states, attentions = made(right_states, right_attentions)(student_layers, teacher_layers)
    return attentions, states


WRONG = [
    made(right_states, right_states),
    made(right_states, lambda m, step: (m + 1, (m + 1) * step)),
    made(right_states, lambda m, step: (m, (m + 1) * step)),
    made(right_states, lambda m, step: (m * step + step - 1, m)),
    made(lambda m, step: (m * step, m), lambda m, step: (m * step + step - 1, m)),
    backwards,
    one_list,
    lambda student_layers, teacher_layers: None,
    lambda student_layers, teacher_layers: (
        (made(right_states, right_attentions)(student_layers, teacher_layers)[1],) * 2
    ),
    lambda student_layers, teacher_layers: (
        made(right_states, right_attentions)(student_layers, teacher_layers)[0],
        [(m, m + teacher_layers - student_layers) for m in range(student_layers)],
    ),
]
