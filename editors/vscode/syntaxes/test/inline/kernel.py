# SYNTAX TEST "source.python" "inline PTX in the strings of calls"

plain = print("mov.u32 $0, $1;")
#              ^^^^^^^ - keyword.mnemonic.ptx
total = tl.inline_asm_elementwise("add.u8x4 $0, $1, ${2:r};\n", "=r,r,r", [x, f(y)], dtype=tl.uint8)
#          ^^^^^^^^^^^^^^^^^^^^^^ meta.function-call.generic.python
#                                  ^^^ keyword.mnemonic.ptx
#                                           ^^ variable.parameter.operand.ptx
#                                                   ^^^^^^ variable.parameter.operand.ptx
#                                                          ^^ constant.character.escape.python
#                                                               ^^^^^^^^ string.quoted.single.python
#                                                               ^^^^^^^^ - variable.parameter.operand.ptx
after = "mov.u32 x"
#        ^^^ - keyword.mnemonic.ptx
out = llvm.inline_asm(T.i32(), [a, b], r"""
    mov.u32 $0, %laneid; // the lane
#   ^^^ keyword.mnemonic.ptx
#               ^^^^^^^ variable.language.ptx
#                        ^^^^^^^^^^^ comment.line.double-slash.ptx
    """, "=r,r", has_side_effects=True)
#        ^^^^^^ string.quoted.single.python
#        ^^^^^^ - keyword.mnemonic.ptx
done = "mov.u32 x"
#       ^^^ - keyword.mnemonic.ptx
