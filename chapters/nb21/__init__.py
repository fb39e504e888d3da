"""What notebook 21, distilling answers, alone needs."""

NOTEBOOK = "21_distilling_answers"
EXERCISES = ("softened_share", "distillation_loss", "TaughtBatches", "uniform_layer_map")
