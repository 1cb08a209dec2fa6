#include <thrust/device_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/unique.h>

template <typename Key, typename Value>
void each(thrust::device_vector<Key> &keys, thrust::device_vector<Value> &values)
{
    thrust::sort_by_key(keys.begin(), keys.end(), values.begin());
    thrust::stable_sort(values.begin(), values.end(), thrust::greater<Value>());
    thrust::inclusive_scan(values.begin(), values.end(), values.begin());
    thrust::exclusive_scan(keys.begin(), keys.end(), keys.begin(), Key(1), thrust::maximum<Key>());
    keys.erase(thrust::unique(keys.begin(), keys.end()), keys.end());
    values[0] = thrust::reduce(values.begin(), values.end());
}

template void each(thrust::device_vector<int> &, thrust::device_vector<float> &);
template void each(thrust::device_vector<unsigned long long> &, thrust::device_vector<double> &);
