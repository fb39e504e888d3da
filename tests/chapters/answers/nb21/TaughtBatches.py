class Indexed:
    def __init__(self, batches, answers):
        self.batches, self.answers = batches, answers

    def __call__(self, number):
        chosen = self.answers["logits"][self.batches.places(number)]
        return {**self.batches(number), "teacher_logits": chosen}


class Updated:
    def __init__(self, batches, answers):
        self.batches = batches
        self.logits = answers["logits"]

    def __call__(self, number):
        import torch

        batch = dict(self.batches(number))
        places = self.batches.places(number)
        batch["teacher_logits"] = torch.stack([self.logits[place] for place in places])
        return batch


class ForEachName(Indexed):
    def __call__(self, number):
        batch, places = self.batches(number), self.batches.places(number)
        return batch | {f"teacher_{name}": answer[places] for name, answer in self.answers.items()}


RIGHT = [Indexed, Updated, ForEachName]


def taught(choose):
    """Batches whose answers are those that `choose(self, number, batch)` gives."""

    class TaughtBatches:
        def __init__(self, batches, answers):
            self.batches, self.answers = batches, answers

        def __call__(self, number):
            batch = self.batches(number)
            return {**batch, "teacher_logits": choose(self, number, batch)}

    return TaughtBatches


class OnlyAnswers(Indexed):
    def __call__(self, number):
        return {"teacher_logits": self.answers["logits"][self.batches.places(number)]}


class ATuple(Indexed):
    def __call__(self, number):
        return self.batches(number), self.answers["logits"][self.batches.places(number)]


class Nothing(Indexed):
    def __call__(self, number):
        pass


@taught
def draft(self, number, batch):
    first = number % self.batches.size * self.batches.batch_size
    return self.answers["logits"][first : first + len(batch["input_ids"])]


@taught
def first_epoch(self, number, batch):
    return self.answers["logits"][self.batches.places(number % self.batches.size)]


@taught
def in_sorted_order(self, number, batch):
    return self.answers["logits"][sorted(self.batches.places(number))]


@taught
def next_one(self, number, batch):
    return self.answers["logits"][self.batches.places(number + 1)]


@taught
def reversed_order(self, number, batch):
    return self.answers["logits"][self.batches.places(number)[::-1]]


@taught
def first_batch(self, number, batch):
    return self.answers["logits"][self.batches.places(0)]


@taught
def everything(self, number, batch):
    return self.answers["logits"]


WRONG = [
    OnlyAnswers, ATuple, Nothing, draft, first_epoch, in_sorted_order, next_one, reversed_order, first_batch,
    everything,
]  # fmt: skip
