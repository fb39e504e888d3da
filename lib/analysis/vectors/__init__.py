"""What a model's vectors hold: how alike texts are, what [CLS] knows, what a neuron fires for."""
