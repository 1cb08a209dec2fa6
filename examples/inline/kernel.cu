// Inline PTX in CUDA C++, with a mistake in each function. `ptx-lsp check examples/inline` needs no compiler.

__device__ unsigned long long address(unsigned row, unsigned width, unsigned start) {
    unsigned long long result;
    asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(result) : "r"(row), "r"(width), "r"(start));
    return result;
}

__device__ float add_and_double(float a, float b) {
    float result;
    asm("{\n\t"
        ".reg .f32 sum;\n\t"
        "add.f32 sum, %1, %2;\n\t"
        "add.f32 %0, sum, sun;\n\t"
        "}"
        : "=f"(result)
        : "f"(a), "f"(b));
    return result;
}

__device__ unsigned clock() {
    unsigned now;
    asm("mov.u32 %0, %%clock;" : "=r"(now));
    return now;
}
