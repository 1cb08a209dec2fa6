"""The semantic tokens of a module for tests: all, those of some lines, and those of a line as words."""

from ptx_lsp.analysis.module import Module
from ptx_lsp.features.semantic_tokens import semantic_tokens, tokens_in_range
from ptx_lsp.features.token_types import MODIFIER_NAMES, TYPE_NAMES, Token


def tokens(module: Module) -> list[Token]:
    """All tokens of a module."""
    return [token for blocks in semantic_tokens(module) for block in blocks for token in block.tokens()]


def tokens_of_lines(module: Module, first: int, last: int) -> list[Token]:
    """The tokens of the lines from `first` to `last`, from 0, as a request about them gets them."""
    return [token for blocks in tokens_in_range(module, first, last) for block in blocks for token in block.tokens()]


def name_of(token: Token) -> str:
    """Type and modifiers as the protocol names them: `variable.static.read`."""
    modifiers = [name for bit, name in enumerate(MODIFIER_NAMES) if token.modifiers >> bit & 1]
    return ".".join([TYPE_NAMES[token.type], *modifiers])


def words(module: Module, line: str) -> list[str]:
    """Each token of the first line that contains a text, as `word type.modifiers`."""
    text = module.document
    number = next(i for i in range(text.line_count) if line in text.line(i))
    found = [token for token in tokens(module) if token.line == number]
    return [f"{text.line(number)[t.column : t.column + t.length]} {name_of(t)}" for t in found]
