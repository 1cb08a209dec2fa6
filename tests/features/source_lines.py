"""A module with the lines of its source."""

TEXT = """.version 9.4
.target sm_90
.file 1 "k.cu"
.file 2 "inc/half.cuh"
.visible .entry k()
{
\t.reg .b32 %r<9>;
\tmov.b32 %r1, 0;
\t.loc 1 12 5
\tmov.b32 %r2, 1;
\tmov.b32 %r3, 2;
\t.loc 2 3 7, function_name name, inlined_at 1 13 5
\tmov.b32 %r4, 3;
\t.loc 1 12 9
\tmov.b32 %r5, 4;
\tret;
}
.visible .entry other()
{
\tret;
}
"""
