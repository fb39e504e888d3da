"""What earlier notebooks built: MiniLM at half of its width (28), lessons from a teacher (29)."""

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy

import torch
import torch.nn.functional as F
from torch import Tensor
from torch.nn.utils import parametrize
from tqdm import tqdm

from lib.bert import WordPieceTokenizer
from lib.bert.heads import BertForSequenceClassification
from lib.compression.elastic import sizes, width
from lib.compression.pruning import importance
from lib.text.tasks import TaskBatches, TextExample
from lib.training.known_tasks import load_task

LONGEST, SIZE = 64, 16  # pieces of a text, texts of a batch
RATE = 2e-4


def half_of(
    model: BertForSequenceClassification, examples: Sequence[TextExample]
) -> BertForSequenceClassification:
    """A fine-tuned model with the more important half of its heads and of its neurons in each layer.

    Hidden states stay as wide as they are. examples: headlines, whose gradients say what is important.
    """
    pieces = WordPieceTokenizer.from_pretrained("minilm")
    rows = load_task("headlines").kind.rows(examples, pieces, max_length=LONGEST)
    batches = TaskBatches(rows, pieces.pad_token_id, batch_size=SIZE, seed=None)
    gradients = importance.gate_gradients(model, [batches(number) for number in range(batches.size)])
    heads = importance.importance_of_heads(gradients, importance.per_example)
    neurons = importance.importance_of_neurons(gradients, importance.per_example)
    ordered = deepcopy(model)
    width.rewire(ordered, heads, neurons)  # the important ones first
    half: BertForSequenceClassification = sizes.extracted(ordered, sizes.Size(width=0.5))
    return half


Student = BertForSequenceClassification
Batch = tuple[Mapping[str, Tensor], Tensor]


def lessons(teacher: Student, batches: Sequence[Batch]) -> Callable[[Student, int, int], Student]:
    """A function that teaches a student for some steps, batches drawn by a seed.

    It learns the teacher's answers and its states, from the embeddings up, as notebook 29's students did.
    batches: inputs and labels, which aren't used. What comes back is the student, in eval().
    """

    def teach(student: Student, steps: int, seed: int) -> Student:
        torch.manual_seed(seed)
        learning = [parameter for parameter in student.parameters() if parameter.requires_grad]
        optimizer = torch.optim.AdamW(learning, lr=RATE)
        decay = torch.optim.lr_scheduler.LinearLR(optimizer, 1, 0, max(1, steps))
        student.train()
        for number in tqdm(torch.randperm(len(batches))[:steps].tolist()):
            inputs, _ = batches[number]
            with torch.no_grad():
                taught = teacher(**inputs, output_hidden_states=True)
            said = student(**inputs, output_hidden_states=True)
            loss = -(taught.logits.softmax(-1) * said.logits.log_softmax(-1)).sum(-1).mean()
            for own_state, target in zip(said.hidden_states, taught.hidden_states, strict=True):
                loss = loss + F.mse_loss(own_state, target)  # [texts, T, 384]
            loss.backward()
            optimizer.step()
            decay.step()
            optimizer.zero_grad()
        return student.eval()

    return teach


def signs_of(model: Student) -> Tensor:
    """Whether each latent weight behind a rounded matrix is 0 or more, all of them in one row, bool."""
    latent = [weight for name, weight in model.named_parameters() if ".parametrizations." in name]
    return torch.cat([weight.detach().flatten() >= 0 for weight in latent])


def codes_of(model: Student) -> Tensor:
    """The sign of each weight that a rounded matrix computes with, -1, 0 or 1, all of them in one row."""
    layers = [part for part in model.modules() if isinstance(part, torch.nn.Linear)]
    rounded = [part.weight for part in layers if parametrize.is_parametrized(part)]
    return torch.cat([weight.detach().sign().flatten() for weight in rounded])
