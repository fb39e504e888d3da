"""What a model costs, by formula and by measurement: parameters, operations, milliseconds, memory."""
