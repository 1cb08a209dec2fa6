"""Parts of lines and declarations of their registers, of which tests write functions."""

from ptx_lsp.quick.effect import LONGEST_INLINE as LONGEST

# the same names, declared as other things, or not at all
DECLARATIONS = (
    "\t.reg .b32 %r<9>;\n\t.reg .b64 %rd<9>;\n\t.reg .f32 %f;\n\t.reg .pred %p<3>;\n",
    "\t.reg .b64 %r<9>;\n\t.reg .b32 %rd<9>;\n\t.reg .b32 %f;\n\t.reg .b32 %p<3>;\n",
    "\t.reg .b32 %r<2>;\n\t.reg .b64 %rd<2>;\n\t.reg .pred %p<2>;\n",
    "\t.reg .f32 %r1, %r2, %r9;\n\t.reg .b32 %r<9>;\n\t.reg .b64 %rd<9>;\n\t.reg .f32 %f;\n\t.reg .pred %p<3>;\n",
    "\t.reg .b64 %r<9>;\n\t.reg .b32 %r<5>;\n\t.reg .b64 %p<3>;\n\t.reg .pred %p1;\n",
    "\t.reg .b32 %r<9>;\n\t.local .b8 %rd1[8];\n\t.reg .f32 %f;\n\t.reg .b32 a, b, %t;\n\t.reg .pred %p<3>, p;\n",
)

INLINE = (
    "{add.s32 %r1, %r2, %r3;\n}",
    "{ .reg .b32 t; mov.b32 t, %r1; add.s32 %r2, t, %r1; }",
    "{ .reg .pred q;\n\tsetp.eq.s32 q, %r1, 2;\n\tselp.b32 %r2, 1, 0, q;}",
    "{\n\t.reg .b32 %r1;\n\tmov.b32 %r1, %r2;\n\tmov.b32 %r3, %r1;\n}",
    "{ mov.b32 %r1, a; .reg .b32 a; mov.b32 a, 1; }",
    "{ .reg .b32 a; mov.b32 a, %r1;\n{ .reg .b32 b; mov.b32 b, a;\n}\n}",
    "{ .reg .b32 a; mov.b32 a, b;\n}",
    "{ mov.b32 %r1, 1; $in: bra $in; }",
    "{ call f, (%r1); }",
    "{ add.s32 %r1, %r2, %f; }",
    "{\n.reg .b32 a;\n" + "ret;\n" * LONGEST + "{ } } {\nmov.b32 a, %r1;\n}",
    "{\n.reg .b32 a;\n{ mov.b32 a, %r1; } } { mov.b32 %r2, %r1;\nmov.b32 a, %r1;\n}",
    "{ ret; } } { ret; }",
    "add.s32 %r1, %r2, %r3;\n\tmov.b32 %r1, [.section .x {35];\n\tld.param.b32 %r2, [%rd1];\n\tadd.s32 %r1, %r2, %r3;",
    "{ // }\n\tmov.b32 %r1, 1;\n}",
    "{ /* } */ mov.b32 %r1, 1;\n}",
    "{\n\n\t// c\n\tmov.b32 %r1, 1;",
)

# in `k0`, `k1` ...: the name of the function before `_param_`
OWN = (
    "ld.param.b32 %r1, [{0}_param_0];\n\tld.param.b64 %rd1, [{0}_param_1];",
    "mov.b64 %rd1, {0}_param_1;\n\tld.param.b32 %r1, [{0}_param_0+0];",
    "ld.param.v2.b32 {{%r1, %r2}}, [{0}_param_1];",
    "ld.param.b32 %r1, [k1_param_0];",
    "ld.param.b32 %r1, [x{0}_param_0];",
    "ld.param.b32 %r1, [{0}_param_7];",
    "{{ ld.param.b32 %r1, [{0}_param_0]; }}",
    ".reg .b32 {0}_param_9;\n\tmov.b32 {0}_param_9, %r1;\n\tmov.b32 %r2, {0}_param_9;",
    "mov.b64 {{{0}_param_0, %r2}}, %rd1;",
)

POSITIONS = (
    ".loc 1 2 3\n\t// c\n\n\tmov.b32 %r1, 1;",
    ".loc 1 2 3\n\t// c\n\n\t, function_name $a, inlined_at 1 2 3\n\tmov.b32 %r1, 1;",
    ".loc 1 2 3\n\t// c\n\t4\n\tmov.b32 %r1, 1;",
    ".loc 1 2 3, function_name $a, inlined_at 1 2 3\n\tmov.b32 %r1, 1;",
)
