"""What notebook 28, one network, many sizes, alone needs."""

NOTEBOOK = "28_one_network_many_sizes"
EXERCISES = ("step_at_sizes", "layers_kept", "networks_with_head")
