"""Modules in which tests look up statements: one without a mistake, and one with long sections."""

FINE = """.version 8.0
.target sm_80
.address_size 64
.entry k() .pragma "nounroll";
{
	.reg .b32 %r<4>; // 5;
	.pragma "nounroll";
	{ .reg .f32 %r1;
	mov.f32 %r1, 0f00000000; }
	mov.b32 %r1, %r2;
	{ // one
	.reg .b32 t; Inner: bra Inner; } // two
	bra L;
L:
	bra L;
L2: // list
	.loc 1 2 3
L3:
	mov.b32 %r2, %r3;
Two:

	// a list
	.branchtargets L, L2;
	mov.b32 %r1, 0;
	{ { mov.b32 %r1, %r2; } }
	brx.idx %r1, Two;
	.shared .b32 s;
	{
	.reg .b32 u;
	mov.b32 u, %r3;
	mov.b64 {%r1, u}, 5; Below: mov.b32 u, 1;
	bra Below;
	}
}
.entry h() .pragma "nounroll";
{
	.reg .b32 %y;
	mov.b32 %y, 1;
}
.entry i()
.pragma
"nounroll"
;
{
	.reg .b32 %y;
}
.func g()
{
	.reg .b32 %x;
	mov.b32 %x, 1;
	mov.b32 %x, k;
L:
	bra L;
}
"""

ROWS = "".join(
    f"\t.b8 {n}\n\t.b32 0x{n:x}, {n} // row {n}\nL{n}:\n\n\t.b64 L{n}+{n}\n\t.b8 {n}, {n}\n" for n in range(40)
)

SECTIONS = f""".version 8.0
.target sm_80, debug
.address_size 64
.entry k()
{{
	.reg .b32 %r<4>;
	.loc 1 2 3
	mov.b32 %r1, 1;
	.loc 1 3 3, function_name L3, inlined_at 1 2 3
	mov.b32 %r2, %r1;
	.loc 1 4 3,
	function_name L4, inlined_at 1 2 3
	mov.b32 %r3, %r2;
}}
.file 1 "a.cu"
// .section .debug_str {{
.section .debug_abbrev
{{
{ROWS}}}
	.section .debug_info {{
{ROWS} // }}
}}
.entry l() {{ .reg .b32 %r<4>; mov.b32 %r1, 1; mov.b32 %r2, %r1; }}
.section .debug_str
{{
{ROWS}/* }} */
	.b8 1
}}
	.section	.debug_loc	{{	}}
.entry m() {{ ret; }}
"""
