extern "C" __global__ void gaussian(const float *__restrict__ in, float *__restrict__ out, int width, float sigma)
{
    __shared__ float tile[256 + 8];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x + 4] = i < width ? in[i] : 0.0f;
    __syncthreads();
    float sum = 0.0f, weight = 0.0f;
    for (int k = -4; k <= 4; ++k) {
        float w = __expf(-0.5f * k * k / (sigma * sigma));
        sum += w * tile[threadIdx.x + 4 + k];
        weight += w;
    }
    if (i < width) out[i] = sum / weight;
}
