// Inline PTX in OpenCL C.

__kernel void lane(__global uint *out) {
    uint id;
    __asm__ volatile("mov.u32 %0, %laneid" : "=r"(id));
    out[get_global_id(0)] = id;
}
