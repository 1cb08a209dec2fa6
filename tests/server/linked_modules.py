"""Modules of a workspace that are linked with each other."""

HEAD = ".version 8.4\n.target sm_90\n.address_size 64\n"

LIBRARY = HEAD + ".visible .func twice()\n{\n\tret;\n}\n.visible .global .b32 table[4];\n.func hidden()\n{\n\tret;\n}\n"

USES = "\tcall twice;\n\tmov.b64 %rd1, table;\n\tcall hidden;\n\tret;\n"

EXTERN = ".extern .func twice();\n.extern .global .b32 table[4];\n.func hidden();\n"

USER = f"{HEAD}{EXTERN}.visible .entry k()\n{{\n\t.reg .b64 %rd<2>;\n{USES}}}\n"

OTHER = USER.replace("entry k", "entry other")
