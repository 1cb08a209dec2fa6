"""How fast ptx-lsp is, each figure beside the same run's `ptxas -arch=compute_90`: `python -m benchmarks`."""
