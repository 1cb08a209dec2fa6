// SYNTAX TEST "source.cuda-cpp" "inline PTX in the strings of asm statements"

int lane = f("mov.u32 plain"); // not asm
//           ^^^^^^^^^^^^^^^ - keyword.mnemonic.ptx
asm volatile("mad.wide.u32 %0, %1, 4, %%rd;\n\tadd.s32 %0, %0, 0x1F;" : "=l"(a) : "r"(b));
// <--- storage.type.asm
//  ^^^^^^^^ storage.modifier.asm
//            ^^^ keyword.mnemonic.ptx
//               ^^^^^ storage.modifier.ptx
//                    ^^^^ storage.type.ptx
//                         ^^ variable.parameter.operand.ptx
//                                    ^^^^ variable.language.ptx
//                                         ^^ constant.character.escape
//                                             ^^^ keyword.mnemonic.ptx
//                                                             ^^^^ constant.numeric.ptx
//                                                                       ^^^ - meta.asm.ptx
asm("@p add.f32 %0, sum, sun; ret;" : "=f"(result));
//    ^ variable.other.register.predicate.ptx
//      ^^^ keyword.mnemonic.ptx
//                       ^^^ - keyword.mnemonic.ptx
//                            ^^^ keyword.mnemonic.ptx
int after = 1;
// <--- - meta.asm.ptx
