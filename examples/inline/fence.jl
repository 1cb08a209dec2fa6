# Inline PTX in Julia.

using LLVM.Interop

fence() = @asmcall("fence.acqrel.gpu;", "~{memory}", true, Nothing, Tuple{})
