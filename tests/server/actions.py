"""What a client sends for code actions."""

from tests.server.conversation import MODULE

INVOKED, AUTOMATIC = 1, 2  # `CodeActionTriggerKind`

# a module with a family of registers that nothing uses
UNUSED = MODULE.replace("\t.reg .b32 %r<9>;\n", "\t.reg .b32 %r<9>;\n\t.reg .b32 %other<3>;\n")
