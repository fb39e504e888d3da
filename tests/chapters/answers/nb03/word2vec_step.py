import torch

from chapters.nb03.word2vec import negative_sampling_loss


def plain(model, optimizer, inputs, targets, noise):
    optimizer.zero_grad()
    loss = model(inputs, targets, noise)
    loss.backward()
    optimizer.step()
    return loss.item()


def zero_at_the_end(model, optimizer, inputs, targets, noise):
    loss = model(inputs, targets, noise)
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    return loss.detach()


def through_the_model(model, optimizer, inputs, targets, noise):
    for parameter in model.parameters():
        parameter.grad = None
    loss = negative_sampling_loss(model.inputs(inputs), model.outputs(targets), model.outputs(noise))
    gradients = torch.autograd.grad(loss, list(model.parameters()))
    for parameter, gradient in zip(model.parameters(), gradients, strict=True):
        parameter.grad = gradient
    optimizer.step()
    return loss


def with_closure(model, optimizer, inputs, targets, noise):
    def closure():
        optimizer.zero_grad()
        loss = model(inputs, targets, noise)
        loss.backward()
        return loss

    return float(optimizer.step(closure).detach())


RIGHT = [plain, zero_at_the_end, through_the_model, with_closure]


def no_zero(model, optimizer, inputs, targets, noise):
    loss = model(inputs, targets, noise)
    loss.backward()
    optimizer.step()
    return loss.item()


def no_step(model, optimizer, inputs, targets, noise):
    optimizer.zero_grad()
    loss = model(inputs, targets, noise)
    loss.backward()
    return loss.item()


def no_backward(model, optimizer, inputs, targets, noise):
    loss = model(inputs, targets, noise)
    optimizer.zero_grad()
    optimizer.step()
    return loss.item()


def step_first(model, optimizer, inputs, targets, noise):
    loss = model(inputs, targets, noise)
    optimizer.step()
    optimizer.zero_grad()
    loss.backward()
    return loss.item()


def climbs(model, optimizer, inputs, targets, noise):
    loss = -model(inputs, targets, noise)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return -loss.item()


def measured_after(model, optimizer, inputs, targets, noise):
    optimizer.zero_grad()
    model(inputs, targets, noise).backward()
    optimizer.step()
    return model(inputs, targets, noise).item()


def returns_nothing(model, optimizer, inputs, targets, noise):
    loss = model(inputs, targets, noise)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


def by_hand_with_a_tenth(model, optimizer, inputs, targets, noise):
    optimizer.zero_grad()
    loss = model(inputs, targets, noise)
    loss.backward()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter -= 0.1 * parameter.grad
    return loss.item()


def a_new_optimizer(model, optimizer, inputs, targets, noise):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    optimizer.zero_grad()
    loss = model(inputs, targets, noise)
    loss.backward()
    optimizer.step()
    return loss.item()


def detached(model, optimizer, inputs, targets, noise):
    loss = model(inputs, targets, noise).item()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss


def returns_the_model(model, optimizer, inputs, targets, noise):
    plain(model, optimizer, inputs, targets, noise)
    return model


WRONG = [
    *(no_zero, no_step, no_backward, step_first, climbs, measured_after, returns_nothing),
    *(by_hand_with_a_tenth, a_new_optimizer, detached, returns_the_model),
]
