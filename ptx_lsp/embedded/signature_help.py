"""Signature help in inline PTX: the forms of the instruction around a position of the host."""

from ptx_lsp.embedded.host_text import HostText
from ptx_lsp.embedded.inside import inside_as_written
from ptx_lsp.features import signature_help as ptx
from ptx_lsp.features.signature_help import Signatures
from ptx_lsp.text.ranges import Position


def signature_help(analysis: HostText, position: Position) -> Signatures | None:
    """The forms of the instruction at a position of the host; None outside of instructions. Never raises."""
    here = inside_as_written(analysis, position)
    at = here.position(position, after=True) if here is not None else None
    return ptx.signature_help(here.module, at) if here is not None and at is not None else None
