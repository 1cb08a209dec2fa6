//! Inline PTX in Rust.

#![feature(asm_experimental_arch)]

pub fn wide(lane: u32) -> u64 {
    let result: u64;
    unsafe { core::arch::asm!("mul.wide.u32 {}, {}, 4", out(reg64) result, in(reg32) lane) };
    result
}
