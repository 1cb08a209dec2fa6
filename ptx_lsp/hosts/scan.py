"""The entry point of this room: from a text in any of its languages to the inline-assembly statements in it."""

from collections.abc import Callable, Iterable

from ptx_lsp.hosts.c_family import scan_c
from ptx_lsp.hosts.julia import scan_julia
from ptx_lsp.hosts.llvm import scan_ir, scan_mlir
from ptx_lsp.hosts.python import scan_python
from ptx_lsp.hosts.rust import scan_rust
from ptx_lsp.hosts.statement import C_FAMILY, CODE, START, AsmStatement, Host, ScanMode, Scanned, State

_EXTENSIONS = {
    **dict.fromkeys(("cu", "cuh"), Host.CUDA),
    **dict.fromkeys(("cc", "cpp", "cxx", "h", "hh", "hpp", "hxx", "inl", "ipp", "tpp"), Host.CPP),
    "c": Host.C,
    **dict.fromkeys(("cl", "clh", "ocl"), Host.OPENCL),
    **dict.fromkeys(("py", "pyi"), Host.PYTHON),
    "rs": Host.RUST,
    "ll": Host.LLVM,
    "mlir": Host.MLIR,
    "jl": Host.JULIA,
}
# By language, letters of which every text with a statement has some; for all other languages that is `asm`.
_LETTERS = {Host.PYTHON: ("asm", "Asm", "inline_ptx"), Host.MLIR: ("asm", "inline_ptx")}


def host_of(path: str) -> Host | None:
    """The language of a file by the extension of its name, in any case; None if it holds no inline assembly."""
    name = path.replace("\\", "/").rpartition("/")[2]
    return _EXTENSIONS.get(name.rpartition(".")[2].lower()) if "." in name else None


def worth_scanning(text: str, host: Host) -> bool:
    """Whether a text in this language can hold a statement at all; without the letters that takes microseconds."""
    return any(letters in text for letters in _LETTERS.get(host, ("asm",)))


def scan(text: str, host: Host) -> list[AsmStatement]:
    """The inline-assembly statements of a text, in the order in which they begin. Takes any text; raises nothing."""
    return _scan(text, host, CODE, True).statements if worth_scanning(text, host) else []


def scan_lines(
    lines: Iterable[str], host: Host, state: State = START, last: bool = False
) -> tuple[list[AsmStatement], State]:
    """The statements that end in these lines, and the state after them. `state` is that at their beginning.

    `lines` are whole lines with their line ends, or runs of whole lines. Offset 0 is their beginning: a statement that
    began before it has negative offsets. `last` is True if no line follows; then every statement ends. Scanning the
    lines of a text in parts gives the statements of the whole. If the state after a part is what it was before an
    edit, the lines below need not be read again.
    """
    text = state.pending + "".join(lines)
    found = _scan(text, host, state.mode, last)
    before = len(state.pending)
    statements = [statement.shifted(-before) for statement in found.statements]
    return statements, State(found.mode, text[found.resume :])


def _scan(text: str, host: Host, mode: ScanMode, last: bool) -> Scanned:
    if host in C_FAMILY:
        return scan_c(text, host, mode, last)
    return _SCANNERS[host](text, mode, last)


_SCANNERS: dict[Host, Callable[[str, ScanMode, bool], Scanned]] = {
    Host.PYTHON: scan_python,
    Host.LLVM: scan_ir,
    Host.MLIR: scan_mlir,
    Host.RUST: scan_rust,
    Host.JULIA: scan_julia,
}
