"""The state spaces of PTX, and the words that name them in instructions."""

from ptx_lsp.light_classes import NamedTuple


class Space(NamedTuple):
    """One state space as a modifier names it; `base` is the space of the declarations that it can access."""

    name: str
    base: str
    meaning: str


_ROWS = (
    (".reg", ".reg", "registers: fast, private to a thread"),
    (".sreg", ".sreg", "special registers: predefined, read-only"),
    (".const", ".const", "constant memory: read-only, shared by all threads of the grid"),
    (".global", ".global", "global memory: shared by all threads"),
    (".local", ".local", "local memory: private to a thread"),
    (".param", ".param", "parameters of a kernel or a function"),
    (".param::entry", ".param", "parameters of the kernel"),
    (".param::func", ".param", "parameters of a device function"),
    (".shared", ".shared", "shared memory of the block"),
    (".shared::cta", ".shared", "shared memory of the block"),
    (".shared::cluster", ".shared", "shared memory of all blocks of the cluster"),
    (".tex", ".tex", "texture memory (deprecated)"),
    (".surf", ".surf", "surface memory (very old)"),
)

SPACES: dict[str, Space] = {name: Space(name, base, meaning) for name, base, meaning in _ROWS}

POINTED_SPACES = (".const", ".global", ".local", ".shared")
"""The state spaces of variables to which a pointer may point: after `.ptr`, and of the variables of a module."""

NARROW = frozenset((".shared", ".local", ".const", ".param"))
"""The state spaces whose addresses can have 32 bits if `.address_size` is 64."""

SPACE_WORDS = frozenset(SPACES)
"""Every word that names a state space, with its dot. These words keep their order in an opcode."""
