extern "C" __global__ void softmax(const float *__restrict__ in, float *__restrict__ out)
{
    float x = in[blockIdx.x * 32 + threadIdx.x];
    float top = x;
    for (int k = 16; k > 0; k /= 2) top = fmaxf(top, __shfl_xor_sync(~0u, top, k));
    float e = __expf(x - top);
    float sum = e;
    for (int k = 16; k > 0; k /= 2) sum += __shfl_xor_sync(~0u, sum, k);
    out[blockIdx.x * 32 + threadIdx.x] = __fdividef(e, sum);
}
