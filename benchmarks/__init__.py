"""The speed of ptx-lsp, each figure beside that of `ptxas -arch=compute_90` in the same run: `python -m benchmarks`."""
