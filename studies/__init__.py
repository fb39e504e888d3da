"""What is trained in order to be measured: one file a study, its arms as data. `tools` runs them."""
