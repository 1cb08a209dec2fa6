#include <cub/cub.cuh>

template <typename Key, typename Value>
void each(void *storage, size_t &bytes, Key *keys, Value *values, int *counts, int n)
{
    cub::DeviceRadixSort::SortPairs(storage, bytes, keys, keys, values, values, n);
    cub::DeviceRadixSort::SortKeysDescending(storage, bytes, keys, keys, n);
    cub::DeviceScan::InclusiveSum(storage, bytes, values, values, n);
    cub::DeviceReduce::Max(storage, bytes, values, values, n);
    cub::DeviceSelect::Unique(storage, bytes, keys, keys, counts, n);
    cub::DeviceRunLengthEncode::Encode(storage, bytes, keys, keys, counts, counts, n);
}

template void each(void *, size_t &, int *, float *, int *, int);
template void each(void *, size_t &, unsigned long long *, double *, int *, int);
template void each(void *, size_t &, unsigned char *, long long *, int *, int);
