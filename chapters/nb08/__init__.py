"""What notebook 08, the feed-forward network and the residual path, alone needs."""

NOTEBOOK = "08_feed_forward"
EXERCISES = ("gelu", "not_terrible", "pre_ln_layer", "share_left")
