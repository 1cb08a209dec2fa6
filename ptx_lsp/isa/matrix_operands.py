"""The matrices of matrix instructions: which operands are parts of them, with which types, in how many threads.

Source: PTX ISA, #warp-level-matrix-instructions and #asynchronous-warpgroup-level-matrix-instructions.
"""

SIDES = {"a": "mk", "b": "kn", "c": "mn", "d": "mn"}
"""The sizes in the shape (m, n, k) that are the rows and the columns of a matrix, by its role."""

TYPED_ROLES: dict[tuple[str, int], str] = {
    ("mma", 4): "dabc",
    ("mma", 5): "dabc",
    ("wgmma", 3): "dab",
    ("wmma", 2): "dc",
    ("wmma", 4): "dabc",
}
"""The roles whose types the type words of an opcode are, by the opcode and the number of its type words."""

TYPED_BY_DEFAULT = {("wmma", 2): ".f16"}
"""The type of the other roles, by the opcode and the number of its type words."""

THREADS = {"mma": 32, "wgmma": 128}
"""The number of threads that hold the matrices of an instruction together."""

NAMED_BY_MODIFIER = {"wmma": "r"}
"""The role of the operand whose matrix is a modifier: `.a` in `wmma.load.a`."""

MOVING = frozenset(("ldmatrix", "stmatrix", "movmatrix"))
"""The opcodes that move matrices and compute nothing."""

SPARSE = frozenset((".sp", ".sp::ordered_metadata"))
"""The modifiers with which half of matrix A is stored."""
