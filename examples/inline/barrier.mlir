// Inline PTX in MLIR.

llvm.func @arrive(%barrier: i32, %count: i32) {
  llvm.inline_asm has_side_effects asm_dialect = att "mbarrier.arrive.share.b64 _, [$0], $1;", "r,r" %barrier, %count : (i32, i32) -> ()
  llvm.return
}
