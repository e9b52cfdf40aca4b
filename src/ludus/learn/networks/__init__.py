"""Networks by name, their masked heads, and their form for ONNX Runtime."""
