; Inline PTX in LLVM IR.

define i32 @lane(i32 %x) {
  %1 = call i32 asm sideeffect "mov.u32 $0, %laneid; add.s32 $0, $0, $2;", "=r,r"(i32 %x)
  ret i32 %1
}
