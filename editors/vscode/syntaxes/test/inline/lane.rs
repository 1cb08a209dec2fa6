// SYNTAX TEST "source.rust" "inline PTX in the strings of asm!"

fn plain() { println!("mov.u32 {}", x); }
//                     ^^^ - keyword.mnemonic.ptx
unsafe { core::arch::asm!("mul.wide.u32 {}, {lane}, 4;", "{{ ret; }}", out(reg64) result, lane = in(reg32) f(lane)) };
//                   ^^^^ entity.name.function.macro.rust
//                         ^^^ keyword.mnemonic.ptx
//                                 ^^^^ storage.type.ptx
//                                      ^^ variable.parameter.operand.ptx
//                                          ^^^^^^ variable.parameter.operand.ptx
//                                                        ^^ constant.character.escape.rust
//                                                           ^^^ keyword.mnemonic.ptx
fn after() { println!("mov.u32 {}", x); }
//                     ^^^ - keyword.mnemonic.ptx
fn raw() { asm!(r#"mov.u32 {0}, %tid.x;"#, out(reg32) x); }
//                 ^^^ keyword.mnemonic.ptx
//                         ^^^ variable.parameter.operand.ptx
//                              ^^^^^^ variable.language.ptx
