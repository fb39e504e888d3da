"""The loss as a landscape over the weights: lines, planes, paths of training, and curvature."""
