#include "cutlass/cutlass.h"
#include "cutlass/gemm/device/gemm.h"
#include "cutlass/layout/matrix.h"

using Row = cutlass::layout::RowMajor;
using Column = cutlass::layout::ColumnMajor;
template <typename Element, typename Sum, typename Shape, typename Warp, typename Instruction, int Stages>
using Gemm = cutlass::gemm::device::Gemm<
    Element, Row, Element, Column, Sum, Row, Sum, cutlass::arch::OpClassTensorOp, cutlass::arch::Sm80, Shape, Warp,
    Instruction, cutlass::epilogue::thread::LinearCombination<Sum, 128 / cutlass::sizeof_bits<Sum>::value, Sum, Sum>,
    cutlass::gemm::threadblock::GemmIdentityThreadblockSwizzle<>, Stages>;

template <int M, int N, int K>
using Shape = cutlass::gemm::GemmShape<M, N, K>;

template <typename G>
void run(void *at)
{
    typename G::Arguments arguments = *static_cast<typename G::Arguments *>(at);
    G gemm;
    gemm(arguments);
}

void all(void *at)
{
    run<Gemm<cutlass::half_t, float, Shape<128, 128, 32>, Shape<64, 64, 32>, Shape<16, 8, 16>, 3>>(at);
    run<Gemm<cutlass::bfloat16_t, float, Shape<128, 256, 32>, Shape<64, 64, 32>, Shape<16, 8, 16>, 3>>(at);
    run<Gemm<cutlass::tfloat32_t, float, Shape<128, 128, 16>, Shape<64, 64, 16>, Shape<16, 8, 8>, 4>>(at);
    run<Gemm<cutlass::half_t, cutlass::half_t, Shape<256, 128, 32>, Shape<64, 64, 32>, Shape<16, 8, 16>, 3>>(at);
}
